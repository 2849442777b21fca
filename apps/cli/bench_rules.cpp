// SPDX-License-Identifier: MIT
// throng bench rules: Tables 2 and 3 of Foudil et al. 2009 with and without priority rules, who waits, on which side people walk,
// the fundamental diagram of the tiles, and how fast a crowd is (ALGORITHMS §3.8, §3.9).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>

#include "analysis/lanes.hpp"
#include "behaviour_support.hpp"
#include "bench.hpp"
#include "inputs.hpp"
#include "scenario/simulation.hpp"

namespace throng::cli {
namespace {

using Json = nlohmann::json;

struct BenchRulesArguments {
  std::uint32_t seeds = 50;
  std::uint32_t large = 64000;
  bool speed_only = false;
  bool json = false;
  bool quiet = false;
};

constexpr double kStep = 0.1;         // s, of the scenarios
constexpr int kEvery = 5, kMany = 8;  // frames between two looks at lanes, people of each direction
constexpr double kLongest = 600;      // s: who has not arrived then counts as having taken so long

struct BenchRulesRow {
  const char* agent;
  int with, without;
};
// As printed.
constexpr BenchRulesRow kTable2[] = {{"1", 39, 39},  {"2", 51, 54},  {"3", 27, 47},  {"10", 49, 47}, {"11", 37, 44},
                           {"21", 23, 24}, {"22", 34, 36}, {"23", 24, 28}, {"30", 24, 38}, {"31", 27, 31},
                           {"48", 15, 20}, {"49", 26, 30}, {"50", 34, 34}};
constexpr BenchRulesRow kTable3[] = {{"1", 45, 55}, {"2", 39, 59},  {"3", 49, 60},  {"4", 56, 50},  {"5", 33, 43},  {"6", 32, 34},
                           {"7", 44, 59}, {"11", 40, 54}, {"12", 34, 55}, {"13", 15, 18}, {"15", 20, 35}, {"16", 25, 25}};

/// Arrival times by number; a person's priority beside it.
struct Run {
  std::map<std::uint32_t, double> time;
  std::map<std::uint32_t, std::int32_t> priority;
  std::uint32_t unfinished = 0;
};

Result<Run> run(const std::string& name, std::uint64_t seed, bool by_rules,
                const std::function<std::int32_t(std::uint32_t)>& priority = {}, behaviour::FrameCollector* frames = nullptr) {
  const auto file = find_scenario(name);
  if (!file) return file.problems();
  auto scenario = load_scenario(*file, {.duration = kLongest, .seed = seed});
  if (!scenario) return scenario.problems();
  for (MotionModel& model : scenario->models)
    if (auto* rules = std::get_if<RulesSettings>(&model)) rules->priority_rules = by_rules;
  if (priority)
    for (std::size_t i = 0; i < scenario->populations.size(); ++i)
      scenario->populations[i].priority = priority(static_cast<std::uint32_t>(i));
  scenario->settings.count_contacts = false;
  const auto navigation = Navigation::bake(scenario->scene);
  if (!navigation) return navigation.problems();
  Result<Simulation> simulation = Simulation::create(*scenario, *navigation);
  if (!simulation) return simulation.problems();
  Run out;
  World& world = simulation->world();
  while (!simulation->is_done()) {
    simulation->step();
    if (frames != nullptr) frames->add(world);
    for (const Event& event : world.events())
      if (event.kind == EventKind::kArrived) out.time[event.number] = event.time;
    if (world.steps() != 2) continue;
    for (std::uint32_t row = 0; row < world.agent_count(); ++row)
      if (const auto said = world.rules_decision(world.id_at(row))) out.priority[world.columns().number[row]] = said->priority;
  }
  for (const auto& [number, of] : out.priority)
    if (out.time.emplace(number, kLongest).second) ++out.unfinished;
  return out;
}

/// Order of lanes of two groups that walk through each other: of those in the middle 10 m, while many of both are there.
Result<double> measure_group_lanes(bool by_rules, std::uint64_t seed) {
  behaviour::FrameCollector frames(kStep);
  const auto done = run("rules_crossing_groups", seed, by_rules, {}, &frames);
  if (!done) return done.problems();
  const Trajectory trajectory = frames.trajectory();
  const LaneSettings settings{.along = {1, 0}};
  const std::vector<std::int8_t> direction = directions_of(trajectory, settings.along);
  double low = 1e30, high = -1e30, sum = 0;
  for (const float x : trajectory.x) low = std::min(low, static_cast<double>(x)), high = std::max(high, static_cast<double>(x));
  int count = 0;
  std::vector<std::int8_t> here;
  for (std::size_t number = 0; number < trajectory.frame_count(); number += kEvery) {
    const FrameView frame = trajectory.frame(number);
    here.assign(direction.size(), 0);
    int to_right = 0, to_left = 0;
    for (std::size_t row = 0; row < frame.size(); ++row) {
      if (std::abs(static_cast<double>(frame.x[row]) - 0.5 * (low + high)) > 5) continue;
      here[frame.agent[row]] = direction[frame.agent[row]];
      to_right += here[frame.agent[row]] > 0, to_left += here[frame.agent[row]] < 0;
    }
    if (std::min(to_right, to_left) < kMany) continue;
    sum += lane_order(frame, here, settings).corrected, ++count;
  }
  if (count == 0) return Problem{"rules_crossing_groups", "the groups never meet", "this is a mistake of the program"};
  return sum / count;
}

template <class T>
T median(std::vector<T> list) {
  if (list.empty()) return 0;
  std::nth_element(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2), list.end());
  return list[list.size() / 2];
}

/// One of the paper's tables: a scenario with and without rules, the same people from the same places.
Result<Json> measure_table(const std::string& name, std::uint32_t seeds) {
  double with = 0, without = 0, lead_with = 0, other_with = 0;
  std::uint64_t people = 0, better = 0, equal = 0, worse = 0, lead = 0, stuck_with = 0, stuck_without = 0;
  std::vector<double> all_with, all_without;
  Json rows = Json::array();
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    const auto a = run(name, seed, true), b = run(name, seed, false);
    if (!a) return a.problems();
    if (!b) return b.problems();
    stuck_with += a->unfinished, stuck_without += b->unfinished;
    for (const auto& [number, time] : a->time) {
      const double other = b->time.at(number);
      // Whole seconds, as the paper has them.
      const auto mine = static_cast<int>(std::lround(time)), its = static_cast<int>(std::lround(other));
      if (seed == 1) rows.push_back({number, mine, its});
      ++people, with += time, without += other;
      better += mine<its, equal += mine == its, worse += mine> its;
      all_with.push_back(time), all_without.push_back(other);
      const bool is_lead = a->priority.contains(number) && a->priority.at(number) > 0;
      (is_lead ? lead_with : other_with) += time;
      lead += is_lead;
    }
  }
  const auto n = static_cast<double>(people);
  return Json{{"scenario", name},
              {"seeds", seeds},
              {"people", people},
              {"with_s", with / n},
              {"without_s", without / n},
              {"median_with_s", median(all_with)},
              {"median_without_s", median(all_without)},
              {"gain", 1 - with / without},
              {"median_gain", 1 - median(all_with) / median(all_without)},
              {"better", static_cast<double>(better) / n},
              {"equal", static_cast<double>(equal) / n},
              {"worse", static_cast<double>(worse) / n},
              {"not_worse", static_cast<double>(better + equal) / n},
              {"unfinished_with", stuck_with},
              {"unfinished_without", stuck_without},
              {"leavers_s", lead > 0 ? lead_with / static_cast<double>(lead) : 0},
              {"boarders_s", lead > 0 ? other_with / static_cast<double>(people - lead) : 0},
              {"rows_of_seed_1", rows}};
}

