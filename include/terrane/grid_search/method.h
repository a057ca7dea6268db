// The methods by name: one table for the command line, the benches and everyone else.
//
//   family[:args][/abstract search[/refinement search]][+option...]
//
// "astar", "wastar:1.5", "dta:16", "dta:32/nbs/wastar:1.2", "dta:16+trim+smooth", "mm:16", "pra:4", "overlay:2", "cpd/branching",
// "overlay:2+refract". A bare name is the paper's form, without extras.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "terrane/base/result.h"
#include "terrane/search/best_first.h"

namespace terrane {

enum class PathdbVariant : uint8_t;  // pathdb_search.h

// kOwn: a search of cells that is a class of its own (src/grid_search/cell_search.h).
enum class Family : uint8_t { kAStar, kWeightedAStar, kFocal, kNbs, kDijkstra, kOwn, kDta, kMm, kHpa, kPra, kOverlay, kCpd };

namespace detail {
class CellSearch;
}

// A method with its arguments. Default: optimal, by A*.
struct Method {
    // A search inside a method.
    struct SubSearch {
        Family family = Family::kAStar;
        Weight weight;  // kWeightedAStar: the bound
    };

    Family family = Family::kAStar;
    Weight weight;         // kWeightedAStar, kFocal and kCpd: the bound
    std::string name;      // as find_method takes it, and was given it; none where none was
    bool refract = false;  // any family, by a Planner: the path found is also made into a line in the plane (Path::line)

    std::unique_ptr<detail::CellSearch> (*make)() = nullptr;  // kOwn: creates the search

    // kDta; sector, trim and smooth also for kMm, sector and smooth for kHpa.
    uint32_t sector = 16;       // cells a side, or kWholeMap (terrain_regions.h; kDta only)
    SubSearch abstract_search;  // of regions: kAStar, kWeightedAStar or kNbs
    SubSearch refinement;       // of cells: kAStar or kWeightedAStar
    bool trim = false;          // cuts the end of each refined segment back before the next one is searched
    bool smooth = false;        // the path found is smoothed (smoothing.h)
    bool exact = false;         // region edges cost what a local search finds, not the estimate
    bool cache = false;         // segments once refined are kept
    bool bfs = false;           // a cell's region is found by breadth-first search, not by its stored label

    // kMm only.
    bool stand_in = false;  // start and goal stand in for their regions' centres while regions are searched
    bool centres = false;   // are optimised (minimal_memory.h)

    // kPra only.
    uint32_t piece = 0;    // so many nodes of each level are refined at a time; 0: all of them
    bool sectors = false;  // of 2x2 nodes are merged, not cliques

    // kOverlay only: how far up the ladder of answers. None of them: the way over portals with crossings moved along their lines.
    uint32_t slots = 2;     // for portals, on each line
    bool portals = false;   // the way over portals as it is
    bool corridor = false;  // the cheapest way near that
    bool optimal = false;   // the cheapest way

    // kCpd only.
    PathdbVariant variant{};  // kEarly
};

// Whether a method searches cells and needs nothing but the map: what GridSearch runs. The others need what a World keeps, regions or what
// was prepared (prepared.h): a Planner runs them.
inline bool searches_cells(const Method& method) { return method.family < Family::kDta; }

// Whether a method can be told how near to optimal its answers must be, beyond what its name says (FindOptions::bound).
inline bool proves_bounds(const Method& method) { return method.family == Family::kOverlay || method.family == Family::kCpd; }

struct MethodInfo {
    Family family;
    const char* name;
    const char* usage;                                        // "wastar:W"
    const char* summary;                                      // one line
    const char* details;                                      // one more, where the usage has more to choose from; may be empty
    const char* example;                                      // a name that find_method takes
    std::unique_ptr<detail::CellSearch> (*make)() = nullptr;  // kOwn
};
std::span<const MethodInfo> methods();

// Refused, with what would be right: unknown names, searches and options; missing or senseless arguments; an option given twice.
Result<Method> find_method(std::string_view name);

}  // namespace terrane
