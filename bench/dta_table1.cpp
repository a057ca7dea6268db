// `terrane bench dta-table1`: Table 1 of the Dynamic Terrain Abstraction paper: number and bytes of the regions of a map, and the times to
// build and to repair them.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/bench.h"
#include "bench/measurements.h"
#include "bench/progress.h"
#include "bench/scenes.h"
#include "terrane/base/rng.h"
#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane {

namespace dta_table1_bench {
namespace {

constexpr uint32_t kSectors[] = {8, 16, 32};
constexpr int kPasses = 3;  // the best pass counts

// Counts of the authors' code on the first of their maps.
struct Published {
    uint32_t sector;
    uint64_t regions, edges;
};
constexpr Published kMap1[] = {{8, 79931, 622052}, {16, 24206, 183764}, {32, 8208, 59970}};

struct Subject {
    TerrainGrid grid;
    TerrainRegions regions;

    Subject(const GridSnapshot& map, uint32_t sector)
        : grid(editable(map)), regions(TerrainRegions::build(grid.snapshot(), {sector, true, 1})) {}

    // Returns the milliseconds of TerrainRegions::updated alone, without the edit and without destroying the old version.
    double set(Cell cell, Terrain terrain, RepairReport* report = nullptr) {
        const EditResult edit = grid.set(cell, terrain);
        double ms = 0;
        auto next = timed(ms, [&] { return regions.updated(edit, report); });
        regions = std::move(*next);
        return ms;
    }
};

Cell random_cell(const GridSnapshot& map, Rng& rng) {
    const int32_t x = rng.between(0, map.width() - 1);
    return {x, rng.between(0, map.height() - 1)};
}

Error wrong(const BenchScene& scene, uint32_t sector, const std::string& what) {
    return {ErrorCode::kBadValue, scene.name, 0, fmt::format("dta:{}: {}", sector, what)};
}

Result<void> check_counts(const BenchScene& scene, const TerrainRegions& built) {
    if (scene.name != "Map1.map" || scene.grid.width() != 2048 || scene.grid.height() != 2048) return {};
    for (const Published& p : kMap1) {
        if (p.sector != built.sector() || (p.regions == built.region_count() && p.edges == built.edge_count())) continue;
        return wrong(scene, p.sector,
                     fmt::format("{} regions and {} edges, but {} and {} are published", built.region_count(), built.edge_count(),
                                 p.regions, p.edges));
    }
    return {};
}

// Makes edits of several sizes and compares the repaired regions with a rebuild by three threads.
Result<void> check_repairs(const BenchScene& scene, uint32_t sector, int edits) {
    Subject subject(scene.grid, sector);
    Rng rng(sector);
    for (int i = 0; i < edits; ++i) {
        const Cell at = random_cell(scene.grid, rng);
        const int32_t side = std::array{1, 1, 3, 40}[rng.below(4)];
        const auto terrain = static_cast<Terrain>(rng.below(scene.grid.catalogue().size()));
        subject.regions = *subject.regions.updated(subject.grid.fill({at, {side, side}}, terrain));
    }
    if (subject.regions == TerrainRegions::build(subject.grid.snapshot(), {sector, true, 3})) return {};
    return wrong(scene, sector, "repaired regions differ from rebuilt ones");
}

Result<void> check_labels(const BenchScene& scene, const TerrainRegions& built) {
    Rng rng(1);
    for (int i = 0; i < 1000; ++i) {
        const Cell cell = random_cell(scene.grid, rng);
        if (built.region_of(cell) != built.search_region_of(cell)) return wrong(scene, built.sector(), "label and search differ");
    }
    return {};
}

// The upper left cell of a sector belongs to its region 0 and lies on its border. A different terrain there renumbers all regions, so the
// sector is relabelled and all edges to it change. Edits every `stride`th sector and restores it.
double full_repair_ms(Subject& subject, uint32_t stride) {
    BestTimes best;
    for (int pass = 0; pass < kPasses; ++pass, best.restart()) {
        for (uint32_t s = 0; s < subject.regions.sectors(); s += stride) {
            const Rect rect = subject.regions.sector_rect(s);
            const Cell corner = rect.corner();
            const GridSnapshot map = subject.grid.snapshot();
            const Terrain was = map.at(corner);
            best.add(subject.set(corner, static_cast<Terrain>((was + 1u) % map.catalogue().size())));
            best.add(subject.set(corner, was));
        }
    }
    return best.samples().mean();
}

// Random cells take the terrain of their right neighbour, where it differs, and then their own again. Counts only local repairs: a cell
// that moves to another region, without relabelling.
double local_repair_ms(Subject& subject, int wanted) {
    Rng rng(2);
    RepairReport report;
    Samples repairs;
    for (int tries = 0; static_cast<int>(repairs.count()) < wanted && tries < wanted * 1000; ++tries) {
        const GridSnapshot map = subject.grid.snapshot();
        const Cell cell = random_cell(map, rng);
        const Terrain was = map.at(cell), right = map.at(Cell{cell.x + 1, cell.y});
        if (right == was || right == kOutside) continue;
        for (const Terrain t : {right, was}) {
            const double ms = subject.set(cell, t, &report);
            if (report.cells_moved > 0) repairs.add(ms);
        }
    }
    return repairs.mean();
}

// Adds the nanoseconds to find the region of a cell, and the number of cells read.
void locate(const TerrainRegions& regions, bool by_search, int times, Measurements& row) {
    Rng rng(3);
    std::vector<Cell> cells(static_cast<size_t>(times));
    for (Cell& c : cells) c = random_cell(regions.grid(), rng);
    row["ns_locate"].add(1e6 / times * best_ms(kPasses, [&] {
                             for (const Cell c : cells) by_search ? regions.search_region_of(c) : regions.region_of(c);
                         }));
    for (const Cell c : cells) {
        uint64_t looked_at = 1;
        if (by_search) regions.search_region_of(c, &looked_at);
        row["cells_looked_at"].add(static_cast<double>(looked_at));
    }
}

// The formula of the paper's Memory column: 1 byte per cell, 16 per edge, 1 per region (plus 8 in total, where 8 per region were
// presumably meant), three pointers per sector; no labels. With Table 1's means it gives 5,259,147, 7,541,752 and 15,783,222; the table
// prints 5,259,154, 7,541,755 and 15,783,227.
double paper_bytes(const TerrainRegions& regions) {
    return static_cast<double>(regions.grid().layout().cells() + 16 * regions.edge_count() + regions.region_count() + 8 +
                               uint64_t{24} * regions.sectors());
}

// All bytes: terrain and regions, each with its directory. Without labels, the region of a cell is found by a search.
void measure(const BenchScene& scene, uint32_t sector, bool labels, bool quick, Measurements& row) {
    const auto build = [&] { return TerrainRegions::build(scene.grid, {sector, labels, 1}); };
    const TerrainRegions regions = build();
    const auto bytes = static_cast<double>(regions.bytes() + regions.grid().bytes());
    row.bytes.add(bytes);
    row.build_ms.add(best_ms(kPasses, build));
    row["regions"].add(static_cast<double>(regions.region_count()));
    row["edges"].add(static_cast<double>(regions.edge_count()));
    row["bytes_per_cell"].add(bytes / static_cast<double>(regions.grid().layout().cells()));
    locate(regions, !labels, quick ? 2000 : 20000, row);
    if (!labels) return;
    Subject subject(scene.grid, sector);
    row["bytes_paper"].add(paper_bytes(regions));
    row.repair_ms.add(full_repair_ms(subject, quick ? 16 : 1));
    row["repair_local_ms"].add(local_repair_ms(subject, quick ? 50 : 2000));
}

std::vector<ReportRow> paper_rows() {
    const nlohmann::ordered_json paper = {{"map", "mean of 20, 2048x2048"}}, authors = {{"map", "authors' code, labels counted"}};
    return {{"dta:8", paper, {{"regions", 79774}, {"edges", 621017}, {"bytes_paper", 15783227}, {"repair_ms", 0.02345}}},
            {"dta:16", paper, {{"regions", 24112}, {"edges", 183132}, {"bytes_paper", 7541755}, {"repair_ms", 0.08675}}},
            {"dta:32", paper, {{"regions", 8195}, {"edges", 59896}, {"bytes_paper", 5259154}, {"repair_ms", 0.31855}}},
            {"dta:8", authors, {{"bytes", 23.0e6}}},
            {"dta:16", authors, {{"bytes", 12.8e6}}},
            {"dta:32", authors, {{"bytes", 9.9e6}}}};
}

}  // namespace
}  // namespace dta_table1_bench

