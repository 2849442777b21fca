// SPDX-License-Identifier: MIT
#include "folder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "server/rig.hpp"

namespace throng::server {
namespace {

namespace fs = std::filesystem;

TEST(StudioFolder, FilesBelowItAreFoundAndNothingElseIs) {
  const test::TemporaryFolder place;
  const fs::path inside = place.path() / "inside", secret = place.path() / "secret.json";
  fs::create_directories(inside / "sub");
  std::ofstream(secret) << "{\"throng_scenario\": 1}";
  std::ofstream(inside / "mine.json") << "{\"throng_scenario\": 1}";
  fs::create_symlink(secret, inside / "link.json");
  fs::create_symlink(place.path(), inside / "up");
  fs::create_symlink(place.path() / "not there yet", inside / "dangling.json");
  fs::create_symlink(inside / "mine.json", inside / "same.json");
  const auto folder = Folder::open(inside);
  ASSERT_TRUE(folder);
  EXPECT_TRUE(folder->resolve("mine.json"));
  EXPECT_TRUE(folder->resolve("sub/new.json"));
  EXPECT_TRUE(folder->resolve("./sub/../mine.json") ? false : true) << "no .. at all, even where it would lead back";
  EXPECT_TRUE(folder->resolve("same.json"));
  for (const std::string name : {"../secret.json", "sub/../../secret.json", "/etc/passwd", "link.json", "up/secret.json",
                                 "dangling.json", "a\nb.json", "..", "sub/../.."})
    EXPECT_FALSE(folder->resolve(name)) << name;
  EXPECT_FALSE(folder->resolve(std::string("a\0b", 3)));
  EXPECT_FALSE(folder->resolve(std::string(5000, 'a')));
}

TEST(StudioFolder, TheListHoldsWhatCanBeOpenedAndNoLinksThatLeadOut) {
  const test::TemporaryFolder place;
  fs::create_directories(place.path() / "inside/sub/deeper");
  fs::create_directories(place.path() / "inside/out");
  fs::create_directories(place.path() / "inside/looks like a run");
  std::ofstream(place.path() / "inside/out/recording.throng") << "12345";
  std::ofstream(place.path() / "elsewhere.throng") << "12345";
  fs::create_symlink(place.path() / "elsewhere.throng", place.path() / "inside/looks like a run/recording.throng");
  std::ofstream(place.path() / "inside/package.json") << "{\"type\": \"module\"}";
  std::ofstream(place.path() / "inside/plan.json") << "{\"type\": \"FeatureCollection\"}";
  std::ofstream(place.path() / "inside/a.json") << "{\"throng_scenario\": 1}";
  std::ofstream(place.path() / "inside/notes.md") << "hello";
  std::ofstream(place.path() / "inside/plan.geojson") << "{}";
  std::ofstream(place.path() / "outside.json") << "{\"throng_scenario\": 1}";
  fs::create_symlink(place.path() / "outside.json", place.path() / "inside/b.json");
  const auto folder = Folder::open(place.path() / "inside");
  const auto list = folder->list("");
  ASSERT_TRUE(list);
  std::string names;
  for (const Folder::Entry& e : *list) names += e.path + " " + e.kind + ";";
  EXPECT_EQ(names, "a.json scenario;looks like a run folder;out run;plan.geojson scene;plan.json scene;sub folder;");
  const auto below = folder->list("sub");
  ASSERT_TRUE(below);
  ASSERT_EQ(below->size(), 1u);
  EXPECT_EQ(below->front().path, "sub/deeper");
  EXPECT_FALSE(folder->list(".."));
}

TEST(StudioFolder, AFileIsReplacedInOneGoAndNothingIsLeftBesideIt) {
  const test::TemporaryFolder place;
  const fs::path file = place.path() / "x.json";
  ASSERT_FALSE(write_atomically(file, "one"));
  ASSERT_FALSE(write_atomically(file, "two"));
  std::string text;
  std::ifstream(file) >> text;
  EXPECT_EQ(text, "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(place.path()), {}), 1);
  EXPECT_TRUE(write_atomically(place.path() / "no such folder/x.json", "x"));
}

TEST(StudioFolder, AScenarioThatTheStudioSavedIsListedHoweverMuchComesBeforeItsMark) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "saved.json") << R"({"scene": {"throng_scene": 1, "name": ")" << std::string(20000, 'x')
                                              << R"("}, "throng_scenario": 1})";
  EXPECT_EQ(kind_of_file(folder.path() / "saved.json"), "scenario");
}

}  // namespace
}  // namespace throng::server
