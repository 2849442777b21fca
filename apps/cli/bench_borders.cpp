// SPDX-License-Identifier: MIT
// throng bench borders: what happens where levels of interest meet. Nobody is lost or doubled, as many people arrive as without
// borders, velocities do not jump; and level 1 in a jammed narrow place spares time (Yersin et al. 2008, section 7).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/random.hpp"
#include "bench.hpp"

namespace throng::cli {
namespace {

struct BenchBordersArguments {
  std::uint32_t warm_up = 600;
  std::uint32_t steps = 3000;
  std::uint64_t crossings = 1'000'000;
  std::uint32_t repeats = 3;
  bool json = false;
  bool quiet = false;
};

using Json = nlohmann::json;

struct Place {
  Navigation navigation;
  NavigationGraph graph;
  double ground;  // m²
  std::vector<std::array<Polygon, 2>> flows;
};

Polygon box(double x, double y, double to_x, double to_y) { return {{{x, y}, {to_x, y}, {to_x, to_y}, {x, to_y}}, {}}; }

Result<Place> bake(const Layer& layer, double ground, std::vector<std::array<Polygon, 2>> flows) {
  Scene scene;
  scene.layers = {layer};
  Result<Navigation> navigation = Navigation::bake(scene);
  if (!navigation) return navigation.problems();
  Result<NavigationGraph> graph = NavigationGraph::bake(scene, {});
  if (!graph) return graph.problems();
  return Place{std::move(*navigation), std::move(*graph), ground, std::move(flows)};
}

/// 90 × 60 m with pillars, crossed by four flows.
Result<Place> square() {
  Layer layer;
  layer.walkable = {box(0, 0, 90, 60)};
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j) layer.obstacles.push_back(box(14 + 15 * i, 13 + 16 * j, 17 + 15 * i, 16 + 16 * j));
  return bake(layer, 90 * 60 - 15 * 9,
              {{box(1, 18, 9, 28), box(81, 18, 89, 28)},
               {box(1, 34, 9, 44), box(81, 34, 89, 44)},
               {box(25, 1, 35, 8), box(25, 52, 35, 59)},
               {box(55, 1, 65, 8), box(55, 52, 65, 59)}});
}

/// Two rooms and a passage of 2 m between them, in which two streams meet.
Result<Place> two_rooms() {
  Layer layer;
  layer.walkable = {
      {{{0, 0}, {25, 0}, {25, 9}, {31, 9}, {31, 0}, {56, 0}, {56, 20}, {31, 20}, {31, 11}, {25, 11}, {25, 20}, {0, 20}}, {}}};
  return bake(layer, 2 * 500 + 12, {{box(1, 1, 6, 19), box(50, 1, 55, 19)}});
}

/// People everywhere, who walk to and fro for ever.
Result<World> fill(const Place& place, const WorldSettings& settings, std::uint32_t people) {
  Result<World> world = World::create(place.navigation, place.graph, settings);
  if (!world) return world;
  std::vector<std::uint32_t> plans;
  for (const auto& ends : place.flows) {
    const std::uint32_t from = world->add_area(ends[0]), to = world->add_area(ends[1]);
    const Result<std::uint32_t> flow = world->add_flow({.from = from, .to = to});
    if (!flow) return flow.problems();
    plans.push_back(world->add_plan({{{.area = to, .flow = *flow}, {.area = from, .flow = *flow}}, PlanEnd::kLoop}));
    plans.push_back(world->add_plan({{{.area = from, .flow = *flow}, {.area = to, .flow = *flow}}, PlanEnd::kLoop}));
  }
  RandomStream random(1, 0, 91);
  for (std::uint64_t tries = 0; world->agent_count() < people && tries < 1000ull * people; ++tries) {
    const double u = random.unit(), v = random.unit(), speed = random.between(0.8, 1.8);
    AgentDef definition;
    definition.position = place.navigation.random_walkable(u, v).point;
    definition.person.preferred_speed = static_cast<float>(speed);
    definition.plan = plans[world->agent_count() % plans.size()];
    if (world->is_free(definition.position, 0, definition.person.radius)) world->add(definition);
  }
  if (world->agent_count() < people)
    return Problem{"people", fmt::format("there is room for {} only", world->agent_count()), "this is a mistake of the program"};
  return world;
}

WorldSettings with_regions(std::vector<Region> regions, std::uint8_t elsewhere) {
  WorldSettings settings;
  settings.interest.enabled = true;
  settings.interest.regions = std::move(regions);
  settings.interest.elsewhere = elsewhere;
  return settings;
}

/// Changes of velocity in a step, m/s, in classes of 1 cm/s.
class Jumps {
 public:
  void add(double jump) {
    ++count_[std::min<std::size_t>(static_cast<std::size_t>(jump / kWidth), count_.size() - 1)];
    ++total_;
    most_ = std::max(most_, jump);
  }
  double most() const { return most_; }
  double share(double part) const {
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < count_.size(); ++i)
      if (seen += count_[i]; static_cast<double>(seen) >= part * static_cast<double>(total_))
        return kWidth * static_cast<double>(i + 1);
    return 0;
  }

