// parse_world: whatever it takes comes back the same from format_world. The checksums of the input are put right first,
// or nothing would ever get past them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "require.h"
#include "terrane/world_file.h"

namespace terrane {

namespace {

constexpr size_t kHeader = 24, kEntry = 24;

uint64_t fnv(std::string_view bytes) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char c : bytes) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
    return hash;
}

uint64_t get(const std::string& bytes, size_t at) {
    uint64_t value = 0;
    for (size_t i = 0; i < 8; ++i) value |= uint64_t{static_cast<uint8_t>(bytes[at + i])} << (8 * i);
    return value;
}

void put(std::string& bytes, size_t at, uint64_t value) {
    for (size_t i = 0; i < 8; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
}

std::string put_right(std::string bytes) {
    if (bytes.size() < kHeader) return bytes;
    const size_t sections = std::min<size_t>(static_cast<uint8_t>(bytes[12]), (bytes.size() - kHeader) / kEntry);
    const size_t table_end = kHeader + sections * kEntry;
    if (table_end + 8 > bytes.size()) return bytes;
    put(bytes, 16, bytes.size());
    for (size_t i = 0, at = table_end + 8; i < sections; ++i) {
        const size_t entry = kHeader + i * kEntry;
        uint64_t length = get(bytes, entry + 8);
        if (length > bytes.size() - at || i + 1 == sections) length = bytes.size() - at;
        put(bytes, entry + 8, length);
        put(bytes, entry + 16, fnv(std::string_view(bytes).substr(at, length)));
        at += length;
    }
    put(bytes, table_end, fnv(std::string_view(bytes).substr(0, table_end)));
    return bytes;
}

void check(std::string_view bytes) {
    constexpr MapOptions kSmall{Letters::kGuess, 1 << 16};
    std::vector<WorldSection> others;
    const auto world = parse_world(bytes, kSmall, "fuzz.terrane", &others);
    if (!world) return require_honest(world.error(), "fuzz.terrane");
    require(world->snapshot().layout().cells() <= kSmall.max_cells, "no more cells than allowed");
    const auto again = format_world(world->snapshot(), others);
    require(again.has_value(), "what was read can be written");
    std::vector<WorldSection> same_others;
    const auto same = parse_world(*again, kSmall, {}, &same_others);
    require(same.has_value(), "what was written can be read");
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
    terrane::check(terrane::put_right(bytes));
    return 0;
}
