#include "terrane/io/trace.h"

#include <gtest/gtest.h>

#if defined(TERRANE_HAS_JSON)

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "support/temporary.h"
#include "terrane/base/file.h"

namespace terrane {

namespace {

using Json = nlohmann::json;

// The schema of posthoc's protocol/Trace-v140.ts: version "1.4.0"; views, each a list of components with a `$`; pivot with x, y, z,
// scale; events with an id (number or string), and optionally a type (string) and a pId (number, string or null).
void expect_schema(const Json& trace) {
    ASSERT_TRUE(trace.is_object());
    EXPECT_EQ(trace.at("version"), "1.4.0");
    for (const auto& [key, value] : trace.items())
        EXPECT_TRUE((std::set<std::string>{"version", "views", "events", "pivot"}.count(key))) << key;
    for (const auto& [name, view] : trace.at("views").items()) {
        ASSERT_TRUE(view.is_array()) << name;
        for (const Json& component : view) EXPECT_TRUE(component.at("$").is_string()) << name;
    }
    for (const auto& [key, value] : trace.at("pivot").items())
        EXPECT_TRUE((std::set<std::string>{"x", "y", "z", "scale"}.count(key))) << key;
    for (const Json& event : trace.at("events")) {
        EXPECT_TRUE(event.at("id").is_number() || event.at("id").is_string());
        EXPECT_TRUE(!event.contains("type") || event["type"].is_string());
        EXPECT_TRUE(!event.contains("pId") || event["pId"].is_null() || event["pId"].is_number() || event["pId"].is_string());
    }
}

std::vector<std::string> types_of(const Json& trace) {
    std::vector<std::string> types;
    for (const Json& event : trace.at("events")) types.push_back(event.at("type"));
    return types;
}

// Three cells in a row, the last reached twice.
SearchTrace small(const TraceOptions& options = {}) {
    SearchTrace trace(GridLayout(3, 2), {0, 0}, {2, 0}, options);
    trace.expanded({0, 0}, 0);
    trace.improved({1, 0}, {0, 0}, kCostPerUnit);
    trace.improved({2, 0}, {0, 0}, 4 * kCostPerUnit);
    trace.expanded({1, 0}, kCostPerUnit);
    trace.improved({2, 0}, {1, 0}, 2 * kCostPerUnit);
    trace.expanded({2, 0}, 2 * kCostPerUnit);
    const std::vector<Cell> path{{0, 0}, {1, 0}, {2, 0}};
    trace.finish(path, 2 * kCostPerUnit);
    return trace;
}

}  // namespace

TEST(Trace, IsJsonOfTheSchema) {
    const Json trace = Json::parse(small().to_json());
    expect_schema(trace);
    EXPECT_EQ(types_of(trace), (std::vector<std::string>{"source", "destination", "generating", "expanding", "generating", "generating",
                                                         "closing", "expanding", "updating", "closing", "expanding", "closing", "end"}));
    EXPECT_EQ(trace["events"][8], Json::parse(R"({"type":"updating","id":2,"pId":1,"g":2.0,"x":2,"y":0})"));
    EXPECT_EQ(trace["events"][2]["pId"], nullptr);
    EXPECT_EQ(trace["events"].back(), Json::parse(R"({"type":"end","id":2,"pId":1,"g":2.0,"x":2,"y":0})"));
    EXPECT_EQ(trace["views"]["main"][0]["$"], "rect");
    EXPECT_EQ(trace["views"]["main"][1]["points"][2], Json::parse(R"({"x":2.5,"y":0.5})"));
}

TEST(Trace, EveryParentCameBefore) {
    const Json trace = Json::parse(small().to_json());
    std::set<int> seen;
    for (const Json& event : trace["events"]) {
        const bool first = !event.contains("pId") || event["pId"].is_null();
        EXPECT_TRUE(first || seen.count(event["pId"].get<int>())) << event;
        seen.insert(event["id"].get<int>());
    }
}

TEST(Trace, HasTheHeuristicIfGiven) {
    const Json trace = Json::parse(small({100, [](Cell c) { return static_cast<Cost>(2 - c.x) * kCostPerUnit; }}).to_json());
    expect_schema(trace);
    EXPECT_EQ(trace["events"][4]["h"], 1.0);
    EXPECT_EQ(trace["events"][4]["f"], 2.0);
}

TEST(Trace, ReportsOmittedEvents) {
    const SearchTrace cut = small({5, {}});
    EXPECT_EQ(cut.left_out(), 7u);
    const Json trace = Json::parse(cut.to_json());
    expect_schema(trace);
    EXPECT_EQ(trace["events"].size(), 6u) << "the end event is never omitted";
    EXPECT_EQ(trace["events"].back()["left_out"], 7);
}

TEST(Trace, ASearchWithoutAPathEndsWhereItStopped) {
    SearchTrace trace(GridLayout(3, 2), {0, 1}, {2, 0});
    trace.expanded({0, 1}, 0);
    trace.finish({}, kInfiniteCost);
    const TemporaryFolder folder;
    ASSERT_TRUE(save_trace(folder / "t.json", trace));
    const Json json = Json::parse(read_file(folder / "t.json", 1 << 20).value());
    expect_schema(json);
    EXPECT_EQ(types_of(json).back(), "end");
    EXPECT_EQ(json["views"]["main"].size(), 1u);
}

}  // namespace terrane

#endif
