// A build of a path database in shards: files in a folder, each with the rows of some neighbouring cells.
//
//   auto shards = PathDatabaseShards::open(plan, "island.pathdb.parts").value();
//   make_shards(shards, threads, next);          // in any number of processes, on machines that share the folder
//   PathDatabase database = shards.assemble().value();
//   shards.remove();
//
// A shard depends on the plan alone and is there whole or not at all, so that a build can be stopped at any time, gone on with, and
// shared out: whoever makes a shard, and however often, makes the same file. What is damaged, or another plan's, is made anew.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "terrane/cpd/path_database_builder.h"

namespace terrane {

inline constexpr uint32_t kMaxPathShards = 1024;

class PathDatabaseShards {
public:
    // Makes the folder where it is not there; the one that it is in must be. All who work on a build must agree on `most`, at least 1.
    static Result<PathDatabaseShards> open(PathDatabasePlan plan, std::string folder, uint32_t most = kMaxPathShards);

    const PathDatabasePlan& plan() const { return plan_; }
    const std::string& folder() const { return folder_; }
    // How many there are: as many as the plan has chunks, `most` at most.
    uint32_t count() const { return count_; }

    // Whether its file is there, whole, and of this plan; every byte is looked at.
    bool has(uint32_t shard) const;
    // Unless it is there. True where it was made.
    Result<bool> make(uint32_t shard, PathDatabasePlan::Scratch& scratch) const;

    // Refused: a shard that is not there, or not whole, with its file and what is wrong with it.
    Result<PathDatabase> assemble() const;

    // All shards in the folder, and the folder where nothing else is in it.
    Result<Done> remove() const;

private:
    PathDatabaseShards(PathDatabasePlan plan, std::string folder, uint32_t count)
        : plan_(std::move(plan)), folder_(std::move(folder)), count_(count) {}
    uint32_t first_chunk(uint32_t shard) const;
    std::string file(uint32_t shard) const;
    Result<std::vector<std::string>> read(uint32_t shard) const;

    PathDatabasePlan plan_;
    std::string folder_;
    uint32_t count_;
};

// Makes the shards that `next` gives until it gives none, on so many threads (0: as many as the machine has). `next` is called on any of
// them, one at a time, and not again after an error, which is returned.
Result<Done> make_shards(const PathDatabaseShards& shards, uint32_t threads, const std::function<std::optional<uint32_t>()>& next);

}  // namespace terrane
