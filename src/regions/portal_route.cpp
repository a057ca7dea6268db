#include "regions/portal_route.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "terrane/search/bucket_queue.h"

namespace terrane {

using namespace detail;

namespace {

// Suboptimality that the search over portals allows: 1.1 takes 92% of the expansions of 1 (docs/notes/regions.md).
constexpr Weight kWeight{11, 10};

constexpr uint64_t kBucketCells = 4;
constexpr uint32_t kStartNode = 0, kGoalNode = 1;

// How a path arrives at a portal. The middle between the portal's cells, in half cells, is here because it is known here.
struct Arrival {
    uint32_t from = kStartNode;  // the node before
    uint16_t x = 0, y = 0;       // of the middle, plus 1
    uint8_t side = kInside;      // of the sector that the path leaves, or kInside
    bool second = false;         // kInside: whether it arrives at the second exit
};

// Labels of the portals of the sectors that a search has entered, in the order in which it entered them.
class PortalLabels {
public:
    struct Label {
        uint64_t g;
        Arrival via;
    };
    struct Node {
        uint64_t g = kInfinite<uint64_t>;
        Arrival via;
        bool closed = false;
        uint32_t slot = 0;  // of the sector that owns the portal
    };

    void reset() { nodes_.assign(2, Node{}); }
    uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
    // Adds `count` nodes.
    void add(uint32_t count, uint32_t slot) {
        Node node;
        node.slot = slot;
        nodes_.resize(nodes_.size() + count, node);
    }
    const Node& operator[](uint32_t node) const { return nodes_[node]; }
    size_t bytes() const { return nodes_.capacity() * sizeof(Node); }

    uint64_t g(uint32_t node) const { return nodes_[node].g; }
    Label label(uint32_t node) const { return {nodes_[node].g, nodes_[node].via}; }
    bool improve(uint32_t node, uint64_t g, uint32_t /*from*/, const Arrival& via) {
        if (g >= nodes_[node].g) return false;
        nodes_[node].g = g;
        nodes_[node].via = via;
        return true;
    }
    bool closed(uint32_t node) const { return nodes_[node].closed; }
    bool close(uint32_t node) { return !std::exchange(nodes_[node].closed, true); }
    template <class G>
    uint32_t parent(const G& graph, uint32_t node) const {
        return graph.origin(node, nodes_[node].via);
    }

private:
    Vector<Node> nodes_;
};

// A sector that the search has entered.
struct Slot {
    const SectorPortals* portals;
    uint32_t sector;
    uint32_t first_node;
    uint32_t south;              // number of the sector's first portal to the south
    uint32_t to_west, to_north;  // 1 + slot of that neighbour; 0 until needed
    Cell corner;
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

struct PortalRoute::Impl : ScopeAllocated {
    struct Graph {
        using Node = uint32_t;
        using Value = uint64_t;
        using Via = Arrival;
        Impl* route;

        template <class Label, class Emit>
        void expand(Node node, const Label& label, Emit&& emit) const {
            if (node == kStartNode) return route->leave_start(emit);
            route->cross(route->entry(node, label.via), node, label.g, emit);
        }
        Node origin(Node, const Via& via) const { return via.from; }
    };
    struct Bound {
        const Impl* route;
        uint64_t operator()(uint32_t node, const Arrival& via) const { return node == kGoalNode ? 0 : route->bound(via.x, via.y); }
    };
    using Search = BestFirst<Graph, Bound, OneGoal<uint32_t>, PortalLabels, LinkedBucketQueue<uint32_t, uint64_t>, NoObserver, ExpandOnce>;

    const RegionPortals* portals = nullptr;
    const CostTable* costs = nullptr;
    const MovementRule* rule = nullptr;
    Cell start, goal;
    uint64_t cheapest = 0;  // lowest terrain cost on the map
    EndRegion from, to;
    uint64_t direct = kInfinite<uint64_t>;  // cost of the path inside the region of both ends

    Vector<uint32_t> slot_of;  // by sector: 1 + index of its slot, 0 if the search has not entered it
    Vector<Slot> slots;
    PortalLabels labels;
    LinkedBucketQueue<uint32_t, uint64_t> queue;
    SectorPortalsBuilder builder, flooder;  // of portals; of lengths that they do not store
    std::optional<Search> search;
    Status status = Status::kUnreachable;

