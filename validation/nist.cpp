// SPDX-License-Identifier: MIT
// Two of the tests of NIST TN 1822: times of pre-movement, and that walls hold.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/polygon.hpp"
#include "guideline_rules.hpp"
#include "run_case.hpp"
#include "start_times.hpp"

namespace throng {
namespace {

/// Share of a quantity's draws below a value. The counterpart of Quantity::draw, written from the definition of the
/// distributions, so that the test does not use what it tests.
double share_below(const Quantity& quantity, double value) {
  const double inside = std::clamp(value, quantity.low, quantity.high);
  if (quantity.form == Quantity::Form::kUniform) return (inside - quantity.low) / (quantity.high - quantity.low);
  const auto normal = [&](double x) { return 0.5 * std::erfc(-(x - quantity.mean) / (quantity.deviation * std::sqrt(2.0))); };
  return (normal(inside) - normal(quantity.low)) / (normal(quantity.high) - normal(quantity.low));
}

/// Probability that a sample of the distribution is at least so far from it: Kolmogorov and Smirnov's test, with Stephens'
/// correction for finite samples.
double kolmogorov_probability(std::vector<double> sample, const Quantity& quantity) {
  std::sort(sample.begin(), sample.end());
  const double n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double share = share_below(quantity, sample[i]);
    distance = std::max({distance, share - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - share});
  }
  const double scaled = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * distance;
  double sum = 0;
  for (int k = 1; k <= 100; ++k) sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * scaled * scaled);
  return std::clamp(scaled < 0.2 ? 1.0 : sum, 0.0, 1.0);
}

/// How far a body reaches out of the ground: 0 inside. Straight from the outlines of the scene.
double outside_by(const Layer& layer, Vec2 place, double radius) {
  double clearance = std::numeric_limits<double>::infinity();
  bool is_inside = false;
  const auto ring = [&](const Ring& points) {
    for (std::size_t i = 0; i < points.size(); ++i)
      clearance = std::min(clearance, distance_to_segment(place, points[i], points[(i + 1) % points.size()]));
  };
  for (const Polygon& polygon : layer.walkable) {
    ring(polygon.outer);
    is_inside = is_inside || contains(polygon, place);
  }
  for (const Polygon& obstacle : layer.obstacles) {
    ring(obstacle.outer);
    is_inside = is_inside && !contains(obstacle, place);
  }
  return is_inside ? std::max(0.0, radius - clearance) : radius + clearance;
}

}  // namespace

Result<ValidationOutcome> judge_nist_1_1(const ValidationSettings& settings) {
  // One population with uniform times, one with normal ones; what ten seeds give is one sample, whatever --seeds says: of right
  // samples one in twenty is refused, so the case is about one large one.
  constexpr std::uint64_t kSeeds = 10;
  Quantity asked[2];
  std::vector<double> starts[2];
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto scenario = open_case("nist_1_1", settings, seed);
    if (!scenario) return scenario.problems();
    StartWatch watch;
    const auto tally = run_case(*scenario, settings, [&](const Simulation& simulation) { watch.see(simulation); });
    if (!tally) return tally.problems();
    std::size_t person = 0;
    for (int i = 0; i < 2; ++i) {
      asked[i] = scenario->populations[i].pre_movement;
      // A start is seen in steps: what was asked lies anywhere in the step before.
      for (std::size_t n = 0; n < scenario->populations[i].positions.size(); ++n)
        starts[i].push_back(watch.starts()[person++] - scenario->settings.dt / 2);
    }
  }
  const double uniform = kolmogorov_probability(starts[0], asked[0]), normal = kolmogorov_probability(starts[1], asked[1]);
  const double control = std::max(kolmogorov_probability(starts[0], asked[1]), kolmogorov_probability(starts[1], asked[0]));
  ValidationOutcome outcome;
  outcome.passed = uniform > 0.05 && normal > 0.05;
  outcome.measured = fmt::format("uniform p = {:.2f}, normal p = {:.2f}, {} people each", uniform, normal, starts[0].size());
  outcome.control = fmt::format("each against the other's: p = {:.2f}", control);
  outcome.figures = {{"uniform_p", uniform}, {"normal_p", normal}, {"control_p", control}, {"people", starts[0].size()}};
  return outcome;
}

Result<ValidationOutcome> judge_nist_2_3(const ValidationSettings& settings) {
  ValidationOutcome outcome;
  double furthest = 0;
  std::uint64_t looked = 0;
  for (std::uint64_t seed = 1; seed <= settings.seeds; ++seed) {
    const auto scenario = open_case("nist_2_3", settings, seed);
    if (!scenario) return scenario.problems();
    double here = 0;
    const auto tally = run_case(*scenario, settings, [&](const Simulation& simulation) {
      const World::Columns rows = simulation.world().columns();
      for (std::size_t i = 0; i < rows.x.size(); ++i)
        here = std::max(here, outside_by(scenario->scene.layers[0], {rows.x[i], rows.y[i]}, rows.radius[i]));
      looked += rows.x.size();
    });
    if (!tally) return tally.problems();
    furthest = std::max(furthest, here);
    outcome.figures["seeds"].push_back({{"furthest_m", here}, {"stuck", tally->stuck}});
  }
  outcome.passed = looked > 0 && furthest <= 0.001;
  outcome.measured = fmt::format("bodies by {:.2f} mm at most, {} places", furthest * 1000, looked);
  return outcome;
}

}  // namespace throng
