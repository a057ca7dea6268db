// Labels for graphs with small dense node numbers: grids, region graphs.
//
// A page holds the labels of consecutive nodes (1024 unless told otherwise; for a grid: one tile), is taken from a pool when a
// search first enters it, and goes back when the next search begins. So a search pays for the pages it
// enters, not for the map, and after warm-up it allocates nothing.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "terrane/base/memory.h"
#include "terrane/search/graph.h"

namespace terrane {

// `kNodes`, a multiple of 64, is how many nodes a page has.
template <class Node, class Value, class Via, uint32_t kNodes = 1024>
class PagedLabels {
public:
    struct Label {
        Value g;
        Via via;
    };

    // Forgets everything; nodes are below `limit` from now on.
    void reset(Node limit) {
        for (const uint32_t page : entered_) pages_[page] = nullptr;
        entered_.clear();
        taken_ = 0;
        if (pages_.size() < (limit + kPageNodes - 1) / kPageNodes) pages_.resize((limit + kPageNodes - 1) / kPageNodes);
    }

    // kInfinite where no path is known.
    Value g(Node node) const {
        const Page* page = pages_[node / kPageNodes];
        return page != nullptr ? page->g[node % kPageNodes] : kInfinite<Value>;
    }
    // Only for nodes that have one.
    Label label(Node node) const { return {g(node), via(node)}; }
    Via via(Node node) const { return pages_[node / kPageNodes]->via[node % kPageNodes]; }

    // The same for a node and those after it, to the end of its page (of kNodes, a multiple of that): valid until a label is kept.
    TERRANE_INLINE const Value* g_from(Node node) const {
        const Page* page = pages_[node / kPageNodes];
        return (page != nullptr ? page->g.data() : kNone.data()) + node % kPageNodes;
    }

    // Keeps the label if it is better than the one known. `from` is for stores that keep parents.
    TERRANE_INLINE bool improve(Node node, Value g, [[maybe_unused]] Node from, Via via) {
        Page* page = pages_[node / kPageNodes];
        if (page == nullptr) page = enter(static_cast<uint32_t>(node / kPageNodes));
        const size_t i = node % kPageNodes;
        if (g >= page->g[i]) return false;
        page->g[i] = g;
        page->via[i] = via;
        return true;
    }

    // For searches that expand a node once: false if it was closed already. Only for nodes that have a label.
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

    // The node that `node` was reached from. Not for a start.
    template <class G>
    Node parent(const G& graph, Node node) const {
        return graph.origin(node, via(node));
    }

    // Every node that has a label, page by page in the order they were entered.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (const uint32_t p : entered_) {
            for (uint32_t i = 0; i < kPageNodes; ++i) {
                if (pages_[p]->g[i] != kInfinite<Value>) visit(static_cast<Node>(p * kPageNodes + i), pages_[p]->g[i]);
            }
        }
    }

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
    std::deque<Page, Allocator<Page>> pool_;  // never moves what it holds
    size_t taken_ = 0;
};

}  // namespace terrane
