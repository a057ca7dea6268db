#include "grid_search/lower_bound_samples.h"

#include <cstdlib>
#include <limits>
#include <utility>

#include "base/apportion.h"
#include "base/parallel.h"

namespace terrane::detail {

namespace {

constexpr uint32_t kUnreached = kInfinite<uint32_t>;  // distance of a sample that a landmark does not reach
constexpr uint32_t kNoRadius = kInfinite<uint32_t>;   // of a block with cells that have no local path to its sample

// The passable cell nearest to the centre of the block; ties: the first by rows.
uint8_t sample_of(const LowerBoundSamples& base, size_t block) {
    const Cell corner = base.corner(block);
    uint8_t best = kNoSample;
    int32_t best_distance = std::numeric_limits<int32_t>::max();
    for (int32_t i = 0; i < kBoundBlockSide * kBoundBlockSide; ++i) {
        const int32_t x = i % kBoundBlockSide, y = i / kBoundBlockSide;
        const int32_t distance =
            (2 * x - kBoundBlockSide + 1) * (2 * x - kBoundBlockSide + 1) + (2 * y - kBoundBlockSide + 1) * (2 * y - kBoundBlockSide + 1);
        if (distance >= best_distance || !base.ground.costs().passable(base.ground.grid().at(Cell{corner.x + x, corner.y + y}))) continue;
        best = static_cast<uint8_t>(i);
        best_distance = distance;
    }
    return best;
}

uint32_t radius_of(const LowerBoundSamples& base, size_t block) {
    const Cell corner = base.corner(block);
    LocalDistances local(base, base.centre(block));
    local.add_source(base.sample(block));
    local.run();
    uint64_t radius = 0;
    for (int32_t i = 0; i < kBoundBlockSide * kBoundBlockSide; ++i) {
        const Cell c{corner.x + i % kBoundBlockSide, corner.y + i / kBoundBlockSide};
        if (base.ground.costs().passable(base.ground.grid().at(c))) radius = std::max(radius, local.distance(c));
    }
    const uint64_t units = (radius + (uint64_t{1} << base.shift) - 1) >> base.shift;
    return static_cast<uint32_t>(std::min<uint64_t>(units, kNoRadius));
}

void fill_blocks(LowerBoundSamples& base, uint32_t threads) {
    base.samples.resize(base.blocks());
    base.radii.resize(base.blocks());
    parallel_for(threads, static_cast<uint32_t>(base.blocks_y), [&](uint32_t row, uint32_t) {
        for (int32_t bx = 0; bx < base.blocks_x; ++bx) {
            const size_t block = base.block_at(bx, static_cast<int32_t>(row));
            base.samples[block] = sample_of(base, block);
            base.radii[block] = base.samples[block] == kNoSample ? 0 : radius_of(base, block);
        }
    });
}

template <class V>
void fill_distances(LowerBoundSamples& base, const Survey& survey, uint32_t threads) {
    const GridLayout& layout = base.ground.grid().layout();
    const size_t landmark_count = base.landmark_count();
    base.distances.resize(base.blocks() * landmark_count);
    Vector<FloodScratch<V>> scratch(workers_for(threads, base.landmark_count()));
    parallel_for(threads, base.landmark_count(), [&](uint32_t landmark, uint32_t worker) {
        Flood flood(GridGraph<V>(base.ground), layout.id_limit(), flood_shift(survey.bounds), scratch[worker]);
        flood.run_from(layout.id(base.landmarks[landmark]));
        for (size_t block = 0; block < base.blocks(); ++block) {
            const V far = base.samples[block] == kNoSample ? kInfinite<V> : flood.distance(layout.id(base.sample(block)));
            base.distances[block * landmark_count + landmark] =
                far == kInfinite<V> ? kUnreached : static_cast<uint32_t>(uint64_t{far} >> base.shift);
        }
    });
}

// The index, below 4 * kDirectionsPerSide, of the direction from one cell to another: the border cell of a square that the ray meets.
// The cells must differ.
constexpr int32_t kDirectionsPerSide = 64;
size_t direction(Cell from, Cell to) {
    const int32_t dx = to.x - from.x, dy = to.y - from.y;
    const bool flat = std::abs(dx) >= std::abs(dy);
    const int32_t along = flat ? dx : dy, across = flat ? dy : dx, far = std::abs(along);
    const int32_t side = (flat ? 0 : 2) + (along > 0 ? 1 : 0);
    const int32_t place = side * kDirectionsPerSide + (across + far) * kDirectionsPerSide / (2 * far + 1);
    return static_cast<size_t>(place);
}

// Selects landmarks, one connected component at a time.
template <class V>
class LandmarkChooser {
public:
    LandmarkChooser(const Ground& ground, const Survey& survey)
        : layout_(ground.grid().layout()), graph_(ground), shift_(flood_shift(survey.bounds)) {}

