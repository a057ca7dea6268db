#include "terrane/weighted_regions/open_method.h"

#include <array>
#include <cmath>

#include "base/text.h"

namespace terrane {

namespace {

struct Row {
    std::string_view name;
    OpenFamily family;
    OpenMethodInfo info;
};

constexpr std::array<Row, 7> kTable = {{
    {"grid", OpenFamily::kGrid, {"grid[:SIDE]", "A* over squares of one size, from centre to centre"}},
    {"quadtree", OpenFamily::kQuadtree, {"quadtree[:SIDE]", "A* over squares of one ground, down to that size, from centre to centre"}},
    {"framed", OpenFamily::kFramed, {"framed[:SIDE]", "the same with small squares along the rims of large ones"}},
    {"bprep", OpenFamily::kBprep, {"bprep[:SPACING]", "A* over points on boundaries, so far apart at most"}},
    {"brep", OpenFamily::kBrep, {"brep", "A* over boundaries, the points on them by coordinate descent (the paper's)"}},
    {"brep+newton", OpenFamily::kBrep, {"brep+newton", "the same, the points by Newton's method"}},
    {"brep+proven", OpenFamily::kProven, {"brep+proven", "the cheapest path, and the proof that none is cheaper by more than the gap"}},
}};

constexpr auto kInfos = [] {
    std::array<OpenMethodInfo, kTable.size()> infos{};
    for (size_t i = 0; i < kTable.size(); ++i) infos[i] = kTable[i].info;
    return infos;
}();

bool has_size(OpenFamily family) { return family <= OpenFamily::kBprep; }

Error refuse(ErrorCode code, std::string_view name, const std::string& reason) {
    return {code, {}, 0, "method " + detail::quote(name) + ": " + reason};
}

// Positive and finite, and nothing else.
std::optional<double> parse_size(std::string_view text) {
    const std::optional<double> value = detail::parse_number(text);
    return value && std::isfinite(*value) && *value > 0 ? value : std::nullopt;
}

}  // namespace

std::span<const OpenMethodInfo> open_methods() { return kInfos; }

Result<OpenMethod> find_open_method(std::string_view name) {
    const std::string_view bare = name.substr(0, name.find(':'));
    for (const Row& entry : kTable) {
        if (entry.name != bare) continue;
        OpenMethod method{.family = entry.family, .boundary = {}, .name = std::string(name)};
        if (bare == "brep+newton") method.boundary.solver = BoundarySearchOptions::Solver::kNewton;
        if (bare.size() == name.size()) return method;
        if (!has_size(entry.family)) return refuse(ErrorCode::kBadValue, name, "expected " + std::string(entry.info.usage));
        const auto size = parse_size(name.substr(bare.size() + 1));
        if (!size) return refuse(ErrorCode::kBadValue, name, "expected a size above 0, as in " + std::string(bare) + ":4");
        method.size = *size;
        return method;
    }
    std::string known;
    for (const Row& entry : kTable) known += (known.empty() ? "" : ", ") + std::string(entry.info.usage);
    return refuse(ErrorCode::kUnknownName, name, "there are: " + known);
}

std::optional<Error> check_open_method(const Subdivision& field, const OpenMethod& method) {
    const auto is_cost = [](double value) { return value >= 0 && std::isfinite(value); };
    if (!(method.gap >= 0 && method.gap < 1)) return refuse(ErrorCode::kBadValue, method.name, "the gap is from 0 to below 1");
    if (!is_cost(method.heuristic)) return refuse(ErrorCode::kBadValue, method.name, "the heuristic is a finite cost, 0 or more");
    if (!is_cost(method.boundary.epsilon)) return refuse(ErrorCode::kBadValue, method.name, "epsilon is a finite cost, 0 or more");
    if (method.family == OpenFamily::kBprep && count_boundary_points(field, method.size) > kMaxBoundaryPoints)
        return refuse(ErrorCode::kTooLarge, method.name, "more than 2^24 points on the boundaries; take a larger spacing");
    if (method.family <= OpenFamily::kFramed && count_squares(field, method.size) > kMaxSquares)
        return refuse(ErrorCode::kTooLarge, method.name, "more than 2^26 squares; take a larger side");
    return std::nullopt;
}

void OpenPlanner::begin(const Subdivision& field, Point from, Point to, const OpenMethod& method, OpenTrace* trace) {
    family_ = method.family;
    switch (family_) {
        case OpenFamily::kGrid: squares_.begin(field, from, to, {SquareKind::kGrid, method.size, trace}); break;
        case OpenFamily::kQuadtree: squares_.begin(field, from, to, {SquareKind::kQuadtree, method.size, trace}); break;
        case OpenFamily::kFramed: squares_.begin(field, from, to, {SquareKind::kFramed, method.size, trace}); break;
        case OpenFamily::kBprep: points_.begin(field, from, to, {method.size, method.heuristic, trace}); break;
        case OpenFamily::kBrep: {
            BoundarySearchOptions options = method.boundary;
            options.heuristic = method.heuristic;
            options.trace = trace;
            boundaries_.begin(field, from, to, options);
            break;
        }
        case OpenFamily::kProven: proven_.begin(field, from, to, {.gap = method.gap, .trace = trace}); break;
    }
}

Status OpenPlanner::run(uint64_t budget) {
    switch (family_) {
        case OpenFamily::kBprep: return points_.run(budget);
        case OpenFamily::kBrep: return boundaries_.run(budget);
        case OpenFamily::kProven: return proven_.run(budget);
        default: return squares_.run(budget);
    }
}

const OpenPath& OpenPlanner::path() const {
    switch (family_) {
        case OpenFamily::kBprep: return points_.path();
        case OpenFamily::kBrep: return boundaries_.path();
        case OpenFamily::kProven: return proven_.path();
        default: return squares_.path();
    }
}

}  // namespace terrane