 private:
  static constexpr double kWidth = 0.01;
  std::array<std::uint64_t, 1000> count_{};
  std::uint64_t total_ = 0;
  double most_ = 0;
};

/// Follows everybody by number from step to step.
class Watch {
 public:
  explicit Watch(const World& world) : people_(world.agent_count()) { note(world); }

  void look(const World& world) {
    const World::Columns c = world.columns();
    if (c.number.size() != people_.size()) wrong_ += 1;
    ++step_;
    for (std::size_t row = 0; row < c.number.size(); ++row) {
      const std::uint32_t number = c.number[row];
      if (number == 0 || number > people_.size() || people_[number - 1].seen == step_) {
        ++wrong_;
        continue;
      }
      One& one = people_[number - 1];
      one.seen = step_;
      const double jump = std::hypot(c.vx[row] - one.vx, c.vy[row] - one.vy);
      if (one.level != c.level[row]) one.crossed = step_, ++crossings_;
      constexpr std::uint64_t kNear = 10;  // steps after a border in which nobody counts as inside
      if (one.crossed != 0 && step_ - one.crossed <= 1)
        at_borders_.add(jump);
      else if (one.crossed == 0 || step_ - one.crossed > kNear)
        inside_.add(jump);
      one.level = c.level[row], one.vx = c.vx[row], one.vy = c.vy[row];
    }
    for (const Event& event : world.events()) {
      if (event.kind != EventKind::kArrived || event.number == 0 || event.number > people_.size()) continue;
      One& one = people_[event.number - 1];
      if (one.arrived > 0) travel_ += event.time - one.arrived, ++travels_;
      one.arrived = event.time;
      ++arrivals_;
    }
  }

  Json report(double seconds) const {
    return {{"people", people_.size()},
            {"density_around", counted_ > 0 ? around_ / static_cast<double>(counted_) : 0},
            {"crossings", crossings_},
            {"lost_or_doubled", wrong_},
            {"arrivals_per_second", static_cast<double>(arrivals_) / seconds},
            {"travel_time", travels_ > 0 ? travel_ / static_cast<double>(travels_) : 0},
            {"jump_inside_99", inside_.share(0.99)},
            {"jump_inside_most", inside_.most()},
            {"jump_border_99", at_borders_.share(0.99)},
            {"jump_border_most", at_borders_.most()}};
  }
  std::uint64_t crossings() const { return crossings_; }

  /// What people find around them, on tiles of 3 m: streams are denser than the square.
  void count_around(const World& world) {
    constexpr double kTile = 3;
    const World::Columns c = world.columns();
    std::map<std::pair<int, int>, std::uint64_t> people;
    for (std::size_t row = 0; row < c.x.size(); ++row)
      ++people[{static_cast<int>(c.x[row] / kTile), static_cast<int>(c.y[row] / kTile)}];
    for (const auto& [tile, count] : people) around_ += static_cast<double>(count * count) / (kTile * kTile), counted_ += count;
  }

