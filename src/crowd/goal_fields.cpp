#include "crowd/goal_fields.h"

#include <algorithm>

#include "base/parallel.h"
#include "crowd/bfs_mod4.h"
#include "crowd/padded_neighbours.h"
#include "terrane/base/assert.h"
#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane {

namespace {

// Dijkstra's algorithm from the goal, resumed by each query that needs more.
template <class V>
class DijkstraField : public detail::ResumableField {
public:
    DijkstraField(const CrowdGround& ground, uint16_t type, Spot goal) : ground_(&ground), type_(type) {
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
        for (uint32_t moves = ground_->legal(type_, at); moves != 0; moves &= moves - 1) {
            const auto move = static_cast<Move>(std::countr_zero(moves));
            const Spot to = ground_->neighbour(at, move);
            const V through = g + static_cast<V>(ground_->step_cost(type_, at, move));
            if (labels_.improve(to, through, at, 0)) queue_.push(through, to, through);
        }
    }

    const CrowdGround* ground_;
    uint16_t type_;
    PagedLabels<Spot, V, uint8_t, 256> labels_;
    HeapQueue<Spot, V> queue_;
};

}  // namespace

std::vector<FieldId> GoalFields::take(std::span<const FieldRequest> requests, uint32_t threads) {
    TERRANE_ASSERT(std::ranges::all_of(requests, [&](const FieldRequest& request) {
        return request.type < ground_->types() && request.goal < ground_->size() &&
               (request.from == kNoSpot || request.from < ground_->size());
    }));
    std::vector<FieldId> taken, new_fields;
    taken.reserve(requests.size());
    for (const FieldRequest& request : requests) {
        const auto [entry, is_new] = by_goal_.try_emplace(uint64_t{request.type} << 32 | request.goal, FieldId{0});
        if (is_new) {
            entry->second = add(request);
            new_fields.push_back(entry->second);
        }
        ++fields_[entry->second].users;
        taken.push_back(entry->second);
    }
    build(new_fields, threads);
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
    field.type = request.type;
    field.from = request.from;
    field.component = ground_->component(request.type, request.goal);
    return id;
}

void GoalFields::build(std::span<const FieldId> fields, uint32_t threads) {
    neighbours_.resize(ground_->types());
    for (const FieldId id : fields) {
        const uint16_t type = fields_[id].type;
        if (ground_->uniform(type) && neighbours_[type].empty()) neighbours_[type] = detail::padded_neighbours(*ground_, type);
    }
    const auto tasks = static_cast<uint32_t>(fields.size());
    std::vector<detail::BfsMod4> searches(workers_for(threads, tasks));
    parallel_for(threads, tasks, [&](uint32_t task, uint32_t worker) {
        Field& field = fields_[fields[task]];
        if (field.component == kNoComponent) return;
        if (ground_->uniform(field.type)) {
            const Spot from = field.from != kNoSpot && ground_->component(field.type, field.from) == field.component ? field.from : kNoSpot;
            const uint32_t moves = searches[worker].run(neighbours_[field.type], field.goal, from, field.bits);
            if (moves != detail::BfsMod4::kComplete) field.valid_up_to = moves * ground_->uniform_step(field.type);
        } else if (ground_->max_path_cost(field.type) < kInfinite<uint32_t>) {
            field.resumable = std::make_unique<DijkstraField<uint32_t>>(*ground_, field.type, field.goal);
        } else {
            field.resumable = std::make_unique<DijkstraField<uint64_t>>(*ground_, field.type, field.goal);
        }
    });
    const auto is_complete = [](const Field& field) { return field.valid_up_to == kInfiniteCost; };
    if (std::ranges::all_of(fields_, is_complete)) neighbours_.clear();
}

void GoalFields::complete(Field& field) const {
    if (field.valid_up_to == kInfiniteCost) return;
    detail::BfsMod4().run(neighbours_[field.type], field.goal, kNoSpot, field.bits);
    field.valid_up_to = kInfiniteCost;
}

void GoalFields::drop(FieldId id) {
    TERRANE_ASSERT(id < fields_.size() && fields_[id].users > 0);
    Field& field = fields_[id];
    if (--field.users != 0) return;
    by_goal_.erase(uint64_t{field.type} << 32 | field.goal);
    field = {};
    free_.push_back(id);
}

bool GoalFields::odd(const Field& field, Spot spot) const {
    // The lowest 5 bits of a cell id are of x, the next 5 of y.
    const CellId cells = ground_->cell(spot) ^ ground_->cell(field.goal);
    return ((cells ^ cells >> 5) & 1) != 0;
}

Cost GoalFields::descend(const Field& field, Spot from) const {
    Cost steps = 0;
    while (from != field.goal) {
        uint32_t moves = ground_->legal(field.type, from);
        while (!downhill(field, from, ground_->neighbour(from, static_cast<Move>(std::countr_zero(moves))))) moves &= moves - 1;
        from = ground_->neighbour(from, static_cast<Move>(std::countr_zero(moves)));
        ++steps;
    }
    return steps * ground_->uniform_step(field.type);
}

Cost GoalFields::distance_off_blocked(FieldId id, Spot from) {
    Cost best = kInfiniteCost;
    const uint16_t type = fields_[id].type;
    if (ground_->component(type, from) != kNoComponent) return best;
    for (uint32_t moves = ground_->legal(type, from); moves != 0; moves &= moves - 1) {
        const auto move = static_cast<Move>(std::countr_zero(moves));
        const Cost onward = distance(id, ground_->neighbour(from, move));
        if (onward != kInfiniteCost) best = std::min(best, onward + ground_->step_cost(type, from, move));
    }
    return best;
}

Cost GoalFields::distance(FieldId id, Spot from) {
    if (!reaches(id, from)) return distance_off_blocked(id, from);
    Field& field = fields_[id];
    if (field.bits.empty()) return field.resumable->distance(from);
    if (from != field.from) complete(field);
    return descend(field, from);
}

Cost GoalFields::neighbour_distance(FieldId id, Spot from, Cost known, Spot to) {
    Field& field = fields_[id];
    if (field.bits.empty() || !reaches(id, from)) return distance(id, to);
    if (known >= field.valid_up_to) complete(field);
    const Cost step = ground_->uniform_step(field.type);
    return downhill(field, from, to) ? known - step : known + step;
}

bool GoalFields::nearer(FieldId id, Spot from, Spot to) {
    if (!reaches(id, to)) return false;
    if (!reaches(id, from)) return true;
    Field& field = fields_[id];
    if (field.bits.empty()) return field.resumable->distance(to) < field.resumable->distance(from);
    complete(field);
    return downhill(field, from, to);
}

size_t GoalFields::bytes() const {
    size_t bytes = fields_.capacity() * sizeof(Field) + free_.capacity() * sizeof(FieldId);
    bytes += by_goal_.size() * (sizeof(uint64_t) * 3) + by_goal_.bucket_count() * sizeof(void*);
    for (const auto& neighbours : neighbours_) bytes += neighbours.capacity() * sizeof(Spot);
    for (const Field& field : fields_) {
        bytes += field.bits.capacity() * sizeof(uint64_t) + (field.resumable != nullptr ? field.resumable->bytes() : 0);
    }
    return bytes;
}

}  // namespace terrane
