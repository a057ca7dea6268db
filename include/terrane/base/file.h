// Reads and writes whole files. Readers check sizes before they allocate; writers replace a file atomically. A build without file access
// (TERRANE_FILES=OFF, for browsers) refuses every call with ErrorCode::kUnsupported.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "terrane/base/result.h"

namespace terrane {

// Returns the file's content. Fails if the file is missing, is a directory, cannot be opened, or has more than `max_bytes` bytes.
Result<std::string> read_file(const std::string& path, uint64_t max_bytes);
// Reads the file `name`, relative to the folder of `path`. Also fails if `name` is absolute or leads out of that folder.
Result<std::string> read_file_beside(const std::string& path, const std::string& name, uint64_t max_bytes);
// Returns at most the first `bytes` bytes; empty if the file cannot be opened or is not a regular file.
std::string read_first_bytes(const std::string& path, size_t bytes);

// Replaces the file's content atomically: writes to a temporary file in the same folder, flushes it to disk, and renames it. A crash, a
// power failure or a full disk leaves the old file. Follows a symbolic link and replaces its target; writes to a device or a pipe
// directly.
//
// Thread-safe. Up to 1000 threads and processes may write the same path at once. Each locks a temporary file of its own (FILE.partial,
// FILE.1.partial, ...), the last rename wins, and readers always see a complete file. A later writer reuses the temporary files of
// killed processes, so they do not accumulate. On file systems without flock() they cannot be told from files in use and remain; the call
// fails once 1000 exist.
Result<void> write_file(const std::string& path, std::string_view bytes);
// Writes the concatenation of `pieces`.
Result<void> write_file(const std::string& path, std::span<const std::string_view> pieces);

}  // namespace terrane
