#include <algorithm>
#include <bit>

#include "hpa/sector_paths.h"
#include "terrane/base/assert.h"
#include "terrane/grid/octile.h"
#include "terrane/hpa/entrance_graph.h"

namespace terrane {

using namespace detail;

namespace {

// Start or goal of a search.
struct End {
    Cell cell;
    uint32_t sector = 0;
    EntranceId id = kNoEntrance;  // above the ids of all nodes
    Vector<uint64_t> distances;   // to the nodes of its sector
};

// The entrance graph with start and goal as additional nodes. Intra-sector edges are shortest paths within the sector, so that an optimal
// path never needs two of them in a row; expansions skip the second one.
struct EntranceSearchGraph {
    using Node = EntranceId;
    using Value = uint64_t;
    using Via = EntranceId;  // parent node

    const EntranceData* data;
    const End* start;
    const End* goal;
    const uint64_t* direct;  // distance from start to goal within one sector; kInfinite if there is no such path

    template <class Label, class Emit>
    void expand(EntranceId id, const Label& label, Emit&& emit) const {
        const auto emit_edge = [&](EntranceId to, uint64_t distance) TERRANE_INLINE {
            if (distance != kInfinite<uint64_t> && to != id) emit(to, label.g + distance, id);
        };
        if (id == start->id) {
            for (uint32_t i = 0; i < start->distances.size(); ++i) emit_edge(data->id(start->sector, i), start->distances[i]);
            return emit_edge(goal->id, *direct);
        }
        const uint32_t sector = id >> data->shift, index = id & ((1u << data->shift) - 1);
        const EntranceRecord& record = data->record(sector);
        if (label.via != start->id && label.via >> data->shift != sector) {
            const uint64_t* distances = record.distance.data() + record.nodes.size() * index;
            for (uint32_t i = 0; i < record.nodes.size(); ++i) emit_edge(data->id(sector, i), distances[i]);
            if (sector == goal->sector) emit_edge(goal->id, goal->distances[index]);
        }
        emit_inter_edges(record.nodes[index], label.via, [&](EntranceId to, uint64_t distance) TERRANE_INLINE { emit_edge(to, distance); });
    }

    EntranceId origin(EntranceId, EntranceId via) const { return via; }

    Cell cell(EntranceId id) const { return id == start->id ? start->cell : id == goal->id ? goal->cell : data->node(id).cell(); }
    // For OctileHeuristic.
    int32_t x(EntranceId id) const { return cell(id).x; }
    int32_t y(EntranceId id) const { return cell(id).y; }

private:
    template <class EmitEdge>
    void emit_inter_edges(const EntranceNode& node, EntranceId via, EmitEdge&& emit_edge) const {
        const uint32_t cost = data->ground.costs().cost[data->ground.grid().at(node.cell())];
        for (uint32_t moves = node.moves; moves != 0; moves &= moves - 1) {
            const auto move = static_cast<size_t>(std::countr_zero(moves));
            const Cell to{node.x + kMoves[move].x, node.y + kMoves[move].y};
            const uint32_t sector = data->sector_at(to);
            const EntranceId id = data->id(sector, data->record(sector).index_of(to));
            if (id == via) continue;
            emit_edge(id, uint64_t{move < 4 ? kStraight : kDiagonal} * (cost + data->ground.costs().cost[data->ground.grid().at(to)]));
        }
    }
};

using EntranceLabels = PagedLabels<EntranceId, uint64_t, EntranceId>;
using EntranceQueue = BucketQueue<EntranceId, uint64_t>;
using EntranceEngine =
    BestFirst<EntranceSearchGraph, OctileHeuristic<EntranceSearchGraph, uint64_t>, OneGoal<EntranceId>, EntranceLabels, EntranceQueue>;

// Bucket width, in steps on the cheapest terrain; the same as in region searches.
constexpr uint64_t kEntranceBucketCells = 4;

}  // namespace

struct EntranceSearch::Impl : detail::ScopeAllocated {
    enum class Phase : uint8_t { kFromStart, kToGoal, kNodes };

    const EntranceGraph* graph = nullptr;
    Phase phase = Phase::kFromStart;
    Status status = Status::kUnreachable;
    End start, goal;
    uint64_t direct = kInfinite<uint64_t>;
    uint32_t min_cost = 0;
    uint64_t earlier_expansions = 0;  // of the finished phases
    SectorPaths sector_paths;
    EntranceLabels labels;
    EntranceQueue queue;
    std::optional<EntranceEngine> engine;

