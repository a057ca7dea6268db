// terrane-mpi: runs `pathdb build` on MPI ranks. A separate program, so that `terrane` does not load MPI.
//
// Rank 0 distributes the chunks and computes chunks itself. The other ranks request one chunk at a time, or report that they leave after an
// error; the reply is a chunk number or kNoMore.
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "cli/pathdb.h"

namespace terrane::cli {

namespace {

constexpr int kAskTag = 1, kGiveTag = 2;
constexpr int32_t kAsk = 0, kLeave = 1;
constexpr int32_t kNoMore = -1;
// Polls with a pause: a blocking MPI call would keep the core busy that rank 0 needs for its own chunks.
constexpr auto kNap = std::chrono::microseconds(500);

class MpiRanks final : public Ranks {
public:
    MpiRanks() {
        int rank = 0, count = 1;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &count);
        rank_ = static_cast<uint32_t>(rank);
        count_ = static_cast<uint32_t>(count);
    }

    uint32_t rank() const override { return rank_; }
    uint32_t count() const override { return count_; }

    bool all(bool mine) override {
        int own = mine ? 1 : 0, every = 0;
        MPI_Allreduce(&own, &every, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
        return every != 0;
    }

    bool share(uint32_t tasks, const std::function<void()>& given, const std::function<bool(const Next& next)>& work) override {
        return all(rank_ == 0 ? hand_out(tasks, given, work) : ask(work));
    }

private:
    // Computes on a separate thread and replies to requests meanwhile.
    bool hand_out(uint32_t tasks, const std::function<void()>& given, const std::function<bool(const Next& next)>& work) const {
        Dispenser dispenser(tasks, given);
        bool well = false;
        std::thread own([&] { well = work([&] { return dispenser.take(); }); });
        for (uint32_t others = count_ - 1; others > 0;) {
            MPI_Status status;
            int waiting = 0;
            MPI_Iprobe(MPI_ANY_SOURCE, kAskTag, MPI_COMM_WORLD, &waiting, &status);
            if (waiting == 0) {
                std::this_thread::sleep_for(kNap);
                continue;
            }
            int32_t message = kLeave;
            MPI_Recv(&message, 1, MPI_INT32_T, status.MPI_SOURCE, kAskTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            const auto task = message == kAsk ? dispenser.take() : std::nullopt;
            const int32_t answer = task ? static_cast<int32_t>(*task) : kNoMore;
            if (message == kAsk) MPI_Send(&answer, 1, MPI_INT32_T, status.MPI_SOURCE, kGiveTag, MPI_COMM_WORLD);
            if (answer == kNoMore) --others;
        }
        own.join();
        return well;
    }

    static bool ask(const std::function<bool(const Next& next)>& work) {
        bool more = true;
        const bool well = work([&]() -> std::optional<uint32_t> {
            if (!more) return std::nullopt;
            int32_t answer = kNoMore;
            MPI_Send(&kAsk, 1, MPI_INT32_T, 0, kAskTag, MPI_COMM_WORLD);
            MPI_Recv(&answer, 1, MPI_INT32_T, 0, kGiveTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            more = answer != kNoMore;
            return more ? std::optional(static_cast<uint32_t>(answer)) : std::nullopt;
        });
        if (more) MPI_Send(&kLeave, 1, MPI_INT32_T, 0, kAskTag, MPI_COMM_WORLD);
        return well;
    }

    uint32_t rank_ = 0, count_ = 1;
};

int run_ranks(int argc, char** argv) {
    const auto ranks = std::make_shared<MpiRanks>();
    const bool first = ranks->rank() == 0;
    if (!first && std::freopen("/dev/null", "w", stdout) == nullptr) return kBadInput;  // only rank 0 prints
    CLI::App app("Terrane: build path databases on MPI ranks.", "terrane-mpi");
    app.footer("Example: mpirun -n 4 terrane-mpi pathdb build large.map -o large.pathdb\nSee 'terrane --help' for all other commands.");
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    Run run;
    add_pathdb(app, run, ranks);
    return run_program(app, run, argc, argv, first);
}

}  // namespace

}  // namespace terrane::cli

int main(int argc, char** argv) {
    int threads = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threads);
    if (threads < MPI_THREAD_SERIALIZED) {
        std::fprintf(stderr, "terrane: this MPI library does not support threads (MPI_THREAD_SERIALIZED)\n");
        MPI_Abort(MPI_COMM_WORLD, terrane::cli::kBadInput);
    }
    const int exit = terrane::cli::run_ranks(argc, argv);
    MPI_Finalize();
    return exit;
}
