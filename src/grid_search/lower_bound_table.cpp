#include "terrane/grid_search/lower_bound_table.h"

#include <algorithm>
#include <array>
#include <utility>

#include "grid_search/lower_bound_samples.h"
#include "terrane/base/assert.h"
#include "terrane/grid/octile.h"

namespace terrane {

namespace detail {

// The areas where the map is cheaper than the base map.
struct CheaperAreas {
    struct Block {
        size_t block = 0;
        Rect cells;  // bounding box of the cheaper cells
        friend bool operator==(const Block&, const Block&) = default;
    };
    Vector<Block> blocks;  // ascending
    // At most kMaxAreas rectangles that cover the cheaper cells and their neighbours.
    Vector<Rect> rects;
    Vector<LowerBoundInterval> intervals;  // by rectangle
    Vector<uint64_t> between;              // all-pairs lower bounds, row-major

    size_t bytes() const {
        return sizeof(*this) + blocks.capacity() * sizeof(Block) + rects.capacity() * sizeof(Rect) +
               intervals.capacity() * sizeof(LowerBoundInterval) + between.capacity() * 8;
    }
};

}  // namespace detail

namespace {

using detail::CheaperAreas;
using detail::gap;
using detail::kBoundBlockSide;
using detail::kDisconnectedBound;
using detail::kInfiniteBound;
using detail::LocalDistances;
using detail::LowerBoundInterval;
using detail::LowerBoundSamples;
using detail::saturating_sub;
using detail::Survey;

constexpr size_t kMaxAreas = 64;

// The bounding box of the cells of a block that are cheaper than on the base map, or newly passable.
Rect cheaper_cells(const LowerBoundSamples& base, const GridSnapshot& now, const Rect& block) {
    Rect found;
    for (int32_t y = block.y; y < block.bottom(); ++y) {
        for (int32_t x = block.x; x < block.right(); ++x) {
            const uint32_t before = base.ground.costs().cost[base.ground.grid().at(Cell{x, y})],
                           after = base.ground.costs().cost[now.at(Cell{x, y})];
            if (after != 0 && (before == 0 || after < before)) found = hull(found, {{x, y}, {1, 1}});
        }
    }
    return found;
}

// The previous blocks, with those of the edited tiles recomputed.
Vector<CheaperAreas::Block> cheaper_blocks_after(const LowerBoundSamples& base, const CheaperAreas& before, const EditResult& edit) {
    const GridLayout& layout = base.ground.grid().layout();
    Vector<CheaperAreas::Block> blocks;
    for (const CheaperAreas::Block& b : before.blocks) {
        if (!std::binary_search(edit.tiles.begin(), edit.tiles.end(), layout.id(base.corner(b.block)) / kTileCells)) blocks.push_back(b);
    }
    for (const uint32_t tile : edit.tiles) {
        const Cell c = layout.cell(tile * kTileCells);
        const Rect rect = intersection({c, {kTileSide, kTileSide}}, layout.rect());
        for (int32_t y = rect.y; y < rect.bottom(); y += kBoundBlockSide) {
            for (int32_t x = rect.x; x < rect.right(); x += kBoundBlockSide) {
                const Rect cells = cheaper_cells(base, edit.after, intersection({{x, y}, {kBoundBlockSide, kBoundBlockSide}}, rect));
                if (!cells.empty()) blocks.push_back({base.block_at(x / kBoundBlockSide, y / kBoundBlockSide), cells});
            }
        }
    }
    std::sort(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) { return a.block < b.block; });
    return blocks;
}

// Covers the cheaper cells by one rectangle per 1, 2x2, 4x4, ... blocks, at the first level with at most kMaxAreas rectangles. Each
// rectangle grows by one cell on all sides to include the neighbours.
Vector<Rect> rects_around(const LowerBoundSamples& base, const Vector<CheaperAreas::Block>& blocks) {
    struct Group {
        size_t key;
        Rect cells;
    };
    Vector<Group> groups;
    for (uint32_t level = 0; level == 0 || groups.size() > kMaxAreas; ++level) {
        groups.clear();
        groups.reserve(blocks.size());
        for (const CheaperAreas::Block& b : blocks) {
            const Cell c = base.corner(b.block);
            groups.push_back({base.block_at((c.x / kBoundBlockSide) >> level, (c.y / kBoundBlockSide) >> level), b.cells});
        }
        std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.key < b.key; });
        size_t kept = 0;
        for (const Group& group : groups) {
            if (kept > 0 && groups[kept - 1].key == group.key) {
                groups[kept - 1].cells = hull(groups[kept - 1].cells, group.cells);
            } else {
                groups[kept++] = group;
            }
        }
        groups.resize(kept);
    }
    Vector<Rect> rects;
    rects.reserve(groups.size());
    for (const auto& [key, r] : groups) {
        rects.push_back(intersection({{r.x - 1, r.y - 1}, {r.width + 2, r.height + 2}}, base.ground.grid().layout().rect()));
    }
    return rects;
}

