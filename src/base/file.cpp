#include "terrane/file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#if __has_include(<unistd.h>)
#define TERRANE_HAS_SYNC
#include <fcntl.h>
#include <unistd.h>
#endif

namespace terrane {

namespace {

struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
};
using File = std::unique_ptr<std::FILE, Close>;

Error cannot(const std::string& path, const char* what, int error) {
    return {ErrorCode::kCannotOpen, path, 0, std::string("cannot ") + what + ": " + std::strerror(error)};
}

Error too_large(const std::string& path, uint64_t max_bytes) {
    return {ErrorCode::kTooLarge, path, 0, "larger than the limit of " + std::to_string(max_bytes) + " bytes"};
}

// Waits until what was written is on the disk: or a power cut may leave the new name with nothing behind it. Nothing to wait for on other
// systems, as far as C++ knows.
bool reaches_disk([[maybe_unused]] std::FILE* file) {
#ifdef TERRANE_HAS_SYNC
    return ::fsync(::fileno(file)) == 0;
#else
    return true;
#endif
}

// The same for the names in a folder. Not all file systems can; then there is nothing more to be done.
void sync_folder_of([[maybe_unused]] const std::string& path) {
#ifdef TERRANE_HAS_SYNC
    const std::string folder = std::filesystem::path(path).parent_path().string();
    const int handle = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (handle < 0) return;
    static_cast<void>(::fsync(handle));
    ::close(handle);
#endif
}

}  // namespace

Result<std::string> read_file(const std::string& path, uint64_t max_bytes) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return cannot(path, "read", EISDIR);
    const File file(std::fopen(path.c_str(), "rb"));
    if (!file) return cannot(path, "open", errno);
    max_bytes = std::min<uint64_t>(max_bytes, std::string().max_size() - 1);  // 2 GiB where addresses have 32 bits
    const auto size = std::filesystem::file_size(path, ignored);              // fails for pipes, which are read all the same
    if (!ignored && size > max_bytes) return too_large(path, max_bytes);

    std::string bytes;
    if (!ignored) bytes.reserve(static_cast<size_t>(size) + 1);
    char buffer[1 << 16];
    for (size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, file.get())) > 0;) {
        if (bytes.size() + n > max_bytes) return too_large(path, max_bytes);
        bytes.append(buffer, n);
    }
    if (std::ferror(file.get())) return cannot(path, "read", errno);
    return bytes;
}

std::string read_first_bytes(const std::string& path, size_t bytes) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return {};
    const File file(std::fopen(path.c_str(), "rb"));
    std::string out(bytes, '\0');
    out.resize(file ? std::fread(out.data(), 1, bytes, file.get()) : 0);
    return out;
}

Result<Done> write_file(const std::string& path, std::string_view bytes) {
    return write_file(path, std::span<const std::string_view>(&bytes, 1));
}

Result<Done> write_file(const std::string& path, std::span<const std::string_view> pieces) {
    const std::string temporary = path + ".partial";
    File file(std::fopen(temporary.c_str(), "wb"));
    if (!file) return cannot(path, "write", errno);
    const auto put = [&](std::string_view piece) { return std::fwrite(piece.data(), 1, piece.size(), file.get()) == piece.size(); };
    const bool written = std::ranges::all_of(pieces, put) && std::fflush(file.get()) == 0 && reaches_disk(file.get());
    const int error = errno;
    const bool closed = std::fclose(file.release()) == 0;
    if (!written || !closed) {
        std::remove(temporary.c_str());
        return cannot(path, "write", written ? errno : error);
    }
    std::error_code renamed;
    std::filesystem::rename(temporary, path, renamed);
    if (renamed) {
        std::remove(temporary.c_str());
        return cannot(path, "write", renamed.value());
    }
    sync_folder_of(path);
    return Done{};
}

}  // namespace terrane
