#include "grid_search/certificate_base.h"

#include <cstdlib>
#include <limits>
#include <utility>

#include "base/parallel.h"
#include "base/share_out.h"

namespace terrane::detail {

namespace {

constexpr uint32_t kUnreached = kInfinite<uint32_t>;  // of a sample, by a landmark
constexpr uint32_t kNoRadius = kInfinite<uint32_t>;   // of a block: not all its cells are near its sample

// The passable cell nearest to the middle of its block; ties: by rows.
uint8_t sample_of(const CertificateBase& base, size_t block) {
    const Cell corner = base.corner(block);
    uint8_t best = kNoSample;
    int32_t best_apart = std::numeric_limits<int32_t>::max();
    for (int32_t i = 0; i < kBoundBlockSide * kBoundBlockSide; ++i) {
        const int32_t x = i % kBoundBlockSide, y = i / kBoundBlockSide;
        const int32_t apart =
            (2 * x - kBoundBlockSide + 1) * (2 * x - kBoundBlockSide + 1) + (2 * y - kBoundBlockSide + 1) * (2 * y - kBoundBlockSide + 1);
        if (apart >= best_apart || !base.ground.costs().passable(base.ground.grid().at(Cell{corner.x + x, corner.y + y}))) continue;
        best = static_cast<uint8_t>(i);
        best_apart = apart;
    }
    return best;
}

uint32_t radius_of(const CertificateBase& base, size_t block) {
    const Cell corner = base.corner(block);
    Vicinity vicinity(base, base.middle(block));
    vicinity.start(base.sample(block));
    vicinity.spread();
    uint64_t radius = 0;
    for (int32_t i = 0; i < kBoundBlockSide * kBoundBlockSide; ++i) {
        const Cell c{corner.x + i % kBoundBlockSide, corner.y + i / kBoundBlockSide};
        if (base.ground.costs().passable(base.ground.grid().at(c))) radius = std::max(radius, vicinity.to(c));
    }
    const uint64_t units = (radius + (uint64_t{1} << base.shift) - 1) >> base.shift;
    return static_cast<uint32_t>(std::min<uint64_t>(units, kNoRadius));
}

void fill_blocks(CertificateBase& base, uint32_t threads) {
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
void fill_distances(CertificateBase& base, const Survey& survey, uint32_t threads) {
    const GridLayout& layout = base.ground.grid().layout();
    const size_t lanes = base.lanes();
    base.distances.resize(base.blocks() * lanes);
    Vector<FloodScratch<V>> scratch(workers_for(threads, base.lanes()));
    parallel_for(threads, base.lanes(), [&](uint32_t lane, uint32_t worker) {
        Flood flood(GridGraph<V>(base.ground), layout.id_limit(), flood_shift(survey.bounds), scratch[worker]);
        flood.spread(layout.id(base.landmarks[lane]));
        for (size_t block = 0; block < base.blocks(); ++block) {
            const V far = base.samples[block] == kNoSample ? kInfinite<V> : flood.distance(layout.id(base.sample(block)));
            base.distances[block * lanes + lane] = far == kInfinite<V> ? kUnreached : static_cast<uint32_t>(uint64_t{far} >> base.shift);
        }
    });
}

// Which of 4 * kRimSide directions leads from one cell to another: where it meets a square's border. Not for the same cell.
constexpr int32_t kRimSide = 64;
size_t direction(Cell from, Cell to) {
    const int32_t dx = to.x - from.x, dy = to.y - from.y;
    const bool flat = std::abs(dx) >= std::abs(dy);
    const int32_t along = flat ? dx : dy, across = flat ? dy : dx, far = std::abs(along);
    const int32_t side = (flat ? 0 : 2) + (along > 0 ? 1 : 0);
    const int32_t place = side * kRimSide + (across + far) * kRimSide / (2 * far + 1);
    return static_cast<size_t>(place);
}

// Chooses landmarks, in one part of the map after the other.
template <class V>
class Chooser {
public:
    Chooser(const Ground& ground, const Survey& survey)
        : layout_(ground.grid().layout()), graph_(ground), shift_(flood_shift(survey.bounds)) {}

    // In the part that `first` is of.
    void choose(CellId first, uint32_t count, std::vector<Cell>& out) {
        const CellId middle = middle_around(first);
        Flood around = flood();
        around.spread(middle);
        const Vector<CellId> rim = rim_of(around, middle);
        CellId next = farthest(around, rim);
        // One store of labels, spread into from landmark after landmark: n + n/2 + n/3 + ... expansions (landmarks.cpp).
        Flood nearest = flood();
        for (; count > 0 && nearest.distance(next) != 0; --count) {
            out.push_back(layout_.cell(next));
            if (count == 1) break;
            nearest.spread(next);
            next = farthest(nearest, rim);
        }
    }

private:
    using CellFlood = Flood<GridGraph<V>>;
    CellFlood flood() { return CellFlood(graph_, layout_.id_limit(), shift_, scratch_); }

    // The cell nearest to the mean of all in reach; ties: the smallest id.
    CellId middle_around(CellId first) {
        CellFlood part = flood();
        part.spread(first);
        int64_t sum_x = 0, sum_y = 0, count = 0;
        part.for_each([&](CellId id, V) {
            sum_x += layout_.x(id);
            sum_y += layout_.y(id);
            ++count;
        });
        std::pair<int64_t, CellId> best{std::numeric_limits<int64_t>::max(), first};
        part.for_each([&](CellId id, V) {
            const int64_t dx = layout_.x(id) - sum_x / count, dy = layout_.y(id) - sum_y / count;
            best = std::min(best, {dx * dx + dy * dy, id});
        });
        return best.second;
    }

    // In each direction from the middle the farthest cell (ties: the smallest id), ascending.
    Vector<CellId> rim_of(const CellFlood& around, CellId middle) const {
        Vector<FloodExtent<V>> rim(size_t{4} * kRimSide);
        around.for_each([&](CellId id, V far) {
            if (id != middle) rim[direction(layout_.cell(middle), layout_.cell(id))].add(id, far);
        });
        Vector<CellId> cells;
        cells.reserve(rim.size());
        for (const auto& extent : rim) {
            if (extent.farthest != kNoCell) cells.push_back(extent.farthest);
        }
        if (cells.empty()) cells.push_back(middle);
        std::sort(cells.begin(), cells.end());
        return cells;
    }

    static CellId farthest(const CellFlood& flood, const Vector<CellId>& rim) {
        return *std::max_element(rim.begin(), rim.end(), [&](CellId a, CellId b) { return flood.distance(a) < flood.distance(b); });
    }

    GridLayout layout_;
    GridGraph<V> graph_;
    uint32_t shift_;
    FloodScratch<V> scratch_;
};

}  // namespace

// Of all cells within `radius` of a block's sample.
CertificateInterval CertificateBase::around_sample(size_t block, uint64_t radius) const {
    CertificateInterval out;
    const uint32_t* from = distances.data() + block * lanes();
    const uint64_t rounding = (uint64_t{1} << shift) - 1;
    for (uint32_t i = 0; i < lanes(); ++i) {
        const uint64_t far = uint64_t{from[i]} << shift;
        out.low[i] = from[i] == kUnreached ? kInfiniteBound : excess(far, radius);
        out.high[i] = from[i] == kUnreached ? kInfiniteBound : far + rounding + radius;
    }
    return out;
}

CertificateInterval CertificateBase::of_block(size_t block) const {
    if (samples[block] != kNoSample && radii[block] != kNoRadius) return around_sample(block, uint64_t{radii[block]} << shift);
    CertificateInterval anything;
    anything.set_all(0, kInfiniteBound);
    return anything;
}

// Of the cells that are passable; infinity where there are none.
CertificateInterval CertificateBase::of_rect(const Rect& rect) const {
    CertificateInterval out;
    out.set_all(kInfiniteBound, 0);
    for (int32_t by = rect.top / kBoundBlockSide; by * kBoundBlockSide < rect.bottom; ++by) {
        for (int32_t bx = rect.left / kBoundBlockSide; bx * kBoundBlockSide < rect.right; ++bx) {
            const size_t block = block_at(bx, by);
            if (samples[block] != kNoSample) out.add(of_block(block), lanes());
        }
    }
    for (uint32_t i = 0; i < lanes(); ++i) out.high[i] = std::max(out.high[i], out.low[i]);
    return out;
}

// From the samples around it. The map has nothing to say of a cell that is blocked.
CertificateInterval CertificateBase::of_cell(Cell cell) const {
    Vicinity vicinity(*this, cell);
    vicinity.start(cell);
    vicinity.spread();
    CertificateInterval out;
    out.set_all(0, kInfiniteBound);
    vicinity.for_each_sample(*this, [&](size_t block, Cell at) {
        if (vicinity.to(at) >= Vicinity::kWall) return;
        const CertificateInterval near = around_sample(block, vicinity.to(at));
        for (uint32_t i = 0; i < lanes(); ++i) {
            out.low[i] = std::max(out.low[i], near.low[i]);
            out.high[i] = std::min(out.high[i], near.high[i]);
        }
    });
    return out;
}

std::shared_ptr<const CertificateBase> make_certificate_base(const Ground& ground, const Survey& survey, std::span<const Cell> landmarks,
                                                             uint32_t threads) {
    auto base = share<CertificateBase>(ground);
    base->landmarks.reserve(std::min<size_t>(landmarks.size(), kMaxCertificateLandmarks));
    for (const Cell c : landmarks) {
        if (base->landmarks.size() < kMaxCertificateLandmarks && ground.costs().passable(ground.grid().at(c))) base->landmarks.push_back(c);
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
        share_out(survey.components, std::min(count, kMaxCertificateLandmarks), [](const Component& c) { return c.cells; });
    std::vector<Cell> chosen;
    chosen.reserve(kMaxCertificateLandmarks);
    const auto choose_with = [&](auto chooser) {
        for (size_t part = 0; part < shares.size(); ++part) chooser.choose(survey.components[part].first, shares[part], chosen);
    };
    if (survey.narrow()) {
        choose_with(Chooser<uint32_t>(ground, survey));
    } else {
        choose_with(Chooser<uint64_t>(ground, survey));
    }
    return chosen;
}

}  // namespace terrane::detail
