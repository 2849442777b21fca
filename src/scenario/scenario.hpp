// SPDX-License-Identifier: MIT
// A scenario: a scene, the people in it, their plans, and how to run them. Plain data, as docs/formats/scenario.md describes it.
//
//   auto scenario = load_scenario("scenes/bottleneck.json");
//   if (!scenario) for (const Problem& p : scenario.problems()) std::puts(to_string(p).c_str());
//   auto navigation = Navigation::bake(scenario->scene);
//   auto simulation = Simulation::create(*scenario, *navigation);   // simulation.hpp
//
// Names of the file are resolved: whoever refers to an area, kind, model or plan holds its index. Coordinates are the scene's
// (its origin is subtracted).
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <throng/graph.hpp>
#include <throng/result.hpp>
#include <throng/scene.hpp>
#include <throng/world.hpp>

#include "base/random.hpp"
#include "scenario/quantity.hpp"

namespace throng {

/// A named set of what makes a person; the default is an adult.
struct Kind {
  std::string name = "adult";
  Quantity radius = Quantity::fixed(0.20);
  Quantity preferred_speed = Quantity::normal(1.34, 0.26, 0.8, 1.8);
  Quantity max_speed = Quantity::fixed(0);  ///< 0: one and a half times the preferred one
  Quantity cone_angle = Quantity::fixed(0.17);
  Quantity personal_distance = Quantity::fixed(1.0);
  Quantity wall_distance = Quantity::fixed(0.5);
  Quantity reaction_time = Quantity::fixed(0.8);
  bool is_child = false;  ///< the built-in kind child, and those that stand on it: in a group with an adult only
};

/// A place that can be named: one polygon, or several that count as one.
struct ScenarioArea {
  struct Part {
    Polygon shape;
    std::uint32_t layer = 0;
  };
  std::string name;
  std::vector<Part> parts;
};

struct ScenarioGoal {
  std::vector<std::uint32_t> areas;  ///< the nearest of them is taken; empty: `point`
  Vec2 point;
  std::uint32_t layer = 0;  ///< of the point
  double wait_low = 0, wait_high = 0;
  std::optional<std::uint32_t> flow;  ///< by one of its paths; the area is one of its ends
};

/// Several ways between two areas, over which people spread.
struct ScenarioFlow {
  std::string name;
  std::array<std::uint32_t, 2> areas{};
  FlowSettings paths;
  PathCriterion choice = PathCriterion::kTravelTime;
};

struct ScenarioPlan {
  std::string name;
  std::vector<ScenarioGoal> goals;
  PlanEnd end = PlanEnd::kStay;
};

/// One of several, with its weight.
struct Share {
  std::uint32_t index = 0;
  double weight = 1;
  friend bool operator==(const Share&, const Share&) = default;
};

/// What populations and sources say of the people they bring.
struct PeopleDef {
  std::optional<std::uint32_t> area;  ///< none: anywhere in the scene
  std::vector<Share> kinds{{}};
  std::vector<Share> plans;  ///< empty: none, they stand
  std::uint32_t model = 0;
  std::uint32_t profile = 0;
  Quantity pre_movement;      ///< s before they start
  std::int32_t priority = 0;  ///< social, in the model `rules`
  std::vector<Share> groups;  ///< sizes (as `index`) with their weights; empty: everybody walks alone
};

enum class Placement : std::uint8_t {
  kRandom,  ///< anywhere there is room
  kGrid,    ///< on a triangular grid: where so many are wanted that random places run out
};

/// People who are there at the start.
struct Population : PeopleDef {
  std::uint32_t entry = 0;  ///< of the file: who walks a flow to and fro makes two, one at each end
  std::uint32_t count = 0;
  double density = 0;  ///< per m² of ground, instead of `count`
  Placement placement = Placement::kRandom;
  std::vector<Vec2> positions;  ///< instead of drawn places
  std::vector<Vec2> goals;      ///< with positions: one each, where they stay
  std::uint32_t layer = 0;      ///< of positions and goals
  std::optional<Vec2> heading;  ///< walks in a direction instead of to a goal
  bool random_heading = false;
  double heading_time = 0;  ///< s, mean time until a random heading is drawn anew; 0: never
};

enum class Arrivals : std::uint8_t { kPoisson, kRegular };

/// People who come while the run goes on.
struct Source : PeopleDef {
  double rate = 0;  ///< per second
  Arrivals arrivals = Arrivals::kPoisson;
  double from = 0, until = 1e9;  ///< s
  std::uint32_t limit = 0;       ///< of people in all; 0: none
  struct Departure {
    double at = 0;  ///< s
    std::uint32_t count = 1;
  };
  std::vector<Departure> timetable;  ///< instead of a rate; by time
};

struct ScenarioLine {
  std::string name;
  Vec2 from, to;
  std::uint32_t layer = 0;
};

/// A named region of interest; one that follows a vehicle has no place of its own. One that only events add is not there at the
/// start.
struct ScenarioRegion {
  std::string name;
  Region region;
  std::optional<std::uint32_t> vehicle;
  bool is_added = false;
};
struct ScenarioVehicle {
  std::string name;
  VehicleDef definition;
};

/// Something that is done to the scenario from outside.
struct ScenarioAction {
  enum class Do : std::uint8_t {
    kAddObstacle,
    kMoveObstacle,
    kRemoveObstacle,
    kCloseDoor,
    kOpenDoor,
    kSetSpeed,
    kScaleSpeed,
    kSetPlan,
    kAddRegion,
    kSetRegion,
    kRemoveRegion,
  } what = Do::kCloseDoor;
  std::string door;                         ///< an area of the scene
  Polygon shape;                            ///< of an obstacle, from now on
  std::uint32_t layer = 0;                  ///< of a new one
  std::uint32_t obstacle = 0;               ///< index into Scenario::obstacle_names, or its place in the scene
  bool is_named = false;                    ///< the former
  std::optional<std::uint32_t> population;  ///< entry of the file; none: everybody
  double value = 1;                         ///< speed, m/s, or a factor on it
  std::uint32_t plan = 0;
  std::uint32_t region = 0;  ///< index into Scenario::regions
  Region region_value;
  bool sets_centre = false, sets_radius = false, sets_level = false;  ///< what of it is given; a new region has all of it
  std::optional<std::uint32_t> vehicle;                               ///< that a new region follows
};

/// Happens once: at a time, or as soon as a condition holds.
struct ScenarioEvent {
  std::optional<double> time;  ///< s
  struct Condition {
    std::uint32_t area = 0;
    std::uint32_t count = 0;  ///< of people in it
    bool is_over = true;      ///< more than that; otherwise fewer
    std::optional<double> share_arrived;
  } when;
  std::vector<ScenarioAction> actions;
};

struct ScenarioSettings {
  double dt = 0.1;
  std::uint64_t seed = 1;
  double duration = 600;
  bool stop_when_done = true;
  NeighbourMode neighbours = NeighbourMode::kDelaunay;
  Vec2 period_low, period_size;
  double arrival_distance = 0.5;
  std::uint32_t separate_sweeps = 8;
  std::uint32_t sort_every = 64;
  bool count_contacts = true;
  DetailSettings detail;
  InterestSettings interest;  ///< its regions are Scenario::regions
};

struct ScenarioOutputs {
  bool recording = true;
  std::uint32_t frame_every = 2;
  std::uint32_t snapshot_every = 600;
};

struct Scenario {
  std::string name, description;
  Scene scene;
  std::vector<ScenarioArea> areas;  ///< the scene's, then the scenario's
  std::vector<Kind> kinds;
  std::vector<MotionModel> models;
  GraphSettings graph;  ///< for flows, and for levels by discs
  std::vector<ScenarioFlow> flows;
  std::vector<ScenarioPlan> plans;
  std::vector<Population> populations;
  std::vector<Source> sources;
  std::vector<ScenarioVehicle> vehicles;
  std::vector<ScenarioRegion> regions;  ///< of the settings, then those that events add
  std::vector<ScenarioEvent> events;
  std::vector<std::string> obstacle_names;   ///< that events add
  std::vector<ScenarioLine> lines;           ///< where crossings are counted
  std::vector<std::uint32_t> density_areas;  ///< where density is measured
  ScenarioSettings settings;
  ScenarioOutputs outputs;
  std::string text;  ///< as JSON, with a scene file put inside: reading it gives the same scenario on a machine without the file
};

/// Whether an event changes the scene: its bake must be editable (BakeSettings).
bool edits_scene(const Scenario& scenario);

/// Whether people of it walk in groups, from the start or later.
bool has_groups(const Scenario& scenario);
/// Whether an event adds a region: numbers of regions change while it runs.
bool adds_regions(const Scenario& scenario);

/// What the command line may change of a file.
struct ScenarioOverrides {
  std::optional<double> duration;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> model;          ///< of everybody
  std::optional<std::uint32_t> most_people;  ///< of each population: a small run of a large scenario
};

/// Opens what `scene` names. Readers of untrusted files pass one of their own.
using SceneOpener = std::function<Result<Scene>(const std::string& scene)>;
/// Built-in scenes, and files relative to `folder`.
SceneOpener open_scenes_from(std::filesystem::path folder);

/// Reads a scenario: everything that is wrong with it, with JSON pointers, or the scenario. `name` stands for the file in
/// messages.
Result<Scenario> read_scenario(std::string_view bytes, const std::string& name, const SceneOpener& open_scene,
                               const ScenarioOverrides& overrides = {});
Result<Scenario> load_scenario(const std::filesystem::path& file, const ScenarioOverrides& overrides = {});
/// Whether bytes are JSON with the key that makes a scenario, right or wrong otherwise.
bool looks_like_scenario(std::string_view bytes);

/// Kinds for the members of a group of a size, the leader's first: no two alike, and no child leads. Fewer where the mix has not
/// so many.
std::vector<std::uint32_t> draw_figures(const std::vector<Kind>& kinds, const std::vector<Share>& mix, std::uint32_t size,
                                        RandomStream& bits);

/// The kinds every scenario has: adult, child, elderly, wheelchair.
std::vector<Kind> built_in_kinds();

/// The JSON Schema of the format, generated from the tables of keys (docs/formats/scenario.schema.json).
std::string scenario_schema();

}  // namespace throng
