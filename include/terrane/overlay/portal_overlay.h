// Portal overlay: a graph of border cells ("portals") for one profile. Searching it is short, and its paths are near-optimal.
// Based on: Delling, Goldberg, Pajor, Werneck 2011 (customizable route planning), on grids; Goldberg, Harrelson 2005 (ALT).
//
// Clusters are squares of 33x33 cells. Adjacent clusters share one row or column of cells, the border segment between them. No step is
// longer than one cell, so every path between two clusters has a cell on a border segment. A segment is cut into `portals_per_side`
// sections, and each passable run of cells in a section has one portal: its cheapest cell (ties: the one nearest to the section's middle,
// then the first). All cells of a run connect to its portal along the run inside either cluster. Hence a path over cells exists if and
// only if one over portals does, whatever the obstacles.
//
// Distances between the portals of a cluster are exact for paths that stay inside it. Their unit is 29 for a straight and 41 for a
// diagonal step, times the sum of the two cells' costs; the cost of the final cells is computed in exact Cost units. Landmarks direct the
// search: the potentials p(L, .) satisfy |p(L, a) - p(L, b)| <= d(a, b) for any two portals a, b of a cluster. On large maps, searches
// visit a small graph of cells of 8x8 clusters instead (level_cells.h), and only that graph has landmarks.
//
// An overlay is a function of the map alone, so searches of a repaired one give the answers of a new one.
//
// Memory: 4 bytes per pair of portals of a cluster, 8 per portal and landmark, and 0.8 KB per portal and non-uniform cluster for
// first-move tables, from which the cells of a path are written out. The overlay stores as many first-move tables as
// OverlayOptions::max_bytes allows; a search rebuilds the others on demand and caches them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "terrane/base/memory.h"
#include "terrane/base/paged_vector.h"
#include "terrane/grid/ground.h"
#include "terrane/grid/profile.h"

namespace terrane {

// segment << OverlayData::shift | index of the portal in its border segment.
using PortalId = uint32_t;
inline constexpr PortalId kNoPortal = 0xffffffff;

inline constexpr int32_t kClusterStep = 32;  // cells from one border to the next
inline constexpr uint32_t kMaxPortalsPerSide = 8;

struct OverlayOptions {
    uint32_t portals_per_side = 2;  // sections per border segment, each with one portal per passable run; 1 to kMaxPortalsPerSide
    uint32_t landmarks = 32;        // 0 to 64, a multiple of 8; 0: no levels either
    uint32_t threads = 1;           // for building; 0: all cores; the result is the same for any number
    size_t max_bytes = 0;       // limit for tables, landmarks (both are always stored) and first-move tables; 0: 8 per cell, at least 16 MB
    uint32_t levels_from = 17;  // levels for maps with at least so many clusters along a side: more than 512 cells
};

namespace detail {

inline constexpr uint32_t kNoPath = 0xffffffff;  // as a distance: no path inside the cluster
inline constexpr uint32_t kNoSegment = 0xffffffff;

// Potentials are clamped to this, so that the sum or difference of two fits. Clamping moves no two potentials farther apart.
inline constexpr int32_t kMaxPotential = (1 << 30) - 1;

using LandmarkClusters = std::array<uint32_t, 64>;

// The border segment between two clusters: the row or column of cells that they share.
struct SegmentRecord {
    Vector<Cell> portals;
};

// View of the portals of a cluster in the order of its sides (north, east, south, west): keys, pairwise distances and coarse potentials,
// in two blocks of memory that lie side by side in a new overlay. (Potentials stored per segment: searches 33% slower. In one block with
// the distances: edits 1.3 times as long, because every change of potentials copies the distances.)
class PortalTable {
public:
    // The portal counts are stored beside the pointers: a search would otherwise wait for two dependent reads.
    struct Block {
        std::shared_ptr<uint32_t[]> words;
        std::shared_ptr<int16_t[]> coarse;
        uint32_t ends = 0;  // end index of each side's portals, 8 bits each
    };
    // A portal independent of OverlayData::shift: segment << 8 | index in the segment.
    using Key = uint32_t;

