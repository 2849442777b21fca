// SPDX-License-Identifier: MIT
// Short-term avoidance: its rules one by one, and what they do in a world.
#include "motion/short_term/short_term.hpp"

#include <gtest/gtest.h>

#include <throng/world.hpp>

#include <cmath>

#include "navigation/navigation_data.hpp"
#include "support/built_cells.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;
using namespace short_term_rules;

constexpr Vec2f kEast{1, 0}, kLeftTile{1, 1}, kRightTile{1, -1};

TEST(ChooseSide, IsAwayFromWhoIsAhead) {
  EXPECT_EQ(choose_side(kEast, kEast, {3, 0.5f}, kLeftTile, kRightTile), AsideTo::kRight) << "the other is on the left";
  EXPECT_EQ(choose_side(kEast, kEast, {3, -0.5f}, kLeftTile, kRightTile), AsideTo::kLeft);
  EXPECT_EQ(choose_side(kEast, kEast, {3, 0.01f}, kLeftTile, kRightTile), AsideTo::kRight) << "straight ahead: to the right";
  EXPECT_EQ(choose_side(kEast, kEast, {3, -0.01f}, kLeftTile, kRightTile), AsideTo::kRight);
}

TEST(ChooseSide, NeverTurnsBack) {
  // Guidance leads to the north-west while the walker still goes east: the place on the right would lead away from it.
  const Vec2f wanted{-0.2f, 1};
  EXPECT_EQ(choose_side(wanted, kEast, {3, 0.5f}, kLeftTile, kRightTile), AsideTo::kLeft) << "though the other is on the left";
  EXPECT_EQ(choose_side({-1, 0}, kEast, {3, 0.5f}, kLeftTile, kRightTile), AsideTo::kNone);
}

TEST(ChooseSide, TakesTheOtherSideWhereOneIsBlocked) {
  EXPECT_EQ(choose_side(kEast, kEast, {3, 0.5f}, kLeftTile, {}), AsideTo::kLeft);
  EXPECT_EQ(choose_side(kEast, kEast, {3, -0.5f}, {}, kRightTile), AsideTo::kRight);
  EXPECT_EQ(choose_side(kEast, kEast, {3, -0.5f}, {}, {}), AsideTo::kNone);
}

TEST(RowsAhead, GrowWithSpeedBetweenTwoAndSix) {
  EXPECT_EQ(rows_ahead(0, 3, 1), 2);
  EXPECT_EQ(rows_ahead(1, 3, 1), 4) << "ceil(3) + 1";
  EXPECT_EQ(rows_ahead(1.1f, 3, 1), 5) << "ceil(3.3) + 1";
  EXPECT_EQ(rows_ahead(5, 3, 1), 6);
  EXPECT_EQ(rows_ahead(1.34f, 3, 3), 3);
}

Navigation short_term_hall(double width, double height) {
  Layer layer;
  layer.walkable = {box(0, 0, width, height)};
  Result<Navigation> baked = Navigation::bake(scene_of(layer), {.threads = 1});
  EXPECT_TRUE(baked);
  return std::move(*baked);
}

Result<World> world_of(const Navigation& navigation, const MotionModel& model, unsigned threads = 1) {
  WorldSettings settings;
  settings.models = {model};
  settings.threads = threads;
  settings.count_contacts = true;
  return World::create(navigation, settings);
}

TEST(TileRegister, FindsWhoIsInATileAsALoopOverEverybodyDoes) {
  Agents agents;
  RandomStream random(1, 0, 1);
  const std::vector<std::uint32_t> layer_of_cell = {0, 1};
  for (int i = 0; i < 3000; ++i) {
    const std::uint32_t row = agents.add_row();
    agents.now.x[row] = static_cast<float>(random.between(-30, 30)),
    agents.now.y[row] = static_cast<float>(random.between(-30, 30));
    agents.cell[row] = static_cast<CellIndex>(random.integer(0, 1));
  }
  const auto tasks = make_task_runner(1);
  for (const float size : {0.5f, 1.0f, 3.0f}) {
    TileRegister people;
    people.build(agents, layer_of_cell, size, *tasks);
    for (int query = 0; query < 500; ++query) {
      const Vec2f place = {static_cast<float>(random.between(-31, 31)), static_cast<float>(random.between(-31, 31))};
      const auto layer = static_cast<std::uint32_t>(random.integer(0, 1));
      std::vector<std::uint32_t> found, expected;
      people.visit(people.tile_at(place, layer), [&](std::uint32_t row) { found.push_back(row); });
      const auto same = [&](float a, float b) { return std::floor(a / size) == std::floor(b / size); };
      for (std::uint32_t row = 0; row < agents.count; ++row)
        if (agents.cell[row] == layer && same(agents.now.x[row], place.x) && same(agents.now.y[row], place.y))
          expected.push_back(row);
      EXPECT_EQ(found, expected);
    }
  }
}

