#include "hpa/hpa_query.h"

#include <algorithm>

namespace terrane {

void HpaQuery::begin(const EntranceGraph& graph, Cell start, Cell goal, bool smooth) {
    graph_ = &graph;
    smooth_ = smooth;
    status_ = Status::kBudgetSpent;
    waypoints_.clear();
    next_ = 0;
    cells_.assign(1, start);
    ready_ = 0;
    expansions_first_ = 0;
    cells_first_ = 0;
    search_.begin(graph, start, goal);
    refiner_.begin(graph.ground());
}

Status HpaQuery::run(uint64_t budget) {
    const uint64_t before = expansions();
    const auto left = [&] { return budget == kUnlimited ? budget : budget - std::min(budget, expansions() - before); };
    if (status_ == Status::kBudgetSpent && waypoints_.empty()) {
        const Status searched = search_.run(left());
        if (searched == Status::kFound) {
            search_.path(waypoints_);
            advance();
        } else {
            status_ = searched;
        }
    }
    while (status_ == Status::kBudgetSpent && !waypoints_.empty() && left() > 0) {
        status_ = refiner_.run(left());
        if (status_ != Status::kFound) break;
        status_ = Status::kBudgetSpent;
        refiner_.append_to(cells_);
        advance();
    }
    return status_;
}

// Takes the steps across that come next, and aims at the end of the segment after them.
void HpaQuery::advance() {
    const detail::EntranceRoot& root = graph_->root();
    const auto crosses = [&] { return root.sector_at(cells_.back()) != root.sector_at(waypoints_[next_]); };
    while (++next_ < waypoints_.size() && crosses()) cells_.push_back(waypoints_[next_]);
    if (next_ < waypoints_.size()) refiner_.aim(cells_.back(), waypoints_[next_], root.rect(root.sector_at(cells_.back())));
    const bool last = next_ == waypoints_.size();
    if (last && smooth_) smooth_path(graph_->ground(), cells_, smoothing_);
    if (last || (!smooth_ && cells_.size() > 1)) ready_ = cells_.size();
    if (expansions_first_ == 0 && ready_ > 0) expansions_first_ = expansions();
    if (cells_first_ == 0) cells_first_ = ready_;
    if (last) status_ = Status::kFound;
}

size_t HpaQuery::bytes() const {
    return search_.bytes() + refiner_.bytes() + smoothing_.bytes() + (waypoints_.capacity() + cells_.capacity()) * sizeof(Cell);
}

}  // namespace terrane
