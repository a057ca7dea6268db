#include "base/mapped_file.h"

#include <cstdint>
#include <utility>

#include "terrane/base/file.h"

#if __has_include(<sys/mman.h>) && __has_include(<unistd.h>)
#define TERRANE_HAS_MMAP 1
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace terrane::detail {

#ifdef TERRANE_HAS_MMAP

bool MappedFile::map(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    struct stat about {};
    const bool regular = ::fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0 && std::in_range<size_t>(about.st_size);
    const auto size = static_cast<size_t>(regular ? about.st_size : 0);
    void* const at = regular ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    ::close(file);
    if (at == MAP_FAILED) return false;
    bytes_ = {static_cast<const char*>(at), size};
    mapped_ = true;
    return true;
}

MappedFile::~MappedFile() {
    if (mapped_) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

#else

bool MappedFile::map(const std::string&) { return false; }
MappedFile::~MappedFile() = default;

#endif

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
    const std::shared_ptr<MappedFile> file(new MappedFile);
    if (!file->map(path)) {
        auto bytes = read_file(path, SIZE_MAX - 1);
        if (!bytes) return bytes.error();
        file->read_ = *std::move(bytes);
        file->bytes_ = file->read_;
    }
    return std::shared_ptr<const MappedFile>(file);
}

}  // namespace terrane::detail
