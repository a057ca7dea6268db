// Longitudinal dynamics of cars: speeds from tick to tick, and the passages that result.
#pragma once
#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "terrane/crowd/intersection.h"

namespace terrane::detail {

// Distance that a braking car covers after this tick until its speed is at most `least`.
inline int32_t braking_distance(int32_t speed, int32_t least) {
    const int32_t ticks = speed > least ? (speed - least - 1) / kBraking : 0;
    return ticks * speed - kBraking * ticks * (ticks + 1) / 2;
}
inline int32_t stopping_distance(int32_t speed) { return braking_distance(speed, 0); }

// The speed of the next tick: accelerated, unchanged or braked, the first of these that is at most `top` and `allowed`. Braking is the
// fallback; it is always safe if the current speed was.
template <class Allowed>
int32_t next_speed(int32_t speed, int32_t top, Allowed&& allowed) {
    const int32_t least = std::max(speed - kBraking, 0);
    for (const int32_t next : {std::min(speed + kAcceleration, top), std::min(speed, top)}) {
        if (next >= least && allowed(next)) return next;
    }
    return least;
}

// The next speed of a car on a passage: at most `top` before the line, at most its turn speed up to the end of the turn, then
// unrestricted.
inline int32_t passing_speed(const CrossingPath& path, int32_t front, int32_t speed, int32_t top) {
    if (front >= path.line()) {
        return next_speed(speed, front < path.turn_end() ? path.turn_speed() : kTopSpeed, [](int32_t) { return true; });
    }
    return next_speed(speed, top, [&](int32_t next) {
        return front + next + braking_distance(next, path.turn_speed()) <= path.line() || next <= path.turn_speed();
    });
}

// Writes the passage from `tick` until the car has left the tiles, after standing for `wait` ticks. Reuses the memory of `out`.
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
