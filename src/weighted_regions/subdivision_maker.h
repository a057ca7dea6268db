// Makes a subdivision from polygons that are sound in themselves: finds the pairs that meet, and what is left over.
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
    // How far the second polygon of a pair gets beyond the sides of the first, at the side where that is least.
    struct Separation {
        double distance = 0;  // < 0: apart
        uint32_t vertex = 0;  // the one that gets there
    };
    // A part of a side, from vertex to vertex, in units of length from where the side starts.
    struct Part {
        double from = 0, to = 0;
        uint32_t a = 0, b = 0;
    };
    // A vertex of another polygon that touches this one, where the two share no boundary.
    struct Touch {
        uint32_t polygon = 0, vertex = 0;
    };
    // A part of the outline: `polygon` is on its left.
    struct Rim {
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

    Result<Done> join_pairs();
    Result<Done> join(uint32_t p, uint32_t q);
    Separation separate(uint32_t p, uint32_t q, Part& shared);
    void share(size_t side, uint32_t p, uint32_t q, Part& shared) const;
    void list_touches(uint32_t p, uint32_t q);
    void list_boundaries();

    Result<Done> check_outline();
    void add_rims(uint32_t polygon, size_t side, uint32_t end_vertex);
    size_t next_rim(const Rim& rim) const;

    Subdivision s_;
    std::vector<Box> boxes_;      // by polygon
    std::vector<Touch> touches_;  // in the order of polygons once all are known
    std::vector<Part> covered_;   // of the side at hand; touches are parts of no length
    std::vector<Rim> rims_;       // in the order of `from` once all are known
    uint64_t tests_ = 0;
};

}  // namespace terrane::detail
