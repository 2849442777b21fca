// SPDX-License-Identifier: MIT
// People who walk: add agents to a baked scene, give them goals or plans, step, read where they are.
//
//   auto world = throng::World::create(*navigation);
//   throng::AgentId anna = world->add({.position = {1, 1}});
//   world->set_goal(anna, {9, 4});
//   while (world->activity(anna) == throng::Activity::kWalking) world->step();
//
// A step reads the present and writes the next generation of everybody, so the result is bit for bit the same for any number of
// threads. Calls that change the world (add, remove, set_goal …) belong between steps. Nothing is allocated in a steady step.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <throng/detail.hpp>
#include <throng/edits.hpp>
#include <throng/explain.hpp>
#include <throng/graph.hpp>
#include <throng/groups.hpp>
#include <throng/models.hpp>
#include <throng/navigation.hpp>
#include <throng/regions.hpp>
#include <throng/result.hpp>
#include <throng/vehicles.hpp>

namespace throng {

/// Names an agent for as long as it lives; the id of one that has left is detected, never mistaken for another. Null by default.
struct AgentId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;
  explicit operator bool() const { return generation != 0; }
  friend bool operator==(AgentId, AgentId) = default;
};

/// What an agent is doing.
enum class Activity : std::uint8_t {
  kWaiting,  ///< for its start, or between two goals of its plan
  kWalking,  ///< towards a goal or along a heading
  kStaying,  ///< nothing left to do
  kLost,     ///< has a goal but no way to it
  kDriven,   ///< moved from outside each step
  kRiding,   ///< aboard a link (a lift, an escalator) of the scene: nobody sees it, and it has no row
};

/// A body and its manners. SI units.
struct Person {
  float radius = 0.20f;  ///< half the body's width
  float preferred_speed = 1.34f;
  float max_speed = 0;             ///< 0: one and a half times the preferred one
  float cone_angle = 0.17f;        ///< rad: large walks through the middle of corridors, small hugs corners (0.03–0.5)
  float personal_distance = 1.0f;  ///< to strangers, centre to centre
  float wall_distance = 0.5f;      ///< to walls
  float reaction_time = 0.8f;      ///< s, of the security module of `reactive_2004`
  std::uint16_t kind = 0;          ///< a label for statistics and pictures
  std::uint8_t model = 0;          ///< index into WorldSettings::models
  std::uint8_t profile = 0;        ///< index into the scene's profiles: which areas it may enter
  std::int32_t priority = 0;       ///< social priority in the model `rules`: who has more goes first; −1000 to 1000
};

/// A place to go to: a polygon (reached when entered) or a point (reached within WorldSettings::arrival_distance).
struct PlanGoal {
  std::uint32_t area = 0xffffffffu;  ///< from World::add_area; none: `point`
  Vec2 point;
  std::uint32_t layer = 0;  ///< of the point
  double wait_low = 0;      ///< seconds to wait there, uniform between the two
  double wait_high = 0;
  std::uint32_t flow = 0xffffffffu;  ///< from World::add_flow: by one of its paths, if `area` is one of its ends
};
enum class PlanEnd : std::uint8_t {
  kStay,    ///< stands where the last goal was
  kLeave,   ///< leaves the world
  kLoop,    ///< begins again
  kWander,  ///< from then on random places of its part of the scene, for ever
};
struct Plan {
  std::vector<PlanGoal> goals;
  PlanEnd end = PlanEnd::kStay;
};

/// Several ways between two areas, in both directions, over which people spread (graph.hpp).
struct FlowDef {
  std::uint32_t from = 0, to = 0;  ///< from World::add_area
  FlowSettings paths;
  PathCriterion choice = PathCriterion::kTravelTime;
};
/// What a flow has to carry.
struct FlowLoad {
  std::vector<std::uint32_t> walkers;  ///< on each path now, both ways
  std::vector<std::uint64_t> trips;    ///< begun on each path, both ways
  /// Over how many paths people really spread: the exponential of the entropy of trips.
  double effective_paths() const;
};

inline constexpr std::uint32_t kNoPlan = 0xffffffffu;

