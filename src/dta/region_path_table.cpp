#include <algorithm>
#include <atomic>
#include <bit>
#include <string>

#include "base/parallel.h"
#include "dta/region_tables.h"

namespace terrane::detail {

namespace {

// Evenly spaced rows from which the total size is estimated.
constexpr uint32_t kSampledRows = 32;

uint32_t bits_to_count(uint32_t count) { return static_cast<uint32_t>(std::bit_width(std::max(count, 1u) - 1)); }

std::string in_mebibytes(uint64_t bytes) { return std::to_string((bytes + (1u << 20) - 1) >> 20) + " MiB"; }

}  // namespace

// Any worker may build any row; rows are kept until all are complete. Their total size does not depend on the schedule.
class PathTable::Builder {
public:
    Builder(const FlatRegions& flat, const PathTableOptions& options)
        : flat_(&flat), options_(options), table_(flat), edge_bits_(bits_to_count(flat.most_edges())), component_(flat.size()) {
        for (const RegionComponent& component : flat.components())
            std::fill_n(component_.begin() + component.first, component.size, component);
    }

    Result<PathTable> run() {
        const uint64_t fixed = table_.bytes() + (uint64_t{flat_->size()} + 1) * sizeof(uint64_t);
        if (fixed > options_.max_bytes) return too_large("more than", fixed);
        if (bits_to_count(flat_->size()) + edge_bits_ > 32) {
            return Error{ErrorCode::kTooLarge, {}, 0, "too many regions and edges for a path table: node and edge exceed 32 bits"};
        }
        const uint64_t about = fixed + bytes_of_rows_by_sample();
        if (about > options_.max_bytes) return too_large("about", about);
        if (!make_rows(options_.max_bytes - fixed)) return too_large("more than", options_.max_bytes);
        concatenate_rows();
        return std::move(table_);
    }

private:
    Error too_large(const char* how_exact, uint64_t bytes) const {
        return {ErrorCode::kTooLarge,
                {},
                0,
                "a path table of " + std::to_string(flat_->size()) + " regions needs " + how_exact + " " + in_mebibytes(bytes) +
                    "; the limit is " + in_mebibytes(options_.max_bytes)};
    }

    // Skips other components and the row's own node; neither is ever looked up, so a run may extend over them.
    std::vector<uint32_t> make_row(uint32_t from, RegionFlood& flood) const {
        flood.reset();
        flood.run_from(from);
        std::vector<uint32_t> row;
        uint32_t last = kNoEdge;
        for (uint32_t to = component_[from].first; to < component_[from].last(); ++to) {
            const uint32_t edge = flood.first_edge(to);
            if (to == from || edge == last) continue;
            row.push_back(to << edge_bits_ | edge);
            last = edge;
        }
        row.shrink_to_fit();
        return row;
    }

    uint64_t bytes_of_rows_by_sample() const {
        const uint32_t sampled = std::min(kSampledRows, flat_->size());
        std::vector<RegionFlood> floods(workers_for(options_.threads, sampled), RegionFlood(*flat_));
        std::atomic<uint64_t> runs = 0;
        parallel_for(options_.threads, sampled, [&](uint32_t i, uint32_t worker) {
            runs += make_row(static_cast<uint32_t>(uint64_t{i} * flat_->size() / sampled), floods[worker]).size();
        });
        return sampled == 0 ? 0 : runs * flat_->size() / sampled * sizeof(uint32_t);
    }

    // Returns false, with some rows missing, if they exceed `max_bytes`.
    bool make_rows(uint64_t max_bytes) {
        rows_.resize(flat_->size());
        std::vector<RegionFlood> floods(workers_for(options_.threads, flat_->size()), RegionFlood(*flat_));
        std::atomic<uint64_t> bytes = 0;
        parallel_for(options_.threads, flat_->size(), [&](uint32_t node, uint32_t worker) {
            if (bytes > max_bytes) return;
            rows_[node] = make_row(node, floods[worker]);
            bytes += rows_[node].size() * sizeof(uint32_t);
        });
        return bytes <= max_bytes;
    }

