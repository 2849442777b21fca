// SPDX-License-Identifier: MIT
// "Why?" of a recording, held against a second reading of the rule table that knows nothing of the engine's.
#include "scenario/why.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>

#include "scenario/record.hpp"
#include "scenario/simulation.hpp"
#include "trajectory/recording.hpp"

namespace throng {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kIsSlow = true;
#else
constexpr bool kIsSlow = false;
#endif

constexpr const char* kCrossing = R"({
  "throng_scenario": 1,
  "name": "two hundred",
  "scene": {"throng_scene": 1, "walkable": [[[0, 0], [40, 0], [40, 20], [0, 20]]],
            "obstacles": [[[18, 8], [22, 8], [22, 12], [18, 12]]]},
  "areas": {"west": {"box": [1, 1, 8, 19]}, "east": {"box": [32, 1, 39, 19]}},
  "plans": {"there": {"goals": ["east", "west"], "end": "loop"}, "back": {"goals": ["west", "east"], "end": "loop"}},
  "populations": [
    {"count": 100, "area": "west", "plan": "there", "model": "MODEL"},
    {"count": 100, "area": "east", "plan": "back", "model": "MODEL"}
  ],
  "settings": {"duration": 30, "seed": 5}
})";

/// Runs the crossing and writes a recording with a frame and a snapshot every so many steps.
std::string record(const std::string& model, std::uint32_t frame_every = 1, std::uint64_t snapshot_every = 10) {
  std::string text = kCrossing;
  for (std::size_t at; (at = text.find("MODEL")) != std::string::npos;) text.replace(at, 5, model);
  const auto scenario = read_scenario(text, "crossing.json", open_scenes_from("."));
  EXPECT_TRUE(scenario) << to_string(scenario.problems()[0]);
  if (!scenario) return {};
  const auto navigation = Navigation::bake(scenario->scene);
  auto simulation = Simulation::create(*scenario, *navigation, 1);
  EXPECT_TRUE(simulation);
  const RecordingHeader header = recording_header(*simulation, frame_every, "test");
  const std::string file = (std::filesystem::path(::testing::TempDir()) / ("why_" + model + "_" + std::to_string(::getpid()) + ".throng")).string();
  auto writer = RecordingWriter::create(file, header);
  EXPECT_TRUE(writer);
  WorldFrame frame;
  const auto note = [&] {
    const World& world = simulation->world();
    if (world.steps() % snapshot_every == 0) {
      EXPECT_FALSE(writer->add_snapshot(world.steps(), simulation->snapshot()));
    }
    if (world.steps() % frame_every == 0) EXPECT_FALSE(writer->add_frame(frame.of(world)));
  };
  note();
  while (!simulation->is_done()) simulation->step(), note();
  EXPECT_FALSE(writer->finish("{}"));
  return file;
}

TEST(Why, answers_for_every_agent_in_every_model_that_explains_itself) {
  for (const char* model : {"rules", "reactive", "short_term"}) {
    const std::string file = record(model);
    ASSERT_FALSE(file.empty());
    auto replay = Replay::open(file, 1);
    ASSERT_TRUE(replay) << to_string(replay.problems()[0]);
    int asked = 0, met = 0;
    for (double time = 3; time < 30; time += kIsSlow ? 13 : 4) {
      for (std::uint32_t number = 1; number <= 200; ++number) {
        const auto why = why_at(*replay, number, time);
        ASSERT_TRUE(why) << to_string(why.problems()[0]);
        ++asked;
        EXPECT_EQ(why->number, number);
        EXPECT_NEAR(why->time, time, 1e-6);
        met += !why->meetings.empty() || (why->rules && why->rules->met);
        EXPECT_EQ(why->rules.has_value(), std::string(model) == "rules");
        EXPECT_GE(lines_of(*why).size(), 2u);
        EXPECT_EQ(json_of(*why)["number"], number);
      }
    }
    EXPECT_GE(asked, 400);
    EXPECT_GT(met, asked / 50) << model;
    std::remove(file.c_str());
  }
}

// --- the table, read a second time ------------------------------------------------------------------------------------------

/// ALGORITHMS §3.5, entries "agent 1 / agent 2".
const std::map<std::string, std::vector<std::string>> kTable = {
    {"toward 1", {"F/R", "F/L", "R/F", "L/F", "F/wait"}},
    {"toward 2", {"F/R", "F/L", "R/F", "L/F", "wait/wait"}},
    {"away 2", {"F/OR", "F/OL", "F/slow"}},
    {"glancing 1", {"F/R", "F/L", "R/F", "L/F", "F/wait"}},
    {"glancing 2", {"F/R", "F/L", "R/F", "L/F", "wait/wait"}},
    {"away 1", {"F/R", "F/L", "R/F", "L/F", "F/wait"}},
};

