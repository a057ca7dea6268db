// Line charts as pictures, for benches that reproduce figures.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "terrane/io/picture.h"

namespace terrane {

struct PlotLine {
    std::string name;
    std::vector<std::pair<double, double>> points;  // by x
    bool dashed = false;
};

struct Plot {
    std::string title;
    std::string x_label, y_label;
    std::vector<PlotLine> lines;
    std::vector<double> x_ticks = {};  // ascending; the axis reaches from the first to the last. None: round numbers
    bool log_x = false, log_y = false;
    double y_from = 0;  // where the axis begins, or below; not for a logarithmic one
};

// 1040x600 pixels. Text is ASCII. With a logarithmic scale, values must be above 0.
Picture draw_plot(const Plot& plot);

}  // namespace terrane
