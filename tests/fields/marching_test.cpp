// SPDX-License-Identifier: MIT
// Fast marching against exact distances, against iterating the same update to its end, and against itself in other domains.
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

struct Errors {
  double most = 0, mean = 0;
};

/// Of the distances on an empty square of 20 m from a point in its middle.
Errors errors_at(double size, bool with_disc) {
  FieldScene scene(hall(20, 20, {}, {-10, -10}), size);
  const double at = scene.grid.size() / 2;
  std::vector<FieldSeed> seeds;
  if (with_disc)
    add_disc_seeds(scene.domain, {static_cast<float>(at), static_cast<float>(at)}, 0, 1, seeds);
  else
    seeds = {{scene.at(at, at), 0}};
  const Potential field = scene.solve(seeds, scene.constant_cost(scene.grid.size()));
  Errors errors;
  for (DomainTile t = 0; t < scene.domain.size(); ++t) {
    const double error = std::abs(field.value[t] - distance(scene.centre(t), {at, at}));
    errors.most = std::max(errors.most, error);
    errors.mean += error / scene.domain.size();
  }
  return errors;
}

TEST(FastMarching, errors_of_distances_stay_below_the_known_ones_at_four_tile_sizes) {
  // ALGORITHMS §5.6: maximum and mean, and five per cent more.
  const double sizes[] = {1, 0.5, 0.25, 0.125}, most[] = {0.82, 0.51, 0.31, 0.18}, mean[] = {0.45, 0.29, 0.18, 0.11};
  for (int i = 0; i < 4; ++i) {
    const Errors errors = errors_at(sizes[i], false);
    EXPECT_LE(errors.most, 1.05 * most[i]) << sizes[i];
    EXPECT_LE(errors.mean, 1.05 * mean[i]) << sizes[i];
    EXPECT_GE(errors.most, 0.6 * most[i]) << "too good for a first-order method, at " << sizes[i];
  }
}

TEST(FastMarching, exact_seeds_round_the_goal_take_away_part_of_the_error) {
  for (const double size : {1.0, 0.5, 0.25}) {
    const Errors with = errors_at(size, true), without = errors_at(size, false);
    // Half of it on tiles of 1 m, a quarter on those of 0.25 m: three tiles are a smaller part of 20 m there.
    EXPECT_LT(with.most, 0.85 * without.most) << size;
    EXPECT_LT(with.mean, 0.8 * without.mean) << size;
  }
}

TEST(FastMarching, exact_seeds_do_not_reach_behind_a_wall) {
  FieldScene scene(hall(12, 12, {box(6, 0, 6.1, 9)}), 1);
  std::vector<FieldSeed> seeds;
  add_disc_seeds(scene.domain, {5.5f, 5.5f}, 0, 1, seeds);
  EXPECT_GT(seeds.size(), 10u);
  for (const FieldSeed& seed : seeds) EXPECT_LT(scene.centre(seed.tile).x, 6);
}

/// Costs of each step between 1 and 20, each direction its own.
FaceValues random_costs(const FieldScene& scene, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> share(0, 1);
  FaceValues cost = scene.constant_cost(1);
  for (auto& tile : cost)
    for (float& face : tile) face *= 1 + 19 * share(random);
  return cost;
}

TEST(FastMarching, tiles_are_accepted_in_order_on_random_anisotropic_costs) {
  std::size_t pops = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    FieldScene scene(random_scene(seed, 30, 8), 0.3);
    const Potential field = scene.solve({{seed * 37 % scene.domain.size(), 0}}, random_costs(scene, seed));
    for (std::size_t i = 1; i < field.reached.size(); ++i)
      ASSERT_LE(field.value[field.reached[i - 1]], field.value[field.reached[i]]) << seed;
    pops += field.reached.size();
  }
  EXPECT_GT(pops, 60000u);
}

/// The least solution over the four quadrants of a tile, written down once more, in double precision.
double update(const FieldScene& scene, const FaceValues& cost, const std::vector<double>& value, DomainTile t) {
  double best = 1e300;
  for (const int x : {kEast, kWest})
    for (const int y : {kNorth, kSouth}) {
      const double a = value[scene.domain.next(t)[x]], b = value[scene.domain.next(t)[y]];
      const double ca = cost[t][x], cb = cost[t][y];
      if (ca < 1e300) best = std::min(best, a + ca);
      if (cb < 1e300) best = std::min(best, b + cb);
      if (ca > 1e300 || cb > 1e300 || a > 1e200 || b > 1e200 || a + ca <= b || b + cb <= a) continue;
      // A φ² + B φ + G = 0, as in §5.6.
      const double A = 1 / (ca * ca) + 1 / (cb * cb), B = -2 * (a / (ca * ca) + b / (cb * cb));
      const double G = a * a / (ca * ca) + b * b / (cb * cb) - 1;
      best = std::min(best, (-B + std::sqrt(std::max(0.0, B * B - 4 * A * G))) / (2 * A));
    }
  return best;
}

TEST(FastMarching, finds_what_iterating_the_update_to_its_end_finds) {
  std::size_t reached = 0;
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    FieldScene scene(random_scene(seed, 20, 8), 0.5);
    const FaceValues cost = random_costs(scene, seed);
    const DomainTile goal = seed * 131 % scene.domain.size();
    std::vector<double> value(scene.domain.size() + 1, 1e300);
    value[goal] = 0;
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (DomainTile t = 0; t < scene.domain.size(); ++t) {
        const double next = t == goal ? 0 : update(scene, cost, value, t);
        if (next < value[t] * (1 - 1e-12)) value[t] = next, has_changed = true;
      }
    }
    const Potential field = scene.solve({{goal, 0}}, cost);
    for (DomainTile t = 0; t < scene.domain.size(); ++t) {
      ASSERT_EQ(field.value[t] == kNoPotential, value[t] > 1e200);
      if (value[t] > 1e200) continue;
      ++reached;
      EXPECT_NEAR(field.value[t], value[t], 1e-4 * (1 + value[t])) << seed << " " << t;
    }
  }
  EXPECT_GT(reached, 5000u);
}

