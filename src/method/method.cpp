#include "terrane/method/method.h"

#include <algorithm>
#include <optional>

#include "terrane/method/method_interface.h"

namespace terrane {

namespace {

class OneStepJob final : public PreparationJob {
public:
    OneStepJob(std::function<Result<SharedPrepared>()> build, size_t max_bytes) : build_(std::move(build)), max_bytes_(max_bytes) {}

    bool run(uint64_t) override {
        if (!built_) built_.emplace(build_());
        return true;
    }
    double progress() const override { return built_ ? 1 : 0; }
    Result<SharedPrepared> take() override {
        const size_t bytes = *built_ ? (**built_)->bytes() : 0;
        if (max_bytes_ == 0 || bytes <= max_bytes_) return std::move(*built_);
        return Error{ErrorCode::kTooLarge,
                     {},
                     0,
                     "preparing " + (**built_)->method().name() + " takes " + std::to_string(bytes) + " bytes, more than the limit of " +
                         std::to_string(max_bytes_) + " (max_bytes)"};
    }

private:
    std::function<Result<SharedPrepared>()> build_;
    size_t max_bytes_;
    std::optional<Result<SharedPrepared>> built_;
};

}  // namespace

std::unique_ptr<PreparationJob> one_step_job(std::function<Result<SharedPrepared>()> build, size_t max_bytes) {
    return std::make_unique<OneStepJob>(std::move(build), max_bytes);
}

Result<SharedPrepared> prepare_again(const Method& method, const PreparationInput& input, std::string_view saved) {
    if (!saved.empty()) return Error{ErrorCode::kTrailing, {}, 0, method.name() + " stores nothing, but the file has data for it"};
    const auto job = method.implementation().prepare(method, input);
    job->run(std::numeric_limits<uint64_t>::max());
    return job->take();
}

double octile_ratio(const Ground& ground, Cell start, Cell goal, Cost cost) {
    const Cost least = ground.octile_bound(start, goal);
    return least == 0 ? 1 : std::max(1.0, static_cast<double>(cost) / static_cast<double>(least));
}

const char* to_string(MethodNeeds needs) {
    constexpr const char* kNames[] = {"nothing", "sectors", "tables for a blocked set", "tables for a profile"};
    return kNames[static_cast<size_t>(needs)];
}

const char* to_string(MethodGuarantee guarantee) {
    constexpr const char* kNames[] = {"none", "bounded", "optimal"};
    return kNames[static_cast<size_t>(guarantee)];
}

const std::string& Method::name() const {
    static const std::string none;
    return implementation_ != nullptr ? implementation_->name() : none;
}
const MethodInfo& Method::info() const { return implementation_->factory().info; }
const MethodCapabilities& Method::capabilities() const { return implementation_->factory().capabilities; }

bool searches_cells(const Method& method) { return !method || method.capabilities().searches_cells; }
bool proves_bounds(const Method& method) { return method && method.capabilities().proves_bounds; }
bool prepares(const Method& method) { return method && method.implementation().prepares(); }
double guarantee(const Method& method) { return method ? method.implementation().guarantee() : 1; }
std::optional<uint32_t> sector_of(const Method& method) { return method ? method.implementation().sector() : std::nullopt; }

}  // namespace terrane
