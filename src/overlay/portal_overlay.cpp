#include "terrane/overlay/portal_overlay.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>

#include "base/parallel.h"
#include "overlay/guide_maker.h"
#include "overlay/landmark_placer.h"
#include "overlay/landmark_repair.h"
#include "overlay/portal_graph.h"
#include "terrane/base/assert.h"

namespace terrane {

using namespace detail;

namespace {

// Larger costs than this could take the distances of a window past 32 bits: all its cells one after another, by diagonal steps.
constexpr uint32_t kDearest = 48000;

constexpr uint32_t kAllGuides = 65536;
constexpr size_t kLeastOverlayBytes = size_t{16} << 20;  // that are not worth saving, however small the map

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
    std::shared_ptr<const SegmentRecord> pick(const OverlayRoot& root, uint32_t segment) {
        const Rect rect = root.segment_rect(segment);
        const bool upright = OverlayRoot::upright(segment);
        const auto length = static_cast<uint32_t>(upright ? rect.bottom - rect.top : rect.right - rect.left);
        costs_.resize(length);
        const auto cell = [&](uint32_t i) {
            const auto along = static_cast<int32_t>(i);
            return upright ? Cell{rect.left, rect.top + along} : Cell{rect.left + along, rect.top};
        };
        for (uint32_t i = 0; i < length; ++i) costs_[i] = root.ground.costs().cost[root.ground.grid().at(cell(i))];
        auto record = share<SegmentRecord>();
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
    Vector<uint32_t> costs_;
};

struct MadeWindow {
    PortalTable::Block table;
    std::shared_ptr<WindowRecord> record;
};

// The table of a window, and its guide where it is to be kept.
class WindowMaker {
public:
    MadeWindow make(const OverlayRoot& root, uint32_t window) {
        const std::array<uint32_t, 5> first = maker_.read(root, window);
        MadeWindow made{PortalTable::make(first, root.options.landmarks), share<WindowRecord>()};
        PortalTable table(made.table);
        maker_.name_portals(table.names());
        made.record->uniform_cost = maker_.uniform_cost();
        if (maker_.uniform_cost() != 0) {
            fill(table, [&](uint32_t a, uint32_t b) { return maker_.uniform(a, b, root.ground.movement()); });
        } else {
            maker_.make_field();
            fill(table, [&](uint32_t a, uint32_t b) { return maker_.distance(a, b); });
            if (root.keeps_guide(window)) made.record->guide = maker_.make_guide();
        }
        return made;
    }

private:
    template <class Distance>
    static void fill(PortalTable& table, Distance&& distance) {
        for (uint32_t a = 0; a < table.count(); ++a) {
            for (uint32_t b = 0; b < table.count(); ++b) table.row(a)[b] = distance(a, b);
        }
    }
    GuideMaker maker_;
};

void set_window(OverlayRoot& root, uint32_t window, MadeWindow made) {
    root.tables.set(window, std::move(made.table));
    root.windows.set(window, std::move(made.record));
}

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

void sort_unique(Vector<uint32_t>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

// What an edit touched: the windows that hold a changed cell, and the lines that do; both ascending.
struct TouchedRects {
    Vector<uint32_t> windows, segments;

    TouchedRects(const OverlayRoot& root, const EditResult& edit) {
        for_each_changed_cell(edit, [&](CellId id, Terrain, Terrain) { add(root, edit.after.layout().cell(id)); });
        sort_unique(windows);
        sort_unique(segments);
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
        if (c.x % kWindowStep != 0 && c.y % kWindowStep != 0) return;  // on no line
        for (uint32_t side = 0; side < 4; ++side) {
            const uint32_t segment = root.segment_of(window, side);
            if (segment != kNoSegment && root.segment_rect(segment).contains(c)) segments.push_back(segment);
        }
    }
};

// Drops guides until what is kept fits.
void keep_what_fits(OverlayRoot& root, size_t table_bytes) {
    const size_t usual = std::max(kLeastOverlayBytes, static_cast<size_t>(root.ground.layout().cells()) * 8);
    const size_t limit = root.options.max_bytes != 0 ? root.options.max_bytes : usual;
    const size_t room = limit - std::min(limit, table_bytes);
    const auto kept = [&] {
        size_t bytes = 0;
        for (uint32_t w = 0; w < root.window_count(); ++w) {
            if (root.keeps_guide(w) && root.windows[w]->guide) bytes += root.windows[w]->guide->bytes();
        }
        return bytes;
    };
    if (kept() <= room) return;
    root.guides_kept = 0;
    for (uint32_t more = kAllGuides / 2; more > 0; more /= 2) {  // the larger, the more are kept
        root.guides_kept += more;
        if (kept() > room) root.guides_kept -= more;
    }
    for (uint32_t w = 0; w < root.window_count(); ++w) {
        if (root.keeps_guide(w) || !root.windows[w]->guide) continue;
        auto without = share<WindowRecord>(*root.windows[w]);
        without->guide = nullptr;
        root.windows.set(w, std::move(without));
    }
}

}  // namespace

Rect OverlayRoot::window_rect(uint32_t w) const {
    const auto x = static_cast<int32_t>(w % windows_x) * kWindowStep, y = static_cast<int32_t>(w / windows_x) * kWindowStep;
    return {x, y, std::min(x + kWindowStep + 1, ground.grid().width()), std::min(y + kWindowStep + 1, ground.grid().height())};
}

PortalTable::Block PortalTable::with_coarse(std::span<const int16_t> potentials) const {
    const size_t before = size(count(), 0);
    auto numbers = share<uint32_t[]>(before + potentials.size() / 2);
    std::copy_n(numbers_, before, numbers.get());
    std::ranges::copy(std::as_bytes(potentials), reinterpret_cast<std::byte*>(numbers.get() + before));
    return {std::move(numbers), ends_};
}

PortalTable::Block OverlayRoot::with_coarse(uint32_t window) const {
    Vector<int16_t> numbers;
    numbers.reserve(size_t{table(window).count()} * options.landmarks);
    PortalGraph::for_each_portal(*this, window, [&](PortalId id, uint32_t) {
        const int32_t* exact = potential(id);
        for (uint32_t i = 0; i < options.landmarks; ++i) {
            numbers.push_back(static_cast<int16_t>(std::min(exact[i] >> coarse_shift, 32767)));
        }
    });
    return table(window).with_coarse(numbers);
}

Rect OverlayRoot::segment_rect(uint32_t s) const {
    const uint32_t w = s / 2;
    const bool edge = upright(s) ? w % windows_x + 1 == windows_x : w / windows_x + 1 == windows_y;
    return edge ? Rect{} : intersection(window_rect(w), window_rect(window_of(s, true)));
}

// Lines, then windows, then landmarks.
struct OverlayBuilder::Impl : detail::InMemory {
    std::shared_ptr<OverlayRoot> root = share<OverlayRoot>();
    uint32_t windows_made = 0;
    Vector<WindowMaker> makers;
    std::optional<LandmarkPlacer> placer;
    bool done = false;

