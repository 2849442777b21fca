// SPDX-License-Identifier: MIT
// Pushing people apart who would overlap: the last phase of a step, common to all motion models.
//
// Jacobi: in each sweep everybody reads the positions of the sweep before and takes its own half of every overlap it is in, so
// the result depends on no order. People keep 1 % more than contact, so that the last bits of an overlap do not take for ever.
// Those who touch nobody within reach, nearly everybody on an open place, are left out after a first look.
#pragma once
#include <cstdint>
#include <vector>

#include "base/tasks.hpp"
#include "motion/frozen.hpp"

namespace throng {

class Separation {
 public:
  /// Corrects agents.next.x and y.
  void run(const Frozen& world, Agents& agents, unsigned sweeps, TaskRunner& tasks);

 private:
  static constexpr std::uint32_t kMostContacts = 12;
  struct Row {
    std::uint32_t contacts;
    std::uint32_t other[kMostContacts];
  };
  std::vector<Row> rows_;  ///< of those in `touching_`
  std::vector<std::uint32_t> touching_;
  std::vector<std::uint8_t> is_touching_;
  std::vector<float> x_, y_;  ///< positions of the sweep before
};

}  // namespace throng
