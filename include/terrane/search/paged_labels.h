// Labels for graphs with dense node ids: grids, region graphs, portal graphs.
//
// A page holds the labels of `kNodes` consecutive nodes; on grids, one tile. A search takes a page from a pool when it first labels a
// node of that page, and reset() returns all pages. The cost of a search therefore depends on the pages it enters, not on the size of the
// graph. After warm-up, nothing is allocated. O(1) per operation; entering a page costs O(kNodes), reset() O(pages entered).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "terrane/base/memory.h"
#include "terrane/search/graph.h"

namespace terrane {

// The Labels of graph.h, with a closed list. `kNodes` is the number of nodes per page, a multiple of 64.
template <class Node, class Value, class Via, uint32_t kNodes = 1024>
class PagedLabels {
public:
    static constexpr uint32_t kConsecutive = kNodes;  // g_from() is valid up to the next multiple of this

    struct Label {
        Value g;
        Via via;
    };

    // Removes all labels. Node ids must be below `limit` until the next reset(). Call it before the first search.
    void reset(Node limit) {
        for (const uint32_t page : entered_) pages_[page] = nullptr;
        entered_.clear();
        taken_ = 0;
        if (pages_.size() < (limit + kPageNodes - 1) / kPageNodes) pages_.resize((limit + kPageNodes - 1) / kPageNodes);
    }

    // kInfinite if the node has no label.
    Value g(Node node) const {
        const Page* page = pages_[node / kPageNodes];
        return page != nullptr ? page->g[node % kPageNodes] : kInfinite<Value>;
    }
    // Require a label.
    Label label(Node node) const { return {g(node), via(node)}; }
    Via via(Node node) const { return pages_[node / kPageNodes]->via[node % kPageNodes]; }

    // Pointer to the g-values of `node` and the nodes after it, up to the next multiple of kNodes. Valid until the next improve().
    TERRANE_INLINE const Value* g_from(Node node) const {
        const Page* page = pages_[node / kPageNodes];
        return (page != nullptr ? page->g.data() : kNone.data()) + node % kPageNodes;
    }

    // Stores the label if `g` is smaller than the known one; returns whether it did. `from` is unused: the parent is origin(node, via).
    TERRANE_INLINE bool improve(Node node, Value g, [[maybe_unused]] Node from, Via via) {
        Page* page = pages_[node / kPageNodes];
        if (page == nullptr) page = enter(static_cast<uint32_t>(node / kPageNodes));
        const size_t i = node % kPageNodes;
        if (g >= page->g[i]) return false;
        page->g[i] = g;
        page->via[i] = via;
        return true;
    }

    // Closes the node; returns false if it was closed. close() and reopen() require a label.
    bool close(Node node) {
        uint64_t& word = pages_[node / kPageNodes]->closed[node % kPageNodes / 64];
        const uint64_t bit = uint64_t{1} << (node % 64);
        if ((word & bit) != 0) return false;
        word |= bit;
        return true;
    }
    void reopen(Node node) { pages_[node / kPageNodes]->closed[node % kPageNodes / 64] &= ~(uint64_t{1} << (node % 64)); }
    bool closed(Node node) const {
        const Page* page = pages_[node / kPageNodes];
        return page != nullptr && (page->closed[node % kPageNodes / 64] >> (node % 64) & 1) != 0;
    }

    // The node that `node` was reached from. Requires a label that is not a start's.
    template <class G>
    Node parent(const G& graph, Node node) const {
        return graph.origin(node, via(node));
    }

    // Calls visit(node, g) for every labelled node: pages in the order in which they were entered, nodes ascending within a page.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (const uint32_t p : entered_) {
            for (uint32_t i = 0; i < kPageNodes; ++i) {
                if (pages_[p]->g[i] != kInfinite<Value>) visit(static_cast<Node>(p * kPageNodes + i), pages_[p]->g[i]);
            }
        }
    }

    // Memory held, in bytes.
    size_t bytes() const { return pool_.size() * sizeof(Page) + pages_.capacity() * sizeof(Page*) + entered_.capacity() * 4; }

private:
    static constexpr Node kPageNodes = kNodes;
    static constexpr std::array<Value, kPageNodes> kNone = [] {
        std::array<Value, kPageNodes> none{};
        none.fill(kInfinite<Value>);
        return none;
    }();

    struct Page {
        std::array<Value, kPageNodes> g;
        std::array<Via, kPageNodes> via;
        std::array<uint64_t, kPageNodes / 64> closed;
    };

    Page* enter(uint32_t page) {
        if (taken_ == pool_.size()) pool_.emplace_back();
        Page* fresh = &pool_[taken_++];
        fresh->g.fill(kInfinite<Value>);
        fresh->closed.fill(0);
        pages_[page] = fresh;
        entered_.push_back(page);
        return fresh;
    }

    Vector<Page*> pages_;  // by node / kPageNodes; null until entered
    Vector<uint32_t> entered_;
    std::deque<Page, Allocator<Page>> pool_;  // a deque never moves its elements
    size_t taken_ = 0;
};

}  // namespace terrane
