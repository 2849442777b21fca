// SPDX-License-Identifier: MIT
#include "gauges.hpp"

#include <algorithm>
#include <cmath>

namespace throng::server {
namespace {

constexpr double kFlowWindow = 5;  // s
/// Who moves farther between two frames was put there.
constexpr double kFarthestStep = 5;  // m

}  // namespace

bool look_on(FrameStore& frames, std::uint64_t& next, CountingClock::time_point until,
             const std::function<void(const FramePointer&)>& visit) {
  while (next < frames.frame_count()) {
    const auto piece = frames.following(next);
    if (!piece) return true;
    for (const FramePointer& frame : *piece) visit(frame);
    next += piece->size();
    if (CountingClock::now() >= until) break;
  }
  return next >= frames.frame_count();
}

std::uint32_t crossings(const ScenarioLine& line, const Frame& before, const Frame& now, Vec2 low) {
  const Vec2 along = line.to - line.from;
  std::uint32_t count = 0;
  auto was = before.rows.begin();
  for (const FrameRow& row : now.rows) {
    while (was != before.rows.end() && was->number < row.number) ++was;
    if (was == before.rows.end()) break;
    if (was->number != row.number || row.layer != line.layer) continue;
    const Vec2 p = place_of(*was, low), q = place_of(row, low);
    const double a = cross(along, p - line.from), b = cross(along, q - line.from);
    if ((a >= 0) == (b >= 0) || distance(p, q) > kFarthestStep) continue;
    const double where = dot(p + (a / (a - b)) * (q - p) - line.from, along);
    count += where >= 0 && where <= dot(along, along);
  }
  return count;
}

Presence beside(const ScenarioLine& line, double reach, const Frame& frame, Vec2 low) {
  const double whole = std::max(distance(line.from, line.to), 1e-9);
  const Vec2 along = (1 / whole) * (line.to - line.from);
  Presence found;
  double speeds = 0;
  for (const FrameRow& row : frame.rows) {
    if (row.layer != line.layer) continue;
    const Vec2 p = place_of(row, low) - line.from;
    const double across = cross(along, p), behind = dot(along, p);
    if (std::abs(across) > reach || behind < 0 || behind > whole) continue;
    ++found.people;
    speeds += 0.01 * row.speed;
  }
  if (found.people > 0) found.mean_speed = speeds / found.people;
  return found;
}

std::vector<double> flow_of(const std::vector<double>& time, const std::vector<double>& crossed) {
  std::vector<double> flow;
  flow.reserve(time.size());
  std::size_t from = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    while (time[i] - time[from] > kFlowWindow) ++from;
    const double seconds = time[i] - time[from];
    flow.push_back(seconds > 0 ? (crossed[i] - crossed[from]) / std::max(seconds, 1.0) : 0);
  }
  return flow;
}

}  // namespace throng::server