    // Appends `count` landmarks of the component that contains `first`.
    void choose(CellId first, uint32_t count, std::vector<Cell>& out) {
        const CellId centre = centre_of_component(first);
        Flood around = flood();
        around.run_from(centre);
        const Vector<CellId> boundary = boundary_of(around, centre);
        CellId next = farthest(around, boundary);
        // All landmarks share one label store: n + n/2 + n/3 + ... expansions (see landmarks.cpp).
        Flood nearest = flood();
        for (; count > 0 && nearest.distance(next) != 0; --count) {
            out.push_back(layout_.cell(next));
            if (count == 1) break;
            nearest.run_from(next);
            next = farthest(nearest, boundary);
        }
    }

private:
    using CellFlood = Flood<GridGraph<V>>;
    CellFlood flood() { return CellFlood(graph_, layout_.id_limit(), shift_, scratch_); }

    // The cell nearest to the mean of the component's cells; ties: the smallest id.
    CellId centre_of_component(CellId first) {
        CellFlood component = flood();
        component.run_from(first);
        int64_t sum_x = 0, sum_y = 0, count = 0;
        component.for_each([&](CellId id, V) {
            sum_x += layout_.x(id);
            sum_y += layout_.y(id);
            ++count;
        });
        std::pair<int64_t, CellId> best{std::numeric_limits<int64_t>::max(), first};
        component.for_each([&](CellId id, V) {
            const int64_t dx = layout_.x(id) - sum_x / count, dy = layout_.y(id) - sum_y / count;
            best = std::min(best, {dx * dx + dy * dy, id});
        });
        return best.second;
    }

    // The farthest cell in each direction from the centre (ties: the smallest id), ascending.
    Vector<CellId> boundary_of(const CellFlood& around, CellId centre) const {
        Vector<FloodExtent<V>> boundary(size_t{4} * kDirectionsPerSide);
        around.for_each([&](CellId id, V far) {
            if (id != centre) boundary[direction(layout_.cell(centre), layout_.cell(id))].add(id, far);
        });
        Vector<CellId> cells;
        cells.reserve(boundary.size());
        for (const auto& extent : boundary) {
            if (extent.farthest != kNoCell) cells.push_back(extent.farthest);
        }
        if (cells.empty()) cells.push_back(centre);
        std::sort(cells.begin(), cells.end());
        return cells;
    }

    static CellId farthest(const CellFlood& flood, const Vector<CellId>& boundary) {
        return *std::max_element(boundary.begin(), boundary.end(),
                                 [&](CellId a, CellId b) { return flood.distance(a) < flood.distance(b); });
    }

