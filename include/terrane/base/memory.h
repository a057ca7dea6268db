// Memory from where the caller wants it: hooks for a world, and the containers that take from them.
//
//   struct Counted final : Memory {...} counted;
//   MemoryScope scope(&counted);                      // for the map itself
//   World world(load_map("island.map").value(), {.memory = &counted});
//
// Every container here remembers where its memory came from, and gives it back there, on whatever thread that happens. A new one takes from
// the Memory of its thread's innermost MemoryScope; without any, from operator new. World, Planner and Preparation open such a scope in
// each of their calls, so a program needs one only for what it makes itself: the map that becomes a world, say.
#pragma once
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace terrane {

// To be written by the caller. Must outlive all that was taken from it. Called from whichever thread edits, builds (on several at once,
// where more than one is asked for), queries, or drops what was the last to hold on to something: for more than one thread, it must be safe
// for threads. What it does inside is its own affair, but for calling back into the library.
class Memory {
public:
    // `bytes` is at least 1, `alignment` a power of two, mostly 8 or less. Null: there is none, which ends the call with std::bad_alloc.
    virtual void* allocate(size_t bytes, size_t alignment) = 0;
    // What allocate() gave, with the same two numbers.
    virtual void deallocate(void* pointer, size_t bytes, size_t alignment) = 0;

protected:
    ~Memory() = default;
};

// Of the innermost scope of this thread; null: operator new.
Memory* current_memory() noexcept;

class MemoryScope {
public:
    explicit MemoryScope(Memory* memory) noexcept;  // null: operator new
    ~MemoryScope();
    MemoryScope(const MemoryScope&) = delete;
    MemoryScope& operator=(const MemoryScope&) = delete;

private:
    Memory* before_;
};

// Whether memory that cannot be had is std::bad_alloc. False where the library was built without exceptions, as for WebAssembly: there it
// ends the program.
bool memory_can_fail() noexcept;

namespace detail {

// std::bad_alloc; ends the program, with a word to stderr, where the library was built without exceptions.
[[noreturn]] void no_memory();

inline void* take(Memory* memory, size_t bytes, size_t alignment) {
    if (memory == nullptr) {
        return alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__ ? ::operator new(bytes, std::align_val_t(alignment)) : ::operator new(bytes);
    }
    void* pointer = memory->allocate(bytes, alignment);
    if (pointer == nullptr) no_memory();
    return pointer;
}

inline void give_back(Memory* memory, void* pointer, size_t bytes, size_t alignment) noexcept {
    if (memory != nullptr) {
        memory->deallocate(pointer, bytes, alignment);
    } else if (alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
        ::operator delete(pointer, std::align_val_t(alignment));
    } else {
        ::operator delete(pointer);
    }
}

// A base for objects that are made by `new` or std::make_unique: they know where their memory came from.
struct InMemory {
    static void* operator new(size_t bytes);
    static void operator delete(void* pointer, size_t bytes) noexcept;
};

}  // namespace detail

// For containers of the standard library. Copies are made in the scope of who makes them; what is moved or swapped takes its memory along.
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
    T* allocate(size_t count) { return static_cast<T*>(detail::take(memory_, count * sizeof(T), alignof(T))); }
    void deallocate(T* pointer, size_t count) noexcept {
        detail::give_back(memory_, static_cast<void*>(pointer), count * sizeof(T), alignof(T));
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

// std::make_shared, from the Memory of this scope.
template <class T, class... Arguments>
std::shared_ptr<T> share(Arguments&&... arguments) {
    return std::allocate_shared<T>(Allocator<std::remove_extent_t<std::remove_cv_t<T>>>(), std::forward<Arguments>(arguments)...);
}

}  // namespace terrane
