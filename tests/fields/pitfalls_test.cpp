// SPDX-License-Identifier: MIT
// One test for each mistake that public implementations of continuum crowds make, in the order of ALGORITHMS §5.10:
//
//   flow speed for west and south without its sign      flow_speed_to_the_west_and_south_has_its_sign
//   density read at the tile instead of its neighbour   density_is_read_at_the_neighbour_so_nobody_slows_itself_down
//   density cleared inside the loop over groups         densities_of_two_groups_add_up
//   velocity in one tile, divided by density of four    uniform_motion_is_the_mean_velocity_wherever_there_is_density
//   offset from the corner instead of the centre        somebody_at_the_centre_of_a_tile_counts_there_and_nowhere_else
//   cost counted twice in the quadratic equation        along_an_axis_the_potential_counts_steps_times_cost
//   smaller root, or a mean of both                     the_larger_root_of_the_quadratic_equation_with_its_radical_is_taken
//   radical dropped, isotropic formula                  the same, and FastMarching.errors_of_distances_stay_below_the_known_ones…
//   one-sided update with the other axis' cost          a_one_sided_update_takes_the_cost_of_its_own_direction
//   neighbours that are not accepted only               accepted_neighbours_of_both_axes_count_so_diagonals_are_no_manhattan_ways
//   candidate never updated                             a_candidate_is_updated_after_it_was_pushed
//   stale heap                                          old_entries_of_the_heap_do_no_harm
//   speed 0, cost infinite times 0                      a_standing_jam_gives_finite_costs_and_no_nan
//   a finite number for infinity                        potentials_beyond_any_sentinel_have_gradients_like_all_others
//   central differences next to walls                   velocities_next_to_walls_never_point_into_them
//   speed as |vx| + |vy|                                speed_on_a_diagonal_is_that_of_an_axis
//   no bilinear interpolation                           interpolated_headings_are_not_those_of_the_grid
//   gradient of the goal's tile                         at_the_goal_the_field_asks_for_nothing
//   no time step in advection                           time_steps_of_half_the_length_lead_along_the_same_way
//   discomfort counted twice, or cut off at 1           cost_is_linear_in_discomfort_beyond_one
//
// Density at the neighbour and the time step have a second one, in a world: tests/motion/continuum_test.cpp.
#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "fields/field_fixture.hpp"
#include "fields/potential.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

FieldSettings without_prediction() {
  FieldSettings settings;
  settings.prediction_time = 0;
  return settings;
}

TEST(Pitfalls, flow_speed_to_the_west_and_south_has_its_sign) {
  // A crowd, and its image in a mirror: speeds are mirrored too, to the last bit.
  for (const bool across : {true, false}) {
    FieldScene scene(hall(20, 20, {}, {-10, -10}), 1), mirror(hall(20, 20, {}, {-10, -10}), 1);
    std::mt19937 random(7);
    const auto number = [&](int range) { return (static_cast<int>(random() % (2 * range + 1)) - range) / 64.0; };
    for (int i = 0; i < 300; ++i) {
      // Not on the line between two tiles, which belongs to the eastern one.
      const Vec2 place{number(600) + 1.0 / 256, number(600) + 1.0 / 256}, velocity{number(90), number(90)};
      scene.add(place, velocity);
      if (across)
        mirror.add({-place.x, place.y}, {-velocity.x, velocity.y});
      else
        mirror.add({place.x, -place.y}, {velocity.x, -velocity.y});
    }
    scene.fill(without_prediction()), mirror.fill(without_prediction());
    int slowed = 0;
    for (DomainTile t = 0; t < scene.domain.size(); ++t) {
      const Vec2 centre = scene.centre(t);
      const auto& here = scene.crowd.speed(t);
      const auto& there = mirror.crowd.speed(across ? mirror.at(-centre.x, centre.y) : mirror.at(centre.x, -centre.y));
      EXPECT_EQ(here[kEast], there[across ? kWest : kEast]);
      EXPECT_EQ(here[kWest], there[across ? kEast : kWest]);
      EXPECT_EQ(here[kNorth], there[across ? kNorth : kSouth]);
      EXPECT_EQ(here[kSouth], there[across ? kSouth : kNorth]);
      slowed += here[kWest] < 1;
    }
    EXPECT_GT(slowed, 50);
  }
  // And in words: a dense stream to the west is fast towards the west and a wall towards the east.
  FieldScene stream(hall(20, 5), 1);
  for (double x = 0.5; x < 20; ++x)
    for (double y = 0.5; y < 5; ++y) stream.add({x, y}, {-1.25, 0});
  stream.fill(without_prediction());
  const auto& speed = stream.crowd.speed(stream.at(10.5, 2.5));
  EXPECT_FLOAT_EQ(speed[kWest], 1.25f);
  EXPECT_FLOAT_EQ(speed[kEast], FieldSettings{}.floor_speed);
}

