// SPDX-License-Identifier: MIT
// Voronoi cells against a count of the points of a fine grid, and densities against what is known beforehand.
#include "analysis/density.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/arching.hpp"
#include "analysis/density_map.hpp"
#include "analysis/fundamental_diagram.hpp"
#include "base/random.hpp"
#include "geometry/polygon.hpp"
#include "people.hpp"

namespace throng {
namespace {

Ring rectangle(double x0, double y0, double x1, double y1) { return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}; }

std::vector<Vec2> lattice(double spacing, int columns, int rows) {
  std::vector<Vec2> places;
  for (int i = 0; i < columns; ++i) {
    for (int j = 0; j < rows; ++j) places.push_back({spacing * (i + 0.5), spacing * (j + 0.5)});
  }
  return places;
}

TEST(Voronoi, a_lonely_person_has_the_circle_and_two_share_it_evenly) {
  VoronoiSettings settings;
  const auto alone = voronoi_cells(standing({{3, 4}}).frame(0), settings);
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_NEAR(alone[0].area, std::numbers::pi * 0.64, 1e-12);
  const auto pair = voronoi_cells(standing({{0, 0}, {0.001, 0}}).frame(0), settings);
  ASSERT_EQ(pair.size(), 2u);
  EXPECT_NEAR(pair[0].area, std::numbers::pi * 0.32, 0.002);
  EXPECT_NEAR(pair[1].area, std::numbers::pi * 0.32, 0.002);
  // People in one place are one owner.
  EXPECT_EQ(voronoi_cells(standing({{0, 0}, {0, 0}, {0, 0}}).frame(0), settings).size(), 1u);
}

TEST(Voronoi, cells_are_the_places_nearest_to_their_owner) {
  RandomStream random(5, 1, 1);
  for (int round = 0; round < 6; ++round) {
    std::vector<Vec2> places;
    for (int i = 0; i < 30; ++i) places.push_back({random.between(0, 6), random.between(0, 6)});
    const Trajectory t = standing(places);
    VoronoiSettings settings;
    settings.cutoff = 1.2;
    settings.cutoff_sides = 256;
    if (round % 2) settings.period = {6, 6};
    std::vector<double> counted(places.size(), 0);
    const double step = 0.02;
    for (double x = -2 + step / 2; x < 8; x += step) {
      for (double y = -2 + step / 2; y < 8; y += step) {
        if (round % 2 && (x < 0 || x > 6 || y < 0 || y > 6)) continue;
        std::size_t nearest = 0;
        double best = 1e9;
        for (std::size_t i = 0; i < places.size(); ++i) {
          const double d = length(settings.period.shortest(t.frame(0).position(i) - Vec2{x, y}));
          if (d < best) best = d, nearest = i;
        }
        if (best < settings.cutoff) counted[nearest] += step * step;
      }
    }
    for (const VoronoiCell& cell : voronoi_cells(t.frame(0), settings)) EXPECT_NEAR(cell.area, counted[cell.row], 0.03) << round;
  }
}

TEST(Density, of_a_lattice_is_one_over_its_square_wherever_one_measures) {
  const Trajectory t = standing(lattice(0.5, 40, 40));  // 4 /m² on 20 × 20 m
  for (const double shift : {0.0, 0.13, 0.31}) {
    const MeasurementArea area{rectangle(5 + shift, 5, 9.3 + shift, 8.7), 0};
    EXPECT_NEAR(density_in(t, area).mean, 4, 1e-9);
  }
  // Classical density jumps with the border: this area has 9 × 7 heads on 4.3 × 3.7 m.
  DensitySettings classical;
  classical.method = DensityMethod::kClassical;
  EXPECT_NEAR(density_in(t, {rectangle(5.1, 5, 9.4, 8.7), 0}, classical).mean, 9.0 * 7 / (4.3 * 3.7), 1e-9);
}

TEST(Density, weights_add_up_to_the_people_when_all_cells_are_inside) {
  RandomStream random(6, 1, 1);
  std::vector<Vec2> places;
  for (int i = 0; i < 57; ++i) places.push_back({random.between(3, 7), random.between(3, 7)});
  const MeasurementArea all{rectangle(0, 0, 10, 10), 0};
  for (const DensityMethod method : {DensityMethod::kClassical, DensityMethod::kVoronoi}) {
    DensitySettings settings;
    settings.method = method;
    EXPECT_NEAR(density_in(standing(places), all, settings).mean, 0.57, 1e-9);
  }
  Trajectory above = standing(places);
  for (auto& layer : above.layer) layer = 2;
  EXPECT_EQ(density_in(above, all).mean, 0);
  EXPECT_NEAR(density_in(above, {rectangle(0, 0, 10, 10), 2}).mean, 0.57, 1e-9);
}

TEST(Density, ground_with_walls_and_holes_takes_its_part_of_cells_and_area) {
  // A person in a corner has a quarter of the circle; a pillar in the area is no ground.
  DensitySettings settings;
  settings.ground = Polygon{rectangle(0, 0, 10, 10), {{{4, 4}, {4, 6}, {6, 6}, {6, 4}}}};
  const Ring cell = voronoi_cells(standing({{0, 0}}).frame(0))[0].ring;
  EXPECT_NEAR(area_inside(*settings.ground, cell), std::numbers::pi * 0.64 / 4, 1e-9);
  DensityMeter meter({rectangle(0, 0, 10, 10), 0}, settings);
  EXPECT_NEAR(meter.area(), 96, 1e-9);
  // Whole cells lie inside the area, so everybody counts as one, also at the walls.
  EXPECT_NEAR(meter.measure(standing({{0.1, 0.1}, {3.9, 5}, {9.9, 5}, {5, 8}}).frame(0)), 4.0 / 96, 1e-9);
  // An area that ends in the middle of a corner's cell takes half of it.
  DensityMeter half({{{0, 0}, {5, 5}, {0, 5}}, 0}, settings);
  EXPECT_NEAR(half.measure(standing({{0, 0}}).frame(0)) * half.area(), 0.5, 1e-9);
}

TEST(Density, clipping_by_a_convex_ring_agrees_with_counting_points_for_any_polygon) {
  RandomStream random(8, 1, 1);
  for (int round = 0; round < 20; ++round) {
    Polygon star;
    for (int i = 0; i < 14; ++i) {
      const double angle = 2 * std::numbers::pi * i / 14, radius = random.between(0.5, 3);
      star.outer.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
    Ring convex;
    const Vec2 centre{random.between(-2, 2), random.between(-2, 2)};
    for (int i = 0; i < 5; ++i) {
      const double angle = 2 * std::numbers::pi * i / 5 + round;
      convex.push_back(centre + Vec2{1.5 * std::cos(angle), 1.5 * std::sin(angle)});
    }
    double counted = 0;
    const double step = 0.01;
    for (double x = -4; x < 4; x += step) {
      for (double y = -4; y < 4; y += step) counted += contains(convex, {x, y}) && contains(star, {x, y}) ? step * step : 0;
    }
    EXPECT_NEAR(area_inside(star, convex), counted, 0.03);
  }
}

TEST(DensityMap, counts_people_by_squares_and_frames) {
  const Trajectory t = people(2, 4, 0.1, [](std::uint32_t a, std::uint32_t k) -> std::optional<Vec2> {
    if (a == 1) return Vec2{3, 1};  // the upper right corner belongs to the last square
    return k < 2 ? Vec2{0, 0} : Vec2{1.2, 0.7};
  });
  const DensityMap map = density_map_of(t, 0.5);
  ASSERT_EQ(map.columns, 6u);
  ASSERT_EQ(map.rows, 2u);
  EXPECT_DOUBLE_EQ(map.at(0, 0), 2.0 / 4 / 0.25);
  EXPECT_DOUBLE_EQ(map.at(2, 1), 2.0 / 4 / 0.25);
  EXPECT_DOUBLE_EQ(map.at(5, 1), 1 / 0.25);
  double people_seen = 0;
  for (const double d : map.density) people_seen += d * 0.25;
  EXPECT_DOUBLE_EQ(people_seen, 2);
  EXPECT_LE(DensityMapper({-16000, -16000}, {16000, 16000}, 0.01).map().density.size(), 4'100'000u);
}

TEST(DensityMap, a_moment_is_spread_and_nobody_is_lost) {
  RandomStream random(3, 1, 4);
  std::vector<Vec2> people;
  for (int i = 0; i < 200; ++i) people.push_back({random.between(-20, 30), random.between(100, 110)});
  people.push_back({-7.3, 140});
  for (const double reach : {0.1, 0.6, 1.5, 4.0}) {
    const DensityMap map = smooth_density(people, reach, 0.5);
    double sum = 0;
    for (const double d : map.density) sum += d * map.square * map.square;
    EXPECT_NEAR(sum, 201, 1e-9) << reach;
  }
  // Somebody alone: the integral of 1 - (d/R)² over a disc is πR²/2, so the peak is 2/(πR²), and it falls off by the formula.
  const double reach = 1.5, peak = 2 / (std::numbers::pi * reach * reach);
  const DensityMap map = smooth_density(people, reach, 0.05);
  for (const double away : {0.0, 0.4, 0.9, 1.3, 1.6})
    for (const Vec2 way : {Vec2{1, 0}, Vec2{0, -1}, Vec2{-std::sqrt(0.5), std::sqrt(0.5)}}) {
      const Vec2 at = Vec2{-7.3, 140} + away * way - map.low;
      const auto column = static_cast<std::uint32_t>(at.x / map.square), row = static_cast<std::uint32_t>(at.y / map.square);
      if (column >= map.columns || row >= map.rows) continue;
      EXPECT_NEAR(map.at(column, row), std::max(0.0, peak * (1 - away * away / reach / reach)), 0.03 * peak) << away;
    }
  // The lattice is that of the scene, wherever people are.
  EXPECT_NEAR(std::remainder(map.low.x, map.square), 0, 1e-9);
  EXPECT_TRUE(smooth_density({}, 1.5).density.size() < 1000);
}

TEST(FundamentalDiagram, weidmann_gives_the_published_numbers) {
  const std::pair<double, double> published[] = {{0.5, 1.298}, {1, 1.058}, {2, 0.606}, {3, 0.331}, {4, 0.156}, {5, 0.037}};
  for (const auto& [density, speed] : published) EXPECT_NEAR(weidmann_speed(density), speed, 6e-4) << density;
  EXPECT_NEAR(1.75 * weidmann_speed(1.75), 1.22, 0.01);
  EXPECT_EQ(weidmann_speed(0), 1.34);
  EXPECT_EQ(weidmann_speed(6), 0);
}

TEST(FundamentalDiagram, a_lattice_that_walks_has_one_point_and_its_distance_to_weidmann) {
  // 2 /m² at 0.6 m/s on a ring of 20 m.
  const double spacing = std::sqrt(0.5);
  const std::vector<Vec2> places = lattice(spacing, 28, 12);
  const double round_length = 28 * spacing;
  const Trajectory t = people(static_cast<std::uint32_t>(places.size()), 100, 0.1, [&](std::uint32_t a, std::uint32_t k) {
    return Vec2{std::fmod(places[a].x + 0.06 * k, round_length), places[a].y};
  });
  FundamentalSettings settings;
  settings.density.voronoi.period = {round_length, 0};
  settings.from = 2;
  const auto points = fundamental_points(t, {rectangle(5, 2, 9, 6), 0}, settings);
  ASSERT_EQ(points.size(), 8u);
  for (const FundamentalPoint& p : points) {
    EXPECT_NEAR(p.density, 2, 1e-5);
    EXPECT_NEAR(p.speed, 0.6, 1e-4);
    EXPECT_NEAR(p.flow(), 1.2, 1e-3);
  }
  EXPECT_NEAR(summarise_fundamental(points).rms_to_weidmann, 0.606 - 0.6, 1e-3);
}

TEST(FundamentalDiagram, bins_weigh_the_same_however_many_points_they_have) {
  std::vector<FundamentalPoint> points(100, {0, 1.0, weidmann_speed(1.0)});
  points.push_back({0, 3.0, weidmann_speed(3.0) + 0.2});
  points.push_back({0, 9.0, 100});  // beyond the range
  const FundamentalSummary s = summarise_fundamental(points);
  ASSERT_EQ(s.bins.size(), 2u);
  EXPECT_EQ(s.bins[0].count, 100u);
  EXPECT_NEAR(s.rms_to_weidmann, 0.2 / std::sqrt(2.0), 1e-9);
}

TEST(Arching, an_even_crowd_is_the_same_in_all_directions_and_a_queue_is_not) {
  const auto crowd = [](bool queue) {
    std::vector<Vec2> places;
    RandomStream random(9, 1, 1);
    for (int i = 0; i < 60000; ++i) {
      const Vec2 p{-random.between(0, 4), random.between(-4, 4)};
      if (!queue || std::abs(p.y) < 0.4) places.push_back(p);
    }
    return standing(places);
  };
  ArchSettings settings;
  const ArchProfile even = arch_of(crowd(false), settings), queue = arch_of(crowd(true), settings);
  EXPECT_NEAR(even.mean, 60000 / 32.0, 60);
  EXPECT_LT(even.deviation, 0.1);
  EXPECT_GT(queue.deviation, 1);
  // Turned around with its door, a crowd keeps its profile.
  Trajectory turned = crowd(true);
  for (std::size_t i = 0; i < turned.x.size(); ++i) std::swap(turned.x[i], turned.y[i]), turned.y[i] += 7;
  settings.door = {0, 7};
  settings.upstream = {0, -1};
  const ArchProfile again = arch_of(turned, settings);
  EXPECT_NEAR(again.density[2], queue.density[2], queue.density[2] * 0.01);
}

TEST(MeanDensityOnGround, does_not_leak_through_a_wall_and_counts_everybody) {
  // Two rooms of 4 m × 4 m with a wall of 0.5 m between them; three people stand at it, in the western one.
  Trajectory t;
  t.frame_seconds = 1;
  t.agents = {{1, 0.2f, 1, 0, 0}, {2, 0.2f, 1, 0, 0}, {3, 0.2f, 1, 0, 0}};
  t.presence.resize(3);
  const std::uint32_t agent[] = {0, 1, 2};
  const float x[] = {3.8f, 3.7f, 3.8f}, y[] = {1, 2, 3}, h[] = {1, 1, 1}, z[] = {0, 0, 0};
  const std::uint16_t layer[] = {0, 0, 0};
  for (int k = 0; k < 5; ++k) t.append({static_cast<std::uint64_t>(k), 1.0 * k, t.agents, agent, x, y, h, h, z, layer});
  const std::vector<Polygon> rooms = {{{{0, 0}, {4, 0}, {4, 4}, {0, 4}}, {}}, {{{4.5, 0}, {8, 0}, {8, 4}, {4.5, 4}}, {}}};
  const DensityMap map = mean_density_on(t, rooms);
  double west = 0, east = 0;
  for (std::uint32_t row = 0; row < map.rows; ++row)
    for (std::uint32_t column = 0; column < map.columns; ++column) {
      const double middle = map.low.x + (column + 0.5) * map.square, density = map.at(column, row);
      if (middle > 4 && middle < 4.5) {
        EXPECT_LT(density, 0);
      } else {
        EXPECT_GE(density, 0);
        (middle < 4 ? west : east) += density * map.square * map.square;
      }
    }
  EXPECT_NEAR(west, 3, 1e-9);
  EXPECT_EQ(east, 0);
  // Control: where nothing is built, the same people are felt over there.
  const std::vector<Polygon> hall = {{{{0, 0}, {8, 0}, {8, 4}, {0, 4}}, {}}};
  const DensityMap open = mean_density_on(t, hall);
  EXPECT_GT(open.at(static_cast<std::uint32_t>(4.7 / open.square), static_cast<std::uint32_t>(2 / open.square)), 0.01);
}

}  // namespace
}  // namespace throng