Result<Report> bench_dta_table1(const BenchOptions& options) {
    using namespace dta_table1_bench;
    const auto scenes = bench_scenes(options);
    if (!scenes) return scenes.error();
    Progress progress("dta-table1", scenes->size() * std::size(kSectors) * 3);
    for (const BenchScene& scene : *scenes) {
        for (const uint32_t sector : kSectors) {
            const TerrainRegions built = TerrainRegions::build(scene.grid, {sector, true, 1});
            for (const auto& checked :
                 {check_counts(scene, built), check_repairs(scene, sector, options.quick ? 50 : 500), check_labels(scene, built)}) {
                if (!checked) return checked.error();
            }
            progress.advance();
        }
    }
    MeasuredRows rows;
    for (const BenchScene& scene : *scenes) {
        for (const uint32_t sector : kSectors) {
            for (const bool labels : {true, false}) {
                measure(scene, sector, labels, options.quick,
                        rows.at(fmt::format("dta:{}{}", sector, labels ? "" : "+bfs"), {{"map", scene.name}}));
                progress.advance();
            }
        }
    }
    Report report{"dta-table1", rows.without("map", fmt::format("mean of {}", scenes->size())).rows(), paper_rows()};
    if (scenes->size() > 1) report.add(rows.rows());
    report.notes = {
        "bytes: terrain, regions, edges, labels and directories; bytes_paper: by the paper's formula.\n"
        "repair_ms: an edit of a sector's corner cell, and its reversal, that relabels the sector and changes its edges; mean over all\n"
        "sectors; TerrainRegions::updated alone. repair_local_ms: edits that need no relabelling. +bfs: without labels."};
    return report;
}

}  // namespace terrane
