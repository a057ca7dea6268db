// Sectors of a MinimalMemory to bytes and back. The format is in terrane/minimal_memory/minimal_memory.h.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/minimal_memory/minimal_memory.h"

namespace terrane::detail {

// A sector as it is worked with. All eight directions, whatever is kept of them.
struct PlainSector {
    struct Region {
        Cell centre;              // from the sector's corner
        uint32_t first_edge = 0;  // in `edges`
        friend bool operator==(const Region&, const Region&) = default;
    };
    Vector<Region> regions;
    Vector<MmEdge> edges;     // by region, direction, number
    Vector<uint16_t> labels;  // by rows, 0 where blocked; none where none are kept

    std::span<const MmEdge> edges_of(size_t region) const {
        const size_t last = region + 1 < regions.size() ? regions[region + 1].first_edge : edges.size();
        return {edges.data() + regions[region].first_edge, last - regions[region].first_edge};
    }
    friend bool operator==(const PlainSector&, const PlainSector&) = default;
};

// A sector's share of a page.
struct EncodedSector {
    uint32_t count = 0;  // of regions, or kMmDefault or kMmWide: as in a record of 32 bits
    Vector<uint8_t> bytes;
};

// A sector that need not be kept: its data if it were.
PlainSector default_sector(const MinimalMemoryOptions& options);

void encode_sector(const PlainSector& sector, const MinimalMemoryOptions& options, EncodedSector& out);
PlainSector decode_sector(const MinimalMemoryRoot& root, uint32_t sector);

// Records of 16 bits reach 4 KB of data; a page with more has records of 32.
MmPage make_page(std::span<const EncodedSector> sectors, const MinimalMemoryOptions& options);
// What make_page was given for a sector.
void copy_sector(const MinimalMemoryRoot& root, uint32_t sector, EncodedSector& out);

inline uint32_t page_bytes(const uint8_t* page) { return mm_read32(page); }

// Bits for a cell's label, a power of two, so that none lies across bytes that it need not.
uint32_t label_bits(uint32_t regions);
// The label of the i-th cell, by rows.
uint32_t read_label(const uint8_t* labels, uint32_t bits, size_t i);

}  // namespace terrane::detail
