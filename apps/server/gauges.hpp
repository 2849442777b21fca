// SPDX-License-Identifier: MIT
// What is counted in frames: who crosses a line, who is near one, and the curves that come of it.
//
// A long recording has seconds of frames to decode, and questions are answered one after the other: whoever counts looks at
// frames once, in order, for a slice of time, and goes on from there when it is asked again (`look_on`). Answers say whether they
// are complete.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "frame_store.hpp"
#include "scenario/scenario.hpp"

namespace throng::server {

using CountingClock = std::chrono::steady_clock;
/// Until when one answer may count.
inline CountingClock::time_point end_of_slice() { return CountingClock::now() + std::chrono::milliseconds(80); }

/// Shows frames to `visit` from number `next` on, and counts `next` on, until `until` (a chunk of frames at least). Whether all
/// there are have been seen; a damaged file ends where the damage begins.
bool look_on(FrameStore& frames, std::uint64_t& next, CountingClock::time_point until,
             const std::function<void(const FramePointer&)>& visit);

/// Where a row stands in the scene: `low` is the corner that rows count from.
inline Vec2 place_of(const FrameRow& row, Vec2 low) { return {low.x + 0.01 * row.x, low.y + 0.01 * row.y}; }

/// How many crossed a line from one frame to the next, either way.
std::uint32_t crossings(const ScenarioLine& line, const Frame& before, const Frame& now, Vec2 low);

struct Presence {
  std::uint32_t people = 0;
  double mean_speed = 0;  ///< m/s; 0 where nobody is
};
/// Who is beside a line, within so many metres of it on either side.
Presence beside(const ScenarioLine& line, double reach, const Frame& frame, Vec2 low);

/// Which areas of a scenario are goals, and at which of them somebody arrives.
class GoalPlaces {
 public:
  explicit GoalPlaces(const Scenario& scenario);
  /// The nearest goal within two metres of where somebody was a step before it arrived; of two that hold the place, the one that
  /// it walked to. kNoGoal where there is none: the goal was a point.
  std::uint16_t at(Vec2 place, std::uint32_t layer, std::uint16_t walked_to) const;
  /// Indices into the scenario's areas.
  const std::vector<std::uint16_t>& areas() const { return goals_; }

 private:
  std::vector<ScenarioArea> areas_;
  std::vector<std::uint16_t> goals_;
};

/// People a second, from how many had crossed by each time: over the last five seconds, or since the start.
std::vector<double> flow_of(const std::vector<double>& time, const std::vector<double>& crossed);

}  // namespace throng::server
