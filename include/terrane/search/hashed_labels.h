// Labels for graphs whose node ids are large and sparse, such as space-time (cell and step) and products of graphs.
//
// A hash table with open addressing, at most half full: O(1) expected per operation, O(1) reset. It is never iterated, so results do not
// depend on the hash. Stores parents as node ids; has no `via` and no closed list.
#pragma once
#include <cstddef>
#include <cstdint>

#include "terrane/base/memory.h"
#include "terrane/base/rng.h"
#include "terrane/search/paged_labels.h"

namespace terrane {

// The Labels of graph.h, for graphs that ignore label.via.
template <class Node, class Value, class Via>
class HashedLabels {
public:
    struct Label {
        Value g;
        Via via;
    };

    // Removes all labels and keeps the memory. Call it before the first search.
    void reset() {
        ++generation_;
        count_ = 0;
        if (slots_.empty() || generation_ == 0) {
            slots_.assign(kFirstSlots > slots_.size() ? kFirstSlots : slots_.size(), Slot{});
            generation_ = 1;
        }
    }

    // kInfinite if the node has no label.
    Value g(Node node) const {
        const Slot& slot = slots_[find(node)];
        return slot.generation == generation_ ? slot.g : kInfinite<Value>;
    }
    Label label(Node node) const { return {g(node), {}}; }  // `via` is not stored

    // Stores the label if `g` is smaller than the known one; returns whether it did.
    bool improve(Node node, Value g, Node from, [[maybe_unused]] Via via) {
        size_t i = find(node);
        if (slots_[i].generation != generation_) {
            if (++count_ * 2 > slots_.size()) {
                grow();
                i = find(node);
            }
            slots_[i] = {node, from, g, generation_};
            return true;
        }
        if (g >= slots_[i].g) return false;
        slots_[i].g = g;
        slots_[i].parent = from;
        return true;
    }

    // The node that `node` was reached from. Requires a label.
    template <class G>
    Node parent(const G&, Node node) const {
        return slots_[find(node)].parent;
    }

    // Memory held, in bytes.
    size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

private:
    static constexpr size_t kFirstSlots = 1024;

    struct Slot {
        Node node{};
        Node parent{};
        Value g{};
        uint32_t generation = 0;  // of the search that wrote it
    };

    // The node's slot, or the free slot where it would be inserted.
    size_t find(Node node) const {
        const size_t mask = slots_.size() - 1;
        size_t i = static_cast<size_t>(mix64(node)) & mask;
        while (slots_[i].generation == generation_ && slots_[i].node != node) i = (i + 1) & mask;
        return i;
    }

    void grow() {
        Vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.generation == generation_) slots_[find(slot.node)] = slot;
        }
    }

    Vector<Slot> slots_;
    size_t count_ = 0;
    uint32_t generation_ = 0;
};

}  // namespace terrane
