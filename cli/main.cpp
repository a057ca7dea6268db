#include "cli/common.h"

namespace {

constexpr const char* kMainFooter = R"(Try:
  terrane gen island --size 512 --seed 7 -o island.map --png island.png
  terrane info island.map
  terrane path island.map --from 120,200 --to 380,300 --profile deer --png deer.png
  terrane world save island.map -o island.terrane --sector 16
  terrane path island.terrane --from 120,200 --to 380,300 --profile deer --method dta:16 --compare

Exit: 0 success; 1 a negative answer (unreachable, check failed); 2 bad input, with file, line and reason.
'terrane help VERB' explains each verb.)";

}  // namespace

int main(int argc, char** argv) {
    using namespace terrane::cli;
    CLI::App app("Terrane: pathfinding for worlds whose terrain matters and changes.", "terrane");
    app.set_version_flag("--version", "terrane " TERRANE_VERSION);
    app.footer(kMainFooter);
    app.require_subcommand(1);
    Run run;
    add_verbs(app, run);
    return run_program(app, run, argc, argv);
}
