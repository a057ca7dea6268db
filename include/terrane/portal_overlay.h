// The portal overlay: a map cut into windows that share their border lines, a few cells of each line as portals, and for one
// profile the distances between the portals of each window. A search over portals is short, and its answer near optimal.
// Based on: Delling, Goldberg, Pajor, Werneck 2011 (customizable route planning), on grids; Goldberg, Harrelson 2005 (ALT).
//
// Windows are 33 cells a side and overlap by one: every way from one window to another has a cell on the line that they share, since
// no step is longer than a cell. A line's cells are cut into `slots`; each passable run of cells in a slot has one portal, its cheapest
// cell (ties: the one closest to the slot's middle, then the first). All cells of a run can walk along it to the portal inside either
// window, so that a way over cells exists if and only if one over portals does, whatever the obstacles.
//
// Distances inside a window are exact for ways that stay in it, in units of 29 for a straight and 41 for a diagonal step times the sum of
// two cells' costs; from path to cells the exact units are taken again. Landmarks guide the search: numbers p(L, .) with
// |p(L, a) - p(L, b)| at most the distance of any two portals of a window.
//
// A PortalOverlay is for one version of a map, one profile, one movement rule, and never changes; updated() makes the next.
// Memory: about 30 bytes a portal, 4 bytes for each pair of portals of a window, 4 for each portal and landmark.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "terrane/grid_graph.h"
#include "terrane/paged_vector.h"
#include "terrane/profile.h"

namespace terrane {

// The line between two windows, and the portal's number on it: segment << shift | number.
using PortalId = uint32_t;
inline constexpr PortalId kNoPortal = 0xffffffff;

inline constexpr int32_t kWindowStep = 32;  // cells from one line to the next
inline constexpr uint32_t kMaxSlots = 8;

struct OverlayOptions {
    uint32_t slots = 2;       // a line, 1..kMaxSlots
    uint32_t landmarks = 32;  // 0..64, a multiple of 8
    uint32_t threads = 1;     // to build with; 0: as many as the machine has; the result is the same for any number
};

namespace detail {

inline constexpr uint32_t kFarPortal = 0xffffffff;  // no way inside the window
inline constexpr uint32_t kNoSegment = 0xffffffff;

// Potentials are cut off here, so that sums and differences of two fit: cutting off leaves no two farther apart.
inline constexpr int32_t kMaxPotential = 1 << 30;

struct SegmentRecord {
    std::vector<Cell> portals;
};

// A window: its portals, side by side (north, east, south, west), and how far they are from each other.
struct WindowRecord {
    std::array<uint32_t, 5> first{};  // of the portals of each side, and their end
    uint32_t uniform_cost = 0;        // of all its cells, 0 where they differ: distances in closed form
    std::vector<uint32_t> distance;   // of each two, by rows; kFarPortal where there is no way

    size_t bytes() const { return sizeof(WindowRecord) + distance.capacity() * 4; }
};

struct OverlayRoot {
    GridSnapshot grid;
    CostTable costs;
    CostTable small;  // what the tables are made with: the same, unless that would not fit
    Movement movement = Movement::kEight;
    OverlayOptions options;
    uint32_t windows_x = 0, windows_y = 0;
    uint32_t shift = 0;  // of PortalId
    PagedVector<std::shared_ptr<const SegmentRecord>> segments;
    PagedVector<std::shared_ptr<const WindowRecord>> windows;
    PagedVector<std::shared_ptr<std::vector<int32_t>>> potentials;  // of a segment's portals, one portal's after another's
    uint64_t portals = 0;
    std::array<uint32_t, 6> widths{};  // lines whose portal numbers need so many bits

    uint32_t window_count() const { return windows_x * windows_y; }
    // Lines between windows side by side come first, then those between windows one above the other.
    uint32_t upright_segments() const { return (windows_x - 1) * windows_y; }
    uint32_t segment_count() const { return upright_segments() + windows_x * (windows_y - 1); }
    Rect window_rect(uint32_t w) const;
    Rect segment_rect(uint32_t s) const;
    // The two windows of a line: left and right, or upper and lower.
    uint32_t window_of(uint32_t segment, bool second) const {
        const uint32_t upright = upright_segments();
        if (segment >= upright) return segment - upright + (second ? windows_x : 0);
        return segment / (windows_x - 1) * windows_x + segment % (windows_x - 1) + (second ? 1 : 0);
    }
    // The line on a side of a window (0 north, 1 east, 2 south, 3 west); kNoSegment at the edge of the map.
    uint32_t segment_of(uint32_t window, uint32_t side) const {
        const uint32_t x = window % windows_x, y = window / windows_x;
        switch (side) {
            case 0: return y == 0 ? kNoSegment : upright_segments() + window - windows_x;
            case 1: return x + 1 == windows_x ? kNoSegment : y * (windows_x - 1) + x;
            case 2: return y + 1 == windows_y ? kNoSegment : upright_segments() + window;
            default: return x == 0 ? kNoSegment : y * (windows_x - 1) + x - 1;
        }
    }
    Cell portal(PortalId id) const { return segments[id >> shift]->portals[id & ((1u << shift) - 1)]; }
};

}  // namespace detail

class PortalOverlay {
public:
    // For a map of at least one cell.
    static PortalOverlay build(const GridSnapshot& grid, const CostTable& costs, Movement movement, const OverlayOptions& options = {});

    // For the map after an edit of the map that this is for; nothing if `edit` began at another version. The windows that the edit touched
    // are made anew; landmarks are lowered where ways got shorter.
    std::optional<PortalOverlay> updated(const EditResult& edit) const;

    // Whether it is for this very version, rule, and costs.
    bool valid_for(const GridSnapshot& grid, const CostTable& costs, Movement movement) const;

    uint64_t portal_count() const { return root_->portals; }
    size_t bytes() const;

    const detail::OverlayRoot& root() const { return *root_; }

private:
    explicit PortalOverlay(std::shared_ptr<const detail::OverlayRoot> root) : root_(std::move(root)) {}
    std::shared_ptr<const detail::OverlayRoot> root_;
};

}  // namespace terrane
