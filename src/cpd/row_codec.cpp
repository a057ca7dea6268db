// Layout of a packed block:
// - split level (0..3), 4 bytes;
// - if split, the end of each part, counted from the beginning of the block, 4 bytes each;
// - the parts.
// Layout of a part:
// - the number of segments, as a varint (7 bits per byte);
// - twice the number of patterns, plus 1 if pattern ends have 4 bytes, as a varint;
// - index: for every kStride-th segment but the first, its first column and its byte offset from the first segment, 4 bytes each;
// - the end of each pattern, counted from the first pattern, 2 or 4 bytes each;
// - patterns: runs of 1 to 16 cells in Z order, the symbol in the lower 4 bits, the length minus 1 in the upper 4. Blocked cells take
//   whatever symbol extends the run;
// - segments: the number of columns since the previous segment's first column, and the pattern, as varints.
#include "cpd/row_codec.h"

#include <algorithm>
#include <bit>

#include "terrane/base/attributes.h"

namespace terrane::detail {

namespace {

constexpr uint32_t kStride = 16;
constexpr uint32_t kMaxLevel = 3;

constexpr std::array<uint8_t, kBlockCells> by_z_order() {
    std::array<uint8_t, kBlockCells> out{};
    for (size_t i = 0; i < kBlockCells; ++i) out[kZOrder[i]] = static_cast<uint8_t>(i);
    return out;
}
constexpr std::array<uint8_t, kBlockCells> kByZOrder = by_z_order();

TERRANE_INLINE inline uint32_t get(const uint8_t* from, uint32_t bytes) {
    uint32_t value = uint32_t{from[0]};
    if (bytes > 1) value |= uint32_t{from[1]} << 8;
    if (bytes > 2) value |= uint32_t{from[2]} << 16 | uint32_t{from[3]} << 24;
    return value;
}

void put(std::string& out, uint32_t value, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 255);
}

void put_varint(std::string& out, uint32_t value) {
    for (; value >= 128; value >>= 7) out += static_cast<char>(value % 128 + 128);
    out += static_cast<char>(value);
}

const uint8_t* bytes_of(std::string_view text) { return reinterpret_cast<const uint8_t*>(text.data()); }

// Reads varints, 7 bits per byte; 0 past the end.
struct VarintReader {
    const uint8_t* at;
    const uint8_t* end;

    uint32_t next() {
        uint32_t value = 0;
        for (uint32_t shift = 0; at < end && shift < 32; shift += 7) {
            const uint32_t byte = *at++;
            value |= (byte & 127) << shift;
            if (byte < 128) break;
        }
        return value;
    }
};

// Binary search: the last of `count` ascending columns, `step` bytes apart, that is not above `column`; the first if all are above it.
TERRANE_INLINE inline uint32_t last_not_above(const uint8_t* columns, uint32_t width, uint32_t step, uint32_t count, uint32_t column) {
    uint32_t at = 0;
    while (count > 1) {
        const uint32_t half = count / 2;
        at = get(columns + size_t{at + half} * step, width) <= column ? at + half : at;
        count -= half;
    }
    return at;
}

uint32_t choose_symbol(uint32_t symbols) {
    return (symbols >> kHeuristicMove & 1) != 0 ? kHeuristicMove : static_cast<uint32_t>(std::countr_zero(symbols));
}

}  // namespace

RowDecoder::RowDecoder(RowFormat format, std::string_view block, uint32_t at, uint32_t column) : packed_(format.packed) {
    if (!packed_) {
        locate_plain(format, block, column);
        return;
    }
    level_ = block.size() < 4 ? 0 : std::min<uint32_t>(get(bytes_of(block), 1), kMaxLevel);
    part_ = uint32_t{kZOrder[at]} >> (6 - 2 * level_);
    uint32_t begin = 4;
    auto end = static_cast<uint32_t>(block.size());
    if (level_ > 0) {
        const uint32_t parts = 1u << (2 * level_);
        if (block.size() < 4 + size_t{parts} * 4) return;
        end = get(bytes_of(block) + 4 + size_t{part_} * 4, 4);
        begin = part_ == 0 ? 4 + parts * 4 : get(bytes_of(block) + size_t{part_} * 4, 4);
    }
    if (begin < end && end <= block.size()) locate_packed(block.substr(begin, end - begin), column);
}

