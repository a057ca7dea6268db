// The terrains of map letters in files without a catalogue.
#pragma once
#include <array>
#include <cstdint>

#include "terrane/io/map_file.h"

namespace terrane::detail {

// Terrain letters: `A` + id.
inline constexpr char kFirstLetter = 'A';
inline constexpr char kLastLetter = '~';

using LetterSet = std::array<uint8_t, 256>;  // by byte: 1 if in use

// Letters that a file can contain.
inline bool is_printable(char letter) { return letter >= '!' && letter <= '~'; }

bool is_octile(char letter);

// The catalogue of a map with these letters and no catalogue of its own: octile, or standard extended with generated types up to the last
// letter in use.
Catalogue implied_catalogue(const LetterSet& used, Letters letters);

}  // namespace terrane::detail
