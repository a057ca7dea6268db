// Terrain types and the catalogue that names them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.h"

namespace terrane {

// What a cell is made of: an index into a catalogue. 0..254; kOutside is no terrain.
using Terrain = uint8_t;
inline constexpr Terrain kOutside = 255;
inline constexpr uint32_t kMaxTerrains = 255;

struct Rgb {
    uint8_t r = 0, g = 0, b = 0;
    friend bool operator==(const Rgb&, const Rgb&) = default;
};

// One terrain type. `letter` is how .map files write it; 0 where they cannot.
struct TerrainType {
    std::string name;  // [a-z0-9_]+, at most kMaxTerrainName bytes
    char letter = 0;
    Rgb colour;
    friend bool operator==(const TerrainType&, const TerrainType&) = default;
};
inline constexpr size_t kMaxTerrainName = 32;

// An ordered set of terrain types; names and letters are unique. Ids never change once given, so
// that maps, profiles and files that share a catalogue agree.
class Catalogue {
public:
    // The terrains of the polygon maps (letters A to P, as the benchmark maps write them): black,
    // deep_water, water, river, swamp, ground, trees, road, desert, ice, jungle, plains, blight,
    // tundra, mountain, hills; then what happens to them: fire, lava, bridge.
    static const Catalogue& standard();

    // The letters of MovingAI octile maps: `.` ground, `G` grass, `@` wall, `O` void, `T` trees,
    // `S` swamp, `W` water. What can be walked on is up to the profile.
    static const Catalogue& octile();

    // The new type's id. Refused: a 256th type, a name or letter already taken, a malformed name.
    Result<Terrain> add(TerrainType type);

    uint32_t size() const { return static_cast<uint32_t>(types_.size()); }
    const TerrainType& operator[](Terrain id) const { return types_[id]; }
    const std::vector<TerrainType>& types() const { return types_; }

    std::optional<Terrain> find(std::string_view name) const;
    std::optional<Terrain> find_letter(char letter) const;

    friend bool operator==(const Catalogue&, const Catalogue&) = default;

private:
    std::vector<TerrainType> types_;
};

}  // namespace terrane