TEST(Pitfalls, density_is_read_at_the_neighbour_so_nobody_slows_itself_down) {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    FieldScene scene(hall(9, 9), 1);
    const Vec2 place{3 + (random() % 3000) / 1000.0, 3 + (random() % 3000) / 1000.0};
    scene.add(place);
    scene.fill(without_prediction());
    const DomainTile own = scene.at(place.x, place.y);
    for (int direction = 0; direction < 4; ++direction) {
      EXPECT_EQ(scene.crowd.speed(own)[direction], scene.crowd.settings().max_speed);
      // The control: it stands in the way of those who come.
      const DomainTile other = scene.domain.next(own)[direction];
      EXPECT_LT(scene.crowd.speed(other)[opposite(direction)], scene.crowd.settings().max_speed);
    }
  }
}

TEST(Pitfalls, densities_of_two_groups_add_up) {
  FieldScene both(hall(20, 20), 1), first(hall(20, 20), 1), second(hall(20, 20), 1);
  std::mt19937 random(2);
  for (int i = 0; i < 100; ++i) {
    const Vec2 place{1 + (random() % 18000) / 1000.0, 1 + (random() % 18000) / 1000.0};
    both.add(place), (i % 2 == 0 ? first : second).add(place);
  }
  both.fill(), first.fill(), second.fill();
  // One field that two groups are added to, one after the other.
  CrowdField crowd;
  crowd.begin(both.domain, {});
  crowd.add_people(first.people(), both.tasks);
  crowd.add_people(second.people(), both.tasks);
  crowd.finish(both.tasks);
  for (DomainTile t = 0; t < both.domain.size(); ++t) {
    EXPECT_EQ(crowd.density(t), both.crowd.density(t));
    EXPECT_NEAR(crowd.density(t), first.crowd.density(t) + second.crowd.density(t), 1e-5);
  }
}

TEST(Pitfalls, uniform_motion_is_the_mean_velocity_wherever_there_is_density) {
  FieldScene scene(hall(20, 20), 1);
  std::mt19937 random(3);
  const Vec2 velocity{1.25, -0.5};
  for (int i = 0; i < 60; ++i) scene.add({1 + (random() % 18000) / 1000.0, 1 + (random() % 18000) / 1000.0}, velocity);
  scene.fill();
  int with = 0;
  for (DomainTile t = 0; t < scene.domain.size(); ++t) {
    const Vec2f mean = scene.crowd.velocity(t);
    if (scene.crowd.density(t) > 0) {
      EXPECT_FLOAT_EQ(mean.x, 1.25f);
      EXPECT_FLOAT_EQ(mean.y, -0.5f);
      ++with;
    } else {
      EXPECT_EQ(mean, (Vec2f{}));
    }
  }
  EXPECT_GT(with, 60);
}

TEST(Pitfalls, somebody_at_the_centre_of_a_tile_counts_there_and_nowhere_else) {
  for (const float exponent : {0.5f, 1.0f, 1.5f, 2.0f, 3.0f}) {
    FieldSettings settings = without_prediction();
    settings.density_exponent = exponent;
    FieldScene centred(hall(9, 9), 1), cornered(hall(9, 9), 1);
    centred.add({4.5, 4.5}), cornered.add({5, 5});
    centred.fill(settings), cornered.fill(settings);
    for (DomainTile t = 0; t < centred.domain.size(); ++t) {
      const Vec2 offset = centred.centre(t) - Vec2{5, 5};
      EXPECT_FLOAT_EQ(centred.crowd.density(t), (centred.centre(t) == Vec2{4.5, 4.5} ? 1 : 0));
      const bool is_near = std::abs(offset.x) < 1 && std::abs(offset.y) < 1;
      EXPECT_NEAR(cornered.crowd.density(t), is_near ? std::pow(0.5, exponent) : 0, 1e-6);
    }
  }
}

