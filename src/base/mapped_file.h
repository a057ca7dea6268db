// A file's bytes in memory, read-only.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "terrane/base/result.h"

namespace terrane::detail {

// Mapped: pages are read as they are looked at, and shared with other processes. Where the system cannot map, or the file is none that can
// be (a pipe), it is read whole. The bytes begin at a multiple of 16.
//
// A file that is mapped must not be cut short or written to by others; it may be replaced (write_file does) or removed.
class MappedFile {
public:
    // Refused: missing, a directory, no permission.
    static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);

    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    std::string_view bytes() const { return bytes_; }

private:
    MappedFile() = default;
    bool map(const std::string& path);

    std::string_view bytes_;
    std::string read_;  // where it was not mapped
    [[maybe_unused]] bool mapped_ = false;
};

}  // namespace terrane::detail
