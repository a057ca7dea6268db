#include "terrane/grid_search/certificate.h"

#include <algorithm>
#include <array>
#include <utility>

#include "grid_search/certificate_base.h"
#include "terrane/base/assert.h"
#include "terrane/grid/octile.h"

namespace terrane {

namespace detail {

// Where the map is cheaper than its base.
struct CheaperAreas {
    struct Block {
        size_t block = 0;
        Rect cells;  // around those that are cheaper
        friend bool operator==(const Block&, const Block&) = default;
    };
    Vector<Block> blocks;  // ascending
    // Around them and their neighbours: no more than kMostAreas.
    Vector<Rect> rects;
    Vector<CertificateInterval> intervals;
    Vector<uint64_t> between;  // of any two, by rows

    size_t bytes() const {
        return sizeof(*this) + blocks.capacity() * sizeof(Block) + rects.capacity() * sizeof(Rect) +
               intervals.capacity() * sizeof(CertificateInterval) + between.capacity() * 8;
    }
};

}  // namespace detail

namespace {

using detail::CertificateBase;
using detail::CertificateInterval;
using detail::CheaperAreas;
using detail::excess;
using detail::gap;
using detail::kBoundBlockSide;
using detail::kInfiniteBound;
using detail::kNoBound;
using detail::Survey;
using detail::Vicinity;

constexpr size_t kMostAreas = 64;

// The cells of a block that are cheaper than on the base, or passable only now.
Rect cheaper_cells(const CertificateBase& base, const GridSnapshot& now, const Rect& block) {
    Rect found;
    for (int32_t y = block.top; y < block.bottom; ++y) {
        for (int32_t x = block.left; x < block.right; ++x) {
            const uint32_t before = base.ground.costs().cost[base.ground.grid().at(Cell{x, y})],
                           after = base.ground.costs().cost[now.at(Cell{x, y})];
            if (after != 0 && (before == 0 || after < before)) found = hull(found, {x, y, x + 1, y + 1});
        }
    }
    return found;
}

// Those of before, with the edited tiles looked at again.
Vector<CheaperAreas::Block> cheaper_blocks_after(const CertificateBase& base, const CheaperAreas& before, const EditResult& edit) {
    const GridLayout& layout = base.ground.grid().layout();
    Vector<CheaperAreas::Block> blocks;
    for (const CheaperAreas::Block& b : before.blocks) {
        if (!std::binary_search(edit.tiles.begin(), edit.tiles.end(), layout.id(base.corner(b.block)) / kTileCells)) blocks.push_back(b);
    }
    for (const uint32_t tile : edit.tiles) {
        const Cell c = layout.cell(tile * kTileCells);
        const Rect rect = intersection({c.x, c.y, c.x + kTileSide, c.y + kTileSide}, layout.rect());
        for (int32_t y = rect.top; y < rect.bottom; y += kBoundBlockSide) {
            for (int32_t x = rect.left; x < rect.right; x += kBoundBlockSide) {
                const Rect cells = cheaper_cells(base, edit.after, intersection({x, y, x + kBoundBlockSide, y + kBoundBlockSide}, rect));
                if (!cells.empty()) blocks.push_back({base.block_at(x / kBoundBlockSide, y / kBoundBlockSide), cells});
            }
        }
    }
    std::sort(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) { return a.block < b.block; });
    return blocks;
}

// Rectangles around the cheaper cells of 1, 2x2, 4x4, ... blocks, whichever first are few enough; and around their neighbours.
Vector<Rect> rects_around(const CertificateBase& base, const Vector<CheaperAreas::Block>& blocks) {
    struct Part {
        size_t key;
        Rect cells;
    };
    Vector<Part> parts;
    for (uint32_t level = 0; level == 0 || parts.size() > kMostAreas; ++level) {
        parts.clear();
        parts.reserve(blocks.size());
        for (const CheaperAreas::Block& b : blocks) {
            const Cell c = base.corner(b.block);
            parts.push_back({base.block_at((c.x / kBoundBlockSide) >> level, (c.y / kBoundBlockSide) >> level), b.cells});
        }
        std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.key < b.key; });
        size_t kept = 0;
        for (const Part& part : parts) {
            if (kept > 0 && parts[kept - 1].key == part.key) {
                parts[kept - 1].cells = hull(parts[kept - 1].cells, part.cells);
            } else {
                parts[kept++] = part;
            }
        }
        parts.resize(kept);
    }
    Vector<Rect> rects;
    rects.reserve(parts.size());
    for (const auto& [key, r] : parts) {
        rects.push_back(intersection({r.left - 1, r.top - 1, r.right + 1, r.bottom + 1}, base.ground.grid().layout().rect()));
    }
    return rects;
}

