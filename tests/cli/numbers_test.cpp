// Numbers that every option refuses, and progress bars.
#include "bench/progress_line.h"
#include "cli/command.h"

namespace terrane {
namespace {

class Numbers : public Cli {
protected:
    // Expects exit 2 and a message with `reason`.
    void refuses(const std::string& arguments, const std::string& reason) const {
        const Outcome o = run(arguments);
        EXPECT_EQ(o.exit, 2) << arguments << ": " << o.out;
        EXPECT_NE(o.out.find(reason), std::string::npos) << arguments << ": " << o.out;
    }
};

TEST_F(Numbers, RealsOutsideTheirRangeAreRefused) {
    ASSERT_EQ(run("weighted-regions gen --sites 8 --seed 3 -o f.json").exit, 0);
    const std::string path = "weighted-regions path f.json --from 20,20 --to 580,580 ";
    for (const char* gap : {"1", "nan", "-nan", "inf", "-0.5", "1e400"})
        refuses(path + "--gap " + gap, "expected a number from 0 to below 1");
    for (const char* flag : {"--heuristic-cost", "--epsilon"}) {
        for (const char* value : {"nan", "inf", "-1"}) refuses(path + flag + " " + value, "expected a number from 0 to 1e+09");
    }
    refuses("weighted-regions gen --map f.map --simplify nan -o g.json", "expected a number from 0 to 1000");
    refuses("weighted-regions gen --width nan -o g.json", "expected a finite number above 0");
    refuses("weighted-regions gen --height inf -o g.json", "expected a finite number above 0");
    write("m.map", kMap);
    refuses("path m.map --from 0,0 --to 1,1 --method overlay:2 --bound nan", "expected a number from 1 to 100");
    refuses("reach m.map --from 0,0 --within nan", "expected a number from 0 to 1e+09");
    refuses("scen none.scen --tolerance nan", "expected a finite number above 0");
    refuses("selftest --seconds nan", "expected a number from 0 to 1e+06");
    EXPECT_EQ(run(path + "--gap 0.999").exit, 0);
    const Outcome nowhere = run("reach m.map --from 0,0 --within 0 --profile walker");
    EXPECT_EQ(nowhere.exit, 0) << nowhere.out;
    EXPECT_NE(nowhere.out.find("1 cells within cost 0 of 0,0"), std::string::npos) << nowhere.out;
}

TEST_F(Numbers, WholeNumbersWithASignOrAboveSixtyFourBitsAreRefused) {
    write("m.map", kMap);
    const std::string path = "path m.map --from 0,0 --to 1,1 ";
    for (const char* value : {"-1", "18446744073709551616", "1.5", "many"}) {
        refuses(path + "--budget " + value, "expected a whole number from 0 to 18446744073709551615");
        refuses(std::string("gen maze --size 16 -o n.map --seed ") + value, "expected a whole number");
        refuses(std::string("selftest --seed ") + value, "expected a whole number");
    }
    refuses("pathdb build m.map -o m.db --max-bytes -1", "expected a number of bytes as in 500MB");
    EXPECT_EQ(run(path + "--budget 18446744073709551615").exit, 0);
    EXPECT_EQ(run("gen maze --size 16 -o n.map --seed 0x1f").exit, 0);
    EXPECT_EQ(run("pathdb build m.map -o m.db --max-bytes 1MB").exit, 0);
}

TEST(ProgressLine, StaysWithinItsBarForAnyInput) {
    const std::string full(30, '#'), empty(30, '.');
    EXPECT_EQ(progress_line("rows", 20, 0, 5), "rows: 20");
    EXPECT_EQ(progress_line("rows", 0, 10, 5), "rows [" + empty + "]   0%");
    EXPECT_EQ(progress_line("rows", 5, 10, 4), "rows [" + full.substr(15) + empty.substr(15) + "]  50%, 4 s left");
    EXPECT_EQ(progress_line("rows", 10, 10, 4), "rows [" + full + "] 100%, 0 s left");
    EXPECT_EQ(progress_line("rows", 25, 10, 4), "rows [" + full + "] 100%, 0 s left");
}

}  // namespace
}  // namespace terrane
