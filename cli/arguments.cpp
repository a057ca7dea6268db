#include "cli/arguments.h"

namespace terrane::cli {

void add_json(CLI::App& verb, Output& output) {
    verb.add_option("--json", output.json, "Write the result as JSON to a file ('-': standard output)")->type_name("FILE");
}

void add_json_with_summary(CLI::App& verb, Output& output) {
    add_json(verb, output);
    verb.add_flag("--summary", output.summary, "Leave lists of cells, points and agents out of the JSON")->needs("--json");
}

}  // namespace terrane::cli
