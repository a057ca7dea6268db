#include "terrane/crowd/direction_map.h"

#include <bit>

#include "terrane/base/assert.h"
#include "terrane/base/rng.h"

namespace terrane {

namespace {

// Compact form: ticks between two sweeps of a tile; a power of two.
constexpr uint32_t kSweepTicks = 64;

bool sensible(const DirectionMapOptions& o) {
    return std::has_single_bit(o.block) && o.block <= 16 && o.weight >= 1 && o.weight <= 1000 && o.learning >= 1 && o.learning <= 100 &&
           o.decay <= 1000;
}

int16_t interpolate(int16_t from, int16_t to, uint32_t percent) {
    return static_cast<int16_t>(from + (to - from) * static_cast<int32_t>(percent) / 100);
}

// Decay factors by age, until the longest arrow has decayed to zero. One entry if nothing decays.
std::vector<uint32_t> make_decay_factors(uint32_t decay, uint32_t unit) {
    std::vector<uint32_t> factors{unit};
    while (decay > 0 && factors.back() * uint64_t{kArrowUnit} >= unit) factors.push_back(factors.back() * (1000 - decay) / 1000);
    return factors;
}

}  // namespace

DirectionMap::DirectionMap(const GridLayout& layout, const DirectionMapOptions& options)
    : options_(options),
      block_shift_(static_cast<uint32_t>(std::countr_zero(options.block))),
      decay_factors_(make_decay_factors(options.decay, kFactorUnit)),
      final_factor_(options.decay == 0 ? kFactorUnit : 0),
      tiles_(options.compact ? 0 : layout.tile_limit()),
      block_tiles_(options.compact ? layout.tile_limit() : 0),
      traffic_(options.congestion_threshold == 0 ? 0 : layout.tile_limit()) {
    TERRANE_ASSERT(sensible(options));
    if (options.initial != nullptr) {
        copy_arrows(*options.initial);
        options_.initial = nullptr;
    } else if (options.random_seed != 0) {
        randomise_arrows(layout);
    }
}

void DirectionMap::randomise_arrows(const GridLayout& layout) {
    const uint32_t side = options_.compact ? kTileSide >> block_shift_ : kTileSide;
    for (uint32_t tile = 0; tile < layout.tile_limit(); ++tile) {
        if (layout.x(tile * kTileCells) >= layout.width) continue;
        allocate_tile(tile);
        for (uint32_t i = 0; i < side * side; ++i) {
            const auto move = static_cast<uint32_t>(mix64(mix64(options_.random_seed ^ tile) ^ i) >> 61);
            if (options_.compact) {
                set_block(tile, i, kHasMove + move);
            } else {
                tiles_[tile][i].arrow = kMoveArrows[move];
            }
        }
    }
}

void DirectionMap::copy_arrows(const DirectionMap& from) {
    TERRANE_ASSERT(from.tiles_.size() == tiles_.size() && from.block_tiles_.size() == block_tiles_.size());
    TERRANE_ASSERT(from.block_shift_ == block_shift_ || !options_.compact);
    tick_ = from.tick_;
    learned_moves_ = from.learned_moves_;
    tiles_ = from.tiles_;
    block_tiles_ = from.block_tiles_;
    allocated_tiles_ = from.allocated_tiles_;
    if (from.traffic_.size() == traffic_.size()) traffic_ = from.traffic_;
}

void DirectionMap::count_move(uint32_t tile) {
    const uint64_t moves = uint64_t{traffic(tile)} + 256;
    traffic_[tile] = {static_cast<uint32_t>(std::min<uint64_t>(moves, 0xffffffff)), tick_};
}

void DirectionMap::allocate_tile(uint32_t tile) {
    if (!options_.compact) {
        tiles_[tile].resize(kTileCells);
        return;
    }
    const uint32_t side = kTileSide >> block_shift_;
    block_tiles_[tile].resize(side * side / 2);
    allocated_tiles_.push_back(tile);
}

void DirectionMap::set_block(uint32_t tile, uint32_t block, uint32_t value) {
    uint8_t& byte = block_tiles_[tile][block / 2];
    const uint32_t shift = block % 2 * 4;
    byte = static_cast<uint8_t>((byte & ~(15u << shift)) | value << shift);
}

void DirectionMap::learn_block(uint32_t tile, uint32_t block, Move move) {
    const uint32_t stored = nibble(tile, block);
    if (stored < kHasMove || mix64(learned_moves_) % 100 < options_.learning) set_block(tile, block, kHasMove + move);
}

void DirectionMap::learn(CellId from, Move move) {
    const uint32_t tile = from / kTileCells;
    TERRANE_ASSERT(move < 8 && tile < (options_.compact ? block_tiles_.size() : tiles_.size()));
    ++learned_moves_;
    if (options_.congestion_threshold != 0) {
        count_move(tile);
        if (!is_congested(tile)) return;
    }
    if (options_.compact) {
        if (block_tiles_[tile].empty()) allocate_tile(tile);
        learn_block(tile, block_of(from), move);
        return;
    }
    if (tiles_[tile].empty()) allocate_tile(tile);
    TimedArrow& timed = tiles_[tile][from % kTileCells];
    const Arrow now = decayed(timed), direction = kMoveArrows[move];
    timed = {{interpolate(now.x, direction.x, options_.learning), interpolate(now.y, direction.y, options_.learning)}, tick_};
}

// Removes each move of the tile with the probability that kSweepTicks of decay amount to.
void DirectionMap::decay_blocks(uint32_t tile) {
    const uint32_t survival = decay_factor(kSweepTicks);
    const uint64_t seed = mix64(uint64_t{tick_} << 32 | tile);
    const auto blocks = static_cast<uint32_t>(block_tiles_[tile].size() * 2);
    for (uint32_t block = 0; block < blocks; ++block) {
        if (nibble(tile, block) >= kHasMove && mix64(seed ^ block) % kFactorUnit >= survival) set_block(tile, block, 0);
    }
}

void DirectionMap::decay() {
    ++tick_;
    if (options_.decay == 0) return;
    for (size_t i = tick_ % kSweepTicks; i < allocated_tiles_.size(); i += kSweepTicks) decay_blocks(allocated_tiles_[i]);
}

size_t DirectionMap::bytes() const {
    size_t sum = decay_factors_.capacity() * sizeof(uint32_t) + allocated_tiles_.capacity() * sizeof(uint32_t) +
                 traffic_.capacity() * sizeof(Traffic) + tiles_.capacity() * sizeof(std::vector<TimedArrow>) +
                 block_tiles_.capacity() * sizeof(std::vector<uint8_t>);
    for (const auto& tile : tiles_) sum += tile.capacity() * sizeof(TimedArrow);
    for (const auto& tile : block_tiles_) sum += tile.capacity();
    return sum;
}

}  // namespace terrane
