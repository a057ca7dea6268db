// Allocation failure in a query over a subdivision: the query ends with kOutOfMemory, and the next one starts with fresh state.
#pragma once
#include <memory>

#include "base/catch_bad_alloc.h"
#include "terrane/weighted_regions/subdivision_path.h"

namespace terrane::detail {

inline Status out_of_memory(SubdivisionPath& path) {
    path = {};
    return path.status = Status::kOutOfMemory;
}

// Calls begin(*state). After an allocation failure the state is unspecified, so it is replaced by a new one first.
template <class State, class Begin>
void begin_query(std::unique_ptr<State>& state, Begin&& begin) {
    const auto work = [&] {
        if (state->path.status == Status::kOutOfMemory) state = std::make_unique<State>();
        begin(*state);
    };
    catch_bad_alloc(work, [&] { state->fail(); });
}

}  // namespace terrane::detail
