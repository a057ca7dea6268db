// Shared by the verbs of `terrane pathdb`.
#pragma once
#include <memory>
#include <string>

#include "cli/common.h"
#include "cli/ranks.h"
#include "terrane/cpd/path_database.h"

namespace terrane::cli {

// `ranks` are the processes that share a build.
void add_pathdb(CLI::App& app, Run& run, std::shared_ptr<Ranks> ranks);

void add_pathdb_build(CLI::App& pathdb, Run& run, std::shared_ptr<Ranks> ranks);
void add_pathdb_path(CLI::App& pathdb, Run& run);

// A map with one compiled profile.
struct WalkedMap {
    GridSnapshot grid;
    CostTable costs;
    std::string creature;
};
struct WalkArguments {
    MapArguments map;
    std::string profile = "person";
    Movement movement = Movement::kEightNoCornerCutting;

    void add_to(CLI::App& verb);
    Result<WalkedMap> load() const;
};

inline const Choices<PathEncoding> kEncodings = {{"fast", PathEncoding::kFast, "short build time"},
                                                 {"walk", PathEncoding::kWalk, "short query time"},
                                                 {"small", PathEncoding::kSmall, "small file"}};
inline const Choices<PathOrder> kOrders = {{"choose", PathOrder::kChoose, "try both on this map"},
                                           {"dfs", PathOrder::kDepthFirst, "depth-first"},
                                           {"hilbert", PathOrder::kHilbert, "along a Hilbert curve"}};
std::string name_of(PathEncoding encoding);
std::string name_of(PathOrder order);

// 1234567 -> "1.2 MB".
std::string format_bytes(uint64_t bytes);

}  // namespace terrane::cli
