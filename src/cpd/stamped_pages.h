// An entry for every cell that a query came across, forgotten at once when the next begins.
//
// Entries carry the number of the query that wrote them. Pages, one for each tile, stay once they were entered, so that after warm-up
// nothing is allocated or cleared. Memory grows with the part of the map that any query looked at.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "terrane/grid/grid.h"

namespace terrane::detail {

// `Entry` has a member `uint32_t stamp`, 0 by default, and is not written by anyone else.
template <class Entry>
class StampedPages {
public:
    // Forgets everything; cells are below `limit` from now on.
    void reset(CellId limit) {
        const size_t pages = (limit + kTileCells - 1) / kTileCells;
        if (pages_.size() < pages) pages_.resize(pages);
        if (++stamp_ != 0) return;
        for (auto& page : pages_) {
            if (page != nullptr) page->fill(Entry{});
        }
        stamp_ = 1;
    }

    // Null where there is none. Entries stay where they are until the next reset.
    Entry* find(CellId cell) const {
        Page* page = pages_[cell / kTileCells].get();
        if (page == nullptr) return nullptr;
        Entry& entry = (*page)[cell % kTileCells];
        return entry.stamp == stamp_ ? &entry : nullptr;
    }

    // A fresh one where there is none.
    Entry& touch(CellId cell) {
        std::unique_ptr<Page>& page = pages_[cell / kTileCells];
        if (page == nullptr) {
            page = std::make_unique<Page>();
            ++taken_;
        }
        Entry& entry = (*page)[cell % kTileCells];
        if (entry.stamp != stamp_) {
            entry = Entry{};
            entry.stamp = stamp_;
        }
        return entry;
    }

    size_t bytes() const { return taken_ * sizeof(Page) + pages_.capacity() * sizeof(pages_[0]); }

private:
    using Page = std::array<Entry, kTileCells>;
    std::vector<std::unique_ptr<Page>> pages_;  // by tile; null until entered
    size_t taken_ = 0;
    uint32_t stamp_ = 0;
};

}  // namespace terrane::detail
