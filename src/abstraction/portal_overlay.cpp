#include "terrane/portal_overlay.h"

#include <algorithm>
#include <bit>

#include "abstraction/portal_graph.h"
#include "abstraction/window_field.h"
#include "terrane/assert.h"
#include "terrane/best_first.h"
#include "terrane/bucket_queue.h"
#include "terrane/heap_queue.h"
#include "terrane/paged_labels.h"
#include "terrane/parallel.h"

namespace terrane {

using namespace detail;

namespace {

// Larger costs than this could take the distances of a window past 32 bits: all its cells one after another, by diagonal steps.
constexpr uint32_t kDearest = 48000;

uint32_t windows_along(int32_t side) { return std::max(1u, (static_cast<uint32_t>(side) - 1 + kWindowStep - 1) / kWindowStep); }

// The costs that tables are made with: halved, rounding up, where they would not fit.
CostTable small_costs(const CostTable& costs) {
    CostTable small = costs;
    if (*std::max_element(costs.cost.begin(), costs.cost.end()) <= kDearest) return small;
    for (uint32_t& cost : small.cost) cost = (cost + 1) / 2;
    return small;
}

// The portals of a line: in each slot the cheapest cell of each passable run.
class PortalPicker {
public:
    std::shared_ptr<const SegmentRecord> pick(const OverlayRoot& root, const Rect& rect) {
        const bool upright = rect.right - rect.left == 1;
        const uint32_t length = static_cast<uint32_t>(upright ? rect.bottom - rect.top : rect.right - rect.left);
        costs_.resize(length);
        const auto cell = [&](uint32_t i) {
            const auto along = static_cast<int32_t>(i);
            return upright ? Cell{rect.left, rect.top + along} : Cell{rect.left + along, rect.top};
        };
        for (uint32_t i = 0; i < length; ++i) costs_[i] = root.costs.cost[root.grid.at(cell(i))];
        auto record = std::make_shared<SegmentRecord>();
        for (uint32_t slot = 0; slot < root.options.slots; ++slot) {
            const uint32_t begin = slot * length / root.options.slots, end = (slot + 1) * length / root.options.slots;
            for (uint32_t i = begin; i < end;) {
                if (costs_[i] == 0) {
                    ++i;
                    continue;
                }
                const uint32_t first = i;
                while (i < end && costs_[i] != 0) ++i;
                record->portals.push_back(cell(cheapest(first, i, begin + end - 1)));
            }
        }
        return record;
    }

private:
    // In [first, last); `middle` is twice that of the slot.
    uint32_t cheapest(uint32_t first, uint32_t last, uint32_t middle) const {
        const auto off = [&](uint32_t i) { return 2 * i > middle ? 2 * i - middle : middle - 2 * i; };
        uint32_t best = first;
        for (uint32_t i = first + 1; i < last; ++i) {
            if (costs_[i] < costs_[best] || (costs_[i] == costs_[best] && off(i) < off(best))) best = i;
        }
        return best;
    }
    std::vector<uint32_t> costs_;
};

// The tables of a window.
class WindowMaker {
public:
    std::shared_ptr<const WindowRecord> make(const OverlayRoot& root, uint32_t window) {
        const Rect rect = root.window_rect(window);
        auto record = std::make_shared<WindowRecord>();
        targets_.clear();
        for (uint32_t side = 0; side < 4; ++side) {
            record->first[side] = static_cast<uint32_t>(targets_.size());
            const uint32_t segment = root.segment_of(window, side);
            if (segment == kNoSegment) continue;
            for (const Cell c : root.segments[segment]->portals) targets_.push_back(window_cell(rect, c));
        }
        record->first[4] = static_cast<uint32_t>(targets_.size());
        costs_.read(root.grid, root.small, root.movement, rect);
        record->uniform_cost = costs_.uniform() ? costs_.dearest() : 0;
        record->distance.resize(targets_.size() * targets_.size());
        if (costs_.uniform()) {
            fill(*record, [&](uint32_t a, uint32_t b) {
                return uniform_distance(costs_.width(), targets_[a], targets_[b], costs_.dearest(), root.movement);
            });
        } else if (make_field(costs_, targets_, narrow_)) {
            fill(*record, [&](uint32_t a, uint32_t b) { return value(narrow_, a, b); });
        } else {
            const bool fits = make_field(costs_, targets_, wide_);
            TERRANE_ASSERT(fits);
            fill(*record, [&](uint32_t a, uint32_t b) { return value(wide_, a, b); });
        }
        return record;
    }

private:
    template <class T>
    uint32_t value(const Field<T>& field, uint32_t a, uint32_t b) const {
        const T v = field.row(targets_[a])[b];
        return v == Field<T>::kFar ? kFarPortal : v;
    }
    template <class Distance>
    void fill(WindowRecord& record, Distance&& distance) const {
        const auto count = static_cast<uint32_t>(targets_.size());
        for (uint32_t a = 0; a < count; ++a) {
            for (uint32_t b = 0; b < count; ++b) record.distance[size_t{a} * count + b] = distance(a, b);
        }
    }

