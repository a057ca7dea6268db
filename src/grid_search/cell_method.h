// The methods that search cells: A*, weighted A*, focal search, NBS, Dijkstra's algorithm and greedy best-first search, with a heuristic.
#pragma once
#include <cstdint>

#include "terrane/method/method_interface.h"
#include "terrane/search/best_first.h"

namespace terrane::detail {

// Creates the search of one algorithm; defined in grid_search.cpp.
struct CellAlgorithm;
extern const CellAlgorithm kAStar, kCanonicalAStar, kWeightedAStar, kFocal, kNbs, kDijkstra, kGreedy;

// The table of a heuristic stronger than octile distance: the number of landmarks, FastMap dimensions or lower-bound landmarks. At most
// one is not 0.
struct CellHeuristic {
    uint32_t landmarks = 0;
    uint32_t fastmap = 0;
    uint32_t lower_bounds = 0;
    friend bool operator==(const CellHeuristic&, const CellHeuristic&) = default;
};

class CellMethod final : public GridMethod {
public:
    CellMethod(const MethodFactory& factory, std::string_view name, const CellAlgorithm& by, Weight weighted, CellHeuristic with)
        : GridMethod(factory, name), algorithm(by), weight(weighted), heuristic(with) {}

    double guarantee() const override;
    bool prepares() const override { return heuristic != CellHeuristic{}; }
    std::unique_ptr<PreparationJob> prepare(const Method& self, const PreparationInput& input) const override;

    const CellAlgorithm& algorithm;
    const Weight weight;
    const CellHeuristic heuristic;
};

// Null if the method does not search cells.
const CellMethod* cell_method(const GridMethod& method);

extern const MethodFactory kAStarMethod, kCanonicalMethod, kWeightedAStarMethod, kFocalMethod, kNbsMethod, kDijkstraMethod, kGreedyMethod;

}  // namespace terrane::detail
