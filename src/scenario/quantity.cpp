// SPDX-License-Identifier: MIT
#include "scenario/quantity.hpp"

#include <algorithm>
#include <numeric>

#include "base/math.hpp"

namespace throng {

double Quantity::least() const {
  if (form != Form::kChoices && form != Form::kList) return low;
  return *std::min_element(values.begin(), values.end());
}

double Quantity::most() const {
  if (form == Form::kFixed) return low;
  if (form != Form::kChoices && form != Form::kList) return high;
  return *std::max_element(values.begin(), values.end());
}

double Quantity::draw(double unit, std::uint64_t index) const {
  switch (form) {
    case Form::kFixed:
      return low;
    case Form::kUniform:
      return low + (high - low) * unit;
    case Form::kNormal: {
      if (deviation <= 0) return std::clamp(mean, low, high);
      const double below = normal_share((low - mean) / deviation), above = normal_share((high - mean) / deviation);
      // Bounds so far out on one side that no share is left between them: the nearer bound is all there is.
      if (!(above > below)) return low > mean ? low : high;
      const double share = below + (above - below) * unit;
      if (share <= 0 || share >= 1) return share <= 0 ? low : high;
      return std::clamp(mean + deviation * normal_quantile(share), low, high);
    }
    case Form::kChoices: {
      if (weights.empty())
        return values[std::min(static_cast<std::size_t>(unit * static_cast<double>(values.size())), values.size() - 1)];
      double rest = unit * std::accumulate(weights.begin(), weights.end(), 0.0);
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (rest < weights[i]) return values[i];
        rest -= weights[i];
      }
      return values.back();
    }
    case Form::kList:
      return values[index % values.size()];
  }
  return low;
}

}  // namespace throng
