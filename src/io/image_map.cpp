// Masking follows the maps of the Dynamic Terrain Abstraction paper: "colors were masked to create at most 64 terrain types".
#include "terrane/io/image_map.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/text.h"
#include "io/colours.h"
#include "io/letters.h"
#include "io/map_format_list.h"
#include "io/named.h"
#include "terrane/base/file.h"

namespace terrane {

using detail::LineReader;
using detail::quote;
using detail::take_word;

namespace {

constexpr uint64_t kMaxPaletteBytes = 64 << 10;
constexpr size_t kMaxEntries = 4096;

// An uncompressed image with 16 bits per channel.
uint64_t max_image_bytes(uint64_t pixels) { return 8 * pixels + kMaxPaletteBytes; }

Rgb opaque(Rgba p) { return {p.r, p.g, p.b}; }

uint32_t packed(Rgb c) { return uint32_t{c.r} << 16 | uint32_t{c.g} << 8 | c.b; }

// ---- palettes as text

struct PaletteLine {
    std::optional<Rgb> colour;  // nullopt: transparent
    std::string name;
};

bool is_comment(std::string_view word) { return word == "#" || word.starts_with("##"); }

Result<PaletteLine> parse_line(const LineReader& lines, std::string_view line) {
    const std::string_view whole = line, first = take_word(line), name = take_word(line), more = take_word(line);
    const auto colour = detail::parse_colour(first);
    if (!colour && first != "transparent") {
        const char* hint = first.starts_with('#') ? "; a comment begins with '# '" : "";
        return lines.refuse(ErrorCode::kBadValue,
                            "expected a colour and a terrain, as in '#2e4a74 deep_water', not " + quote(whole) + hint);
    }
    if (name.empty() || name.starts_with('#')) return lines.refuse(ErrorCode::kBadValue, "expected a terrain after " + quote(first));
    if (!more.empty() && !more.starts_with('#')) {
        return lines.refuse(ErrorCode::kBadValue, "unexpected " + quote(more) + " after terrain " + quote(name));
    }
    return PaletteLine{colour, std::string(name)};
}

// Checks a name when it is read, so that the error has its line.
std::optional<Error> check_name(const LineReader& lines, const std::string& name) {
    Catalogue alone;
    const auto added = alone.add({name, 0, {}});
    if (added) return std::nullopt;
    return lines.refuse(added.error().code, added.error().reason);
}

class PaletteReader {
public:
    explicit PaletteReader(const LineReader& lines) : lines_(lines) {}

    std::optional<Error> add(PaletteLine line) {
        if (auto error = check_name(lines_, line.name)) return error;
        if (read_.size() == kMaxEntries) return lines_.refuse(ErrorCode::kTooLarge, "a palette has at most 4096 lines");
        for (const PaletteLine& other : read_) {
            if (other.colour == line.colour && other.name != line.name) {
                return lines_.refuse(ErrorCode::kBadValue, (line.colour ? "colour '#" + detail::hex(*line.colour) + "'" : "'transparent'") +
                                                               " has two terrains, " + quote(other.name) + " and " + quote(line.name));
            }
        }
        read_.push_back(std::move(line));
        return std::nullopt;
    }

    Result<Palette> finish() const {
        if (read_.empty())
            return lines_.refuse(ErrorCode::kTruncated, "the palette has no colours; expected lines as '#2e4a74 deep_water'");
        std::vector<detail::NamedTerrain> names;
        names.reserve(read_.size());
        for (const PaletteLine& line : read_) names.push_back({line.name, colour_of(line.name)});
        auto catalogue = detail::catalogue_of(names);
        if (!catalogue) return lines_.refuse(catalogue.error().code, catalogue.error().reason);
        Palette palette;
        for (const PaletteLine& line : read_) {
            const Terrain terrain = *catalogue->find(line.name);
            if (line.colour) palette.entries.push_back({*line.colour, terrain});
            if (!line.colour) palette.transparent = terrain;
        }
        palette.catalogue = *std::move(catalogue);
        return palette;
    }

private:
    // The first colour of this terrain.
    std::optional<Rgb> colour_of(const std::string& name) const {
        const auto it = std::ranges::find_if(read_, [&](const PaletteLine& l) { return l.name == name && l.colour; });
        return it == read_.end() ? std::nullopt : it->colour;
    }

