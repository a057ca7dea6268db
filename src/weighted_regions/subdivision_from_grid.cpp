#include "terrane/weighted_regions/subdivision_from_grid.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "weighted_regions/convex_partition.h"
#include "weighted_regions/outlines.h"
#include "weighted_regions/triangulation.h"

namespace terrane {

namespace {

using detail::LatticePoint;

constexpr size_t kMaxOutlineCorners = size_t{1} << 24;  // before simplification: 200 MB

Error refuse(ErrorCode code, std::string reason) { return {code, {}, 0, std::move(reason)}; }

Result<void> check(const GridSnapshot& grid, const SubdivisionFromGridOptions& options) {
    if (grid.layout().cells() == 0) return refuse(ErrorCode::kBadValue, "the map has no cells");
    if (!std::isfinite(options.tolerance) || options.tolerance < 0)
        return refuse(ErrorCode::kBadValue, "tolerance must be finite and at least 0");
    if (std::max(grid.width(), grid.height()) > kMaxSubdivisionSide) {
        return refuse(ErrorCode::kTooLarge, "the map has more than " + std::to_string(kMaxSubdivisionSide) + " cells per side");
    }
    return {};
}

// Morton code, which interleaves the bits of x and y: consecutive points are near each other, which makes point location fast.
uint64_t morton(LatticePoint p) {
    uint64_t code = 0;
    for (uint32_t bit = 0; bit < 16; ++bit) {
        code |= static_cast<uint64_t>(static_cast<uint32_t>(p.x) >> bit & 1) << (2 * bit);
        code |= static_cast<uint64_t>(static_cast<uint32_t>(p.y) >> bit & 1) << (2 * bit + 1);
    }
    return code;
}

struct Vertices {
    std::vector<uint64_t> codes;  // ascending
    std::vector<LatticePoint> points;

    explicit Vertices(const detail::Outlines& outlines) {
        std::vector<std::pair<uint64_t, size_t>> all;
        all.reserve(outlines.corners.size());
        for (size_t i = 0; i < outlines.corners.size(); ++i) all.emplace_back(morton(outlines.corners[i].at), i);
        std::ranges::sort(all);
        for (const auto& [code, i] : all) {
            if (!codes.empty() && codes.back() == code) continue;
            codes.push_back(code);
            points.push_back(outlines.corners[i].at);
        }
    }
    uint32_t number(LatticePoint p) const { return static_cast<uint32_t>(std::ranges::lower_bound(codes, morton(p)) - codes.begin()); }
};

void add_constraints(const detail::Outlines& outlines, const Vertices& vertices, detail::Triangulation& triangulation) {
    for (const detail::OutlineChain& chain : outlines.chains) {
        const auto corners = outlines.of(chain);
        for (size_t i = 1; i < corners.size(); ++i) {
            triangulation.add_constraint(vertices.number(corners[i - 1].at), vertices.number(corners[i].at), chain.left, chain.right);
        }
    }
}

}  // namespace

Result<Subdivision> subdivision_from_grid(const GridSnapshot& grid, const CostTable& costs, const SubdivisionFromGridOptions& options) {
    if (const auto ok = check(grid, options); !ok) return ok.error();
    const detail::PaddedTerrain terrain(grid, costs);
    detail::Outlines outlines = detail::trace_outlines(terrain, kMaxOutlineCorners);
    if (outlines.corners.size() > kMaxOutlineCorners) {
        return refuse(ErrorCode::kTooLarge, "the regions' outlines have more than " + std::to_string(kMaxOutlineCorners) + " corners");
    }
    if (options.tolerance > 0) outlines = detail::simplify_outlines(terrain, outlines, options.tolerance);
    const Vertices vertices(outlines);
    if (vertices.points.size() > kMaxSubdivisionVertices) {
        return refuse(ErrorCode::kTooLarge, "the regions' outlines have " + std::to_string(vertices.points.size()) + " corners: at most " +
                                                std::to_string(kMaxSubdivisionVertices));
    }
    detail::Triangulation triangulation(vertices.points);
    add_constraints(outlines, vertices, triangulation);
    return make_subdivision(detail::merge_triangles(vertices.points, triangulation.triangles(), costs));
}

}  // namespace terrane
