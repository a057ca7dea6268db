#include "terrane/goal_fields.h"

#include <algorithm>

#include "crowd/four_ways.h"
#include "terrane/heap_queue.h"
#include "terrane/paged_labels.h"
#include "terrane/parallel.h"

namespace terrane {

namespace {

// Makes fields of bits, breadth first. One for each thread.
class Flood {
public:
    void run(std::span<const Spot> ways, Spot goal, std::vector<uint64_t>& bits) {
        const size_t size = ways.size() / 4;
        queue_.resize(size + 4);  // some more, to be written to without a test
        seen_.assign((size + 64) / 64 * 64, 0);
        seen_[size] = kSeen;
        seen_[goal] = kSeen;
        queue_[0] = goal;
        size_t end = 1;
        uint32_t distance = 1;
        for (size_t at = 0; at < end; ++distance) {
            end = next_level(ways.data(), at, end, static_cast<uint8_t>(kSeen | (distance & 2)), at);
        }
        pack(bits, size);
    }

private:
    static constexpr uint8_t kSeen = 1;

    // From the spots in the queue from `at` to `end`; the new end. `at` is moved on.
    size_t next_level(const Spot* ways, size_t from, size_t end, uint8_t mark, size_t& at) {
        Spot* const queue = queue_.data();
        uint8_t* const seen = seen_.data();
        const size_t level_end = end;
        for (; from < level_end; ++from) {
            const Spot* const to = ways + size_t{queue[from]} * 4;
            for (size_t m = 0; m < 4; ++m) {
                const uint8_t known = seen[to[m]];
                queue[end] = to[m];
                end += known == 0 ? 1 : 0;
                seen[to[m]] = known == 0 ? mark : known;
            }
        }
        at = level_end;
        return end;
    }

    // The bit of 2 of each mark.
    void pack(std::vector<uint64_t>& bits, size_t size) const {
        bits.assign((size + 63) / 64, 0);
        for (size_t i = 0; i < size; ++i) bits[i / 64] |= uint64_t{seen_[i]} >> 1 << (i % 64);
    }

    std::vector<Spot> queue_;
    std::vector<uint8_t> seen_;  // by spot: 0, or kSeen and the 2 of the distance
};

// Dijkstra's algorithm from the goal, resumed.
template <class V>
class DijkstraField : public detail::GrowingField {
public:
    DijkstraField(const CrowdGround& ground, uint16_t kind, Spot goal) : ground_(&ground), kind_(kind) {
        labels_.reset(ground.size());
        labels_.improve(goal, 0, goal, 0);
        queue_.push(0, goal, 0);
    }

    Cost distance(Spot from) override {
        while (!labels_.closed(from)) settle_next();
        return labels_.g(from);
    }

    size_t bytes() const override { return sizeof(*this) + labels_.bytes() + queue_.bytes(); }

private:
    void settle_next() {
        const auto [at, g] = queue_.pop();
        if (!labels_.close(at)) return;
        for (uint32_t moves = ground_->legal(kind_, at); moves != 0; moves &= moves - 1) {
            const auto move = static_cast<Move>(std::countr_zero(moves));
            const Spot to = ground_->neighbour(at, move);
            const V through = g + static_cast<V>(ground_->step_cost(kind_, at, move));
            if (labels_.improve(to, through, at, 0)) queue_.push(through, to, through);
        }
    }