 private:
  struct One {
    float vx = 0, vy = 0;
    std::uint8_t level = 0;
    std::uint64_t seen = 0, crossed = 0;
    double arrived = 0;
  };
  void note(const World& world) {
    const World::Columns c = world.columns();
    for (std::size_t row = 0; row < c.number.size(); ++row) {
      One& one = people_[c.number[row] - 1];
      one.vx = c.vx[row], one.vy = c.vy[row], one.level = c.level[row];
    }
  }
  std::vector<One> people_;
  std::uint64_t step_ = 0, crossings_ = 0, wrong_ = 0, arrivals_ = 0, travels_ = 0;
  double travel_ = 0, around_ = 0;
  std::uint64_t counted_ = 0;
  Jumps inside_, at_borders_;
};

/// Steps until so many have passed, and so many borders have been crossed.
Result<Json> watch(const BenchBordersArguments& a, const Place& place, const WorldSettings& settings, std::uint32_t people,
                   std::uint64_t crossings) {
  Result<World> world = fill(place, settings, people);
  if (!world) return world.problems();
  for (std::uint32_t i = 0; i < a.warm_up; ++i) world->step();
  Watch eyes(*world);
  std::uint64_t steps = 0;
  constexpr std::uint64_t kMostSteps = 1'000'000, kCountEvery = 50;
  for (; steps < a.steps || (eyes.crossings() < crossings && steps < kMostSteps); ++steps) {
    world->step();
    eyes.look(*world);
    if (steps % kCountEvery == 0) eyes.count_around(*world);
  }
  Json row = eyes.report(static_cast<double>(steps) * settings.dt);
  row["steps"] = steps;
  return row;
}

/// Regions of several sizes on a lattice: everybody crosses a border every few metres.
std::vector<Region> many_small() {
  std::vector<Region> regions;
  for (int i = 0; i < 60; ++i)
    regions.push_back({.centre = {4.5 + 9.0 * (i % 10), 5 + 10.0 * (i / 10)},
                       .radius = 3.0 + i % 3,
                       .level = static_cast<std::uint8_t>(i % 2)});
  return regions;
}

