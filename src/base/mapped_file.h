// A file's bytes in memory, read-only.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "terrane/base/result.h"

namespace terrane::detail {

// Maps the file into memory: pages are loaded on first access and shared with other processes. Reads it whole if it cannot be mapped (a
// pipe, or a system without mmap). The bytes are aligned to 16.
//
// Other processes must not truncate or write to a mapped file; they may replace it (write_file() does) or remove it.
class MappedFile {
public:
    // Fails if the file is missing, is a directory or cannot be opened.
    static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);

    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    std::string_view bytes() const { return bytes_; }

private:
    MappedFile() = default;
    bool map(const std::string& path);

    std::string_view bytes_;
    std::string read_;  // the content if it is not mapped
    [[maybe_unused]] bool mapped_ = false;
};

}  // namespace terrane::detail