    // `first`: index of the first portal of each side, then their total, at most 255. Keys and distances are 0; no coarse potentials.
    static Block make(const std::array<uint32_t, 5>& first) {
        return {make_scoped_shared<uint32_t[]>(words(first[4])), nullptr, first[1] | first[2] << 8 | first[3] << 16 | first[4] << 24};
    }
    explicit PortalTable(const Block& block) : words_(block.words.get()), coarse_(block.coarse.get()), ends_(block.ends) {}

    uint32_t first(uint32_t side) const { return side == 0 ? 0 : ends_ >> (8 * (side - 1)) & 255; }
    uint32_t count() const { return ends_ >> 24; }
    Key* keys() { return words_; }
    const Key* keys() const { return words_; }
    // Distances from one portal to each; kNoPath if not connected.
    uint32_t* row(uint32_t portal) { return words_ + size_t{portal + 1} * count(); }
    const uint32_t* row(uint32_t portal) const { return words_ + size_t{portal + 1} * count(); }
    // Coarse potentials, portal by portal, one per landmark.
    const int16_t* coarse() const { return coarse_; }
    // The size of keys and distances.
    size_t word_count() const { return words(count()); }
    size_t bytes(uint32_t landmarks) const { return word_count() * sizeof(uint32_t) + size_t{count()} * landmarks * sizeof(int16_t); }

private:
    static size_t words(size_t portals) { return portals + portals * portals; }
    uint32_t* words_;
    const int16_t* coarse_;
    uint32_t ends_;
};

struct FirstMoveTable;  // cluster_field.h

struct ClusterRecord {
    uint32_t uniform_cost = 0;                          // of all cells; 0 if they differ. Distances in a uniform cluster have a closed form
    std::shared_ptr<const FirstMoveTable> first_moves;  // null if the cluster is uniform or max_bytes left no room
};

struct Levels;  // level_cells.h

struct OverlayData {
    Ground ground;
    CostTable table_costs;   // costs behind the distance tables: those of `ground`, halved if distances would not fit 32 bits
    OverlayOptions options;  // landmarks: 0 if searches use levels, which have landmarks of their own
    uint32_t landmarks_asked = 0;
    std::shared_ptr<const Levels> levels;  // null on small and on noisy maps
    uint32_t crowded_cells = 0;            // cells of the largest level with too many border portals for levels
    uint32_t clusters_x = 0, clusters_y = 0;
    uint32_t shift = 0;  // bits of a portal's index in a PortalId
    PagedVector<std::shared_ptr<const SegmentRecord>> segments;
    PagedVector<std::shared_ptr<const ClusterRecord>> clusters;
    PagedVector<PortalTable::Block> tables;              // per cluster
    PagedVector<std::shared_ptr<int32_t[]>> potentials;  // per segment: landmark by landmark, one per portal
    LandmarkClusters landmark_clusters{};                // portals of landmark i's cluster have potential 0; landmark_roots.h
    uint32_t coarse_shift = 0;                           // coarse potentials are in units of 2^coarse_shift, clamped to 32767
    std::array<uint32_t, 32> potential_widths{};         // [b]: segments whose largest potential below kMaxPotential has b bits
    uint64_t portals = 0;
    std::array<uint32_t, 9> widths{};  // widths[b]: segments whose portal indices need b bits
    uint32_t first_move_share = 0;     // of the clusters, in 1/65536, that store their first-move tables

    uint32_t cluster_count() const { return clusters_x * clusters_y; }
    Rect cluster_rect(uint32_t cluster) const;

    // Border segments: 2 c is the one to the east of cluster c, 2 c + 1 the one to its south. Those at the edge of the map have no
    // portals.
    uint32_t segment_count() const { return 2 * cluster_count(); }
    static bool vertical(uint32_t segment) { return segment % 2 == 0; }
    Rect segment_rect(uint32_t segment) const;  // empty at the edge of the map
    // The two clusters of a segment (left and right, or upper and lower), and which side of each it is.
    uint32_t cluster_of(uint32_t segment, bool second) const { return segment / 2 + (!second ? 0 : vertical(segment) ? 1 : clusters_x); }
    static uint32_t side_of(uint32_t segment, bool second) { return vertical(segment) ? (second ? 3 : 1) : (second ? 0 : 2); }
    // The segment on a side of a cluster (0 north, 1 east, 2 south, 3 west); kNoSegment at the edge of the map.
    uint32_t segment_of(uint32_t cluster, uint32_t side) const {
        const uint32_t x = cluster % clusters_x, y = cluster / clusters_x;
        switch (side) {
            case 0: return y == 0 ? kNoSegment : 2 * (cluster - clusters_x) + 1;
            case 1: return x + 1 == clusters_x ? kNoSegment : 2 * cluster;
            case 2: return y + 1 == clusters_y ? kNoSegment : 2 * cluster + 1;
            default: return x == 0 ? kNoSegment : 2 * (cluster - 1);
        }
    }

