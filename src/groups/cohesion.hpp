// SPDX-License-Identifier: MIT
// How well groups keep together (ALGORITHMS §8.5), from positions and velocities alone: the same of a run and of its recording.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// Everybody at one moment; columns of the same length.
struct GroupColumns {
  std::span<const std::uint32_t> group;  ///< 0: none
  std::span<const std::uint32_t> id;     ///< the lowest of a group leads
  std::span<const float> x, y, vx, vy;
};

/// Sums over moments. Divide by the count that stands behind each.
struct Cohesion {
  std::uint64_t people = 0, in_groups = 0;  ///< seen; of these in a group of which somebody else is there too
  double pair_distance = 0;                 ///< m, of the two of groups of two
  std::uint64_t pairs = 0;
  double to_middle = 0;                      ///< m, to the middle of one's group; divide by in_groups
  std::uint64_t abreast = 0, followers = 0;  ///< followers within half a metre of a walking leader along its way; all of them
  friend bool operator==(const Cohesion&, const Cohesion&) = default;
};

class CohesionMeter {
 public:
  /// Adds a moment.
  void add(const GroupColumns& now, Cohesion& sums);

 private:
  std::vector<std::uint64_t> order_;  ///< group, and then row
};

}  // namespace throng
