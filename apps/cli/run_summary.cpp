// SPDX-License-Identifier: MIT
#include "run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/flow.hpp"
#include "analysis/statistics.hpp"
#include "run_status.hpp"

namespace throng::cli {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson json_of(const Distribution& d) {
  return {{"count", d.count}, {"mean", d.mean}, {"deviation", d.deviation}, {"low", d.low}, {"median", d.median},
          {"p95", d.p95},     {"high", d.high}};
}

OrderedJson flow_of(const ScenarioLine& line, const std::vector<Tally::Crossing>& crossings) {
  std::vector<double> times;
  std::size_t to_left = 0;
  for (const Tally::Crossing& crossing : crossings) {
    times.push_back(crossing.time);
    to_left += crossing.to_left;
  }
  std::sort(times.begin(), times.end());
  const double flow = central_flow(times, 1), width = distance(line.from, line.to);
  return {{"to_left", to_left},
          {"to_right", times.size() - to_left},
          {"first_s", times.empty() ? 0 : times.front()},
          {"last_s", times.empty() ? 0 : times.back()},
          {"flow_per_s", flow},
          {"specific_flow", flow / width},
          {"central_flow_per_s", central_flow(times, 0.6)}};
}

/// Paths of a flow with their load.
OrderedJson load_of(const World& world, std::uint32_t index) {
  const FlowLoad load = world.load(index);
  const Flow& flow = world.flow(index);
  std::uint64_t trips = 0;
  for (const std::uint64_t count : load.trips) trips += count;
  OrderedJson paths = OrderedJson::array();
  for (std::size_t i = 0; i < flow.paths.size(); ++i)
    paths.push_back({{"length", flow.paths[i].length},
                     {"narrowest", flow.paths[i].narrowest},
                     {"gates", flow.paths[i].gates.size()},
                     {"walkers", load.walkers[i]},
                     {"trips", load.trips[i]}});
  return {{"trips", trips}, {"effective_paths", load.effective_paths()}, {"paths", paths}};
}

}  // namespace

void RunTimes::begin(const Simulation& simulation) {
  phases_before.clear();
  for (const Phase& phase : simulation.world().phases()) phases_before.push_back(phase.seconds);
  agent_steps_before = simulation.tally().agent_steps;
}

OrderedJson summarise(const Simulation& simulation, const RunTimes& times) {
  const Tally& tally = simulation.tally();
  const World& world = simulation.world();
  const Scenario& scenario = simulation.scenario();
  const auto per = [](double sum, std::uint64_t count) { return count == 0 ? 0 : sum / static_cast<double>(count); };
  const RunOutcome outcome = simulation.outcome();
  OrderedJson summary = {{"scenario", scenario.name},
                  {"agents", tally.people},
                  {"arrived", tally.arrived},
                  {"left", tally.left},
                  {"still_there", world.agent_count() + world.riders().size()},
                  {"waiting_outside", simulation.waiting_outside()},
                  {"goals_reached", tally.goals_reached},
                  {"stuck", tally.stuck},
                  {"lost", tally.lost},
                  {"steps", world.steps()},
                  {"simulated_s", world.time()},
                  {"wall_s", times.wall},
                  {"ns_per_agent_step", per(1e9 * times.wall, tally.agent_steps - times.agent_steps_before)},
                  {"agent_steps", tally.agent_steps - times.agent_steps_before},
                  {"start_s", {{"reading", times.reading}, {"baking", times.baking}, {"placing", times.placing}}},
                  {"overlaps_per_1000", per(tally.overlaps_per_1000, tally.counted_steps)},
                  {"deep_overlaps", tally.deep_overlaps},
                  {"before_separate_per_1000", per(tally.before_separate_per_1000, tally.counted_steps)},
                  {"wall_penetrations", tally.wall_penetrations},
                  {"speed_ratio", per(tally.speed_ratio, tally.walker_steps)},
                  {"progress_ratio", per(tally.progress_ratio, tally.walker_steps)},
                  {"hash", fmt::format("{:016x}", simulation.hash())},
                  {"interrupted", times.signal != 0},
                  {"signal", times.signal},
                  {"ending", {{"agents", outcome.ending}, {"arrived", outcome.arrived}}},
                  {"at_end",
                   {{"at_goal", outcome.at_goal},
                    {"under_way", outcome.under_way},
                    {"looping", outcome.looping},
                    {"wandering", outcome.wandering},
                    {"without_plan", outcome.without_plan},
                    {"riding", outcome.riding},
                    {"lost", outcome.lost},
                    {"waiting_outside", outcome.waiting_outside},
                    {"dropped", outcome.dropped}}},
                  {"failures", failures_of(outcome)},
                  {"travel_time_s", json_of(distribution_of(tally.travel_times))},
                  {"last_arrival_s", tally.last_arrival},
                  {"lines", OrderedJson::object()},
                  {"densities", OrderedJson::object()},
                  {"phases", OrderedJson::object()},
                  {"problems", OrderedJson::array()}};
  for (std::size_t i = 0; i < scenario.lines.size(); ++i)
    summary["lines"][scenario.lines[i].name] = flow_of(scenario.lines[i], tally.lines[i]);
  for (std::size_t i = 0; i < scenario.density_areas.size(); ++i) {
    const Tally::Density& density = tally.densities[i];
    summary["densities"][scenario.areas[scenario.density_areas[i]].name] = {
        {"mean", per(density.sum, density.steps)}, {"most", density.most}, {"ground_m2", simulation.measured_ground(i)}};
  }
  if (!scenario.flows.empty()) {
    const auto gates = world.gate_trips();
    double trips = 0;
    for (std::uint32_t i = 0; i < scenario.flows.size(); ++i) {
      const OrderedJson load = load_of(world, i);
      trips += load["trips"].get<double>();
      summary["flows"][scenario.flows[i].name] = load;
    }
    const double most = gates.empty() ? 0 : *std::max_element(gates.begin(), gates.end());
    summary["busiest_gate"] = {{"trips", most}, {"share", trips > 0 ? most / trips : 0}};
  }
  if (const Cohesion& groups = tally.groups; groups.in_groups > 0)
    summary["groups"] = {{"share", per(static_cast<double>(groups.in_groups), groups.people)},
                         {"pair_distance_m", per(groups.pair_distance, groups.pairs)},
                         {"to_middle_m", per(groups.to_middle, groups.in_groups)},
                         {"abreast", per(static_cast<double>(groups.abreast), groups.followers)}};
  // Shares of the wall time that add up to 1: steps of the world by phase, what the scenario does round them (arrivals, events,
  // the tally), recording, and the rest (progress, the loop itself).
  const auto share = [&](double seconds) { return times.wall > 0 ? std::max(0.0, seconds) / times.wall : 0; };
  double in_world = 0;
  for (std::size_t p = 0; p < world.phases().size(); ++p) {
    const double before = p < times.phases_before.size() ? times.phases_before[p] : 0;
    const double seconds = world.phases()[p].seconds - before;
    in_world += seconds;
    summary["phases"][world.phases()[p].name] = share(seconds);
  }
  summary["phases"]["scenario"] = share(times.stepping - in_world);
  summary["phases"]["recording"] = share(times.recording);
  summary["phases"]["other"] = share(times.wall - times.stepping - times.recording);
  for (const Problem& p : simulation.notices())
    summary["problems"].push_back({{"where", p.where}, {"what", p.what}, {"fix", p.fix}});
  return summary;
}

}  // namespace throng::cli
