// Counts the allocations of a test program, and makes them fail. Compile allocations.cpp into the program: it replaces the global
// allocator.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <new>

#include "terrane/base/memory.h"

namespace terrane::test {

// The number of allocations so far; always 0 under ThreadSanitizer, whose allocator cannot be replaced.
uint64_t allocations();
// The number of allocations not freed yet.
int64_t live_allocations();
// The bytes in allocations not freed yet.
int64_t live_bytes();
// The size of the largest allocation since the last call, in bytes.
uint64_t largest_allocation();
// Makes the n-th allocation from now on and all later ones fail; 0: none. Returns false if this build cannot do that.
bool fail_allocations_from(uint64_t n);
// Makes only the n-th allocation from now on fail.
bool fail_allocation(uint64_t n);
// The number of failed allocations since one of these two was last called with n > 0.
uint64_t failed_allocations();

// One iteration of fail_each_allocation().
class Failure {
public:
    Failure(uint64_t n, bool all_after) : left_(n), all_after_(all_after) {}

    // Calls work(). Of all allocations in such calls, the n-th fails, alone or with all later ones of the same call. Returns false if
    // work() threw because of it.
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
        EXPECT_TRUE(done || met_) << "std::bad_alloc without a failed allocation";
        return done;
    }
    // Whether the failure has occurred.
    bool met() const { return met_; }

private:
    uint64_t left_;
    bool all_after_;
    bool met_ = false;
};

// Whether this build can test allocation failures. Otherwise, skip the test.
inline bool can_fail_allocations() { return memory_can_fail() && fail_allocations_from(0); }

// Calls body(Failure&) repeatedly. In calls through Failure::in(), the first allocation fails, then the second and so on, until none
// does: once with that allocation alone failing, once with all later ones too. Checks that each body frees everything it allocated.
// Returns the number of allocations that failed in turn.
template <class Body>
uint64_t fail_each_allocation(Body&& body) {
    Failure none(INT64_MAX, false);
    body(none);  // initialises statics
    uint64_t most = 0;
    for (const bool all_after : {false, true}) {
        for (uint64_t n = 1;; ++n) {
            const int64_t live = live_allocations();
            Failure failure(n, all_after);
            body(failure);
            EXPECT_EQ(live_allocations(), live) << "leaked, with allocation " << n << " failing";
            if (!failure.met() || ::testing::Test::HasFatalFailure() || ::testing::Test::HasNonfatalFailure()) break;
            most = n > most ? n : most;
        }
    }
    return most;
}

}  // namespace terrane::test