/// Half of the people of crossing groups get a higher priority; the same run with the halves exchanged is its pair.
Result<Json> measure_priority(std::uint32_t seeds) {
  double high = 0, low = 0;
  std::uint32_t faster = 0;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    double mine[2] = {0, 0};
    for (const int lead : {0, 1}) {
      const auto a =
          run("rules_narrow_passage", seed, true, [lead](std::uint32_t i) { return static_cast<int>(i) == lead ? 1 : 0; });
      if (!a) return a.problems();
      std::uint32_t count[2] = {0, 0};
      double sum[2] = {0, 0};
      for (const auto& [number, time] : a->time) {
        const int is_high = a->priority.at(number) > 0 ? 1 : 0;
        sum[is_high] += time, ++count[is_high];
      }
      mine[1] += sum[1] / count[1] / 2, mine[0] += sum[0] / count[0] / 2;
    }
    high += mine[1] / seeds, low += mine[0] / seeds;
    faster += mine[1] < mine[0];
  }
  return Json{{"high_s", high}, {"low_s", low}, {"seeds", seeds}, {"seeds_where_high_is_faster", faster}};
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr std::uint32_t kQuarter = 640;  // people
constexpr double kQuarterSide = 46;      // m, as in `rules_640`
constexpr int kQuarterBlocks = 6;        // along a side

