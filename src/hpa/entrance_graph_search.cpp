#include <algorithm>
#include <bit>

#include "hpa/entrance_graph_ways.h"
#include "terrane/base/assert.h"
#include "terrane/grid/octile.h"
#include "terrane/hpa/entrance_graph.h"

namespace terrane {

using namespace detail;

namespace {

// One end of a search: a cell, and what the ways between it and the nodes of its sector cost.
struct End {
    Cell cell;
    uint32_t sector = 0;
    EntranceId id = kNoEntrance;  // above those of all nodes
    Vector<uint64_t> ways;
};

// The nodes of an entrance graph, and the two ends. Ways inside a sector are the cheapest there are, so that none is taken right
// after another.
struct JoinedEntrances {
    using Node = EntranceId;
    using Value = uint64_t;
    using Via = EntranceId;  // the node that it was reached from

    const EntranceRoot* root;
    const End* start;
    const End* goal;
    const uint64_t* direct;  // from start to goal, where they are in one sector; kInfinite: no such way

    template <class Label, class Emit>
    void expand(EntranceId id, const Label& label, Emit&& emit) const {
        const auto emit_way = [&](EntranceId to, uint64_t way) TERRANE_INLINE {
            if (way != kInfinite<uint64_t> && to != id) emit(to, label.g + way, id);
        };
        if (id == start->id) {
            for (uint32_t i = 0; i < start->ways.size(); ++i) emit_way(root->id(start->sector, i), start->ways[i]);
            return emit_way(goal->id, *direct);
        }
        const uint32_t sector = id >> root->shift, number = id & ((1u << root->shift) - 1);
        const EntranceRecord& record = root->record(sector);
        if (label.via != start->id && label.via >> root->shift != sector) {
            const uint64_t* ways = record.distance.data() + record.nodes.size() * number;
            for (uint32_t i = 0; i < record.nodes.size(); ++i) emit_way(root->id(sector, i), ways[i]);
            if (sector == goal->sector) emit_way(goal->id, goal->ways[number]);
        }
        emit_crossings(record.nodes[number], label.via, [&](EntranceId to, uint64_t way) TERRANE_INLINE { emit_way(to, way); });
    }

    EntranceId origin(EntranceId, EntranceId via) const { return via; }

    Cell cell(EntranceId id) const { return id == start->id ? start->cell : id == goal->id ? goal->cell : root->node(id).cell(); }
    // For OctileHeuristic.
    int32_t x(EntranceId id) const { return cell(id).x; }
    int32_t y(EntranceId id) const { return cell(id).y; }

private:
    template <class EmitWay>
    void emit_crossings(const EntranceNode& node, EntranceId via, EmitWay&& emit_way) const {
        const uint32_t cost = root->ground.costs().cost[root->ground.grid().at(node.cell())];
        for (uint32_t moves = node.moves; moves != 0; moves &= moves - 1) {
            const auto move = static_cast<size_t>(std::countr_zero(moves));
            const Cell to{node.x + kMoves[move].x, node.y + kMoves[move].y};
            const uint32_t sector = root->sector_at(to);
            const EntranceId id = root->id(sector, root->record(sector).number_of(to));
            if (id == via) continue;
            emit_way(id, uint64_t{move < 4 ? kStraight : kDiagonal} * (cost + root->ground.costs().cost[root->ground.grid().at(to)]));
        }
    }
};

using EntranceLabels = PagedLabels<EntranceId, uint64_t, EntranceId>;
using EntranceQueue = BucketQueue<EntranceId, uint64_t>;
using EntranceEngine =
    BestFirst<JoinedEntrances, OctileHeuristic<JoinedEntrances, uint64_t>, OneGoal<EntranceId>, EntranceLabels, EntranceQueue>;

// About as wide as a step of this many cells on the cheapest terrain, as in searches of regions.
constexpr uint64_t kEntranceBucketCells = 4;

}  // namespace

struct EntranceSearch::Impl : detail::InMemory {
    enum class Phase : uint8_t { kFromStart, kToGoal, kNodes };

