// Selects searches over a subdivision by name, as find_method (terrane/world/methods.h) does for grids.
//
//   SubdivisionPlanner planner;
//   const SubdivisionPath& path = planner.find(subdivision, {20, 20}, {580, 580}, find_subdivision_method("bprep:32").value());
//
// Names: "grid:2", "quadtree", "framed:4", "bprep:8", "brep", "brep+newton", "brep+proven". Grammar: terrane/base/method_text.h.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "terrane/base/method_text.h"
#include "terrane/base/result.h"
#include "terrane/weighted_regions/bprep.h"
#include "terrane/weighted_regions/brep.h"
#include "terrane/weighted_regions/proven_search.h"
#include "terrane/weighted_regions/square_search.h"

namespace terrane {

namespace detail {

struct SubdivisionSearch;  // functions that run one of a planner's searches
extern const SubdivisionSearch kProvenSearch;

struct SubdivisionSearches {
    SquareSearch squares;
    BprepSearch bprep;
    BrepSearch brep;
    ProvenSearch proven;
};

}  // namespace detail

// A parsed method name and its options. A value type.
struct SubdivisionMethod {
    // True if it searches squares, which approximate the subdivision: the path may cost more than the search found, or be blocked.
    bool searches_squares() const;
    // True if it proves that no path is cheaper by more than `gap`.
    bool proves_gap() const;

    const detail::SubdivisionSearch* search = &detail::kProvenSearch;  // static lifetime
    double size = 1;                                                   // side of the smallest square; for bprep, the spacing
    BrepOptions brep = {};                                             // brep, brep+newton
    double heuristic = 0;                                              // bprep, brep, brep+newton; as in BrepOptions
    double gap = 1e-6;                                                 // brep+proven; as in ProvenSearchOptions
    std::string name = "brep+proven";                                  // as given to find_subdivision_method
};

// One constant per method, listed in src/weighted_regions/subdivision_method.cpp.
struct SubdivisionMethodFactory {
    MethodInfo info;
    // Rejects invalid arguments and options with a message that names the valid ones.
    Result<SubdivisionMethod> (*parse)(const MethodText& text, const SubdivisionMethodFactory& factory) = nullptr;
};

// Returns all methods of this library, in the order of the documentation. Thread-safe.
std::span<const SubdivisionMethodFactory* const> subdivision_methods();

// Parses a method name. Rejects unknown names and options, and sizes that are not positive, with a message that names the valid ones.
Result<SubdivisionMethod> find_subdivision_method(std::string_view name);

// Returns an error if the subdivision is too large for the method (kMaxSquares, kMaxBoundaryPoints) or an option is out of range.
std::optional<Error> check_subdivision_method(const Subdivision& subdivision, const SubdivisionMethod& method);

// Runs any of the methods. Scratch memory of one thread, reused between queries.
class SubdivisionPlanner {
public:
    // `subdivision` must outlive its last query, or the next query on another subdivision. check_subdivision_method must return no error.
    void begin(const Subdivision& subdivision, Point from, Point to, const SubdivisionMethod& method = {},
               SubdivisionTrace* trace = nullptr);
    // Expands at most `budget` nodes. kBudgetSpent: call again to continue.
    Status run(uint64_t budget = kUnlimited);
    const SubdivisionPath& path() const;

    const SubdivisionPath& find(const Subdivision& subdivision, Point from, Point to, const SubdivisionMethod& method = {},
                                SubdivisionTrace* trace = nullptr) {
        begin(subdivision, from, to, method, trace);
        run();
        return path();
    }

    const SquareSearch& squares() const { return searches_.squares; }
    const BrepSearch& brep() const { return searches_.brep; }
    const ProvenSearch& proven() const { return searches_.proven; }
    size_t bytes() const { return searches_.squares.bytes() + searches_.bprep.bytes() + searches_.brep.bytes() + searches_.proven.bytes(); }

private:
    const detail::SubdivisionSearch* search_ = &detail::kProvenSearch;
    detail::SubdivisionSearches searches_;
};

}  // namespace terrane
