// Paths over every subdivision that parse_subdivision accepts, from the centre of its first polygon to that of its last, with each
// method. A path must begin at the start, end at the goal and have a cost.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "require.h"
#include "terrane/weighted_regions/subdivision_file.h"
#include "terrane/weighted_regions/subdivision_method.h"

namespace terrane {

namespace {

constexpr uint32_t kMaxPolygons = 40;
constexpr uint64_t kBudget = 3000;

Point centre_of(const Subdivision& subdivision, uint32_t polygon) {
    Point middle;
    for (const uint32_t v : subdivision.corners(polygon)) {
        middle = middle + (1.0 / static_cast<double>(subdivision.corners(polygon).size())) * subdivision.vertex(v);
    }
    return middle;
}

// The size of squares and the spacing of points: a 24th of the subdivision.
double size_of(const Subdivision& subdivision) {
    Point low = subdivision.vertex(0), high = low;
    for (uint32_t p = 0; p < subdivision.size(); ++p) {
        for (const uint32_t v : subdivision.corners(p)) {
            const Point at = subdivision.vertex(v);
            low = {std::min(low.x, at.x), std::min(low.y, at.y)};
            high = {std::max(high.x, at.x), std::max(high.y, at.y)};
        }
    }
    return std::max(high.x - low.x, high.y - low.y) / 24;
}

void find(const Subdivision& subdivision, Point from, Point to, const char* name) {
    SubdivisionMethod method = find_subdivision_method(name).value();
    method.size = size_of(subdivision);
    if (const auto refused = check_subdivision_method(subdivision, method))
        return require(!refused->reason.empty(), "an error has a reason");
    SubdivisionPlanner planner;
    planner.begin(subdivision, from, to, method);
    planner.run(kBudget);
    const SubdivisionPath& path = planner.path();
    if (path.status != Status::kFound) return;
    require(!path.points.empty() && path.points.front() == from && path.points.back() == to, "a path leads from start to goal");
    for (const Point& p : path.points) require(std::isfinite(p.x) && std::isfinite(p.y), "points are finite");
    require(path.cost >= 0 && (method.searches_squares() || std::isfinite(path.cost)), "a path has a cost");
}

}  // namespace

}  // namespace terrane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    const auto subdivision = parse_subdivision({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    if (!subdivision || subdivision->size() > kMaxPolygons) return 0;
    const Point from = centre_of(*subdivision, 0), to = centre_of(*subdivision, static_cast<uint32_t>(subdivision->size() - 1));
    for (const char* name : {"brep", "brep+newton", "brep+proven", "bprep:1", "grid:1", "quadtree:1", "framed:1"})
        find(*subdivision, from, to, name);
    return 0;
}
