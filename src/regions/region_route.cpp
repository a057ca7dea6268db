#include "regions/region_route.h"

#include <algorithm>
#include <optional>

#include "terrane/search/heap_queue.h"

namespace terrane {

using namespace detail;

namespace {

// Suboptimality that the search over portals allows: 1.1 takes XX% of the expansions of 1 (docs/notes/regions.md).
constexpr Weight kWeight{11, 10};

constexpr uint32_t kStartNode = 0, kGoalNode = 1;

// Labels of the portals of the sectors that a search has entered, in the order in which it entered them.
class PortalLabels {
public:
    struct Label {
        uint64_t g;
        uint32_t via;
    };
    struct Node {
        uint64_t g = kInfinite<uint64_t>;
        uint32_t via = 0;
        uint32_t slot : 31 = 0;    // of its sector
        uint32_t closed : 1 = 0;
        uint16_t x = 0, y = 0;     // of the portal's cell in its sector
    };

    void reset() { nodes_.assign(2, Node{}); }
    uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
    void add(const Node& node) { nodes_.push_back(node); }
    const Node& operator[](uint32_t node) const { return nodes_[node]; }
    size_t bytes() const { return nodes_.capacity() * sizeof(Node); }

    uint64_t g(uint32_t node) const { return nodes_[node].g; }
    Label label(uint32_t node) const { return {nodes_[node].g, nodes_[node].via}; }
    bool improve(uint32_t node, uint64_t g, uint32_t /*from*/, uint32_t via) {
        if (g >= nodes_[node].g) return false;
        nodes_[node].g = g;
        nodes_[node].via = via;
        return true;
    }
    bool closed(uint32_t node) const { return nodes_[node].closed != 0; }
    bool close(uint32_t node) {
        if (nodes_[node].closed != 0) return false;
        nodes_[node].closed = 1;
        return true;
    }
    template <class G>
    uint32_t parent(const G& graph, uint32_t node) const {
        return graph.origin(node, nodes_[node].via);
    }

private:
    Vector<Node> nodes_;
};

struct Slot {
    const SectorPortals* portals;
    uint32_t sector;
    uint32_t first_node;
};

// A portal as seen from a region: the node, and which of its two exits belongs to the region.
struct PortalSide {
    uint32_t node;
    bool second;
};

// An exit of a region, by its index in a sector.
struct ExitRef {
    uint32_t slot;
    uint32_t exit;
};

// The region of an end of the path, and the lengths from there to its exits.
struct EndRegion {
    uint32_t sector = 0;
    uint32_t region = 0;
    uint32_t first_exit = 0;
    Vector<uint32_t> lengths;
};

uint32_t half_cost(const RegionExit& exit) { return step_length(exit.move); }

}  // namespace

struct RegionRoute::Impl : ScopeAllocated {
    // A label's `via` is the node that it comes from, and which of the two exits of `to` belongs to the region between them.
    struct Graph {
        using Node = uint32_t;
        using Value = uint64_t;
        using Via = uint32_t;
        Impl* route;

        template <class Label, class Emit>
        void expand(Node node, const Label& label, Emit&& emit) const {
            if (node == kStartNode) return route->leave_start(emit);
            route->cross(route->entered(node, (label.via & 1) != 0), node, label.g, emit);
        }
        Node origin(Node, Via via) const { return via >> 1; }
    };
    struct Bound {
        const Impl* route;
        uint64_t operator()(uint32_t node) const { return route->bound(node); }
    };
    using Search = BestFirst<Graph, Bound, OneGoal<uint32_t>, PortalLabels, HeapQueue<uint32_t, uint64_t>, NoObserver, ExpandOnce>;

    const RegionPortals* portals = nullptr;
    const CostTable* costs = nullptr;
    const MovementRule* rule = nullptr;
    Cell start, goal;
    uint64_t cheapest = 0;  // lowest terrain cost on the map
    uint64_t limit = 0;     // in the profile's units
    EndRegion from, to;
    uint64_t direct = kInfinite<uint64_t>;  // cost of the path inside the region of both ends

    Vector<uint32_t> slot_of;  // by sector: 1 + index of its slot, 0 if the search has not entered it
    Vector<Slot> slots;
    PortalLabels labels;
    HeapQueue<uint32_t, uint64_t> queue;
    SectorPortalsBuilder builder;
    std::optional<Search> search;
    Status status = Status::kUnreachable;

