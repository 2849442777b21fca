// SPDX-License-Identifier: MIT
// Doors, routes, bottlenecks and corners. Crowds are matters of chance: each case is run with several seeds.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/flow.hpp"
#include "guideline_rules.hpp"
#include "run_case.hpp"

namespace throng {
namespace {

/// Central 60 % of the people who cross a line (ALGORITHMS.md §8.2): filling up and running dry do not count.
double line_flow(const Tally& tally, std::size_t line) {
  std::vector<double> times;
  for (const Tally::Crossing& crossing : tally.lines[line]) times.push_back(crossing.time);
  std::sort(times.begin(), times.end());
  return central_flow(times, 0.6);
}

/// When the last has passed a line.
double last_over(const Tally& tally, std::size_t line) {
  double last = 0;
  for (const Tally::Crossing& crossing : tally.lines[line]) last = std::max(last, crossing.time);
  return last;
}

struct Range {
  double low = 1e300, high = -1e300;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  std::string text(int digits) const { return fmt::format("{:.{}f}–{:.{}f}", low, digits, high, digits); }
};

}  // namespace

Result<ValidationOutcome> judge_rimea_9(const ValidationSettings& settings) {
  ValidationOutcome outcome;
  Range ratios, two_times, four_times;
  bool all = settings.seeds > 0;
  for (std::uint64_t seed = 1; seed <= settings.seeds; ++seed) {
    const auto two = run_case("rimea_9_two_doors", settings, seed);
    if (!two) return two.problems();
    const auto four = run_case("rimea_9_four_doors", settings, seed);
    if (!four) return four.problems();
    const double ratio = two->last_arrival / std::max(1e-9, four->last_arrival);
    all = all && two->left == two->people && four->left == four->people;
    ratios.add(ratio);
    two_times.add(two->last_arrival);
    four_times.add(four->last_arrival);
    outcome.figures["seeds"].push_back(
        {{"two_doors_s", two->last_arrival}, {"four_doors_s", four->last_arrival}, {"left", {two->left, four->left}}});
  }
  outcome.passed = all && ratios.low >= 1.6 && ratios.high <= 2.4;
  outcome.measured = fmt::format("{} ({} s by {} s){}", ratios.text(2), two_times.text(0), four_times.text(0),
                                 all ? "" : ", not everybody left");
  return outcome;
}

namespace {

/// How many of RiMEA 10's people pass the exit line of their own plan, and no other.
Result<std::uint32_t> count_faithful(const Scenario& scenario, const std::vector<std::uint32_t>& plans,
                                     const ValidationSettings& settings) {
  const auto tally = run_case(scenario, settings);
  if (!tally) return tally.problems();
  std::vector<std::uint32_t> by_main(plans.size(), 0), by_secondary(plans.size(), 0);
  for (const Tally::Crossing& crossing : tally->lines[0]) ++by_main[crossing.number - 1];
  for (const Tally::Crossing& crossing : tally->lines[1]) ++by_secondary[crossing.number - 1];
  std::uint32_t faithful = 0;
  for (std::size_t i = 0; i < plans.size(); ++i)
    faithful += scenario.plans[plans[i]].name == "main exit" ? by_main[i] > 0 && by_secondary[i] == 0
                                                             : by_secondary[i] > 0 && by_main[i] == 0;
  return faithful;
}

}  // namespace

Result<ValidationOutcome> judge_rimea_10(const ValidationSettings& settings) {
  ValidationOutcome outcome;
  std::uint32_t people = 0, faithful = 0, control = 0;
  for (std::uint64_t seed = 1; seed <= settings.seeds; ++seed) {
    auto scenario = open_case("rimea_10", settings, seed);
    if (!scenario) return scenario.problems();
    std::vector<std::uint32_t> plans;  // by number of the person
    for (const Population& population : scenario->populations)
      plans.insert(plans.end(), population.count, population.plans[0].index);
    const auto count = count_faithful(*scenario, plans, settings);
    if (!count) return count.problems();
    const auto nearest = std::find_if(scenario->plans.begin(), scenario->plans.end(),
                                      [](const auto& plan) { return plan.name == "nearest exit"; });
    for (Population& population : scenario->populations)
      population.plans = {{static_cast<std::uint32_t>(nearest - scenario->plans.begin())}};
    const auto unassigned = count_faithful(*scenario, plans, settings);
    if (!unassigned) return unassigned.problems();
    people += static_cast<std::uint32_t>(plans.size());
    faithful += *count;
    control += *unassigned;
    outcome.figures["seeds"].push_back({{"people", plans.size()}, {"as_assigned", *count}, {"control", *unassigned}});
  }
  const auto percent = [&](std::uint32_t part) { return 100.0 * part / std::max(1u, people); };
  outcome.passed = people > 0 && faithful == people;
  outcome.measured = fmt::format("{:.0f} % of {}", percent(faithful), people);
  outcome.control = fmt::format("nearest exit: {:.0f} %", percent(control));
  return outcome;
}

Result<ValidationOutcome> judge_rimea_12(const ValidationSettings& settings) {
  constexpr double kSlack = 0.05;  // persons a second
  ValidationOutcome outcome;
  double neck = 0, exit = 0, long_neck = 0;
  bool all = settings.seeds > 0;
  for (std::uint64_t seed = 1; seed <= settings.seeds; ++seed) {
    const auto usual = run_case("rimea_12", settings, seed);
    if (!usual) return usual.problems();
    const auto longer = run_case("rimea_12_long_neck", settings, seed);
    if (!longer) return longer.problems();
    // A scenario has its lines in the order of their names.
    const double at_exit = line_flow(*usual, 0), in_neck = line_flow(*usual, 1), in_long_neck = line_flow(*longer, 1);
    all = all && usual->left == usual->people && longer->left == longer->people;
    neck += in_neck / settings.seeds;
    exit += at_exit / settings.seeds;
    long_neck += in_long_neck / settings.seeds;
    outcome.figures["seeds"].push_back({{"neck", in_neck}, {"exit", at_exit}, {"long_neck", in_long_neck}});
  }
  outcome.passed = all && neck >= exit - kSlack && long_neck <= neck + kSlack;
  outcome.measured =
      fmt::format("neck {:.2f}, exit {:.2f}, neck of 10 m {:.2f} /s{}", neck, exit, long_neck, all ? "" : ", not everybody left");
  outcome.figures["mean"] = {{"neck", neck}, {"exit", exit}, {"long_neck", long_neck}};
  return outcome;
}

Result<ValidationOutcome> judge_rimea_15(const ValidationSettings& settings) {
  ValidationOutcome outcome;
  Range times[3];
  std::uint32_t passed = 0;
  for (std::uint64_t seed = 1; seed <= settings.seeds; ++seed) {
    double last[3] = {};
    bool all = true;
    constexpr const char* kNames[3] = {"rimea_15_short", "rimea_15_corner", "rimea_15_long"};
    for (int i = 0; i < 3; ++i) {
      const auto tally = run_case(kNames[i], settings, seed);
      if (!tally) return tally.problems();
      last[i] = last_over(*tally, 0);
      times[i].add(last[i]);
      all = all && tally->left == tally->people;
    }
    passed += all && last[0] <= last[1] && last[1] <= last[2];
    outcome.figures["seeds"].push_back({{"straight_44_s", last[0]}, {"corner_s", last[1]}, {"straight_75_s", last[2]}});
  }
  outcome.passed = settings.seeds > 0 && passed == settings.seeds;
  outcome.measured = fmt::format("{} s, corner {} s, {} s ({} of {} seeds)", times[0].text(0), times[1].text(0), times[2].text(0),
                                 passed, settings.seeds);
  return outcome;
}

}  // namespace throng
