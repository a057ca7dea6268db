// fuzz_replay NAME FOLDER...: runs the function of one fuzzer on every file of the folders, without libFuzzer. If one fails, its name is
// the last line.
#include <csignal>
#include <cstdio>

#include "inputs.h"

#ifdef TERRANE_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace {

const char* current = "";

void print_current() { std::fprintf(stderr, "fuzz_replay: failed on %s\n", current); }

}  // namespace

int main(int argc, char** argv) {
    using namespace terrane::fuzz;
    const Function function = argc >= 3 ? find_function(argv[1]) : nullptr;
    if (function == nullptr) {
        std::fprintf(stderr, "usage: %s NAME FOLDER...; NAME: %s\n", argv[0], function_names().c_str());
        return 2;
    }
    std::signal(SIGABRT, [](int) { print_current(); });
#ifdef TERRANE_ASAN
    __sanitizer_set_death_callback(print_current);
#endif
    const auto inputs = read_inputs({argv + 2, static_cast<size_t>(argc - 2)});
    for (const Input& input : inputs) {
        current = input.file.c_str();
        run(function, input.bytes);
    }
    std::printf("%s: %zu inputs\n", argv[1], inputs.size());
    return inputs.empty() ? 1 : 0;  // a missing corpus must not pass
}
