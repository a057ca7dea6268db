#include "terrane/crowd/crowd_picture.h"

#include "io/brush.h"
#include "terrane/base/assert.h"

namespace terrane {

namespace {

constexpr int32_t kDiscScale = 4;  // pixels per cell from which agents are discs

Rgb pale(Rgb colour) { return detail::blend(colour, {255, 255, 255}, 128); }

// Whether a pixel of a cell's square lies in the disc whose diameter is `percent` of the side.
bool in_disc(int32_t x, int32_t y, int32_t side, int32_t percent) {
    const int32_t dx = 2 * x + 1 - side, dy = 2 * y + 1 - side;
    return 10000 * (dx * dx + dy * dy) <= side * side * percent * percent;
}

// Calls paint(x, y) for the pixels of a disc in a cell's square, or for the whole square if it is small.
template <class Paint>
void paint_cell(Cell cell, PictureScale scale, int32_t percent, Paint&& paint) {
    const int32_t left = cell.x / scale.shrink * scale.scale, top = cell.y / scale.shrink * scale.scale;
    for (int32_t y = 0; y < scale.scale; ++y) {
        for (int32_t x = 0; x < scale.scale; ++x) {
            if (scale.scale < kDiscScale || in_disc(x, y, scale.scale, percent)) paint(left + x, top + y);
        }
    }
}

// Calls paint(x, y, type, at goal) for every pixel of goals not yet reached, then of agents, which cover them.
template <class Paint>
void paint_crowd(const Crowd& crowd, PictureScale scale, Paint&& paint) {
    for (const CrowdAgent& agent : crowd.agents()) {
        if (scale.scale < kDiscScale || !agent.present() || agent.at_goal()) continue;
        paint_cell(crowd.layout().cell(agent.goal), scale, 40, [&](int32_t x, int32_t y) { paint(x, y, agent.type, false); });
    }
    for (const CrowdAgent& agent : crowd.agents()) {
        if (!agent.present()) continue;
        paint_cell(crowd.layout().cell(agent.at), scale, 96, [&](int32_t x, int32_t y) { paint(x, y, agent.type, agent.at_goal()); });
    }
}

// All colours that an animation of this crowd may need.
GifPalette palette_of(const Crowd& crowd, PictureScale scale) {
    GifPalette palette;
    for (uint16_t type = 0; type < crowd.types().size() && type < kCreatureColours.size(); ++type) {
        palette.index(type_colour(type));
        palette.index(pale(type_colour(type)));
    }
    const Catalogue& catalogue = crowd.grid().catalogue();
    for (size_t t = 0; t < catalogue.size(); ++t) {  // as they are drawn: large cells have darker edges
        palette.indices(draw_terrain(TerrainGrid(1, 1, static_cast<Terrain>(t), catalogue).snapshot(), {scale.scale, 1}));
    }
    return palette;
}

int32_t pixels(int32_t cells, PictureScale scale) { return (cells + scale.shrink - 1) / scale.shrink * scale.scale; }

}  // namespace

Rgb type_colour(uint16_t type) { return kCreatureColours[type % kCreatureColours.size()].colour; }

void draw_agents(Picture& picture, const Crowd& crowd, PictureScale scale) {
    TERRANE_ASSERT(scale.scale >= 1 && scale.shrink >= 1);
    TERRANE_ASSERT(picture.width == pixels(crowd.layout().width, scale) && picture.height == pixels(crowd.layout().height, scale));
    paint_crowd(crowd, scale, [&](int32_t x, int32_t y, uint16_t type, bool at_goal) {
        picture.at(x, y) = at_goal ? pale(type_colour(type)) : type_colour(type);
    });
}

CrowdFilm::CrowdFilm(const Crowd& crowd, PictureScale scale)
    : scale_(scale),
      palette_(palette_of(crowd, scale)),
      gif_(pixels(crowd.layout().width, scale), pixels(crowd.layout().height, scale), palette_.colours()) {
    for (uint16_t type = 0; type < crowd.types().size(); ++type) {
        moving_.push_back(palette_.index(type_colour(type)));
        arrived_.push_back(palette_.index(pale(type_colour(type))));
    }
}

Result<void> CrowdFilm::add(const Crowd& crowd, uint32_t centiseconds) {
    TERRANE_ASSERT(crowd.types().size() == moving_.size());
    if (background_.empty() || version_ != crowd.grid().version()) {
        background_ = palette_.indices(draw_terrain(crowd.grid(), scale_));
        version_ = crowd.grid().version();
    }
    const auto width = static_cast<size_t>(pixels(crowd.layout().width, scale_));
    TERRANE_ASSERT(background_.size() == width * static_cast<size_t>(pixels(crowd.layout().height, scale_)));
    frame_ = background_;
    paint_crowd(crowd, scale_, [&](int32_t x, int32_t y, uint16_t type, bool at_goal) {
        frame_[static_cast<size_t>(y) * width + static_cast<size_t>(x)] = at_goal ? arrived_[type] : moving_[type];
    });
    return gif_.add_frame(frame_, centiseconds);
}

}  // namespace terrane
