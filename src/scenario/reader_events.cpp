// SPDX-License-Identifier: MIT
// The events of a scenario file.
#include <algorithm>

#include <fmt/format.h>

#include "scenario/reader.hpp"

namespace throng {
namespace {

constexpr std::size_t kMostEvents = 1000;
using Do = ScenarioAction::Do;

struct Verb {
  std::string_view key;
  Do what;
};
constexpr Verb kVerbs[] = {
    {"add_obstacle", Do::kAddObstacle}, {"move_obstacle", Do::kMoveObstacle}, {"remove_obstacle", Do::kRemoveObstacle},
    {"close_door", Do::kCloseDoor},     {"open_door", Do::kOpenDoor},         {"set_speed", Do::kSetSpeed},
    {"scale_speed", Do::kScaleSpeed},   {"set_plan", Do::kSetPlan},           {"add_region", Do::kAddRegion},
    {"set_region", Do::kSetRegion},     {"remove_region", Do::kRemoveRegion},
};

}  // namespace

void ScenarioReader::read_events(const Json& value) {
  if (value.is_null() || !is_array(value, "/events", "a list of events", kMostEvents)) return;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Where where = "/events" + pointer_step(i);
    ScenarioEvent read;
    if (is_object(value[i], where, "an event")) {
      check(value[i], where, allowed_keys(keys::kEvent));
      require(value[i], where, keys::kEvent);
      exclude(value[i], where, "time", "when");
      double time = 0;
      if (value[i].contains("time")) {
        if (read_bounded(value[i]["time"], where + "/time", "seconds", 0, 1e6, time)) read.time = time;
      } else if (value[i].contains("when")) {
        read_condition(value[i]["when"], where + "/when", read.when);
      } else {
        problems_.add(where, "neither \"time\" nor \"when\" found; an event needs one of them", "add \"time\": seconds");
      }
      if (value[i].contains("actions") && is_array(value[i]["actions"], where + "/actions", "a list of actions", kMostEvents))
        for (std::size_t a = 0; a < value[i]["actions"].size(); ++a)
          read_action(value[i]["actions"][a], where + "/actions" + pointer_step(a), read.actions);
    }
    scenario_.events.push_back(std::move(read));
  }
}

void ScenarioReader::read_condition(const Json& value, const Where& where, ScenarioEvent::Condition& out) {
  if (!is_object(value, where, "a condition")) return;
  check(value, where, allowed_keys(keys::kCondition));
  exclude(value, where, "over", "under");
  exclude(value, where, "area", "arrived");
  if (value.contains("arrived")) {
    double share = 0;
    if (read_bounded(value["arrived"], where + "/arrived", "a share", 0, 1, share)) out.share_arrived = share;
    return;
  }
  if (!value.contains("area") || value.contains("over") == value.contains("under")) {
    problems_.add(where, "a condition is an \"area\" with \"over\" or \"under\", or \"arrived\"",
                  "write {\"area\": name, \"over\": people}");
    return;
  }
  out.area = read_name(value["area"], where + "/area", "an area", areas_).value_or(0);
  out.is_over = value.contains("over");
  const char* bound = out.is_over ? "over" : "under";
  read_whole(value[bound], where + pointer_step(bound), "a number of people", 0, 1e7, out.count);
}

