#include "pra/pra_query.h"

#include <algorithm>
#include <bit>

#include "terrane/base/assert.h"

namespace terrane {

namespace {

// Bucket width: about half the cheapest edge of the level, a power of two; on level 0, the same as in GridSearch.
uint32_t bucket_shift(uint32_t min_cost, uint32_t level) {
    const auto bits = static_cast<uint32_t>(std::bit_width(uint64_t{2} * kStraight * min_cost)) + level;
    return std::clamp(bits, 2u, 42u) - 2;
}

}  // namespace

void PraQuery::begin(const Cliques& cliques, const Ground& ground, Cell start, Cell goal, uint32_t k) {
    TERRANE_ASSERT(cliques.valid_for(ground) && k >= 1);
    cliques_ = &cliques;
    ground_ = ground;
    engine_.emplace<std::monostate>();
    graph_.emplace(ground_);
    min_cost_ = ground_.bounds().cheapest;
    k_ = k;
    goal_ = goal;
    cells_.assign(1, start);
    ready_ = 0;
    expansions_ = expansions_first_ = 0;
    cells_first_ = 0;
    const auto common = cliques.common_level(start, goal);
    status_ = common ? Status::kBudgetSpent : Status::kUnreachable;
    if (!common) return;
    top_ = *common / 2;
    if (paths_.size() <= top_) paths_.resize(top_ + 1);
    goals_.assign(1, cliques.grid().layout().id(goal));
    for (uint32_t level = 0; level < top_; ++level) goals_.push_back(cliques.parent(level, goals_[level]));
    begin_level(top_);
}

Status PraQuery::run(uint64_t budget) {
    const uint64_t before = expansions();
    const auto left = [&] { return budget == kUnlimited ? budget : budget - std::min(budget, expansions() - before); };
    while (status_ == Status::kBudgetSpent && left() > 0) {
        const Status searched = search(left());
        if (searched != Status::kFound) {
            status_ = searched;
            break;
        }
        expansions_ += running();
        if (level_ > 0) {
            finish_level();
        } else {
            finish_cells();
        }
    }
    return status_;
}

uint64_t PraQuery::running() const {
    if (const auto* cells = std::get_if<CellSearch>(&engine_)) return cells->expansions();
    if (const auto* nodes = std::get_if<NodeSearch>(&engine_)) return nodes->expansions();
    return 0;
}

Status PraQuery::search(uint64_t budget) {
    if (auto* cells = std::get_if<CellSearch>(&engine_)) return cells->run(budget);
    return std::get<NodeSearch>(engine_).run(budget);
}

// Begins the search of a level from the end of the path so far: to the goal on the top level, else along the next segment of the path
// above.
void PraQuery::begin_level(uint32_t level) {
    level_ = level;
    from_ = cliques_->ancestor(cells_.back(), level);
    to_ = level == top_ ? goals_[level] : take_segment(level);
    start_search(to_, level == top_);
}

// Marks the corridor of the next segment of the path above and returns the goal of its search.
CliqueId PraQuery::take_segment(uint32_t level) {
    LevelPath& above = paths_[level + 1];
    const size_t end = std::min<size_t>(above.nodes.size() - 1, above.refined + size_t{k_});
    mark(level + 1, above, end);
    above.refined = end;
    const CliqueId last = above.nodes[end];
    tail_ = last == goals_[level + 1] ? kNoClique : last;
    return tail_ == kNoClique ? goals_[level] : cliques_->ancestor(cliques_->representative(level + 1, last), level);
}

void PraQuery::mark(uint32_t level, const LevelPath& path, size_t end) {
    marks_.reset(cliques_->id_limit(level));
    const auto add = [&](CliqueId id) { marks_.improve(id, 0, id, 0); };
    for (size_t i = path.refined; i <= end; ++i) {
        add(path.nodes[i]);
        cliques_->for_each_edge(level, path.nodes[i], add);
    }
}

void PraQuery::start_search(CliqueId goal, bool everywhere) {
    if (everywhere) tail_ = kNoClique;
    const detail::CliqueData& data = cliques_->data();
    const detail::CorridorMarks* marks = everywhere ? nullptr : &marks_;
    const Cell at = cliques_->representative(level_, goal);
    queue_.reset(bucket_shift(min_cost_, level_));
    if (level_ == 0) {
        const GridLayout& layout = cliques_->grid().layout();
        cell_labels_.reset(layout.id_limit());
        const OctileHeuristic<GridLayout, uint64_t> octile(layout, at, min_cost_, ground_.rule());
        engine_.emplace<CellSearch>(detail::CorridorCells{&*graph_, &data, marks}, octile, OneGoal<CellId>{goal}, cell_labels_, queue_)
            .start(from_, 0, kNoMove);
    } else {
        node_labels_.reset(cliques_->id_limit(level_));
        const detail::CorridorNodes graph{&ground_, ground_.rule().per_shorter, &data.levels[level_ - 1],
                                          everywhere ? nullptr : &data.levels[level_], marks};
        const OctileHeuristic<detail::CorridorNodes, uint64_t> octile(graph, at, min_cost_, ground_.rule());
        engine_.emplace<NodeSearch>(graph, octile, OneGoal<CliqueId>{goal}, node_labels_, queue_).start(from_, 0, kNoClique);
    }
}

void PraQuery::finish_level() {
    reversed_path_.clear();
    for (CliqueId id = to_; id != from_; id = node_labels_.via(id)) reversed_path_.push_back(id);
    LevelPath& path = paths_[level_];
    path.nodes.assign(1, from_);
    path.refined = 0;
    while (!reversed_path_.empty() && !enters_tail(path.nodes.back())) {
        path.nodes.push_back(reversed_path_.back());
        reversed_path_.pop_back();
    }
    begin_level(level_ - 1);
}

void PraQuery::finish_cells() {
    const GridLayout& layout = cliques_->grid().layout();
    reversed_path_.clear();
    for (CellId id = to_; id != from_; id = graph_->origin(id, cell_labels_.via(id))) reversed_path_.push_back(id);
    CellId last = from_;
    while (!reversed_path_.empty() && !enters_tail(last)) {
        last = reversed_path_.back();
        reversed_path_.pop_back();
        cells_.push_back(layout.cell(last));
    }
    ready_ = cells_.size();
    if (expansions_first_ == 0) expansions_first_ = expansions_;
    if (cells_first_ == 0) cells_first_ = ready_;
    engine_.emplace<std::monostate>();
    if (cells_.back() == goal_) {
        status_ = Status::kFound;
        return;
    }
    uint32_t level = 1;
    while (paths_[level].refined + 1 == paths_[level].nodes.size()) ++level;
    begin_level(level - 1);
}

size_t PraQuery::bytes() const {
    size_t sum = cell_labels_.bytes() + node_labels_.bytes() + queue_.bytes() + marks_.bytes() + goals_.capacity() * sizeof(CliqueId) +
                 reversed_path_.capacity() * sizeof(CliqueId) + cells_.capacity() * sizeof(Cell) + paths_.capacity() * sizeof(LevelPath);
    for (const LevelPath& path : paths_) sum += path.nodes.capacity() * sizeof(CliqueId);
    return sum;
}

}  // namespace terrane
