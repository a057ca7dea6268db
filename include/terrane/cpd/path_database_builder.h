// Builds path databases: at once on many threads, or in slices while a game runs.
//
//   PathDatabase database = build_path_database({grid, costs, Movement::kEightNoCornerCutting}).value();
//
// Rows are built in chunks of at most 8x8 neighbouring cells. A pair of cells takes about 10 ns if all passable cells cost the same, 15 to
// 25 ns on weighted terrain. Each thread needs up to 340 bytes per passable cell, two or four times that on weighted terrain.
//
// A chunk depends on the map, the profile, the movement rule and the options only. So the result is the same, byte for byte, for any number
// of threads, slices, processes and machines.
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
    uint32_t threads = 1;                    // 0: all threads of the machine
    uint64_t max_bytes = uint64_t{1} << 30;  // of the rows; a build fails if its estimate is above twice this, or its result above this
};

// The cost of a build, estimated from one chunk in 16, but at least 16. The plan builds these chunks and keeps them for make_chunk().
struct PathDatabaseEstimate {
    uint32_t nodes = 0, targets = 0;
    uint64_t expansions = 0;  // sum over all nodes of the number of nodes reachable from them
    uint64_t bytes = 0;       // of the rows; mostly within 30%
};

// The shared part of a build. Immutable and thread-safe: any number of threads may build chunks.
class PathDatabasePlan {
public:
    // Fails if the map has no passable cell or more than kMaxPathNodes, or if the estimate is above twice max_bytes. Precondition: the
    // movement rule is not kCustom.
    static Result<PathDatabasePlan> make(const Ground& ground, const PathDatabaseOptions& options);

    const PathDatabaseEstimate& estimate() const;
    uint32_t threads() const;  // PathDatabaseOptions::threads
    uint32_t chunks() const;
    uint32_t rows(uint32_t chunk) const;  // number of rows of a chunk
    // Equal for equal maps, profiles, movement rules and options (except threads and max_bytes). Identifies files of chunks.
    uint64_t fingerprint() const;

    // Returns the bytes of one chunk. `scratch` is scratch memory of one thread, reused from chunk to chunk.
    class Scratch;
    std::string make_chunk(uint32_t chunk, Scratch& scratch) const;
    // Combines all chunks, in order, into a database. Fails above max_bytes, or if the chunks visibly do not belong to this plan.
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

// Builds a database in slices. One thread at a time.
class PathDatabaseBuilder {
public:
    explicit PathDatabaseBuilder(PathDatabasePlan plan);
    // Builds at least `rows` more rows (whole chunks) on the plan's threads. Returns true when all are built. Throws std::bad_alloc if an
    // allocation fails; then none of these rows is built, and you may call it again.
    bool run(uint64_t rows = kUnlimited);
    double progress() const;  // 0 to 1
    // Returns the database. Call it once, after run() returned true. Throws std::bad_alloc if an allocation fails; then all rows are lost.
    Result<PathDatabase> take();

private:
    PathDatabasePlan plan_;
    std::vector<PathDatabasePlan::Scratch> scratch_;  // by worker
    std::vector<std::string> chunks_;
};

// Builds a database on options.threads threads. Calls `progress`, if given, with the completed fraction (0 to 1), on one thread at a time;
// if it returns false, the build fails with ErrorCode::kCancelled.
Result<PathDatabase> build_path_database(const Ground& ground, const PathDatabaseOptions& options = {},
                                         const std::function<bool(double)>& progress = {});

}  // namespace terrane
