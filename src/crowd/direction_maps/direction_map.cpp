#include "terrane/crowd/direction_map.h"

#include <bit>

#include "terrane/base/assert.h"
#include "terrane/base/rng.h"

namespace terrane {

namespace {

// Between two looks at a tile of the compact form; a power of two.
constexpr uint32_t kSweepTicks = 64;

bool sensible(const DirectionMapOptions& o) {
    return std::has_single_bit(o.block) && o.block <= 16 && o.weight >= 1 && o.weight <= 1000 && o.learning >= 1 && o.learning <= 100 &&
           o.decay <= 1000;
}

int16_t towards(int16_t from, int16_t to, uint32_t percent) {
    return static_cast<int16_t>(from + (to - from) * static_cast<int32_t>(percent) / 100);
}

// By age, until nothing would be left of the longest arrow. One entry where nothing decays.
std::vector<uint32_t> make_factors(uint32_t decay, uint32_t unit) {
    std::vector<uint32_t> factors{unit};
    while (decay > 0 && factors.back() * uint64_t{kArrowUnit} >= unit) factors.push_back(factors.back() * (1000 - decay) / 1000);
    return factors;
}

}  // namespace

DirectionMap::DirectionMap(const GridLayout& layout, const DirectionMapOptions& options)
    : options_(options),
      block_shift_(static_cast<uint32_t>(std::countr_zero(options.block))),
      factors_(make_factors(options.decay, kFactorUnit)),
      left_at_last_(options.decay == 0 ? kFactorUnit : 0),
      tiles_(options.compact ? 0 : layout.tile_limit()),
      tiles_of_blocks_(options.compact ? layout.tile_limit() : 0),
      traffic_(options.congested == 0 ? 0 : layout.tile_limit()) {
    TERRANE_ASSERT(sensible(options));
    if (options.initial != nullptr) {
        copy_arrows(*options.initial);
        options_.initial = nullptr;
    } else if (options.random_seed != 0) {
        draw_arrows(layout);
    }
}

void DirectionMap::draw_arrows(const GridLayout& layout) {
    const uint32_t side = options_.compact ? kTileSide >> block_shift_ : kTileSide;
    for (uint32_t tile = 0; tile < layout.tile_limit(); ++tile) {
        if (layout.x(tile * kTileCells) >= layout.width) continue;
        enter(tile);
        for (uint32_t i = 0; i < side * side; ++i) {
            const auto move = static_cast<uint32_t>(mix64(mix64(options_.random_seed ^ tile) ^ i) >> 61);
            if (options_.compact) {
                put_block(tile, i, kThere + move);
            } else {
                tiles_[tile][i].arrow = kMoveArrows[move];
            }
        }
    }
}

void DirectionMap::copy_arrows(const DirectionMap& from) {
    TERRANE_ASSERT(from.tiles_.size() == tiles_.size() && from.tiles_of_blocks_.size() == tiles_of_blocks_.size());
    TERRANE_ASSERT(from.block_shift_ == block_shift_ || !options_.compact);
    tick_ = from.tick_;
    learned_ = from.learned_;
    tiles_ = from.tiles_;
    tiles_of_blocks_ = from.tiles_of_blocks_;
    entered_ = from.entered_;
    if (from.traffic_.size() == traffic_.size()) traffic_ = from.traffic_;
}

void DirectionMap::count_move(uint32_t tile) {
    const uint64_t moves = uint64_t{traffic(tile)} + 256;
    traffic_[tile] = {static_cast<uint32_t>(std::min<uint64_t>(moves, 0xffffffff)), tick_};
}

void DirectionMap::enter(uint32_t tile) {
    if (!options_.compact) {
        tiles_[tile].resize(kTileCells);
        return;
    }
    const uint32_t side = kTileSide >> block_shift_;
    tiles_of_blocks_[tile].resize(side * side / 2);
    entered_.push_back(tile);
}

void DirectionMap::put_block(uint32_t tile, uint32_t block, uint32_t value) {
    uint8_t& byte = tiles_of_blocks_[tile][block / 2];
    const uint32_t shift = block % 2 * 4;
    byte = static_cast<uint8_t>((byte & ~(15u << shift)) | value << shift);
}

void DirectionMap::learn_block(uint32_t tile, uint32_t block, Move move) {
    const uint32_t kept = half_byte(tile, block);
    if (kept < kThere || mix64(learned_) % 100 < options_.learning) put_block(tile, block, kThere + move);
}

void DirectionMap::learn(CellId from, Move move) {
    const uint32_t tile = from / kTileCells;
    TERRANE_ASSERT(move < 8 && tile < (options_.compact ? tiles_of_blocks_.size() : tiles_.size()));
    ++learned_;
    if (options_.congested != 0) {
        count_move(tile);
        if (!busy(tile)) return;
    }
    if (options_.compact) {
        if (tiles_of_blocks_[tile].empty()) enter(tile);
        learn_block(tile, block_of(from), move);
        return;
    }
    if (tiles_[tile].empty()) enter(tile);
    Dated& dated = tiles_[tile][from % kTileCells];
    const Arrow now = decayed(dated), way = kMoveArrows[move];
    dated = {{towards(now.x, way.x, options_.learning), towards(now.y, way.y, options_.learning)}, tick_};
}

// Each move of the tile is gone with the chance that kSweepTicks of decay give it.
void DirectionMap::thin_out(uint32_t tile) {
    const uint32_t stay = factor(kSweepTicks);
    const uint64_t seed = mix64(uint64_t{tick_} << 32 | tile);
    const auto blocks = static_cast<uint32_t>(tiles_of_blocks_[tile].size() * 2);
    for (uint32_t block = 0; block < blocks; ++block) {
        if (half_byte(tile, block) >= kThere && mix64(seed ^ block) % kFactorUnit >= stay) put_block(tile, block, 0);
    }
}

void DirectionMap::decay() {
    ++tick_;
    if (options_.decay == 0) return;
    for (size_t i = tick_ % kSweepTicks; i < entered_.size(); i += kSweepTicks) thin_out(entered_[i]);
}

size_t DirectionMap::bytes() const {
    size_t sum = factors_.capacity() * sizeof(uint32_t) + entered_.capacity() * sizeof(uint32_t) + traffic_.capacity() * sizeof(Traffic) +
                 tiles_.capacity() * sizeof(std::vector<Dated>) + tiles_of_blocks_.capacity() * sizeof(std::vector<uint8_t>);
    for (const auto& tile : tiles_) sum += tile.capacity() * sizeof(Dated);
    for (const auto& tile : tiles_of_blocks_) sum += tile.capacity();
    return sum;
}

}  // namespace terrane
