#include "terrane/terrain_regions/terrain_regions.h"

#include <algorithm>

#include "base/divided_up.h"
#include "base/parallel.h"
#include "terrain_regions/sector_move.h"
#include "terrain_regions/sector_record.h"
#include "terrane/base/assert.h"

namespace terrane {

using namespace detail;

namespace {

// Without sectors.
std::shared_ptr<RegionRoot> make_region_root(const GridSnapshot& grid, const RegionOptions& options) {
    auto root = share<RegionRoot>();
    const auto width = static_cast<uint32_t>(grid.width()), height = static_cast<uint32_t>(grid.height());
    root->grid = grid;
    root->sector = options.sector;
    root->labels = options.labels;
    root->side = options.sector == kWholeMap ? std::max({width, height, 1u}) : options.sector;
    root->sectors_x = divided_up(width, root->side);
    root->sectors_y = divided_up(height, root->side);
    return root;
}

void count(RegionRoot& root, const SectorRecord& record, bool add) {
    const auto change = [add](auto& total, auto by) { total = add ? total + by : total - by; };
    change(root.regions, uint64_t{record.region_count});
    change(root.edges, uint64_t{record.edge_count});
    change(root.record_bytes, uint64_t{record.bytes()});
    change(root.widths[static_cast<size_t>(std::bit_width(record.region_count - 1))], 1u);
}

void set_shift(RegionRoot& root) {
    root.shift = 0;
    for (uint32_t w = 0; w < root.widths.size(); ++w) {
        if (root.widths[w] > 0) root.shift = w;
    }
}

// Calls visit(side, neighbour) for the sectors around one.
template <class Visit>
void for_each_side(const RegionRoot& root, uint32_t sector, Visit&& visit) {
    const uint32_t x = sector % root.sectors_x, y = sector / root.sectors_x;
    for (uint32_t side = 0; side < 9; ++side) {
        const uint32_t nx = x + side % 3 - 1, ny = y + side / 3 - 1;  // past the edge: wraps round to a large number
        if (side != RegionEdge::kHere && nx < root.sectors_x && ny < root.sectors_y) visit(side, ny * root.sectors_x + nx);
    }
}

// Joins sectors to their neighbours. `Records` finds the record of a sector; scratch is reused.
struct Joiner {
    EdgeCollector edges;
    SectorLabels labels;
    Line own, other;

    // The record's edges, those to `sides` made anew.
    template <class Records>
    std::span<const uint64_t> join(const RegionRoot& root, const Records& records, uint32_t sector, Sides sides) {
        const SectorRecord& record = *records(sector);
        edges.clear();
        for (uint32_t r = 0; r < record.region_count; ++r) {
            for (const RegionEdge e : record.edges_of(r)) {
                if ((sides >> e.side() & 1) == 0) edges.add(r, e);
            }
        }
        for_each_side(root, sector, [&](uint32_t side, uint32_t neighbour) {
            if ((sides >> side & 1) == 0) return;
            read(root, records, sector, side, own);
            read(root, records, neighbour, 8 - side, other);
            join_lines(own, other, side, edges);
        });
        return edges.sorted();
    }

private:
    template <class Records>
    void read(const RegionRoot& root, const Records& records, uint32_t sector, uint32_t side, Line& out) {
        const SectorRecord& record = *records(sector);
        if (record.label_bits > 0 || record.region_count == 1) return read_line(record, root.rect(sector), side, out);
        read_line(*label_record(labels, relabelled_, root.grid, root.rect(sector)).get(), root.rect(sector), side, out);
    }
    EdgeCollector relabelled_;
};

// A new version of the directory: pages are copied when first written to.
class Directory {
public:
    explicit Directory(RegionRoot& root) : root_(root), own_(root.pages.size()) {}

    const SectorRef& at(uint32_t sector) const { return root_.pages[sector >> kSectorPageShift]->sectors[sector & (kSectorPage - 1)]; }
    void set(uint32_t sector, SectorRef record) {
        const uint32_t page = sector >> kSectorPageShift;
        if (own_[page] == nullptr) {
            auto copy = share<SectorPage>(*root_.pages[page]);
            own_[page] = copy.get();
            root_.pages[page] = std::move(copy);
        }
        own_[page]->sectors[sector & (kSectorPage - 1)] = std::move(record);
    }

private:
    RegionRoot& root_;
    Vector<SectorPage*> own_;
};

// A sector that an edit changed. `cell` is one of its changed cells.
struct Touched {
    uint32_t sector;
    uint32_t cells;
    Cell cell;
};

// By sector, ascending.
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

// The edit of one version into the next.
class Repair {
public:
    Repair(const TerrainRegions& before, const EditResult& edit, RegionRoot& root, RepairReport& report)
        : before_(before), edit_(edit), root_(root), directory_(root), report_(report) {}