    WindowCosts costs_;
    std::vector<WindowCell> targets_;
    Field<uint16_t> narrow_;
    Field<uint32_t> wide_;
};

void count(OverlayRoot& root, const SegmentRecord& record, bool add) {
    const auto width = static_cast<size_t>(record.portals.empty() ? 0 : std::bit_width(record.portals.size() - 1));
    root.portals = add ? root.portals + record.portals.size() : root.portals - record.portals.size();
    root.widths[width] = add ? root.widths[width] + 1 : root.widths[width] - 1;
}

void set_shift(OverlayRoot& root) {
    root.shift = 0;
    for (uint32_t w = 0; w < root.widths.size(); ++w) {
        if (root.widths[w] > 0) root.shift = w;
    }
}

using Labels = PagedLabels<PortalId, uint64_t, PortalVia>;
using Queue = HeapQueue<PortalId, uint64_t>;

// Distances from one portal to all, by Dijkstra's algorithm.
class Flood {
public:
    explicit Flood(const OverlayRoot& root) : root_(root) {}
    void from(PortalId start) {
        labels_.reset(PortalGraph::id_limit(root_));
        queue_.reset();
        BestFirst<PortalGraph, ZeroHeuristic, NoGoal, Labels, Queue, NoObserver, ExpandOnce> search(PortalGraph(root_), {}, {}, labels_,
                                                                                                    queue_);
        search.start(start);
        search.run();
    }
    uint64_t distance(PortalId id) const { return labels_.g(id); }
    // Calls visit(portal) for all that it reached.
    template <class Visit>
    void for_each(Visit&& visit) const {
        labels_.for_each([&](PortalId id, uint64_t) { visit(id); });
    }

private:
    const OverlayRoot& root_;
    Labels labels_;
    Queue queue_;
};

template <class Visit>
void for_each_portal(const OverlayRoot& root, Visit&& visit) {
    for (uint32_t s = 0; s < root.segment_count(); ++s) {
        for (uint32_t n = 0; n < root.segments[s]->portals.size(); ++n) visit(s << root.shift | n, s, n);
    }
}

// The first portal of the largest part of the graph; kNoPortal where there is none.
PortalId first_of_largest_part(const OverlayRoot& root, Flood& flood) {
    std::vector<bool> seen(PortalGraph::id_limit(root));
    PortalId best = kNoPortal;
    uint64_t most = 0;
    for_each_portal(root, [&](PortalId id, uint32_t, uint32_t) {
        if (seen[id]) return;
        flood.from(id);
        uint64_t size = 0;
        flood.for_each([&](PortalId other) {
            seen[other] = true;
            ++size;
        });
        if (size > most) best = id;
        most = std::max(most, size);
    });
    return best;
}

// Landmarks in the largest part: each the farthest portal from those before it (ties: the smallest id).
void place_landmarks(OverlayRoot& root) {
    const uint32_t lanes = root.options.landmarks;
    std::vector<uint64_t> nearest(PortalGraph::id_limit(root), kInfinite<uint64_t>);
    root.potentials = PagedVector<std::shared_ptr<std::vector<int32_t>>>(root.segment_count());
    for (uint32_t s = 0; s < root.segment_count(); ++s) {
        root.potentials.set(s, std::make_shared<std::vector<int32_t>>(root.segments[s]->portals.size() * lanes, 0));
    }
    if (lanes == 0) return;
    Flood flood(root);
    PortalId next = first_of_largest_part(root, flood);
    if (next == kNoPortal) return;
    flood.from(next);
    for_each_portal(root, [&](PortalId id, uint32_t, uint32_t) { nearest[id] = flood.distance(id); });
    const auto farthest = [&] {
        PortalId best = next;
        uint64_t most = 0;
        for_each_portal(root, [&](PortalId id, uint32_t, uint32_t) {
            if (nearest[id] == kInfinite<uint64_t> || nearest[id] <= most) return;
            most = nearest[id];
            best = id;
        });
        return best;
    };
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        next = farthest();
        flood.from(next);
        for_each_portal(root, [&](PortalId id, uint32_t s, uint32_t n) {
            const uint64_t d = flood.distance(id);
            (*root.potentials[s])[size_t{n} * lanes + lane] = static_cast<int32_t>(std::min<uint64_t>(d, kMaxPotential));
            nearest[id] = lane == 0 ? d : std::min(nearest[id], d);
        });
    }
}

// What an edit touched: the windows that hold a changed cell, and the lines that do; both ascending.
struct Touched {
    std::vector<uint32_t> windows, segments;