/// People who walk to and fro in quarters of a town, `across` times `across` of them, 640 people in each. Every quarter is the
/// same ground with as many trips of the same lengths, so one person's step is the same work in a small town and in a large one.
/// Frames per second of the processor's time: other programs do not count.
Result<World> town_of(int across, std::uint64_t seed) {
  const double side = kQuarterSide * across, pitch = kQuarterSide / kQuarterBlocks;
  Scene scene;
  scene.name = "town";
  Layer layer;
  layer.name = "ground";
  const auto box = [](double x0, double y0, double x1, double y1) {
    return Polygon{{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}};
  };
  layer.walkable = {box(0, 0, side, side)};
  for (int i = 0; i < kQuarterBlocks * across; ++i)
    for (int j = 0; j < kQuarterBlocks * across; ++j) {
      const double x = pitch * (i + 0.5), y = pitch * (j + 0.5);
      layer.obstacles.push_back(box(x - 0.75, y - 0.75, x + 0.75, y + 0.75));
    }
  scene.layers.push_back(layer);
  const auto navigation = Navigation::bake(scene);
  if (!navigation) return navigation.problems();
  WorldSettings settings;
  settings.models = {RulesSettings{}};
  Result<World> world = World::create(*navigation, settings);
  if (!world) return world.problems();
  RandomStream random(seed, 0, 77);
  for (int quarter = 0; quarter < across * across; ++quarter) {
    const Vec2 corner = {kQuarterSide * (quarter % across), kQuarterSide * (quarter / across)};
    const auto inside = [&](double v, double low) { return std::clamp(v, low + 0.4, low + kQuarterSide - 0.4); };
    for (std::uint32_t placed = 0; placed < kQuarter;) {
      AgentDef def;
      def.position = corner + Vec2{random.between(0.3, kQuarterSide - 0.3), random.between(0.3, kQuarterSide - 0.3)};
      if (!world->is_free(def.position, 0, 0.2)) continue;
      def.person.preferred_speed = static_cast<float>(random.between(0.9, 1.7));
      const Vec2 there = {inside(def.position.x + random.between(-14, 14), corner.x),
                          inside(def.position.y + random.between(-14, 14), corner.y)};
      Plan plan;
      plan.goals.push_back({.point = navigation->nearest_walkable(there, 0.3).value_or(def.position)});
      plan.goals.push_back({.point = def.position});
      plan.end = PlanEnd::kLoop;
      def.plan = world->add_plan(plan);
      if (world->add(def)) ++placed;
    }
  }
  return world;
}

