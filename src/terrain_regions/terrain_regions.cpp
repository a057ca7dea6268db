#include "terrane/terrain_regions/terrain_regions.h"

#include <algorithm>

#include "base/ceil_div.h"
#include "base/parallel.h"
#include "terrain_regions/sector_move.h"
#include "terrain_regions/sector_record.h"
#include "terrane/base/assert.h"

namespace terrane {

using namespace detail;

namespace {

void count(RegionData& data, const SectorRecord& record, bool add) {
    const auto change = [add](auto& total, auto by) { total = add ? total + by : total - by; };
    change(data.regions, uint64_t{record.region_count});
    change(data.edges, uint64_t{record.edge_count});
    change(data.record_bytes, uint64_t{record.bytes()});
    change(data.widths[static_cast<size_t>(std::bit_width(record.region_count - 1))], 1u);
}

void set_shift(RegionData& data) {
    data.shift = 0;
    for (uint32_t w = 0; w < data.widths.size(); ++w) {
        if (data.widths[w] > 0) data.shift = w;
    }
}

// Calls visit(side, neighbour) for the adjacent sectors.
template <class Visit>
void for_each_side(const RegionData& data, uint32_t sector, Visit&& visit) {
    const uint32_t x = sector % data.sectors_x, y = sector / data.sectors_x;
    for (uint32_t side = 0; side < 9; ++side) {
        const uint32_t nx = x + side % 3 - 1, ny = y + side / 3 - 1;  // off the map: wraps to a large number
        if (side != RegionEdge::kHere && nx < data.sectors_x && ny < data.sectors_y) visit(side, ny * data.sectors_x + nx);
    }
}

// Builds the edges between adjacent sectors. `Records` returns the record of a sector; scratch memory is reused.
struct EdgeBuilder {
    EdgeCollector edges;
    SectorLabels labels;
    BorderLabels own, other;

    // The sector's edges, with those to `sides` rebuilt.
    template <class Records>
    std::span<const uint64_t> rebuild_edges(const RegionData& data, const Records& records, uint32_t sector, Sides sides) {
        const SectorRecord& record = *records(sector);
        edges.clear();
        for (uint32_t r = 0; r < record.region_count; ++r) {
            for (const RegionEdge e : record.edges_of(r)) {
                if ((sides >> e.side() & 1) == 0) edges.add(r, e);
            }
        }
        for_each_side(data, sector, [&](uint32_t side, uint32_t neighbour) {
            if ((sides >> side & 1) == 0) return;
            read(data, records, sector, side, own);
            read(data, records, neighbour, 8 - side, other);
            add_border_edges(own, other, side, edges);
        });
        return edges.sorted();
    }

private:
    template <class Records>
    void read(const RegionData& data, const Records& records, uint32_t sector, uint32_t side, BorderLabels& out) {
        const SectorRecord& record = *records(sector);
        if (record.label_bits > 0 || record.region_count == 1) return read_border(record, data.rect(sector), side, out);
        read_border(*label_record(labels, relabel_edges_, data.grid, data.rect(sector)).get(), data.rect(sector), side, out);
    }
    EdgeCollector relabel_edges_;
};

// Writes a new version of the directory; copies a page on its first write.
class Directory {
public:
    explicit Directory(RegionData& data) : data_(data), own_(data.pages.size()) {}

    const SectorRef& at(uint32_t sector) const { return data_.pages[sector >> kSectorPageShift]->sectors[sector & (kSectorPage - 1)]; }
    void set(uint32_t sector, SectorRef record) {
        const uint32_t page = sector >> kSectorPageShift;
        if (own_[page] == nullptr) {
            auto copy = make_scoped_shared<SectorPage>(*data_.pages[page]);
            own_[page] = copy.get();
            data_.pages[page] = std::move(copy);
        }
        own_[page]->sectors[sector & (kSectorPage - 1)] = std::move(record);
    }

private:
    RegionData& data_;
    Vector<SectorPage*> own_;
};

// A sector with changed cells; `cell` is one of them.
struct Touched {
    uint32_t sector;
    uint32_t cells;
    Cell cell;
};

// Ascending by sector.
Vector<Touched> touched_sectors(const TerrainRegions& regions, const EditResult& edit) {
    Vector<Touched> found;
    const GridLayout& layout = edit.after.layout();
    for_each_changed_cell(edit, [&](CellId id, Terrain, Terrain) {
        const Cell cell = layout.cell(id);
        const uint32_t sector = regions.sector_at(cell);
        if (!found.empty() && found.back().sector == sector) {
            ++found.back().cells;
        } else {
            found.push_back({sector, 1, cell});
        }
    });
    std::sort(found.begin(), found.end(), [](const Touched& a, const Touched& b) { return a.sector < b.sector; });
    size_t kept = 0;
    for (size_t i = 1; i < found.size(); ++i) {
        if (found[i].sector == found[kept].sector) {
            found[kept].cells += found[i].cells;
        } else {
            found[++kept] = found[i];
        }
    }
    if (!found.empty()) found.resize(kept + 1);
    return found;
}

// Updates one version to the next.
class Repair {
public:
    Repair(const TerrainRegions& before, const EditResult& edit, RegionData& data, RepairReport& report)
        : before_(before), edit_(edit), data_(data), directory_(data), report_(report) {}

