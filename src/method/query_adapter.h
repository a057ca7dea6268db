// Turns a class with run(), expansions(), cells(), ready(), expansions_first(), cells_first() and bytes() into a MethodQuery.
#pragma once
#include <utility>

#include "terrane/method/method_interface.h"

namespace terrane::detail {

// Derived classes implement begin(), which calls remember(). answer() sums the path's cost from its cells and bounds it by
// octile_ratio(); override it for methods that know better.
template <class Q>
class QueryAdapter : public MethodQuery {
public:
    template <class... Arguments>
    explicit QueryAdapter(Arguments&&... arguments) : query_(std::forward<Arguments>(arguments)...) {}

    Status run(uint64_t budget) override { return query_.run(budget); }
    uint64_t expansions() const override { return query_.expansions(); }
    std::span<const Cell> ready() const override { return std::span<const Cell>(query_.cells()).first(query_.ready()); }
    void answer(Path& out) const override {
        out.cells = query_.cells();
        out.expansions_first = query_.expansions_first();
        out.cost = path_cost(*ground_, out.cells);
        out.bound = octile_ratio(*ground_, start_, goal_, out.cost);
    }
    size_t cells_first() const override { return query_.cells_first(); }
    size_t bytes() const override { return query_.bytes(); }

protected:
    void remember(const QueryInput& input) {
        ground_ = &input.ground;
        start_ = input.start;
        goal_ = input.goal;
    }

    Q query_;

private:
    const Ground* ground_ = nullptr;
    Cell start_, goal_;
};

}  // namespace terrane::detail
