// SPDX-License-Identifier: MIT
#include "studio_questions.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "geometry/polygon.hpp"
#include "navgraph/nav_graph.hpp"
#include "navigation/doctor_cells.hpp"
#include "navigation/navigation_data.hpp"
#include "navigation/queries.hpp"
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

double rounded(double value) { return std::round(value * 1000) / 1000; }

Json point(Vec2 p) { return {rounded(p.x), rounded(p.y)}; }

std::uint64_t step_at(const Branch& branch, double time) {
  return std::min(static_cast<std::uint64_t>(time / branch.dt() + 1e-6), branch.end_step());
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
    entry["place"] = point(finding.place + scene.origin);
    entry["code"] = finding.code;
    entry["severity"] = finding.severity == Finding::kError ? "error" : "warning";
    if (!finding.outline.empty()) entry["outline"] = ring_json(finding.outline, scene.origin);
    list.push_back(std::move(entry));
  }
  return {{"problems", std::move(list)}};
}

Result<Json> inspect(Document& document, const std::shared_ptr<Branch>& branch, Moments& moments, double time,
                     std::uint32_t agent) {
  const std::uint64_t step = step_at(*branch, time);
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
  out["velocity"] = point(velocity);
  out["activity"] = word(world.activity(id));
  const World::Way way = world.way_of(id);
  out["born"] = rounded(way.born);
  out["age"] = rounded(world.time() - way.born);
  if (way.has_heading) out["walks_towards"] = point(way.goal);
  if (way.has_goal) {
    out["goal_place"] = point(way.goal + origin);
    out["goal_layer"] = way.goal_layer;
  }
  const Cells& cells = world.navigation().data().cells;
  Json corridor = Json::array();
  if (way.has_goal) {
    corridor.push_back(point(place + origin));
    double rest = 0;
    Vec2 last = place;
    for (const std::uint32_t p : way.portals) {
      const Vec2 middle = 0.5 * (to_metres(cells.portals[p].position[0]) + to_metres(cells.portals[p].position[1]));
      rest += distance(last, middle);
      last = middle;
      corridor.push_back(point(middle + origin));
    }
    corridor.push_back(point(way.goal + origin));
    out["distance_to_goal"] = rounded(rest + distance(last, way.goal));
  }
  out["corridor"] = std::move(corridor);
  const World::Columns rows = world.columns();
  const auto found = std::find(rows.number.begin(), rows.number.end(), agent);
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
          entry["place"] = point(goal.point + origin);
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

Result<Json> look_at_place(Document& document, const std::shared_ptr<Branch>& branch, Moments& moments, double time, Vec2 place,
                           std::uint32_t layer) {
  if (!document.navigation()) return Problem{"message", "the scene of this recording has no cells", "open a scenario"};
  const Scenario& scenario = branch->scenario();
  if (layer >= scenario.scene.layers.size())
    return Problem{"message /layer", fmt::format("{} found; there are layers 0 to {}", layer, scenario.scene.layers.size() - 1),
                   ""};
  const std::uint64_t step = step_at(*branch, time);
  const Vec2 here = place - document.origin();
  // Doors may have closed since: then the cells are those of the moment.
  const Navigation* navigation = &*document.navigation();
  if (edits_scene(scenario))
    if (const auto simulation = moments.at(document, branch, step)) navigation = &(*simulation)->world().navigation();
  const NavigationData& data = navigation->data();
  Json out = {{"x", rounded(place.x)}, {"y", rounded(place.y)}, {"layer", layer}};
  const CellIndex cell = data.locator.cell_at(here, layer);
  Json areas = Json::array();
  for (const ScenarioArea& area : scenario.areas)
    if (std::any_of(area.parts.begin(), area.parts.end(),
                    [&](const ScenarioArea::Part& part) { return part.layer == layer && contains(part.shape, here); }))
      areas.push_back(area.name);
  out["area"] = std::move(areas);
  if (cell == kNoCell) {
    out["cell"] = nullptr;
  } else {
    constexpr const char* kTopologies[] = {"closed", "dead end", "passage", "crossroads"};
    out["cell"] = cell;
    out["topology"] = kTopologies[static_cast<std::size_t>(data.cells.topology[cell])];
    Json zones = Json::array();
    for (std::uint32_t zone = data.tree.leaf[cell];; zone = data.tree.zones[zone].parent) {
      zones.push_back(zone);
      if (data.tree.zones[zone].depth == 0 || zones.size() > 64) break;
    }
    out["zone"] = zones.front();
    out["zones"] = std::move(zones);
    out["portals"] = data.cells.portals_of(cell).size();
    // The narrowest way through the cell, and the widest disc that fits here.
    double narrowest = 0;
    for (const PortalIndex p : data.cells.portals_of(cell)) {
      const double width = distance(to_metres(data.cells.portals[p].position[0]), to_metres(data.cells.portals[p].position[1]));
      narrowest = narrowest == 0 ? width : std::min(narrowest, width);
    }
    if (narrowest > 0) out["narrowest"] = rounded(narrowest);
    constexpr double kFar = 100;
    out["width"] = rounded(2 * data.locator.clearance(here, layer, kFar));
    out["elevation"] = rounded(data.elevation(here, layer));
  }
  // People per square metre of a disc of this radius, over time.
  constexpr double kRadius = 1.5, kArea = 3.14159265358979 * kRadius * kRadius;
  const double x = (place.x - document.low().x) * 100, y = (place.y - document.low().y) * 100;
  const auto density = [&](const Frame& frame) {
    std::uint32_t inside = 0;
    for (const FrameRow& row : frame.rows)
      inside += row.layer == layer && (row.x - x) * (row.x - x) + (row.y - y) * (row.y - y) <= 1e4 * kRadius * kRadius;
    return rounded(inside / kArea);
  };
  auto now = branch->frame(step);
  if (!now) return now.problems();
  out["density"] = density(**now);
  out["density_radius"] = kRadius;
  constexpr std::uint64_t kMostMoments = 100;
  Json curve = Json::array();
  const std::uint64_t stride = branch->end_step() / kMostMoments + 1;
  for (std::uint64_t s = 0; s <= branch->end_step(); s += stride) {
    auto frame = branch->frame(s);
    if (!frame) return frame.problems();
    curve.push_back({rounded((*frame)->time), density(**frame)});
  }
  out["curve"] = std::move(curve);
  return out;
}

}  // namespace throng::server
