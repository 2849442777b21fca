// SPDX-License-Identifier: MIT
#include "analysis/flow.hpp"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

constexpr double kCentralShare = 0.6;  // ALGORITHMS.md §8.2: before it the queue builds up, after it the room runs empty

}  // namespace

void LineCounter::test(Vec2 from, Vec2 to, double begin, double end, std::uint32_t agent) {
  const Vec2 along = line_.b - line_.a;
  const double before = cross(along, from - line_.a), after = cross(along, to - line_.a);
  if ((before >= 0) == (after >= 0)) return;
  const double share = before / (before - after);
  const Vec2 at = from + share * (to - from);
  const double place = dot(at - line_.a, along) / dot(along, along);
  if (place < 0 || place > 1) return;
  unsorted_.push_back({begin + share * (end - begin), agent, after >= 0, place});
}

void LineCounter::add(const FrameView& frame) {
  if (last_.size() < frame.agents.size()) last_.resize(frame.agents.size());
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const std::uint32_t agent = frame.agent[i];
    const Vec2 to = frame.position(i);
    Last& last = last_[agent];
    const bool here = frame.layer[i] == line_.layer;
    if (here && last.next_frame == frame.number && last.next_frame != 0) {
      const Vec2 move = period_.shortest(to - last.at);
      test(last.at, last.at + move, last_time_, frame.time, agent);
      // Over the seam of a periodic scene the move lies in two images; the line is in one of them.
      if (!(last.at + move == to)) {
        const Vec2 start = to - move;
        if (distance(start, last.at) > 1e-3) test(start, to, last_time_, frame.time, agent);
      }
    }
    last = {to, here ? frame.number + 1 : 0};
  }
  last_time_ = frame.time;
}

std::vector<LineCrossing> LineCounter::crossings() const {
  std::vector<LineCrossing> sorted = unsorted_;
  std::sort(sorted.begin(), sorted.end(),
            [](const LineCrossing& a, const LineCrossing& b) { return a.time != b.time ? a.time < b.time : a.agent < b.agent; });
  return sorted;
}

double central_flow(std::span<const double> times, double share) {
  const auto count = static_cast<double>(times.size());
  const auto first = static_cast<std::size_t>(std::floor(count * (1 - share) / 2));
  const auto end = static_cast<std::size_t>(std::ceil(count * (1 + share) / 2));
  if (end < first + 2 || end > times.size()) return 0;
  const double duration = times[end - 1] - times[first];
  return duration > 0 ? static_cast<double>(end - 1 - first) / duration : 0;
}

FlowSummary LineCounter::summary() const {
  FlowSummary result;
  std::vector<double> times, gaps;
  for (const LineCrossing& crossing : crossings()) {
    ++(crossing.to_left ? result.to_left : result.to_right);
    if (!times.empty()) gaps.push_back(crossing.time - times.back());
    times.push_back(crossing.time);
  }
  if (times.empty()) return result;
  result.first_time = times.front();
  result.last_time = times.back();
  result.flow = central_flow(times, 1);
  const double width = distance(line_.a, line_.b);
  result.specific_flow = width > 0 ? result.flow / width : 0;
  result.bottleneck_flow = central_flow(times, kCentralShare);
  result.gaps = distribution_of(gaps);
  result.gap_variation = result.gaps.mean > 0 ? result.gaps.deviation / result.gaps.mean : 0;
  return result;
}

std::vector<LineCrossing> crossings_of(const Trajectory& trajectory, const MeasurementLine& line, const Period& period) {
  LineCounter counter(line, period);
  for (std::size_t k = 0; k < trajectory.frame_count(); ++k) counter.add(trajectory.frame(k));
  return counter.crossings();
}

FlowSummary flow_through(const Trajectory& trajectory, const MeasurementLine& line, const Period& period) {
  LineCounter counter(line, period);
  for (std::size_t k = 0; k < trajectory.frame_count(); ++k) counter.add(trajectory.frame(k));
  return counter.summary();
}

}  // namespace throng
