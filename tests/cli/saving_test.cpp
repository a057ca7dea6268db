// Every option that writes a file fails cleanly, for every reason why a file cannot be written.
#include <gtest/gtest.h>
#include <unistd.h>

#include <set>
#include <string>
#include <vector>

#include "cli/command.h"

namespace terrane {
namespace {

namespace fs = std::filesystem;

// A command that writes FILE, and the extension of the file.
struct Saving {
    const char* command;
    const char* extension;
};
const std::vector<Saving> kSavings = {
    {"gen rooms --size 16 -o FILE", ".map"},
    {"gen rooms --size 16 -o FILE", ".terrane"},
    {"gen rooms --size 16 -o other.map --png FILE", ".png"},
    {"import m.png -o FILE", ".map"},
    {"info m.map --png FILE", ".png"},
    {"info m.map --json FILE", ".json"},
    {"path m.map --from 0,0 --to 4,0 --png FILE", ".png"},
    {"path m.map --from 0,0 --to 4,0 --svg FILE", ".svg"},
    {"path m.map --from 0,0 --to 4,0 --method astar --trace FILE", ".trace"},
    {"path m.map --from 0,0 --to 4,0 --json FILE", ".json"},
    {"reach m.map --from 0,0 --within 9 --profile walker --png FILE", ".png"},
    {"why m.map --from 0,0 --to 4,0 --profile walker --png FILE", ".png"},
    {"world save m.map -o FILE", ".terrane"},
    {"world edit m.terrane --set 0,0,wall -o FILE", ".terrane"},
    {"pathdb build m.map --profile walker -o FILE", ".pathdb"},
    {"weighted-regions gen --sites 3 -o FILE", ".json"},
    {"weighted-regions gen --sites 3 -o other.json --png FILE", ".png"},
    {"weighted-regions gen --sites 3 -o other.json --svg FILE", ".svg"},
    {"crowd run m.map --agents 2 --profile walker --gif FILE", ".gif"},
    {"crowd run m.map --agents 2 --profile walker --png FILE", ".png"},
    {"crowd run m.map --agents 2 --profile walker --json FILE", ".json"},
    {"navmesh build m.obj -o FILE", ".navmesh"},
    {"navmesh build m.obj -o other.navmesh --svg FILE", ".svg"},
    {"navmesh build m.obj -o other.navmesh --obj FILE", ".obj"},
};

class CliSaving : public Cli {
protected:
    void SetUp() override {
        write("m.map", kMap);
        write("m.obj", "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n");
        ASSERT_EQ(run("world save m.map -o m.terrane && '" TERRANE_BINARY "' info m.map --png m.png").exit, 0);
        has_meshes_ = run("navmesh --help").exit == 0;
    }

    // All files in the folder, recursively, except other outputs of the command and the shards of an unfinished database.
    std::set<std::string> names() const {
        std::set<std::string> found;
        for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
            const std::string name = entry.path().lexically_relative(folder_).string();
            if (!name.starts_with("other.") && name.find(".parts") == std::string::npos) found.insert(name);
        }
        return found;
    }

    // Every command must fail to write the file `name` with `reason`. `as` is a prefix of the command.
    void expect_refused(const std::string& name, const std::string& reason, const std::string& as = {}) {
        for (const auto& [command, extension] : kSavings) {
            std::string arguments = command;
            if (!has_meshes_ && arguments.starts_with("navmesh")) continue;
            arguments.replace(arguments.find("FILE"), 4, "'" + name + extension + "'");
            prepare(name + extension);
            const std::set<std::string> before = names();
            const Outcome outcome = shell(as + "'" TERRANE_BINARY "' " + arguments);
            EXPECT_EQ(outcome.exit, 2) << arguments << "\n" << outcome.out;
            EXPECT_NE(outcome.out.find("terrane: "), std::string::npos) << arguments << "\n" << outcome.out;
            EXPECT_NE(outcome.out.find("cannot "), std::string::npos) << arguments << "\n" << outcome.out;
            EXPECT_NE(outcome.out.find(reason), std::string::npos) << arguments << "\n" << outcome.out;
            EXPECT_EQ(names(), before) << arguments;
        }
    }
    virtual void prepare(const std::string&) {}

    bool has_meshes_ = false;
};

TEST_F(CliSaving, ToAMissingFolder) { expect_refused("none/file", "No such file or directory"); }

TEST_F(CliSaving, ToANameThatIsTooLong) { expect_refused(std::string(300, 'x'), "File name too long"); }

class CliSavingOverFolders : public CliSaving {
    void prepare(const std::string& name) override { fs::create_directory(folder_ / name); }
};
TEST_F(CliSavingOverFolders, AreRefused) { expect_refused("folder", "Is a directory"); }

// A symbolic link, so that a bug cannot replace the device itself.
class CliSavingToFullDisks : public CliSaving {
    void prepare(const std::string& name) override {
        if (!fs::exists(folder_ / name)) fs::create_symlink("/dev/full", folder_ / name);
    }
};
TEST_F(CliSavingToFullDisks, AreRefused) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    expect_refused("full", "No space left on device");
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

// A folder without write permission. Root runs the command as another user.
TEST_F(CliSaving, WithoutPermission) {
    const bool is_root = geteuid() == 0;
    const std::string as = is_root ? "setpriv --reuid=65534 --clear-groups " : "";
    if (is_root && shell(as + "'" TERRANE_BINARY "' --version").exit != 0) GTEST_SKIP() << "cannot run as another user here";
    fs::create_directory(folder_ / "locked");
    fs::permissions(folder_ / "locked", fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
    if (is_root) fs::permissions(folder_, fs::perms::all);  // for the other outputs
    expect_refused("locked/file", "Permission denied", as);
    fs::permissions(folder_ / "locked", fs::perms::owner_all);
}

}  // namespace
}  // namespace terrane
