// SPDX-License-Identifier: MIT
// The overlaps and penetrations that steps report, against every pair and every row: in all named scenarios and in crowds.
#include <algorithm>
#include <numeric>

#include "crowd_scenes.hpp"
#include "fixtures.hpp"
#include "navigation/navigation_data.hpp"
#include "neighbours/sight.hpp"

namespace throng {
namespace {

namespace fs = std::filesystem;

struct AllContacts {
  std::uint32_t overlaps = 0, deep = 0, penetrations = 0;
};

/// By a sweep along x over all images: every pair whose x differ by less than two of the largest radii is measured.
AllContacts contacts_of(const World& world) {
  const World::Columns rows = world.columns();
  const NavigationData& data = world.navigation().data();
  const auto layer_of = [&](std::uint32_t row) { return data.cells.layer[rows.cell[row]]; };
  struct Body {
    float x, y;
    std::uint32_t row;
    float shift_x, shift_y;
  };
  const Vec2 period = world.settings().period_size;
  std::vector<Body> bodies;
  float largest = 0;
  for (std::uint32_t i = 0; i < rows.x.size(); ++i) {
    largest = std::max(largest, rows.radius[i]);
    for (int column = period.x > 0 ? -1 : 0; column <= (period.x > 0 ? 1 : 0); ++column)
      for (int line = period.y > 0 ? -1 : 0; line <= (period.y > 0 ? 1 : 0); ++line) {
        const auto shift_x = static_cast<float>(column * period.x), shift_y = static_cast<float>(line * period.y);
        bodies.push_back({rows.x[i] + shift_x, rows.y[i] + shift_y, i, shift_x, shift_y});
      }
  }
  std::sort(bodies.begin(), bodies.end(), [](const Body& a, const Body& b) { return a.x < b.x; });
  AllContacts found;
  for (std::size_t a = 0; a < bodies.size(); ++a)
    for (std::size_t b = a; b-- > 0 && bodies[b].x > bodies[a].x - 2.01f * largest;) {
      // A pair across a border is seen once: from the row without a shift whose partner comes from the half of images.
      const bool is_a_real = bodies[a].shift_x == 0 && bodies[a].shift_y == 0;
      const bool is_b_real = bodies[b].shift_x == 0 && bodies[b].shift_y == 0;
      if (!is_a_real && !is_b_real) continue;
      const Body& real = is_a_real ? bodies[a] : bodies[b];
      const Body& other = is_a_real ? bodies[b] : bodies[a];
      if (!(is_a_real && is_b_real) && !(other.shift_x > 0 || (other.shift_x == 0 && other.shift_y > 0))) continue;
      const std::uint32_t i = real.row, j = other.row;
      const float dx = rows.x[j] + other.shift_x - rows.x[i], dy = rows.y[j] + other.shift_y - rows.y[i];
      const float contact = rows.radius[i] + rows.radius[j];
      if (dx * dx + dy * dy >= contact * contact) continue;
      const std::uint32_t low = std::min(i, j), high = std::max(i, j);
      if (layer_of(i) != layer_of(j) && !can_see(data.cells, snap({rows.x[low], rows.y[low]}), rows.cell[low],
                                                 snap({rows.x[high], rows.y[high]}), rows.cell[high]))
        continue;
      ++found.overlaps;
      found.deep += dx * dx + dy * dy < 0.64f * contact * contact;
    }
  for (std::uint32_t i = 0; i < rows.x.size(); ++i) {
    const Vec2 at = {rows.x[i], rows.y[i]};
    const double radius = rows.radius[i];
    bool is_on_ground = data.locator.cell_at(at, layer_of(i)) != kNoCell;
    for (const PortalIndex portal : data.cells.portals_of(rows.cell[i]))
      is_on_ground |= data.locator.cell_at(at, data.cells.layer[data.cells.across(portal, rows.cell[i])]) != kNoCell;
    found.penetrations += data.locator.clearance(at, layer_of(i), radius) < radius - 0.001 || !is_on_ground;
  }
  return found;
}

/// True if a step's report says what is there.
bool expect_exact(const World& world, const StepReport& report) {
  const AllContacts all = contacts_of(world);
  EXPECT_EQ(report.overlaps, all.overlaps) << "step " << world.steps();
  EXPECT_EQ(report.deep_overlaps, all.deep) << "step " << world.steps();
  EXPECT_EQ(report.wall_penetrations, all.penetrations) << "step " << world.steps();
  return report.overlaps == all.overlaps && report.deep_overlaps == all.deep && report.wall_penetrations == all.penetrations;
}

TEST(Contacts, areThoseOfEveryPairInEachNamedScenario) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(test::source_dir() / "scenes"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::uint64_t overlaps = 0;
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.stem().string());
    const bool is_large = file.parent_path().filename() == "large";
#ifndef NDEBUG
    if (is_large) continue;  // in the optimised tree only
#endif
    ScenarioOverrides overrides;
    if (!is_large) overrides.most_people = 300;
    auto scenario = load_scenario(file, overrides);
    ASSERT_TRUE(scenario) << listed_problems(scenario);
    auto navigation = Navigation::bake(scenario->scene, {.editable = edits_scene(*scenario)});
    ASSERT_TRUE(navigation) << listed_problems(navigation);
    auto simulation = Simulation::create(*scenario, *navigation, 2);
    ASSERT_TRUE(simulation) << listed_problems(simulation);
    for (int step = 0; step < (is_large ? 3 : 400) && !simulation->is_done(); ++step) {
      const StepReport& report = simulation->step();
      overlaps += report.overlaps;
      if (is_large || step % 5 == 0) {
        ASSERT_TRUE(expect_exact(simulation->world(), report));
      }
    }
  }
  EXPECT_GT(overlaps, 1000u);
}

