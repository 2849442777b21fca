// SPDX-License-Identifier: MIT
#include "studio_questions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "json_numbers.hpp"
#include "navigation/doctor_cells.hpp"
#include "navigation/navigation_data.hpp"
#include "routing/funnel.hpp"
#include "scenario/why.hpp"
#include "scene/doctor.hpp"

namespace throng::server {
namespace {

const char* word(Activity activity) {
  switch (activity) {
    case Activity::kWaiting:
      return "waiting";
    case Activity::kWalking:
      return "walking";
    case Activity::kStaying:
      return "staying";
    case Activity::kLost:
      return "lost";
    case Activity::kDriven:
      return "driven";
    case Activity::kRiding:
      return "riding";
  }
  return "";
}

/// Through the portals that are still to be crossed. Who was pushed out of the cell before them goes straight to the first.
PulledPath way_ahead(const NavigationData& data, const World::Way& way, Vec2 place, std::uint32_t layer, double radius) {
  PulledPath pulled{.start = place, .goal = way.goal, .radius = radius, .length = distance(place, way.goal), .bends = {}};
  if (way.portals.empty()) return pulled;
  const auto& [one, other] = data.cells.portals[way.portals.front()].cell;
  std::array<CellIndex, 8> here;
  const std::size_t count = data.locator.cells_at(place, layer, here);
  const CellIndex first = std::find(here.begin(), here.begin() + count, one) != here.begin() + count ? one : other;
  FunnelScratch scratch;
  pull(data.cells, {first, way.portals}, place, way.goal, radius, scratch, pulled);
  return pulled;
}

}  // namespace

Json check_scenario(const std::string& text, const std::string& name, const SceneOpener& open_scene) {
  Json list = Json::array();
  const auto add = [&](std::span<const Problem> problems, const char* severity) {
    for (Json& entry : json_of(problems)) {
      entry["severity"] = severity;
      list.push_back(entry);
    }
  };
  const auto scenario = read_scenario(text, name, open_scene);
  if (!scenario) {
    add(scenario.problems(), "error");
    return {{"problems", std::move(list)}};
  }
  const Scene& scene = scenario->scene;
  std::vector<Finding> findings = examine(scene);
  const auto navigation = Navigation::bake(scene, {.threads = 1});
  if (navigation) {
    const std::vector<Finding> more = examine_cells(scene, navigation->data().cells);
    findings.insert(findings.end(), more.begin(), more.end());
    const auto simulation = Simulation::create(*scenario, *navigation);
    if (simulation)
      add(simulation->notices(), "warning");
    else
      add(simulation.problems(), "error");
  } else {
    add(navigation.problems(), "error");
  }
  for (const Finding& finding : findings) {
    if (finding.severity == Finding::kNote) continue;
    Json entry = json_of({&finding.problem, 1})[0];
    entry["place"] = rounded_point(finding.place + scene.origin);
    entry["code"] = finding.code;
    entry["severity"] = finding.severity == Finding::kError ? "error" : "warning";
    if (!finding.outline.empty()) entry["outline"] = ring_json(finding.outline, scene.origin);
    list.push_back(std::move(entry));
  }
  return {{"problems", std::move(list)}};
}

Result<Json> inspect(Document& document, const std::shared_ptr<Branch>& branch, Moments& moments, double time,
                     std::uint32_t agent) {
  const std::uint64_t step = branch->step_at(time);
  auto frame = branch->frame(step);
  if (!frame) return frame.problems();
  const auto row = std::lower_bound((*frame)->rows.begin(), (*frame)->rows.end(), agent,
                                    [](const FrameRow& r, std::uint32_t number) { return r.number < number; });
  const bool is_there = row != (*frame)->rows.end() && row->number == agent;
  const Scenario& scenario = branch->scenario();
  const auto name_or = [](const auto& list, std::size_t index, auto name) {
    return index < list.size() ? Json(name(list[index])) : Json();
  };
  Json out = {{"number", agent}, {"time", (*frame)->time}};
  if (is_there) {
    out["x"] = rounded(document.low().x + 0.01 * row->x);
    out["y"] = rounded(document.low().y + 0.01 * row->y);
    out["z"] = 0.01 * row->z;
    out["layer"] = row->layer;
    out["speed"] = 0.01 * row->speed;
    out["preferred_speed"] = 0.01 * row->preferred;
    out["radius"] = 0.01 * row->radius;
    out["heading"] = rounded(row->heading * 2 * 3.14159265358979 / 256);
    out["kind"] = name_or(scenario.kinds, row->kind, [](const Kind& k) { return k.name; });
    out["model"] = name_or(scenario.models, row->model, [](const MotionModel& m) { return throng::name_of(m); });
    out["group"] = row->group == kAlone ? Json() : Json(row->group);
    out["level"] = row->level;
    out["goal"] = name_or(scenario.areas, row->goal, [](const ScenarioArea& a) { return a.name; });
  }
  const auto simulation = moments.at(document, branch, step);
  if (!simulation) {
    // A recording without a scenario: what it shows is all there is.
    if (!is_there)
      return Problem{"message /agent", fmt::format("person {} is not there at {:.1f} s", agent, (*frame)->time),
                     "choose somebody who is"};
    return Json{{"agent", std::move(out)}, {"why", nullptr}};
  }
  const World& world = (*simulation)->world();
  const AgentId id = (*simulation)->id_of(agent);
  if (!world.is_alive(id))
    return Problem{"message /agent", fmt::format("person {} is not there at {:.1f} s", agent, world.time()),
                   "choose somebody who is"};
  const Vec2 origin = document.origin();
  const Vec2 place = world.position(id), velocity = world.velocity(id);
  out["x"] = rounded(place.x + origin.x);
  out["y"] = rounded(place.y + origin.y);
  out["layer"] = world.layer(id);
  out["speed"] = rounded(length(velocity));
  out["velocity"] = rounded_point(velocity);
  out["activity"] = word(world.activity(id));
  const World::Way way = world.way_of(id);
  out["born"] = rounded(way.born);
  out["age"] = rounded(world.time() - way.born);
  if (way.has_heading) out["walks_towards"] = rounded_point(way.goal);
  if (way.has_goal) {
    out["goal_place"] = rounded_point(way.goal + origin);
    out["goal_layer"] = way.goal_layer;
  }
  const World::Columns rows = world.columns();
  const auto found = std::find(rows.number.begin(), rows.number.end(), agent);
  const double radius = found != rows.number.end() ? rows.radius[static_cast<std::size_t>(found - rows.number.begin())] : 0;
  // The corridor, and the way through it as short as a body can walk it.
  const NavigationData& data = world.navigation().data();
  Json portals = Json::array(), corridor = Json::array();
  if (way.has_goal) {
    for (const PortalIndex p : way.portals) {
      const auto& ends = data.cells.portals[p].position;
      portals.push_back({rounded_point(to_metres(ends[0]) + origin), rounded_point(to_metres(ends[1]) + origin)});
    }
    const PulledPath pulled = way_ahead(data, way, place, world.layer(id), radius);
    std::vector<Vec2> points;
    sample(pulled, data.cells.vertices, 0.02, points);
    for (const Vec2& p : points) corridor.push_back(rounded_point(p + origin));
    out["distance_to_goal"] = rounded(pulled.length);
  }
  out["portals"] = std::move(portals);
  out["corridor"] = std::move(corridor);
  Json plan = Json::array();
  if (found != rows.number.end()) {
    const auto r = static_cast<std::size_t>(found - rows.number.begin());
    const auto neighbours = world.neighbours_of(static_cast<std::uint32_t>(r));
    out["neighbours"] = neighbours.size();
    if (rows.plan[r] != kNoPlan) {
      const Plan& goals = world.plan(rows.plan[r]);
      std::vector<std::size_t> area_of;
      for (std::size_t area = 0; area < scenario.areas.size(); ++area)
        area_of.insert(area_of.end(), scenario.areas[area].parts.size(), area);
      for (std::size_t g = 0; g < goals.goals.size(); ++g) {
        const PlanGoal& goal = goals.goals[g];
        Json entry = {{"now", g == rows.plan_entry[r]}};
        if (goal.area < area_of.size())
          entry["goal"] = scenario.areas[area_of[goal.area]].name;
        else
          entry["place"] = rounded_point(goal.point + origin);
        if (goal.wait_high > 0) entry["wait"] = {goal.wait_low, goal.wait_high};
        plan.push_back(std::move(entry));
      }
      constexpr const char* kEnds[] = {"stay", "leave", "loop", "wander"};
      out["plan_end"] = kEnds[static_cast<std::size_t>(goals.end)];
    }
  }
  out["plan"] = std::move(plan);
  const auto said = explain_step(**simulation, id);
  return Json{{"agent", std::move(out)}, {"why", said ? Json{{"lines", lines_of(*said)}} : Json()}};
}

}  // namespace throng::server