    void run() {
        const Vector<Touched> touched = touched_sectors(before_, edit_);
        report_.sectors.reserve(touched.size() * 4);
        for (const Touched& t : touched) label(t);
        for (const Joined& j : to_join()) join(j);
        std::vector<uint32_t>& changed = report_.sectors;  // one that a cell moved in may have been joined anew, too
        std::sort(changed.begin(), changed.end());
        changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
        for (const uint32_t sector : changed) {
            count(root_, before_.root().record(sector), false);
            count(root_, *directory_.at(sector).get(), true);
        }
        set_shift(root_);
    }

private:
    struct Joined {
        uint32_t sector;
        Sides sides;
        bool labelled;
    };

    void label(const Touched& touched) {
        const Rect rect = root_.rect(touched.sector);
        const SectorRecord& old = before_.root().record(touched.sector);
        if (touched.cells == 1 && root_.labels) {
            SectorRef moved = try_move_cell(old, rect, touched.cell, edit_.after.at(touched.cell), root_.grid.version());
            if (moved.get() != nullptr) {
                ++report_.cells_moved;
                return replace(touched.sector, std::move(moved));
            }
        }
        ++report_.sectors_labelled;
        directory_.set(touched.sector, label_record(labels_, joiner_.edges, root_.grid, rect));
        labelled_.push_back(touched.sector);
    }

    // Sectors labelled anew, and their neighbours, with the sides on which labels are new.
    Vector<Joined> to_join() const {
        Vector<Joined> list;
        list.reserve(labelled_.size() * 9);
        for (const uint32_t sector : labelled_) {
            list.push_back({sector, kAllSides, true});
            for_each_side(root_, sector, [&](uint32_t side, uint32_t neighbour) { list.push_back({neighbour, 1u << (8 - side), false}); });
        }
        std::sort(list.begin(), list.end(), [](const Joined& a, const Joined& b) { return a.sector < b.sector; });
        size_t kept = 0;
        for (size_t i = 1; i < list.size(); ++i) {
            if (list[i].sector != list[kept].sector) {
                list[++kept] = list[i];
            } else {
                list[kept].sides |= list[i].sides;
                list[kept].labelled |= list[i].labelled;
            }
        }
        if (!list.empty()) list.resize(kept + 1);
        return list;
    }

