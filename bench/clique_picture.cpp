#include "bench/clique_picture.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "terrane/base/rng.h"

namespace terrane {

namespace clique_picture_bench {
namespace {

constexpr uint32_t kDrawn = 4;  // level 0 (the cells) to level 3
constexpr int32_t kGap = 10;
constexpr Rgb kRock{44, 42, 50}, kFloor{226, 224, 218}, kEdge{30, 30, 44}, kNode{255, 255, 255};
constexpr std::array<Rgb, 8> kShades = {{{236, 154, 130},
                                         {240, 202, 124},
                                         {196, 214, 128},
                                         {132, 204, 162},
                                         {126, 188, 222},
                                         {160, 160, 226},
                                         {214, 152, 208},
                                         {206, 186, 164}}};

// Draws one level: cells in the colour of their node; from level 2 on also edges and representatives.
class LevelPanel {
public:
    LevelPanel(Picture& picture, Cell corner, const Rect& cells, int32_t scale, const Cliques& cliques, uint32_t level)
        : picture_(picture), corner_(corner), cells_(cells), scale_(scale), cliques_(cliques), level_(level) {}

    void draw() {
        for (int32_t y = cells_.y; y < cells_.bottom(); ++y) {
            for (int32_t x = cells_.x; x < cells_.right(); ++x) square({x, y}, 0, scale_, shade({x, y}));
        }
        if (level_ < 2) return;
        for_each_node([&](CliqueId id) {
            const Cell from = cliques_.representative(level_, id);
            cliques_.for_each_edge(level_, id, [&](CliqueId to) { line(from, cliques_.representative(level_, to)); });
        });
        const int32_t size = level_ == 2 ? 3 : 5;
        for_each_node([&](CliqueId id) { square(cliques_.representative(level_, id), (scale_ - size) / 2, size, kNode); });
    }

private:
    // A connected component that is a single node on a lower level keeps that node's colour.
    Rgb shade(Cell c) const {
        if (!cliques_.connected(c, c)) return kRock;
        if (level_ == 0) return kFloor;
        uint32_t level = level_;
        while (cliques_.ancestor(c, level) == kNoClique) --level;
        return kShades[mix64(cliques_.ancestor(c, level)) % kShades.size()];
    }
    template <class Visit>
    void for_each_node(Visit&& visit) const {
        const detail::CliqueLevel& here = cliques_.data().levels[level_ - 1];
        for (uint32_t tile = 0; tile < here.tiles(); ++tile) {
            for (uint32_t n = 0; n < here.record(tile).nodes.size(); ++n) visit(here.id(tile, n));
        }
    }
    // Returns the upper left pixel of a cell.
    Cell pixel_of(Cell c) const { return {corner_.x + (c.x - cells_.x) * scale_, corner_.y + (c.y - cells_.y) * scale_}; }
    void square(Cell c, int32_t inset, int32_t side, Rgb colour) {
        const Cell at = pixel_of(c);
        for (int32_t y = 0; y < side; ++y) {
            for (int32_t x = 0; x < side; ++x) pixel(at.x + inset + x, at.y + inset + y, colour);
        }
    }
    void line(Cell from, Cell to) {
        const Cell at = pixel_of(from);
        const int32_t dx = (to.x - from.x) * scale_, dy = (to.y - from.y) * scale_, steps = std::max({std::abs(dx), std::abs(dy), 1});
        for (int32_t i = 0; i <= steps; ++i) pixel(at.x + scale_ / 2 + dx * i / steps, at.y + scale_ / 2 + dy * i / steps, kEdge);
    }
    void pixel(int32_t x, int32_t y, Rgb colour) {
        if (x >= 0 && y >= 0 && x < picture_.width && y < picture_.height) picture_.at(x, y) = colour;
    }

    Picture& picture_;
    Cell corner_;  // pixels
    Rect cells_;
    int32_t scale_;  // pixels per cell
    const Cliques& cliques_;
    uint32_t level_;
};

Rect bounds_of(const Cliques& cliques) {
    Rect bounds;
    for (int32_t y = 0; y < cliques.grid().height(); ++y) {
        for (int32_t x = 0; x < cliques.grid().width(); ++x) {
            if (cliques.connected({x, y}, {x, y})) bounds = hull(bounds, {{x, y}, {1, 1}});
        }
    }
    return bounds;
}

}  // namespace
}  // namespace clique_picture_bench

Picture draw_clique_levels(const Cliques& cliques) {
    using namespace clique_picture_bench;
    const Rect cells = bounds_of(cliques);
    const int32_t columns = cells.width, rows = cells.height;
    const int32_t scale = std::max(1, kCliquePanel / std::max({columns, rows, 1}));
    Picture picture{2 * columns * scale + kGap, 2 * rows * scale + kGap, {}};
    picture.pixels.assign(static_cast<size_t>(picture.width) * static_cast<size_t>(picture.height), {255, 255, 255});
    for (uint32_t level = 0; level < std::min(kDrawn, cliques.levels() + 1); ++level) {
        const auto right = static_cast<int32_t>(level % 2), down = static_cast<int32_t>(level / 2);
        LevelPanel(picture, {right * (columns * scale + kGap), down * (rows * scale + kGap)}, cells, scale, cliques, level).draw();
    }
    return picture;
}

}  // namespace terrane