/// The same hundred and fifty steps of `towns` towns, in three parts; the quickest part counts.
Result<Json> measure_speed(int across, int towns) {
  constexpr int kBefore = 50, kSteps = 50, kParts = 3;
  const double people = kQuarter * across * across;
  std::array<double, kParts> seconds{};
  double speed = 0;
  std::map<std::string, double> phases;  // by the clock: a busy machine adds to them
  for (int town = 1; town <= towns; ++town) {
    Result<World> world = town_of(across, static_cast<std::uint64_t>(town));
    if (!world) return world.problems();
    for (int i = 0; i < kBefore; ++i) world->step();
    const std::vector<Phase> before = world->phases();
    for (double& part : seconds) {
      const double began = processor_seconds();
      for (int i = 0; i < kSteps; ++i) speed += world->step().speed_ratio;
      part += processor_seconds() - began;
    }
    for (std::size_t k = 0; k < before.size(); ++k) phases[before[k].name] += world->phases()[k].seconds - before[k].seconds;
  }
  const double frames = kSteps * towns, best = *std::min_element(seconds.begin(), seconds.end());
  Json shares;
  for (const auto& [name, spent] : phases)
    if (const double ns = 1e9 * spent / (kParts * frames * people); ns >= 1) shares[name] = std::round(ns);
  return Json{{"people", people},
              {"phases_ns", shares},
              {"steps", kParts * frames},
              {"frames_per_second", frames / best},
              {"ns_per_agent_frame", 1e9 * best / (frames * people)},
              {"speed_ratio", speed / (kParts * frames)}};
}

void print_table(const Json& table, std::span<const BenchRulesRow> paper, const char* title) {
  fmt::print("\n{} ({} seeds, {} people)\n", title, table["seeds"].get<int>(), table["people"].get<int>());
  fmt::print("  paper    agent with/without:");
  for (const BenchRulesRow& row : paper) fmt::print(" {} {}/{}", row.agent, row.with, row.without);
  fmt::print("\n  seed 1   agent with/without:");
  for (const Json& row : table["rows_of_seed_1"])
    fmt::print(" {} {}/{}", row[0].get<int>(), row[1].get<int>(), row[2].get<int>());
  fmt::print("\n  mean {:.1f} s with rules, {:.1f} s without: {:.1f} % less; median {:.1f} and {:.1f}: {:.1f} % less\n",
             table["with_s"].get<double>(), table["without_s"].get<double>(), 100 * table["gain"].get<double>(),
             table["median_with_s"].get<double>(), table["median_without_s"].get<double>(),
             100 * table["median_gain"].get<double>());
  fmt::print(
      "  better {:.1f} %, equal {:.1f} %, worse {:.1f} % (the paper claims 97, 2, 1; its rows: 80, 12, 8); not through in {:.0f} "
      "s: {} and {}\n",
      100 * table["better"].get<double>(), 100 * table["equal"].get<double>(), 100 * table["worse"].get<double>(), kLongest,
      table["unfinished_with"].get<int>(), table["unfinished_without"].get<int>());
}

/// 640 people and many at the same density.
Result<bool> measure_crowds(const BenchRulesArguments& arguments, Progress& progress, Json& out) {
  const int across = std::max(2, static_cast<int>(std::lround(std::sqrt(arguments.large / double{kQuarter}))));
  for (const int side : {1, across}) {
    progress.step(fmt::format("{} people", kQuarter * static_cast<unsigned>(side * side)));
    Result<Json> speed = measure_speed(side, side == 1 ? 40 : 1);
    if (!speed) return speed.problems();
    out["crowd"].push_back(*speed);
  }
  out["large_per_agent"] =
      out["crowd"][1]["ns_per_agent_frame"].get<double>() / out["crowd"][0]["ns_per_agent_frame"].get<double>();
  return true;
}

