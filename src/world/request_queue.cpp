#include "terrane/world/request_queue.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/catch_bad_alloc.h"
#include "terrane/base/assert.h"

namespace terrane {

namespace {

// An id is a running number, counted from 1, followed by the request's slot: earlier requests have smaller ids.
constexpr uint32_t kSlotBits = 20;
static_assert(RequestQueue::kMaxRequests == size_t{1} << kSlotBits);

size_t slot_of(RequestId id) { return id & (RequestQueue::kMaxRequests - 1); }

}  // namespace

RequestQueue::RequestQueue(const World& world, const RequestQueueOptions& options) : world_(&world), options_(options) {
    TERRANE_ASSERT(options.searches > 0);
}

const RequestQueue::Request* RequestQueue::find(RequestId id) const {
    const size_t slot = slot_of(id);
    return id != 0 && slot < requests_.size() && requests_[slot].key.id == id ? &requests_[slot] : nullptr;
}

RequestQueue::Request* RequestQueue::find(RequestId id) { return const_cast<Request*>(std::as_const(*this).find(id)); }

// Reserves memory in all lists that grow with the number of requests, so that only this function and take() throw.
void RequestQueue::add_slot() {
    TERRANE_ASSERT(requests_.size() < kMaxRequests);
    if (requests_.size() == requests_.capacity()) requests_.reserve(std::max<size_t>(8, 2 * requests_.size()));
    free_.reserve(requests_.capacity());
    waiting_.reserve(requests_.capacity());
    spare_.reserve(requests_.capacity());
    free_.push_back(static_cast<uint32_t>(requests_.size()));
    requests_.emplace_back();
}

RequestId RequestQueue::add(Cell start, Cell goal, const CostTable& costs, const FindOptions& options, int32_t priority) {
    TERRANE_ASSERT(options.bound == 0 || (options.bound >= 1 && std::isfinite(options.bound)));
    if (free_.empty()) add_slot();
    const uint32_t slot = free_.back();
    free_.pop_back();
    Request& request = requests_[slot];
    request.key = {priority, ++last_number_ << kSlotBits | slot};
    request.start = start;
    request.goal = goal;
    request.costs = costs;
    request.options = options;
    request.done = false;
    waiting_.push_back(request.key);
    std::push_heap(waiting_.begin(), waiting_.end());
    return request.key.id;
}

uint64_t RequestQueue::run(uint64_t budget) {
    uint64_t spent = 0;
    while (spent < budget && !waiting_.empty()) spent += slice(*find(waiting_.front().id), budget - spent);
    return spent;
}

// Runs the most urgent request. Returns the number of expansions, at least 1.
uint64_t RequestQueue::slice(Request& request, uint64_t budget) {
    if (request.search == kNone && !begin(request)) return answer(request, nullptr), 1;
    Planner& planner = searches_[request.search].planner;
    const uint64_t before = planner.expansions();
    const Status status = planner.run(budget);
    const uint64_t spent = std::max(planner.expansions(), before + 1) - before;  // expansions() is 0 after an allocation failure
    if (status != Status::kBudgetSpent || planner.expansions() >= request.options.max_expansions) answer(request, &planner);
    return spent;
}

// No planner: its memory could not be allocated.
void RequestQueue::answer(Request& request, const Planner* planner) {
    if (!spare_.empty()) {
        request.answer.cells = std::move(spare_.back());
        spare_.pop_back();
    }
    if (planner != nullptr) {
        planner->path(request.answer);
    } else {
        request.answer.cells.clear();
        request.answer = {.status = Status::kOutOfMemory, .cells = std::move(request.answer.cells), .version = world_->grid().version()};
    }
    request.first_segment = planner == nullptr ? 0 : planner->first_segment();
    request.done = true;
    drop_search(request);
    std::pop_heap(waiting_.begin(), waiting_.end());
    waiting_.pop_back();
}

// Returns false if the memory for a planner could not be allocated.
bool RequestQueue::begin(Request& request) {
    detail::catch_bad_alloc([&] { request.search = acquire_search(); }, [] {});
    if (request.search == kNone) return false;
    Search& search = searches_[request.search];
    search.key = request.key;
    search.planner.begin(request.start, request.goal, request.costs, request.options);
    return true;
}

uint32_t RequestQueue::acquire_search() {
    auto search = std::find_if(searches_.begin(), searches_.end(), [](const Search& s) { return s.key.id == 0; });
    if (search == searches_.end() && searches_.size() < options_.searches) {
        search = searches_.insert(search, Search{Planner(*world_, options_.planner), {}});
    } else if (search == searches_.end()) {
        search = std::min_element(searches_.begin(), searches_.end(), [](const Search& a, const Search& b) { return a.key < b.key; });
        drop_search(*find(search->key.id));
    }
    return static_cast<uint32_t>(search - searches_.begin());
}

// Drops the request's search, if any.
void RequestQueue::drop_search(Request& request) {
    if (request.search != kNone) searches_[request.search].key = {};
    request.search = kNone;
}

void RequestQueue::release(Request& request) {
    drop_search(request);
    if (request.done) spare_.push_back(std::move(request.answer.cells));
    free_.push_back(static_cast<uint32_t>(slot_of(request.key.id)));
    request.key = {};
}

bool RequestQueue::done(RequestId id) const {
    const Request* request = find(id);
    return request != nullptr && request->done;
}

Status RequestQueue::status(RequestId id) const {
    const Request* request = find(id);
    TERRANE_ASSERT(request != nullptr);
    return request != nullptr && request->done ? request->answer.status : Status::kBudgetSpent;
}

std::span<const Cell> RequestQueue::ready(RequestId id) const {
    const Request* request = find(id);
    if (request == nullptr) return {};
    if (request->done) return request->answer.cells;
    return request->search == kNone ? std::span<const Cell>() : searches_[request->search].planner.ready();
}

size_t RequestQueue::first_segment(RequestId id) const { return done(id) ? find(id)->first_segment : 0; }

bool RequestQueue::take(RequestId id, Path& out) {
    Request* request = find(id);
    if (request == nullptr || !request->done) return false;
    const Path& answer = request->answer;
    out.cells.reserve(answer.cells.size());  // so that the copy does not fail half-way
    out.polyline.reserve(answer.polyline.size());
    out.method.reserve(answer.method.size());
    out = answer;
    release(*request);
    return true;
}

bool RequestQueue::cancel(RequestId id) {
    Request* request = find(id);
    if (request == nullptr) return false;
    if (!request->done) {
        std::erase_if(waiting_, [id](const QueueKey& t) { return t.id == id; });
        std::make_heap(waiting_.begin(), waiting_.end());
    }
    release(*request);
    return true;
}

size_t RequestQueue::bytes() const {
    size_t sum = sizeof(RequestQueue) + requests_.capacity() * sizeof(Request) + free_.capacity() * sizeof(uint32_t) +
                 waiting_.capacity() * sizeof(QueueKey) + spare_.capacity() * sizeof(std::vector<Cell>);
    for (const Request& r : requests_) sum += r.answer.cells.capacity() * sizeof(Cell);
    for (const std::vector<Cell>& cells : spare_) sum += cells.capacity() * sizeof(Cell);
    for (const Search& s : searches_) sum += sizeof(Search) + s.planner.bytes();
    return sum;
}

}  // namespace terrane