    void pick_portals();
    void make_windows(uint32_t count);
};

void OverlayBuilder::Impl::pick_portals() {
    PortalPicker picker;
    root->segments = PagedVector<std::shared_ptr<const SegmentRecord>>(root->segment_count());
    for (uint32_t s = 0; s < root->segment_count(); ++s) {
        root->segments.set(s, picker.pick(*root, s));
        count(*root, *root->segments[s], true);
    }
    set_shift(*root);
}

void OverlayBuilder::Impl::make_windows(uint32_t count) {
    Vector<MadeWindow> made(count);
    makers.resize(workers_for(root->options.threads, count));
    parallel_for(root->options.threads, count,
                 [&](uint32_t i, uint32_t worker) { made[i] = makers[worker].make(*root, windows_made + i); });
    for (MadeWindow& window : made) set_window(*root, windows_made++, std::move(window));
}

OverlayBuilder::OverlayBuilder(const Ground& ground, const OverlayOptions& options) : impl_(std::make_unique<Impl>()) {
    TERRANE_ASSERT(ground.movement() != Movement::kCustom);
    TERRANE_ASSERT(options.slots >= 1 && options.slots <= kMaxSlots && options.landmarks % 8 == 0 && options.landmarks <= 64);
    OverlayRoot& root = *impl_->root;
    root.ground = ground;
    root.small = small_costs(ground.costs());
    root.options = options;
    root.guides_kept = kAllGuides;
    root.windows_x = windows_along(ground.grid().width());
    root.windows_y = windows_along(ground.grid().height());
    root.windows = PagedVector<std::shared_ptr<const WindowRecord>>(root.window_count());
    root.tables = PagedVector<PortalTable::Block>(root.window_count());
}
OverlayBuilder::~OverlayBuilder() = default;
OverlayBuilder::OverlayBuilder(OverlayBuilder&&) noexcept = default;
OverlayBuilder& OverlayBuilder::operator=(OverlayBuilder&&) noexcept = default;

bool OverlayBuilder::run(uint64_t budget) {
    Impl& s = *impl_;
    if (s.done) return true;
    if (s.root->segments.size() == 0) s.pick_portals();
    const uint32_t left = s.root->window_count() - s.windows_made;
    const auto count = static_cast<uint32_t>(std::min<uint64_t>(left, budget / kWindowWork + 1));
    if (left > 0) s.make_windows(count);
    budget -= std::min(budget, count * kWindowWork);
    if (count < left) return false;
    if (!s.placer) s.placer.emplace(*s.root);
    if (!s.placer->run(budget)) return false;
    s.placer->make_coarse();
    s.placer.reset();
    keep_what_fits(*s.root, PortalOverlay(s.root).table_bytes());
    return s.done = true;
}

double OverlayBuilder::progress() const {
    const Impl& s = *impl_;
    if (s.done) return 1;
    const double windows = static_cast<double>(s.windows_made) / s.root->window_count();
    const double landmarks = s.placer ? static_cast<double>(s.placer->placed()) / (s.root->options.landmarks + 1) : 0;
    return (windows + landmarks) / 2;
}

PortalOverlay OverlayBuilder::take() { return PortalOverlay(std::move(impl_->root)); }

PortalOverlay PortalOverlay::build(const Ground& ground, const OverlayOptions& options) {
    OverlayBuilder builder(ground, options);
    builder.run(kUnlimited);
    return builder.take();
}

// Borders, then clusters, then landmarks.
struct OverlayUpdater::Impl : detail::InMemory {
    Impl(std::shared_ptr<OverlayRoot> next, const EditResult& edit) : root(std::move(next)), touched(*root, edit) {}

