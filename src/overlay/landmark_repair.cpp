#include "overlay/landmark_repair.h"

#include <algorithm>
#include <array>

#include "base/eight.h"
#include "overlay/portal_graph.h"
#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane::detail {

namespace {

using Numbers = Eight<int32_t>;

// Steps of lowering for each of raising. For 1 / 2 / 4 and lowering alone, 200 squares of 32x32 painted on two weighted benchmark maps: 0.9
// / 1.0 / 1.5 / 2.5 ms an edit, and searches expand 443 / 423 / 411 / 413 portals afterwards, where new landmarks have 332: raised numbers
// are no distances, and guide a little less well.
constexpr uint32_t kLowerings = 2;

// The distance of two portals, as numbers are: no overflow when it is added to one.
uint32_t as_number(uint32_t distance) { return std::min<uint32_t>(distance, kMaxPotential - 1); }

// One landmark's numbers lowered as far as it takes, by Dijkstra's algorithm from where they are too great, so that each is lowered once;
// or raised, which is the same with numbers that are turned around. Nothing is written but here.
class Front {
public:
    Front(const OverlayRoot& root, bool raises) : root_(root), raises_(raises) {}

    void begin(uint32_t lane) {
        lane_ = lane;
        labels_.reset(PortalGraph::id_limit(root_));
        queue_.reset();
    }
    // A portal's number, and the distance, to the others of a window.
    void offer(PortalId id, uint32_t window) {
        const uint32_t* distance = root_.table(window).row(PortalGraph::index_in(root_, window, id));
        const uint32_t own = number(id);
        PortalGraph::for_each_portal(root_, window, [&](PortalId to, uint32_t i) {
            if (distance[i] == kNoWay) return;
            const uint32_t offered = own + as_number(distance[i]);
            if (offered >= number(to)) return;
            labels_.improve(to, offered, id, 0);
            queue_.push(offered, to, offered);
        });
    }
    // Takes one portal on; false when there is none.
    bool step() {
        while (!queue_.empty()) {
            const auto [id, number] = queue_.pop();
            if (labels_.g(id) != number) continue;  // a lesser one was found since
            for (const bool second : {false, true}) offer(id, root_.window_of(id >> root_.shift, second));
            return true;
        }
        return false;
    }
    // Calls visit(portal, its new number) for those that have one.
    template <class Visit>
    void for_each(Visit&& visit) const {
        labels_.for_each([&](PortalId id, uint32_t number) { visit(id, static_cast<int32_t>(turned(number))); });
    }

private:
    uint32_t turned(uint32_t number) const { return raises_ ? kMaxPotential - number : number; }
    uint32_t number(PortalId id) const {
        const uint32_t known = labels_.g(id);
        return known != kInfinite<uint32_t> ? known : turned(static_cast<uint32_t>(root_.potential(id)[lane_]));
    }

    const OverlayRoot& root_;
    const bool raises_;
    uint32_t lane_ = 0;
    PagedLabels<PortalId, uint32_t, uint8_t, 64> labels_;
    HeapQueue<PortalId, uint32_t> queue_;
};

class LandmarkRepair {
public:
    explicit LandmarkRepair(OverlayRoot& root) : root_(root), own_(root.segment_count()), lower_(root, false), raise_(root, true) {}

    void settle(std::span<const uint32_t> windows, std::span<const PortalTable::Name> fresh);
    void mend(std::span<const uint32_t> windows);
    Vector<uint32_t>& changed() { return changed_; }

private:
    template <class Visit>
    void for_each_pair(uint32_t window, Visit&& visit) const;
    template <class Visit>
    bool apart(PortalId from, PortalId to, Numbers distance, Visit&& visit) const;
    void find_lanes(uint32_t window);
    void mend_lane(uint32_t lane, std::span<const uint32_t> windows);
    bool lowering_is_less(bool may_raise);
    int32_t* writable(PortalId id);

