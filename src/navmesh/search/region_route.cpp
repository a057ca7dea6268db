#include "navmesh/search/region_route.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane {

namespace {

constexpr uint32_t kNoEntry = 0xffffffff;
constexpr uint32_t kPageEntries = 64;

// Labels indexed by rank, which packs several tiles into a page; by id, each tile would take a page of its own.
template <class Via>
class RegionLabels {
public:
    using Label = typename PagedLabels<uint32_t, double, Via, kPageEntries>::Label;

    // Sizes the labels for all regions plus the virtual goal node id_limit().
    void reset(const NavmeshAbstraction& regions) {
        regions_ = &regions;
        labels_.reset(regions.rank(regions.id_limit()) + 1);
    }
    double g(NavmeshRegionId id) const { return labels_.g(regions_->rank(id)); }
    Label label(NavmeshRegionId id) const { return labels_.label(regions_->rank(id)); }
    Via via(NavmeshRegionId id) const { return labels_.via(regions_->rank(id)); }
    bool improve(NavmeshRegionId id, double g, NavmeshRegionId from, const Via& via) {
        return labels_.improve(regions_->rank(id), g, from, via);
    }
    bool close(NavmeshRegionId id) { return labels_.close(regions_->rank(id)); }
    bool closed(NavmeshRegionId id) const { return labels_.closed(regions_->rank(id)); }
    bool is_reached(NavmeshRegionId id) const { return g(id) != kInfinite<double>; }
    size_t bytes() const { return labels_.bytes(); }

private:
    const NavmeshAbstraction* regions_ = nullptr;
    PagedLabels<uint32_t, double, Via, kPageEntries> labels_;
};

// The paper's graph: nodes are region positions; an edge costs the distance times the mean of both region costs.
class CentreGraph {
public:
    using Node = NavmeshRegionId;
    using Value = double;
    using Via = NavmeshRegionId;

    CentreGraph(const NavmeshAbstraction& regions, const QueryCosts& costs) : regions_(&regions), costs_(&costs) {}

    template <class Label, class Emit>
    void expand(Node node, const Label& label, Emit&& emit) const {
        const NavmeshRegion& here = regions_->region(node);
        const MeshPoint at = to_mesh_point(here.position);
        const double cost = costs_->of(here);
        for (const NavmeshEdge& edge : regions_->edges_of(node)) {
            if (edge.to == label.via) continue;
            const NavmeshRegion& there = regions_->region(edge.to);
            const double other = costs_->of(there);
            if (other > 0) emit(edge.to, label.g + distance(at, to_mesh_point(there.position)) * (cost + other) / 2, node);
        }
    }
    Node origin(Node, Via via) const { return via; }
    MeshPoint point(Node node) const { return to_mesh_point(regions_->region(node).position); }

private:
    const NavmeshAbstraction* regions_;
    const QueryCosts* costs_;
};

// Parent region and entry point.
struct EntryVia {
    NavmeshRegionId from = kNoEntry;
    Vec3 entry;
    float h = 0;  // straight-line distance to the goal times the minimum cost; in the goal region, times its own cost
};
using EntryLabels = RegionLabels<EntryVia>;

// Nodes are regions, entered at the point that the label's path chooses; one virtual node is the goal. Labels that enter a region at
// different points are compared by g + h: the g-value stored in a label is that sum. Each node is expanded once, so no path visits a region
// twice. Rejected alternatives: docs/notes/navmesh.md.
//
// Edges are measured in floats, like the mesh: the result is a route, not its cost.
class EntryGraph {
public:
    using Node = NavmeshRegionId;
    using Value = double;
    using Via = EntryVia;

    // `labels` must outlive the graph.
    EntryGraph(const NavmeshAbstraction& regions, const QueryCosts& costs, const EntryLabels& labels, NavmeshRegionId to, Vec3 goal)
        : regions_(&regions), costs_(&costs), labels_(&labels), to_(to), goal_(goal) {}

    Node goal() const { return regions_->id_limit(); }
    // Returns the label data for entering region `node`, whose cost is `cost`.
    Via enter(Node node, double cost, Vec3 entry, NavmeshRegionId from) const {
        return {from, entry, static_cast<float>(node == to_ ? cost : costs_->min_cost) * distance(entry, goal_)};
    }

    template <class Label, class Emit>
    void expand(Node node, const Label& label, Emit&& emit) const {
        if (node == to_) emit(goal(), label.g, Via{node, goal_, 0});
        const Vec3 at = label.via.entry;
        const double g = label.g - static_cast<double>(label.via.h);
        const auto cost = static_cast<float>(costs_->of(regions_->region(node)));
        for (const NavmeshEdge& e : regions_->edges_of(node)) {
            const double cost_there = costs_->of(e.area, e.flags);
            if (cost_there == 0 || labels_->closed(e.to)) continue;  // saves the computation of entry and cost
            const Vec3 entry = lerp(e.a, e.b, crossing_fraction(e.a, e.b, at, goal_));
            const Via via = enter(e.to, cost_there, entry, node);
            emit(e.to, g + static_cast<double>(cost * distance(at, entry) + via.h), via);
        }
    }
    Node origin(Node, const Via& via) const { return via.from; }

private:
    const NavmeshAbstraction* regions_;
    const QueryCosts* costs_;
    const EntryLabels* labels_;
    NavmeshRegionId to_;
    Vec3 goal_;
};

struct CentreHeuristic {
    CentreGraph graph;
    MeshPoint goal;
    double min_cost;
    double operator()(NavmeshRegionId node) const { return min_cost * distance(graph.point(node), goal); }
};

// Stored g-values already contain h once, so only the extra part of the weight remains: (w - 1) h = w (1 - 1/w) h.
struct EntryHeuristic {
    const EntryLabels* labels;
    double extra_weight;
    double operator()(NavmeshRegionId node) const { return extra_weight * static_cast<double>(labels->via(node).h); }
};

}  // namespace