    const CrowdGround* ground_;
    uint16_t kind_;
    PagedLabels<Spot, V, uint8_t, 256> labels_;
    HeapQueue<Spot, V> queue_;
};

}  // namespace

std::vector<FieldId> GoalFields::take(std::span<const FieldRequest> requests, uint32_t threads) {
    std::vector<FieldId> taken, fresh;
    taken.reserve(requests.size());
    for (const FieldRequest& request : requests) {
        const auto [entry, is_new] = by_goal_.try_emplace(uint64_t{request.kind} << 32 | request.goal, FieldId{0});
        if (is_new) {
            entry->second = add(request);
            fresh.push_back(entry->second);
        }
        ++fields_[entry->second].users;
        taken.push_back(entry->second);
    }
    build(fresh, threads);
    return taken;
}

FieldId GoalFields::add(const FieldRequest& request) {
    FieldId id = static_cast<FieldId>(fields_.size());
    if (free_.empty()) {
        fields_.emplace_back();
    } else {
        id = free_.back();
        free_.pop_back();
    }
    Field& field = fields_[id];
    field.goal = request.goal;
    field.kind = request.kind;
    field.component = ground_->component(request.kind, request.goal);
    return id;
}

void GoalFields::build(std::span<const FieldId> fields, uint32_t threads) {
    std::vector<std::vector<Spot>> ways(ground_->kinds());
    for (const FieldId id : fields) {
        const uint16_t kind = fields_[id].kind;
        if (ground_->uniform(kind) && ways[kind].empty()) ways[kind] = detail::four_ways(*ground_, kind);
    }
    const auto tasks = static_cast<uint32_t>(fields.size());
    std::vector<Flood> floods(workers_for(threads, tasks));
    parallel_for(threads, tasks, [&](uint32_t task, uint32_t worker) {
        Field& field = fields_[fields[task]];
        if (field.component == kNoComponent) return;
        if (ground_->uniform(field.kind)) {
            floods[worker].run(ways[field.kind], field.goal, field.bits);
        } else if (ground_->dearest_path(field.kind) < kInfinite<uint32_t>) {
            field.growing = std::make_unique<DijkstraField<uint32_t>>(*ground_, field.kind, field.goal);
        } else {
            field.growing = std::make_unique<DijkstraField<uint64_t>>(*ground_, field.kind, field.goal);
        }
    });
}

void GoalFields::drop(FieldId id) {
    Field& field = fields_[id];
    if (--field.users != 0) return;
    by_goal_.erase(uint64_t{field.kind} << 32 | field.goal);
    field = {};
    free_.push_back(id);
}

bool GoalFields::odd(const Field& field, Spot spot) const {
    // A cell id ends with five bits of x; the five above them are of y.
    const CellId cells = ground_->cell(spot) ^ ground_->cell(field.goal);
    return ((cells ^ cells >> 5) & 1) != 0;
}

Cost GoalFields::walk(const Field& field, Spot from) const {
    Cost steps = 0;
    while (from != field.goal) {
        uint32_t moves = ground_->legal(field.kind, from);
        while (!downhill(field, from, ground_->neighbour(from, static_cast<Move>(std::countr_zero(moves))))) moves &= moves - 1;
        from = ground_->neighbour(from, static_cast<Move>(std::countr_zero(moves)));
        ++steps;
    }
    return steps * ground_->uniform_step(field.kind);
}

Cost GoalFields::off_blocked(FieldId id, Spot from) {
    Cost best = kInfiniteCost;
    const uint16_t kind = fields_[id].kind;
    if (ground_->component(kind, from) != kNoComponent) return best;
    for (uint32_t moves = ground_->legal(kind, from); moves != 0; moves &= moves - 1) {
        const auto move = static_cast<Move>(std::countr_zero(moves));
        const Cost rest = distance(id, ground_->neighbour(from, move));
        if (rest != kInfiniteCost) best = std::min(best, rest + ground_->step_cost(kind, from, move));
    }
    return best;
}

Cost GoalFields::distance(FieldId id, Spot from) {
    const Field& field = fields_[id];
    if (!reaches(id, from)) return off_blocked(id, from);
    return field.bits.empty() ? field.growing->distance(from) : walk(field, from);
}

Cost GoalFields::distance_beside(FieldId id, Spot from, Cost known, Spot to) {
    const Field& field = fields_[id];
    if (field.bits.empty() || !reaches(id, from)) return distance(id, to);
    const Cost step = ground_->uniform_step(field.kind);
    return downhill(field, from, to) ? known - step : known + step;
}

bool GoalFields::nearer(FieldId id, Spot from, Spot to) {
    const Field& field = fields_[id];
    if (!reaches(id, to)) return false;
    if (!reaches(id, from)) return true;
    return field.bits.empty() ? field.growing->distance(to) < field.growing->distance(from) : downhill(field, from, to);
}

size_t GoalFields::bytes() const {
    size_t bytes = fields_.capacity() * sizeof(Field) + free_.capacity() * sizeof(FieldId);
    bytes += by_goal_.size() * (sizeof(uint64_t) * 3) + by_goal_.bucket_count() * sizeof(void*);
    for (const Field& field : fields_) {
        bytes += field.bits.capacity() * sizeof(uint64_t) + (field.growing != nullptr ? field.growing->bytes() : 0);
    }
    return bytes;
}

}  // namespace terrane
