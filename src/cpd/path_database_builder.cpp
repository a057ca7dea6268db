#include "terrane/cpd/path_database_builder.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/catch_bad_alloc.h"
#include "base/parallel.h"
#include "cpd/first_moves.h"
#include "cpd/path_database_data.h"
#include "cpd/row_codec.h"
#include "terrane/base/assert.h"
#include "terrane/base/memory.h"
#include "terrane/base/mutex.h"
#include "terrane/base/rng.h"

namespace terrane {

namespace {

// The estimate samples one block in kSampleDivisor, but at least kMinSamples.
constexpr uint32_t kSampleDivisor = 16, kMinSamples = 16;

void put_u32(std::string& out, uint32_t value) {
    for (int i = 0; i < 4; ++i) out += static_cast<char>(value >> (8 * i) & 255);
}

// What all blocks of a build share, for one node order.
struct Layout {
    detail::NodeOrder order;
    detail::FlatMap map;
    std::vector<CellId> columns;

    Layout(const Ground& ground, PathOrder by, const PathTargets& targets)
        : order(detail::order_nodes(ground, by)),
          map(ground, order),
          columns(detail::wanted_cells(order, ground.grid().layout(), targets)) {
        map.set_columns(ground.grid().layout(), columns);
    }
};

struct Workspace {
    detail::FirstMoves moves;
    detail::RowEncoder encoder;
};

}  // namespace

struct PathDatabasePlan::Impl {
    Ground ground;
    PathDatabaseOptions options;
    Layout layout;
    std::vector<uint32_t> blocks;  // by chunk
    detail::RowFormat format;
    PathDatabaseEstimate estimate{};
    std::vector<std::pair<uint32_t, std::string>> sampled;  // chunks encoded for the estimate, ascending
    uint64_t fingerprint = 0;

    Impl(const Ground& made_for, const PathDatabaseOptions& o)
        : ground(made_for),
          options(o),
          layout(ground, o.order == PathOrder::kChoose ? PathOrder::kHilbert : o.order, o.targets),
          blocks(detail::used_blocks(ground.grid().layout(), layout.order)),
          format(o.encoding, layout.columns.size()) {
        if (options.order == PathOrder::kChoose) choose_order();
    }

    std::string encode_chunk(const Layout& by, uint32_t chunk, Workspace& workspace) const {
        workspace.moves.find(by.map, detail::block_corner(ground.layout(), blocks[chunk]));
        return workspace.encoder.encode(format, workspace.moves);
    }

    uint32_t samples() const {
        const auto count = static_cast<uint32_t>(blocks.size());
        return std::min(count, std::max(kMinSamples, count / kSampleDivisor));
    }
    uint32_t sample(uint32_t i, uint32_t of) const {
        return static_cast<uint32_t>((2 * uint64_t{i} + 1) * blocks.size() / (2 * uint64_t{of}));
    }

    // Encodes a quarter of the sampled blocks in both orders and takes the smaller result; the Hilbert curve wins ties.
    void choose_order() {
        options.order = PathOrder::kHilbert;
        if (options.encoding == PathEncoding::kFast) return;
        Layout other(ground, PathOrder::kDepthFirst, options.targets);
        Workspace workspace;
        const uint32_t count = (samples() + 3) / 4;
        uint64_t hilbert = 0, depth_first = 0;
        for (uint32_t i = 0; i < count; ++i) {
            hilbert += encode_chunk(layout, sample(i, count), workspace).size();
            depth_first += encode_chunk(other, sample(i, count), workspace).size();
        }
        if (depth_first >= hilbert) return;
        options.order = PathOrder::kDepthFirst;
        layout = std::move(other);
    }

