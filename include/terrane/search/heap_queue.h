// A 4-ary heap: an exact priority queue for any key, with O(log n) push and pop. Use it where buckets do not fit: for keys of type
// double, for edge costs that span many orders of magnitude, and for ExpandOnce (best_first.h).
//
// Order: smaller key; then larger g; then smaller node. This is a total order on distinct entries, so the heap's layout never affects
// results.
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "terrane/base/memory.h"

namespace terrane {

template <class Node, class Value>
class HeapQueue {
public:
    using Key = std::conditional_t<std::is_floating_point_v<Value>, Value, uint64_t>;
    struct Entry {
        Node node;
        Value g;
    };

    void reset() { heap_.clear(); }
    bool empty() const { return heap_.empty(); }
    uint64_t size() const { return heap_.size(); }

    // The smallest key. Requires !empty().
    Key floor() const { return heap_[0].key; }

    // The entry that pop() would return. Requires !empty().
    const Entry& top() const { return heap_[0].entry; }

    void push(Key key, Node node, Value g) {
        heap_.push_back({key, {node, g}});
        size_t i = heap_.size() - 1;
        const Item item = heap_[i];
        for (size_t up; i > 0 && before(item, heap_[up = (i - 1) / 4]); i = up) heap_[i] = heap_[up];
        heap_[i] = item;
    }

    // Requires !empty().
    Entry pop() {
        const Entry top = heap_[0].entry;
        const Item item = heap_.back();
        heap_.pop_back();
        if (!heap_.empty()) sink(item);
        return top;
    }

    // Memory held, in bytes.
    size_t bytes() const { return heap_.capacity() * sizeof(Item); }

private:
    struct Item {
        Key key;
        Entry entry;
    };

    static bool before(const Item& a, const Item& b) {
        if (a.key != b.key) return a.key < b.key;
        if (a.entry.g != b.entry.g) return a.entry.g > b.entry.g;
        return a.entry.node < b.entry.node;
    }

    void sink(const Item& item) {
        size_t i = 0;
        for (size_t child; (child = 4 * i + 1) < heap_.size(); i = child) {
            const size_t end = std::min(child + 4, heap_.size());
            for (size_t c = child + 1; c < end; ++c) {
                if (before(heap_[c], heap_[child])) child = c;
            }
            if (!before(heap_[child], item)) break;
            heap_[i] = heap_[child];
        }
        heap_[i] = item;
    }

    Vector<Item> heap_;
};

}  // namespace terrane
