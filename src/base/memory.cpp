#include "terrane/base/memory.h"

#include <cstdio>
#include <cstdlib>

namespace terrane {

namespace {

thread_local constinit Memory* t_memory = nullptr;

// Before each object: its Memory.
constexpr size_t kHeader = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
static_assert(kHeader >= sizeof(Memory*));

}  // namespace

Memory* current_memory() noexcept { return t_memory; }

MemoryScope::MemoryScope(Memory* memory) noexcept : before_(std::exchange(t_memory, memory)) {}
MemoryScope::~MemoryScope() { t_memory = before_; }

bool memory_can_fail() noexcept {
#ifdef __cpp_exceptions
    return true;
#else
    return false;
#endif
}

namespace detail {

void no_memory() {
#ifdef __cpp_exceptions
    throw std::bad_alloc();
#else
    std::fputs("terrane: out of memory\n", stderr);
    std::abort();
#endif
}

void* InMemory::operator new(size_t bytes) {
    Memory* memory = current_memory();
    void* block = take(memory, bytes + kHeader, kHeader);
    new (block) Memory*(memory);
    return static_cast<char*>(block) + kHeader;
}

void InMemory::operator delete(void* pointer, size_t bytes) noexcept {
    char* block = static_cast<char*>(pointer) - kHeader;
    give_back(*reinterpret_cast<Memory**>(block), block, bytes + kHeader, kHeader);
}

}  // namespace detail

}  // namespace terrane
