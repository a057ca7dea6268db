// Whole files in and out of memory. Loaders cap bytes before they allocate; writers never leave half
// a file behind. A build without files (TERRANE_FILES=OFF, for the browser) refuses all of it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "terrane/base/result.h"

namespace terrane {

// Refused: missing, a directory, no permission, more than `max_bytes`.
Result<std::string> read_file(const std::string& path, uint64_t max_bytes);
// Reads the file `name` in the folder of `path` or below it. Refused besides: absolute names, and those that lead out of the folder.
Result<std::string> read_file_beside(const std::string& path, const std::string& name, uint64_t max_bytes);
// At most `bytes` from where it begins; none of what is not a regular file.
std::string read_first_bytes(const std::string& path, size_t bytes);

// Writes to a temporary name beside `path`, waits until that is on the disk, and renames it: a crash, a power cut or a full disk leaves the
// old file. What a link leads to is replaced, not the link; a device or a pipe is written to as it is.
//
// Any number of threads and processes, up to 1000, may save to one file at once: each writes to a file of its own (FILE.partial,
// FILE.1.partial and so on, the first that nobody else has locked), the last to rename is what stays, and who reads gets one of them whole.
// What a killed process left under such a name is taken over by the next saver, so there are never more of them than were killed at once.
// Only where files cannot be locked (flock) are they not told from those in use, and stay: then 1000 of them are too many.
Result<Done> write_file(const std::string& path, std::string_view bytes);
// Of several pieces, one after the other.
Result<Done> write_file(const std::string& path, std::span<const std::string_view> pieces);

}  // namespace terrane
