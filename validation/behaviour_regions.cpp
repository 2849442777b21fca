// SPDX-License-Identifier: MIT
// Lanes in the regions of interest (ALGORITHMS.md §4.11): two streams of a flow that meet in a wide street, at one level.
#include <algorithm>
#include <cmath>

#include "analysis/lanes.hpp"
#include "behaviour_support.hpp"

namespace throng::behaviour {
namespace {

constexpr double kLength = 60, kWidth = 12, kEnd = 8;  // m; at the ends people turn round
constexpr double kWarmUp = 60, kMeasured = 60;         // s
constexpr int kStepsPerLook = 5;

/// Where people were at the last look, by number: who has come on to the east or to the west since then.
class Headings {
 public:
  std::int8_t of(std::uint32_t number, float x) {
    if (number >= last_x_.size()) last_x_.resize(number + 1, x);
    const float by = x - last_x_[number];
    last_x_[number] = x;
    return by > 0.1f ? 1 : by < -0.1f ? -1 : 0;
  }

 private:
  std::vector<float> last_x_;
};

}  // namespace

Result<Figures> measure_region_lanes(const RegionLanes& definition, std::uint64_t seed) {
  const Scene scene = scene_of({rectangle(0, 0, kLength, kWidth)});
  const Result<Navigation> navigation = Navigation::bake(scene, {.threads = 1});
  if (!navigation) return navigation.problems();
  const Result<NavigationGraph> graph = NavigationGraph::bake(scene, {.threads = 1});
  if (!graph) return graph.problems();
  WorldSettings settings;
  settings.seed = seed;
  settings.models = {ShortTermSettings{}, LinearSettings{}};
  settings.interest.enabled = true;
  settings.interest.tile = definition.tile;
  settings.interest.field = definition.field;
  settings.interest.elsewhere = definition.level;
  settings.interest.levels = definition.levels;
  Result<World> made = World::create(*navigation, *graph, settings);
  if (!made) return made.problems();
  World& world = *made;
  const std::uint32_t west = world.add_area(rectangle(0, 0, kEnd, kWidth)),
                      east = world.add_area(rectangle(kLength - kEnd, 0, kLength, kWidth)),
                      everywhere = world.add_area(rectangle(0, 0, kLength, kWidth));
  const Result<std::uint32_t> flow = world.add_flow({.from = west, .to = east});
  if (!flow) return flow.problems();
  const PlanGoal to_west{.area = west, .flow = *flow}, to_east{.area = east, .flow = *flow};
  const std::uint32_t plans[] = {world.add_plan({{to_east, to_west}, PlanEnd::kLoop}),
                                 world.add_plan({{to_west, to_east}, PlanEnd::kLoop})};
  RandomStream random(seed, 0, 0x6c616e65);  // "lane"
  std::uint64_t draw = 0;
  const auto people = static_cast<std::uint32_t>(std::lround(definition.density * kLength * kWidth));
  for (std::uint32_t i = 0; i < people; ++i) {
    const Result<Vec2> place = place_in(world, everywhere, 0.2, draw);
    if (!place) return place.problems();
    AgentDef agent;
    agent.position = *place;
    agent.person.preferred_speed = static_cast<float>(adult_speed(random));
    agent.plan = plans[i % 2];
    if (!world.add(agent)) return Problem{"behaviour case", "a start of the street is not free", "take fewer people"};
  }
  Headings headings;
  double order = 0, corrected = 0, speed = 0;
  std::uint64_t looks = 0, samples = 0;
  const auto steps = static_cast<int>(std::lround((kWarmUp + kMeasured) / settings.dt));
  for (int step = 1; step <= steps; ++step) {
    world.step();
    if (step % kStepsPerLook != 0) continue;
    const World::Columns all = world.columns();
    // Those in the middle, as a frame of their own; the order of rows must not matter.
    std::vector<std::uint32_t> rows;
    std::vector<std::int8_t> direction;
    std::vector<std::int8_t> heading(all.x.size());
    for (std::uint32_t row = 0; row < all.x.size(); ++row) {
      heading[row] = headings.of(all.number[row], all.x[row]);
      if (all.x[row] > 1.5 * kEnd && all.x[row] < kLength - 1.5 * kEnd) rows.push_back(row);
    }
    if (step * settings.dt <= kWarmUp) continue;
    std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) { return all.number[a] < all.number[b]; });
    std::vector<AgentFacts> agents;
    std::vector<std::uint32_t> index;
    std::vector<float> x, y, along_x, along_y;
    for (const std::uint32_t row : rows) {
      index.push_back(static_cast<std::uint32_t>(agents.size()));
      agents.push_back({all.number[row], all.radius[row], all.preferred_speed[row], all.kind[row]});
      x.push_back(all.x[row]), y.push_back(all.y[row]);
      along_x.push_back(all.heading_x[row]), along_y.push_back(all.heading_y[row]);
      direction.push_back(heading[row]);
      speed += std::abs(all.vx[row]), ++samples;
    }
    const std::vector<float> z(rows.size(), 0);
    const std::vector<std::uint16_t> layer(rows.size(), 0);
    const LaneOrder now = lane_order({0, 0, agents, index, x, y, along_x, along_y, z, layer}, direction,
                                     {.seed = seed + static_cast<std::uint64_t>(step)});
    order += now.order, corrected += now.corrected, ++looks;
  }
  return Figures{{"order", order / static_cast<double>(looks)},
                 {"corrected_order", corrected / static_cast<double>(looks)},
                 {"speed", speed / static_cast<double>(samples)}};
}

}  // namespace throng::behaviour
