// Request queues in C: many path requests by priority, within one budget per frame.
#include "planner_handle.h"

using namespace terrane;
using namespace terrane::capi;

struct terrane_queue {
    terrane_queue(const terrane_world& of, const RequestQueueOptions& options) : world(of.share()), requests(of.world, options) {}

    std::shared_ptr<const terrane_world> world;
    RequestQueue requests;
};

namespace {

terrane_code refuse_request(uint64_t id, terrane_error* error) {
    return refuse("there is no request " + std::to_string(id) + ": it was never added, or it was taken or cancelled", error);
}

}  // namespace

terrane_queue* terrane_queue_new(const terrane_world* world, const terrane_queue_options* options, terrane_error* error) {
    if (world == nullptr) return refuse_null(error), nullptr;
    return guarded_or<terrane_queue*>(nullptr, error, [&]() -> terrane_queue* {
        const auto all = options_of(options, "terrane_queue_options");
        if (!all) return refuse(all.error(), error), nullptr;
        RequestQueueOptions with;
        if (all->searches > 0) with.searches = all->searches;
        return new terrane_queue(*world, with);
    });
}
void terrane_queue_free(terrane_queue* queue) { delete queue; }

uint64_t terrane_queue_add(terrane_queue* queue, terrane_cell from, terrane_cell to, const terrane_profile* profile,
                           const terrane_find_options* options, int32_t priority, terrane_error* error) {
    if (queue == nullptr || profile == nullptr) return refuse_null(error), 0;
    return guarded_or<uint64_t>(0, error, [&]() -> uint64_t {
        const auto with = find_options_of(options);
        if (!with) return refuse(with.error(), error), 0;
        const auto costs = costs_of(*profile, *queue->world);
        if (!costs) return refuse(costs.error(), error), 0;
        if (queue->requests.size() >= RequestQueue::kMaxRequests)
            return refuse(Error{ErrorCode::kTooLarge, {}, 0, "the queue is full: take or cancel requests"}, error), 0;
        return queue->requests.add(cell_of(from), cell_of(to), *costs, *with, priority);
    });
}

uint64_t terrane_queue_run(terrane_queue* queue, uint32_t budget) { return queue == nullptr ? 0 : queue->requests.run(budget_of(budget)); }

uint32_t terrane_queue_waiting(const terrane_queue* queue) {
    return queue == nullptr ? 0 : static_cast<uint32_t>(queue->requests.waiting());
}

terrane_status terrane_queue_status(const terrane_queue* queue, uint64_t id) {
    return queue != nullptr && queue->requests.knows(id) ? status_to(queue->requests.status(id)) : terrane_status{TERRANE_NOT_ASKED};
}

int32_t terrane_queue_done(const terrane_queue* queue, uint64_t id) { return queue != nullptr && queue->requests.done(id) ? 1 : 0; }

size_t terrane_queue_ready(const terrane_queue* queue, uint64_t id, terrane_cell* out, size_t capacity) {
    if (queue == nullptr) return 0;
    ListWriter writer(out, capacity);
    for (const Cell c : queue->requests.ready(id)) writer.add(cell_to(c));
    return writer.count();
}

terrane_code terrane_queue_take(terrane_queue* queue, uint64_t id, terrane_path* path, terrane_error* error) {
    if (queue == nullptr || path == nullptr) return refuse_null(error);
    return guarded(error, [&]() -> terrane_code {
        if (!queue->requests.knows(id)) return refuse_request(id, error);
        const size_t first = queue->requests.first_segment(id);
        if (!queue->requests.take(id, path->path))
            return refuse("request " + std::to_string(id) + " is not answered yet: call terrane_queue_run", error);
        path->first = first;
        path->has_result = true;
        return TERRANE_OK;
    });
}

terrane_code terrane_queue_cancel(terrane_queue* queue, uint64_t id, terrane_error* error) {
    if (queue == nullptr) return refuse_null(error);
    return guarded(error, [&] { return queue->requests.cancel(id) ? terrane_code{TERRANE_OK} : refuse_request(id, error); });
}

uint64_t terrane_queue_bytes(const terrane_queue* queue) { return queue == nullptr ? 0 : queue->requests.bytes(); }
