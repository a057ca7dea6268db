// Pictures of a crowd: everyone at a tick, and the whole of it as an animation.
//
// Agents are discs in their kind's colour, pale once they are at their goal; goals still to be reached are dots. At less than four pixels a
// cell agents fill their cell, and goals are left out.
#pragma once
#include <cstdint>
#include <vector>

#include "terrane/crowd/crowd.h"
#include "terrane/io/gif.h"
#include "terrane/io/picture.h"

namespace terrane {

// Kinds in turn; there are eight colours.
Rgb kind_colour(uint16_t kind);

// Over a picture of the same map and scale.
void draw_agents(Picture& picture, const Crowd& crowd, PictureScale scale);

// A frame for each tick that is added. Shows the world as it is then.
class CrowdFilm {
public:
    // The scale must fit the map and a GIF (kMaxGifSide).
    CrowdFilm(const Crowd& crowd, PictureScale scale);

    // Everyone as they are now, in the crowd that it was made for or one of the same size and kinds. Refused: what a GIF has no room for.
    Result<Done> add(const Crowd& crowd, uint32_t centiseconds);
    const GifWriter& gif() const { return gif_; }

private:
    PictureScale scale_;
    GifPalette palette_;
    GridVersion version_ = 0;
    std::vector<uint8_t> ground_, frame_;
    std::vector<uint8_t> under_way_, arrived_;  // the palette's numbers, by kind
    GifWriter gif_;
};

}  // namespace terrane
