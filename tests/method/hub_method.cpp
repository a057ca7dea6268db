// A prepared method in one file: paths by way of a hub, as packages travel. CONTRIBUTING.md walks through it.
//
// Preparing computes the cost from a hub, the first cell of each connected component, to all cells of the component. A query goes from
// start and goal towards the hub, downhill in cost, and joins the two where they first meet.
#include <algorithm>
#include <vector>

#include "terrane/grid_search/grid_search.h"
#include "terrane/method/method_interface.h"

namespace terrane {

namespace detail {
extern const MethodFactory kHubMethod;
}

namespace {

struct HubMethod final : GridMethod {
    using GridMethod::GridMethod;
    bool prepares() const override { return true; }
    std::unique_ptr<PreparationJob> prepare(const Method& self, const PreparationInput& input) const override;
};

struct HubData final : PreparedData {
    static const PreparedKind kKind;

    HubData(const Method& method, const Ground& ground)
        : PreparedData(kKind, method, ground), costs(ground.layout().id_limit(), kInfiniteCost) {
        GridSearch flood;
        std::vector<ReachedCell> reached;
        const GridLayout& layout = ground.layout();
        for (int32_t i = 0; i < layout.width * layout.height; ++i) {
            const Cell hub{i % layout.width, i / layout.width};
            if (!ground.passable(hub) || costs[layout.id(hub)] != kInfiniteCost) continue;
            flood.begin_flood(ground, hub);
            flood.run();
            flood.reached(reached);
            for (const ReachedCell& r : reached) costs[layout.id(r.cell)] = r.cost;
        }
    }

    bool serves(const GridMethod& asked, const Ground& ground) const override {
        return &asked.factory() == &detail::kHubMethod && this->ground().same_agent(ground);
    }
    std::unique_ptr<PreparationJob> update(const UpdateInput& input) const override {
        return method().implementation().prepare(method(), {input.ground, input.regions});  // a rebuild: this data has no local repair
    }
    size_t bytes() const override { return costs.size() * sizeof(Cost); }

    std::vector<Cost> costs;  // from the hub, by CellId
};
const PreparedKind HubData::kKind;

std::unique_ptr<PreparationJob> HubMethod::prepare(const Method& self, const PreparationInput& input) const {
    return one_step_job([self, ground = input.ground]() -> Result<SharedPrepared> {
        return SharedPrepared(std::make_shared<const HubData>(self, ground));
    });
}

class HubQuery final : public MethodQuery {
public:
    Status begin(const QueryInput& input) override {
        ground_ = &input.ground;
        data_ = input.prepared->as<HubData>();
        from_start_.assign(1, input.start);
        from_goal_.assign(1, input.goal);
        expansions_ = 0;
        return Status::kBudgetSpent;
    }

    // The end that is farther from the hub takes the next step, so both meet in the first cell that they have in common.
    Status run(uint64_t budget) override {
        for (; from_start_.back() != from_goal_.back(); ++expansions_, --budget) {
            if (budget == 0) return Status::kBudgetSpent;
            std::vector<Cell>& farther = cost(from_start_.back()) >= cost(from_goal_.back()) ? from_start_ : from_goal_;
            const Cell next = towards_hub(farther.back());
            if (next == farther.back()) return Status::kUnreachable;  // two hubs: the ends are not connected
            farther.push_back(next);
        }
        return Status::kFound;
    }

    uint64_t expansions() const override { return expansions_; }
    void answer(Path& out) const override {
        out.cells = from_start_;
        out.cells.insert(out.cells.end(), from_goal_.rbegin() + 1, from_goal_.rend());
        out.cost = path_cost(*ground_, out.cells);
        out.bound = octile_ratio(*ground_, from_start_.front(), from_goal_.front(), out.cost);
        out.expansions_first = expansions_;
    }
    size_t cells_first() const override { return from_start_.size() + from_goal_.size() - 1; }
    size_t bytes() const override { return (from_start_.capacity() + from_goal_.capacity()) * sizeof(Cell); }

private:
    Cost cost(Cell cell) const { return data_->costs[ground_->layout().id(cell)]; }
    Cell towards_hub(Cell cell) const {
        for (const Cell& step : kMoves) {
            const Cell next{cell.x + step.x, cell.y + step.y};
            const Cost to = ground_->step_cost(cell, next);
            if (to != kInfiniteCost && cost(next) + to == cost(cell)) return next;
        }
        return cell;
    }

    const Ground* ground_ = nullptr;
    const HubData* data_ = nullptr;
    std::vector<Cell> from_start_, from_goal_;
    uint64_t expansions_ = 0;
};

Result<SharedGridMethod> parse(const MethodText& text, const MethodFactory& factory) {
    if (text.head.argument || !text.levels.empty()) return text.expected(factory.info);
    const auto known = text.check_options({});
    if (!known) return known.error();
    return SharedGridMethod(std::make_shared<const HubMethod>(factory, text.text));
}

}  // namespace

namespace detail {

constinit const MethodFactory kHubMethod{
    {"hub", "hub", "by way of a hub, prepared for each profile: few expansions, long paths", "", "hub"},
    {.needs = MethodNeeds::kProfile},
    parse,
    [](size_t) -> std::unique_ptr<MethodQuery> { return std::make_unique<HubQuery>(); }};

}  // namespace detail

}  // namespace terrane
