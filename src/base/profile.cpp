// SPDX-License-Identifier: MIT
#include "base/profile.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <sys/resource.h>

namespace throng {

void StageTimer::begin(std::string_view name) {
  end();
  const auto found = std::find_if(stages_.begin(), stages_.end(), [&](const StageTime& stage) { return stage.name == name; });
  running_ = static_cast<std::size_t>(found - stages_.begin());
  if (found == stages_.end()) stages_.push_back({std::string(name), 0});
  began_ = Clock::now();
}

void StageTimer::end() {
  if (running_ == kNotRunning) return;
  stages_[running_].ms += std::chrono::duration<double, std::milli>(Clock::now() - began_).count();
  running_ = kNotRunning;
}

double StageTimer::total_ms() const {
  double total = 0;
  for (const StageTime& stage : stages_) total += stage.ms;
  return total;
}

namespace {

/// A line "Name:   1234 kB" of the kernel's report on this process, in bytes; 0 if there is none.
std::uint64_t status_bytes(std::string_view name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name)) return std::strtoull(line.c_str() + name.size(), nullptr, 10) * 1024;
  }
  return 0;
}

}  // namespace

std::uint64_t resident_memory_bytes() { return status_bytes("VmRSS:"); }

std::uint64_t peak_memory_bytes() {
  // VmHWM follows a reset; ru_maxrss never goes down and counts what the process was before exec, so it is only the fallback.
  if (const std::uint64_t peak = status_bytes("VmHWM:")) return peak;
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::uint64_t>(usage.ru_maxrss) * 1024 : 0;
}

bool reset_peak_memory() {
  std::ofstream clear("/proc/self/clear_refs");
  clear << "5";  // 5: reset the peak resident set size (Linux 4.0 and later)
  clear.flush();
  return clear.good();
}

}  // namespace throng
