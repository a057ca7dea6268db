// What overlay:K prepares: a portal overlay for one profile, and certificates to prove bounds by.
#pragma once
#include <optional>

#include "terrane/base/attributes.h"
#include "terrane/grid_search/certificate.h"
#include "terrane/method/method_interface.h"
#include "terrane/overlay/portal_overlay.h"

namespace terrane {

class TERRANE_EXPERIMENTAL OverlayData final : public PreparedData {
public:
    static const PreparedKind kKind;
    OverlayData(const Method& method, const Ground& ground, PortalOverlay of, std::optional<Certificate> lower_bounds)
        : PreparedData(kKind, method, ground), overlay(std::move(of)), certificate(std::move(lower_bounds)) {}

    bool serves(const GridMethod& asked, const Ground& ground) const override;
    std::unique_ptr<PreparationJob> update(const UpdateInput& input) const override;
    size_t bytes() const override { return overlay.bytes() + (certificate ? certificate->bytes() : 0); }

    const PortalOverlay overlay;
    const std::optional<Certificate> certificate;
};

}  // namespace terrane
