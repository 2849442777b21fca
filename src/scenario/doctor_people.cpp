// SPDX-License-Identifier: MIT
#include "scenario/doctor_people.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "navigation/navigation_data.hpp"
#include "scenario/places.hpp"

namespace throng {
namespace {

constexpr std::size_t kStarts = 8;       ///< places of an area that ways are looked for from
constexpr std::uint32_t kTries = 400;    ///< draws for them
constexpr double kThinnest = 0.01;       ///< m, radius: what nothing of this radius passes is closed
constexpr double kExact = 0.005;         ///< m, of the width of a way
constexpr std::size_t kMostLegs = 2000;  ///< of a scenario: an afternoon of searching helps no one

using Places = std::vector<WalkablePlace>;

/// Looks for ways between areas for bodies of any width.
class Ways {
 public:
  Ways(const Scenario& scenario, const Navigation& navigation)
      : scenario_(scenario), navigation_(navigation), finder_(navigation) {}

  /// Places where a body can stand: of an area, or anywhere.
  const Places& places(std::optional<std::uint32_t> area, double radius) {
    Places& found = places_[{area ? static_cast<std::int64_t>(*area) : -1, radius}];
    if (!found.empty()) return found;
    const auto add = [&](const WalkablePlace& place) {
      if (fits_ground(navigation_.data(), place.point, place.layer, radius)) found.push_back(place);
    };
    std::optional<PlaceDrawer> drawer;
    if (area) drawer.emplace(navigation_.data(), scenario_.areas[*area]);
    for (std::uint32_t i = 0; i < kTries && found.size() < kStarts; ++i) {
      RandomStream bits(1, i, 1);
      if (drawer) {
        if (const auto place = drawer->draw(bits)) add(*place);
        continue;
      }
      const double u = bits.unit(), v = bits.unit();
      add(navigation_.random_walkable(u, v));
    }
    return found;
  }

  bool leads(const Places& from, const Places& to, double radius, std::uint32_t profile) {
    for (const WalkablePlace& a : from)
      for (const WalkablePlace& b : to) {
        PathRequest request{.from = a.point, .to = b.point, .radius = radius, .profile = profile};
        request.from_layer = a.layer;
        request.to_layer = b.layer;
        if (finder_.find_pulled(request, path_) == PathStatus::kFound) return true;
      }
    return false;
  }

