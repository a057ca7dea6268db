#include "io/svg_shapes.h"

#include <charconv>

#include "io/colours.h"

namespace terrane::detail {

namespace {

constexpr const char* kRimColour = "#141218";

}  // namespace

std::string decimal(double value) {
    char buffer[512];  // the largest double has 309 digits
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 3).ptr;
    std::string_view text(buffer, static_cast<size_t>(end - buffer));
    text = text.substr(0, text.find_last_not_of('0') + 1);
    return std::string(text.ends_with('.') ? text.substr(0, text.size() - 1) : text);
}

std::string escape_xml(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            default: out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
        }
    }
    return out;
}

std::string svg_points(std::span<const Point> points) {
    std::string out;
    for (const Point p : points) out += (out.empty() ? "" : " ") + decimal(p.x) + ',' + decimal(p.y);
    return out;
}

void append_polyline(std::string& out, std::span<const Point> points, Rgb colour, std::string_view label, double width, double mark) {
    if (points.empty()) return;
    const double rim = width / 2;
    const std::string fill = '#' + hex(colour), line_points = svg_points(points);
    const auto line = [&](const std::string& stroke, double thickness) {
        out += "<polyline points=\"" + line_points + "\" fill=\"none\" stroke=\"" + stroke + "\" stroke-width=\"" + decimal(thickness) +
               "\"/>\n";
    };
    const std::string rimmed = " fill=\"#ffffff\" stroke=\"" + std::string(kRimColour) + "\" stroke-width=\"" + decimal(rim) + "\"/>";
    const std::string centre = " fill=\"" + fill + "\"/>\n";
    const auto square = [&](double half) {
        const Point at = points.back();
        out += "<rect x=\"" + decimal(at.x - half) + "\" y=\"" + decimal(at.y - half) + "\" width=\"" + decimal(2 * half) + "\" height=\"" +
               decimal(2 * half) + '"';
    };
    const auto disc = [&](double radius) {
        const Point at = points.front();
        out += "<circle cx=\"" + decimal(at.x) + "\" cy=\"" + decimal(at.y) + "\" r=\"" + decimal(radius) + '"';
    };
    out += "<g stroke-linejoin=\"round\" stroke-linecap=\"round\">";
    if (!label.empty()) out += "<title>" + escape_xml(label) + "</title>";
    out += '\n';
    line(kRimColour, width + 2 * rim);
    line(fill, width);
    square(mark * 0.9), out += rimmed;
    square(mark * 0.54), out += centre;
    disc(mark), out += rimmed;
    disc(mark * 0.6), out += centre;
    out += "</g>\n";
}

}  // namespace terrane::detail