// Shortest paths over the areas (Floyd, Warshall 1962).
Vector<uint64_t> ways_between(const CheaperAreas& areas, uint32_t lanes) {
    const size_t n = areas.rects.size();
    Vector<uint64_t> way(n * n);
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j) {
            const bool touch = !intersection(areas.rects[i], areas.rects[j]).empty();
            way[i * n + j] = touch ? 0 : gap(areas.intervals[i], areas.intervals[j], lanes);
        }
    }
    for (size_t k = 0; k < n; ++k) {
        for (size_t i = 0; i < n; ++i) {
            for (size_t j = 0; j < n; ++j) way[i * n + j] = std::min(way[i * n + j], way[i * n + k] + way[k * n + j]);
        }
    }
    return way;
}

std::shared_ptr<const CheaperAreas> make_areas(const CertificateBase& base, Vector<CheaperAreas::Block> blocks) {
    auto areas = share<CheaperAreas>();
    areas->blocks = std::move(blocks);
    areas->rects = rects_around(base, areas->blocks);
    areas->intervals.reserve(areas->rects.size());
    for (const Rect& rect : areas->rects) areas->intervals.push_back(base.of_rect(rect));
    areas->between = ways_between(*areas, base.lanes());
    return areas;
}

// From each area on to the goal; for as many as there are.
using WaysOn = std::array<uint64_t, kMostAreas>;

void find_ways_on(const CheaperAreas& areas, const CertificateInterval& goal, uint32_t lanes, WaysOn& out) {
    const size_t n = areas.rects.size();
    std::fill_n(out.begin(), n, kInfiniteBound);
    for (size_t j = 0; j < n; ++j) {
        const uint64_t last = gap(areas.intervals[j], goal, lanes);
        for (size_t i = 0; i < n; ++i) out[i] = std::min(out[i], areas.between[i * n + j] + last);
    }
}

// The bound of certificate.h. No overflow: three terms of at most kInfiniteBound.
uint64_t least_way(const CertificateInterval& from, const CertificateInterval& goal, const CheaperAreas& areas, const WaysOn& ways_on,
                   uint32_t lanes) {
    uint64_t least = gap(from, goal, lanes);
    for (size_t i = 0; i < areas.rects.size(); ++i) {
        if (ways_on[i] < least) least = std::min(least, gap(from, areas.intervals[i], lanes) + ways_on[i]);
    }
    return least;
}

}  // namespace

Certificate::Certificate(std::shared_ptr<const detail::CertificateBase> base, const GridSnapshot& now)
    : base_(std::move(base)),
      cheaper_(share<const CheaperAreas>()),
      now_(now),
      cheapest_(grid_bounds(now, base_->ground.costs()).cheapest) {}

Certificate Certificate::build(const Ground& ground, const CertificateOptions& options) {
    TERRANE_ASSERT(ground.movement() != Movement::kCustom);
    const Survey survey = detail::survey_of(ground);
    const std::vector<Cell> landmarks = detail::spread_landmarks(ground, survey, std::max(options.landmarks, 1u));
    return {detail::make_certificate_base(ground, survey, landmarks, options.threads), ground.grid()};
}

Certificate Certificate::build(const Ground& ground, std::span<const Cell> landmarks, uint32_t threads) {
    TERRANE_ASSERT(ground.movement() != Movement::kCustom);
    return {detail::make_certificate_base(ground, detail::survey_of(ground), landmarks, threads), ground.grid()};
}

std::vector<Cell> Certificate::spread_landmarks(const Ground& ground, uint32_t count) {
    return detail::spread_landmarks(ground, detail::survey_of(ground), count);
}

std::optional<Certificate> Certificate::updated(const EditResult& edit) const {
    if (!valid_for(base_->ground.on(edit.before))) return std::nullopt;
    Certificate next(base_, edit.after);
    next.edits_ = edits_ + (edit.after.version() != now_.version() ? 1 : 0);
    auto blocks = cheaper_blocks_after(*base_, *cheaper_, edit);
    next.cheaper_ = blocks == cheaper_->blocks ? cheaper_ : make_areas(*base_, std::move(blocks));
    return next;
}

