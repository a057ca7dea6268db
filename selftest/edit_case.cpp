#include "selftest/edit_case.h"

#include <algorithm>

#include "terrane/grid/terrain.h"

namespace terrane::selftest {

namespace {

constexpr int kMaxTries = 4000;  // when reducing a case: a few seconds at most

Catalogue catalogue_of(size_t terrains) {
    Catalogue catalogue;
    for (size_t i = 0; i < terrains; ++i) static_cast<void>(catalogue.add({"t" + std::to_string(i), 0, {0, 0, 0}}).value());
    return catalogue;
}

CostTable costs_of(const EditCase& c, const Catalogue& catalogue) {
    Profile profile("case");
    for (size_t i = 0; i < c.costs.size(); ++i) profile.rule("t" + std::to_string(i), c.costs[i]);
    return profile.compile(catalogue).value();
}

// One letter per terrain; '?' for terrains beyond 52, whose numbers only the edits show.
char letter(Terrain t) { return t < 26 ? static_cast<char>('a' + t) : t < 52 ? static_cast<char>('A' + t - 26) : '?'; }

std::vector<Terrain> draw_cells(Rng& rng, int32_t width, int32_t height, uint32_t terrains) {
    const int32_t patch = rng.between(1, 12);
    const uint32_t noise = rng.below(3) == 0 ? 2 : 12;  // one cell in `noise` has a random terrain
    const auto columns = static_cast<size_t>(width / patch) + 1;
    std::vector<Terrain> coarse(columns * (static_cast<size_t>(height / patch) + 1));
    for (Terrain& t : coarse) t = static_cast<Terrain>(rng.below(terrains));
    std::vector<Terrain> cells;
    cells.reserve(static_cast<size_t>(width) * static_cast<size_t>(height));
    for (int32_t y = 0; y < height; ++y) {
        for (int32_t x = 0; x < width; ++x) {
            const Terrain there = coarse[static_cast<size_t>(y / patch) * columns + static_cast<size_t>(x / patch)];
            cells.push_back(rng.chance(1, noise) ? static_cast<Terrain>(rng.below(terrains)) : there);
        }
    }
    return cells;
}

// Edits a cell, a rectangle up to a whole sector, a line, or scattered cells; or reverts an earlier edit.
Edit draw_edit(Rng& rng, const EditCase& c) {
    const auto terrain = [&] { return static_cast<Terrain>(rng.below(static_cast<uint32_t>(c.costs.size()))); };
    const auto any = [&] { return Cell{rng.between(0, c.width - 1), rng.between(0, c.height - 1)}; };
    Edit edit;
    const auto rect = [&](int32_t width, int32_t height) {
        const Cell at = any();
        const Terrain t = terrain();
        for (int32_t y = at.y; y < std::min(at.y + height, c.height); ++y) {
            for (int32_t x = at.x; x < std::min(at.x + width, c.width); ++x) edit.push_back({{x, y}, t});
        }
    };
    switch (rng.below(8)) {
        case 0: rect(rng.between(1, 16), rng.between(1, 16)); break;
        case 1: rng.chance(1, 2) ? rect(rng.between(1, 40), 1) : rect(1, rng.between(1, 40)); break;
        case 2:
            for (uint32_t n = 1 + rng.below(12); n > 0; --n) edit.push_back({any(), terrain()});
            break;
        case 3:
            if (!c.edits.empty()) {
                for (const CellEdit& e : c.edits[rng.below(static_cast<uint32_t>(c.edits.size()))]) {
                    edit.push_back(
                        {e.cell, c.cells[static_cast<size_t>(e.cell.y) * static_cast<size_t>(c.width) + static_cast<size_t>(e.cell.x)]});
                }
                break;
            }
            [[fallthrough]];
        default: edit.push_back({any(), terrain()});
    }
    return edit;
}

// Removes columns from `left` and rows from `top`. Edits move with their cells or are removed.
EditCase without(const EditCase& c, int32_t left, int32_t columns, int32_t top, int32_t rows) {
    const auto gone = [&](Cell cell) { return (cell.x >= left && cell.x < left + columns) || (cell.y >= top && cell.y < top + rows); };
    EditCase out = c;
    out.width -= columns;
    out.height -= rows;
    out.cells.clear();
    for (int32_t y = 0; y < c.height; ++y) {
        for (int32_t x = 0; x < c.width; ++x) {
            if (!gone({x, y})) out.cells.push_back(c.cells[static_cast<size_t>(y) * static_cast<size_t>(c.width) + static_cast<size_t>(x)]);
        }
    }
    for (Edit& edit : out.edits) {
        std::erase_if(edit, [&](const CellEdit& e) { return gone(e.cell); });
        for (CellEdit& e : edit) e.cell = {e.cell.x - (e.cell.x >= left ? columns : 0), e.cell.y - (e.cell.y >= top ? rows : 0)};
    }
    return out;
}

// Returns the case without some elements of `list`, one of its own lists.
template <class List>
EditCase erased(EditCase& c, List& list, size_t first, size_t many) {
    const List whole = list;
    const auto begin = list.begin() + static_cast<ptrdiff_t>(first);
    list.erase(begin, begin + static_cast<ptrdiff_t>(many));
    EditCase out = c;
    list = whole;
    return out;
}

// Tries smaller cases and keeps each that fails.
class Shrinker {
public:
    Shrinker(EditCase c, const StructureKind& kind) : best_(std::move(c)), kind_(&kind) {}