    void pick_portals();
    void repair();

    std::shared_ptr<OverlayRoot> root;
    TouchedRects touched;
    Vector<PortalTable::Name> fresh;  // portals that were not there before
    WindowMaker maker;
    size_t windows_made = 0;
    bool done = false;
};

void OverlayUpdater::Impl::pick_portals() {
    PortalPicker picker;
    for (const uint32_t s : touched.segments) {
        const auto before = root->segments[s];
        auto after = picker.pick(*root, s);
        count(*root, *before, false);
        count(*root, *after, true);
        root->potentials.set(s, carry_over(*root, s, *before, *after, fresh));
        root->segments.set(s, std::move(after));
    }
    set_shift(*root);
}

void OverlayUpdater::Impl::repair() {
    Vector<uint32_t> changed = touched.windows;
    for (const uint32_t s : repair_landmarks(*root, touched.windows, fresh)) {
        for (const bool second : {false, true}) changed.push_back(root->window_of(s, second));
    }
    sort_unique(changed);
    for (const uint32_t w : changed) root->tables.set(w, root->with_coarse(w));
}

OverlayUpdater::OverlayUpdater(const PortalOverlay& overlay, const EditResult& edit) {
    TERRANE_ASSERT(&edit.before.root() == &overlay.root().ground.grid().root());
    auto root = share<OverlayRoot>(overlay.root());
    root->ground = root->ground.on(edit.after);
    impl_ = std::make_unique<Impl>(std::move(root), edit);
    impl_->pick_portals();
}
OverlayUpdater::~OverlayUpdater() = default;
OverlayUpdater::OverlayUpdater(OverlayUpdater&&) noexcept = default;
OverlayUpdater& OverlayUpdater::operator=(OverlayUpdater&&) noexcept = default;

bool OverlayUpdater::run(uint64_t budget) {
    Impl& s = *impl_;
    if (s.done) return true;
    const size_t left = s.touched.windows.size() - s.windows_made;
    const size_t end = s.windows_made + static_cast<size_t>(std::min<uint64_t>(left, budget / OverlayBuilder::kWindowWork + 1));
    for (; s.windows_made < end; ++s.windows_made) {
        const uint32_t window = s.touched.windows[s.windows_made];
        set_window(*s.root, window, s.maker.make(*s.root, window));
    }
    if (s.windows_made < s.touched.windows.size()) return false;
    s.repair();
    return s.done = true;
}

double OverlayUpdater::progress() const {
    const size_t all = impl_->touched.windows.size();
    return all == 0 ? 1 : static_cast<double>(impl_->windows_made) / static_cast<double>(all);
}

PortalOverlay OverlayUpdater::take() { return PortalOverlay(std::move(impl_->root)); }

std::optional<PortalOverlay> PortalOverlay::updated(const EditResult& edit) const {
    if (&edit.before.root() != &root_->ground.grid().root()) return std::nullopt;
    OverlayUpdater updater(*this, edit);
    updater.run(kUnlimited);
    return updater.take();
}

bool PortalOverlay::valid_for(const Ground& ground) const {
    return &ground.grid().root() == &root_->ground.grid().root() && ground.movement() == root_->ground.movement() &&
           ground.costs().cost == root_->ground.costs().cost;
}

size_t PortalOverlay::bytes() const {
    size_t sum = table_bytes();
    for (uint32_t w = 0; w < root_->window_count(); ++w) sum += root_->windows[w]->guide ? root_->windows[w]->guide->bytes() : 0;
    return sum;
}

size_t PortalOverlay::table_bytes() const {
    size_t sum = sizeof(OverlayRoot) + root_->segments.bytes() + root_->windows.bytes() + root_->tables.bytes() + root_->potentials.bytes();
    for (uint32_t s = 0; s < root_->segment_count(); ++s) {
        const SegmentRecord& record = *root_->segments[s];
        sum += sizeof(SegmentRecord) + record.portals.capacity() * sizeof(Cell) + record.portals.size() * root_->options.landmarks * 4;
    }
    for (uint32_t w = 0; w < root_->window_count(); ++w) sum += sizeof(WindowRecord) + root_->table(w).bytes(root_->options.landmarks);
    return sum;
}

}  // namespace terrane
