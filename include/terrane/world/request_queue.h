// Answers many path requests by priority, within one budget of expansions per frame.
//
//   RequestQueue queue(world);
//   const RequestId id = queue.add(from, to, costs, options, kUrgent);
//   queue.run(5000);                        // once per frame
//   if (queue.take(id, path)) walk(path);   // path.status reports whether there is one
//
// The queue runs the request with the highest priority until it is answered; ties: the oldest first. There is no ageing: a request of low
// priority waits as long as more urgent ones keep coming.
//
// A request is answered for the version of the world at which its search began. path.still_valid(world) returns whether the path
// is unaffected by later edits.
//
// Results depend only on the sequence of calls. One thread at a time; several queues may share a world. After warm-up nothing is
// allocated. Memory: one Planner per search; 1.3 KB plus the answer per request.
//
// Allocation failure: add() and take() throw std::bad_alloc and change nothing. run() does not throw: the request whose search failed is
// answered with kOutOfMemory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/world/planner.h"

namespace terrane {

// Unique per request; 0 is never used.
using RequestId = uint64_t;

struct RequestQueueOptions {
    // The most searches in progress: the active one and those that a more urgent request paused. Beyond that, the least urgent search is
    // dropped: its work is lost, and it restarts on the then current version of the world. At least 1.
    size_t searches = 5;
    PlannerOptions planner;
};

class RequestQueue {
public:
    static constexpr size_t kMaxRequests = size_t{1} << 20;

    // `world` must outlive the queue.
    explicit RequestQueue(const World& world, const RequestQueueOptions& options = {});

    // Adds a request; higher priorities are more urgent. Copies `costs` and `options`; what `options` points to must outlive the request.
    // At most kMaxRequests at a time, including those answered but not taken.
    RequestId add(Cell start, Cell goal, const CostTable& costs, const FindOptions& options, int32_t priority = 0);

    // Expands at most `budget` nodes (cells or regions) for the waiting requests. Returns the number of expansions. A slice without
    // expansions, such as an unreachable goal, counts as one, so that these are limited per frame, too.
    uint64_t run(uint64_t budget);

    // Requests not answered yet.
    size_t waiting() const { return waiting_.size(); }

    // A request is known until it is taken or cancelled.
    bool knows(RequestId id) const { return find(id) != nullptr; }
    // Known requests; at most kMaxRequests.
    size_t size() const { return requests_.size() - free_.size(); }

    // Whether it is answered. False for unknown ids.
    bool done(RequestId id) const;
    // kBudgetSpent until it is answered, or if options.max_expansions was reached. Only for known ids.
    Status status(RequestId id) const;
    // The final prefix of the path: see Planner::ready(). If the search is dropped, the prefix is empty again and may later differ. Empty
    // for unknown ids. Valid until the next run(), take() or cancel().
    std::span<const Cell> ready(RequestId id) const;
    // Planner::first_segment() of the answer; 0 until it is answered, and for unknown ids.
    size_t first_segment(RequestId id) const;
    // Copies the answer to `out`, reusing its memory, and removes the request. Returns false and does nothing if it is not answered or
    // unknown.
    bool take(RequestId id, Path& out);
    // Removes the request, answered or not. Returns false if it is unknown.
    bool cancel(RequestId id);

    // Scratch memory held.
    size_t bytes() const;

private:
    static constexpr uint32_t kNone = 0xffffffff;

    // Heap order: the greatest is next. A total order, so the result does not depend on the heap's layout.
    struct QueueKey {
        int32_t priority = 0;
        RequestId id = 0;
        friend bool operator<(const QueueKey& a, const QueueKey& b) {
            return a.priority != b.priority ? a.priority < b.priority : a.id > b.id;
        }
    };
    struct Request {
        QueueKey key;  // id 0: a free slot
        Cell start, goal;
        CostTable costs;
        FindOptions options;
        uint32_t search = kNone;  // index of the search in progress
        bool done = false;
        Path answer;
        size_t first_segment = 0;  // of the answer
    };
    struct Search {
        Planner planner;
        QueueKey key;  // id 0: free
    };

    const Request* find(RequestId id) const;
    Request* find(RequestId id);
    uint64_t slice(Request& request, uint64_t budget);
    void answer(Request& request, const Planner* planner);
    bool begin(Request& request);
    void add_slot();
    uint32_t acquire_search();
    void drop_search(Request& request);
    void release(Request& request);

    const World* world_;
    RequestQueueOptions options_;
    uint64_t last_number_ = 0;
    std::vector<Request> requests_;
    std::vector<uint32_t> free_;     // slots
    std::vector<QueueKey> waiting_;  // heap of the requests not answered
    std::vector<Search> searches_;
    std::vector<std::vector<Cell>> spare_;  // memory of answers that were taken
};

}  // namespace terrane
