// SPDX-License-Identifier: MIT
// Groups in a world: keeping together, coming back together, leading, arriving, and what others do about them. Each beside a
// control of people who happen to walk the same way.
#include <throng/world.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "base/random.hpp"
#include "world/hall.hpp"

namespace throng {
namespace {

using namespace throng::testing;

std::vector<MotionModel> all_models() {
  return {reactive(), ReynoldsSettings{}, LinearSettings{}, ShortTermSettings{}, ContinuumSettings{}};
}

World modelled_world(const Navigation& navigation, const MotionModel& model, unsigned threads = 1) {
  WorldSettings settings;
  settings.models = {model};
  settings.threads = threads;
  settings.count_contacts = true;
  Result<World> world = World::create(navigation, settings);
  EXPECT_TRUE(world);
  return std::move(*world);
}

/// Some people side by side, not quite, of different speeds, who all walk east.
std::vector<AgentId> add_walkers(World& world, int count, Vec2 first, bool are_group, double goal_x) {
  std::vector<AgentId> people;
  for (int i = 0; i < count; ++i) {
    AgentDef definition{.position = {first.x + 0.15 * (i % 3), first.y + 0.9 * i}};
    definition.person.preferred_speed = 1.2f + 0.12f * static_cast<float>((i * 2) % 5);
    people.push_back(world.add(definition));
    EXPECT_TRUE(people.back());
    EXPECT_TRUE(world.set_goal(people.back(), {goal_x, first.y + 0.9 * i}));
  }
  if (are_group) {
    EXPECT_TRUE(world.add_group(people));
  }
  return people;
}

struct Cohesion {
  double abreast = 0;   ///< share of the time in which followers are within half a metre of the leader along its way
  double distance = 0;  ///< mean, from one to the next nearest
  unsigned overlaps = 0;
};
Cohesion walk(const MotionModel& model, int members, bool are_group) {
  World world = modelled_world(hall(90, 24), model);
  const std::vector<AgentId> people = add_walkers(world, members, {5, 9}, are_group, 85);
  Cohesion cohesion;
  int looks = 0, near = 0;
  for (int step = 0; step < 480; ++step) {
    cohesion.overlaps += world.step().overlaps;
    const Vec2 ahead = world.velocity(people[0]);
    if (length(ahead) < 0.1 || world.position(people[0]).x > 80) continue;
    for (std::size_t k = 1; k < people.size(); ++k) {
      const double s = dot(world.position(people[0]) - world.position(people[k]), (1 / length(ahead)) * ahead);
      ++looks, near += std::abs(s) < 0.5;
      double nearest = 1e9;
      for (std::size_t other = 0; other < people.size(); ++other)
        if (other != k) nearest = std::min(nearest, distance(world.position(people[k]), world.position(people[other])));
      cohesion.distance += nearest;
    }
  }
  EXPECT_GT(looks, 300);
  cohesion.abreast = static_cast<double>(near) / looks;
  cohesion.distance /= looks;
  return cohesion;
}

TEST(Groups, of_two_to_five_walk_abreast_by_every_model_and_strangers_do_not) {
  for (const MotionModel& model : all_models())
    for (const int members : {2, 3, 5}) {
      const Cohesion group = walk(model, members, true), strangers = walk(model, members, false);
      EXPECT_GE(group.abreast, 0.8) << name_of(model) << " " << members;
      EXPECT_GE(group.abreast, strangers.abreast + 0.2) << name_of(model) << " " << members;
      EXPECT_NEAR(group.distance, 0.8, 0.15) << name_of(model) << " " << members;
      EXPECT_EQ(group.overlaps, 0) << name_of(model) << " " << members;
    }
}

TEST(Groups, of_people_who_walk_by_rules_keep_together_from_tile_to_tile) {
  for (const int members : {2, 3, 5}) {
    const Cohesion group = walk(RulesSettings{}, members, true), strangers = walk(RulesSettings{}, members, false);
    EXPECT_GE(group.abreast, 0.8) << members;
    EXPECT_GE(group.abreast, strangers.abreast + 0.2) << members;
    EXPECT_LT(group.distance, 1.25) << members;
    EXPECT_LT(group.distance, strangers.distance) << members;
  }
}

/// Two of one speed side by side: how far apart they walk.
double distance_of_two(const MotionModel& model, bool are_group) {
  World world = modelled_world(hall(60, 20), model);
  const AgentId people[] = {world.add({.position = {5, 9.6}}), world.add({.position = {5, 10.4}})};
  for (const AgentId id : people) world.set_heading(id, {1, 0});
  if (are_group) {
    EXPECT_TRUE(world.add_group(people));
  }
  for (int i = 0; i < 300; ++i) world.step();
  return distance(world.position(people[0]), world.position(people[1]));
}

TEST(Groups, waive_the_distance_that_strangers_keep) {
  for (const MotionModel& model : {MotionModel(reactive()), MotionModel(ReynoldsSettings{})}) {
    EXPECT_NEAR(distance_of_two(model, true), 0.8, 0.1) << name_of(model);
    EXPECT_GT(distance_of_two(model, false), 0.93) << name_of(model);
  }
}

/// Seconds until somebody who was put six metres back is beside the leader again; at most ten.
double time_to_join(const MotionModel& model, int members, bool are_group) {
  World world = modelled_world(hall(90, 24), model);
  const std::vector<AgentId> people = add_walkers(world, members, {12, 10}, are_group, 85);
  for (int step = 0; step < 60; ++step) world.step();
  const AgentId back = people.back();
  EXPECT_TRUE(world.teleport(back, world.position(back) - Vec2{6, 0}));
  for (int step = 1; step <= 100; ++step) {
    world.step();
    const Vec2 way = world.position(people[0]) - world.position(back);
    if (std::abs(way.x) < 0.5 && length(way) < 0.9 * members) return 0.1 * step;
  }
  return 10;
}

TEST(Groups, who_was_split_off_is_back_within_five_seconds) {
  for (const MotionModel& model : all_models())
    for (const int members : {2, 4}) {
      EXPECT_LT(time_to_join(model, members, true), 5) << name_of(model) << " " << members;
      EXPECT_GE(time_to_join(model, members, false), 10) << name_of(model) << " " << members;
    }
}

TEST(Groups, a_leader_waits_only_for_a_while) {
  World world = modelled_world(hall(120, 24), reactive());
  const std::vector<AgentId> people = add_walkers(world, 3, {12, 10}, true, 110);
  for (int step = 0; step < 30; ++step) world.step();
  // The last one is held fast.
  const Vec2 place = world.position(people[2]);
  double waited = 0;
  for (int step = 0; step < 400; ++step) {
    ASSERT_TRUE(world.teleport(people[2], place));
    world.step();
    waited += 0.1 * world.group_state(1).is_waiting;
  }
  EXPECT_NEAR(waited, 15, 5);
  EXPECT_GT(world.position(people[0]).x, place.x + 20) << "it walks on";
}

TEST(Groups, come_back_round_a_corner) {
  // A wall between two halves, open at the north end.
  const Navigation navigation = bake_boxes({box(0, 0, 40, 30)}, {box(19.5, 0, 20.5, 22)});
  for (const MotionModel& model : all_models()) {
    World world = modelled_world(navigation, model);
    const AgentId people[] = {world.add({.position = {24, 20}}), world.add({.position = {24, 19}})};
    ASSERT_TRUE(world.set_goal(people[0], {30, 2}));
    ASSERT_TRUE(world.add_group(people));
    for (int i = 0; i < 10; ++i) world.step();
    ASSERT_TRUE(world.teleport(people[1], {16, 19}));
    for (int i = 0; i < 130; ++i) world.step();
    EXPECT_LT(distance(world.position(people[0]), world.position(people[1])), 2) << name_of(model);
    for (int i = 0; i < 200; ++i) world.step();
    for (const AgentId id : people) {
      EXPECT_EQ(world.activity(id), Activity::kStaying) << name_of(model);
      EXPECT_LT(distance(world.position(id), {30, 2}), 2) << name_of(model);
    }
  }
}

TEST(Groups, go_one_behind_the_other_where_it_is_narrow) {
  const Navigation navigation = bake_boxes({box(0, 0, 20, 10), box(20, 4.5, 40, 5.5), box(40, 0, 60, 10)});
  for (const MotionModel& model : all_models()) {
    World world = modelled_world(navigation, model);
    const std::vector<AgentId> people = add_walkers(world, 3, {8, 4}, true, 55);
    unsigned overlaps = 0;
    double widest = 0;
    for (int step = 0; step < 500; ++step) {
      overlaps += world.step().overlaps;
      for (const AgentId id : people)
        if (std::abs(world.position(id).x - 30) < 5) widest = std::max(widest, std::abs(world.position(id).y - 5));
    }
    for (const AgentId id : people) EXPECT_GT(world.position(id).x, 52) << name_of(model);
    EXPECT_LT(widest, 0.301);
    if (!std::holds_alternative<LinearSettings>(model)) {
      EXPECT_EQ(overlaps, 0) << name_of(model);
    }
  }
}

TEST(Groups, the_next_member_leads_when_the_leader_leaves_the_world) {
  World world = modelled_world(hall(90, 20), reactive());
  const std::vector<AgentId> people = add_walkers(world, 3, {5, 8}, true, 80);
  for (int i = 0; i < 50; ++i) world.step();
  EXPECT_EQ(world.group_members(1), people);
  ASSERT_TRUE(world.remove(people[0]));
  for (int i = 0; i < 100; ++i) world.step();
  EXPECT_EQ(world.group_members(1), (std::vector{people[1], people[2]}));
  EXPECT_GT(world.position(people[1]).x, 20);
  EXPECT_LT(distance(world.position(people[1]), world.position(people[2])), 1.1);
  ASSERT_TRUE(world.leave_group(people[1]));
  EXPECT_EQ(world.group_of(people[1]), 0);
  EXPECT_EQ(world.group_of(people[2]), 1);
  for (int i = 0; i < 600; ++i) world.step();
  for (const AgentId id : {people[1], people[2]}) EXPECT_EQ(world.activity(id), Activity::kStaying);
  ASSERT_TRUE(world.remove(people[2]));
  EXPECT_EQ(world.group_state(1).number, 0);
}

TEST(Groups, arrive_and_wait_and_leave_with_their_leader) {
  World world = modelled_world(hall(60, 20), reactive());
  const std::uint32_t shop = world.add_area(box(26, 12, 34, 19)), gate = world.add_area(box(55, 2, 59, 18));
  const std::uint32_t plan = world.add_plan({{{.area = shop, .wait_low = 3, .wait_high = 9}, {.area = gate}}, PlanEnd::kLeave});
  std::vector<AgentId> people;
  for (int i = 0; i < 3; ++i) people.push_back(world.add({.position = {3, 8.0 + i}, .plan = plan}));
  ASSERT_TRUE(world.add_group(people));
  std::map<std::uint32_t, std::vector<double>> arrived;
  std::map<std::uint32_t, double> left;
  for (int step = 0; step < 1200 && world.agent_count() > 0; ++step) {
    world.step();
    for (const Event& event : world.events()) {
      if (event.kind == EventKind::kArrived) arrived[event.number].push_back(event.time);
      if (event.kind == EventKind::kLeft) left[event.number] = event.time;
    }
  }
  EXPECT_EQ(world.agent_count(), 0);
  ASSERT_EQ(arrived.size(), 3);
  for (const auto& [number, times] : arrived) {
    EXPECT_EQ(times.size(), 2) << "the shop and the gate";
    EXPECT_NEAR(times[0], arrived[1][0], 3);
    EXPECT_NEAR(left[number], left[1], 3);
  }
}

TEST(Groups, go_where_their_leader_is_sent) {
  World world = modelled_world(hall(60, 40), reactive());
  const AgentId people[] = {world.add({.position = {10, 10}}), world.add({.position = {10, 11}}),
                            world.add({.position = {11, 11}})};
  ASSERT_TRUE(world.add_group(people));
  ASSERT_TRUE(world.set_goal(people[0], {50, 10}));
  for (int i = 0; i < 100; ++i) world.step();
  ASSERT_TRUE(world.set_goal(people[0], {20, 35}));
  for (int i = 0; i < 450; ++i) world.step();
  for (const AgentId id : people) {
    EXPECT_LT(distance(world.position(id), {20, 35}), 2.6);
    EXPECT_EQ(world.activity(id), Activity::kStaying);
  }
}

TEST(Groups, say_what_is_wrong_with_them) {
  World world = modelled_world(hall(20, 20), reactive());
  std::vector<AgentId> people;
  for (int i = 0; i < 14; ++i) people.push_back(world.add({.position = {1.0 + i, 10}}));
  const auto problem_of = [&](std::vector<AgentId> list) {
    const auto group = world.add_group(list);
    return group ? std::string() : group.problems()[0].what;
  };
  EXPECT_EQ(problem_of({people[0]}), "fewer than two members");
  EXPECT_EQ(problem_of({people[0], people[0]}), "somebody who is a member twice");
  EXPECT_EQ(problem_of({people[0], AgentId{}}), "a member who has left the world or rides");
  EXPECT_EQ(problem_of(people), "more than twelve members");
  EXPECT_EQ(problem_of({people[0], people[1]}), "");
  EXPECT_EQ(problem_of({people[1], people[2]}), "a member of another group");
  EXPECT_FALSE(world.leave_group(people[5]));
}

/// A walker who makes for the middle of two people who stand 1.3 m apart: how far from their middle it passes.
double passes_at(const MotionModel& model, bool are_group) {
  World world = modelled_world(hall(40, 20), model);
  const AgentId two[] = {world.add({.position = {20, 9.35}}), world.add({.position = {20, 10.65}})};
  if (are_group) {
    EXPECT_TRUE(world.add_group(two));
  }
  const AgentId walker = world.add({.position = {8, 10.02}});
  world.set_goal(walker, {32, 10});
  double passed = -1;
  for (int i = 0; i < 250; ++i) {
    world.step();
    if (passed < 0 && world.position(walker).x > 20) passed = std::abs(world.position(walker).y - 10);
  }
  EXPECT_GT(world.position(walker).x, 31) << name_of(model);
  return passed;
}

TEST(Groups, are_walked_round_where_strangers_are_walked_between) {
  for (const MotionModel& model : {MotionModel(reactive()), MotionModel(ReynoldsSettings{}), MotionModel(ShortTermSettings{})}) {
    EXPECT_LT(passes_at(model, false), 0.3) << name_of(model);
    EXPECT_GT(passes_at(model, true), 1) << name_of(model);
  }
}

/// Groups of all sizes among strangers, for ever between two areas.
World grouped_crowd(const Navigation& navigation, const WorldSettings& settings, int people) {
  Result<World> created = World::create(navigation, settings);
  EXPECT_TRUE(created);
  World world = std::move(*created);
  const std::uint32_t west = world.add_area(box(1, 1, 6, 29)), east = world.add_area(box(54, 1, 59, 29));
  const std::uint32_t plans[] = {world.add_plan({{{.area = east}, {.area = west}}, PlanEnd::kLoop}),
                                 world.add_plan({{{.area = west}, {.area = east}}, PlanEnd::kLoop})};
  std::vector<AgentId> list;
  for (int i = 0; i < people; ++i) {
    AgentDef definition{.position = {2.0 + 1.2 * (i / 20), 2.0 + 1.3 * (i % 20)}, .plan = plans[(i / 10) % 2]};
    definition.person.preferred_speed = 1.1f + 0.05f * static_cast<float>(i % 9);
    definition.person.model = static_cast<std::uint8_t>(i % 7 % settings.models.size());
    list.push_back(world.add(definition));
    EXPECT_TRUE(list.back());
  }
  for (std::size_t i = 0, size = 1; i + size <= list.size(); i += size, size = 1 + size % 7)
    if (size > 1) {
      EXPECT_TRUE(world.add_group(std::span(list).subspan(i, size)));
    }
  return world;
}

WorldSettings with_all_models(unsigned threads) {
  WorldSettings settings;
  settings.models = all_models();
  settings.threads = threads;
  return settings;
}

TEST(Groups, walk_with_the_same_bits_at_any_number_of_threads_and_after_a_restore) {
  const Navigation navigation = bake_boxes({box(0, 0, 60, 30)}, {box(28, 8, 32, 12), box(28, 18, 32, 22)});
  std::uint64_t expected = 0;
  std::string middle;
  for (const unsigned threads : {1u, 2u, 4u, 8u}) {
    World world = grouped_crowd(navigation, with_all_models(threads), 200);
    for (int i = 0; i < 300; ++i) world.step();
    if (threads == 1) middle = world.snapshot();
    for (int i = 0; i < 300; ++i) world.step();
    if (threads == 1) expected = world.hash();
    EXPECT_EQ(world.hash(), expected) << threads;
  }
  World bare = grouped_crowd(navigation, with_all_models(2), 0);
  const auto restored = bare.restore(middle);
  ASSERT_TRUE(restored) << restored.problems()[0].what;
  EXPECT_EQ(bare.snapshot(), middle);
  for (int i = 0; i < 300; ++i) bare.step();
  EXPECT_EQ(bare.hash(), expected);
  EXPECT_GT(bare.columns().group[0] + bare.columns().group[1], 0);
}

TEST(Groups, of_a_damaged_snapshot_are_refused) {
  const Navigation navigation = hall(60, 30);
  World world = grouped_crowd(navigation, with_all_models(1), 40);
  for (int i = 0; i < 50; ++i) world.step();
  const std::string whole = world.snapshot();
  ASSERT_TRUE(world.restore(whole));
  RandomStream random(3, 0, 1);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = whole;
    bytes[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(whole.size()) - 9))] ^=
        static_cast<char>(1 << random.integer(0, 7));
    const auto refused = world.restore(bytes);
    ASSERT_FALSE(refused);
  }
}