    const LineReader& lines_;
    std::vector<PaletteLine> read_;
};

// ---- colours to terrains

int32_t distance_squared(Rgb a, Rgb b) {
    const int32_t r = a.r - b.r, g = a.g - b.g, blue = a.b - b.b;
    return r * r + g * g + blue * blue;
}

// Maps colours to terrains, with a cache of recent colours.
class Matcher {
public:
    Matcher(const Palette& palette, int32_t tolerance) : palette_(palette), limit_(tolerance * tolerance) {}

    // kOutside if no colour is near enough.
    Terrain find(Rgb colour) {
        const uint32_t key = packed(colour);
        Slot& slot = slots_[(key * 0x9e3779b1u) >> 20];
        if (slot.key != key) slot = {key, search(colour)};
        return slot.terrain;
    }

    const Palette::Entry* nearest(Rgb colour) const {
        const Palette::Entry* best = nullptr;
        int32_t least = std::numeric_limits<int32_t>::max();
        for (const Palette::Entry& e : palette_.entries) {
            const int32_t distance = distance_squared(e.colour, colour);
            if (distance >= least) continue;
            best = &e;
            least = distance;
        }
        return best;
    }

private:
    struct Slot {
        uint32_t key = 0xffffffff;  // empty
        Terrain terrain = kOutside;
    };

    Terrain search(Rgb colour) const {
        const Palette::Entry* entry = nearest(colour);
        return entry != nullptr && distance_squared(entry->colour, colour) <= limit_ ? entry->terrain : kOutside;
    }

