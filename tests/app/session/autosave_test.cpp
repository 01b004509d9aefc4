#include "app/session/autosave.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/same_scene.h"
#include "tests/core/io/temporary_directory.h"
#include "tests/core/scenes.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class AutosaveTest : public TemporaryDirectory {
 protected:
  static ScenePointer scene(std::uint64_t seed) {
    return std::make_shared<const Scene>(narrow(randomScene({}, seed)));
  }
  fs::path folder() const { return in("autosave"); }
  std::ptrdiff_t files() const {
    return fs::is_directory(folder())
               ? std::distance(fs::directory_iterator(folder()), fs::directory_iterator())
               : 0;
  }
  /// What a process leaves that ends without a clean exit.
  void leaveBehind(const ScenePointer& scene, const fs::path& document) const {
    Autosave autosave(folder(), 1h);
    autosave.watch(scene, true, document);
  }
};

TEST_F(AutosaveTest, AChangeIsOnTheDiskSoon) {
  Autosave autosave(folder(), 50ms);
  autosave.watch(scene(1), true, {});
  const auto start = Autosave::Clock::now();
  while (files() < 2 && Autosave::Clock::now() - start < 10s) std::this_thread::sleep_for(5ms);
  EXPECT_EQ(files(), 2);
  EXPECT_EQ(autosave.takeWarning(), "");
}

TEST_F(AutosaveTest, LaterChangesDoNotPutItOff) {
  Autosave autosave(folder(), 200ms);
  const auto start = Autosave::Clock::now();
  std::vector<ScenePointer> scenes;
  for (std::uint64_t seed = 1; files() < 2 && Autosave::Clock::now() - start < 10s; ++seed) {
    scenes.push_back(scene(seed));
    autosave.watch(scenes.back(), true, {});
    std::this_thread::sleep_for(10ms);
  }
  EXPECT_EQ(files(), 2);
}

TEST_F(AutosaveTest, NothingIsWrittenWithoutChanges) {
  Autosave autosave(folder(), 0ms);
  autosave.watch(scene(1), false, {});
  autosave.settle();
  EXPECT_FALSE(fs::exists(folder()));
}

TEST_F(AutosaveTest, SavingRemovesIt) {
  Autosave autosave(folder(), 1h);
  const ScenePointer first = scene(1), second = scene(2);
  autosave.watch(first, true, {});
  autosave.settle();
  EXPECT_EQ(files(), 2);
  autosave.watch(first, false, in("a.json"));
  autosave.settle();
  EXPECT_EQ(files(), 0);
  autosave.watch(second, true, in("a.json"));
  autosave.settle();
  EXPECT_EQ(files(), 2);
}

TEST_F(AutosaveTest, ACleanExitLeavesNothing) {
  {
    Autosave autosave(folder(), 1h);
    autosave.watch(scene(1), true, {});
    autosave.settle();
    autosave.finish();
  }
  EXPECT_EQ(files(), 0);
  EXPECT_TRUE(findRestoreOffers(folder()).empty());
}

TEST_F(AutosaveTest, WhatWasLeftIsOfferedOnceAtATime) {
  const ScenePointer left = scene(3);
  leaveBehind(left, "/somewhere/cat.json");
  {
    std::vector<RestoreOffer> offers = findRestoreOffers(folder());
    ASSERT_EQ(offers.size(), 1u);
    EXPECT_EQ(offers[0].document(), "/somewhere/cat.json");
    EXPECT_TRUE(sameScene(*offers[0].scene(), *left));
    EXPECT_TRUE(findRestoreOffers(folder()).empty()) << "another window does not get it too";
  }
  std::vector<RestoreOffer> again = findRestoreOffers(folder());
  ASSERT_EQ(again.size(), 1u) << "an offer that was not answered comes back";
  again[0].discard();
  again.clear();
  EXPECT_EQ(files(), 0);
}

