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

MotionModels::MotionModels(std::span<const MotionModel> models)
    : reactive_(reactive_among(models)), reynolds_(models), short_term_(models), continuum_(models), rules_(models) {
  for (const MotionModel& model : models) kinds_.push_back(static_cast<Kind>(model.index()));
  const auto has = [&](Kind kind) { return std::find(kinds_.begin(), kinds_.end(), kind) != kinds_.end(); };
  has_reactive_ = has(Kind::kReactive), has_short_term_ = has(Kind::kShortTerm);
  all_separate_ = !has(Kind::kLinear) && !has(Kind::kRules);
  kinds_.push_back(Kind::kLinear);
}

void MotionModels::prepare(const Frozen& world, const Cells& cells, TaskRunner& tasks) {
  if (has_reactive_) reactive_.prepare(world, cells, tasks);
  if (has_short_term_) short_term_.prepare(world, cells, tasks);
}

void MotionModels::move(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end) const {
  // Whom the caller moves is treated by the reactive model, whatever its own is.
  const auto kind_of = [&](std::size_t row) {
    return agents.activity[row] == Activity::kDriven ? Kind::kReactive : kinds_[world.model[row]];
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
      case Kind::kShortTerm:
        short_term_.move(world, agents, begin, stop);
        break;
      case Kind::kContinuum:
        continuum_.move(world, agents, begin, stop);
        break;
      case Kind::kRules:
        rules_.move(world, agents, begin, stop);
        break;
      case Kind::kLinear:
        move_linear(world, agents, begin, stop);
        break;
    }
    begin = stop;
  }
}

void MotionModels::explain(const Frozen& world, Agents& agents, std::uint32_t row, Explanation& said) const {
  const RowMemory memory(agents, row);
  const Kind kind = agents.activity[row] == Activity::kDriven ? Kind::kReactive : kinds_[world.model[row]];
  switch (kind) {
    case Kind::kReactive:
      reactive_.explain(world, agents, row, said);
      break;
    case Kind::kShortTerm:
      short_term_.explain(world, agents, row, said);
      break;
    default: {
      said.steps.push_back({Influence::kGuidance, {agents.desired_x[row], agents.desired_y[row]}});
      move(world, agents, row, row + 1);
    }
  }
  said.velocity = {agents.next.vx[row], agents.next.vy[row]};
  memory.put_back(agents, row);
}

const char* name_of(Influence influence) {
  constexpr const char* kNames[] = {"guidance", "look-ahead", "personal space", "headway", "walls",    "prediction", "arriving",
                                    "aside",    "make way",   "brake",          "inertia", "security", "yield"};
  return kNames[static_cast<std::size_t>(influence)];
}
const char* name_of(CollisionType type) {
  constexpr const char* kNames[] = {"static", "rear", "front", "back"};
  return kNames[static_cast<std::size_t>(type)];
}
const char* name_of(ReactionModule module) {
  constexpr const char* kNames[] = {"right", "left", "decelerate", "accelerate"};
  return kNames[static_cast<std::size_t>(module)];
}

}  // namespace throng
