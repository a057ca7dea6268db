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

// Parent portal (kNoPortal: the start) and crossing point.
struct PortalVia {
    uint32_t from = kNoPortal;
    Vec3 at;
};
using PortalLabels = PagedLabels<uint32_t, double, PortalVia, kPagePortals>;

// State shared by graph, heuristic and goal test of a segment.
struct SegmentContext {
    const NavmeshAbstraction* regions = nullptr;
    const QueryCosts* costs = nullptr;
    std::optional<MeshView> view;
    PolygonTask task;
    PortalLabels labels;
    uint32_t shift = 0;   // of the tile slot in node ids
    double min_cost = 0;  // of the segment's regions
    bool stale = false;

    // Virtual node of the goal point inside of its polygon.
    uint32_t goal() const { return regions->slots() << shift; }
    const dtLink& link(uint32_t node) const { return view->tile(node >> shift).links[link_number(node)]; }
    uint32_t link_number(uint32_t node) const { return node & ((1u << shift) - 1); }
    // The polygon that a portal leads into.
    PolygonNumber polygon(uint32_t node) const { return node == kNoPortal ? task.from : view->number(link(node).ref); }

    NavmeshRegionId region_of(PolygonNumber p) const { return regions->tile(view->slot(p)).labels[view->index(p)]; }
    bool may_enter(PolygonNumber p) const {
        return std::find(task.regions.begin(), task.regions.end(), region_of(p)) != task.regions.end();
    }
    // Returns 0 and sets `stale` if the polygon's area or flags differ from those of its region.
    double cost_of(PolygonNumber p) {
        const NavmeshRegion& region = regions->region(region_of(p));
        const dtPoly& polygon = view->polygon(p);
        if (polygon.flags != region.flags || polygon.getArea() != region.area) stale = true;
        return stale ? 0 : costs->of(region);
    }
};

// Nodes are links, that is, portals with the polygon that they lead into: tile slot in the high bits, link index in the low bits. One
// virtual node is the goal. The crossing point of a portal depends on the path of its label. Nodes are not polygons, as in Detour,
// because a polygon's best label may have entered far from where the best path does (docs/notes/navmesh.md).
class PortalGraph {
public:
    using Node = uint32_t;
    using Value = double;
    using Via = PortalVia;

    explicit PortalGraph(SegmentContext& context) : context_(&context) {}

    template <class Label, class Emit>
    void expand(Node node, const Label& label, Emit&& emit) const {
        expand_from(node, context_->polygon(label.via.from), to_mesh_point(label.via.at), label.g, emit);
    }
    Node origin(Node, const Via& via) const { return via.from; }

    // Generates the successors from a point in the polygon that `node` leads into, except back into polygon `back`.
    template <class Emit>
    void expand_from(Node node, PolygonNumber back, const MeshPoint& at, double g, Emit&& emit) const {
        SegmentContext& s = *context_;
        const PolygonNumber here = s.polygon(node);
        const double cost = s.cost_of(here);
        if (s.stale) return;
        if (here == s.task.to) emit(s.goal(), g + cost * distance(at, s.task.goal), PortalVia{node, {}});
        s.view->for_each_link(here, [&](uint32_t number, const dtLink& link) {
            const PolygonNumber to = s.view->number(link.ref);
            const Node next = s.view->slot(here) << s.shift | number;
            // Testing for closed nodes here saves the computation of crossing and cost.
            if (to == back || !s.may_enter(to) || s.labels.closed(next) || !s.view->is_traversable(here, link)) return;
            const Portal portal = s.view->portal(here, link);
            const double place = s.task.method.portals ? crossing_fraction(portal.left, portal.right, at, s.task.goal) : 0.5;
            const MeshPoint crossing = lerp(portal.left, portal.right, place);
            emit(next, g + cost * distance(at, crossing), PortalVia{node, to_vec3(crossing)});
        });
    }

private:
    SegmentContext* context_;
};

struct PortalHeuristic {
    const SegmentContext* context;
    double operator()(uint32_t node) const {
        if (node == context->goal()) return 0;
        return context->min_cost * distance(to_mesh_point(context->labels.via(node).at), context->task.goal);
    }
};

struct SegmentGoal {
    const SegmentContext* context;
    bool operator()(uint32_t node) const {
        if (node == context->goal()) return true;
        return context->task.to == kNoMeshPolygon && context->region_of(context->polygon(node)) == context->task.goal_region;
    }
};

}  // namespace

struct PolygonSearch::Impl {
    using Queue = HeapQueue<uint32_t, double>;

    SegmentContext context;
    Queue queue;
    std::optional<BestFirst<PortalGraph, PortalHeuristic, SegmentGoal, PortalLabels, Queue, NoObserver, ExpandOnce>> search;
    bool starts_in_goal_region = false;

    // Returns the last portal of the segment; kNoPortal if there is none.
    uint32_t last() const {
        if (starts_in_goal_region) return kNoPortal;
        return search->goal_node() == context.goal() ? context.labels.via(context.goal()).from : search->goal_node();
    }
};

PolygonSearch::PolygonSearch() : impl_(std::make_unique<Impl>()) {}
PolygonSearch::~PolygonSearch() = default;

void PolygonSearch::begin(const NavmeshAbstraction& regions, const MeshView& view, const QueryCosts& costs, const PolygonTask& task) {
    Impl& m = *impl_;
    SegmentContext& s = m.context;
    s.regions = &regions;
    s.costs = &costs;
    s.view = view;
    s.task = task;
    s.shift = static_cast<uint32_t>(std::bit_width(regions.max_links_per_tile()));
    s.stale = false;
    s.min_cost = std::numeric_limits<double>::max();
    for (const NavmeshRegionId id : task.regions) s.min_cost = std::min(s.min_cost, costs.of(regions.region(id)));
    m.starts_in_goal_region = task.to == kNoMeshPolygon && s.region_of(task.from) == task.goal_region;
    s.labels.reset(s.goal() + 1);
    m.queue.reset();
    const PortalGraph graph(s);
    m.search.emplace(graph, PortalHeuristic{&s}, SegmentGoal{&s}, s.labels, m.queue,
                     task.method.portals ? costs.polygon_weight() : Weight{});
    graph.expand_from(kNoPortal, kNoMeshPolygon, task.start, 0,
                      [&](uint32_t node, double g, PortalVia via) { m.search->start(node, g, via); });
}

Status PolygonSearch::run(uint64_t budget) {
    const Status status = impl_->starts_in_goal_region ? Status::kFound : impl_->search->run(budget);
    return impl_->context.stale ? Status::kStale : status;
}

uint64_t PolygonSearch::expansions() const { return impl_->search ? impl_->search->expansions() : 0; }

void PolygonSearch::append_to(std::vector<CorridorStep>& out) const {
    const Impl& m = *impl_;
    const size_t before = out.size();
    for (uint32_t node = m.last(); node != kNoPortal; node = m.context.labels.via(node).from) {
        out.push_back({m.context.polygon(node), m.context.link_number(node)});
    }
    std::reverse(out.begin() + static_cast<std::ptrdiff_t>(before), out.end());
}

MeshPoint PolygonSearch::end() const {
    const Impl& m = *impl_;
    if (m.context.task.to != kNoMeshPolygon) return m.context.task.goal;
    return m.starts_in_goal_region ? m.context.task.start : to_mesh_point(m.context.labels.via(m.last()).at);
}

size_t PolygonSearch::bytes() const { return sizeof(Impl) + impl_->context.labels.bytes() + impl_->queue.bytes(); }

}  // namespace terrane
