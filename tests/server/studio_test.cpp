// SPDX-License-Identifier: MIT
#include "studio.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

#include "draw/cells_picture.hpp"
#include "gauges.hpp"
#include "navigation/navigation_data.hpp"
#include "routing/test_cells.hpp"
#include "server/rig.hpp"
#include "support/tree.hpp"
#include "trajectory/files.hpp"

namespace throng::server {
namespace {

using test::Decoder;
using test::Rig;

/// A plain run of a scenario, without any studio.
struct PlainRun {
  Scenario scenario;
  std::optional<Navigation> navigation;
  std::optional<Simulation> simulation;
  explicit PlainRun(Scenario given) : scenario(std::move(given)) {
    navigation.emplace(std::move(*Navigation::bake(scenario.scene, {.threads = 1, .editable = true})));
    simulation.emplace(std::move(*Simulation::create(scenario, *navigation)));
  }
  void go_to(double time) {
    while (simulation->world().time() + 1e-9 < time) simulation->step();
  }
};
Scenario named(const std::string& name) {
  return std::move(*load_scenario(test::source_dir() / "scenes" / (name + ".json")));
}

/// Asks until nothing that is computed is left to be counted: each answer takes a slice of time.
Json whole(Rig& rig, const Json& message) {
  for (;;) {
    Json answer = rig.get(message);
    if (!answer.contains("complete") || answer["complete"].get<bool>()) return answer;
  }
}

/// Everybody of a frame is within a centimetre of where the plain run has them, and nobody else is there.
void expect_same_people(const Decoder& seen, const Simulation& run, Vec2 low) {
  const World::Columns rows = run.world().columns();
  ASSERT_EQ(seen.people.size(), rows.x.size());
  std::map<std::uint32_t, const test::Person*> by_number;
  for (const test::Person& p : seen.people) by_number[p.number] = &p;
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    ASSERT_TRUE(by_number.contains(rows.number[i]));
    const test::Person& p = *by_number[rows.number[i]];
    EXPECT_NEAR(p.x, 100 * (rows.x[i] - low.x), 0.51);
    EXPECT_NEAR(p.y, 100 * (rows.y[i] - low.y), 0.51);
  }
}

TEST(Studio, AMomentOfALiveRunIsThatOfAPlainRunOfTheScenario) {
  Rig rig;
  const Json answer = rig.get({{"do", "open"}, {"scene", "bottleneck"}});
  const Vec2 low{answer["document"]["bounds"][0], answer["document"]["bounds"][1]};
  EXPECT_EQ(answer["document"]["branches"].size(), 1u);
  EXPECT_TRUE(answer["document"]["scenario"]["scene"].is_object());
  rig.compute(0, 20);
  // Forwards, then backwards: more than one chunk has been written by now.
  PlainRun run(named("bottleneck"));
  for (const double time : {0.0, 3.0, 12.5, 20.0}) {
    run.go_to(time);
    const Decoder seen = rig.look(0, time);
    EXPECT_TRUE(seen.is_key);
    EXPECT_NEAR(seen.time, time, 1e-9);
    expect_same_people(seen, *run.simulation, low);
  }
  PlainRun again(named("bottleneck"));
  again.go_to(5.2);
  expect_same_people(rig.look(0, 5.2), *again.simulation, low);
}

TEST(Studio, VehiclesAndGroundAreAsHighAsTheirStorey) {
  Rig rig;
  // A deck at 4 m, 40 x 20 m from (100, 50) on, and beside it ground that rises by a metre in each two metres north.
  Json runs = Json::array();
  for (int row = 0; row <= 10; ++row) {
    Json run = {row, 0};
    for (int column = 0; column <= 20; ++column) run.push_back(0.5 * row);
    runs.push_back(std::move(run));
  }
  const Json scene = {{"throng_scene", 1},
                      {"layers",
                       {{{"name", "hill"},
                         {"walkable", {{{0, 0}, {20, 0}, {20, 10}, {0, 10}}}},
                         {"heights", {{"origin", {0, 0}}, {"step", 1}, {"rise", 2}, {"runs", runs}}}},
                        {{"name", "deck"}, {"elevation", 4}, {"walkable", {{{100, 50}, {140, 50}, {140, 70}, {100, 70}}}}}}}};
  const Json scenario = {{"throng_scenario", 1},
                         {"scene", scene},
                         {"vehicles", {{"car", {{"path", {{104, 60}, {136, 60}}}, {"layer", "deck"}, {"speed", 5}}}}},
                         {"populations", {{{"positions", {{5, 2}, {5, 8}}}}}},
                         {"settings", {{"duration", 5}, {"stop_when_done", false}}}};
  const Json document = rig.get({{"do", "run"}, {"scenario", scenario}})["document"];
  const Json& heights = document["layers"][0]["heights"];
  ASSERT_TRUE(heights.is_object());
  EXPECT_FALSE(document["layers"][1].contains("heights"));
  const auto columns = heights["columns"].get<std::size_t>();
  ASSERT_EQ(heights["z"].size() % columns, 0u);
  for (std::size_t i = 0; i < heights["z"].size(); ++i) {
    const double y = heights["origin"][1].get<double>() + heights["step"].get<double>() * static_cast<double>(i / columns);
    EXPECT_NEAR(heights["z"][i].get<double>(), 0.5 * y, 1e-3);
  }
  rig.compute(0, 2);
  const Decoder seen = rig.look(0, 1);
  ASSERT_EQ(seen.cars.size(), 1u);
  EXPECT_FLOAT_EQ(seen.cars[0].z, 4);
  EXPECT_GT(seen.cars[0].x + document["bounds"][0].get<double>(), 104);
  EXPECT_NEAR(seen.cars[0].y + document["bounds"][1].get<double>(), 60, 0.1);
  ASSERT_EQ(seen.people.size(), 2u);
  EXPECT_NEAR(seen.people[0].z, 100, 2);
  EXPECT_NEAR(seen.people[1].z, 400, 2);
}

TEST(Studio, AFrameFromTheFileIsTheFrameThatWasLive) {
  Rig rig([](StudioSettings& s) { s.cache_bytes = 1; });  // nothing stays: all is read back
  rig.get({{"do", "open"}, {"scene", "regions"}});
  const auto branch = rig.studio->document()->branch(0);
  std::map<std::uint64_t, Frame> live;
  for (std::uint64_t step = 1; step <= 150; ++step) {
    branch->want(step);
    while (branch->end_step() < step) std::this_thread::yield();
    live[step] = **branch->frame(step);
  }
  bool has_levels = false, has_goals = false;
  for (const auto& [step, frame] : live) {
    const auto stored = branch->frame(step);
    ASSERT_TRUE(stored);
    ASSERT_EQ((*stored)->rows.size(), frame.rows.size());
    for (std::size_t i = 0; i < frame.rows.size(); ++i) {
      FrameRow a = (*stored)->rows[i], b = frame.rows[i];
      a.speed = b.speed = 0;  // a recording has places only
      ASSERT_EQ(a, b) << "step " << step << " row " << i;
      has_levels = has_levels || a.level != 0;
      has_goals = has_goals || a.goal != kNoGoal;
    }
    EXPECT_EQ((*stored)->vehicles, frame.vehicles);
  }
  EXPECT_TRUE(has_levels);
  EXPECT_TRUE(has_goals);
}

TEST(Studio, ABranchIsWhatAFreshRunOfItsScenarioGivesAndNotWhatItsParentIs) {
  Rig rig;
  const Json doc = rig.get({{"do", "open"}, {"scene", "closing_door"}})["document"];
  const Vec2 low{doc["bounds"][0], doc["bounds"][1]};
  rig.compute(0, 15);
  const Json made = rig.get({{"do", "branch"},
                             {"branch", 0},
                             {"time", 5},
                             {"name", "closed"},
                             {"events", Json::array({{{"close_door", "near door"}}, {{"scale_speed", 0.5}}})}});
  EXPECT_EQ(made["branch"]["parent"], 0);
  EXPECT_EQ(made["branch"]["from"], 5.0);
  rig.compute(1, 15);
  const auto branch = rig.studio->document()->branch(1);
  PlainRun run(std::move(*read_scenario(branch->scenario().text, "branch", open_scenes_from({}))));
  run.go_to(15);
  const Decoder of_branch = rig.look(1, 15);
  expect_same_people(of_branch, *run.simulation, low);
  // Before it left its parent it shows the parent's frames.
  const Decoder early = rig.look(1, 2), parents = rig.look(0, 2);
  ASSERT_EQ(early.people.size(), parents.people.size());
  for (std::size_t i = 0; i < early.people.size(); ++i) EXPECT_EQ(early.people[i].x, parents.people[i].x);
  // The control: without the change people are elsewhere.
  const Decoder unchanged = rig.look(0, 15);
  std::size_t moved = 0;
  for (const test::Person& p : unchanged.people)
    for (const test::Person& q : of_branch.people)
      moved += p.number == q.number && std::abs(p.x - q.x) + std::abs(p.y - q.y) > 20;
  EXPECT_GT(moved, 50u);
  // What changed is among its events, with the outline of the door.
  bool has_edit = false;
  const Json described = branch->json();
  for (const Json& event : described["events"])
    has_edit = has_edit || (event.contains("edit") && event["edit"]["name"] == "near door" && event["time"] == 5.0 &&
                            event["edit"]["polygon"].is_array());
  EXPECT_TRUE(has_edit) << described["events"].dump();
  // And a branch of the branch.
  EXPECT_EQ(rig.get({{"do", "branch"},
                     {"branch", 1},
                     {"time", 8},
                     {"events", Json::array({{{"open_door", "near door"}}})}})["branch"]["parent"],
            1);
}

TEST(Studio, AChangeThatCannotBeIsRefusedWhereItIsWrong) {
  Rig rig;
  rig.get({{"do", "open"}, {"scene", "closing_door"}});
  const Json answer =
      rig.ask({{"do", "branch"}, {"branch", 0}, {"time", 0}, {"events", Json::array({{{"close_door", "no such door"}}})}});
  EXPECT_FALSE(answer["ok"].get<bool>());
  EXPECT_EQ(answer["problems"][0]["pointer"], "/events/0/close_door");
  EXPECT_EQ(rig.studio->document()->branches().size(), 1u);
}

TEST(Studio, AViewerThatDoesNotReadLosesFramesAndSeesTheRightOnesAfterwards) {
  Rig rig;
  const Json doc = rig.get({{"do", "open"}, {"scene", "bottleneck"}})["document"];
  const Vec2 low{doc["bounds"][0], doc["bounds"][1]};
  rig.compute(0, 10);
  rig.get({{"do", "view"}, {"branch", 0}, {"time", 0}, {"playing", true}, {"speed", 10}});
  ASSERT_TRUE(rig.link->wait([&] { return rig.link->frame_count > 3; }));
  rig.link->busy = true;
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const std::size_t stalled = rig.link->frame_count;
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(rig.link->frame_count, stalled);
  rig.link->busy = false;
  ASSERT_TRUE(rig.link->wait([&] { return rig.link->frame_count > stalled; }));
  rig.get({{"do", "view"}, {"playing", false}});
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const Decoder seen = rig.link->frame();
  EXPECT_FALSE(seen.is_key);  // a difference, over all that was lost
  PlainRun run(named("bottleneck"));
  run.go_to(seen.time);
  expect_same_people(seen, *run.simulation, low);
}

TEST(Studio, PlayingAtTheLiveEdgeMakesTheRunGoOnAndPausingLetsItRest) {
  Rig rig;
  rig.get({{"do", "open"}, {"scene", "bottleneck"}});
  const auto branch = rig.studio->document()->branch(0);
  EXPECT_EQ(branch->end_step(), 0u);
  rig.get({{"do", "view"}, {"branch", 0}, {"time", 0}, {"playing", true}, {"speed", 20}});
  ASSERT_TRUE(rig.link->wait([&] { return rig.link->decoder_unlocked().time > 5; }));
  rig.get({{"do", "view"}, {"playing", false}});
  // What was wanted ahead of who played is still computed; then nothing is, however often one looks.
  rig.wait_for_rest(0);
  const std::uint64_t rested = branch->end_step();
  for (int k = 0; k < 10; ++k) {
    rig.look(0, 0.1 * k);
    EXPECT_FALSE(branch->has_work());
  }
  EXPECT_EQ(branch->end_step(), rested);
  EXPECT_FALSE(rig.link->pushes("branch").empty());
  // The control: playing from the edge again, it goes on.
  const double edge = static_cast<double>(rested) * branch->dt();
  rig.get({{"do", "view"}, {"time", edge}, {"playing", true}, {"speed", 20}});
  EXPECT_TRUE(rig.link->wait([&] { return rig.link->decoder_unlocked().time > edge; }));
  EXPECT_GT(branch->end_step(), rested);
}

TEST(Studio, AnEditedScenarioRunsPeopleArriveAndTheSavedFileGivesTheSame) {
  Rig rig;
  Json scenario = rig.get({{"do", "open"}, {"scene", "bottleneck"}})["document"]["scenario"];
  scenario["populations"] = Json::array({{{"count", 20}, {"area", "room"}, {"plan", "leave"}}});
  scenario["scene"]["obstacles"] = Json::array({Json::array({{2, 4}, {3, 4}, {3, 5}, {2, 5}})});
  const Json doc = rig.get({{"do", "run"}, {"scenario", scenario}})["document"];
  EXPECT_EQ(doc["layers"][0]["walls"].size(), 1u);
  EXPECT_EQ(rig.look(0, 0).people.size(), 20u);
  rig.compute(0, 60);
  const Json all = whole(rig, {{"do", "compare"}, {"branches", {0}}})["branches"][0];
  EXPECT_EQ(all["arrived"], 20);
  EXPECT_EQ(all["people"], 20);
  const Json saved = rig.get({{"do", "save"}, {"path", "mine"}, {"scenario", scenario}});
  EXPECT_EQ(saved["path"], "mine.json");
  EXPECT_TRUE(saved["saved"].get<bool>());
  // A name that is taken: the file stays as it is, until somebody says so.
  Json other = scenario;
  other["name"] = "other";
  const auto kept = [&] {
    std::ifstream in(rig.folder.path() / "mine.json");
    return Json::parse(in)["name"] == scenario["name"];
  };
  EXPECT_FALSE(rig.get({{"do", "save"}, {"path", "mine.json"}, {"scenario", other}})["saved"].get<bool>());
  EXPECT_TRUE(kept());
  EXPECT_TRUE(rig.get({{"do", "save"}, {"path", "mine"}, {"scenario", other}, {"overwrite", true}})["saved"].get<bool>());
  EXPECT_FALSE(kept());
  EXPECT_TRUE(rig.get({{"do", "save"}, {"path", "mine"}, {"scenario", scenario}, {"overwrite", true}})["saved"].get<bool>());
  const Json listed = rig.get({{"do", "files"}, {"path", ""}})["files"];
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_EQ(listed[0]["kind"], "scenario");
  const Decoder before = rig.look(0, 3);
  rig.get({{"do", "open"}, {"path", "mine.json"}});
  rig.compute(0, 5);
  const Decoder after = rig.look(0, 3);
  ASSERT_EQ(before.people.size(), after.people.size());
  for (std::size_t i = 0; i < before.people.size(); ++i) {
    EXPECT_EQ(before.people[i].x, after.people[i].x);
    EXPECT_EQ(before.people[i].y, after.people[i].y);
  }
  for (const char* path : {"../mine.json", "/tmp/mine.json", "no/such/folder.json"})
    EXPECT_FALSE(rig.ask({{"do", "save"}, {"path", path}, {"scenario", scenario}})["ok"].get<bool>()) << path;
  EXPECT_FALSE(rig.ask({{"do", "open"}, {"path", "../../etc/passwd"}})["ok"].get<bool>());
  EXPECT_FALSE(rig.ask({{"do", "open"}, {"scene", "../scenes/bottleneck"}})["ok"].get<bool>());
}

TEST(Studio, ADraftIsOnDiskWhenItIsAnsweredAndAnotherProgramOpensIt) {
  test::TemporaryFolder folder;
  const auto in_folder = [&](StudioSettings& s) { s.folder = folder.path(); };
  Json edited;
  {
    Rig rig(in_folder);
    const Json opened = rig.get({{"do", "open"}, {"scene", "bottleneck"}})["document"];
    EXPECT_FALSE(opened["changed"].get<bool>());
    EXPECT_FALSE(opened["saved"].get<bool>()) << "a named scene is no file of the folder";
    EXPECT_EQ(opened["scene"], "bottleneck");
    edited = opened["scenario"];
    edited["plans"]["mine"] = {{"goals", {"outside"}}};
    rig.get(
        {{"do", "draft"}, {"draft", "20260101-abc"}, {"scenario", edited}, {"name", opened["name"]}, {"scene", "bottleneck"}});
    EXPECT_TRUE(std::filesystem::exists(folder.path() / ".throng-drafts/20260101-abc.json"));
    // A page that comes back: what it edited, and that it is no file.
    const Json again = rig.get({{"do", "hello"}})["document"];
    EXPECT_EQ(again["edited"], edited);
    EXPECT_TRUE(again["changed"].get<bool>());
    EXPECT_EQ(again["draft"]["id"], "20260101-abc");
    // What is run is still no file.
    const Json run = rig.get({{"do", "run"}, {"scenario", edited}})["document"];
    EXPECT_TRUE(run["changed"].get<bool>());
    EXPECT_FALSE(run["saved"].get<bool>());
    EXPECT_EQ(run["draft"]["id"], "20260101-abc");
  }
  Rig next(in_folder);
  const Json drafts = next.get({{"do", "drafts"}})["drafts"];
  ASSERT_EQ(drafts.size(), 1u);
  EXPECT_EQ(drafts[0]["scene"], "bottleneck");
  EXPECT_EQ(next.get({{"do", "open"}, {"draft", "20260101-abc"}})["document"]["scenario"]["plans"], edited["plans"]);
  // Saved, it is a file; the draft goes when the page says so.
  next.get({{"do", "save"}, {"path", "mine"}, {"scenario", edited}});
  next.get({{"do", "discard"}, {"draft", "20260101-abc"}});
  const Json saved = next.get({{"do", "hello"}})["document"];
  EXPECT_TRUE(saved["saved"].get<bool>());
  EXPECT_EQ(saved["path"], "mine.json");
  EXPECT_FALSE(saved.contains("draft"));
  EXPECT_TRUE(next.get({{"do", "drafts"}})["drafts"].empty());
  EXPECT_FALSE(next.ask({{"do", "open"}, {"draft", "20260101-abc"}})["ok"].get<bool>());
}

TEST(Studio, ADraftThatCannotRunIsOpenedWithItsMistakes) {
  Rig rig;
  Json edited = rig.get({{"do", "open"}, {"scene", "bottleneck"}})["document"]["scenario"];
  edited["populations"][0]["plan"] = "no such plan";
  rig.get({{"do", "draft"}, {"draft", "draft-001"}, {"scenario", edited}, {"name", "bottleneck"}});
  const Json document = rig.get({{"do", "open"}, {"draft", "draft-001"}})["document"];
  EXPECT_EQ(document["edited"], edited);
  EXPECT_EQ(document["layers"].size(), 1u);
  Json worse = edited;
  worse["scene"] = Json::array({1, 2});
  rig.get({{"do", "draft"}, {"draft", "draft-002"}, {"scenario", worse}, {"name", "bottleneck"}});
  EXPECT_EQ(rig.get({{"do", "open"}, {"draft", "draft-002"}})["document"]["edited"], worse);
}

TEST(Studio, DraftsLieInTheirFolderAloneAndHostileOnesAreProblems) {
  Rig rig;
  const Json scenario = {{"throng_scenario", 1}};
  for (const char* id : {"", "short", "../../mine", "a/b/c/d/e/f", "dots.and.dots", "0123456789012345678901234567890123456789x"})
    EXPECT_FALSE(rig.ask({{"do", "draft"}, {"draft", id}, {"scenario", scenario}})["ok"].get<bool>()) << id;
  EXPECT_TRUE(std::filesystem::is_empty(rig.folder.path()));
  const auto drafts = rig.folder.path() / ".throng-drafts";
  std::filesystem::create_directory(drafts);
  for (const auto& [name, text] :
       std::map<std::string, std::string>{{"broken-001.json", "{"},
                                          {"broken-002.json", "[]"},
                                          {"broken-003.json", R"({"throng_draft": 1, "scenario": 3, "at": "x"})"}})
    std::ofstream(drafts / name) << text;
  EXPECT_TRUE(rig.get({{"do", "drafts"}})["drafts"].empty());
  for (const char* id : {"broken-001", "broken-002", "broken-003", "nothing-there"})
    EXPECT_FALSE(rig.ask({{"do", "open"}, {"draft", id}})["ok"].get<bool>()) << id;
  // A link that leads out of the folder is not followed.
  test::TemporaryFolder elsewhere;
  std::filesystem::remove_all(drafts);
  std::filesystem::create_directory_symlink(elsewhere.path(), drafts);
  EXPECT_FALSE(rig.ask({{"do", "draft"}, {"draft", "draft-001"}, {"scenario", scenario}})["ok"].get<bool>());
  EXPECT_TRUE(std::filesystem::is_empty(elsewhere.path()));
}

TEST(Studio, ResultsAreWhatAPlainRunCounts) {
  Rig rig;
  rig.get({{"do", "open"}, {"scene", "bottleneck"}});
  rig.compute(0, 1e6);
  const Json results = whole(rig, {{"do", "results"}, {"branch", 0}});
  PlainRun run(named("bottleneck"));
  while (!run.simulation->is_done()) run.simulation->step();
  const Tally& tally = run.simulation->tally();
  ASSERT_GT(tally.arrived, 100u);
  EXPECT_TRUE(results["done"].get<bool>());
  EXPECT_EQ(results["people"], tally.people);
  EXPECT_EQ(results["arrived"], tally.arrived);
  EXPECT_EQ(results["was_lost"], tally.lost);
  EXPECT_EQ(results["lost"], 0);
  EXPECT_NEAR(results["last_arrival"].get<double>(), tally.last_arrival, 1e-3);
  EXPECT_NEAR(results["travel_time"]["high"].get<double>(),
              *std::max_element(tally.travel_times.begin(), tally.travel_times.end()), 1e-3);
  ASSERT_EQ(results["goals"].size(), 1u);
  EXPECT_EQ(results["goals"][0]["name"], "outside");
  EXPECT_EQ(results["goals"][0]["arrived"], tally.arrived);
  // A crowd before a door: more than two, and less than bodies allow.
  EXPECT_GT(results["peak"]["density"].get<double>(), 2);
  EXPECT_LT(results["peak"]["density"].get<double>(), 8);
}

TEST(Studio, ArrivalsAreCountedAtTheGoalsTheyAreAtLiveAndOfAFile) {
  Rig rig;
  const Json scenario = {
      {"throng_scenario", 1},
      {"name", "two ways"},
      {"scene", {{"throng_scene", 1}, {"walkable", {{{0, 0}, {40, 0}, {40, 6}, {0, 6}}}}}},
      {"areas", {{"left", {{"box", {0, 0, 2, 6}}}}, {"right", {{"box", {38, 0, 40, 6}}}}, {"middle", {{"box", {15, 0, 25, 6}}}}}},
      {"plans", {{"west", {{"goals", {"left"}}, {"end", "leave"}}}, {"east", {{"goals", {"right"}}, {"end", "stay"}}}}},
      {"populations",
       {{{"count", 7}, {"area", "middle"}, {"plan", "west"}}, {{"count", 4}, {"area", "middle"}, {"plan", "east"}}}},
      {"settings", {{"duration", 60}}}};
  rig.get({{"do", "run"}, {"scenario", scenario}});
  rig.compute(0, 1e6);
  const auto check = [&] {
    const Json results = whole(rig, {{"do", "results"}, {"branch", 0}});
    std::map<std::string, int> arrived;
    for (const Json& goal : results["goals"]) arrived[goal["name"]] = goal["arrived"];
    EXPECT_EQ(arrived, (std::map<std::string, int>{{"left", 7}, {"right", 4}}));
    const Json series = whole(rig, {{"do", "series"}, {"branch", 0}});
    std::map<std::string, int> last;
    for (const Json& goal : series["goals"]) last[goal["name"]] = static_cast<int>(goal["arrived"].back().get<double>());
    EXPECT_EQ(last, arrived);
  };
  check();
  const HttpAnswer exported = rig.fetch({"GET", "/api/export/recording", {{"branch", "0"}}, ""});
  ASSERT_EQ(exported.status, 200u);
  std::filesystem::copy_file(exported.file, rig.folder.path() / "run.throng");
  rig.get({{"do", "open"}, {"path", "run.throng"}});
  check();
}

TEST(Studio, AScenarioThatNamesAFileOutsideTheFolderIsRefused) {
  Rig rig;
  const Json scenario = {{"throng_scenario", 1}, {"scene", "../../../../etc/passwd"}};
  const Json answer = rig.ask({{"do", "run"}, {"scenario", scenario}});
  EXPECT_FALSE(answer["ok"].get<bool>());
  EXPECT_EQ(answer["problems"][0]["pointer"], "/scene");
}

TEST(Studio, CheckFindsWhatIsWrongAndWhere) {
  Rig rig;
  Json scenario = rig.get({{"do", "open"}, {"scene", "bottleneck"}})["document"]["scenario"];
  EXPECT_TRUE(rig.get({{"do", "check"}, {"scenario", scenario}})["problems"].empty());
  Json wrong = scenario;
  wrong["settings"]["dt"] = -1;
  wrong["populations"][0]["cuont"] = 3;
  const Json problems = rig.get({{"do", "check"}, {"scenario", wrong}})["problems"];
  ASSERT_EQ(problems.size(), 2u);
  std::set<std::string> pointers;
  for (const Json& p : problems) pointers.insert(p["pointer"].get<std::string>());
  EXPECT_EQ(pointers, (std::set<std::string>{"/settings/dt", "/populations/0/cuont"}));
  // A wall drawn twice is the doctor's: it has a place.
  Json doubled = scenario;
  const Json box = Json::array({{2, 4}, {3, 4}, {3, 5}, {2, 5}});
  doubled["scene"]["obstacles"] = Json::array({box, box});
  const Json found = rig.get({{"do", "check"}, {"scenario", doubled}})["problems"];
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0]["code"], "duplicate");
  EXPECT_TRUE(found[0]["place"].is_array());
}