/// Two who meet head-on. How close their centres come, and how far the first strays from its line.
struct Meeting {
  double nearest = 1e9, strays = 0, slowest = 1e9;
};
Meeting meet(const MotionModel& model, Vec2 a, Vec2 b, Vec2 heading_a, Vec2 heading_b) {
  Result<World> world = world_of(short_term_hall(60, 20), model);
  const AgentId first = world->add({.position = a}), second = world->add({.position = b});
  world->set_heading(first, heading_a), world->set_heading(second, heading_b);
  Meeting meeting;
  for (int i = 0; i < 200; ++i) {
    world->step();
    meeting.nearest = std::min(meeting.nearest, distance(world->position(first), world->position(second)));
    meeting.strays = std::max(meeting.strays, std::abs(world->position(first).y - a.y));
    if (i > 20) meeting.slowest = std::min(meeting.slowest, length(world->velocity(first)));
  }
  return meeting;
}

TEST(ShortTerm, TwoWhoMeetStepAsideAndSlowDown) {
  const Meeting meeting = meet(ShortTermSettings{}, {20, 10}, {40, 10}, {1, 0}, {-1, 0});
  EXPECT_GT(meeting.nearest, 0.5);
  EXPECT_GT(meeting.strays, 0.2) << "each goes half of the way";
  EXPECT_LT(meeting.slowest, 0.8 * 1.34);
  EXPECT_GT(meeting.slowest, 0.25 * 1.34);
  const Meeting control = meet(LinearSettings{}, {20, 10}, {40, 10}, {1, 0}, {-1, 0});
  EXPECT_LT(control.nearest, 0.2);
  EXPECT_LT(control.strays, 1e-3);
}

TEST(ShortTerm, APlatoonDodgesOnlyAsPrinted) {
  // The one behind is a little faster, or not faster at all.
  const auto follow = [](const MotionModel& model) {
    Result<World> world = world_of(short_term_hall(60, 20), model);
    const AgentId behind = world->add({.position = {5, 10.5}, .person = {.preferred_speed = 1.2f}});
    const AgentId ahead = world->add({.position = {7, 10.5}, .person = {.preferred_speed = 1.2f}});
    world->set_heading(behind, {1, 0}), world->set_heading(ahead, {1, 0});
    double strays = 0;
    for (int i = 0; i < 300; ++i) world->step(), strays = std::max(strays, std::abs(world->position(behind).y - 10.5));
    return strays;
  };
  ShortTermSettings literal;
  literal.as_printed = true;
  EXPECT_LT(follow(ShortTermSettings{}), 0.05);
  EXPECT_GT(follow(literal), 0.4);
}

TEST(ShortTerm, APairTooCloseEndsAtContactAndTheMargin) {
  Result<World> world = world_of(short_term_hall(20, 20), ShortTermSettings{});
  const AgentId first = world->add({.position = {10, 10}}), second = world->add({.position = {10.3, 10.1}});
  for (int i = 0; i < 10; ++i) world->step();
  EXPECT_NEAR(distance(world->position(first), world->position(second)), 2 * 0.2 + 0.1, 0.001);
}

TEST(ShortTerm, InACrowdPushesLessenWhatIsMissing) {
  Result<World> world = world_of(short_term_hall(20, 20), ShortTermSettings{});
  RandomStream random(3, 0, 1);
  for (int i = 0; i < 200; ++i) world->add({.position = {random.between(5, 14), random.between(5, 14)}});
  const auto missing = [&] {
    const auto c = world->columns();
    double sum = 0;
    for (std::size_t i = 0; i < c.x.size(); ++i)
      for (std::size_t j = i + 1; j < c.x.size(); ++j)
        sum += std::max(0.0, 0.5 - std::hypot(double{c.x[i]} - c.x[j], double{c.y[i]} - c.y[j]));
    return sum;
  };
  double last = missing();
  EXPECT_GT(last, 10);
  for (int i = 0; i < 5; ++i) {
    world->step();
    EXPECT_LE(missing(), last);
    last = missing();
  }
  EXPECT_LT(last, 0.5);
}

