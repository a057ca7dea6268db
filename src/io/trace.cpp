// The schema: protocol/Trace-v140.ts and resources/traces/v1.4.0 of github.com/ShortestPathLab/posthoc-app.
#include "terrane/io/trace.h"

#include <array>
#include <charconv>

#include "terrane/base/file.h"

namespace terrane {

namespace {

constexpr std::array<const char*, 7> kTypes{"source", "destination", "generating", "updating", "expanding", "closing", "end"};

void append_number(std::string& out, double value) {
    char buffer[32];
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 10);
    out.append(buffer, error == std::errc{} ? end : buffer);
}

}  // namespace

SearchTrace::SearchTrace(const GridLayout& layout, Cell start, Cell goal, TraceOptions options)
    : layout_(layout), options_(std::move(options)) {
    events_.push_back({Type::kSource, start, kNone, 0});
    events_.push_back({Type::kDestination, goal, kNone, 0});
    parents_[id(start)] = kNone;
    add(Type::kGenerating, start, 0);
}

uint64_t SearchTrace::parent_of(Cell c) const {
    const auto it = parents_.find(id(c));
    return it == parents_.end() ? kNone : it->second;
}

void SearchTrace::add(Type type, Cell cell, Cost g) {
    if (events_.size() >= options_.max_events) {
        ++left_out_;
    } else {
        events_.push_back({type, cell, parent_of(cell), g});
    }
}

void SearchTrace::close() {
    if (is_open_) add(Type::kClosing, open_.cell, open_.g);
    is_open_ = false;
}

void SearchTrace::expanded(Cell cell, Cost g) {
    close();
    add(Type::kExpanding, cell, g);
    open_.cell = cell;
    open_.g = g;
    is_open_ = true;
}

void SearchTrace::improved(Cell cell, Cell from, Cost g) {
    if (events_.size() >= options_.max_events) {
        ++left_out_;
        return;
    }
    const bool first = parents_.insert_or_assign(id(cell), id(from)).second;
    add(first ? Type::kGenerating : Type::kUpdating, cell, g);
}

void SearchTrace::finish(std::span<const Cell> path, Cost cost) {
    close();
    path_.assign(path.begin(), path.end());
    if (path_.empty()) {
        if (is_open_ || !events_.empty()) events_.push_back({Type::kEnd, events_.back().cell, events_.back().parent, events_.back().g});
        return;
    }
    const uint64_t parent = path_.size() > 1 ? id(path_[path_.size() - 2]) : kNone;
    events_.push_back({Type::kEnd, path_.back(), parent, cost});
}

void SearchTrace::append_event(std::string& out, const Event& event) const {
    out += R"({"type":")";
    out += kTypes[static_cast<size_t>(event.type)];
    out += R"(","id":)" + std::to_string(id(event.cell));
    if (event.type != Type::kSource && event.type != Type::kDestination) {
        out += R"(,"pId":)" + (event.parent == kNone ? "null" : std::to_string(event.parent)) + R"(,"g":)";
        append_number(out, to_real(event.g));
        if (options_.heuristic) {
            const Cost h = options_.heuristic(event.cell);
            out += R"(,"h":)";
            append_number(out, to_real(h));
            out += R"(,"f":)";
            append_number(out, to_real(event.g + h));
        }
    }
    out += R"(,"x":)" + std::to_string(event.cell.x) + R"(,"y":)" + std::to_string(event.cell.y);
    if (event.type == Type::kEnd && left_out_ > 0) out += R"(,"left_out":)" + std::to_string(left_out_);
    out += '}';
}

// One square per event, in posthoc's colour for its type; at the end, the path.
void SearchTrace::append_views(std::string& out) const {
    out += R"("views":{"main":[{"$":"rect","x":"${{ $.x }}","y":"${{ $.y }}","width":1,"height":1,"fill":"${{ color[$.type] }}"})";
    if (!path_.empty()) {
        out += R"(,{"$":"path","$if":"${{ $.type === 'end' }}","fill":"${{ color.red }}","line-width":0.3,"points":[)";
        for (size_t i = 0; i < path_.size(); ++i) {
            if (i > 0) out += ',';
            out += R"({"x":)" + std::to_string(path_[i].x) + R"(.5,"y":)" + std::to_string(path_[i].y) + ".5}";
        }
        out += "]}";
    }
    out += R"(]},"pivot":{"x":"${{ $.x + 0.5 }}","y":"${{ $.y + 0.5 }}","scale":1})";
}

std::string SearchTrace::to_json() const {
    std::string out = R"({"version":"1.4.0",)";
    append_views(out);
    out += R"(,"events":[)";
    for (size_t i = 0; i < events_.size(); ++i) {
        out += i > 0 ? ",\n" : "\n";
        append_event(out, events_[i]);
    }
    out += "\n]}\n";
    return out;
}

Result<void> save_trace(const std::string& path, const SearchTrace& trace) { return write_file(path, trace.to_json()); }

}  // namespace terrane