    void reset();
    uint32_t enter(uint32_t sector);
    void find_region(EndRegion& end, Cell cell);
    uint32_t node_of(uint32_t slot, const RegionExit& exit);
    ExitRef exit_of(uint32_t node, bool second);
    ExitRef entry(uint32_t node, const Arrival& via);
    template <class Emit>
    void leave_start(Emit&& emit);
    template <class Emit>
    void cross(ExitRef entry, uint32_t node, uint64_t g, Emit&& emit);
    Arrival arrival_at(uint32_t slot, const RegionExit& exit, uint32_t from_node) const;
    uint64_t bound(int32_t x, int32_t y) const { return cheapest * octile_length(*rule, {x, y}, {2 * goal.x + 1, 2 * goal.y + 1}); }
};

void PortalRoute::Impl::reset() {
    for (const Slot& slot : slots) slot_of[slot.sector] = 0;
    slots.clear();
    labels.reset();
    direct = kInfinite<uint64_t>;
}

// Returns the slot of a sector, and gives its portals nodes when the search first enters it.
uint32_t PortalRoute::Impl::enter(uint32_t sector) {
    if (slot_of[sector] != 0) return slot_of[sector] - 1;
    const auto slot = static_cast<uint32_t>(slots.size());
    const SectorPortals& found = portals->at(sector, builder);
    slots.push_back({&found, sector, labels.size(), found.number(2, 0), 0, 0, portals->corner(sector)});
    labels.add(found.owned(), slot);
    slot_of[sector] = slot + 1;
    return slot;
}

// The region of a cell is that of the exits that a flood reaches. No exit: the region has none, and any number will do.
void PortalRoute::Impl::find_region(EndRegion& end, Cell cell) {
    end.sector = portals->sector_at(cell);
    const SectorPortals& sector = *slots[enter(end.sector)].portals;
    const Cell corner = portals->corner(end.sector);
    const MaskFlood& flood =
        flooder.flood(portals->grid(), portals->rect(end.sector), portals->movement(), {cell.x - corner.x, cell.y - corner.y});
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
uint32_t PortalRoute::Impl::node_of(uint32_t slot, const RegionExit& exit) {
    if (owns_side(exit.side)) return slots[slot].first_node + slots[slot].portals->number(exit.side, exit.position);
    const auto neighbour = [&] { return enter(portals->neighbour(slots[slot].sector, exit.side)); };
    if (exit.side == 3) {  // the first portals of a sector are those to the east
        if (slots[slot].to_west == 0) slots[slot].to_west = 1 + neighbour();
        return slots[slots[slot].to_west - 1].first_node + exit.position;
    }
    if (exit.side == 0) {
        if (slots[slot].to_north == 0) slots[slot].to_north = 1 + neighbour();
        const Slot& north = slots[slots[slot].to_north - 1];
        return north.first_node + north.south + exit.position;
    }
    const Slot& corner = slots[neighbour()];
    return corner.first_node + corner.portals->number(exit.side ^ 2u, exit.position);
}

// One of the two exits of a node's portal: the first is in the sector that owns it.
ExitRef PortalRoute::Impl::exit_of(uint32_t node, bool second) {
    const uint32_t slot = labels[node].slot;
    const SectorPortals& own = *slots[slot].portals;
    const uint32_t number = node - slots[slot].first_node, first = own.own_exit(number, false);
    const RegionExit& exit = own.exit(first);
    if (!second) return {slot, first};
    if (exit.side == kInside) return {slot, own.own_exit(number, true)};
    const uint32_t other = enter(portals->neighbour(slots[slot].sector, exit.side));
    return {other, slots[other].portals->foreign_exit(exit.side ^ 2u, exit.position)};
}

// The exit of a node's portal in the region that a path enters. Reads only the sector of that region.
ExitRef PortalRoute::Impl::entry(uint32_t node, const Arrival& via) {
    const uint32_t slot = labels[node].slot, number = node - slots[slot].first_node;
    if (via.side == kInside) return {slot, slots[slot].portals->own_exit(number, !via.second)};
    if (!owns_side(via.side)) return {slot, slots[slot].portals->own_exit(number, false)};
    const uint32_t other = enter(portals->neighbour(slots[slot].sector, via.side));
    const uint32_t first = via.side == 1 ? 0 : via.side == 2 ? slots[slot].south : slots[slot].portals->number(via.side, 0);
    return {other, slots[other].portals->foreign_exit(via.side ^ 2u, number - first)};
}

template <class Emit>
void PortalRoute::Impl::leave_start(Emit&& emit) {
    if (direct != kInfinite<uint64_t>) emit(kGoalNode, direct, Arrival{});
    if (from.lengths.empty()) return;
    const uint32_t slot = enter(from.sector);
    const SectorPortals& sector = *slots[slot].portals;
    const uint64_t cost = costs->cost[sector.terrain(from.region)];
    for (uint32_t i = 0; i < from.lengths.size(); ++i) {
        const RegionExit& exit = sector.exit(from.first_exit + i);
        if (!costs->passable(exit.beyond)) continue;
        const uint64_t g = cost * (uint64_t{2} * from.lengths[i] + half_cost(exit));
        emit(node_of(slot, exit), g, arrival_at(slot, exit, kStartNode));
    }
}

// Emits all portals of the region that a path enters at `entry`.
template <class Emit>
void PortalRoute::Impl::cross(ExitRef entry, uint32_t node, uint64_t g, Emit&& emit) {
    const SectorPortals& sector = *slots[entry.slot].portals;
    const RegionExit& in = sector.exit(entry.exit);
    const uint64_t cost = costs->cost[sector.terrain(in.region)];
    if (slots[entry.slot].sector == to.sector && in.region == to.region) {
        Arrival arrival;
        arrival.from = node;
        emit(kGoalNode, g + cost * (uint64_t{2} * to.lengths[entry.exit - to.first_exit] + half_cost(in)), arrival);
    }
    const MaskFlood* flood = nullptr;
    const uint64_t entered = g + cost * half_cost(in);
    sector.for_each_other_exit(entry.exit, [&](uint32_t exit, uint32_t length) {
        const RegionExit& out = sector.exit(exit);
        if (!costs->passable(out.beyond)) return;
        if (length == SectorPortals::kUnknown) {
            const Rect rect = portals->rect(slots[entry.slot].sector);
            if (flood == nullptr) flood = &flooder.flood(portals->grid(), rect, portals->movement(), in.cell());
            length = flood->length(out.cell());
        }
        emit(node_of(entry.slot, out), entered + cost * (uint64_t{2} * length + half_cost(out)), arrival_at(entry.slot, out, node));
    });
}

Arrival PortalRoute::Impl::arrival_at(uint32_t slot, const RegionExit& exit, uint32_t from_node) const {
    const auto x = static_cast<uint16_t>(2 * slots[slot].corner.x + exit.middle_x);
    const auto y = static_cast<uint16_t>(2 * slots[slot].corner.y + exit.middle_y);
    return {from_node, x, y, exit.side, exit.second != 0};
}

PortalRoute::PortalRoute() : impl_(std::make_unique<Impl>()) {}
PortalRoute::~PortalRoute() = default;
PortalRoute::PortalRoute(PortalRoute&&) noexcept = default;
PortalRoute& PortalRoute::operator=(PortalRoute&&) noexcept = default;

void PortalRoute::begin(const RegionPortals& portals, const Ground& ground, Cell start, Cell goal) {
    Impl& s = *impl_;
    s.search.reset();
    s.reset();
    s.portals = &portals;
    s.costs = &ground.costs();
    s.rule = &ground.rule();
    s.start = start;
    s.goal = goal;
    s.cheapest = ground.bounds().cheapest;
    // Buckets as wide as the cost of kBucketCells straight steps on the cheapest terrain.
    s.queue.reset(static_cast<uint32_t>(std::bit_width(kWeight.denominator * 2 * kStraight * kBucketCells * s.cheapest) - 1));
    s.slot_of.resize(std::max<size_t>(s.slot_of.size(), portals.sectors()));
    s.find_region(s.from, start);
    s.find_region(s.to, goal);
    if (s.from.sector == s.to.sector) {
        const Cell corner = portals.corner(s.to.sector);
        const auto relative = [&](Cell c) { return Cell{c.x - corner.x, c.y - corner.y}; };
        const uint64_t length =
            s.flooder.flood(portals.grid(), portals.rect(s.to.sector), portals.movement(), relative(goal)).length(relative(start));
        if (length != kInfinite<uint32_t>) s.direct = 2 * length * s.costs->cost[portals.grid().at(start)];
    }
    s.search.emplace(Impl::Graph{&s}, Impl::Bound{&s}, OneGoal<uint32_t>{kGoalNode}, s.labels, s.queue, kWeight);
    s.search->start(kStartNode);
    s.status = Status::kBudgetSpent;
}

Status PortalRoute::run(uint64_t budget) {
    if (impl_->status == Status::kBudgetSpent) impl_->status = impl_->search->run(budget);
    return impl_->status;
}

uint64_t PortalRoute::expansions() const { return impl_->search ? impl_->search->expansions() : 0; }
Cost PortalRoute::cost() const { return impl_->search->goal_cost() * impl_->costs->divisor; }

void PortalRoute::waypoints(std::vector<Cell>& out) const {
    Impl& s = *impl_;
    const auto cell_of = [&](const ExitRef& ref) {
        const Cell corner = s.slots[ref.slot].corner, cell = s.slots[ref.slot].portals->exit(ref.exit).cell();
        return Cell{corner.x + cell.x, corner.y + cell.y};
    };
    out.assign(1, s.goal);
    for (uint32_t node = s.labels[kGoalNode].via.from; node != kStartNode; node = s.labels[node].via.from) {
        const Arrival& via = s.labels[node].via;
        const bool from_second = via.side == kInside ? via.second : !owns_side(via.side);
        out.push_back(cell_of(s.exit_of(node, !from_second)));
        out.push_back(cell_of(s.exit_of(node, from_second)));
    }
    std::reverse(out.begin(), out.end());
}

size_t PortalRoute::bytes() const {
    return sizeof(Impl) + impl_->slot_of.capacity() * 4 + impl_->slots.capacity() * sizeof(Slot) + impl_->labels.bytes() +
           impl_->queue.bytes();
}

}  // namespace terrane
