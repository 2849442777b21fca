// SPDX-License-Identifier: MIT
#include "fields/crowd_field.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "fields/field_fixture.hpp"

namespace throng {
namespace {

using namespace throng::testing;

TEST(CrowdField, one_person_weighs_what_the_exponent_says_wherever_it_stands) {
  // ALGORITHMS §5.3: the total is in [1, 2], [0.5, 1], [0.25, 1] for λ = 1, 2, 3; with bilinear weights always 1.
  const double low[] = {1, 0.5, 0.25}, high[] = {2, 1, 1};
  for (int exponent = 1; exponent <= 3; ++exponent)
    for (const bool bilinear : {false, true}) {
      FieldSettings settings;
      settings.density_exponent = static_cast<float>(exponent);
      settings.bilinear_density = bilinear;
      double least = 9, most = 0;
      FieldScene scene(hall(7, 7), 1);
      for (int i = 0; i < 400; ++i) {
        scene.x.clear(), scene.y.clear(), scene.vx.clear(), scene.vy.clear(), scene.cell.clear();
        scene.add({3 + (i % 20) / 20.0, 3 + (i / 20) / 20.0});
        scene.fill(settings);
        double total = 0;
        for (DomainTile t = 0; t < scene.domain.size(); ++t) total += scene.crowd.density(t);
        least = std::min(least, total), most = std::max(most, total);
      }
      EXPECT_NEAR(least, bilinear ? 1 : low[exponent - 1], 1e-5);
      EXPECT_NEAR(most, bilinear ? 1 : high[exponent - 1], 1e-5);
    }
}

TEST(CrowdField, large_tiles_count_per_square_metre) {
  FieldScene scene(hall(30, 30), 3);
  for (double x = 0.25; x < 30; x += 0.5)
    for (double y = 0.25; y < 30; y += 0.5) scene.add({x, y});
  FieldSettings settings = field_settings_for(3);
  settings.bilinear_density = true;
  scene.fill(settings);
  EXPECT_NEAR(scene.crowd.density(scene.at(13.5, 13.5)), 4, 0.01);
  EXPECT_EQ(settings.high_density, 4);
}

TEST(CrowdField, nobody_is_felt_through_a_wall) {
  FieldScene scene(hall(10, 10, {box(5, 0, 5.05, 10)}), 1);
  scene.add({4.8, 4.9});
  scene.fill();
  EXPECT_GT(scene.crowd.density(scene.at(4.5, 4.5)), 0.2);
  for (double y = 0.5; y < 10; ++y) EXPECT_EQ(scene.crowd.density(scene.at(5.5, y)), 0);
}

TEST(CrowdField, threads_add_up_to_the_same_bits) {
  FieldScene scene(hall(60, 60), 1);
  std::mt19937 random(5);
  for (int i = 0; i < 20000; ++i)
    scene.add({0.5 + (random() % 59000) / 1000.0, 0.5 + (random() % 59000) / 1000.0},
              {(random() % 3000) / 1000.0 - 1.5, (random() % 3000) / 1000.0 - 1.5});
  scene.fill();
  TaskPool pool(4);
  CrowdField crowd;
  for (int run = 0; run < 5; ++run) {
    crowd.begin(scene.domain, {});
    crowd.add_people(scene.people(), pool);
    crowd.finish(pool);
    for (DomainTile t = 0; t < scene.domain.size(); ++t) {
      ASSERT_EQ(crowd.density(t), scene.crowd.density(t));
      ASSERT_EQ(crowd.velocity(t), scene.crowd.velocity(t));
      ASSERT_EQ(crowd.speed(t), scene.crowd.speed(t));
      ASSERT_EQ(crowd.common_costs()[t], scene.crowd.common_costs()[t]);
      ASSERT_EQ(crowd.predicted_discomfort(t), scene.crowd.predicted_discomfort(t));
    }
  }
}

TEST(CrowdField, speed_falls_with_density_from_free_to_that_of_the_crowd) {
  const FieldSettings settings;
  for (const double speed : {0.0, 0.5, 1.0}) {
    float before = 9;
    for (int people = 0; people <= 12; ++people) {
      FieldScene scene(hall(9, 9), 1);
      for (int i = 0; i < people; ++i) scene.add({5.25, 4.5}, {speed, 0});  // 0.56 in the tile of the first
      scene.fill(settings);
      const float now = scene.crowd.speed(scene.at(4.5, 4.5))[kEast];
      EXPECT_LE(now, before);
      before = now;
      const float density = scene.crowd.density(scene.at(5.5, 4.5));
      if (density <= settings.low_density) {
        EXPECT_FLOAT_EQ(now, settings.max_speed);
      }
      if (density >= settings.high_density) {
        EXPECT_NEAR(now, std::max<double>(settings.floor_speed, speed), 1e-3);
      }
    }
  }
}

TEST(CrowdField, uphill_is_slow_and_downhill_is_as_on_the_flat) {
  FieldScene scene(bridge(), 1);
  const FieldSettings settings;
  scene.fill(settings);
  const DomainTile ramp = scene.at(13.5, 16.5, 2);
  const auto& speed = scene.crowd.speed(ramp);
  const double slope = 2.0 / 7;
  EXPECT_NEAR(speed[kEast], settings.max_speed + slope / settings.high_slope * (settings.min_speed - settings.max_speed), 1e-4);
  EXPECT_FLOAT_EQ(speed[kWest], settings.max_speed);
  EXPECT_FLOAT_EQ(speed[kNorth], settings.max_speed);
  // Over the joint from the road onto the ramp one goes up, too.
  const DomainTile foot = scene.at(5.5, 16.5, 0);
  EXPECT_NE(scene.domain.next(foot)[kEast], scene.domain.ghost());
  EXPECT_LT(scene.crowd.speed(foot)[kEast], settings.max_speed);
}

TEST(CrowdField, a_zone_ahead_of_a_vehicle_fades_from_ten_to_one_and_speeds_people_up) {
  FieldScene scene(hall(40, 20), 1);
  scene.crowd.begin(scene.domain, {});
  // 16 m ahead of a car that stands at (10, 10) and looks east, 3 m wide.
  scene.crowd.add_zone({.box = {{18, 10}, {1, 0}, 16, 3, 0}});
  scene.crowd.finish(scene.tasks);
  EXPECT_NEAR(scene.crowd.discomfort(scene.at(10.5, 10.5)), 10 - 9 * 0.5 / 16, 1e-4);
  EXPECT_NEAR(scene.crowd.discomfort(scene.at(25.5, 9.5)), 10 - 9 * 15.5 / 16, 1e-4);
  EXPECT_EQ(scene.crowd.discomfort(scene.at(20.5, 13.5)), 0);
  EXPECT_EQ(scene.crowd.discomfort(scene.at(28.5, 10.5)), 0);
  EXPECT_FLOAT_EQ(scene.crowd.speed(scene.at(20.5, 10.5))[kNorth], 2 * 1.8f);
  EXPECT_FLOAT_EQ(scene.crowd.speed(scene.at(20.5, 14.5))[kNorth], 1.8f);
  // Somebody south of it whose goal is in the east goes round the zone rather than along it.
  const Potential field = scene.solve({{scene.at(38.5, 10.5), 0}});
  EXPECT_LT(field.velocity[scene.at(12.5, 9.5)].y, 0);
}

TEST(CrowdField, a_zone_turned_by_any_angle_covers_what_it_should) {
  FieldScene scene(hall(40, 40), 1);
  for (int i = 0; i < 16; ++i) {
    const float angle = 0.4f * static_cast<float>(i);
    const Vec2f ahead{std::cos(angle), std::sin(angle)};
    scene.crowd.begin(scene.domain, {});
    scene.crowd.add_zone({.box = {{20, 20}, ahead, 10, 4, 0}});
    scene.crowd.block({{20, 20}, ahead, 4.5f, 1.8f, 0});
    scene.crowd.finish(scene.tasks);
    for (DomainTile t = 0; t < scene.domain.size(); ++t) {
      const Vec2 way = scene.centre(t) - Vec2{20, 20};
      const double along = way.x * ahead.x + way.y * ahead.y, aside = ahead.x * way.y - ahead.y * way.x;
      if (std::abs(std::abs(along) - 5.5) > 0.01 && std::abs(std::abs(aside) - 2.5) > 0.01) {
        EXPECT_EQ(scene.crowd.discomfort(t) > 0, std::abs(along) < 5.5 && std::abs(aside) < 2.5);
      }
      if (std::abs(along) < 2.24 && std::abs(aside) < 0.89) {
        EXPECT_TRUE(scene.crowd.is_blocked(t));
      }
      if (std::abs(along) > 3 || std::abs(aside) > 1.7) {
        EXPECT_FALSE(scene.crowd.is_blocked(t));
      }
    }
  }
}

TEST(CrowdField, nobody_gets_through_a_footprint) {
  FieldScene scene(hall(20, 5), 1);
  scene.crowd.begin(scene.domain, {});
  scene.crowd.block({{10, 2.5f}, {0, 1}, 6, 2, 0});  // across the whole hall
  scene.crowd.finish(scene.tasks);
  const Potential field = scene.solve({{scene.at(1.5, 2.5), 0}});
  EXPECT_EQ(field.value[scene.at(18.5, 2.5)], kNoPotential);
  EXPECT_EQ(field.value[scene.at(10.5, 2.5)], kNoPotential);
  EXPECT_LT(field.value[scene.at(8.5, 2.5)], 20);
  const FieldSample behind = sample(field, scene.domain.around(18, 2, 0));
  EXPECT_EQ(behind.known, 0);
  EXPECT_EQ(behind.velocity, (Vec2f{}));
}

TEST(CrowdField, people_fear_where_others_will_be_and_not_where_their_own_set_will) {
  FieldScene scene(hall(20, 9), 1);
  FieldSettings settings;
  scene.add({4.5, 4.5}, {1.5, 0});    // of the set
  scene.add({15.5, 4.5}, {-1.5, 0});  // of another one
  scene.fill(settings);
  const std::vector<std::uint32_t> own = {0}, nobody;
  std::vector<std::int32_t> memory;
  FaceValues mine, all;
  scene.crowd.costs(scene.people(), own, {}, memory, mine);
  scene.crowd.costs(scene.people(), nobody, {}, memory, all);
  const DomainTile ahead_of_me = scene.at(5.5, 4.5), ahead_of_other = scene.at(14.5, 4.5);
  const FaceValues& plain = scene.crowd.common_costs();
  EXPECT_EQ(mine[ahead_of_me][kEast], plain[ahead_of_me][kEast]);  // exactly
  EXPECT_GT(all[ahead_of_me][kEast], plain[ahead_of_me][kEast] + 0.05f);
  EXPECT_GT(mine[ahead_of_other][kWest], plain[ahead_of_other][kWest] + 0.05f);
  // After 0.5, 1, 1.5 and 2 s at 1.5 m/s: 0.75, 1.5, 2.25 and 3 m ahead, and nowhere else.
  EXPECT_GT(scene.crowd.predicted_discomfort(scene.at(12.5, 4.5)), 0.1);
  EXPECT_EQ(scene.crowd.predicted_discomfort(scene.at(10.5, 4.5)), 0);
  EXPECT_EQ(scene.crowd.predicted_discomfort(scene.at(17.5, 4.5)), 0);
  // The factors of a profile: dear ground, and ground that is closed to it.
  std::vector<float> factor(scene.domain.size() + 1, 1);
  factor[scene.at(8.5, 1.5)] = 3, factor[scene.at(10.5, 1.5)] = 0;
  scene.crowd.costs(scene.people(), own, factor, memory, mine);
  EXPECT_FLOAT_EQ(mine[scene.at(7.5, 1.5)][kEast], 3 * plain[scene.at(7.5, 1.5)][kEast]);
  EXPECT_EQ(mine[scene.at(9.5, 1.5)][kEast], kNoPotential);
}

TEST(CrowdField, speed_falls_towards_a_jam_only_where_a_jam_density_is_asked_for) {
  // A crowd on a lattice of half a metre, four to the square metre, that walks east as one.
  FieldScene scene(hall(20, 10), 0.5);
  for (int column = 0; column < 40; ++column)
    for (int row = 0; row < 20; ++row) scene.add({0.25 + 0.5 * column, 0.25 + 0.5 * row}, {1.2, 0});
  FieldSettings settings;
  settings.max_speed = 1.2f;
  scene.fill(settings);
  const DomainTile middle = scene.at(10.1, 5.1);
  EXPECT_NEAR(scene.crowd.speed(middle)[kEast], 1.2, 1e-3) << "as printed, its own speed";
  EXPECT_EQ(scene.crowd.crowding(middle), 0);
  settings.jam_density = 5.4f;
  // Everybody at the middle of a tile weighs 1, one and a half times the mean weight of somebody anywhere in it: 6 per m².
  scene.fill(settings);
  EXPECT_NEAR(scene.crowd.crowding(middle), 6, 0.01);
  EXPECT_NEAR(scene.crowd.speed(middle)[kEast], settings.floor_speed, 1e-4) << "more than a jam";
  settings.bilinear_density = true;
  scene.fill(settings);
  EXPECT_NEAR(scene.crowd.crowding(middle), 4, 0.01);
  const double room = (5.4 - 4) / (5.4 - 0.7);
  EXPECT_NEAR(scene.crowd.speed(middle)[kEast], room * 1.2, 0.01);
  EXPECT_NEAR(scene.crowd.density_per_area(middle), 4, 0.01);
}

TEST(CrowdField, people_of_other_speeds_are_slowed_in_their_own_measure) {
  FieldScene scene(hall(20, 10), 1);
  FieldSettings settings;
  settings.max_speed = 1.5f, settings.prediction_time = 0;
  scene.fill(settings);
  const Stencil here = scene.domain.around(10.2f, 5.3f, 0);
  EXPECT_NEAR(scene.crowd.speed_of(here, {1, 0}, 0.9f), 0.9, 1e-5) << "nobody is in the way";
  const float half = 0.70710678f;
  EXPECT_NEAR(scene.crowd.speed_of(here, {half, half}, 0.9f), 0.9, 1e-5);
  // Somebody who stands in the middle of each tile to the east.
  for (int row = 0; row < 10; ++row) scene.add({11.5, row + 0.5}), scene.add({10.5, row + 0.5});
  scene.fill(settings);
  EXPECT_NEAR(scene.crowd.speed_of(here, {1, 0}, 0.9f), settings.floor_speed, 0.3);
  EXPECT_LT(scene.crowd.speed_of(here, {1, 0}, 0.9f), 0.4);
  const Stencil at_the_wall = scene.domain.around(19.6f, 5.3f, 0);
  EXPECT_NEAR(scene.crowd.speed_of(at_the_wall, {1, 0}, 0.9f), 0.9, 1e-5) << "up to the wall";
}

}  // namespace
}  // namespace throng
