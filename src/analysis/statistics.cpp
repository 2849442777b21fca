// SPDX-License-Identifier: MIT
#include "analysis/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace throng {

Distribution distribution_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  const auto quantile = [&](double share) {
    const double at = share * (count - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
  };
  return {values.size(),  mean,         values.size() > 1 ? std::sqrt(squares / (count - 1)) : 0, values.front(), quantile(0.5),
          quantile(0.95), values.back()};
}

}  // namespace throng
