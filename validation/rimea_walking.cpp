// SPDX-License-Identifier: MIT
// Speed, start and way of people who are hardly in each other's way.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "guideline_rules.hpp"
#include "run_case.hpp"
#include "start_times.hpp"

namespace throng {
namespace {

/// One person over 40 m, started from rest at the line.
Result<ValidationOutcome> judge_corridor(const std::string& name, const ValidationSettings& settings, double low, double high) {
  const auto tally = run_case(name, settings);
  if (!tally) return tally.problems();
  const auto& crossings = tally->lines[0];
  const double time = crossings.size() == 1 ? crossings[0].time : 0;
  ValidationOutcome outcome;
  outcome.passed = crossings.size() == 1 && time >= low && time <= high;
  outcome.measured = fmt::format("{:.2f} s", time);
  outcome.figures = {{"time_s", time}};
  return outcome;
}

/// One person on stairs: the time between the lines at their ends, 10 m apart along the slope. The control is the same way level.
Result<ValidationOutcome> judge_stairs(const std::string& name, const ValidationSettings& settings, double speed) {
  constexpr double kAlongSlope = 10, kTolerance = 0.05;
  auto scenario = open_case(name, settings);
  if (!scenario) return scenario.problems();
  const auto time_of = [&]() -> Result<double> {
    const auto tally = run_case(*scenario, settings);
    if (!tally) return tally.problems();
    if (tally->lines[0].size() != 1 || tally->lines[1].size() != 1) return 0.0;
    return std::abs(tally->lines[1][0].time - tally->lines[0][0].time);
  };
  const Result<double> time = time_of();
  for (Layer& layer : scenario->scene.layers) layer.slope = {};
  const Result<double> level = time_of();
  if (!time) return time.problems();
  if (!level) return level.problems();
  ValidationOutcome outcome;
  outcome.passed = *time > 0 && std::abs(*time * speed / kAlongSlope - 1) <= kTolerance;
  outcome.measured = fmt::format("{:.2f} s, {:.3f} m/s", *time, *time > 0 ? kAlongSlope / *time : 0);
  outcome.control = fmt::format("the same way level: {:.2f} s", *level);
  outcome.figures = {{"time_s", *time}, {"level_s", *level}};
  return outcome;
}

/// Largest |start - assigned| of the ten people of RiMEA 5.
Result<double> largest_delay(const Scenario& scenario, const ValidationSettings& settings, nlohmann::json& starts) {
  StartWatch watch;
  const auto tally = run_case(scenario, settings, [&](const Simulation& simulation) { watch.see(simulation); });
  if (!tally) return tally.problems();
  starts = watch.starts();
  double largest = 0;
  for (std::size_t i = 0; i < watch.starts().size(); ++i)
    largest = std::max(largest, std::abs(watch.starts()[i] - 10.0 * static_cast<double>(i + 1)));
  return largest;
}

}  // namespace

Result<ValidationOutcome> judge_rimea_1(const ValidationSettings& settings) {
  return judge_corridor("rimea_1", settings, 26, 34);
}
Result<ValidationOutcome> judge_imo_1(const ValidationSettings& settings) {
  return judge_corridor("imo_1", settings, 39.5, 40.5);
}

Result<ValidationOutcome> judge_rimea_2(const ValidationSettings& settings) { return judge_stairs("rimea_2", settings, 0.5); }
Result<ValidationOutcome> judge_rimea_3(const ValidationSettings& settings) { return judge_stairs("rimea_3", settings, 0.65); }

Result<ValidationOutcome> judge_rimea_5(const ValidationSettings& settings) {
  auto scenario = open_case("rimea_5", settings);
  if (!scenario) return scenario.problems();
  ValidationOutcome outcome;
  const auto largest = largest_delay(*scenario, settings, outcome.figures["starts_s"]);
  if (!largest) return largest.problems();
  scenario->populations[0].pre_movement = Quantity::fixed(0);
  const auto control = largest_delay(*scenario, settings, outcome.figures["control_starts_s"]);
  if (!control) return control.problems();
  outcome.passed = *largest <= 2 * scenario->settings.dt + 1e-6;
  outcome.measured = fmt::format("within {:.2f} s", *largest);
  outcome.control = fmt::format("nobody told to wait: {:.0f} s", *control);
  outcome.figures["largest_delay_s"] = *largest;
  return outcome;
}

Result<ValidationOutcome> judge_rimea_6(const ValidationSettings& settings) {
  ValidationOutcome outcome;
  std::uint32_t trespassers = 0, people = 0, left = 0;
  for (std::uint64_t seed = 1; seed <= settings.seeds; ++seed) {
    const auto scenario = open_case("rimea_6", settings, seed);
    if (!scenario) return scenario.problems();
    std::uint32_t here = 0;
    const auto tally = run_case(*scenario, settings, [&](const Simulation& simulation) {
      const World::Columns rows = simulation.world().columns();
      for (std::size_t i = 0; i < rows.x.size(); ++i) here += rows.x[i] < 10 && rows.y[i] > 2;
    });
    if (!tally) return tally.problems();
    trespassers += here;
    people += static_cast<std::uint32_t>(tally->people);
    left += static_cast<std::uint32_t>(tally->left);
    outcome.figures["seeds"].push_back({{"inside_wall", here}, {"left", tally->left}, {"last_s", tally->last_arrival}});
  }
  outcome.passed = people > 0 && trespassers == 0 && left == people;
  outcome.measured = fmt::format("{} inside the corner, {} of {} leave", trespassers, left, people);
  return outcome;
}

Result<ValidationOutcome> judge_rimea_7(const ValidationSettings& settings) {
  const auto scenario = open_case("rimea_7", settings);
  if (!scenario) return scenario.problems();
  const auto tally = run_case(*scenario, settings);
  if (!tally) return tally.problems();
  const Population& population = scenario->populations[0];
  const Quantity& assigned = scenario->kinds[population.kinds[0].index].preferred_speed;
  const auto &begin = tally->lines[0], &end = tally->lines[1];
  const double track = scenario->lines[1].from.x - scenario->lines[0].from.x;
  ValidationOutcome outcome;
  double worst = 0;
  bool all = begin.size() == population.positions.size() && end.size() == begin.size();
  for (const Tally::Crossing& finish : end) {
    const auto start = std::find_if(begin.begin(), begin.end(), [&](const auto& c) { return c.number == finish.number; });
    if (start == begin.end()) {
      all = false;
      continue;
    }
    const double speed = track / (finish.time - start->time), asked = assigned.draw(0, finish.number - 1);
    worst = std::max(worst, std::abs(speed - asked));
    outcome.figures["people"].push_back({{"assigned", asked}, {"observed", speed}});
  }
  outcome.passed = all && worst <= 0.03;
  outcome.measured = fmt::format("{} people within {:.3f} m/s", end.size(), worst);
  outcome.figures["worst"] = worst;
  return outcome;
}

}  // namespace throng
