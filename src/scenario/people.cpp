// SPDX-License-Identifier: MIT
// From populations to agents: bodies drawn, plans made, places found.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/math.hpp"
#include "scenario/doctor_people.hpp"
#include "scenario/simulation_state.hpp"

namespace throng {
namespace {

constexpr int kStartTries = 2000;  // in an area 98 % full a place is found with certainty for practical purposes
constexpr std::uint32_t kMostFailures = 20;
constexpr std::uint32_t kNoArea = 0xffffffffu;

std::uint32_t choose(const std::vector<Share>& shares, double unit) {
  double sum = 0;
  for (const Share& share : shares) sum += share.weight;
  double rest = unit * sum;
  for (const Share& share : shares) {
    if (rest < share.weight) return share.index;
    rest -= share.weight;
  }
  return shares.back().index;
}

Vec2 middle_of(const Polygon& shape) {
  Vec2 low = shape.outer[0], high = low;
  for (const Vec2 p : shape.outer) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  return 0.5 * (low + high);
}

}  // namespace

std::optional<double> Simulation::State::way(const WalkablePlace& from, const WalkablePlace& to, double radius,
                                             std::uint32_t profile) {
  PathRequest request{.from = from.point, .to = to.point, .radius = radius, .profile = profile};
  request.from_layer = from.layer;
  request.to_layer = to.layer;
  if (finder.find_pulled(request, path) != PathStatus::kFound) return std::nullopt;
  return path.length;
}

std::vector<Problem> Simulation::State::make_plans() {
  std::vector<Problem> problems;
  for (std::size_t a = 0; a < scenario.areas.size(); ++a) {
    drawers.emplace_back(data(), scenario.areas[a]);
    area_ids.emplace_back();
    for (const ScenarioArea::Part& part : scenario.areas[a].parts) area_ids[a].push_back(world.add_area(part.shape, part.layer));
  }
  const auto need_ground = [&](std::uint32_t area, const std::string& where) {
    if (drawers[area].ground() > 0) return;
    const ScenarioArea::Part& part = scenario.areas[area].parts[0];
    const bool has_layers = scenario.scene.layers.size() > 1;
    const auto other = has_layers ? layer_with_ground(navigation, part) : std::nullopt;
    problems.push_back(
        {where,
         fmt::format("the area \"{}\" has no walkable ground{}; people can neither stand there nor go there",
                     scenario.areas[area].name, has_layers ? " on " + layer_words(scenario.scene, part.layer) : ""),
         other ? fmt::format("there is some on {}: change the area's \"layer\"", layer_words(scenario.scene, *other))
               : "move it to where the scene is walkable"});
  };
  for (const ScenarioFlow& flow : scenario.flows) {
    const std::string where = fmt::format("/flows/{}", flow.name);
    for (const std::uint32_t area : flow.areas) need_ground(area, where);
    if (!problems.empty()) continue;
    const auto made = world.add_flow(
        {.from = area_ids[flow.areas[0]][0], .to = area_ids[flow.areas[1]][0], .paths = flow.paths, .choice = flow.choice});
    if (made) continue;
    for (const Problem& problem : made.problems()) problems.push_back({where, problem.what, problem.fix});
  }
  struct Alternative {
    PlanGoal goal;
    WalkablePlace place;
  };
  constexpr double kRadius = 0.2;
  for (const ScenarioPlan& plan : scenario.plans) {
    std::vector<std::vector<Alternative>> goals;
    for (const ScenarioGoal& goal : plan.goals) {
      std::vector<Alternative> alternatives;
      PlanGoal made{
          .area = kNoArea, .point = goal.point, .layer = goal.layer, .wait_low = goal.wait_low, .wait_high = goal.wait_high};
      if (goal.flow) made.flow = *goal.flow;
      if (goal.areas.empty()) alternatives.push_back({made, {goal.point, goal.layer}});
      for (const std::uint32_t area : goal.areas) {
        need_ground(area, fmt::format("/plans/{}", plan.name));
        for (std::size_t part = 0; part < area_ids[area].size(); ++part) {
          const ScenarioArea::Part& shape = scenario.areas[area].parts[part];
          const Vec2 middle = middle_of(shape.shape);
          made.area = area_ids[area][part];
          alternatives.push_back(
              {made, {navigation.nearest_walkable(middle, kRadius, shape.layer).value_or(middle), shape.layer}});
        }
      }
      goals.push_back(std::move(alternatives));
    }
    std::vector<PlanVariant>& variants = plans.emplace_back();
    for (std::size_t v = 0; v < std::max<std::size_t>(1, goals.empty() ? 0 : goals[0].size()); ++v) {
      Plan made{.end = plan.end};
      WalkablePlace at = goals.empty() ? WalkablePlace{} : goals[0][v].place;
      const WalkablePlace first = at;
      for (std::size_t g = 0; g < goals.size(); ++g) {
        std::size_t best = g == 0 ? v : 0;
        double shortest = 1e30;
        for (std::size_t k = 0; g > 0 && goals[g].size() > 1 && k < goals[g].size(); ++k) {
          const double length = way(at, goals[g][k].place, kRadius, 0).value_or(1e29);
          if (length < shortest) best = k, shortest = length;
        }
        made.goals.push_back(goals[g][best].goal);
        at = goals[g][best].place;
      }
      variants.push_back({world.add_plan(std::move(made)), !goals.empty(), first});
    }
  }
  for (std::size_t i = 0; i < scenario.populations.size(); ++i)
    if (scenario.populations[i].area)
      need_ground(*scenario.populations[i].area, fmt::format("/populations/{}/area", scenario.populations[i].entry));
  for (std::size_t i = 0; i < scenario.sources.size(); ++i)
    if (scenario.sources[i].area) need_ground(*scenario.sources[i].area, fmt::format("/sources/{}/area", i));
  for (std::size_t i = 0; i < scenario.density_areas.size(); ++i)
    need_ground(scenario.density_areas[i], fmt::format("/measurements/areas/{}", i));
  return problems;
}

Simulation::State::Body Simulation::State::draw_body(const PeopleDef& people_def, std::uint32_t stream, std::uint32_t person,
                                                     std::optional<std::uint32_t> given) const {
  Body body;
  const std::uint32_t kind = given ? *given : choose(people_def.kinds, random(stream, person, Purpose::kKind).unit());
  const Kind& values = scenario.kinds[kind];
  RandomStream bits = random(stream, person, Purpose::kBody);
  const auto drawn = [&](const Quantity& quantity) { return static_cast<float>(quantity.draw(bits.unit(), person)); };
  body.person.radius = drawn(values.radius);
  body.person.preferred_speed = drawn(values.preferred_speed);
  body.person.max_speed = drawn(values.max_speed);
  body.person.cone_angle = drawn(values.cone_angle);
  body.person.personal_distance = drawn(values.personal_distance);
  body.person.wall_distance = drawn(values.wall_distance);
  body.person.reaction_time = drawn(values.reaction_time);
  body.person.kind = static_cast<std::uint16_t>(kind);
  body.person.model = static_cast<std::uint8_t>(people_def.model);
  body.person.profile = static_cast<std::uint8_t>(people_def.profile);
  body.person.priority = people_def.priority;
  if (!people_def.plans.empty()) body.plan = choose(people_def.plans, random(stream, person, Purpose::kPlan).unit());
  body.pre_movement = people_def.pre_movement.draw(random(stream, person, Purpose::kPreMovement).unit(), person);
  return body;
}

std::optional<WalkablePlace> Simulation::State::draw_place(const PeopleDef& people_def, double radius, RandomStream& bits,
                                                           int tries) const {
  for (int attempt = 0; attempt < tries; ++attempt) {
    std::optional<WalkablePlace> place;
    if (people_def.area) {
      place = drawers[*people_def.area].draw(bits);
    } else {
      const double u = bits.unit(), v = bits.unit();
      place = navigation.random_walkable(u, v);
    }
    if (!place) continue;
    // As the world will keep it.
    place->point = rounded_to_floats(place->point);
    if (fits_ground(data(), place->point, place->layer, radius) && occupancy.is_free(place->point, place->layer, radius))
      return place;
  }
  return std::nullopt;
}

const Simulation::State::PlanVariant* Simulation::State::nearest_variant(const Body& body, const WalkablePlace& place) {
  const PlanVariant* best = nullptr;
  double shortest = 1e30;
  for (const PlanVariant& variant : plans[body.plan]) {
    // Who wanders first of all can do so from anywhere.
    const auto length = variant.has_goal ? way(place, variant.first, body.person.radius, body.person.profile) : 0;
    if (length && *length < shortest) best = &variant, shortest = *length;
  }
  return best;
}

/// A free place from which its plan can begin: bodies fit into courts and gaps that they cannot get out of.
std::optional<WalkablePlace> Simulation::State::find_place(const PeopleDef& people_def, const Body& body, RandomStream& bits,
                                                           int tries) {
  constexpr int kMostClosed = 50;  // then it is the goal that cannot be reached, which the run reports
  std::optional<WalkablePlace> place;
  for (int closed = 0; closed < kMostClosed; ++closed) {
    place = draw_place(people_def, body.person.radius, bits, tries);
    if (!place || body.plan == kNoPlan || nearest_variant(body, *place) != nullptr) break;
  }
  return place;
}

bool Simulation::State::put(const Body& body, const WalkablePlace& place, std::uint32_t population) {
  if (body.plan == kNoPlan) return put(body, place, population, kNoPlan, 0);
  const PlanVariant* variant = nearest_variant(body, place);
  return put(body, place, population, (variant != nullptr ? *variant : plans[body.plan][0]).plan,
             scenario.plans[body.plan].goals.size());
}

bool Simulation::State::put(const Body& body, const WalkablePlace& place, std::uint32_t population, std::uint32_t plan,
                            std::size_t goals) {
  AgentDef definition{.position = place.point, .layer = place.layer, .person = body.person, .plan = plan};
  definition.start_time = world.time() + body.pre_movement;
  const AgentId id = world.add(definition);
  if (!id) return false;
  occupancy.add(place.point, place.layer, body.person.radius);
  Person person{.id = id, .start = definition.start_time, .population = population};
  person.last_entry = goals > 0 ? static_cast<std::uint32_t>(goals - 1) : 0;
  person.x = static_cast<float>(place.point.x);
  person.y = static_cast<float>(place.point.y);
  people.push_back(person);
  ++tally.people;
  return true;
}

void Simulation::State::place_population(std::uint32_t index, std::vector<Problem>& problems) {
  const Population& population = scenario.populations[index];
  const std::string where = fmt::format("/populations/{}", population.entry);
  for (std::uint32_t i = 0; i < population.positions.size(); ++i) {
    const Body body = draw_body(population, index, i);
    const WalkablePlace place{population.positions[i], population.layer};
    const std::string here = fmt::format("{}/positions/{}", where, i);
    if (!occupancy.is_free(place.point, place.layer, body.person.radius - 0.001)) {  // bodies may touch exactly
      problems.push_back(
          {here, fmt::format("somebody stands there already, closer than {:g} m", body.person.radius), "move one of the two"});
      continue;
    }
    const bool has_goal = !population.goals.empty();
    const bool is_in =
        has_goal
            ? put(body, place, index,
                  world.add_plan({{{.area = kNoArea, .point = population.goals[i], .layer = population.layer}}, PlanEnd::kStay}),
                  1)
            : put(body, place, index);
    if (!is_in)
      problems.push_back({here,
                          fmt::format("({:g}, {:g}) is not walkable for a body of radius {:g} m", place.point.x, place.point.y,
                                      body.person.radius),
                          "move it away from walls"});
  }
  std::uint32_t count = population.count;
  if (population.density > 0) {
    const double ground = population.area ? drawers[*population.area].ground() : navigation.report().area;
    count = static_cast<std::uint32_t>(std::min(1e6, std::floor(population.density * ground + 0.5)));
  }
  std::vector<WalkablePlace> grid;
  if (population.placement == Placement::kGrid) {
    double radius = 0;
    for (const Share& share : population.kinds) radius = std::max(radius, scenario.kinds[share.index].radius.most());
    grid = drawers[*population.area].grid(data(), count, radius);
    std::vector<std::pair<std::uint64_t, std::size_t>> order;
    RandomStream bits = random(index, 0, Purpose::kShuffle);
    for (std::size_t i = 0; i < grid.size(); ++i) order.emplace_back(bits.bits(), i);
    std::sort(order.begin(), order.end());
    std::vector<WalkablePlace> shuffled;
    for (const auto& entry : order) shuffled.push_back(grid[entry.second]);
    grid = std::move(shuffled);
  }
  std::uint32_t inside = 0, failures = 0;
  std::size_t next = 0;
  if (!population.groups.empty()) inside = place_groups(index, count, kStartTries, kMostFailures);
  for (std::uint32_t i = 0; population.groups.empty() && i < count && failures < kMostFailures; ++i) {
    const Body body = draw_body(population, index, i);
    std::optional<WalkablePlace> place;
    if (population.placement == Placement::kGrid) {
      while (!place && next < grid.size())
        if (const WalkablePlace& at = grid[next++]; occupancy.is_free(at.point, at.layer, body.person.radius - 0.001)) place = at;
    } else {
      RandomStream bits = random(index, i, Purpose::kPlace);
      place = find_place(population, body, bits, kStartTries);
    }
    if (place && put(body, *place, index))
      ++inside;
    else
      ++failures;
  }
  dropped += count - inside;
  if (inside < count)
    notices.push_back({where, fmt::format("{} of {} people found no room and are not there", count - inside, count),
                       population.placement == Placement::kGrid ? "take fewer, or a larger area"
                                                                : "take fewer, a larger area, or \"placement\": \"grid\""});
}

Vec2 Simulation::State::random_direction(RandomStream& bits) const {
  const auto [sine, cosine] = sine_cosine(2 * 3.141592653589793 * bits.unit());
  return {cosine, sine};
}

std::vector<Problem> Simulation::State::place_populations() {
  std::vector<Problem> problems;
  for (std::uint32_t index = 0; index < scenario.populations.size(); ++index) {
    const std::size_t first = people.size();
    place_population(index, problems);
    const Population& population = scenario.populations[index];
    for (std::size_t number = first; number < people.size(); ++number) {
      RandomStream bits = random(index, static_cast<std::uint32_t>(number), Purpose::kHeading);
      if (population.random_heading) world.set_heading(people[number].id, random_direction(bits));
      if (population.heading) world.set_heading(people[number].id, *population.heading);
    }
  }
  return problems;
}

}  // namespace throng
