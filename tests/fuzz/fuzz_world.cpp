// parse_world and the list of prepared methods: accepted worlds read back the same after format_world. Corrects the checksums of the input,
// which would otherwise reject every mutated input.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "require.h"
#include "terrane/io/world_file.h"
#include "terrane/method/method_interface.h"
#include "terrane/world/world_io.h"
#include "world/saved_preparations.h"
#include "world_checksums.h"

namespace terrane {

namespace {

// Path databases are read from the file; any may be refused.
void check_prepared(const WorldSection& section, const TerrainGrid& grid) {
    const GridSnapshot map = grid.snapshot();
    const auto prepared = detail::parse_preparations(section.bytes, map.catalogue(), "fuzz.terrane");
    if (!prepared) return require_valid_error(prepared.error(), "fuzz.terrane");
    if (map.layout().cells() > 256) return;
    for (const SavedPreparation& saved : *prepared) {
        if (saved.data.empty()) continue;
        World world(TerrainGrid(map.width(), map.height(), map.cells(), map.catalogue()));
        if (!restore_prepared(world, std::span(&saved, 1))) continue;
        const auto again = parse_saved_world(format_world(world.snapshot()).value());
        require(again && again->prepared.size() == 1 && again->prepared[0].data == saved.data, "prepared data is the same");
    }
}

void check(std::string_view bytes) {
    constexpr MapOptions kSmall{Letters::kGuess, 1 << 16};
    std::vector<WorldSection> others;
    const auto world = parse_world(bytes, kSmall, "fuzz.terrane", &others);
    if (!world) return require_valid_error(world.error(), "fuzz.terrane");
    require(world->snapshot().layout().cells() <= kSmall.max_cells, "no more cells than allowed");
    for (const WorldSection& section : others) {
        if (section.tag == detail::kPreparedTag) check_prepared(section, *world);
    }
    const auto again = format_world(world->snapshot(), others);
    require(again.has_value(), "accepted input can be written");
    std::vector<WorldSection> same_others;
    const auto same = parse_world(*again, kSmall, {}, &same_others);
    require(same.has_value(), "written output can be read");
    require(same->snapshot().cells() == world->snapshot().cells(), "the cells are the same");
    require(same->snapshot().catalogue() == world->snapshot().catalogue(), "the catalogue is the same");
    require(same_others == others, "the other sections are the same");
    require(format_world(same->snapshot(), others).value() == *again, "the bytes are the same");
}

}  // namespace

}  // namespace terrane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    terrane::check(bytes);
    terrane::check(terrane::fix_world_checksums(bytes));
    return 0;
}
