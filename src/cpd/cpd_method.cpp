// The method `cpd`: parsing, preparation and queries.
#include <algorithm>
#include <optional>

#include "base/bytes.h"
#include "cpd/cpd_query.h"
#include "method/parsing.h"
#include "method/query_adapter.h"
#include "terrane/cpd/path_database_builder.h"
#include "terrane/cpd/path_database_file.h"
#include "terrane/cpd/prepared_cpd.h"

namespace terrane {

namespace detail {
extern const MethodFactory kCpdMethod;
}

namespace {

constexpr Weight kPaperBound{11, 10};  // Shi, Harabor, Maheo: suboptimality bound 1.1

// Cells of a row that take as long to compute as one portal expansion, the unit of preparation budgets.
constexpr uint64_t kCellsPerExpansion = 5;

struct Variant {
    const char* name;
    CpdVariant variant;
};
constexpr Variant kVariants[] = {
    {"early", CpdVariant::kEarly}, {"weighted", CpdVariant::kWeighted},   {"nosp", CpdVariant::kNoPull},
    {"focal", CpdVariant::kFocal}, {"branching", CpdVariant::kBranching},
};

struct Encoding {
    const char* name;
    PathEncoding encoding;
};
constexpr Encoding kEncodings[] = {{"fast", PathEncoding::kFast}, {"walk", PathEncoding::kWalk}, {"small", PathEncoding::kSmall}};

class CpdMethod final : public GridMethod {
public:
    CpdMethod(const MethodFactory& factory, std::string_view name, CpdVariant search, Weight within, std::optional<PathEncoding> as)
        : GridMethod(factory, name), variant(search), bound(within), encoding(as) {}

    double guarantee() const override { return bound.value(); }
    bool prepares() const override { return true; }
    std::unique_ptr<PreparationJob> prepare(const Method& self, const PreparationInput& input) const override;
    Result<SharedPrepared> restore(const Method& self, const PreparationInput& input, std::string_view saved) const override;

    const CpdVariant variant;
    const Weight bound;
    const std::optional<PathEncoding> encoding;  // none: any encoding serves; builds use kWalk
};

const CpdMethod& as_cpd(const GridMethod& method) { return static_cast<const CpdMethod&>(method); }

// Builds a path database; a slice is a whole number of chunks of rows.
class BuildDatabase final : public PreparationJob {
public:
    BuildDatabase(Method method, const Ground& ground, const PathDatabaseOptions& options) : method_(std::move(method)), ground_(ground) {
        auto plan = PathDatabasePlan::make(ground, options);
        if (plan) {
            builder_.emplace(std::move(*plan));
        } else {
            error_ = plan.error();
        }
    }