TEST(Pitfalls, along_an_axis_the_potential_counts_steps_times_cost) {
  FieldScene scene(hall(41, 1), 1);
  const Potential field = scene.solve({{scene.at(0.5, 0.5), 0}}, scene.constant_cost(1.5f));
  for (int k = 0; k <= 40; ++k) EXPECT_FLOAT_EQ(field.value[scene.at(k + 0.5, 0.5)], 1.5f * static_cast<float>(k));
}

TEST(Pitfalls, the_larger_root_of_the_quadratic_equation_with_its_radical_is_taken) {
  // Both known neighbours at 0 and 0.5, costs 1 and 2: φ² + (φ - 0.5)² / 4 = 1.
  FieldScene scene(hall(2, 2), 1);
  FaceValues cost = scene.constant_cost(100);
  const DomainTile corner = scene.at(1.5, 1.5), west = scene.at(0.5, 1.5), south = scene.at(1.5, 0.5);
  cost[corner][kWest] = 1, cost[corner][kSouth] = 2;
  const Potential field = scene.solve({{west, 0}, {south, 0.5f}}, cost);
  const double phi = field.value[corner];
  EXPECT_NEAR(phi * phi + (phi - 0.5) * (phi - 0.5) / 4, 1, 1e-6);
  EXPECT_GT(phi, 0.5);
}

TEST(Pitfalls, a_one_sided_update_takes_the_cost_of_its_own_direction) {
  FieldScene scene(hall(11, 11), 1);
  FaceValues cost = scene.constant_cost(1);
  const float by_direction[4] = {2, 3, 5, 7};
  for (auto& tile : cost)
    for (int i = 0; i < 4; ++i) tile[i] *= by_direction[i];
  const Potential field = scene.solve({{scene.at(5.5, 5.5), 0}}, cost);
  // From the east one walks west, and so on.
  EXPECT_FLOAT_EQ(field.value[scene.at(9.5, 5.5)], 4 * 5);
  EXPECT_FLOAT_EQ(field.value[scene.at(1.5, 5.5)], 4 * 2);
  EXPECT_FLOAT_EQ(field.value[scene.at(5.5, 9.5)], 4 * 7);
  EXPECT_FLOAT_EQ(field.value[scene.at(5.5, 1.5)], 4 * 3);
}

TEST(Pitfalls, accepted_neighbours_of_both_axes_count_so_diagonals_are_no_manhattan_ways) {
  FieldScene scene(hall(60, 60), 1);
  const Potential field = scene.solve({{scene.at(0.5, 0.5), 0}}, scene.constant_cost(1));
  const double diagonal = field.value[scene.at(50.5, 50.5)];
  EXPECT_NEAR(diagonal, 50 * std::sqrt(2.0), 1.5);  // the Manhattan metric has 100
}

TEST(Pitfalls, a_candidate_is_updated_after_it_was_pushed) {
  // Over the top it is a step to the tile, but a dear one; round it are three cheap ones, which come later.
  FieldScene scene(hall(3, 2), 1);
  FaceValues cost = scene.constant_cost(1);
  const DomainTile goal = scene.at(0.5, 0.5), target = scene.at(1.5, 0.5);
  cost[target][kWest] = 50;
  const Potential field = scene.solve({{goal, 0}}, cost);
  EXPECT_LT(field.value[target], 4);
  EXPECT_GT(field.value[target], 2.5);
}

TEST(Pitfalls, old_entries_of_the_heap_do_no_harm) {
  // Costs that improve candidates many times: every tile once, in order.
  FieldScene scene(hall(60, 60), 1);
  FaceValues cost = scene.constant_cost(1);
  std::mt19937 random(11);
  for (auto& tile : cost)
    for (float& face : tile) face *= random() % 3 == 0 ? 20.0f : 1.0f;
  const Potential field = scene.solve({{scene.at(30.5, 30.5), 0}}, cost);
  std::vector<int> times(scene.domain.size());
  for (std::size_t i = 0; i < field.reached.size(); ++i) {
    ++times[field.reached[i]];
    if (i > 0) {
      ASSERT_LE(field.value[field.reached[i - 1]], field.value[field.reached[i]]);
    }
  }
  EXPECT_EQ(std::count(times.begin(), times.end(), 1), scene.domain.size());
}

