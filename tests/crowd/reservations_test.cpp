#include "terrane/crowd/reservations.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "crowd/cooperative/conflict_resolver.h"
#include "support/scene.h"

namespace terrane {
namespace {

const GridLayout kLayout(40, 40);
CellId id(int32_t x, int32_t y) { return kLayout.id({x, y}); }

TEST(Reservations, ACellIsHeldAtItsTickOnly) {
    ReservationTable table(kLayout);
    table.reserve(3, id(1, 1), 7);
    EXPECT_EQ(table.holder(id(1, 1), 7), 3u);
    EXPECT_EQ(table.holder(id(1, 1), 8), kNoAgent);
    EXPECT_EQ(table.holder(id(2, 1), 7), kNoAgent);
    EXPECT_FALSE(table.can_move(4, id(1, 2), id(1, 1), 6));
    EXPECT_TRUE(table.can_move(3, id(1, 2), id(1, 1), 6));
    EXPECT_TRUE(table.can_move(4, id(1, 2), id(1, 1), 7));
}

TEST(Reservations, OnlyTheHolderReleases) {
    ReservationTable table(kLayout);
    table.reserve(3, id(1, 1), 7);
    EXPECT_FALSE(table.release(4, id(1, 1), 7));
    EXPECT_FALSE(table.release(3, id(1, 1), 6));
    EXPECT_TRUE(table.release(3, id(1, 1), 7));
    EXPECT_FALSE(table.release(3, id(1, 1), 7));
    EXPECT_EQ(table.size(), 0u);
    table.reserve(4, id(1, 1), 7);
    EXPECT_EQ(table.holder(id(1, 1), 7), 4u);
}

TEST(Reservations, AreListedByTickAndCell) {
    ReservationTable table(kLayout);
    EXPECT_TRUE(table.list().empty());
    table.reserve(1, id(6, 5), 2);
    table.reserve(2, id(5, 5), 2);
    table.reserve(1, id(7, 5), 1);
    table.reserve(1, id(8, 5), 0);
    table.reserve(2, id(5, 5), ReservationTable::kAlways);
    table.reserve(3, id(9, 9), 1);
    table.release(3, id(9, 9), 1);
    table.discard_before(1);
    const std::vector<Reservation> all = {{id(7, 5), 1, 1}, {id(5, 5), 2, 2}, {id(6, 5), 2, 1}, {id(5, 5), ReservationTable::kAlways, 2}};
    EXPECT_EQ(table.list(), all);
    EXPECT_EQ(table.list(2), std::vector<Reservation>(all.begin() + 1, all.end()));
    EXPECT_EQ(table.list().size(), table.size());
}

TEST(Reservations, SwapsAreConflicts) {
    ReservationTable table(kLayout);
    table.reserve(1, id(5, 5), 0);
    table.reserve(1, id(6, 5), 1);
    EXPECT_FALSE(table.can_move(2, id(6, 5), id(5, 5), 0));
    EXPECT_TRUE(table.can_move(2, id(4, 5), id(5, 5), 0));  // follows
    EXPECT_TRUE(table.can_move(2, id(6, 5), id(7, 5), 0));  // moves on
}

TEST(Reservations, DiagonalCrossingsAreConflicts) {
    ReservationTable table(kLayout);
    table.reserve(1, id(5, 5), 0);
    table.reserve(1, id(6, 6), 1);
    EXPECT_FALSE(table.can_move(2, id(6, 5), id(5, 6), 0));
    EXPECT_FALSE(table.can_move(2, id(5, 6), id(6, 5), 0));
    EXPECT_TRUE(table.can_move(2, id(7, 5), id(6, 4), 0));
    EXPECT_TRUE(table.can_move(2, id(4, 6), id(5, 5), 0));  // another square
    EXPECT_TRUE(table.can_move(1, id(5, 5), id(6, 6), 0));
}

TEST(Reservations, DiscardingKeepsPermanentReservations) {
    ReservationTable table(kLayout);
    for (Tick tick = 0; tick < 100; ++tick) table.reserve(1, id(0, 0), tick);
    table.reserve(1, id(0, 0), ReservationTable::kAlways);
    table.discard_before(90);
    EXPECT_EQ(table.size(), 11u);
    EXPECT_EQ(table.holder(id(0, 0), 89), kNoAgent);
    EXPECT_EQ(table.holder(id(0, 0), 90), 1u);
    EXPECT_EQ(table.holder(id(0, 0), ReservationTable::kAlways), 1u);
    table.clear();
    EXPECT_EQ(table.size(), 0u);
}

// A sliding window: the size of the table depends on the live reservations only.
TEST(Reservations, MemoryDoesNotGrowWithTime) {
    ReservationTable table(kLayout);
    const auto step = [&](Tick tick) {
        for (AgentId agent = 0; agent < 20; ++agent) table.reserve(agent, id(static_cast<int32_t>(agent), 0), tick + 16);
        table.discard_before(tick);
    };
    for (Tick tick = 0; tick < 200; ++tick) step(tick);
    const size_t bytes = table.bytes();
    for (Tick tick = 200; tick < 5000; ++tick) step(tick);
    EXPECT_EQ(table.bytes(), bytes);
}

TEST(Reservations, AgreeWithAMap) {
    Rng rng(1);
    ReservationTable table(kLayout);
    std::map<std::pair<CellId, Tick>, AgentId> truth;
    Tick first = 0;
    for (int i = 0; i < 200000; ++i) {
        const int32_t x = rng.between(0, 7), y = rng.between(0, 7);
        const CellId cell = id(x, y);
        const Tick tick = first + rng.below(20);
        const AgentId agent = rng.below(6);
        const auto known = truth.find({cell, tick});
        ASSERT_EQ(table.holder(cell, tick), known == truth.end() ? kNoAgent : known->second);
        if (rng.chance(2, 5)) {
            ASSERT_EQ(table.release(agent, cell, tick), known != truth.end() && known->second == agent);
            if (known != truth.end() && known->second == agent) truth.erase(known);
        } else if (known == truth.end() || known->second == agent) {
            table.reserve(agent, cell, tick);
            truth[{cell, tick}] = agent;
        }
        if (!rng.chance(1, 200)) continue;
        table.discard_before(++first);
        std::erase_if(truth, [&](const auto& entry) { return entry.first.second < first; });
        ASSERT_EQ(table.size(), truth.size());
    }
}

// Never moves.
class Still : public CrowdMethod {
public:
    void plan(const Crowd&, std::span<CellId>) override {}
    CrowdWork work() const override { return {}; }
    size_t bytes() const override { return 0; }
};

// Any proposal becomes free of conflicts; agents make their proposed move or wait; a second call changes nothing.
TEST(ConflictResolver, ResolvesAnyProposal) {
    Rng rng(2);
    detail::ConflictResolver resolver;
    for (int round = 0; round < 400; ++round) {
        auto made = test::random_world(rng, 12);
        const World world(std::move(made.grid));
        Crowd crowd(world, {made.costs}, std::make_unique<Still>(), {.movement = made.movement});
        const GridSnapshot map = world.grid();
        for (int i = 0; i < 60; ++i) {
            const Cell at = test::random_cell(rng, map);
            crowd.add(at, at);
        }
        std::vector<CellId> next;
        std::vector<AgentId> order;
        for (AgentId agent = 0; agent < crowd.agents().size(); ++agent) {
            const Cell at = map.layout().cell(crowd.agents()[agent].at), move = kMoves[rng.below(8)];
            const Cell to{at.x + move.x, at.y + move.y};
            next.push_back(map.layout().id(map.layout().contains(to) ? to : at));
            order.push_back(agent);
        }
        const std::vector<CellId> wanted = next;
        resolver.resolve(crowd, next, order);
        ASSERT_FALSE(crowd.check(next).has_value());
        for (AgentId agent = 0; agent < next.size(); ++agent) {
            ASSERT_TRUE(next[agent] == wanted[agent] || next[agent] == crowd.agents()[agent].at);
        }
        std::vector<CellId> again = next;
        EXPECT_EQ(resolver.resolve(crowd, again, order), 0u);
        EXPECT_EQ(again, next);
    }
}

}  // namespace
}  // namespace terrane
