// `terrane pathdb build`: builds a path database in shards, in a folder beside the file, so that a build can be stopped, resumed and
// distributed.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>

#include "base/parallel.h"
#include "base/text.h"
#include "bench/progress.h"
#include "bench/report.h"
#include "cli/pathdb.h"
#include "cli/targets_file.h"
#include "terrane/base/file.h"
#include "terrane/cpd/path_database_file.h"
#include "terrane/cpd/path_database_shards.h"

namespace terrane::cli {

namespace {

constexpr double kMostSeconds = 3600;
constexpr uint32_t kProbes = 4;   // chunks that are built to estimate the time
constexpr double kProbeMs = 300;  // stops probing after this time
constexpr uint64_t kMaxTargetsFile = uint64_t{1} << 30;

constexpr const char* kPathdbBuildFooter = R"(
The command first estimates the size, from a few rows, and the time, from a few chunks of rows. It refuses a build of more than --max-bytes
or of more than an hour, unless --force. If a map is too large for all pairs of cells, restrict the goals with --targets.

Finished shards are in FILE.parts/ until the file is written. To resume an interrupted build, run the same command again; damaged shards and
those of another build are rebuilt. Any number of commands can build shards, in any order, on machines that share the folder; the command
without --shard merges them. The file is the same, byte for byte, for any distribution of the work.

Examples:
  terrane pathdb build island.map --profile deer -o deer.pathdb
  terrane pathdb build large.map --targets 100,80,32,32 --encoding small -o gate.pathdb
  terrane pathdb build large.map -o large.pathdb --shard 0/3     (and 1/3 and 2/3, elsewhere)
  mpirun -n 4 terrane-mpi pathdb build large.map -o large.pathdb

Exit: 0 success; 1 refused as too large, or interrupted; 2 bad input.)";

struct Share {
    uint32_t number = 0, of = 1;
};

struct PathdbBuildArguments {
    WalkArguments walk;
    PathDatabaseOptions options;
    std::optional<Rect> target_rect;
    std::string targets_file, out;
    Output output;
    uint64_t max_bytes = PathDatabaseOptions{}.max_bytes;
    std::optional<uint32_t> threads;
    std::optional<Share> share;
    bool force = false;
};

// A planned build.
struct Work {
    WalkedMap walked;
    PathDatabaseShards shards;
    std::vector<uint32_t> wanted;  // the shards to build: those of --shard, or all
    uint32_t kept = 0;             // those that exist already
    uint32_t threads = 1;
    double seconds = 0;  // estimated time, on all threads of all ranks
};

// ---- interrupted

std::atomic<bool> stopped = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void stop_on_interrupt() {
    struct sigaction action {};
    action.sa_handler = [](int) { stopped = true; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second signal ends the process at once, which is safe
    sigaction(SIGINT, &action, nullptr);
}

// ---- arguments

bool read_share(const std::string& text, std::optional<Share>& share) {
    const size_t slash = std::min(text.find('/'), text.size());
    const std::string_view all = text;
    const auto of = detail::parse_integer<uint32_t>(all.substr(std::min(slash + 1, text.size())), 1, 999'999);
    const auto number = of ? detail::parse_integer<uint32_t>(all.substr(0, slash), 0, *of - 1) : std::nullopt;
    if (number) share = {*number, *of};
    return number.has_value();
}

Result<PathTargets> load_targets(const std::string& file, const GridLayout& layout) {
    const auto text = read_file(file, kMaxTargetsFile);
    if (!text) return text.error();
    auto cells = parse_targets(*text, layout, file);
    if (!cells) return cells.error();
    return PathTargets::these(*std::move(cells));
}

Result<PathTargets> read_targets(const PathdbBuildArguments& args, const GridLayout& layout) {
    if (!args.targets_file.empty()) return load_targets(args.targets_file, layout);
    if (!args.target_rect) return PathTargets::everywhere();
    const Rect rect = intersection(*args.target_rect, layout.rect());
    if (rect.empty()) return Error{ErrorCode::kBadValue, args.walk.map.file, 0, "--targets is outside the map"};
    return PathTargets::rect(rect);
}

// ---- estimate

// The estimate for one thread.
double seconds_for_all(const PathDatabasePlan& plan) {
    PathDatabasePlan::Scratch scratch;
    uint64_t rows = 0;
    const Stopwatch watch;
    const uint32_t probes = std::min(kProbes, plan.chunks());
    for (uint32_t i = 0; i < probes && watch.ms() < kProbeMs; ++i) {
        const auto chunk = static_cast<uint32_t>((uint64_t{2} * i + 1) * plan.chunks() / (uint64_t{2} * probes));
        static_cast<void>(plan.make_chunk(chunk, scratch));
        rows += plan.rows(chunk);
    }
    return watch.ms() / 1000 * plan.estimate().nodes / static_cast<double>(rows);
}

Result<Work> get_ready(const PathdbBuildArguments& args, const Ranks& ranks) {
    auto walked = args.walk.load();
    if (!walked) return walked.error();
    PathDatabaseOptions options = args.options;
    auto targets = read_targets(args, walked->grid.layout());
    if (!targets) return targets.error();
    options.targets = *std::move(targets);
    options.max_bytes = UINT64_MAX;  // checked below, against the estimate
    auto plan = PathDatabasePlan::make({walked->grid, walked->costs, args.walk.movement}, options);
    if (!plan) return Error{plan.error().code, args.walk.map.file, 0, plan.error().reason};
    const double alone = ranks.rank() == 0 ? seconds_for_all(*plan) : 0;
    auto shards = PathDatabaseShards::open(*std::move(plan), args.out + ".parts");
    if (!shards) return shards.error();
    Work work{*std::move(walked), *std::move(shards), {}};
    const Share share = args.share.value_or(Share{});
    for (uint32_t s = share.number; s < work.shards.count(); s += share.of) {
        work.wanted.push_back(s);
        work.kept += ranks.rank() == 0 && work.shards.has(s) ? 1 : 0;
    }
    work.threads = args.threads.value_or(ranks.count() > 1 ? 1 : 0);
    if (work.threads == 0) work.threads = workers_for(0, kMaxPathShards);
    work.seconds = alone * (static_cast<double>(work.wanted.size()) - work.kept) / work.shards.count() / (work.threads * ranks.count());
    return work;
}

std::string time_text(double seconds) {
    if (seconds < 1) return "less than a second";
    if (seconds < 120) return fmt::format("{:.0f} s", seconds);
    return seconds < 7200 ? fmt::format("{:.0f} minutes", seconds / 60) : fmt::format("{:.1f} hours", seconds / 3600);
}

void print_estimate(const Work& work, const PathdbBuildArguments& args, const Ranks& ranks) {
    const PathDatabaseEstimate& estimate = work.shards.plan().estimate();
    fmt::print("{} for {}, movement {}: {} cells, paths to {}\n", args.walk.map.file, work.walked.creature, to_string(args.walk.movement),
               format_number(estimate.nodes), estimate.targets == estimate.nodes ? "all of them" : format_number(estimate.targets));
    fmt::print("estimate: {}, {} on {}{}{}\n", format_bytes(estimate.bytes), time_text(work.seconds),
               ranks.count() > 1 ? fmt::format("{} ranks of ", ranks.count()) : "",
               work.threads == 1 ? "1 thread" : fmt::format("{} threads", work.threads),
               work.kept > 0 ? fmt::format("; {} of {} shards exist already", work.kept, work.wanted.size()) : "");
    std::fflush(stdout);
}

// The reason why the build must not start; empty if it may.
std::string refusal(const Work& work, const PathdbBuildArguments& args) {
    const uint64_t bytes = work.shards.plan().estimate().bytes;
    if (args.force) return {};
    if (bytes > args.max_bytes) {
        return fmt::format("about {} exceed the limit of {}: raise --max-bytes, restrict --targets, use --encoding small, or add --force",
                           format_bytes(bytes), format_bytes(args.max_bytes));
    }
    if (work.seconds > kMostSeconds) {
        return fmt::format("about {} are more than an hour: see --targets, --shard and -j, or insist by --force", time_text(work.seconds));
    }
    return {};
}

// ---- build

bool make_wanted(const Work& work, Ranks& ranks) {
    Progress progress("rows", work.wanted.size());
    return ranks.share(
        static_cast<uint32_t>(work.wanted.size()), [&] { progress.advance(); },
        [&](const Ranks::Next& next) {
            const auto made = make_shards(work.shards, work.threads, [&]() -> std::optional<uint32_t> {
                const auto task = stopped ? std::nullopt : next();
                return task ? std::optional(work.wanted[*task]) : std::nullopt;
            });
            if (!made) fail(made.error());
            return made.has_value();
        });
}

Json to_json(const Work& work, const PathdbBuildArguments& args, const Ranks& ranks, double seconds) {
    const PathDatabaseEstimate& estimate = work.shards.plan().estimate();
    Json json = envelope("pathdb build", args.walk.map.file, work.walked.grid.layout());
    json.update({{"profile", work.walked.creature},
                 {"movement", to_string(args.walk.movement)},
                 {"nodes", estimate.nodes},
                 {"targets", estimate.targets},
                 {"estimate", {{"file_bytes", estimate.bytes}, {"expansions", estimate.expansions}, {"build_ms", work.seconds * 1000}}},
                 {"shards", work.wanted.size()},
                 {"shards_kept", work.kept},
                 {"threads", work.threads},
                 {"ranks", ranks.count()},
                 {"build_ms", seconds * 1000}});
    return json;
}

int tell(const PathdbBuildArguments& args, const Json& json, const std::string& text) {
    if (args.output.writes_json()) {
        const auto saved = write_json(args.output.json, json);
        if (!saved) return fail(saved.error());
    }
    if (args.output.prints_text()) fmt::print("{}", text);
    return kDone;
}

int tell_share(const Work& work, const PathdbBuildArguments& args, const Ranks& ranks, double seconds) {
    uint32_t there = 0;
    for (uint32_t s = 0; s < work.shards.count(); ++s) there += work.shards.has(s) ? 1 : 0;
    auto json = to_json(work, args, ranks, seconds);
    json["folder"] = work.shards.folder();
    json["shards_finished"] = there;
    json["shards_total"] = work.shards.count();
    const char* rest = there == work.shards.count() ? "; run the same command without --shard to merge them" : "";
    return tell(
        args, json,
        fmt::format("{}: {} of {} shards exist; built in {:.1f} s{}\n", work.shards.folder(), there, work.shards.count(), seconds, rest));
}

int finish(const Work& work, const PathdbBuildArguments& args, const Ranks& ranks, const Stopwatch& watch) {
    const auto database = work.shards.assemble();
    if (!database) return fail(database.error());
    if (const auto saved = save_path_database(*database, args.out); !saved) return fail(saved.error());
    if (const auto removed = work.shards.remove(); !removed) return fail(removed.error());
    const double seconds = watch.ms() / 1000;
    const uint64_t bytes = std::filesystem::file_size(args.out);
    auto json = to_json(work, args, ranks, seconds);
    json["file_bytes"] = bytes;
    json["encoding"] = name_of(database->encoding());
    json["order"] = name_of(database->order());
    add_written(json, {args.out});
    return tell(args, json,
                fmt::format("{}: {} bytes, {:.1f} per cell; encoding {}, order {}; built in {:.1f} s\n", args.out,
                            format_number(static_cast<double>(bytes)), static_cast<double>(bytes) / database->nodes(),
                            name_of(database->encoding()), name_of(database->order()), seconds));
}

// Removes the folder if it is empty.
int give_up(const Work& work, Exit exit) {
    std::error_code ignored;
    std::filesystem::remove(work.shards.folder(), ignored);
    return exit;
}

int build(const PathdbBuildArguments& args, Ranks& ranks) {
    const auto work = get_ready(args, ranks);
    if (!work) fail(work.error());
    if (!ranks.all(work.has_value())) return kBadInput;
    if (ranks.rank() == 0 && args.output.prints_text()) print_estimate(*work, args, ranks);
    const std::string no = ranks.rank() == 0 ? refusal(*work, args) : "";
    if (!no.empty()) fmt::print(stderr, "terrane: refused: {}\n", no);
    if (!ranks.all(no.empty())) return give_up(*work, kNo);

    if (ranks.count() == 1) stop_on_interrupt();
    const Stopwatch watch;
    const bool well = make_wanted(*work, ranks);
    if (!well || ranks.rank() > 0) return well ? kDone : kBadInput;
    if (stopped) {
        fmt::print(stderr, "terrane: interrupted; finished shards are in {}: run the same command to resume\n", work->shards.folder());
        return give_up(*work, kNo);
    }
    return args.share ? tell_share(*work, args, ranks, watch.ms() / 1000) : finish(*work, args, ranks, watch);
}

}  // namespace

void add_pathdb_build(CLI::App& pathdb, Run& run, std::shared_ptr<Ranks> ranks) {
    const auto args = std::make_shared<PathdbBuildArguments>();
    CLI::App* verb = pathdb.add_subcommand("build", "Precompute the first move between every pair of cells of a map");
    args->walk.add_to(*verb);
    add_out(*verb, args->out, "a path database")->required();
    add_choice<PathEncoding>(*verb, "--encoding", args->options.encoding, kEncodings, "Optimise for");
    add_choice<PathOrder>(*verb, "--order", args->options.order, kOrders, "Order of the cells in a row");
    CLI::Option* rect = add_rect(*verb, "--targets", args->target_rect, "Store only paths to the cells of this rectangle");
    add_input(*verb, "--targets-file", args->targets_file, "Store only paths to the cells in this text file, one 'X Y' per line")
        ->excludes(rect);
    add_threads(*verb, args->threads, "0 is one per core [0; with MPI: 1 per rank]");
    add_parsed(
        *verb, "--shard", {"shard", "I/N", "I/N with I below N, as in 0/3"},
        [args](const std::string& text) { return read_share(text, args->share); }, "Build only shard I of N, into FILE.parts/");
    add_bytes(*verb, "--max-bytes", args->max_bytes, "Refuse to build if the estimate is larger, as in 500MB or 4GB [1GB]");
    verb->add_flag("--force", args->force, "Build regardless of size and time");
    add_json(*verb, args->output);
    verb->footer(kPathdbBuildFooter);
    verb->callback([args, &run, ranks = std::move(ranks)] { run = [args, ranks] { return build(*args, *ranks); }; });
}

}  // namespace terrane::cli
