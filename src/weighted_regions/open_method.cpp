#include "terrane/weighted_regions/open_method.h"

#include <cmath>

#include "base/text.h"

namespace terrane {

namespace detail {

struct OpenSearch {
    bool searches_squares = false;
    bool proves_gap = false;
    // Null: no field is too large.
    std::optional<Error> (*check_size)(const Subdivision& field, const OpenMethod& method) = nullptr;
    void (*begin)(OpenSearches& searches, const Subdivision& field, Point from, Point to, const OpenMethod& method, OpenTrace* trace);
    Status (*run)(OpenSearches& searches, uint64_t budget);
    const OpenPath& (*path)(const OpenSearches& searches);
};

}  // namespace detail

namespace {

using detail::OpenSearch;
using detail::OpenSearches;

Error refuse(ErrorCode code, const OpenMethod& method, const char* reason) { return MethodText(method.name).refuse(code, reason); }

// ---- What methods do with the searches of a planner

template <auto kSearch>
Status run_search(OpenSearches& searches, uint64_t budget) {
    return (searches.*kSearch).run(budget);
}

template <auto kSearch>
const OpenPath& path_of(const OpenSearches& searches) {
    return (searches.*kSearch).path();
}

std::optional<Error> check_squares(const Subdivision& field, const OpenMethod& method) {
    if (count_squares(field, method.size) <= kMaxSquares) return std::nullopt;
    return refuse(ErrorCode::kTooLarge, method, "more than 2^26 squares; take a larger side");
}

template <SquareKind kKind>
void begin_squares(OpenSearches& searches, const Subdivision& field, Point from, Point to, const OpenMethod& method, OpenTrace* trace) {
    searches.squares.begin(field, from, to, {kKind, method.size, trace});
}

std::optional<Error> check_points(const Subdivision& field, const OpenMethod& method) {
    if (count_boundary_points(field, method.size) <= kMaxBoundaryPoints) return std::nullopt;
    return refuse(ErrorCode::kTooLarge, method, "more than 2^24 points on the boundaries; take a larger spacing");
}

void begin_points(OpenSearches& searches, const Subdivision& field, Point from, Point to, const OpenMethod& method, OpenTrace* trace) {
    searches.points.begin(field, from, to, {method.size, method.heuristic, trace});
}

void begin_boundaries(OpenSearches& searches, const Subdivision& field, Point from, Point to, const OpenMethod& method, OpenTrace* trace) {
    BoundarySearchOptions options = method.boundary;
    options.heuristic = method.heuristic;
    options.trace = trace;
    searches.boundaries.begin(field, from, to, options);
}

void begin_proven(OpenSearches& searches, const Subdivision& field, Point from, Point to, const OpenMethod& method, OpenTrace* trace) {
    searches.proven.begin(field, from, to, {.gap = method.gap, .trace = trace});
}

template <SquareKind kKind>
constexpr OpenSearch kSquareSearch{.searches_squares = true,
                                   .check_size = check_squares,
                                   .begin = begin_squares<kKind>,
                                   .run = run_search<&OpenSearches::squares>,
                                   .path = path_of<&OpenSearches::squares>};

constexpr OpenSearch kPointSearch{
    .check_size = check_points, .begin = begin_points, .run = run_search<&OpenSearches::points>, .path = path_of<&OpenSearches::points>};

constexpr OpenSearch kBoundarySearch{
    .begin = begin_boundaries, .run = run_search<&OpenSearches::boundaries>, .path = path_of<&OpenSearches::boundaries>};

// ---- Their names

template <const OpenSearch& kSearch>
Result<OpenMethod> parse_sized(const MethodText& text, const OpenMethodFactory& factory) {
    if (!text.levels.empty()) return text.expected(factory.info);
    const auto known = text.check_options({});
    if (!known) return known.error();
    OpenMethod method{.search = &kSearch, .name = std::string(text.text)};
    if (!text.head.argument) return method;
    const std::optional<double> size = detail::parse_number(*text.head.argument);
    if (!size || !std::isfinite(*size) || *size <= 0) {
        return text.refuse(ErrorCode::kBadValue, "expected a size above 0, as in " + std::string(text.head.name) + ":4");
    }
    method.size = *size;
    return method;
}

Result<OpenMethod> parse_brep(const MethodText& text, const OpenMethodFactory& factory) {
    constexpr MethodOption kOptions[] = {{"newton"}, {"proven"}};
    if (text.head.argument || !text.levels.empty()) return text.expected(factory.info);
    const auto known = text.check_options(kOptions);
    if (!known) return known.error();
    const bool newton = text.has("newton"), proven = text.has("proven");
    if (newton && proven) return text.refuse(ErrorCode::kBadValue, "one option at a time: newton or proven");
    OpenMethod method{.search = proven ? &detail::kProvenSearch : &kBoundarySearch, .name = std::string(text.text)};
    if (newton) method.boundary.solver = BoundarySearchOptions::Solver::kNewton;
    return method;
}

constexpr OpenMethodFactory kGridMethod{
    {"grid", "grid[:SIDE]", "A* over squares of one size, from centre to centre", "SIDE: above 0, default 1", "grid:4"},
    parse_sized<kSquareSearch<SquareKind::kGrid>>};

constexpr OpenMethodFactory kQuadtreeMethod{
    {"quadtree", "quadtree[:SIDE]", "A* over squares of one terrain, down to that size, from centre to centre", "SIDE: above 0, default 1",
     "quadtree:4"},
    parse_sized<kSquareSearch<SquareKind::kQuadtree>>};

constexpr OpenMethodFactory kFramedMethod{
    {"framed", "framed[:SIDE]", "the same with small squares along the rims of large ones", "SIDE: above 0, default 1", "framed:4"},
    parse_sized<kSquareSearch<SquareKind::kFramed>>};

constexpr OpenMethodFactory kBprepMethod{
    {"bprep", "bprep[:SPACING]", "A* over points on boundaries, so far apart at most", "SPACING: above 0, default 1", "bprep:8"},
    parse_sized<kPointSearch>};

constexpr OpenMethodFactory kBrepMethod{{"brep", "brep[+newton|+proven]",
                                         "A* over boundaries, the points on them by coordinate descent (the paper's); newton: by Newton's "
                                         "method; proven: the cheapest path, and the proof that none is cheaper by more than the gap",
                                         "", "brep+proven"},
                                        parse_brep};

// One line for each method.
// clang-format off
constexpr const OpenMethodFactory* kMethods[] = {
    &kGridMethod,
    &kQuadtreeMethod,
    &kFramedMethod,
    &kBprepMethod,
    &kBrepMethod,
};
// clang-format on

}  // namespace

namespace detail {

constinit const OpenSearch kProvenSearch{
    .proves_gap = true, .begin = begin_proven, .run = run_search<&OpenSearches::proven>, .path = path_of<&OpenSearches::proven>};

}  // namespace detail

bool OpenMethod::searches_squares() const { return search->searches_squares; }
bool OpenMethod::proves_gap() const { return search->proves_gap; }

std::span<const OpenMethodFactory* const> open_methods() { return kMethods; }

Result<OpenMethod> find_open_method(std::string_view name) {
    const MethodText text(name);
    const auto factory = find_method_row(kMethods, text);
    if (!factory) return factory.error();
    return (*factory)->parse(text, **factory);
}

std::optional<Error> check_open_method(const Subdivision& field, const OpenMethod& method) {
    const auto is_cost = [](double value) { return value >= 0 && std::isfinite(value); };
    if (!(method.gap >= 0 && method.gap < 1)) return refuse(ErrorCode::kBadValue, method, "the gap is from 0 to below 1");
    if (!is_cost(method.heuristic)) return refuse(ErrorCode::kBadValue, method, "the heuristic is a finite cost, 0 or more");
    if (!is_cost(method.boundary.epsilon)) return refuse(ErrorCode::kBadValue, method, "epsilon is a finite cost, 0 or more");
    return method.search->check_size == nullptr ? std::nullopt : method.search->check_size(field, method);
}

void OpenPlanner::begin(const Subdivision& field, Point from, Point to, const OpenMethod& method, OpenTrace* trace) {
    search_ = method.search;
    search_->begin(searches_, field, from, to, method, trace);
}

Status OpenPlanner::run(uint64_t budget) { return search_->run(searches_, budget); }

const OpenPath& OpenPlanner::path() const { return search_->path(searches_); }

}  // namespace terrane