    Touched(const OverlayRoot& root, const EditResult& edit) {
        for (const uint32_t tile : edit.tiles) {
            const Terrain *before = edit.before.tile_cells(tile), *after = edit.after.tile_cells(tile);
            for (uint32_t i = 0; i < kTileCells; ++i) {
                if (before[i] != after[i]) add(root, edit.after.layout().cell(tile * kTileCells + i));
            }
        }
        for (auto* list : {&windows, &segments}) {
            std::sort(list->begin(), list->end());
            list->erase(std::unique(list->begin(), list->end()), list->end());
        }
    }

private:
    void add(const OverlayRoot& root, Cell c) {
        const auto own = [](int32_t at, uint32_t count) { return std::min(static_cast<uint32_t>(at / kWindowStep), count - 1); };
        const uint32_t x = own(c.x, root.windows_x), y = own(c.y, root.windows_y);
        // A cell of a line is in the window before it, too.
        for (uint32_t wy = y - (y > 0 && c.y % kWindowStep == 0 && own(c.y - 1, root.windows_y) != y ? 1 : 0); wy <= y; ++wy) {
            for (uint32_t wx = x - (x > 0 && c.x % kWindowStep == 0 && own(c.x - 1, root.windows_x) != x ? 1 : 0); wx <= x; ++wx) {
                add_window(root, wy * root.windows_x + wx, c);
            }
        }
    }
    void add_window(const OverlayRoot& root, uint32_t window, Cell c) {
        if (windows.empty() || windows.back() != window) windows.push_back(window);
        for (uint32_t side = 0; side < 4; ++side) {
            const uint32_t segment = root.segment_of(window, side);
            if (segment != kNoSegment && root.segment_rect(segment).contains(c)) segments.push_back(segment);
        }
    }
};

// Lowers potentials until none differ by more than the distance of two portals of a window.
class Lowering {
public:
    explicit Lowering(OverlayRoot& root) : root_(root), own_(root.segment_count()), queued_(PortalGraph::id_limit(root)) {}

    void push(PortalId id) {
        if (!queued_[id]) queue_.push_back(id);
        queued_[id] = true;
    }
    void run() {
        for (size_t next = 0; next < queue_.size(); ++next) {
            const PortalId id = queue_[next];
            queued_[id] = false;
            for (const bool second : {false, true}) give(id, root_.window_of(id >> root_.shift, second));
        }
    }

private:
    // Offers a portal's numbers, and the distance, to the others of a window.
    void give(PortalId id, uint32_t window) {
        const uint32_t lanes = root_.options.landmarks, own = PortalGraph::index_in(root_, window, id);
        const WindowRecord& record = *root_.windows[window];
        std::copy_n(row(id), lanes, from_.begin());
        PortalGraph::for_each_portal(root_, window, [&](PortalId to, uint32_t i) {
            const uint32_t d = record.distance[size_t{own} * record.first[4] + i];
            if (to == id || d == kFarPortal) return;
            const auto step = static_cast<int32_t>(std::min<uint32_t>(d, kMaxPotential));
            const auto offered = [&](uint32_t lane) { return std::min(from_[lane] + step, kMaxPotential); };
            const int32_t* known = row(to);
            bool lower = false;
            for (uint32_t lane = 0; lane < lanes; ++lane) lower |= offered(lane) < known[lane];
            if (!lower) return;
            int32_t* out = writable(to);
            for (uint32_t lane = 0; lane < lanes; ++lane) out[lane] = std::min(out[lane], offered(lane));
            push(to);
        });
    }
    const int32_t* row(PortalId id) const {
        return root_.potentials[id >> root_.shift]->data() + size_t{id & ((1u << root_.shift) - 1)} * root_.options.landmarks;
    }
    int32_t* writable(PortalId id) {
        const uint32_t segment = id >> root_.shift;
        if (!own_[segment]) root_.potentials.set(segment, std::make_shared<std::vector<int32_t>>(*root_.potentials[segment]));
        own_[segment] = true;
        return root_.potentials[segment]->data() + size_t{id & ((1u << root_.shift) - 1)} * root_.options.landmarks;
    }

