// merge_small_areas(): the clean-up of the benchmark paper (dynamic terrain abstraction, section 5). A run is a maximal sequence of cells
// of one terrain in a row; areas are sets of runs in a union-find (Tarjan 1975). The runs of an area form a ring, so merging takes O(1).
#include "terrane/mapgen/mapgen.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "terrane/base/assert.h"

namespace terrane {

namespace {

struct Run {
    int32_t row = 0;
    int32_t left = 0;
    uint32_t parent = 0;  // union-find; the root is the area's first run
    uint32_t ring = 0;    // next run of the area
    uint32_t cells = 0;   // of the area; valid at its root
    Terrain terrain = 0;  // of the area; valid at its root
};

class Areas {
public:
    Areas(std::span<const Terrain> cells, int32_t width, int32_t height) : width_(width), height_(height) {
        for (int32_t y = 0; y < height; ++y) {
            row_start_.push_back(static_cast<uint32_t>(runs_.size()));
            read_row(&cells[static_cast<size_t>(y) * static_cast<size_t>(width)], y);
        }
        row_start_.push_back(static_cast<uint32_t>(runs_.size()));
        for (uint32_t r = 0; r < runs_.size(); ++r) join_row_below(r);
    }

    uint32_t size() const { return static_cast<uint32_t>(runs_.size()); }
    bool is_root(uint32_t run) const { return runs_[run].parent == run; }
    uint32_t cells(uint32_t root) const { return runs_[root].cells; }

    // Gives the area the terrain of the neighbour with the longest common border, and merges it with all neighbours of that terrain.
    // Returns the root of the new area, or kNoArea if there is no neighbour.
    static constexpr uint32_t kNoArea = 0xffffffff;
    uint32_t merge_into_neighbour(uint32_t root) {
        const auto& borders = find_borders(root);
        if (borders.empty()) return kNoArea;
        const auto worse = [&](const Border& a, const Border& b) {
            return a.length != b.length ? a.length < b.length : runs_[a.area].terrain > runs_[b.area].terrain;
        };
        const Terrain terrain = runs_[std::max_element(borders.begin(), borders.end(), worse)->area].terrain;
        for (const Border& border : borders) {
            if (runs_[border.area].terrain == terrain) root = join(root, border.area);
        }
        runs_[root].terrain = terrain;
        return root;
    }

    void write(std::span<Terrain> cells) {
        for (uint32_t r = 0; r < size(); ++r) {
            Terrain* row = &cells[static_cast<size_t>(runs_[r].row) * static_cast<size_t>(width_)];
            const Terrain terrain = runs_[find(r)].terrain;
            if (row[runs_[r].left] != terrain) std::fill(row + runs_[r].left, row + right(r), terrain);
        }
    }

private:
    struct Border {
        uint32_t area = 0;
        uint32_t length = 0;
    };

    void read_row(const Terrain* row, int32_t y) {
        for (int32_t x = 0; x < width_;) {
            const int32_t left = x;
            while (x < width_ && row[x] == row[left]) ++x;
            const uint32_t r = size();
            runs_.push_back({y, left, r, r, static_cast<uint32_t>(x - left), row[left]});
        }
    }

    // One past the run's last column.
    int32_t right(uint32_t run) const {
        return run + 1 < row_start_[static_cast<size_t>(runs_[run].row) + 1] ? runs_[run + 1].left : width_;
    }

    // Calls visit(other, common columns) for each run of row `row` that shares columns with this run.
    template <class Visit>
    void for_each_adjacent(uint32_t run, int32_t row, Visit&& visit) const {
        if (row < 0 || row >= height_) return;
        const auto first = runs_.begin() + row_start_[static_cast<size_t>(row)],
                   last = runs_.begin() + row_start_[static_cast<size_t>(row) + 1];
        const int32_t left = runs_[run].left, end = right(run);
        auto it = std::upper_bound(first, last, left, [](int32_t x, const Run& r) { return x < r.left; }) - 1;
        for (; it != last && it->left < end; ++it) {
            const auto other = static_cast<uint32_t>(it - runs_.begin());
            visit(other, static_cast<uint32_t>(std::min(end, right(other)) - std::max(left, it->left)));
        }
    }

    uint32_t find(uint32_t run) {
        while (runs_[run].parent != run) run = runs_[run].parent = runs_[runs_[run].parent].parent;
        return run;
    }

    // `a` and `b` are roots; the earlier one remains a root.
    uint32_t join(uint32_t a, uint32_t b) {
        if (a == b) return a;
        if (b < a) std::swap(a, b);
        runs_[b].parent = a;
        runs_[a].cells += runs_[b].cells;
        std::swap(runs_[a].ring, runs_[b].ring);
        return a;
    }

    void join_row_below(uint32_t run) {
        for_each_adjacent(run, runs_[run].row + 1, [&](uint32_t other, uint32_t) {
            if (runs_[find(other)].terrain == runs_[find(run)].terrain) join(find(run), find(other));
        });
    }

    // Returns the adjacent areas, each once, with the lengths of the common borders.
    const std::vector<Border>& find_borders(uint32_t root) {
        borders_.clear();
        uint32_t run = root;
        do {
            collect_borders(root, run);
            run = runs_[run].ring;
        } while (run != root);
        std::sort(borders_.begin(), borders_.end(), [](const Border& a, const Border& b) { return a.area < b.area; });
        size_t kept = 0;
        for (const Border& border : borders_) {
            if (kept > 0 && borders_[kept - 1].area == border.area) {
                borders_[kept - 1].length += border.length;
            } else {
                borders_[kept++] = border;
            }
        }
        borders_.resize(kept);
        return borders_;
    }

    void collect_borders(uint32_t root, uint32_t run) {
        const auto note = [&](uint32_t other, uint32_t length) {
            if (const uint32_t area = find(other); area != root) borders_.push_back({area, length});
        };
        const Run& r = runs_[run];
        if (r.left > 0) note(run - 1, 1);
        if (right(run) < width_) note(run + 1, 1);
        for_each_adjacent(run, r.row - 1, note);
        for_each_adjacent(run, r.row + 1, note);
    }

    int32_t width_;
    int32_t height_;
    std::vector<Run> runs_;            // by rows
    std::vector<uint32_t> row_start_;  // first run of each row, then size()
    std::vector<Border> borders_;
};

}  // namespace

void merge_small_areas(std::span<Terrain> cells, int32_t width, int32_t height, uint32_t min_cells) {
    TERRANE_ASSERT(width >= 1 && height >= 1 && cells.size() == static_cast<size_t>(width) * static_cast<size_t>(height));
    if (min_cells <= 1) return;
    Areas areas(cells, width, height);
    using Entry = std::pair<uint32_t, uint32_t>;  // cells, root: smallest first, ties by row order
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> small;
    const auto consider = [&](uint32_t root) {
        if (areas.cells(root) < min_cells) small.emplace(areas.cells(root), root);
    };
    for (uint32_t r = 0; r < areas.size(); ++r) {
        if (areas.is_root(r)) consider(r);
    }
    while (!small.empty()) {
        const auto [count, root] = small.top();
        small.pop();
        if (!areas.is_root(root) || areas.cells(root) != count) continue;  // has grown since
        if (const uint32_t grown = areas.merge_into_neighbour(root); grown != Areas::kNoArea) consider(grown);
    }
    areas.write(cells);
}

}  // namespace terrane
