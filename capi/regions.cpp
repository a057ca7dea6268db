// Inspection of terrain regions in C.
#include "handles.h"

using namespace terrane;
using namespace terrane::capi;

namespace {

// The regions of one sector size, numbered from 0, sector by sector.
class NumberedRegions {
public:
    explicit NumberedRegions(const TerrainRegions& regions) : regions_(regions) {
        first_.reserve(size_t{regions.sectors()} + 1);
        first_.push_back(0);
        for (uint32_t s = 0; s < regions.sectors(); ++s) first_.push_back(first_.back() + regions.regions_in(s));
    }

    uint32_t count() const { return first_.back(); }
    uint32_t number(RegionId id) const { return first_[regions_.sector_of(id)] + regions_.number_of(id); }

    // Calls visit(id) in the order of the numbers.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (uint32_t s = 0; s < regions_.sectors(); ++s) {
            for (uint32_t r = 0; r < regions_.regions_in(s); ++r) visit(regions_.id(s, r));
        }
    }
    // Calls visit(cell, number), sector by sector.
    template <class Visit>
    void for_each_cell(Visit&& visit) const {
        for (uint32_t s = 0; s < regions_.sectors(); ++s) {
            const detail::SectorRecord& record = regions_.data().record(s);
            const bool labelled = record.label_bits > 0 || record.region_count == 1;
            const Rect rect = regions_.sector_rect(s);
            for (int32_t y = rect.y; y < rect.bottom(); ++y) {
                for (int32_t x = rect.x; x < rect.right(); ++x) {
                    visit(Cell{x, y}, labelled
                                          ? first_[s] + record.label(static_cast<uint32_t>(x - rect.x), static_cast<uint32_t>(y - rect.y))
                                          : number(regions_.region_of({x, y})));
                }
            }
        }
    }

private:
    const TerrainRegions& regions_;
    std::vector<uint32_t> first_;  // the first number of each sector, and the end
};

// Returns use(regions of that sector size), or `none` if the world has none. There are none of size 0 (whole map) in C.
template <class Use, class T>
T with_regions(const terrane_world* world, uint32_t sector, T none, Use&& use) {
    if (world == nullptr) return none;
    const WorldSnapshot now = world->world.snapshot();
    const TerrainRegions* regions = now.regions(sector);
    return regions == nullptr ? none : guarded_or<T>(none, nullptr, [&] { return use(*regions); });
}

}  // namespace

terrane_code terrane_regions_get_info(const terrane_world* world, uint32_t sector, terrane_regions_info* out, terrane_error* error) {
    if (world == nullptr) return answer_null(out, error);
    return guarded(error, [&]() -> terrane_code {
        const WorldSnapshot now = world->world.snapshot();
        const TerrainRegions* found = now.regions(sector);
        if (found == nullptr)
            return refuse(Error{ErrorCode::kUnknownName, {}, 0, "the world keeps no regions of sector size " + std::to_string(sector)},
                          error);
        const TerrainRegions& regions = *found;
        terrane_regions_info info{};
        info.sector = regions.sector();
        info.regions = static_cast<uint32_t>(regions.region_count());
        info.edges = static_cast<uint32_t>(regions.edge_count() / 2);
        info.bytes = regions.bytes();
        return answer(info, out, "terrane_regions_info", error);
    });
}

size_t terrane_regions_labels(const terrane_world* world, uint32_t sector, uint32_t* out, size_t capacity) {
    return with_regions(world, sector, size_t{0}, [&](const TerrainRegions& regions) {
        const GridLayout& layout = regions.grid().layout();
        const NumberedRegions numbered(regions);
        if (out == nullptr) capacity = 0;
        numbered.for_each_cell([&](Cell c, uint32_t number) {
            const size_t i = static_cast<size_t>(c.y) * static_cast<size_t>(layout.width) + static_cast<size_t>(c.x);
            if (i < capacity) out[i] = number;
        });
        return static_cast<size_t>(layout.cells());
    });
}

size_t terrane_regions_nodes(const terrane_world* world, uint32_t sector, terrane_region* out, size_t capacity) {
    return with_regions(world, sector, size_t{0}, [&](const TerrainRegions& regions) {
        const NumberedRegions numbered(regions);
        std::vector<uint32_t> cells(numbered.count());
        numbered.for_each_cell([&](Cell, uint32_t number) { ++cells[number]; });
        ListWriter writer(out, capacity);
        numbered.for_each([&](RegionId id) {
            const Region& r = regions.region(id);
            writer.add({cell_to(r.representative()), r.terrain, cells[writer.count()]});
        });
        return writer.count();
    });
}

size_t terrane_regions_edges(const terrane_world* world, uint32_t sector, terrane_region_edge* out, size_t capacity) {
    return with_regions(world, sector, size_t{0}, [&](const TerrainRegions& regions) {
        const NumberedRegions numbered(regions);
        ListWriter writer(out, capacity);
        numbered.for_each([&](RegionId from) {
            const uint32_t a = numbered.number(from);
            regions.for_each_edge(from, [&](RegionId to, bool diagonal) {
                const uint32_t b = numbered.number(to);
                if (a < b) writer.add({a, b, diagonal ? 1u : 0u});
            });
        });
        return writer.count();
    });
}
