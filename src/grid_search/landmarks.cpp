#include "terrane/grid_search/landmarks.h"

#include <atomic>

#include "base/apportion.h"
#include "base/parallel.h"
#include "grid_search/flood.h"
#include "terrane/base/assert.h"

// Threads: each landmark depends on the previous ones, so one task selects all landmarks. It needs only the distance to the nearest
// landmark, which a new landmark changes only in its own surroundings. One label store, updated from landmark after landmark, costs
// n + n/2 + n/3 + ... expansions instead of n each. Every other task computes the distances from one landmark; it starts as soon as
// that landmark is selected.

namespace terrane {

namespace {

using detail::CellTable;
using detail::Component;
using detail::Flood;
using detail::FloodScratch;
using detail::Survey;

template <class E>
class Builder {
public:
    Builder(const Ground& ground, const Survey& survey, const LandmarkOptions& options)
        : grid_(&ground.grid()),
          survey_(&survey),
          graph_(ground),
          threads_(options.threads),
          shares_(detail::apportion(survey.components, std::clamp(options.landmarks, 1u, kMaxLandmarks),
                                    [](const Component& c) { return c.cells; })),
          chosen_(count_of(shares_)),
          table_(ground.layout(), count_of(shares_)) {}

    void run() {
        const auto tasks = static_cast<uint32_t>(chosen_.size() + 1);
        std::vector<FloodScratch<E>> scratch(workers_for(threads_, tasks));
        parallel_for(threads_, tasks, [&](uint32_t task, uint32_t worker) {
            if (task == 0) {
                choose(scratch[worker]);
            } else {
                fill(task - 1, scratch[worker]);
            }
        });
    }

    CellTable<E> take_table() { return std::move(table_); }
    std::vector<Cell> landmarks() const {
        std::vector<Cell> cells;
        cells.reserve(chosen_.size());
        for (const CellId id : chosen_) cells.push_back(grid_->layout().cell(id));
        return cells;
    }

private:
    using Graph = GridGraph<E>;

    static uint32_t count_of(const std::vector<uint32_t>& shares) {
        uint32_t sum = 0;
        for (const uint32_t share : shares) sum += share;
        return sum;
    }

    Flood<Graph> flood(FloodScratch<E>& scratch) const {
        return Flood<Graph>(graph_, grid_->layout().id_limit(), detail::flood_shift(survey_->bounds), scratch);
    }

    void choose(FloodScratch<E>& scratch) {
        for (size_t component = 0; component < shares_.size(); ++component) {
            Flood<Graph> nearest = flood(scratch);
            CellId next = survey_->components[component].farthest;
            for (uint32_t i = 0; i < shares_[component]; ++i) {
                publish(next);
                if (i + 1 == shares_[component]) break;
                nearest.run_from(next);
                next = nearest.farthest().farthest;
            }
        }
    }

    void publish(CellId landmark) {
        chosen_[ready_.load(std::memory_order_relaxed)] = landmark;
        ready_.fetch_add(1, std::memory_order_release);
        ready_.notify_all();
    }

    CellId wait_for(uint32_t landmark) const {
        for (uint32_t ready; (ready = ready_.load(std::memory_order_acquire)) <= landmark;) ready_.wait(ready);
        return chosen_[landmark];
    }

    // Also writes the cells of a page that are off the map; they are never read.
    void fill(uint32_t landmark, FloodScratch<E>& scratch) {
        Flood<Graph> field = flood(scratch);
        field.run_from(wait_for(landmark));
        const GridLayout& layout = grid_->layout();
        for (uint32_t y = 0; y < layout.tiles_y(); ++y) {
            for (uint32_t x = 0; x < layout.tiles_x(); ++x) fill_tile(landmark, ((y << layout.row_shift) | x) * kTileCells, field);
        }
    }
    void fill_tile(uint32_t landmark, CellId first, const Flood<Graph>& field) {
        E* entry = table_.row(first) + landmark;
        for (uint32_t i = 0; i < kTileCells; ++i) entry[size_t{i} * table_.columns()] = field.distance(first + i);
    }

    const GridSnapshot* grid_;
    const Survey* survey_;
    Graph graph_;
    uint32_t threads_;
    std::vector<uint32_t> shares_;
    std::vector<CellId> chosen_;
    std::atomic<uint32_t> ready_ = 0;  // number of landmarks in `chosen_`
    CellTable<E> table_;
};

// One landmark's column of a table as a label store for the kernel. Stores no parent moves, so expansions are not pruned.
template <class E>
class LandmarkLabels {
public:
    struct Label {
        uint64_t g;
        Move via;
    };

    LandmarkLabels(detail::CellTableEdit<E>& edit, uint32_t landmark) : edit_(&edit), landmark_(landmark) {}

