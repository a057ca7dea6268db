// The interface of a search method on grids: what you implement to add one. CONTRIBUTING.md walks through an example.
//
//   MethodFactory     one constant per method, listed in src/world/method_registry.cpp: name, capabilities, parser
//   GridMethod        a parsed name with its arguments
//   PreparationJob    builds the method's precomputed data, in slices
//   PreparedData      the result: immutable, owned by the World, updated by each edit
//   MethodQuery       answers queries, in slices; scratch memory of one thread
//
// Results must be the same on every machine, for any slicing and any number of threads. All classes are defined inline in
// this header, so that programs built with run-time type information may derive from them.
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
    // Fails on wrong arguments, levels and options; the error states what is expected.
    Result<SharedGridMethod> (*parse)(const MethodText& text, const MethodFactory& factory) = nullptr;
    // A Planner makes one query for all methods that share this function, on first use. `cache_bytes`: limit for results cached from
    // query to query.
    std::unique_ptr<MethodQuery> (*make_query)(size_t cache_bytes) = nullptr;
};

struct PreparationInput {
    const Ground& ground;
    std::span<const TerrainRegions> regions;  // of the same version of the map
    uint32_t threads = 1;                     // 0: all cores
    size_t max_bytes = 0;                     // limit of the result; 0: the method's own limit
};

// One thread at a time. Keeps what it needs of its input alive.
class PreparationJob : public detail::ScopeAllocated {
public:
    virtual ~PreparationJob() = default;
    // Works for about `budget` expansions. Returns true when finished. A single step may exceed the budget.
    virtual bool run(uint64_t budget) = 0;
    virtual double progress() const = 0;  // 0 to 1
    // Call once, after run() returned true.
    virtual Result<SharedPrepared> take() = 0;
};

// A job of one step: calls `build` once and fails if the result exceeds `max_bytes` (0: no limit).
std::unique_ptr<PreparationJob> one_step_job(std::function<Result<SharedPrepared>()> build, size_t max_bytes = 0);

// Prepares at once what a saved world had prepared. Fails unless `saved` is empty.
Result<SharedPrepared> prepare_again(const Method& method, const PreparationInput& input, std::string_view saved);

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

    // Whether queries share data that depends on the map and the movement rule, but on no profile, and that they fill in as they go.
    // It needs no preparation: the World makes it for the first query and updates it with each edit.
    virtual bool derives() const { return false; }
    // Only if derives(). Must be fast. The result must be thread-safe, and answers must not depend on what earlier queries filled in.
    virtual SharedPrepared derive(const Method& /*self*/, const Ground& /*ground*/) const { return nullptr; }

    // Only if prepares(). Makes the data of a saved world from what PreparedData::save() returned. Bytes may be damaged or forged. Default:
    // prepares again, and refuses any bytes.
    virtual Result<SharedPrepared> restore(const Method& self, const PreparationInput& input, std::string_view saved) const {
        return prepare_again(self, input, saved);
    }

private:
    const MethodFactory* factory_;
    std::string name_;
};

struct UpdateInput {
    const EditResult& edit;                   // begins at the version of the data
    const Ground& ground;                     // of the data's agent, after the edit
    std::span<const TerrainRegions> regions;  // after the edit
};

// Identifies the class of prepared data: each class has one constant of this type, without run-time type information.
struct PreparedKind {};

// Data prepared for one method and agent, on one version of the map. Immutable. Thread-safe.
class PreparedData {
public:
    virtual ~PreparedData() = default;
    PreparedData(const PreparedData&) = delete;
    PreparedData& operator=(const PreparedData&) = delete;

    const Method& method() const { return method_; }
    const Ground& ground() const { return ground_; }
    // This as a T, or null if it is of another class. T::kKind identifies T.
    template <class T>
    const T* as() const {
        return kind_ == &T::kKind ? static_cast<const T*>(this) : nullptr;
    }

    // Whether queries by `asked` for the agent of `ground` can use the data.
    virtual bool serves(const GridMethod& asked, const Ground& ground) const = 0;
    // A job that makes the data for the map after an edit, sharing what the edit did not touch. The data must outlive the job.
    virtual std::unique_ptr<PreparationJob> update(const UpdateInput& input) const = 0;
    virtual size_t bytes() const = 0;
    // What restore() needs besides the method, the agent and the map, for world files. Default: nothing, as a loaded world prepares the
    // method again. Override both for data that takes minutes to prepare.
    virtual std::string save() const { return {}; }

protected:
    PreparedData(const PreparedKind& kind, Method method, const Ground& ground)
        : kind_(&kind), method_(std::move(method)), ground_(ground) {}

private:
    const PreparedKind* kind_;
    Method method_;
    Ground ground_;
};

// All references and pointers stay valid until the next begin().
struct QueryInput {
    const Method& method;  // its factory has this query's make_query
    const Ground& ground;
    Cell start, goal;                         // on the map and passable; connected, unless the world has no regions
    std::span<const TerrainRegions> regions;  // of the world
    const PreparedData* prepared = nullptr;   // serves method and ground; null if the method prepares nothing
    double bound = 0;                         // FindOptions::bound, for methods that prove bounds
    SearchWatcher* watcher = nullptr;         // for methods that search cells
};

// Reused from query to query; allocates nothing after warm-up. One thread at a time.
class MethodQuery : public detail::ScopeAllocated {
public:
    virtual ~MethodQuery() = default;
    // kBudgetSpent: run() may be called. kNotPrepared: the world lacks what the method needs. Any other status is final.
    virtual Status begin(const QueryInput& input) = 0;
    // Expands at most `budget` more nodes. kBudgetSpent: there is more to do. kFound, kUnreachable: final.
    virtual Status run(uint64_t budget) = 0;
    // Ends the query early. kFound: the best path so far becomes the answer. kBudgetSpent: there is none.
    virtual Status finish_early() { return Status::kBudgetSpent; }
    virtual uint64_t expansions() const = 0;
    // The final prefix of the path while run() returns kBudgetSpent.
    virtual std::span<const Cell> ready() const { return {}; }
    // When found: sets cells, cost, bound and expansions_first. Reuses the memory of `out`.
    virtual void answer(Path& out) const = 0;
    // When found: the length of the prefix that was ready after Path::expansions_first expansions.
    virtual size_t cells_first() const = 0;
    virtual size_t bytes() const = 0;
};

// Upper bound of the suboptimality ratio: the cost of a path divided by the octile lower bound between its ends; at least 1.
double octile_ratio(const Ground& ground, Cell start, Cell goal, Cost cost);

}  // namespace terrane
