// SPDX-License-Identifier: MIT
// People are put in place, come, go, wait and leave as the scenario says.
#include "scenario/simulation.hpp"

#include <cmath>
#include <map>
#include <set>

#include "fixtures.hpp"
#include "scenario/ground_outline.hpp"

namespace throng {
namespace {

int outside_walls(const World& world, double width, double height) {
  const World::Columns rows = world.columns();
  int count = 0;
  for (std::size_t i = 0; i < rows.x.size(); ++i)
    count += rows.x[i] - rows.radius[i] < -0.001 || rows.y[i] - rows.radius[i] < -0.001 ||
             rows.x[i] + rows.radius[i] > width + 0.001 || rows.y[i] + rows.radius[i] > height + 0.001;
  return count;
}

TEST(Population, nobody_touches_a_wall_or_somebody_else_when_put_down) {
  for (const char* placement : {"random", "grid"}) {
    const Simulation simulation =
        start(hall(std::string(R"("populations": [{"count": 120, "area": "west", "placement": ")") + placement +
                   R"(", "kinds": {"adult": 3, "child": 1}}, {"count": 60, "kinds": "wheelchair"}])"));
    EXPECT_EQ(simulation.world().agent_count(), 180u) << placement;
    EXPECT_EQ(touching_pairs(simulation.world()), 0) << placement;
    EXPECT_EQ(outside_walls(simulation.world(), 20, 10), 0) << placement;
    EXPECT_TRUE(simulation.notices().empty());
    const World::Columns rows = simulation.world().columns();
    for (std::size_t i = 0; i < rows.x.size(); ++i)
      if (rows.kind[i] != 3) EXPECT_LE(rows.x[i], 4) << "in their area";
  }
}

TEST(Population, density_counts_people_per_square_metre_of_ground) {
  // west is 40 m², middle 16 m².
  EXPECT_EQ(start(hall(R"("populations": [{"density": 0.5, "area": "west"}])")).world().agent_count(), 20u);
  EXPECT_EQ(start(hall(R"("populations": [{"density": 1.5, "area": "middle"}])")).world().agent_count(), 24u);
  EXPECT_EQ(start(hall(R"("populations": [{"density": 0.3}])")).world().agent_count(), 60u);
}

TEST(Population, a_grid_holds_the_densities_that_random_places_cannot) {
  const std::string wanted = R"("populations": [{"density": 5, "area": "west", "placement": ")";
  const Simulation grid = start(hall(wanted + R"(grid"}])")), random = start(hall(wanted + R"(random"}])"));
  EXPECT_EQ(grid.world().agent_count(), 200u);
  EXPECT_EQ(touching_pairs(grid.world()), 0);
  EXPECT_LT(random.world().agent_count(), 200u);
  ASSERT_EQ(random.notices().size(), 1u) << "and it is said";
  EXPECT_EQ(random.notices()[0].where, "/populations/0");
  EXPECT_NE(random.notices()[0].what.find("of 200 people found no room"), std::string::npos) << random.notices()[0].what;
}

TEST(Population, bodies_are_of_their_kinds_and_shares) {
  const Simulation simulation =
      start(hall(R"("kinds": {"small": {"radius": {"uniform": [0.05, 0.1]}, "preferred_speed": {"list": [0.5, 1, 1.5]}}},
      "populations": [{"count": 300, "kinds": {"small": 2, "child": 1}}])"));
  const World::Columns rows = simulation.world().columns();
  int children = 0;
  std::map<float, int> speeds;
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    children += rows.kind[i] == 1;
    if (rows.kind[i] == 1) continue;
    EXPECT_GE(rows.radius[i], 0.05f);
    EXPECT_LE(rows.radius[i], 0.1f);
    ++speeds[rows.preferred_speed[i]];
    EXPECT_EQ(rows.preferred_speed[i], 0.5f * static_cast<float>((rows.number[i] - 1) % 3 + 1)) << "listed by person";
  }
  EXPECT_NEAR(children, 100, 40);
  EXPECT_EQ(speeds.size(), 3u);
}

