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
    {"add_obstacle", Do::kAddObstacle},   {"move_obstacle", Do::kMoveObstacle}, {"remove_obstacle", Do::kRemoveObstacle},
    {"close_door", Do::kCloseDoor},       {"open_door", Do::kOpenDoor},         {"set_speed", Do::kSetSpeed},
    {"scale_speed", Do::kScaleSpeed},     {"set_plan", Do::kSetPlan},           {"set_region", Do::kSetRegion},
    {"remove_region", Do::kRemoveRegion},
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
      if (read_text(object, here, action.door) &&
          std::none_of(areas.begin(), areas.end(), [&](const Area& a) { return a.name == action.door; }))
        problems_.add(here, fmt::format("\"{}\" is no area of the scene", action.door),
                      "a door is an area of the scene: name one");
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
    case Do::kSetRegion:
    case Do::kRemoveRegion: {
      const auto region = read_name(object, here, "a region of settings.interest", regions_);
      if (!region) break;
      action.region = *region;
      action.region_value = scenario_.regions[*region].region;
      if (value.contains("centre")) read_point(value["centre"], where + "/centre", action.region_value.centre);
      if (value.contains("radius"))
        read_bounded(value["radius"], where + "/radius", "a radius in m", 0.1, 10000, action.region_value.radius);
      if (value.contains("level")) read_whole(value["level"], where + "/level", "a level", 0, 2, action.region_value.level);
      break;
    }
  }
  out.push_back(std::move(action));
}

}  // namespace throng
