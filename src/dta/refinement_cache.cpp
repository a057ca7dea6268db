#include "dta/refinement_cache.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <span>
#include <utility>

#include "terrane/base/rng.h"
#include "terrane/grid/grid.h"

namespace terrane {

namespace {

using Index = uint32_t;  // block index
constexpr Index kNone = 0xffffffff;

constexpr size_t kMinBytes = 100'000;
constexpr size_t kMaxRules = 64;  // sets of costs, movement and weight; one more clears the cache
constexpr uint32_t kBlockSteps = 70;

// Everything that a result depends on, except the cells of the window.
struct Key {
    CellId from = 0, to = 0;
    std::array<uint16_t, 4> window{};
    uint32_t rules = 0;  // index in Impl::rules
    friend bool operator==(const Key&, const Key&) = default;

    uint64_t hash() const {
        const uint64_t rect = uint64_t{window[0]} << 48 | uint64_t{window[1]} << 32 | uint64_t{window[2]} << 16 | window[3];
        return mix64(mix64(uint64_t{from} << 32 | to) ^ mix64(rect) ^ rules);
    }
};

// An entry. If its steps exceed one block, it continues in further blocks, which use only `more` and `moves`.
struct Block {
    Key key;
    uint32_t expansions = 0;
    GridVersion stamp = 0;
    Cost cost = 0;
    uint32_t steps = 0;
    Index more = kNone;                  // the next block of the entry, or of the free list
    Index next = kNone;                  // the next entry of the hash bucket
    Index newer = kNone, older = kNone;  // LRU list
    bool found = false;
    std::array<uint8_t, kBlockSteps / 2> moves{};  // 4 bits each
};
static_assert(sizeof(Block) == 96);

// The version that last changed a tile that the rectangle overlaps.
GridVersion stamp_of(const GridSnapshot& grid, const Rect& rect) {
    const GridLayout& layout = grid.layout();
    if (rect == layout.rect()) return grid.version();
    GridVersion stamp = 0;
    for (int32_t y = rect.y / kTileSide; y * kTileSide < rect.bottom(); ++y) {
        for (int32_t x = rect.x / kTileSide; x * kTileSide < rect.right(); ++x) {
            stamp = std::max(stamp, grid.tile_version(static_cast<uint32_t>(y) << layout.row_shift | static_cast<uint32_t>(x)));
        }
    }
    return stamp;
}

Move move_between(Cell from, Cell to) {
    constexpr std::array<Move, 9> kByOffset = {7, 0, 4, 3, kNoMove, 1, 6, 2, 5};
    const int32_t offset = (to.y - from.y + 1) * 3 + to.x - from.x + 1;
    return kByOffset[static_cast<size_t>(offset)];
}

// Whether the segment's ends are valid, so that it can run.
bool runnable(const Refiner& refiner) {
    const Status status = refiner.status();
    return status == Status::kBudgetSpent || status == Status::kFound || status == Status::kUnreachable;
}

}  // namespace

struct RefinementCache::Impl : detail::ScopeAllocated {
    size_t max_bytes;
    uint64_t world = 0;  // id of its grid
    Vector<RefinementRules> rules;
    uint32_t last_rules = 0;  // index of the last rules looked up
    Vector<Index> heads;      // hash buckets: first entry of each
    Vector<Block> blocks;     // used so far
    size_t max_blocks = 0;
    Index free = kNone;
    size_t free_count = 0;  // includes blocks that were never used
    Index newest = kNone, oldest = kNone;
    size_t size = 0;
    uint64_t hits = 0, misses = 0;
    std::vector<Cell> cells;  // scratch

    explicit Impl(size_t limit) : max_bytes(limit) {}

    bool allocate();
    void clear();

    void bind_to_grid(const GridSnapshot& grid);
    Index rules_of(const Refiner& refiner);
    Index add_rules(const Refiner& refiner);
    Key key_of(const Refiner& refiner, Index rules_index) const;
    Index& head_of(const Key& key) { return heads[static_cast<size_t>(key.hash()) & (heads.size() - 1)]; }
    Index lookup(const Key& key);