bool Certificate::valid_for(const Ground& ground) const {
    return &now_.root() == &ground.grid().root() && base_->ground.same_agent(ground);
}

Cost Certificate::lower_bound(Cell from, Cell to) const {
    const CostTable& costs = base_->ground.costs();
    if (!costs.passable(now_.at(from)) || !costs.passable(now_.at(to))) return kInfiniteCost;
    if (from == to) return 0;
    const CertificateInterval start = base_->of_cell(from), goal = base_->of_cell(to);
    WaysOn ways_on;
    find_ways_on(*cheaper_, goal, base_->lanes(), ways_on);
    const uint64_t least = least_way(start, goal, *cheaper_, ways_on, base_->lanes());
    if (least >= kNoBound) return kInfiniteCost;
    const GridLayout& layout = now_.layout();
    const OctileHeuristic<GridLayout, uint64_t> octile(layout, to, cheapest_, base_->ground.rule());
    return std::max(least, octile(layout.id(from))) * costs.divisor;
}

std::span<const Cell> Certificate::landmarks() const { return base_->landmarks; }
size_t Certificate::cheaper_blocks() const { return cheaper_->blocks.size(); }
size_t Certificate::bytes() const { return sizeof(*this) + base_->bytes() + cheaper_->bytes(); }

// What the bounds are worked out from.
struct CertificateBounds::Aim {
    const CertificateBase* base;
    const CheaperAreas* cheaper;
    CertificateInterval goal;
    WaysOn ways_on;
};

void CertificateBounds::DeleteAim::operator()(Aim* aim) const { delete aim; }

void CertificateBounds::aim(const Certificate& certificate, Cell goal) {
    TERRANE_ASSERT(certificate.base_->ground.layout().contains(goal));
    if (!aim_) aim_.reset(new Aim);
    aim_->base = certificate.base_.get();
    aim_->cheaper = certificate.cheaper_.get();
    aim_->goal = aim_->base->of_cell(goal);
    find_ways_on(*aim_->cheaper, aim_->goal, aim_->base->lanes(), aim_->ways_on);
    layout_ = aim_->base->ground.layout();
    blocks_x_ = static_cast<size_t>(aim_->base->blocks_x);
    if (blocks_.size() < aim_->base->blocks()) blocks_.resize(aim_->base->blocks());
    used_ = 0;
    if (++stamp_ != 0) return;
    std::fill(blocks_.begin(), blocks_.end(), Block{});
    stamp_ = 1;
}

uint64_t CertificateBounds::of_sample(size_t block) {
    Block& b = blocks_[block];
    if (b.sample_stamp != stamp_) {
        b.sample_stamp = stamp_;
        b.sample = least_way(aim_->base->around_sample(block, 0), aim_->goal, *aim_->cheaper, aim_->ways_on, aim_->base->lanes());
    }
    return b.sample;
}

// A cell's bound is the greatest that any sample around says of it, or any cell next to the block whose bound is known, so that the bound
// falls by no more than the edge when a search steps into the block. All ways begin there, at as much more as they have less than the
// greatest. Samples that no way joins to the goal say nothing: they would drown out the others.
void CertificateBounds::work_out(size_t block) {
    const CertificateBase& base = *aim_->base;
    const Cell corner = base.corner(block);
    Vicinity vicinity(base, base.middle(block));
    const auto for_each_known = [&](auto&& visit) {
        vicinity.for_each_sample(base, [&](size_t near, Cell at) {
            if (of_sample(near) < kNoBound) visit(at, of_sample(near));
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
    for_each_known([&](Cell at, uint64_t bound) { vicinity.start(at, greatest - bound); });
    vicinity.spread();
    if (used_ == cells_.size()) cells_.emplace_back();
    for (uint32_t i = 0; i < kBlockCells; ++i) {
        const Cell c{corner.x + static_cast<int32_t>(i) % kBoundBlockSide, corner.y + static_cast<int32_t>(i) / kBoundBlockSide};
        const uint64_t way = vicinity.to(c);
        cells_[used_][i] = way >= Vicinity::kWall ? 0 : excess(greatest, way);
    }
    blocks_[block].stamp = stamp_;
    blocks_[block].cells = used_++;
}

size_t CertificateBounds::bytes() const {
    return blocks_.capacity() * sizeof(Block) + cells_.capacity() * sizeof(cells_[0]) + (aim_ ? sizeof(Aim) : 0);
}

}  // namespace terrane
