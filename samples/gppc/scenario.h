// Scenarios of version 2, the form of the dynamic track: a map that changes between queries.
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
// On the left the scenario, on the right the file of small maps that it names, beside it. The map begins all open. `P bucket patch x y`
// puts a patch on it; those before the first query make the first map. `Q bucket sx sy gx gy cost` asks; -1 for no path. A scenario may
// have several columns of costs; the one that is named octile counts.
#pragma once
#include <terrane/base/result.h>
#include <terrane/grid/cell.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gppc {

inline constexpr int32_t kMaxSide = 8000;         // the harness takes no larger ones
inline constexpr size_t kMaxPatches = 1'000'000;  // and ours no more of these

struct Patch {
    int32_t width = 0, height = 0;
    std::vector<uint8_t> open;  // by rows; 1 where one can walk
};

struct Command {
    bool query = false;
    uint32_t bucket = 0;
    uint32_t patch = 0;   // of a change
    terrane::Cell at;     // where its upper left cell goes
    terrane::Cell start;  // of a query
    terrane::Cell goal;
    double cost = 0;  // below 0: there is no path
};

struct Scenario {
    int32_t width = 0, height = 0;
    std::vector<Patch> patches;
    std::vector<Command> commands;
};

// Refused with file, line and reason: anything else than the above; cells off the map, patches that stick out of it or that the file lacks.
terrane::Result<Scenario> load(const std::string& path);
// The same of texts; `patches` gives the patches of the name that the scenario has for them. `file` is for messages.
using PatchSource = std::function<terrane::Result<std::vector<Patch>>(const std::string& name)>;
terrane::Result<Scenario> parse(std::string_view text, const std::string& file, const PatchSource& patches);
terrane::Result<std::vector<Patch>> parse_patches(std::string_view text, const std::string& file);

// Writes PATH and, beside it, its patches: the same name with .patch at the end. Refused: a name with blanks, which could not be read.
terrane::Result<terrane::Done> save(const std::string& path, const Scenario& scenario);
std::string format(const Scenario& scenario, const std::string& patches);
std::string format_patches(const Scenario& scenario);

}  // namespace gppc
