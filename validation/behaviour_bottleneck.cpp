// SPDX-License-Identifier: MIT
// A room empties through a door (ALGORITHMS.md §8.2, §8.3): the flow against the widths Kretz et al. 2006 measured, and whether
// an arch ever holds people back for good.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/flow.hpp"
#include "behaviour_support.hpp"

namespace throng::behaviour {
namespace {

struct Door {
  double width;
  double low, high;  ///< persons a second, the range of Kretz's experiments (VALIDATION.md)
  const char* name;
};
constexpr std::array<Door, 3> kDoors{{{0.8, 1.39, 1.46, "0.8"}, {1.0, 1.71, 2.02, "1.0"}, {1.2, 2.03, 2.29, "1.2"}}};
constexpr double kTolerance = 0.15;
constexpr std::uint32_t kPeople = 150;
constexpr double kWall = 0.2, kGiveUp = 400;        // m, s
constexpr std::uint32_t kRoomPurpose = 0x726F6F6D;  // "room"

/// Everybody leaves a room of 8 × 10 m through a door in the middle of its southern wall.
Result<Figures> measure_door(const Door& door, const ReactiveSettings& model, std::uint64_t seed) {
  const double left = 4 - door.width / 2, right = 4 + door.width / 2;
  Result<World> world =
      make_world({rectangle(0, 0, 8, 10), rectangle(left, -kWall, right, 0), rectangle(0, -6, 8, -kWall)}, model, seed);
  if (!world) return world.problems();
  const std::uint32_t room = world->add_area(rectangle(0, 0, 8, 10));
  PlanGoal outside;
  outside.area = world->add_area(rectangle(1, -6, 7, -4));
  const std::uint32_t leave = world->add_plan({{outside}, PlanEnd::kLeave});
  RandomStream random(seed, 0, kRoomPurpose);
  std::uint64_t draw = 0;
  for (std::uint32_t i = 0; i < kPeople; ++i) {
    AgentDef agent;
    agent.person.preferred_speed = static_cast<float>(adult_speed(random));
    const Result<Vec2> place = place_in(*world, room, agent.person.radius, draw);
    if (!place) return place.problems();
    agent.position = *place;
    agent.plan = leave;
    world->add(agent);
  }
  FrameCollector frames(world->settings().dt);
  LineCounter line(MeasurementLine{{left, 0}, {right, 0}});
  while (world->agent_count() > 0 && world->time() < kGiveUp) {
    frames.add(*world);
    line.add(frames.trajectory().frame(frames.trajectory().frame_count() - 1));
    world->step();
  }
  const FlowSummary flow = line.summary();
  return Figures{{"flow", flow.bottleneck_flow},
                 {"left_behind", world->agent_count()},
                 {"longest_gap_s", flow.gaps.high},
                 {"gap_variation", flow.gap_variation},
                 {"empty_after_s", world->time()}};
}

}  // namespace

Result<ValidationOutcome> run_bottleneck(const ValidationSettings& settings) {
  ReactiveSettings control = settings.model;
  control.headway = false;
  const auto measure = [](const ReactiveSettings& model, std::uint64_t seed) -> Result<Figures> {
    Figures all;
    int left_behind = 0;
    double longest_gap = 0;
    for (const Door& door : kDoors) {
      const Result<Figures> figures = measure_door(door, model, seed);
      if (!figures) return figures.problems();
      all[door.name] = *figures;
      all["flow_" + std::string(door.name)] = figures->at("flow");
      left_behind += figures->at("left_behind").get<int>();
      longest_gap = std::max(longest_gap, figures->at("longest_gap_s").get<double>());
    }
    all["left_behind"] = left_behind;
    all["longest_gap_s"] = longest_gap;
    return all;
  };
  const auto measured = measure_variants(settings, with_control(settings.model, control), measure);
  if (!measured) return measured.problems();
  const auto describe = [&](const std::string& variant) {
    std::string text;
    for (const Door& door : kDoors)
      text += fmt::format("{} m {} /s, ", door.name, spread(measured->of(variant, "flow_" + std::string(door.name))));
    return text + fmt::format("{:.0f} left behind, longest gap {:.1f} s", measured->of(variant, "left_behind").high,
                              measured->of(variant, "longest_gap_s").high);
  };
  bool passed = measured->of(kModel, "left_behind").high == 0;
  for (const Door& door : kDoors) {
    const Distribution flow = measured->of(kModel, "flow_" + std::string(door.name));
    const Distribution off = measured->of(kControl, "flow_" + std::string(door.name));
    passed =
        passed && flow.low >= door.low * (1 - kTolerance) && flow.high <= door.high * (1 + kTolerance) && off.mean > flow.high;
  }
  return ValidationOutcome{passed, describe(kModel), beside(*measured, "no headway", describe), measured->figures()};
}

}  // namespace throng::behaviour
