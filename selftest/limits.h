// Shared by the parts of `terrane selftest limits`: measured steps and checked answers.
#pragma once
#include <atomic>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>

#include "selftest/selftest.h"
#include "terrane/world/planner.h"

namespace terrane::selftest {

// An allocator that fails beyond a limit.
class Capped final : public Memory {
public:
    explicit Capped(size_t limit) : limit_(limit) {}
    void* allocate(size_t bytes, size_t alignment) override;
    void deallocate(void* pointer, size_t bytes, size_t alignment) override;

    size_t used() const { return used_; }
    size_t limit() const { return limit_; }
    void set_limit(size_t limit) { limit_ = limit; }

private:
    std::atomic<size_t> used_{0};
    std::atomic<size_t> limit_;
};

// A query and its optimal cost; 0: unknown. Questions that are asked together have the same profile.
struct Question {
    CostTable costs;
    Cell start, goal;
    Cost truth = 0;
};

// Runs steps; each is reported with its CPU time in seconds and the peak memory of the process.
class Limits {
public:
    explicit Limits(const Setting& setting) : setting_(setting) {}

    const Setting& setting() const { return setting_; }
    // Memory limit of a world with all its queries: enough for A* to visit every cell.
    size_t memory() const {
        const auto side = static_cast<size_t>(setting_.side);
        return setting_.memory != 0 ? setting_.memory : side * side * 12 + (size_t{256} << 20);
    }

    // Runs work(), which returns a few words about its result.
    template <class Work>
    void step(const std::string& name, Work&& work) {
        const double before = begin();
        end(name, before, work());
    }
    // Adds `what` to the failure of the test unless it held.
    void check(bool held, const std::string& what);

    // Prepares the method if necessary, asks, checks the answers, and discards the prepared data. A path must be legal, cost the sum of its
    // steps, at least the optimum and at most its bound; optimal methods must find the optimum. If the optimum is unknown, the first answer
    // of an optimal method sets it. kOutOfMemory is a valid answer, too.
    void ask(const std::string& name, World& world, std::span<Question> questions, const std::string& method);

    Outcome take() { return std::move(outcome_); }

private:
    double begin();
    void end(const std::string& name, double before, const std::string& words);
    std::string check_answer(const std::string& name, const GridSnapshot& grid, const Question& question, const Method& method,
                             const Path& path);

    const Setting& setting_;
    Outcome outcome_{0, "steps"};
};

std::string in_mb(size_t bytes);

// Sums the costs of the steps without library code. Returns 0 if a step is illegal.
Cost sum_of_steps(const GridSnapshot& grid, const CostTable& costs, const std::vector<Cell>& cells);

// Returns costs by terrain: hundredths(terrain).
template <class HundredthsOf>
CostTable table_of(const Catalogue& catalogue, HundredthsOf&& hundredths) {
    Profile profile;
    for (uint32_t t = 0; t < catalogue.size(); ++t) {
        const auto terrain = static_cast<Terrain>(t);
        profile.rule(catalogue[terrain].name, hundredths(terrain));
    }
    return profile.compile(catalogue).value();
}

// The parts. Worlds of setting.side cells a side:
void try_plain_terrain(Limits& limits);
void try_island(Limits& limits);
// Smaller worlds:
void try_terrains(Limits& limits);  // 255 terrains
void try_profiles(Limits& limits);  // up to 10,000 profiles
void try_costs(Limits& limits);     // lowest and highest cost in one profile; path costs above 2^32
void try_shapes(Limits& limits);    // a spiral, a checkerboard, noise

}  // namespace terrane::selftest
