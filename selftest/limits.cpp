// The test `limits`: the largest maps, the highest costs, the most terrains and profiles.
#include "selftest/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <new>
#include "terrane/method/method_interface.h"

namespace terrane::selftest {

namespace {

double seconds_used() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Peak memory since the last reset_peak(), or since the start if the system cannot reset it.
double peak_mb() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        if (word == "VmHWM:" && status >> word) return std::stod(word) / 1024;
    }
    return 0;
}
void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

struct Part {
    const char* name;
    void (*run)(Limits&);
};
constexpr Part kParts[] = {{"terrains", try_terrains}, {"profiles", try_profiles},   {"costs", try_costs},
                           {"shapes", try_shapes},     {"plain", try_plain_terrain}, {"island", try_island}};

}  // namespace

void* Capped::allocate(size_t bytes, size_t alignment) {
    if (used_.fetch_add(bytes) + bytes > limit_) {
        used_ -= bytes;
        return nullptr;
    }
    void* pointer = ::operator new(bytes, std::align_val_t(std::max(alignment, alignof(std::max_align_t))), std::nothrow);
    if (pointer == nullptr) used_ -= bytes;
    return pointer;
}

void Capped::deallocate(void* pointer, size_t bytes, size_t alignment) {
    ::operator delete(pointer, std::align_val_t(std::max(alignment, alignof(std::max_align_t))));
    used_ -= bytes;
}

double Limits::begin() {
    reset_peak();
    return seconds_used();
}

void Limits::end(const std::string& name, double before, const std::string& words) {
    const double seconds = seconds_used() - before;
    outcome_.figures.emplace_back(name, fmt::format("{:.2f} s, {:.0f} MB{}{}", seconds, peak_mb(), words.empty() ? "" : "; ", words));
    setting_.figure(name, outcome_.figures.back().second);
    ++outcome_.trials;
}

void Limits::check(bool held, const std::string& what) {
    if (!held) outcome_.failure += (outcome_.failure.empty() ? "" : "; ") + what;
}

void Limits::ask(const std::string& name, World& world, std::span<Question> questions, const std::string& method) {
    FindOptions options;
    options.method = find_method(method).value();
    if (prepares(options.method)) {
        PrepareOptions with;
        with.method = options.method;
        bool prepared = false;
        step(name + ": " + method + ", prepared", [&]() -> std::string {
            const auto done = world.prepare(questions[0].costs, with);
            prepared = done.has_value();
            return prepared ? in_mb(world.snapshot().all_prepared().back()->bytes()) + " of tables" : done.error().message();
        });
        if (!prepared) return;
    }
    for (Question& question : questions) {
        Path path;
        const std::string where = questions.size() > 1 ? fmt::format(" to {},{}", question.goal.x, question.goal.y) : "";
        step(fmt::format("{}: {}{}", name, method, where), [&] {
            Planner planner(world);
            planner.find(question.start, question.goal, question.costs, options, path);
            return check_answer(name, world.grid(), question, options.method, path);
        });
        if (question.truth == 0 && guarantee(options.method) == 1) question.truth = path.cost;
    }
    if (prepares(options.method)) world.discard(options.method, questions[0].costs);
}

std::string Limits::check_answer(const std::string& name, const GridSnapshot& grid, const Question& question, const Method& method,
                                 const Path& path) {
    const std::string prefix = name + ": " + method.name();
    if (path.status != Status::kFound) {
        check(path.status == Status::kOutOfMemory, prefix + ": " + to_string(path.status));
        return to_string(path.status);
    }
    check(path.cells.front() == question.start && path.cells.back() == question.goal, prefix + ": wrong start or goal");
    check(path.cost == sum_of_steps(grid, question.costs, path.cells), prefix + ": its cost is not the sum of its steps");
    const auto cost = static_cast<double>(path.cost), truth = static_cast<double>(question.truth);
    if (question.truth != 0) {
        check(path.cost >= question.truth, prefix + ": costs less than the optimum");
        check(cost <= path.bound * truth * (1 + 1e-12), prefix + ": exceeds its bound");
        check(guarantee(method) > 1 || path.cost == question.truth, prefix + ": not optimal");
    }
    return fmt::format("{} cells{}, {} expansions", path.cells.size(),
                       question.truth != 0 ? fmt::format(", {:.4f} times the optimum", cost / truth) : "", path.expansions);
}

std::string in_mb(size_t bytes) { return fmt::format("{:.1f} MB", static_cast<double>(bytes) / (1 << 20)); }

Cost sum_of_steps(const GridSnapshot& grid, const CostTable& costs, const std::vector<Cell>& cells) {
    Cost sum = 0;
    const auto passable = [&](int32_t x, int32_t y) { return costs.passable(grid.at(Cell{x, y})); };
    for (size_t i = 1; i < cells.size(); ++i) {
        const Cell a = cells[i - 1], b = cells[i];
        const int32_t dx = std::abs(a.x - b.x), dy = std::abs(a.y - b.y);
        if (std::max(dx, dy) != 1 || !passable(a.x, a.y) || !passable(b.x, b.y) || !passable(a.x, b.y) || !passable(b.x, a.y)) return 0;
        sum += Cost{dx + dy == 2 ? kDiagonal : kStraight} * (costs.hundredths(grid.at(a)) + costs.hundredths(grid.at(b)));
    }
    return sum;
}

Outcome limits_hold(const Setting& setting) {
    Limits limits(setting);
    for (const Part& part : kParts) {
        if (setting.part.empty() || setting.part == part.name) part.run(limits);
    }
    return limits.take();
}

std::vector<std::string> limits_parts() {
    std::vector<std::string> names;
    for (const Part& part : kParts) names.emplace_back(part.name);
    return names;
}

}  // namespace terrane::selftest
