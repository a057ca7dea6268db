// Caller-provided allocators: the Memory interface, scopes that select one, and containers that use it.
//
//   struct Counted final : Memory {...} counted;
//   MemoryScope scope(&counted);                      // for the map itself
//   World world(load_map("island.map").value(), {.memory = &counted});
//
// A new container takes the Memory of its thread's innermost MemoryScope, or operator new outside any scope. It stores that choice and
// returns its memory there, whichever thread destroys it. World, Planner and Preparation open a scope in each of their calls, so a
// program needs its own scope only for objects that it creates itself, such as the map from which it constructs a world.
#pragma once
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace terrane {

// The allocator interface, implemented by the caller. It must outlive every object allocated from it. It must be thread-safe if the
// program uses more than one thread, or asks for more than one when it builds tables: the library calls it from every thread that edits,
// builds, queries, or releases the last reference to shared data. Implementations must not call back into the library.
class Memory {
public:
    // Returns `bytes` >= 1 bytes aligned to `alignment`, a power of two (usually at most 8). Null means allocation failure: the library
    // then throws std::bad_alloc.
    virtual void* allocate(size_t bytes, size_t alignment) = 0;
    // Frees what allocate() returned for the same `bytes` and `alignment`.
    virtual void deallocate(void* pointer, size_t bytes, size_t alignment) = 0;

protected:
    ~Memory() = default;
};

// The allocator of this thread's innermost scope; null means operator new.
Memory* current_memory() noexcept;

// Makes `memory` the current allocator of this thread until the scope ends. Scopes nest.
class MemoryScope {
public:
    explicit MemoryScope(Memory* memory) noexcept;  // null: operator new
    ~MemoryScope();
    MemoryScope(const MemoryScope&) = delete;
    MemoryScope& operator=(const MemoryScope&) = delete;

private:
    Memory* previous_;
};

// Whether an allocation failure throws std::bad_alloc. False if the library was built without exceptions, as for WebAssembly: an
// allocation failure then aborts the program.
bool memory_can_fail() noexcept;

namespace detail {

// Throws std::bad_alloc. If the library was built without exceptions, prints to stderr and aborts.
[[noreturn]] void throw_bad_alloc();

inline void* allocate_from(Memory* memory, size_t bytes, size_t alignment) {
    if (memory == nullptr) {
        return alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__ ? ::operator new(bytes, std::align_val_t(alignment)) : ::operator new(bytes);
    }
    void* pointer = memory->allocate(bytes, alignment);
    if (pointer == nullptr) throw_bad_alloc();
    return pointer;
}

inline void deallocate_to(Memory* memory, void* pointer, size_t bytes, size_t alignment) noexcept {
    if (memory != nullptr) {
        memory->deallocate(pointer, bytes, alignment);
    } else if (alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
        ::operator delete(pointer, std::align_val_t(alignment));
    } else {
        ::operator delete(pointer);
    }
}

// Base class for objects created by `new` or std::make_unique: allocates them from the current scope and stores the allocator in a
// header.
struct ScopeAllocated {
    static void* operator new(size_t bytes);
    static void operator delete(void* pointer, size_t bytes) noexcept;
};

}  // namespace detail

// The allocator for containers of the standard library. A copy allocates from the scope in which it is made; moves and swaps keep the
// allocator of the source.
template <class T>
class Allocator {
public:
    // NOLINTBEGIN(readability-identifier-naming): the standard's names
    using value_type = T;
    using propagate_on_container_move_assignment = std::true_type;
    using propagate_on_container_swap = std::true_type;
    // NOLINTEND(readability-identifier-naming)

    Allocator() noexcept : memory_(current_memory()) {}
    template <class U>
    Allocator(const Allocator<U>& other) noexcept : memory_(other.memory()) {}

    // NOLINTBEGIN(bugprone-sizeof-expression): T may well be a pointer
    T* allocate(size_t count) { return static_cast<T*>(detail::allocate_from(memory_, count * sizeof(T), alignof(T))); }
    void deallocate(T* pointer, size_t count) noexcept {
        detail::deallocate_to(memory_, static_cast<void*>(pointer), count * sizeof(T), alignof(T));
    }
    // NOLINTEND(bugprone-sizeof-expression)
    Allocator select_on_container_copy_construction() const noexcept { return {}; }

    Memory* memory() const noexcept { return memory_; }
    template <class U>
    bool operator==(const Allocator<U>& other) const noexcept {
        return memory_ == other.memory();
    }

private:
    Memory* memory_;
};

template <class T>
using Vector = std::vector<T, Allocator<T>>;

// std::make_shared, allocated from the current scope.
template <class T, class... Arguments>
std::shared_ptr<T> make_scoped_shared(Arguments&&... arguments) {
    return std::allocate_shared<T>(Allocator<std::remove_extent_t<std::remove_cv_t<T>>>(), std::forward<Arguments>(arguments)...);
}

}  // namespace terrane
