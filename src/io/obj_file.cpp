#include "terrane/io/obj_file.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/text.h"
#include "terrane/base/file.h"

namespace terrane {

using detail::LineReader;
using detail::quote;
using detail::take_word;

namespace {

// Parses a number within the range of float. The whole text must match.
std::optional<float> parse_float(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    const std::optional<double> value = detail::parse_number(text);
    if (!value || !(std::abs(*value) <= double{std::numeric_limits<float>::max()})) return std::nullopt;
    return static_cast<float>(*value);
}

class ObjReader {
public:
    ObjReader(std::string_view text, std::string_view file) : lines_(text, file) {}

    Result<TriangleMesh> read() {
        for (std::string_view line; lines_.next(line);) {
            line = line.substr(0, line.find('#'));
            const std::string_view keyword = take_word(line);
            std::optional<Error> error;
            if (keyword == "v") error = add_vertex(line);
            if (keyword == "f") error = add_face(line);
            if (error) return *std::move(error);
        }
        if (mesh_.triangles.empty()) return lines_.refuse_line(ErrorCode::kBadValue, 0, "no faces: expected 'f' lines");
        return std::move(mesh_);
    }

private:
    // Three coordinates; a fourth, and colours, may follow.
    std::optional<Error> add_vertex(std::string_view rest) {
        if (mesh_.vertices.size() == kMaxObjVertices) return too_large("vertices", kMaxObjVertices);
        std::array<float, 3> at{};
        for (float& coordinate : at) {
            const std::string_view word = take_word(rest);
            if (word.empty()) return lines_.refuse(ErrorCode::kTruncated, "expected three coordinates of a vertex");
            const auto value = parse_float(word);
            if (!value) return lines_.refuse(ErrorCode::kBadValue, "expected a finite number, found " + quote(word));
            coordinate = *value;
        }
        mesh_.vertices.push_back({at[0], at[1], at[2]});
        return std::nullopt;
    }

    std::optional<Error> add_face(std::string_view rest) {
        std::array<uint32_t, 3> fan{};  // the first corner, the previous one, and the current one
        uint32_t corners = 0;
        for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
            const auto corner = find_vertex(word);
            if (!corner) return corner.error();
            fan[std::min(corners, 2u)] = *corner;
            if (++corners < 3) continue;
            if (mesh_.triangles.size() == kMaxObjTriangles) return too_large("triangles", kMaxObjTriangles);
            mesh_.triangles.push_back(fan);
            fan[1] = fan[2];
        }
        if (corners < 3) {
            return lines_.refuse(ErrorCode::kTruncated, "a face of " + std::to_string(corners) + " corners: expected at least three");
        }
        return std::nullopt;
    }

    // "7", "7/1", "7//3", "7/1/3"; -1 is the latest vertex.
    Result<uint32_t> find_vertex(std::string_view word) const {
        const auto count = static_cast<int64_t>(mesh_.vertices.size());
        const std::string_view number = word.substr(0, word.find('/'));
        const auto index = detail::parse_integer<int64_t>(number, INT64_MIN, INT64_MAX);
        if (!index || !valid_suffix(word.substr(number.size()))) {
            return lines_.refuse(ErrorCode::kBadValue, "expected the corner of a face, as 7, 7/1 or 7//3, found " + quote(word));
        }
        if (*index == 0 || *index > count || *index < -count) {
            return lines_.refuse(ErrorCode::kBadValue, "vertex " + std::to_string(*index) + " is undefined: " + std::to_string(count) +
                                                           " vertices precede this line");
        }
        return static_cast<uint32_t>(*index > 0 ? *index - 1 : count + *index);
    }

    // Checks the syntax after the vertex: indices of texture coordinates and normals, which are ignored.
    static bool valid_suffix(std::string_view rest) {
        if (rest.empty()) return true;
        const std::string_view both = rest.substr(1);
        const size_t slash = both.find('/');
        const auto number = [](std::string_view text) { return detail::parse_integer<int64_t>(text, INT64_MIN, INT64_MAX).has_value(); };
        if (slash == std::string_view::npos) return number(both);
        return (slash == 0 || number(both.substr(0, slash))) && number(both.substr(slash + 1));
    }

    Error too_large(const char* what, uint32_t limit) const {
        return lines_.refuse(ErrorCode::kTooLarge, "more than " + std::to_string(limit) + " " + what);
    }

    LineReader lines_;
    TriangleMesh mesh_;
};

// Appends the shortest text that reads back as the same number.
void append(std::string& out, float value) {
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value);
    out.append(text, end);
}

}  // namespace

Result<TriangleMesh> parse_obj(std::string_view text, std::string_view file) {
    if (text.size() > kMaxObjBytes) {
        return Error{ErrorCode::kTooLarge, std::string(file), 0, "more than " + std::to_string(kMaxObjBytes) + " bytes"};
    }
    return ObjReader(text, file).read();
}

Result<TriangleMesh> load_obj(const std::string& path) {
    const auto text = read_file(path, kMaxObjBytes);
    if (!text) return text.error();
    return parse_obj(*text, path);
}

std::string format_obj(const TriangleMesh& mesh) {
    std::string out;
    for (const Vec3& v : mesh.vertices) {
        out += "v ";
        append(out, v.x);
        out += ' ';
        append(out, v.y);
        out += ' ';
        append(out, v.z);
        out += '\n';
    }
    for (const auto& t : mesh.triangles) {
        out += "f " + std::to_string(t[0] + 1) + ' ' + std::to_string(t[1] + 1) + ' ' + std::to_string(t[2] + 1) + '\n';
    }
    return out;
}

}  // namespace terrane