int run_bench_borders(const BenchBordersArguments& a) {
  Progress progress("borders", a.quiet);
  progress.step("baking");
  const Result<Place> place = square();
  if (!place) return report_problems(place.problems(), a.json);
  const std::vector<Region> five = {{.centre = {45, 30}, .radius = 12},
                                    {.centre = {20, 15}, .radius = 8},
                                    {.centre = {70, 15}, .radius = 8},
                                    {.centre = {20, 45}, .radius = 8},
                                    {.centre = {70, 45}, .radius = 8}};
  struct Case {
    const char* name;
    double density;
    WorldSettings settings;
    bool counts_crossings;
  };
  const Case cases[] = {
      {"all at level 0", 0.1, with_regions({}, 0), false},
      {"all at level 1", 0.1, with_regions({}, 1), false},
      {"five regions, level 1 elsewhere", 0.1, with_regions(five, 1), false},
      {"all at level 0", 0.3, with_regions({}, 0), false},
      {"all at level 1", 0.3, with_regions({}, 1), false},
      {"five regions, level 1 elsewhere", 0.3, with_regions(five, 1), false},
      {"five regions, level 2 elsewhere", 0.3, with_regions(five, 2), false},
      {"sixty small regions, level 2 elsewhere", 0.3, with_regions(many_small(), 2), true},
      {"all at level 0", 1, with_regions({}, 0), false},
      {"five regions, level 1 elsewhere", 1, with_regions(five, 1), false},
  };
  Json rows = Json::array();
  for (const Case& c : cases) {
    progress.step(fmt::format("{}, {} /m²", c.name, c.density));
    Result<Json> row =
        watch(a, *place, c.settings, static_cast<std::uint32_t>(c.density * place->ground), c.counts_crossings ? a.crossings : 0);
    if (!row) return report_problems(row.problems(), a.json);
    (*row)["name"] = c.name, (*row)["density"] = c.density;
    rows.push_back(*row);
  }

  progress.step("a jammed passage");
  const Result<Place> rooms = two_rooms();
  if (!rooms) return report_problems(rooms.problems(), a.json);
  Json jam = Json::object();
  for (const bool is_limited : {false, true}) {
    std::vector<Region> regions = {{.centre = {28, 10}, .radius = 15}};
    if (is_limited) regions.push_back({.centre = {28, 10}, .radius = 15, .level = 1, .is_limit = true});
    const Timing timing{.warm_up = a.warm_up, .steps = 200, .repeats = a.repeats, .before_step = {}};
    const Result<Json> row = time_steps(timing, [&] { return fill(*rooms, with_regions(regions, 1), 500); });
    if (!row) return report_problems(row.problems(), a.json);
    jam[is_limited ? "limited_to_level_1" : "level_0"] = *row;
  }
  if (a.json) {
    print_json({{"crowds", rows}, {"jam", jam}});
    return kSuccess;
  }
  fmt::print(
      "a square of 90 x 60 m with pillars, four flows that "
      "cross\n{:<42}{:>6}{:>8}{:>8}{:>11}{:>6}{:>12}{:>10}{:>9}{:>9}{:>9}{:>9}\n",
      "", "/m²", "around", "people", "crossings", "lost", "arrivals /s", "travel s", "in 99 %", "most", "at 99 %", "most");
  for (const Json& r : rows)
    fmt::print("{:<42}{:>6}{:>8.2f}{:>8}{:>11}{:>6}{:>12.3f}{:>10.2f}{:>9.2f}{:>9.2f}{:>9.2f}{:>9.2f}\n",
               r["name"].get<std::string>(), r["density"].get<double>(), r["density_around"].get<double>(),
               r["people"].get<int>(), r["crossings"].get<std::uint64_t>(), r["lost_or_doubled"].get<std::uint64_t>(),
               r["arrivals_per_second"].get<double>(), r["travel_time"].get<double>(), r["jump_inside_99"].get<double>(),
               r["jump_inside_most"].get<double>(), r["jump_border_99"].get<double>(), r["jump_border_most"].get<double>());
  fmt::print("around: people per m² on the 3 m tiles where people are\n");
  fmt::print("last columns: change of velocity in a step, m/s, of people inside a level, and of those who cross a border\n");
  const double field = jam["level_0"]["steps_per_second"], limited = jam["limited_to_level_1"]["steps_per_second"];
  fmt::print("\n500 people jammed in a passage of 2 m: {:.0f} steps/s at level 0, {:.0f} limited to level 1: {:.2f} times\n",
             field, limited, limited / field);
  return kSuccess;
}

}  // namespace

void add_bench_borders(CLI::App& bench, Outcome& outcome) {
  auto a = std::make_shared<BenchBordersArguments>();
  CLI::App* verb = bench.add_subcommand("borders", "where levels of interest meet: who is lost, who arrives, what jumps");
  verb->add_option("--warm-up", a->warm_up, "steps before anything is measured")->capture_default_str();
  verb->add_option("--steps", a->steps, "that are watched")->capture_default_str()->check(CLI::Range(1, 1000000));
  verb->add_option("--crossings", a->crossings, "of borders, that are watched with many small regions")->capture_default_str();
  verb->add_option("--repeats", a->repeats, "the best of so many counts, of times")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  verb->add_flag("--json", a->json, "one JSON document");
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->footer("Example: throng bench borders --crossings 10000");
  verb->callback([a, &outcome] { outcome.status = run_bench_borders(*a); });
}

}  // namespace throng::cli
