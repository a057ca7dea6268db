// Runs the terrane command in a temporary folder.
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "support/temporary.h"
#include "terrane/base/file.h"

namespace terrane {

struct Outcome {
    int exit = -1;
    std::string out;  // standard output and standard error
};

class Cli : public testing::Test {
protected:
    Outcome shell(const std::string& command) const {
        Outcome outcome;
        FILE* pipe = popen(("cd '" + folder_.string() + "' && (" + command + ") 2>&1 </dev/null").c_str(), "r");
        char buffer[4096];
        for (size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) outcome.out.append(buffer, n);
        outcome.exit = WEXITSTATUS(pclose(pipe));
        return outcome;
    }
    Outcome run(const std::string& arguments) const { return shell("'" TERRANE_BINARY "' " + arguments); }
    void write(const std::string& name, const std::string& text) const { ASSERT_TRUE(write_file((folder_ / name).string(), text)); }
    std::string read(const std::string& name) const { return read_file((folder_ / name).string(), 1 << 24).value(); }

    const TemporaryFolder temporary_;
    const std::filesystem::path folder_ = temporary_.path();
};

inline constexpr const char* kMap = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n.....\n";

}  // namespace terrane
