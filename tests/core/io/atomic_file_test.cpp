#include "core/io/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

#include "core/error.h"
#include "tests/core/io/temporary_directory.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public TemporaryDirectory {
 protected:
  static unsigned modeOf(const fs::path& file) {
    return static_cast<unsigned>(fs::status(file).permissions()) & 0777u;
  }
  static std::string refusal(const fs::path& target) {
    try {
      writeFileAtomically(target, "x");
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST_F(AtomicFileTest, WritesANewFileWithOrdinaryPermissions) {
  const mode_t before = ::umask(027);
  writeFileAtomically(in("a"), std::string_view("one\0two", 7));
  ::umask(before);
  EXPECT_EQ(read(in("a")), std::string("one\0two", 7));
  EXPECT_EQ(modeOf(in("a")), 0640u);
  EXPECT_EQ(fileCount(), 1);
}

TEST_F(AtomicFileTest, ReplacesAFileAndKeepsItsMode) {
  write(in("a"), "a much longer text than the new one");
  fs::permissions(in("a"), fs::perms(0604));
  writeFileAtomically(in("a"), "new");
  EXPECT_EQ(read(in("a")), "new");
  EXPECT_EQ(modeOf(in("a")), 0604u);
  EXPECT_EQ(fileCount(), 1);
}

TEST_F(AtomicFileTest, ReplacementIsPrivateUntilCommitted) {
  write(in("a"), "secret");
  fs::permissions(in("a"), fs::perms(0600));
  const AtomicFile file(in("a"));
  EXPECT_EQ(modeOf(file.temporary()), 0600u);
}

TEST_F(AtomicFileTest, WithoutACommitNothingChanges) {
  write(in("a"), "old");
  {
    const AtomicFile file(in("a"));
    EXPECT_EQ(file.temporary().parent_path(), directory_);
    write(file.temporary(), "half");
    EXPECT_EQ(read(in("a")), "old");
  }
  EXPECT_EQ(read(in("a")), "old");
  EXPECT_EQ(fileCount(), 1);
}

TEST_F(AtomicFileTest, AFailingCommitLeavesTheOldFile) {
  write(in("a"), "old");
  {
    AtomicFile file(in("a"));
    fs::remove(file.temporary());
    EXPECT_THROW(file.commit(), Error);
  }
  EXPECT_EQ(read(in("a")), "old");
  EXPECT_EQ(fileCount(), 1);
}

TEST_F(AtomicFileTest, AFailingRenameLeavesNoTemporary) {
  {
    AtomicFile file(in("a"));
    fs::create_directory(in("a"));
    EXPECT_THROW(file.commit(), Error);
  }
  EXPECT_TRUE(fs::is_directory(in("a")));
  EXPECT_EQ(fileCount(), 1);
}

TEST_F(AtomicFileTest, CommitsAFileThatWasReplacedByName) {
  AtomicFile file(in("a"));
  write(in("other"), "text");
  fs::rename(in("other"), file.temporary());
  file.commit();
  EXPECT_EQ(read(in("a")), "text");
  EXPECT_EQ(fileCount(), 1);
}

TEST_F(AtomicFileTest, TwoWritersOfOneTargetDoNotMeet) {
  AtomicFile first(in("a"));
  AtomicFile second(in("a"));
  EXPECT_NE(first.temporary(), second.temporary());
  write(first.temporary(), "first");
  write(second.temporary(), "second");
  second.commit();
  first.commit();
  EXPECT_EQ(read(in("a")), "first");
  EXPECT_EQ(fileCount(), 1);
}

TEST_F(AtomicFileTest, WritesThroughASymlink) {
  fs::create_directory(in("d"));
  write(in("d/real"), "old");
  fs::create_symlink("d/real", in("link"));
  fs::create_symlink("link", in("link2"));
  writeFileAtomically(in("link2"), "new");
  EXPECT_TRUE(fs::is_symlink(in("link2")));
  EXPECT_TRUE(fs::is_symlink(in("link")));
  EXPECT_EQ(read(in("d/real")), "new");
}

TEST_F(AtomicFileTest, WritesThroughADanglingSymlink) {
  fs::create_symlink("real", in("link"));
  writeFileAtomically(in("link"), "new");
  EXPECT_TRUE(fs::is_symlink(in("link")));
  EXPECT_EQ(read(in("real")), "new");
}

TEST_F(AtomicFileTest, RefusesALoopOfSymlinks) {
  fs::create_symlink("b", in("a"));
  fs::create_symlink("a", in("b"));
  EXPECT_EQ(refusal(in("a")), in("a").string() + ": cannot write: Too many levels of symbolic links");
}

TEST_F(AtomicFileTest, RefusesADirectory) {
  EXPECT_EQ(refusal(directory_), directory_.string() + ": cannot write: Is a directory");
  EXPECT_EQ(refusal(in("new/")), in("new/").string() + ": cannot write: Is a directory");
  EXPECT_EQ(fileCount(), 0);
}

TEST_F(AtomicFileTest, RefusesAMissingDirectory) {
  EXPECT_EQ(refusal(in("out/x")), in("out/x").string() + ": cannot write: No such file or directory");
  EXPECT_EQ(refusal(""), ": cannot write: No such file or directory");
}

TEST_F(AtomicFileTest, RefusesAFileAsDirectory) {
  write(in("a"), "old");
  EXPECT_EQ(refusal(in("a/x")), in("a/x").string() + ": cannot write: Not a directory");
}

TEST_F(AtomicFileTest, RefusesWhatIsNotARegularFile) {
  ASSERT_EQ(::mkfifo(in("pipe").c_str(), 0600), 0);
  EXPECT_EQ(refusal(in("pipe")), in("pipe").string() + ": cannot write: not a regular file");
}

TEST_F(AtomicFileTest, RefusesAReadOnlyFile) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everything";
  write(in("a"), "old");
  fs::permissions(in("a"), fs::perms(0444));
  EXPECT_EQ(refusal(in("a")), in("a").string() + ": cannot write: Permission denied");
  EXPECT_EQ(read(in("a")), "old");
}

TEST_F(AtomicFileTest, WritesInTheCurrentDirectory) {
  const fs::path before = fs::current_path();
  fs::current_path(directory_);
  writeFileAtomically("plain", "text");
  fs::current_path(before);
  EXPECT_EQ(read(in("plain")), "text");
  EXPECT_EQ(fileCount(), 1);
}

}  // namespace
}  // namespace attn
