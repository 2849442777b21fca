// SPDX-License-Identifier: MIT
// Flow through a measurement line: who crossed when (N over t), J, the flow of a bottleneck (ALGORITHMS.md §8.2) and the gaps
// between people (§8.3). Streams.
//
// An agent crosses when it changes sides between two frames and the straight move between them meets the line. The left side
// includes the line itself, so whoever stops on it is counted once. The time is interpolated along the move.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/period.hpp"
#include "analysis/statistics.hpp"
#include "trajectory/trajectory.hpp"

namespace throng {

struct MeasurementLine {
  Vec2 a, b;
  std::uint16_t layer = 0;
};

struct LineCrossing {
  double time = 0;
  std::uint32_t agent = 0;  ///< dense index
  bool to_left = true;      ///< from the right of a → b to its left
  double place = 0;         ///< 0 at a … 1 at b
};

struct FlowSummary {
  std::size_t to_left = 0, to_right = 0;
  double first_time = 0, last_time = 0;  ///< of all crossings
  double flow = 0;                       ///< persons a second: (N - 1) / (last - first), both directions together
  double specific_flow = 0;              ///< flow / length of the line
  double bottleneck_flow = 0;            ///< the same of the central 60 % of crossings
  Distribution gaps;                     ///< seconds between one crossing and the next
  double gap_variation = 0;              ///< deviation / mean
};

class LineCounter {
 public:
  explicit LineCounter(const MeasurementLine& line, const Period& period = {}) : line_(line), period_(period) {}
  void add(const FrameView& frame);
  /// In order of time.
  std::vector<LineCrossing> crossings() const;
  FlowSummary summary() const;

 private:
  struct Last {
    Vec2 at;
    std::uint64_t next_frame = 0;  ///< in which the move from `at` would end; 0: never seen
  };
  void test(Vec2 from, Vec2 to, double begin, double end, std::uint32_t agent);

  MeasurementLine line_;
  Period period_;
  std::vector<Last> last_;
  double last_time_ = 0;
  std::vector<LineCrossing> unsorted_;
};

std::vector<LineCrossing> crossings_of(const Trajectory& trajectory, const MeasurementLine& line, const Period& period = {});
FlowSummary flow_through(const Trajectory& trajectory, const MeasurementLine& line, const Period& period = {});

/// Persons a second between the central `share` of ascending times; 0 below two persons or without a time between them.
double central_flow(std::span<const double> times, double share);

}  // namespace throng
