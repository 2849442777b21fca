// SPDX-License-Identifier: MIT
#include "scenario/quantity.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace throng {
namespace {

constexpr int kDraws = 20'000;

std::vector<double> draws(const Quantity& quantity) {
  std::vector<double> values;
  for (int i = 0; i < kDraws; ++i)
    values.push_back(
        quantity.draw(unit_from_bits(random_bits(7, static_cast<std::uint32_t>(i), 0, 1)), static_cast<std::uint64_t>(i)));
  return values;
}

/// Kolmogorov and Smirnov's largest distance between the draws and a distribution function, times √n: above 1.63 in one of a
/// hundred samples of the right distribution.
double distance_to(std::vector<double> values, const std::function<double(double)>& share_below) {
  std::sort(values.begin(), values.end());
  double farthest = 0;
  const auto n = static_cast<double>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double share = share_below(values[i]);
    farthest =
        std::max({farthest, std::abs(share - static_cast<double>(i) / n), std::abs(share - static_cast<double>(i + 1) / n)});
  }
  return farthest * std::sqrt(n);
}

double libm_share(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

TEST(Quantity, draws_of_a_cut_normal_distribution_follow_it) {
  const Quantity speed = Quantity::normal(1.34, 0.26, 0.8, 1.8);
  const double low = libm_share((0.8 - 1.34) / 0.26), high = libm_share((1.8 - 1.34) / 0.26);
  const auto share = [&](double x) { return (libm_share((x - 1.34) / 0.26) - low) / (high - low); };
  const std::vector<double> values = draws(speed);
  EXPECT_LT(distance_to(values, share), 1.63);
  EXPECT_GE(*std::min_element(values.begin(), values.end()), 0.8);
  EXPECT_LE(*std::max_element(values.begin(), values.end()), 1.8);
  // The test can fail: the distribution before it is cut is another one.
  EXPECT_GT(distance_to(values, [](double x) { return libm_share((x - 1.34) / 0.26); }), 1.63);
}

TEST(Quantity, draws_of_a_uniform_distribution_follow_it) {
  EXPECT_LT(distance_to(draws(Quantity::uniform(-2, 5)), [](double x) { return (x + 2) / 7; }), 1.63);
}

TEST(Quantity, choices_come_as_often_as_their_weights_say) {
  const Quantity choice{.form = Quantity::Form::kChoices, .values = {1, 2, 4}, .weights = {1, 0, 3}};
  std::map<double, int> counts;
  for (const double value : draws(choice)) ++counts[value];
  EXPECT_EQ(counts.count(2), 0u);
  EXPECT_NEAR(counts[1], kDraws / 4.0, 4 * std::sqrt(kDraws * 0.25 * 0.75));
  EXPECT_EQ(counts[1] + counts[4], kDraws);
  const Quantity even{.form = Quantity::Form::kChoices, .values = {1, 2, 4}};
  counts.clear();
  for (const double value : draws(even)) ++counts[value];
  for (const double value : even.values) EXPECT_NEAR(counts[value], kDraws / 3.0, 4 * std::sqrt(kDraws * 2.0 / 9));
}

TEST(Quantity, a_list_gives_everybody_their_own_and_begins_again) {
  const Quantity list{.form = Quantity::Form::kList, .values = {10, 20, 30}};
  EXPECT_EQ(list.draw(0.9, 0), 10);
  EXPECT_EQ(list.draw(0.1, 2), 30);
  EXPECT_EQ(list.draw(0.1, 3), 10);
}

TEST(Quantity, bounds_hold_all_draws_of_every_form) {
  for (const Quantity& quantity :
       {Quantity::fixed(3), Quantity::uniform(1, 2), Quantity::normal(0, 1, -1, 4), Quantity::normal(0, 1, 50, 60),
        Quantity::normal(5, 0, 1, 4), Quantity{.form = Quantity::Form::kChoices, .values = {5, -1}},
        Quantity{.form = Quantity::Form::kList, .values = {5, -1, 7}}}) {
    for (const double unit : {0.0, 1e-300, 0.3, 1 - 0x1p-53}) {
      for (std::uint64_t i = 0; i < 3; ++i) {
        const double value = quantity.draw(unit, i);
        EXPECT_GE(value, quantity.least());
        EXPECT_LE(value, quantity.most());
      }
    }
  }
}

}  // namespace
}  // namespace throng