    void make_estimate() {
        estimate.nodes = static_cast<uint32_t>(layout.order.cells.size());
        estimate.targets = static_cast<uint32_t>(layout.columns.size());
        const std::vector<uint32_t>& first = layout.order.first;
        for (size_t c = 0; c + 1 < first.size(); ++c) estimate.expansions += uint64_t{first[c + 1] - first[c]} * (first[c + 1] - first[c]);
        Workspace workspace;
        uint64_t bytes = 0, rows = 0;
        for (uint32_t i = 0; i < samples(); ++i) {
            const uint32_t chunk = sample(i, samples());
            sampled.emplace_back(chunk, encode_chunk(layout, chunk, workspace));
            bytes += sampled.back().second.size();
            rows += workspace.moves.sources().size();
        }
        estimate.bytes = 4 + bytes * estimate.nodes / rows + uint64_t{blocks.size()} * 4;
    }

    void make_fingerprint() {
        fingerprint = mix64(detail::path_map_fingerprint(ground) ^
                            (static_cast<uint64_t>(options.encoding) << 8 | static_cast<uint64_t>(options.order)));
        fingerprint = mix64(fingerprint ^ (options.targets.all ? 1 : 0));
        if (options.targets.all) return;
        for (const CellId id : layout.columns) fingerprint = mix64(fingerprint ^ id);
    }
};

struct PathDatabasePlan::Scratch::Impl {
    Workspace workspace;
};

PathDatabasePlan::Scratch::Scratch() : impl_(std::make_unique<Impl>()) {}
PathDatabasePlan::Scratch::~Scratch() = default;
PathDatabasePlan::Scratch::Scratch(Scratch&&) noexcept = default;
PathDatabasePlan::Scratch& PathDatabasePlan::Scratch::operator=(Scratch&&) noexcept = default;

Result<PathDatabasePlan> PathDatabasePlan::make(const Ground& ground, const PathDatabaseOptions& options) {
    TERRANE_ASSERT(ground.movement() != Movement::kCustom);
    uint64_t passable = 0;
    for (uint32_t t = 0; t < kOutside; ++t)
        passable += ground.costs().passable(static_cast<Terrain>(t)) ? ground.grid().count(static_cast<Terrain>(t)) : 0;
    if (passable == 0) return Error{ErrorCode::kBadValue, {}, 0, "no cell of the map is passable"};
    if (passable > kMaxPathNodes) {
        return Error{
            ErrorCode::kTooLarge,
            {},
            0,
            "the map has " + std::to_string(passable) + " passable cells, more than the limit of " + std::to_string(kMaxPathNodes)};
    }
    auto impl = std::make_shared<Impl>(ground, options);
    impl->make_estimate();
    impl->make_fingerprint();
    if (impl->estimate.bytes / 2 > options.max_bytes) {
        return Error{ErrorCode::kTooLarge,
                     {},
                     0,
                     "the path database needs an estimated " + std::to_string(impl->estimate.bytes) +
                         " bytes, more than twice the limit of " + std::to_string(options.max_bytes)};
    }
    PathDatabasePlan plan;
    plan.impl_ = std::move(impl);
    return plan;
}

const PathDatabaseEstimate& PathDatabasePlan::estimate() const { return impl_->estimate; }
uint32_t PathDatabasePlan::threads() const { return impl_->options.threads; }
uint32_t PathDatabasePlan::chunks() const { return static_cast<uint32_t>(impl_->blocks.size()); }

uint32_t PathDatabasePlan::rows(uint32_t chunk) const {
    TERRANE_ASSERT(chunk < chunks());
    const Cell corner = detail::block_corner(impl_->ground.layout(), impl_->blocks[chunk]);
    uint32_t count = 0;
    for (int32_t i = 0; i < static_cast<int32_t>(detail::kBlockCells); ++i) {
        const Cell cell{corner.x + i % detail::kBlockSide, corner.y + i / detail::kBlockSide};
        if (impl_->ground.passable(cell)) ++count;
    }
    return count;
}

uint64_t PathDatabasePlan::fingerprint() const { return impl_->fingerprint; }

std::string PathDatabasePlan::make_chunk(uint32_t chunk, Scratch& scratch) const {
    TERRANE_ASSERT(chunk < chunks());
    const auto made = std::ranges::lower_bound(impl_->sampled, chunk, {}, &std::pair<uint32_t, std::string>::first);
    if (made != impl_->sampled.end() && made->first == chunk) return made->second;
    return impl_->encode_chunk(impl_->layout, chunk, scratch.impl_->workspace);
}

Result<PathDatabase> PathDatabasePlan::assemble(std::vector<std::string> chunks) const {
    const Error wrong{ErrorCode::kBadValue, {}, 0, "the chunks do not belong to this plan"};
    if (chunks.size() != this->chunks()) return wrong;
    uint64_t bytes = 4 + uint64_t{chunks.size()} * 4;
    for (const std::string& chunk : chunks) {
        if (chunk.empty() || chunk.size() % 4 != 0) return wrong;
        bytes += chunk.size();
    }
    constexpr uint64_t kMaxIndexed = uint64_t{0xffffffff} * 4;  // the index has 32 bits per entry, in units of 4 bytes
    const uint64_t limit = std::min(impl_->options.max_bytes, kMaxIndexed);
    if (bytes > limit) {
        return Error{ErrorCode::kTooLarge,
                     {},
                     0,
                     "the path database has " + std::to_string(bytes) + " bytes, more than the limit of " + std::to_string(limit)};
    }
    auto image = std::make_shared<std::string>();
    image->reserve(static_cast<size_t>(bytes));
    put_u32(*image, static_cast<uint32_t>(chunks.size()));
    uint64_t end = 0;
    for (const std::string& chunk : chunks) put_u32(*image, static_cast<uint32_t>((end += chunk.size()) / 4));
    for (std::string& chunk : chunks) {
        *image += chunk;
        chunk = {};
    }
    const std::string_view view = *image;
    return detail::path_database_from_image(impl_->ground, impl_->options.encoding, impl_->options.order, impl_->options.targets, view,
                                            std::move(image));
}

PathDatabaseBuilder::PathDatabaseBuilder(PathDatabasePlan plan)
    : plan_(std::move(plan)), scratch_(workers_for(plan_.threads(), plan_.chunks())) {}

bool PathDatabaseBuilder::run(uint64_t rows) {
    const auto first = static_cast<uint32_t>(chunks_.size());
    uint32_t last = first;
    for (uint64_t made = 0; made < rows && last < plan_.chunks(); ++last) made += plan_.rows(last);
    const auto make = [&] {
        chunks_.resize(last);
        parallel_for(plan_.threads(), last - first,
                     [&](uint32_t i, uint32_t worker) { chunks_[first + i] = plan_.make_chunk(first + i, scratch_[worker]); });
    };
    detail::catch_bad_alloc(make, [&] {
        chunks_.resize(first);
        detail::throw_bad_alloc();
    });
    return last == plan_.chunks();
}

double PathDatabaseBuilder::progress() const { return static_cast<double>(chunks_.size()) / plan_.chunks(); }

Result<PathDatabase> PathDatabaseBuilder::take() {
    TERRANE_ASSERT(chunks_.size() == plan_.chunks());
    return plan_.assemble(std::move(chunks_));
}

Result<PathDatabase> build_path_database(const Ground& ground, const PathDatabaseOptions& options,
                                         const std::function<bool(double)>& progress) {
    auto plan = PathDatabasePlan::make(ground, options);
    if (!plan) return plan.error();
    const uint32_t count = plan->chunks();
    std::vector<std::string> chunks(count);
    std::vector<PathDatabasePlan::Scratch> scratch(workers_for(options.threads, count));
    Mutex mutex;
    std::atomic<bool> stopped{false};
    uint32_t done = 0;
    parallel_for(options.threads, count, [&](uint32_t chunk, uint32_t worker) {
        if (stopped) return;
        chunks[chunk] = plan->make_chunk(chunk, scratch[worker]);
        if (!progress) return;
        const std::lock_guard lock(mutex);
        if (!stopped && !progress(static_cast<double>(++done) / count)) stopped = true;
    });
    if (stopped) return Error{ErrorCode::kCancelled, {}, 0, "cancelled by the progress callback"};
    return plan->assemble(std::move(chunks));
}

}  // namespace terrane
