#include "terrane/pra/cliques.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "pra/cliques_groups.h"
#include "terrain_regions/sector_labels.h"
#include "terrane/base/assert.h"

namespace terrane {

using namespace detail;

namespace {

constexpr uint32_t kMostShift = 15;  // log2 of kMaxSide: a tile of all of the map

// The passable cells of a tile of the first level and of those around it, and the steps between them.
class CellWindow {
public:
    void read(const CliqueRoot& root, Cell corner) {
        movement_ = root.movement;
        for (int32_t y = 0; y < kSide; ++y) {
            for (int32_t x = 0; x < kSide; ++x) {
                const Terrain terrain = root.grid.at(Cell{corner.x + x - 1, corner.y + y - 1});
                open_[index(x, y)] = terrain != kOutside && root.set.contains(terrain);
            }
        }
    }

    // From the tile's corner; one cell past its edges.
    bool open(int32_t x, int32_t y) const { return open_[index(x + 1, y + 1)]; }

    // From an open cell to the one on a side (RegionEdge).
    bool step(int32_t x, int32_t y, uint32_t side) const {
        const int32_t dx = static_cast<int32_t>(side % 3) - 1, dy = static_cast<int32_t>(side / 3) - 1;
        if (!open(x + dx, y + dy)) return false;
        return dx == 0 || dy == 0 || diagonal_is_legal(movement_, open(x + dx, y), open(x, y + dy));
    }

private:
    static constexpr int32_t kSide = kCliqueTile + 2;
    static uint32_t index(int32_t x, int32_t y) { return static_cast<uint32_t>(y * kSide + x); }
    Movement movement_ = Movement::kEight;
    std::array<bool, kSide * kSide> open_{};
};

// Calls visit(side, neighbour) for the tiles around one, and itself.
template <class Visit>
void for_each_side(const CliqueLevel& level, uint32_t tile, Visit&& visit) {
    const uint32_t x = tile % level.tiles_x, y = tile / level.tiles_x;
    for (uint32_t side = 0; side < 9; ++side) {
        const uint32_t nx = x + side % 3 - 1, ny = y + side / 3 - 1;  // past the edge: wraps round to a large number
        if (nx < level.tiles_x && ny < level.tiles_y) visit(side, ny * level.tiles_x + nx);
    }
}

// Makes tiles of one level from the level below.
class LevelMaker {
public:
    LevelMaker(CliqueRoot& root, uint32_t level) : root_(root), level_(level), here_(root.levels[level - 1]) {}

    // Makes these tiles anew, and the edges of those around them; once. Returns the tiles whose nodes or edges changed. All ascending.
    Vector<uint32_t> make(const Vector<uint32_t>& tiles);

private:
    using Record = std::shared_ptr<const CliqueRecord>;
    const CliqueLevel& below() const { return root_.levels[level_ - 2]; }
    Rect cells_of(uint32_t tile) const;
    Vector<uint32_t> regroup(const Vector<uint32_t>& tiles);
    void set_shift();
    // Calls visit(tile of the level below, its quarter) by rows.
    template <class Visit>
    void for_each_quarter(uint32_t tile, Visit&& visit) const;

    void group(uint32_t tile, CliqueRecord& record);
    void group_cells(uint32_t tile, CliqueRecord& record);
    void group_nodes(uint32_t tile, CliqueRecord& record);
    void add_node_edges(uint32_t tile, uint32_t from, uint32_t number, const CliqueRecord& record);
    void merge();

    std::span<const uint64_t> edges_of(uint32_t tile);
    void collect_cell_edges(uint32_t tile);
    void collect_node_edges(uint32_t tile);
    uint32_t side_of(uint32_t tile, uint32_t other) const;

    void count(const CliqueRecord& record, bool add);

