// A shard's file holds: magic, version, number of shards, index of this shard, the plan's fingerprint, the length of each chunk, the
// chunks, and a checksum of all of these.
#include "terrane/cpd/path_database_shards.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/parallel.h"
#include "terrane/base/file.h"
#include "terrane/base/mutex.h"

namespace terrane {

using detail::ByteReader;

namespace {

constexpr std::string_view kShardMagic("\x89TPS\r\n\x1a\n", 8);
constexpr uint32_t kShardVersion = 1;
constexpr size_t kShardChecksumBytes = 8;
constexpr std::string_view kPrefix = "shard-";
constexpr uint64_t kMaxBytes = uint64_t{1} << 40;

Error refuse(ErrorCode code, const std::string& file, std::string reason) { return {code, file, 0, std::move(reason)}; }

// The header of a shard's file.
std::string head(const PathDatabasePlan& plan, uint32_t shards, uint32_t shard) {
    std::string out(kShardMagic);
    detail::put_u32(out, kShardVersion);
    detail::put_u32(out, shards);
    detail::put_u32(out, shard);
    detail::put_u64(out, plan.fingerprint());
    return out;
}

std::string format_shard(std::string bytes, const std::vector<std::string>& chunks) {
    for (const std::string& chunk : chunks) detail::put_u64(bytes, chunk.size());
    for (const std::string& chunk : chunks) bytes += chunk;
    detail::put_u64(bytes, detail::checksum(bytes));
    return bytes;
}

// Parses the `count` chunks that follow the header `expected`.
Result<std::vector<std::string>> parse_shard(std::string_view bytes, const std::string& expected, size_t count, const std::string& file) {
    if (!bytes.starts_with(expected)) return refuse(ErrorCode::kBadHeader, file, "not a shard of this build");
    const std::string_view covered = bytes.substr(0, bytes.size() - std::min(bytes.size(), kShardChecksumBytes));
    if (ByteReader(bytes.substr(covered.size())).u64() != detail::checksum(covered)) {
        return refuse(ErrorCode::kBadValue, file, "the shard does not match its checksum: it was altered or damaged");
    }
    ByteReader lengths(covered.substr(std::min(covered.size(), expected.size())));
    ByteReader in = lengths;
    static_cast<void>(in.take(count * 8));
    std::vector<std::string> chunks;
    chunks.reserve(count);
    for (size_t i = 0; i < count && !in.failed(); ++i) chunks.emplace_back(in.take(lengths.u64()));
    if (in.failed() || !in.rest().empty())
        return refuse(ErrorCode::kBadValue, file, "the chunk lengths do not add up to the shard's length");
    return chunks;
}

}  // namespace

Result<PathDatabaseShards> PathDatabaseShards::open(PathDatabasePlan plan, std::string folder, uint32_t max_shards) {
    std::error_code error;
    std::filesystem::create_directory(folder, error);
    if (error) return refuse(ErrorCode::kCannotOpen, folder, "cannot create this folder: " + error.message());
    const uint32_t count = std::min(plan.chunks(), max_shards);
    return PathDatabaseShards(std::move(plan), std::move(folder), count);
}

uint32_t PathDatabaseShards::first_chunk(uint32_t shard) const { return static_cast<uint32_t>(uint64_t{shard} * plan_.chunks() / count()); }

std::string PathDatabaseShards::file(uint32_t shard) const {
    const std::string number = std::to_string(shard);
    return (std::filesystem::path(folder_) / (std::string(kPrefix) + std::string(4 - std::min<size_t>(number.size(), 4), '0') + number))
        .string();
}

Result<std::vector<std::string>> PathDatabaseShards::read(uint32_t shard) const {
    const std::string name = file(shard);
    const auto bytes = read_file(name, kMaxBytes);
    if (!bytes) return bytes.error();
    return parse_shard(*bytes, head(plan_, count(), shard), first_chunk(shard + 1) - first_chunk(shard), name);
}

bool PathDatabaseShards::has(uint32_t shard) const { return read(shard).has_value(); }

Result<bool> PathDatabaseShards::make(uint32_t shard, PathDatabasePlan::Scratch& scratch) const {
    TERRANE_ASSERT(shard < count());
    if (has(shard)) return false;
    std::vector<std::string> chunks;
    chunks.reserve(first_chunk(shard + 1) - first_chunk(shard));
    for (uint32_t c = first_chunk(shard); c < first_chunk(shard + 1); ++c) chunks.push_back(plan_.make_chunk(c, scratch));
    const auto written = write_file(file(shard), format_shard(head(plan_, count(), shard), chunks));
    if (!written && !has(shard)) return written.error();  // another process may have written it first
    return true;
}

Result<PathDatabase> PathDatabaseShards::assemble() const {
    std::vector<std::string> chunks;
    chunks.reserve(plan_.chunks());
    for (uint32_t s = 0; s < count(); ++s) {
        auto own = read(s);
        if (!own) return own.error();
        std::ranges::move(*own, std::back_inserter(chunks));
    }
    auto database = plan_.assemble(std::move(chunks));
    if (!database) return refuse(database.error().code, folder_, database.error().reason);
    return database;
}

Result<void> PathDatabaseShards::remove() const {
    std::error_code error;
    std::vector<std::filesystem::path> files;
    for (std::filesystem::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
        if (it->path().filename().string().starts_with(kPrefix)) files.push_back(it->path());
    }
    for (const auto& path : files) {
        if (!error) std::filesystem::remove(path, error);
    }
    if (error) return refuse(ErrorCode::kCannotOpen, folder_, "cannot remove the shards: " + error.message());
    std::filesystem::remove(folder_, error);  // fails, and leaves the folder, if it holds other files
    return {};
}

Result<void> make_shards(const PathDatabaseShards& shards, uint32_t threads, const std::function<std::optional<uint32_t>()>& next) {
    Mutex mutex;
    std::optional<Error> failed;  // the first
    const auto take = [&]() -> std::optional<uint32_t> {
        const std::lock_guard lock(mutex);
        return failed ? std::nullopt : next();
    };
    const uint32_t workers = workers_for(threads, shards.count());
    parallel_for(workers, workers, [&](uint32_t, uint32_t) {
        PathDatabasePlan::Scratch scratch;
        while (const auto shard = take()) {
            const auto made = shards.make(*shard, scratch);
            if (made) continue;
            const std::lock_guard lock(mutex);
            if (!failed) failed = made.error();
        }
    });
    if (failed) return *std::move(failed);
    return {};
}

}  // namespace terrane
