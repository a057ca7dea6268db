// Line charts as pictures.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "terrane/io/picture.h"

namespace terrane {

struct PlotLine {
    std::string name;
    std::vector<std::pair<double, double>> points;  // ascending by x
    bool dashed = false;
};

struct Plot {
    std::string title;
    std::string x_label, y_label;
    std::vector<PlotLine> lines;
    std::vector<double> x_ticks = {};  // ascending; the axis spans them. Empty: round numbers
    bool log_x = false, log_y = false;
    double y_from = 0;  // the axis starts here or lower; ignored if log_y
};

// Draws 1040x600 pixels. Text must be ASCII; on logarithmic axes values must be above 0.
Picture draw_plot(const Plot& plot);

}  // namespace terrane
