#include "bench/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "terrane/base/file.h"

namespace terrane {

namespace {

nlohmann::ordered_json rows_json(const std::vector<ReportRow>& rows) {
    auto out = nlohmann::ordered_json::array();
    for (const ReportRow& row : rows) {
        auto metrics = nlohmann::ordered_json::object();
        for (const auto& [name, value] : row.metrics) {
            if (!std::isnan(value)) metrics[name] = value;
        }
        out.push_back(
            {{"method", row.method}, {"case", row.scene.is_null() ? nlohmann::ordered_json::object() : row.scene}, {"metrics", metrics}});
    }
    return out;
}

// The rows of one table, each with a suffix for its method.
using Group = std::vector<std::pair<const ReportRow*, const char*>>;

std::vector<std::string> metric_names(const Group& group) {
    std::vector<std::string> names;
    for (const auto& [row, mark] : group) {
        for (const auto& [name, value] : row->metrics) {
            if (!std::isnan(value) && std::ranges::find(names, name) == names.end()) names.push_back(name);
        }
    }
    return names;
}

std::string metric(const ReportRow& row, const std::string& name) {
    const auto it = std::ranges::find(row.metrics, name, &Metrics::value_type::first);
    return it == row.metrics.end() || std::isnan(it->second) ? "" : format_number(it->second);
}

// Joins the values of a case: "Map1.map, 250"
std::string scene_text(const nlohmann::ordered_json& scene) {
    std::string text;
    for (const auto& [name, value] : scene.items())
        text += (text.empty() ? "" : ", ") + (value.is_string() ? value.get<std::string>() : value.dump());
    return text;
}

}  // namespace

nlohmann::ordered_json Report::json() const {
    return {{"bench", bench},       {"command", command},      {"commit", build_commit()},
            {"machine", machine()}, {"rows", rows_json(rows)}, {"paper", rows_json(paper)},
            {"notes", notes}};
}

// Starts a new table at a row that shares no metric with the row before it.
std::string Report::table() const {
    std::vector<Group> groups;
    const auto alike = [](const ReportRow& a, const ReportRow& b) {
        return std::ranges::any_of(a.metrics, [&](const auto& m) { return !metric(b, m.first).empty(); });
    };
    for (const ReportRow& row : rows) {
        if (groups.empty() || !alike(row, *groups.back().back().first)) groups.emplace_back();
        groups.back().emplace_back(&row, "");
    }
    for (const ReportRow& row : paper) {
        auto group = std::ranges::find_if(groups, [&](const Group& g) { return alike(row, *g.front().first); });
        if (group == groups.end()) group = groups.insert(group, Group{});
        group->emplace_back(&row, " (paper)");
    }
    std::string out;
    for (const Group& group : groups) {
        const auto names = metric_names(group);
        std::vector<std::vector<std::string>> lines{{"method", "case"}};
        lines[0].insert(lines[0].end(), names.begin(), names.end());
        for (const auto& [row, mark] : group) {
            lines.push_back({row->method + mark, scene_text(row->scene)});
            for (const std::string& name : names) lines.back().push_back(metric(*row, name));
        }
        out += (out.empty() ? "" : "\n") + format_table(lines, 2);
    }
    for (const std::string& note : notes) out += "\n" + note + "\n";
    return out;
}

std::string format_table(const std::vector<std::vector<std::string>>& rows, size_t first, size_t last) {
    std::vector<size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string out;
    for (const auto& row : rows) {
        std::string line;
        for (size_t i = 0; i < row.size(); ++i) {
            line += i < first || i >= last ? fmt::format("{:<{}}  ", row[i], widths[i]) : fmt::format("{:>{}}  ", row[i], widths[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

std::string format_number(double value) {
    if (value == std::floor(value) || std::fabs(value) >= 1000) {
        std::string digits = fmt::format("{:.0f}", value);
        for (int i = static_cast<int>(digits.size()) - 3; i > (digits[0] == '-' ? 1 : 0); i -= 3)
            digits.insert(static_cast<size_t>(i), ",");
        return digits;
    }
    const double size = std::fabs(value);
    return size >= 100 ? fmt::format("{:.1f}", value) : size >= 1 ? fmt::format("{:.3f}", value) : fmt::format("{:.3g}", value);
}

std::string machine() {
    std::ifstream cpuinfo("/proc/cpuinfo");
    std::string name = "unknown processor";
    for (std::string line; std::getline(cpuinfo, line);) {
        if (line.starts_with("model name") && line.find(": ") != std::string::npos) {
            name = line.substr(line.find(": ") + 2);
            break;
        }
    }
#if defined(__clang__)
    return fmt::format("{}, clang {}.{}", name, __clang_major__, __clang_minor__);
#elif defined(__GNUC__)
    return fmt::format("{}, g++ {}.{}", name, __GNUC__, __GNUC_MINOR__);
#else
    return name;
#endif
}

Result<void> write_json(const std::string& path, const nlohmann::ordered_json& json) {
    const std::string text = json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    if (path != "-") return write_file(path, text);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return {};
}

}  // namespace terrane