TEST(Studio, SeriesAreWhatAPlainRunCounts) {
  Rig rig;
  rig.get({{"do", "open"}, {"scene", "bottleneck"}});
  rig.compute(0, 30);
  const Json series = whole(rig, {{"do", "series"}, {"branch", 0}});
  ASSERT_EQ(series["time"].size(), 301u);
  PlainRun run(named("bottleneck"));
  for (const std::size_t i : {0u, 100u, 300u}) {
    run.go_to(0.1 * static_cast<double>(i));
    EXPECT_EQ(series["present"][i], run.simulation->world().agent_count());
    EXPECT_EQ(series["arrived"][i], run.simulation->tally().arrived);
  }
  EXPECT_EQ(series["travel_times"].size(), run.simulation->tally().travel_times.size());
  // Everybody who crossed the line, from the area under the curve of the flow.
  std::size_t crossed = 0;
  for (const auto& line : run.simulation->tally().lines) crossed += line.size();
  ASSERT_EQ(series["lines"].size(), run.simulation->tally().lines.size());
  if (!series["lines"].empty()) {
    double sum = 0;
    for (const Json& flow : series["lines"][0]["flow"]) sum += 0.1 * flow.get<double>();
    EXPECT_NEAR(sum, static_cast<double>(crossed), 0.25 * static_cast<double>(crossed) + 2);
  }
  EXPECT_FALSE(series["phases"].empty());
  EXPECT_FALSE(series["areas"].empty());
}

