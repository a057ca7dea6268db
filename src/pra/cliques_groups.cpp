#include "pra/cliques_groups.h"

#include <algorithm>
#include <limits>

namespace terrane::detail {

void CliqueGroups::clear() {
    at_.clear();
    edges_.clear();
    first_.assign(1, 0);
}

bool CliqueGroups::adjacent(uint32_t a, uint32_t b) const {
    const auto list = edges(a);
    return std::binary_search(list.begin(), list.end(), b);
}

// Extends the clique to `size` by unmerged nodes above its last one that are adjacent to all members; finds the first such set in node
// order.
bool CliqueGroups::extend_clique(size_t size) {
    if (clique_.size() == size) return true;
    const uint32_t last = clique_.back();
    for (const uint32_t to : edges(clique_.front())) {
        if (to <= last || group_[to] != kNone) continue;
        if (!std::all_of(clique_.begin() + 1, clique_.end(), [&](uint32_t member) { return adjacent(member, to); })) continue;
        clique_.push_back(to);
        if (extend_clique(size)) return true;
        clique_.pop_back();
    }
    return false;
}

// Invariant: every node below `node` is merged or in no remaining clique of this size.
void CliqueGroups::merge_cliques_of(size_t size) {
    for (uint32_t node = 0; node < this->size(); ++node) {
        if (group_[node] != kNone) continue;
        clique_.assign(1, node);
        if (!extend_clique(size)) continue;
        for (const uint32_t member : clique_) group_[member] = static_cast<uint32_t>(sizes_.size());
        sizes_.push_back(static_cast<uint32_t>(size));
    }
}

// All neighbours are merged already. A node without neighbours in this tile forms a group of its own.
void CliqueGroups::merge_lone(uint32_t node) {
    uint32_t best = kNone;
    for (const uint32_t to : edges(node)) {
        if (best == kNone || sizes_[group_[to]] < sizes_[best]) best = group_[to];
    }
    if (best == kNone) {
        best = static_cast<uint32_t>(sizes_.size());
        sizes_.push_back(0);
    }
    group_[node] = best;
    ++sizes_[best];
}

void CliqueGroups::merge_cliques() {
    group_.assign(size(), kNone);
    sizes_.clear();
    for (const size_t clique : {4u, 3u, 2u}) merge_cliques_of(clique);
    for (uint32_t node = 0; node < size(); ++node) {
        if (group_[node] == kNone) merge_lone(node);
    }
    number_groups();
}

void CliqueGroups::merge_sectors(uint32_t shift) {
    group_.assign(size(), kNone);
    sizes_.clear();
    const auto same_square = [&](Cell a, Cell b) { return a.x >> shift == b.x >> shift && a.y >> shift == b.y >> shift; };
    for (uint32_t node = 0; node < size(); ++node) {
        if (group_[node] != kNone) continue;
        const auto group = static_cast<uint32_t>(sizes_.size());
        sizes_.push_back(0);
        group_[node] = group;
        stack_.assign(1, node);
        while (!stack_.empty()) {
            const uint32_t from = stack_.back();
            stack_.pop_back();
            ++sizes_[group];
            for (const uint32_t to : edges(from)) {
                if (group_[to] != kNone || !same_square(at_[to], at_[node])) continue;
                group_[to] = group;
                stack_.push_back(to);
            }
        }
    }
}

void CliqueGroups::number_groups() {
    Vector<uint32_t>& numbers = stack_;
    numbers.assign(sizes_.size(), kNone);
    uint32_t next = 0;
    for (uint32_t& group : group_) {
        if (numbers[group] == kNone) numbers[group] = next++;
        group = numbers[group];
    }
    for (uint32_t& count : sizes_) count = 0;
    for (const uint32_t group : group_) ++sizes_[group];
}

void CliqueGroups::representatives(Vector<CliqueNode>& out) const {
    struct Sum {
        int64_t x = 0, y = 0;
        int64_t least = std::numeric_limits<int64_t>::max();
    };
    Vector<Sum> sums(sizes_.size());
    for (uint32_t node = 0; node < size(); ++node) {
        sums[group_[node]].x += at_[node].x;
        sums[group_[node]].y += at_[node].y;
    }
    out.resize(sizes_.size());
    for (uint32_t node = 0; node < size(); ++node) {
        Sum& sum = sums[group_[node]];
        const int64_t count = sizes_[group_[node]], dx = count * at_[node].x - sum.x, dy = count * at_[node].y - sum.y;
        if (dx * dx + dy * dy >= sum.least) continue;
        sum.least = dx * dx + dy * dy;
        out[group_[node]] = {static_cast<uint16_t>(at_[node].x), static_cast<uint16_t>(at_[node].y), 0};
    }
}

}  // namespace terrane::detail