TEST(Population, pre_movement_times_are_kept_to_within_two_steps) {  // RiMEA 5
  Simulation simulation = start(
      R"({"throng_scenario": 1, "scene": {"throng_scene": 1, "walkable": [[[0,0],[8,0],[8,2],[12,2],[12,3],[8,3],[8,5],[0,5]]]},
      "areas": {"room": {"box": [0,0,7,5]}, "exit": {"box": [11,2,12,3]}}, "plans": {"leave": {"goals": ["exit"], "end": "leave"}},
      "populations": [{"count": 10, "area": "room", "plan": "leave", "pre_movement": {"list": [10,20,30,40,50,60,70,80,90,100]}}], "settings": {"duration": 200}})");
  std::map<std::uint32_t, double> started;
  while (!simulation.is_done()) {
    simulation.step();
    const World::Columns rows = simulation.world().columns();
    for (std::size_t i = 0; i < rows.x.size(); ++i)
      if (rows.activity[i] == Activity::kWalking && std::hypot(rows.vx[i], rows.vy[i]) > 0.01f)
        started.emplace(rows.number[i], simulation.world().time());
  }
  ASSERT_EQ(started.size(), 10u);
  for (const auto& [number, time] : started) EXPECT_NEAR(time, 10.0 * number, 0.2001) << number;
  EXPECT_EQ(simulation.tally().left, 10u);
}

TEST(Plan, those_who_leave_are_gone_and_counted) {
  Simulation simulation = start(hall(R"("populations": [{"count": 20, "area": "west", "plan": "cross"}])"));
  while (!simulation.is_done()) simulation.step();
  EXPECT_EQ(simulation.world().agent_count(), 0u);
  EXPECT_EQ(simulation.tally().arrived, 20u);
  EXPECT_EQ(simulation.tally().left, 20u);
  EXPECT_LT(simulation.world().time(), 60) << "it ends when all are gone";
  for (const double time : simulation.tally().travel_times) {
    EXPECT_GT(time, 12 / 1.9);  // from x ≤ 4 to x ≥ 16
    EXPECT_LT(time, 40);
  }
}

TEST(Plan, those_who_stay_stand_in_the_area_for_good) {
  Simulation simulation =
      start(hall(R"("populations": [{"count": 10, "area": "west", "plan": "p"}])", R"("p": {"goals": ["east"]})"));
  while (!simulation.is_done()) simulation.step();
  EXPECT_EQ(simulation.world().agent_count(), 10u);
  EXPECT_EQ(simulation.tally().arrived, 10u);
  EXPECT_EQ(simulation.tally().left, 0u);
  EXPECT_LT(simulation.world().time(), 60);
  for (const float x : simulation.world().columns().x) EXPECT_GT(x, 15);
}

TEST(Plan, a_loop_visits_its_goals_again_and_again) {
  Simulation simulation =
      start(hall(R"("populations": [{"count": 5, "area": "west", "plan": "p"}], "settings": {"duration": 200})",
                 R"("p": {"goals": ["east", "west"], "end": "loop"})"));
  while (!simulation.is_done()) simulation.step();
  EXPECT_EQ(simulation.tally().arrived, 5u) << "each counted once";
  EXPECT_GT(simulation.tally().goals_reached, 5u * 8);
  EXPECT_NEAR(simulation.world().time(), 200, 0.01);
}

TEST(Plan, wanderers_go_on_for_ever) {
  Simulation simulation =
      start(hall(R"("populations": [{"count": 10, "plan": "p"}], "settings": {"duration": 120})", R"("p": {"end": "wander"})"));
  while (!simulation.is_done()) simulation.step();
  EXPECT_GT(simulation.tally().goals_reached, 60u);
  EXPECT_EQ(simulation.world().agent_count(), 10u);
}

TEST(Plan, people_wait_at_goals_as_long_as_they_are_told) {
  Simulation simulation =
      start(hall(R"("populations": [{"positions": [[2, 5]], "plan": "p"}], "settings": {"duration": 200})",
                 R"("p": {"goals": [{"area": "middle", "wait": {"uniform": [30, 40]}}, "east"], "end": "leave"})"));
  double waited = 0;
  while (!simulation.is_done()) {
    simulation.step();
    for (const Activity a : simulation.world().columns().activity) waited += a == Activity::kWaiting ? 0.1 : 0;
  }
  EXPECT_GT(waited, 29.7);
  EXPECT_LT(waited, 40.3);
  EXPECT_EQ(simulation.tally().left, 1u);
}

