// A test case of a self-repairing structure: a map and edits, small enough to print and to be reduced.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "terrane/base/rng.h"
#include "terrane/grid/grid.h"
#include "terrane/grid/grid_graph.h"
#include "terrane/grid/profile.h"

namespace terrane::selftest {

// A structure that follows the edits of a map.
class Structure {
public:
    virtual ~Structure() = default;
    virtual void update(const EditResult& edit) = 0;
    // Whether it is equivalent to one built from the current map.
    virtual bool is_as_new() const = 0;
};

struct StructureKind {
    const char* name;
    uint32_t choices;  // number of settings
    std::function<std::unique_ptr<Structure>(const Ground& ground, uint32_t choice)> make;
};
std::span<const StructureKind> structure_kinds();

using Edit = std::vector<CellEdit>;

struct EditCase {
    int32_t width = 0, height = 0;
    std::vector<Terrain> cells;     // row by row; values below costs.size()
    std::vector<Hundredths> costs;  // per terrain; 0: blocked
    Movement movement = Movement::kEightNoCornerCutting;
    uint32_t choice = 0;
    std::vector<Edit> edits;
};

// Draws a map of at most max_side cells a side and `edits` edits.
EditCase draw_case(Rng& rng, uint32_t choices, int32_t max_side, uint32_t edits);

// Returns the index of the first edit after which the structure is not as new, if there is one. Checks after every edit for which
// look(index) holds, and after the last.
std::optional<uint32_t> first_failure(const EditCase& c, const StructureKind& kind, const std::function<bool(uint32_t)>& look);

// Reduces a failing case to a smaller one that fails, too: fewer edits, fewer cells, fewer terrains.
EditCase shrunk(EditCase c, const StructureKind& kind);

// Formats the case as text: the map, the costs, the edits.
std::string to_text(const EditCase& c, const StructureKind& kind);

}  // namespace terrane::selftest
