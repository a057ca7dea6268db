// Counts what a test program allocates, and lets it fail: allocations.cpp, to be compiled into the program, replaces its global allocator.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <new>

#include "terrane/base/memory.h"

namespace terrane::test {

// So far; always 0 under ThreadSanitizer, whose allocator cannot be replaced.
uint64_t allocations();
// Of them, those not freed yet.
int64_t live_allocations();
// The bytes in those not freed yet.
int64_t live_bytes();
// The most bytes in one, since this was last called.
uint64_t largest_allocation();
// The n-th from now on, and all after it, fail; 0: none. False where that cannot be had.
bool fail_allocations_from(uint64_t n);
// The n-th from now on fails, and no other.
bool fail_allocation(uint64_t n);
// Since one of these was last called with another number than 0.
uint64_t failed_allocations();

// One try of fail_each_allocation().
class Failure {
public:
    Failure(uint64_t n, bool all_after) : left_(n), all_after_(all_after) {}

    // work(), where its allocations count: the n-th of all those in the calls of this fails, by itself or with all others that the same
    // call makes. False where that made it throw.
    template <class Work>
    bool in(Work&& work) {
        if (met_) {
            work();
            return true;
        }
        bool done = true;
        const uint64_t before = allocations();
        static_cast<void>(all_after_ ? fail_allocations_from(left_) : fail_allocation(left_));
        try {
            work();
        } catch (const std::bad_alloc&) {
            done = false;
        }
        fail_allocations_from(0);
        met_ = failed_allocations() > 0;
        if (!met_) left_ -= allocations() - before;
        EXPECT_TRUE(done || met_) << "std::bad_alloc with memory enough";
        return done;
    }
    // Whether it has happened.
    bool met() const { return met_; }

private:
    uint64_t left_;
    bool all_after_;
    bool met_ = false;
};

// Whether memory that cannot be had can be tested here. To be asked first, and the test skipped where not.
inline bool can_fail_allocations() { return memory_can_fail() && fail_allocations_from(0); }

// Calls body(Failure&) again and again: what that does by Failure::in gets no memory for its first allocation, for its second and so on,
// until it gets all that it asks for. Twice each: with that one alone failing, and with those after it. When a body returns, all that was
// allocated in it must be freed. How many allocations there were to fail.
template <class Body>
uint64_t fail_each_allocation(Body&& body) {
    Failure none(INT64_MAX, false);
    body(none);  // what is made once and for all
    uint64_t most = 0;
    for (const bool all_after : {false, true}) {
        for (uint64_t n = 1;; ++n) {
            const int64_t live = live_allocations();
            Failure failure(n, all_after);
            body(failure);
            EXPECT_EQ(live_allocations(), live) << "lost, with allocation " << n << " failing";
            if (!failure.met() || ::testing::Test::HasFatalFailure() || ::testing::Test::HasNonfatalFailure()) break;
            most = n > most ? n : most;
        }
    }
    return most;
}

}  // namespace terrane::test