    void run() {
        const Vector<Touched> touched = touched_sectors(before_, edit_);
        report_.sectors.reserve(touched.size() * 4);
        for (const Touched& t : touched) label(t);
        for (const StaleEdges& j : sectors_to_reconnect()) reconnect(j);
        std::vector<uint32_t>& changed = report_.sectors;  // may contain duplicates: a moved cell and new edges in one sector
        std::sort(changed.begin(), changed.end());
        changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
        for (const uint32_t sector : changed) {
            count(data_, before_.data().record(sector), false);
            count(data_, *directory_.at(sector).get(), true);
        }
        set_shift(data_);
    }

private:
    struct StaleEdges {
        uint32_t sector;
        Sides sides;
        bool relabelled;
    };

    void label(const Touched& touched) {
        const Rect rect = data_.rect(touched.sector);
        const SectorRecord& old = before_.data().record(touched.sector);
        if (touched.cells == 1 && data_.labels) {
            SectorRef moved = try_move_cell(old, rect, touched.cell, edit_.after.at(touched.cell), data_.grid.version());
            if (moved.get() != nullptr) {
                ++report_.cells_moved;
                return replace(touched.sector, std::move(moved));
            }
        }
        ++report_.sectors_labelled;
        directory_.set(touched.sector, label_record(labels_, edge_builder_.edges, data_.grid, rect));
        relabelled_.push_back(touched.sector);
    }

    // The relabelled sectors and their neighbours, each with the sides on which labels changed.
    Vector<StaleEdges> sectors_to_reconnect() const {
        Vector<StaleEdges> list;
        list.reserve(relabelled_.size() * 9);
        for (const uint32_t sector : relabelled_) {
            list.push_back({sector, kAllSides, true});
            for_each_side(data_, sector, [&](uint32_t side, uint32_t neighbour) { list.push_back({neighbour, 1u << (8 - side), false}); });
        }
        std::sort(list.begin(), list.end(), [](const StaleEdges& a, const StaleEdges& b) { return a.sector < b.sector; });
        size_t kept = 0;
        for (size_t i = 1; i < list.size(); ++i) {
            if (list[i].sector != list[kept].sector) {
                list[++kept] = list[i];
            } else {
                list[kept].sides |= list[i].sides;
                list[kept].relabelled |= list[i].relabelled;
            }
        }
        if (!list.empty()) list.resize(kept + 1);
        return list;
    }

    void reconnect(const StaleEdges& j) {
        const auto records = [this](uint32_t sector) { return directory_.at(sector).get(); };
        const std::span<const uint64_t> keys = edge_builder_.rebuild_edges(data_, records, j.sector, j.sides);
        const SectorRecord& record = *records(j.sector);
        if (!j.relabelled && has_edges(record, keys)) return;
        if (!j.relabelled) ++report_.sectors_reconnected;
        replace(j.sector, with_edges(record, data_.rect(j.sector), keys, data_.labels, data_.grid.version()));
    }

    static bool has_edges(const SectorRecord& record, std::span<const uint64_t> keys) {
        if (record.edge_count != keys.size()) return false;
        size_t next = 0;
        for (uint32_t r = 0; r < record.region_count; ++r) {
            for (const RegionEdge e : record.edges_of(r)) {
                if (keys[next++] != (uint64_t{r} << 32 | e.bits)) return false;
            }
        }
        return true;
    }

    void replace(uint32_t sector, SectorRef record) {
        directory_.set(sector, std::move(record));
        report_.sectors.push_back(sector);
    }

