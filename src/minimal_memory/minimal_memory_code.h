// Encodes and decodes the sectors of a MinimalMemory. terrane/minimal_memory/minimal_memory.h describes the format.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/minimal_memory/minimal_memory.h"

namespace terrane::detail {

// A decoded sector. Holds the edges in all eight directions, even with edges_once.
struct PlainSector {
    struct Region {
        Cell centre;              // relative to the sector's corner
        uint32_t first_edge = 0;  // index into `edges`
        friend bool operator==(const Region&, const Region&) = default;
    };
    Vector<Region> regions;
    Vector<MinimalMemoryEdge> edges;  // sorted by region, direction, number
    Vector<uint16_t> labels;          // in row-major order, 0 if blocked; empty if not stored

    std::span<const MinimalMemoryEdge> edges_of(size_t region) const {
        const size_t last = region + 1 < regions.size() ? regions[region + 1].first_edge : edges.size();
        return {edges.data() + regions[region].first_edge, last - regions[region].first_edge};
    }
    friend bool operator==(const PlainSector&, const PlainSector&) = default;
};

// The bytes of a sector within a page.
struct EncodedSector {
    uint32_t count = 0;  // number of regions, or kMinimalMemoryDefault or kMinimalMemoryWide, as in a record of 32 bits
    Vector<uint8_t> bytes;
};

// The decoded form of default sectors, which are not stored.
PlainSector default_sector(const MinimalMemoryOptions& options);

void encode_sector(const PlainSector& sector, const MinimalMemoryOptions& options, EncodedSector& out);
PlainSector decode_sector(const MinimalMemoryData& data, uint32_t sector);

// Uses records of 32 bits for pages of more than 4 KB, the limit of offsets in records of 16 bits.
MinimalMemoryPage make_page(std::span<const EncodedSector> sectors, const MinimalMemoryOptions& options);
// Returns the bytes of a sector as they were passed to make_page().
void copy_sector(const MinimalMemoryData& data, uint32_t sector, EncodedSector& out);

inline uint32_t page_bytes(const uint8_t* page) { return minimal_memory_read32(page); }

// Bits per label: a power of two, so that no label of at most 8 bits crosses a byte.
uint32_t label_bits(uint32_t regions);
// Returns the label of the i-th cell in row-major order.
uint32_t read_label(const uint8_t* labels, uint32_t bits, size_t i);

}  // namespace terrane::detail
