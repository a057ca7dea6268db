#include "terrane_c.h"

extern "C" uint32_t terrane_abi(void) { return TERRANE_ABI; }
extern "C" const char* terrane_version(void) { return TERRANE_VERSION; }
