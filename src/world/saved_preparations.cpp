#include "world/saved_preparations.h"

#include "base/bytes.h"
#include "base/text.h"
#include "terrane/method/method_interface.h"
#include "terrane/world/methods.h"

namespace terrane::detail {

namespace {

constexpr uint32_t kVersion = 1;
constexpr size_t kMaxName = 255;

bool can_save(const PreparedData& data) {
    const std::string& name = data.method().name();
    return data.ground().movement() != Movement::kCustom && name.size() <= kMaxName && find_method(name);
}

void format_preparation(const PreparedData& data, std::string& out) {
    const std::string& name = data.method().name();
    const CostTable& costs = data.ground().costs();
    out += static_cast<char>(name.size());
    out += name;
    out += static_cast<char>(data.ground().movement());
    for (uint32_t t = 0; t < data.ground().grid().catalogue().size(); ++t) put_u32(out, costs.hundredths(static_cast<Terrain>(t)));
    const std::string stored = data.save();
    put_u64(out, stored.size());
    out += stored;
}

Result<SavedPreparation> parse_preparation(ByteReader& in, const Catalogue& catalogue) {
    const std::string name(in.take(in.u8()));
    const uint8_t movement = in.u8();
    Profile profile("saved");
    bool valid = true;
    for (const TerrainType& type : catalogue.types()) {
        const Hundredths cost = in.u32();
        valid = valid && cost <= kMaxTerrainCost;
        profile.rule(type.name, cost);
    }
    SavedPreparation saved;
    saved.data = std::string(in.take(in.u64()));
    if (in.failed()) return Error{ErrorCode::kTruncated, {}, 0, "ends within a method"};
    if (!valid) return Error{ErrorCode::kBadValue, {}, 0, "has a terrain cost above 650"};
    auto method = find_method(name);
    if (!method) return method.error();
    if (!prepares(*method)) return Error{ErrorCode::kUnsupported, {}, 0, "has the method " + quote(name) + ", which prepares nothing"};
    if (movement >= static_cast<uint8_t>(Movement::kCustom))
        return Error{ErrorCode::kBadValue, {}, 0, "has the unknown movement rule " + std::to_string(movement)};
    const auto costs = profile.compile(catalogue);
    if (!costs) return costs.error();
    saved.method = std::move(*method);
    saved.movement = static_cast<Movement>(movement);
    saved.costs = *costs;
    return saved;
}

}  // namespace

Result<std::string> format_preparations(const WorldSnapshot& world) {
    std::string entries;
    uint32_t count = 0;
    for (const auto& data : world.all_prepared()) {
        if (!can_save(*data)) continue;
        format_preparation(*data, entries);
        ++count;
    }
    if (count > kMaxSavedPreparations)
        return Error{
            ErrorCode::kTooLarge, {}, 0, "a world file lists at most 256 prepared methods; this world has " + std::to_string(count)};
    std::string out;
    if (count == 0) return out;
    put_u32(out, kVersion);
    put_u32(out, count);
    return out + entries;
}

Result<std::vector<SavedPreparation>> parse_preparations(std::string_view bytes, const Catalogue& catalogue, std::string_view file) {
    const auto refuse = [&](ErrorCode code, const std::string& reason) {
        return Error{code, std::string(file), 0, "section 'PREP' " + reason};
    };
    ByteReader in(bytes);
    const uint32_t version = in.u32(), count = in.u32();
    if (in.failed()) return refuse(ErrorCode::kTruncated, "ends before its first method");
    if (version != kVersion) return refuse(ErrorCode::kUnsupported, "has version " + std::to_string(version) + "; expected 1");
    if (count > kMaxSavedPreparations)
        return refuse(ErrorCode::kTooLarge, "lists " + std::to_string(count) + " prepared methods; at most 256 are allowed");
    std::vector<SavedPreparation> all;
    for (uint32_t i = 0; i < count; ++i) {
        auto saved = parse_preparation(in, catalogue);
        if (!saved) return refuse(saved.error().code, "method " + std::to_string(i + 1) + ": " + saved.error().reason);
        all.push_back(std::move(*saved));
    }
    if (!in.rest().empty()) return refuse(ErrorCode::kTrailing, "goes on after its last method");
    return all;
}

}  // namespace terrane::detail
