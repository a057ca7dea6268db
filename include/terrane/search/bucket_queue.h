// A priority queue for integer keys: a row of buckets, each the keys of one range of 2^shift, last in
// first out inside. Based on: Dial 1969; Cherkassky, Goldberg, Silverstein 1999.
//
// Order: buckets ascending; inside a bucket, the entry pushed last comes first. That is a rule, so
// expansion counts reproduce, and it favours deep entries among near-equal ones. Keys may fall below
// the current minimum (weighted A*): the row follows them.
//
// The row is a ring of 2^n buckets that grows when the live keys span more. What is in a bucket is a pile,
// of one of two kinds: Chunks for searches with many entries a bucket, as on cells; Links for those with
// few, as on abstractions. The order is the same. After warm-up, nothing is allocated. Keys that span more than the largest ring
// are put into wider buckets, until the next reset: what is popped is less in order, and the memory bounded.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "terrane/base/assert.h"
#include "terrane/base/memory.h"
#include "terrane/search/graph.h"

namespace terrane {

namespace detail {

inline constexpr uint32_t kNoPile = 0xffffffff;

// Piles of entries, each known by a number, its head, that changes with it; all of one pool.
template <class Node, class Value>
class Chunks {
public:
    void clear() {
        used_ = 0;
        free_ = kNoPile;
    }
    // Returns the new head.
    uint32_t push(uint32_t head, Node node, Value g) {
        if (head == kNoPile || chunks_[head].count == kEntries) head = add(head);
        Chunk& chunk = chunks_[head];
        chunk.entries[chunk.count++] = {node, g};
        return head;
    }
    std::pair<Node, Value> top(uint32_t head) const {
        const Chunk& chunk = chunks_[head];
        return {chunk.entries[chunk.count - 1].node, chunk.entries[chunk.count - 1].g};
    }
    // Returns the new head.
    uint32_t pop(uint32_t head) {
        Chunk& chunk = chunks_[head];
        if (--chunk.count > 0) return head;
        const uint32_t next = std::exchange(chunk.next, free_);
        free_ = head;
        return next;
    }
    // Puts a pile on top of another.
    void join(uint32_t upper, uint32_t lower) {
        while (chunks_[upper].next != kNoPile) upper = chunks_[upper].next;
        chunks_[upper].next = lower;
    }
    size_t bytes() const { return chunks_.capacity() * sizeof(Chunk); }

private:
    static constexpr uint32_t kEntries = 31;  // 256 bytes of 8-byte entries
    struct Entry {
        Node node;
        Value g;
    };
    struct Chunk {
        uint32_t next;
        uint32_t count;
        Entry entries[kEntries];
    };
    uint32_t add(uint32_t next) {
        uint32_t chunk = free_;
        if (chunk != kNoPile) {
            free_ = chunks_[chunk].next;
        } else {
            chunk = used_++;
            if (chunk == chunks_.size()) chunks_.emplace_back();
        }
        chunks_[chunk].next = next;
        chunks_[chunk].count = 0;
        return chunk;
    }

    Vector<Chunk> chunks_;
    uint32_t used_ = 0;
    uint32_t free_ = kNoPile;
};

// One by one. A push has no branches to guess, and what is pushed by and by stands side by side: over the portals of 2048x2048 cells, with
// 1,000 pushes a search and few of them in one bucket, a sixth less time than with chunks. A* on cells takes 4% more; searches over
// regions, entrances and minimal memory, with more to a bucket, as long or a little longer.
template <class Node, class Value>
class Links {
public:
    void clear() {
        used_ = 0;
        free_ = kNoPile;
    }
    TERRANE_INLINE uint32_t push(uint32_t head, Node node, Value g) {
        const uint32_t link = take();
        links_[link] = {node, head, g};
        return link;
    }
    std::pair<Node, Value> top(uint32_t head) const { return {links_[head].node, links_[head].g}; }
    uint32_t pop(uint32_t head) {
        const uint32_t next = std::exchange(links_[head].next, free_);
        free_ = head;
        return next;
    }
    void join(uint32_t upper, uint32_t lower) {
        while (links_[upper].next != kNoPile) upper = links_[upper].next;
        links_[upper].next = lower;
    }
    size_t bytes() const { return links_.capacity() * sizeof(Link); }

private:
    struct Link {
        Node node;
        uint32_t next;  // in its pile, or among those that are free
        Value g;
    };
    TERRANE_INLINE uint32_t take() {
        if (free_ != kNoPile) return std::exchange(free_, links_[free_].next);
        if (used_ == links_.size()) links_.resize(std::max<size_t>(4, links_.size() * 2));
        return used_++;
    }

