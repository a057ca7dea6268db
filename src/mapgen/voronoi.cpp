// generate_voronoi(): exact discrete Voronoi diagram.
// Based on: Meijster, Roerdink, Hesselink 2000 (linear-time distance transform), computing the nearest site instead of the distance. In
// each row, only the nearest site of each column can own cells; a sweep over those finds the owners and where their spans begin.
#include <algorithm>
#include <vector>

#include "mapgen/checks.h"
#include "mapgen/choose.h"
#include "mapgen/palette.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {

using namespace detail;

namespace {

constexpr int32_t kMaxSites = 1'000'000;

Result<void> check(const VoronoiOptions& o) {
    if (const auto sides = check_sides("a map", o.width, o.height, 1); !sides) return sides;
    const int64_t max_sites = std::min<int64_t>(kMaxSites, int64_t{o.width} * o.height);
    if (!within(o.sites, 1, max_sites)) {
        return refuse(std::to_string(o.sites) + " sites: expected 1 to " + std::to_string(max_sites) + " on this map");
    }
    return check_terrains(o.terrains);
}

int64_t square(int64_t v) { return v * v; }

// The sites of one column from top to bottom; `current` is the one nearest to the present row.
struct Column {
    size_t current = 0, last = 0;
};

// The cells of a row that a site owns: from `begin` to the begin of the next span.
struct Span {
    Cell site;
    Terrain terrain = 0;
    int64_t begin = 0;
};

class Sweep {
public:
    explicit Sweep(std::vector<VoronoiSite> sites) : sites_(std::move(sites)) {
        std::ranges::sort(sites_, {}, [](const VoronoiSite& s) { return std::pair(s.cell.x, s.cell.y); });
        for (size_t k = 0; k < sites_.size(); ++k) {
            if (k == 0 || sites_[k].cell.x != sites_[k - 1].cell.x) columns_.push_back({k, k});
            columns_.back().last = k;
        }
    }

    // Call it once per row, in ascending order.
    void draw_row(int32_t y, std::span<Terrain> row) {
        spans_.clear();
        for (Column& column : columns_) add(nearest(column, y), y, static_cast<int64_t>(row.size()));
        for (size_t k = 0; k < spans_.size(); ++k) {
            const auto begin = static_cast<size_t>(spans_[k].begin);
            const size_t end = k + 1 < spans_.size() ? static_cast<size_t>(spans_[k + 1].begin) : row.size();
            std::ranges::fill(row.subspan(begin, end - begin), spans_[k].terrain);
        }
    }

private:
    // Ties: the upper one.
    const VoronoiSite& nearest(Column& column, int32_t y) const {
        const auto distance = [&](size_t k) { return std::abs(sites_[k].cell.y - y); };
        while (column.current < column.last && distance(column.current + 1) < distance(column.current)) ++column.current;
        return sites_[column.current];
    }

    // Adds the next site to the right: it takes the cells that are strictly nearer to it than to the previous sites.
    void add(const VoronoiSite& site, int32_t y, int64_t width) {
        const auto distance = [&](Cell c, int64_t x) { return square(c.x - x) + square(c.y - y); };
        while (!spans_.empty()) {
            const Span& top = spans_.back();
            if (distance(top.site, top.begin) <= distance(site.cell, top.begin)) break;
            spans_.pop_back();
        }
        const int64_t begin = spans_.empty() ? 0 : first_nearer(spans_.back().site, site.cell, y);
        if (begin < width) spans_.push_back({site.cell, site.terrain, begin});
    }

    // Returns the first x of the row that is strictly nearer to b than to a. Requires a.x < b.x, and an x >= 0 where a is not farther.
    static int64_t first_nearer(Cell a, Cell b, int32_t y) {
        const int64_t rise = square(b.x) - square(a.x) + square(b.y - y) - square(a.y - y);
        return rise / (2 * (int64_t{b.x} - a.x)) + 1;
    }

    std::vector<VoronoiSite> sites_;  // in column order
    std::vector<Column> columns_;     // with sites, left to right
    std::vector<Span> spans_;         // of the present row
};

std::vector<VoronoiSite> draw_sites(const VoronoiOptions& o) {
    std::vector<VoronoiSite> sites;
    sites.reserve(static_cast<size_t>(o.sites));
    Rng rng(o.seed);
    const auto width = static_cast<uint32_t>(o.width);
    choose(rng, width * static_cast<uint32_t>(o.height), static_cast<uint32_t>(o.sites), [&](uint32_t k) {
        sites.push_back({{static_cast<int32_t>(k % width), static_cast<int32_t>(k / width)}, 0});
    });
    for (VoronoiSite& site : sites) site.terrain = draw_terrain(rng, o.terrains);
    return sites;
}

}  // namespace

Result<std::vector<VoronoiSite>> voronoi_sites(const VoronoiOptions& options) {
    if (const auto checked = check(options); !checked) return checked.error();
    return draw_sites(options);
}

Result<TerrainGrid> generate_voronoi(const VoronoiOptions& options) {
    if (const auto checked = check(options); !checked) return checked.error();
    std::vector<Terrain> cells(cell_count(options.width, options.height));
    const auto columns = static_cast<size_t>(options.width);
    Sweep sweep(draw_sites(options));
    for (int32_t y = 0; y < options.height; ++y) sweep.draw_row(y, std::span(cells).subspan(static_cast<size_t>(y) * columns, columns));
    return TerrainGrid(options.width, options.height, cells);
}

}  // namespace terrane