    OverlayRoot& root_;
    std::vector<bool> own_;     // potentials of a segment that are this version's alone
    std::vector<bool> queued_;  // portals
    std::vector<PortalId> queue_;
    std::array<int32_t, 64> from_{};
};

// The numbers of a line whose portals were picked anew: those of portals that stayed, and the greatest there is for others.
std::shared_ptr<std::vector<int32_t>> carried_over(const SegmentRecord& before, const std::vector<int32_t>& numbers,
                                                   const SegmentRecord& after, uint32_t lanes) {
    auto out = std::make_shared<std::vector<int32_t>>(after.portals.size() * lanes, kMaxPotential);
    for (size_t i = 0; i < after.portals.size(); ++i) {
        const auto same = std::find(before.portals.begin(), before.portals.end(), after.portals[i]);
        if (same == before.portals.end()) continue;
        const auto from = numbers.begin() + (same - before.portals.begin()) * static_cast<std::ptrdiff_t>(lanes);
        std::copy_n(from, lanes, out->begin() + static_cast<std::ptrdiff_t>(i * lanes));
    }
    return out;
}

}  // namespace

Rect OverlayRoot::window_rect(uint32_t w) const {
    const auto x = static_cast<int32_t>(w % windows_x) * kWindowStep, y = static_cast<int32_t>(w / windows_x) * kWindowStep;
    return {x, y, std::min(x + kWindowStep + 1, grid.width()), std::min(y + kWindowStep + 1, grid.height())};
}

Rect OverlayRoot::segment_rect(uint32_t s) const {
    const Rect a = window_rect(window_of(s, false)), b = window_rect(window_of(s, true));
    return intersection(a, b);
}

PortalOverlay PortalOverlay::build(const GridSnapshot& grid, const CostTable& costs, Movement movement, const OverlayOptions& options) {
    TERRANE_ASSERT(options.slots >= 1 && options.slots <= kMaxSlots && options.landmarks % 8 == 0 && options.landmarks <= 64);
    auto root = std::make_shared<OverlayRoot>();
    root->grid = grid;
    root->costs = costs;
    root->small = small_costs(costs);
    root->movement = movement;
    root->options = options;
    root->windows_x = windows_along(grid.width());
    root->windows_y = windows_along(grid.height());
    std::vector<std::shared_ptr<const WindowRecord>> windows(root->window_count());
    PortalPicker picker;
    root->segments = PagedVector<std::shared_ptr<const SegmentRecord>>(root->segment_count());
    for (uint32_t s = 0; s < root->segment_count(); ++s) {
        root->segments.set(s, picker.pick(*root, root->segment_rect(s)));
        count(*root, *root->segments[s], true);
    }
    set_shift(*root);
    std::vector<WindowMaker> makers(workers_for(options.threads, root->windows_y));
    parallel_for(options.threads, root->windows_y, [&](uint32_t row, uint32_t worker) {
        for (uint32_t w = row * root->windows_x; w < (row + 1) * root->windows_x; ++w) windows[w] = makers[worker].make(*root, w);
    });
    root->windows = PagedVector<std::shared_ptr<const WindowRecord>>(root->window_count());
    for (uint32_t w = 0; w < root->window_count(); ++w) root->windows.set(w, std::move(windows[w]));
    place_landmarks(*root);
    return PortalOverlay(std::move(root));
}

std::optional<PortalOverlay> PortalOverlay::updated(const EditResult& edit) const {
    if (&edit.before.root() != &root_->grid.root()) return std::nullopt;
    auto root = std::make_shared<OverlayRoot>(*root_);
    root->grid = edit.after;
    const Touched touched(*root, edit);
    PortalPicker picker;
    for (const uint32_t s : touched.segments) {
        const auto before = root->segments[s];
        auto after = picker.pick(*root, root->segment_rect(s));
        count(*root, *before, false);
        count(*root, *after, true);
        root->potentials.set(s, carried_over(*before, *root->potentials[s], *after, root->options.landmarks));
        root->segments.set(s, std::move(after));
    }
    set_shift(*root);
    WindowMaker maker;
    for (const uint32_t w : touched.windows) root->windows.set(w, maker.make(*root, w));
    Lowering lowering(*root);
    for (const uint32_t w : touched.windows) {
        PortalGraph::for_each_portal(*root, w, [&](PortalId id, uint32_t) { lowering.push(id); });
    }
    lowering.run();
    return PortalOverlay(std::move(root));
}

bool PortalOverlay::valid_for(const GridSnapshot& grid, const CostTable& costs, Movement movement) const {
    return &grid.root() == &root_->grid.root() && movement == root_->movement && costs.cost == root_->costs.cost;
}

size_t PortalOverlay::bytes() const {
    size_t sum = sizeof(OverlayRoot) + root_->segments.bytes() + root_->windows.bytes() + root_->potentials.bytes();
    for (uint32_t s = 0; s < root_->segment_count(); ++s) {
        sum += sizeof(SegmentRecord) + root_->segments[s]->portals.capacity() * sizeof(Cell) + root_->potentials[s]->capacity() * 4;
    }
    for (uint32_t w = 0; w < root_->window_count(); ++w) sum += root_->windows[w]->bytes();
    return sum;
}

}  // namespace terrane
