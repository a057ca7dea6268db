// parse_subdivision, JSON or GeoJSON: accepted subdivisions are valid, and read back the same.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "require.h"
#include "terrane/weighted_regions/subdivision_file.h"

namespace terrane {

void check_subdivision(std::string_view text) {
    const auto made = parse_subdivision(text, "fuzz.json");
    if (!made) {
        require_valid_error(made.error(), "fuzz.json");
        return;
    }
    for (const auto& b : made->boundaries()) require(b.left < b.right && b.right < made->size() && b.a != b.b, "a boundary has two sides");
    std::vector<uint32_t> all;
    for (uint32_t p = 0; p < made->size(); ++p) {
        require(made->area(p) > 0 && made->cost(p) > 0, "polygons have an area and a cost");
        Point middle;
        for (const uint32_t v : made->corners(p)) middle = middle + (1.0 / static_cast<double>(made->corners(p).size())) * made->vertex(v);
        made->locate_all(middle, all);
        bool found = false;
        for (const uint32_t q : all) found = found || q == p;
        require(found, "a polygon contains its centre");
    }
    const auto again = parse_subdivision(format_subdivision(*made), "fuzz.json");
    require(again.has_value(), "written output can be read");
    require(again->polygons().vertices == made->polygons().vertices && again->polygons().corners == made->polygons().corners &&
                again->polygons().costs == made->polygons().costs && again->boundaries().size() == made->boundaries().size(),
            "it reads back the same");
}

}  // namespace terrane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    terrane::check_subdivision({reinterpret_cast<const char*>(data), size});
    return 0;
}
