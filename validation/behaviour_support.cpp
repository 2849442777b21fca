// SPDX-License-Identifier: MIT
#include "behaviour_support.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/tasks.hpp"
#include "scenario/quantity.hpp"

namespace throng::behaviour {
namespace {

constexpr std::uint32_t kWalkerPurpose = 0x77616C6B;  // "walk"
constexpr std::uint64_t kPlaceDraws = 200;            // for one place
// m: random places run out where people are closer (3.2 persons/m²); they then start on a jittered grid. Bodies of 0.2 m dropped
// one by one jam at 4.3 persons/m², and the last before that are hard to place.
constexpr double kRandomPitch = 0.56;

}  // namespace

std::vector<Variant> with_control(const ReactiveSettings& model, const ReactiveSettings& control) {
  std::vector<Variant> variants{{kModel, model}, {kControl, control}};
  if (model.name != kPaper) variants.push_back({kPaper, reactive_2004()});
  return variants;
}

Distribution Measurements::of(const std::string& variant, const std::string& name) const {
  std::vector<double> values;
  for (const Figures& run : figures_.at(variant))
    if (run.at(name).is_number()) values.push_back(run.at(name).get<double>());
  return distribution_of(std::move(values));
}

Result<Measurements> measure_variants(const ValidationSettings& settings, const std::vector<Variant>& variants,
                                      const Measure& measure) {
  const std::size_t seeds = std::max(1u, settings.seeds);
  std::vector<std::optional<Result<Figures>>> runs(variants.size() * seeds);
  TaskPool pool(settings.threads);
  pool.parallel_for(runs.size(), 1, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) runs[i] = measure(variants[i / seeds].model, 1 + i % seeds);
  });
  Figures figures;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!*runs[i]) return runs[i]->problems();
    figures[variants[i / seeds].name].push_back(std::move(**runs[i]));
  }
  return Measurements(std::move(figures));
}

std::string spread(const Distribution& d, int digits) {
  if (d.count == 0) return "never";
  if (d.count == 1) return fmt::format("{:.{}f}", d.mean, digits);
  return fmt::format("{:.{}f} ({:.{}f} to {:.{}f})", d.mean, digits, d.low, digits, d.high, digits);
}

std::string beside(const Measurements& measured, const std::string& control_name,
                   const std::function<std::string(const std::string&)>& describe) {
  std::string text;
  if (measured.has(kControl)) text = control_name + ": " + describe(kControl);
  if (measured.has(kPaper)) text += (text.empty() ? "" : "; ") + kPaper + ": " + describe(kPaper);
  return text;
}

Polygon rectangle(double low_x, double low_y, double high_x, double high_y) {
  return {{{low_x, low_y}, {high_x, low_y}, {high_x, high_y}, {low_x, high_y}}, {}};
}

Scene scene_of(std::vector<Polygon> walkable) {
  Scene scene;
  scene.name = "behaviour";
  Layer layer;
  layer.name = "ground";
  layer.walkable = std::move(walkable);
  scene.layers.push_back(std::move(layer));
  return scene;
}

Result<World> make_world(std::vector<Polygon> walkable, const MotionModel& model, std::uint64_t seed, WorldSettings settings) {
  settings.seed = seed;
  settings.threads = 1;
  settings.models = {model};
  const Result<Navigation> navigation = Navigation::bake(scene_of(std::move(walkable)), {.threads = 1});
  if (!navigation) return navigation.problems();
  return World::create(*navigation, settings);
}

Result<Vec2> place_in(const World& world, std::uint32_t area, double radius, std::uint64_t& draw) {
  for (std::uint64_t attempt = 0; attempt < kPlaceDraws; ++attempt)
    if (const std::optional<Vec2> place = world.free_place(area, radius, draw++)) return *place;
  return Problem{"behaviour case", fmt::format("no room for a body after {} people", world.agent_count()), "take fewer people"};
}

double adult_speed(RandomStream& random) {
  static const Quantity kSpeed = Quantity::normal(1.34, 0.26, 0.8, 1.8);
  return kSpeed.draw(random.unit(), 0);
}

Result<Corridor> make_corridor(const CorridorDef& definition, const MotionModel& model, std::uint64_t seed,
                               const std::function<CorridorWalker(std::uint32_t, RandomStream&)>& walker) {
  WorldSettings settings;
  settings.period_low = {kPeriodMargin, 0};
  settings.period_size = {definition.length, 0};
  Result<World> world =
      make_world({rectangle(0, 0, definition.length + 2 * kPeriodMargin, definition.width)}, model, seed, settings);
  if (!world) return world.problems();
  Corridor corridor{std::move(*world), {}, {}, kPeriodMargin};
  const std::uint32_t area =
      corridor.world.add_area(rectangle(kPeriodMargin, 0, kPeriodMargin + definition.length, definition.width));
  RandomStream random(seed, 0, kWalkerPurpose);
  std::uint64_t draw = 0;
  const double pitch = std::sqrt(definition.length * definition.width / definition.people);
  const auto lines = static_cast<std::uint32_t>(definition.width / pitch + 1e-9);
  for (std::uint32_t i = 0; i < definition.people; ++i) {
    AgentDef agent;
    const CorridorWalker walks = walker(i, random);
    const double slack = 0.49 * pitch - agent.person.radius;
    if (pitch < kRandomPitch) {
      agent.position = {corridor.low_x + (i / lines + 0.5) * pitch + random.between(-slack, slack),
                        (i % lines + 0.5) * pitch + random.between(-slack, slack)};
    } else {
      const Result<Vec2> place = place_in(corridor.world, area, agent.person.radius, draw);
      if (!place) return place.problems();
      agent.position = *place;
    }
    agent.person.preferred_speed = static_cast<float>(walks.speed);
    const AgentId id = corridor.world.add(agent);
    if (!id) return Problem{"behaviour case", "a start of the corridor is not free", "take fewer people"};
    corridor.world.set_heading(id, {walks.direction, 0});
    corridor.people.push_back(id);
    corridor.walkers.push_back(walks);
  }
  return corridor;
}

void FrameCollector::add(const World& world) {
  constexpr std::uint32_t kNew = 0xffffffffu;
  const World::Columns all = world.columns();
  std::vector<std::uint32_t> rows(all.x.size());
  for (std::uint32_t i = 0; i < rows.size(); ++i) rows[i] = i;
  std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) { return all.number[a] < all.number[b]; });

  std::vector<std::uint32_t> agent;
  std::vector<float> x, y, heading_x, heading_y;
  for (const std::uint32_t row : rows) {
    const std::uint32_t number = all.number[row];
    if (number >= index_of_number_.size()) index_of_number_.resize(number + 1, kNew);
    if (index_of_number_[number] == kNew) {
      index_of_number_[number] = static_cast<std::uint32_t>(trajectory_.agents.size());
      trajectory_.agents.push_back({number, all.radius[row], all.preferred_speed[row], all.kind[row]});
    }
    agent.push_back(index_of_number_[number]);
    x.push_back(all.x[row]), y.push_back(all.y[row]);
    heading_x.push_back(all.heading_x[row]), heading_y.push_back(all.heading_y[row]);
  }
  const std::vector<float> z(rows.size(), 0);
  const std::vector<std::uint16_t> layer(rows.size(), 0);
  const std::size_t number = trajectory_.frame_count();
  trajectory_.append({number, trajectory_.time_of(number), trajectory_.agents, agent, x, y, heading_x, heading_y, z, layer});
}

}  // namespace throng::behaviour
