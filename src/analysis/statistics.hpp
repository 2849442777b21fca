// SPDX-License-Identifier: MIT
// A list of numbers in seven, as every summary gives them.
#pragma once
#include <cstddef>
#include <vector>

namespace throng {

struct Distribution {
  std::size_t count = 0;
  double mean = 0;
  double deviation = 0;  ///< standard deviation of the sample (n - 1); 0 below two values
  double low = 0, median = 0, p95 = 0, high = 0;
};

/// Quantiles by linear interpolation between the sorted values. All zero for an empty list.
Distribution distribution_of(std::vector<double> values);

}  // namespace throng
