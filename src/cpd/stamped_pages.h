// A sparse array of per-cell entries that resets in constant time between queries.
//
// Each entry carries the stamp of the query that wrote it. Pages, one per tile, are allocated on first use and reused, so that after
// warm-up nothing is allocated or cleared. Memory grows with the part of the map that any query touched.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "terrane/grid/grid.h"

namespace terrane::detail {

// `Entry` must have a member `uint32_t stamp`, 0 by default, that only this class writes.
template <class Entry>
class StampedPages {
public:
    // Discards all entries. Cell ids must be below `limit` from now on.
    void reset(CellId limit) {
        const size_t pages = (limit + kTileCells - 1) / kTileCells;
        if (pages_.size() < pages) pages_.resize(pages);
        if (++stamp_ != 0) return;
        for (auto& page : pages_) {
            if (page != nullptr) page->fill(Entry{});
        }
        stamp_ = 1;
    }

    // Returns null if the cell has no entry. Pointers stay valid until the next reset().
    Entry* find(CellId cell) const {
        Page* page = pages_[cell / kTileCells].get();
        if (page == nullptr) return nullptr;
        Entry& entry = (*page)[cell % kTileCells];
        return entry.stamp == stamp_ ? &entry : nullptr;
    }

    // Returns the cell's entry; creates it if there is none.
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
    std::vector<std::unique_ptr<Page>> pages_;  // by tile; null until touched
    size_t taken_ = 0;
    uint32_t stamp_ = 0;
};

}  // namespace terrane::detail
