// The prepared data of `cpd`: a path database, and the differences between its map and the current one.
//
//   const PathDatabase database = open_path_database("island.cpd", ground).value();
//   world.install(prepared_path_database(database, ground).value());
#pragma once
#include <optional>
#include <string>

#include "terrane/base/attributes.h"
#include "terrane/cpd/cpd_search.h"
#include "terrane/cpd/path_database.h"
#include "terrane/method/method_interface.h"

namespace terrane {

// An edit updates the perturbation and leaves the database unchanged. Queries search where the map differs, so they slow down as edits
// accumulate. Prepare again to build a database for the current map.
class TERRANE_EXPERIMENTAL PreparedCpd final : public PreparedData {
public:
    static const PreparedKind kKind;
    PreparedCpd(const Method& method, const Ground& ground, PathDatabase built, Perturbation since)
        : PreparedData(kKind, method, ground), database(std::move(built)), perturbation(std::move(since)) {}

    bool serves(const GridMethod& asked, const Ground& ground) const override;
    std::unique_ptr<PreparationJob> update(const UpdateInput& input) const override;
    size_t bytes() const override { return database.bytes() + perturbation.bytes(); }
    // The cells that differ from the database's map, as that map has them, and the database as format_path_database() writes it.
    std::string save() const override;

    const PathDatabase database;
    const Perturbation perturbation;
};

// Wraps an existing database, such as one from a file, as prepared data for World::install(). Fails unless it was built for this profile,
// movement rule and map size; the maps may differ.
Result<SharedPrepared> prepared_path_database(const PathDatabase& database, const Ground& ground);

// Returns the variant and bound of a `cpd` method, with strict_corners. Returns nothing for other methods.
std::optional<CpdSearchOptions> cpd_search_options(const Method& method);

}  // namespace terrane
