// SPDX-License-Identifier: MIT
#include "analysis/journeys.hpp"

#include <cmath>

namespace throng {

void JourneyMeter::take_sample(State& s, Vec2 at, double time) {
  const Vec2 move = settings_.period.shortest(at - s.sample);
  const double seconds = time - s.sample_time;
  s.journey.length += length(move);
  s.path = s.path + move;
  const bool fast = length(move) >= settings_.slowest_turn_speed * seconds && length(move) > 0;
  if (fast && !(s.move == Vec2{})) {
    s.journey.turned += std::abs(std::atan2(cross(s.move, move), dot(s.move, move)));
    s.journey.turning_seconds += seconds;
  }
  s.move = fast ? move : Vec2{};
  s.sample = at;
  s.sample_time = time;
  if (length(s.path - s.anchor) >= settings_.stuck_distance) {
    s.anchor = s.path;
    s.anchor_time = time;
  } else if (time - s.anchor_time >= settings_.stuck_seconds) {
    s.journey.stuck = true;
  }
}

void JourneyMeter::add(const FrameView& frame) {
  if (states_.size() < frame.agents.size()) states_.resize(frame.agents.size());
  last_frame_ = frame.number;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    State& s = states_[frame.agent[i]];
    const Vec2 at = frame.position(i);
    s.last_frame = frame.number;
    s.last = at;
    if (!s.seen) {
      s.seen = true;
      s.preferred_speed = frame.facts(i).preferred_speed;
      s.journey.begin = s.journey.end = s.sample_time = s.anchor_time = frame.time;
      s.sample = at;
      continue;
    }
    s.journey.end = frame.time;
    // Frames never fall exactly on multiples: half a millisecond early counts.
    if (frame.time - s.sample_time >= settings_.sample_seconds - 5e-4) take_sample(s, at, frame.time);
  }
}

std::vector<Journey> JourneyMeter::journeys() const {
  std::vector<Journey> result;
  result.reserve(states_.size());
  for (const State& s : states_) {
    const Vec2 rest = settings_.period.shortest(s.last - s.sample);
    Journey& journey = result.emplace_back(s.journey);
    journey.length += length(rest);
    journey.straight = length(s.path + rest);
    journey.finished = s.seen && s.last_frame < last_frame_;
  }
  return result;
}

JourneySummary JourneyMeter::summary() const {
  JourneySummary result;
  std::vector<double> times, speeds;
  double walked = 0, straight = 0, turned = 0, turning_seconds = 0, speed_ratio = 0, progress_ratio = 0;
  std::size_t with_wish = 0;
  const std::vector<Journey> all = journeys();
  for (std::size_t agent = 0; agent < all.size(); ++agent) {
    const Journey& j = all[agent];
    const State& s = states_[agent];
    if (!s.seen) continue;
    ++result.agents;
    result.finished += j.finished;
    result.stuck += j.stuck;
    walked += j.length, straight += j.straight;
    turned += j.turned, turning_seconds += j.turning_seconds;
    if (j.finished) times.push_back(j.end - j.begin);
    const double seconds = j.end - j.begin;
    if (seconds <= 0) continue;
    speeds.push_back(j.length / seconds);
    if (s.preferred_speed <= 0) continue;
    ++with_wish;
    speed_ratio += j.length / seconds / s.preferred_speed;
    progress_ratio += j.straight / seconds / s.preferred_speed;
  }
  result.travel_time = distribution_of(times);
  result.speed = distribution_of(speeds);
  result.detour = straight > 0 ? walked / straight : 0;
  result.turning_rate = turning_seconds > 0 ? turned / turning_seconds : 0;
  if (with_wish > 0) {
    result.speed_ratio = speed_ratio / static_cast<double>(with_wish);
    result.progress_ratio = progress_ratio / static_cast<double>(with_wish);
  }
  return result;
}

std::vector<Journey> journeys_of(const Trajectory& trajectory, const JourneySettings& settings) {
  JourneyMeter meter(settings);
  for (std::size_t k = 0; k < trajectory.frame_count(); ++k) meter.add(trajectory.frame(k));
  return meter.journeys();
}

JourneySummary summarise_journeys(const Trajectory& trajectory, const JourneySettings& settings) {
  JourneyMeter meter(settings);
  for (std::size_t k = 0; k < trajectory.frame_count(); ++k) meter.add(trajectory.frame(k));
  return meter.summary();
}

}  // namespace throng
