#include "bench/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "io/brush.h"

namespace terrane {

namespace {

constexpr int32_t kWidth = 1040, kHeight = 600;
constexpr Rect kFrame{96, 56, 688, 528};  // the lines; their names are to the right
constexpr Rgb kPaper{255, 255, 255}, kInk{40, 40, 48}, kGrid{225, 226, 232};
constexpr std::array<Rgb, 8> kColours = {
    {{214, 69, 65}, {38, 110, 190}, {34, 150, 96}, {232, 145, 22}, {128, 80, 180}, {20, 160, 175}, {120, 120, 128}, {200, 80, 150}}};

// Letters of 5x7 dots, ' ' to '~': a byte for each column, the lowest bit on top.
// clang-format off
constexpr std::array<uint8_t, 95 * 5> kLetters = {
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x5f, 0x00, 0x00, 0x00, 0x07, 0x00, 0x07, 0x00, 0x14, 0x7f, 0x14, 0x7f, 0x14,
    0x24, 0x2a, 0x7f, 0x2a, 0x12, 0x23, 0x13, 0x08, 0x64, 0x62, 0x36, 0x49, 0x56, 0x20, 0x50, 0x00, 0x00, 0x07, 0x00, 0x00,
    0x00, 0x1c, 0x22, 0x41, 0x00, 0x00, 0x41, 0x22, 0x1c, 0x00, 0x2a, 0x1c, 0x7f, 0x1c, 0x2a, 0x08, 0x08, 0x3e, 0x08, 0x08,
    0x00, 0x80, 0x70, 0x30, 0x00, 0x08, 0x08, 0x08, 0x08, 0x08, 0x00, 0x00, 0x60, 0x60, 0x00, 0x20, 0x10, 0x08, 0x04, 0x02,
    0x3e, 0x51, 0x49, 0x45, 0x3e, 0x00, 0x42, 0x7f, 0x40, 0x00, 0x72, 0x49, 0x49, 0x49, 0x46, 0x21, 0x41, 0x49, 0x4d, 0x33,
    0x18, 0x14, 0x12, 0x7f, 0x10, 0x27, 0x45, 0x45, 0x45, 0x39, 0x3c, 0x4a, 0x49, 0x49, 0x31, 0x41, 0x21, 0x11, 0x09, 0x07,
    0x36, 0x49, 0x49, 0x49, 0x36, 0x46, 0x49, 0x49, 0x29, 0x1e, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x40, 0x34, 0x00, 0x00,
    0x00, 0x08, 0x14, 0x22, 0x41, 0x14, 0x14, 0x14, 0x14, 0x14, 0x00, 0x41, 0x22, 0x14, 0x08, 0x02, 0x01, 0x59, 0x09, 0x06,
    0x3e, 0x41, 0x5d, 0x59, 0x4e, 0x7c, 0x12, 0x11, 0x12, 0x7c, 0x7f, 0x49, 0x49, 0x49, 0x36, 0x3e, 0x41, 0x41, 0x41, 0x22,
    0x7f, 0x41, 0x41, 0x41, 0x3e, 0x7f, 0x49, 0x49, 0x49, 0x41, 0x7f, 0x09, 0x09, 0x09, 0x01, 0x3e, 0x41, 0x41, 0x51, 0x73,
    0x7f, 0x08, 0x08, 0x08, 0x7f, 0x00, 0x41, 0x7f, 0x41, 0x00, 0x20, 0x40, 0x41, 0x3f, 0x01, 0x7f, 0x08, 0x14, 0x22, 0x41,
    0x7f, 0x40, 0x40, 0x40, 0x40, 0x7f, 0x02, 0x1c, 0x02, 0x7f, 0x7f, 0x04, 0x08, 0x10, 0x7f, 0x3e, 0x41, 0x41, 0x41, 0x3e,
    0x7f, 0x09, 0x09, 0x09, 0x06, 0x3e, 0x41, 0x51, 0x21, 0x5e, 0x7f, 0x09, 0x19, 0x29, 0x46, 0x26, 0x49, 0x49, 0x49, 0x32,
    0x03, 0x01, 0x7f, 0x01, 0x03, 0x3f, 0x40, 0x40, 0x40, 0x3f, 0x1f, 0x20, 0x40, 0x20, 0x1f, 0x3f, 0x40, 0x38, 0x40, 0x3f,
    0x63, 0x14, 0x08, 0x14, 0x63, 0x03, 0x04, 0x78, 0x04, 0x03, 0x61, 0x59, 0x49, 0x4d, 0x43, 0x00, 0x7f, 0x41, 0x41, 0x41,
    0x02, 0x04, 0x08, 0x10, 0x20, 0x00, 0x41, 0x41, 0x41, 0x7f, 0x04, 0x02, 0x01, 0x02, 0x04, 0x40, 0x40, 0x40, 0x40, 0x40,
    0x00, 0x03, 0x07, 0x08, 0x00, 0x20, 0x54, 0x54, 0x78, 0x40, 0x7f, 0x28, 0x44, 0x44, 0x38, 0x38, 0x44, 0x44, 0x44, 0x28,
    0x38, 0x44, 0x44, 0x28, 0x7f, 0x38, 0x54, 0x54, 0x54, 0x18, 0x00, 0x08, 0x7e, 0x09, 0x02, 0x18, 0xa4, 0xa4, 0x9c, 0x78,
    0x7f, 0x08, 0x04, 0x04, 0x78, 0x00, 0x44, 0x7d, 0x40, 0x00, 0x20, 0x40, 0x40, 0x3d, 0x00, 0x7f, 0x10, 0x28, 0x44, 0x00,
    0x00, 0x41, 0x7f, 0x40, 0x00, 0x7c, 0x04, 0x78, 0x04, 0x78, 0x7c, 0x08, 0x04, 0x04, 0x78, 0x38, 0x44, 0x44, 0x44, 0x38,
    0xfc, 0x18, 0x24, 0x24, 0x18, 0x18, 0x24, 0x24, 0x18, 0xfc, 0x7c, 0x08, 0x04, 0x04, 0x08, 0x48, 0x54, 0x54, 0x54, 0x24,
    0x04, 0x04, 0x3f, 0x44, 0x24, 0x3c, 0x40, 0x40, 0x20, 0x7c, 0x1c, 0x20, 0x40, 0x20, 0x1c, 0x3c, 0x40, 0x30, 0x40, 0x3c,
    0x44, 0x28, 0x10, 0x28, 0x44, 0x4c, 0x90, 0x90, 0x90, 0x7c, 0x44, 0x64, 0x54, 0x4c, 0x44, 0x00, 0x08, 0x36, 0x41, 0x00,
    0x00, 0x00, 0x77, 0x00, 0x00, 0x00, 0x41, 0x36, 0x08, 0x00, 0x02, 0x01, 0x02, 0x04, 0x02,
};
// clang-format on

constexpr int32_t kAdvance = 6;  // dots from letter to letter

void fill(Picture& picture, const Rect& rect, Rgb colour) {
    for (int32_t y = std::max(rect.top, 0); y < std::min(rect.bottom, picture.height); ++y) {
        for (int32_t x = std::max(rect.left, 0); x < std::min(rect.right, picture.width); ++x) picture.at(x, y) = colour;
    }
}

int32_t text_width(std::string_view text, int32_t scale) { return static_cast<int32_t>(text.size()) * kAdvance * scale; }

// Calls dot(column, row) for every dot of a text.
template <class Dot>
void for_each_dot(std::string_view text, Dot&& dot) {
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] < ' ' || text[i] > '~') continue;
        for (size_t column = 0; column < 5; ++column) {
            for (int32_t row = 0; row < 8; ++row) {
                if ((kLetters[static_cast<size_t>(text[i] - ' ') * 5 + column] >> row & 1) != 0)
                    dot(static_cast<int32_t>(i) * kAdvance + static_cast<int32_t>(column), row);
            }
        }
    }
}

