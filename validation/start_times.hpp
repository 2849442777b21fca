// SPDX-License-Identifier: MIT
// When people begin to move, as somebody who watches them would note it.
#pragma once
#include <vector>

#include "scenario/simulation.hpp"

namespace throng {

class StartWatch {
 public:
  /// After every step, and before the first.
  void see(const Simulation& simulation);
  /// By order of placement: the time at which the first step of more than a centimetre began; negative: never.
  const std::vector<double>& starts() const { return starts_; }

 private:
  std::vector<Vec2> places_;
  std::vector<double> starts_;
};

}  // namespace throng
