// The prepared data of `minimal_memory:N`: a minimal-memory abstraction, for all profiles with the same blocked set.
#pragma once
#include "terrane/base/attributes.h"
#include "terrane/method/method_interface.h"
#include "terrane/minimal_memory/minimal_memory.h"

namespace terrane {

class TERRANE_EXPERIMENTAL PreparedMinimalMemory final : public PreparedData {
public:
    static const PreparedKind kKind;
    PreparedMinimalMemory(const Method& method, const Ground& ground, MinimalMemory abstraction)
        : PreparedData(kKind, method, ground), minimal_memory(std::move(abstraction)) {}

    bool serves(const GridMethod& asked, const Ground& ground) const override;
    std::unique_ptr<PreparationJob> update(const UpdateInput& input) const override;
    size_t bytes() const override { return minimal_memory.bytes().total(); }

    const MinimalMemory minimal_memory;
};

}  // namespace terrane
