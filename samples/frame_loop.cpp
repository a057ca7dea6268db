// A sliced query in a frame loop: a fixed budget of expansions per frame, and the first move before the path is complete.
//
// The path is the same as that of a single call: it does not depend on the slicing.
#include <terrane/mapgen/mapgen.h>
#include <terrane/terrane.h>

#include <algorithm>
#include <cstdio>

using namespace terrane;

int main() {
    constexpr uint64_t kBudget = 300;  // expansions per frame
    World world(generate_island({.width = 1024, .height = 1024, .seed = 5}).value());
    const CostTable person = Profile::preset("person")->compile(world.grid().catalogue()).value();
    const Cell from{200, 500}, to{820, 540};
    FindOptions options;
    options.method = find_method("dta:16+trim").value();  // the first segment is ready early

    Planner planner(world);
    planner.begin(from, to, person, options);
    size_t walked = 0, first_step = 0, frames = 0;
    uint64_t worst = 0, spent = 0;
    bool planning = true;
    while (planning || walked < planner.ready().size()) {
        ++frames;
        if (planning) planning = planner.run(kBudget) == Status::kBudgetSpent;
        worst = std::max(worst, planner.expansions() - spent);
        spent = planner.expansions();
        if (walked < planner.ready().size()) {  // one cell per frame, as soon as the first ones are ready
            if (walked++ == 0) first_step = frames;
        }
    }

    Path sliced, whole;
    planner.path(sliced);
    Planner(world).find(from, to, person, options, whole);
    std::printf("%s: %zu cells, %llu expansions, at most %llu a frame\n", to_string(sliced.status), sliced.cells.size(),
                static_cast<unsigned long long>(spent), static_cast<unsigned long long>(worst));
    std::printf("first step in frame %zu, planned in %llu frames, arrived in frame %zu\n", first_step,
                static_cast<unsigned long long>(spent / kBudget + 1), frames);
    const bool same = sliced.cells == whole.cells && sliced.cost == whole.cost;
    return sliced && same && worst <= kBudget && walked == sliced.cells.size() && first_step < spent / kBudget ? 0 : 1;
}