/// Two streams that meet. Contacts before people are pushed apart, over the whole run.
std::uint64_t contacts_of(const MotionModel& model, unsigned threads, std::uint64_t& hash) {
  Result<World> world = world_of(short_term_hall(30, 30), model, threads);
  RandomStream random(5, 0, 1);
  for (int i = 0; i < 24; ++i) {
    const bool east = i % 2 == 0;
    const double along = random.between(1, 9), across = random.between(10, 20);
    const AgentId id = world->add({.position = {east ? along : 30 - along, across}});
    world->set_goal(id, {east ? 28.0 : 2.0, across});
  }
  std::uint64_t contacts = 0;
  for (int i = 0; i < 250; ++i) {
    const StepReport& report = world->step();
    contacts += report.before_separate;
    EXPECT_EQ(report.wall_penetrations, 0u);
  }
  hash = world->hash();
  return contacts;
}

TEST(ShortTerm, StreamsThatMeetTouchLessThanThoseWhoDoNotAvoid) {
  ShortTermSettings blind;
  blind.horizon = 1e-3f;  // two rows: hardly anybody is ahead
  blind.tile = 0.25f;
  std::uint64_t hash = 0;
  const std::uint64_t avoiding = contacts_of(ShortTermSettings{}, 1, hash), control = contacts_of(blind, 1, hash);
  EXPECT_LT(avoiding, 0.5 * static_cast<double>(control));
}

TEST(ShortTerm, HasTheSameBitsAtAnyNumberOfThreadsAndAfterASnapshot) {
  std::uint64_t one = 0, other = 0;
  contacts_of(ShortTermSettings{}, 1, one);
  for (const unsigned threads : {2u, 4u, 8u}) {
    contacts_of(ShortTermSettings{}, threads, other);
    EXPECT_EQ(one, other) << threads;
  }
  const Navigation navigation = short_term_hall(30, 30);
  Result<World> world = world_of(navigation, ShortTermSettings{}), copy = world_of(navigation, ShortTermSettings{});
  for (int i = 0; i < 20; ++i) {
    const AgentId id = world->add({.position = {2.0 + (i % 5), 5.0 + i}});
    world->set_goal(id, {28, 25.0 - i});
  }
  for (int i = 0; i < 61; ++i) world->step();
  ASSERT_TRUE(copy->restore(world->snapshot()));
  for (int i = 0; i < 40; ++i) world->step(), copy->step();
  EXPECT_EQ(world->hash(), copy->hash());
}

/// Whether somebody walks aside for one who stands two metres ahead.
bool steps_aside(bool are_mates) {
  const Navigation navigation = short_term_hall(20, 10);
  const Cells& cells = navigation.data().cells;
  const Ground ground(cells);
  const std::vector<MotionModel> models = {ShortTermSettings{}};
  Agents agents;
  agents.has_short_term = agents.has_groups = true;
  for (const float x : {5.0f, 7.0f}) {
    const std::uint32_t row = agents.add_row();
    agents.now.x[row] = x, agents.now.y[row] = 5;
    agents.radius[row] = agents.now.body[row] = 0.2f;
    agents.preferred_speed[row] = 1.34f, agents.max_speed[row] = 2;
    agents.number[row] = 2 * row;
    agents.group[row] = are_mates ? 1 : row + 1;
  }
  agents.now.vx[0] = agents.desired_x[0] = 1.34f;
  agents.has_heading[0] = 1;
  const auto tasks = make_task_runner(1);
  NeighbourGraph neighbours;
  neighbours.update({.x = agents.now.x,
                     .y = agents.now.y,
                     .radius = agents.radius,
                     .vx = agents.now.vx,
                     .vy = agents.now.vy,
                     .id = agents.number},
                    *tasks);
  const Frozen frozen{agents, ground, neighbours, agents.model, 0.1f, 0};
  ShortTermMotion motion(models);
  motion.prepare(frozen, cells, *tasks);
  motion.move(frozen, agents, 0, 2);
  return agents.aside_until[0] != 0;
}

TEST(ShortTerm, NobodyStepsAsideForWhomItWalksWith) {
  EXPECT_TRUE(steps_aside(false));
  EXPECT_FALSE(steps_aside(true));
}

TEST(ShortTerm, ThoseOfAGroupArePushedApartLikeOthers) {
  for (const bool are_mates : {false, true}) {
    Result<World> world = world_of(short_term_hall(20, 10), ShortTermSettings{});
    const AgentId two[] = {world->add({.position = {5, 5}}), world->add({.position = {5.3, 5}})};
    if (are_mates) {
      ASSERT_TRUE(world->add_group(two));
    }
    for (int i = 0; i < 10; ++i) world->step();
    EXPECT_NEAR(distance(world->position(two[0]), world->position(two[1])), 0.5, 0.01);
  }
}

}  // namespace
}  // namespace throng
