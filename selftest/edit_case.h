// A map, edits to it, and a structure that repairs itself: small enough to print, and to be made smaller.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "terrane/grid/grid.h"
#include "terrane/grid/grid_graph.h"
#include "terrane/grid/profile.h"
#include "terrane/base/rng.h"

namespace terrane::selftest {

// Follows a map through its edits.
class Structure {
public:
    virtual ~Structure() = default;
    virtual void update(const EditResult& edit) = 0;
    // Whether it is what a new one, made of the map as it is now, would be.
    virtual bool is_as_new() const = 0;
};

struct StructureKind {
    const char* name;
    uint32_t choices;  // settings that it comes in, 0 to this less one
    std::function<std::unique_ptr<Structure>(const Ground& ground, uint32_t choice)> make;
};
std::span<const StructureKind> structure_kinds();

using Edit = std::vector<CellEdit>;

struct EditCase {
    int32_t width = 0, height = 0;
    std::vector<Terrain> cells;     // by rows; numbers below costs.size()
    std::vector<Hundredths> costs;  // of each terrain; 0: blocked
    Movement movement = Movement::kEight;
    uint32_t choice = 0;
    std::vector<Edit> edits;
};

// `edits` of them, on a map of at most max_side cells a side.
EditCase draw_case(Rng& rng, uint32_t choices, int32_t max_side, uint32_t edits);

// The number of the first edit after which the structure is not as new; nothing where there is none. It is looked at after every edit for
// which look(number) holds, and after the last.
std::optional<uint32_t> first_failure(const EditCase& c, const StructureKind& kind, const std::function<bool(uint32_t)>& look);

// A smaller case that fails as well: fewer edits, fewer cells, plainer ground. For a case that fails.
EditCase shrunk(EditCase c, const StructureKind& kind);

// As text: the map drawn, the costs, the edits.
std::string to_text(const EditCase& c, const StructureKind& kind);

}  // namespace terrane::selftest
