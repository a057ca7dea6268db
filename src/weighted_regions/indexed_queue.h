// A priority queue with decrease-key: a 4-ary heap that holds each node once and indexes its position. For graphs in which a node's g-value
// improves many times before it is expanded, as in BPrep. Elsewhere heap_queue.h, which keeps stale entries, is smaller and as fast.
//
// Order: as heap_queue.h.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace terrane::detail {

template <class Node, class Value>
class IndexedQueue {
public:
    using Key = Value;
    struct Entry {
        Node node;
        Value g;
    };

    // Empties the queue and allows nodes below `limit`.
    void reset(size_t limit) {
        for (const Item& item : heap_) places_[item.entry.node] = 0;
        heap_.clear();
        places_.resize(std::max(places_.size(), limit), 0);
    }
    bool empty() const { return heap_.empty(); }
    Key floor() const { return heap_[0].key; }

    // Inserts a node, or decreases its key; the new key must not exceed the old one.
    void push(Key key, Node node, Value g) {
        size_t i = places_[node];
        if (i == 0) {
            heap_.emplace_back();
            i = heap_.size();
        }
        rise(i - 1, {key, {node, g}});
    }

    // The queue must not be empty.
    Entry pop() {
        const Entry top = heap_[0].entry;
        const Item item = heap_.back();
        heap_.pop_back();
        places_[top.node] = 0;
        if (!heap_.empty()) sink(item);
        return top;
    }

    size_t bytes() const { return heap_.capacity() * sizeof(Item) + places_.capacity() * sizeof(uint32_t); }

private:
    struct Item {
        Key key{};
        Entry entry{};
    };

    static bool before(const Item& a, const Item& b) {
        if (a.key != b.key) return a.key < b.key;
        if (a.entry.g != b.entry.g) return a.entry.g > b.entry.g;
        return a.entry.node < b.entry.node;
    }

    void put(size_t i, const Item& item) {
        heap_[i] = item;
        places_[item.entry.node] = static_cast<uint32_t>(i + 1);
    }

    void rise(size_t i, const Item& item) {
        for (size_t up; i > 0 && before(item, heap_[up = (i - 1) / 4]); i = up) put(i, heap_[up]);
        put(i, item);
    }

    void sink(const Item& item) {
        size_t i = 0;
        for (size_t child; (child = 4 * i + 1) < heap_.size(); i = child) {
            const size_t end = std::min(child + 4, heap_.size());
            for (size_t c = child + 1; c < end; ++c) {
                if (before(heap_[c], heap_[child])) child = c;
            }
            if (!before(heap_[child], item)) break;
            put(i, heap_[child]);
        }
        put(i, item);
    }

    std::vector<Item> heap_;
    std::vector<uint32_t> places_;  // by node: 1 + index in the heap; 0: not queued
};

}  // namespace terrane::detail