    CliqueRoot& root_;
    const uint32_t level_;
    CliqueLevel& here_;
    CellWindow window_;
    CliqueGroups groups_;
    EdgeCollector edges_;
    Vector<Record> old_;  // of the tiles that are made anew
    Vector<std::shared_ptr<CliqueRecord>> fresh_;
    Vector<uint32_t> local_;  // of a cell or a node below: its number in groups_
};

Rect LevelMaker::cells_of(uint32_t tile) const {
    const int32_t side = 1 << here_.tile_shift;
    const auto left = static_cast<int32_t>(tile % here_.tiles_x) * side, top = static_cast<int32_t>(tile / here_.tiles_x) * side;
    return intersection({left, top, left + side, top + side}, root_.grid.layout().rect());
}

template <class Visit>
void LevelMaker::for_each_quarter(uint32_t tile, Visit&& visit) const {
    const uint32_t grow = here_.tile_shift - below().tile_shift;
    for (uint32_t quarter = 0; quarter < 4; ++quarter) {
        if ((quarter >> 1 & ~grow) != 0 || (quarter & 1 & ~grow) != 0) continue;  // a tile of all of the map is made of one
        const uint32_t x = (tile % here_.tiles_x << grow) + (quarter & 1), y = (tile / here_.tiles_x << grow) + (quarter >> 1);
        if (x < below().tiles_x && y < below().tiles_y) visit(y * below().tiles_x + x, quarter);
    }
}

void LevelMaker::merge() {
    if (root_.options.rule == CliqueRule::kCliques) {
        groups_.merge_cliques();
    } else {
        groups_.merge_sectors(std::min(level_, kMostShift));
    }
}

void LevelMaker::group_cells(uint32_t tile, CliqueRecord& record) {
    const Rect rect = cells_of(tile);
    const int32_t width = rect.right - rect.left, height = rect.bottom - rect.top;
    window_.read(root_, {rect.left, rect.top});
    local_.assign(kCliqueTile * kCliqueTile, kNoClique);
    const auto index = [](int32_t x, int32_t y) { return static_cast<uint32_t>(y) * kCliqueTile + static_cast<uint32_t>(x); };
    const auto for_each_open = [&](auto&& visit) {
        for (int32_t y = 0; y < height; ++y) {
            for (int32_t x = 0; x < width; ++x) {
                if (window_.open(x, y)) visit(x, y);
            }
        }
    };
    for_each_open([&](int32_t x, int32_t y) {
        local_[index(x, y)] = groups_.size();
        groups_.add_node({rect.left + x, rect.top + y});
    });
    for_each_open([&](int32_t x, int32_t y) {
        for (uint32_t side = 0; side < 9; ++side) {
            const int32_t nx = x + static_cast<int32_t>(side % 3) - 1, ny = y + static_cast<int32_t>(side / 3) - 1;
            if (side == RegionEdge::kHere || nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
            if (window_.step(x, y, side)) groups_.add_edge(local_[index(nx, ny)]);
        }
        groups_.end_node();
    });
    merge();
    record.cells.assign(kCliqueTile * kCliqueTile, kNoCliqueLabel);
    for_each_open([&](int32_t x, int32_t y) { record.cells[index(x, y)] = static_cast<uint8_t>(groups_.group(local_[index(x, y)])); });
}

// The edges of a node of the level below to nodes that it may be merged with. `first` is that of `record`, filled already.
void LevelMaker::add_node_edges(uint32_t tile, uint32_t from, uint32_t number, const CliqueRecord& record) {
    const uint32_t grow = here_.tile_shift - below().tile_shift;
    for (const RegionEdge e : below().record(from).edges_of(number)) {
        const uint32_t to = below().neighbour(from, e.side()), x = to % below().tiles_x, y = to / below().tiles_x;
        if ((y >> grow) * here_.tiles_x + (x >> grow) != tile) continue;
        groups_.add_edge(local_[record.first[(y & grow) << 1 | (x & grow)] + e.number()]);
    }
    groups_.end_node();
}

void LevelMaker::group_nodes(uint32_t tile, CliqueRecord& record) {
    const auto for_each_joined = [&](auto&& visit) {
        for_each_quarter(tile, [&](uint32_t from, uint32_t quarter) {
            const CliqueRecord& nodes = below().record(from);
            for (uint32_t n = 0; n < nodes.nodes.size(); ++n) {
                if (!nodes.edges_of(n).empty()) visit(from, n, record.first[quarter] + n);
            }
        });
    };
    std::array<uint32_t, 4> sizes{};
    for_each_quarter(tile, [&](uint32_t from, uint32_t q) { sizes[q] = static_cast<uint32_t>(below().record(from).nodes.size()); });
    std::partial_sum(sizes.begin(), sizes.end(), record.first.begin() + 1);
    local_.assign(record.first[4], kNoClique);
    for_each_joined([&](uint32_t from, uint32_t n, uint32_t index) {
        const CliqueNode& node = below().record(from).nodes[n];
        local_[index] = groups_.size();
        groups_.add_node({node.x, node.y});
    });
    for_each_joined([&](uint32_t from, uint32_t n, uint32_t) { add_node_edges(tile, from, n, record); });
    merge();
    record.below.assign(record.first[4], kNoClique);
    for_each_joined([&](uint32_t, uint32_t, uint32_t index) { record.below[index] = groups_.group(local_[index]); });
}

void LevelMaker::group(uint32_t tile, CliqueRecord& record) {
    groups_.clear();
    if (level_ == 1) {
        group_cells(tile, record);
    } else {
        group_nodes(tile, record);
    }
    groups_.representatives(record.nodes);
}

uint32_t LevelMaker::side_of(uint32_t tile, uint32_t other) const {
    if (other == tile) return RegionEdge::kHere;
    const uint32_t dx = other % here_.tiles_x - tile % here_.tiles_x + 1, dy = other / here_.tiles_x - tile / here_.tiles_x + 1;
    return dy * 3 + dx;
}

void LevelMaker::collect_cell_edges(uint32_t tile) {
    const Rect rect = cells_of(tile);
    const CliqueRecord& record = here_.record(tile);
    window_.read(root_, {rect.left, rect.top});
    const auto place = [&](int32_t x, int32_t y) {  // from the tile's corner; most are in it
        const uint32_t column = static_cast<uint32_t>(x), row = static_cast<uint32_t>(y);
        if (column < kCliqueTile && row < kCliqueTile) return CliqueLevel::Place{tile, record.cells[row * kCliqueTile + column]};
        return here_.merged(Cell{rect.left + x, rect.top + y});
    };
    for (int32_t y = 0; y < rect.bottom - rect.top; ++y) {
        for (int32_t x = 0; x < rect.right - rect.left; ++x) {
            if (!window_.open(x, y)) continue;
            const uint32_t from = place(x, y).number;
            for (uint32_t side = 0; side < 9; ++side) {
                if (side == RegionEdge::kHere || !window_.step(x, y, side)) continue;
                const auto [to_tile, to] = place(x + static_cast<int32_t>(side % 3) - 1, y + static_cast<int32_t>(side / 3) - 1);
                if (to_tile != tile || to != from) edges_.add(from, side_of(tile, to_tile), to, false);
            }
        }
    }
}

void LevelMaker::collect_node_edges(uint32_t tile) {
    for_each_quarter(tile, [&](uint32_t from_tile, uint32_t) {
        std::array<CliqueLevel::Quarter, 9> up{};  // of the tiles around that tile
        std::array<uint32_t, 9> sides{};           // of those, from this one
        for_each_side(below(), from_tile, [&](uint32_t side, uint32_t neighbour) {
            up[side] = here_.quarter(below(), neighbour);
            sides[side] = side_of(tile, up[side].tile);
        });
        const CliqueRecord& nodes = below().record(from_tile);
        for (uint32_t n = 0; n < nodes.nodes.size(); ++n) {
            const uint32_t from = up[RegionEdge::kHere].numbers[n];
            for (const RegionEdge e : nodes.edges_of(n)) {
                const uint32_t to = up[e.side()].numbers[e.number()], side = sides[e.side()];
                if (side != RegionEdge::kHere || to != from) edges_.add(from, side, to, false);
            }
        }
    });
}

// As EdgeCollector has them: the node's number above, the edge's bits below.
std::span<const uint64_t> LevelMaker::edges_of(uint32_t tile) {
    edges_.clear();
    if (level_ == 1) {
        collect_cell_edges(tile);
    } else {
        collect_node_edges(tile);
    }
    return edges_.sorted();
}

void set_edges(CliqueRecord& record, std::span<const uint64_t> keys) {
    record.edges.clear();
    record.edges.reserve(keys.size());
    uint32_t node = 0;
    for (const uint64_t key : keys) {
        for (; node <= key >> 32; ++node) record.nodes[node].first_edge = static_cast<uint32_t>(record.edges.size());
        record.edges.push_back({static_cast<uint32_t>(key)});
    }
    for (; node < record.nodes.size(); ++node) record.nodes[node].first_edge = static_cast<uint32_t>(record.edges.size());
}

bool has_edges(const CliqueRecord& record, std::span<const uint64_t> keys) {
    if (record.edges.size() != keys.size()) return false;
    size_t next = 0;
    for (uint32_t node = 0; node < record.nodes.size(); ++node) {
        for (const RegionEdge e : record.edges_of(node)) {
            if (keys[next++] != (uint64_t{node} << 32 | e.bits)) return false;
        }
    }
    return true;
}

bool same_graph(const CliqueRecord& a, const CliqueRecord& b) { return a.nodes == b.nodes && a.edges == b.edges; }

void LevelMaker::count(const CliqueRecord& record, bool add) {
    const auto change = [add](auto& total, auto by) { total = add ? total + by : total - by; };
    change(here_.nodes, uint64_t{record.nodes.size()});
    change(here_.edges, uint64_t{record.edges.size()});
    const size_t last = record.nodes.empty() ? 0 : record.nodes.size() - 1;
    change(here_.widths[static_cast<size_t>(std::bit_width(last))], 1u);
}

// Merges the tiles anew, and lists those whose edges may be others now: edges lead from node to node of the level below, and change
// where those do, or what they were merged into.
Vector<uint32_t> LevelMaker::regroup(const Vector<uint32_t>& tiles) {
    Vector<uint32_t> to_join = tiles;
    for (const uint32_t tile : tiles) {
        const Record before = here_.records[tile];
        const auto after = share<CliqueRecord>();
        group(tile, *after);
        if (before == nullptr || before->cells != after->cells || before->first != after->first || before->below != after->below) {
            for_each_side(here_, tile, [&](uint32_t, uint32_t neighbour) { to_join.push_back(neighbour); });
        }
        old_.push_back(before);
        fresh_.push_back(after);
    }
    for (size_t i = 0; i < tiles.size(); ++i) here_.records.set(tiles[i], fresh_[i]);
    std::sort(to_join.begin(), to_join.end());
    to_join.erase(std::unique(to_join.begin(), to_join.end()), to_join.end());
    return to_join;
}

Vector<uint32_t> LevelMaker::make(const Vector<uint32_t>& tiles) {
    Vector<uint32_t> changed;
    size_t next = 0;  // of `tiles`
    for (const uint32_t tile : regroup(tiles)) {
        const bool grouped = next < tiles.size() && tiles[next] == tile;
        const Record before = grouped ? old_[next] : here_.records[tile];
        const std::span<const uint64_t> keys = edges_of(tile);
        if (!grouped && has_edges(*before, keys)) continue;
        const std::shared_ptr<CliqueRecord> after = grouped ? fresh_[next++] : share<CliqueRecord>(*before);
        set_edges(*after, keys);
        if (grouped && before != nullptr && same_graph(*before, *after)) continue;  // it stays, for what it was merged from
        if (!grouped) here_.records.set(tile, after);
        if (before != nullptr) count(*before, false);
        count(*after, true);
        changed.push_back(tile);
    }
    set_shift();
    return changed;
}

void LevelMaker::set_shift() {
    here_.shift = 0;
    for (uint32_t w = 0; w < here_.widths.size(); ++w) {
        if (here_.widths[w] > 0) here_.shift = w;
    }
}

// A level of which nothing is made yet.
void add_level(CliqueRoot& root) {
    CliqueLevel level;
    level.tile_shift = std::min(kCliqueTileShift + static_cast<uint32_t>(root.levels.size()), kMostShift);
    level.tiles_x = (static_cast<uint32_t>(root.grid.width() - 1) >> level.tile_shift) + 1;
    level.tiles_y = (static_cast<uint32_t>(root.grid.height() - 1) >> level.tile_shift) + 1;
    level.records = PagedVector<std::shared_ptr<const CliqueRecord>>(level.tiles());
    root.levels.push_back(std::move(level));
}

Vector<uint32_t> all_tiles(const CliqueLevel& level) {
    Vector<uint32_t> tiles(level.tiles());
    std::iota(tiles.begin(), tiles.end(), 0u);
    return tiles;
}

// The tiles of a level that tiles of the level below are parts of.
Vector<uint32_t> tiles_above(const CliqueLevel& below, const CliqueLevel& above, const Vector<uint32_t>& tiles) {
    const uint32_t grow = above.tile_shift - below.tile_shift;
    Vector<uint32_t> out;
    out.reserve(tiles.size());
    for (const uint32_t tile : tiles) {
        out.push_back((tile / below.tiles_x >> grow) * above.tiles_x + (tile % below.tiles_x >> grow));
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

// Makes these tiles of the first level, and whatever depends on them on all levels.
void make_levels(CliqueRoot& root, Vector<uint32_t> tiles) {
    for (uint32_t level = 1; !tiles.empty(); ++level) {
        const Vector<uint32_t> changed = LevelMaker(root, level).make(tiles);
        if (root.levels[level - 1].edges == 0) return root.levels.resize(level);
        if (level < root.levels.size()) {
            tiles = tiles_above(root.levels[level - 1], root.levels[level], changed);
        } else {
            add_level(root);
            tiles = all_tiles(root.levels.back());
        }
    }
}

// The tiles of the first level with a cell that was opened or closed.
Vector<uint32_t> touched_tiles(const CliqueRoot& root, const EditResult& edit) {
    Vector<uint32_t> out;
    for_each_changed_cell(edit, [&](CellId id, Terrain before, Terrain after) {
        if (root.set.contains(before) == root.set.contains(after)) return;
        const uint32_t touched = root.levels[0].tile_at(root.grid.layout().cell(id));
        if (out.empty() || out.back() != touched) out.push_back(touched);
    });
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace

Cliques::Cliques() : root_(share<CliqueRoot>()) {}

Cliques Cliques::build(const GridSnapshot& grid, const PassableSet& set, Movement movement, const CliqueOptions& options) {
    TERRANE_ASSERT(set.cutting == cuts_corners(movement));
    auto root = share<CliqueRoot>(CliqueRoot{grid, set, movement, options, {}});
    if (grid.layout().cells() > 0) {
        add_level(*root);
        make_levels(*root, all_tiles(root->levels[0]));
    }
    return Cliques(std::move(root));
}

std::optional<Cliques> Cliques::updated(const EditResult& edit) const {
    if (edit.before.version() != grid().version() || edit.before.layout() != grid().layout()) return std::nullopt;
    auto root = share<CliqueRoot>(*root_);
    root->grid = edit.after;
    make_levels(*root, touched_tiles(*root, edit));
    return Cliques(std::move(root));
}

bool Cliques::valid_for(const Ground& ground) const {
    return &ground.grid().root() == &root_->grid.root() && ground.movement() == root_->movement &&
           PassableSet::of(ground.costs(), ground.movement()) == root_->set;
}

uint64_t Cliques::nodes(uint32_t level) const {
    if (level > 0) return root_->levels[level - 1].nodes;
    uint64_t cells = 0;
    for (uint32_t t = 0; t < kOutside; ++t) {
        if (root_->set.contains(static_cast<Terrain>(t))) cells += grid().count(static_cast<Terrain>(t));
    }
    return cells;
}

CliqueId Cliques::id_limit(uint32_t level) const {
    if (level == 0) return grid().layout().id_limit();
    return root_->levels[level - 1].tiles() << root_->levels[level - 1].shift;
}

CliqueId Cliques::ancestor(Cell cell, uint32_t level) const {
    CliqueId id = grid().layout().id(cell);
    for (uint32_t l = 0; l < level && id != kNoClique; ++l) id = parent(l, id);
    return id;
}

Cell Cliques::representative(uint32_t level, CliqueId id) const {
    if (level == 0) return grid().layout().cell(id);
    const CliqueNode& node = root_->levels[level - 1].node(id);
    return {node.x, node.y};
}

std::optional<uint32_t> Cliques::common_level(Cell a, Cell b) const {
    if (!root_->set.contains(grid().at(a)) || !root_->set.contains(grid().at(b))) return std::nullopt;
    CliqueId x = grid().layout().id(a), y = grid().layout().id(b);
    for (uint32_t level = 0; x != kNoClique && y != kNoClique; ++level) {
        if (x == y) return level;
        x = parent(level, x);
        y = parent(level, y);
    }
    return std::nullopt;
}

size_t Cliques::bytes() const {
    size_t sum = sizeof(CliqueRoot) + root_->levels.capacity() * sizeof(CliqueLevel);
    for (const CliqueLevel& level : root_->levels) {
        sum += level.records.bytes();
        for (uint32_t tile = 0; tile < level.tiles(); ++tile) sum += level.record(tile).bytes();
    }
    return sum;
}

bool operator==(const Cliques& a, const Cliques& b) {
    const CliqueRoot &x = a.root(), &y = b.root();
    if (x.grid.layout() != y.grid.layout() || x.set != y.set || x.movement != y.movement || x.options.rule != y.options.rule) return false;
    if (x.levels.size() != y.levels.size()) return false;
    for (size_t level = 0; level < x.levels.size(); ++level) {
        const CliqueLevel &p = x.levels[level], &q = y.levels[level];
        if (p.shift != q.shift || p.nodes != q.nodes || p.edges != q.edges || p.widths != q.widths) return false;
        for (uint32_t tile = 0; tile < p.tiles(); ++tile) {
            if (p.records[tile] != q.records[tile] && p.record(tile) != q.record(tile)) return false;
        }
    }
    return true;
}

}  // namespace terrane
