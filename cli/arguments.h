// The options of all verbs: each kind of value is parsed, checked and described here, once.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace terrane::cli {

// Where the result of a verb goes: text to standard output, or JSON.
struct Output {
    std::string json;      // file of the JSON; "-": standard output, without text; empty: no JSON
    bool summary = false;  // leave lists of cells, points and agents out of the JSON

    bool writes_json() const { return !json.empty(); }
    bool prints_text() const { return json != "-"; }
};
void add_json(CLI::App& verb, Output& output);
// add_json(), and --summary, for verbs whose JSON has long lists.
void add_json_with_summary(CLI::App& verb, Output& output);

}  // namespace terrane::cli
