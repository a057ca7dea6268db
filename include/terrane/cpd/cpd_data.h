// What cpd prepares: a path database, and where the map differs from the one that it was built for.
//
//   const PathDatabase database = open_path_database("island.cpd", ground).value();
//   world.keep(prepared_path_database(database, ground).value());
#pragma once
#include <optional>

#include "terrane/base/attributes.h"
#include "terrane/cpd/path_database.h"
#include "terrane/cpd/pathdb_search.h"
#include "terrane/method/method_interface.h"

namespace terrane {

// Edits leave the database alone and update the perturbation. Queries search where the map differs, so they take longer the more it does.
// A new preparation builds a database for the map as it is.
class TERRANE_EXPERIMENTAL CpdData final : public PreparedData {
public:
    static const PreparedKind kKind;
    CpdData(const Method& method, const Ground& ground, PathDatabase built, Perturbation since)
        : PreparedData(kKind, method, ground), database(std::move(built)), perturbation(std::move(since)) {}

    bool serves(const GridMethod& asked, const Ground& ground) const override;
    std::unique_ptr<PreparationJob> update(const UpdateInput& input) const override;
    size_t bytes() const override { return database.bytes() + perturbation.bytes(); }

    const PathDatabase database;
    const Perturbation perturbation;
};

// A database that exists, such as one from a file, as prepared data for World::keep(). Refused unless it is for this profile and movement
// rule, and for a map of this size; the maps may differ.
Result<SharedPrepared> prepared_path_database(const PathDatabase& database, const Ground& ground);

// What a cpd method asks of PathdbSearch: its search, its bound, and corners judged on the map as it is now. Nothing for other methods.
std::optional<PathdbSearchOptions> pathdb_options(const Method& method);

}  // namespace terrane
