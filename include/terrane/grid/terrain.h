// Terrain types and the catalogue that names them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.h"

namespace terrane {

// The terrain of a cell: an index into a catalogue, 0 to 254. kOutside is no terrain.
using Terrain = uint8_t;
inline constexpr Terrain kOutside = 255;
inline constexpr uint32_t kMaxTerrains = 255;

struct Rgb {
    uint8_t r = 0, g = 0, b = 0;
    friend bool operator==(const Rgb&, const Rgb&) = default;
};

// One terrain type. `letter` represents it in .map files; 0 if it has none.
struct TerrainType {
    std::string name;  // [a-z0-9_]+, at most kMaxTerrainName bytes
    char letter = 0;
    Rgb colour;
    friend bool operator==(const TerrainType&, const TerrainType&) = default;
};
inline constexpr size_t kMaxTerrainName = 32;

// An ordered set of terrain types with unique names and letters. Ids never change, so maps, profiles and files that share a catalogue
// agree.
class Catalogue {
public:
    // The terrains of the weighted benchmark maps, with their letters A to P: black, deep_water, water, river, swamp, ground, trees,
    // road, desert, ice, jungle, plains, blight, tundra, mountain, hills; then fire, lava and bridge.
    static const Catalogue& standard();

    // The letters of MovingAI octile maps: `.` ground, `G` grass, `@` wall, `O` void, `T` trees, `S` swamp, `W` water. The profile
    // decides which are passable.
    static const Catalogue& octile();

    // Returns the new type's id. Fails for a 256th type, a name or letter already in use, and a malformed name.
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
