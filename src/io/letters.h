// What the letters of a map stand for when the map itself does not say.
#pragma once
#include <array>
#include <cstdint>

#include "terrane/io/map_file.h"

namespace terrane::detail {

// The letters of lettered terrain: `A` + id.
inline constexpr char kFirstLetter = 'A';
inline constexpr char kLastLetter = '~';

using LetterSet = std::array<uint8_t, 256>;  // by byte: 1 for those in use

// Letters that a file can hold.
inline bool is_printable(char letter) { return letter >= '!' && letter <= '~'; }

bool is_octile(char letter);

// The catalogue of a map with these letters and no catalogue of its own: octile or standard. The standard
// one is continued with made-up types as far as the last letter in use.
Catalogue implied_catalogue(const LetterSet& used, Letters letters);

}  // namespace terrane::detail