/// Whether a displacement in tiles is the move, for somebody who wanted to go to `want`.
bool is_move(const std::string& move, std::array<int, 2> want, std::array<int, 2> done) {
  const double heading = std::atan2(want[1], want[0]);
  const bool stays = done[0] == 0 && done[1] == 0;
  if (move == "wait" || move == "slow") return stays;
  if (move == "F") return done == want;
  if (stays) return false;
  double turn = std::remainder(std::atan2(done[1], done[0]) - heading, 2 * 3.14159265358979);
  turn *= 4 / 3.14159265358979;  // in eighths of a circle, to the left
  const bool is_right = move == "R" || move == "OR";
  const double eighths = is_right ? -turn : turn;
  return std::abs(eighths - 1) < 0.01 || (move.size() == 1 && std::abs(eighths - 2) < 0.01);
}

std::array<int, 2> tiles(Vec2 from, Vec2 to) {
  return {static_cast<int>(std::lround((to.x - from.x) / 0.5)), static_cast<int>(std::lround((to.y - from.y) / 0.5))};
}

TEST(Why, answers_for_everybody_at_every_recorded_step_with_the_first_possible_row_which_was_done) {
  constexpr int kFrameEvery = 3;
  const std::string file = record("rules", kFrameEvery, kFrameEvery);
  ASSERT_FALSE(file.empty());
  auto replay = Replay::open(file, 1);
  ASSERT_TRUE(replay);
  int decisions = 0, pairs = 0;
  const double dt = replay->world().settings().dt;
  const int steps = static_cast<int>(std::lround(30 / dt));
  for (int step = 0; step < steps; step += kFrameEvery * (kIsSlow ? 7 : 1)) {
    std::map<std::uint32_t, RulesDecision> by_number;
    for (std::uint32_t number = 1; number <= 200; ++number) {
      const auto why = why_at(*replay, number, step * dt + 1e-6);
      ASSERT_TRUE(why) << "step " << step << ": " << to_string(why.problems()[0]);
      ASSERT_EQ(why->step, static_cast<std::uint64_t>(step));
      ASSERT_TRUE(why->rules) << "step " << step << " person " << number;
      by_number[number] = *why->rules;
    }
    for (const auto& [number, d] : by_number) {
      if (!d.met || d.rows == 0) continue;
      ++decisions;
      const std::string name = std::string(d.collision == RulesClass::kToward     ? "toward"
                                           : d.collision == RulesClass::kGlancing ? "glancing"
                                                                                  : "away") +
                               (d.type == RulesType::kSameTile ? " 1" : " 2");
      const auto& rows = kTable.at(name);
      ASSERT_EQ(d.rows, rows.size()) << name;
      for (int row = 0; row < d.rows; ++row) {
        const RulesReason reason = d.reasons[static_cast<std::size_t>(row)];
        const bool was_tried = d.row < 0 || row < d.row;
        if (was_tried) {
          EXPECT_TRUE(reason != RulesReason::kTaken && reason != RulesReason::kNotTried) << name << row;
        } else {
          EXPECT_EQ(reason, row == d.row ? RulesReason::kTaken : RulesReason::kNotTried) << name << row;
        }
      }
      if (d.row < 0) continue;
      const std::string& entry = rows[static_cast<std::size_t>(d.row)];
      const std::size_t slash = entry.find('/');
      const std::string mine = d.is_first ? entry.substr(0, slash) : entry.substr(slash + 1);
      const bool went_back = d.behaviour == RulesBehaviour::kBack || d.behaviour == RulesBehaviour::kBackOff ||
                             d.behaviour == RulesBehaviour::kGiveWay;
      EXPECT_TRUE(went_back || is_move(mine, tiles(d.from, d.wanted), tiles(d.from, d.taken)))
          << "step " << step << " person " << number << ' ' << name << " row " << d.row << ' ' << mine << " did "
          << name_of(d.behaviour);
      const auto other = by_number.find(d.opponent);
      if (other == by_number.end() || other->second.opponent != number || !other->second.met) continue;
      ++pairs;
      EXPECT_EQ(other->second.row, d.row);
      EXPECT_EQ(other->second.collision, d.collision);
      EXPECT_EQ(other->second.type, d.type);
      EXPECT_NE(other->second.is_first, d.is_first);
    }
  }
  EXPECT_GT(decisions, kIsSlow ? 20 : 200);
  EXPECT_GT(pairs, kIsSlow ? 2 : 20);
  std::remove(file.c_str());
}

TEST(Why, says_who_is_there_when_somebody_is_not) {
  const std::string file = record("reactive");
  auto replay = Replay::open(file, 1);
  ASSERT_TRUE(replay);
  const auto why = why_at(*replay, 5000, 3);
  ASSERT_FALSE(why);
  EXPECT_NE(to_string(why.problems()[0]).find("people from 1 to 200"), std::string::npos) << to_string(why.problems()[0]);
  std::remove(file.c_str());
}

}  // namespace
}  // namespace throng