    GridLayout layout_;
    GridGraph<V> graph_;
    uint32_t shift_;
    FloodScratch<V> scratch_;
};

}  // namespace

// The interval of all cells within `radius` of the block's sample.
LowerBoundInterval LowerBoundSamples::interval_around_sample(size_t block, uint64_t radius) const {
    LowerBoundInterval out;
    const uint32_t* from = distances.data() + block * landmark_count();
    const uint64_t rounding = (uint64_t{1} << shift) - 1;
    for (uint32_t i = 0; i < landmark_count(); ++i) {
        const uint64_t far = uint64_t{from[i]} << shift;
        out.low[i] = from[i] == kUnreached ? kInfiniteBound : saturating_sub(far, radius);
        out.high[i] = from[i] == kUnreached ? kInfiniteBound : far + rounding + radius;
    }
    return out;
}

LowerBoundInterval LowerBoundSamples::interval_of_block(size_t block) const {
    if (samples[block] != kNoSample && radii[block] != kNoRadius) return interval_around_sample(block, uint64_t{radii[block]} << shift);
    LowerBoundInterval anything;
    anything.set_all(0, kInfiniteBound);
    return anything;
}

// The interval of the rectangle's cells that are passable on the base map; infinite if there are none.
LowerBoundInterval LowerBoundSamples::interval_of_rect(const Rect& rect) const {
    LowerBoundInterval out;
    out.set_all(kInfiniteBound, 0);
    for (int32_t by = rect.y / kBoundBlockSide; by * kBoundBlockSide < rect.bottom(); ++by) {
        for (int32_t bx = rect.x / kBoundBlockSide; bx * kBoundBlockSide < rect.right(); ++bx) {
            const size_t block = block_at(bx, by);
            if (samples[block] != kNoSample) out.add(interval_of_block(block), landmark_count());
        }
    }
    for (uint32_t i = 0; i < landmark_count(); ++i) out.high[i] = std::max(out.high[i], out.low[i]);
    return out;
}

// Intersects the intervals of the samples around the cell; [0, infinity] for a cell that is blocked on the base map.
LowerBoundInterval LowerBoundSamples::interval_of_cell(Cell cell) const {
    LocalDistances local(*this, cell);
    local.add_source(cell);
    local.run();
    LowerBoundInterval out;
    out.set_all(0, kInfiniteBound);
    local.for_each_sample(*this, [&](size_t block, Cell at) {
        if (local.distance(at) >= LocalDistances::kUnreachable) return;
        const LowerBoundInterval near = interval_around_sample(block, local.distance(at));
        for (uint32_t i = 0; i < landmark_count(); ++i) {
            out.low[i] = std::max(out.low[i], near.low[i]);
            out.high[i] = std::min(out.high[i], near.high[i]);
        }
    });
    return out;
}

std::shared_ptr<const LowerBoundSamples> make_lower_bound_samples(const Ground& ground, const Survey& survey,
                                                                  std::span<const Cell> landmarks, uint32_t threads) {
    auto base = make_scoped_shared<LowerBoundSamples>(ground);
    base->landmarks.reserve(std::min<size_t>(landmarks.size(), kMaxLowerBoundLandmarks));
    for (const Cell c : landmarks) {
        if (base->landmarks.size() < kMaxLowerBoundLandmarks && ground.costs().passable(ground.grid().at(c))) base->landmarks.push_back(c);
    }
    while (survey.diameter >> base->shift >= kUnreached) ++base->shift;
    fill_blocks(*base, threads);
    if (survey.narrow()) {
        fill_distances<uint32_t>(*base, survey, threads);
    } else {
        fill_distances<uint64_t>(*base, survey, threads);
    }
    return base;
}

std::vector<Cell> spread_landmarks(const Ground& ground, const Survey& survey, uint32_t count) {
    const std::vector<uint32_t> shares =
        apportion(survey.components, std::min(count, kMaxLowerBoundLandmarks), [](const Component& c) { return c.cells; });
    std::vector<Cell> chosen;
    chosen.reserve(kMaxLowerBoundLandmarks);
    const auto choose_with = [&](auto chooser) {
        for (size_t component = 0; component < shares.size(); ++component)
            chooser.choose(survey.components[component].first, shares[component], chosen);
    };
    if (survey.narrow()) {
        choose_with(LandmarkChooser<uint32_t>(ground, survey));
    } else {
        choose_with(LandmarkChooser<uint64_t>(ground, survey));
    }
    return chosen;
}

}  // namespace terrane::detail
