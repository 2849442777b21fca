// SPDX-License-Identifier: MIT
// throng bench groups: how groups keep together (Yersin et al. 2008; ALGORITHMS §8.5), beside the same people without groups, and
// how well they are found by somebody to whom nobody told of them.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench.hpp"
#include "groups/cohesion.hpp"
#include "groups/finder.hpp"
#include "inputs.hpp"
#include "scenario/simulation.hpp"

namespace throng::cli {
namespace {

using Json = nlohmann::json;

struct BenchGroupsArguments {
  std::vector<std::string> models = {"reactive", "short_term"};
  std::uint32_t seeds = 10;
  bool json = false;
  bool quiet = false;
};

constexpr int kSteps = 600;
constexpr double kTarget = 0.8;  // of the time abreast, in free flow
constexpr double kFound = 0.9;   // precision and recall

double per(double sum, std::uint64_t count) { return count == 0 ? 0 : sum / static_cast<double>(count); }

Json json_of(const Cohesion& sums) {
  return {{"share", per(static_cast<double>(sums.in_groups), sums.people)},
          {"pair_distance_m", per(sums.pair_distance, sums.pairs)},
          {"to_middle_m", per(sums.to_middle, sums.in_groups)},
          {"abreast", per(static_cast<double>(sums.abreast), sums.followers)}};
}

Result<Simulation> open(const std::string& name, const std::string& model, std::uint64_t seed) {
  const auto file = find_scenario(name);
  if (!file) return file.problems();
  const auto scenario = load_scenario(*file, {.seed = seed, .model = model});
  if (!scenario) return scenario.problems();
  const auto navigation = Navigation::bake(scenario->scene);
  if (!navigation) return navigation.problems();
  return Simulation::create(*scenario, *navigation);
}

/// A scenario of groups as it is; or, as a control, with every group dissolved at the start.
Result<Json> measure_mix(const std::string& mix, const std::string& model, bool dissolves) {
  Result<Simulation> simulation = open("groups_" + mix, model, 1);
  if (!simulation) return simulation.problems();
  World& world = simulation->world();
  std::vector<std::uint32_t> group_of(1, 0);
  for (std::uint32_t row = 0; row < world.agent_count(); ++row) {
    const std::uint32_t number = world.columns().number[row];
    if (group_of.size() <= number) group_of.resize(number + 1);
    group_of[number] = world.group_of(world.id_at(row));
  }
  if (dissolves)
    for (std::uint32_t row = 0; row < world.agent_count(); ++row) world.leave_group(world.id_at(row));
  Cohesion sums;
  CohesionMeter meter;
  std::vector<std::uint32_t> group;
  std::uint64_t overlaps = 0;
  double speed = 0;
  for (int i = 0; i < kSteps; ++i) {
    const StepReport& report = simulation->step();
    overlaps += report.overlaps, speed += report.speed_ratio / kSteps;
    if (i % 10 != 0) continue;
    const World::Columns rows = world.columns();
    group.clear();
    for (const std::uint32_t number : rows.number) group.push_back(group_of[number]);
    meter.add({group, rows.number, rows.x, rows.y, rows.vx, rows.vy}, sums);
  }
  Json row = json_of(sums);
  row["mix"] = mix, row["model"] = model, row["groups"] = !dissolves, row["overlaps"] = overlaps, row["speed_ratio"] = speed;
  return row;
}

Result<World> open_ground(const MotionModel& model, double width, double height) {
  Scene scene;
  scene.name = "open ground";
  scene.layers.push_back({.name = "ground", .walkable = {{{{0, 0}, {width, 0}, {width, height}, {0, height}}, {}}}});
  const auto navigation = Navigation::bake(scene);
  if (!navigation) return navigation.problems();
  WorldSettings settings;
  settings.models = {model};
  return World::create(*navigation, settings);
}

MotionModel model_named(const std::string& name) {
  if (name == "reynolds") return ReynoldsSettings{};
  if (name == "linear") return LinearSettings{};
  if (name == "short_term") return ShortTermSettings{};
  if (name == "continuum") return ContinuumSettings{};
  return reactive();
}

/// Free flow: a group of each size alone on open ground. Then its last member is put six metres back.
Result<Json> measure_free(const std::string& model, int members) {
  Result<World> world = open_ground(model_named(model), 120, 30);
  if (!world) return world.problems();
  std::vector<AgentId> people;
  for (int i = 0; i < members; ++i) {
    AgentDef definition{.position = {5 + 0.3 * (i % 2), 10 + 0.9 * i}};
    definition.person.preferred_speed = 1.2f + 0.1f * static_cast<float>((i * 2) % 5);
    people.push_back(world->add(definition));
  }
  if (const auto group = world->add_group(people); !group) return group.problems();
  world->set_goal(people[0], {110, 14});
  Cohesion sums;
  CohesionMeter meter;
  const auto look = [&] {
    const World::Columns rows = world->columns();
    meter.add({rows.group, rows.number, rows.x, rows.y, rows.vx, rows.vy}, sums);
  };
  for (int i = 0; i < 300; ++i) world->step(), look();
  const AgentId last = people.back();
  world->teleport(last, world->position(last) - Vec2{6, 0});
  double joined_after = 60;
  for (int step = 1; step <= 600 && joined_after == 60; ++step) {
    world->step();
    const Vec2 way = world->position(people[0]) - world->position(last);
    if (std::abs(way.x) < 0.5 && length(way) < 0.9 * members) joined_after = 0.1 * step;
  }
  Json row = json_of(sums);
  row["model"] = model, row["members"] = members, row["join_s"] = joined_after;
  return row;
}

Result<Json> measure_finder(const std::string& model, std::uint32_t seeds) {
  PairScore all;
  double worst_precision = 1, worst_recall = 1;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Result<Simulation> simulation = open("groups_mixed", model, seed);
    if (!simulation) return simulation.problems();
    World& world = simulation->world();
    world.found_groups();
    for (int i = 0; i < kSteps; ++i) simulation->step();
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_number;
    const World::Columns rows = world.columns();
    for (std::size_t row = 0; row < rows.x.size(); ++row)
      if (rows.group[row] != 0) by_number[rows.group[row]].push_back(rows.number[row]);
    std::vector<std::vector<std::uint32_t>> declared;
    for (const auto& [number, list] : by_number) declared.push_back(list);
    const PairScore score = score_of(world.found_groups(), declared);
    all.right += score.right, all.wrong += score.wrong, all.missed += score.missed;
    worst_precision = std::min(worst_precision, score.precision()), worst_recall = std::min(worst_recall, score.recall());
  }
  return Json{{"model", model},
              {"seeds", seeds},
              {"pairs", all.right + all.missed},
              {"precision", all.precision()},
              {"recall", all.recall()},
              {"worst_precision", worst_precision},
              {"worst_recall", worst_recall}};
}

void print_cohesion(const Json& document) {
  fmt::print("a group alone on open ground\n{:<12}{:>8}{:>10}{:>16}{:>16}\n", "model", "members", "abreast", "to the middle",
             "back after 6 m");
  for (const Json& r : document["free_flow"])
    fmt::print("{:<12}{:>8}{:>8.0f} %{:>14.2f} m{:>14.1f} s\n", r["model"].get<std::string>(), r["members"].get<int>(),
               100 * r["abreast"].get<double>(), r["to_middle_m"].get<double>(), r["join_s"].get<double>());
  fmt::print("\nthe four mixes, 60 people on a promenade, one minute; and the same people without their groups\n");
  fmt::print("{:<12}{:<9}{:<9}{:>8}{:>10}{:>13}{:>16}{:>10}{:>8}\n", "model", "mix", "groups", "share", "abreast", "two apart",
             "to the middle", "overlaps", "speed");
  for (const Json& r : document["mixes"])
    fmt::print("{:<12}{:<9}{:<9}{:>6.0f} %{:>8.0f} %{:>11.2f} m{:>14.2f} m{:>10}{:>8.2f}\n", r["model"].get<std::string>(),
               r["mix"].get<std::string>(), r["groups"].get<bool>() ? "yes" : "no", 100 * r["share"].get<double>(),
               100 * r["abreast"].get<double>(), r["pair_distance_m"].get<double>(), r["to_middle_m"].get<double>(),
               r["overlaps"].get<std::uint64_t>(), r["speed_ratio"].get<double>());
  fmt::print("\nfound in the mixed crowd within a minute, pairs of people\n{:<12}{:>6}{:>7}{:>11}{:>8}{:>17}\n", "model",
             "seeds", "pairs", "precision", "recall", "worst of a seed");
  for (const Json& r : document["finder"])
    fmt::print("{:<12}{:>6}{:>7}{:>11.2f}{:>8.2f}{:>10.2f}, {:.2f}\n", r["model"].get<std::string>(), r["seeds"].get<int>(),
               r["pairs"].get<std::uint64_t>(), r["precision"].get<double>(), r["recall"].get<double>(),
               r["worst_precision"].get<double>(), r["worst_recall"].get<double>());
}

int run_bench_groups(const BenchGroupsArguments& a) {
  Progress progress("groups", a.quiet);
  Json document{{"free_flow", Json::array()}, {"mixes", Json::array()}, {"finder", Json::array()}};
  std::vector<Problem> wrong;
  const auto keep = [&](const char* table, const Result<Json>& measured) {
    if (measured) {
      document[table].push_back(*measured);
    } else {
      wrong.insert(wrong.end(), measured.problems().begin(), measured.problems().end());
    }
    return bool(measured);
  };
  for (const std::string& model : a.models) {
    for (const int members : {2, 3, 5}) {
      progress.step(fmt::format("{}, {} people", model, members));
      if (!keep("free_flow", measure_free(model, members))) return report_problems(wrong, a.json);
      const Json& row = document["free_flow"].back();
      if (row["abreast"].get<double>() < kTarget || row["join_s"].get<double>() >= 5)
        wrong.push_back(
            {"bench groups", fmt::format("{} people by {} do not keep together", members, model), "see src/world/groups.cpp"});
    }
    for (const char* mix : {"alone", "small", "large", "mixed"})
      for (const bool dissolves : {false, true}) {
        if (dissolves && std::string_view(mix) == "alone") continue;
        progress.step(fmt::format("{}, {}", model, mix));
        if (!keep("mixes", measure_mix(mix, model, dissolves))) return report_problems(wrong, a.json);
      }
    progress.step(fmt::format("{}, finding groups", model));
    if (!keep("finder", measure_finder(model, a.seeds))) return report_problems(wrong, a.json);
    const Json& found = document["finder"].back();
    if (found["precision"].get<double>() < kFound || found["recall"].get<double>() < kFound)
      wrong.push_back({"bench groups", "groups of " + model + " are not found", "see src/groups/finder.hpp"});
  }
  if (a.json)
    print_json(document);
  else
    print_cohesion(document);
  return wrong.empty() ? kSuccess : report_problems(wrong, a.json);
}

}  // namespace

void add_bench_groups(CLI::App& bench, Outcome& outcome) {
  auto a = std::make_shared<BenchGroupsArguments>();
  CLI::App* verb = bench.add_subcommand("groups", "how groups keep together, and how well they are found");
  verb->add_option("--models", a->models, "motion models")
      ->delimiter(',')
      ->check(CLI::IsMember({"reactive", "reynolds", "linear", "short_term", "continuum"}));
  verb->add_option("--seeds", a->seeds, "of the crowd in which groups are found")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  verb->add_flag("--json", a->json, "one JSON document on stdout");
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->footer("Example: throng bench groups --models reactive,short_term");
  verb->callback([a, &outcome] { outcome.status = run_bench_groups(*a); });
}

}  // namespace throng::cli
