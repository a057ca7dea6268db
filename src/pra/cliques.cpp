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

constexpr uint32_t kMaxTileShift = 15;  // log2 of kMaxSide: one tile covers the map

// The passable cells of a tile of the first level and of a ring of one cell around it, and the legal steps between them.
class PaddedTile {
public:
    void read(const CliqueData& data, Cell corner) {
        movement_ = data.movement;
        for (int32_t y = 0; y < kSide; ++y) {
            for (int32_t x = 0; x < kSide; ++x) {
                const Terrain terrain = data.grid.at(Cell{corner.x + x - 1, corner.y + y - 1});
                open_[index(x, y)] = terrain != kOutside && data.set.contains(terrain);
            }
        }
    }

    // Coordinates are relative to the tile's corner, from -1 to kCliqueTile.
    bool open(int32_t x, int32_t y) const { return open_[index(x + 1, y + 1)]; }

    // Whether the step from a passable cell to the one on a side (RegionEdge) is legal.
    bool step(int32_t x, int32_t y, uint32_t side) const {
        const int32_t dx = static_cast<int32_t>(side % 3) - 1, dy = static_cast<int32_t>(side / 3) - 1;
        if (!open(x + dx, y + dy)) return false;
        return dx == 0 || dy == 0 || diagonal_is_legal(movement_, open(x + dx, y), open(x, y + dy));
    }

private:
    static constexpr int32_t kSide = kCliqueTile + 2;
    static uint32_t index(int32_t x, int32_t y) { return static_cast<uint32_t>(y * kSide + x); }
    Movement movement_ = Movement::kEightNoCornerCutting;
    std::array<bool, kSide * kSide> open_{};
};

// Calls visit(side, neighbour) for a tile and the tiles around it.
template <class Visit>
void for_each_side(const CliqueLevel& level, uint32_t tile, Visit&& visit) {
    const uint32_t x = tile % level.tiles_x, y = tile / level.tiles_x;
    for (uint32_t side = 0; side < 9; ++side) {
        const uint32_t nx = x + side % 3 - 1, ny = y + side / 3 - 1;  // wraps to a large number outside the map
        if (nx < level.tiles_x && ny < level.tiles_y) visit(side, ny * level.tiles_x + nx);
    }
}

// Builds the tiles of one level from the level below.
class LevelBuilder {
public:
    LevelBuilder(CliqueData& data, uint32_t level) : data_(data), level_(level), here_(data.levels[level - 1]) {}

    // Rebuilds these tiles, and the edges of the tiles around them. Returns the tiles whose nodes or edges changed. Both lists are
    // ascending. Call it once.
    Vector<uint32_t> make(const Vector<uint32_t>& tiles);

private:
    using Record = std::shared_ptr<const CliqueRecord>;
    const CliqueLevel& below() const { return data_.levels[level_ - 2]; }
    Rect cells_of(uint32_t tile) const;
    Vector<uint32_t> regroup(const Vector<uint32_t>& tiles);
    void set_shift();
    // Calls visit(tile of the level below, its quarter) in row-major order.
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

    CliqueData& data_;
    const uint32_t level_;
    CliqueLevel& here_;
    PaddedTile padded_tile_;
    CliqueGroups groups_;
    EdgeCollector edges_;
    Vector<Record> old_;  // previous records of the tiles to rebuild
    Vector<std::shared_ptr<CliqueRecord>> fresh_;
    Vector<uint32_t> local_;  // index in groups_ of a cell or of a node of the level below
};

Rect LevelBuilder::cells_of(uint32_t tile) const {
    const int32_t side = 1 << here_.tile_shift;
    const auto left = static_cast<int32_t>(tile % here_.tiles_x) * side, top = static_cast<int32_t>(tile / here_.tiles_x) * side;
    return intersection({{left, top}, {side, side}}, data_.grid.layout().rect());
}

template <class Visit>
void LevelBuilder::for_each_quarter(uint32_t tile, Visit&& visit) const {
    const uint32_t grow = here_.tile_shift - below().tile_shift;
    for (uint32_t quarter = 0; quarter < 4; ++quarter) {
        if ((quarter >> 1 & ~grow) != 0 || (quarter & 1 & ~grow) != 0) continue;  // at kMaxTileShift a tile consists of one tile below
        const uint32_t x = (tile % here_.tiles_x << grow) + (quarter & 1), y = (tile / here_.tiles_x << grow) + (quarter >> 1);
        if (x < below().tiles_x && y < below().tiles_y) visit(y * below().tiles_x + x, quarter);
    }
}

