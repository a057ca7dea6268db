#include "bench/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "bench/picture_text.h"
#include "io/brush.h"

namespace terrane {

namespace {

constexpr int32_t kWidth = 1040, kHeight = 600;
constexpr Rect kFrame{96, 56, 688, 528};  // the plot area; the legend is to its right
constexpr Rgb kBackground{255, 255, 255}, kInk{40, 40, 48}, kGrid{225, 226, 232};
constexpr std::array<Rgb, 8> kColours = {
    {{214, 69, 65}, {38, 110, 190}, {34, 150, 96}, {232, 145, 22}, {128, 80, 180}, {20, 160, 175}, {120, 120, 128}, {200, 80, 150}}};

// Draws a segment with round ends.
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

// The horizontal or the vertical axis.
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
    int32_t free = 0;  // first pixel to the right of the previous label
    for (const double v : plot.x_ticks.empty() ? x.ticks() : plot.x_ticks) {
        const auto at = static_cast<int32_t>(std::lround(x.place(v)));
        fill_pixels(picture, {at, kFrame.top, at + 1, kFrame.bottom}, kGrid);
        const int32_t width = text_width(tick_text(v), 2), left = at - width / 2;
        if (left < free) continue;
        draw_text(picture, {left, kFrame.bottom + 10}, tick_text(v), 2, kInk);
        free = left + width + 6;
    }
    for (const double v : y.ticks()) {
        const auto at = static_cast<int32_t>(std::lround(y.place(v)));
        fill_pixels(picture, {kFrame.left, at, kFrame.right, at + 1}, kGrid);
        draw_text(picture, {kFrame.left - 8 - text_width(tick_text(v), 2), at - 7}, tick_text(v), 2, kInk);
    }
    fill_pixels(picture, {kFrame.left, kFrame.top, kFrame.left + 2, kFrame.bottom}, kInk);
    fill_pixels(picture, {kFrame.left, kFrame.bottom, kFrame.right, kFrame.bottom + 2}, kInk);
    draw_text(picture, {(kFrame.left + kFrame.right - text_width(plot.x_label, 2)) / 2, kFrame.bottom + 40}, plot.x_label, 2, kInk);
    draw_text_up(picture, {6, (kFrame.top + kFrame.bottom + text_width(plot.y_label, 2)) / 2}, plot.y_label, 2, kInk);
    draw_text(picture, {kFrame.left, 18}, plot.title, 2, kInk);
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
    Picture picture{kWidth, kHeight, std::vector<Rgb>(size_t{kWidth} * kHeight, kBackground)};
    const Axis x = make_axis(plot, false), y = make_axis(plot, true);
    draw_axes(picture, plot, x, y);
    for (size_t i = 0; i < plot.lines.size(); ++i) {
        const Rgb colour = kColours[i % kColours.size()];
        draw_line(picture, plot.lines[i], x, y, colour);
        const int32_t row = kFrame.top + 10 + static_cast<int32_t>(i) * 26;
        draw_segment(picture, {kFrame.right + 16.0, row + 7.0}, {kFrame.right + 36.0, row + 7.0}, 5, colour);
        draw_text(picture, {kFrame.right + 46, row}, plot.lines[i].name, 2, kInk);
    }
    return picture;
}

}  // namespace terrane