// All-pairs shortest paths over the areas (Floyd 1962, Warshall 1962).
Vector<uint64_t> distances_between(const CheaperAreas& areas, uint32_t landmark_count) {
    const size_t n = areas.rects.size();
    Vector<uint64_t> distance(n * n);
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j) {
            const bool touch = !intersection(areas.rects[i], areas.rects[j]).empty();
            distance[i * n + j] = touch ? 0 : gap(areas.intervals[i], areas.intervals[j], landmark_count);
        }
    }
    for (size_t k = 0; k < n; ++k) {
        for (size_t i = 0; i < n; ++i) {
            for (size_t j = 0; j < n; ++j) distance[i * n + j] = std::min(distance[i * n + j], distance[i * n + k] + distance[k * n + j]);
        }
    }
    return distance;
}

std::shared_ptr<const CheaperAreas> make_areas(const LowerBoundSamples& base, Vector<CheaperAreas::Block> blocks) {
    auto areas = make_scoped_shared<CheaperAreas>();
    areas->blocks = std::move(blocks);
    areas->rects = rects_around(base, areas->blocks);
    areas->intervals.reserve(areas->rects.size());
    for (const Rect& rect : areas->rects) areas->intervals.push_back(base.interval_of_rect(rect));
    areas->between = distances_between(*areas, base.landmark_count());
    return areas;
}

// Lower bounds from each area to the goal; the first rects.size() entries are valid.
using AreaDistances = std::array<uint64_t, kMaxAreas>;

void find_area_distances(const CheaperAreas& areas, const LowerBoundInterval& goal, uint32_t landmark_count, AreaDistances& out) {
    const size_t n = areas.rects.size();
    std::fill_n(out.begin(), n, kInfiniteBound);
    for (size_t j = 0; j < n; ++j) {
        const uint64_t last = gap(areas.intervals[j], goal, landmark_count);
        for (size_t i = 0; i < n; ++i) out[i] = std::min(out[i], areas.between[i * n + j] + last);
    }
}

// The bound of lower_bound_table.h. Cannot overflow: it adds three terms of at most kInfiniteBound.
uint64_t bound_over_areas(const LowerBoundInterval& from, const LowerBoundInterval& goal, const CheaperAreas& areas,
                          const AreaDistances& area_distances, uint32_t landmark_count) {
    uint64_t least = gap(from, goal, landmark_count);
    for (size_t i = 0; i < areas.rects.size(); ++i) {
        if (area_distances[i] < least) least = std::min(least, gap(from, areas.intervals[i], landmark_count) + area_distances[i]);
    }
    return least;
}

}  // namespace

LowerBoundTable::LowerBoundTable(std::shared_ptr<const detail::LowerBoundSamples> base, const GridSnapshot& now)
    : base_(std::move(base)),
      cheaper_(make_scoped_shared<const CheaperAreas>()),
      now_(now),
      cheapest_(grid_bounds(now, base_->ground.costs()).cheapest) {}

LowerBoundTable LowerBoundTable::build(const Ground& ground, const LowerBoundTableOptions& options) {
    TERRANE_ASSERT(ground.movement() != Movement::kCustom);
    const Survey survey = detail::survey_of(ground);
    const std::vector<Cell> landmarks = detail::spread_landmarks(ground, survey, std::max(options.landmarks, 1u));
    return {detail::make_lower_bound_samples(ground, survey, landmarks, options.threads), ground.grid()};
}

LowerBoundTable LowerBoundTable::build(const Ground& ground, std::span<const Cell> landmarks, uint32_t threads) {
    TERRANE_ASSERT(ground.movement() != Movement::kCustom);
    return {detail::make_lower_bound_samples(ground, detail::survey_of(ground), landmarks, threads), ground.grid()};
}

std::vector<Cell> LowerBoundTable::spread_landmarks(const Ground& ground, uint32_t count) {
    return detail::spread_landmarks(ground, detail::survey_of(ground), count);
}

std::optional<LowerBoundTable> LowerBoundTable::updated(const EditResult& edit) const {
    if (!valid_for(base_->ground.on(edit.before))) return std::nullopt;
    LowerBoundTable next(base_, edit.after);
    next.edits_ = edits_ + (edit.after.version() != now_.version() ? 1 : 0);
    auto blocks = cheaper_blocks_after(*base_, *cheaper_, edit);
    next.cheaper_ = blocks == cheaper_->blocks ? cheaper_ : make_areas(*base_, std::move(blocks));
    return next;
}

bool LowerBoundTable::valid_for(const Ground& ground) const {
    return &now_.data() == &ground.grid().data() && base_->ground.same_agent(ground);
}

