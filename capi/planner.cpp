// Planners and paths in C: queries at once or in slices, expansion counts, traces.
#include <cmath>

#include "planner_handle.h"

using namespace terrane;
using namespace terrane::capi;

namespace terrane::capi {

Result<FindOptions> find_options_of(const terrane_find_options* given) {
    const auto known = options_of(given, "terrane_find_options");
    if (!known) return known.error();
    const terrane_find_options& all = *known;
    const auto movement = movement_of(all.movement);
    if (!movement) return movement.error();
    auto method = method_of(text_of(all.method));
    if (!method) return method.error();
    if (!(all.bound == 0 || (all.bound >= 1 && std::isfinite(all.bound)))) {
        return Error{ErrorCode::kBadValue, {}, 0, "invalid bound: expected 1 or more, or 0 for none"};
    }
    FindOptions options;
    options.method = std::move(*method);
    options.movement = *movement;
    options.max_expansions = all.max_expansions == 0 ? kUnlimited : all.max_expansions;
    options.bound = all.bound;
    options.nearest = all.nearest != 0;
    options.fallback = all.fallback != 0;
    return options;
}

}  // namespace terrane::capi

void PlannerWatcher::expanded(Cell cell, Cost g) {
    if (heat != nullptr) ++heat[static_cast<size_t>(cell.y) * static_cast<size_t>(layout.width) + static_cast<size_t>(cell.x)];
    if (trace) trace->expanded(cell, g);
}

void PlannerWatcher::improved(Cell cell, Cell from, Cost g) {
    if (trace) trace->improved(cell, from, g);
}

void terrane_planner::begin(Cell from, Cell to, const CostTable& costs, FindOptions& options) {
    text.reset();
    watcher.trace.reset();
    max_expansions = options.max_expansions;
    if (watcher.heat != nullptr || traces) options.watcher = &watcher;
    planner.begin(from, to, costs, options);
    const GridLayout& layout = watcher.layout;
    if (traces && searches_cells(planner.method()) && layout.contains(from) && layout.contains(to)) {
        watcher.trace.emplace(layout, from, to);
    }
    finish_trace();
}

Status terrane_planner::run(uint64_t budget) {
    const bool finished = planner.status() != Status::kBudgetSpent;
    Status status = planner.run(budget);
    while (budget == kUnlimited && status == Status::kBudgetSpent && planner.expansions() < max_expansions) status = planner.run();
    if (!finished) finish_trace();
    return status;
}

void terrane_planner::finish_trace() {
    if (!watcher.trace || planner.status() == Status::kBudgetSpent) return;
    if (planner.status() == Status::kOutOfMemory) return watcher.trace.reset();
    Path path;
    planner.path(path);
    watcher.trace->finish(path.cells, path.cost);
    text.reset();
}

void terrane_planner::take(terrane_path& out) const {
    planner.path(out.path);
    out.first = planner.first_segment();
    out.has_result = true;
}

const char* terrane_status_text(terrane_status status) {
    if (status == TERRANE_NOT_ASKED) return "not asked";
    return status >= TERRANE_FOUND && status <= TERRANE_UNSUPPORTED_MOVEMENT ? to_string(static_cast<Status>(status)) : nullptr;
}

terrane_planner* terrane_planner_new(const terrane_world* world, terrane_error* error) {
    if (world == nullptr) return refuse_null(error), nullptr;
    return guarded_or<terrane_planner*>(nullptr, error, [&] { return new terrane_planner(*world); });
}
void terrane_planner_free(terrane_planner* planner) { delete planner; }

terrane_path* terrane_path_new(terrane_error* error) {
    return guarded_or<terrane_path*>(nullptr, error, [] { return new terrane_path; });
}
void terrane_path_free(terrane_path* path) { delete path; }

terrane_code terrane_begin(terrane_planner* planner, terrane_cell from, terrane_cell to, const terrane_profile* profile,
                           const terrane_find_options* options, terrane_error* error) {
    if (planner == nullptr || profile == nullptr) return refuse_null(error);
    return guarded(error, [&]() -> terrane_code {
        auto with = find_options_of(options);
        if (!with) return refuse(with.error(), error);
        const auto costs = costs_of(*profile, *planner->world);
        if (!costs) return refuse(costs.error(), error);
        planner->has_query = true;
        planner->begin(cell_of(from), cell_of(to), *costs, *with);
        return planner->planner.status() == Status::kOutOfMemory ? refuse_no_memory(error) : TERRANE_OK;
    });
}

