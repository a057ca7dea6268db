// Paths by way of a portal overlay: a search over portals, crossings made better along the lines, cells read off the windows' fields.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "terrane/best_first.h"
#include "terrane/portal_overlay.h"

namespace terrane {

struct PortalSearchOptions {
    bool crossings = true;  // every second crossing is moved to the best cell of its line
};

// Scratch and state of one search at a time: one per thread, reused. Keeps the fields (distances of all cells of a window to its portals)
// that it made last, in at most `field_bytes`: about 18 KB for a window with 8 portals. What a search answers does not depend on what is
// kept.
class PortalSearch {
public:
    explicit PortalSearch(size_t field_bytes = size_t{24} << 20);
    ~PortalSearch();
    PortalSearch(PortalSearch&&) noexcept;
    PortalSearch& operator=(PortalSearch&&) noexcept;

    // Begins a search, dropping the one before. `overlay` must outlive it; both cells are on its map and passable.
    void begin(const PortalOverlay& overlay, Cell start, Cell goal, const PortalSearchOptions& options = {});

    // Expands at most `budget` more portals (or cells, of a window that holds both ends). kBudgetSpent: call again to go on. Final:
    // kFound, kUnreachable.
    Status run(uint64_t budget = kUnlimited);

    // Portals and cells expanded, and cells of lines looked at for crossings.
    uint64_t expansions() const;

    // From start to goal, both included. Only when found.
    const std::vector<Cell>& cells() const;

    uint64_t field_hits() const;
    uint64_t field_misses() const;
    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
