// Back to the route, or around those who stand on it: the cheapest way inside a small square, with others in the way at a price.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crowd/swarm/swarm_route.h"
#include "terrane/search/heap_queue.h"

namespace terrane::detail {

// A square of cells of the map, cut off at its edge, and their numbers in it.
struct LocalSquare {
    Rect rect;

    LocalSquare() = default;
    LocalSquare(const GridLayout& layout, Cell middle, int32_t radius)
        : rect(intersection({middle.x - radius, middle.y - radius, middle.x + radius + 1, middle.y + radius + 1}, layout.rect())) {}
    uint32_t width() const { return static_cast<uint32_t>(rect.right - rect.left); }
    uint32_t cells() const { return width() * static_cast<uint32_t>(rect.bottom - rect.top); }
    uint32_t number(Cell c) const { return static_cast<uint32_t>(c.y - rect.top) * width() + static_cast<uint32_t>(c.x - rect.left); }
    Cell cell(uint32_t number) const {
        return {rect.left + static_cast<int32_t>(number % width()), rect.top + static_cast<int32_t>(number / width())};
    }
};

// Prices of steps: 5 straight and 7 diagonally, times the sum of the two cells' costs.
inline constexpr uint32_t kStepStraight = 5;
inline constexpr uint32_t kStepDiagonal = 7;

// Scratch, reused.
class LocalSearch {
public:
    // Makes the agent's route begin where it is, by a way of at most `radius` cells from there. Cells that others stand on cost as much as
    // `in_the_way` steps more. False where no cell of the route is in reach: then nothing is done.
    bool join(const Crowd& crowd, AgentId agent, Route& route, int32_t radius, uint32_t in_the_way);

    uint64_t expansions() const { return expansions_; }
    size_t bytes() const { return labels_.capacity() * sizeof(Label) + queue_.bytes() + way_.capacity() * sizeof(Cell); }

private:
    struct Label {
        uint32_t g;
        Move via;
    };
    struct Joint {
        Cell cell;
        size_t moves = 0;  // of the route, up to there
        bool found = false;
    };
    void flood(const Crowd& crowd, AgentId agent);
    void expand(const Crowd& crowd, const Ground& ground, Cell c);
    uint32_t price(const Crowd& crowd, const Ground& ground, Cell from, Cell to) const;
    Joint best_joint(const Crowd& crowd, const Ground& ground, const Route& route) const;

    LocalSquare square_;
    uint32_t in_the_way_ = 0;
    std::vector<Label> labels_;
    HeapQueue<uint32_t, uint32_t> queue_;
    std::vector<Cell> way_;
    uint64_t expansions_ = 0;
};

}  // namespace terrane::detail
