// SPDX-License-Identifier: MIT
#include "analysis/overlaps.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/point_grid.hpp"

namespace throng {

void OverlapCounter::add(const FrameView& frame) {
  if (frame.size() == 0) return;
  double largest = 0;
  for (std::size_t i = 0; i < frame.size(); ++i) largest = std::max(largest, radius_of(frame.facts(i)));
  std::uint64_t pairs = 0, deep = 0;
  if (largest > 0) {
    const PointGrid grid(frame.x, frame.y, 2 * largest, settings_.period);
    for (std::size_t i = 0; i < frame.size(); ++i) {
      const double radius = radius_of(frame.facts(i));
      grid.for_each_near(frame.position(i), radius + largest, [&](std::uint32_t j, Vec2 offset) {
        if (j <= i || frame.layer[i] != frame.layer[j]) return;
        const double sum = radius + radius_of(frame.facts(j));
        const double depth = sum - length(offset);
        if (depth <= 0) return;
        ++pairs;
        if (depth > settings_.deep_share * sum) ++deep;
        sum_.deepest = std::max(sum_.deepest, depth);
        sum_.deepest_share = std::max(sum_.deepest_share, depth / sum);
      });
    }
  }
  ++sum_.frames;
  sum_.pairs += pairs;
  sum_.deep_pairs += deep;
  sum_.per_1000 += 1000.0 * static_cast<double>(pairs) / static_cast<double>(frame.size());
  sum_.deep_per_1000 += 1000.0 * static_cast<double>(deep) / static_cast<double>(frame.size());
}

OverlapSummary OverlapCounter::summary() const {
  OverlapSummary result = sum_;
  if (result.frames == 0) return result;
  result.per_1000 /= static_cast<double>(result.frames);
  result.deep_per_1000 /= static_cast<double>(result.frames);
  return result;
}

OverlapSummary overlaps_of(const Trajectory& trajectory, const OverlapSettings& settings) {
  OverlapCounter counter(settings);
  for (std::size_t k = 0; k < trajectory.frame_count(); ++k) counter.add(trajectory.frame(k));
  return counter.summary();
}

}  // namespace throng
