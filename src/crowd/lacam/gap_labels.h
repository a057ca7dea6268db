// The labels of a GapSearch: those of a spot's gaps side by side, made room for when the search first comes to the spot.
//
// With hashed labels (hashed_labels.h), one by one took 3 to 13% longer on maps of the public benchmark.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "crowd/lacam/visit_table.h"
#include "terrane/search/best_first.h"

namespace terrane {

class GapLabels {
public:
    using Node = uint64_t;  // spot and number of the gap
    using Value = uint64_t;
    struct Label {
        Value g;
        uint8_t via;
    };

    explicit GapLabels(uint32_t spots) : first_(spots) {}

    // For another search. `visits` must not change while it goes on.
    void begin(const VisitTable& visits) {
        visits_ = &visits;
        labels_.clear();
        if (++search_ != 0) return;
        first_.assign(first_.size(), First{});
        search_ = 1;
    }

    Value g(Node node) const {
        const First& first = first_[spot_of(node)];
        return first.search == search_ ? labels_[first.label + gap_of(node)].g : kInfinite<Value>;
    }
    Label label(Node node) const { return {g(node), 0}; }

    bool improve(Node node, Value g, Node from, uint8_t) {
        First& first = first_[spot_of(node)];
        if (first.search != search_) {
            first = {search_, static_cast<uint32_t>(labels_.size())};
            labels_.resize(labels_.size() + visits_->at(spot_of(node)).size() + 1, {kInfinite<Value>, 0});
        }
        Entry& entry = labels_[first.label + gap_of(node)];
        if (g >= entry.g) return false;
        entry = {g, from};
        return true;
    }

    template <class G>
    Node parent(const G&, Node node) const {
        return labels_[first_[spot_of(node)].label + gap_of(node)].parent;
    }

    size_t bytes() const { return first_.capacity() * sizeof(First) + labels_.capacity() * sizeof(Entry); }

private:
    static Spot spot_of(Node node) { return static_cast<Spot>(node >> 32); }
    static size_t gap_of(Node node) { return static_cast<uint32_t>(node); }

    struct First {
        uint32_t search = 0;  // that made room
        uint32_t label = 0;   // of the first gap
    };
    struct Entry {
        Value g;
        Node parent;
    };

    const VisitTable* visits_ = nullptr;
    uint32_t search_ = 0;
    std::vector<First> first_;  // by spot
    std::vector<Entry> labels_;
};

}  // namespace terrane