Result<Json> bench(const BenchRulesArguments& arguments, Progress& progress) {
  Json out;
  if (arguments.speed_only) {
    Result<bool> speed = measure_crowds(arguments, progress, out);
    if (!speed) return speed.problems();
    out["met"] = {{"speed", out["crowd"][0]["frames_per_second"] >= 1000}, {"scaling", out["large_per_agent"] <= 1.3}};
    return out;
  }
  const struct {
    const char *key, *scenario;
  } tables[] = {{"narrow_passage", "rules_narrow_passage"}, {"queue_a", "rules_queue_a"}, {"queue_b", "rules_queue_b"}};
  for (const auto& [key, scenario] : tables) {
    progress.step(key);
    Result<Json> table = measure_table(scenario, arguments.seeds);
    if (!table) return table.problems();
    out[key] = *table;
  }
  progress.step("priority");
  Result<Json> priority = measure_priority(std::min(20u, arguments.seeds));
  if (!priority) return priority.problems();
  out["priority"] = *priority;
  RulesSettings control;
  control.priority_rules = false;
  for (const bool is_control : {false, true}) {
    double order = 0, right = 0, flow = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const auto lanes = behaviour::measure_counterflow(is_control ? control : RulesSettings{}, seed, 1.0);
      if (!lanes) return lanes.problems();
      order += lanes->at("corrected_order").get<double>() / 3, right += lanes->at("to_own_right_m").get<double>() / 3;
      flow += lanes->at("flow_per_m_s").get<double>() / 3;
    }
    out[is_control ? "lanes_control" : "lanes"] = {{"corrected_order", order}, {"to_own_right_m", right}, {"flow_per_m_s", flow}};
  }
  progress.step("lanes of crossing groups");
  for (const bool by_rules : {true, false}) {
    double order = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Result<double> lanes = measure_group_lanes(by_rules, seed);
      if (!lanes) return lanes.problems();
      order += *lanes / 5;
    }
    out["group_lanes"][by_rules ? "with" : "without"] = order;
  }
  progress.step("fundamental diagram");
  Json diagram = Json::array();
  double most = 0, at = 0;
  for (const double density : {0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.25}) {
    const auto speed = behaviour::measure_speed_at(RulesSettings{}, 1, density);
    if (!speed) return speed.problems();
    diagram.push_back({density, *speed, density * *speed});
    if (density * *speed > most) most = density * *speed, at = density;
  }
  out["fundamental_diagram"] = diagram;
  out["most_flow_at"] = at;
  Result<bool> speed = measure_crowds(arguments, progress, out);
  if (!speed) return speed.problems();
  const auto meets = [&](const char* key, double gain) { return out[key]["gain"] >= gain && out[key]["not_worse"] >= 0.85; };
  out["met"] = {{"narrow_passage", meets("narrow_passage", 0.10)},
                {"queue", meets("queue_a", 0.15) || meets("queue_b", 0.15)},
                {"priority", out["priority"]["high_s"] < out["priority"]["low_s"]},
                {"leavers", out["queue_a"]["leavers_s"] < out["queue_a"]["boarders_s"]},
                {"right", out["lanes"]["to_own_right_m"] >= 0.25},
                {"lanes", out["lanes"]["corrected_order"] >= 0.6},
                {"group_lanes", out["group_lanes"]["with"] > out["group_lanes"]["without"]},
                {"diagram", at >= 1 && at <= 2.5},
                {"speed", out["crowd"][0]["frames_per_second"] >= 1000},
                {"scaling", out["large_per_agent"] <= 1.3}};
  return out;
}