    Index allocate_blocks(size_t count);
    void write_moves(Index block, Cell from);
    void read_moves(Index block, Cell from, std::span<Cell> out) const;
    void insert(Index entry);
    void remove(Index entry);
    void make_newest(Index entry);
    void unlink(Index entry);
};

// Allocates once. Returns false if max_bytes is too small.
bool RefinementCache::Impl::allocate() {
    if (max_bytes < kMinBytes) return false;
    if (max_blocks > 0) return true;
    max_blocks = (max_bytes - kMaxRules * sizeof(RefinementRules)) / (sizeof(Block) + 2 * sizeof(Index));
    max_blocks = std::min(max_blocks, size_t{kNone / 2});
    rules.reserve(kMaxRules);
    blocks.reserve(max_blocks);
    heads.resize(std::bit_ceil(max_blocks));
    clear();
    return true;
}

void RefinementCache::Impl::clear() {
    rules.clear();
    std::fill(heads.begin(), heads.end(), kNone);
    blocks.clear();
    free = newest = oldest = kNone;
    free_count = max_blocks;
    size = 0;
}

void RefinementCache::Impl::bind_to_grid(const GridSnapshot& grid) {
    if (grid.data().grid == world) return;
    clear();
    world = grid.data().grid;
}

// kNone if unknown.
Index RefinementCache::Impl::rules_of(const Refiner& refiner) {
    if (last_rules < rules.size() && rules[last_rules] == refiner.rules()) return last_rules;
    const auto found = std::find(rules.begin(), rules.end(), refiner.rules());
    if (found == rules.end()) return kNone;
    return last_rules = static_cast<Index>(found - rules.begin());
}

Index RefinementCache::Impl::add_rules(const Refiner& refiner) {
    const Index known = rules_of(refiner);
    if (known != kNone) return known;
    if (rules.size() == kMaxRules) clear();
    rules.push_back(refiner.rules());
    return last_rules = static_cast<Index>(rules.size() - 1);
}

Key RefinementCache::Impl::key_of(const Refiner& refiner, Index rules_index) const {
    const GridLayout& layout = refiner.grid().layout();
    const Rect w = refiner.window();
    return {layout.id(refiner.from()),
            layout.id(refiner.to()),
            {static_cast<uint16_t>(w.x), static_cast<uint16_t>(w.y), static_cast<uint16_t>(w.width), static_cast<uint16_t>(w.height)},
            rules_index};
}

Index RefinementCache::Impl::lookup(const Key& key) {
    Index entry = head_of(key);
    while (entry != kNone && blocks[entry].key != key) entry = blocks[entry].next;
    return entry;
}

// Returns a chain of `count` blocks; evicts entries as needed. `count` is at most max_blocks.
Index RefinementCache::Impl::allocate_blocks(size_t count) {
    while (free_count < count) remove(oldest);
    Index chain = kNone;
    for (; count > 0; --count, --free_count) {
        Index block = free;
        if (block != kNone) {
            free = blocks[block].more;
        } else {
            block = static_cast<Index>(blocks.size());
            blocks.emplace_back();
        }
        blocks[block].more = chain;
        chain = block;
    }
    return chain;
}

// Encodes the path from `from` over `cells` as moves.
void RefinementCache::Impl::write_moves(Index block, Cell from) {
    for (size_t i = 0; i < cells.size(); from = cells[i++]) {
        const size_t at = i % kBlockSteps;
        if (i > 0 && at == 0) block = blocks[block].more;
        uint8_t& pair = blocks[block].moves[at / 2];
        const Move move = move_between(from, cells[i]);
        pair = static_cast<uint8_t>(at % 2 == 0 ? move : pair | move << 4);
    }
}

void RefinementCache::Impl::read_moves(Index block, Cell from, std::span<Cell> out) const {
    for (size_t i = 0; i < out.size(); ++i) {
        const size_t at = i % kBlockSteps;
        if (i > 0 && at == 0) block = blocks[block].more;
        const Cell move = kMoves[blocks[block].moves[at / 2] >> at % 2 * 4 & 7];
        from = out[i] = {from.x + move.x, from.y + move.y};
    }
}

void RefinementCache::Impl::insert(Index entry) {
    Index& head = head_of(blocks[entry].key);
    blocks[entry].next = std::exchange(head, entry);
    ++size;
    make_newest(entry);
}

void RefinementCache::Impl::remove(Index entry) {
    unlink(entry);
    Index* link = &head_of(blocks[entry].key);
    while (*link != entry) link = &blocks[*link].next;
    *link = blocks[entry].next;
    --size;
    while (entry != kNone) {
        const Index more = std::exchange(blocks[entry].more, free);
        free = std::exchange(entry, more);
        ++free_count;
    }
}

// The entry must not be in the LRU list.
void RefinementCache::Impl::make_newest(Index entry) {
    blocks[entry].newer = kNone;
    blocks[entry].older = newest;
    (newest != kNone ? blocks[newest].newer : oldest) = entry;
    newest = entry;
}

void RefinementCache::Impl::unlink(Index entry) {
    const Block& block = blocks[entry];
    (block.newer != kNone ? blocks[block.newer].older : newest) = block.older;
    (block.older != kNone ? blocks[block.older].newer : oldest) = block.newer;
}

RefinementCache::RefinementCache(size_t max_bytes) : impl_(std::make_unique<Impl>(max_bytes)) {}
RefinementCache::~RefinementCache() = default;
RefinementCache::RefinementCache(RefinementCache&&) noexcept = default;
RefinementCache& RefinementCache::operator=(RefinementCache&&) noexcept = default;

std::optional<CachedRefinement> RefinementCache::find(const Refiner& refiner, std::vector<Cell>& out) {
    Impl& impl = *impl_;
    if (!runnable(refiner)) return std::nullopt;
    impl.bind_to_grid(refiner.grid());
    const Index rules = impl.rules_of(refiner);
    const Index entry = rules != kNone ? impl.lookup(impl.key_of(refiner, rules)) : kNone;
    if (entry == kNone || impl.blocks[entry].stamp != stamp_of(refiner.grid(), refiner.window())) {
        ++impl.misses;
        return std::nullopt;
    }
    ++impl.hits;
    impl.unlink(entry);
    impl.make_newest(entry);
    const Block& block = impl.blocks[entry];
    out.resize(out.size() + block.steps);
    impl.read_moves(entry, refiner.from(), std::span(out).last(block.steps));
    return CachedRefinement{block.found ? Status::kFound : Status::kUnreachable, block.cost, block.expansions};
}

void RefinementCache::put(const Refiner& refiner) {
    Impl& impl = *impl_;
    if (!runnable(refiner) || refiner.status() == Status::kBudgetSpent || !impl.allocate()) return;
    impl.bind_to_grid(refiner.grid());
    impl.cells.clear();
    const bool found = refiner.status() == Status::kFound;
    if (found) refiner.append_to(impl.cells);
    const size_t count = std::max<size_t>(1, (impl.cells.size() + kBlockSteps - 1) / kBlockSteps);
    if (count > impl.max_blocks || refiner.segment_expansions() > std::numeric_limits<uint32_t>::max()) return;

    const Key key = impl.key_of(refiner, impl.add_rules(refiner));
    const Index old = impl.lookup(key);
    if (old != kNone) impl.remove(old);
    const Index entry = impl.allocate_blocks(count);
    Block& block = impl.blocks[entry];
    block.key = key;
    block.expansions = static_cast<uint32_t>(refiner.segment_expansions());
    block.stamp = stamp_of(refiner.grid(), refiner.window());
    block.cost = found ? refiner.cost() : 0;
    block.steps = static_cast<uint32_t>(impl.cells.size());
    block.found = found;
    impl.write_moves(entry, refiner.from());
    impl.insert(entry);
}

void RefinementCache::clear() { impl_->clear(); }

size_t RefinementCache::size() const { return impl_->size; }
size_t RefinementCache::bytes() const {
    return impl_->rules.capacity() * sizeof(RefinementRules) + impl_->heads.capacity() * sizeof(Index) +
           impl_->blocks.capacity() * sizeof(Block) + impl_->cells.capacity() * sizeof(Cell);
}
size_t RefinementCache::max_bytes() const { return impl_->max_bytes; }
uint64_t RefinementCache::hits() const { return impl_->hits; }
uint64_t RefinementCache::misses() const { return impl_->misses; }

}  // namespace terrane
