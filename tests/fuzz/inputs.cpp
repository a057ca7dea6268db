#include "inputs.h"

#include <algorithm>
#include <filesystem>

#include "terrane/base/file.h"

#define FUZZ_FUNCTION(name) extern "C" int fuzz_##name(const uint8_t* data, size_t size);
#include "functions.inc"
#undef FUZZ_FUNCTION

namespace terrane::fuzz {

namespace {

struct Named {
    const char* name;
    Function function;
};
constexpr Named kFunctions[] = {
#define FUZZ_FUNCTION(name) {#name, fuzz_##name},
#include "functions.inc"
#undef FUZZ_FUNCTION
};

}  // namespace

Function find_function(std::string_view name) {
    const auto found = std::ranges::find(kFunctions, name, &Named::name);
    return found != std::end(kFunctions) ? found->function : nullptr;
}

std::string function_names() {
    std::string names;
    for (const Named& each : kFunctions) names += (names.empty() ? "" : " ") + std::string(each.name);
    return names;
}

std::vector<Input> read_inputs(std::span<char* const> folders) {
    std::vector<std::filesystem::path> names;
    for (const char* folder : folders) {
        if (!std::filesystem::is_directory(folder)) continue;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path());
    }
    std::ranges::sort(names);
    std::vector<Input> all;
    for (const auto& name : names) {
        auto bytes = read_file(name.string(), kMaxBytes);
        if (bytes) all.push_back({name.string(), std::move(*bytes)});
    }
    return all;
}

}  // namespace terrane::fuzz
