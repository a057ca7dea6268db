// One search over the intervals of a map, from one end of the path: lines below the cost of reaching each, for proven_search.h.
//
// An interval is open while its ends only hold the least cost of ways that got there. In the order of these it is closed: what its line has
// too much over any way from a closed interval is taken off, and it sends its own beams through the polygons on both sides. Where that
// lowers the line of a closed interval, this is expanded again. In the end, of any two closed intervals of a polygon, the line of each is
// below what the other's beam reaches it for; so, from point to point, no path that keeps to closed intervals gets anywhere for less than
// the lines say. A beam does not open an interval that a path from there on through it would cost more than the limit: what is never
// closed lies on no path of the limit or less.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/search/heap_queue.h"
#include "terrane/weighted_regions/open_path.h"
#include "weighted_regions/interval_map.h"

namespace terrane::detail {

class IntervalPass {
public:
    struct Setup {
        uint32_t direction = 0;  // 0: from the start, 1: from the goal
        Point source, target;
        std::span<const uint32_t> source_in, target_in;  // passable polygons, in order
        double limit = kOutOfReach;
        bool guided = false;  // the other direction's values are good: below the cost from any point on
        double quantum = 0;   // a change of a value that does not matter
        OpenTrace* trace = nullptr;
    };

    // The map, and what the setup points to, must outlive the pass.
    void begin(IntervalMap& map, const Setup& setup);
    // Expands at most `budget` intervals, and takes what it expands off it. True when done.
    bool run(uint64_t& budget);

    // When done. Below the cost of every path of the limit or less.
    double reached() const { return target_.through; }
    // By boundary, from the source on: a way of about that cost. `costs` has one more.
    struct Chain {
        std::vector<uint32_t> boundaries;
        std::vector<double> places;
        std::vector<double> costs;
    };
    void trace_back(Chain& chain) const;
    // Kills what was not closed, or is above `limit` by the lines of both directions.
    void prune(double limit);
    // Closed intervals' neighbours that wait; for pictures.
    void list_open(std::vector<Point>& out) const;

    size_t bytes() const;

private:
    static constexpr uint32_t kSource = 0xffffffff;

    // The way by which an interval was opened.
    struct Arrival {
        uint32_t from = kSource;
        double cost = 0;               // of a unit of it
        double through = kOutOfReach;  // of the least path that comes this way
    };

    double value(uint32_t k) const { return map_->values(setup_.direction)[k]; }
    double ahead(uint32_t k) const { return setup_.guided ? map_->values(1 - setup_.direction)[k] : 0; }
    bool is_closed(uint32_t i) const { return closed_[i] != 0; }

    void lower(uint32_t k, double value);
    void open(uint32_t i, const Arrival& arrival);
    void relax_open(const Beam& beam, uint32_t to, uint32_t from);
    void relax_closed(const Beam& beam, uint32_t to);
    void spread(const Beam& beam, uint32_t polygon, uint32_t from);
    void reach_target(const Beam& beam, uint32_t polygon, uint32_t from);
    void flatten(uint32_t i);
    void close(uint32_t i);
    void pull(uint32_t i, uint32_t polygon);
    void open_beside(uint32_t i);
    void expand(uint32_t i);

    IntervalMap* map_ = nullptr;
    Setup setup_;
    Arrival target_;
    HeapQueue<uint32_t, double> queue_;
    std::vector<uint8_t> closed_;
    std::vector<double> keys_;       // by interval: of its lowest end that changed; infinite where none did
    std::vector<Arrival> arrivals_;  // by interval
    std::vector<uint32_t> lowered_;  // by knot: how often
};

}  // namespace terrane::detail
