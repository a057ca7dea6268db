// The tables behind RegionHeuristic: a row of values per region (landmarks, FastMap) or a path table, and the version that they are
// valid for.
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

// Potential of a region that a landmark does not reach.
inline constexpr uint64_t kUnreached = kInfinite<uint64_t>;

// A row of `columns` values for every region (one per landmark or dimension), stored in one block per sector. Copies share blocks.
// RegionTableEdit copies the blocks that it writes to, so other threads can read the original meanwhile.
class RegionTable {
public:
    RegionTable(const TerrainRegions& regions, uint32_t columns, uint64_t fill);

    uint32_t columns() const { return columns_; }
    const uint64_t* row(uint32_t sector, uint32_t number) const { return block(sector).get() + size_t{number} * columns_; }
    // Only while no other copy of this table exists.
    uint64_t* row(uint32_t sector, uint32_t number) { return block(sector).get() + size_t{number} * columns_; }

    // `regions` must be the version that the table is for.
    size_t bytes(const TerrainRegions& regions) const;

private:
    friend class RegionTableEdit;
    using Block = std::shared_ptr<uint64_t[]>;
    using Page = std::array<Block, kSectorPage>;

    const Block& block(uint32_t sector) const { return (*pages_[sector >> kSectorPageShift])[sector & (kSectorPage - 1)]; }
    Block make_block(uint32_t regions, uint64_t fill) const { return std::make_shared<uint64_t[]>(size_t{regions} * columns_, fill); }

    uint32_t columns_;
    std::vector<std::shared_ptr<Page>> pages_;
};

// Builds a new version of a table for the regions `after`, which must outlive it. Call reset_sector() for each sector whose regions
// changed.
class RegionTableEdit {
public:
    RegionTableEdit(const RegionTable& table, const TerrainRegions& after)
        : table_(table), after_(&after), own_pages_(table.pages_.size()), own_blocks_(after.sectors()) {}

    uint64_t at(RegionId id, uint32_t column) const {
        return std::as_const(table_).row(after_->sector_of(id), after_->number_of(id))[column];
    }
    void set(RegionId id, uint32_t column, uint64_t value);
    // Replaces the sector's block by one for its current regions, all unreached.
    void reset_sector(uint32_t sector);

    RegionTable take() && { return std::move(table_); }

private:
    void replace(uint32_t sector, RegionTable::Block block);

    RegionTable table_;
    const TerrainRegions* after_;
    std::vector<bool> own_pages_, own_blocks_;
};

// Compressed path database of the region graph: the first edge of a shortest path from each region to each other, run-length encoded
// (Botea, Harabor 2013).
class PathTable {
public:
    static Result<PathTable> build(const TerrainRegions& regions, const Ground& ground, const PathTableOptions& options);

    // Call before the first distance() to a goal.
    void begin(const TerrainRegions& regions, RegionId goal, RegionHeuristicScratch& scratch) const;
    // The exact distance to the goal; 0 if disconnected. `graph` must be the one that the table was built for.
    uint64_t distance(const TerrainRegions& regions, const RegionGraph& graph, RegionId from, RegionHeuristicScratch& scratch) const;

    size_t bytes() const {
        return nodes_.bytes() + components_.capacity() * sizeof(RegionComponent) + first_run_.capacity() * 8 + runs_.capacity() * 4;
    }

private:
    class Builder;
    explicit PathTable(const FlatRegions& flat) : nodes_(flat.nodes()), components_(flat.components().begin(), flat.components().end()) {}

    uint32_t first_edge(uint32_t from, uint32_t to) const;

    RegionNodes nodes_;
    std::vector<RegionComponent> components_;
    // A run is node << edge_bits_ | edge: from this node on, within the component, `edge` is the first edge.
    std::vector<uint64_t> first_run_;  // by node, plus the end
    std::vector<uint32_t> runs_;
    uint32_t edge_bits_ = 0;
};

// A table with the version that it is valid for. Holds the regions, so that the address identifies the version.
struct RegionTables {
    TerrainRegions regions;
    Ground ground;
    RegionGraph graph;
    bool diagonals;  // whether diagonal-only edges are used
    RegionHeuristicKind kind;
    uint64_t edits = 0;
    std::vector<Cell> landmarks;
    std::optional<RegionTable> table;  // landmarks and FastMap
    std::shared_ptr<const PathTable> paths;

    RegionTables(const TerrainRegions& version, const Ground& made_for, RegionHeuristicKind what)
        : regions(version), ground(made_for), graph(regions, ground), diagonals(uses_diagonal_edges(ground)), kind(what) {}
};

// Fill in the table (and the landmarks).
void build_landmarks(RegionTables& tables, const RegionLandmarkOptions& options);
void build_fastmap(RegionTables& tables, const RegionFastMapOptions& options);

// The landmark table for `now.regions`, which differ from `before.regions` in the sectors `changed` (ascending).
RegionTable repaired_landmarks(const RegionTables& before, const RegionTables& now, const std::vector<uint32_t>& changed);

}  // namespace terrane::detail