void RowDecoder::locate_plain(RowFormat format, std::string_view block, uint32_t column) {
    if (block.size() < 8) return;
    const uint8_t* at = bytes_of(block);
    const uint32_t segments = get(at, 4), patterns = get(at + 4, 4), id_width = patterns > 256 ? 2 : 1;
    const uint64_t before = 8 + uint64_t{segments} * (format.width + id_width);
    if (segments == 0 || before > block.size()) return;
    const uint32_t segment =
        format.width == 2 ? last_not_above(at + 8, 2, 2, segments, column) : last_not_above(at + 8, 4, 4, segments, column);
    const uint32_t pattern = get(at + 8 + size_t{segments} * format.width + size_t{segment} * id_width, id_width);
    const uint64_t first = before + uint64_t{pattern} * (kBlockCells / 2);
    if (first + kBlockCells / 2 <= block.size()) symbols_ = {at + first, kBlockCells / 2};
}

void RowDecoder::locate_packed(std::string_view part, uint32_t column) {
    VarintReader varints{bytes_of(part), bytes_of(part) + part.size()};
    const uint32_t segments = varints.next(), number = varints.next();
    const uint32_t patterns = number / 2, width = number % 2 == 0 ? 2 : 4;
    if (segments == 0 || patterns == 0) return;
    const uint32_t entries = (segments - 1) / kStride;
    const uint8_t *index = varints.at, *end = varints.end;
    if (uint64_t{entries} * 8 + uint64_t{patterns} * width > static_cast<uint64_t>(end - index)) return;
    const uint8_t *ends = index + size_t{entries} * 8, *runs = ends + size_t{patterns} * width;
    const uint32_t all_runs = get(ends + size_t{patterns - 1} * width, width);
    if (all_runs > static_cast<uint64_t>(end - runs)) return;
    const uint8_t* first = runs + all_runs;

    uint32_t segment = 0, start = 0;
    varints.at = first;
    if (entries > 0 && get(index, 4) <= column) {
        const uint32_t entry = last_not_above(index, 4, 8, entries, column);
        segment = (entry + 1) * kStride;
        start = get(index + size_t{entry} * 8, 4);
        const uint32_t skip = get(index + size_t{entry} * 8 + 4, 4);
        if (skip > static_cast<uint64_t>(end - first)) return;
        varints.at = first + skip;
        varints.next();  // columns since the previous segment: `start` has their sum
    } else {
        start = varints.next();
    }
    uint32_t pattern = varints.next();
    while (++segment < segments && varints.at < end) {
        start += varints.next();
        if (start > column) break;
        pattern = varints.next();
    }
    if (pattern >= patterns) return;
    const uint32_t begin = pattern == 0 ? 0 : get(ends + size_t{pattern - 1} * width, width);
    if (begin > static_cast<uint64_t>(end - runs)) return;
    symbols_ = {runs + begin, end};
}

uint32_t RowDecoder::symbol(uint32_t at) const {
    if (!packed_) return symbols_.empty() ? kNoPathSymbol : symbols_[at / 2] >> (at % 2 * 4) & 15u;
    uint32_t left = kZOrder[at] & ((kBlockCells >> (2 * level_)) - 1);
    for (const uint8_t run : symbols_) {
        if (left <= run >> 4) return run & 15u;
        left -= (run >> 4) + 1u;
    }
    return kNoPathSymbol;
}

