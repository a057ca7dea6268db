#include "terrane/grid_search/embedding.h"

#include "grid_search/flood.h"
#include "terrane/base/assert.h"

namespace terrane {

namespace {

using detail::CellTable;
using detail::Component;
using detail::Flood;
using detail::FloodScratch;
using detail::Survey;

constexpr size_t kEmbeddedParts = 16;

// What is left of an edge may be nothing, so no width of buckets would do for all; but a search that takes its entries in
// near-exact order expands few cells twice. No more than 2^16 buckets for the dearest edge: one key each on most maps. (A 16th of
// the cheapest edge, which leaves several keys to a bucket: 9 s for 5 dimensions of a 1024x1024 map, 81 s for 10.)
constexpr uint32_t kEdgeBucketBits = 16;

uint32_t residual_shift(const GridBounds& bounds) {
    const auto bits = static_cast<uint32_t>(std::bit_width(uint64_t{2} * kDiagonal * bounds.dearest));
    return bits - std::min(bits, kEdgeBucketBits);
}

// The grid with each edge's cost less the differences of its ends in the first `lanes` coordinates. Edges may cost nothing.
template <class V>
class ResidualGraph {
public:
    using Node = CellId;
    using Value = V;
    using Via = Move;

    ResidualGraph(const GridGraph<V>& grid, const CellTable<V>& table, uint32_t lanes) : grid_(&grid), table_(&table), lanes_(lanes) {}

    // Asks the grid for all moves: which of them are useless with the whole costs says nothing of these.
    template <class Label, class Emit>
    void expand(CellId node, const Label& label, Emit&& emit) const {
        const V* here = table_->row(node);
        grid_->expand(node, PlainLabel<GridGraph<V>>{0, kNoMove}, [&](CellId to, V cost, Move via) TERRANE_INLINE {
            const uint64_t taken = detail::SumOfDifferences::between(here, table_->row(to), lanes_);
            emit(to, static_cast<V>(label.g + (cost - taken)), via);
        });
    }
    CellId origin(CellId to, Move move) const { return grid_->origin(to, move); }

private:
    const GridGraph<V>* grid_;
    const CellTable<V>* table_;
    uint32_t lanes_;
};

template <class E>
class Embedder {
public:
    Embedder(const Ground& ground, const Survey& survey, uint32_t dimensions)
        : graph_(ground),
          id_limit_(ground.grid().layout().id_limit()),
          shift_(residual_shift(survey.bounds)),
          table_(ground.grid().layout(), dimensions) {}

    void embed(const Component& part) {
        for (uint32_t lane = 0; lane < table_.lanes(); ++lane) {
            if (!add_dimension(part, lane)) break;
        }
    }
    CellTable<E> take() { return std::move(table_); }

private:
    using FloodOfRest = Flood<ResidualGraph<E>>;

    FloodOfRest flood(uint32_t lane) {
        return FloodOfRest(ResidualGraph<E>(graph_, std::as_const(table_), lane), id_limit_, shift_, scratch_);
    }

    CellId farthest_from(CellId cell, uint32_t lane) {
        FloodOfRest rest = flood(lane);
        rest.spread(cell);
        return rest.farthest().farthest;
    }

    // Keeps d(a, .) in the lane itself until d(b, .) is known. False where nothing is left to be told apart.
    bool add_dimension(const Component& part, uint32_t lane) {
        const CellId a = lane == 0 ? part.farthest : farthest_from(part.first, lane);
        FloodOfRest from_a = flood(lane);
        from_a.spread(a);
        const auto [expansions, b, apart] = from_a.farthest();
        if (apart == 0) return false;
        from_a.for_each([&](CellId cell, E g) { table_.row(cell)[lane] = g; });
        FloodOfRest from_b = flood(lane);
        from_b.spread(b);
        from_b.for_each([&, far = uint64_t{apart}](CellId cell, E g) {
            E& entry = table_.row(cell)[lane];
            entry = static_cast<E>((entry + far - g) / 2);
        });
        return true;
    }

    GridGraph<E> graph_;
    CellId id_limit_;
    uint32_t shift_;
    CellTable<E> table_;
    FloodScratch<E> scratch_;
};

template <class E>
CellTable<E> embedded(const detail::TableOwner& owner, const Survey& survey, uint32_t dimensions) {
    Embedder<E> embedder(owner.ground, survey, dimensions);
    for (size_t i = 0; i < std::min(survey.components.size(), kEmbeddedParts); ++i) embedder.embed(survey.components[i]);
    return embedder.take();
}

}  // namespace

EmbeddingHeuristic EmbeddingHeuristic::build(const Ground& ground, const EmbeddingOptions& options) {
    TERRANE_ASSERT(ground.movement() != Movement::kCustom);
    const Survey survey = detail::survey_of(ground);
    const uint32_t dimensions = std::clamp(options.dimensions, 1u, kMaxDimensions);
    auto owner = std::make_shared<detail::TableOwner>(ground);
    if (survey.narrow()) {
        owner->keep(embedded<uint32_t>(*owner, survey, dimensions));
    } else {
        owner->keep(embedded<uint64_t>(*owner, survey, dimensions));
    }
    return EmbeddingHeuristic(std::move(owner));
}

std::optional<EmbeddingHeuristic> EmbeddingHeuristic::updated(const EditResult& edit) const {
    if (!valid_for(table_->ground.on(edit.before))) return std::nullopt;
    if (!detail::cheaper_cells(edit, table_->ground.costs()).empty()) return std::nullopt;
    return EmbeddingHeuristic(table_->moved_to(edit.after));
}

}  // namespace terrane