TEST(Groups, keep_together_through_regions_of_every_level) {
  const Navigation navigation = hall(60, 30);
  for (const std::uint8_t elsewhere : {0, 1, 2}) {
    WorldSettings settings;
    settings.interest.enabled = true;
    settings.interest.elsewhere = elsewhere;
    settings.interest.regions = {{.centre = {30, 15}, .radius = 8, .level = static_cast<std::uint8_t>(elsewhere == 1 ? 0 : 1)}};
    settings.models = {reactive()};
    World world = grouped_crowd(navigation, settings, 60);
    double apart = 0;
    int pairs = 0;
    for (int step = 0; step < 900; ++step) {
      world.step();
      if (step < 300) continue;
      const auto columns = world.columns();
      std::map<std::uint32_t, Vec2> leader;
      for (std::uint32_t row = 0; row < world.agent_count(); ++row)
        if (columns.group[row] != 0 && world.group_members(columns.group[row])[0] == world.id_at(row))
          leader[columns.group[row]] = {columns.x[row], columns.y[row]};
      for (std::uint32_t row = 0; row < world.agent_count(); ++row)
        if (columns.group[row] != 0) apart += distance(leader[columns.group[row]], {columns.x[row], columns.y[row]}), ++pairs;
    }
    EXPECT_LT(apart / pairs, 1.8) << "groups of two to seven, at level " << int{elsewhere};
  }
}

}  // namespace
}  // namespace throng