TEST_F(AutosaveTest, TwoWindowsDoNotFight) {
  const ScenePointer first = scene(1), second = scene(2);
  Autosave one(folder(), 1h), two(folder(), 1h);
  one.watch(first, true, {});
  two.watch(second, true, {});
  one.settle(), two.settle();
  EXPECT_EQ(files(), 4);
  EXPECT_TRUE(findRestoreOffers(folder()).empty()) << "both are alive";
  one.finish();
  EXPECT_EQ(files(), 2);
}

TEST_F(AutosaveTest, AProcessThatIsKilledLeavesItsScene) {
  const pid_t child = ::fork();
  if (child == 0) {
    Autosave autosave(folder(), 1h);
    autosave.watch(scene(5), true, {});
    autosave.settle();
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  const std::vector<RestoreOffer> offers = findRestoreOffers(folder());
  ASSERT_EQ(offers.size(), 1u);
  EXPECT_TRUE(offers[0].document().empty());
  EXPECT_TRUE(sameScene(*offers[0].scene(), *scene(5)));
}

TEST_F(AutosaveTest, NewestFirst) {
  leaveBehind(scene(1), "/old");
  for (const auto& entry : fs::directory_iterator(folder()))
    fs::last_write_time(entry.path(), fs::file_time_type::clock::now() - 1h);
  leaveBehind(scene(2), "/new");
  const std::vector<RestoreOffer> offers = findRestoreOffers(folder());
  ASSERT_EQ(offers.size(), 2u);
  EXPECT_EQ(offers[0].document(), "/new");
}

TEST_F(AutosaveTest, OddFilesAreLeftAlone) {
  fs::create_directories(folder() / "dir.json");
  write(folder() / "notes.txt", "mine");
  write(folder() / "broken.json", "{");
  write(folder() / "alone.lock", "");
  std::vector<RestoreOffer> offers = findRestoreOffers(folder());
  ASSERT_EQ(offers.size(), 1u);
  EXPECT_ANY_THROW(offers[0].scene());
  EXPECT_TRUE(fs::exists(folder() / "notes.txt"));
  EXPECT_FALSE(fs::exists(folder() / "alone.lock"));
  EXPECT_TRUE(fs::is_directory(folder() / "dir.json"));
  EXPECT_FALSE(fs::exists(folder() / "dir.lock"));
}

TEST_F(AutosaveTest, AFailureIsTriedAgain) {
  write(in("autosave"), "a file is in the way");
  Autosave autosave(folder(), 20ms);
  autosave.watch(scene(1), true, {});
  const auto start = Autosave::Clock::now();
  while (autosave.takeWarning().empty() && Autosave::Clock::now() - start < 10s)
    std::this_thread::sleep_for(5ms);
  fs::remove(in("autosave"));
  while (files() < 2 && Autosave::Clock::now() - start < 20s) std::this_thread::sleep_for(5ms);
  EXPECT_EQ(files(), 2);
}

TEST_F(AutosaveTest, AFolderThatCannotBeMadeIsAMessage) {
  write(in("autosave"), "a file is in the way");
  Autosave autosave(folder() / "deeper", 0ms);
  const ScenePointer first = scene(1), second = scene(2);
  EXPECT_FALSE(autosave.expectsWarning());
  autosave.watch(first, true, {});
  EXPECT_TRUE(autosave.expectsWarning());
  autosave.settle();
  EXPECT_TRUE(autosave.expectsWarning()) << "until somebody takes it";
  const std::string line = autosave.takeWarning();
  EXPECT_FALSE(autosave.expectsWarning()) << "nobody needs to look for what was told";
  EXPECT_TRUE(line.starts_with("unsaved changes are not kept safe: ")) << line;
  autosave.watch(second, true, {});
  autosave.settle();
  EXPECT_EQ(autosave.takeWarning(), "") << "told once";
  Autosave nowhere{fs::path()};
  nowhere.watch(first, true, {});
  nowhere.finish();
}

}  // namespace
}  // namespace attn
