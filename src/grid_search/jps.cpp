// Jump point search: A* over jump points (jump_graph.h), optimal, on maps whose passable cells all cost the same.
#include <algorithm>
#include <array>

#include "grid_search/jump_graph.h"
#include "grid_search/jump_query.h"

namespace terrane::detail {

namespace {

// Bits for the last few sets of passable terrains: several agent types may share a planner.
class BitsCache {
public:
    const PassableBits& get(const Ground& ground) {
        size_t found = 0;
        while (found + 1 < kSets && !entries_[found].is_near(ground)) ++found;
        std::rotate(entries_.begin(), entries_.begin() + static_cast<ptrdiff_t>(found),
                    entries_.begin() + static_cast<ptrdiff_t>(found) + 1);
        entries_[0].update(ground);
        return entries_[0];
    }
    size_t bytes() const {
        size_t sum = 0;
        for (const PassableBits& bits : entries_) sum += bits.bytes();
        return sum;
    }

private:
    static constexpr size_t kSets = 4;
    std::array<PassableBits, kSets> entries_;  // the most recently used first
};

// Nodes are sparse: small pages, of two rows of a tile.
class JpsQuery final : public JumpQuery<JumpGraph, 64> {
public:
    Status begin(const QueryInput& input) override {
        start(input, JumpGraph(input.ground.layout(), bits_.get(input.ground), input.goal), 1);
        return Status::kBudgetSpent;
    }
    size_t bytes() const override { return scratch_bytes() + bits_.bytes(); }

private:
    BitsCache bits_;
};

}  // namespace

extern const MethodFactory kJpsMethod;  // listed in method_registry.cpp
constinit const MethodFactory kJpsMethod{
    {"jps", "jps", "jump point search, for profiles whose passable terrains all cost the same: optimal", "", "jps"},
    {.guarantee = MethodGuarantee::kOptimal, .one_cost = true, .only_eight = true},
    parse_jump,
    make_query<JpsQuery>};

}  // namespace terrane::detail
