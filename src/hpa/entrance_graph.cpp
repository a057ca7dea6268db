#include "terrane/hpa/entrance_graph.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "hpa/entrance_graph_ways.h"
#include "terrane/base/assert.h"

namespace terrane {

using namespace detail;

namespace {

bool by_rows(const EntranceNode& a, const EntranceNode& b) { return a.y != b.y ? a.y < b.y : a.x < b.x; }

// Finds the nodes of sectors.
class Crossings {
public:
    explicit Crossings(const EntranceRoot& root) : root_(root) {}

    void find(uint32_t sector, Vector<EntranceNode>& out) {
        const Rect rect = root_.rect(sector);
        const int32_t right = rect.right - 1, bottom = rect.bottom - 1;
        found_.clear();
        find_on_line({rect.left, rect.top}, {1, 0}, right - rect.left + 1, 0);
        find_on_line({right, rect.top}, {0, 1}, bottom - rect.top + 1, 1);
        find_on_line({rect.left, bottom}, {1, 0}, right - rect.left + 1, 2);
        find_on_line({rect.left, rect.top}, {0, 1}, bottom - rect.top + 1, 3);
        if (cuts_corners(root_.ground.movement())) find_diagonals(rect);
        merge(out);
    }

private:
    bool open(Cell c) const { return root_.ground.passable(c); }
    static Cell moved(Cell c, Move move) { return {c.x + kMoves[move].x, c.y + kMoves[move].y}; }
    void add(Cell c, Move move) {
        found_.push_back({static_cast<uint16_t>(c.x), static_cast<uint16_t>(c.y), static_cast<uint8_t>(1u << move)});
    }

    // The entrances along a side of a sector: `length` cells from `first` on, out of which `move` leads.
    void find_on_line(Cell first, Cell along, int32_t length, Move move) {
        const auto at = [&](int32_t i) { return Cell{first.x + along.x * i, first.y + along.y * i}; };
        for (int32_t begin = 0, end = 0; begin < length; begin = end + 1) {
            for (end = begin; end < length && open(at(end)) && open(moved(at(end), move));) ++end;
            if (end == begin) continue;
            if (end - begin < kWideEntrance) {
                add(at((begin + end - 1) / 2), move);
            } else {
                add(at(begin), move);
                add(at(end - 1), move);
            }
        }
    }

    // Diagonal steps out of the sector between two blocked cells.
    void find_diagonals(const Rect& rect) {
        const auto look_at = [&](Cell c) {
            for (Move move = 4; open(c) && move < 8; ++move) {
                const Cell to = moved(c, move);
                if (!rect.contains(to) && open(to) && !open({to.x, c.y}) && !open({c.x, to.y})) add(c, move);
            }
        };
        for (int32_t y = rect.top; y < rect.bottom; ++y) {
            const bool edge = y == rect.top || y == rect.bottom - 1;
            for (int32_t x = rect.left; x < rect.right; x += edge ? 1 : std::max(1, rect.right - 1 - rect.left)) look_at({x, y});
        }
    }

    // A cell is one node, whatever crosses there.
    void merge(Vector<EntranceNode>& out) {
        std::sort(found_.begin(), found_.end(), by_rows);
        out.clear();
        out.reserve(found_.size());
        for (const EntranceNode& node : found_) {
            if (out.empty() || out.back().cell() != node.cell()) {
                out.push_back(node);
            } else {
                out.back().moves |= node.moves;
            }
        }
    }