    OverlayRoot& root_;
    std::array<int32_t, 64> lanes_{};  // landmarks whose numbers are too far apart somewhere: not 0
    Vector<uint32_t> changed_;         // segments
    Vector<bool> own_;                 // segments whose numbers are this version's alone
    Front lower_, raise_;
};

// Calls visit(from, to, to's name, distance) for the pairs of a window's portals that a way joins.
template <class Visit>
void LandmarkRepair::for_each_pair(uint32_t window, Visit&& visit) const {
    const PortalTable table = root_.table(window);
    PortalGraph::for_each_portal(root_, window, [&](PortalId from, uint32_t a) {
        PortalGraph::for_each_portal(root_, window, [&](PortalId to, uint32_t b) {
            const uint32_t distance = table.row(a)[b];
            if (distance != kNoWay) visit(from, to, table.names()[b], Numbers::all(static_cast<int32_t>(as_number(distance))));
        });
    });
}

// Whether any numbers of two portals are farther apart than this; visit(lane, which of the eight from there on are).
template <class Visit>
bool LandmarkRepair::apart(PortalId from, PortalId to, Numbers distance, Visit&& visit) const {
    const int32_t *near = root_.potential(from), *far = root_.potential(to);
    Numbers any = Numbers::all(0);
    for (uint32_t lane = 0; lane < root_.options.landmarks; lane += kLanes) {
        const Numbers here = Numbers::load(near + lane) + distance < Numbers::load(far + lane);
        visit(lane, here);
        any = any | here;
    }
    return any.any();
}

// Gives new portals their numbers: the greatest that the others of their windows leave them.
void LandmarkRepair::settle(std::span<const uint32_t> windows, std::span<const PortalTable::Name> fresh) {
    for (bool changed = !fresh.empty(); changed;) {
        changed = false;
        for (const uint32_t window : windows) {
            for_each_pair(window, [&](PortalId from, PortalId to, PortalTable::Name name, Numbers distance) {
                if (!std::ranges::binary_search(fresh, name) || !apart(from, to, distance, [](uint32_t, Numbers) {})) return;
                int32_t* const own = writable(to);  // and only then where the other's are: they may be of one line
                const int32_t* const near = root_.potential(from);
                for (uint32_t lane = 0; lane < root_.options.landmarks; lane += kLanes) {
                    Numbers::least(Numbers::load(near + lane) + distance, Numbers::load(own + lane)).store(own + lane);
                }
                changed = true;
            });
        }
    }
}

void LandmarkRepair::find_lanes(uint32_t window) {
    for_each_pair(window, [&](PortalId from, PortalId to, PortalTable::Name, Numbers distance) {
        apart(from, to, distance, [&](uint32_t lane, Numbers far) { (Numbers::load(&lanes_[lane]) | far).store(&lanes_[lane]); });
    });
}

// Takes both on until one is done.
bool LandmarkRepair::lowering_is_less(bool may_raise) {
    for (;;) {
        for (uint32_t i = 0; i < kLowerings; ++i) {
            if (!lower_.step()) return true;
        }
        if (may_raise && !raise_.step()) return false;
    }
}

// Where something was out of reach of the landmark, numbers are lowered: raised, they would be so everywhere.
void LandmarkRepair::mend_lane(uint32_t lane, std::span<const uint32_t> windows) {
    bool may_raise = true;
    lower_.begin(lane);
    raise_.begin(lane);
    for (const uint32_t window : windows) {
        PortalGraph::for_each_portal(root_, window, [&](PortalId id, uint32_t) {
            lower_.offer(id, window);
            raise_.offer(id, window);
            may_raise = may_raise && root_.potential(id)[lane] < kMaxPotential;
        });
    }
    (lowering_is_less(may_raise) ? lower_ : raise_).for_each([&](PortalId id, int32_t number) { writable(id)[lane] = number; });
}

void LandmarkRepair::mend(std::span<const uint32_t> windows) {
    lanes_.fill(0);
    for (const uint32_t window : windows) find_lanes(window);
    for (uint32_t lane = 0; lane < root_.options.landmarks; ++lane) {
        if (lanes_[lane] != 0) mend_lane(lane, windows);
    }
}

int32_t* LandmarkRepair::writable(PortalId id) {
    const uint32_t segment = id >> root_.shift, lanes = root_.options.landmarks;
    if (!own_[segment]) {
        changed_.push_back(segment);
        const size_t size = root_.segments[segment]->portals.size() * lanes;
        auto copy = share<int32_t[]>(size);
        std::copy_n(root_.potentials[segment].get(), size, copy.get());
        root_.potentials.set(segment, std::move(copy));
    }
    own_[segment] = true;
    return root_.potentials[segment].get() + size_t{root_.number(id)} * lanes;
}

// Those that share lines with each other, as far as that goes: what an edit of several places touched, place by place. Calls
// visit(windows).
template <class Visit>
void for_each_place(const OverlayRoot& root, std::span<const uint32_t> windows, Visit&& visit) {
    Vector<bool> seen(windows.size());
    Vector<uint32_t> place;
    const auto add = [&](uint32_t window) {
        const auto at = static_cast<size_t>(std::ranges::lower_bound(windows, window) - windows.begin());
        if (at == windows.size() || windows[at] != window || seen[at]) return;
        seen[at] = true;
        place.push_back(window);
    };
    for (const uint32_t first : windows) {
        place.clear();
        add(first);
        for (size_t next = 0; next < place.size(); ++next) {
            const uint32_t window = place[next], x = window % root.windows_x;
            add(window - root.windows_x);
            add(window + root.windows_x);
            if (x > 0) add(window - 1);
            if (x + 1 < root.windows_x) add(window + 1);
        }
        if (!place.empty()) visit(std::span<const uint32_t>(place));
    }
}

}  // namespace

std::shared_ptr<int32_t[]> carry_over(const OverlayRoot& root, uint32_t segment, const SegmentRecord& before, const SegmentRecord& after,
                                      Vector<PortalTable::Name>& fresh) {
    const uint32_t lanes = root.options.landmarks;
    auto out = share<int32_t[]>(after.portals.size() * lanes, kMaxPotential);
    for (uint32_t i = 0; i < after.portals.size(); ++i) {
        const auto same = std::find(before.portals.begin(), before.portals.end(), after.portals[i]);
        if (same == before.portals.end()) {
            fresh.push_back(segment << 8 | i);
        } else {
            std::copy_n(root.potentials[segment].get() + (same - before.portals.begin()) * lanes, lanes, out.get() + size_t{i} * lanes);
        }
    }
    return out;
}

Vector<uint32_t> repair_landmarks(OverlayRoot& root, std::span<const uint32_t> windows, std::span<const PortalTable::Name> fresh) {
    LandmarkRepair repair(root);
    repair.settle(windows, fresh);
    for_each_place(root, windows, [&](std::span<const uint32_t> place) { repair.mend(place); });
    return std::move(repair.changed());
}

}  // namespace terrane::detail
