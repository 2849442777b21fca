// SPDX-License-Identifier: MIT
// The JSON Schema of scenario files (draft 7), from the tables of keys.
#include "scenario/keys.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace throng {
namespace {

using Ordered = nlohmann::ordered_json;

Ordered described(std::string_view schema, std::string_view meaning) {
  Ordered value = Ordered::parse(schema);
  if (value.is_boolean()) value = Ordered::object();
  // A reference hides what stands beside it in draft 7.
  if (value.contains("$ref")) value = {{"allOf", Ordered::array({value})}};
  Ordered out = {{"description", meaning}};
  out.update(value);
  return out;
}

/// Not inlined: g++ 12 would warn of members of all types that a table could have and this owner has not.
template <class Owner>
[[gnu::noinline]] void add_settings(Ordered& properties, std::span<const Setting<Owner>> settings, const Owner& defaults) {
  for (const Setting<Owner>& setting : settings) {
    Ordered& property = properties[std::string(setting.key)];
    std::string meaning(setting.meaning);
    if (!setting.unit.empty()) meaning += fmt::format(" In {}.", setting.unit);
    property["description"] = meaning;
    std::visit(
        [&](auto member) {
          const auto& value = defaults.*member;
          using Value = std::remove_cvref_t<decltype(value)>;
          if constexpr (std::is_same_v<Value, bool>) {
            property["type"] = "boolean";
            property["default"] = value;
          } else if constexpr (std::is_same_v<Value, Quantity>) {
            property["anyOf"] = {{{"type", "number"}, {"minimum", setting.low}, {"maximum", setting.high}},
                                 {{"$ref", "#/definitions/distribution"}}};
            if (value.form == Quantity::Form::kFixed) {
              property["default"] = value.low;
            } else {
              property["default"] = {
                  {"normal", {{"mean", value.mean}, {"deviation", value.deviation}, {"low", value.low}, {"high", value.high}}}};
            }
          } else {
            property["type"] = std::is_integral_v<Value> ? "integer" : "number";
            property["minimum"] = setting.low;
            property["maximum"] = setting.high;
            if constexpr (std::is_same_v<Value, float>) {
              property["default"] = std::stod(fmt::format("{}", value));  // 0.1, not what a float makes of it
            } else {
              property["default"] = value;
            }
          }
        },
        setting.member);
  }
}

Ordered object_of(std::span<const Key> keys, const Ordered& more = Ordered::object()) {
  Ordered required = Ordered::array(), properties = Ordered::object();
  for (const Key& key : keys) {
    properties[std::string(key.key)] = described(key.schema, key.meaning);
    if (key.is_required) required.push_back(key.key);
  }
  properties.update(more);
  properties["comment"] = true;
  Ordered out = {{"type", "object"}};
  if (!required.empty()) out["required"] = required;
  out["properties"] = properties;
  out["additionalProperties"] = false;
  return out;
}

template <class Owner>
Ordered object_of(std::span<const Key> keys, std::span<const Setting<Owner>> settings) {
  Ordered more = Ordered::object();
  add_settings(more, settings, Owner{});
  return object_of(keys, more);
}

}  // namespace