TEST(Studio, WhoWalksThroughAPlaceIsCounted) {
  // 24 people in a row, half a metre apart, one after the other through a door of 1 m: nobody meets anybody.
  Json positions = Json::array(), goals = Json::array();
  for (int i = 0; i < 24; ++i) positions.push_back({12.5 - 0.5 * i, 5}), goals.push_back({30 - 0.5 * i, 5});
  const Json walls = Json::array({{{14, 0}, {14.5, 0}, {14.5, 4.5}, {14, 4.5}}, {{14, 5.5}, {14.5, 5.5}, {14.5, 10}, {14, 10}}});
  const Json scenario = {
      {"throng_scenario", 1},
      {"scene", {{"throng_scene", 1}, {"walkable", {{{0, 0}, {80, 0}, {80, 10}, {0, 10}}}}, {"obstacles", walls}}},
      {"kinds", {{"even", {{"base", "adult"}, {"preferred_speed", 1}}}}},
      {"populations", {{{"positions", positions}, {"goals", goals}, {"kinds", "even"}}}},
      {"measurements", {{"lines", {{"door", {{"from", {14.25, 4}}, {"to", {14.25, 6}}}}}}}},
      {"settings", {{"duration", 40}, {"stop_when_done", false}}}};
  Rig rig;
  rig.get({{"do", "run"}, {"scenario", scenario}});
  rig.compute(0, 40);
  const auto at = [&](double x, double time) {
    return whole(rig, {{"do", "place"}, {"branch", 0}, {"time", time}, {"x", x}, {"y", 5.2}});
  };
  Scenario read = std::move(*read_scenario(scenario.dump(), "row", [](const std::string&) { return Result<Scene>(Problem{}); }));
  PlainRun run(std::move(read));
  std::uint32_t through = 0;
  double crowd = 0;  // most who are within a metre of the line, on 2 m by 2 m
  for (int step = 1; step <= 400; ++step) {
    run.simulation->step();
    const World::Columns rows = run.simulation->world().columns();
    int near = 0;
    for (std::size_t i = 0; i < rows.x.size(); ++i) near += std::abs(rows.x[i] - 14.25) <= 1 && rows.y[i] >= 4 && rows.y[i] <= 6;
    crowd = std::max(crowd, near / 4.0);
  }
  for (const auto& line : run.simulation->tally().lines) through += static_cast<std::uint32_t>(line.size());
  EXPECT_EQ(through, 24u);
  const Json door = at(14.25, 40);
  EXPECT_NEAR(door["width"].get<double>(), 1, 0.005);
  EXPECT_EQ(door["passed"], through);
  EXPECT_EQ(door["flow"], 0);  // nobody any more
  EXPECT_EQ(door["curve"].size(), 134u);
  // While they pass: 1 m/s, half a metre apart; and the area under the curve is who passed.
  double passed = 0, before = -0.1, most = 0;
  for (const Json& entry : door["curve"]) {
    passed += entry[2].get<double>() * (entry[0].get<double>() - before);
    before = entry[0], most = std::max(most, entry[2].get<double>());
  }
  EXPECT_NEAR(passed, through, 1);
  EXPECT_NEAR(most, 2, 0.4);
  // The same line in the charts, and how many are near it.
  const Json series = whole(rig, {{"do", "series"}, {"branch", 0}});
  ASSERT_EQ(series["lines"].size(), 1u);
  double flow = 0, density = 0;
  for (const Json& value : series["lines"][0]["flow"]) flow = std::max(flow, value.get<double>());
  for (const Json& value : series["lines"][0]["density"]) density = std::max(density, value.get<double>());
  EXPECT_NEAR(flow, most, 0.1);
  EXPECT_NEAR(density, crowd, 0.26);  // one who stands on the border, to a centimetre
  EXPECT_GT(crowd, 0.9);
  // Two who look at different places do not begin anew for each other.
  const auto branch = rig.studio->document()->branch(0);
  at(14.25, 40), at(20, 40);
  const std::set<const void*> kept = {branch->place_counts[0].get(), branch->place_counts[1].get()};
  EXPECT_EQ(at(14.25, 40)["passed"], through);
  at(20, 40);
  EXPECT_EQ((std::set<const void*>{branch->place_counts[0].get(), branch->place_counts[1].get()}), kept);
  for (int i = 0; i < 40; ++i) at(30 + 0.5 * i, 40);
  EXPECT_EQ(branch->place_counts.size(), 16u);
  // On open ground the nearest walls are those of the hall; behind them nobody is counted.
  EXPECT_NEAR(at(40, 40)["width"].get<double>(), 10, 0.005);
  EXPECT_EQ(at(40, 40)["passed"], 0);
  // In a wall there is no way, but a density all the same.
  EXPECT_FALSE(whole(rig, {{"do", "place"}, {"branch", 0}, {"time", 3}, {"x", 14.2}, {"y", 1}}).contains("width"));
}

