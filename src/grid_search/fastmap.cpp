#include "terrane/grid_search/fastmap.h"

#include "grid_search/flood.h"
#include "terrane/base/assert.h"

namespace terrane {

namespace {

using detail::CellTable;
using detail::Component;
using detail::Flood;
using detail::FloodScratch;
using detail::Survey;

constexpr size_t kEmbeddedComponents = 16;

// Residual edge costs may be 0, so no bucket width guarantees one expansion per cell. Near-exact order keeps re-expansions few: at most
// 2^16 buckets for the most expensive edge, which is one key per bucket on most maps. Measured in docs/notes/grid_search.md.
constexpr uint32_t kEdgeBucketBits = 16;

uint32_t residual_shift(const GridBounds& bounds) {
    const auto bits = static_cast<uint32_t>(std::bit_width(uint64_t{2} * kDiagonal * bounds.most_expensive));
    return bits - std::min(bits, kEdgeBucketBits);
}

// The grid graph with residual costs: each edge's cost minus the differences of its ends in the first `dimensions` coordinates. Edges
// may cost 0.
template <class V>
class ResidualGraph {
public:
    using Node = CellId;
    using Value = V;
    using Via = Move;

    ResidualGraph(const GridGraph<V>& grid, const CellTable<V>& table, uint32_t dimensions)
        : grid_(&grid), table_(&table), dimensions_(dimensions) {}

    // Expands all moves: the grid's pruning by parent move is valid only for full costs.
    template <class Label, class Emit>
    void expand(CellId node, const Label& label, Emit&& emit) const {
        const V* here = table_->row(node);
        grid_->expand(node, PlainLabel<GridGraph<V>>{0, kNoMove}, [&](CellId to, V cost, Move via) TERRANE_INLINE {
            const uint64_t reduction = detail::SumOfDifferences::between(here, table_->row(to), dimensions_);
            emit(to, static_cast<V>(label.g + (cost - reduction)), via);
        });
    }
    CellId origin(CellId to, Move move) const { return grid_->origin(to, move); }

private:
    const GridGraph<V>* grid_;
    const CellTable<V>* table_;
    uint32_t dimensions_;
};

template <class E>
class FastMapBuilder {
public:
    FastMapBuilder(const Ground& ground, const Survey& survey, uint32_t dimensions)
        : graph_(ground),
          id_limit_(ground.grid().layout().id_limit()),
          shift_(residual_shift(survey.bounds)),
          table_(ground.grid().layout(), dimensions) {}

    void embed(const Component& component) {
        for (uint32_t dimension = 0; dimension < table_.columns(); ++dimension) {
            if (!add_dimension(component, dimension)) break;
        }
    }
    CellTable<E> take() { return std::move(table_); }

private:
    using ResidualFlood = Flood<ResidualGraph<E>>;

    ResidualFlood flood(uint32_t dimension) {
        return ResidualFlood(ResidualGraph<E>(graph_, std::as_const(table_), dimension), id_limit_, shift_, scratch_);
    }

    CellId farthest_from(CellId cell, uint32_t dimension) {
        ResidualFlood residual = flood(dimension);
        residual.run_from(cell);
        return residual.farthest().farthest;
    }

    // Stores d(a, .) in the table's column until d(b, .) is known. Returns false if all residual distances are 0.
    bool add_dimension(const Component& component, uint32_t dimension) {
        const CellId a = dimension == 0 ? component.farthest : farthest_from(component.first, dimension);
        ResidualFlood from_a = flood(dimension);
        from_a.run_from(a);
        const auto [expansions, b, distance] = from_a.farthest();
        if (distance == 0) return false;
        from_a.for_each([&](CellId cell, E g) { table_.row(cell)[dimension] = g; });
        ResidualFlood from_b = flood(dimension);
        from_b.run_from(b);
        from_b.for_each([&, far = uint64_t{distance}](CellId cell, E g) {
            E& entry = table_.row(cell)[dimension];
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
CellTable<E> build_table(const detail::TableOwner& owner, const Survey& survey, uint32_t dimensions) {
    FastMapBuilder<E> builder(owner.ground, survey, dimensions);
    for (size_t i = 0; i < std::min(survey.components.size(), kEmbeddedComponents); ++i) builder.embed(survey.components[i]);
    return builder.take();
}

}  // namespace

FastMapHeuristic FastMapHeuristic::build(const Ground& ground, const FastMapOptions& options) {
    TERRANE_ASSERT(ground.movement() != Movement::kCustom);
    const Survey survey = detail::survey_of(ground);
    const uint32_t dimensions = std::clamp(options.dimensions, 1u, kMaxDimensions);
    auto owner = std::make_shared<detail::TableOwner>(ground);
    if (survey.narrow()) {
        owner->install(build_table<uint32_t>(*owner, survey, dimensions));
    } else {
        owner->install(build_table<uint64_t>(*owner, survey, dimensions));
    }
    return FastMapHeuristic(std::move(owner));
}

std::optional<FastMapHeuristic> FastMapHeuristic::updated(const EditResult& edit) const {
    if (!valid_for(table_->ground.on(edit.before))) return std::nullopt;
    if (!detail::cheaper_cells(edit, table_->ground.costs()).empty()) return std::nullopt;
    return FastMapHeuristic(table_->moved_to(edit.after));
}

}  // namespace terrane