TEST(FastMarching, seeds_are_candidates_and_lose_to_a_shorter_way) {
  FieldScene scene(hall(20, 3), 1);
  scene.fill();
  const FaceValues cost = scene.constant_cost(1);
  // 3 is less than the 12 steps to the goal, so it stays and is a goal for those around it; 30 is more, and is overwritten.
  const DomainTile goal = scene.at(1.5, 1.5), near = scene.at(13.5, 1.5), far = scene.at(18.5, 1.5);
  const Potential field = scene.solve({{goal, 0}, {near, 3}, {far, 30}}, cost);
  EXPECT_FLOAT_EQ(field.value[near], 3);
  EXPECT_EQ(field.velocity[near], (Vec2f{}));
  EXPECT_FLOAT_EQ(field.value[far], 8);
  EXPECT_LT(field.velocity[far].x, 0);
  EXPECT_GT(field.velocity[scene.at(11.5, 1.5)].x, 0);
  EXPECT_LT(field.velocity[scene.at(3.5, 1.5)].x, 0);
}

TEST(FastMarching, an_early_end_gives_the_same_values_to_those_who_need_them) {
  FieldScene scene(random_scene(5, 40, 12), 0.5);
  scene.fill();
  const FaceValues cost = random_costs(scene, 5);
  const Potential whole = scene.solve({{100, 0}}, cost);
  const std::vector<DomainTile> needed = {102, 300, 303, scene.domain.ghost()};
  const Potential part = scene.solve({{100, 0}}, cost, needed);
  EXPECT_LT(part.reached.size(), whole.reached.size() / 2);
  for (const DomainTile t : needed) EXPECT_EQ(part.value[t], whole.value[t]);
  for (const DomainTile t : part.reached) EXPECT_EQ(part.velocity[t], whole.velocity[t]);
}

TEST(FastMarching, a_part_of_the_grid_costs_its_own_tiles_and_agrees_with_the_whole) {
  FieldScene scene(hall(40, 40, {box(10, 10, 12, 30)}), 1);
  scene.fill();
  const Potential whole = scene.solve({{scene.at(5, 20), 0}});
  std::vector<TileIndex> tiles;  // the western half, and the order of numbers turned round
  for (TileIndex t = scene.grid.tile_count(); t-- > 0;)
    if (scene.grid.centre(t).x < 20) tiles.push_back(t);
  TileDomain half;
  half.assign(scene.grid, tiles);
  CrowdField crowd;
  crowd.begin(half, {});
  crowd.add_people(scene.people(), scene.tasks);
  crowd.finish(scene.tasks);
  Potential field;
  scene.solver.solve(half, crowd.common_costs(), std::vector<FieldSeed>{{half.at(5, 20, 0), 0}}, {}, field);
  EXPECT_EQ(half.size(), tiles.size());
  EXPECT_EQ(field.value.size(), half.size() + 1u);
  for (DomainTile t = 0; t < half.size(); ++t) EXPECT_FLOAT_EQ(field.value[t], whole.value[scene.domain.number(half.tile(t))]);
  EXPECT_EQ(half.at(30, 20, 0), half.ghost());
  // The domain moves on: numbers of tiles that left are gone.
  half.assign(scene.grid, std::vector<TileIndex>{scene.grid.tile_at(30, 20, 0)});
  EXPECT_EQ(half.at(5, 20, 0), half.ghost());
  EXPECT_EQ(half.at(30, 20, 0), 0u);
}

TEST(FastMarching, a_hall_in_three_layers_has_the_potential_of_the_whole_one) {
  for (const double size : {0.5, 0.75}) {
    FieldScene whole(whole_hall(), size), cut(cut_hall(), size);
    whole.fill(), cut.fill();
    const Potential a = whole.solve({{whole.at(2, 2), 0}}), b = cut.solve({{cut.at(2, 2), 0}});
    for (DomainTile t = 0; t < whole.domain.size(); ++t) {
      const Vec2 point = whole.grid.point(whole.domain.tile(t));
      const DomainTile other = cut.at(point.x, point.y, layer_of_cut_hall(point));
      ASSERT_NE(other, cut.domain.ghost());
      EXPECT_EQ(a.value[t], b.value[other]);
      EXPECT_EQ(a.velocity[t], b.velocity[other]);
    }
  }
}

TEST(FastMarching, way_points_lead_to_the_goal_over_linked_tiles) {
  FieldScene scene(random_scene(3, 30, 10), 1);
  scene.fill();
  const DomainTile goal = scene.domain.size() / 2;
  const Potential field = scene.solve({{goal, 0}});
  EXPECT_EQ(next_tile(scene.domain, field, goal), kNoTile);
  for (const DomainTile start : field.reached) {
    DomainTile t = start;
    for (int steps = 0; t != goal && steps < 500; ++steps) {
      const TileIndex next = next_tile(scene.domain, field, t);
      ASSERT_NE(next, kNoTile);
      EXPECT_LT(field.value[scene.domain.number(next)], field.value[t]);
      t = scene.domain.number(next);
    }
    EXPECT_EQ(t, goal);
  }
}

}  // namespace
}  // namespace throng