    void join(const Joined& j) {
        const auto records = [this](uint32_t sector) { return directory_.at(sector).get(); };
        const std::span<const uint64_t> keys = joiner_.join(root_, records, j.sector, j.sides);
        const SectorRecord& record = *records(j.sector);
        if (!j.labelled && has_edges(record, keys)) return;
        if (!j.labelled) ++report_.sectors_joined;
        replace(j.sector, with_edges(record, root_.rect(j.sector), keys, root_.labels, root_.grid.version()));
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
    RegionRoot& root_;
    Directory directory_;
    RepairReport& report_;
    SectorLabels labels_;
    Joiner joiner_;
    Vector<uint32_t> labelled_;
};

}  // namespace

TerrainRegions::TerrainRegions() : root_(make_region_root({}, {})) {}

TerrainRegions TerrainRegions::build(const GridSnapshot& grid, const RegionOptions& options) {
    TERRANE_ASSERT(options.sector == kWholeMap || (options.sector >= kMinSector && options.sector <= kMaxSector));
    TERRANE_ASSERT(options.sector != kWholeMap || grid.layout().cells() <= uint64_t{1} << 27);
    auto root = make_region_root(grid, options);
    const uint32_t sectors = root->sectors();
    Vector<SectorRef> alone(sectors), whole(sectors);
    const uint32_t workers = workers_for(options.threads, root->sectors_y);
    Vector<SectorLabels> labels(workers);
    Vector<Joiner> joiners(workers);
    const auto in_rows = [&](auto&& work) {
        parallel_for(options.threads, root->sectors_y, [&](uint32_t row, uint32_t worker) {
            for (uint32_t s = row * root->sectors_x; s < (row + 1) * root->sectors_x; ++s) work(s, worker);
        });
    };
    in_rows([&](uint32_t s, uint32_t worker) { alone[s] = label_record(labels[worker], joiners[worker].edges, grid, root->rect(s)); });
    in_rows([&](uint32_t s, uint32_t worker) {
        const auto records = [&](uint32_t sector) { return alone[sector].get(); };
        const std::span<const uint64_t> keys = joiners[worker].join(*root, records, s, kAllSides);
        whole[s] = with_edges(*alone[s].get(), root->rect(s), keys, options.labels, grid.version());
    });
    root->pages.reserve(divided_up(sectors, kSectorPage));
    for (uint32_t s = 0; s < sectors; ++s) {
        count(*root, *whole[s].get(), true);
        if (s % kSectorPage != 0) continue;
        auto page = share<SectorPage>();
        for (uint32_t i = s; i < std::min(sectors, s + kSectorPage); ++i) page->sectors[i - s] = whole[i];
        root->pages.push_back(std::move(page));
    }
    set_shift(*root);
    return TerrainRegions(std::move(root));
}

std::optional<TerrainRegions> TerrainRegions::updated(const EditResult& edit, RepairReport* report) const {
    if (edit.before.version() != version() || !edit.before.same_grid(grid())) return std::nullopt;
    RepairReport own;
    RepairReport& out = report != nullptr ? *report : own;
    out = {};
    auto root = share<RegionRoot>(*root_);
    root->grid = edit.after;
    Repair(*this, edit, *root, out).run();
    return TerrainRegions(std::move(root));
}

size_t TerrainRegions::bytes() const {
    return sizeof(RegionRoot) + root_->pages.capacity() * sizeof(root_->pages[0]) + root_->pages.size() * sizeof(SectorPage) +
           static_cast<size_t>(root_->record_bytes);
}

RegionId TerrainRegions::region_of(Cell cell) const {
    if (!grid().layout().contains(cell)) return kNoRegion;
    const uint32_t sector = sector_at(cell);
    const SectorRecord& record = root_->record(sector);
    if (record.label_bits == 0 && record.region_count > 1) return search_region_of(cell);
    const Rect rect = root_->rect(sector);
    return id(sector, record.label(static_cast<uint32_t>(cell.x - rect.left), static_cast<uint32_t>(cell.y - rect.top)));
}

RegionId TerrainRegions::search_region_of(Cell cell, uint64_t* looked_at) const {
    if (looked_at != nullptr) *looked_at = 0;
    if (!grid().layout().contains(cell)) return kNoRegion;
    const uint32_t sector = sector_at(cell);
    const SectorRecord& record = root_->record(sector);
    const Rect rect = root_->rect(sector);
    const Terrain terrain = grid().at(cell);
    const auto width = static_cast<size_t>(rect.right - rect.left);
    Vector<bool> seen(width * static_cast<size_t>(rect.bottom - rect.top));
    std::vector<Cell> queue;
    const auto visit = [&](Cell c) {
        if (!rect.contains(c) || grid().at(c) != terrain) return;
        const size_t i = static_cast<size_t>(c.y - rect.top) * width + static_cast<size_t>(c.x - rect.left);
        if (!seen[i]) queue.push_back(c);
        seen[i] = true;
    };
    visit(cell);
    for (size_t next = 0; next < queue.size(); ++next) {
        const Cell c = queue[next];
        if (looked_at != nullptr) ++*looked_at;
        for (uint32_t r = 0; r < record.region_count; ++r) {
            if (record.regions()[r].representative() == c) return id(sector, r);
        }
        for (const Cell step : {Cell{0, -1}, Cell{1, 0}, Cell{0, 1}, Cell{-1, 0}}) visit({c.x + step.x, c.y + step.y});
    }
    return kNoRegion;  // a region has a representative, unless a file lies
}

bool operator==(const TerrainRegions& a, const TerrainRegions& b) {
    const RegionRoot &x = a.root(), &y = b.root();
    if (x.sector != y.sector || x.labels != y.labels || x.grid.layout() != y.grid.layout() || x.shift != y.shift) return false;
    if (x.regions != y.regions || x.edges != y.edges || x.record_bytes != y.record_bytes || x.widths != y.widths) return false;
    for (uint32_t s = 0; s < x.sectors(); ++s) {
        if (!same(x.record(s), y.record(s))) return false;
    }
    return true;
}

}  // namespace terrane
