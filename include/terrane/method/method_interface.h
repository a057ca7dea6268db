// The interface of a search method on grids: what you implement to add one. CONTRIBUTING.md walks through an example.
//
//   MethodFactory     one constant per method, listed in src/world/method_registry.cpp: name, capabilities, parser
//   GridMethod        a parsed name with its arguments
//   PreparationJob    builds what the method precomputes, in slices
//   PreparedData      the result: immutable, owned by the World, updated by each edit
//   MethodQuery       answers queries, in slices; the scratch memory of one thread
//
// Results must be the same on every machine, for any slicing and any number of threads. The classes are whole in this header, so that
// programs built with run-time type information may derive from them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "terrane/base/memory.h"
#include "terrane/base/result.h"
#include "terrane/base/status.h"
#include "terrane/grid/ground.h"
#include "terrane/grid/path.h"
#include "terrane/method/method.h"
#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane {

class GridMethod;
class MethodQuery;
class PreparedData;
class SearchWatcher;

using SharedGridMethod = std::shared_ptr<const GridMethod>;
using SharedPrepared = std::shared_ptr<const PreparedData>;

struct MethodFactory {
    MethodInfo info;
    MethodCapabilities capabilities;
    // Refuses wrong arguments, levels and options with a message that says what would be right.
    Result<SharedGridMethod> (*parse)(const MethodText& text, const MethodFactory& factory) = nullptr;
    // A Planner makes one query for all methods with the same function, when the first of them is used. `cache_bytes`: the most memory
    // for results kept from query to query.
    std::unique_ptr<MethodQuery> (*make_query)(size_t cache_bytes) = nullptr;
};

struct PreparationInput {
    const Ground& ground;
    std::span<const TerrainRegions> regions;  // of the same version of the map
    uint32_t threads = 1;                     // 0: as many as the machine has
    size_t max_bytes = 0;                     // of the result; 0: the method's own limit
};

// One thread at a time. Holds what it needs of its input.
class PreparationJob : public detail::InMemory {
public:
    virtual ~PreparationJob() = default;
    // Works for about `budget` expansions; true when all is done. One step is indivisible and may exceed the budget.
    virtual bool run(uint64_t budget) = 0;
    virtual double progress() const = 0;  // 0 to 1
    // Once, after run() returned true.
    virtual Result<SharedPrepared> take() = 0;
};

// A job of one step. It calls `build` once, and refuses a result of more than `max_bytes`; 0: no limit.
std::unique_ptr<PreparationJob> one_step_job(std::function<Result<SharedPrepared>()> build, size_t max_bytes = 0);

class GridMethod {
public:
    GridMethod(const MethodFactory& factory, std::string_view name) : factory_(&factory), name_(name) {}
    virtual ~GridMethod() = default;
    GridMethod(const GridMethod&) = delete;
    GridMethod& operator=(const GridMethod&) = delete;

    const MethodFactory& factory() const { return *factory_; }
    const std::string& name() const { return name_; }

    virtual double guarantee() const { return std::numeric_limits<double>::infinity(); }
    virtual std::optional<uint32_t> sector() const { return std::nullopt; }
    virtual bool prepares() const { return false; }
    // Only if prepares(). `self` is this method; the data keeps it alive.
    virtual std::unique_ptr<PreparationJob> prepare(const Method& /*self*/, const PreparationInput& /*input*/) const { return nullptr; }

private:
    const MethodFactory* factory_;
    std::string name_;
};

struct UpdateInput {
    const EditResult& edit;                   // from the version that the data is for
    const Ground& ground;                     // of the data's agent, after it
    std::span<const TerrainRegions> regions;  // after it
};

// Which class some prepared data has. Each class has one constant of this type.
struct PreparedKind {};

// What was prepared for one method and agent, on one version of the map. Immutable. Thread-safe.
class PreparedData {
public:
    virtual ~PreparedData() = default;
    PreparedData(const PreparedData&) = delete;
    PreparedData& operator=(const PreparedData&) = delete;

    const Method& method() const { return method_; }
    const Ground& ground() const { return ground_; }
    // Null unless this is a T, whose kind is T::kKind.
    template <class T>
    const T* as() const {
        return kind_ == &T::kKind ? static_cast<const T*>(this) : nullptr;
    }

    // Whether queries by a method, for an agent, can use it.
    virtual bool serves(const GridMethod& asked, const Ground& ground) const = 0;
    // The data for the map after an edit. Shares what the edit did not touch. The data must outlive the job.
    virtual std::unique_ptr<PreparationJob> update(const UpdateInput& input) const = 0;
    virtual size_t bytes() const = 0;

protected:
    PreparedData(const PreparedKind& kind, Method method, const Ground& ground)
        : kind_(&kind), method_(std::move(method)), ground_(ground) {}

private:
    const PreparedKind* kind_;
    Method method_;
    Ground ground_;
};

// All that a query refers to stays alive until the next begin().
struct QueryInput {
    const Method& method;  // its factory has this query's make_query
    const Ground& ground;
    Cell start, goal;                         // on the map and passable; connected, as far as the world knows
    std::span<const TerrainRegions> regions;  // that the world keeps
    const PreparedData* prepared = nullptr;   // serves method and ground; null if the method prepares nothing
    double bound = 0;                         // FindOptions::bound, for methods that prove bounds
    SearchWatcher* watcher = nullptr;         // for methods that search cells
};

// Reused from query to query: after warm-up it allocates nothing.
class MethodQuery : public detail::InMemory {
public:
    virtual ~MethodQuery() = default;
    // kBudgetSpent: run() may be called. kNotPrepared: the world lacks what the method needs. Anything else is final.
    virtual Status begin(const QueryInput& input) = 0;
    // Expands at most `budget` more nodes. kBudgetSpent: there is more to do. kFound, kUnreachable: final.
    virtual Status run(uint64_t budget) = 0;
    // No more is to be spent. kFound: the best path so far is the answer. kBudgetSpent: there is none.
    virtual Status finish_early() { return Status::kBudgetSpent; }
    virtual uint64_t expansions() const = 0;
    // The first cells of the path, which are final, while run() returns kBudgetSpent.
    virtual std::span<const Cell> ready() const { return {}; }
    // When found: sets cells, cost, bound and expansions_first. Reuses the memory of `out`.
    virtual void answer(Path& out) const = 0;
    // When found: how many cells were ready after Path::expansions_first.
    virtual size_t cells_first() const = 0;
    virtual size_t bytes() const = 0;
};

// The cost of a path in relation to the octile distance between its ends, which bounds every path from below.
double octile_ratio(const Ground& ground, Cell start, Cell goal, Cost cost);

}  // namespace terrane
