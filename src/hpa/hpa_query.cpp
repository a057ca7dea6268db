#include "hpa/hpa_query.h"

#include <algorithm>

namespace terrane {

void HpaQuery::begin(const EntranceGraph& graph, Cell start, Cell goal, bool smooth) {
    graph_ = &graph;
    smooth_ = smooth;
    begin_query();
    cells_.assign(1, start);
    ready_ = 0;
    search_.begin(graph, start, goal);
    refiner_.begin(graph.ground());
}

void HpaQuery::take_waypoints() {
    search_.path(waypoints_);  // start, transitions, goal
    advance();
}

Status HpaQuery::refine(uint64_t budget) {
    const Status refined = refiner_.run(budget);
    if (refined != Status::kFound) return refined;
    refiner_.append_to(cells_);
    advance();
    return status_;
}

// Appends the inter-sector steps that come next, and begins the segment after them.
void HpaQuery::advance() {
    const detail::EntranceData& data = graph_->data();
    const auto crosses = [&] { return data.sector_at(cells_.back()) != data.sector_at(waypoints_[next_]); };
    while (++next_ < waypoints_.size() && crosses()) cells_.push_back(waypoints_[next_]);
    if (next_ < waypoints_.size()) refiner_.begin_segment(cells_.back(), waypoints_[next_], data.rect(data.sector_at(cells_.back())));
    const bool last = next_ == waypoints_.size();
    if (last && smooth_) smooth_path(graph_->ground(), cells_, smoothing_);
    if (last || (!smooth_ && cells_.size() > 1)) ready_ = cells_.size();
    note_ready();
    if (last) status_ = Status::kFound;
}

size_t HpaQuery::bytes() const { return bytes_of_query() + search_.bytes() + smoothing_.bytes() + cells_.capacity() * sizeof(Cell); }

}  // namespace terrane
