// SPDX-License-Identifier: MIT
#include "gauges.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "geometry/polygon.hpp"

namespace throng::server {
namespace {

constexpr double kFlowWindow = 5;  // s
/// Who moves farther between two frames was put there.
constexpr double kFarthestStep = 5;  // m

}  // namespace

GoalPlaces::GoalPlaces(const Scenario& scenario) : areas_(scenario.areas) {
  std::set<std::uint32_t> goals;
  for (const ScenarioPlan& plan : scenario.plans)
    for (const ScenarioGoal& goal : plan.goals) goals.insert(goal.areas.begin(), goal.areas.end());
  for (const std::uint32_t goal : goals)
    if (goal < kNoGoal) goals_.push_back(static_cast<std::uint16_t>(goal));
}

std::uint16_t GoalPlaces::at(Vec2 place, std::uint32_t layer, std::uint16_t walked_to) const {
  constexpr double kFarthest = 2;  // m: a step, and half a body
  double nearest = kFarthest;
  std::uint16_t found = kNoGoal;
  for (const std::uint16_t goal : goals_)
    for (const ScenarioArea::Part& part : areas_[goal].parts) {
      if (part.layer != layer) continue;
      double away = contains(part.shape, place) ? 0 : kFarthest;
      const Ring& ring = part.shape.outer;
      for (std::size_t i = 0; i < ring.size() && away > 0; ++i)
        away = std::min(away, distance_to_segment(place, ring[i], ring[(i + 1) % ring.size()]));
      if (away < nearest || (away == nearest && found != kNoGoal && goal == walked_to)) {
        nearest = away;
        found = goal;
      }
    }
  return found;
}

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
