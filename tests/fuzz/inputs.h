// The fuzzers' functions by name, and the files that they begin with.
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

// Null where there is none of that name.
Function find_function(std::string_view name);
// "areas bytes calls ..."
std::string function_names();

struct Input {
    std::string file;
    std::string bytes;
};
// Every file of the folders that has at most kMaxBytes, by name. A folder that does not exist has none.
std::vector<Input> read_inputs(std::span<char* const> folders);

inline void run(Function function, std::string_view bytes) { function(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()); }

}  // namespace terrane::fuzz
