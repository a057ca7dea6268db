// What a RegionHeuristic keeps: numbers for each region, or a path table; and what they are valid for.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "dta/region_flood.h"
#include "terrane/dta/region_heuristics.h"

namespace terrane::detail {

// Of a region that a landmark does not reach.
inline constexpr uint64_t kUnreached = kInfinite<uint64_t>;

// `lanes` numbers for every region, those of a region side by side, in a block for each sector. Copies share blocks; an edit
// (RegionTableEdit) copies those it writes to, so that others may read the table meanwhile.
class RegionTable {
public:
    RegionTable(const TerrainRegions& regions, uint32_t lanes, uint64_t fill);

    uint32_t lanes() const { return lanes_; }
    const uint64_t* row(uint32_t sector, uint32_t number) const { return block(sector).get() + size_t{number} * lanes_; }
    // Only while nobody else has this table or a copy of it.
    uint64_t* row(uint32_t sector, uint32_t number) { return block(sector).get() + size_t{number} * lanes_; }

    // `regions` is the version that the table is for.
    size_t bytes(const TerrainRegions& regions) const;

private:
    friend class RegionTableEdit;
    using Block = std::shared_ptr<uint64_t[]>;
    using Page = std::array<Block, kSectorPage>;

    const Block& block(uint32_t sector) const { return (*pages_[sector >> kSectorPageShift])[sector & (kSectorPage - 1)]; }
    Block make_block(uint32_t regions, uint64_t fill) const { return std::make_shared<uint64_t[]>(size_t{regions} * lanes_, fill); }

    uint32_t lanes_;
    std::vector<std::shared_ptr<Page>> pages_;
};

// A new version of a table, for the regions `after`, which must outlive it. Sectors with other regions than before have to be renewed.
class RegionTableEdit {
public:
    RegionTableEdit(const RegionTable& table, const TerrainRegions& after)
        : table_(table), after_(&after), own_pages_(table.pages_.size()), own_blocks_(after.sectors()) {}

    uint64_t at(RegionId id, uint32_t lane) const { return std::as_const(table_).row(after_->sector_of(id), after_->number_of(id))[lane]; }
    void set(RegionId id, uint32_t lane, uint64_t value);
    // All of a sector's regions, as many as there are now, unreached.
    void renew(uint32_t sector);

    RegionTable take() && { return std::move(table_); }

private:
    void replace(uint32_t sector, RegionTable::Block block);

    RegionTable table_;
    const TerrainRegions* after_;
    std::vector<bool> own_pages_, own_blocks_;
};

// The first edge of a shortest way from each region to each other.
class PathTable {
public:
    static Result<PathTable> build(const TerrainRegions& regions, const Ground& ground, const PathTableOptions& options);

    // Before the first distance() to a goal.
    void begin(const TerrainRegions& regions, RegionId goal, RegionHeuristicScratch& scratch) const;
    // The cost of the shortest way to the goal; 0 where there is none. `graph` is the one that the table was made for.
    uint64_t distance(const TerrainRegions& regions, const RegionGraph& graph, RegionId from, RegionHeuristicScratch& scratch) const;

    size_t bytes() const {
        return nodes_.bytes() + parts_.capacity() * sizeof(RegionPart) + first_run_.capacity() * 8 + runs_.capacity() * 4;
    }

private:
    class Builder;
    explicit PathTable(const FlatRegions& flat) : nodes_(flat.nodes()), parts_(flat.parts().begin(), flat.parts().end()) {}

    uint32_t first_edge(uint32_t from, uint32_t to) const;

    RegionNodes nodes_;
    std::vector<RegionPart> parts_;
    // A run says from which node on which edge is the first, for nodes of the same part: node << edge_bits_ | edge.
    std::vector<uint64_t> first_run_;  // by node, and one more
    std::vector<uint32_t> runs_;
    uint32_t edge_bits_ = 0;
};

// Holds the version that it is for, so that it is known again by its address.
struct RegionTables {
    TerrainRegions regions;
    Ground ground;
    RegionGraph graph;
    bool diagonals;  // whether its diagonal-only edges count
    RegionHeuristicKind kind;
    uint64_t edits = 0;
    std::vector<Cell> landmarks;
    std::optional<RegionTable> table;  // of landmarks and embeddings
    std::shared_ptr<const PathTable> paths;

    RegionTables(const TerrainRegions& version, const Ground& made_for, RegionHeuristicKind what)
        : regions(version), ground(made_for), graph(regions, ground), diagonals(uses_diagonal_edges(ground)), kind(what) {}
};

// Fills in table and landmarks.
void build_landmarks(RegionTables& tables, const RegionLandmarkOptions& options);
void build_embedding(RegionTables& tables, const RegionEmbeddingOptions& options);

// The landmarks' table for `now.regions`, which differ from `before.regions` in the sectors `changed` (ascending).
RegionTable repaired_landmarks(const RegionTables& before, const RegionTables& now, const std::vector<uint32_t>& changed);

}  // namespace terrane::detail
