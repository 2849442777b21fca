// SPDX-License-Identifier: MIT
// One person's way from first to last frame: travel time, length, detour, smoothness, how fast compared to the wish, and whether
// it got stuck. Streams; constant memory a person.
//
// Positions are taken every `sample_seconds`, so that files of different frame rates, and the jitter of video tracking, compare.
#pragma once
#include <cstdint>
#include <vector>

#include "analysis/period.hpp"
#include "analysis/statistics.hpp"
#include "trajectory/trajectory.hpp"

namespace throng {

struct JourneySettings {
  double sample_seconds = 0.2;
  double slowest_turn_speed = 0.1;  ///< m/s; below it a direction of motion means nothing
  double stuck_distance = 0.1;      ///< metres: who moves less …
  double stuck_seconds = 60;        ///< … in this time is stuck
  Period period;
};

struct Journey {
  double begin = 0, end = 0;   ///< seconds
  double length = 0;           ///< metres walked
  double straight = 0;         ///< metres from first to last position
  double turned = 0;           ///< radians, sum of the changes of direction
  double turning_seconds = 0;  ///< during which they were measured
  bool finished = false;       ///< was gone before the last frame
  bool stuck = false;          ///< at some time
};

struct JourneySummary {
  std::size_t agents = 0, finished = 0, stuck = 0;
  Distribution travel_time;   ///< seconds, of those who finished
  Distribution speed;         ///< length / time of each, m/s
  double detour = 0;          ///< sum of lengths / sum of straight distances; 0 if nobody moved
  double turning_rate = 0;    ///< mean |change of direction|, rad/s
  double speed_ratio = 0;     ///< mean of (length / time) / preferred speed, of those whose preferred speed is known; else 0
  double progress_ratio = 0;  ///< the same with the straight distance: the way to where they ended
};

class JourneyMeter {
 public:
  explicit JourneyMeter(const JourneySettings& settings = {}) : settings_(settings) {}
  void add(const FrameView& frame);
  /// By dense agent index.
  std::vector<Journey> journeys() const;
  JourneySummary summary() const;

 private:
  struct State {
    Journey journey;
    Vec2 last;    ///< where it was in its last frame
    Vec2 sample;  ///< where it was at sample_time
    Vec2 move;    ///< the last move between samples that was fast enough; (0, 0): none
    Vec2 path;    ///< from the first position, seams of a period unfolded
    Vec2 anchor;  ///< on `path`: where it was when it last got away by stuck_distance
    double sample_time = 0, anchor_time = 0;
    float preferred_speed = 0;
    std::uint64_t last_frame = 0;
    bool seen = false;
  };
  void take_sample(State& state, Vec2 at, double time);

  JourneySettings settings_;
  std::vector<State> states_;
  std::uint64_t last_frame_ = 0;
};

std::vector<Journey> journeys_of(const Trajectory& trajectory, const JourneySettings& settings = {});
JourneySummary summarise_journeys(const Trajectory& trajectory, const JourneySettings& settings = {});

}  // namespace throng
