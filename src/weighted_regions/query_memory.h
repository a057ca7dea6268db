// What becomes of a query over a subdivision where memory runs out: its status says so, and the next one begins anew.
#pragma once
#include <memory>

#include "base/attempt.h"
#include "terrane/weighted_regions/open_path.h"

namespace terrane::detail {

inline Status out_of_memory(OpenPath& path) {
    path = {};
    return path.status = Status::kOutOfMemory;
}

// begin(*state). What memory ran out in the middle of is of no more use: then with a new state, as soon as there is memory for one.
template <class State, class Begin>
void begin_query(std::unique_ptr<State>& state, Begin&& begin) {
    const auto work = [&] {
        if (state->path.status == Status::kOutOfMemory) state = std::make_unique<State>();
        begin(*state);
    };
    attempt(work, [&] { state->fail(); });
}

}  // namespace terrane::detail
