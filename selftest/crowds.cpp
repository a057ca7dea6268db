// Data of crowds that must follow edits of the map: distances to goals, direction maps, reservations.
#include "crowd/cooperative/rra_star.h"
#include "selftest/structures.h"
#include "terrane/crowd/crowd_method.h"
#include "terrane/crowd/direction_map.h"
#include "terrane/crowd/reservations.h"

namespace terrane::selftest {

namespace {

// RRA* searches that are kept until an edit touches them. Their distances must equal those of new searches.
class Distances final : public Structure {
public:
    Distances(const Ground& ground, uint32_t choice) : space_(ground, choice) {
        Rng rng(ground.grid().layout().cells());
        for (Goal& goal : goals_) {
            goal.cell = ground.grid().layout().id(any_cell(rng, ground.grid()));
            goal.from = ground.grid().layout().id(any_cell(rng, ground.grid()));
        }
        search_all();
    }
    void update(const EditResult& edit) override {
        const bool lasts = space_.update(edit);
        for (Goal& goal : goals_) {
            bool touched = !lasts;
            for_each_changed_cell(edit, [&](CellId id, Terrain, Terrain) { touched = touched || goal.search->depends_on(id); });
            if (touched) goal.search.reset();
        }
        search_all();
    }
    bool is_as_new() const override {
        const GridSnapshot& grid = space_.grid();
        const RraSpace fresh(space_.ground().on(grid), space_.level());
        Rng rng(grid.version());
        for (const Goal& goal : goals_) {
            RraStar search(fresh, goal.cell, goal.from);
            for (int i = 0; i < 6; ++i) {
                const CellId from = i == 0 ? goal.from : grid.layout().id(any_cell(rng, grid));
                if (goal.search->distance(from) != search.distance(from)) return false;
            }
        }
        return true;
    }

private:
    struct Goal {
        CellId cell = kNoCell, from = kNoCell;
        mutable std::optional<RraStar> search;  // distance() resumes it
    };
    void search_all() {
        for (Goal& goal : goals_) {
            if (!goal.search) goal.search.emplace(space_, goal.cell, goal.from);
            goal.search->distance(goal.from);
        }
    }

    RraSpace space_;
    std::array<Goal, 4> goals_;
};

constexpr int kWalkers = 12;
struct WalkerMethod {
    const char* name;
    bool compact = false, decays_first = true;  // its direction map
};
constexpr std::array<WalkerMethod, 7> kWalkerMethods = {
    {{"whca:8+flow"}, {"whca:8,1"}, {"cpra:8"}, {"ca"}, {"replan+flow"}, {"pibt+flow", false, false}, {"swarm+flow", true}}};

// A crowd that keeps moving while the map is edited, one tick per edit. No move may be illegal, the direction map must equal one that
// learned the same moves, and no agent may reserve a cell that it may not enter.
class Walkers final : public Structure {
public:
    Walkers(const Ground& ground, uint32_t choice)
        : world_(copy_of(ground.grid())),
          crowd_(world_, {ground.costs()}, make_crowd_method(find_crowd_method(kWalkerMethods[choice].name).value()), {ground.movement()}),
          rng_(ground.layout().cells()),
          learned_(ground.layout(), {.compact = kWalkerMethods[choice].compact}),
          decays_first_(kWalkerMethods[choice].decays_first) {
        for (int i = 0; i < kWalkers; ++i) {
            const Cell at = any_cell(rng_, ground.grid());
            crowd_.add(at, any_cell(rng_, ground.grid()));
        }
    }
    void update(const EditResult& edit) override {
        follow(world_, edit);
        const std::vector<CrowdAgent> before(crowd_.agents().begin(), crowd_.agents().end());
        crowd_.tick();
        learn(before);
        for (AgentId agent = 0; agent < crowd_.agents().size(); ++agent) {
            if (crowd_.agents()[agent].at_goal()) crowd_.set_goal(agent, any_cell(rng_, edit.after));
        }
    }
    bool is_as_new() const override { return crowd_.faults() == 0 && same_arrows() && reservations_hold(); }

private:
    void learn(std::span<const CrowdAgent> before) {
        if (decays_first_) learned_.decay();
        const GridLayout& layout = crowd_.layout();
        for (size_t i = 0; i < before.size(); ++i) {
            const Cell a = layout.cell(before[i].at), b = layout.cell(crowd_.agents()[i].at);
            const auto move = std::ranges::find(kMoves, Cell{b.x - a.x, b.y - a.y});
            if (a != b) learned_.learn(before[i].at, static_cast<Move>(move - kMoves.begin()));
        }
        if (!decays_first_) learned_.decay();
    }
    bool same_arrows() const {
        const DirectionMap* map = crowd_.method().flow();
        for (CellId id = 0; map != nullptr && id < crowd_.layout().id_limit(); ++id) {
            if (map->arrow(id) != learned_.arrow(id)) return false;
        }
        return true;
    }
    bool reservations_hold() const {
        const ReservationTable* table = crowd_.method().reservations();
        if (table == nullptr) return true;
        for (const Reservation& r : table->list(crowd_.ticks())) {
            if (!crowd_.type_of(r.agent).costs.passable(crowd_.grid().at(r.cell)) && r.cell != crowd_.agents()[r.agent].at) return false;
        }
        return true;
    }

    World world_;
    Crowd crowd_;
    Rng rng_;
    DirectionMap learned_;
    bool decays_first_;
};

}  // namespace

std::vector<StructureKind> crowd_kinds() {
    return {{"RRA* distances", 3, make<Distances>}, {"crowds", kWalkerMethods.size(), make<Walkers>}};
}

}  // namespace terrane::selftest