TEST(Studio, AFrameThatIsGlimpsedIsTheFrameOfItsWholeChunk) {
  Rig rig([](StudioSettings& s) { s.cache_bytes = 1; });  // one chunk at most
  rig.get({{"do", "open"}, {"scene", "bottleneck"}});
  rig.compute(0, 40);
  FrameStore& frames = rig.studio->document()->branch(0)->frames();
  std::vector<FramePointer> all;
  std::uint64_t next = 0;
  look_on(frames, next, CountingClock::now() + std::chrono::hours(1), [&](const FramePointer& frame) { all.push_back(frame); });
  ASSERT_EQ(all.size(), 401u);
  // From chunk to chunk, so that each look is the first at its chunk; then once more beside it, which is the second.
  std::size_t looks = 0;
  for (const std::uint64_t number : {3u, 130u, 0u, 255u, 64u, 200u, 1u, 128u, 70u, 2u, 191u, 63u})
    for (const std::uint64_t beside : {number, number + 1}) {
      const auto frame = frames.at(beside);
      ASSERT_TRUE(frame);
      EXPECT_EQ((*frame)->step, all[beside]->step);
      EXPECT_EQ((*frame)->rows, all[beside]->rows) << "frame " << beside;  // speeds and all
      looks += std::any_of((*frame)->rows.begin(), (*frame)->rows.end(), [](const FrameRow& row) { return row.speed > 0; });
    }
  EXPECT_EQ(looks, 24u);
}

