#include "handles.h"

namespace terrane::capi {

static_assert(static_cast<terrane_code>(ErrorCode::kNoMemory) + 1 == TERRANE_NO_MEMORY);
static_assert(static_cast<terrane_status>(Status::kOutOfMemory) == TERRANE_OUT_OF_MEMORY);
static_assert(static_cast<terrane_status>(Status::kUnsupportedMovement) == TERRANE_UNSUPPORTED_MOVEMENT);
static_assert(static_cast<uint32_t>(Movement::kFour) == TERRANE_FOUR);
static_assert(kCostPerUnit == TERRANE_COST_PER_UNIT);

terrane_code refuse(const Error& error, terrane_error* out) {
    const auto code = static_cast<terrane_code>(error.code) + 1;
    terrane_error report{};
    report.code = code;
    report.line = error.line;
    const std::string message = error.message();
    message.copy(report.message, sizeof report.message - 1);
    if (out != nullptr) static_cast<void>(write_struct(report, out, report));
    return code;
}

terrane_code refuse(std::string reason, terrane_error* out) { return refuse(Error{ErrorCode::kBadValue, {}, 0, std::move(reason)}, out); }

terrane_code refuse_null(terrane_error* out) { return refuse("a required argument is NULL", out); }

terrane_code refuse_terrain(uint32_t terrain, uint32_t terrains, terrane_error* out) {
    return refuse("there is no terrain " + std::to_string(terrain) + ": the catalogue has " + std::to_string(terrains), out);
}

terrane_code refuse_no_memory(terrane_error* out) {
    constexpr std::string_view kMessage = "out of memory";
    terrane_error report{};
    report.code = TERRANE_NO_MEMORY;
    kMessage.copy(report.message, kMessage.size());
    if (out != nullptr) static_cast<void>(write_struct(report, out, report));
    return TERRANE_NO_MEMORY;
}

Error wrong_size(const char* name, uint32_t size, size_t expected) {
    const std::string of(name);
    return {ErrorCode::kBadValue,
            {},
            0,
            of + ".size is " + std::to_string(size) + ": set it to sizeof(" + of + "), " + std::to_string(expected)};
}

Result<Movement> movement_of(uint32_t movement) {
    if (movement <= TERRANE_FOUR) return static_cast<Movement>(movement);
    return Error{ErrorCode::kBadValue, {}, 0, "invalid movement: expected 0 (eight), 1 (eight, cutting corners) or 2 (four)"};
}

Result<Ground> ground_of(const terrane_world& world, const terrane_profile& profile, uint32_t movement) {
    const auto rule = movement_of(movement);
    if (!rule) return rule.error();
    const auto costs = costs_of(profile, world);
    if (!costs) return costs.error();
    return Ground(world.world.grid(), *costs, *rule);
}

Result<Method> method_of(std::string_view name) {
    if (name.empty()) return Method{};
    return find_method(name);
}

}  // namespace terrane::capi
