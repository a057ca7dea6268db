// Builds a path database in shards: files in a folder, each with the rows of some neighbouring cells.
//
//   auto shards = PathDatabaseShards::open(plan, "island.pathdb.parts").value();
//   make_shards(shards, threads, next);          // in any number of processes, on machines that share the folder
//   PathDatabase database = shards.assemble().value();
//   shards.remove();
//
// A shard depends on the plan alone, and its file is complete or absent. So you can stop a build at any time, resume it, and distribute it:
// every process makes the same file. Damaged shards and shards of other plans are rebuilt.
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
    // Creates the folder if necessary; its parent must exist. All processes of a build must pass the same `max_shards`, at least 1.
    static Result<PathDatabaseShards> open(PathDatabasePlan plan, std::string folder, uint32_t max_shards = kMaxPathShards);

    const PathDatabasePlan& plan() const { return plan_; }
    const std::string& folder() const { return folder_; }
    // Number of shards: the number of chunks of the plan, but at most max_shards.
    uint32_t count() const { return count_; }

    // Whether the shard's file exists, is complete and belongs to this plan. Reads every byte.
    bool has(uint32_t shard) const;
    // Makes a shard's file unless has(shard). Returns whether it made it.
    Result<bool> make(uint32_t shard, PathDatabasePlan::Scratch& scratch) const;

    // Combines all shards into a database. Fails if a shard is missing or damaged; the error names its file and the reason.
    Result<PathDatabase> assemble() const;

    // Deletes all shards in the folder, and the folder if it is empty then.
    Result<void> remove() const;

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

// Makes the shards that `next` returns, until it returns none. Uses `threads` threads (0: all of the machine). Calls `next` on any of them,
// one call at a time, and not again after an error, which it returns.
Result<void> make_shards(const PathDatabaseShards& shards, uint32_t threads, const std::function<std::optional<uint32_t>()>& next);

}  // namespace terrane
