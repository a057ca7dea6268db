// The searches over a subdivision, by name: what find_method (method.h) is for cells.
//
//   "grid:2", "quadtree", "framed:4", "bprep:8", "brep", "brep+newton", "brep+proven"
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "terrane/base/result.h"
#include "terrane/weighted_regions/boundary_point_search.h"
#include "terrane/weighted_regions/boundary_search.h"
#include "terrane/weighted_regions/proven_search.h"
#include "terrane/weighted_regions/square_search.h"

namespace terrane {

enum class OpenFamily : uint8_t { kGrid, kQuadtree, kFramed, kBprep, kBrep, kProven };

struct OpenMethod {
    OpenFamily family = OpenFamily::kProven;
    double size = 1;                   // of the smallest square; for kBprep, of the spacing
    BoundarySearchOptions boundary;    // kBrep
    double heuristic = 0;              // kBprep and kBrep; as of boundary_search.h
    double gap = 1e-6;                 // kProven
    std::string name = "brep+proven";  // as find_open_method takes it
};

struct OpenMethodInfo {
    const char* usage;  // "bprep[:SPACING]"
    const char* summary;
};
std::span<const OpenMethodInfo> open_methods();

// Refused, with what would be right: unknown names, sizes that are not positive.
Result<OpenMethod> find_open_method(std::string_view name);

// Whether a field is too large for a method: kMaxSquares, kMaxBoundaryPoints.
std::optional<Error> check_open_method(const Subdivision& field, const OpenMethod& method);

// Any of them. Scratch: one per thread, reused.
class OpenPlanner {
public:
    // `field` must outlive the last query for it, or the next for another field; check_open_method must have nothing to say.
    void begin(const Subdivision& field, Point from, Point to, const OpenMethod& method = {}, OpenTrace* trace = nullptr);
    // Expands at most `budget` nodes; kBudgetSpent: call again to go on.
    Status run(uint64_t budget = kUnlimited);
    const OpenPath& path() const;

    const OpenPath& find(const Subdivision& field, Point from, Point to, const OpenMethod& method = {}, OpenTrace* trace = nullptr) {
        begin(field, from, to, method, trace);
        run();
        return path();
    }

    const SquareSearch& squares() const { return squares_; }
    const BoundarySearch& boundaries() const { return boundaries_; }
    const ProvenSearch& proven() const { return proven_; }
    size_t bytes() const { return squares_.bytes() + points_.bytes() + boundaries_.bytes() + proven_.bytes(); }

private:
    OpenFamily family_ = OpenFamily::kProven;
    SquareSearch squares_;
    BoundaryPointSearch points_;
    BoundarySearch boundaries_;
    ProvenSearch proven_;
};

}  // namespace terrane