struct AgentDef {
  Vec2 position;
  std::uint32_t layer = 0;
  Person person;
  std::uint32_t plan = kNoPlan;  ///< from World::add_plan
  double start_time = 0;         ///< world time before which it does not move (pre-movement time)
  Vec2 velocity;
};

enum class EventKind : std::uint8_t {
  kArrived,  ///< at a goal
  kLeft,     ///< the world, at the end of its plan
  kStuck,    ///< less than 0.1 m of progress in 60 s with an open way
  kFreed,    ///< moves again after that
  kNoWay,    ///< nothing leads to its goal
  kMoved,    ///< out of an obstacle that came where it stood, to the nearest free place
};
const char* name_of(EventKind kind);
struct Event {
  double time = 0;
  EventKind kind = EventKind::kArrived;
  std::uint32_t number = 0;  ///< of the agent: counts up over the run
  std::uint32_t entry = 0;   ///< of its plan
};

enum class NeighbourMode : std::uint8_t { kDelaunay, kNearest };

struct WorldSettings {
  double dt = 0.1;  ///< s
  std::uint64_t seed = 1;
  unsigned threads = 1;             ///< 0: one per core; the result does not depend on it
  std::vector<MotionModel> models;  ///< of any kinds; Person::model chooses; empty: one, `reactive`
  NeighbourMode neighbours = NeighbourMode::kDelaunay;
  double arrival_distance = 0.5;  ///< m, to a point that is a goal
  /// Periodic world: whoever leaves [low, low + size) on one side comes in on the other; 0: no period in this direction. The
  /// scene must reach `kPeriodMargin` beyond.
  Vec2 period_low, period_size;
  bool count_contacts = false;  ///< fill the contact figures of StepReport: costs about a twentieth of a step
  unsigned separate_sweeps = 8;
  unsigned sort_every = 64;   ///< steps between two spatial sorts of the rows
  DetailSettings detail;      ///< levels of simulation; not in a periodic world
  InterestSettings interest;  ///< regions of interest, instead of them
};
inline constexpr double kPeriodMargin = 12;

struct Phase {
  const char* name;
  double seconds = 0;
};

/// Pairs of people closer than they should be, and what the walk was worth. With levels of simulation the figures of walkers are
/// of those who were looked at in this step.
struct StepReport {
  std::uint32_t agents = 0;
  std::uint32_t overlaps = 0;         ///< pairs closer than the sum of their radii
  std::uint32_t deep_overlaps = 0;    ///< by more than 20 %
  std::uint32_t before_separate = 0;  ///< pairs before people are pushed apart
  std::uint32_t wall_penetrations = 0;
  std::uint32_t walkers = 0;     ///< agents with a goal
  double speed_ratio = 0;        ///< mean over walkers: speed / preferred speed
  double progress_ratio = 0;     ///< mean over walkers: velocity towards the goal / preferred speed
  std::uint32_t high_level = 0;  ///< agents who walked by their own models, or by those of their level of interest
  std::uint32_t updated = 0;     ///< agents who were looked at; the others kept their velocity
};

class World {
 public:
  static Result<World> create(const Navigation& navigation, const WorldSettings& settings = {});
  /// With a graph of the same scene there can be flows, and levels of simulation by discs.
  static Result<World> create(const Navigation& navigation, const NavigationGraph& graph, const WorldSettings& settings = {});
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  std::uint32_t add_area(const Polygon& shape, std::uint32_t layer = 0);
  std::uint32_t add_plan(Plan plan);
  /// Its number. A Problem without a graph, or if no way joins the two areas.
  Result<std::uint32_t> add_flow(const FlowDef& definition);

  /// Its number; they count up. A Problem for one without a path, a size or a speed. Not in a periodic world.
  Result<std::uint32_t> add_vehicle(const VehicleDef& definition);
  std::uint32_t vehicle_count() const;
  VehicleState vehicle(std::uint32_t vehicle) const;