TEST(Plan, of_several_areas_the_nearest_by_way_is_taken) {
  // A wall at x = 10 with a gap at the top: for those at the bottom left the west exit is nearer by way though the east one is
  // nearer by air.
  const std::string text =
      R"({"throng_scenario": 1, "scene": {"throng_scene": 1, "walkable": [[[0,0],[20,0],[20,30],[0,30]]], "walls": [[[10,0],[10,28]]]},
      "areas": {"top": {"box": [0,26,8,30]}, "beyond": {"box": [12,0,16,4]}},
      "plans": {"out": {"goals": [{"area": ["beyond", "top"]}], "end": "stay"}},
      "populations": [{"positions": [[8, 4], [18, 4]], "plan": "out"}], "settings": {"duration": 120}})";
  Simulation simulation = start(text);
  while (!simulation.is_done()) simulation.step();
  const World::Columns rows = simulation.world().columns();
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    if (rows.number[i] == 1) EXPECT_GT(rows.y[i], 25);
    if (rows.number[i] == 2) EXPECT_LT(rows.y[i], 5);
  }
  EXPECT_EQ(simulation.tally().arrived, 2u);
}

TEST(Plan, nobody_starts_where_no_way_leads_out) {
  // Half of the ground is a closed court.
  const Simulation simulation = start(
      R"({"throng_scenario": 1, "scene": {"throng_scene": 1, "walkable": [[[0,0],[20,0],[20,10],[0,10]]], "walls": [[[10,0],[10,10]]]},
      "areas": {"exit": {"box": [0,0,2,10]}}, "plans": {"out": {"goals": ["exit"], "end": "leave"}}, "populations": [{"count": 50, "plan": "out"}]})");
  EXPECT_EQ(simulation.world().agent_count(), 50u);
  for (const float x : simulation.world().columns().x) EXPECT_LT(x, 10);
}

TEST(Source, regular_arrivals_come_on_time_and_never_touch_anybody) {
  Simulation simulation =
      start(hall(R"("sources": [{"area": "west", "rate": 2, "arrivals": "regular", "from": 1, "until": 10, "plan": "cross"}])"));
  while (!simulation.is_done()) {
    const double now = simulation.world().time();
    const std::uint64_t before = simulation.tally().people;
    simulation.step();
    if (now < 10.5) {
      const double due = now < 1 - 1e-6 ? 0 : std::floor((std::min(now, 10.0) - 1) * 2 + 1e-6) + 1;
      EXPECT_EQ(simulation.tally().people, due) << now;
    }
    if (simulation.tally().people > before) EXPECT_EQ(touching_pairs(simulation.world()), 0) << now;
  }
  EXPECT_EQ(simulation.tally().people, 19u);
  EXPECT_EQ(simulation.tally().left, 19u);
}

TEST(Source, poisson_arrivals_have_the_mean_and_variance_of_their_rate) {
  // 400 windows of 10 s at 0.5 /s: 5 expected in each, with variance 5.
  std::vector<int> windows;
  for (int seed = 1; seed <= 8; ++seed) {
    Simulation simulation = start(hall(
        R"("sources": [{"area": "west", "rate": 0.5, "until": 500, "plan": "cross"}], "settings": {"duration": 500, "dt": 0.5, "count_contacts": false, "seed": )" +
        std::to_string(seed) + "}"));
    std::uint64_t before = 0;
    while (!simulation.is_done()) {
      simulation.step();
      if (simulation.world().steps() % 20 != 0) continue;
      windows.push_back(static_cast<int>(simulation.tally().people - before));
      before = simulation.tally().people;
    }
  }
  double sum = 0, squares = 0;
  for (const int n : windows) sum += n, squares += n * n;
  const auto count = static_cast<double>(windows.size());
  const double mean = sum / count, variance = squares / count - mean * mean;
  EXPECT_NEAR(mean, 5, 4 * std::sqrt(5 / count));
  EXPECT_NEAR(variance, 5, 4 * std::sqrt((5 + 2 * 25) / count));
}

