// Breadth-first search that stores distances modulo 4, for the one-bit fields of goal_fields.h.
//
// An object is the scratch memory of one thread.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crowd/crowd_ground.h"

namespace terrane::detail {

class BfsMod4 {
public:
    static constexpr uint32_t kComplete = 0xffffffff;
    // Moves that a field extends beyond the spot it is built for: enough for agents that stay near their shortest path.
    static constexpr uint32_t kMargin = 8;

    // Searches from `goal` until kMargin moves beyond `from` (kNoSpot: everywhere) and writes one bit per spot. `neighbours` is padded
    // (padded_neighbours.h). Returns the number of moves up to which the bits are valid, or kComplete.
    uint32_t run(std::span<const Spot> neighbours, Spot goal, Spot from, std::vector<uint64_t>& bits) {
        const size_t size = neighbours.size() / 4;
        queue_.resize(size + 4);  // slack: writes past the end need no test
        marks_.assign((size + 64) / 64 * 64, kUnvisited);
        marks_[size] = 0;
        marks_[goal] = 0;
        queue_[0] = goal;
        uint32_t mark = 0, moves = 0, left = from == goal ? kMargin : kComplete;
        for (size_t at = 0, end = 1; at < end && left > 0; ++moves, --left) {
            if (++mark == kUnvisited) mark = lower_marks();
            const size_t level_end = end;
            end = next_level(neighbours.data(), at, level_end, mark);
            at = level_end;
            if (from != kNoSpot && left > kMargin && marks_[from] != kUnvisited) left = kMargin + 1;
        }
        pack(bits, size);
        return left == 0 ? moves : kComplete;
    }

private:
    // A mark is a distance, possibly less by a multiple of 4. Visited spots have a lower mark than the current level, so taking the minimum
    // needs no branch, which would often be mispredicted.
    static constexpr uint8_t kUnvisited = 0xff;

    // Expands the spots in the queue from `at` up to its end, `level_end`. Returns the new end.
    size_t next_level(const Spot* neighbours, size_t at, size_t level_end, uint32_t mark) {
        Spot* const queue = queue_.data();
        uint8_t* const marks = marks_.data();
        size_t end = level_end;
        for (; at < level_end; ++at) {
            const Spot* const next = neighbours + size_t{queue[at]} * 4;
            const auto visit = [&](Spot to) {
                const uint32_t known = marks[to];
                queue[end] = to;
                end += (mark - known) >> 31;  // 1 if mark < known; g++ compiles a comparison to a branch
                marks[to] = static_cast<uint8_t>(std::min(mark, known));
            };
            visit(next[0]);
            visit(next[1]);
            visit(next[2]);
            visit(next[3]);
        }
        return end;
    }

    // Reduces all marks modulo 4. Returns the next mark.
    uint32_t lower_marks() {
        for (uint8_t& mark : marks_) mark = mark == kUnvisited ? mark : mark % 4;
        return kUnvisited % 4 + 4;
    }

    // Packs bit 1 of each mark.
    void pack(std::vector<uint64_t>& bits, size_t size) const {
        bits.resize((size + 63) / 64);
        for (size_t i = 0; i < bits.size(); ++i) {
            uint64_t word = 0;
            for (size_t k = 0; k < 64; k += 8) word |= pack_8(marks_.data() + i * 64 + k) << k;
            bits[i] = word;
        }
    }
    // The multiplication gathers the bits of 8 bytes in the highest byte.
    static uint64_t pack_8(const uint8_t* marks) {
        const uint64_t bytes = uint64_t{marks[0]} | uint64_t{marks[1]} << 8 | uint64_t{marks[2]} << 16 | uint64_t{marks[3]} << 24 |
                               uint64_t{marks[4]} << 32 | uint64_t{marks[5]} << 40 | uint64_t{marks[6]} << 48 | uint64_t{marks[7]} << 56;
        return (bytes >> 1 & 0x0101010101010101u) * 0x0102040810204080u >> 56;
    }

    std::vector<Spot> queue_;
    std::vector<uint8_t> marks_;  // by spot
};

}  // namespace terrane::detail