    uint64_t g(CellId cell) const { return edit_->at(cell, landmark_); }
    Label label(CellId cell) const { return {g(cell), kNoMove}; }
    bool improve(CellId cell, uint64_t g, CellId /*from*/, Move /*via*/) {
        if (g >= this->g(cell)) return false;
        edit_->set(cell, landmark_, static_cast<E>(g));
        return true;
    }
    CellId parent(const auto& /*graph*/, CellId cell) const { return cell; }

private:
    detail::CellTableEdit<E>* edit_;
    uint32_t landmark_;
};

// Ends of edges that an edit may have made cheaper or legal: the cells that became cheaper, and their passable neighbours.
std::vector<CellId> passable_around(const GridSnapshot& grid, const CostTable& costs, const std::vector<CellId>& cells) {
    std::vector<CellId> found(cells);
    for (const CellId id : cells) {
        const Cell c = grid.layout().cell(id);
        for (const Cell m : kMoves) {
            const Cell n{c.x + m.x, c.y + m.y};
            if (costs.passable(grid.at(n))) found.push_back(grid.layout().id(n));
        }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

// Pushes the seeds into the queue. Their potentials may differ by the width of the map, so buckets are wide enough that there are at
// most 2^16 of them. A cell in a wide bucket may be expanded more than once, which the kernel allows.
constexpr uint32_t kSeedBucketBits = 16;

template <class E>
void push_seeds(const std::vector<CellId>& seeds, const LandmarkLabels<E>& labels, uint32_t shift, BucketQueue<CellId, uint64_t>& queue) {
    uint64_t least = kInfinite<E>, greatest = 0;
    for (const CellId cell : seeds) {
        if (labels.g(cell) == kInfinite<E>) continue;
        least = std::min(least, labels.g(cell));
        greatest = std::max(greatest, labels.g(cell));
    }
    const auto span_bits = static_cast<uint32_t>(std::bit_width(greatest - std::min(least, greatest)));
    queue.reset(std::max(shift, span_bits - std::min(span_bits, kSeedBucketBits)));
    for (const CellId cell : seeds) {
        if (labels.g(cell) != kInfinite<E>) queue.push(labels.g(cell), cell, labels.g(cell));
    }
}

// Lowers potentials until |p(a) - p(b)| <= w(a, b) on every edge. Sums are 64 bits wide. A potential that does not fit 32 bits stays at
// the maximum; its neighbours' potentials are within an edge cost of that.
template <class E>
CellTable<E> repaired(const CellTable<E>& table, const detail::TableOwner& now, const std::vector<CellId>& cheaper) {
    const GridGraph<uint64_t> graph(now.ground);
    const std::vector<CellId> seeds = passable_around(now.ground.grid(), now.ground.costs(), cheaper);
    const uint32_t shift = detail::flood_shift(now.ground.bounds());
    detail::CellTableEdit<E> edit(table);
    BucketQueue<CellId, uint64_t> queue;
    for (uint32_t landmark = 0; landmark < table.columns(); ++landmark) {
        LandmarkLabels<E> labels(edit, landmark);
        push_seeds(seeds, labels, shift, queue);
        BestFirst search(graph, ZeroHeuristic{}, NoGoal{}, labels, queue, {}, uint64_t{kInfinite<E> - 1});
        search.run();
    }
    return std::move(edit).take();
}

}  // namespace

DifferentialHeuristic DifferentialHeuristic::build(const Ground& ground, const LandmarkOptions& options) {
    TERRANE_ASSERT(ground.movement() != Movement::kCustom);
    const Survey survey = detail::survey_of(ground);
    auto owner = std::make_shared<detail::TableOwner>(ground);
    std::vector<Cell> landmarks;
    const auto build_with = [&]<class E>(E /*width*/) {
        Builder<E> builder(ground, survey, options);
        builder.run();
        landmarks = builder.landmarks();
        owner->install(builder.take_table());
    };
    if (survey.narrow()) {
        build_with(uint32_t{});
    } else {
        build_with(uint64_t{});
    }
    return {std::move(owner), std::make_shared<const std::vector<Cell>>(std::move(landmarks))};
}

std::optional<DifferentialHeuristic> DifferentialHeuristic::updated(const EditResult& edit) const {
    if (!valid_for(table_->ground.on(edit.before))) return std::nullopt;
    auto owner = table_->moved_to(edit.after);
    const std::vector<CellId> cheaper = detail::cheaper_cells(edit, owner->ground.costs());
    if (!cheaper.empty() && owner->narrow) {
        owner->install(repaired(*owner->narrow, *owner, cheaper));
    } else if (!cheaper.empty()) {
        owner->install(repaired(*owner->wide, *owner, cheaper));
    }
    return DifferentialHeuristic(std::move(owner), landmarks_);
}

}  // namespace terrane
