#include "terrane/base/memory.h"

#include <cstdio>
#include <cstdlib>

namespace terrane {

namespace {

thread_local constinit Memory* t_memory = nullptr;

// Size of the header before each ScopeAllocated object; it holds the object's Memory*.
constexpr size_t kHeader = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
static_assert(kHeader >= sizeof(Memory*));

}  // namespace

Memory* current_memory() noexcept { return t_memory; }

MemoryScope::MemoryScope(Memory* memory) noexcept : previous_(std::exchange(t_memory, memory)) {}
MemoryScope::~MemoryScope() { t_memory = previous_; }

bool memory_can_fail() noexcept {
#ifdef __cpp_exceptions
    return true;
#else
    return false;
#endif
}

namespace detail {

void throw_bad_alloc() {
#ifdef __cpp_exceptions
    throw std::bad_alloc();
#else
    std::fputs("terrane: out of memory\n", stderr);
    std::abort();
#endif
}

void* ScopeAllocated::operator new(size_t bytes) {
    Memory* memory = current_memory();
    void* block = allocate_from(memory, bytes + kHeader, kHeader);
    new (block) Memory*(memory);
    return static_cast<char*>(block) + kHeader;
}

void ScopeAllocated::operator delete(void* pointer, size_t bytes) noexcept {
    char* block = static_cast<char*>(pointer) - kHeader;
    deallocate_to(*reinterpret_cast<Memory**>(block), block, bytes + kHeader, kHeader);
}

}  // namespace detail

}  // namespace terrane
