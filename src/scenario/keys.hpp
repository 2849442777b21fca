// SPDX-License-Identifier: MIT
// Every key of a scenario file, once: the reader, the JSON Schema and the documentation are made from these tables, so that they
// cannot disagree.
//
// A *setting* is a number, a switch or a quantity with a meaning, a unit and a range; its default is that of the struct it is
// read into. Every other key has a piece of schema written out.
#pragma once
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "scenario/scenario.hpp"

namespace throng {

template <class Owner>
struct Setting {
  std::string_view key;
  std::variant<bool Owner::*, int Owner::*, std::uint32_t Owner::*, std::uint64_t Owner::*, float Owner::*, double Owner::*,
               Quantity Owner::*>
      member;
  std::string_view meaning;
  std::string_view unit;
  double low = 0, high = 0;
};

struct Key {
  std::string_view key;
  std::string_view meaning;
  std::string_view schema;  ///< JSON; without its description
  bool is_required = false;
};

std::span<const Setting<Kind>> kind_settings();
std::span<const Setting<ReactiveSettings>> model_settings();
std::span<const Setting<ReynoldsSettings>> reynolds_settings();
std::span<const Setting<ShortTermSettings>> short_term_settings();
std::span<const Setting<ContinuumSettings>> continuum_settings();
/// The fields of such a model, with its defaults.
struct ContinuumFieldKeys : FieldSettings {
  ContinuumFieldKeys() : FieldSettings(continuum_fields()) {}
};
std::span<const Setting<ContinuumFieldKeys>> continuum_field_settings();
std::span<const Setting<RulesSettings>> rules_settings();
std::span<const Setting<ScenarioSettings>> run_settings();
std::span<const Setting<DetailSettings>> detail_settings();
std::span<const Setting<Viewpoint>> viewpoint_settings();
std::span<const Setting<InterestSettings>> interest_settings();
std::span<const Setting<Region>> region_settings();
std::span<const Setting<VehicleDef>> vehicle_settings();
std::span<const Setting<ScenarioOutputs>> output_settings();
std::span<const Setting<GraphSettings>> graph_settings();
std::span<const Setting<FlowSettings>> flow_settings();

namespace keys {
extern const std::span<const Key> kTop, kArea, kKind, kModel, kReynolds, kLinear, kShortTerm, kContinuum, kTable, kReaction,
    kPlan, kGoal, kPopulation, kSource, kDeparture, kMeasurements, kLine, kSettings, kPeriod, kDetail, kViewpoint, kQuantity,
    kNormal, kFlow;
extern const std::span<const Key> kRules, kRulesTable, kYield;
extern const std::span<const Key> kEvent, kCondition, kAction;
extern const std::span<const Key> kInterest, kRegion, kLevel, kVehicle;
}  // namespace keys

/// Models that others may be based on. Every scenario has the first ones, at these indices; the others it gets when it names
/// them.
inline constexpr std::string_view kModelNames[] = {"reactive",   "reactive_2004",   "reynolds",  "linear",
                                                   "short_term", "short_term_2008", "continuum", "rules"};
inline constexpr std::uint32_t kModelsOfAll = 4;

/// Names of a reaction table's rows and columns, in the order of the enums.
inline constexpr std::string_view kCollisionNames[kCollisionTypes] = {"static", "rear", "front", "back"};
inline constexpr std::string_view kReactionNames[kReactionModules] = {"right", "left", "decelerate", "accelerate"};

/// What an object may hold: its keys, its settings, and "comment".
std::vector<std::string_view> allowed_keys(std::span<const Key> keys);
template <class Owner>
std::vector<std::string_view> allowed_keys(std::span<const Key> keys, std::span<const Setting<Owner>> settings) {
  std::vector<std::string_view> names = allowed_keys(keys);
  for (const Setting<Owner>& setting : settings) names.insert(names.end() - 1, setting.key);
  return names;
}

}  // namespace throng
