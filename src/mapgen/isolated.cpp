// Two passes. The first labels components row by row with a union-find over one row (after Rosenfeld, Pfaltz 1966) and records the size and
// first cell of each. The second flood-fills the largest.
#include "mapgen/isolated.h"

#include <numeric>
#include <utility>
#include <vector>

namespace terrane::detail {

namespace {

constexpr uint32_t kNone = UINT32_MAX;

struct Area {
    uint32_t cells = 0;
    uint32_t first = kNone;  // first cell in row order

    bool beats(const Area& other) const { return cells != other.cells ? cells > other.cells : first < other.first; }
};

class LargestArea {
public:
    LargestArea(std::span<const Terrain> cells, uint32_t width, Terrain ground) : cells_(cells), label_(width, kNone), ground_(ground) {
        for (uint32_t row = 0; row < cells.size(); row += width) {
            read_row(row);
            finish_row();
        }
    }

    const Area& largest() const { return largest_; }

private:
    // label_ holds the row above on entry, this row on return.
    void read_row(uint32_t row) {
        uint32_t left = kNone;
        for (uint32_t x = 0; x < label_.size(); ++x) {
            const bool open = cells_[row + x] == ground_;
            left = label_[x] = open ? label_of(left, label_[x], row + x) : kNone;
        }
    }

    uint32_t label_of(uint32_t left, uint32_t above, uint32_t cell) {
        if (left == kNone && above == kNone) {
            parent_.push_back(static_cast<uint32_t>(areas_.size()));
            areas_.push_back({1, cell});
            return parent_.back();
        }
        const uint32_t label = left == kNone || above == kNone ? root(left == kNone ? above : left) : join(root(left), root(above));
        ++areas_[label].cells;
        return label;
    }

    uint32_t root(uint32_t label) {
        while (parent_[label] != label) label = parent_[label] = parent_[parent_[label]];
        return label;
    }

    uint32_t join(uint32_t a, uint32_t b) {
        if (a == b) return a;
        if (areas_[b].cells > areas_[a].cells) std::swap(a, b);
        parent_[b] = a;
        areas_[a].cells += areas_[b].cells;
        areas_[a].first = areas_[b].first < areas_[a].first ? areas_[b].first : areas_[a].first;
        return a;
    }

    // Drops areas that do not touch this row, and renumbers the others 0, 1, ...
    void finish_row() {
        renamed_.assign(areas_.size(), kNone);
        live_.clear();
        for (const Area& area : areas_) {
            if (area.beats(largest_)) largest_ = area;
        }
        for (uint32_t& label : label_) {
            if (label == kNone) continue;
            uint32_t& name = renamed_[root(label)];
            if (name == kNone) {
                name = static_cast<uint32_t>(live_.size());
                live_.push_back(areas_[root(label)]);
            }
            label = name;
        }
        std::swap(areas_, live_);
        parent_.resize(areas_.size());
        std::iota(parent_.begin(), parent_.end(), 0u);
    }

    std::span<const Terrain> cells_;
    std::vector<uint32_t> label_;  // by column
    std::vector<uint32_t> parent_, renamed_;
    std::vector<Area> areas_, live_;
    Area largest_;
    Terrain ground_;
};

// Replaces the component of `first` by `paint`, breadth first, so that only one frontier is stored.
void flood(std::span<Terrain> cells, uint32_t width, uint32_t first, Terrain paint) {
    const Terrain ground = cells[first];
    const auto size = static_cast<uint32_t>(cells.size());
    std::vector<uint32_t> open{first}, next;
    cells[first] = paint;
    const auto visit = [&](uint32_t cell) {
        if (cells[cell] != ground) return;
        cells[cell] = paint;
        next.push_back(cell);
    };
    for (; !open.empty(); std::swap(open, next), next.clear()) {
        for (const uint32_t cell : open) {
            const uint32_t x = cell % width;
            if (x > 0) visit(cell - 1);
            if (x + 1 < width) visit(cell + 1);
            if (cell >= width) visit(cell - width);
            if (cell + width < size) visit(cell + width);
        }
    }
}

}  // namespace

void fill_isolated(std::span<Terrain> cells, int32_t width, Terrain ground, Terrain filler) {
    const auto columns = static_cast<uint32_t>(width);
    const Area largest = LargestArea(cells, columns, ground).largest();
    if (largest.cells == 0) return;
    flood(cells, columns, largest.first, kOutside);
    for (Terrain& t : cells) {
        if (t == ground) t = filler;
        if (t == kOutside) t = ground;
    }
}

}  // namespace terrane::detail