TEST(Pitfalls, a_standing_jam_gives_finite_costs_and_no_nan) {
  FieldScene scene(hall(20, 10), 1);
  for (double x = 0.25; x < 20; x += 0.5)
    for (double y = 0.25; y < 10; y += 0.5) scene.add({x, y});
  FieldSettings settings;
  scene.fill(settings);
  scene.crowd.begin(scene.domain, settings);
  scene.crowd.add_people(scene.people(), scene.tasks);
  scene.crowd.add_zone({.box = {{5, 5}, {1, 0}, 4, 3, 0}});
  scene.crowd.block({{15, 5}, {0, 1}, 4, 2, 0});
  scene.crowd.finish(scene.tasks);
  const Potential field = scene.solve({{scene.at(0.5, 0.5), 0}});
  EXPECT_GT(field.reached.size(), scene.domain.size() - 20);
  for (DomainTile t = 0; t < scene.domain.size(); ++t) {
    EXPECT_FALSE(std::isnan(field.value[t]));
    EXPECT_TRUE(std::isfinite(field.velocity[t].x) && std::isfinite(field.velocity[t].y));
    EXPECT_TRUE(std::isfinite(scene.crowd.density(t)) && std::isfinite(scene.crowd.velocity(t).x));
    for (int i = 0; i < 4; ++i) {
      EXPECT_TRUE(std::isfinite(scene.crowd.speed(t)[i]));
      EXPECT_FALSE(std::isnan(scene.crowd.common_costs()[t][i]));
    }
  }
}

TEST(Pitfalls, potentials_beyond_any_sentinel_have_gradients_like_all_others) {
  FieldScene scene(hall(3000, 3, {box(1500, 0, 1500.2, 1.5)}), 1);
  scene.fill();
  const Potential field = scene.solve({{scene.at(0.5, 1.5), 0}}, scene.constant_cost(1000));
  const DomainTile end = scene.at(2999.5, 1.5);
  EXPECT_GT(field.value[end], 2.9e6f);
  for (const DomainTile t : field.reached)
    if (field.value[t] > 0) {
      EXPECT_NEAR(length(field.velocity[t]), 1.8, 1e-3);
    }
  EXPECT_LT(field.velocity[end].x, 0);
}

TEST(Pitfalls, velocities_next_to_walls_never_point_into_them) {
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    FieldScene scene(random_scene(seed, 30, 14), 0.6);
    scene.fill();
    const Potential field = scene.solve({{seed * 97 % scene.domain.size(), 0}});
    int beside = 0;
    for (const DomainTile t : field.reached)
      for (int i = 0; i < 4; ++i) {
        if (scene.domain.next(t)[i] != scene.domain.ghost()) continue;
        const Vec2f normal = i == kEast ? Vec2f{1, 0} : i == kNorth ? Vec2f{0, 1} : i == kWest ? Vec2f{-1, 0} : Vec2f{0, -1};
        EXPECT_LE(dot(field.velocity[t], normal), 0);
        ++beside;
      }
    EXPECT_GT(beside, 100);
  }
}

TEST(Pitfalls, speed_on_a_diagonal_is_that_of_an_axis) {
  FieldScene scene(hall(40, 40), 1);
  scene.fill();
  const Potential field = scene.solve({{scene.at(0.5, 0.5), 0}});
  for (const DomainTile t : field.reached)
    if (field.value[t] > 0) {
      EXPECT_NEAR(length(field.velocity[t]), 1.8f, 1e-4f);
    }
  const Vec2f diagonal = field.velocity[scene.at(30.5, 30.5)];
  EXPECT_NEAR(diagonal.x, diagonal.y, 1e-3);
}

