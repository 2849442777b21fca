// SPDX-License-Identifier: MIT
#include "draw_field.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace throng::cli {
namespace {

/// The world has an area for each part of one of the scenario.
std::string area_name(const Scenario& scenario, std::uint32_t index) {
  for (const ScenarioArea& area : scenario.areas) {
    if (index < area.parts.size()) return area.name;
    index -= static_cast<std::uint32_t>(area.parts.size());
  }
  return "an area";
}

std::string words_of(const Scenario& scenario, const FieldInfo& field) {
  const std::string people = fmt::format("{} {} to ", field.people, field.people == 1 ? "person" : "people");
  switch (field.goal) {
    case FieldInfo::Goal::kArea:
      return people + area_name(scenario, field.index);
    case FieldInfo::Goal::kPoint:
      return people +
             fmt::format("({:.1f}, {:.1f})", field.point.x + scenario.scene.origin.x, field.point.y + scenario.scene.origin.y);
    case FieldInfo::Goal::kLink:
      return people + scenario.scene.links[field.index].name;
    case FieldInfo::Goal::kHeading:
      return people + (field.point.x > 0   ? "the east"
                       : field.point.x < 0 ? "the west"
                       : field.point.y > 0 ? "the north"
                                           : "the south");
    case FieldInfo::Goal::kFlow:
      break;
  }
  const ScenarioFlow& flow = scenario.flows[field.index];
  return people + scenario.areas[flow.areas[1 - field.direction]].name;
}

}  // namespace

FieldShow field_show(const std::string& name) {
  return name == "density"    ? FieldShow::kDensity
         : name == "speed"    ? FieldShow::kSpeed
         : name == "velocity" ? FieldShow::kVelocity
                              : FieldShow::kPotential;
}

Result<ChosenField> choose_field(Replay& replay, std::optional<std::uint32_t> set) {
  replay.step();
  const std::vector<FieldInfo> fields = replay.world().fields();
  if (fields.empty())
    return Problem{"--show field", "nobody follows a potential field at this moment",
                   "choose another --time, or a run with continuum crowds or with flows through regions of level 0"};
  std::vector<std::string> names;
  for (const FieldInfo& field : fields) names.push_back(words_of(replay.scenario(), field));
  if (set && *set >= fields.size()) {
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i) list += fmt::format("{}{}: {}", i == 0 ? "" : ", ", i, names[i]);
    return Problem{"--set", fmt::format("{} found; there are {} sets: {}", *set, fields.size(), list), "choose one of them"};
  }
  const auto most =
      std::max_element(fields.begin(), fields.end(), [](const FieldInfo& a, const FieldInfo& b) { return a.people < b.people; });
  const std::size_t chosen = set ? *set : static_cast<std::size_t>(most - fields.begin());
  return ChosenField{fields[chosen], replay.world().field_tiles(chosen), names[chosen]};
}

}  // namespace throng::cli
