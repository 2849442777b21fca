// SPDX-License-Identifier: MIT
// The arch of a crowd before a door (ALGORITHMS.md §8.3): density on a half circle upstream, in five directions. A crowd that
// arches has nearly the same in all of them; a queue is dense straight ahead only. Streams.
#pragma once
#include <array>
#include <cstdint>

#include "trajectory/trajectory.hpp"

namespace throng {

struct ArchSettings {
  Vec2 door;                      ///< its middle
  Vec2 upstream{-1, 0};           ///< unit vector from the door into the crowd
  double radius = 1.5;            ///< metres, of the half circle
  double half_depth = 0.5;        ///< of the ring around it
  double half_angle = 0.1745329;  ///< radians, of each direction's sector: 10°
  std::uint16_t layer = 0;
  double from = 0, to = 1e300;  ///< seconds: the time in which there is a crowd
};

struct ArchProfile {
  /// Persons per m² at -80°, -45°, 0°, 45°, 80° from upstream, counter-clockwise positive; means over frames.
  std::array<double, 5> density{};
  double mean = 0;
  double deviation = 0;  ///< largest |density - mean| / mean; 0.35 still is an arch
};

class ArchMeter {
 public:
  explicit ArchMeter(const ArchSettings& settings) : settings_(settings) {}
  void add(const FrameView& frame);
  ArchProfile profile() const;

 private:
  ArchSettings settings_;
  std::array<std::uint64_t, 5> count_{};
  std::uint64_t frames_ = 0;
};

ArchProfile arch_of(const Trajectory& trajectory, const ArchSettings& settings);

}  // namespace throng
