// Makes fields of bits (goal_fields.h), breadth first. Scratch, one for each thread.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crowd/crowd_ground.h"

namespace terrane::detail {

class BitFlood {
public:
    static constexpr uint32_t kWhole = 0xffffffff;
    // As far as a field goes beyond the spot that it is for. Those who keep to their way or near it ask for no more.
    static constexpr uint32_t kBeyond = 8;

    // Of the ground with these ways (four_ways.h), as far as a spot and a little further; kNoSpot: all of it. The number of moves up to
    // which the bits are right, or kWhole.
    uint32_t run(std::span<const Spot> ways, Spot goal, Spot from, std::vector<uint64_t>& bits) {
        const size_t size = ways.size() / 4;
        queue_.resize(size + 4);  // some more, to be written to without a test
        marks_.assign((size + 64) / 64 * 64, kUnseen);
        marks_[size] = 0;
        marks_[goal] = 0;
        queue_[0] = goal;
        uint32_t mark = 0, moves = 0, left = from == goal ? kBeyond : kWhole;
        for (size_t at = 0, end = 1; at < end && left > 0; ++moves, --left) {
            if (++mark == kUnseen) mark = lower_marks();
            const size_t level_end = end;
            end = next_level(ways.data(), at, level_end, mark);
            at = level_end;
            if (from != kNoSpot && left > kBeyond && marks_[from] != kUnseen) left = kBeyond + 1;
        }
        pack(bits, size);
        return left == 0 ? moves : kWhole;
    }

private:
    // A mark is a distance, or one that is less by a multiple of 4: so what is seen has a lower one than what is found next, and the lesser
    // of two needs no branch, which a processor would often guess wrong.
    static constexpr uint8_t kUnseen = 0xff;

    // From the spots in the queue from `at` to `level_end`, its end; the new end.
    size_t next_level(const Spot* ways, size_t at, size_t level_end, uint32_t mark) {
        Spot* const queue = queue_.data();
        uint8_t* const marks = marks_.data();
        size_t end = level_end;
        for (; at < level_end; ++at) {
            const Spot* const beside = ways + size_t{queue[at]} * 4;
            const auto look_at = [&](Spot to) {
                const uint32_t known = marks[to];
                queue[end] = to;
                end += (mark - known) >> 31;  // 1 where it is less; of a comparison, g++ makes a branch
                marks[to] = static_cast<uint8_t>(std::min(mark, known));
            };
            look_at(beside[0]);
            look_at(beside[1]);
            look_at(beside[2]);
            look_at(beside[3]);
        }
        return end;
    }

    // All of them, to make room for more; the next one.
    uint32_t lower_marks() {
        for (uint8_t& mark : marks_) mark = mark == kUnseen ? mark : mark % 4;
        return kUnseen % 4 + 4;
    }

    // The bit of 2 of each mark.
    void pack(std::vector<uint64_t>& bits, size_t size) const {
        bits.resize((size + 63) / 64);
        for (size_t i = 0; i < bits.size(); ++i) {
            uint64_t word = 0;
            for (size_t k = 0; k < 64; k += 8) word |= pack_eight(marks_.data() + i * 64 + k) << k;
            bits[i] = word;
        }
    }
    // A product brings the bits of eight bytes together in the highest one.
    static uint64_t pack_eight(const uint8_t* marks) {
        const uint64_t bytes = uint64_t{marks[0]} | uint64_t{marks[1]} << 8 | uint64_t{marks[2]} << 16 | uint64_t{marks[3]} << 24 |
                               uint64_t{marks[4]} << 32 | uint64_t{marks[5]} << 40 | uint64_t{marks[6]} << 48 | uint64_t{marks[7]} << 56;
        return (bytes >> 1 & 0x0101010101010101u) * 0x0102040810204080u >> 56;
    }

    std::vector<Spot> queue_;
    std::vector<uint8_t> marks_;  // by spot
};

}  // namespace terrane::detail
