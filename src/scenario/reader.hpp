// SPDX-License-Identifier: MIT
// Turns the JSON of a scenario into the struct, and collects everything that is wrong on the way.
//
// Names are looked up as soon as they are met, so tables of names are read before whoever refers to them: scene, areas, kinds,
// models, flows, plans, then people. A part that cannot be read leaves a default behind and the reader goes on: one run, all
// mistakes.
#pragma once
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/json_document.hpp"
#include "scenario/keys.hpp"
#include "scenario/scenario.hpp"

namespace throng {

class ScenarioReader {
 public:
  ScenarioReader(const std::string& name, const SceneOpener& open_scene) : problems_(name), open_scene_(open_scene) {}
  Result<Scenario> read(const Json& root);

 private:
  using Where = std::string;
  using Names = std::map<std::string, std::uint32_t, std::less<>>;

  // reader_values.cpp: values of any kind
  bool is_object(const Json& value, const Where& where, std::string_view meaning);
  bool is_array(const Json& value, const Where& where, std::string_view meaning, std::size_t most);
  void check(const Json& object, const Where& where, std::span<const std::string_view> allowed);
  void require(const Json& object, const Where& where, std::span<const Key> keys);
  /// Of two keys that exclude each other at most one may be there.
  void exclude(const Json& object, const Where& where, std::string_view one, std::string_view other);
  bool read_text(const Json& value, const Where& where, std::string& out, bool may_be_empty = false);
  bool read_switch(const Json& value, const Where& where, bool& out);
  bool read_bounded(const Json& value, const Where& where, std::string_view meaning, double low, double high, double& out);
  /// A whole number between two bounds.
  template <class Integer>
  bool read_whole(const Json& value, const Where& where, std::string_view meaning, double low, double high, Integer& out);
  bool read_quantity(const Json& value, const Where& where, std::string_view meaning, double low, double high, Quantity& out);
  bool read_normal(const Json& value, const Where& where, std::string_view meaning, double low, double high, Quantity& out);
  bool read_numbers(const Json& value, const Where& where, std::string_view meaning, double low, double high, std::size_t most,
                    std::vector<double>& out);
  /// The index of one of a few words.
  std::optional<std::uint32_t> read_word(const Json& value, const Where& where, std::span<const std::string_view> words);
  std::optional<std::uint32_t> read_name(const Json& value, const Where& where, std::string_view meaning, const Names& names);
  std::optional<std::uint32_t> read_layer(const Json& value, const Where& where);
  bool read_point(const Json& value, const Where& where, Vec2& out);
  bool read_points(const Json& value, const Where& where, std::vector<Vec2>& out);
  /// All settings of a table that an object has.
  template <class Owner>
  void read_settings(const Json& object, const Where& where, std::span<const Setting<Owner>> settings, Owner& owner);
  /// A new name of a table, reported if it is taken.
  void add_name(Names& names, const std::string& name, std::size_t index, const Where& where, std::string_view meaning);

  // reader.cpp: places, runs
  void read_top(const Json& root);
  void read_scene(const Json& root);
  void read_areas(const Json& value);
  bool read_polygon(const Json& value, const Where& where, Polygon& out);
  bool read_ring(const Json& value, const Where& where, Ring& out);
  void read_measurements(const Json& value);
  void read_run_settings(const Json& value);

  // reader_regions.cpp
  void read_detail(const Json& value);
  std::optional<Viewpoint> read_viewpoint(const Json& value, const Where& where);
  void read_vehicles(const Json& value);
  void read_interest(const Json& value);
  void read_region(const std::string& name, const Json& value, const Where& where);
  void read_level(const Json& value, const Where& where, LevelService& out);

  // reader_events.cpp
  void read_events(const Json& value);
  void read_condition(const Json& value, const Where& where, ScenarioEvent::Condition& out);
  void read_action(const Json& value, const Where& where, std::vector<ScenarioAction>& out);
  void read_region_values(const Json& value, const Where& where, ScenarioAction& action);
  void read_new_region(const Json& value, const Where& where, ScenarioAction& action);

  // reader_people.cpp
  void read_kinds(const Json& value);
  void read_models(const Json& value);
  MotionModel read_model(const Json& model, const Where& where);
  /// The index of a model by its name.
  std::optional<std::uint32_t> read_model_name(const Json& value, const Where& where);
  void read_table(const Json& value, const Where& where, ReactionTable& out);
  void read_rules_table(const Json& value, const Where& where, RulesTable& out);
  void read_yield(const Json& value, const Where& where, RulesSettings& out);
  void read_flows(const Json& value);
  void read_graph(const Json& value);
  void read_plans(const Json& value);
  void read_goal(const Json& value, const Where& where, ScenarioGoal& out);
  void read_populations(const Json& value);
  void read_places(const Json& value, const Where& where, Population& out);
  void read_groups(const Json& value, const Where& where, PeopleDef& out);
  void add_flow_walkers(const Population& population, std::uint32_t flow);
  void read_sources(const Json& value);
  void read_people(const Json& value, const Where& where, PeopleDef& out);
  void read_mix(const Json& value, const Where& where, std::string_view meaning, const Names& names, std::vector<Share>& out);

  ProblemList problems_;
  const SceneOpener& open_scene_;
  Scenario scenario_;
  Names layers_, areas_, kinds_, models_, flows_, plans_, profiles_, vehicles_, regions_, obstacles_;
};

template <class Integer>
bool ScenarioReader::read_whole(const Json& value, const Where& where, std::string_view meaning, double low, double high,
                                Integer& out) {
  // 3.0 is a whole number as well, as JSON Schema has it.
  double number = 0;
  if (!read_bounded(value, where, meaning, low, high, number)) return false;
  if (number != static_cast<double>(static_cast<std::int64_t>(number))) {
    problems_.add(where, describe(value) + " found; " + std::string(meaning) + " is a whole number", "leave out the fraction");
    return false;
  }
  out = static_cast<Integer>(number);
  return true;
}

template <class Owner>
void ScenarioReader::read_settings(const Json& object, const Where& where, std::span<const Setting<Owner>> settings,
                                   Owner& owner) {
  for (const Setting<Owner>& setting : settings) {
    const auto found = object.find(setting.key);
    if (found == object.end()) continue;
    const Where here = where + pointer_step(setting.key);
    const std::string meaning = std::string(setting.key) + (setting.unit.empty() ? "" : " in ") + std::string(setting.unit);
    std::visit(
        [&](auto member) {
          auto& target = owner.*member;
          using Value = std::remove_reference_t<decltype(target)>;
          if constexpr (std::is_same_v<Value, bool>) {
            read_switch(*found, here, target);
          } else if constexpr (std::is_same_v<Value, Quantity>) {
            read_quantity(*found, here, meaning, setting.low, setting.high, target);
          } else if constexpr (std::is_integral_v<Value>) {
            read_whole(*found, here, meaning, setting.low, setting.high, target);
          } else {
            double number = 0;
            if (read_bounded(*found, here, meaning, setting.low, setting.high, number)) target = static_cast<Value>(number);
          }
        },
        setting.member);
  }
}

}  // namespace throng