void RowDecoder::copy(uint64_t passable, std::array<uint8_t, kBlockCells / 2>& out) const {
    if (!packed_ && !symbols_.empty()) {
        std::copy(symbols_.begin(), symbols_.end(), out.begin());
        return;
    }
    constexpr uint32_t kMaxRun = 16;
    std::array<uint8_t, kBlockCells + kMaxRun> by_z;
    by_z.fill(kNoPathSymbol);
    const uint32_t cells = kBlockCells >> (2 * level_), end = (part_ + 1) * cells;
    uint32_t z = part_ * cells;
    for (size_t i = 0; i < symbols_.size() && z < end; ++i) {
        std::fill_n(by_z.begin() + z, kMaxRun, static_cast<uint8_t>(symbols_[i] & 15u));  // the next run overwrites the excess
        z += (symbols_[i] >> 4) + 1u;
    }
    for (size_t pair = 0; pair < kBlockCells; pair += 2) {
        out[kByZOrder[pair] / 2] = static_cast<uint8_t>(by_z[pair] | by_z[pair + 1] << 4);
    }
    for (uint64_t blocked = ~passable; blocked != 0; blocked &= blocked - 1) {
        const auto at = static_cast<size_t>(std::countr_zero(blocked));
        out[at / 2] = static_cast<uint8_t>(out[at / 2] | 15u << (at % 2 * 4));
    }
}

// Cuts the columns into segments, for the sources in [first, last).
void RowEncoder::find_segments(const FirstMoves& moves, uint32_t first, uint32_t last) {
    const uint32_t cells = last - first;
    starts_.assign(1, 0);
    segments_.assign(cells, kAnySymbol);
    for (uint32_t e = 0; e < moves.eights(); ++e) {
        uint16_t* open = segments_.data() + segments_.size() - cells;
        const uint16_t* common = moves.common(e) + first;
        bool all = true;
        for (uint32_t i = 0; i < cells; ++i) all &= (open[i] & common[i]) != 0;
        if (all) {
            for (uint32_t i = 0; i < cells; ++i) open[i] &= common[i];
            continue;
        }
        const uint16_t* symbols = moves.symbols(e, first);
        for (uint32_t j = 0; j < 8; ++j) {
            all = true;
            for (uint32_t i = 0; i < cells; ++i) all &= (open[i] & symbols[size_t{i} * 8 + j]) != 0;
            if (!all) {
                starts_.push_back(e * 8 + j);
                segments_.resize(segments_.size() + cells, kAnySymbol);
                open = segments_.data() + segments_.size() - cells;
            }
            for (uint32_t i = 0; i < cells; ++i) open[i] &= symbols[size_t{i} * 8 + j];
        }
    }
}

// Assigns each segment the first pattern that fits, or a new one.
void RowEncoder::find_patterns(uint32_t cells) {
    pattern_of_.clear();
    patterns_.clear();
    for (size_t s = 0; s < starts_.size(); ++s) {
        const uint16_t* segment = &segments_[s * cells];
        uint32_t p = 0;
        const auto fits = [&](const uint16_t* pattern) {
            for (uint32_t i = 0; i < cells; ++i) {
                if ((pattern[i] & segment[i]) == 0) return false;
            }
            return true;
        };
        while (size_t{p} * cells < patterns_.size() && !fits(&patterns_[size_t{p} * cells])) ++p;
        if (size_t{p} * cells == patterns_.size()) patterns_.resize(patterns_.size() + cells, kAnySymbol);
        for (uint32_t i = 0; i < cells; ++i) patterns_[size_t{p} * cells + i] &= segment[i];
        pattern_of_.push_back(p);
    }
}