TEST(Studio, LongRunsAreCountedInSlicesAndTheCacheKeepsWhatIsLookedAt) {
  Rig rig([](StudioSettings& s) { s.cache_bytes = 1; });  // one chunk at most
  rig.get({{"do", "open"}, {"scene", "bottleneck"}});
  rig.compute(0, 60);
  FrameStore& frames = rig.studio->document()->branch(0)->frames();
  ASSERT_TRUE(frames.at(3));
  const auto looked_at = frames.at(3);  // the second look: all of the chunk
  ASSERT_TRUE(looked_at);
  const auto long_ago = CountingClock::now() - std::chrono::seconds(1);
  std::uint64_t next = 0, seen = 0, rounds = 0;
  for (bool is_done = false; !is_done && rounds < 1000; ++rounds) {
    const std::uint64_t before = seen;
    is_done = look_on(frames, next, long_ago, [&](const FramePointer& frame) { EXPECT_EQ(frame->step, seen++); });
    EXPECT_EQ(next, seen);
    EXPECT_GT(seen, before);
    EXPECT_LE(seen - before, RecordingWriter::kFramesPerChunk);
  }
  EXPECT_EQ(seen, frames.frame_count());
  EXPECT_GT(rounds, 3u);
  // The very same frame: it was not read anew.
  EXPECT_EQ(frames.at(3)->get(), looked_at->get());
  std::uint64_t again = 0;
  EXPECT_TRUE(look_on(frames, again, CountingClock::now() + std::chrono::hours(1), [](const FramePointer&) {}));
  EXPECT_EQ(again, frames.frame_count());
}

TEST(Studio, APersonAndAPlaceCanBeAskedAbout) {
  Rig rig;
  rig.get({{"do", "open"}, {"scene", "bottleneck"}});
  rig.compute(0, 10);
  const Json seen = rig.get({{"do", "inspect"}, {"branch", 0}, {"time", 1.5}, {"agent", 5}})["agent"];
  PlainRun run(named("bottleneck"));
  run.go_to(1.5);
  const AgentId id = run.simulation->id_of(5);
  EXPECT_NEAR(seen["x"].get<double>(), run.simulation->world().position(id).x, 1e-3);
  EXPECT_NEAR(seen["speed"].get<double>(), length(run.simulation->world().velocity(id)), 1e-3);
  EXPECT_EQ(seen["activity"], "walking");
  EXPECT_EQ(seen["goal"], "outside");
  EXPECT_EQ(seen["plan"][0]["goal"], "outside");
  // The way ahead leads from where it stands to its goal, through the door, hardly longer than the shortest one there is.
  const auto place_in = [](const Json& p) { return Vec2{p[0].get<double>(), p[1].get<double>()}; };
  for (const std::uint32_t number : {5u, 17u, 80u, 111u}) {
    const Json one = rig.get({{"do", "inspect"}, {"branch", 0}, {"time", 1.5}, {"agent", number}})["agent"];
    const Json& way = one["corridor"];
    ASSERT_GE(way.size(), 2u);
    const Vec2 here = run.simulation->world().position(run.simulation->id_of(number)), goal = place_in(one["goal_place"]);
    EXPECT_LT(distance(place_in(way.front()), here), 2e-3);
    EXPECT_LT(distance(place_in(way.back()), goal), 2e-3);
    double sum = 0;
    bool leads_through_the_door = false;
    for (std::size_t i = 1; i < way.size(); ++i) {
      const Vec2 a = place_in(way[i - 1]), b = place_in(way[i]);
      sum += distance(a, b);
      const double x = a.y == b.y ? a.x : a.x + (10.1 - a.y) / (b.y - a.y) * (b.x - a.x);
      leads_through_the_door = leads_through_the_door || ((a.y < 10.1) != (b.y < 10.1) && std::abs(x - 4) < 0.6);
    }
    EXPECT_TRUE(leads_through_the_door) << number;
    EXPECT_NEAR(sum, one["distance_to_goal"].get<double>(), 0.02);
    const auto shortest = run.navigation->plan({.from = here, .to = goal, .radius = 0.19, .planner = Planner::kShortest});
    ASSERT_TRUE(shortest);
    EXPECT_GT(sum, shortest->length - 0.02);
    EXPECT_LT(sum, 1.03 * shortest->length + 0.05);
    ASSERT_FALSE(one["portals"].empty());
    for (const Json& portal : one["portals"]) {
      bool is_crossed = false;
      for (std::size_t i = 1; i < way.size(); ++i)
        is_crossed = is_crossed || test_scenes::distance_of_segments(place_in(portal[0]), place_in(portal[1]),
                                                                     place_in(way[i - 1]), place_in(way[i])) < 0.01;
      EXPECT_TRUE(is_crossed) << number << ' ' << portal;
    }
  }
  EXPECT_FALSE(rig.ask({{"do", "inspect"}, {"branch", 0}, {"time", 1.5}, {"agent", 4711}})["ok"].get<bool>());
  const Json place = rig.get({{"do", "place"}, {"branch", 0}, {"time", 1.5}, {"x", 3.8}, {"y", 10.1}, {"layer", 0}});
  EXPECT_NEAR(place["width"].get<double>(), 1.2, 0.01);  // the door, wherever one stands in it
  EXPECT_NEAR(place["clearance"].get<double>(), 0.4, 0.01);
  EXPECT_TRUE(place["cell"].is_number());
  EXPECT_TRUE(rig.get({{"do", "place"}, {"branch", 0}, {"time", 0}, {"x", 1}, {"y", 10.1}})["cell"].is_null());
}

