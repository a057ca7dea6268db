// Paths through whatever parse_subdivision takes, from the middle of its first polygon to that of its last, by each method: none is found,
// or one that begins and ends where it should and has a cost.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "require.h"
#include "terrane/weighted_regions/open_method.h"
#include "terrane/weighted_regions/subdivision_file.h"

namespace terrane {

namespace {

constexpr uint32_t kMostPolygons = 40;
constexpr uint64_t kBudget = 3000;

Point middle_of(const Subdivision& field, uint32_t polygon) {
    Point middle;
    for (const uint32_t v : field.corners(polygon)) {
        middle = middle + (1.0 / static_cast<double>(field.corners(polygon).size())) * field.vertex(v);
    }
    return middle;
}

// Squares and points of a 24th of the field.
double size_of(const Subdivision& field) {
    Point low = field.vertex(0), high = low;
    for (uint32_t p = 0; p < field.size(); ++p) {
        for (const uint32_t v : field.corners(p)) {
            const Point at = field.vertex(v);
            low = {std::min(low.x, at.x), std::min(low.y, at.y)};
            high = {std::max(high.x, at.x), std::max(high.y, at.y)};
        }
    }
    return std::max(high.x - low.x, high.y - low.y) / 24;
}

void find(const Subdivision& field, Point from, Point to, const char* name) {
    OpenMethod method = find_open_method(name).value();
    method.size = size_of(field);
    if (const auto refused = check_open_method(field, method)) return require(!refused->reason.empty(), "an error has a reason");
    OpenPlanner planner;
    planner.begin(field, from, to, method);
    planner.run(kBudget);
    const OpenPath& path = planner.path();
    if (path.status != Status::kFound) return;
    require(!path.points.empty() && path.points.front() == from && path.points.back() == to, "a path leads from here to there");
    for (const Point& p : path.points) require(std::isfinite(p.x) && std::isfinite(p.y), "a point is a place");
    require(path.cost >= 0 && (method.searches_squares() || std::isfinite(path.cost)), "a path has a cost");
}

}  // namespace

}  // namespace terrane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    const auto field = parse_subdivision({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    if (!field || field->size() > kMostPolygons) return 0;
    const Point from = middle_of(*field, 0), to = middle_of(*field, static_cast<uint32_t>(field->size() - 1));
    for (const char* name : {"brep", "brep+newton", "brep+proven", "bprep:1", "grid:1", "quadtree:1", "framed:1"})
        find(*field, from, to, name);
    return 0;
}