  /// Null if there is no room for the body: in or too close to a wall. People may overlap: see `is_free`.
  AgentId add(const AgentDef& definition);
  /// Whether a body fits at a place without touching walls or people.
  bool is_free(Vec2 place, std::uint32_t layer, double radius) const;
  /// A random free place of an area for a body, as a function of `draw`; in a crowded area one from a lattice. Nothing: it is
  /// full.
  std::optional<Vec2> free_place(std::uint32_t area, double radius, std::uint64_t draw) const;

  // False: the agent is gone or, but for remove, riding; or the place is not free of walls.
  bool remove(AgentId agent);
  bool teleport(AgentId agent, Vec2 place, std::uint32_t layer = 0);
  bool set_goal(AgentId agent, Vec2 goal, std::uint32_t layer = 0);
  /// Walks in a direction instead of to a place; (0, 0) stops.
  bool set_heading(AgentId agent, Vec2 heading);
  bool set_plan(AgentId agent, std::uint32_t plan);
  bool set_preferred_speed(AgentId agent, double speed);
  /// From now on the agent goes where it is told, each step, until it gets a goal, a heading or a plan again.
  bool drive(AgentId agent, Vec2 place, Vec2 velocity);

  /// People who walk together from now on; the first leads (groups.hpp). Its number; they count up from 1. A Problem for fewer
  /// than two, more than `kMostMembers`, or somebody who is gone, rides, or is in a group.
  Result<std::uint32_t> add_group(std::span<const AgentId> members);
  /// Walks alone from now on. False if it was in no group.
  bool leave_group(AgentId agent);
  /// The number of somebody's group; 0: none.
  std::uint32_t group_of(AgentId agent) const;
  /// Who leads now, then the others in their order; empty if there is no such group.
  std::vector<AgentId> group_members(std::uint32_t group) const;
  /// Number 0 if there is no such group.
  GroupState group_state(std::uint32_t group) const;

  /// Groups found in the crowd as it walks, whatever was declared: numbers of the members of each, ascending. Watches from the
  /// first call on, and says something after some seconds. No part of the state: it starts anew after a restore.
  std::vector<std::vector<std::uint32_t>> found_groups();

  /// Changes the scene, between two steps. People in the way of a new obstacle are moved to the nearest free place (kMoved, among
  /// the events of the next step). Everybody whose corridor leads through cells that have changed, and everybody without a way,
  /// is given a new one within a second of simulated time; others keep theirs. A Problem for a bad edit, which changes nothing,
  /// and if the navigation was not baked with BakeSettings::editable.
  Result<EditReport> edit(const Edit& edit);
  /// All edits so far.
  std::span<const Edit> edits() const;
  /// How many still wait for a new way after an edit.
  std::uint32_t replanning() const;

  const StepReport& step();
  /// Who looks from now on; none: nobody. False without levels of simulation or regions of interest, or with a viewpoint that
  /// sees nothing.
  bool set_viewpoint(const std::optional<Viewpoint>& viewpoint);

  // Regions of interest, from the next step on. Those of the settings have the first numbers; that of one that was removed may be
  // given again.
  /// Nothing where the world has none, or for a region of no size or of another level than 0, 1 or 2.
  std::optional<std::uint32_t> add_region(const Region& region);
  bool set_region(std::uint32_t region, const Region& value);
  bool remove_region(std::uint32_t region);
  /// Its centre goes with an agent from now on, or stays where it is (null).
  bool follow(std::uint32_t region, AgentId agent);
  bool follow_vehicle(std::uint32_t region, std::uint32_t vehicle);
  /// Nothing if there is none of this number.
  std::optional<Region> region(std::uint32_t region) const;
  /// Numbers given so far are below this.
  std::uint32_t region_count() const;
  /// The level of interest of a place; 0 where the world has no regions.
  std::uint8_t level_at(Vec2 place, std::uint32_t layer = 0) const;
  /// Of all the ground; empty where the world has no regions.
  std::vector<LevelTile> level_tiles() const;

  /// Potential fields of the last step, of regions of interest and of continuum crowds.
  std::vector<FieldInfo> fields() const;
  /// All tiles of one of them, by its place in the list.
  std::vector<FieldTile> field_tiles(std::size_t field) const;

