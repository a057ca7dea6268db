// Replaces file.cpp and mapped_file.cpp in builds without file access (browsers).
#include "base/mapped_file.h"
#include "terrane/base/file.h"

namespace terrane {

namespace {

Error no_files(const std::string& path) { return {ErrorCode::kUnsupported, path, 0, "this build has no file access"}; }

}  // namespace

Result<std::string> read_file(const std::string& path, uint64_t) { return no_files(path); }
Result<std::string> read_file_beside(const std::string& path, const std::string&, uint64_t) { return no_files(path); }
std::string read_first_bytes(const std::string&, size_t) { return {}; }
Result<void> write_file(const std::string& path, std::string_view) { return no_files(path); }
Result<void> write_file(const std::string& path, std::span<const std::string_view>) { return no_files(path); }

namespace detail {
MappedFile::~MappedFile() = default;
bool MappedFile::map(const std::string&) { return false; }
Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) { return no_files(path); }
}  // namespace detail

}  // namespace terrane
