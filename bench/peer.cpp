// Other programs as contenders.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "bench/grid_contest.h"
#include "terrane/base/file.h"
#include "terrane/io/map_file.h"
#include "terrane/io/scenario.h"

namespace terrane {

namespace {

namespace fs = std::filesystem;

constexpr double kPeerTolerance = 1e-4;  // of costs: programs print few digits, or sum single-precision numbers

// The files of a scene in a temporary folder, removed at the end.
class SceneFiles {
public:
    explicit SceneFiles(const BenchScene& scene) : scene_(scene) {}
    ~SceneFiles() {
        std::error_code ignored;
        if (!folder_.empty()) fs::remove_all(folder_, ignored);
    }
    SceneFiles(const SceneFiles&) = delete;
    SceneFiles& operator=(const SceneFiles&) = delete;

    Result<void> write() {
        std::error_code error;
        std::string name = (fs::temp_directory_path(error) / "terrane-peer-XXXXXX").string();
        if (error || mkdtemp(name.data()) == nullptr) return Error{ErrorCode::kCannotOpen, name, 0, "cannot create this folder"};
        folder_ = name;
        if (const auto saved = save_map(file("scene.map"), scene_.grid); !saved) return saved.error();
        if (const auto saved = write_file(file("costs.csv"), costs_text()); !saved) return saved.error();
        return save_scenario(file("scene.map.scen"), scenario());
    }

    std::string command(std::string text) const {
        for (const auto& [word, name] : {std::pair{"{map}", "scene.map"}, {"{scen}", "scene.map.scen"}, {"{costs}", "costs.csv"}}) {
            for (size_t at = 0; (at = text.find(word, at)) != std::string::npos;) text.replace(at, std::string(word).size(), file(name));
        }
        return text;
    }

private:
    std::string file(const char* name) const { return (folder_ / name).string(); }

    std::string costs_text() const {
        std::string text = "terrain,cost\n";
        for (uint32_t t = 0; t < scene_.grid.catalogue().size(); ++t) {
            const TerrainType& type = scene_.grid.catalogue()[static_cast<Terrain>(t)];
            const Hundredths cost = scene_.costs.hundredths(static_cast<Terrain>(t));
            text += fmt::format("{},{}\n", type.letter != 0 ? std::string(1, type.letter) : type.name,
                                cost == kBlocked ? "blocked" : format_hundredths(cost));
        }
        return text;
    }

    Scenario scenario() const {
        Scenario out;
        for (const auto& [start, goal] : scene_.queries)
            out.problems.push_back(
                {.map = "scene.map", .width = scene_.grid.width(), .height = scene_.grid.height(), .start = start, .goal = goal});
        return out;
    }

    const BenchScene& scene_;
    fs::path folder_;
};

// Runs the program once for all problems; it measures its own times, or they are shares of the whole run.
class PeerRunner final : public Runner {
public:
    PeerRunner(const BenchScene& scene, Peer peer) : scene_(scene), peer_(std::move(peer)), files_(scene) {}

    Result<void> run() {
        if (const auto written = files_.write(); !written) return written.error();
        rusage before{}, after{};
        getrusage(RUSAGE_CHILDREN, &before);
        const Stopwatch watch;
        const auto output = output_of(files_.command(peer_.command));
        if (!output) return output.error();
        const double ms = watch.ms();
        getrusage(RUSAGE_CHILDREN, &after);
        const auto problems = static_cast<double>(std::max<size_t>(1, scene_.queries.size()));
        return read(*output, {ms / problems, (cpu_ms(after) - cpu_ms(before)) / problems});
    }

    void solve(size_t /*problem*/, Lap& /*lap*/) override {}
    Result<Answer> answer(size_t problem, NamedSamples& /*extras*/) override { return answers_[problem]; }
    const Times* own_times(size_t problem) const override { return &times_[problem]; }

private:
    Error wrong(const std::string& what) const { return {ErrorCode::kBadValue, peer_.name, 0, what}; }

    static double cpu_ms(const rusage& usage) {
        const auto ms = [](const timeval& t) { return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) * 1e-3; };
        return ms(usage.ru_utime) + ms(usage.ru_stime);
    }

    Result<std::string> output_of(const std::string& command) const {
        FILE* pipe = popen(command.c_str(), "r");
        if (pipe == nullptr) return wrong("cannot run '" + command + "'");
        std::string out;
        char buffer[4096];
        for (size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.append(buffer, n);
        const int status = pclose(pipe);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return out;
        return wrong(fmt::format("'{}' failed with status {}", command, WIFEXITED(status) ? WEXITSTATUS(status) : status));
    }

    Result<void> read(const std::string& output, const Times& share) {
        std::istringstream lines(output);
        for (std::string line; std::getline(lines, line);) {
            std::istringstream words(line);
            double cost = 0, us = 0, expansions = 0;
            if (!(words >> cost)) return wrong(fmt::format("line {}: expected a cost, not '{}'", answers_.size() + 1, line));
            Times times = share;
            if (words >> us) times = {us / 1000, us / 1000};
            if (!(words >> expansions)) expansions = 0;
            answers_.push_back({cost >= 0, std::max(cost, 0.0), expansions});
            times_.push_back(times);
        }
        if (answers_.size() == scene_.queries.size()) return {};
        return wrong(fmt::format("printed {} lines for {} problems", answers_.size(), scene_.queries.size()));
    }

    const BenchScene& scene_;
    Peer peer_;
    SceneFiles files_;
    std::vector<Answer> answers_;
    std::vector<Times> times_;
};

}  // namespace

Contender peer_contender(const BenchScene& scene, const Peer& peer) {
    const auto open = [&scene, peer]() -> Result<Opened> {
        auto runner = std::make_unique<PeerRunner>(scene, peer);
        if (const auto done = runner->run(); !done) return done.error();
        return Opened{std::move(runner)};
    };
    return {.method = peer.name, .open = open, .tolerance = kPeerTolerance, .passes = 1};
}

}  // namespace terrane
