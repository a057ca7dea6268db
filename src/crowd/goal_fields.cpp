#include "crowd/goal_fields.h"

#include <algorithm>

#include "base/parallel.h"
#include "crowd/bit_flood.h"
#include "crowd/four_ways.h"
#include "terrane/base/assert.h"
#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane {

namespace {

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
    TERRANE_ASSERT(std::ranges::all_of(requests, [&](const FieldRequest& request) {
        return request.kind < ground_->kinds() && request.goal < ground_->size() &&
               (request.from == kNoSpot || request.from < ground_->size());
    }));
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
    field.from = request.from;
    field.component = ground_->component(request.kind, request.goal);
    return id;
}

void GoalFields::build(std::span<const FieldId> fields, uint32_t threads) {
    ways_.resize(ground_->kinds());
    for (const FieldId id : fields) {
        const uint16_t kind = fields_[id].kind;
        if (ground_->uniform(kind) && ways_[kind].empty()) ways_[kind] = detail::four_ways(*ground_, kind);
    }
    const auto tasks = static_cast<uint32_t>(fields.size());
    std::vector<detail::BitFlood> floods(workers_for(threads, tasks));
    parallel_for(threads, tasks, [&](uint32_t task, uint32_t worker) {
        Field& field = fields_[fields[task]];
        if (field.component == kNoComponent) return;
        if (ground_->uniform(field.kind)) {
            const Spot from = field.from != kNoSpot && ground_->component(field.kind, field.from) == field.component ? field.from : kNoSpot;
            const uint32_t moves = floods[worker].run(ways_[field.kind], field.goal, from, field.bits);
            if (moves != detail::BitFlood::kWhole) field.right_up_to = moves * ground_->uniform_step(field.kind);
        } else if (ground_->dearest_path(field.kind) < kInfinite<uint32_t>) {
            field.growing = std::make_unique<DijkstraField<uint32_t>>(*ground_, field.kind, field.goal);
        } else {
            field.growing = std::make_unique<DijkstraField<uint64_t>>(*ground_, field.kind, field.goal);
        }
    });
    const auto whole = [](const Field& field) { return field.right_up_to == kInfiniteCost; };
    if (std::ranges::all_of(fields_, whole)) ways_.clear();
}

void GoalFields::complete(Field& field) const {
    if (field.right_up_to == kInfiniteCost) return;
    detail::BitFlood().run(ways_[field.kind], field.goal, kNoSpot, field.bits);
    field.right_up_to = kInfiniteCost;
}

void GoalFields::drop(FieldId id) {
    TERRANE_ASSERT(id < fields_.size() && fields_[id].users > 0);
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
    if (!reaches(id, from)) return off_blocked(id, from);
    Field& field = fields_[id];
    if (field.bits.empty()) return field.growing->distance(from);
    if (from != field.from) complete(field);
    return walk(field, from);
}

Cost GoalFields::distance_beside(FieldId id, Spot from, Cost known, Spot to) {
    Field& field = fields_[id];
    if (field.bits.empty() || !reaches(id, from)) return distance(id, to);
    if (known >= field.right_up_to) complete(field);
    const Cost step = ground_->uniform_step(field.kind);
    return downhill(field, from, to) ? known - step : known + step;
}

bool GoalFields::nearer(FieldId id, Spot from, Spot to) {
    if (!reaches(id, to)) return false;
    if (!reaches(id, from)) return true;
    Field& field = fields_[id];
    if (field.bits.empty()) return field.growing->distance(to) < field.growing->distance(from);
    complete(field);
    return downhill(field, from, to);
}

size_t GoalFields::bytes() const {
    size_t bytes = fields_.capacity() * sizeof(Field) + free_.capacity() * sizeof(FieldId);
    bytes += by_goal_.size() * (sizeof(uint64_t) * 3) + by_goal_.bucket_count() * sizeof(void*);
    for (const auto& ways : ways_) bytes += ways.capacity() * sizeof(Spot);
    for (const Field& field : fields_) {
        bytes += field.bits.capacity() * sizeof(uint64_t) + (field.growing != nullptr ? field.growing->bytes() : 0);
    }
    return bytes;
}

}  // namespace terrane