  /// The places of a goal: its areas, or its point.
  Places of_goal(const ScenarioGoal& goal, double radius) {
    if (goal.areas.empty()) return {{goal.point, goal.layer}};
    Places all;
    for (const std::uint32_t area : goal.areas) {
      const Places& some = places(area, radius);
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

 private:
  const Scenario& scenario_;
  const Navigation& navigation_;
  PathFinder finder_;
  Path path_;
  std::map<std::pair<std::int64_t, double>, Places> places_;
};

/// Whether an event may open a way that is closed at the start.
bool opens_ways(const Scenario& scenario) {
  using Do = ScenarioAction::Do;
  for (const ScenarioEvent& event : scenario.events)
    for (const ScenarioAction& action : event.actions)
      if (action.what == Do::kMoveObstacle || action.what == Do::kRemoveObstacle || action.what == Do::kOpenDoor) return true;
  return false;
}

/// Whether an event gives a plan to a population; sources get none from events that name one.
bool gets_plan(const Scenario& scenario, std::optional<std::uint32_t> entry) {
  for (const ScenarioEvent& event : scenario.events)
    for (const ScenarioAction& action : event.actions)
      if (action.what == ScenarioAction::Do::kSetPlan && (!action.population || action.population == entry)) return true;
  return false;
}

class PeopleDoctor {
 public:
  PeopleDoctor(const Scenario& scenario, const Navigation& navigation)
      : scenario_(scenario), navigation_(navigation), ways_(scenario, navigation) {}

  std::vector<Finding> examine() {
    const bool asks_for_ways = scenario_.scene.links.empty() && !opens_ways(scenario_);
    for (const Population& population : scenario_.populations) {
      const std::string where = fmt::format("/populations/{}", population.entry);
      const bool walks =
          !population.plans.empty() || !population.goals.empty() || population.heading || population.random_heading;
      if (!walks && !gets_plan(scenario_, population.entry)) report_standing(where, population);
      if (asks_for_ways) examine_ways(where, population, population.positions, population.layer);
    }
    for (std::size_t i = 0; i < scenario_.sources.size(); ++i) {
      const std::string where = fmt::format("/sources/{}", i);
      if (scenario_.sources[i].plans.empty() && !gets_plan(scenario_, std::nullopt)) report_standing(where, scenario_.sources[i]);
      if (asks_for_ways) examine_ways(where, scenario_.sources[i], {}, 0);
    }
    examine_lines();
    examine_areas();
    return shortened(std::move(findings_));
  }

 private:
  Vec2 place_of(const PeopleDef& people) const {
    if (!people.area || scenario_.areas[*people.area].parts.empty()) return {};
    return scenario_.areas[*people.area].parts[0].shape.outer[0];
  }

  std::string start_words(const PeopleDef& people) const {
    return people.area ? "\"" + scenario_.areas[*people.area].name + "\"" : std::string("the start");
  }

  void report_standing(const std::string& where, const PeopleDef& people) {
    findings_.push_back({Finding::kWarning,
                         "no-plan",
                         place_of(people),
                         {},
                         {where, "its people have no plan: they stand where they are until the run ends",
                          "add \"plan\": \"…\", or \"heading\": [x, y]"}});
  }

  void examine_ways(const std::string& where, const PeopleDef& people, const std::vector<Vec2>& positions, std::uint32_t layer) {
    Places fixed;
    for (const Vec2 p : positions) fixed.push_back({p, layer});
    for (const Share& plan : people.plans) {
      if (plan.weight <= 0) continue;
      for (const Share& kind : people.kinds) {
        if (kind.weight <= 0 || !asked_.emplace(people.area.value_or(~0u), plan.index, kind.index, people.profile).second)
          continue;
        examine_plan(where, people, fixed, scenario_.plans[plan.index], scenario_.kinds[kind.index]);
      }
    }
  }

  /// Each leg of a plan, until the first that is closed.
  void examine_plan(const std::string& where, const PeopleDef& people, const Places& fixed, const ScenarioPlan& plan,
                    const Kind& kind) {
    const double widest = kind.radius.most(), thinnest = kind.radius.least();
    for (std::size_t leg = 0; leg < plan.goals.size() && legs_ < kMostLegs; ++leg) {
      ++legs_;
      const auto starts = [&](double radius) {
        if (leg > 0) return ways_.of_goal(plan.goals[leg - 1], radius);
        return fixed.empty() ? ways_.places(people.area, radius) : fixed;
      };
      const auto passes = [&](double radius) {
        return ways_.leads(starts(radius), ways_.of_goal(plan.goals[leg], radius), radius, people.profile);
      };
      // Where there is no ground at all, there is another problem.
      if (starts(kThinnest).empty() || ways_.of_goal(plan.goals[leg], kThinnest).empty()) return;
      if (passes(widest)) continue;
      const std::string way = fmt::format("from {} to {}", leg == 0 ? start_words(people) : goal_words(plan.goals[leg - 1]),
                                          goal_words(plan.goals[leg]));
      if (!passes(kThinnest)) {
        findings_.push_back({Finding::kError,
                             "no-way",
                             place_of(people),
                             {},
                             {where, fmt::format("no way leads {} (plan \"{}\")", way, plan.name),
                              "open a door or passage between them, or choose another goal"}});
        return;
      }
      double low = kThinnest, high = widest;
      while (high - low > kExact) (passes(0.5 * (low + high)) ? low : high) = 0.5 * (low + high);
      const bool is_all = low < thinnest;
      findings_.push_back(
          {is_all ? Finding::kError : Finding::kWarning,
           "too-wide",
           place_of(people),
           {},
           {where,
            fmt::format("{} \"{}\" is {:.2f} m wide, and the way {} lets {:.2f} m through (plan \"{}\")",
                        is_all ? "the kind" : "the widest of kind", kind.name, 2 * widest, way, 2 * low, plan.name),
            "widen the way, or give these people another kind or goal"}});
      return;
    }
  }

  std::string goal_words(const ScenarioGoal& goal) const {
    if (goal.areas.empty()) return place_words(goal.point + scenario_.scene.origin);
    return "\"" + scenario_.areas[goal.areas[0]].name + "\"" + (goal.areas.size() > 1 ? " (or others)" : "");
  }

  bool is_ground(Vec2 point, std::uint32_t layer) const { return navigation_.cell_at(point, layer).has_value(); }

  void examine_lines() {
    constexpr int kSamples = 64;
    for (const ScenarioLine& line : scenario_.lines) {
      const auto share_on = [&](std::uint32_t layer) {
        int hits = 0;
        for (int i = 0; i < kSamples; ++i) hits += is_ground(line.from + ((i + 0.5) / kSamples) * (line.to - line.from), layer);
        return hits;
      };
      if (share_on(line.layer) > 0) continue;
      std::optional<std::uint32_t> other;
      int most = 0;
      for (std::uint32_t layer = 0; layer < scenario_.scene.layers.size(); ++layer)
        if (const int hits = share_on(layer); hits > most) other = layer, most = hits;
      report_off_ground("line-off-ground", fmt::format("/measurements/lines/{}", line.name), "the line", line.layer, other,
                        0.5 * (line.from + line.to), {line.from, line.to});
    }
  }

  void examine_areas() {
    std::set<std::uint32_t> used(scenario_.density_areas.begin(), scenario_.density_areas.end());
    for (const ScenarioPlan& plan : scenario_.plans)
      for (const ScenarioGoal& goal : plan.goals) used.insert(goal.areas.begin(), goal.areas.end());
    for (const ScenarioFlow& flow : scenario_.flows) used.insert(flow.areas.begin(), flow.areas.end());
    for (const Population& population : scenario_.populations)
      if (population.area) used.insert(*population.area);
    for (const Source& source : scenario_.sources)
      if (source.area) used.insert(*source.area);
    std::set<std::string> of_scene;  // those the scene's doctor has looked at
    for (const Area& area : scenario_.scene.areas) of_scene.insert(area.name);
    for (std::uint32_t i = 0; i < scenario_.areas.size(); ++i) {
      const ScenarioArea& area = scenario_.areas[i];
      if (used.contains(i) || of_scene.contains(area.name) || area.parts.empty() || area.parts[0].shape.outer.empty()) continue;
      const ScenarioArea::Part& part = area.parts[0];
      if (ground_in(navigation_.data(), part) > 0) continue;
      std::vector<Vec2> outline(part.shape.outer.begin(), part.shape.outer.end());
      outline.push_back(outline.front());
      report_off_ground("area-off-ground", fmt::format("/areas/{}", area.name), "the area", part.layer,
                        layer_with_ground(navigation_, part), part.shape.outer[0], std::move(outline));
    }
  }

  void report_off_ground(const char* code, const std::string& where, const char* what, std::uint32_t layer,
                         std::optional<std::uint32_t> other, Vec2 place, std::vector<Vec2> outline) {
    const Scene& scene = scenario_.scene;
    const std::string on = scene.layers.size() > 1 ? " on " + layer_words(scene, layer) : std::string();
    Problem problem{where, fmt::format("{} has no ground under it{}", what, on), "move it onto walkable ground"};
    if (other) {
      problem.what += fmt::format("; on {} there is some", layer_words(scene, *other));
      const std::string& name = scene.layers[*other].name;
      problem.fix = name.empty() ? fmt::format("write \"layer\": {}", *other) : fmt::format("write \"layer\": \"{}\"", name);
    }
    findings_.push_back({Finding::kWarning, code, place, std::move(outline), std::move(problem)});
  }

  const Scenario& scenario_;
  const Navigation& navigation_;
  Ways ways_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> asked_;
  std::size_t legs_ = 0;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> examine_people(const Scenario& scenario, const Navigation& navigation) {
  return PeopleDoctor(scenario, navigation).examine();
}

std::optional<std::uint32_t> layer_with_ground(const Navigation& navigation, const ScenarioArea::Part& part) {
  std::optional<std::uint32_t> best;
  double most = 0;
  for (std::uint32_t layer = 0; layer < navigation.report().layers; ++layer) {
    if (layer == part.layer) continue;
    const double ground = ground_in(navigation.data(), {part.shape, layer});
    if (ground <= most) continue;
    best = layer;
    most = ground;
  }
  return best;
}

std::string layer_words(const Scene& scene, std::uint32_t layer) {
  const std::string number = fmt::format("layer {}", layer);
  return layer < scene.layers.size() && !scene.layers[layer].name.empty() ? number + " \"" + scene.layers[layer].name + "\""
                                                                          : number;
}

}  // namespace throng
