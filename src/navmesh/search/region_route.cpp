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

// Labels by rank: those of a tile and of the tiles made with it lie together, where by id each tile would have a page of its own.
template <class Via>
class RegionLabels {
public:
    using Label = typename PagedLabels<uint32_t, double, Via, kPageEntries>::Label;

    // For the regions as they are now, and one node more: id_limit().
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
    bool has(NavmeshRegionId id) const { return g(id) != kInfinite<double>; }
    size_t bytes() const { return labels_.bytes(); }

private:
    const NavmeshAbstraction* regions_ = nullptr;
    PagedLabels<uint32_t, double, Via, kPageEntries> labels_;
};

// Regions stand for their positions; an edge costs the way between them, half of it at each one's cost: the paper's graph.
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
    MeshPoint place(Node node) const { return to_mesh_point(regions_->region(node).position); }

private:
    const NavmeshAbstraction* regions_;
    const QueryCosts* costs_;
};

// How a region was reached: from where, and where it is entered.
struct EntryVia {
    NavmeshRegionId from = kNoEntry;
    Vec3 entry;
    float rest = 0;  // the straight way from there to the goal, at the cheapest cost; in the goal's region, at that region's
};
using EntryLabels = RegionLabels<EntryVia>;

// Nodes are regions, entered where the label's own way says; one more node is the goal. Ways that enter a region in different places are
// compared by what they cost together with the rest of the way: a label's g is that sum. Each node is expanded once, so that no way leads
// back to a region of its own.
//
// Tried borders for nodes instead, each with its own place: on an island of 100,490 polygons (profile `person`) paths cost 1.2% less, for
// 10,452 expansions instead of 2,827 on the longer ways. Tried to compare ways at the region's position: as many expansions and as fast,
// but paths cost 0.3% more on the longer half of the queries of `terrane bench navmesh`. Tried labels in one piece each, and labels and
// keys in floats: within 2% of a query's time.
//
// Edges are measured in floats, as the mesh is: what is found here is a route, not its cost.
class EntryGraph {
public:
    using Node = NavmeshRegionId;
    using Value = double;
    using Via = EntryVia;

    // `labels` must outlive it.
    EntryGraph(const NavmeshAbstraction& regions, const QueryCosts& costs, const EntryLabels& labels, NavmeshRegionId to, Vec3 goal)
        : regions_(&regions), costs_(&costs), labels_(&labels), to_(to), goal_(goal) {}

    Node goal() const { return regions_->id_limit(); }
    // Into a region whose cost is given.
    Via enter(Node node, double cost, Vec3 entry, NavmeshRegionId from) const {
        return {from, entry, static_cast<float>(node == to_ ? cost : costs_->cheapest) * distance(entry, goal_)};
    }

    template <class Label, class Emit>
    void expand(Node node, const Label& label, Emit&& emit) const {
        if (node == to_) emit(goal(), label.g, Via{node, goal_, 0});
        const Vec3 at = label.via.entry;
        const double g = label.g - static_cast<double>(label.via.rest);
        const auto cost = static_cast<float>(costs_->of(regions_->region(node)));
        for (const NavmeshEdge& e : regions_->edges_of(node)) {
            const double cost_there = costs_->of(e.area, e.flags);
            if (cost_there == 0 || labels_->closed(e.to)) continue;  // the search would find out, but not before the sums
            const Vec3 entry = lerp(e.a, e.b, crossing_place(e.a, e.b, at, goal_));
            const Via via = enter(e.to, cost_there, entry, node);
            emit(e.to, g + static_cast<double>(cost * distance(at, entry) + via.rest), via);
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
    double cheapest;
    double operator()(NavmeshRegionId node) const { return cheapest * distance(graph.place(node), goal); }
};

// A label's g has the rest of the way in it, once: what is left is the part that the weight adds.
struct EntryHeuristic {
    const EntryLabels* labels;
    double share;
    double operator()(NavmeshRegionId node) const { return share * static_cast<double>(labels->via(node).rest); }
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
        m.by_centres.emplace(graph, CentreHeuristic{graph, to == kNoNavmeshRegion ? goal : graph.place(to), costs.cheapest},
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
    m.by_entries->start(from, static_cast<double>(via.rest), via);
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
            [&](uint32_t node) { return m.by_centres->graph().place(node); });
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
            if (m.by_centres ? m.centre_labels.has(id) : m.entry_labels.has(id)) out.push_back(id);
        }
    }
}

size_t RegionRoute::bytes() const {
    return sizeof(Impl) + impl_->centre_labels.bytes() + impl_->entry_labels.bytes() + impl_->queue.bytes();
}

}  // namespace terrane
