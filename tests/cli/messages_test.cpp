// Messages for words that a command cannot mean, and for files of other kinds.
#include "cli/command.h"

namespace terrane {
namespace {

class Messages : public Cli {
protected:
    void SetUp() override {
        write("m.map", kMap);
        write("picture.png", "\x89PNG\r\n\x1a\n");
        write("mark.txt", "\xef\xbb\xbfversion 1\n");
    }

    void refuses(const std::string& arguments, const std::string& reason) const {
        const Outcome o = run(arguments);
        EXPECT_EQ(o.exit, 2) << arguments << "\n" << o.out;
        EXPECT_NE(o.out.find(reason), std::string::npos) << arguments << "\n" << o.out;
        EXPECT_EQ(o.out.find("\\x"), std::string::npos) << arguments << ": escaped bytes\n" << o.out;
    }
};

TEST_F(Messages, AnOptionBeforeTheVerbIsNamed) {
    refuses("--quick path m.map", "unknown option '--quick': expected a verb first: one of crowd, ");
    refuses("-v", "unknown option '-v': expected a verb first");
    refuses("world --json - save", "unknown option '--json': expected a verb first: one of save, edit, check");
    EXPECT_EQ(run("--version").exit, 0);
    EXPECT_EQ(run("world --help").exit, 0);
}

TEST_F(Messages, AnUnknownGeneratorIsRefusedLikeAnyValue) {
    refuses("gen isle -o i.map", "kind: invalid value 'isle': expected island|rooms|maze|random|scatter|voronoi");
}

TEST_F(Messages, FilesOfOtherKindsAreNamedByEveryReader) {
    for (const std::string& arguments :
         {std::string("scen picture.png"), std::string("path m.map --from 0,0 --to 1,1 --profile picture.png"),
          std::string("import picture.png --palette picture.png -o n.map"),
          std::string("pathdb build m.map --targets-file picture.png -o d.pathdb")})
        refuses(arguments, "this is a PNG image");
    for (const std::string& arguments : {std::string("scen mark.txt"), std::string("path m.map --from 0,0 --to 1,1 --profile mark.txt"),
                                         std::string("pathdb build m.map --targets-file mark.txt -o d.pathdb")})
        refuses(arguments, "text with a byte-order mark: save it without one");
}

}  // namespace
}  // namespace terrane
