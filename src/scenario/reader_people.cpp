// SPDX-License-Identifier: MIT
// The people of a scenario file: kinds, models, plans, populations, sources.
#include <algorithm>

#include <fmt/format.h>

#include "import/limits.hpp"
#include "scenario/reader.hpp"

namespace throng {
namespace {

constexpr std::size_t kMostLists = 10'000;
constexpr double kMostPeople = 1e6;
constexpr double kLongest = 1e7;  // s
/// Added to the place in kModelNames of a model that nobody has named yet. Worlds get it when somebody does, so that a scenario
/// that does not use a model has the same world, to the bit, whether the program knows that model or not.
constexpr std::uint32_t kUnnamed = 1u << 16;

MotionModel built_in_model(std::uint32_t index) {
  const std::string_view name = kModelNames[index];
  if (name == "reactive_2004") return reactive_2004();
  if (name == "reynolds") return ReynoldsSettings{};
  if (name == "linear") return LinearSettings{};
  if (name == "short_term") return ShortTermSettings{};
  if (name == "short_term_2008") return short_term_2008();
  if (name == "continuum") return ContinuumSettings{};
  if (name == "rules") return RulesSettings{};
  return reactive();
}

}  // namespace

/// Body and speed as measured; everything else as for adults.
std::vector<Kind> built_in_kinds() {
  Kind adult;  // 1.34 ± 0.26 m/s: Weidmann 1993, Transporttechnik der Fussgänger, over 52 studies
  Kind child = adult;
  child.name = "child";  // of school age
  child.is_child = true;
  child.radius = Quantity::fixed(0.15);
  child.preferred_speed = Quantity::normal(1.15, 0.20, 0.6, 1.7);  // Weidmann's curve by age at 6 to 10 years, read to 0.05
  Kind elderly = adult;
  elderly.name = "elderly";
  elderly.preferred_speed = Quantity::normal(1.07, 0.20, 0.5, 1.6);  // Weidmann's curve at 70 years, as in RiMEA's test 7
  Kind wheelchair = adult;
  wheelchair.name = "wheelchair";
  wheelchair.radius = Quantity::fixed(0.35);                             // 0.70 m wide: ISO 7193
  wheelchair.preferred_speed = Quantity::normal(0.69, 0.35, 0.3, 1.35);  // moved by hand: Boyce, Shields & Silcock 1999
  wheelchair.personal_distance = Quantity::fixed(1.3);
  return {adult, child, elderly, wheelchair};
}

void ScenarioReader::read_kinds(const Json& value) {
  scenario_.kinds = built_in_kinds();
  for (std::size_t i = 0; i < scenario_.kinds.size(); ++i) kinds_.emplace(scenario_.kinds[i].name, static_cast<std::uint32_t>(i));
  if (value.is_null() || !is_object(value, "/kinds", "a list of kinds by name")) return;
  // Bases may stand later in the file (JSON has no order): a kind is read once its base has been.
  std::vector<std::string> waiting;
  for (const auto& entry : value.items()) waiting.push_back(entry.key());
  constexpr std::size_t kMostKinds = 1000;
  if (waiting.size() > kMostKinds) {
    problems_.add("/kinds", fmt::format("{} kinds found; at most {} are allowed", waiting.size(), kMostKinds), "share kinds");
    return;
  }
  for (bool is_moving = true; is_moving && !waiting.empty();) {
    is_moving = false;
    std::vector<std::string> later;
    for (const std::string& name : waiting) {
      const Json& kind = value[name];
      const Where where = "/kinds" + pointer_step(name);
      std::uint32_t base = 0;
      if (kind.is_object() && kind.contains("base")) {
        const Json& wanted = kind["base"];
        if (wanted.is_string() && value.contains(wanted.get_ref<const std::string&>()) &&
            !kinds_.contains(wanted.get_ref<const std::string&>())) {
          later.push_back(name);
          continue;
        }
        base = read_name(kind["base"], where + "/base", "a kind", kinds_).value_or(0);
      }
      is_moving = true;
      add_name(kinds_, name, scenario_.kinds.size(), where, "a kind");
      Kind read = scenario_.kinds[base];
      read.name = name;
      if (is_object(kind, where, "a kind")) {
        check(kind, where, allowed_keys(keys::kKind, kind_settings()));
        read_settings(kind, where, kind_settings(), read);
      }
      scenario_.kinds.push_back(std::move(read));
    }
    waiting = std::move(later);
  }
  for (const std::string& name : waiting)
    problems_.add("/kinds" + pointer_step(name) + "/base",
                  fmt::format("{} found; kinds are each other's base in a circle", describe(value[name]["base"])),
                  "let one of them stand on adult");
}

void ScenarioReader::read_models(const Json& value) {
  for (std::uint32_t i = 0; i < std::size(kModelNames); ++i) {
    if (i < kModelsOfAll) scenario_.models.push_back(built_in_model(i));
    models_.emplace(kModelNames[i], i < kModelsOfAll ? i : kUnnamed + i);
  }
  if (value.is_null() || !is_object(value, "/models", "a list of models by name")) return;
  constexpr std::size_t kMostModels = 200;
  if (value.size() > kMostModels) {
    problems_.add("/models", fmt::format("{} models found; at most {} are allowed", value.size(), kMostModels), "share models");
    return;
  }
  for (const auto& [name, model] : value.items()) {
    const Where where = "/models" + pointer_step(name);
    add_name(models_, name, scenario_.models.size(), where, "a model");
    MotionModel read;
    if (is_object(model, where, "a model")) read = read_model(model, where);
    std::visit([&name = name](auto& settings) { settings.name = name; }, read);
    scenario_.models.push_back(std::move(read));
  }
}

std::optional<std::uint32_t> ScenarioReader::read_model_name(const Json& value, const Where& where) {
  const auto index = read_name(value, where, "a model", models_);
  if (!index || *index < kUnnamed) return index;
  const auto added = static_cast<std::uint32_t>(scenario_.models.size());
  scenario_.models.push_back(built_in_model(*index - kUnnamed));
  models_[name_of(scenario_.models.back())] = added;
  return added;
}

MotionModel ScenarioReader::read_model(const Json& model, const Where& where) {
  std::size_t base = 0;
  if (model.contains("base")) base = read_word(model["base"], where + "/base", kModelNames).value_or(0);
  if (kModelNames[base] == "linear") {
    check(model, where, allowed_keys(keys::kLinear));
    return LinearSettings{};
  }
  if (kModelNames[base] == "reynolds") {
    ReynoldsSettings read;
    check(model, where, allowed_keys(keys::kReynolds, reynolds_settings()));
    read_settings(model, where, reynolds_settings(), read);
    return read;
  }
  if (kModelNames[base] == "short_term" || kModelNames[base] == "short_term_2008") {
    ShortTermSettings read = kModelNames[base] == "short_term" ? ShortTermSettings{} : short_term_2008();
    check(model, where, allowed_keys(keys::kShortTerm, short_term_settings()));
    read_settings(model, where, short_term_settings(), read);
    return read;
  }
  if (kModelNames[base] == "continuum") {
    ContinuumSettings read;
    check(model, where, allowed_keys(keys::kContinuum, continuum_settings()));
    read_settings(model, where, continuum_settings(), read);
    if (model.contains("field") && is_object(model["field"], where + "/field", "the numbers of fields")) {
      ContinuumFieldKeys field;
      check(model["field"], where + "/field", allowed_keys({}, continuum_field_settings()));
      read_settings(model["field"], where + "/field", continuum_field_settings(), field);
      read.field = field;
    }
    return read;
  }
  if (kModelNames[base] == "rules") {
    RulesSettings read;
    check(model, where, allowed_keys(keys::kRules, rules_settings()));
    read_settings(model, where, rules_settings(), read);
    if (read.back_off_after < read.back_after)
      problems_.add(
          where + "/back_off_after",
          fmt::format("{} steps found, fewer than the {} after which people go back", read.back_off_after, read.back_after),
          "make it larger");
    constexpr std::string_view kSides[] = {"right", "left", "none"};
    if (model.contains("side")) read.side = static_cast<RulesSide>(read_word(model["side"], where + "/side", kSides).value_or(0));
    if (model.contains("table")) read_rules_table(model["table"], where + "/table", read.table);
    if (model.contains("yields") && is_array(model["yields"], where + "/yields", "places where some let others out first", 8))
      for (std::size_t i = 0; i < model["yields"].size(); ++i)
        read_yield(model["yields"][i], where + "/yields" + pointer_step(i), read);
    return read;
  }
  ReactiveSettings read = kModelNames[base] == "reactive" ? reactive() : reactive_2004();
  check(model, where, allowed_keys(keys::kModel, model_settings()));
  read_settings(model, where, model_settings(), read);
  double wrong_side = 0.9;
  if (model.contains("wrong_side")) read_bounded(model["wrong_side"], where + "/wrong_side", "a factor", 0, 1, wrong_side);
  if (model.contains("wrong_side") && !(model.contains("table") && model["table"] == "keep_right"))
    problems_.add(where + "/wrong_side", "a factor without its table found; it belongs to \"table\": \"keep_right\"",
                  "name that table, or remove the key");
  if (model.contains("table") && model["table"].is_object()) {
    read_table(model["table"], where + "/table", read.table);
  } else if (model.contains("table")) {
    constexpr std::string_view kTables[] = {"driving_rule", "minimal_adjustment", "keep_right"};
    if (const auto table = read_word(model["table"], where + "/table", kTables))
      read.table = *table == 0 ? driving_rule() : *table == 1 ? minimal_adjustment() : keep_right(static_cast<float>(wrong_side));
  }
  return read;
}

void ScenarioReader::read_table(const Json& value, const Where& where, ReactionTable& out) {
  check(value, where, allowed_keys(keys::kTable));
  out = {};
  out.name = "own";
  for (int type = 0; type < kCollisionTypes; ++type) {
    const auto row = value.find(kCollisionNames[type]);
    const Where here = where + pointer_step(kCollisionNames[type]);
    if (row == value.end() || !is_object(*row, here, "a row of a table")) continue;
    std::vector<std::string_view> modules(std::begin(kReactionNames), std::end(kReactionNames));
    modules.push_back("comment");
    check(*row, here, modules);
    for (int module = 0; module < kReactionModules; ++module) {
      const auto entry = row->find(kReactionNames[module]);
      const Where there = here + pointer_step(kReactionNames[module]);
      if (entry == row->end() || !is_object(*entry, there, "a module's values")) continue;
      check(*entry, there, allowed_keys(keys::kReaction));
      Reaction& reaction = out.rows[type][module];
      reaction.is_used = true;
      if (entry->contains("direction_power"))
        read_whole((*entry)["direction_power"], there + "/direction_power", "a power", 0, 8, reaction.direction_power);
      if (entry->contains("norm_power"))
        read_whole((*entry)["norm_power"], there + "/norm_power", "a power", 0, 8, reaction.norm_power);
      double factor = 1;
      if (entry->contains("factor")) read_bounded((*entry)["factor"], there + "/factor", "a factor", 0, 1, factor);
      reaction.factor = static_cast<float>(factor);
    }
  }
  if (!value.contains("accepts") || !is_array(value["accepts"], where + "/accepts", "a list of types", kCollisionTypes)) return;
  for (std::size_t i = 0; i < value["accepts"].size(); ++i)
    if (const auto type = read_word(value["accepts"][i], where + "/accepts" + pointer_step(i), kCollisionNames))
      out.accepts[*type] = true;
}

/// Rows of some collisions; those of the others stay as they are.
void ScenarioReader::read_rules_table(const Json& value, const Where& where, RulesTable& out) {
  if (!is_object(value, where, "rows by class of collision")) return;
  check(value, where, allowed_keys(keys::kRulesTable));
  std::vector<std::string_view> moves;
  for (int move = 0; move < kRulesMoves; ++move) moves.push_back(name_of(static_cast<RulesMove>(move)));
  for (int c = 0; c < kRulesClasses; ++c) {
    const auto by_type = value.find(name_of(static_cast<RulesClass>(c)));
    if (by_type == value.end()) continue;
    const Where here = where + pointer_step(name_of(static_cast<RulesClass>(c)));
    if (!is_object(*by_type, here, "rows by type of collision")) continue;
    const std::string_view types[] = {name_of(RulesType::kSameTile), name_of(RulesType::kEachOther), "comment"};
    check(*by_type, here, types);
    for (int t = 0; t < kRulesTypes; ++t) {
      const auto rows = by_type->find(types[t]);
      if (rows == by_type->end()) continue;
      const Where there = here + pointer_step(types[t]);
      if (!is_array(*rows, there, "a list of rows", kMostRulesRows)) continue;
      RulesTable::Rows& read = out.of(static_cast<RulesClass>(c), static_cast<RulesType>(t));
      read = {};
      for (std::size_t k = 0; k < rows->size(); ++k) {
        const Where row = there + pointer_step(k);
        if (!is_array((*rows)[k], row, "the moves of agent 1 and agent 2", 2)) continue;
        if ((*rows)[k].size() != 2) {
          problems_.add(row, describe((*rows)[k]) + " found; a row has the moves of agent 1 and agent 2",
                        "write [\"forward\", \"right\"]");
          continue;
        }
        const auto first = read_word((*rows)[k][0], row + "/0", moves), second = read_word((*rows)[k][1], row + "/1", moves);
        if (first && second) read.row[read.count++] = {static_cast<RulesMove>(*first), static_cast<RulesMove>(*second)};
      }
    }
  }
}

void ScenarioReader::read_yield(const Json& value, const Where& where, RulesSettings& out) {
  if (!is_object(value, where, "a place where some let others out first")) return;
  check(value, where, allowed_keys(keys::kYield));
  require(value, where, keys::kYield);
  RulesYield read;
  const auto shape_of = [&](const char* key, Polygon& shape) {
    if (!value.contains(key)) return;
    const Where here = where + pointer_step(key);
    const auto area = read_name(value[key], here, "an area", areas_);
    if (!area) return;
    const ScenarioArea& named = scenario_.areas[*area];
    if (named.parts.size() != 1) {
      problems_.add(here, fmt::format("\"{}\" has several parts; one place is needed", named.name), "name an area of one piece");
      return;
    }
    shape = named.parts[0].shape;
    if (std::string_view(key) == "inside") read.layer = named.parts[0].layer;
  };
  shape_of("inside", read.inside);
  shape_of("clear", read.clear);
  if (value.contains("priority")) read_whole(value["priority"], where + "/priority", "a priority", -1000, 1000, read.priority);
  out.yields.push_back(std::move(read));
}

void ScenarioReader::read_graph(const Json& value) {
  if (value.is_null() || !is_object(value, "/graph", "settings of how the ground is sampled")) return;
  check(value, "/graph", allowed_keys({}, graph_settings()));
  read_settings(value, "/graph", graph_settings(), scenario_.graph);
  const GraphSettings& graph = scenario_.graph;
  if (value.contains("min_radius") && graph.min_radius < 1.5 * graph.grid_step)
    problems_.add("/graph/min_radius",
                  fmt::format("{:g} m found; discs are at least one and a half grid steps, {:g} m", graph.min_radius,
                              1.5 * graph.grid_step),
                  "make it larger, or the grid step smaller");
  scenario_.graph.min_radius = std::max(graph.min_radius, 1.5 * graph.grid_step);
}

void ScenarioReader::read_flows(const Json& value) {
  if (value.is_null() || !is_object(value, "/flows", "a list of flows by name")) return;
  for (const auto& [name, flow] : value.items()) {
    if (problems_.full()) return;
    const Where where = "/flows" + pointer_step(name);
    add_name(flows_, name, scenario_.flows.size(), where, "a flow");
    ScenarioFlow read{.name = name};
    if (is_object(flow, where, "a flow")) {
      check(flow, where, allowed_keys(keys::kFlow, flow_settings()));
      require(flow, where, keys::kFlow);
      read_settings(flow, where, flow_settings(), read.paths);
      if (flow.contains("choice")) {
        const auto choice = read_word(flow["choice"], where + "/choice", kCriterionNames);
        if (choice) read.choice = static_cast<PathCriterion>(*choice);
      }
      if (flow.contains("between") && is_array(flow["between"], where + "/between", "two areas", 2)) {
        const Json& ends = flow["between"];
        if (ends.size() != 2 || ends[0] == ends[1])
          problems_.add(where + "/between", fmt::format("{} found; two different areas are needed", describe(ends)),
                        "write [\"a\", \"b\"]");
        for (std::size_t end = 0; end < std::min<std::size_t>(2, ends.size()); ++end) {
          const Where here = where + "/between" + pointer_step(end);
          const auto area = read_name(ends[end], here, "an area", areas_);
          if (!area) continue;
          read.areas[end] = *area;
          if (scenario_.areas[*area].parts.size() > 1)
            problems_.add(here, fmt::format("\"{}\" has several parts; a flow leads to one place", scenario_.areas[*area].name),
                          "name an area of one piece");
        }
      }
    }
    scenario_.flows.push_back(std::move(read));
  }
}

void ScenarioReader::read_goal(const Json& value, const Where& where, ScenarioGoal& out) {
  const auto add_area = [&](const Json& name, const Where& here) {
    if (const auto area = read_name(name, here, "an area", areas_)) out.areas.push_back(*area);
  };
  if (value.is_string()) return add_area(value, where);
  if (!is_object(value, where, "a goal is the name of an area, or")) return;
  check(value, where, allowed_keys(keys::kGoal));
  exclude(value, where, "area", "point");
  if (value.contains("area")) {
    const Json& area = value["area"];
    if (area.is_array()) {
      if (area.empty()) problems_.add(where + "/area", "an empty list found; at least one area is needed", "name an area");
      for (std::size_t i = 0; i < area.size() && !problems_.full(); ++i) add_area(area[i], where + "/area" + pointer_step(i));
    } else {
      add_area(area, where + "/area");
    }
  } else if (value.contains("point")) {
    read_point(value["point"], where + "/point", out.point);
  } else {
    problems_.add(where, "neither \"area\" nor \"point\" found; a goal needs one of them", "add \"area\": \"…\"");
  }
  if (value.contains("layer")) {
    if (value.contains("area"))
      problems_.add(where + "/layer", "a layer beside an area found; the area has its own", "remove the key");
    out.layer = read_layer(value["layer"], where + "/layer").value_or(0);
  }
  if (value.contains("flow")) {
    out.flow = read_name(value["flow"], where + "/flow", "a flow", flows_);
    const bool ends_here =
        out.flow && out.areas.size() == 1 &&
        (scenario_.flows[*out.flow].areas[0] == out.areas[0] || scenario_.flows[*out.flow].areas[1] == out.areas[0]);
    if (out.flow && !ends_here)
      problems_.add(where + "/flow", fmt::format("\"{}\" does not end in the goal", scenario_.flows[*out.flow].name),
                    "make \"area\" one of the two areas that the flow is between");
  }
  if (!value.contains("wait")) return;
  Quantity wait;
  if (!read_quantity(value["wait"], where + "/wait", "a waiting time in s", 0, kLongest, wait)) return;
  if (wait.form != Quantity::Form::kFixed && wait.form != Quantity::Form::kUniform) {
    problems_.add(where + "/wait", "this distribution is not for waiting times; a number or \"uniform\" is allowed",
                  "write {\"uniform\": [a, b]}");
    return;
  }
  out.wait_low = wait.low;
  out.wait_high = wait.high;
}

void ScenarioReader::read_plans(const Json& value) {
  if (value.is_null() || !is_object(value, "/plans", "a list of plans by name")) return;
  for (const auto& [name, plan] : value.items()) {
    if (problems_.full()) return;
    const Where where = "/plans" + pointer_step(name);
    add_name(plans_, name, scenario_.plans.size(), where, "a plan");
    ScenarioPlan read{.name = name};
    if (is_object(plan, where, "a plan")) {
      check(plan, where, allowed_keys(keys::kPlan));
      if (plan.contains("end")) {
        constexpr std::string_view kEnds[] = {"stay", "leave", "loop", "wander"};
        read.end = static_cast<PlanEnd>(read_word(plan["end"], where + "/end", kEnds).value_or(0));
      }
      if (plan.contains("goals") && is_array(plan["goals"], where + "/goals", "a list of goals", kMostLists)) {
        for (std::size_t i = 0; i < plan["goals"].size() && !problems_.full(); ++i) {
          read.goals.emplace_back();
          read_goal(plan["goals"][i], where + "/goals" + pointer_step(i), read.goals.back());
        }
      }
      if (read.goals.empty() && read.end != PlanEnd::kWander)
        problems_.add(where + "/goals", "no goal found; only a plan that ends with wander needs none", "add \"goals\": [\"…\"]");
    }
    scenario_.plans.push_back(std::move(read));
  }
}

void ScenarioReader::read_mix(const Json& value, const Where& where, std::string_view meaning, const Names& names,
                              std::vector<Share>& out) {
  if (value.is_string()) {
    if (const auto index = read_name(value, where, meaning, names)) out = {{*index, 1}};
    return;
  }
  if (!value.is_object() || value.empty()) {
    problems_.add(where,
                  fmt::format("{} found; the name of {}, or names with weights {{\"a\": 2, \"b\": 1}}, is needed",
                              describe(value), meaning),
                  "write a name in quotes");
    return;
  }
  out.clear();
  double sum = 0;
  for (const auto& [name, weight] : value.items()) {
    const Where here = where + pointer_step(name);
    Share share;
    if (const auto index = read_name(name, here, meaning, names)) share.index = *index;
    read_bounded(weight, here, "a weight", 0, 1e9, share.weight);
    sum += share.weight;
    out.push_back(share);
  }
  if (!(sum > 0)) problems_.add(where, "all weights are 0; at least one must be larger", "give one a weight");
}

void ScenarioReader::read_people(const Json& value, const Where& where, PeopleDef& out) {
  if (value.contains("area")) out.area = read_name(value["area"], where + "/area", "an area", areas_);
  if (value.contains("kinds")) read_mix(value["kinds"], where + "/kinds", "a kind", kinds_, out.kinds);
  if (value.contains("plan")) read_mix(value["plan"], where + "/plan", "a plan", plans_, out.plans);
  if (value.contains("model")) out.model = read_model_name(value["model"], where + "/model").value_or(0);
  if (value.contains("profile"))
    out.profile = read_name(value["profile"], where + "/profile", "a profile", profiles_).value_or(0);
  if (value.contains("priority")) read_whole(value["priority"], where + "/priority", "a priority", -1000, 1000, out.priority);
  if (value.contains("pre_movement"))
    read_quantity(value["pre_movement"], where + "/pre_movement", "a pre-movement time in s", 0, kLongest, out.pre_movement);
}

void ScenarioReader::read_places(const Json& value, const Where& where, Population& out) {
  for (const std::string_view key : {"count", "density", "area", "placement"}) exclude(value, where, "positions", key);
  exclude(value, where, "count", "density");
  const bool has_positions = value.contains("positions");
  if (!has_positions && !value.contains("count") && !value.contains("density"))
    problems_.add(where, "neither \"count\" nor \"density\" nor \"positions\" found; one of them says how many",
                  "add \"count\": 10");
  if (value.contains("count")) read_whole(value["count"], where + "/count", "a number of people", 0, kMostPeople, out.count);
  if (value.contains("density")) read_bounded(value["density"], where + "/density", "a density per m²", 0, 10, out.density);
  if (value.contains("placement")) {
    constexpr std::string_view kWords[] = {"random", "grid"};
    out.placement = static_cast<Placement>(read_word(value["placement"], where + "/placement", kWords).value_or(0));
  }
  if (out.placement == Placement::kGrid && !value.contains("area"))
    problems_.add(where + "/placement", "a grid without an area found; it is laid over one", "add \"area\": \"…\"");
  if (has_positions) read_points(value["positions"], where + "/positions", out.positions);
  if (value.contains("layer")) out.layer = read_layer(value["layer"], where + "/layer").value_or(0);
  if (!value.contains("goals")) return;
  exclude(value, where, "plan", "goals");
  exclude(value, where, "heading", "goals");
  if (read_points(value["goals"], where + "/goals", out.goals) && out.goals.size() != out.positions.size())
    problems_.add(where + "/goals",
                  fmt::format("{} goals found for {} positions; one each is needed", out.goals.size(), out.positions.size()),
                  "give every position its goal");
}

/// Sizes with weights. A group needs as many kinds as members, for no two are alike, and an adult.
void ScenarioReader::read_groups(const Json& value, const Where& where, PeopleDef& out) {
  if (!value.is_object() || value.empty()) {
    problems_.add(where, describe(value) + " found; sizes of groups with their weights are needed", "write {\"1\": 2, \"2\": 1}");
    return;
  }
  double sum = 0;
  std::uint32_t largest = 0;
  for (const auto& [name, weight] : value.items()) {
    const Where here = where + pointer_step(name);
    Share share;
    const bool is_number = !name.empty() && name.size() <= 2 && name[0] != '0' &&
                           std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (is_number) share.index = static_cast<std::uint32_t>(std::stoul(name));
    if (!is_number || share.index > kMostMembers) {
      problems_.add(here, fmt::format("\"{}\" found; a size is a whole number from 1 to {}", name, kMostMembers), "write \"2\"");
      continue;
    }
    if (!read_bounded(weight, here, "a weight", 0, 1e9, share.weight)) continue;
    sum += share.weight;
    if (share.weight > 0) largest = std::max(largest, share.index);
    out.groups.push_back(share);
  }
  if (problems_.empty() && !(sum > 0))
    problems_.add(where, "all weights are 0; at least one must be larger", "give one a weight");
  const auto kinds = static_cast<std::uint32_t>(
      std::count_if(out.kinds.begin(), out.kinds.end(), [](const Share& share) { return share.weight > 0; }));
  const bool has_adult = std::any_of(out.kinds.begin(), out.kinds.end(), [&](const Share& share) {
    return share.weight > 0 && !scenario_.kinds[share.index].is_child;
  });
  if (largest > kinds)
    problems_.add(where,
                  fmt::format("groups of {} people of {} kind{}; no two members of a group are of one kind", largest, kinds,
                              kinds == 1 ? "" : "s"),
                  "name more kinds in \"kinds\", or smaller groups");
  if (!has_adult)
    problems_.add(where, "groups of children only; no child is without an adult", "name an adult kind in \"kinds\"");
}

/// Half of them at each end of a flow, with plans that lead to and fro.
void ScenarioReader::add_flow_walkers(const Population& population, std::uint32_t flow) {
  const ScenarioFlow& way = scenario_.flows[flow];
  for (int end = 0; end < 2; ++end) {
    ScenarioPlan plan{.name = fmt::format("{} from {}", way.name, scenario_.areas[way.areas[end]].name), .end = PlanEnd::kLoop};
    for (const int goal : {1 - end, end}) plan.goals.push_back({.areas = {way.areas[goal]}, .flow = flow});
    Population half = population;
    half.area = way.areas[end];
    half.count = (population.count + 1 - end) / 2;
    half.plans = {{static_cast<std::uint32_t>(scenario_.plans.size()), 1}};
    scenario_.plans.push_back(std::move(plan));
    scenario_.populations.push_back(std::move(half));
  }
}

void ScenarioReader::read_populations(const Json& value) {
  if (value.is_null() || !is_array(value, "/populations", "a list of populations", kMostLists)) return;
  double count = 0;
  for (std::size_t i = 0; i < value.size() && !problems_.full(); ++i) {
    const Where where = "/populations" + pointer_step(i);
    Population read;
    read.entry = static_cast<std::uint32_t>(i);
    std::optional<std::uint32_t> flow;
    if (is_object(value[i], where, "a population")) {
      check(value[i], where, allowed_keys(keys::kPopulation));
      read_people(value[i], where, read);
      read_places(value[i], where, read);
      if (value[i].contains("flow")) {
        for (const std::string_view key : {"area", "plan", "positions", "heading", "density", "placement"})
          exclude(value[i], where, "flow", key);
        flow = read_name(value[i]["flow"], where + "/flow", "a flow", flows_);
      }
      if (value[i].contains("heading")) {
        const Json& heading = value[i]["heading"];
        Vec2 direction;
        if (heading == "random") {
          read.random_heading = true;
        } else if (read_position(heading, where + "/heading", false, problems_, direction)) {
          if (direction == Vec2{})
            problems_.add(where + "/heading", "(0, 0) found; that is no direction", "write for example [1, 0]");
          read.heading = direction;
        }
        exclude(value[i], where, "plan", "heading");
        exclude(value[i], where, "heading", "pre_movement");
      }
      if (value[i].contains("groups")) {
        for (const std::string_view key : {"positions", "placement"}) exclude(value[i], where, "groups", key);
        read_groups(value[i]["groups"], where + "/groups", read);
      }
      if (value[i].contains("heading_time")) {
        read_bounded(value[i]["heading_time"], where + "/heading_time", "a time in s", 0, kLongest, read.heading_time);
        if (!read.random_heading)
          problems_.add(where + "/heading_time", "a time without random headings found",
                        "add \"heading\": \"random\", or remove the key");
      }
    }
    count += read.positions.empty() ? read.count : static_cast<double>(read.positions.size());
    // A flow whose ends are wrong has none to walk between: its problem is told already.
    if (flow && problems_.empty())
      add_flow_walkers(read, *flow);
    else
      scenario_.populations.push_back(std::move(read));
  }
  if (count > kMostPeople)
    problems_.add("/populations", fmt::format("{:g} people found; at most {:g} are allowed", count, kMostPeople), "take fewer");
}

void ScenarioReader::read_sources(const Json& value) {
  if (value.is_null() || !is_array(value, "/sources", "a list of sources", kMostLists)) return;
  for (std::size_t i = 0; i < value.size() && !problems_.full(); ++i) {
    const Where where = "/sources" + pointer_step(i);
    Source read;
    const Json& source = value[i];
    if (is_object(source, where, "a source")) {
      check(source, where, allowed_keys(keys::kSource));
      require(source, where, keys::kSource);
      read_people(source, where, read);
      if (source.contains("groups")) read_groups(source["groups"], where + "/groups", read);
      for (const std::string_view key : {"rate", "arrivals", "from", "until", "limit"}) exclude(source, where, "timetable", key);
      if (!source.contains("rate") && !source.contains("timetable"))
        problems_.add(where, "neither \"rate\" nor \"timetable\" found; one of them says who comes when", "add \"rate\": 1");
      if (source.contains("rate")) read_bounded(source["rate"], where + "/rate", "a rate per second", 0, 1000, read.rate);
      if (source.contains("arrivals")) {
        constexpr std::string_view kWords[] = {"poisson", "regular"};
        read.arrivals = static_cast<Arrivals>(read_word(source["arrivals"], where + "/arrivals", kWords).value_or(0));
      }
      if (source.contains("from")) read_bounded(source["from"], where + "/from", "a time in s", 0, kLongest, read.from);
      if (source.contains("until")) read_bounded(source["until"], where + "/until", "a time in s", 0, kLongest, read.until);
      if (read.from > read.until)
        problems_.add(where + "/until", fmt::format("{:g} s found, before it begins at {:g} s", read.until, read.from),
                      "exchange the two");
      if (source.contains("limit"))
        read_whole(source["limit"], where + "/limit", "a number of people", 0, kMostPeople, read.limit);
      if (source.contains("timetable") && is_array(source["timetable"], where + "/timetable", "a timetable", 100'000)) {
        const Json& table = source["timetable"];
        if (table.empty())
          problems_.add(where + "/timetable", "an empty list found; at least one entry is needed", "add {\"at\": 10}");
        for (std::size_t k = 0; k < table.size() && !problems_.full(); ++k) {
          const Where here = where + "/timetable" + pointer_step(k);
          Source::Departure departure;
          if (!is_object(table[k], here, "an entry of a timetable")) continue;
          check(table[k], here, allowed_keys(keys::kDeparture));
          require(table[k], here, keys::kDeparture);
          if (table[k].contains("at")) read_bounded(table[k]["at"], here + "/at", "a time in s", 0, kLongest, departure.at);
          if (table[k].contains("count"))
            read_whole(table[k]["count"], here + "/count", "a number of people", 1, 100'000, departure.count);
          read.timetable.push_back(departure);
        }
        std::stable_sort(read.timetable.begin(), read.timetable.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
      }
    }
    scenario_.sources.push_back(std::move(read));
  }
}

}  // namespace throng