TEST(Pitfalls, interpolated_headings_are_not_those_of_the_grid) {
  FieldScene scene(hall(60, 60), 1);
  scene.fill();
  const Potential field = scene.solve({{scene.at(30.5, 30.5), 0}});
  int on_axis = 0;
  double worst = 0, steepest = 0;
  constexpr int kLooks = 3600;
  Vec2f last{};
  for (int i = 0; i < kLooks; ++i) {
    const double angle = 2 * 3.14159265358979 * (i + 0.5) / kLooks;
    const Vec2 place{30.5 + 25 * std::cos(angle), 30.5 + 25 * std::sin(angle)};
    const FieldSample found = sample(field, scene.domain.around(static_cast<float>(place.x), static_cast<float>(place.y), 0));
    EXPECT_FLOAT_EQ(found.known, 1);
    const double heading = std::atan2(-found.velocity.y, -found.velocity.x);
    worst = std::max(worst, std::abs(std::remainder(heading - angle, 2 * 3.14159265358979)));
    on_axis += std::abs(std::remainder(heading, 3.14159265358979 / 4)) < 0.035;  // 2°
    if (i > 0) steepest = std::max(steepest, static_cast<double>(length(found.velocity - last)));
    last = found.velocity;
  }
  EXPECT_LT(worst, 0.2);                          // rad, of first order
  EXPECT_LT(on_axis, kLooks * 2 * 4 / 45.0 * 2);  // twice what chance gives
  EXPECT_LT(steepest, 0.1);                       // m/s from one look to the next, 4 cm on: no jumps from tile to tile
}

TEST(Pitfalls, at_the_goal_the_field_asks_for_nothing) {
  FieldScene scene(hall(20, 20), 1);
  scene.fill();
  const DomainTile goal = scene.at(10.5, 10.5);
  const Potential field = scene.solve({{goal, 0}});
  EXPECT_EQ(field.velocity[goal], (Vec2f{}));
  // Somebody who follows it comes to rest within the goal's tile.
  for (const Vec2f start : {Vec2f{2, 3}, Vec2f{18, 9.7f}, Vec2f{10.5f, 19}}) {
    Vec2f place = start;
    for (int i = 0; i < 600; ++i) place = place + 0.05f * sample(field, scene.domain.around(place.x, place.y, 0)).velocity;
    EXPECT_EQ(scene.at(place.x, place.y), goal);
    EXPECT_LT(length(place - Vec2f{10.5f, 10.5f}), 0.5f);
  }
}

TEST(Pitfalls, time_steps_of_half_the_length_lead_along_the_same_way) {
  FieldScene scene(hall(30, 20, {box(12, 0, 14, 13)}), 1);
  scene.fill();
  const Potential field = scene.solve({{scene.at(25.5, 3.5), 0}});
  const auto time_from = [&](Vec2f place, float dt) {
    int steps = 0;
    while (distance({place.x, place.y}, {25.5, 3.5}) > 1 && steps < 10000)
      place = place + dt * sample(field, scene.domain.around(place.x, place.y, 0)).velocity, ++steps;
    return static_cast<float>(steps) * dt;
  };
  const float coarse = time_from({2, 3}, 0.1f), fine = time_from({2, 3}, 0.05f);
  EXPECT_NEAR(coarse / fine, 1, 0.03);
  EXPECT_GT(fine, 30 / 1.8f);
}

TEST(Pitfalls, cost_is_linear_in_discomfort_beyond_one) {
  FieldScene scene(hall(9, 9), 1);
  const DomainTile here = scene.at(4.5, 4.5), east = scene.at(5.5, 4.5);
  const auto cost_at = [&](float discomfort) {
    scene.crowd.begin(scene.domain, {});
    scene.crowd.add_discomfort(east, discomfort);
    scene.crowd.finish(scene.tasks);
    return scene.crowd.common_costs()[here][kEast];
  };
  const float none = cost_at(0), one = cost_at(1), seven = cost_at(7);
  EXPECT_NEAR(none, 1 + 1 / 1.8f, 1e-6);
  EXPECT_NEAR(one - none, 1 / 1.8f, 1e-6);  // γ g / f, once
  EXPECT_NEAR(seven - none, 7 * (one - none), 1e-5);
}

}  // namespace
}  // namespace throng
