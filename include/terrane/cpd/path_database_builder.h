// Builds path databases: all at once on many threads, or in slices while a game runs.
//
//   PathDatabase database = build_path_database({grid, costs, Movement::kEight}).value();
//
// Rows are made in chunks of at most 8x8 neighbouring cells, in about 10 ns a pair of cells where all passable cells cost the same and 15
// to 25 ns on weighted terrain. A thread needs up to 340 bytes a passable cell while it works, two or four times that on weighted terrain.
//
// A chunk depends on the map, the profile, the rule and the options alone, so that
// the result is the same, byte for byte, for any number of threads, slices, processes and machines.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "terrane/cpd/path_database.h"
#include "terrane/search/best_first.h"

namespace terrane {

inline constexpr uint32_t kMaxPathNodes = 1u << 26;

struct PathDatabaseOptions {
    PathEncoding encoding = PathEncoding::kWalk;
    PathOrder order = PathOrder::kChoose;
    PathTargets targets;
    uint32_t threads = 1;                    // 0: as many as the machine has
    uint64_t max_bytes = uint64_t{1} << 30;  // of rows: refused where the estimate is above twice that, or the result above it
};

// What a build will take, from one chunk in 16 of it, but 16 at least. They are made when the plan is, and kept for make_chunk.
struct PathDatabaseEstimate {
    uint32_t nodes = 0, targets = 0;
    uint64_t expansions = 0;  // cells to be settled in all: nodes times what is in reach of each
    uint64_t bytes = 0;       // of rows: mostly within 30%
};

// One build: what all its chunks have in common. Immutable once made; any number of threads may make chunks of it.
class PathDatabasePlan {
public:
    // Refused: a map without a passable cell, more than kMaxPathNodes of them.
    static Result<PathDatabasePlan> make(const Ground& ground, const PathDatabaseOptions& options);

    const PathDatabaseEstimate& estimate() const;
    uint32_t threads() const;  // PathDatabaseOptions
    uint32_t chunks() const;
    uint32_t rows(uint32_t chunk) const;  // how many it has
    // Equal for equal maps, profiles, rules and options (threads and max_bytes apart): what a file of chunks is for.
    uint64_t fingerprint() const;

    // The bytes of one chunk; `scratch` of the thread, reused from chunk to chunk.
    class Scratch;
    std::string make_chunk(uint32_t chunk, Scratch& scratch) const;
    // All chunks in order become a database. Refused: more than max_bytes; chunks that are not this plan's (as far as can be seen).
    Result<PathDatabase> assemble(std::vector<std::string> chunks) const;

private:
    struct Impl;
    std::shared_ptr<const Impl> impl_;
};

class PathDatabasePlan::Scratch {
public:
    Scratch();
    ~Scratch();
    Scratch(Scratch&&) noexcept;
    Scratch& operator=(Scratch&&) noexcept;

private:
    friend class PathDatabasePlan;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// In slices. Belongs to one thread at a time.
class PathDatabaseBuilder {
public:
    explicit PathDatabaseBuilder(PathDatabasePlan plan);
    // Makes at least `rows` more rows (whole chunks), on the plan's threads; true when all are made. Where memory runs out, std::bad_alloc:
    // these rows are still to be made.
    bool run(uint64_t rows = kUnlimited);
    double progress() const;  // of 1
    // Once, when done. Where memory runs out, std::bad_alloc, and all rows are to be made again.
    Result<PathDatabase> take();

private:
    PathDatabasePlan plan_;
    std::vector<PathDatabasePlan::Scratch> scratch_;  // of each worker
    std::vector<std::string> chunks_;
};

// On options.threads threads. `progress`, if any, is called now and then with what is done of 1, on one thread at a time; false stops the
// build, which is refused then (ErrorCode::kCancelled).
Result<PathDatabase> build_path_database(const Ground& ground, const PathDatabaseOptions& options = {},
                                         const std::function<bool(double)>& progress = {});

}  // namespace terrane
