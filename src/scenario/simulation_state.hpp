// SPDX-License-Identifier: MIT
// What a simulation consists of. Each function is in the file that its comment names.
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "base/random.hpp"
#include "groups/cohesion.hpp"
#include "navigation/navigation_data.hpp"
#include "scenario/simulation.hpp"

namespace throng {

struct Simulation::State {
  State(const Scenario& scenario_in, const Navigation& navigation_in, World world_in)
      : scenario(scenario_in),
        navigation(navigation_in),
        world(std::move(world_in)),
        finder(navigation_in),
        occupancy(scenario_in.settings.period_size),
        has_happened(scenario_in.events.size(), 0),
        obstacle_numbers(scenario_in.obstacle_names.size(), kNotThere),
        region_numbers(scenario_in.regions.size(), kNotThere) {}

  /// What a random number is for; populations and sources have numbers of their own each.
  enum class Purpose : std::uint32_t { kKind, kPlan, kBody, kPreMovement, kPlace, kArrival, kHeading, kShuffle, kGroup };
  RandomStream random(std::uint32_t stream, std::uint32_t person, Purpose purpose) const {
    constexpr std::uint32_t kScenarios = 0x40000000u;  // the world's own purposes are small numbers
    return {scenario.settings.seed, person, kScenarios | stream << 4 | static_cast<std::uint32_t>(purpose)};
  }

  /// A plan of the scenario as the world knows it: one for each place that its first goal could be, of which the nearest is
  /// taken; later goals that leave a choice are those nearest to the goal before.
  struct PlanVariant {
    std::uint32_t plan = kNoPlan;
    bool has_goal = false;
    WalkablePlace first;  ///< a place of the first goal
  };

  /// Somebody who was put into the world, by number.
  struct Person {
    AgentId id;
    double start = 0;              ///< s, when it begins to move
    std::uint32_t population = 0;  ///< or kFromSource
    std::uint32_t last_entry = 0;  ///< of its plan
    float x = 0, y = 0;            ///< before the step that is being tallied
    std::uint32_t has_arrived : 1 = 0, was_stuck : 1 = 0, was_lost : 1 = 0;
  };
  static constexpr std::uint32_t kFromSource = 0xffffffffu;

  struct SourceState {
    double next_time = 0;           ///< s, of the next arrival
    std::uint32_t due = 0;          ///< how many have come so far, inside or waiting
    std::uint32_t inside = 0;       ///< how many were put into the world
    std::uint32_t next_entry = 0;   ///< of the timetable
    std::uint32_t was_blocked = 0;  ///< 1: it has been reported
    std::uint64_t tries = 0;        ///< of places
  };

  struct Body {
    throng::Person person;
    std::uint32_t plan = kNoPlan;  ///< of the scenario
    double pre_movement = 0;
  };

  // simulation_snapshot.cpp
  std::uint64_t fingerprint = 0;  ///< of the scenario, as snapshots name it; 0: not known yet

  // simulation.cpp: numbers of vehicles, and of regions at the start, are those of the scenario
  std::vector<Problem> add_vehicles();

  // people.cpp
  std::vector<Problem> make_plans();
  std::vector<Problem> place_populations();
  void place_population(std::uint32_t index, std::vector<Problem>& problems);
  Body draw_body(const PeopleDef& people, std::uint32_t stream, std::uint32_t person,
                 std::optional<std::uint32_t> kind = std::nullopt) const;
  std::optional<WalkablePlace> draw_place(const PeopleDef& people, double radius, RandomStream& random, int tries) const;
  bool put(const Body& body, const WalkablePlace& place, std::uint32_t population, std::uint32_t plan, std::size_t goals);
  bool put(const Body& body, const WalkablePlace& place, std::uint32_t population);
  /// Nothing if no way leads to any.
  const PlanVariant* nearest_variant(const Body& body, const WalkablePlace& place);
  std::optional<WalkablePlace> find_place(const PeopleDef& people, const Body& body, RandomStream& random, int tries);
  std::optional<double> way(const WalkablePlace& from, const WalkablePlace& to, double radius, std::uint32_t profile);
  Vec2 random_direction(RandomStream& random) const;

  // group_people.cpp
  std::vector<WalkablePlace> find_places(const PeopleDef& people, const std::vector<Body>& bodies, RandomStream& random,
                                         int tries, int most_leaders);
  std::vector<Body> draw_group(const PeopleDef& people, std::uint32_t stream, std::uint32_t person, std::uint32_t most) const;
  std::uint32_t draw_group_size(const PeopleDef& people, std::uint32_t stream, std::uint32_t person) const;
  std::uint32_t put_group(const std::vector<Body>& bodies, const std::vector<WalkablePlace>& places, std::uint32_t population);
  std::uint32_t place_groups(std::uint32_t index, std::uint32_t count, int tries, std::uint32_t most_failures);

  // arrivals.cpp
  void start_sources();
  void bring_people();
  void count_due(std::uint32_t index);
  void plan_next(std::uint32_t index);
  bool is_exhausted(std::uint32_t index) const;
  bool will_bring_more(std::uint32_t index) const;
  std::uint32_t bring_one(std::uint32_t index);
  std::uint32_t bring_group(std::uint32_t index, std::uint32_t size);
  void turn_heads();

  // events.cpp
  static constexpr std::uint32_t kNotThere = 0xffffffffu;
  bool is_due(const ScenarioEvent& event) const;
  void let_happen();
  std::optional<Problem> carry_out(const ScenarioAction& action);
  std::optional<Problem> change_scene(const ScenarioAction& action);
  std::optional<Problem> change_region(const ScenarioAction& action);
  void change_person(const ScenarioAction& action, std::uint32_t row);

  // tally.cpp
  void remember_places();
  void count(const StepReport& report);
  void count_events();
  void count_crossings();
  void count_densities();
  void count_groups();

  /// Of the scene as it was at the start. Where an obstacle has come since, the world refuses people, and another place is drawn.
  const NavigationData& data() const { return navigation.data(); }
  /// Of a cell of the scene as it is now.
  std::uint32_t layer_of(std::uint32_t cell) const { return world.navigation().data().cells.layer[cell]; }
  std::uint32_t source_stream(std::uint32_t index) const {
    return static_cast<std::uint32_t>(scenario.populations.size()) + index;
  }

  Scenario scenario;
  Navigation navigation;
  World world;
  PathFinder finder;
  Path path;
  std::vector<PlaceDrawer> drawers;                  ///< by area
  std::vector<std::vector<std::uint32_t>> area_ids;  ///< the world's, by area and part
  std::vector<std::vector<PlanVariant>> plans;       ///< by plan
  Occupancy occupancy;

  // What a snapshot holds, besides the world.
  std::vector<Person> people;
  std::vector<SourceState> sources;
  Tally tally;
  std::vector<Problem> notices;
  std::vector<std::uint8_t> has_happened;       ///< by event
  std::vector<std::uint32_t> obstacle_numbers;  ///< of obstacles that events add, as the world knows them
  std::vector<std::uint32_t> region_numbers;    ///< of regions, likewise

  CohesionMeter cohesion;
  std::uint64_t dropped = 0;  ///< of populations, for want of room: the same whenever the scenario begins
};

}  // namespace throng