void draw_text(Picture& picture, Cell at, std::string_view text, int32_t scale, Rgb colour = kInk) {
    for_each_dot(text, [&](int32_t x, int32_t y) {
        fill(picture, {at.x + x * scale, at.y + y * scale, at.x + (x + 1) * scale, at.y + (y + 1) * scale}, colour);
    });
}

// Upwards, from its lower left corner.
void draw_text_up(Picture& picture, Cell at, std::string_view text, int32_t scale) {
    for_each_dot(text, [&](int32_t x, int32_t y) {
        fill(picture, {at.x + y * scale, at.y - (x + 1) * scale, at.x + (y + 1) * scale, at.y - x * scale}, kInk);
    });
}

// A segment with round ends.
void draw_segment(Picture& picture, Point a, Point b, double width, Rgb colour) {
    const auto from = [&](double u, double v) { return static_cast<int32_t>(std::floor(std::min(u, v) - width)); };
    const auto to = [&](double u, double v) { return static_cast<int32_t>(std::ceil(std::max(u, v) + width)); };
    for (int32_t y = std::max(from(a.y, b.y), 0); y <= std::min(to(a.y, b.y), picture.height - 1); ++y) {
        for (int32_t x = std::max(from(a.x, b.x), 0); x <= std::min(to(a.x, b.x), picture.width - 1); ++x) {
            const double away = detail::distance_to_segment({static_cast<double>(x), static_cast<double>(y)}, a, b);
            picture.at(x, y) = detail::blend(picture.at(x, y), colour, detail::coverage(away, width / 2));
        }
    }
}

