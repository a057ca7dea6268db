// The method overlay:K: portal overlays.
#include <optional>

#include "method/parsing.h"
#include "method/query_adapter.h"
#include "overlay/overlay_query.h"
#include "terrane/overlay/prepared_overlay.h"

namespace terrane {

namespace detail {
extern const MethodFactory kOverlayMethod;
}

namespace {

// The tables of a method's name; nullopt: any number serves.
struct OverlayTables {
    std::optional<uint32_t> landmarks;     // nullopt builds 32
    std::optional<uint32_t> lower_bounds;  // nullopt builds none
};

class OverlayMethod final : public GridMethod {
public:
    OverlayMethod(const MethodFactory& factory, std::string_view name, uint32_t per_side, OverlayQuality level, OverlayTables with)
        : GridMethod(factory, name), portals_per_side(per_side), quality(level), tables(with) {}

    double guarantee() const override { return quality == OverlayQuality::kOptimal ? 1 : GridMethod::guarantee(); }
    bool prepares() const override { return true; }
    std::unique_ptr<PreparationJob> prepare(const Method& self, const PreparationInput& input) const override;

    const uint32_t portals_per_side;
    const OverlayQuality quality;
    const OverlayTables tables;
};

const OverlayMethod& as_overlay(const GridMethod& method) { return static_cast<const OverlayMethod&>(method); }

// Builds the overlay in slices, then the lower-bound table as one last step.
class BuildOverlay final : public PreparationJob {
public:
    BuildOverlay(Method method, const PreparationInput& input, const OverlayOptions& options)
        : method_(std::move(method)), ground_(input.ground), options_(options), builder_(input.ground, options) {}

    bool run(uint64_t budget) override {
        if (overlay_) return true;
        if (!builder_.run(budget)) return false;
        overlay_ = builder_.take();
        const uint32_t lower_bounds = as_overlay(method_.implementation()).tables.lower_bounds.value_or(0);
        if (lower_bounds > 0 && fits()) lower_bounds_ = LowerBoundTable::build(ground_, {lower_bounds, options_.threads});
        return true;
    }
    double progress() const override { return overlay_ ? 1 : builder_.progress(); }
    Result<SharedPrepared> take() override {
        if (fits())
            return SharedPrepared(
                make_scoped_shared<const PreparedOverlay>(method_, ground_, std::move(*overlay_), std::move(lower_bounds_)));
        return Error{ErrorCode::kTooLarge,
                     {},
                     0,
                     "preparing " + method_.name() + " takes at least " + std::to_string(overlay_->table_bytes()) +
                         " bytes, more than the limit of " + std::to_string(options_.max_bytes) + " (max_bytes)"};
    }

private:
    bool fits() const { return options_.max_bytes == 0 || overlay_->table_bytes() <= options_.max_bytes; }

    Method method_;
    Ground ground_;
    OverlayOptions options_;
    OverlayBuilder builder_;
    std::optional<PortalOverlay> overlay_;
    std::optional<LowerBoundTable> lower_bounds_;
};

std::unique_ptr<PreparationJob> OverlayMethod::prepare(const Method& self, const PreparationInput& input) const {
    OverlayOptions options;
    options.portals_per_side = portals_per_side;
    options.landmarks = tables.landmarks.value_or(options.landmarks);
    options.threads = input.threads;
    options.max_bytes = input.max_bytes;
    return std::make_unique<BuildOverlay>(self, input, options);
}

// Rebuilds clusters in slices, then repairs landmarks and lower bounds as one last step.
class UpdateOverlay final : public PreparationJob {
public:
    UpdateOverlay(const PreparedOverlay& data, const UpdateInput& input)
        : data_(data), edit_(input.edit), ground_(input.ground), updater_(data.overlay, input.edit) {}