    const TerrainRegions& before_;
    const EditResult& edit_;
    RegionData& data_;
    Directory directory_;
    RepairReport& report_;
    SectorLabels labels_;
    EdgeBuilder edge_builder_;
    Vector<uint32_t> relabelled_;
};

}  // namespace

TerrainRegions::TerrainRegions() : data_(make_region_data({}, RegionOptions{}.sector, RegionOptions{}.labels)) {}

TerrainRegions TerrainRegions::build(const GridSnapshot& grid, const RegionOptions& options) {
    TERRANE_ASSERT(options.sector == kWholeMap || (options.sector >= kMinSector && options.sector <= kMaxSector));
    TERRANE_ASSERT(options.sector != kWholeMap || grid.layout().cells() <= uint64_t{1} << 27);
    auto data = make_region_data(grid, options.sector, options.labels);
    const uint32_t sectors = data->sectors();
    Vector<SectorRef> isolated(sectors), connected(sectors);
    const uint32_t workers = workers_for(options.threads, data->sectors_y);
    Vector<SectorLabels> labels(workers);
    Vector<EdgeBuilder> edge_builders(workers);
    const auto in_rows = [&](auto&& work) {
        parallel_for(options.threads, data->sectors_y, [&](uint32_t row, uint32_t worker) {
            for (uint32_t s = row * data->sectors_x; s < (row + 1) * data->sectors_x; ++s) work(s, worker);
        });
    };
    in_rows(
        [&](uint32_t s, uint32_t worker) { isolated[s] = label_record(labels[worker], edge_builders[worker].edges, grid, data->rect(s)); });
    in_rows([&](uint32_t s, uint32_t worker) {
        const auto records = [&](uint32_t sector) { return isolated[sector].get(); };
        const std::span<const uint64_t> keys = edge_builders[worker].rebuild_edges(*data, records, s, kAllSides);
        connected[s] = with_edges(*isolated[s].get(), data->rect(s), keys, options.labels, grid.version());
    });
    data->pages.reserve(ceil_div(sectors, kSectorPage));
    for (uint32_t s = 0; s < sectors; ++s) {
        count(*data, *connected[s].get(), true);
        if (s % kSectorPage != 0) continue;
        auto page = make_scoped_shared<SectorPage>();
        for (uint32_t i = s; i < std::min(sectors, s + kSectorPage); ++i) page->sectors[i - s] = connected[i];
        data->pages.push_back(std::move(page));
    }
    set_shift(*data);
    return TerrainRegions(std::move(data));
}

std::optional<TerrainRegions> TerrainRegions::updated(const EditResult& edit, RepairReport* report) const {
    if (edit.before.version() != version() || !edit.before.same_grid(grid())) return std::nullopt;
    RepairReport own;
    RepairReport& out = report != nullptr ? *report : own;
    out = {};
    auto data = make_scoped_shared<RegionData>(*data_);
    data->grid = edit.after;
    Repair(*this, edit, *data, out).run();
    return TerrainRegions(std::move(data));
}

size_t TerrainRegions::bytes() const {
    return sizeof(RegionData) + data_->pages.capacity() * sizeof(data_->pages[0]) + data_->pages.size() * sizeof(SectorPage) +
           static_cast<size_t>(data_->record_bytes);
}

RegionId TerrainRegions::region_of(Cell cell) const {
    if (!grid().layout().contains(cell)) return kNoRegion;
    const uint32_t sector = sector_at(cell);
    const SectorRecord& record = data_->record(sector);
    if (record.label_bits == 0 && record.region_count > 1) return search_region_of(cell);
    const Rect rect = data_->rect(sector);
    return id(sector, record.label(static_cast<uint32_t>(cell.x - rect.x), static_cast<uint32_t>(cell.y - rect.y)));
}

RegionId TerrainRegions::search_region_of(Cell cell, uint64_t* visited_cells) const {
    if (visited_cells != nullptr) *visited_cells = 0;
    if (!grid().layout().contains(cell)) return kNoRegion;
    const uint32_t sector = sector_at(cell);
    const SectorRecord& record = data_->record(sector);
    const Rect rect = data_->rect(sector);
    const Terrain terrain = grid().at(cell);
    const auto width = static_cast<size_t>(rect.width);
    Vector<bool> seen(width * static_cast<size_t>(rect.height));
    std::vector<Cell> queue;
    const auto visit = [&](Cell c) {
        if (!rect.contains(c) || grid().at(c) != terrain) return;
        const size_t i = static_cast<size_t>(c.y - rect.y) * width + static_cast<size_t>(c.x - rect.x);
        if (!seen[i]) queue.push_back(c);
        seen[i] = true;
    };
    visit(cell);
    for (size_t next = 0; next < queue.size(); ++next) {
        const Cell c = queue[next];
        if (visited_cells != nullptr) ++*visited_cells;
        for (uint32_t r = 0; r < record.region_count; ++r) {
            if (record.regions()[r].representative() == c) return id(sector, r);
        }
        for (const Cell step : {Cell{0, -1}, Cell{1, 0}, Cell{0, 1}, Cell{-1, 0}}) visit({c.x + step.x, c.y + step.y});
    }
    return kNoRegion;  // only with an inconsistent file: every region has a representative
}

bool operator==(const TerrainRegions& a, const TerrainRegions& b) {
    const RegionData &x = a.data(), &y = b.data();
    if (x.sector != y.sector || x.labels != y.labels || x.grid.layout() != y.grid.layout() || x.shift != y.shift) return false;
    if (x.regions != y.regions || x.edges != y.edges || x.record_bytes != y.record_bytes || x.widths != y.widths) return false;
    for (uint32_t s = 0; s < x.sectors(); ++s) {
        if (!same(x.record(s), y.record(s))) return false;
    }
    return true;
}

}  // namespace terrane
