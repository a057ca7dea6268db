// Dijkstra's algorithm inside a small square around an agent: leads it back to its route, or around the agents that stand on the route.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crowd/swarm/swarm_route.h"
#include "terrane/search/heap_queue.h"

namespace terrane::detail {

// A square of cells, clipped to the map, with a row-major index.
struct LocalSquare {
    Rect rect;

    LocalSquare() = default;
    LocalSquare(const GridLayout& layout, Cell middle, int32_t radius)
        : rect(intersection({{middle.x - radius, middle.y - radius}, {2 * radius + 1, 2 * radius + 1}}, layout.rect())) {}
    uint32_t width() const { return static_cast<uint32_t>(rect.width); }
    uint32_t cells() const { return width() * static_cast<uint32_t>(rect.height); }
    uint32_t index(Cell c) const { return static_cast<uint32_t>(c.y - rect.y) * width() + static_cast<uint32_t>(c.x - rect.x); }
    Cell cell(uint32_t index) const {
        return {rect.x + static_cast<int32_t>(index % width()), rect.y + static_cast<int32_t>(index / width())};
    }
};

// A step costs 5 (straight) or 7 (diagonal) times the sum of the terrain costs of its two cells.
inline constexpr uint32_t kStepStraight = 5;
inline constexpr uint32_t kStepDiagonal = 7;

// Holds scratch memory that is reused.
class LocalSearch {
public:
    // Replaces the start of the route by a path from the agent's cell, inside the square of `radius` cells around it. An occupied cell
    // costs `occupied_penalty` additional straight steps on its terrain. False, and the route is unchanged, if no cell of it can be
    // reached there.
    bool rejoin(const Crowd& crowd, AgentId agent, Route& route, int32_t radius, uint32_t occupied_penalty);

    uint64_t expansions() const { return expansions_; }
    size_t bytes() const { return labels_.capacity() * sizeof(Label) + queue_.bytes() + path_.capacity() * sizeof(Cell); }

private:
    struct Label {
        uint32_t g;
        Move via;
    };
    struct JoinPoint {
        Cell cell;
        size_t moves = 0;  // of the old route that the join skips
        bool found = false;
    };
    void run_dijkstra(const Crowd& crowd, AgentId agent);
    void expand(const Crowd& crowd, const Ground& ground, Cell c);
    uint32_t step_cost(const Crowd& crowd, const Ground& ground, Cell from, Cell to) const;
    JoinPoint best_join_point(const Crowd& crowd, const Ground& ground, const Route& route) const;

    LocalSquare square_;
    uint32_t occupied_penalty_ = 0;
    std::vector<Label> labels_;
    HeapQueue<uint32_t, uint32_t> queue_;
    std::vector<Cell> path_;
    uint64_t expansions_ = 0;
};

}  // namespace terrane::detail