/// Counts what a picture is made of.
struct Counter : DrawStream {
  std::size_t count = 0;
  bool is_ground = false;
  void begin_layer(std::string_view name) override { is_ground = name == "ground" || name == "solid"; }
  void polyline(std::span<const Vec2>, Pen) override { count += !is_ground; }
  void polygon(std::span<const std::span<const Vec2>>, Color) override { count += !is_ground; }
  void disc(Vec2, double, Color) override { count += !is_ground; }
  void text(Vec2, std::string_view, double, Color) override { count += !is_ground; }
};

TEST(Studio, OverlaysHoldWhatTheDrawingFunctionsDraw) {
  Rig rig;
  rig.get({{"do", "open"}, {"scene", "station_square"}});
  rig.compute(0, 3);
  const auto document = rig.studio->document();
  const double pixel = std::max(document->high().x - document->low().x, document->high().y - document->low().y) / 1600;
  CellsPicture picture{.fill = CellsPicture::kCells, .portals = true, .bottlenecks = false, .roadmap = false, .walls = false};
  picture.solid = false;
  picture.pixel = pixel;
  Counter counter;
  draw_cells(counter, document->navigation()->data().cells, picture);
  const Json cells = rig.get({{"do", "overlay"}, {"name", "cells"}, {"layer", 0}, {"branch", 0}, {"time", 2}});
  EXPECT_EQ(cells["count"], counter.count);
  for (const char* name :
       {"cells", "portals", "topology", "zones", "roadmap", "walls", "discs", "visibility", "flows", "load", "potential",
        "density_field", "speed_field", "velocity_field", "neighbours", "personal_space", "regions", "trails", "density"}) {
    const Json drawn = rig.get({{"do", "overlay"}, {"name", name}, {"layer", 0}, {"branch", 0}, {"time", 2}, {"agent", 3}});
    std::size_t items = 0;
    for (const Json& layer : drawn["layers"]) items += layer["items"].size();
    EXPECT_EQ(drawn["count"], items) << name;
    EXPECT_GT(items, 0u) << name;
    EXPECT_FALSE(drawn["legend"].empty()) << name;
  }
  EXPECT_FALSE(rig.ask({{"do", "overlay"}, {"name", "nonsense"}})["ok"].get<bool>());
  EXPECT_FALSE(rig.ask({{"do", "overlay"}, {"name", "cells"}, {"layer", 9}})["ok"].get<bool>());
}

TEST(Studio, AVisitorWalksInTheCrowdAndLeavesIt) {
  Rig rig;
  const Json doc = rig.get({{"do", "open"}, {"scene", "bottleneck"}})["document"];
  const double low_x = doc["bounds"][0], low_y = doc["bounds"][1];
  rig.compute(0, 1);
  rig.get({{"do", "walk"}, {"branch", 0}, {"x", 4}, {"y", 12.5}, {"layer", 0}, {"vx", 1}, {"vy", 0}});
  rig.compute(0, 2);
  const auto number = rig.get({{"do", "walk"}, {"branch", 0}, {"vx", 1}, {"vy", 0}})["agent"].get<std::uint32_t>();
  ASSERT_GT(number, 0u);
  const Decoder seen = rig.look(0, 2);
  std::size_t found = 0;
  for (const test::Person& p : seen.people)
    if (p.number == number) {
      ++found;
      EXPECT_NEAR(0.01 * p.x + low_x, 5, 0.15);
      EXPECT_NEAR(0.01 * p.y + low_y, 12.5, 0.3);
    }
  EXPECT_EQ(found, 1u);
  rig.compute(0, 30);  // into the wall: it stays inside
  for (const test::Person& p : rig.look(0, 30).people)
    if (p.number == number) {
      EXPECT_LT(0.01 * p.x + low_x, 7.82);
    }
  EXPECT_TRUE(rig.studio->document()->branch(0)->json()["visited"].get<bool>());
  rig.get({{"do", "walk"}, {"branch", 0}, {"leave", true}});
  rig.compute(0, 31);
  for (const test::Person& p : rig.look(0, 31).people) EXPECT_NE(p.number, number);
}

TEST(Studio, ABakeCanBeCancelledAndTheDocumentStaysWhatItWas) {
  Rig rig;
  rig.get({{"do", "open"}, {"scene", "bottleneck"}});
  const auto id = rig.send({{"do", "open"}, {"scene", "city:400"}});
  rig.get({{"do", "cancel"}});
  const Json answer = rig.link->answer(id);
  EXPECT_FALSE(answer["ok"].get<bool>());
  EXPECT_EQ(answer["problems"][0]["what"], "cancelled");
  EXPECT_EQ(rig.get({{"do", "hello"}})["document"]["name"], "bottleneck");
  EXPECT_TRUE(rig.get({{"do", "open"}, {"scene", "office"}})["ok"].get<bool>());
}

TEST(Studio, WhileItBakesItStillAnswers) {
  Rig rig;
  const auto id = rig.send({{"do", "open"}, {"scene", "city:800"}});
  // Answered by the thread that asks: before the bake is done, or it would not matter that it takes long.
  EXPECT_TRUE(rig.get({{"do", "hello"}})["ok"].get<bool>());
  EXPECT_TRUE(rig.link->answer(id)["ok"].get<bool>());
  EXPECT_FALSE(rig.link->pushes("progress").empty());
}

