#include "weighted_regions/outlines.h"

#include <bit>

namespace terrane::detail {

namespace {

class Tracer {
public:
    Tracer(const PaddedTerrain& terrain, size_t max_corners)
        : terrain_(terrain), max_corners_(max_corners), stride_(static_cast<size_t>(terrain.width()) + 1) {
        used_.resize(stride_ * (static_cast<size_t>(terrain.height()) + 1));
    }

    Outlines trace() {
        trace_from([](uint32_t directions) { return std::popcount(directions) > 2; });
        trace_from([](uint32_t) { return true; });
        return std::move(found_);
    }

private:
    uint8_t& used(LatticePoint p) { return used_[static_cast<size_t>(p.y) * stride_ + static_cast<size_t>(p.x)]; }

    // Follows a chain in each unused direction from every corner that `choose` accepts.
    template <class Choose>
    void trace_from(Choose&& choose) {
        for (int32_t y = 0; y <= terrain_.height(); ++y) {
            for (int32_t x = 0; x <= terrain_.width(); ++x) {
                const uint32_t directions = terrain_.directions({x, y});
                if (directions == 0 || !choose(directions)) continue;
                for (uint32_t d = 0; d < 4; ++d) {
                    if ((directions & ~used({x, y}) & 1u << d) == 0) continue;
                    if (found_.corners.size() > max_corners_) return;
                    follow({x, y}, d);
                }
            }
        }
    }

    void follow(LatticePoint start, uint32_t direction) {
        OutlineChain chain{found_.corners.size(), 0, terrain_.left(start, direction), terrain_.right(start, direction)};
        found_.corners.push_back({start, 0});
        LatticePoint p = start;
        for (uint32_t step = 1;; ++step) {
            used(p) |= static_cast<uint8_t>(1u << direction);
            p = {p.x + kSteps[direction].x, p.y + kSteps[direction].y};
            const uint32_t back = 1u << ((direction + 2) % 4), directions = terrain_.directions(p);
            used(p) |= static_cast<uint8_t>(back);
            const bool ends = p == start || std::popcount(directions) > 2;
            const auto next = static_cast<uint32_t>(std::countr_zero(directions & ~back));
            if (ends || next != direction) found_.corners.push_back({p, step});
            if (ends) break;
            direction = next;
        }
        chain.end = found_.corners.size();
        found_.chains.push_back(chain);
    }

    const PaddedTerrain& terrain_;
    size_t max_corners_, stride_;
    std::vector<uint8_t> used_;  // by corner: bit set of the directions that chains have taken
    Outlines found_;
};

}  // namespace

PaddedTerrain::PaddedTerrain(const GridSnapshot& grid, const CostTable& costs)
    : width_(grid.width()), height_(grid.height()), stride_(static_cast<size_t>(grid.width()) + 2) {
    std::array<Terrain, 256> first_of{};
    for (uint32_t t = 0; t < kOutside; ++t) {
        uint32_t first = 0;
        while (costs.cost[first] != costs.cost[t]) ++first;
        first_of[t] = static_cast<Terrain>(first);
    }
    cells_.assign(stride_ * (static_cast<size_t>(height_) + 2), kOutside);
    for (int32_t y = 0; y < height_; ++y) {
        Terrain* row = &cells_[static_cast<size_t>(y + 1) * stride_ + 1];
        grid.copy_row({0, y}, static_cast<uint32_t>(width_), row);
        for (int32_t x = 0; x < width_; ++x) row[x] = first_of[row[x]];
    }
}

uint32_t PaddedTerrain::directions(LatticePoint p) const {
    uint32_t directions = 0;
    for (uint32_t d = 0; d < 4; ++d) directions |= left(p, d) != right(p, d) ? 1u << d : 0;
    return directions;
}

Outlines trace_outlines(const PaddedTerrain& terrain, size_t max_corners) { return Tracer(terrain, max_corners).trace(); }

}  // namespace terrane::detail
