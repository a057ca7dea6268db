// Prepared data of overlay:K: a portal overlay for one profile and, with +lower_bounds, a table to prove suboptimality bounds.
#pragma once
#include <optional>

#include "terrane/base/attributes.h"
#include "terrane/grid_search/lower_bound_table.h"
#include "terrane/method/method_interface.h"
#include "terrane/overlay/portal_overlay.h"

namespace terrane {

class TERRANE_EXPERIMENTAL PreparedOverlay final : public PreparedData {
public:
    static const PreparedKind kKind;
    PreparedOverlay(const Method& method, const Ground& ground, PortalOverlay built, std::optional<LowerBoundTable> table)
        : PreparedData(kKind, method, ground), overlay(std::move(built)), lower_bounds(std::move(table)) {}

    bool serves(const GridMethod& asked, const Ground& ground) const override;
    std::unique_ptr<PreparationJob> update(const UpdateInput& input) const override;
    size_t bytes() const override { return overlay.bytes() + (lower_bounds ? lower_bounds->bytes() : 0); }

    const PortalOverlay overlay;
    const std::optional<LowerBoundTable> lower_bounds;
};

}  // namespace terrane
