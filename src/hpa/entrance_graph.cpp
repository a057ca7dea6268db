#include "terrane/hpa/entrance_graph.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "hpa/sector_paths.h"
#include "terrane/base/assert.h"

namespace terrane {

using namespace detail;

namespace {

bool row_major_less(const EntranceNode& a, const EntranceNode& b) { return a.y != b.y ? a.y < b.y : a.x < b.x; }

// Finds the nodes of a sector: the cells of its transitions.
class TransitionFinder {
public:
    explicit TransitionFinder(const EntranceData& data) : data_(data) {}

    void find(uint32_t sector, Vector<EntranceNode>& out) {
        const Rect rect = data_.rect(sector);
        const int32_t right = rect.right() - 1, bottom = rect.bottom() - 1;
        found_.clear();
        find_on_border(rect.corner(), {1, 0}, right - rect.x + 1, 0);
        find_on_border({right, rect.y}, {0, 1}, bottom - rect.y + 1, 1);
        find_on_border({rect.x, bottom}, {1, 0}, right - rect.x + 1, 2);
        find_on_border(rect.corner(), {0, 1}, bottom - rect.y + 1, 3);
        if (cuts_corners(data_.ground.movement())) find_diagonals(rect);
        merge(out);
    }

private:
    bool open(Cell c) const { return data_.ground.passable(c); }
    static Cell stepped(Cell c, Move move) { return {c.x + kMoves[move].x, c.y + kMoves[move].y}; }
    void add(Cell c, Move move) {
        found_.push_back({static_cast<uint16_t>(c.x), static_cast<uint16_t>(c.y), static_cast<uint8_t>(1u << move)});
    }

    // Adds the transitions of the entrances along one side of a sector: `length` cells from `first`, which `move` leaves.
    void find_on_border(Cell first, Cell along, int32_t length, Move move) {
        const auto at = [&](int32_t i) { return Cell{first.x + along.x * i, first.y + along.y * i}; };
        for (int32_t begin = 0, end = 0; begin < length; begin = end + 1) {
            for (end = begin; end < length && open(at(end)) && open(stepped(at(end), move));) ++end;
            if (end == begin) continue;
            if (end - begin < kWideEntrance) {
                add(at((begin + end - 1) / 2), move);
            } else {
                add(at(begin), move);
                add(at(end - 1), move);
            }
        }
    }

    // Adds diagonal steps out of the sector that pass between two blocked cells.
    void find_diagonals(const Rect& rect) {
        const auto add_diagonals = [&](Cell c) {
            for (Move move = 4; open(c) && move < 8; ++move) {
                const Cell to = stepped(c, move);
                if (!rect.contains(to) && open(to) && !open({to.x, c.y}) && !open({c.x, to.y})) add(c, move);
            }
        };
        for (int32_t y = rect.y; y < rect.bottom(); ++y) {
            const bool edge = y == rect.y || y == rect.bottom() - 1;
            for (int32_t x = rect.x; x < rect.right(); x += edge ? 1 : std::max(1, rect.right() - 1 - rect.x)) add_diagonals({x, y});
        }
    }

