// parse_tiled of TMX: accepted maps are within the limits.
#include <cstddef>
#include <cstdint>

#include "tiled.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    terrane::check_tiled({reinterpret_cast<const char*>(data), size});
    return 0;
}
