// A priority queue for integer keys: a row of buckets, each the keys of one range of 2^shift, last in
// first out inside. Based on: Dial 1969; Cherkassky, Goldberg, Silverstein 1999.
//
// Order: buckets ascending; inside a bucket, the entry pushed last comes first. That is a rule, so
// expansion counts reproduce, and it favours deep entries among near-equal ones. Keys may fall below
// the current minimum (weighted A*): the row follows them.
//
// The row is a ring of 2^n buckets that grows when the live keys span more; entries live in chunks
// of one pool. After warm-up, nothing is allocated.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include "terrane/assert.h"
#include "terrane/memory.h"

namespace terrane {

template <class Node, class Value>
class BucketQueue {
public:
    using Key = uint64_t;
    struct Entry {
        Node node;
        Value g;
    };

    // Empties the queue. Buckets are 2^shift keys wide.
    void reset(uint32_t shift) {
        for (size_t w = 0; w < occupied_.size(); ++w) {
            for (uint64_t bits = occupied_[w]; bits != 0; bits &= bits - 1)
                heads_[w * 64 + static_cast<size_t>(std::countr_zero(bits))] = kNone;
            occupied_[w] = 0;
        }
        if (heads_.empty()) resize_ring(kFirstRing);
        shift_ = shift;
        used_chunks_ = 0;
        free_ = kNone;
        size_ = 0;
    }

    bool empty() const { return size_ == 0; }
    uint64_t size() const { return size_; }

    // No entry has a smaller key. Only when not empty.
    Key floor() const { return first_ << shift_; }

    void push(Key key, Node node, Value g) {
        const uint64_t bucket = key >> shift_;
        if (size_ == 0) {
            first_ = last_ = bucket;
        } else if (bucket < first_ || bucket > last_) {
            extend_to(bucket);
        }
        ++size_;
        const size_t slot = slot_of(bucket);
        uint32_t head = heads_[slot];
        if (head == kNone || chunks_[head].count == kChunkEntries) head = add_chunk(slot, head);
        Chunk& chunk = chunks_[head];
        chunk.entries[chunk.count++] = {node, g};
    }

    // The entry that pop() would take. Only when not empty.
    const Entry& top() const {
        const Chunk& chunk = chunks_[heads_[slot_of(first_)]];
        return chunk.entries[chunk.count - 1];
    }

    // Only when not empty.
    Entry pop() {
        const size_t slot = slot_of(first_);
        const uint32_t head = heads_[slot];
        Chunk& chunk = chunks_[head];
        const Entry entry = chunk.entries[--chunk.count];
        --size_;
        if (chunk.count == 0) drop_chunk(slot, head);
        return entry;
    }

    // Bytes held, for reports.
    size_t bytes() const { return chunks_.capacity() * sizeof(Chunk) + heads_.capacity() * 4 + occupied_.capacity() * 8; }

private:
    static constexpr uint32_t kNone = 0xffffffff;
    static constexpr size_t kFirstRing = 256;
    static constexpr uint32_t kChunkEntries = 31;  // 256 bytes of 8-byte entries

    struct Chunk {
        uint32_t next;
        uint32_t count;
        Entry entries[kChunkEntries];
    };

    size_t slot_of(uint64_t bucket) const { return static_cast<size_t>(bucket & mask_); }

    void resize_ring(size_t ring) {
        heads_.assign(ring, kNone);
        occupied_.assign(ring / 64, 0);
        mask_ = ring - 1;
    }

    // Makes `bucket` part of the live range, with a larger ring where it does not fit.
    void extend_to(uint64_t bucket) {
        const uint64_t first = std::min(first_, bucket), last = std::max(last_, bucket);
        if (last - first > mask_) grow(last - first + 1);
        first_ = first;
        last_ = last;
    }

    void grow(uint64_t span) {
        const Vector<uint32_t> old = heads_;
        resize_ring(static_cast<size_t>(std::bit_ceil(span)));
        for (uint64_t b = first_; b <= last_; ++b) {
            const uint32_t head = old[static_cast<size_t>(b & (old.size() - 1))];
            if (head != kNone) set_head(slot_of(b), head);
        }
    }

    void set_head(size_t slot, uint32_t head) {
        heads_[slot] = head;
        occupied_[slot / 64] |= uint64_t{1} << (slot % 64);
    }

    uint32_t add_chunk(size_t slot, uint32_t next) {
        uint32_t chunk = free_;
        if (chunk != kNone) {
            free_ = chunks_[chunk].next;
        } else {
            chunk = used_chunks_++;
            if (chunk == chunks_.size()) chunks_.emplace_back();
        }
        chunks_[chunk].next = next;
        chunks_[chunk].count = 0;
        set_head(slot, chunk);
        return chunk;
    }

    void drop_chunk(size_t slot, uint32_t chunk) {
        heads_[slot] = chunks_[chunk].next;
        chunks_[chunk].next = free_;
        free_ = chunk;
        if (heads_[slot] != kNone) return;
        occupied_[slot / 64] &= ~(uint64_t{1} << (slot % 64));
        if (size_ > 0) first_ += distance_to_next(slot);
    }

    // Buckets from `slot` to the next occupied one, around the ring. There is one.
    uint64_t distance_to_next(size_t slot) const {
        size_t word = slot / 64;
        uint64_t bits = occupied_[word] & (~uint64_t{0} << (slot % 64));
        while (bits == 0) {
            word = (word + 1) & (occupied_.size() - 1);
            bits = occupied_[word];
        }
        return (word * 64 + static_cast<size_t>(std::countr_zero(bits)) - slot) & mask_;
    }

    Vector<uint32_t> heads_;     // first chunk of each bucket of the ring
    Vector<uint64_t> occupied_;  // a bit per bucket
    Vector<Chunk> chunks_;
    size_t mask_ = 0;
    uint64_t first_ = 0;  // lowest live bucket; its slot is first_ & mask_
    uint64_t last_ = 0;   // highest live bucket
    uint64_t size_ = 0;
    uint32_t shift_ = 0;
    uint32_t used_chunks_ = 0;
    uint32_t free_ = kNone;
};

}  // namespace terrane
