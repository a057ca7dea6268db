// Whole files in and out of memory. Loaders cap bytes before they allocate; writers never leave half
// a file behind. A build without files (TERRANE_FILES=OFF, for the browser) refuses all of it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "terrane/result.h"

namespace terrane {

// Refused: missing, a directory, no permission, more than `max_bytes`.
Result<std::string> read_file(const std::string& path, uint64_t max_bytes);
// At most `bytes` from where it begins; none of what is not a regular file.
std::string read_first_bytes(const std::string& path, size_t bytes);

// Writes to a temporary name beside `path`, waits until that is on the disk, and renames it: a crash, a power cut or a full disk leaves the
// old file.
Result<Done> write_file(const std::string& path, std::string_view bytes);
// Of several pieces, one after the other.
Result<Done> write_file(const std::string& path, std::span<const std::string_view> pieces);

}  // namespace terrane