void RowEncoder::encode_plain(RowFormat format, const FirstMoves& moves, std::string& out) {
    const auto cells = static_cast<uint32_t>(moves.sources().size());
    find_segments(moves, 0, cells);
    find_patterns(cells);
    const auto patterns = static_cast<uint32_t>(patterns_.size() / cells);
    put(out, static_cast<uint32_t>(starts_.size()), 4);
    put(out, patterns, 4);
    for (const uint32_t start : starts_) put(out, start, format.width);
    for (const uint32_t use : pattern_of_) put(out, use, patterns > 256 ? 2 : 1);
    for (uint32_t p = 0; p < patterns; ++p) {
        std::array<uint32_t, kBlockCells> symbols;
        symbols.fill(kNoPathSymbol);
        for (uint32_t i = 0; i < cells; ++i) {
            const FirstMoves::Source& source = moves.sources()[i];
            symbols[source.y * 8u + source.x] = choose_symbol(patterns_[size_t{p} * cells + i]);
        }
        for (size_t i = 0; i < kBlockCells; i += 2) out += static_cast<char>(symbols[i] | symbols[i + 1] << 4);
    }
}

void RowEncoder::encode_part(const FirstMoves& moves, uint32_t first, uint32_t last, uint32_t level, std::string& out) const {
    const uint32_t cells = last - first, patterns = static_cast<uint32_t>(patterns_.size() / cells), all = kBlockCells >> (2 * level);
    std::string index, ends, runs, segments;
    std::vector<uint32_t> end_of;
    end_of.reserve(patterns);
    for (uint32_t p = 0; p < patterns; ++p) {
        uint32_t open = kAnySymbol, length = 0, i = 0;
        for (uint32_t inner = 0; inner < all; ++inner) {
            const bool live = i < cells && (moves.sources()[first + i].z & (all - 1)) == inner;
            const uint32_t symbols = live ? patterns_[size_t{p} * cells + i++] : kAnySymbol;
            if ((open & symbols) == 0 || length == 16) {
                runs += static_cast<char>((length - 1) << 4 | choose_symbol(open));
                open = kAnySymbol;
                length = 0;
            }
            open &= symbols;
            ++length;
        }
        runs += static_cast<char>((length - 1) << 4 | choose_symbol(open));
        end_of.push_back(static_cast<uint32_t>(runs.size()));
    }
    for (uint32_t s = 0; s < starts_.size(); ++s) {
        if (s > 0 && s % kStride == 0) {
            put(index, starts_[s], 4);
            put(index, static_cast<uint32_t>(segments.size()), 4);
        }
        put_varint(segments, s == 0 ? starts_[0] : starts_[s] - starts_[s - 1]);
        put_varint(segments, pattern_of_[s]);
    }
    put_varint(out, static_cast<uint32_t>(starts_.size()));
    const bool wide = runs.size() > 65535;
    put_varint(out, patterns * 2 + (wide ? 1 : 0));
    for (const uint32_t end : end_of) put(ends, end, wide ? 4 : 2);
    out += index + ends + runs + segments;
}

void RowEncoder::encode_packed(const FirstMoves& moves, uint32_t level, std::string& out) {
    const uint32_t parts = 1u << (2 * level);
    out.assign(4 + (level > 0 ? size_t{parts} * 4 : 0), '\0');
    out[0] = static_cast<char>(level);
    uint32_t first = 0;
    for (uint32_t part = 0; part < parts; ++part) {
        uint32_t last = first;
        while (last < moves.sources().size() && uint32_t{moves.sources()[last].z} >> (6 - 2 * level) == part) ++last;
        if (last > first) {
            find_segments(moves, first, last);
            find_patterns(last - first);
            encode_part(moves, first, last, level, out);
        }
        if (level > 0) {
            std::string end;
            put(end, static_cast<uint32_t>(out.size()), 4);
            out.replace(4 + size_t{part} * 4, 4, end);
        }
        first = last;
    }
}

std::string RowEncoder::encode(RowFormat format, const FirstMoves& moves) {
    std::string best, other;
    if (!format.packed) {
        encode_plain(format, moves, best);
    } else {
        encode_packed(moves, 0, best);
    }
    for (uint32_t level = 1; format.packed && level <= kMaxLevel; ++level) {
        encode_packed(moves, level, other);
        if (other.size() >= best.size()) break;
        best.swap(other);
    }
    best.resize((best.size() + 3) / 4 * 4, '\0');
    return best;
}

}  // namespace terrane::detail