  double time() const;
  std::uint64_t steps() const;
  std::uint32_t agent_count() const;  ///< without riders
  /// Numbers of those aboard links, as they boarded. They come back with the same ids and numbers.
  std::span<const std::uint32_t> riders() const;
  /// What happened in the last step.
  std::span<const Event> events() const;
  const std::vector<Phase>& phases() const;  ///< time spent since the start
  const WorldSettings& settings() const;
  const Navigation& navigation() const;
  const NavigationGraph* graph() const;  ///< null if there is none

  /// The paths of a flow from its `from` to its `to`; the same ones lead back.
  const Flow& flow(std::uint32_t flow) const;
  FlowLoad load(std::uint32_t flow) const;
  /// How many trips on flows lead through each gate of the graph, since the start.
  std::span<const std::uint32_t> gate_trips() const;

  bool is_alive(AgentId agent) const;
  Vec2 position(AgentId agent) const;  ///< (0, 0) for one that is gone; so below. Where it boarded, for a rider
  Vec2 velocity(AgentId agent) const;
  std::uint32_t layer(AgentId agent) const;
  double elevation(AgentId agent) const;  ///< m, of the ground it stands on
  Activity activity(AgentId agent) const;
  std::uint32_t number(AgentId agent) const;

  /// Everybody, one row an agent, in the order of storage. Valid until the next call that changes the world.
  struct Columns {
    std::span<const float> x, y, vx, vy;
    std::span<const float> shown_x, shown_y, heading_x, heading_y;  ///< filtered, for display
    std::span<const float> radius, preferred_speed;
    std::span<const std::uint32_t> number, cell;
    std::span<const std::uint16_t> kind;
    std::span<const Activity> activity;
    std::span<const std::uint8_t> level;   ///< 0: high, 1: low, or that of interest; empty without levels or regions
    std::span<const std::uint32_t> group;  ///< number of the group, 0: none; empty if there never was one
    std::span<const std::uint8_t> model;   ///< its own: index into WorldSettings::models
    std::span<const std::uint32_t> plan;   ///< kNoPlan: none
    std::span<const std::uint32_t> plan_entry;
  };
  Columns columns() const;
  /// Of those added so far.
  const Plan& plan(std::uint32_t plan) const;
  /// What somebody is on the way to, and by which portals of the cells as they are now.
  struct Way {
    Vec2 goal;  ///< or a unit heading
    std::uint32_t goal_layer = 0;
    bool has_goal = false, has_heading = false;
    double born = 0;                     ///< s
    std::vector<std::uint32_t> portals;  ///< still to be crossed
  };
  Way way_of(AgentId agent) const;
  /// On which layer everybody stands and how high its ground is, row by row as in Columns. Both have agent_count() entries.
  void footing(std::span<std::uint16_t> layer, std::span<float> elevation) const;
  AgentId id_at(std::uint32_t row) const;
  /// Rows whom an agent sees, as of the last step.
  std::span<const std::uint32_t> neighbours_of(std::uint32_t row) const;

  /// Whose decisions steps note from now on; null: nobody's. No part of the state.
  void watch(AgentId agent);
  /// Of the last step; nothing if the one who is watched was not there, rode, or was not looked at in it.
  const std::optional<Explanation>& explanation() const;
  /// What somebody who walks by `rules` did in the last step, and why; nothing for others.
  std::optional<RulesDecision> rules_decision(AgentId agent) const;
  /// Centre of the tile that somebody who walks by `rules` holds, and of the one it is leaving (the same if it stands).
  struct RulesPlace {
    Vec2 tile, from;
    std::array<std::int32_t, 2> square{}, from_square{};  ///< columns and rows of tiles from the scene's origin
    std::uint32_t layer = 0;
  };
  std::optional<RulesPlace> rules_place(AgentId agent) const;

  /// The whole state, and back: the run continues with the same bits. Same scene and settings, any number of threads.
  std::string snapshot() const;
  Result<bool> restore(std::string_view bytes);
  /// Of the state: equal runs have equal hashes.
  std::uint64_t hash() const;

 private:
  struct State;
  explicit World(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng
