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
// Memory: 4 bytes for each pair of portals of a window, 8 for each portal and landmark, and, for windows whose cells differ, 0.8 KB for
// each portal: the guide by which cells are written out. As many guides are kept as OverlayOptions::max_bytes has room for; a search that
// comes through a window without one makes it, and keeps it for a while.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "terrane/base/memory.h"
#include "terrane/base/paged_vector.h"
#include "terrane/grid/ground.h"
#include "terrane/grid/profile.h"

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
    size_t max_bytes = 0;  // of all that is kept, tables and landmarks (which always are) included; 0: 8 for each cell of the map, or 16 MB
};

namespace detail {

inline constexpr uint32_t kNoWay = 0xffffffff;  // a distance: none inside the window
inline constexpr uint32_t kNoSegment = 0xffffffff;

// Potentials are cut off here, so that sums and differences of two fit: cutting off leaves no two farther apart.
inline constexpr int32_t kMaxPotential = 1 << 30;

struct SegmentRecord {
    Vector<Cell> portals;
};

// The portals of a window, side by side (north, east, south, west), how far they are from each other, and their coarse potentials: a view
// of one block of numbers, so that a search has all it reads in one place. (Potentials kept line by line took a third longer.)
class PortalTable {
public:
    // How many portals there are is kept beside the pointer: a search would wait twice if it had to read that first.
    struct Block {
        std::shared_ptr<uint32_t[]> numbers;
        uint32_t ends = 0;  // of each side's portals, eight bits each
    };
    // A portal whatever OverlayRoot::shift is: its line, and its number there in 8 bits.
    using Name = uint32_t;

    // `first`: of the portals of each side, and their end; at most 255. Names, distances and potentials are 0.
    static Block make(const std::array<uint32_t, 5>& first, uint32_t landmarks) {
        return {share<uint32_t[]>(size(first[4], landmarks)), first[1] | first[2] << 8 | first[3] << 16 | first[4] << 24};
    }
    explicit PortalTable(const Block& block) : numbers_(block.numbers.get()), ends_(block.ends) {}

    uint32_t first(uint32_t side) const { return side == 0 ? 0 : ends_ >> (8 * (side - 1)) & 255; }
    uint32_t count() const { return ends_ >> 24; }
    Name* names() { return numbers_; }
    const Name* names() const { return numbers_; }
    // Of one portal to each; kNoWay where there is none.
    uint32_t* row(uint32_t portal) { return numbers_ + size_t{portal + 1} * count(); }
    const uint32_t* row(uint32_t portal) const { return numbers_ + size_t{portal + 1} * count(); }
    // Of all portals, one after another: each as many numbers as there are landmarks.
    const int16_t* coarse() const { return reinterpret_cast<const int16_t*>(row(count())); }
    Block with_coarse(std::span<const int16_t> potentials) const;
    size_t bytes(uint32_t landmarks) const { return size(count(), landmarks) * 4; }

private:
    static size_t size(size_t portals, size_t landmarks) { return portals + portals * portals + portals * landmarks / 2; }
    uint32_t* numbers_;
    uint32_t ends_;
};

struct WindowGuide;  // window_field.h

struct WindowRecord {
    uint32_t uniform_cost = 0;                 // of all its cells, 0 where they differ: distances in closed form
    std::shared_ptr<const WindowGuide> guide;  // null where all cells cost the same, and where there was no room for it
};

struct OverlayRoot {
    Ground ground;
    CostTable small;  // what the tables are made with: the same, unless that would not fit
    OverlayOptions options;
    uint32_t windows_x = 0, windows_y = 0;
    uint32_t shift = 0;  // of PortalId
    PagedVector<std::shared_ptr<const SegmentRecord>> segments;
    PagedVector<std::shared_ptr<const WindowRecord>> windows;
    PagedVector<PortalTable::Block> tables;              // of the windows
    PagedVector<std::shared_ptr<int32_t[]>> potentials;  // of a segment's portals, one portal's after another's
    uint32_t coarse_shift = 0;                           // those in the tables are in units of 2^coarse_shift, and cut off at 32767
    uint64_t portals = 0;
    std::array<uint32_t, 6> widths{};  // lines whose portal numbers need so many bits
    uint32_t guides_kept = 0;          // of 65536

    uint32_t window_count() const { return windows_x * windows_y; }
    Rect window_rect(uint32_t w) const;

