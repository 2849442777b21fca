// SPDX-License-Identifier: MIT
#include "motion/models.hpp"

#include <algorithm>

#include "motion/linear/linear.hpp"

namespace throng {
namespace {

/// The settings of the reactive models, at their indices; those of other kinds are never asked for and prepare nothing.
std::vector<ReactiveSettings> reactive_among(std::span<const MotionModel> models) {
  ReactiveSettings none;
  none.look_ahead = false;
  std::vector<ReactiveSettings> list;
  for (const MotionModel& model : models) {
    const auto* mine = std::get_if<ReactiveSettings>(&model);
    list.push_back(mine != nullptr ? *mine : none);
  }
  return list;
}

}  // namespace

MotionModels::MotionModels(std::span<const MotionModel> models) : reactive_(reactive_among(models)), reynolds_(models) {
  for (const MotionModel& model : models) kinds_.push_back(static_cast<Kind>(model.index()));
  has_reactive_ = std::find(kinds_.begin(), kinds_.end(), Kind::kReactive) != kinds_.end();
  is_mixed_ = !std::all_of(kinds_.begin(), kinds_.end(), [&](Kind kind) { return kind == Kind::kReactive; });
  all_separate_ = std::find(kinds_.begin(), kinds_.end(), Kind::kLinear) == kinds_.end();
}

void MotionModels::prepare(const Frozen& world, const Cells& cells, TaskRunner& tasks) {
  if (has_reactive_) reactive_.prepare(world, cells, tasks);
}

void MotionModels::move(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end,
                        std::span<const std::uint8_t> levels) const {
  if (!is_mixed_ && levels.empty()) return reactive_.move(world, agents, begin, end);
  // Whom the caller moves is treated by the reactive model, whatever its own is.
  const auto kind_of = [&](std::size_t row) {
    if (agents.activity[row] == Activity::kDriven) return Kind::kReactive;
    return !levels.empty() && levels[row] > 0 ? Kind::kLinear : kinds_[agents.model[row]];
  };
  while (begin < end) {
    const Kind kind = kind_of(begin);
    std::size_t stop = begin + 1;
    while (stop < end && kind_of(stop) == kind) ++stop;
    switch (kind) {
      case Kind::kReactive:
        reactive_.move(world, agents, begin, stop);
        break;
      case Kind::kReynolds:
        reynolds_.move(world, agents, begin, stop);
        break;
      case Kind::kLinear:
        move_linear(world, agents, begin, stop);
        break;
    }
    begin = stop;
  }
}

}  // namespace throng