void ScenarioReader::read_action(const Json& value, const Where& where, std::vector<ScenarioAction>& out) {
  if (!is_object(value, where, "an action")) return;
  check(value, where, allowed_keys(keys::kAction));
  const Verb* verb = nullptr;
  for (const Verb& v : kVerbs) {
    if (!value.contains(v.key)) continue;
    if (verb != nullptr) {
      problems_.add(where, fmt::format("both \"{}\" and \"{}\" found; an action does one thing", verb->key, v.key),
                    "make two actions of it");
      return;
    }
    verb = &v;
  }
  if (verb == nullptr) {
    problems_.add(where, "it does nothing", "add \"close_door\", \"add_obstacle\", \"set_speed\" or another verb");
    return;
  }
  ScenarioAction action;
  action.what = verb->what;
  const Json& object = value[verb->key];
  const Where here = where + pointer_step(verb->key);
  const bool has_shape = action.what == Do::kAddObstacle || action.what == Do::kMoveObstacle;
  if (has_shape && !value.contains("polygon")) problems_.add(where, "it has no \"polygon\"", "say where the obstacle is to be");
  if (has_shape && value.contains("polygon")) read_polygon(value["polygon"], where + "/polygon", action.shape);
  if (value.contains("layer")) action.layer = read_layer(value["layer"], where + "/layer").value_or(0);
  if (value.contains("population")) {
    std::uint32_t population = 0;
    double most = 0;
    for (const Population& p : scenario_.populations) most = std::max<double>(most, p.entry);
    if (read_whole(value["population"], where + "/population", "the place of a population", 0, most, population))
      action.population = population;
  }
  switch (action.what) {
    case Do::kAddObstacle: {
      std::string name;
      if (!read_text(object, here, name)) break;
      const auto [at, is_new] = obstacles_.emplace(name, static_cast<std::uint32_t>(scenario_.obstacle_names.size()));
      if (is_new) scenario_.obstacle_names.push_back(name);
      action.is_named = true;
      action.obstacle = at->second;
      break;
    }
    case Do::kMoveObstacle:
    case Do::kRemoveObstacle: {
      std::size_t count = 0;
      for (const Layer& layer : scenario_.scene.layers) count += layer.obstacles.size();
      action.is_named = object.is_string();
      if (action.is_named)
        action.obstacle = read_name(object, here, "an obstacle that was added before", obstacles_).value_or(0);
      else if (count == 0)
        problems_.add(here, "the scene has no obstacle of its own", "name one that an event has added");
      else
        read_whole(object, here, "the place of an obstacle of the scene", 0, static_cast<double>(count - 1), action.obstacle);
      break;
    }
    case Do::kCloseDoor:
    case Do::kOpenDoor: {
      const auto& areas = scenario_.scene.areas;
      Names doors;
      for (const Area& area : areas) doors.emplace(area.name, 0);
      if (read_name(object, here, "a door, which is an area of the scene,", doors)) action.door = object.get<std::string>();
      break;
    }
    case Do::kSetSpeed:
      read_bounded(object, here, "a speed in m/s", 0.05, 10, action.value);
      break;
    case Do::kScaleSpeed:
      read_bounded(object, here, "a factor", 0.1, 10, action.value);
      break;
    case Do::kSetPlan:
      action.plan = read_name(object, here, "a plan", plans_).value_or(0);
      break;
    case Do::kAddRegion:
      read_new_region(value, where, action);
      break;
    case Do::kSetRegion:
    case Do::kRemoveRegion:
      action.region = read_name(object, here, "a region of settings.interest, or that was added before", regions_).value_or(0);
      read_region_values(value, where, action);
      break;
  }
  out.push_back(std::move(action));
}

void ScenarioReader::read_region_values(const Json& value, const Where& where, ScenarioAction& action) {
  Region& region = action.region_value;
  if (value.contains("centre")) action.sets_centre = read_point(value["centre"], where + "/centre", region.centre);
  if (value.contains("radius"))
    action.sets_radius = read_bounded(value["radius"], where + "/radius", "a radius in m", 0.1, 10000, region.radius);
  if (value.contains("level")) action.sets_level = read_whole(value["level"], where + "/level", "a level", 0, 2, region.level);
}

/// One with a name of its own, or one that was removed and comes back, as this action says.
void ScenarioReader::read_new_region(const Json& value, const Where& where, ScenarioAction& action) {
  const Where here = where + "/add_region";
  std::string name;
  if (!read_text(value["add_region"], here, name)) return;
  if (name.empty()) problems_.add(here, "an empty name found; every region needs one", "name it");
  if (!scenario_.settings.interest.enabled) {
    problems_.add(here, "the scenario has no regions of interest", "add \"interest\": {} to \"settings\"");
    return;
  }
  exclude(value, where, "centre", "follow");
  if (value.contains("follow"))
    action.vehicle = read_name(value["follow"], where + "/follow", "a vehicle", vehicles_);
  else if (!value.contains("centre"))
    problems_.add(where, "neither \"centre\" nor \"follow\" found; a region needs one of them", "add \"centre\": [x, y]");
  if (action.vehicle && !scenario_.vehicles[*action.vehicle].definition.path.empty())
    action.region_value.centre = scenario_.vehicles[*action.vehicle].definition.path.front();
  read_region_values(value, where, action);
  if (value.contains("layer")) action.region_value.layer = action.layer;
  if (value.contains("is_limit")) read_switch(value["is_limit"], where + "/is_limit", action.region_value.is_limit);
  const auto [at, is_new] = regions_.emplace(name, static_cast<std::uint32_t>(scenario_.regions.size()));
  if (is_new) scenario_.regions.push_back({.name = name, .region = action.region_value, .vehicle = {}, .is_added = true});
  action.region = at->second;
}

}  // namespace throng