terrane_code terrane_find(terrane_planner* planner, terrane_cell from, terrane_cell to, const terrane_profile* profile,
                          const terrane_find_options* options, terrane_path* path, terrane_error* error) {
    if (path == nullptr) return refuse_null(error);
    const terrane_code code = terrane_begin(planner, from, to, profile, options, error);
    if (code != TERRANE_OK) return code;
    return guarded(error, [&]() -> terrane_code {
        if (planner->run(kUnlimited) == Status::kOutOfMemory) return refuse_no_memory(error);
        planner->take(*path);
        return path->path.status == Status::kOutOfMemory ? refuse_no_memory(error) : TERRANE_OK;
    });
}

terrane_status terrane_run(terrane_planner* planner, uint32_t budget) {
    if (planner == nullptr || !planner->has_query) return TERRANE_NOT_ASKED;
    return guarded_or<terrane_status>(TERRANE_OUT_OF_MEMORY, nullptr, [&] {  // in the trace; the planner reports its own failures
        return status_to(planner->run(budget_of(budget)));
    });
}

size_t terrane_ready(const terrane_planner* planner, terrane_cell* out, size_t capacity) {
    if (planner == nullptr) return 0;
    ListWriter writer(out, capacity);
    for (const Cell c : planner->planner.ready()) writer.add(cell_to(c));
    return writer.count();
}

terrane_code terrane_take(const terrane_planner* planner, terrane_path* path, terrane_error* error) {
    if (planner == nullptr || path == nullptr) return refuse_null(error);
    if (!planner->has_query) return refuse("the planner has no query: call terrane_begin first", error);
    return guarded(error, [&] {
        planner->take(*path);
        return path->path.status == Status::kOutOfMemory ? refuse_no_memory(error) : terrane_code{TERRANE_OK};
    });
}

void terrane_planner_heat(terrane_planner* planner, uint32_t* heat) {
    if (planner != nullptr) planner->watcher.heat = heat;
}

void terrane_planner_trace(terrane_planner* planner, uint32_t on) {
    if (planner != nullptr) planner->traces = on != 0;
}

size_t terrane_planner_trace_text(const terrane_planner* planner, char* out, size_t capacity) {
    if (planner == nullptr || !planner->watcher.trace) return 0;
    return guarded_or<size_t>(0, nullptr, [&] {
        if (!planner->text) planner->text = planner->watcher.trace->to_json();
        return copy_list<char>(*planner->text, out, capacity);
    });
}

terrane_code terrane_path_get_info(const terrane_path* path, terrane_path_info* out, terrane_error* error) {
    terrane_path_info info{};
    info.status = TERRANE_NOT_ASKED;
    info.bound = 1;
    const terrane_path_info none = info;
    if (path == nullptr) return answer_null(out, error, none);
    if (!path->has_result) return answer(none, out, "terrane_path_info", error, none);
    const Path& p = path->path;
    info.status = status_to(p.status);
    info.cost = p.cost;
    info.bound = p.bound;
    info.expansions = p.expansions;
    info.expansions_first = p.expansions_first;
    info.version = p.version;
    info.cells = static_cast<uint32_t>(p.cells.size());
    info.first = static_cast<uint32_t>(path->first);
    info.polyline_points = static_cast<uint32_t>(p.polyline.size());
    info.polyline_cost = p.polyline_cost;
    return answer(info, out, "terrane_path_info", error, none);
}

size_t terrane_path_cells(const terrane_path* path, terrane_cell* out, size_t capacity) {
    if (path == nullptr) return 0;
    ListWriter writer(out, capacity);
    for (const Cell c : path->path.cells) writer.add(cell_to(c));
    return writer.count();
}

size_t terrane_path_polyline(const terrane_path* path, terrane_point* out, size_t capacity) {
    if (path == nullptr) return 0;
    ListWriter writer(out, capacity);
    for (const Point p : path->path.polyline) writer.add({p.x, p.y});
    return writer.count();
}

const char* terrane_path_method(const terrane_path* path) { return path == nullptr ? nullptr : path->path.method.c_str(); }

int32_t terrane_path_valid(const terrane_path* path, const terrane_world* world) {
    return path != nullptr && world != nullptr && path->path.still_valid(world->world) ? 1 : 0;
}