Cost LowerBoundTable::lower_bound(Cell from, Cell to) const {
    const CostTable& costs = base_->ground.costs();
    if (!costs.passable(now_.at(from)) || !costs.passable(now_.at(to))) return kInfiniteCost;
    if (from == to) return 0;
    const LowerBoundInterval start = base_->interval_of_cell(from), goal = base_->interval_of_cell(to);
    AreaDistances area_distances;
    find_area_distances(*cheaper_, goal, base_->landmark_count(), area_distances);
    const uint64_t least = bound_over_areas(start, goal, *cheaper_, area_distances, base_->landmark_count());
    if (least >= kDisconnectedBound) return kInfiniteCost;
    const GridLayout& layout = now_.layout();
    const OctileHeuristic<GridLayout, uint64_t> octile(layout, to, cheapest_, base_->ground.rule());
    return std::max(least, octile(layout.id(from))) * costs.divisor;
}

std::span<const Cell> LowerBoundTable::landmarks() const { return base_->landmarks; }
size_t LowerBoundTable::cheaper_blocks() const { return cheaper_->blocks.size(); }
size_t LowerBoundTable::bytes() const { return sizeof(*this) + base_->bytes() + cheaper_->bytes(); }

// What the bounds towards the current goal are computed from.
struct LowerBoundQuery::Goal {
    const LowerBoundSamples* base;
    const CheaperAreas* cheaper;
    LowerBoundInterval interval;
    AreaDistances area_distances;
};

void LowerBoundQuery::DeleteGoal::operator()(Goal* goal) const { delete goal; }

void LowerBoundQuery::set_goal(const LowerBoundTable& table, Cell goal) {
    TERRANE_ASSERT(table.base_->ground.layout().contains(goal));
    if (!goal_) goal_.reset(new Goal);
    goal_->base = table.base_.get();
    goal_->cheaper = table.cheaper_.get();
    goal_->interval = goal_->base->interval_of_cell(goal);
    find_area_distances(*goal_->cheaper, goal_->interval, goal_->base->landmark_count(), goal_->area_distances);
    layout_ = goal_->base->ground.layout();
    blocks_x_ = static_cast<size_t>(goal_->base->blocks_x);
    if (blocks_.size() < goal_->base->blocks()) blocks_.resize(goal_->base->blocks());
    used_ = 0;
    if (++stamp_ != 0) return;
    std::fill(blocks_.begin(), blocks_.end(), Block{});
    stamp_ = 1;
}

uint64_t LowerBoundQuery::sample_bound(size_t block) {
    Block& b = blocks_[block];
    if (b.sample_stamp != stamp_) {
        b.sample_stamp = stamp_;
        b.sample = bound_over_areas(goal_->base->interval_around_sample(block, 0), goal_->interval, *goal_->cheaper, goal_->area_distances,
                                    goal_->base->landmark_count());
    }
    return b.sample;
}

// The bound of a cell is the maximum that follows from the samples around the block and from cells adjacent to the block whose bounds
// are known. So the bound falls by at most the edge cost when a search enters the block. All these cells are sources of one local
// search: a source whose bound is b starts with cost greatest - b. Disconnected samples are left out; their infinite bounds would hide
// all others.
void LowerBoundQuery::compute_block(size_t block) {
    const LowerBoundSamples& base = *goal_->base;
    const Cell corner = base.corner(block);
    LocalDistances local(base, base.centre(block));
    const auto for_each_known = [&](auto&& visit) {
        local.for_each_sample(base, [&](size_t near, Cell at) {
            if (sample_bound(near) < kDisconnectedBound) visit(at, sample_bound(near));
        });
        for (int32_t i = -1; i < kBoundBlockSide; ++i) {
            for (const Cell c : {Cell{corner.x + i, corner.y - 1}, Cell{corner.x + kBoundBlockSide, corner.y + i},
                                 Cell{corner.x + i + 1, corner.y + kBoundBlockSide}, Cell{corner.x - 1, corner.y + i + 1}}) {
                if (layout_.contains(c) && blocks_[base.block_at(c.x / kBoundBlockSide, c.y / kBoundBlockSide)].stamp == stamp_)
                    visit(c, (*this)(layout_.id(c)));
            }
        }
    };
    uint64_t greatest = 0;
    for_each_known([&](Cell, uint64_t bound) { greatest = std::max(greatest, bound); });
    for_each_known([&](Cell at, uint64_t bound) { local.add_source(at, greatest - bound); });
    local.run();
    if (used_ == cells_.size()) cells_.emplace_back();
    for (uint32_t i = 0; i < kBlockCells; ++i) {
        const Cell c{corner.x + static_cast<int32_t>(i) % kBoundBlockSide, corner.y + static_cast<int32_t>(i) / kBoundBlockSide};
        const uint64_t distance = local.distance(c);
        cells_[used_][i] = distance >= LocalDistances::kUnreachable ? 0 : saturating_sub(greatest, distance);
    }
    blocks_[block].stamp = stamp_;
    blocks_[block].cells = used_++;
}

size_t LowerBoundQuery::bytes() const {
    return blocks_.capacity() * sizeof(Block) + cells_.capacity() * sizeof(cells_[0]) + (goal_ ? sizeof(Goal) : 0);
}

}  // namespace terrane
