// The functions of the fuzzers by name, and their seed inputs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace terrane::fuzz {

inline constexpr uint32_t kMaxBytes = 1 << 20;  // of one input

using Function = int (*)(const uint8_t* data, size_t size);

// Returns null for an unknown name.
Function find_function(std::string_view name);
// "areas bytes calls ..."
std::string function_names();

struct Input {
    std::string file;
    std::string bytes;
};
// Reads all files of at most kMaxBytes, sorted by name. Skips folders that do not exist.
std::vector<Input> read_inputs(std::span<char* const> folders);

inline void run(Function function, std::string_view bytes) { function(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()); }

}  // namespace terrane::fuzz
