#include "bench/bench.h"

#include <array>

namespace terrane {

namespace {

constexpr std::array<BenchInfo, 3> kBenches = {{
    {"dta-cost-range", "A*, NBS and weighted A* as the range of terrain costs grows: where NBS overtakes", bench_cost_range},
    {"heuristics", "what landmarks and an embedding save A*, and what they cost", bench_heuristics},
    {"search", "nanoseconds per expansion of the kernel against a textbook A*, on a weighted map", bench_search},
}};

}  // namespace

std::span<const BenchInfo> benches() { return kBenches; }

const BenchInfo* find_bench(std::string_view name) {
    for (const BenchInfo& info : kBenches) {
        if (info.name == name) return &info;
    }
    return nullptr;
}

}  // namespace terrane