    void concatenate_rows() {
        table_.edge_bits_ = edge_bits_;
        table_.first_run_.reserve(rows_.size() + 1);
        uint64_t runs = 0;
        for (const std::vector<uint32_t>& row : rows_) {
            table_.first_run_.push_back(runs);
            runs += row.size();
        }
        table_.first_run_.push_back(runs);
        table_.runs_.reserve(static_cast<size_t>(runs));
        for (std::vector<uint32_t>& row : rows_) {
            table_.runs_.insert(table_.runs_.end(), row.begin(), row.end());
            row = {};
        }
    }

    const FlatRegions* flat_;
    PathTableOptions options_;
    PathTable table_;
    uint32_t edge_bits_;
    std::vector<RegionComponent> component_;  // by node
    std::vector<std::vector<uint32_t>> rows_;
};

Result<PathTable> PathTable::build(const TerrainRegions& regions, const Ground& ground, const PathTableOptions& options) {
    const FlatRegions flat(regions, ground);
    return Builder(flat, options).run();
}

// Binary search for the last run that starts at or before `to`.
uint32_t PathTable::first_edge(uint32_t from, uint32_t to) const {
    const uint32_t mask = (1u << edge_bits_) - 1;
    const auto first = runs_.begin() + static_cast<ptrdiff_t>(first_run_[from]),
               last = runs_.begin() + static_cast<ptrdiff_t>(first_run_[from + 1]);
    return *std::prev(std::upper_bound(first, last, to << edge_bits_ | mask)) & mask;
}

void PathTable::begin(const TerrainRegions& regions, RegionId goal, RegionHeuristicScratch& scratch) const {
    const uint32_t node = nodes_(regions.sector_of(goal), regions.number_of(goal));
    scratch.size_ = 0;
    if (node == kNoNode) return;
    const auto after = std::upper_bound(components_.begin(), components_.end(), node,
                                        [](uint32_t n, const RegionComponent& component) { return n < component.first; });
    scratch.goal_ = node;
    scratch.first_ = std::prev(after)->first;
    scratch.size_ = std::prev(after)->size;
    if (scratch.seen_.size() < components_.back().last()) {
        scratch.seen_.resize(components_.back().last());
        scratch.distance_.resize(components_.back().last());
    }
    if (++scratch.round_ == 0) {  // wrapped: stamps of 2^32 goals ago would be valid again
        std::fill(scratch.seen_.begin(), scratch.seen_.end(), 0u);
        scratch.round_ = 1;
    }
    scratch.seen_[node] = scratch.round_;
    scratch.distance_[node] = 0;
}

uint64_t PathTable::distance(const TerrainRegions& regions, const RegionGraph& graph, RegionId from,
                             RegionHeuristicScratch& scratch) const {
    uint32_t sector = regions.sector_of(from), number = regions.number_of(from);
    uint32_t node = nodes_(sector, number);
    if (node - scratch.first_ >= scratch.size_) return 0;  // another component; also true for kNoNode
    const RegionData& data = regions.data();
    while (scratch.seen_[node] != scratch.round_) {
        const SectorRecord& record = data.record(sector);
        const Region& here = record.regions()[number];
        const RegionEdge edge = record.edges_of(number)[first_edge(node, scratch.goal_)];
        sector = regions.neighbour(sector, edge.side());
        number = edge.number();
        scratch.path_.push_back({node, graph.estimate(here, data.record(sector).regions()[number])});
        node = nodes_(sector, number);
    }
    uint64_t distance = scratch.distance_[node];
    for (; !scratch.path_.empty(); scratch.path_.pop_back()) {
        const auto [walked, cost] = scratch.path_.back();
        distance += cost;
        scratch.seen_[walked] = scratch.round_;
        scratch.distance_[walked] = distance;
    }
    return distance;
}

}  // namespace terrane::detail
