#include "terrane/weighted_regions/subdivision_method.h"

#include <cmath>

#include "base/text.h"

namespace terrane {

namespace detail {

struct SubdivisionSearch {
    bool searches_squares = false;
    bool proves_gap = false;
    // nullptr: no size limit.
    std::optional<Error> (*check_size)(const Subdivision& subdivision, const SubdivisionMethod& method) = nullptr;
    void (*begin)(SubdivisionSearches& searches, const Subdivision& subdivision, Point from, Point to, const SubdivisionMethod& method,
                  SubdivisionTrace* trace);
    Status (*run)(SubdivisionSearches& searches, uint64_t budget);
    const SubdivisionPath& (*path)(const SubdivisionSearches& searches);
};

}  // namespace detail

namespace {

using detail::SubdivisionSearch;
using detail::SubdivisionSearches;

Error refuse(ErrorCode code, const SubdivisionMethod& method, const char* reason) { return MethodText(method.name).refuse(code, reason); }

// ---- Functions that run the searches of a planner

template <auto kSearch>
Status run_search(SubdivisionSearches& searches, uint64_t budget) {
    return (searches.*kSearch).run(budget);
}

template <auto kSearch>
const SubdivisionPath& path_of(const SubdivisionSearches& searches) {
    return (searches.*kSearch).path();
}

std::optional<Error> check_squares(const Subdivision& subdivision, const SubdivisionMethod& method) {
    if (count_squares(subdivision, method.size) <= kMaxSquares) return std::nullopt;
    return refuse(ErrorCode::kTooLarge, method, "more than 2^26 squares: use a larger side");
}

template <SquareKind kKind>
void begin_squares(SubdivisionSearches& searches, const Subdivision& subdivision, Point from, Point to, const SubdivisionMethod& method,
                   SubdivisionTrace* trace) {
    searches.squares.begin(subdivision, from, to, {kKind, method.size, trace});
}

std::optional<Error> check_points(const Subdivision& subdivision, const SubdivisionMethod& method) {
    if (count_boundary_points(subdivision, method.size) <= kMaxBoundaryPoints) return std::nullopt;
    return refuse(ErrorCode::kTooLarge, method, "more than 2^24 points on the boundaries: use a larger spacing");
}

void begin_bprep(SubdivisionSearches& searches, const Subdivision& subdivision, Point from, Point to, const SubdivisionMethod& method,
                 SubdivisionTrace* trace) {
    searches.bprep.begin(subdivision, from, to, {method.size, method.heuristic, trace});
}

void begin_brep(SubdivisionSearches& searches, const Subdivision& subdivision, Point from, Point to, const SubdivisionMethod& method,
                SubdivisionTrace* trace) {
    BrepOptions options = method.brep;
    options.heuristic = method.heuristic;
    options.trace = trace;
    searches.brep.begin(subdivision, from, to, options);
}

void begin_proven(SubdivisionSearches& searches, const Subdivision& subdivision, Point from, Point to, const SubdivisionMethod& method,
                  SubdivisionTrace* trace) {
    searches.proven.begin(subdivision, from, to, {.gap = method.gap, .trace = trace});
}

template <SquareKind kKind>
constexpr SubdivisionSearch kSquareSearch{.searches_squares = true,
                                          .check_size = check_squares,
                                          .begin = begin_squares<kKind>,
                                          .run = run_search<&SubdivisionSearches::squares>,
                                          .path = path_of<&SubdivisionSearches::squares>};

constexpr SubdivisionSearch kBprepSearch{.check_size = check_points,
                                         .begin = begin_bprep,
                                         .run = run_search<&SubdivisionSearches::bprep>,
                                         .path = path_of<&SubdivisionSearches::bprep>};

constexpr SubdivisionSearch kBrepSearch{
    .begin = begin_brep, .run = run_search<&SubdivisionSearches::brep>, .path = path_of<&SubdivisionSearches::brep>};

// ---- Method names

template <const SubdivisionSearch& kSearch>
Result<SubdivisionMethod> parse_sized(const MethodText& text, const SubdivisionMethodFactory& factory) {
    if (!text.levels.empty()) return text.expected(factory.info);
    const auto known = text.check_options({});
    if (!known) return known.error();
    SubdivisionMethod method{.search = &kSearch, .name = std::string(text.text)};
    if (!text.head.argument) return method;
    const std::optional<double> size = detail::parse_number(*text.head.argument);
    if (!size || !std::isfinite(*size) || *size <= 0) {
        return text.refuse(ErrorCode::kBadValue, "expected a size above 0, as in " + std::string(text.head.name) + ":4");
    }
    method.size = *size;
    return method;
}

Result<SubdivisionMethod> parse_brep(const MethodText& text, const SubdivisionMethodFactory& factory) {
    constexpr MethodOption kOptions[] = {{"newton"}, {"proven"}};
    if (text.head.argument || !text.levels.empty()) return text.expected(factory.info);
    const auto known = text.check_options(kOptions);
    if (!known) return known.error();
    const bool newton = text.has("newton"), proven = text.has("proven");
    if (newton && proven) return text.refuse(ErrorCode::kBadValue, "expected one option: newton or proven");
    SubdivisionMethod method{.search = proven ? &detail::kProvenSearch : &kBrepSearch, .name = std::string(text.text)};
    if (newton) method.brep.solver = BrepOptions::Solver::kNewton;
    return method;
}

constexpr SubdivisionMethodFactory kGridMethod{
    {"grid", "grid[:SIDE]", "A* over equal squares, 8-connected, from centre to centre", "SIDE: above 0, default 1", "grid:4"},
    parse_sized<kSquareSearch<SquareKind::kGrid>>};

constexpr SubdivisionMethodFactory kQuadtreeMethod{
    {"quadtree", "quadtree[:SIDE]", "A* over the leaves of a quadtree, squares of one terrain down to SIDE, from centre to centre",
     "SIDE: above 0, default 1", "quadtree:4"},
    parse_sized<kSquareSearch<SquareKind::kQuadtree>>};

constexpr SubdivisionMethodFactory kFramedMethod{
    {"framed", "framed[:SIDE]", "A* over a framed quadtree, with squares of SIDE along the borders of the leaves",
     "SIDE: above 0, default 1", "framed:4"},
    parse_sized<kSquareSearch<SquareKind::kFramed>>};

constexpr SubdivisionMethodFactory kBprepMethod{
    {"bprep", "bprep[:SPACING]", "A* over points on boundaries, at most SPACING apart", "SPACING: above 0, default 1", "bprep:8"},
    parse_sized<kBprepSearch>};

constexpr SubdivisionMethodFactory kBrepMethod{
    {"brep", "brep[+newton|+proven]",
     "A* over boundaries, crossing points by coordinate descent (the paper's); newton: by Newton's "
     "method; proven: the cheapest path, with a proof that none is cheaper by more than the gap",
     "", "brep+proven"},
    parse_brep};

// One line for each method.
// clang-format off
constexpr const SubdivisionMethodFactory* kMethods[] = {
    &kGridMethod,
    &kQuadtreeMethod,
    &kFramedMethod,
    &kBprepMethod,
    &kBrepMethod,
};
// clang-format on

}  // namespace

namespace detail {

constinit const SubdivisionSearch kProvenSearch{.proves_gap = true,
                                                .begin = begin_proven,
                                                .run = run_search<&SubdivisionSearches::proven>,
                                                .path = path_of<&SubdivisionSearches::proven>};

}  // namespace detail

bool SubdivisionMethod::searches_squares() const { return search->searches_squares; }
bool SubdivisionMethod::proves_gap() const { return search->proves_gap; }

std::span<const SubdivisionMethodFactory* const> subdivision_methods() { return kMethods; }

Result<SubdivisionMethod> find_subdivision_method(std::string_view name) {
    const MethodText text(name);
    const auto factory = find_method_row(kMethods, text);
    if (!factory) return factory.error();
    return (*factory)->parse(text, **factory);
}

std::optional<Error> check_subdivision_method(const Subdivision& subdivision, const SubdivisionMethod& method) {
    const auto is_cost = [](double value) { return value >= 0 && std::isfinite(value); };
    if (!(method.gap >= 0 && method.gap < 1)) return refuse(ErrorCode::kBadValue, method, "gap must be at least 0 and below 1");
    if (!is_cost(method.heuristic)) return refuse(ErrorCode::kBadValue, method, "heuristic must be finite and at least 0");
    if (!is_cost(method.brep.epsilon)) return refuse(ErrorCode::kBadValue, method, "epsilon must be finite and at least 0");
    return method.search->check_size == nullptr ? std::nullopt : method.search->check_size(subdivision, method);
}

void SubdivisionPlanner::begin(const Subdivision& subdivision, Point from, Point to, const SubdivisionMethod& method,
                               SubdivisionTrace* trace) {
    search_ = method.search;
    search_->begin(searches_, subdivision, from, to, method, trace);
}

Status SubdivisionPlanner::run(uint64_t budget) { return search_->run(searches_, budget); }

const SubdivisionPath& SubdivisionPlanner::path() const { return search_->path(searches_); }

}  // namespace terrane
