#include "terrane/crowd/crowd.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <utility>

#include "crowd/drawn_crowd.h"
#include "terrane/crowd/crowd_method.h"

namespace terrane {
namespace {

using test::DrawnCrowd;
using test::run_crowd;

// Plays back moves: one string per tick with one character per agent, the index of its move in kMoves or '.' to stay.
class Script : public CrowdMethod {
public:
    explicit Script(std::deque<std::string> ticks) : ticks_(std::move(ticks)) {}

    void agent_joined(const Crowd&, AgentId agent) override { log += "+" + std::to_string(agent); }
    void agent_left(const Crowd&, AgentId agent) override { log += "-" + std::to_string(agent); }
    void goal_changed(const Crowd&, AgentId agent) override { log += "g" + std::to_string(agent); }
    void world_changed(const Crowd&, const EditResult& edit) override { log += "w" + std::to_string(edit.cells_changed); }
    void plan(const Crowd& crowd, std::span<CellId> next) override {
        if (ticks_.empty()) return;
        for (size_t i = 0; i < ticks_.front().size(); ++i) {
            const char c = ticks_.front()[i];
            if (c == '.') continue;
            const Cell at = crowd.layout().cell(next[i]), move = kMoves[static_cast<size_t>(c - '0')];
            const Cell to{at.x + move.x, at.y + move.y};
            next[i] = crowd.layout().contains(to) ? crowd.layout().id(to) : kNoCell;
        }
        ticks_.pop_front();
    }
    CrowdWork work() const override { return {}; }
    size_t bytes() const override { return 0; }