TEST(Studio, ARecordingOfTheCommandLineAndOneOfAnotherToolAreShown) {
  Rig rig;
  rig.get({{"do", "open"}, {"scene", "bottleneck"}});
  rig.compute(0, 12);
  const HttpAnswer exported = rig.fetch({"GET", "/api/export/recording", {{"branch", "0"}}, ""});
  ASSERT_EQ(exported.status, 200u);
  const auto file = rig.folder.path() / "run.throng";
  std::filesystem::copy_file(exported.file, file);
  const Decoder live = rig.look(0, 7.3);
  const Json doc = rig.get({{"do", "open"}, {"path", "run.throng"}})["document"];
  EXPECT_EQ(doc["kind"], "recording");
  EXPECT_NEAR(doc["branches"][0]["end"].get<double>(), 12, 1e-9);
  const Decoder stored = rig.look(0, 7.3);
  ASSERT_EQ(live.people.size(), stored.people.size());
  for (std::size_t i = 0; i < live.people.size(); ++i) EXPECT_EQ(live.people[i].x, stored.people[i].x);
  // Goals, models and levels are not in the file: they are found by running it again, and shown then.
  const auto is_whole = [&](const Decoder& seen) {
    for (std::size_t i = 0; i < live.people.size(); ++i)
      if (seen.people[i].goal != live.people[i].goal || seen.people[i].model != live.people[i].model ||
          seen.people[i].level != live.people[i].level)
        return false;
    return true;
  };
  EXPECT_NE(live.people[0].goal, kNoGoal);
  EXPECT_TRUE(rig.link->wait([&] {
    const Decoder& seen = rig.link->decoder_unlocked();
    return seen.people.size() == live.people.size() && std::abs(seen.time - live.time) < 1e-9 && is_whole(seen);
  }));
  // It can be branched: recomputed from its snapshots.
  rig.get({{"do", "branch"}, {"branch", 0}, {"time", 6}, {"events", Json::array({{{"scale_speed", 0.5}}})}});
  rig.compute(1, 8);
  EXPECT_EQ(whole(rig, {{"do", "series"}, {"branch", 0}})["present"][0], 150);

  const auto read = read_trajectory(file.string());
  ASSERT_TRUE(read);
  ASSERT_FALSE(write_trajectory(read->trajectory, (rig.folder.path() / "run.sqlite").string()));
  rig.get({{"do", "open"}, {"path", "run.sqlite"}});
  const Decoder foreign = rig.look(0, 7.3);
  EXPECT_EQ(foreign.people.size(), live.people.size());
  EXPECT_FALSE(rig.ask({{"do", "branch"}, {"branch", 0}, {"time", 6}, {"events", Json::array()}})["ok"].get<bool>());
  std::ofstream(rig.folder.path() / "broken.throng") << "this is not one";
  EXPECT_FALSE(rig.ask({{"do", "open"}, {"path", "broken.throng"}})["ok"].get<bool>());
}

std::string from_base64(const std::string& text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int six = c >= 'A' && c <= 'Z'   ? c - 'A'
                    : c >= 'a' && c <= 'z' ? c - 'a' + 26
                    : c >= '0' && c <= '9' ? c - '0' + 52
                    : c == '+'             ? 62
                                           : 63;
    bits = bits << 6 | static_cast<std::uint32_t>(six);
    if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255);
  }
  return bytes;
}

/// What a page that plays by itself shows, frame after frame.
std::vector<Decoder> frames_of_page(const std::filesystem::path& file) {
  std::ifstream in(file);
  const std::string html{std::istreambuf_iterator<char>(in), {}};
  const std::string begin = "window.THRONG_EMBEDDED=";
  const std::size_t from = html.find(begin);
  if (from == std::string::npos) return {};
  const std::size_t to = html.find("</script>", from);
  const Json data = Json::parse(html.substr(from + begin.size(), to - from - begin.size()));
  const std::string bytes = from_base64(data["frames"].get<std::string>());
  std::vector<Decoder> frames;
  Decoder decoder;
  for (std::size_t at = 0; at + 4 <= bytes.size();) {
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data() + at, 4);
    decoder.apply(std::string_view(bytes).substr(at + 4, size));
    frames.push_back(decoder);
    at += 4 + size;
  }
  return frames;
}

TEST(Studio, APageOfAnOpenedRecordingShowsTheGoalsModelsLevelsAndVehiclesThatOneOfTheLiveRunShows) {
  test::TemporaryFolder page;
  std::filesystem::create_directory(page.path() / "assets");
  std::ofstream(page.path() / "index.html")
      << "<!doctype html><link rel=\"stylesheet\" href=\"x\"><script type=\"module\" src=\"y\"></script>";
  std::ofstream(page.path() / "assets/studio.js") << "let x = 1";
  std::ofstream(page.path() / "assets/studio.css") << "body {}";
  Rig rig([&](StudioSettings& s) { s.page = page.path(); });
  const auto shared = [&](const std::string& what) {
    const HttpAnswer answer = rig.fetch({"GET", "/api/export/" + what, {{"branch", "0"}}, ""});
    EXPECT_EQ(answer.status, 200u) << answer.body;
    return answer.file;
  };
  rig.get({{"do", "open"}, {"scene", "station_square"}});
  rig.compute(0, 12);
  const std::vector<Decoder> live = frames_of_page(shared("html"));
  ASSERT_EQ(live.size(), 121u);
  std::filesystem::copy_file(shared("recording"), rig.folder.path() / "run.throng");

  rig.get({{"do", "open"}, {"path", "run.throng"}});
  // The control: the file itself has none of it. (Nobody looked at this moment, which would have it run again.)
  const auto bare = rig.studio->document()->branch(0)->frame(100);
  ASSERT_TRUE(bare);
  ASSERT_FALSE((*bare)->has_marks);
  for (const FrameRow& row : (*bare)->rows) ASSERT_EQ(row.goal, kNoGoal);
  const std::vector<Decoder> opened = frames_of_page(shared("html"));
  ASSERT_EQ(opened.size(), live.size());
  std::set<std::uint16_t> goals;
  bool has_levels = false, has_cars = false;
  for (std::size_t f = 0; f < live.size(); ++f) {
    ASSERT_EQ(opened[f].step, live[f].step);
    ASSERT_EQ(opened[f].people.size(), live[f].people.size());
    for (std::size_t i = 0; i < live[f].people.size(); ++i) {
      const test::Person &a = opened[f].people[i], &b = live[f].people[i];
      ASSERT_EQ(std::tie(a.number, a.x, a.y, a.goal, a.model, a.level), std::tie(b.number, b.x, b.y, b.goal, b.model, b.level))
          << "frame " << f << " person " << b.number;
      goals.insert(b.goal);
      has_levels = has_levels || b.level != 0;
    }
    ASSERT_EQ(opened[f].cars.size(), live[f].cars.size());
    for (std::size_t c = 0; c < live[f].cars.size(); ++c) ASSERT_EQ(opened[f].cars[c].x, live[f].cars[c].x);
    has_cars = has_cars || !live[f].cars.empty();
  }
  EXPECT_GT(goals.size(), 2u);
  EXPECT_TRUE(has_levels);
  EXPECT_TRUE(has_cars);

  // Another tool's file has no scenario: its page has everybody, and no goals.
  const auto read = read_trajectory((rig.folder.path() / "run.throng").string());
  ASSERT_TRUE(read);
  ASSERT_FALSE(write_trajectory(read->trajectory, (rig.folder.path() / "run.sqlite").string()));
  rig.get({{"do", "open"}, {"path", "run.sqlite"}});
  const std::vector<Decoder> foreign = frames_of_page(shared("html"));
  ASSERT_EQ(foreign.size(), live.size());
  EXPECT_EQ(foreign.back().people.size(), live.back().people.size());
  for (const test::Person& person : foreign.back().people) EXPECT_EQ(person.goal, kNoGoal);
}

TEST(Studio, AnUploadedFileOfAnyKindIsOpenedAndABrokenOneSaysWhatIsWrong) {
  Rig rig;
  const auto upload = [&](const std::string& name, const std::string& body) {
    return rig.fetch({"POST", "/api/upload", {{"name", name}}, body});
  };
  const HttpAnswer opened = upload("my room.wkt", "POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0))");
  EXPECT_EQ(opened.status, 200u) << opened.body;
  EXPECT_EQ(Json::parse(opened.body)["document"]["kind"], "scene");
  EXPECT_EQ(Json::parse(opened.body)["document"]["name"], "my room");
  const HttpAnswer broken = upload("x.geojson", "{\"type\": \"FeatureCollection\", \"features\": 3}");
  EXPECT_EQ(broken.status, 400u);
  EXPECT_FALSE(Json::parse(broken.body)["problems"].empty());
  EXPECT_EQ(broken.body.find("/tmp"), std::string::npos) << "paths of this machine are nobody's business";
  EXPECT_EQ(upload("../../x", "y").status, 400u);
  EXPECT_EQ(upload("../../escaped.wkt", "POLYGON ((0 0, 2 0, 2 1, 0 1, 0 0))").status, 200u);
  EXPECT_FALSE(std::filesystem::exists(rig.folder.path().parent_path() / "escaped.wkt"));
}