    // Whether searches use the levels. If not, they visit all portals.
    bool by_levels() const { return levels != nullptr && options.landmarks == 0 && landmarks_asked > 0; }

    PortalTable table(uint32_t cluster) const { return PortalTable(tables[cluster]); }
    bool keeps_first_moves(uint32_t cluster) const { return (cluster * 40503 & 0xffff) < first_move_share; }
    PortalId id(PortalTable::Key key) const { return key >> 8 << shift | (key & 255); }
    uint32_t index_in_segment(PortalId id) const { return id & ((1u << shift) - 1); }
    Cell portal(PortalId id) const { return segments[id >> shift]->portals[index_in_segment(id)]; }
    int32_t potential(PortalId id, uint32_t landmark) const {
        const uint32_t segment = id >> shift;
        return potentials[segment][static_cast<std::ptrdiff_t>(landmark * segments[segment]->portals.size() + index_in_segment(id))];
    }
    std::shared_ptr<int16_t[]> make_coarse(uint32_t cluster) const;  // the coarse potentials of a cluster, from `potentials`
};

}  // namespace detail

// An overlay for one version of a map, one profile and one movement rule. Immutable; copies share the data. Thread-safe.
class PortalOverlay {
public:
    // The map has at least one cell.
    static PortalOverlay build(const Ground& ground, const OverlayOptions& options = {});

    // The overlay for the map after an edit; nullopt if `edit` began at another version than this overlay's. Rebuilds the clusters that
    // the edit touched and repairs potentials. The result equals a new build, except for which first-move tables it stores.
    std::optional<PortalOverlay> updated(const EditResult& edit) const;

    // Whether it was built for this version, movement rule and costs.
    bool valid_for(const Ground& ground) const;

    uint64_t portal_count() const { return data_->portals; }
    // All memory, including what it shares with other versions.
    size_t bytes() const;
    // The same without first-move tables: max_bytes cannot go below this.
    size_t table_bytes() const;

    const detail::OverlayData& data() const { return *data_; }

private:
    friend class OverlayBuilder;
    friend class OverlayUpdater;
    explicit PortalOverlay(std::shared_ptr<const detail::OverlayData> data) : data_(std::move(data)) {}
    std::shared_ptr<const detail::OverlayData> data_;
};

// Builds an overlay in slices, for example while a game runs. The result equals PortalOverlay::build. One thread at a time.
class OverlayBuilder {
public:
    // The map has at least one cell.
    OverlayBuilder(const Ground& ground, const OverlayOptions& options = {});
    ~OverlayBuilder();
    OverlayBuilder(OverlayBuilder&&) noexcept;
    OverlayBuilder& operator=(OverlayBuilder&&) noexcept;

    // Works for about `budget` portal expansions (a cluster counts as kClusterWork of them). Returns true when finished.
    static constexpr uint64_t kClusterWork = 100;
    bool run(uint64_t budget);
    double progress() const;  // 0 to 1
    // Call once, after run() returned true.
    PortalOverlay take();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Updates an overlay in slices. The result equals PortalOverlay::updated. One thread at a time.
class OverlayUpdater {
public:
    // `edit` began at the version that `overlay` is for. Selects the portals of the border segments that the edit touched.
    OverlayUpdater(const PortalOverlay& overlay, const EditResult& edit);
    ~OverlayUpdater();
    OverlayUpdater(OverlayUpdater&&) noexcept;
    OverlayUpdater& operator=(OverlayUpdater&&) noexcept;

    // Rebuilds clusters for about `budget` portal expansions (a cluster counts as OverlayBuilder::kClusterWork of them). Returns true
    // when finished. Repairing levels and landmarks is one last, indivisible step.
    bool run(uint64_t budget);
    double progress() const;  // 0 to 1, of the clusters
    // Call once, after run() returned true.
    PortalOverlay take();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