    bool run(uint64_t budget) override { return updater_.run(budget); }
    double progress() const override { return updater_.progress(); }
    Result<SharedPrepared> take() override {
        return SharedPrepared(make_scoped_shared<const PreparedOverlay>(
            data_.method(), ground_, updater_.take(), data_.lower_bounds ? data_.lower_bounds->updated(edit_) : std::nullopt));
    }

private:
    const PreparedOverlay& data_;
    EditResult edit_;
    Ground ground_;
    OverlayUpdater updater_;
};

class OverlayMethodQuery final : public detail::QueryAdapter<OverlayQuery> {
public:
    Status begin(const QueryInput& input) override {
        remember(input);
        query_.begin(*input.prepared->as<PreparedOverlay>(), input.start, input.goal, as_overlay(input.method.implementation()).quality,
                     input.bound);
        return Status::kBudgetSpent;
    }
    Status finish_early() override { return query_.finish_early(); }
    void answer(Path& out) const override {
        out.cells = query_.cells();
        out.expansions_first = query_.expansions_first();
        out.cost = query_.cost();
        out.bound = query_.bound();
    }
};

Result<OverlayTables> parse_tables(const MethodText& text) {
    OverlayTables out;
    if (const MethodText::Part* part = text.option("landmarks")) {
        const auto count = text.count(*part, 0, 64, "landmarks");
        if (!count) return count.error();
        if (*count % 8 != 0) return text.refuse(ErrorCode::kBadValue, "landmarks: expected a multiple of 8 from 0 to 64");
        out.landmarks = *count;
    }
    if (const MethodText::Part* part = text.option("lower_bounds")) {
        const auto count = text.count(*part, 0, kMaxLowerBoundLandmarks, "lower_bounds");
        if (!count) return count.error();
        out.lower_bounds = *count;
    }
    return out;
}

Result<SharedGridMethod> parse(const MethodText& text, const MethodFactory& factory) {
    constexpr MethodOption kOptions[] = {{"portals"}, {"smooth"}, {"optimal"}, {"landmarks", "N"}, {"lower_bounds", "N"}};
    if (!text.levels.empty() || !text.head.argument) return text.expected(factory.info);
    const auto portals_per_side = text.count(text.head, 1, kMaxPortalsPerSide, "portals per border");
    if (!portals_per_side) return portals_per_side.error();
    const auto known = text.check_options(kOptions);
    if (!known) return known.error();
    if (text.has("portals") + text.has("smooth") + text.has("optimal") > 1) {
        return text.refuse(ErrorCode::kBadValue, "give at most one of +portals, +smooth and +optimal");
    }
    const auto tables = parse_tables(text);
    if (!tables) return tables.error();
    const OverlayQuality quality = text.has("portals")   ? OverlayQuality::kPortals
                                   : text.has("smooth")  ? OverlayQuality::kSmooth
                                   : text.has("optimal") ? OverlayQuality::kOptimal
                                                         : OverlayQuality::kCrossings;
    return detail::make_method<OverlayMethod>(factory, text.text, *portals_per_side, quality, *tables);
}

}  // namespace

const PreparedKind PreparedOverlay::kKind;

bool PreparedOverlay::serves(const GridMethod& asked, const Ground& ground) const {
    if (&asked.factory() != &detail::kOverlayMethod || !this->ground().same_agent(ground)) return false;
    const OverlayMethod& other = as_overlay(asked);
    const OverlayOptions& built = overlay.data().options;
    const uint32_t built_landmarks = overlay.data().landmarks_asked;
    const uint32_t built_bounds = as_overlay(method().implementation()).tables.lower_bounds.value_or(0);
    return other.portals_per_side == built.portals_per_side && other.tables.landmarks.value_or(built_landmarks) == built_landmarks &&
           other.tables.lower_bounds.value_or(built_bounds) == built_bounds;
}

std::unique_ptr<PreparationJob> PreparedOverlay::update(const UpdateInput& input) const {
    return std::make_unique<UpdateOverlay>(*this, input);
}

namespace detail {

constinit const MethodFactory kOverlayMethod{
    {"overlay", "overlay:K[+QUALITY][+TABLES]",
     "portal overlay, K portals per cluster border, prepared for each profile: about 0.3% above the optimum (K 3)",
     "K: 1 to 8; QUALITY: portals (fastest), smooth (nearer to the optimum), optimal; TABLES: landmarks:N (0 to 64, default 32), "
     "lower_bounds:N (0 to 64, default 0)",
     "overlay:2"},
    {.needs = MethodNeeds::kProfile,
     .guarantee = MethodGuarantee::kOptimal,
     .proves_bounds = true,
     .early_cells = true,
     .answers_open_queries = true},
    parse,
    make_query<OverlayMethodQuery>};

}  // namespace detail

}  // namespace terrane