    std::string log;

private:
    std::deque<std::string> ticks_;
};

Crowd scripted(DrawnCrowd& drawn, std::deque<std::string> ticks, Movement movement = Movement::kEightNoCornerCutting) {
    return drawn.crowd(std::make_unique<Script>(std::move(ticks)), movement);
}

// The fault that one tick returns, or "fine".
std::string verdict(std::string_view drawing, const std::string& moves, Movement movement = Movement::kEightNoCornerCutting) {
    DrawnCrowd drawn(drawing);
    Crowd crowd = scripted(drawn, {moves}, movement);
    const auto before = crowd.agents()[0].at;
    const auto fault = crowd.tick();
    if (!fault) return "fine";
    EXPECT_EQ(crowd.agents()[0].at, before);
    EXPECT_EQ(crowd.faults(), 1u);
    return to_string(fault->type);
}

TEST(Crowd, ValidatesMoves) {
    EXPECT_EQ(verdict("ab.", "1."), "two agents on one cell");
    EXPECT_EQ(verdict("a.b", "13"), "two agents on one cell");
    EXPECT_EQ(verdict("ab.", "13"), "two agents swap cells");
    EXPECT_EQ(verdict("ab.", "11"), "fine");  // one after the other
    EXPECT_EQ(verdict("ba.", "11"), "fine");
    EXPECT_EQ(verdict("a#", "1"), "an illegal move");
    EXPECT_EQ(verdict("a.", "3"), "an illegal move");  // off the map
    EXPECT_EQ(verdict("a#\n..", "5"), "an illegal move");
    EXPECT_EQ(verdict("a#\n..", "5", Movement::kEightCutCorners), "fine");
    EXPECT_EQ(verdict("a.\n..", "5", Movement::kFour), "an illegal move");
    EXPECT_EQ(verdict("a.\n..", "5"), "fine");
}

TEST(Crowd, ValidatesDiagonals) {
    EXPECT_EQ(verdict("ab\n..", "56"), "two agents cross on diagonals");
    EXPECT_EQ(verdict("a.\nb.", "54"), "two agents cross on diagonals");
    EXPECT_EQ(verdict("a.\n.b", "57"), "two agents swap cells");
    EXPECT_EQ(verdict("ab.\n...", "55"), "fine");  // side by side
    EXPECT_EQ(verdict("ab\ndc", "1230"), "fine");  // a full rotation
}

TEST(Crowd, AddsAgentsOnFreePassableCellsOnly) {
    DrawnCrowd drawn("a.#B\n....");
    Crowd crowd = scripted(drawn, {});
    EXPECT_EQ(crowd.add({0, 0}, {1, 1}), kNoAgent);  // taken
    EXPECT_EQ(crowd.add({2, 0}, {1, 1}), kNoAgent);  // blocked
    EXPECT_EQ(crowd.add({4, 0}, {1, 1}), kNoAgent);  // off the map
    EXPECT_EQ(crowd.add({1, 0}, {0, 2}), kNoAgent);  // goal off the map
    EXPECT_EQ(crowd.add({1, 0}, {2, 0}), 1u);        // a blocked goal is allowed
    EXPECT_EQ(crowd.present(), 2u);
    EXPECT_EQ(crowd.agent_at(crowd.layout().id({1, 0})), 1u);
    EXPECT_TRUE(crowd.remove(1));
    EXPECT_FALSE(crowd.remove(1));
    EXPECT_FALSE(crowd.remove(7));
    EXPECT_FALSE(crowd.set_goal(1, {0, 0}));
    EXPECT_FALSE(crowd.set_goal(0, {9, 9}));
    EXPECT_EQ(crowd.agent_at(crowd.layout().id({1, 0})), kNoAgent);
    EXPECT_EQ(crowd.add({1, 0}, {0, 0}), 2u);  // ids are not reused
}

TEST(Crowd, NotifiesTheMethodInOrder) {
    DrawnCrowd drawn("a...");
    Crowd crowd = scripted(drawn, {});
    crowd.add({1, 0}, {2, 0});
    crowd.set_goal(0, {3, 0});
    crowd.remove(1);
    drawn.world().set({2, 0}, Terrain{0});
    drawn.world().set({3, 0}, Terrain{0});
    crowd.tick();
    EXPECT_EQ(static_cast<const Script&>(crowd.method()).log, "+0+1g0-1w2");
}

TEST(Crowd, CountsCosts) {
    DrawnCrowd drawn("a3A");
    Crowd crowd = scripted(drawn, {".", "1", "1", ".", "3", "1"});
    const auto cost = [&] { return to_real(crowd.agents()[0].cost); };
    crowd.tick();
    EXPECT_DOUBLE_EQ(cost(), 1);  // a wait
    crowd.tick();
    crowd.tick();
    EXPECT_DOUBLE_EQ(cost(), 5);
    EXPECT_TRUE(crowd.all_arrived());
    crowd.tick();
    EXPECT_DOUBLE_EQ(cost(), 5);  // waiting at the goal is free,
    crowd.tick();
    EXPECT_DOUBLE_EQ(cost(), 8);  // unless it leaves again
    EXPECT_FALSE(crowd.all_arrived());
    crowd.tick();
    EXPECT_DOUBLE_EQ(cost(), 10);
    EXPECT_EQ(crowd.agents()[0].arrived, 6u);
    EXPECT_EQ(crowd.arrivals(), 2u);
}

TEST(Crowd, CountsGoalsThatWereReplaced) {
    DrawnCrowd drawn("a.A");
    Crowd crowd = scripted(drawn, {"1", "1", "3"});
    crowd.tick();
    crowd.tick();
    EXPECT_EQ(crowd.at_goal(), 1u);
    crowd.set_goal(0, {1, 0});
    EXPECT_EQ(crowd.at_goal(), 0u);
    EXPECT_EQ(crowd.agents()[0].goals_met, 1u);
    crowd.tick();
    EXPECT_EQ(crowd.at_goal(), 1u);
    EXPECT_EQ(crowd.arrivals(), 2u);
}

TEST(Crowd, AgentsMayLeaveACellThatBecameBlocked) {
    DrawnCrowd drawn("a..A");
    Crowd crowd = scripted(drawn, {".", "1", "3"});
    drawn.world().set({0, 0}, Terrain{0});
    EXPECT_FALSE(crowd.tick().has_value());  // may stay
    EXPECT_FALSE(crowd.tick().has_value());  // may leave
    EXPECT_DOUBLE_EQ(to_real(crowd.agents()[0].cost), 1.5);
    EXPECT_TRUE(crowd.tick().has_value());  // may not come back
}

// Their cells and ids are free again, and a fresh method knows the remaining agents only.
TEST(Crowd, RollsBackAgents) {
    DrawnCrowd drawn("abc.A");
    Crowd crowd = drawn.crowd(make_crowd_method(find_crowd_method("pibt").value()));
    ASSERT_EQ(crowd.present(), 3u);
    ASSERT_EQ(crowd.at_goal(), 2u);
    crowd.rollback_to(3);
    EXPECT_FALSE(crowd.method_lost());
    crowd.rollback_to(1);
    EXPECT_TRUE(crowd.method_lost());
    EXPECT_EQ(crowd.agents().size(), 1u);
    EXPECT_EQ(crowd.present(), 1u);
    EXPECT_EQ(crowd.at_goal(), 0u);
    EXPECT_EQ(crowd.agent_at(crowd.layout().id({1, 0})), kNoAgent);
    EXPECT_EQ(crowd.agent_at(crowd.layout().id({0, 0})), 0u);
    EXPECT_EQ(crowd.add({2, 0}, {2, 0}), 1u);
    EXPECT_FALSE(crowd.method_lost());
    EXPECT_TRUE(crowd.remove(1));
    EXPECT_TRUE(run_crowd(crowd, 9).arrived);
}

TEST(Crowd, WorldOfOneCell) {
    DrawnCrowd drawn("a");
    Crowd crowd = scripted(drawn, {});
    EXPECT_TRUE(crowd.all_arrived());
    EXPECT_FALSE(crowd.tick().has_value());
    EXPECT_EQ(run_crowd(crowd, 5).cost, 0u);
}

}  // namespace
}  // namespace terrane