    void set(End& end, Cell cell, EntranceId id) const;
    void begin_sector_search(const End& end) { sector_paths.begin(graph->data().rect(end.sector), end.cell); }
    void take_distances(End& end);
    void begin_nodes();
    uint64_t running() const { return phase == Phase::kNodes ? engine->expansions() : sector_paths.expansions(); }
    Status run_phase(uint64_t budget);
    void finish_sector_search();
};

void EntranceSearch::Impl::set(End& end, Cell cell, EntranceId id) const {
    end.cell = cell;
    end.sector = graph->data().sector_at(cell);
    end.id = id;
}

void EntranceSearch::Impl::take_distances(End& end) {
    end.distances.clear();
    for (const EntranceNode& node : graph->data().record(end.sector).nodes) end.distances.push_back(sector_paths.distance_to(node.cell()));
}

void EntranceSearch::Impl::begin_nodes() {
    const EntranceSearchGraph search_graph{&graph->data(), &start, &goal, &direct};
    const OctileHeuristic<EntranceSearchGraph, uint64_t> octile(search_graph, goal.cell, min_cost, graph->ground().rule());
    labels.reset(graph->id_limit() + 2);
    queue.reset(static_cast<uint32_t>(std::bit_width(uint64_t{2} * kStraight * min_cost * kEntranceBucketCells)) - 1);
    engine.emplace(search_graph, octile, OneGoal<EntranceId>{goal.id}, labels, queue).start(start.id, 0, kNoEntrance);
}

Status EntranceSearch::Impl::run_phase(uint64_t budget) { return phase == Phase::kNodes ? engine->run(budget) : sector_paths.run(budget); }

void EntranceSearch::Impl::finish_sector_search() {
    earlier_expansions += sector_paths.expansions();
    if (phase == Phase::kFromStart) {
        take_distances(start);
        direct = start.sector == goal.sector ? sector_paths.distance_to(goal.cell) : kInfinite<uint64_t>;
        phase = Phase::kToGoal;
        begin_sector_search(goal);
    } else {
        take_distances(goal);
        phase = Phase::kNodes;
        begin_nodes();
    }
}

EntranceSearch::EntranceSearch() : impl_(std::make_unique<Impl>()) {}
EntranceSearch::~EntranceSearch() = default;
EntranceSearch::EntranceSearch(EntranceSearch&&) noexcept = default;
EntranceSearch& EntranceSearch::operator=(EntranceSearch&&) noexcept = default;

void EntranceSearch::begin(const EntranceGraph& graph, Cell start, Cell goal) {
    TERRANE_ASSERT(graph.ground().check_ends(start, goal) == Status::kFound);
    Impl& s = *impl_;
    s.graph = &graph;
    s.engine.reset();
    s.phase = Impl::Phase::kFromStart;
    s.status = Status::kBudgetSpent;
    s.earlier_expansions = 0;
    s.min_cost = graph.ground().bounds().cheapest;
    s.set(s.start, start, graph.id_limit());
    s.set(s.goal, goal, graph.id_limit() + 1);
    s.sector_paths.prepare(graph.ground());
    s.begin_sector_search(s.start);
}

Status EntranceSearch::run(uint64_t budget) {
    Impl& s = *impl_;
    const uint64_t first = expansions();
    while (s.status == Status::kBudgetSpent) {
        const uint64_t left = budget == kUnlimited ? budget : budget - std::min(budget, expansions() - first);
        const Status ran = s.run_phase(left);
        if (ran == Status::kBudgetSpent) break;
        if (s.phase == Impl::Phase::kNodes) {
            s.status = ran;
        } else {
            s.finish_sector_search();
        }
    }
    return s.status;
}

uint64_t EntranceSearch::expansions() const { return impl_->graph == nullptr ? 0 : impl_->earlier_expansions + impl_->running(); }

uint64_t EntranceSearch::cost() const { return impl_->engine->goal_cost(); }

void EntranceSearch::path(std::vector<Cell>& out) const {
    TERRANE_ASSERT(impl_->status == Status::kFound);
    const Impl& s = *impl_;
    out.clear();
    s.engine->walk_back(
        s.goal.id, [&](EntranceId id) { return id == s.start.id; },
        [&](EntranceId id) {
            const Cell c = s.engine->graph().cell(id);
            if (out.empty() || out.back() != c) out.push_back(c);  // start or goal may be at a node
        });
    std::reverse(out.begin(), out.end());
}

size_t EntranceSearch::bytes() const {
    const Impl& s = *impl_;
    return sizeof(Impl) + s.sector_paths.bytes() + s.labels.bytes() + s.queue.bytes() +
           (s.start.distances.capacity() + s.goal.distances.capacity()) * 8;
}

}  // namespace terrane
