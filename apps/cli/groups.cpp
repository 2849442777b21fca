// SPDX-License-Identifier: MIT
// throng groups: who walks with whom in a recording: found from how people move, beside what the run declared.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/velocities.hpp"
#include "common.hpp"
#include "groups/cohesion.hpp"
#include "groups/finder.hpp"
#include "inputs.hpp"
#include "neighbours/neighbour_graph.hpp"
#include "trajectory/files.hpp"

namespace throng::cli {
namespace {

using Groups = std::vector<std::vector<std::uint32_t>>;

struct GroupsArguments {
  std::string recording;
  JuelichTextSettings text;
  std::string unit;
  bool list = false;
  bool json = false;
};

constexpr double kLookEvery = 0.2;   // s
constexpr double kLeastShare = 0.5;  // of the time that both were there and the finder could have told

struct Seen {
  Groups found;
  Cohesion of_declared, of_found;
};

/// Looks at the frames of a trajectory one after the other. Two belong together who were bound for half of the time they
/// shared.
Seen look_at(const Trajectory& t) {
  const std::vector<Vec2> velocities = velocities_of(t);
  const auto every = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(kLookEvery / t.frame_seconds)));
  const double dt = static_cast<double>(every) * t.frame_seconds;
  const auto tasks = make_task_runner(1);
  NeighbourGraph neighbours;
  GroupFinder finder;
  finder.keep_all();
  std::vector<std::uint32_t> ids, layers, group;
  std::vector<float> vx, vy, radius;
  std::map<std::uint32_t, double> seconds;
  Seen seen;
  CohesionMeter meter;
  const auto load = [&](std::size_t number) {
    const FrameView frame = t.frame(number);
    ids.clear(), layers.clear(), group.clear(), vx.clear(), vy.clear(), radius.clear();
    for (std::size_t row = 0; row < frame.size(); ++row) {
      const Vec2 velocity = velocities[t.frame_start[number] + row];
      ids.push_back(frame.facts(row).id), layers.push_back(frame.layer[row]), group.push_back(frame.facts(row).group);
      vx.push_back(static_cast<float>(velocity.x)), vy.push_back(static_cast<float>(velocity.y));
      radius.push_back(frame.facts(row).radius > 0 ? frame.facts(row).radius : 0.2f);
    }
    return frame;
  };
  for (std::size_t number = 0; number < t.frame_count(); number += every) {
    const FrameView frame = load(number);
    for (const std::uint32_t id : ids) seconds[id] += dt;
    neighbours.update({.x = frame.x, .y = frame.y, .radius = radius, .vx = vx, .vy = vy, .layer = layers, .id = ids}, *tasks);
    finder.look({ids, frame.x, frame.y, vx, vy}, static_cast<float>(dt), [&](std::uint32_t row) { return neighbours.of(row); });
    meter.add({group, ids, frame.x, frame.y, vx, vy}, seen.of_declared);
  }
  std::vector<std::uint64_t> bound;
  for (const GroupFinder::Pair& pair : finder.pairs()) {
    const double shared =
        std::min(seconds[static_cast<std::uint32_t>(pair.ids >> 32)], seconds[static_cast<std::uint32_t>(pair.ids)]);
    if (pair.bound > 0 && pair.bound >= kLeastShare * (shared - double{FinderSettings{}.window})) bound.push_back(pair.ids);
  }
  seen.found = joined(bound);
  std::map<std::uint32_t, std::uint32_t> group_of;
  for (std::uint32_t g = 0; g < seen.found.size(); ++g)
    for (const std::uint32_t id : seen.found[g]) group_of[id] = g + 1;
  for (std::size_t number = 0; number < t.frame_count(); number += every) {
    const FrameView frame = load(number);
    for (std::size_t row = 0; row < ids.size(); ++row) {
      const auto known = group_of.find(ids[row]);
      group[row] = known == group_of.end() ? 0 : known->second;
    }
    meter.add({group, ids, frame.x, frame.y, vx, vy}, seen.of_found);
  }
  return seen;
}

Groups declared_in(const Trajectory& t) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> by_number;
  for (const AgentFacts& facts : t.agents)
    if (facts.group != 0) by_number[facts.group].push_back(facts.id);
  Groups groups;
  for (auto& [number, members] : by_number) {
    std::sort(members.begin(), members.end());
    groups.push_back(members);
  }
  return groups;
}

