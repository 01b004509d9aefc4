#include "app/files/file_dialog.h"

#include <gtest/gtest.h>

#include "tests/core/io/temporary_directory.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

class FileDialogTest : public TemporaryDirectory {
 protected:
  FileDialogTest() {
    for (const char* name : {"beta.json", "alpha.npz", "notes.txt", ".hidden.json"}) write(in(name), "x");
    fs::create_directory(in("Zoo"));
  }
  std::vector<std::string> names(const ListingRules& rules) const {
    std::vector<std::string> found;
    for (const FolderEntry& entry : listFolder(directory_, rules)) found.push_back(entry.name);
    return found;
  }
  FileDialog open(FileDialog::Purpose purpose, fs::path& result) const {
    FileDialog dialog(directory_);
    dialog.show(purpose, directory_, [&](const fs::path& file) { result = file; });
    return dialog;
  }
};

TEST_F(FileDialogTest, FoldersComeFirstAndOnlyScenesFollow) {
  EXPECT_EQ(names({}), (std::vector<std::string>{"Zoo", "alpha.npz", "beta.json"}));
  EXPECT_EQ(names({.showsAllFiles = true, .showsHidden = true}),
            (std::vector<std::string>{"Zoo", ".hidden.json", "alpha.npz", "beta.json", "notes.txt"}));
  EXPECT_ANY_THROW(listFolder(in("nowhere"), {}));
}

TEST_F(FileDialogTest, TabCompletesAsFarAsNamesAgree) {
  write(in("beton.json"), "x");
  EXPECT_EQ(completePath("b", directory_, "/", {}), "bet");
  EXPECT_EQ(completePath("beta", directory_, "/", {}), "beta.json");
  EXPECT_EQ(completePath("zo", directory_, "/", {}), "Zoo/");
  EXPECT_EQ(completePath("none", directory_, "/", {}), "none");
  EXPECT_EQ(completePath("~/al", "/", directory_, {}), "~/alpha.npz");
  EXPECT_EQ(completePath(".h", directory_, "/", {}), ".hidden.json");
  EXPECT_EQ(completePath("/no/such/folder/x", directory_, "/", {}), "/no/such/folder/x");
}

TEST_F(FileDialogTest, OpeningTakesOnlyFilesThatAreThere) {
  fs::path result;
  FileDialog dialog = open(FileDialog::Purpose::open, result);
  dialog.accept();
  EXPECT_FALSE(dialog.error().empty());
  dialog.setTyped("missing.json");
  dialog.accept();
  EXPECT_NE(dialog.error().find("missing.json"), std::string::npos) << dialog.error();
  dialog.setTyped("Zoo");
  dialog.accept();
  EXPECT_EQ(dialog.folder(), in("Zoo"));
  EXPECT_TRUE(dialog.isOpen());
  dialog.setTyped("../beta.json");
  dialog.accept();
  EXPECT_EQ(result, in("beta.json"));
  EXPECT_FALSE(dialog.isOpen());
}

TEST_F(FileDialogTest, SavingAddsTheEndingAndKnowsWhereItCannotWrite) {
  fs::path result;
  FileDialog dialog = open(FileDialog::Purpose::save, result);
  dialog.setTyped("x.npz");
  dialog.accept();
  EXPECT_NE(dialog.error().find(".json"), std::string::npos);
  dialog.setTyped("nowhere/x");
  dialog.accept();
  EXPECT_NE(dialog.error().find("nowhere"), std::string::npos);
  dialog.setTyped("new");
  dialog.accept();
  EXPECT_EQ(result, in("new.json"));
}

TEST_F(FileDialogTest, AnotherNameTakesBackTheQuestionAboutReplacing) {
  fs::path result;
  FileDialog dialog = open(FileDialog::Purpose::save, result);
  dialog.setTyped("beta");
  dialog.accept();
  EXPECT_EQ(dialog.toReplace(), in("beta.json"));
  dialog.setTyped("alpha");
  dialog.accept();
  EXPECT_EQ(result, in("alpha.json"));
}

TEST_F(FileDialogTest, StartsInTheNearestFolderThatIsStillThere) {
  FileDialog dialog(directory_);
  dialog.show(FileDialog::Purpose::open, in("gone/away/x.json"), nullptr);
  EXPECT_EQ(dialog.folder(), directory_);
}

}  // namespace
}  // namespace attn
