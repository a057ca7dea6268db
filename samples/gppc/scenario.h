// Scenario files of version 2, the format of the dynamic track: a map that changes between queries.
//
//   version 2                     type patch
//   height 209                    patches 336
//   width 281                     patch 0
//   cost 1 octile                 height 2
//   patch arena2.patch            width 3
//   commands                      map
//   P 0 0 0 0                     @@.
//   Q 0 6 144 277 165 279.698     ...
//
// Left: the scenario. Right: its patch file, in the same folder. The map is initially all open. `P bucket patch x y` applies a patch;
// the patches before the first query make the first map. `Q bucket sx sy gx gy cost` is a query with its optimal cost; -1: no path. A
// scenario may have several cost columns; only the one named octile is read.
#pragma once
#include <terrane/base/result.h>
#include <terrane/grid/cell.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gppc {

inline constexpr int32_t kMaxSide = 8000;         // the limit of the harness
inline constexpr size_t kMaxPatches = 1'000'000;  // our limit

struct Patch {
    int32_t width = 0, height = 0;
    std::vector<uint8_t> open;  // in row order; 1: passable
};

struct Command {
    bool query = false;
    uint32_t bucket = 0;
    uint32_t patch = 0;   // of a change
    terrane::Cell at;     // position of its upper left cell
    terrane::Cell start;  // of a query
    terrane::Cell goal;
    double cost = 0;  // optimal cost; below 0: there is no path
};

struct Scenario {
    int32_t width = 0, height = 0;
    std::vector<Patch> patches;
    std::vector<Command> commands;
};

// Loads a scenario and its patches. Fails, with file, line and reason, for any other format, cells or patches outside the map, and unknown
// patches.
terrane::Result<Scenario> load(const std::string& path);
// Parses texts; `patches` returns the patches of a patch file by name. `file` is for error messages.
using PatchSource = std::function<terrane::Result<std::vector<Patch>>(const std::string& name)>;
terrane::Result<Scenario> parse(std::string_view text, const std::string& file, const PatchSource& patches);
terrane::Result<std::vector<Patch>> parse_patches(std::string_view text, const std::string& file);

// Writes the scenario and, in the same folder, its patches under the same name with the extension .patch. Fails for a name with blanks,
// which could not be read again.
terrane::Result<void> save(const std::string& path, const Scenario& scenario);
std::string format(const Scenario& scenario, const std::string& patches);
std::string format_patches(const Scenario& scenario);

}  // namespace gppc
