#include "dta/region_tables.h"

#include <algorithm>

namespace terrane::detail {

namespace {

constexpr size_t kBlockOverhead = 32;  // std::shared_ptr control block

}  // namespace

RegionTable::RegionTable(const TerrainRegions& regions, uint32_t columns, uint64_t fill) : columns_(columns) {
    pages_.reserve((regions.sectors() + kSectorPage - 1) / kSectorPage);
    for (uint32_t s = 0; s < regions.sectors(); ++s) {
        if (s % kSectorPage == 0) pages_.push_back(std::make_shared<Page>());
        (*pages_.back())[s % kSectorPage] = make_block(regions.regions_in(s), fill);
    }
}

size_t RegionTable::bytes(const TerrainRegions& regions) const {
    return pages_.capacity() * sizeof(pages_[0]) + pages_.size() * sizeof(Page) + regions.sectors() * kBlockOverhead +
           static_cast<size_t>(regions.region_count()) * columns_ * sizeof(uint64_t);
}

void RegionTableEdit::set(RegionId id, uint32_t column, uint64_t value) {
    const uint32_t sector = after_->sector_of(id);
    if (!own_blocks_[sector]) {
        RegionTable::Block copy = table_.make_block(after_->regions_in(sector), 0);
        std::copy_n(table_.block(sector).get(), size_t{after_->regions_in(sector)} * table_.columns_, copy.get());
        replace(sector, std::move(copy));
    }
    table_.row(sector, after_->number_of(id))[column] = value;
}

void RegionTableEdit::reset_sector(uint32_t sector) { replace(sector, table_.make_block(after_->regions_in(sector), kUnreached)); }

void RegionTableEdit::replace(uint32_t sector, RegionTable::Block block) {
    const uint32_t page = sector >> kSectorPageShift;
    if (!own_pages_[page]) table_.pages_[page] = std::make_shared<RegionTable::Page>(*table_.pages_[page]);
    own_pages_[page] = true;
    own_blocks_[sector] = true;
    (*table_.pages_[page])[sector & (kSectorPage - 1)] = std::move(block);
}

}  // namespace terrane::detail
