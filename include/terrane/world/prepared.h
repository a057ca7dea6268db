// What was prepared for one method, profile and movement rule: what Preparation makes, World owns and edits update.
#pragma once
#include <cstddef>
#include <optional>

#include "terrane/base/attributes.h"
#include "terrane/cpd/path_database.h"
#include "terrane/cpd/pathdb_search.h"
#include "terrane/grid/profile.h"
#include "terrane/grid_search/certificate.h"
#include "terrane/grid_search/method.h"
#include "terrane/hpa/entrance_graph.h"
#include "terrane/minimal_memory/minimal_memory.h"
#include "terrane/overlay/portal_overlay.h"
#include "terrane/pra/cliques.h"

namespace terrane {

// One method for one profile and rule, for one version of the map. Immutable; copying it copies pointers.
struct TERRANE_EXPERIMENTAL PreparedMethod {
    Method method;
    CostTable costs;
    Movement movement = Movement::kEight;
    std::optional<PortalOverlay> overlay;
    std::optional<Certificate> certificate;
    std::optional<MinimalMemory> memory;
    std::optional<EntranceGraph> entrances;
    std::optional<Cliques> cliques;
    std::optional<PathDatabase> database;
    std::optional<Perturbation> perturbation;  // the map as it is, against that of the database

    // Whether it is what this method would prepare. One without a name: any overlay.
    bool serves(const Method& asked, const CostTable& for_costs, Movement by) const;
    // For the map after an edit of the map that this is for.
    PreparedMethod updated(const EditResult& edit) const;
    size_t bytes() const;
};

}  // namespace terrane
