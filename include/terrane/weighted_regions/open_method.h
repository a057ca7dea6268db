// The searches over a subdivision, by name: what find_method (terrane/world/methods.h) is for cells.
//
//   OpenPlanner planner;
//   const OpenPath& path = planner.find(field, {20, 20}, {580, 580}, find_open_method("bprep:32").value());
//
// "grid:2", "quadtree", "framed:4", "bprep:8", "brep", "brep+newton", "brep+proven": terrane/base/method_text.h has the grammar.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "terrane/base/method_text.h"
#include "terrane/base/result.h"
#include "terrane/weighted_regions/boundary_point_search.h"
#include "terrane/weighted_regions/boundary_search.h"
#include "terrane/weighted_regions/proven_search.h"
#include "terrane/weighted_regions/square_search.h"

namespace terrane {

namespace detail {

struct OpenSearch;  // what a method does with the searches of a planner
extern const OpenSearch kProvenSearch;

struct OpenSearches {
    SquareSearch squares;
    BoundaryPointSearch points;
    BoundarySearch boundaries;
    ProvenSearch proven;
};

}  // namespace detail

// A parsed name, and what you may set besides. A value.
struct OpenMethod {
    // Whether it searches squares, whose terrain approximates the field's: a path may cost more than they said, or be blocked.
    bool searches_squares() const;
    // Whether it proves that no path is cheaper by more than `gap`.
    bool proves_gap() const;

    const detail::OpenSearch* search = &detail::kProvenSearch;  // static lifetime
    double size = 1;                                            // side of the smallest square; bprep: the spacing
    BoundarySearchOptions boundary = {};                        // brep, brep+newton
    double heuristic = 0;                                       // bprep, brep, brep+newton; as of boundary_search.h
    double gap = 1e-6;                                          // brep+proven
    std::string name = "brep+proven";                           // as find_open_method was given it
};

// One constant per method, listed in src/weighted_regions/open_method.cpp.
struct OpenMethodFactory {
    MethodInfo info;
    // Refuses wrong arguments and options with a message that says what would be right.
    Result<OpenMethod> (*parse)(const MethodText& text, const OpenMethodFactory& factory) = nullptr;
};

// All methods of this library, in the order of the documentation. Thread-safe.
std::span<const OpenMethodFactory* const> open_methods();

// Refuses unknown names and options, and sizes that are not positive, with a message that says what would be right.
Result<OpenMethod> find_open_method(std::string_view name);

// Whether a field is too large for a method: kMaxSquares, kMaxBoundaryPoints.
std::optional<Error> check_open_method(const Subdivision& field, const OpenMethod& method);

// Runs any of them. Scratch: one per thread, reused.
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

    const SquareSearch& squares() const { return searches_.squares; }
    const BoundarySearch& boundaries() const { return searches_.boundaries; }
    const ProvenSearch& proven() const { return searches_.proven; }
    size_t bytes() const {
        return searches_.squares.bytes() + searches_.points.bytes() + searches_.boundaries.bytes() + searches_.proven.bytes();
    }

private:
    const detail::OpenSearch* search_ = &detail::kProvenSearch;
    detail::OpenSearches searches_;
};

}  // namespace terrane