    // Merges the transitions of a cell into one node.
    void merge(Vector<EntranceNode>& out) {
        std::sort(found_.begin(), found_.end(), row_major_less);
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

    const EntranceData& data_;
    Vector<EntranceNode> found_;
};

// Computes the distances between all nodes of a sector.
void measure(SectorPaths& sector_paths, const Rect& rect, EntranceRecord& record) {
    const size_t count = record.nodes.size();
    record.distance.assign(count * count, 0);
    for (size_t i = 0; i + 1 < count; ++i) {
        sector_paths.begin(rect, record.nodes[i].cell());
        sector_paths.run();
        for (size_t j = i + 1; j < count; ++j) {
            record.distance[i * count + j] = record.distance[j * count + i] = sector_paths.distance_to(record.nodes[j].cell());
        }
    }
}

void count(EntranceData& data, const EntranceRecord& record, bool add) {
    const auto change = [add](auto& total, auto by) { total = add ? total + by : total - by; };
    uint64_t edges = 0;
    for (const EntranceNode& node : record.nodes) edges += static_cast<uint64_t>(std::popcount(node.moves));
    for (const uint64_t d : record.distance) edges += d != kInfinite<uint64_t> ? 1 : 0;
    change(data.nodes, uint64_t{record.nodes.size()});
    change(data.edges, edges - record.nodes.size());  // a node has no edge to itself
    const size_t last = record.nodes.empty() ? 0 : record.nodes.size() - 1;
    change(data.widths[static_cast<size_t>(std::bit_width(last))], 1u);
}

void set_shift(EntranceData& data) {
    data.shift = 0;
    for (uint32_t w = 0; w < data.widths.size(); ++w) {
        if (data.widths[w] > 0) data.shift = w;
    }
}

// Makes the data without records.
std::shared_ptr<EntranceData> make_entrance_data(const Ground& ground, uint32_t sector) {
    auto data = make_scoped_shared<EntranceData>();
    data->ground = ground;
    data->sector = sector;
    data->sectors_x = (static_cast<uint32_t>(ground.grid().width()) + sector - 1) / sector;
    data->sectors_y = (static_cast<uint32_t>(ground.grid().height()) + sector - 1) / sector;
    data->records = PagedVector<std::shared_ptr<const EntranceRecord>>(data->sectors());
    return data;
}

// Returns the sectors with a cell whose cost changed, ascending.
Vector<uint32_t> touched_sectors(const EntranceData& data, const EditResult& edit) {
    Vector<uint32_t> out;
    for_each_changed_cell(edit, [&](CellId id, Terrain before, Terrain after) {
        if (data.ground.costs().cost[before] == data.ground.costs().cost[after]) return;
        const uint32_t sector = data.sector_at(data.ground.layout().cell(id));
        if (out.empty() || out.back() != sector) out.push_back(sector);
    });
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

Vector<uint32_t> with_neighbours(const EntranceData& data, const Vector<uint32_t>& sectors) {
    Vector<uint32_t> out;
    out.reserve(sectors.size() * 9);
    for (const uint32_t sector : sectors) {
        for (uint32_t side = 0; side < 9; ++side) {
            const uint32_t x = sector % data.sectors_x + side % 3 - 1, y = sector / data.sectors_x + side / 3 - 1;  // may wrap round
            if (x < data.sectors_x && y < data.sectors_y) out.push_back(y * data.sectors_x + x);
        }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

bool same_blocked_set(const CostTable& a, const CostTable& b) {
    return std::equal(a.cost.begin(), a.cost.end(), b.cost.begin(), [](uint32_t x, uint32_t y) { return (x == 0) == (y == 0); });
}

}  // namespace

uint32_t EntranceRecord::index_of(Cell c) const {
    const EntranceNode wanted{static_cast<uint16_t>(c.x), static_cast<uint16_t>(c.y), 0};
    return static_cast<uint32_t>(std::lower_bound(nodes.begin(), nodes.end(), wanted, row_major_less) - nodes.begin());
}

EntranceGraph::EntranceGraph() : data_(make_entrance_data({}, EntranceOptions{}.sector)) {}

EntranceGraph EntranceGraph::build(const Ground& ground, const EntranceOptions& options) {
    TERRANE_ASSERT(ground.movement() != Movement::kCustom);
    TERRANE_ASSERT(options.sector >= kMinSector && options.sector <= kMaxSector);
    auto data = make_entrance_data(ground, options.sector);
    TransitionFinder transitions(*data);
    SectorPaths sector_paths;
    sector_paths.prepare(ground);
    for (uint32_t s = 0; s < data->sectors(); ++s) {
        auto record = make_scoped_shared<EntranceRecord>();
        transitions.find(s, record->nodes);
        measure(sector_paths, data->rect(s), *record);
        count(*data, *record, true);
        data->records.set(s, std::move(record));
    }
    set_shift(*data);
    return EntranceGraph(std::move(data));
}

std::optional<EntranceGraph> EntranceGraph::updated(const EditResult& edit) const {
    if (edit.before.version() != ground().grid().version() || edit.before.layout() != ground().layout()) return std::nullopt;
    auto data = make_scoped_shared<EntranceData>(*data_);
    data->ground = data_->ground.on(edit.after);
    const Vector<uint32_t> touched = touched_sectors(*data, edit);
    TransitionFinder transitions(*data);
    SectorPaths sector_paths;
    sector_paths.prepare(data->ground);
    for (const uint32_t s : with_neighbours(*data, touched)) {
        const std::shared_ptr<const EntranceRecord> before = data->records[s];
        auto record = make_scoped_shared<EntranceRecord>();
        transitions.find(s, record->nodes);
        if (record->nodes == before->nodes && !std::binary_search(touched.begin(), touched.end(), s)) continue;
        measure(sector_paths, data->rect(s), *record);
        count(*data, *before, false);
        count(*data, *record, true);
        data->records.set(s, std::move(record));
    }
    set_shift(*data);
    return EntranceGraph(std::move(data));
}

EntranceGraph EntranceGraph::recosted(const CostTable& costs) const {
    if (!same_blocked_set(data_->ground.costs(), costs)) return build({ground().grid(), costs, ground().movement()}, {sector()});
    auto data = make_scoped_shared<EntranceData>(*data_);
    data->ground = Ground(data_->ground.grid(), costs, data_->ground.rule());
    SectorPaths sector_paths;
    sector_paths.prepare(data->ground);
    for (uint32_t s = 0; s < data->sectors(); ++s) {
        auto record = make_scoped_shared<EntranceRecord>();
        record->nodes = data_->record(s).nodes;
        measure(sector_paths, data->rect(s), *record);
        data->records.set(s, std::move(record));
    }
    return EntranceGraph(std::move(data));
}

bool EntranceGraph::valid_for(const Ground& ground) const {
    return &ground.grid().data() == &data_->ground.grid().data() && ground.movement() == data_->ground.movement() &&
           ground.costs().cost == data_->ground.costs().cost;
}

size_t EntranceGraph::bytes() const {
    size_t sum = sizeof(EntranceData) + data_->records.bytes();
    for (uint32_t s = 0; s < data_->sectors(); ++s) sum += data_->record(s).bytes();
    return sum;
}

bool operator==(const EntranceGraph& a, const EntranceGraph& b) {
    const EntranceData &x = a.data(), &y = b.data();
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
