#include "terrane/dta/region_heuristics.h"

#include <numeric>

#include "dta/region_tables.h"

namespace terrane {

using detail::RegionTables;

namespace {

// Differences at or above: a landmark reaches one of the two regions and not the other, so they are disconnected.
constexpr uint64_t kDisconnected = uint64_t{1} << 63;

uint64_t difference(uint64_t a, uint64_t b) { return a > b ? a - b : b - a; }

// Connected regions are reached by the same landmarks. So if a region is disconnected from the goal, all its neighbours are too:
// returning 0 for all of them is consistent, and keeps the keys of a search from overflowing.
uint64_t greatest_difference(const uint64_t* a, const uint64_t* b, uint32_t columns) {
    uint64_t greatest = 0;
    for (uint32_t i = 0; i < columns; ++i) greatest = std::max(greatest, difference(a[i], b[i]));
    return greatest < kDisconnected ? greatest : 0;
}

uint64_t sum_of_differences(const uint64_t* a, const uint64_t* b, uint32_t columns) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < columns; ++i) sum += difference(a[i], b[i]);
    return sum;
}

bool same_sectors(const TerrainRegions& a, const TerrainRegions& b) {
    return a.sector() == b.sector() && a.grid().layout() == b.grid().layout();
}

// The sectors whose records the two versions do not share, ascending.
std::vector<uint32_t> changed_sectors(const TerrainRegions& before, const TerrainRegions& after) {
    std::vector<uint32_t> changed;
    for (uint32_t s = 0; s < after.sectors(); ++s) {
        const size_t page = s >> detail::kSectorPageShift;
        if (before.data().pages[page] == after.data().pages[page]) {
            s |= detail::kSectorPage - 1;  // skip the shared page
        } else if (&before.data().record(s) != &after.data().record(s)) {
            changed.push_back(s);
        }
    }
    return changed;
}

}  // namespace

CostTable cheapest_of(std::span<const CostTable> tables) {
    CostTable least;
    for (const CostTable& table : tables) {
        for (size_t t = 0; t < least.cost.size(); ++t) {
            const Hundredths cost = table.hundredths(static_cast<Terrain>(t));
            if (cost != kBlocked && (least.cost[t] == kBlocked || cost < least.cost[t])) least.cost[t] = cost;
        }
    }
    uint32_t divisor = 0;
    for (const uint32_t cost : least.cost) divisor = std::gcd(divisor, cost);
    least.divisor = std::max(divisor, 1u);
    for (uint32_t& cost : least.cost) cost /= least.divisor;
    return least;
}

size_t RegionHeuristicScratch::bytes() const {
    return distance_.capacity() * sizeof(uint64_t) + seen_.capacity() * sizeof(uint32_t) + path_.capacity() * sizeof(Step);
}

RegionBound::RegionBound(const detail::RegionData& data, RegionId goal, uint32_t cheapest, const MovementRule& rule)
    : layout_{&data},
      goal_x_(layout_.x(goal)),
      goal_y_(layout_.y(goal)),
      straight_(uint64_t{2} * kStraight * cheapest),
      extra_(uint64_t{2} * rule.per_shorter * cheapest) {}

RegionBound RegionBound::octile(RegionId goal, const TerrainRegions& regions, const Ground& ground) {
    return {regions.data(), goal, ground.bounds().cheapest, ground.rule()};
}

uint64_t RegionBound::table_bound(RegionId id) const {
    const TerrainRegions& regions = tables_->regions;
    uint64_t far = 0;
    if (tables_->kind == RegionHeuristicKind::kPathTable) {
        far = tables_->paths->distance(regions, tables_->graph, id, *scratch_);
    } else {
        const uint64_t* row = tables_->table->row(regions.sector_of(id), regions.number_of(id));
        const uint32_t columns = tables_->table->columns();
        far = tables_->kind == RegionHeuristicKind::kLandmarks ? greatest_difference(row, goal_row_, columns)
                                                               : sum_of_differences(row, goal_row_, columns);
    }
    return scale_numerator_ == scale_denominator_ ? far : far * scale_numerator_ / scale_denominator_;
}

