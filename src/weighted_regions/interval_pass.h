// One round of proven_search.h: propagates linear lower bounds from one end of the path over all intervals, as in continuous Dijkstra.
//
// The ends of an open interval hold the lowest cost of the arrivals there. Intervals are closed in the order of these values. Closing an
// interval lowers its bound below the beam of every closed interval, and then sends its own beams through the polygons on both sides. If
// that lowers the bound of a closed interval, it is expanded again. At the end, for any two closed intervals of a polygon, the bound of
// each is below the other's beam. By induction over the points of a path, no path over closed intervals costs less than the bounds. A beam
// does not open an interval if every path over both would exceed the limit: an interval that is never closed lies on no path within the
// limit.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/search/heap_queue.h"
#include "terrane/weighted_regions/subdivision_path.h"
#include "weighted_regions/interval_map.h"

namespace terrane::detail {

class IntervalPass {
public:
    struct Setup {
        uint32_t direction = 0;  // 0: from the start, 1: from the goal
        Point source, target;
        std::span<const uint32_t> source_in, target_in;  // passable polygons, in ascending order
        double limit = kUnreachableCost;
        bool has_heuristic = false;  // the other direction's values are lower bounds on the remaining cost
        double quantum = 0;          // a negligible change of a value
        SubdivisionTrace* trace = nullptr;
    };

    // The map and everything that `setup` refers to must outlive the pass.
    void begin(IntervalMap& map, const Setup& setup);
    // Expands at most `budget` intervals and subtracts their number from it. Returns true when done.
    bool run(uint64_t& budget);

    // After run() is done: a lower bound on the cost of every path within the limit.
    double lower_bound() const { return target_.through; }
    // A sequence of boundaries from the source, crossed by a path of about that cost. `costs` has one more entry, by segment of the path.
    struct Chain {
        std::vector<uint32_t> boundaries;
        std::vector<double> places;
        std::vector<double> costs;
    };
    void trace_back(Chain& chain) const;
    // Kills intervals that were not closed, or whose bounds of both directions add up to more than `limit`.
    void prune(double limit);
    // Open intervals, for pictures.
    void list_open(std::vector<Point>& out) const;

    size_t bytes() const;

private:
    static constexpr uint32_t kSource = 0xffffffff;

    // The best arrival at an interval, or at the target.
    struct Arrival {
        uint32_t from = kSource;
        double cost = 0;                    // per unit length, of its last segment
        double through = kUnreachableCost;  // f-value: estimated cost of a path that arrives this way
    };

    double value(uint32_t k) const { return map_->values(setup_.direction)[k]; }
    double heuristic(uint32_t k) const { return setup_.has_heuristic ? map_->values(1 - setup_.direction)[k] : 0; }
    bool is_closed(uint32_t i) const { return closed_[i] != 0; }

    void lower(uint32_t k, double value);
    void open(uint32_t i, const Arrival& arrival);
    void relax_open(const Beam& beam, uint32_t to, uint32_t from);
    void relax_closed(const Beam& beam, uint32_t to);
    void propagate(const Beam& beam, uint32_t polygon, uint32_t from);
    void reach_target(const Beam& beam, uint32_t polygon, uint32_t from);
    void limit_slope(uint32_t i);
    void close(uint32_t i);
    void pull(uint32_t i, uint32_t polygon);
    void open_neighbours(uint32_t i);
    void expand(uint32_t i);

    IntervalMap* map_ = nullptr;
    Setup setup_;
    Arrival target_;
    HeapQueue<uint32_t, double> queue_;
    std::vector<uint8_t> closed_;
    std::vector<double> keys_;       // by interval: lowest value of an end that changed since its expansion; infinite if none did
    std::vector<Arrival> arrivals_;  // by interval
    std::vector<uint32_t> lowered_;  // by knot: how many times
};

}  // namespace terrane::detail