struct RegionRoute::Impl {
    using CentreLabels = RegionLabels<NavmeshRegionId>;
    using Queue = HeapQueue<uint32_t, double>;

    const NavmeshAbstraction* regions = nullptr;
    MeshPoint start;
    NavmeshRegionId from = kNoNavmeshRegion;
    CentreLabels centre_labels;
    EntryLabels entry_labels;
    Queue queue;
    std::optional<BestFirst<CentreGraph, CentreHeuristic, OneGoal<uint32_t>, CentreLabels, Queue>> by_centres;
    std::optional<BestFirst<EntryGraph, EntryHeuristic, OneGoal<uint32_t>, EntryLabels, Queue, NoObserver, ExpandOnce>> by_entries;
};

RegionRoute::RegionRoute() : impl_(std::make_unique<Impl>()) {}
RegionRoute::~RegionRoute() = default;

void RegionRoute::clear() {
    impl_->by_centres.reset();
    impl_->by_entries.reset();
}

void RegionRoute::begin(const NavmeshAbstraction& regions, const QueryCosts& costs, NavmeshMethod method, NavmeshRegionId from,
                        const MeshPoint& start, NavmeshRegionId to, const MeshPoint& goal) {
    Impl& m = *impl_;
    m.regions = &regions;
    m.start = start;
    m.from = from;
    m.queue.reset();
    clear();
    if (!method.portals) {
        const CentreGraph graph(regions, costs);
        m.centre_labels.reset(regions);
        m.by_centres.emplace(graph, CentreHeuristic{graph, to == kNoNavmeshRegion ? goal : graph.point(to), costs.min_cost},
                             OneGoal<uint32_t>{to}, m.centre_labels, m.queue);
        m.by_centres->start(from, 0, kNoNavmeshRegion);
        return;
    }
    m.entry_labels.reset(regions);
    const EntryGraph graph(regions, costs, m.entry_labels, to, to_vec3(goal));
    const Weight weight = costs.region_weight();
    const EntryHeuristic heuristic{&m.entry_labels, 1 - 1 / weight.value()};
    m.by_entries.emplace(graph, heuristic, OneGoal<uint32_t>{graph.goal()}, m.entry_labels, m.queue, weight);
    const EntryVia via = graph.enter(from, costs.of(regions.region(from)), to_vec3(start), kNoEntry);
    m.by_entries->start(from, static_cast<double>(via.h), via);
}

Status RegionRoute::run(uint64_t budget) { return impl_->by_centres ? impl_->by_centres->run(budget) : impl_->by_entries->run(budget); }

uint64_t RegionRoute::expansions() const {
    if (impl_->by_centres) return impl_->by_centres->expansions();
    return impl_->by_entries ? impl_->by_entries->expansions() : 0;
}

void RegionRoute::stops(std::vector<RouteStop>& out) const {
    const Impl& m = *impl_;
    out.clear();
    const auto add = [&](uint32_t last, auto&& from_of, auto&& place_of) {
        for (uint32_t node = last; node != m.from; node = from_of(node)) out.push_back({node, place_of(node)});
    };
    if (m.by_centres) {
        add(
            m.by_centres->goal_node(), [&](uint32_t node) { return m.centre_labels.via(node); },
            [&](uint32_t node) { return m.by_centres->graph().point(node); });
    } else {
        add(
            m.entry_labels.via(m.regions->id_limit()).from, [&](uint32_t node) { return m.entry_labels.via(node).from; },
            [&](uint32_t node) { return to_mesh_point(m.entry_labels.via(node).entry); });
    }
    out.push_back({m.from, m.start});
    std::reverse(out.begin(), out.end());
}

void RegionRoute::reached(std::vector<NavmeshRegionId>& out) const {
    const Impl& m = *impl_;
    for (uint32_t slot = 0; slot < m.regions->slots(); ++slot) {
        for (uint32_t number = 0; number < m.regions->regions_in(slot).size(); ++number) {
            const NavmeshRegionId id = m.regions->id(slot, number);
            if (m.by_centres ? m.centre_labels.is_reached(id) : m.entry_labels.is_reached(id)) out.push_back(id);
        }
    }
}

size_t RegionRoute::bytes() const {
    return sizeof(Impl) + impl_->centre_labels.bytes() + impl_->entry_labels.bytes() + impl_->queue.bytes();
}

}  // namespace terrane