    void reset();
    uint32_t enter(uint32_t sector);
    void find_region(EndRegion& end, Cell cell);
    PortalSide portal_of(uint32_t slot, const RegionExit& exit);
    ExitRef entered(uint32_t node, bool from_second);
    template <class Emit>
    void leave_start(Emit&& emit);
    template <class Emit>
    void cross(ExitRef entry, uint32_t node, uint64_t g, Emit&& emit);
    template <class Emit>
    void reach(uint32_t slot, const RegionExit& exit, uint32_t node, uint64_t g, Emit&& emit);
    uint64_t bound(uint32_t node) const;
    Cell cell_of(const ExitRef& ref) const;
};

void RegionRoute::Impl::reset() {
    for (const Slot& slot : slots) slot_of[slot.sector] = 0;
    slots.clear();
    labels.reset();
    queue.reset();
    direct = kInfinite<uint64_t>;
}

// Returns the slot of a sector, and gives its portals nodes when the search first enters it.
uint32_t RegionRoute::Impl::enter(uint32_t sector) {
    if (slot_of[sector] != 0) return slot_of[sector] - 1;
    const auto slot = static_cast<uint32_t>(slots.size());
    const SectorPortals& found = portals->at(sector, builder);
    const Cell corner = portals->corner(sector);
    slots.push_back({&found, sector, labels.size()});
    slot_of[sector] = slot + 1;
    for (uint32_t p = 0; p < found.owned(); ++p) {
        const RegionExit& exit = found.exit(found.own_exit(p, false));
        PortalLabels::Node node;
        node.slot = slot;
        node.x = static_cast<uint16_t>(corner.x + exit.x);
        node.y = static_cast<uint16_t>(corner.y + exit.y);
        labels.add(node);
    }
    return slot;
}

// The region of a cell is that of the exits that a flood reaches. No exit: the region has none, and any number will do.
void RegionRoute::Impl::find_region(EndRegion& end, Cell cell) {
    end.sector = portals->sector_at(cell);
    const SectorPortals& sector = *slots[enter(end.sector)].portals;
    const Cell corner = portals->corner(end.sector);
    const RegionFlood& flood =
        builder.flood(portals->grid(), portals->rect(end.sector), portals->movement(), {cell.x - corner.x, cell.y - corner.y});
    end.region = kInfinite<uint32_t>;
    end.lengths.clear();
    for (uint32_t r = 0; r < sector.regions() && end.region == kInfinite<uint32_t>; ++r) {
        const auto [first, last] = sector.exits_of(r);
        if (first == last || flood.length(sector.exit(first).cell()) == kInfinite<uint32_t>) continue;
        end.region = r;
        end.first_exit = first;
        for (uint32_t e = first; e < last; ++e) end.lengths.push_back(flood.length(sector.exit(e).cell()));
    }
}

// The node of an exit's portal.
PortalSide RegionRoute::Impl::portal_of(uint32_t slot, const RegionExit& exit) {
    const uint32_t sector = slots[slot].sector;
    if (owns_side(exit.side)) return {slots[slot].first_node + slots[slot].portals->number(exit.side, exit.position), exit.second != 0};
    const Slot& neighbour = slots[enter(portals->neighbour(sector, exit.side))];
    return {neighbour.first_node + neighbour.portals->number(exit.side ^ 2u, exit.position), true};
}

// The exit of a node's portal on the side that a path enters, if it comes from the region of the first or the second exit.
ExitRef RegionRoute::Impl::entered(uint32_t node, bool from_second) {
    const uint32_t slot = labels[node].slot;
    const SectorPortals& own = *slots[slot].portals;
    const uint32_t number = node - slots[slot].first_node, first = own.own_exit(number, false);
    const RegionExit& exit = own.exit(first);
    if (from_second) return {slot, first};
    if (exit.side == kInside) return {slot, own.own_exit(number, true)};
    const uint32_t other = enter(portals->neighbour(slots[slot].sector, exit.side));
    return {other, slots[other].portals->foreign_exit(exit.side ^ 2u, exit.position)};
}

template <class Emit>
void RegionRoute::Impl::leave_start(Emit&& emit) {
    if (direct < limit) emit(kGoalNode, direct, kStartNode << 1);
    if (from.lengths.empty()) return;
    const uint32_t slot = enter(from.sector);
    const SectorPortals& sector = *slots[slot].portals;
    const uint64_t cost = costs->cost[sector.terrain(from.region)];
    for (uint32_t i = 0; i < from.lengths.size(); ++i) {
        const RegionExit& exit = sector.exit(from.first_exit + i);
        if (!costs->passable(exit.beyond)) continue;
        reach(slot, exit, kStartNode, cost * (uint64_t{2} * from.lengths[i] + half_cost(exit)), emit);
    }
}

// Emits all portals of the region that a path enters at `entry`.
template <class Emit>
void RegionRoute::Impl::cross(ExitRef entry, uint32_t node, uint64_t g, Emit&& emit) {
    const SectorPortals& sector = *slots[entry.slot].portals;
    const RegionExit& in = sector.exit(entry.exit);
    const uint64_t cost = costs->cost[sector.terrain(in.region)];
    if (slots[entry.slot].sector == to.sector && in.region == to.region) {
        const uint64_t there = g + cost * (uint64_t{2} * to.lengths[entry.exit - to.first_exit] + half_cost(in));
        if (there < limit) emit(kGoalNode, there, node << 1);
    }
    const auto [first, last] = sector.exits_of(in.region);
    const RegionFlood* flood = nullptr;
    for (uint32_t e = first; e < last; ++e) {
        const RegionExit& out = sector.exit(e);
        if (e == entry.exit || !costs->passable(out.beyond)) continue;
        uint64_t length = sector.distance(entry.exit, e);
        if (length == SectorPortals::kUnknown) {
            const uint32_t number = slots[entry.slot].sector;
            if (flood == nullptr) flood = &builder.flood(portals->grid(), portals->rect(number), portals->movement(), in.cell());
            length = flood->length(out.cell());
        }
        reach(entry.slot, out, node, g + cost * (2 * length + half_cost(in) + half_cost(out)), emit);
    }
}

template <class Emit>
void RegionRoute::Impl::reach(uint32_t slot, const RegionExit& exit, uint32_t node, uint64_t g, Emit&& emit) {
    const PortalSide portal = portal_of(slot, exit);
    if (limit != kInfinite<uint64_t> && g + bound(portal.node) >= limit) return;
    emit(portal.node, g, node << 1 | (portal.second ? 1u : 0u));
}

// The octile distance from the portal's cell in its sector, less the half step by which its middle may be nearer to the goal.
uint64_t RegionRoute::Impl::bound(uint32_t node) const {
    if (node == kGoalNode) return 0;
    const Cell cell = node == kStartNode ? start : Cell{labels[node].x, labels[node].y};
    const uint64_t twice = 2 * octile_length(*rule, cell, goal);
    return cheapest * (twice - std::min<uint64_t>(twice, kDiagonal));
}

RegionRoute::RegionRoute() : impl_(std::make_unique<Impl>()) {}
RegionRoute::~RegionRoute() = default;
RegionRoute::RegionRoute(RegionRoute&&) noexcept = default;
RegionRoute& RegionRoute::operator=(RegionRoute&&) noexcept = default;

void RegionRoute::begin(const RegionPortals& portals, const Ground& ground, Cell start, Cell goal, Cost limit) {
    Impl& s = *impl_;
    s.search.reset();
    s.reset();
    s.portals = &portals;
    s.costs = &ground.costs();
    s.rule = &ground.rule();
    s.start = start;
    s.goal = goal;
    s.cheapest = ground.bounds().cheapest;
    s.limit = limit == kInfiniteCost ? kInfinite<uint64_t> : limit / ground.costs().divisor;
    s.slot_of.resize(std::max<size_t>(s.slot_of.size(), portals.sectors()));
    s.find_region(s.from, start);
    s.find_region(s.to, goal);
    if (s.from.sector == s.to.sector) {
        const Cell corner = portals.corner(s.to.sector);
        const auto relative = [&](Cell c) { return Cell{c.x - corner.x, c.y - corner.y}; };
        const uint64_t length = s.builder.flood(portals.grid(), portals.rect(s.to.sector), portals.movement(), relative(goal)).length(relative(start));
        if (length != kInfinite<uint32_t>) s.direct = 2 * length * s.costs->cost[portals.grid().at(start)];
    }
    s.search.emplace(Impl::Graph{&s}, Impl::Bound{&s}, OneGoal<uint32_t>{kGoalNode}, s.labels, s.queue, kWeight);
    s.search->start(kStartNode);
    s.status = Status::kBudgetSpent;
}

Status RegionRoute::run(uint64_t budget) {
    if (impl_->status == Status::kBudgetSpent) impl_->status = impl_->search->run(budget);
    return impl_->status;
}

uint64_t RegionRoute::expansions() const { return impl_->search ? impl_->search->expansions() : 0; }
Cost RegionRoute::cost() const { return impl_->search->goal_cost() * impl_->costs->divisor; }

void RegionRoute::waypoints(std::vector<Cell>& out) const {
    Impl& s = *impl_;
    const auto cell_of = [&](const ExitRef& ref) {
        const Cell corner = s.portals->corner(s.slots[ref.slot].sector), cell = s.slots[ref.slot].portals->exit(ref.exit).cell();
        return Cell{corner.x + cell.x, corner.y + cell.y};
    };
    out.assign(1, s.goal);
    for (uint32_t node = s.labels[kGoalNode].via >> 1; node != kStartNode; node = s.labels[node].via >> 1) {
        const bool from_second = (s.labels[node].via & 1) != 0;
        out.push_back(cell_of(s.entered(node, from_second)));
        out.push_back(cell_of(s.entered(node, !from_second)));
    }
    std::reverse(out.begin(), out.end());
}

size_t RegionRoute::bytes() const {
    return sizeof(Impl) + impl_->slot_of.capacity() * 4 + impl_->slots.capacity() * sizeof(Slot) + impl_->labels.bytes() + impl_->queue.bytes();
}

}  // namespace terrane