nlohmann::json json_of(const Groups& groups, const Cohesion& sums) {
  const auto per = [](double sum, std::uint64_t count) { return count == 0 ? 0 : sum / static_cast<double>(count); };
  std::map<std::size_t, int> sizes;
  for (const auto& group : groups) ++sizes[group.size()];
  nlohmann::json by_size = nlohmann::json::object();
  for (const auto& [size, count] : sizes) by_size[std::to_string(size)] = count;
  return {{"groups", groups.size()},
          {"sizes", by_size},
          {"share", per(static_cast<double>(sums.in_groups), sums.people)},
          {"pair_distance_m", per(sums.pair_distance, sums.pairs)},
          {"to_middle_m", per(sums.to_middle, sums.in_groups)},
          {"abreast", per(static_cast<double>(sums.abreast), sums.followers)}};
}

void print(const char* word, const nlohmann::json& groups) {
  std::string sizes;
  for (const auto& [size, count] : groups["sizes"].items())
    sizes += fmt::format("{}{} of {}", sizes.empty() ? "" : ", ", count.get<int>(), size);
  fmt::print(
      "{}: {} groups ({}), {:.0f} % of people; two walk {:.2f} m apart, {:.2f} m to the middle, abreast {:.0f} % of the time\n",
      word, groups["groups"].get<int>(), sizes.empty() ? "none" : sizes, 100 * groups["share"].get<double>(),
      groups["pair_distance_m"].get<double>(), groups["to_middle_m"].get<double>(), 100 * groups["abreast"].get<double>());
}

int run_groups(const GroupsArguments& a) {
  const auto input = find_input(a.recording, InputKind::kRecording | InputKind::kTrajectory);
  if (!input) return report_problems(input.problems(), a.json);
  JuelichTextSettings text = a.text;
  if (!a.unit.empty()) text.unit_metres = a.unit == "cm" ? 0.01 : 1;
  const Result<TrajectoryFile> file = read_trajectory(input->file.string(), text);
  if (!file) return report_problems(file.problems(), a.json);
  if (!file->notice.empty()) fmt::print(stderr, "throng: {}: {}\n", a.recording, file->notice);
  const Trajectory& t = file->trajectory;
  const Seen seen = look_at(t);
  const Groups declared = declared_in(t);
  nlohmann::json document{{"people", t.agents.size()}, {"found", json_of(seen.found, seen.of_found)}};
  if (!declared.empty()) {
    const PairScore score = score_of(seen.found, declared);
    document["declared"] = json_of(declared, seen.of_declared);
    document["precision"] = score.precision(), document["recall"] = score.recall();
  }
  if (a.list) document["members"] = seen.found;
  if (a.json) {
    print_json(document);
    return kSuccess;
  }
  if (!declared.empty()) print("declared", document["declared"]);
  print("found", document["found"]);
  if (!declared.empty())
    fmt::print("pairs of people: precision {:.2f}, recall {:.2f}\n", document["precision"].get<double>(),
               document["recall"].get<double>());
  if (a.list)
    for (const auto& group : seen.found) fmt::print("{}\n", fmt::join(group, " "));
  return kSuccess;
}

}  // namespace

void add_groups(CLI::App& app, Outcome& outcome) {
  auto a = std::make_shared<GroupsArguments>();
  CLI::App* verb = app.add_subcommand("groups", "who walks with whom in a recording");
  verb->add_option("RECORDING", a->recording, "a recording, the folder of a run, a JuPedSim .sqlite or a Jülich .txt file")
      ->required();
  verb->add_option("--fps", a->text.frames_per_second, "frames a second of a text file that does not say it")
      ->check(CLI::Range(0.001, 100000.0));
  verb->add_option("--unit", a->unit, "of a text file that does not say it")->check(CLI::IsMember({"m", "cm"}));
  verb->add_flag("--list", a->list, "ids of the members of each group found");
  verb->add_flag("--json", a->json, "print one JSON document");
  verb->footer("Example: throng groups out/run");
  verb->callback([a, &outcome] { outcome.status = run_groups(*a); });
}

}  // namespace throng::cli
