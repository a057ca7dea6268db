// A subdivision sampled at the centres of squares, and a quadtree over the squares.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "terrane/base/plane.h"
#include "terrane/weighted_regions/square_search.h"
#include "terrane/weighted_regions/subdivision.h"

namespace terrane::detail {

inline constexpr uint32_t kNoSquare = 0xffffffff;

class SquareLayout {
public:
    // In units of squares.
    struct Leaf {
        uint32_t x = 0, y = 0, side = 0;
        double cost = 0;
    };

    // Builds the layout, unless subdivision, kind and side equal those of the last call (compared by hash). The subdivision must outlive
    // the calls that follow.
    void build(const Subdivision& subdivision, SquareKind kind, double side);

    const Subdivision& subdivision() const { return *subdivision_; }
    SquareKind kind() const { return kind_; }
    double side() const { return side_; }
    double cheapest() const { return cheapest_; }  // lowest cost of a square
    size_t nodes() const { return nodes_; }        // passable: squares, leaves, or border squares of leaves
    uint32_t limit() const { return static_cast<uint32_t>(kind_ == SquareKind::kQuadtree ? leaves_.size() : costs_.size()); }

    // Squares are numbered row by row.
    uint32_t square(uint32_t x, uint32_t y) const { return y * columns_ + x; }
    uint32_t x(uint32_t square) const { return square % columns_; }
    uint32_t y(uint32_t square) const { return square / columns_; }
    bool contains(int64_t x, int64_t y) const { return x >= 0 && y >= 0 && x < columns_ && y < rows_; }
    double cost(uint32_t square) const { return costs_[square]; }
    // kBlockedCost outside.
    double cost(int64_t x, int64_t y) const {
        return contains(x, y) ? costs_[static_cast<size_t>(y) * columns_ + static_cast<size_t>(x)] : kBlockedCost;
    }
    Point centre(uint32_t square) const { return corner(x(square) + 0.5, y(square) + 0.5); }
    Point corner(double x, double y) const { return subdivision_->low() + Point{side_ * x, side_ * y}; }

    // Not for kGrid.
    const std::vector<Leaf>& leaves() const { return leaves_; }
    uint32_t leaf_of(uint32_t square) const { return leaf_of_[square]; }
    Point centre_of_leaf(uint32_t leaf) const {
        const Leaf& l = leaves_[leaf];
        return corner(l.x + 0.5 * l.side, l.y + 0.5 * l.side);
    }

    Point centre_of_node(uint32_t node) const { return kind_ == SquareKind::kQuadtree ? centre_of_leaf(node) : centre(node); }

    // The square that contains p, clamped to the layout.
    uint32_t square_at(Point p) const;
    // The square that contains p or, if it is blocked although p is not, the nearest passable one of the 24 around it whose centre a
    // straight segment connects with p. kNoSquare if there is none.
    uint32_t passable_square_near(Point p) const;

    size_t bytes() const {
        return costs_.capacity() * sizeof(double) + leaves_.capacity() * sizeof(Leaf) + leaf_of_.capacity() * sizeof(uint32_t);
    }

private:
    static constexpr double kMixed = -1;

    void sample_costs();
    void build_leaves();
    double build_part(uint32_t x, uint32_t y, uint32_t side);
    void add_leaf(uint32_t x, uint32_t y, uint32_t side, double cost);
    void count_nodes();

    uint64_t key_ = 0;  // hash of subdivision, kind and side; 0: empty
    const Subdivision* subdivision_ = nullptr;
    SquareKind kind_ = SquareKind::kGrid;
    double side_ = 0;
    uint32_t columns_ = 0, rows_ = 0;
    double cheapest_ = 0;
    size_t nodes_ = 0;
    std::vector<double> costs_;  // by square
    std::vector<Leaf> leaves_;
    std::vector<uint32_t> leaf_of_;  // by square
};

}  // namespace terrane::detail