// One direction of the frame.
struct Axis {
    double low, high;
    bool logarithmic;
    double from, to;  // pixels

    double place(double value) const {
        const auto scaled = [this](double v) { return logarithmic ? std::log(v) : v; };
        return from + (scaled(value) - scaled(low)) / (scaled(high) - scaled(low)) * (to - from);
    }
    std::vector<double> ticks() const {
        std::vector<double> out;
        if (logarithmic) {
            for (double power = std::pow(10, std::floor(std::log10(low))); power <= high * 1.0001; power *= 10) {
                for (const double by : {1.0, 2.0, 5.0}) out.push_back(power * by);
            }
        } else {
            const double rough = (high - low) / 6, power = std::pow(10, std::floor(std::log10(rough)));
            const double step = power * (rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10);
            for (double v = std::ceil(low / step - 1e-9) * step; v <= high * (1 + 1e-9); v += step) out.push_back(v);
        }
        std::erase_if(out, [this](double v) { return v < low * 0.9999 || v > high * 1.0001; });
        return out;
    }
};

Axis make_axis(const Plot& plot, bool vertical) {
    Axis axis{1e300, -1e300, vertical ? plot.log_y : plot.log_x, 0, 0};
    for (const PlotLine& line : plot.lines) {
        for (const auto& [x, y] : line.points) {
            axis.low = std::min(axis.low, vertical ? y : x);
            axis.high = std::max(axis.high, vertical ? y : x);
        }
    }
    if (!vertical && !plot.x_ticks.empty()) {
        axis.low = std::min(axis.low, plot.x_ticks.front());
        axis.high = std::max(axis.high, plot.x_ticks.back());
    } else if (vertical && axis.logarithmic) {
        axis.low /= 1.25;
        axis.high *= 1.25;
    } else if (vertical) {
        axis.low = std::min(axis.low, plot.y_from);
        axis.high += (axis.high - axis.low) * 0.05;
    }
    if (axis.high <= axis.low) axis.high = axis.logarithmic ? axis.low * 2 : axis.low + 1;
    axis.from = vertical ? kFrame.bottom : kFrame.left;
    axis.to = vertical ? kFrame.top : kFrame.right;
    return axis;
}

