// What the parts of `terrane selftest limits` share: steps that are timed and weighed, and answers that are checked.
#pragma once
#include <atomic>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>

#include "selftest/selftest.h"
#include "terrane/world/planner.h"

namespace terrane::selftest {

// Gives so many bytes and no more.
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

// From where to where, and what the cheapest way costs: 0 where nobody knows. Questions that are asked together are for one profile.
struct Question {
    CostTable costs;
    Cell start, goal;
    Cost truth = 0;
};

// Time is that of the processor, in seconds; memory the largest that the process had during a step.
class Limits {
public:
    explicit Limits(const Setting& setting) : setting_(setting) {}

    const Setting& setting() const { return setting_; }
    // For a world and all that is asked there: enough for A* to look at every cell.
    size_t memory() const {
        const auto side = static_cast<size_t>(setting_.side);
        return setting_.memory != 0 ? setting_.memory : side * side * 12 + (size_t{256} << 20);
    }

    // Runs work(), which gives a few words on what came of it.
    template <class Work>
    void step(const std::string& name, Work&& work) {
        const double before = begin();
        end(name, before, work());
    }
    // Something that must hold; what does not is the test's failure.
    void check(bool held, const std::string& what);

    // Prepares the method where it needs that, asks, checks the answers, and forgets what was prepared. An answer must be the path that it
    // says, cost no less than the truth, no more than its bound, and for methods that promise the cheapest way, the truth; where nobody
    // knows it, the first such answer is. Out of memory is an answer, too.
    void ask(const std::string& name, World& world, std::span<Question> questions, const std::string& method);

    Outcome take() { return std::move(outcome_); }

private:
    double begin();
    void end(const std::string& name, double before, const std::string& words);
    std::string judge(const std::string& name, const GridSnapshot& grid, const Question& question, const Method& method, const Path& path);

    const Setting& setting_;
    Outcome outcome_{0, "steps"};
};

std::string in_mb(size_t bytes);

// The sum of the steps' costs, by none of the library's own sums. 0 where a step is illegal.
Cost sum_of_steps(const GridSnapshot& grid, const CostTable& costs, const std::vector<Cell>& cells);

// Each terrain of the catalogue costs what `hundredths` says.
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
void try_plain_ground(Limits& limits);
void try_island(Limits& limits);
// Smaller ones:
void try_terrains(Limits& limits);  // 255 of them
void try_profiles(Limits& limits);  // 10,000
void try_costs(Limits& limits);     // both ends, and sums past 2^32
void try_shapes(Limits& limits);    // a spiral, a checkerboard, noise

}  // namespace terrane::selftest
