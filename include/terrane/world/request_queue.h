// Many requests for paths, by priority, under one budget of expansions a frame.
//
//   RequestQueue queue(world);
//   const RequestId id = queue.add(from, to, costs, options, kUrgent);
//   queue.run(5000);                        // once a frame
//   if (queue.take(id, path)) walk(path);   // found or not: path.status says
//
// The most urgent request is worked on first, of equally urgent ones the one that came first, each until it is answered. So one
// that is less urgent waits for as long as more urgent ones keep coming: nothing is done about that here.
//
// Each request is answered for the version of the world at which its search began, which is not before its turn;
// path.still_valid(world) tells whether it has changed since.
//
// What happens depends on the calls alone. A queue belongs to one thread; several queues, each on its own, may share a world. After
// warm-up nothing is allocated. Memory: a Planner for each search, 1.3 KB and its answer for each request.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/world/planner.h"

namespace terrane {

// 0 is no request's. No two requests have the same.
using RequestId = uint64_t;

struct RequestQueueOptions {
    // Searches that may be under way: the one worked on, and those paused for one more urgent. Where more were paused, the least
    // urgent is put back: its work is lost, and it begins again, on the world of then, when its turn comes. At least 1.
    size_t searches = 5;
    PlannerOptions planner;
};

class RequestQueue {
public:
    static constexpr size_t kMaxRequests = size_t{1} << 20;

    // `world` must outlive it.
    explicit RequestQueue(const World& world, const RequestQueueOptions& options = {});

    // Greater priorities are more urgent. Nothing is searched yet. `costs` and `options` are copied, what `options` points to is not, and
    // must outlive the request. At most kMaxRequests at a time, those answered but not taken included.
    RequestId add(Cell start, Cell goal, const CostTable& costs, const FindOptions& options, int32_t priority = 0);

    // Expands at most `budget` nodes (cells or regions) for the requests that wait; returns how many. A slice that takes none, such as
    // that of a goal out of reach, counts as one, so that a thousand of those do not come in one frame either.
    uint64_t run(uint64_t budget);

    // Requests not answered yet.
    size_t waiting() const { return turns_.size(); }

    // What follows knows a request until it is taken or cancelled.

    // Whether it is answered. False for ids that are not known.
    bool done(RequestId id) const;
    // kBudgetSpent until it is answered, and after that where options.max_expansions was not enough. Only for ids that are known.
    Status status(RequestId id) const;
    // The first cells of the path: see Planner::ready(). None any more if the search is put back, and then perhaps others. Empty for ids
    // that are not known. Valid until the next run(), take() or cancel().
    std::span<const Cell> ready(RequestId id) const;
    // Gives out the answer, reusing the memory of `out`, and forgets the request. False, and nothing is done, where it is not answered
    // yet or not known.
    bool take(RequestId id, Path& out);
    // Forgets the request, answered or not. False where it is not known.
    bool cancel(RequestId id);

    // Memory held for reuse.
    size_t bytes() const;

private:
    static constexpr uint32_t kNone = 0xffffffff;

    // Who is next: the greatest. No two are level, so the order is the same however the heap is built.
    struct Turn {
        int32_t priority = 0;
        RequestId id = 0;
        friend bool operator<(const Turn& a, const Turn& b) { return a.priority != b.priority ? a.priority < b.priority : a.id > b.id; }
    };
    struct Request {
        Turn turn;  // of id 0: a free slot
        Cell start, goal;
        CostTable costs;
        FindOptions options;
        uint32_t search = kNone;  // that is under way
        bool done = false;
        Path answer;
    };
    struct Search {
        Planner planner;
        Turn turn;  // of id 0: free
    };

    const Request* find(RequestId id) const;
    Request* find(RequestId id);
    uint64_t slice(Request& request, uint64_t budget);
    void answer(Request& request, const Planner& planner);
    void begin(Request& request);
    uint32_t free_search();
    void stop(Request& request);
    void forget(Request& request);

    const World* world_;
    RequestQueueOptions options_;
    uint64_t added_ = 0;
    std::vector<Request> requests_;
    std::vector<uint32_t> free_;  // slots
    std::vector<Turn> turns_;     // of those not answered: a heap
    std::vector<Search> searches_;
    std::vector<std::vector<Cell>> spare_;  // memory of answers that were taken
};

}  // namespace terrane
