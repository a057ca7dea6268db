#include "terrane/io/map_formats.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "io/map_format_list.h"
#include "terrane/base/file.h"

namespace terrane {

namespace {

constexpr uint64_t kMaxCompanionBytes = 64 << 20;

constexpr auto kFormats = std::to_array<const MapFormat*>({
#define TERRANE_LIST_FORMAT(format) &detail::format,
    TERRANE_MAP_FORMATS(TERRANE_LIST_FORMAT)
#undef TERRANE_LIST_FORMAT
});

MapFormats formats_of(const MapOptions& options) { return options.formats.empty() ? map_formats() : options.formats; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool ends_with(std::string_view file, std::string_view extension) {
    // ">": a file name is longer than its extension.
    return file.size() > extension.size() && std::ranges::equal(file.substr(file.size() - extension.size()), extension, {}, lower, lower);
}

Error unknown_format(std::string_view bytes, std::string_view file, MapFormats formats) {
    const std::string_view what = detail::describe_binary(bytes);
    return {bytes.empty() ? ErrorCode::kTruncated : ErrorCode::kBadHeader, std::string(file), 0,
            (bytes.empty()  ? "the file is empty"
             : what.empty() ? "unknown map format"
                            : "this is " + std::string(what)) +
                ": expected one of " + list_map_formats(MapAccess::kRead, formats)};
}

uint64_t largest_file(const MapOptions& options) {
    uint64_t most = 0;
    for (const MapFormat* format : formats_of(options)) {
        if (format->parse != nullptr) most = std::max(most, format->max_bytes(options));
    }
    return most;
}

}  // namespace

bool MapFormat::has_extension(std::string_view file) const {
    std::string_view rest = extensions;
    for (std::string_view each; !(each = detail::take_word(rest)).empty();) {
        if (ends_with(file, each)) return true;
    }
    return false;
}

MapFormats map_formats() { return kFormats; }

const MapFormat* detect_map_format(std::string_view first_bytes, std::string_view file, MapFormats formats) {
    const std::string_view probe = first_bytes.substr(0, kProbeBytes);
    auto found = std::ranges::find_if(formats, [&](const MapFormat* each) { return each->parse != nullptr && each->detect(probe); });
    if (found == formats.end()) {
        found = std::ranges::find_if(formats, [&](const MapFormat* each) { return each->parse != nullptr && each->has_extension(file); });
    }
    return found == formats.end() ? nullptr : *found;
}

std::string list_map_formats(MapAccess access, MapFormats formats) {
    std::string list;
    for (const MapFormat* format : formats) {
        if (access == MapAccess::kRead ? format->parse == nullptr : format->format == nullptr) continue;
        std::string_view rest = format->extensions;
        std::string extensions;
        for (std::string_view each; !(each = detail::take_word(rest)).empty();) {
            extensions += (extensions.empty() ? "" : ", ") + std::string(each);
        }
        list += (list.empty() ? "" : ", ") + std::string(format->name) + " (" + extensions + ")";
    }
    return list;
}

Result<TerrainGrid> parse_map(std::string_view bytes, const MapOptions& options, std::string_view file,
                              const CompanionReader& read_companion) {
    const MapFormats formats = formats_of(options);
    const MapFormat* format = detect_map_format(bytes, file, formats);
    if (format == nullptr) return unknown_format(bytes, file, formats);
    const uint64_t most = format->max_bytes(options);
    if (bytes.size() > most) {
        return Error{ErrorCode::kTooLarge, std::string(file), 0, "larger than the limit of " + std::to_string(most) + " bytes"};
    }
    return format->parse({bytes, file, options, read_companion});
}

Result<std::string> read_map_file(const std::string& path, const MapOptions& options) {
    // Pipes cannot be probed: they are read whole.
    const std::string probe = read_first_bytes(path, kProbeBytes);
    if (probe.empty()) return read_file(path, largest_file(options));
    const MapFormats formats = formats_of(options);
    const MapFormat* format = detect_map_format(probe, path, formats);
    if (format == nullptr) return unknown_format(probe, path, formats);
    return read_file(path, format->max_bytes(options));
}

CompanionReader companions_of(const std::string& path) {
    return [path](const std::string& name) { return read_file_beside(path, name, kMaxCompanionBytes); };
}

Result<TerrainGrid> load_map(const std::string& path, const MapOptions& options) {
    const auto bytes = read_map_file(path, options);
    if (!bytes) return bytes.error();
    return parse_map(*bytes, options, path, companions_of(path));
}

Result<void> save_map(const std::string& path, const GridSnapshot& grid, const MapOptions& options) {
    const MapFormats formats = formats_of(options);
    const auto found =
        std::ranges::find_if(formats, [&](const MapFormat* each) { return each->format != nullptr && each->has_extension(path); });
    if (found == formats.end()) {
        return Error{ErrorCode::kUnsupported, path, 0,
                     "no writable format has this extension: expected one of " + list_map_formats(MapAccess::kWrite, formats)};
    }
    const auto bytes = (*found)->format(grid);
    if (!bytes) return Error{bytes.error().code, path, 0, bytes.error().reason};
    return write_file(path, *bytes);
}

}  // namespace terrane