std::string tick_text(double value) {
    if (value >= 1e6) return fmt::format("{:g}M", value / 1e6);
    if (value >= 1e4) return fmt::format("{:g}k", value / 1e3);
    return fmt::format("{:.5g}", value + 0.0);  // no -0
}

void draw_axes(Picture& picture, const Plot& plot, const Axis& x, const Axis& y) {
    int32_t free = 0;  // to the right of the label before
    for (const double v : plot.x_ticks.empty() ? x.ticks() : plot.x_ticks) {
        const auto at = static_cast<int32_t>(std::lround(x.place(v)));
        fill(picture, {at, kFrame.top, at + 1, kFrame.bottom}, kGrid);
        const int32_t width = text_width(tick_text(v), 2), left = at - width / 2;
        if (left < free) continue;
        draw_text(picture, {left, kFrame.bottom + 10}, tick_text(v), 2);
        free = left + width + 6;
    }
    for (const double v : y.ticks()) {
        const auto at = static_cast<int32_t>(std::lround(y.place(v)));
        fill(picture, {kFrame.left, at, kFrame.right, at + 1}, kGrid);
        draw_text(picture, {kFrame.left - 8 - text_width(tick_text(v), 2), at - 7}, tick_text(v), 2);
    }
    fill(picture, {kFrame.left, kFrame.top, kFrame.left + 2, kFrame.bottom}, kInk);
    fill(picture, {kFrame.left, kFrame.bottom, kFrame.right, kFrame.bottom + 2}, kInk);
    draw_text(picture, {(kFrame.left + kFrame.right - text_width(plot.x_label, 2)) / 2, kFrame.bottom + 40}, plot.x_label, 2);
    draw_text_up(picture, {6, (kFrame.top + kFrame.bottom + text_width(plot.y_label, 2)) / 2}, plot.y_label, 2);
    draw_text(picture, {kFrame.left, 18}, plot.title, 2);
}

void draw_line(Picture& picture, const PlotLine& line, const Axis& x, const Axis& y, Rgb colour) {
    constexpr double kDash = 7;  // pixels
    for (size_t i = 0; i < line.points.size(); ++i) {
        const Point a{x.place(line.points[i].first), y.place(line.points[i].second)};
        draw_segment(picture, a, a, line.dashed ? 5 : 8, colour);
        if (i + 1 == line.points.size()) continue;
        const Point b{x.place(line.points[i + 1].first), y.place(line.points[i + 1].second)};
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        const double dash = line.dashed ? kDash : length;
        for (double at = 0; at < length; at += 2 * dash) {
            const auto on = [&](double t) { return Point{a.x + (b.x - a.x) * t / length, a.y + (b.y - a.y) * t / length}; };
            draw_segment(picture, on(at), on(std::min(at + dash, length)), 2.5, colour);
        }
    }
}

}  // namespace

Picture draw_plot(const Plot& plot) {
    Picture picture{kWidth, kHeight, std::vector<Rgb>(size_t{kWidth} * kHeight, kPaper)};
    const Axis x = make_axis(plot, false), y = make_axis(plot, true);
    draw_axes(picture, plot, x, y);
    for (size_t i = 0; i < plot.lines.size(); ++i) {
        const Rgb colour = kColours[i % kColours.size()];
        draw_line(picture, plot.lines[i], x, y, colour);
        const int32_t row = kFrame.top + 10 + static_cast<int32_t>(i) * 26;
        draw_segment(picture, {kFrame.right + 16.0, row + 7.0}, {kFrame.right + 36.0, row + 7.0}, 5, colour);
        draw_text(picture, {kFrame.right + 46, row}, plot.lines[i].name, 2);
    }
    return picture;
}

}  // namespace terrane
