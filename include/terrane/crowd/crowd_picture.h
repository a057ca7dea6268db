// Pictures of a crowd: one tick as an image, or many ticks as an animated GIF.
//
// Agents are discs in the colour of their type, pale at their goal; goals not yet reached are dots. Below 4 pixels per cell, agents fill
// their cell and goals are omitted.
#pragma once
#include <cstdint>
#include <vector>

#include "terrane/crowd/crowd.h"
#include "terrane/io/gif.h"
#include "terrane/io/picture.h"

namespace terrane {

// Eight colours, repeated for further types.
Rgb type_colour(uint16_t type);

// Draws agents and goals over a picture of the crowd's map at the same scale.
void draw_agents(Picture& picture, const Crowd& crowd, PictureScale scale);

// Records an animation, one frame per call of add(), each with the world of that moment.
class CrowdFilm {
public:
    // At `scale`, the map must fit a GIF (kMaxGifSide).
    CrowdFilm(const Crowd& crowd, PictureScale scale);

    // Adds the current state of the crowd, which must have the map size and types of the first one. Refuses what does not fit a GIF.
    Result<void> add(const Crowd& crowd, uint32_t centiseconds);
    const GifWriter& gif() const { return gif_; }

private:
    PictureScale scale_;
    GifPalette palette_;
    GridVersion version_ = 0;
    std::vector<uint8_t> background_, frame_;
    std::vector<uint8_t> moving_, arrived_;  // palette indices, by type
    GifWriter gif_;
};

}  // namespace terrane