void print_crowds(const Json& out) {
  for (const Json& row : out["crowd"]) {
    fmt::print("{} people: {:.0f} frames/s, {:.0f} ns an agent and frame, speed {:.2f}\n", row["people"].get<int>(),
               row["frames_per_second"].get<double>(), row["ns_per_agent_frame"].get<double>(), row["speed_ratio"].get<double>());
    fmt::print("  by phase, ns by the clock:");
    for (const auto& [name, ns] : row["phases_ns"].items()) fmt::print(" {} {:.0f}", name, ns.get<double>());
    fmt::print("\n");
  }
  fmt::print("large / small: {:.2f}\n", out["large_per_agent"].get<double>());
}

void print_rules(const Json& out) {
  print_table(out["narrow_passage"], kTable2, "Table 2, narrow passage");
  print_table(out["queue_a"], kTable3, "Table 3, queuing in two directions, variant A");
  print_table(out["queue_b"], kTable3, "The same, variant B: the way is kept free");
  fmt::print("\nleavers {:.1f} s, boarders {:.1f} s (A); {:.1f} and {:.1f} (B)\n", out["queue_a"]["leavers_s"].get<double>(),
             out["queue_a"]["boarders_s"].get<double>(), out["queue_b"]["leavers_s"].get<double>(),
             out["queue_b"]["boarders_s"].get<double>());
  fmt::print("priority: {:.1f} s with the higher, {:.1f} s with the lower; faster in {} of {} seeds\n",
             out["priority"]["high_s"].get<double>(), out["priority"]["low_s"].get<double>(),
             out["priority"]["seeds_where_high_is_faster"].get<int>(), out["priority"]["seeds"].get<int>());
  for (const char* key : {"lanes", "lanes_control"})
    fmt::print("{}: Φ' {:.2f}, {:.2f} m to the own right, flow {:.2f} /(m s)\n", key, out[key]["corrected_order"].get<double>(),
               out[key]["to_own_right_m"].get<double>(), out[key]["flow_per_m_s"].get<double>());
  fmt::print("two groups that cross: Φ' {:.2f} with rules, {:.2f} without\n", out["group_lanes"]["with"].get<double>(),
             out["group_lanes"]["without"].get<double>());
  fmt::print("density, speed, flow:");
  for (const Json& row : out["fundamental_diagram"])
    fmt::print("  {:.2f} {:.2f} {:.2f}", row[0].get<double>(), row[1].get<double>(), row[2].get<double>());
  fmt::print("\nmost flow at {:.2f} /m²\n", out["most_flow_at"].get<double>());
  print_crowds(out);
}

int run_bench_rules(const BenchRulesArguments& a) {
  Progress progress("rules", a.quiet);
  const Result<Json> result = bench(a, progress);
  if (!result) return report_problems(result.problems(), a.json);
  if (a.json)
    print_json(*result);
  else if (a.speed_only)
    print_crowds(*result);
  else
    print_rules(*result);
  std::vector<Problem> wrong;
  for (const auto& [what, is_met] : (*result)["met"].items())
    if (!is_met.get<bool>()) wrong.push_back({"bench rules", what + " is not as it should be", "see docs/benchmarks.md"});
  return wrong.empty() ? kSuccess : report_problems(wrong, a.json);
}

}  // namespace

void add_bench_rules(CLI::App& bench_verb, Outcome& outcome) {
  auto a = std::make_shared<BenchRulesArguments>();
  CLI::App* verb = bench_verb.add_subcommand(
      "rules", "priority rules: the paper's tables with and without them, who waits, lanes, flow, speed");
  verb->add_option("--seeds", a->seeds, "of each table")->capture_default_str()->check(CLI::Range(1, 1000));
  verb->add_option("--large", a->large, "people of the large crowd")->capture_default_str()->check(CLI::Range(640, 200000));
  verb->add_flag("--speed-only", a->speed_only, "nothing but how fast a crowd is");
  verb->add_flag("--json", a->json, "one JSON document on stdout");
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->footer("Example: throng bench rules --seeds 10 --large 6400");
  verb->callback([a, &outcome] { outcome.status = run_bench_rules(*a); });
}

}  // namespace throng::cli
