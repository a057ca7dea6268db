#include "terrane/crowd/crowd_picture.h"

#include <array>

#include "io/brush.h"
#include "terrane/base/assert.h"

namespace terrane {

namespace {

constexpr std::array<Rgb, 8> kKinds = {
    {{226, 58, 54}, {46, 96, 220}, {240, 170, 40}, {168, 60, 200}, {20, 150, 150}, {120, 70, 30}, {240, 110, 170}, {40, 40, 48}}};
constexpr int32_t kDiscScale = 4;  // pixels a cell, from which on there is room for more than a square

Rgb pale(Rgb colour) { return detail::blend(colour, {255, 255, 255}, 128); }

// Whether a pixel of a cell's square belongs to the disc that is a share of it.
bool in_disc(int32_t x, int32_t y, int32_t side, int32_t percent) {
    const int32_t dx = 2 * x + 1 - side, dy = 2 * y + 1 - side;
    return 10000 * (dx * dx + dy * dy) <= side * side * percent * percent;
}

// Calls paint(x, y) for the pixels of a disc in a cell's square; for the whole square where it is small.
template <class Paint>
void paint_cell(Cell cell, PictureScale scale, int32_t percent, Paint&& paint) {
    const int32_t left = cell.x / scale.shrink * scale.scale, top = cell.y / scale.shrink * scale.scale;
    for (int32_t y = 0; y < scale.scale; ++y) {
        for (int32_t x = 0; x < scale.scale; ++x) {
            if (scale.scale < kDiscScale || in_disc(x, y, scale.scale, percent)) paint(left + x, top + y);
        }
    }
}

// Calls paint(x, y, kind, at goal) for every pixel of agents, and of goals still to be reached, which lie below.
template <class Paint>
void paint_crowd(const Crowd& crowd, PictureScale scale, Paint&& paint) {
    for (const CrowdAgent& who : crowd.agents()) {
        if (scale.scale < kDiscScale || !who.present() || who.at_goal()) continue;
        paint_cell(crowd.layout().cell(who.goal), scale, 40, [&](int32_t x, int32_t y) { paint(x, y, who.kind, false); });
    }
    for (const CrowdAgent& who : crowd.agents()) {
        if (!who.present()) continue;
        paint_cell(crowd.layout().cell(who.at), scale, 96, [&](int32_t x, int32_t y) { paint(x, y, who.kind, who.at_goal()); });
    }
}

// All colours that a film of this world may need.
GifPalette palette_of(const Crowd& crowd, PictureScale scale) {
    GifPalette palette;
    for (uint16_t kind = 0; kind < crowd.kinds().size() && kind < kKinds.size(); ++kind) {
        palette.index(kind_colour(kind));
        palette.index(pale(kind_colour(kind)));
    }
    const Catalogue& catalogue = crowd.grid().catalogue();
    for (size_t t = 0; t < catalogue.size(); ++t) {  // as they are drawn: large cells have darker edges
        palette.indices(draw_terrain(TerrainGrid(1, 1, static_cast<Terrain>(t), catalogue).snapshot(), {scale.scale, 1}));
    }
    return palette;
}

int32_t pixels(int32_t cells, PictureScale scale) { return (cells + scale.shrink - 1) / scale.shrink * scale.scale; }

}  // namespace

Rgb kind_colour(uint16_t kind) { return kKinds[kind % kKinds.size()]; }

void draw_agents(Picture& picture, const Crowd& crowd, PictureScale scale) {
    TERRANE_ASSERT(scale.scale >= 1 && scale.shrink >= 1);
    TERRANE_ASSERT(picture.width == pixels(crowd.layout().width, scale) && picture.height == pixels(crowd.layout().height, scale));
    paint_crowd(crowd, scale, [&](int32_t x, int32_t y, uint16_t kind, bool at_goal) {
        picture.at(x, y) = at_goal ? pale(kind_colour(kind)) : kind_colour(kind);
    });
}

CrowdFilm::CrowdFilm(const Crowd& crowd, PictureScale scale)
    : scale_(scale),
      palette_(palette_of(crowd, scale)),
      gif_(pixels(crowd.layout().width, scale), pixels(crowd.layout().height, scale), palette_.colours()) {
    for (uint16_t kind = 0; kind < crowd.kinds().size(); ++kind) {
        under_way_.push_back(palette_.index(kind_colour(kind)));
        arrived_.push_back(palette_.index(pale(kind_colour(kind))));
    }
}

Result<Done> CrowdFilm::add(const Crowd& crowd, uint32_t centiseconds) {
    TERRANE_ASSERT(crowd.kinds().size() == under_way_.size());
    if (ground_.empty() || version_ != crowd.grid().version()) {
        ground_ = palette_.indices(draw_terrain(crowd.grid(), scale_));
        version_ = crowd.grid().version();
    }
    const auto width = static_cast<size_t>(pixels(crowd.layout().width, scale_));
    TERRANE_ASSERT(ground_.size() == width * static_cast<size_t>(pixels(crowd.layout().height, scale_)));
    frame_ = ground_;
    paint_crowd(crowd, scale_, [&](int32_t x, int32_t y, uint16_t kind, bool at_goal) {
        frame_[static_cast<size_t>(y) * width + static_cast<size_t>(x)] = at_goal ? arrived_[kind] : under_way_[kind];
    });
    return gif_.add_frame(frame_, centiseconds);
}

}  // namespace terrane
