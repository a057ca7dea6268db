// Builds a subdivision from individually valid polygons: finds the boundaries between pairs and rejects overlaps and gaps.
#pragma once
#include <cstdint>
#include <vector>

#include "terrane/base/result.h"
#include "terrane/weighted_regions/subdivision.h"
#include "weighted_regions/polygon_checks.h"

namespace terrane::detail {

class SubdivisionMaker {
public:
    SubdivisionMaker(PolygonSet set, const Extent& extent);

    Result<Subdivision> make();

private:
    struct Box {
        Point low, high;
    };
    // Separating-axis test of a pair: how far the second polygon extends inside the first one's side, for the side where that is least.
    struct Separation {
        double distance = 0;  // < 0: disjoint
        uint32_t vertex = 0;  // the one that extends furthest
    };
    // A part of a side between two vertices, as distances from the start of the side.
    struct Part {
        double from = 0, to = 0;
        uint32_t a = 0, b = 0;
    };
    // A vertex of another polygon that touches this one, where the two share no boundary.
    struct Touch {
        uint32_t polygon = 0, vertex = 0;
    };
    // A part of the outline, with `polygon` on its left.
    struct OutlineEdge {
        uint32_t from = 0, to = 0;
        uint32_t polygon = 0;
        bool seen = false;
    };

    Point at(uint32_t vertex) const { return s_.set_.vertices[vertex]; }
    size_t begin_of(size_t polygon) const { return polygon > 0 ? s_.set_.ends[polygon - 1] : 0; }
    Box box_of(uint32_t polygon) const;
    template <class Visit>
    void each_bucket(uint32_t polygon, Visit&& visit) const;
    void fill_buckets();

    Result<void> find_boundaries();
    Result<void> check_pair(uint32_t p, uint32_t q);
    Separation separate(uint32_t p, uint32_t q, Part& shared);
    void find_shared_part(size_t side, uint32_t p, uint32_t q, Part& shared) const;
    void list_touches(uint32_t p, uint32_t q);
    void list_boundaries();

    Result<void> check_outline();
    void add_outline_edges(uint32_t polygon, size_t side, uint32_t end_vertex);
    size_t next_outline_edge(const OutlineEdge& edge) const;

    Subdivision s_;
    std::vector<Box> boxes_;                  // by polygon
    std::vector<Touch> touches_;              // finally sorted by polygon
    std::vector<Part> covered_;               // of the current side; touches are parts of length 0
    std::vector<OutlineEdge> outline_edges_;  // finally sorted by `from`
    uint64_t tests_ = 0;
};

}  // namespace terrane::detail
