#include "navmesh/search/polygon_search.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane {
namespace {

constexpr uint32_t kPagePortals = 64;
constexpr uint32_t kNoPortal = 0xffffffff;

// How a portal was reached: the portal before (kNoPortal: the start), and where it is crossed.
struct PortalVia {
    uint32_t from = kNoPortal;
    Vec3 at;
};
using PortalLabels = PagedLabels<uint32_t, double, PortalVia, kPagePortals>;

// What a segment's graph, heuristic and goal share.
struct Shared {
    const NavmeshAbstraction* regions = nullptr;
    const QueryCosts* costs = nullptr;
    std::optional<MeshView> view;
    PolygonTask task;
    PortalLabels labels;
    uint32_t shift = 0;   // of nodes
    double cheapest = 0;  // of its regions
    bool stale = false;

    // The node that stands for the goal itself, inside its polygon.
    uint32_t goal() const { return regions->slots() << shift; }
    const dtLink& link(uint32_t node) const { return view->tile(node >> shift).links[link_number(node)]; }
    uint32_t link_number(uint32_t node) const { return node & ((1u << shift) - 1); }
    // The polygon behind a portal.
    PolygonNumber polygon(uint32_t node) const { return node == kNoPortal ? task.from : view->number(link(node).ref); }

    NavmeshRegionId region_of(PolygonNumber p) const { return regions->tile(view->slot(p)).labels[view->index(p)]; }
    bool may_enter(PolygonNumber p) const {
        return std::find(task.regions.begin(), task.regions.end(), region_of(p)) != task.regions.end();
    }
    // 0, and stale from then on, where the polygon is not what its region says.
    double cost_of(PolygonNumber p) {
        const NavmeshRegion& region = regions->region(region_of(p));
        const dtPoly& polygon = view->polygon(p);
        if (polygon.flags != region.flags || polygon.getArea() != region.area) stale = true;
        return stale ? 0 : costs->of(region);
    }
};

// Nodes are the links of the mesh, each a portal with the polygon behind it: the tile's place, shifted, and the link's number in the
// tile. (Polygons for nodes, as in Detour, are known by the way that has come the shortest so far, which may have entered far from where
// the best path does: one path cost 108 instead of 84.) One more node is the goal. Where a portal is crossed is settled by the label's own
// way.
class PortalGraph {
public:
    using Node = uint32_t;
    using Value = double;
    using Via = PortalVia;

    explicit PortalGraph(Shared& shared) : shared_(&shared) {}

    template <class Label, class Emit>
    void expand(Node node, const Label& label, Emit&& emit) const {
        leave(node, shared_->polygon(label.via.from), to_mesh_point(label.via.at), label.g, emit);
    }
    Node origin(Node, const Via& via) const { return via.from; }

    // Every way on from a point of the polygon behind `node`, but not back.
    template <class Emit>
    void leave(Node node, PolygonNumber back, const MeshPoint& at, double g, Emit&& emit) const {
        Shared& s = *shared_;
        const PolygonNumber here = s.polygon(node);
        const double cost = s.cost_of(here);
        if (s.stale) return;
        if (here == s.task.to) emit(s.goal(), g + cost * distance(at, s.task.goal), PortalVia{node, {}});
        s.view->for_each_link(here, [&](uint32_t number, const dtLink& link) {
            const PolygonNumber to = s.view->number(link.ref);
            const Node next = s.view->slot(here) << s.shift | number;
            // A search that has closed it would find that out, but not before the sums.
            if (to == back || !s.may_enter(to) || s.labels.closed(next) || !s.view->is_open(here, link)) return;
            const Portal portal = s.view->portal(here, link);
            const double place = s.task.method.portals ? crossing_place(portal.left, portal.right, at, s.task.goal) : 0.5;
            const MeshPoint crossing = lerp(portal.left, portal.right, place);
            emit(next, g + cost * distance(at, crossing), PortalVia{node, to_vec3(crossing)});
        });
    }

private:
    Shared* shared_;
};

struct PortalHeuristic {
    const Shared* shared;
    double operator()(uint32_t node) const {
        if (node == shared->goal()) return 0;
        return shared->cheapest * distance(to_mesh_point(shared->labels.via(node).at), shared->task.goal);
    }
};

struct SegmentGoal {
    const Shared* shared;
    bool operator()(uint32_t node) const {
        if (node == shared->goal()) return true;
        return shared->task.to == kNoMeshPolygon && shared->region_of(shared->polygon(node)) == shared->task.into;
    }
};

}  // namespace

struct PolygonSearch::Impl {
    using Queue = HeapQueue<uint32_t, double>;

    Shared shared;
    Queue queue;
    std::optional<BestFirst<PortalGraph, PortalHeuristic, SegmentGoal, PortalLabels, Queue, NoObserver, ExpandOnce>> search;
    bool is_there = false;  // from the start

    // The last portal of the segment; kNoPortal where it has none.
    uint32_t last() const {
        if (is_there) return kNoPortal;
        return search->goal_node() == shared.goal() ? shared.labels.via(shared.goal()).from : search->goal_node();
    }
};

PolygonSearch::PolygonSearch() : impl_(std::make_unique<Impl>()) {}
PolygonSearch::~PolygonSearch() = default;

void PolygonSearch::begin(const NavmeshAbstraction& regions, const MeshView& view, const QueryCosts& costs, const PolygonTask& task) {
    Impl& m = *impl_;
    Shared& s = m.shared;
    s.regions = &regions;
    s.costs = &costs;
    s.view = view;
    s.task = task;
    s.shift = static_cast<uint32_t>(std::bit_width(regions.links_in_fullest_tile()));
    s.stale = false;
    s.cheapest = std::numeric_limits<double>::max();
    for (const NavmeshRegionId id : task.regions) s.cheapest = std::min(s.cheapest, costs.of(regions.region(id)));
    m.is_there = task.to == kNoMeshPolygon && s.region_of(task.from) == task.into;
    s.labels.reset(s.goal() + 1);
    m.queue.reset();
    const PortalGraph graph(s);
    m.search.emplace(graph, PortalHeuristic{&s}, SegmentGoal{&s}, s.labels, m.queue,
                     task.method.portals ? costs.polygon_weight() : Weight{});
    graph.leave(kNoPortal, kNoMeshPolygon, task.start, 0, [&](uint32_t node, double g, PortalVia via) { m.search->start(node, g, via); });
}

Status PolygonSearch::run(uint64_t budget) {
    const Status status = impl_->is_there ? Status::kFound : impl_->search->run(budget);
    return impl_->shared.stale ? Status::kStale : status;
}

uint64_t PolygonSearch::expansions() const { return impl_->search ? impl_->search->expansions() : 0; }

void PolygonSearch::append_to(std::vector<CorridorStep>& out) const {
    const Impl& m = *impl_;
    const size_t before = out.size();
    for (uint32_t node = m.last(); node != kNoPortal; node = m.shared.labels.via(node).from) {
        out.push_back({m.shared.polygon(node), m.shared.link_number(node)});
    }
    std::reverse(out.begin() + static_cast<std::ptrdiff_t>(before), out.end());
}

MeshPoint PolygonSearch::end() const {
    const Impl& m = *impl_;
    if (m.shared.task.to != kNoMeshPolygon) return m.shared.task.goal;
    return m.is_there ? m.shared.task.start : to_mesh_point(m.shared.labels.via(m.last()).at);
}

size_t PolygonSearch::bytes() const { return sizeof(Impl) + impl_->shared.labels.bytes() + impl_->queue.bytes(); }

}  // namespace terrane