    Vector<Link> links_;
    uint32_t used_ = 0;
    uint32_t free_ = kNoPile;
};

}  // namespace detail

template <class Node, class Value, class Piles = detail::Chunks<Node, Value>>
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
        piles_.clear();
        size_ = 0;
    }

    bool empty() const { return size_ == 0; }
    uint64_t size() const { return size_; }

    // No entry has a smaller key. Only when not empty.
    Key floor() const { return first_ << shift_; }

    TERRANE_INLINE void push(Key key, Node node, Value g) {
        uint64_t bucket = key >> shift_;
        if (size_ == 0) {
            first_ = last_ = bucket;
        } else if (bucket < first_ || bucket > last_) {
            extend_to(bucket);
            bucket = key >> shift_;
        }
        ++size_;
        const size_t slot = slot_of(bucket);
        set_head(slot, piles_.push(heads_[slot], node, g));
    }

    // The entry that pop() would take. Only when not empty.
    Entry top() const {
        const auto [node, g] = piles_.top(heads_[slot_of(first_)]);
        return {node, g};
    }

    // Only when not empty.
    Entry pop() {
        const Entry entry = top();
        const size_t slot = slot_of(first_);
        heads_[slot] = piles_.pop(heads_[slot]);
        --size_;
        if (heads_[slot] == kNone) {
            occupied_[slot / 64] &= ~(uint64_t{1} << (slot % 64));
            if (size_ > 0) first_ += distance_to_next(slot);
        }
        return entry;
    }

    // Bytes held, for reports.
    size_t bytes() const { return piles_.bytes() + heads_.capacity() * 4 + occupied_.capacity() * 8; }

private:
    static constexpr uint32_t kNone = detail::kNoPile;
    static constexpr size_t kFirstRing = 256;
    // 4 MB. On cells, two steps from cost 0.01 to 650 span 0.7 million; the edges of an abstraction may span a hundred times that.
    static constexpr uint64_t kLargestRing = uint64_t{1} << 20;

    size_t slot_of(uint64_t bucket) const { return static_cast<size_t>(bucket & mask_); }

    void resize_ring(size_t ring) {
        heads_.assign(ring, kNone);
        occupied_.assign(ring / 64, 0);
        mask_ = ring - 1;
    }

    // Makes `bucket` part of the live range, with a larger ring or wider buckets where it does not fit.
    void extend_to(uint64_t bucket) {
        const uint64_t first = std::min(first_, bucket), last = std::max(last_, bucket);
        uint32_t by = 0;
        while ((last >> by) - (first >> by) >= kLargestRing) ++by;
        if (by > 0) widen(by);
        if ((last >> by) - (first >> by) > mask_) grow((last >> by) - (first >> by) + 1);
        first_ = first >> by;
        last_ = last >> by;
    }

    // Buckets 2^by times as wide; in each, what was in a lower one comes first.
    void widen(uint32_t by) {
        const Vector<uint32_t> old = heads_;
        resize_ring(heads_.size());
        for (uint64_t b = last_ + 1; b-- > first_;) {
            const uint32_t head = old[slot_of(b)];
            if (head == kNone) continue;
            piles_.join(head, heads_[slot_of(b >> by)]);
            set_head(slot_of(b >> by), head);
        }
        shift_ += by;
        first_ >>= by;
        last_ >>= by;
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

    Piles piles_;
    Vector<uint32_t> heads_;     // the pile of each bucket of the ring
    Vector<uint64_t> occupied_;  // a bit per bucket
    size_t mask_ = 0;
    uint64_t first_ = 0;  // lowest live bucket; its slot is first_ & mask_
    uint64_t last_ = 0;   // highest live bucket
    uint64_t size_ = 0;
    uint32_t shift_ = 0;
};

// For searches with few entries a bucket.
template <class Node, class Value>
using LinkedBucketQueue = BucketQueue<Node, Value, detail::Links<Node, Value>>;

}  // namespace terrane