void LevelBuilder::merge() {
    if (data_.options.rule == CliqueRule::kCliques) {
        groups_.merge_cliques();
    } else {
        groups_.merge_sectors(std::min(level_, kMaxTileShift));
    }
}

void LevelBuilder::group_cells(uint32_t tile, CliqueRecord& record) {
    const Rect rect = cells_of(tile);
    const int32_t width = rect.width, height = rect.height;
    padded_tile_.read(data_, rect.corner());
    local_.assign(kCliqueTile * kCliqueTile, kNoClique);
    const auto index = [](int32_t x, int32_t y) { return static_cast<uint32_t>(y) * kCliqueTile + static_cast<uint32_t>(x); };
    const auto for_each_open = [&](auto&& visit) {
        for (int32_t y = 0; y < height; ++y) {
            for (int32_t x = 0; x < width; ++x) {
                if (padded_tile_.open(x, y)) visit(x, y);
            }
        }
    };
    for_each_open([&](int32_t x, int32_t y) {
        local_[index(x, y)] = groups_.size();
        groups_.add_node({rect.x + x, rect.y + y});
    });
    for_each_open([&](int32_t x, int32_t y) {
        for (uint32_t side = 0; side < 9; ++side) {
            const int32_t nx = x + static_cast<int32_t>(side % 3) - 1, ny = y + static_cast<int32_t>(side / 3) - 1;
            if (side == RegionEdge::kHere || nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
            if (padded_tile_.step(x, y, side)) groups_.add_edge(local_[index(nx, ny)]);
        }
        groups_.end_node();
    });
    merge();
    record.cells.assign(kCliqueTile * kCliqueTile, kNoCliqueLabel);
    for_each_open([&](int32_t x, int32_t y) { record.cells[index(x, y)] = static_cast<uint8_t>(groups_.group(local_[index(x, y)])); });
}

// Adds the edges of a node of the level below to nodes in the same tile. record.first must be filled.
void LevelBuilder::add_node_edges(uint32_t tile, uint32_t from, uint32_t number, const CliqueRecord& record) {
    const uint32_t grow = here_.tile_shift - below().tile_shift;
    for (const RegionEdge e : below().record(from).edges_of(number)) {
        const uint32_t to = below().neighbour(from, e.side()), x = to % below().tiles_x, y = to / below().tiles_x;
        if ((y >> grow) * here_.tiles_x + (x >> grow) != tile) continue;
        groups_.add_edge(local_[record.first[(y & grow) << 1 | (x & grow)] + e.number()]);
    }
    groups_.end_node();
}

void LevelBuilder::group_nodes(uint32_t tile, CliqueRecord& record) {
    const auto for_each_connected = [&](auto&& visit) {
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
    for_each_connected([&](uint32_t from, uint32_t n, uint32_t index) {
        const CliqueNode& node = below().record(from).nodes[n];
        local_[index] = groups_.size();
        groups_.add_node({node.x, node.y});
    });
    for_each_connected([&](uint32_t from, uint32_t n, uint32_t) { add_node_edges(tile, from, n, record); });
    merge();
    record.below.assign(record.first[4], kNoClique);
    for_each_connected([&](uint32_t, uint32_t, uint32_t index) { record.below[index] = groups_.group(local_[index]); });
}

void LevelBuilder::group(uint32_t tile, CliqueRecord& record) {
    groups_.clear();
    if (level_ == 1) {
        group_cells(tile, record);
    } else {
        group_nodes(tile, record);
    }
    groups_.representatives(record.nodes);
}

uint32_t LevelBuilder::side_of(uint32_t tile, uint32_t other) const {
    if (other == tile) return RegionEdge::kHere;
    const uint32_t dx = other % here_.tiles_x - tile % here_.tiles_x + 1, dy = other / here_.tiles_x - tile / here_.tiles_x + 1;
    return dy * 3 + dx;
}

void LevelBuilder::collect_cell_edges(uint32_t tile) {
    const Rect rect = cells_of(tile);
    const CliqueRecord& record = here_.record(tile);
    padded_tile_.read(data_, rect.corner());
    const auto node_at = [&](int32_t x, int32_t y) {  // relative to the tile's corner; most cells are in the tile
        const uint32_t column = static_cast<uint32_t>(x), row = static_cast<uint32_t>(y);
        if (column < kCliqueTile && row < kCliqueTile) return CliqueLevel::NodeInTile{tile, record.cells[row * kCliqueTile + column]};
        return here_.merged(Cell{rect.x + x, rect.y + y});
    };
    for (int32_t y = 0; y < rect.height; ++y) {
        for (int32_t x = 0; x < rect.width; ++x) {
            if (!padded_tile_.open(x, y)) continue;
            const uint32_t from = node_at(x, y).number;
            for (uint32_t side = 0; side < 9; ++side) {
                if (side == RegionEdge::kHere || !padded_tile_.step(x, y, side)) continue;
                const auto [to_tile, to] = node_at(x + static_cast<int32_t>(side % 3) - 1, y + static_cast<int32_t>(side / 3) - 1);
                if (to_tile != tile || to != from) edges_.add(from, side_of(tile, to_tile), to, false);
            }
        }
    }
}

void LevelBuilder::collect_node_edges(uint32_t tile) {
    for_each_quarter(tile, [&](uint32_t from_tile, uint32_t) {
        std::array<CliqueLevel::Quarter, 9> up{};  // parents of the tiles around from_tile
        std::array<uint32_t, 9> sides{};           // sides of these parents, seen from `tile`
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

// Returns the keys of EdgeCollector: the node's number in the upper half, the edge's bits in the lower.
std::span<const uint64_t> LevelBuilder::edges_of(uint32_t tile) {
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

void LevelBuilder::count(const CliqueRecord& record, bool add) {
    const auto change = [add](auto& total, auto by) { total = add ? total + by : total - by; };
    change(here_.nodes, uint64_t{record.nodes.size()});
    change(here_.edges, uint64_t{record.edges.size()});
    const size_t last = record.nodes.empty() ? 0 : record.nodes.size() - 1;
    change(here_.widths[static_cast<size_t>(std::bit_width(last))], 1u);
}

// Merges the nodes of these tiles again. Returns the tiles whose edges may have changed: edges depend on the edges of the level below, and
// on the nodes that their ends were merged into.
Vector<uint32_t> LevelBuilder::regroup(const Vector<uint32_t>& tiles) {
    Vector<uint32_t> tiles_to_update = tiles;
    for (const uint32_t tile : tiles) {
        const Record before = here_.records[tile];
        const auto after = make_scoped_shared<CliqueRecord>();
        group(tile, *after);
        if (before == nullptr || before->cells != after->cells || before->first != after->first || before->below != after->below) {
            for_each_side(here_, tile, [&](uint32_t, uint32_t neighbour) { tiles_to_update.push_back(neighbour); });
        }
        old_.push_back(before);
        fresh_.push_back(after);
    }
    for (size_t i = 0; i < tiles.size(); ++i) here_.records.set(tiles[i], fresh_[i]);
    std::sort(tiles_to_update.begin(), tiles_to_update.end());
    tiles_to_update.erase(std::unique(tiles_to_update.begin(), tiles_to_update.end()), tiles_to_update.end());
    return tiles_to_update;
}

Vector<uint32_t> LevelBuilder::make(const Vector<uint32_t>& tiles) {
    Vector<uint32_t> changed;
    size_t next = 0;  // index into `tiles`
    for (const uint32_t tile : regroup(tiles)) {
        const bool grouped = next < tiles.size() && tiles[next] == tile;
        const Record before = grouped ? old_[next] : here_.records[tile];
        const std::span<const uint64_t> keys = edges_of(tile);
        if (!grouped && has_edges(*before, keys)) continue;
        const std::shared_ptr<CliqueRecord> after = grouped ? fresh_[next++] : make_scoped_shared<CliqueRecord>(*before);
        set_edges(*after, keys);
        if (grouped && before != nullptr && same_graph(*before, *after)) continue;  // keep the new record: its cells or `below` may differ
        if (!grouped) here_.records.set(tile, after);
        if (before != nullptr) count(*before, false);
        count(*after, true);
        changed.push_back(tile);
    }
    set_shift();
    return changed;
}

void LevelBuilder::set_shift() {
    here_.shift = 0;
    for (uint32_t w = 0; w < here_.widths.size(); ++w) {
        if (here_.widths[w] > 0) here_.shift = w;
    }
}

// Appends a level without records.
void add_level(CliqueData& data) {
    CliqueLevel level;
    level.tile_shift = std::min(kCliqueTileShift + static_cast<uint32_t>(data.levels.size()), kMaxTileShift);
    level.tiles_x = (static_cast<uint32_t>(data.grid.width() - 1) >> level.tile_shift) + 1;
    level.tiles_y = (static_cast<uint32_t>(data.grid.height() - 1) >> level.tile_shift) + 1;
    level.records = PagedVector<std::shared_ptr<const CliqueRecord>>(level.tiles());
    data.levels.push_back(std::move(level));
}

Vector<uint32_t> all_tiles(const CliqueLevel& level) {
    Vector<uint32_t> tiles(level.tiles());
    std::iota(tiles.begin(), tiles.end(), 0u);
    return tiles;
}

// Returns the tiles of the level above that contain the given tiles.
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

// Rebuilds these tiles of the first level, and all tiles of higher levels that depend on them.
void make_levels(CliqueData& data, Vector<uint32_t> tiles) {
    for (uint32_t level = 1; !tiles.empty(); ++level) {
        const Vector<uint32_t> changed = LevelBuilder(data, level).make(tiles);
        if (data.levels[level - 1].edges == 0) return data.levels.resize(level);
        if (level < data.levels.size()) {
            tiles = tiles_above(data.levels[level - 1], data.levels[level], changed);
        } else {
            add_level(data);
            tiles = all_tiles(data.levels.back());
        }
    }
}

// Returns the tiles of the first level with a cell that changed between passable and blocked, ascending.
Vector<uint32_t> touched_tiles(const CliqueData& data, const EditResult& edit) {
    Vector<uint32_t> out;
    for_each_changed_cell(edit, [&](CellId id, Terrain before, Terrain after) {
        if (data.set.contains(before) == data.set.contains(after)) return;
        const uint32_t touched = data.levels[0].tile_at(data.grid.layout().cell(id));
        if (out.empty() || out.back() != touched) out.push_back(touched);
    });
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace

Cliques::Cliques() : data_(make_scoped_shared<CliqueData>()) {}

Cliques Cliques::build(const GridSnapshot& grid, const PassableSet& set, Movement movement, const CliqueOptions& options) {
    TERRANE_ASSERT(set.cutting == cuts_corners(movement));
    auto data = make_scoped_shared<CliqueData>(CliqueData{grid, set, movement, options, {}});
    if (grid.layout().cells() > 0) {
        add_level(*data);
        make_levels(*data, all_tiles(data->levels[0]));
    }
    return Cliques(std::move(data));
}

std::optional<Cliques> Cliques::updated(const EditResult& edit) const {
    if (edit.before.version() != grid().version() || edit.before.layout() != grid().layout()) return std::nullopt;
    auto data = make_scoped_shared<CliqueData>(*data_);
    data->grid = edit.after;
    make_levels(*data, touched_tiles(*data, edit));
    return Cliques(std::move(data));
}

bool Cliques::valid_for(const Ground& ground) const {
    return &ground.grid().data() == &data_->grid.data() && ground.movement() == data_->movement &&
           PassableSet::of(ground.costs(), ground.movement()) == data_->set;
}

uint64_t Cliques::nodes(uint32_t level) const {
    if (level > 0) return data_->levels[level - 1].nodes;
    uint64_t cells = 0;
    for (uint32_t t = 0; t < kOutside; ++t) {
        if (data_->set.contains(static_cast<Terrain>(t))) cells += grid().count(static_cast<Terrain>(t));
    }
    return cells;
}

CliqueId Cliques::id_limit(uint32_t level) const {
    if (level == 0) return grid().layout().id_limit();
    return data_->levels[level - 1].tiles() << data_->levels[level - 1].shift;
}

CliqueId Cliques::ancestor(Cell cell, uint32_t level) const {
    CliqueId id = grid().layout().id(cell);
    for (uint32_t l = 0; l < level && id != kNoClique; ++l) id = parent(l, id);
    return id;
}

Cell Cliques::representative(uint32_t level, CliqueId id) const {
    if (level == 0) return grid().layout().cell(id);
    const CliqueNode& node = data_->levels[level - 1].node(id);
    return {node.x, node.y};
}

std::optional<uint32_t> Cliques::common_level(Cell a, Cell b) const {
    if (!data_->set.contains(grid().at(a)) || !data_->set.contains(grid().at(b))) return std::nullopt;
    CliqueId x = grid().layout().id(a), y = grid().layout().id(b);
    for (uint32_t level = 0; x != kNoClique && y != kNoClique; ++level) {
        if (x == y) return level;
        x = parent(level, x);
        y = parent(level, y);
    }
    return std::nullopt;
}

size_t Cliques::bytes() const {
    size_t sum = sizeof(CliqueData) + data_->levels.capacity() * sizeof(CliqueLevel);
    for (const CliqueLevel& level : data_->levels) {
        sum += level.records.bytes();
        for (uint32_t tile = 0; tile < level.tiles(); ++tile) sum += level.record(tile).bytes();
    }
    return sum;
}

bool operator==(const Cliques& a, const Cliques& b) {
    const CliqueData &x = a.data(), &y = b.data();
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
