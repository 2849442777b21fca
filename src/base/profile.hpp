// SPDX-License-Identifier: MIT
// Where the time of staged work went, and how much memory it took at its peak.
//
//   StageTimer timer;
//   timer.begin("triangulate");  …
//   timer.begin("bottlenecks");  …   // ends the stage before
//   timer.end();
//   for (const StageTime& stage : timer.stages()) print(stage.name, stage.ms);
//
// Wall-clock time. One timer belongs to one thread. A stage costs two clock reads: use it around phases, not inside loops.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace throng {

struct StageTime {
  std::string name;
  double ms = 0;
};

class StageTimer {
 public:
  /// Ends the running stage, if any, and starts `name`. A name seen before continues to add to its entry.
  void begin(std::string_view name);
  void end();

  /// In the order in which they first began; the running stage does not count yet.
  const std::vector<StageTime>& stages() const { return stages_; }
  double total_ms() const;

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kNotRunning = ~std::size_t{0};

  std::vector<StageTime> stages_;
  std::size_t running_ = kNotRunning;
  Clock::time_point began_;
};

/// The most physical memory this process ever held, in bytes, since its start or the last successful reset; 0 if unknown.
std::uint64_t peak_memory_bytes();
/// The physical memory this process holds now, in bytes; 0 if unknown.
std::uint64_t resident_memory_bytes();
/// Starts the peak again from what is held now, so that one process can measure several things. False where the system cannot.
bool reset_peak_memory();

}  // namespace throng