TEST(Contacts, areThoseOfEveryPairOnATorusAndWithLevelsAtAnyNumberOfThreads) {
  for (const unsigned threads : {1u, 2u, 5u}) {
    // Nobody is pushed apart, so that there is something to count, at the seams too.
    auto torus = CrowdRun::create(make_torus(600, 1.5, 3), {.threads = threads, .count_contacts = true, .separate_sweeps = 0});
    ASSERT_TRUE(torus) << listed_problems(torus);
    std::uint64_t overlaps = 0;
    for (int step = 0; step < 60; ++step) {
      const StepReport& report = torus->step();
      overlaps += report.overlaps;
      ASSERT_TRUE(expect_exact(torus->world, report));
    }
    EXPECT_GT(overlaps, 100u);
    WorldSettings coarse{.threads = threads, .count_contacts = true, .separate_sweeps = 1};
    coarse.detail.enabled = true;
    coarse.detail.viewpoint = Viewpoint{.position = {5, 5}, .direction = {1, 1}, .distance = 20};
    auto plaza = CrowdRun::create(make_plaza(500, 0.6, 4), coarse);
    ASSERT_TRUE(plaza) << listed_problems(plaza);
    overlaps = 0;
    for (int step = 0; step < 60; ++step) {
      const StepReport& report = plaza->step();
      overlaps += report.overlaps;
      ASSERT_TRUE(expect_exact(plaza->world, report));
    }
    EXPECT_GT(overlaps, 8u) << "agents that coast walk through each other";
  }
}

/// Nothing is pushed, and there are no walls: what is counted before must be what is counted behind.
TEST(Contacts, beforeSeparationAreThoseOfEveryPairToo) {
  for (const unsigned threads : {1u, 3u}) {
    auto torus = CrowdRun::create(make_torus(600, 1.5, 3), {.threads = threads, .count_contacts = true, .separate_sweeps = 0});
    ASSERT_TRUE(torus) << listed_problems(torus);
    std::uint64_t before = 0;
    for (int step = 0; step < 60; ++step) {
      const StepReport& report = torus->step();
      before += report.before_separate;
      EXPECT_EQ(report.before_separate, contacts_of(torus->world).overlaps);
    }
    EXPECT_GT(before, 100u);
  }
}

}  // namespace
}  // namespace throng
