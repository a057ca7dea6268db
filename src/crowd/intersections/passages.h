// How cars drive: speeds from tick to tick, and the passages made of them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "terrane/crowd/intersection.h"

namespace terrane::detail {

// How far a car at `speed` goes in the ticks after this one in which it is faster than `least`, if it brakes.
inline int32_t slowing(int32_t speed, int32_t least) {
    const int32_t ticks = speed > least ? (speed - least - 1) / kBraking : 0;
    return ticks * speed - kBraking * ticks * (ticks + 1) / 2;
}
inline int32_t stopping(int32_t speed) { return slowing(speed, 0); }

// The speed of the next tick, of three: faster, the same, braking. The first of them that is at most `top` and `good`; else braking, which
// is good wherever the speed before was.
template <class Good>
int32_t next_speed(int32_t speed, int32_t top, Good&& good) {
    const int32_t least = std::max(speed - kBraking, 0);
    for (const int32_t next : {std::min(speed + kAcceleration, top), std::min(speed, top)}) {
        if (next >= least && good(next)) return next;
    }
    return least;
}

// Of a car that drives without stopping once it has waited: at most `top` before the line, as its turn allows after it, then as fast as it
// can.
inline int32_t passing_speed(const CrossingPath& path, int32_t front, int32_t speed, int32_t top) {
    if (front >= path.line()) {
        return next_speed(speed, front < path.turn_end() ? path.turn_speed() : kTopSpeed, [](int32_t) { return true; });
    }
    return next_speed(speed, top, [&](int32_t next) {
        return front + next + slowing(next, path.turn_speed()) <= path.line() || next <= path.turn_speed();
    });
}

// From now, `tick`, until the car is off the ground; standing for `wait` ticks first. Reuses the memory of `out`.
inline void make_passage(const CrossingPath& path, uint32_t tick, int32_t front, int32_t speed, int32_t top, uint32_t wait, Passage& out) {
    out.first_tick = tick + 1;
    out.fronts.assign(wait, front);
    while (front < path.end()) {
        speed = passing_speed(path, front, speed, top);
        front += speed;
        out.fronts.push_back(std::min(front, path.end()));
    }
}

}  // namespace terrane::detail