TEST(Studio, AViewerThatTalksTooMuchIsToldAndClosed) {
  Rig rig([](StudioSettings& s) { s.messages_per_second = 1, s.message_burst = 20; });
  for (int i = 0; i < 40; ++i) rig.send({{"do", "hello"}});
  EXPECT_TRUE(rig.link->wait([&] { return rig.link->close_code != 0; }));
  EXPECT_EQ(rig.link->close_code, 1008u);
}

TEST(Studio, NoMoreViewersThanAllowedAndANewOneWhenOneLeaves) {
  Rig rig([](StudioSettings& s) { s.most_viewers = 2; });
  const auto second = rig.studio->add_viewer(std::make_shared<test::FakeLink>());
  ASSERT_TRUE(second);
  EXPECT_FALSE(rig.studio->add_viewer(std::make_shared<test::FakeLink>()));
  rig.studio->remove_viewer(*second);
  EXPECT_TRUE(rig.studio->add_viewer(std::make_shared<test::FakeLink>()));
}

TEST(Studio, QuestionsBeforeAnythingIsOpenAreProblems) {
  Rig rig;
  for (const char* verb : {"view", "compute", "stop", "series", "overlay", "walk"})
    EXPECT_FALSE(rig.ask({{"do", verb}})["ok"].get<bool>()) << verb;
  EXPECT_FALSE(rig.ask({{"do", "inspect"}, {"agent", 1}})["ok"].get<bool>());
  EXPECT_FALSE(rig.ask({{"do", "compare"}, {"branches", {0}}})["ok"].get<bool>());
  EXPECT_TRUE(rig.get({{"do", "hello"}})["document"].is_null());
}

TEST(Studio, AllViewersSeeTheSameDocumentThroughCursorsOfTheirOwn) {
  Rig rig;
  const auto other = std::make_shared<test::FakeLink>();
  const auto number = rig.studio->add_viewer(other).value();
  rig.get({{"do", "open"}, {"scene", "bottleneck"}});
  EXPECT_TRUE(other->wait([&] { return true; }));
  rig.compute(0, 5);
  rig.studio->receive(number, R"({"id": 1, "do": "view", "branch": 0, "time": 4})");
  EXPECT_TRUE(other->wait([&] { return other->frame_count > 0; }));
  EXPECT_NEAR(other->frame().time, 4, 1e-9);
  EXPECT_EQ(other->pushes("document").size(), 1u);
  EXPECT_NEAR(rig.look(0, 2).time, 2, 1e-9);
  EXPECT_NEAR(other->frame().time, 4, 1e-9);
}

TEST(Studio, BranchesThatNobodyUsesGiveUpTheirSimulationAndGoOnAsIfTheyHadNot) {
  Rig rig([](StudioSettings& settings) { settings.most_simulations = 1; });
  rig.get({{"do", "open"}, {"scene", "closing_door"}});
  rig.compute(0, 14.3);
  const auto first = rig.studio->document()->branch(0);
  EXPECT_TRUE(first->is_awake());
  rig.get({{"do", "branch"}, {"branch", 0}, {"time", 3}, {"events", Json::array()}});
  const auto second = rig.studio->document()->branch(1);
  rig.compute(1, 6);
  for (int i = 0; i < 3000 && first->is_awake(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(first->is_awake());
  EXPECT_TRUE(second->is_awake());
  // It is shown as before, and goes on where it was; what it saw before and after is what a plain run has.
  PlainRun run(named("closing_door"));
  run.go_to(14.3);
  const Vec2 low = rig.studio->document()->low() - rig.studio->document()->origin();
  expect_same_people(rig.look(0, 14.3), *run.simulation, low);
  rig.compute(0, 30);
  run.go_to(30);
  EXPECT_TRUE(first->is_awake());
  expect_same_people(rig.look(0, 30), *run.simulation, low);
  const Json series = whole(rig, {{"do", "series"}, {"branch", 0}});
  EXPECT_EQ(series["arrived"].back().get<std::uint64_t>(), run.simulation->tally().arrived);
  EXPECT_EQ(series["travel_times"].size(), run.simulation->tally().travel_times.size());
  // Its events are noted once.
  std::multiset<std::string> words;
  const Json state = first->json();
  for (const Json& event : state["events"]) words.insert(event["words"].get<std::string>());
  for (const std::string& one : words) {
    if (one.find("closes") == std::string::npos) continue;
    EXPECT_EQ(words.count(one), 1u) << one;
  }
  for (int i = 0; i < 3000 && second->is_awake(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(second->is_awake());
}

TEST(Studio, NothingIsComputedOnceTemporaryRecordingsTakeAllTheRoomTheyMay) {
  Rig rig([](StudioSettings& settings) { settings.most_disk_bytes = 200'000; });
  const Json endless = {{"throng_scenario", 1},
                        {"scene", {{"throng_scene", 1}, {"walkable", {{{0, 0}, {40, 0}, {40, 40}, {0, 40}}}}}},
                        {"plans", {{"stroll", {{"goals", Json::array({{{"point", {20, 20}}}})}, {"end", "wander"}}}}},
                        {"populations", {{{"count", 200}, {"plan", "stroll"}}}},
                        {"settings", {{"duration", 1e6}, {"stop_when_done", false}}}};
  rig.get({{"do", "run"}, {"scenario", endless}});
  rig.get({{"do", "compute"}, {"branch", 0}, {"to", 1e5}});
  auto branch = rig.studio->document()->branch(0);
  EXPECT_TRUE(rig.link->wait([&] {
    for (const Json& push : rig.link->texts_unlocked())
      if (push.value("push", "") == "problem" && push["problems"][0]["where"] == "temporary recordings") return true;
    return false;
  }));
  for (int i = 0; i < 1000 && branch->has_work(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(branch->has_work());
  EXPECT_FALSE(branch->is_done());
  EXPECT_FALSE(rig.ask({{"do", "branch"}, {"branch", 0}, {"time", 1}, {"events", Json::array()}})["ok"].get<bool>());
  // What there is can be looked at, and another document makes room.
  EXPECT_FALSE(rig.look(0, 1).people.empty());
  branch.reset();
  rig.get({{"do", "open"}, {"scene", "bottleneck"}});
  const auto next = rig.studio->document()->branch(0);
  for (int i = 0; i < 300 && next->end_step() < 5; ++i) {
    rig.get({{"do", "compute"}, {"branch", 0}, {"to", 1}});
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_GE(next->end_step(), 5u);
}

TEST(Studio, DecodedFramesTakeNoMoreMemoryThanTheyMay) {
  constexpr std::size_t kMost = 600'000;
  auto cache = std::make_shared<ChunkCache>(kMost);
  for (std::uint64_t chunk = 0; chunk < 50; ++chunk) {
    auto frames = std::make_shared<std::vector<FramePointer>>();
    auto frame = std::make_shared<Frame>();
    frame->rows.resize(1000);
    for (int i = 0; i < 4; ++i) frames->push_back(frame);
    cache->add({&cache, chunk}, frames);
    EXPECT_LE(cache->bytes(), kMost);
  }
  EXPECT_TRUE(cache->find({&cache, 49}));
  EXPECT_FALSE(cache->find({&cache, 0}));
}

}  // namespace
}  // namespace throng::server