const char* to_string(RegionHeuristicKind kind) {
    switch (kind) {
        case RegionHeuristicKind::kLandmarks: return "landmarks";
        case RegionHeuristicKind::kFastMap: return "fastmap";
        case RegionHeuristicKind::kPathTable: return "path table";
    }
    return "unknown";
}

RegionHeuristic RegionHeuristic::landmarks(const TerrainRegions& regions, const Ground& ground, const RegionLandmarkOptions& options) {
    auto tables = std::make_shared<RegionTables>(regions, ground, RegionHeuristicKind::kLandmarks);
    detail::build_landmarks(*tables, options);
    return RegionHeuristic(std::move(tables));
}

RegionHeuristic RegionHeuristic::fastmap(const TerrainRegions& regions, const Ground& ground, const RegionFastMapOptions& options) {
    auto tables = std::make_shared<RegionTables>(regions, ground, RegionHeuristicKind::kFastMap);
    detail::build_fastmap(*tables, options);
    return RegionHeuristic(std::move(tables));
}

Result<RegionHeuristic> RegionHeuristic::path_table(const TerrainRegions& regions, const Ground& ground, const PathTableOptions& options) {
    auto paths = detail::PathTable::build(regions, ground, options);
    if (!paths) return paths.error();
    auto tables = std::make_shared<RegionTables>(regions, ground, RegionHeuristicKind::kPathTable);
    tables->paths = std::make_shared<const detail::PathTable>(std::move(*paths));
    return RegionHeuristic(std::move(tables));
}

std::optional<RegionHeuristic> RegionHeuristic::updated(const TerrainRegions& after) const {
    if (!same_sectors(tables_->regions, after)) return std::nullopt;
    auto now = std::make_shared<RegionTables>(after, tables_->ground.on(after.grid()), tables_->kind);
    const std::vector<uint32_t> changed = changed_sectors(tables_->regions, after);
    const bool same = changed.empty() && now->diagonals == tables_->diagonals;
    if (!same && now->kind != RegionHeuristicKind::kLandmarks) return std::nullopt;
    now->edits = tables_->edits + (after.version() != tables_->regions.version() ? 1 : 0);
    now->landmarks = tables_->landmarks;
    now->paths = tables_->paths;
    now->table = same ? tables_->table : detail::repaired_landmarks(*tables_, *now, changed);
    return RegionHeuristic(std::move(now));
}

bool RegionHeuristic::valid_for(const TerrainRegions& regions, const Ground& ground) const {
    if (&regions.data() != &tables_->regions.data() || &ground.rule() != &tables_->ground.rule()) return false;
    bool valid = true;
    for (uint32_t t = 0; t < ground.costs().cost.size(); ++t) {
        const Hundredths least = tables_->ground.costs().hundredths(static_cast<Terrain>(t)),
                         cost = ground.costs().hundredths(static_cast<Terrain>(t));
        valid &= cost == kBlocked || (least != kBlocked && least <= cost);
    }
    return valid;
}

std::optional<RegionBound> RegionHeuristic::bound_to(RegionId goal, const TerrainRegions& regions, const Ground& ground,
                                                     RegionHeuristicScratch& scratch) const {
    if (goal == kNoRegion || !valid_for(regions, ground)) return std::nullopt;
    RegionBound bound = RegionBound::octile(goal, regions, ground);
    bound.tables_ = tables_.get();
    bound.scale_numerator_ = tables_->ground.costs().divisor;
    bound.scale_denominator_ = ground.costs().divisor;
    if (kind() == RegionHeuristicKind::kPathTable) {
        tables_->paths->begin(regions, goal, scratch);
        bound.scratch_ = &scratch;
    } else {
        bound.goal_row_ = std::as_const(*tables_->table).row(regions.sector_of(goal), regions.number_of(goal));
    }
    return bound;
}

RegionHeuristicKind RegionHeuristic::kind() const { return tables_->kind; }

std::span<const Cell> RegionHeuristic::landmark_cells() const { return tables_->landmarks; }

uint64_t RegionHeuristic::edits() const { return tables_->edits; }

size_t RegionHeuristic::bytes() const {
    return sizeof(RegionTables) + tables_->landmarks.capacity() * sizeof(Cell) +
           (tables_->table ? tables_->table->bytes(tables_->regions) : tables_->paths->bytes());
}

}  // namespace terrane
