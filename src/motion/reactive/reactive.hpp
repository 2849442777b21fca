// SPDX-License-Identifier: MIT
// Reactive navigation: from a desired velocity to the next one, for each agent by itself.
//
// The pipe of Lamarche & Donikian 2004, section 4.2, with the modules of ALGORITHMS §1.14b between its stages; what each stage
// does is in the file of its name. One agent's pipe reads frozen columns and writes its own next ones.
#pragma once
#include <span>

#include <throng/reactive.hpp>

#include "base/tasks.hpp"
#include "motion/frozen.hpp"
#include "motion/reactive/look_ahead.hpp"
#include "motion/witness.hpp"

namespace throng {

class ReactiveMotion {
 public:
  explicit ReactiveMotion(std::span<const ReactiveSettings> models) : models_(models.begin(), models.end()) {}

  /// Whole crowd, before `move`: the grid of the look-ahead, if any model looks ahead.
  void prepare(const Frozen& world, const Cells& cells, TaskRunner& tasks);
  /// Writes velocity, intent and body of the next generation, and wait and turn, of agents [begin, end).
  void move(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end) const;
  /// The same for one agent, whose decision is written down. Leaves behind what `move` would.
  void explain(const Frozen& world, Agents& agents, std::uint32_t row, Explanation& said) const;

 private:
  template <class Witness>
  void move_rows(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end, Witness& witness) const;

  std::vector<ReactiveSettings> models_;
  std::span<const std::uint32_t> layer_of_cell_;
  CrowdGrid grid_;
};

}  // namespace throng
