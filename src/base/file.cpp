#include "terrane/base/file.h"

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
#include <sys/file.h>
#include <sys/stat.h>
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

// Flushes the file to disk. Without this, a power failure after the rename may leave an empty file. No-op on systems without fsync().
bool reaches_disk([[maybe_unused]] std::FILE* file) {
#ifdef TERRANE_HAS_SYNC
    return ::fsync(::fileno(file)) == 0;
#else
    return true;
#endif
}

// Flushes the folder's entries to disk. Errors are ignored: some file systems do not support it.
void sync_folder([[maybe_unused]] const std::string& folder) {
#ifdef TERRANE_HAS_SYNC
    const int handle = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (handle < 0) return;
    static_cast<void>(::fsync(handle));
    ::close(handle);
#endif
}

// Limit on concurrent writers of one path.
constexpr int kMaxSavers = 1000;

#ifdef TERRANE_HAS_SYNC

// Whether `name` still refers to the regular file that `handle` has open.
bool is_still(const char* name, int handle) {
    struct stat opened {
    }, there{};
    return ::fstat(handle, &opened) == 0 && ::lstat(name, &there) == 0 && S_ISREG(there.st_mode) && opened.st_dev == there.st_dev &&
           opened.st_ino == there.st_ino;
}

// Creates and locks the file, or opens and locks one that a killed process has left. The lock excludes other processes and threads.
// Returns the file descriptor, or -1 with errno set; EEXIST means that another writer or something else has the name. On file systems
// without locks, only a newly created file is accepted.
int take_name(const char* name) {
    for (;;) {
        int handle = ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        const bool made = handle >= 0;
        if (!made && errno != EEXIST) return -1;
        if (!made) handle = ::open(name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (handle < 0 && errno == ENOENT) continue;  // its owner renamed it between the two calls
        const bool locked = handle >= 0 && ::flock(handle, LOCK_EX | LOCK_NB) == 0;
        const bool alone = made && !locked && errno != EWOULDBLOCK;
        if (alone || (locked && is_still(name, handle))) return handle;
        if (handle >= 0) ::close(handle);
        if (locked && made) continue;  // another writer locked and renamed it before this one had the lock
        if (locked && ::access(name, F_OK) != 0) continue;
        errno = EEXIST;
        return -1;
    }
}

#endif

// A temporary file, locked for the object's lifetime. The destructor deletes it unless it was renamed.
class Temporary {
public:
    Temporary() = default;
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary() {
        file_.reset();
        if (!name_.empty()) std::remove(name_.c_str());
        release();
    }

    // Opens the first temporary name that no other writer has locked. Returns 0 or an errno value.
    int open(const std::filesystem::path& beside) {
        for (int number = 0; number < kMaxSavers; ++number) {
            path_ = beside;
            path_ += number == 0 ? std::string(".partial") : "." + std::to_string(number) + ".partial";
            std::string name = path_.string();  // allocate before the file exists, so that bad_alloc leaves none behind
            if (take(name)) {
                name_.swap(name);
                return file_ ? 0 : errno;
            }
            if (errno != EEXIST) return errno;
        }
        return EAGAIN;
    }

    std::FILE* file() const { return file_.get(); }
    bool close() { return std::fclose(file_.release()) == 0; }

    void rename(const std::filesystem::path& to, std::error_code& error) {
        std::filesystem::rename(path_, to, error);
        if (!error) name_.clear();
    }

private:
#ifdef TERRANE_HAS_SYNC
    bool take(const std::string& name) {
        lock_ = take_name(name.c_str());
        if (lock_ < 0) return false;
        // The stream gets a duplicate descriptor, so that the lock outlives it, until after the rename.
        const int handle = ::ftruncate(lock_, 0) == 0 ? ::fcntl(lock_, F_DUPFD_CLOEXEC, 0) : -1;
        if (handle < 0) return true;
        file_.reset(::fdopen(handle, "wb"));
        if (!file_) ::close(handle);
        return true;
    }
    void release() {
        if (lock_ >= 0) ::close(lock_);
    }
    int lock_ = -1;
#else
    bool take(const std::string& name) {
        file_.reset(std::fopen(name.c_str(), "wbx"));
        return file_ != nullptr;
    }
    void release() {}
#endif
    std::filesystem::path path_;
    std::string name_;  // empty: nothing to delete
    File file_;
};

// Whether `name` is relative and stays within its folder.
bool is_inside(const std::filesystem::path& name) {
    if (name.empty() || name.is_absolute() || name.has_root_path()) return false;
    const std::filesystem::path plain = name.lexically_normal();
    return !plain.empty() && *plain.begin() != "..";
}

bool put_all(std::FILE* file, std::span<const std::string_view> pieces) {
    const auto put = [&](std::string_view piece) { return std::fwrite(piece.data(), 1, piece.size(), file) == piece.size(); };
    return std::ranges::all_of(pieces, put) && std::fflush(file) == 0;
}

// For devices and pipes, which cannot be replaced by a rename.
Result<void> write_directly(const std::string& path, std::span<const std::string_view> pieces) {
    File file(std::fopen(path.c_str(), "wb"));
    if (!file) return cannot(path, "write", errno);
    if (!put_all(file.get(), pieces) || std::fclose(file.release()) != 0) return cannot(path, "write", errno);
    return {};
}

}  // namespace

Result<std::string> read_file(const std::string& path, uint64_t max_bytes) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return cannot(path, "read", EISDIR);
    const File file(std::fopen(path.c_str(), "rb"));
    if (!file) return cannot(path, "open", errno);
    max_bytes = std::min<uint64_t>(max_bytes, std::string().max_size() - 1);  // 2 GiB on 32-bit systems
    const auto size = std::filesystem::file_size(path, ignored);              // fails for pipes, which can be read all the same
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

Result<std::string> read_file_beside(const std::string& path, const std::string& name, uint64_t max_bytes) {
    if (!is_inside(name)) return Error{ErrorCode::kCannotOpen, name, 0, "must lie in the folder of the file that names it, or below"};
    return read_file((std::filesystem::path(path).parent_path() / name).string(), max_bytes);
}

std::string read_first_bytes(const std::string& path, size_t bytes) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return {};
    const File file(std::fopen(path.c_str(), "rb"));
    std::string out(bytes, '\0');
    out.resize(file ? std::fread(out.data(), 1, bytes, file.get()) : 0);
    return out;
}

Result<void> write_file(const std::string& path, std::string_view bytes) {
    return write_file(path, std::span<const std::string_view>(&bytes, 1));
}

Result<void> write_file(const std::string& path, std::span<const std::string_view> pieces) {
    std::error_code ignored;
    const auto kind = std::filesystem::status(path, ignored).type();
    const bool renames = kind == std::filesystem::file_type::not_found || kind == std::filesystem::file_type::regular ||
                         kind == std::filesystem::file_type::directory || kind == std::filesystem::file_type::none;
    if (!renames) return write_directly(path, pieces);
    std::filesystem::path to = path;
    if (std::filesystem::is_symlink(path, ignored)) to = std::filesystem::canonical(path, ignored);
    if (ignored) to = path;
    const std::string folder = to.parent_path().string();

    Temporary temporary;
    if (const int error = temporary.open(to)) return cannot(path, "write", error);
    if (!put_all(temporary.file(), pieces) || !reaches_disk(temporary.file()) || !temporary.close()) return cannot(path, "write", errno);
    std::error_code renamed;
    temporary.rename(to, renamed);
    if (renamed) return cannot(path, "write", renamed.value());
    sync_folder(folder);
    return {};
}

}  // namespace terrane
