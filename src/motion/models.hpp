// SPDX-License-Identifier: MIT
// All models of a world behind one pair of batch functions: rows of one kind that lie side by side go to their model together.
//
// The models know nothing of each other, nor of levels: a row that is to walk by `linear` whatever its own model says is marked
// by the caller.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <throng/models.hpp>

#include "base/tasks.hpp"
#include "motion/frozen.hpp"
#include "motion/reactive/reactive.hpp"
#include "motion/reynolds/reynolds.hpp"

namespace throng {

class MotionModels {
 public:
  explicit MotionModels(std::span<const MotionModel> models);

  void prepare(const Frozen& world, const Cells& cells, TaskRunner& tasks);
  /// Next velocities of agents [begin, end). Rows with a level above 0 walk straight; `levels` empty: none does.
  void move(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end, std::span<const std::uint8_t> levels) const;

  /// Whether people are pushed apart from others: all but those who walk straight.
  bool takes_part_in_separation(std::uint8_t model) const { return kinds_[model] != Kind::kLinear; }
  /// Whether that is the same for all models, so that nobody has to be asked.
  bool all_separate() const { return all_separate_; }

 private:
  enum class Kind : std::uint8_t { kReactive, kReynolds, kLinear };

  std::vector<Kind> kinds_;  ///< by model
  ReactiveMotion reactive_;
  ReynoldsMotion reynolds_;
  bool has_reactive_ = false, is_mixed_ = false, all_separate_ = true;
};

}  // namespace throng