TEST(Source, a_timetable_brings_so_many_at_such_a_time) {
  Simulation simulation =
      start(hall(R"("sources": [{"area": "west", "timetable": [{"at": 5, "count": 7}, {"at": 2.05}], "plan": "cross"}])"));
  const auto people_at = [&](double time) {
    while (simulation.world().time() < time - 1e-6) simulation.step();
    return simulation.tally().people;
  };
  EXPECT_EQ(people_at(2.0), 0u);
  EXPECT_EQ(people_at(2.2), 1u);
  EXPECT_EQ(people_at(5.0), 1u);
  EXPECT_EQ(people_at(5.1), 8u);
  while (!simulation.is_done()) simulation.step();
  EXPECT_EQ(simulation.tally().left, 8u);
}

/// 20 people a second into 4 m² at the end of a corridor.
std::string crowded_source(const std::string& plan) {
  return R"({"throng_scenario": 1, "scene": {"throng_scene": 1, "walkable": [[[0,0],[20,0],[20,4],[0,4]]]},
      "areas": {"in": {"box": [0,1,2,3]}, "out": {"box": [18,0,20,4]}}, "plans": {"p": {"goals": ["out"], "end": "leave"}},
      "sources": [{"area": "in", "rate": 20, "arrivals": "regular", "limit": 60)" +
         plan + R"(}], "settings": {"duration": 300}})";
}

TEST(Source, who_finds_no_room_waits_outside_and_comes_when_there_is_some) {
  Simulation simulation = start(crowded_source(R"(, "plan": "p")"));
  std::uint64_t most_waiting = 0;
  while (!simulation.is_done()) {
    simulation.step();
    most_waiting = std::max(most_waiting, simulation.waiting_outside());
  }
  EXPECT_GT(most_waiting, 10u);
  EXPECT_EQ(simulation.waiting_outside(), 0u);
  EXPECT_EQ(simulation.tally().people, 60u);
  EXPECT_EQ(simulation.tally().left, 60u);
  ASSERT_EQ(simulation.notices().size(), 1u) << "and it is said, once";
  EXPECT_EQ(simulation.notices()[0].where, "/sources/0");
}

TEST(Source, nobody_is_put_down_touching_somebody_however_full_it_gets) {
  Simulation simulation = start(crowded_source(""));  // without a plan they stand, as they were put down
  for (int step = 0; step < 300; ++step) {
    simulation.step();
    ASSERT_EQ(touching_pairs(simulation.world()), 0) << step;
  }
  EXPECT_GT(simulation.world().agent_count(), 8u);
  EXPECT_GT(simulation.waiting_outside(), 10u);
  EXPECT_FALSE(simulation.is_done()) << "some still wait";
}

TEST(Measurement, lines_count_who_crosses_them_and_in_which_direction) {
  Simulation simulation = start(hall(R"("populations": [{"count": 15, "area": "west", "plan": "cross"}],
      "measurements": {"lines": {"up": {"from": [10, 0], "to": [10, 10]}, "down": {"from": [10, 10], "to": [10, 0]}, "short": {"from": [10, 20], "to": [10, 30]}}, "areas": ["middle"]})"));
  while (!simulation.is_done()) simulation.step();
  const Tally& tally = simulation.tally();
  const auto net = [&](std::size_t line) {
    int sum = 0;
    for (const Tally::Crossing& c : tally.lines[line]) sum += c.to_left != 0 ? 1 : -1;
    return sum;
  };
  EXPECT_EQ(simulation.scenario().lines[2].name, "up");
  EXPECT_EQ(net(2), -15) << "eastward over a line to the north is to the right";
  EXPECT_EQ(net(0), 15);
  EXPECT_TRUE(tally.lines[1].empty());
  EXPECT_GT(tally.densities[0].most, 1 / 17.0);
  EXPECT_LE(tally.densities[0].most, 15 / 16.0);
}

TEST(Headings, random_ones_change_about_as_often_as_told) {
  Simulation simulation =
      start(R"({"throng_scenario": 1, "scene": {"throng_scene": 1, "walkable": [[[-15,-15],[55,-15],[55,55],[-15,55]]]},
      "areas": {"torus": {"box": [0,0,40,40]}}, "populations": [{"count": 100, "area": "torus", "heading": "random", "heading_time": 5}],
      "settings": {"duration": 50, "period": {"low": [0, 0], "size": [40, 40]}, "count_contacts": false}})");
  double turns = 0;
  std::map<std::uint32_t, Vec2> last;
  while (!simulation.is_done()) {
    simulation.step();
    const World::Columns rows = simulation.world().columns();
    if (simulation.world().steps() % 10 != 0) continue;
    for (std::size_t i = 0; i < rows.x.size(); ++i) {
      const Vec2 now = {rows.vx[i], rows.vy[i]};
      if (const auto before = last.find(rows.number[i]);
          before != last.end() && length(now) > 0.5 && length(before->second) > 0.5)
        turns += dot(now, before->second) < 0.6 * length(now) * length(before->second);
      last[rows.number[i]] = now;
    }
  }
  // 100 people × 50 s / 5 s = 1000 new directions, of which seven in ten turn by more than 53 degrees; some turns are ways round
  // others.
  EXPECT_GT(turns, 400);
  EXPECT_LT(turns, 1300);
  for (const float x : simulation.world().columns().x) EXPECT_TRUE(x > -1 && x < 41) << x;
}

TEST(Places, ground_of_an_area_is_what_is_walkable_of_it) {
  const auto scenario = read(
      R"({"throng_scenario": 1, "scene": {"throng_scene": 1, "walkable": [[[0,0],[20,0],[20,10],[0,10]]], "obstacles": [[[4,4],[6,4],[6,6],[4,6]]]},
      "areas": {"half out": {"box": [-5,0,5,10]}, "notched": [[2,2],[18,2],[18,8],[10,3],[2,8]], "holed": {"polygon": {"outer": [[1,1],[9,1],[9,9],[1,9]], "holes": [[[2,2],[3,2],[3,3],[2,3]]]}}}})");
  ASSERT_TRUE(scenario) << listed_problems(scenario);
  const auto navigation = Navigation::bake(scenario->scene);
  ASSERT_TRUE(navigation);
  EXPECT_NEAR(ground_in(navigation->data(), scenario->areas[0].parts[0]), 50 - 2, 1e-6);
  EXPECT_NEAR(ground_in(navigation->data(), scenario->areas[1].parts[0]), 64 - 1 - 4, 1e-6);
  // The notched area is 16 × 6 less a triangle of 16 × 5 / 2; of the obstacle it covers what lies under its upper edges.
  double obstacle = 0;
  for (double x = 4.0005; x < 6; x += 0.001) obstacle += 0.001 * std::clamp(8 - (x - 2) * 5 / 8 - 4, 0.0, 2.0);
  EXPECT_NEAR(ground_in(navigation->data(), scenario->areas[2].parts[0]), 96 - 40 - obstacle, 1e-3);
}

TEST(Places, the_outline_of_the_ground_encloses_what_was_baked) {
  for (const char* scene : {"office:12", "city:40"}) {
    const auto scenario = read(std::string(R"({"throng_scenario": 1, "scene": ")") + scene + "\"}");
    ASSERT_TRUE(scenario);
    const auto navigation = Navigation::bake(scenario->scene);
    ASSERT_TRUE(navigation);
    double area = 0;
    for (const Polygon& part : ground_outline(*navigation)) {
      const auto signed_area = [](const Ring& ring) {
        double sum = 0;
        for (std::size_t i = 0; i < ring.size(); ++i) sum += cross(ring[i], ring[(i + 1) % ring.size()]) / 2;
        return sum;
      };
      area += signed_area(part.outer);
      for (const Ring& hole : part.holes) area += signed_area(hole);
    }
    EXPECT_NEAR(area, navigation->report().area, 1e-6 * area) << scene;
    EXPECT_EQ(ground_wkt(*navigation).find("POLYGON"), ground_wkt(*navigation).find("MULTI") == 0 ? 5u : 0u);
  }
}

}  // namespace
}  // namespace throng