    bool run(uint64_t budget) override {
        return !builder_ || builder_->run(std::max<uint64_t>(1, budget / (1 + ground_.layout().cells() / kCellsPerExpansion)));
    }
    double progress() const override { return builder_ ? builder_->progress() : 1; }
    Result<SharedPrepared> take() override {
        if (error_) return *error_;
        auto built = builder_->take();
        if (!built) return built.error();
        return SharedPrepared(make_scoped_shared<const PreparedCpd>(method_, ground_, *built, Perturbation(*built, ground_.grid())));
    }

private:
    Method method_;
    Ground ground_;
    std::optional<PathDatabaseBuilder> builder_;
    std::optional<Error> error_;
};

std::unique_ptr<PreparationJob> CpdMethod::prepare(const Method& self, const PreparationInput& input) const {
    PathDatabaseOptions options;
    options.encoding = encoding.value_or(PathEncoding::kWalk);
    options.threads = input.threads;
    if (input.max_bytes != 0) options.max_bytes = input.max_bytes;
    return std::make_unique<BuildDatabase>(self, input.ground, options);
}

// The map that a saved database was built for: its difference from the current map is at the front of the bytes.
Result<GridSnapshot> read_map_of_build(detail::ByteReader& in, const GridSnapshot& now) {
    std::vector<Terrain> cells = now.cells();
    uint64_t at = 0;
    for (uint64_t left = in.number(); left > 0 && !in.failed(); --left) {
        at += in.number();
        const Terrain terrain = in.u8();
        if (in.failed() || at >= cells.size() || terrain >= now.catalogue().size())
            return Error{ErrorCode::kBadValue, {}, 0, "the cells that changed since the path database was built are not valid"};
        cells[static_cast<size_t>(at)] = terrain;
    }
    return TerrainGrid(now.width(), now.height(), cells, now.catalogue()).snapshot();
}

Result<SharedPrepared> CpdMethod::restore(const Method& self, const PreparationInput& input, std::string_view saved) const {
    detail::ByteReader in(saved);
    const auto map = read_map_of_build(in, input.ground.grid());
    if (!map) return map.error();
    auto database = parse_path_database(std::string(in.rest()), {*map, input.ground.costs(), input.ground.movement()}, PathFileCheck::kAll);
    if (!database) return database.error();
    return SharedPrepared(
        make_scoped_shared<const PreparedCpd>(self, input.ground, *database, Perturbation(*database, input.ground.grid())));
}

class CpdMethodQuery final : public detail::QueryAdapter<CpdQuery> {
public:
    Status begin(const QueryInput& input) override {
        remember(input);
        const PreparedCpd& data = *input.prepared->as<PreparedCpd>();
        const Status first =
            query_.begin(data.database, data.perturbation, input.start, input.goal, *cpd_search_options(input.method), input.bound);
        return first == Status::kFound ? Status::kBudgetSpent : first;
    }
    void answer(Path& out) const override {
        QueryAdapter::answer(out);
        out.bound = query_.bound();
    }
};

Result<SharedGridMethod> parse(const MethodText& text, const MethodFactory& factory) {
    constexpr MethodOption kOptions[] = {{"fast"}, {"walk"}, {"small"}};
    if (text.levels.size() > 1) return text.expected(factory.info);
    const auto weight = text.head.argument ? detail::parse_weight(text, *text.head.argument) : Result<Weight>(kPaperBound);
    if (!weight) return weight.error();
    CpdVariant variant = text.head.argument ? CpdVariant::kWeighted : CpdVariant::kEarly;
    if (!text.levels.empty()) {
        const auto named = std::ranges::find_if(kVariants, [&](const Variant& v) { return text.levels[0].text == v.name; });
        if (named == std::end(kVariants)) {
            return text.refuse(ErrorCode::kUnknownName, "no search " + detail::quote(text.levels[0].text) + "; expected one of: " +
                                                            list_names(kVariants, [](const Variant& v) { return v.name; }));
        }
        variant = named->variant;
    }
    const auto known = text.check_options(kOptions);
    if (!known) return known.error();
    if (text.options.size() > 1) return text.refuse(ErrorCode::kBadValue, "give at most one of +fast, +walk and +small");
    std::optional<PathEncoding> encoding;
    for (const Encoding& e : kEncodings) {
        if (text.has(e.name)) encoding = e.encoding;
    }
    return detail::make_method<CpdMethod>(factory, text.text, variant, *weight, encoding);
}

}  // namespace

const PreparedKind PreparedCpd::kKind;

bool PreparedCpd::serves(const GridMethod& asked, const Ground& ground) const {
    if (&asked.factory() != &detail::kCpdMethod || !this->ground().same_agent(ground)) return false;
    return as_cpd(asked).encoding.value_or(database.encoding()) == database.encoding();
}

std::unique_ptr<PreparationJob> PreparedCpd::update(const UpdateInput& input) const {
    return one_step_job([this, edit = input.edit, ground = input.ground]() -> Result<SharedPrepared> {
        return SharedPrepared(make_scoped_shared<const PreparedCpd>(method(), ground, database, perturbation.updated(edit)));
    });
}

std::string PreparedCpd::save() const {
    const std::vector<Terrain> then = database.grid().cells(), now = ground().grid().cells();
    std::string cells;
    uint64_t count = 0, last = 0;
    for (size_t i = 0; i < now.size(); ++i) {
        if (then[i] == now[i]) continue;
        detail::put_number(cells, i - last);
        cells += static_cast<char>(then[i]);
        last = i;
        ++count;
    }
    std::string out;
    detail::put_number(out, count);
    return out + cells + format_path_database(database);
}

Result<SharedPrepared> prepared_path_database(const PathDatabase& database, const Ground& ground) {
    if (!(database.grid().layout() == ground.layout()) || !database.ground().same_agent(ground)) {
        return Error{ErrorCode::kBadValue, {}, 0, "the path database was built for another profile, movement rule or map size"};
    }
    const Method method(*parse(MethodText("cpd"), detail::kCpdMethod));
    return SharedPrepared(make_scoped_shared<const PreparedCpd>(method, ground, database, Perturbation(database, ground.grid())));
}

std::optional<CpdSearchOptions> cpd_search_options(const Method& method) {
    if (!method || &method.implementation().factory() != &detail::kCpdMethod) return std::nullopt;
    return CpdSearchOptions{as_cpd(method.implementation()).variant, as_cpd(method.implementation()).bound, true};
}

namespace detail {

constinit const MethodFactory kCpdMethod{
    {"cpd", "cpd[:E][/SEARCH][+ENCODING]",
     "compressed path database, prepared for each profile: follows first moves, and searches where the map has changed since the build; at "
     "most E times the optimum",
     "E: 1 to 100, default 1.1; SEARCH: early (default), weighted (default with :E), nosp (no string pulling), focal, branching; ENCODING: "
     "fast, walk (default), small",
     "cpd/branching"},
    {.needs = MethodNeeds::kProfile, .guarantee = MethodGuarantee::kBounded, .proves_bounds = true},
    parse,
    make_query<CpdMethodQuery>};

}  // namespace detail

}  // namespace terrane
