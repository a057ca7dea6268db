#include "terrane/base/memory.h"
#include "terrane_c.h"

extern "C" uint32_t terrane_abi(void) { return TERRANE_ABI; }
extern "C" const char* terrane_version(void) { return TERRANE_VERSION; }
extern "C" int32_t terrane_memory_can_fail(void) { return terrane::memory_can_fail() ? 1 : 0; }