    const EntranceGraph* graph = nullptr;
    Phase phase = Phase::kFromStart;
    Status status = Status::kUnreachable;
    End start, goal;
    uint64_t direct = kInfinite<uint64_t>;
    uint32_t cheapest = 0;
    uint64_t before = 0;  // expansions of the phases before this one
    SectorWays ways;
    EntranceLabels labels;
    EntranceQueue queue;
    std::optional<EntranceEngine> engine;

    void set(End& end, Cell cell, EntranceId id) const;
    void begin_ways(const End& end) { ways.begin(graph->root().rect(end.sector), end.cell); }
    void take_ways(End& end);
    void begin_nodes();
    uint64_t running() const { return phase == Phase::kNodes ? engine->expansions() : ways.expansions(); }
    Status run_phase(uint64_t budget);
    void end_ways();
};

void EntranceSearch::Impl::set(End& end, Cell cell, EntranceId id) const {
    end.cell = cell;
    end.sector = graph->root().sector_at(cell);
    end.id = id;
}

void EntranceSearch::Impl::take_ways(End& end) {
    end.ways.clear();
    for (const EntranceNode& node : graph->root().record(end.sector).nodes) end.ways.push_back(ways.to(node.cell()));
}

void EntranceSearch::Impl::begin_nodes() {
    const JoinedEntrances joined{&graph->root(), &start, &goal, &direct};
    const OctileHeuristic<JoinedEntrances, uint64_t> octile(joined, goal.cell, cheapest, graph->ground().rule());
    labels.reset(graph->id_limit() + 2);
    queue.reset(static_cast<uint32_t>(std::bit_width(uint64_t{2} * kStraight * cheapest * kEntranceBucketCells)) - 1);
    engine.emplace(joined, octile, OneGoal<EntranceId>{goal.id}, labels, queue).start(start.id, 0, kNoEntrance);
}

Status EntranceSearch::Impl::run_phase(uint64_t budget) { return phase == Phase::kNodes ? engine->run(budget) : ways.run(budget); }

void EntranceSearch::Impl::end_ways() {
    before += ways.expansions();
    if (phase == Phase::kFromStart) {
        take_ways(start);
        direct = start.sector == goal.sector ? ways.to(goal.cell) : kInfinite<uint64_t>;
        phase = Phase::kToGoal;
        begin_ways(goal);
    } else {
        take_ways(goal);
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
    s.before = 0;
    s.cheapest = graph.ground().bounds().cheapest;
    s.set(s.start, start, graph.id_limit());
    s.set(s.goal, goal, graph.id_limit() + 1);
    s.ways.prepare(graph.ground());
    s.begin_ways(s.start);
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
            s.end_ways();
        }
    }
    return s.status;
}

uint64_t EntranceSearch::expansions() const { return impl_->graph == nullptr ? 0 : impl_->before + impl_->running(); }

uint64_t EntranceSearch::cost() const { return impl_->engine->goal_cost(); }

void EntranceSearch::path(std::vector<Cell>& out) const {
    TERRANE_ASSERT(impl_->status == Status::kFound);
    const Impl& s = *impl_;
    out.clear();
    s.engine->walk_back(
        s.goal.id, [&](EntranceId id) { return id == s.start.id; },
        [&](EntranceId id) {
            const Cell c = s.engine->graph().cell(id);
            if (out.empty() || out.back() != c) out.push_back(c);  // an end may be a node, too
        });
    std::reverse(out.begin(), out.end());
}

size_t EntranceSearch::bytes() const {
    const Impl& s = *impl_;
    return sizeof(Impl) + s.ways.bytes() + s.labels.bytes() + s.queue.bytes() + (s.start.ways.capacity() + s.goal.ways.capacity()) * 8;
}

}  // namespace terrane
