// What leads each cooperative agent: distances to its goal, or to the end of the next piece of its way there.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "crowd/cooperative/reverse_search.h"
#include "pra/pra_query.h"
#include "terrane/crowd/cooperative.h"

namespace terrane::detail {

class Guides {
public:
    explicit Guides(const CooperativeOptions& options) : options_(options) {}

    // For an agent that stands on a cell of the map. Null: it has no way to its goal.
    ReverseSearch* guide(const Crowd& crowd, AgentId agent);
    // What guide() found out last.
    bool hopeless(AgentId agent) const { return guides_[agent].hopeless; }
    const ReverseSpace& space(uint16_t kind) const { return *spaces_[kind]; }

    // An agent left, or has another goal.
    void forget(AgentId agent);
    void world_changed(const Crowd& crowd, const EditResult& edit);

    // Of all agents, those that are gone included; as far as count() has seen them.
    uint64_t expansions() const { return expansions_; }
    // To be called when an agent's guide has been used.
    void count(AgentId agent);
    size_t bytes() const;

private:
    struct Guide {
        std::optional<ReverseSearch> ahead;
        uint64_t counted = 0;                  // of its expansions
        uint64_t least = ReverseSearch::kFar;  // distance so far
        uint32_t stalled = 0;                  // times it was asked for and the agent was no nearer
        uint32_t pieces = 0;                   // that it may still take, kPartial only
        bool begun = false;                    // whether `pieces` has been set
        bool whole = false;                    // it leads all the way
        bool exact = false;                    // on cells, since levels led nowhere
        bool hopeless = false;                 // there is no way, on the map as it is
    };

    void prepare(const Crowd& crowd);
    bool led_nowhere(Guide& guide, CellId at) const;
    void aim(const Crowd& crowd, AgentId agent);
    bool wants_piece(const Crowd& crowd, const Guide& guide, CellId at) const;
    CellId next_piece(const Crowd& crowd, AgentId agent);
    void drop(Guide& guide);

    CooperativeOptions options_;
    std::vector<std::unique_ptr<ReverseSpace>> spaces_;  // by kind; made in the first tick
    std::vector<Guide> guides_;                          // by agent
    PraQuery pra_;
    uint64_t expansions_ = 0;
};

}  // namespace terrane::detail
