// The test `edits`: repaired structures equal rebuilt ones.
#include <fmt/format.h>

#include "bench/stopwatch.h"
#include "selftest/edit_case.h"
#include "selftest/selftest.h"
#include "terrane/base/file.h"

namespace terrane::selftest {

namespace {

constexpr uint32_t kEditsEach = 120;  // per map
constexpr uint32_t kLookEvery = 6;    // edits per check, on average; the last edit is always checked
constexpr double kMaxShare = 1.5;     // slow structures are skipped beyond 1.5 times an equal share of the time

std::string save(const Setting& setting, const EditCase& c, const StructureKind& kind, uint64_t seed) {
    const std::string path = fmt::format("{}/selftest-edits-{}.txt", setting.folder, seed);
    const auto written = write_file(path, to_text(c, kind));
    return written ? "saved as " + path : written.error().message();
}

}  // namespace

Outcome edits_equal_rebuilds(const Setting& setting) {
    const Stopwatch clock;
    const auto kinds = structure_kinds();
    std::vector<uint64_t> edits(kinds.size());
    std::vector<double> spent(kinds.size());  // ms
    Outcome out{0, "edits"};
    for (uint64_t seed = setting.seed; out.failure.empty() && (clock.ms() < setting.seconds * 1000 || seed < setting.seed + kinds.size());
         ++seed) {
        const size_t k = seed % kinds.size();
        const double begin = clock.ms();
        if (spent[k] > kMaxShare * begin / static_cast<double>(kinds.size())) continue;
        Rng rng(seed);
        const EditCase c = draw_case(rng, kinds[k].choices, rng.chance(1, 8) ? 140 : 40, kEditsEach);
        if (first_failure(c, kinds[k], [&](uint32_t) { return rng.chance(1, kLookEvery); })) {
            out.failure = fmt::format("{}: differs from a rebuild, seed {}; {}", kinds[k].name, seed,
                                      save(setting, shrunk(c, kinds[k]), kinds[k], seed));
        }
        out.trials += c.edits.size();
        edits[k] += c.edits.size();
        spent[k] += clock.ms() - begin;
        setting.progress(out.trials);
    }
    for (size_t k = 0; k < kinds.size(); ++k) out.figures.emplace_back(kinds[k].name, fmt::format("{} edits", edits[k]));
    return out;
}

}  // namespace terrane::selftest