    const Palette& palette_;
    int32_t limit_;
    std::vector<Slot> slots_ = std::vector<Slot>(4096);
};

bool well_formed(const Image& image) {
    const auto side_ok = [](int32_t side) { return side >= 1 && side <= kMaxSide; };
    return side_ok(image.width) && side_ok(image.height) &&
           image.pixels.size() == static_cast<size_t>(image.width) * static_cast<size_t>(image.height);
}

Error unknown_pixel(const Image& image, size_t index, const Matcher& matcher, const Palette& palette, std::string_view file) {
    const auto width = static_cast<size_t>(image.width);
    const Rgba pixel = image.pixels[index];
    std::string reason = "pixel " + std::to_string(index % width) + "," + std::to_string(index / width);
    if (pixel.a == 0) {
        reason += " is transparent, and the palette has no terrain for that: add a line 'transparent NAME'";
    } else {
        reason += " has colour '#" + detail::hex(opaque(pixel)) + "', which is not in the palette";
        if (const Palette::Entry* near = matcher.nearest(opaque(pixel))) {
            reason += "; the nearest is '#" + detail::hex(near->colour) + "', " + palette.catalogue[near->terrain].name;
        }
    }
    return {ErrorCode::kUnknownName, std::string(file), 0, std::move(reason)};
}

// ---- masked colours

constexpr size_t kMaskedTypes = 64;

// Two bits each of red, green and blue; kMaskedTypes if transparent.
size_t masked(Rgba p) { return p.a == 0 ? kMaskedTypes : static_cast<size_t>((p.r >> 6) << 4 | (p.g >> 6) << 2 | p.b >> 6); }

struct Sum {
    uint64_t count = 0, r = 0, g = 0, b = 0;
    Rgb mean() const { return {of(r), of(g), of(b)}; }
    uint8_t of(uint64_t channel) const { return static_cast<uint8_t>((channel + count / 2) / count); }
};

char masked_letter(size_t id) {
    constexpr size_t kLetters = detail::kLastLetter - detail::kFirstLetter + 1;
    return static_cast<char>(id < kLetters ? detail::kFirstLetter + id : '!' + (id - kLetters));
}

}  // namespace

Palette Palette::of(const Catalogue& catalogue) {
    Palette palette;
    for (uint32_t t = 0; t < catalogue.size(); ++t) {
        palette.entries.push_back({catalogue[static_cast<Terrain>(t)].colour, static_cast<Terrain>(t)});
    }
    palette.catalogue = catalogue;
    return palette;
}

Result<Palette> parse_palette(std::string_view text, std::string_view file) {
    LineReader lines(text, file);
    if (text.size() > kMaxPaletteBytes)
        return lines.refuse(ErrorCode::kTooLarge, "larger than the limit of " + std::to_string(kMaxPaletteBytes) + " bytes");
    if (const std::string_view binary = detail::describe_binary(text); !binary.empty())
        return lines.refuse_line(ErrorCode::kBadValue, 1, "expected colours and their terrains, a text; this is " + std::string(binary));
    PaletteReader reader(lines);
    for (std::string_view line; lines.next(line);) {
        std::string_view rest = line;
        const std::string_view first = take_word(rest);
        if (first.empty() || is_comment(first)) continue;
        auto entry = parse_line(lines, line);
        if (!entry) return entry.error();
        if (auto error = reader.add(*std::move(entry))) return *std::move(error);
    }
    return reader.finish();
}

Result<Palette> load_palette(const std::string& path) {
    const auto text = read_file(path, kMaxPaletteBytes);
    if (!text) return text.error();
    return parse_palette(*text, path);
}

Result<TerrainGrid> map_from_image(const Image& image, const Palette& palette, int32_t tolerance, std::string_view file) {
    TERRANE_ASSERT(well_formed(image) && tolerance >= 0 && tolerance <= 442);
    Matcher matcher(palette, tolerance);
    std::vector<Terrain> cells(image.pixels.size());
    for (size_t i = 0; i < cells.size(); ++i) {
        const Rgba pixel = image.pixels[i];
        cells[i] = pixel.a == 0 ? palette.transparent.value_or(kOutside) : matcher.find(opaque(pixel));
        if (cells[i] == kOutside) return unknown_pixel(image, i, matcher, palette, file);
    }
    return TerrainGrid(image.width, image.height, cells, palette.catalogue);
}

TerrainGrid map_from_colours(const Image& image) {
    TERRANE_ASSERT(well_formed(image));
    std::array<Sum, kMaskedTypes + 1> sums;
    for (const Rgba p : image.pixels) {
        Sum& sum = sums[masked(p)];
        sum = {sum.count + 1, sum.r + p.r, sum.g + p.g, sum.b + p.b};
    }
    Catalogue catalogue;
    std::array<Terrain, kMaskedTypes + 1> terrains{};
    for (size_t type = 0; type < sums.size(); ++type) {
        if (sums[type].count == 0) continue;
        const Rgb mean = sums[type].mean();  // unique: the mean of a type has that type
        const std::string name = type < kMaskedTypes ? "colour_" + detail::hex(mean) : "transparent";
        terrains[type] = catalogue.add({name, masked_letter(catalogue.size()), mean}).value();
    }
    std::vector<Terrain> cells(image.pixels.size());
    std::ranges::transform(image.pixels, cells.begin(), [&](Rgba p) { return terrains[masked(p)]; });
    return {image.width, image.height, cells, std::move(catalogue)};
}

Result<Image> load_image(const std::string& path, uint64_t max_pixels) {
    const auto bytes = read_file(path, max_image_bytes(max_pixels));
    if (!bytes) return bytes.error();
    return decode_png(*bytes, max_pixels, path);
}

namespace {

uint64_t max_pixels_of(const MapOptions& options) { return std::min(options.max_cells, kMaxImagePixels); }

Result<TerrainGrid> parse_png_map(const MapSource& source) {
    const auto image = decode_png(source.bytes, max_pixels_of(source.options), source.file);
    if (!image) return image.error();
    if (source.options.palette == nullptr) return map_from_colours(*image);
    return map_from_image(*image, *source.options.palette, source.options.tolerance, source.file);
}

}  // namespace

constinit const MapFormat detail::kPngFormat{
    .name = "PNG image",
    .extensions = ".png",
    .summary = "one cell per pixel; terrains by a palette, or colours masked to at most 64 terrains",
    .options = "palette, tolerance",
#ifndef TERRANE_HAS_PNG
    .missing = "libpng",
#endif
    .detect = [](std::string_view bytes) { return bytes.starts_with("\x89PNG"); },
    .max_bytes = [](const MapOptions& options) { return max_image_bytes(max_pixels_of(options)); },
    .parse = parse_png_map,
};

}  // namespace terrane
