#include "terrane/io/navmesh_areas.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "io/navmesh_area_checks.h"
#include "terrane/base/file.h"

namespace terrane {

namespace detail {

namespace {

constexpr size_t kMaxCorners = 64;

bool in_range(float value) { return value >= -kMaxNavmeshCoordinate && value <= kMaxNavmeshCoordinate; }  // false for NaN
bool in_range(const Vec3& v) { return in_range(v.x) && in_range(v.y) && in_range(v.z); }

// Whether all corners lie on the same side of every edge.
bool is_convex(const std::vector<Point>& outline) {
    bool left = false, right = false;
    for (size_t i = 0; i < outline.size(); ++i) {
        for (const Point p : outline) {
            const int side = turn(outline[i], outline[(i + 1) % outline.size()], p);
            left |= side > 0;
            right |= side < 0;
        }
    }
    return left != right;
}

}  // namespace

std::string defect_of(const AreaVolume& volume) {
    if (volume.outline.size() < 3 || volume.outline.size() > kMaxCorners) return "its outline must have 3 to 64 corners";
    const auto far = [](Point p) { return !(std::abs(p.x) <= kMaxNavmeshCoordinate && std::abs(p.y) <= kMaxNavmeshCoordinate); };
    if (std::ranges::any_of(volume.outline, far)) return "a corner is not finite or more than 30000 m from the origin";
    if (!in_range(volume.low) || !in_range(volume.high)) return "its heights are not finite or more than 30000 m from the origin";
    if (volume.low >= volume.high) return "its low end is not below its high end";
    return is_convex(volume.outline) ? "" : "its outline is not convex";
}

std::string defect_of(const OffMeshLink& link) {
    if (!in_range(link.from) || !in_range(link.to)) return "an end is not finite or more than 30000 m from the origin";
    return link.radius > 0 && link.radius <= 1000 ? "" : "its radius must be above 0 and at most 1000";
}

}  // namespace detail

using detail::quote;
using detail::take_word;

namespace {

constexpr uint64_t kMaxAreasBytes = uint64_t{1} << 26;

class AreasReader {
public:
    AreasReader(std::string_view text, std::string_view file) : lines_(text, file) {}

    Result<NavmeshAreas> read() {
        while (lines_.next(rest_)) {
            rest_ = rest_.substr(0, rest_.find('#'));
            if (detail::is_blank(rest_)) continue;
            if (auto error = read_line(take_word(rest_))) return *std::move(error);
        }
        return std::move(areas_);
    }

private:
    std::optional<Error> read_line(std::string_view keyword) {
        std::optional<Error> error;
        if (keyword == "area") {
            error = read_area();
        } else if (keyword == "flags") {
            error = read_flags();
        } else if (keyword == "volume") {
            error = read_volume();
        } else if (keyword == "link") {
            error = read_link();
        } else {
            return bad("expected area, flags, volume or link, found " + quote(keyword));
        }
        if (!error && !detail::is_blank(rest_)) return bad("unexpected text at the end of the line: " + quote(take_word(rest_)));
        return error;
    }

    std::optional<Error> read_area() {
        const std::string_view name = take_word(rest_);
        std::array<uint8_t, 3> colour{};
        for (uint8_t& part : colour) {
            const std::string_view word = take_word(rest_);
            const auto value = detail::parse_integer<uint32_t>(word, 0, 255);
            if (!value) return bad("expected a colour's red, green and blue, 0 to 255, found " + quote(word));
            part = static_cast<uint8_t>(*value);
        }
        if (name == kNoArea) return bad("'blocked' is reserved: choose another name for the area");
        if (areas_.catalogue.size() >= kMaxNavmeshAreas - 1) return bad("more than 63 areas");
        const auto added = areas_.catalogue.add({std::string(name), 0, {colour[0], colour[1], colour[2]}});
        if (!added) return bad(added.error().reason);
        return std::nullopt;
    }

    std::optional<Error> read_flags() {
        const auto area = read_name();
        if (!area) return area.error();
        const auto id = areas_.catalogue.find(*area);
        if (!id) return bad("'blocked' has no flags");
        const std::string_view word = take_word(rest_);
        const auto value = detail::parse_integer<uint32_t>(word, 0, 65535);
        if (!value) return bad("expected flags, 0 to 65535, found " + quote(word));
        if (areas_.flags.size() <= *id) areas_.flags.resize(size_t{*id} + 1, 1);
        areas_.flags[*id] = static_cast<uint16_t>(*value);
        return std::nullopt;
    }

    std::optional<Error> read_volume() {
        auto name = read_name();
        if (!name) return name.error();
        AreaVolume volume;
        volume.area = *std::move(name);
        if (!read_number(volume.low) || !read_number(volume.high)) return bad_number();
        while (!detail::is_blank(rest_)) {
            float x = 0, z = 0;
            if (!read_number(x) || !read_number(z)) return bad_number();
            volume.outline.push_back({x, z});
        }
        if (const std::string reason = detail::defect_of(volume); !reason.empty()) return bad("a volume: " + reason);
        areas_.volumes.push_back(std::move(volume));
        return std::nullopt;
    }

    std::optional<Error> read_link() {
        auto name = read_name();
        if (!name) return name.error();
        if (*name == kNoArea) return bad("a link cannot have the area 'blocked'");
        OffMeshLink link;
        link.area = *std::move(name);
        for (float* number : {&link.from.x, &link.from.y, &link.from.z, &link.to.x, &link.to.y, &link.to.z, &link.radius}) {
            if (!read_number(*number)) return bad_number();
        }
        const std::string_view direction = take_word(rest_);
        if (direction != "one_way" && direction != "two_way") return bad("expected one_way or two_way, found " + quote(direction));
        link.two_way = direction == "two_way";
        if (const std::string reason = detail::defect_of(link); !reason.empty()) return bad("a link: " + reason);
        areas_.links.push_back(std::move(link));
        return std::nullopt;
    }

    // Reads an area of the catalogue, or kNoArea.
    Result<std::string> read_name() {
        const std::string_view name = take_word(rest_);
        if (name != kNoArea && !areas_.catalogue.find(name)) return lines_.refuse(ErrorCode::kUnknownName, "unknown area " + quote(name));
        return std::string(name);
    }

    bool read_number(float& out) {
        word_ = take_word(rest_);
        double value = 0;
        const auto [end, error] = std::from_chars(word_.data(), word_.data() + word_.size(), value);
        if (error != std::errc{} || end != word_.data() + word_.size() || !(std::abs(value) <= 1e30)) return false;
        out = static_cast<float>(value);
        return true;
    }

    Error bad(std::string reason) const { return lines_.refuse(ErrorCode::kBadValue, std::move(reason)); }
    Error bad_number() const {
        return word_.empty() ? lines_.refuse(ErrorCode::kTruncated, "the line ends where a number should be")
                             : bad("expected a number, found " + quote(word_));
    }

    detail::LineReader lines_;
    std::string_view rest_, word_;
    NavmeshAreas areas_;
};

}  // namespace

Result<NavmeshAreas> parse_areas(std::string_view text, std::string_view file) { return AreasReader(text, file).read(); }

Result<NavmeshAreas> load_areas(const std::string& path) {
    const auto text = read_file(path, kMaxAreasBytes);
    if (!text) return text.error();
    return parse_areas(*text, path);
}

}  // namespace terrane
