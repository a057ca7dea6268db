// PreparedData made of one structure with `std::optional<T> updated(const EditResult&) const`.
#pragma once
#include <utility>

#include "terrane/method/method_interface.h"

namespace terrane::detail {

template <class Derived, class T>
class StructureData : public PreparedData {
public:
    StructureData(const Method& method, const Ground& ground, T of)
        : PreparedData(Derived::kKind, method, ground), structure(std::move(of)) {}

    std::unique_ptr<PreparationJob> update(const UpdateInput& input) const override {
        return one_step_job([this, edit = input.edit, ground = input.ground]() -> Result<SharedPrepared> {
            return SharedPrepared(share<const Derived>(method(), ground, *structure.updated(edit)));
        });
    }

    const T structure;
};

}  // namespace terrane::detail