    const EntranceRoot& root_;
    Vector<EntranceNode> found_;
};

// Fills in what it costs to go from each node of a sector to each other.
void measure(SectorWays& ways, const Rect& rect, EntranceRecord& record) {
    const size_t count = record.nodes.size();
    record.distance.assign(count * count, 0);
    for (size_t i = 0; i + 1 < count; ++i) {
        ways.begin(rect, record.nodes[i].cell());
        ways.run();
        for (size_t j = i + 1; j < count; ++j) {
            record.distance[i * count + j] = record.distance[j * count + i] = ways.to(record.nodes[j].cell());
        }
    }
}

void count(EntranceRoot& root, const EntranceRecord& record, bool add) {
    const auto change = [add](auto& total, auto by) { total = add ? total + by : total - by; };
    uint64_t edges = 0;
    for (const EntranceNode& node : record.nodes) edges += static_cast<uint64_t>(std::popcount(node.moves));
    for (const uint64_t d : record.distance) edges += d != kInfinite<uint64_t> ? 1 : 0;
    change(root.nodes, uint64_t{record.nodes.size()});
    change(root.edges, edges - record.nodes.size());  // none leads to itself
    const size_t last = record.nodes.empty() ? 0 : record.nodes.size() - 1;
    change(root.widths[static_cast<size_t>(std::bit_width(last))], 1u);
}

void set_shift(EntranceRoot& root) {
    root.shift = 0;
    for (uint32_t w = 0; w < root.widths.size(); ++w) {
        if (root.widths[w] > 0) root.shift = w;
    }
}

// Without records.
std::shared_ptr<EntranceRoot> make_entrance_root(const Ground& ground, uint32_t sector) {
    auto root = share<EntranceRoot>();
    root->ground = ground;
    root->sector = sector;
    root->sectors_x = (static_cast<uint32_t>(ground.grid().width()) + sector - 1) / sector;
    root->sectors_y = (static_cast<uint32_t>(ground.grid().height()) + sector - 1) / sector;
    root->records = PagedVector<std::shared_ptr<const EntranceRecord>>(root->sectors());
    return root;
}

// The sectors with a cell whose cost changed, ascending.
Vector<uint32_t> touched_sectors(const EntranceRoot& root, const EditResult& edit) {
    Vector<uint32_t> out;
    for_each_changed_cell(edit, [&](CellId id, Terrain before, Terrain after) {
        if (root.ground.costs().cost[before] == root.ground.costs().cost[after]) return;
        const uint32_t sector = root.sector_at(root.ground.layout().cell(id));
        if (out.empty() || out.back() != sector) out.push_back(sector);
    });
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

Vector<uint32_t> with_neighbours(const EntranceRoot& root, const Vector<uint32_t>& sectors) {
    Vector<uint32_t> out;
    out.reserve(sectors.size() * 9);
    for (const uint32_t sector : sectors) {
        for (uint32_t side = 0; side < 9; ++side) {
            const uint32_t x = sector % root.sectors_x + side % 3 - 1, y = sector / root.sectors_x + side / 3 - 1;  // may wrap round
            if (x < root.sectors_x && y < root.sectors_y) out.push_back(y * root.sectors_x + x);
        }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

bool same_walls(const CostTable& a, const CostTable& b) {
    return std::equal(a.cost.begin(), a.cost.end(), b.cost.begin(), [](uint32_t x, uint32_t y) { return (x == 0) == (y == 0); });
}

}  // namespace

uint32_t EntranceRecord::number_of(Cell c) const {
    const EntranceNode wanted{static_cast<uint16_t>(c.x), static_cast<uint16_t>(c.y), 0};
    return static_cast<uint32_t>(std::lower_bound(nodes.begin(), nodes.end(), wanted, by_rows) - nodes.begin());
}

EntranceGraph::EntranceGraph() : root_(make_entrance_root({}, EntranceOptions{}.sector)) {}

EntranceGraph EntranceGraph::build(const Ground& ground, const EntranceOptions& options) {
    TERRANE_ASSERT(ground.movement() != Movement::kCustom);
    TERRANE_ASSERT(options.sector >= kMinSector && options.sector <= kMaxSector);
    auto root = make_entrance_root(ground, options.sector);
    Crossings crossings(*root);
    SectorWays ways;
    ways.prepare(ground);
    for (uint32_t s = 0; s < root->sectors(); ++s) {
        auto record = share<EntranceRecord>();
        crossings.find(s, record->nodes);
        measure(ways, root->rect(s), *record);
        count(*root, *record, true);
        root->records.set(s, std::move(record));
    }
    set_shift(*root);
    return EntranceGraph(std::move(root));
}

std::optional<EntranceGraph> EntranceGraph::updated(const EditResult& edit) const {
    if (edit.before.version() != ground().grid().version() || edit.before.layout() != ground().layout()) return std::nullopt;
    auto root = share<EntranceRoot>(*root_);
    root->ground = root_->ground.on(edit.after);
    const Vector<uint32_t> touched = touched_sectors(*root, edit);
    Crossings crossings(*root);
    SectorWays ways;
    ways.prepare(root->ground);
    for (const uint32_t s : with_neighbours(*root, touched)) {
        const std::shared_ptr<const EntranceRecord> before = root->records[s];
        auto record = share<EntranceRecord>();
        crossings.find(s, record->nodes);
        if (record->nodes == before->nodes && !std::binary_search(touched.begin(), touched.end(), s)) continue;
        measure(ways, root->rect(s), *record);
        count(*root, *before, false);
        count(*root, *record, true);
        root->records.set(s, std::move(record));
    }
    set_shift(*root);
    return EntranceGraph(std::move(root));
}

EntranceGraph EntranceGraph::recosted(const CostTable& costs) const {
    if (!same_walls(root_->ground.costs(), costs)) return build({ground().grid(), costs, ground().movement()}, {sector()});
    auto root = share<EntranceRoot>(*root_);
    root->ground = Ground(root_->ground.grid(), costs, root_->ground.rule());
    SectorWays ways;
    ways.prepare(root->ground);
    for (uint32_t s = 0; s < root->sectors(); ++s) {
        auto record = share<EntranceRecord>();
        record->nodes = root_->record(s).nodes;
        measure(ways, root->rect(s), *record);
        root->records.set(s, std::move(record));
    }
    return EntranceGraph(std::move(root));
}

bool EntranceGraph::valid_for(const Ground& ground) const {
    return &ground.grid().root() == &root_->ground.grid().root() && ground.movement() == root_->ground.movement() &&
           ground.costs().cost == root_->ground.costs().cost;
}

size_t EntranceGraph::bytes() const {
    size_t sum = sizeof(EntranceRoot) + root_->records.bytes();
    for (uint32_t s = 0; s < root_->sectors(); ++s) sum += root_->record(s).bytes();
    return sum;
}

bool operator==(const EntranceGraph& a, const EntranceGraph& b) {
    const EntranceRoot &x = a.root(), &y = b.root();
    if (x.ground.layout() != y.ground.layout() || x.sector != y.sector || x.ground.movement() != y.ground.movement() ||
        x.ground.costs().cost != y.ground.costs().cost)
        return false;
    if (x.shift != y.shift || x.nodes != y.nodes || x.edges != y.edges || x.widths != y.widths) return false;
    for (uint32_t s = 0; s < x.sectors(); ++s) {
        if (x.records[s] != y.records[s] && x.record(s) != y.record(s)) return false;
    }
    return true;
}

}  // namespace terrane