std::string scenario_schema() {
  Ordered schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                    {"title", "Throng scenario, version 1"},
                    {"description",
                     "A scene, the people in it, their plans, and how to run them. Metres, seconds, radians; x east, y north. "
                     "Generated from src/scenario/keys.cpp."}};
  schema.update(object_of(keys::kTop));
  Ordered& definitions = schema["definitions"];
  definitions["point"] = Ordered::parse(R"({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2})");
  definitions["ring"] = Ordered::parse(R"({"type": "array", "items": {"$ref": "#/definitions/point"}, "minItems": 3})");
  definitions["polygon"] = Ordered::parse(
      R"({"anyOf": [{"$ref": "#/definitions/ring"}, {"type": "object", "required": ["outer"], "properties": {"outer": {"$ref": "#/definitions/ring"}, "holes": {"type": "array", "items": {"$ref": "#/definitions/ring"}}, "comment": true}, "additionalProperties": false}]})");
  definitions["distribution"] = object_of(keys::kQuantity);
  definitions["distribution"]["oneOf"] = Ordered::parse(
      R"([{"required": ["normal"]}, {"required": ["uniform"]}, {"required": ["choices"]}, {"required": ["list"]}])");
  definitions["normal"] = object_of(keys::kNormal);
  definitions["quantity"] =
      Ordered::parse(R"({"anyOf": [{"type": "number", "minimum": 0}, {"$ref": "#/definitions/distribution"}]})");
  Ordered area = object_of(keys::kArea);
  area["oneOf"] = Ordered::parse(R"([{"required": ["polygon"]}, {"required": ["box"]}])");
  definitions["area"]["anyOf"] = Ordered::array({Ordered{{"$ref", "#/definitions/ring"}}, area});
  definitions["kind"] = object_of(keys::kKind, kind_settings());
  definitions["model"]["anyOf"] =
      Ordered::array({object_of(keys::kModel, model_settings()), object_of(keys::kReynolds, reynolds_settings()),
                      object_of(keys::kLinear), object_of(keys::kShortTerm, short_term_settings()),
                      object_of(keys::kContinuum, continuum_settings()), object_of(keys::kRules, rules_settings())});
  definitions["rules_table"] = object_of(keys::kRulesTable);
  definitions["rules_rows"] = Ordered::parse(
      R"({"type": "array", "maxItems": 8, "items": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"enum": ["forward", "right", "left", "wait", "slow", "overtake_right", "overtake_left"]}}})");
  definitions["yield"] = object_of(keys::kYield);
  definitions["field"] = object_of({}, continuum_field_settings());
  definitions["table"] = object_of(keys::kTable);
  definitions["reaction"] = object_of(keys::kReaction);
  definitions["plan"] = object_of(keys::kPlan);
  definitions["goal"] = object_of(keys::kGoal);
  definitions["goal"]["oneOf"] = Ordered::parse(R"([{"required": ["area"]}, {"required": ["point"]}])");
  definitions["flow"] = object_of(keys::kFlow, flow_settings());
  definitions["graph"] = object_of({}, graph_settings());
  definitions["population"] = object_of(keys::kPopulation);
  definitions["population"]["oneOf"] =
      Ordered::parse(R"([{"required": ["count"]}, {"required": ["density"]}, {"required": ["positions"]}])");
  definitions["source"] = object_of(keys::kSource);
  definitions["source"]["oneOf"] = Ordered::parse(R"([{"required": ["rate"]}, {"required": ["timetable"]}])");
  definitions["departure"] = object_of(keys::kDeparture);
  definitions["event"] = object_of(keys::kEvent);
  definitions["event"]["oneOf"] = Ordered::parse(R"([{"required": ["time"]}, {"required": ["when"]}])");
  definitions["condition"] = object_of(keys::kCondition);
  definitions["action"] = object_of(keys::kAction);
  definitions["measurements"] = object_of(keys::kMeasurements);
  definitions["line"] = object_of(keys::kLine);
  definitions["settings"] = object_of(keys::kSettings, run_settings());
  definitions["period"] = object_of(keys::kPeriod);
  definitions["detail"] = object_of(keys::kDetail, detail_settings());
  definitions["viewpoint"] = object_of(keys::kViewpoint, viewpoint_settings());
  definitions["interest"] = object_of(keys::kInterest, interest_settings());
  definitions["region"] = object_of(keys::kRegion, region_settings());
  definitions["region"]["oneOf"] = Ordered::parse(R"([{"required": ["centre"]}, {"required": ["follow"]}])");
  definitions["level"] = object_of(keys::kLevel);
  definitions["vehicle"] = object_of(keys::kVehicle, vehicle_settings());
  definitions["outputs"] = object_of({}, output_settings());
  return schema.dump(2) + "\n";
}

}  // namespace throng