    EditCase run() {
        bool smaller = true;
        while (smaller && tries_ < kMaxTries) smaller = fewer_edits() || fewer_cells() || smaller_edits() || plainer_terrain();
        return best_;
    }

private:
    bool fails(EditCase c) {
        if (++tries_ > kMaxTries || c.edits.empty() || c.cells.empty()) return false;
        const auto at = first_failure(c, *kind_, [](uint32_t) { return true; });
        if (!at) return false;
        c.edits.resize(std::min<size_t>(*at + 1, c.edits.size()));
        best_ = std::move(c);
        return true;
    }

    // Removes elements in runs, from half of the count() down to single ones. leave(first, many) returns the case without them.
    template <class Count, class Leave>
    bool leave_out(Count&& count, Leave&& leave) {
        const size_t before = count();
        for (size_t size = (before + 1) / 2; size > 0; size /= 2) {
            for (size_t i = 0; i < count() && tries_ <= kMaxTries;) {
                if (!fails(leave(i, std::min(size, count() - i)))) i += size;
            }
        }
        return count() < before;
    }

    bool fewer_edits() {
        return leave_out([&] { return best_.edits.size(); },
                         [&](size_t first, size_t many) { return erased(best_, best_.edits, first, many); });
    }
    bool smaller_edits() {
        bool any = false;
        for (size_t e = 0; e < best_.edits.size(); ++e) {
            any |= leave_out([&] { return e < best_.edits.size() ? best_.edits[e].size() : 0; },
                             [&](size_t first, size_t many) { return erased(best_, best_.edits[e], first, many); });
        }
        return any;
    }
    bool fewer_cells() {
        const auto number = [](size_t n) { return static_cast<int32_t>(n); };
        const bool narrower = leave_out([&] { return static_cast<size_t>(best_.width); },
                                        [&](size_t first, size_t many) { return without(best_, number(first), number(many), 0, 0); });
        const bool lower = leave_out([&] { return static_cast<size_t>(best_.height); },
                                     [&](size_t first, size_t many) { return without(best_, 0, 0, number(first), number(many)); });
        return narrower || lower;
    }

    bool plainer_terrain() {
        bool any = false;
        for (size_t i = 0; i < best_.cells.size(); ++i) {
            if (best_.cells[i] == 0) continue;
            EditCase c = best_;
            c.cells[i] = 0;
            any |= fails(std::move(c));
        }
        return any;
    }

    EditCase best_;
    const StructureKind* kind_;
    int tries_ = 0;
};

}  // namespace

EditCase draw_case(Rng& rng, uint32_t choices, int32_t max_side, uint32_t edits) {
    EditCase c;
    const int32_t side = rng.between(1, max_side);  // small maps as often as large ones
    c.width = rng.between(1, side);
    c.height = rng.between(1, side);
    const uint32_t terrains = rng.chance(1, 20) ? kMaxTerrains : 1 + rng.below(8);
    const uint32_t range = rng.below(3);  // similar or very different costs
    for (uint32_t t = 0; t < terrains; ++t) {
        const uint32_t cost = range == 0 ? 100 + 20 * rng.below(16) : range == 1 ? 1 + rng.below(400) : 1 + rng.below(65000);
        c.costs.push_back(static_cast<Hundredths>(rng.chance(1, 4) ? kBlocked : cost));
    }
    c.movement = static_cast<Movement>(rng.below(3));
    c.choice = rng.below(choices);
    c.cells = draw_cells(rng, c.width, c.height, terrains);
    for (uint32_t i = 0; i < edits; ++i) c.edits.push_back(draw_edit(rng, c));
    return c;
}

std::optional<uint32_t> first_failure(const EditCase& c, const StructureKind& kind, const std::function<bool(uint32_t)>& look) {
    TerrainGrid grid(c.width, c.height, c.cells, catalogue_of(c.costs.size()));
    const auto structure = kind.make({grid.snapshot(), costs_of(c, grid.snapshot().catalogue()), c.movement}, c.choice);
    for (uint32_t i = 0; i < c.edits.size(); ++i) {
        structure->update(grid.apply(c.edits[i]));
        if ((i + 1 == c.edits.size() || look(i)) && !structure->is_as_new()) return i;
    }
    return std::nullopt;
}

EditCase shrunk(EditCase c, const StructureKind& kind) { return Shrinker(std::move(c), kind).run(); }

std::string to_text(const EditCase& c, const StructureKind& kind) {
    std::string out = std::string(kind.name) + ", setting " + std::to_string(c.choice) + ", movement " +
                      std::to_string(static_cast<int>(c.movement)) + "\n";
    for (size_t i = 0; i < c.costs.size(); ++i)
        out += std::string("cost ") + letter(static_cast<Terrain>(i)) + " (" + std::to_string(i) + "): " + format_hundredths(c.costs[i]) +
               "\n";
    for (int32_t y = 0; y < c.height; ++y) {
        for (int32_t x = 0; x < c.width; ++x)
            out += letter(c.cells[static_cast<size_t>(y) * static_cast<size_t>(c.width) + static_cast<size_t>(x)]);
        out += '\n';
    }
    for (const Edit& edit : c.edits) {
        out += "edit";
        for (const CellEdit& e : edit)
            out += " " + std::to_string(e.cell.x) + "," + std::to_string(e.cell.y) + "=" + std::to_string(e.terrain);
        out += '\n';
    }
    return out;
}

}  // namespace terrane::selftest