    // The lines: for each window the one to its east, then the one to its south; those at the edge of the map have no portals.
    uint32_t segment_count() const { return 2 * window_count(); }
    static bool upright(uint32_t segment) { return segment % 2 == 0; }
    Rect segment_rect(uint32_t s) const;  // empty at the edge of the map
    // The two windows of a line: left and right, or upper and lower; and which of their sides it is.
    uint32_t window_of(uint32_t segment, bool second) const { return segment / 2 + (!second ? 0 : upright(segment) ? 1 : windows_x); }
    static uint32_t side_of(uint32_t segment, bool second) { return upright(segment) ? (second ? 3 : 1) : (second ? 0 : 2); }
    // The line on a side of a window (0 north, 1 east, 2 south, 3 west); kNoSegment at the edge of the map.
    uint32_t segment_of(uint32_t window, uint32_t side) const {
        const uint32_t x = window % windows_x, y = window / windows_x;
        switch (side) {
            case 0: return y == 0 ? kNoSegment : 2 * (window - windows_x) + 1;
            case 1: return x + 1 == windows_x ? kNoSegment : 2 * window;
            case 2: return y + 1 == windows_y ? kNoSegment : 2 * window + 1;
            default: return x == 0 ? kNoSegment : 2 * (window - 1);
        }
    }

    PortalTable table(uint32_t w) const { return PortalTable(tables[w]); }
    bool keeps_guide(uint32_t w) const { return (w * 40503 & 0xffff) < guides_kept; }
    PortalId id(PortalTable::Name name) const { return name >> 8 << shift | (name & 255); }
    uint32_t number(PortalId id) const { return id & ((1u << shift) - 1); }  // on its line
    Cell portal(PortalId id) const { return segments[id >> shift]->portals[number(id)]; }
    const int32_t* potential(PortalId id) const { return potentials[id >> shift].get() + size_t{number(id)} * options.landmarks; }
    PortalTable::Block with_coarse(uint32_t window) const;  // its table, with the potentials of its portals as they are now
};

}  // namespace detail

class PortalOverlay {
public:
    // For a map of at least one cell.
    static PortalOverlay build(const Ground& ground, const OverlayOptions& options = {});

    // For the map after an edit of the map that this is for; nothing if `edit` began at another version. The windows that the edit touched
    // are made anew; landmarks are lowered where ways got shorter.
    std::optional<PortalOverlay> updated(const EditResult& edit) const;

    // Whether it is for this very version, rule, and costs.
    bool valid_for(const Ground& ground) const;

    uint64_t portal_count() const { return root_->portals; }
    // All that it keeps, shared with other versions where they are the same; and without the guides: what max_bytes cannot go below.
    size_t bytes() const;
    size_t table_bytes() const;

    const detail::OverlayRoot& root() const { return *root_; }

private:
    friend class OverlayBuilder;
    friend class OverlayUpdater;
    explicit PortalOverlay(std::shared_ptr<const detail::OverlayRoot> root) : root_(std::move(root)) {}
    std::shared_ptr<const detail::OverlayRoot> root_;
};

// Builds one in slices: while a game runs, say. The result is that of PortalOverlay::build.
class OverlayBuilder {
public:
    // For a map of at least one cell.
    OverlayBuilder(const Ground& ground, const OverlayOptions& options = {});
    ~OverlayBuilder();
    OverlayBuilder(OverlayBuilder&&) noexcept;
    OverlayBuilder& operator=(OverlayBuilder&&) noexcept;

    // Works on, for about `budget` portals expanded (a window counts as kWindowWork of them); true when all is done.
    static constexpr uint64_t kWindowWork = 100;
    bool run(uint64_t budget);
    // Of 1.
    double progress() const;
    // Once, when all is done.
    PortalOverlay take();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Updates one in slices. The result is that of PortalOverlay::updated.
class OverlayUpdater {
public:
    // `edit` began at the version that `overlay` is for. Picks the portals of the cluster borders that the edit touched.
    OverlayUpdater(const PortalOverlay& overlay, const EditResult& edit);
    ~OverlayUpdater();
    OverlayUpdater(OverlayUpdater&&) noexcept;
    OverlayUpdater& operator=(OverlayUpdater&&) noexcept;

    // Rebuilds clusters for about `budget` portals expanded (a cluster counts as OverlayBuilder::kWindowWork of them); true when all is
    // done. The repair of the landmarks is one last step.
    bool run(uint64_t budget);
    double progress() const;  // 0 to 1, of the clusters
    // Once, when all is done.
    PortalOverlay take();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
