// SPDX-License-Identifier: MIT
// Why somebody does what it does: asking changes nothing, and what is said is what happened.
#include <throng/explain.hpp>
#include <throng/world.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "support/built_cells.hpp"

namespace throng {
namespace {

using namespace throng::testing;

Navigation crossing_hall() {
  Layer layer;
  layer.walkable = {box(0, 0, 60, 40)};
  Result<Navigation> navigation = Navigation::bake(scene_of(layer), {.threads = 1});
  EXPECT_TRUE(navigation);
  return std::move(*navigation);
}

/// A crowd that crosses the middle of the hall from all sides.
World crossing_crowd(const Navigation& navigation, const MotionModel& model, int people) {
  WorldSettings settings;
  settings.models = {model};
  Result<World> world = World::create(navigation, settings);
  EXPECT_TRUE(world);
  RandomStream random(3, 0, 1);
  for (int i = 0; i < people; ++i) {
    AgentDef definition;
    do definition.position = {random.between(10, 50), random.between(5, 35)};
    while (!world->is_free(definition.position, 0, 0.2));
    const AgentId id = world->add(definition);
    world->set_goal(id, {60 - definition.position.x, 40 - definition.position.y});
  }
  return std::move(*world);
}

struct Case {
  const char* name;
  MotionModel model;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Explain : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Models, Explain,
                         ::testing::Values(Case{"reactive", reactive()}, Case{"short_term", ShortTermSettings{}},
                                           Case{"short_term_2008", short_term_2008()}, Case{"rules", RulesSettings{}},
                                           Case{"reynolds", ReynoldsSettings{}}, Case{"linear", LinearSettings{}}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(Explain, asking_changes_nothing) {
  const Navigation navigation = crossing_hall();
  World asked = crossing_crowd(navigation, GetParam().model, 150), control = crossing_crowd(navigation, GetParam().model, 150);
  int answers = 0;
  for (int step = 0; step < 120; ++step) {
    asked.watch(asked.id_at(static_cast<std::uint32_t>(step * 7) % asked.agent_count()));
    asked.step(), control.step();
    answers += asked.explanation().has_value();
    EXPECT_FALSE(control.explanation());
  }
  EXPECT_EQ(asked.hash(), control.hash());
  EXPECT_EQ(answers, 120);
}

TEST_P(Explain, what_is_said_is_what_was_done) {
  const Navigation navigation = crossing_hall();
  World world = crossing_crowd(navigation, GetParam().model, 60);
  int alone = 0;
  for (int step = 0; step < 150; ++step) {
    const AgentId who = world.id_at(static_cast<std::uint32_t>(step * 13) % world.agent_count());
    world.watch(who);
    const Vec2 before = world.position(who);
    world.step();
    const auto& why = world.explanation();
    ASSERT_TRUE(why);
    EXPECT_EQ(why->number, world.number(who));
    EXPECT_EQ(why->place, before);
    EXPECT_EQ(why->model, GetParam().name);
    const Vec2 after = world.position(who);
    EXPECT_NEAR(why->moved.x, (after.x - before.x) / 0.1, 1e-9);
    EXPECT_NEAR(why->moved.y, (after.y - before.y) / 0.1, 1e-9);
    // Whoever has nobody near is not pushed: it moves as it decided.
    double nearest = 1e9;
    const World::Columns rows = world.columns();
    for (std::size_t row = 0; row < rows.x.size(); ++row)
      if (rows.number[row] != why->number) nearest = std::min(nearest, std::hypot(rows.x[row] - after.x, rows.y[row] - after.y));
    if (nearest < 1.2) continue;
    ++alone;
    EXPECT_NEAR(length(why->moved - why->velocity), 0, 1e-3) << "step " << step;
  }
  EXPECT_GT(alone, 20);
}

/// Two who meet head-on, 6 m apart.
struct Meeting {
  explicit Meeting(const Navigation& navigation, const MotionModel& model)
      : world(crossing_crowd(navigation, model, 0)),
        one(world.add({.position = {27, 20}, .person = {.preferred_speed = 1.3f}, .velocity = {1.3, 0}})),
        two(world.add({.position = {33, 20.1}, .person = {.preferred_speed = 1.3f}, .velocity = {-1.3, 0}})) {
    world.set_goal(one, {55, 20}), world.set_goal(two, {5, 20.1});
    world.watch(one);
  }
  World world;
  AgentId one, two;
};

TEST(ExplainReactive, says_whom_it_meets_and_when) {
  const Navigation navigation = crossing_hall();
  Meeting meeting(navigation, reactive());
  const Vec2 offset = meeting.world.position(meeting.two) - meeting.world.position(meeting.one);
  const Vec2 others = meeting.world.velocity(meeting.two);
  meeting.world.step();
  const auto& why = meeting.world.explanation();
  ASSERT_TRUE(why);
  ASSERT_FALSE(why->meetings.empty());
  const PredictedMeeting& met = why->meetings[0];
  EXPECT_EQ(met.other, meeting.world.number(meeting.two));
  EXPECT_EQ(met.type, CollisionType::kFront);
  // Bodies of 0.2 m and a margin of 0.05 m: walked forward in small steps until they touch.
  double time = 0;
  while (time < 10 && length(offset + time * (others - met.velocity)) > 0.45) time += 1e-4;
  EXPECT_NEAR(met.time, time, 2e-3);
  // The first answer is to somebody ahead, and one of them was taken: to the right, by the table's convention.
  int taken = 0;
  for (const TriedReaction& tried : why->tried) {
    EXPECT_EQ(tried.is_taken, tried.not_because.empty());
    taken += tried.is_taken;
    if (!tried.is_taken) continue;
    EXPECT_EQ(tried.module, ReactionModule::kRight);
    EXPECT_LT(tried.velocity.y, 0);
  }
  EXPECT_EQ(taken, 1);
}

TEST(ExplainReactive, whoever_meets_nobody_says_so) {
  const Navigation navigation = crossing_hall();
  Meeting meeting(navigation, reactive());
  meeting.world.remove(meeting.two);
  meeting.world.step();
  const auto& why = meeting.world.explanation();
  ASSERT_TRUE(why);
  EXPECT_TRUE(why->meetings.empty());
  EXPECT_TRUE(why->tried.empty());
  ASSERT_FALSE(why->steps.empty());
  EXPECT_EQ(why->steps[0].influence, Influence::kGuidance);
}

TEST(ExplainShortTerm, says_for_whom_it_steps_aside) {
  const Navigation navigation = crossing_hall();
  Meeting meeting(navigation, ShortTermSettings{});
  bool has_met = false;
  for (int step = 0; step < 20 && !has_met; ++step) {
    meeting.world.step();
    const auto& why = meeting.world.explanation();
    ASSERT_TRUE(why);
    if (why->meetings.empty()) continue;
    has_met = true;
    EXPECT_EQ(why->meetings[0].other, meeting.world.number(meeting.two));
    EXPECT_EQ(why->meetings[0].type, CollisionType::kFront);
    ASSERT_EQ(why->tried.size(), 2u);
    // The other is a little to the left, so the right is taken.
    EXPECT_EQ(why->tried[0].module, ReactionModule::kRight);
    EXPECT_TRUE(why->tried[0].is_taken);
    EXPECT_FALSE(why->tried[1].is_taken);
    EXPECT_TRUE(
        std::any_of(why->steps.begin(), why->steps.end(), [](const auto& s) { return s.influence == Influence::kAside; }));
  }
  EXPECT_TRUE(has_met);
}

TEST(ExplainReactive, nobody_is_watched_after_leaving) {
  const Navigation navigation = crossing_hall();
  Meeting meeting(navigation, reactive());
  meeting.world.step();
  EXPECT_TRUE(meeting.world.explanation());
  meeting.world.remove(meeting.one);
  meeting.world.step();
  EXPECT_FALSE(meeting.world.explanation());
}

}  // namespace
}  // namespace throng
