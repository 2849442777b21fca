// SPDX-License-Identifier: MIT
// All models of a world behind one pair of batch functions: rows of one kind that lie side by side go to their model together.
//
// The models know nothing of each other, nor of levels: by which model a row walks in a step is the caller's to say
// (Frozen::model). There is one more than the world was given, `straight()`: linear, for those whom nobody looks at.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <throng/models.hpp>

#include "base/tasks.hpp"
#include "motion/continuum/continuum.hpp"
#include "motion/frozen.hpp"
#include "motion/reactive/reactive.hpp"
#include "motion/reynolds/reynolds.hpp"
#include "motion/rules/rules.hpp"
#include "motion/separate.hpp"
#include "motion/short_term/short_term.hpp"

namespace throng {

class MotionModels {
 public:
  explicit MotionModels(std::span<const MotionModel> models);

  /// Without the fields of `continuum` and the board of `rules`, which ask the world about goals.
  void prepare(const Frozen& world, const Cells& cells, TaskRunner& tasks);
  /// Next velocities of agents [begin, end).
  void move(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end) const;

  /// What `move` will make of one agent, and why, before it does.
  void explain(const Frozen& world, Agents& agents, std::uint32_t row, Explanation& said) const;

  /// The index of the model that walks straight.
  std::uint8_t straight() const { return static_cast<std::uint8_t>(kinds_.size() - 1); }
  ContinuumMotion& continuum() { return continuum_; }
  const ContinuumMotion& continuum() const { return continuum_; }
  RulesMotion& rules() { return rules_; }
  const RulesMotion& rules() const { return rules_; }
  bool is_linear(std::uint8_t model) const { return kinds_[model] == Kind::kLinear; }

  /// How people are pushed apart: who walks straight is left out, who walks by rules stays in its tile and pushes others off it.
  PushedApart pushed_apart(std::uint8_t model) const {
    return is_linear(model)                ? PushedApart::kLeftOut
           : kinds_[model] == Kind::kRules ? PushedApart::kStandsFast
                                           : PushedApart::kMoves;
  }
  /// Whether that is the same for all models of the world, so that nobody has to be asked.
  bool all_separate() const { return all_separate_; }

 private:
  enum class Kind : std::uint8_t { kReactive, kReynolds, kLinear, kShortTerm, kContinuum, kRules };  // as in MotionModel

  std::vector<Kind> kinds_;  ///< by model
  ReactiveMotion reactive_;
  ReynoldsMotion reynolds_;
  ShortTermMotion short_term_;
  ContinuumMotion continuum_;
  RulesMotion rules_;
  bool has_reactive_ = false, has_short_term_ = false, all_separate_ = true;
};

}  // namespace throng
