// SPDX-License-Identifier: MIT
// Everything a world consists of, and the phases of its step. Each phase is in the file that its comment names.
#pragma once
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include <throng/world.hpp>

#include "agents/agents.hpp"
#include "base/large_pages.hpp"
#include "base/random.hpp"
#include "base/tasks.hpp"
#include "detail/budget.hpp"
#include "detail/interest.hpp"
#include "detail/levels.hpp"
#include "fields/crowd_field.hpp"
#include "fields/potential.hpp"
#include "groups/finder.hpp"
#include "groups/group.hpp"
#include "guidance/corridor_cone.hpp"
#include "guidance/grade.hpp"
#include "motion/models.hpp"
#include "motion/separate.hpp"
#include "navgraph/choice.hpp"
#include "navgraph/graph_editor.hpp"
#include "navgraph/pull.hpp"
#include "navigation/ground.hpp"
#include "navigation/navigation_data.hpp"
#include "neighbours/neighbour_graph.hpp"
#include "world/close_pairs.hpp"
#include "world/wall_watch.hpp"

namespace throng {

/// What a random number of an agent is for: two purposes never share numbers.
enum class Draw : std::uint32_t { kWait = 1, kPlace, kFreePlace, kWander, kSide };

/// Who stands where, for those who look for a free place: squares of a metre in a hash table, made anew when first asked for
/// after people have moved.
struct PeopleIndex {
  struct Entry {
    std::uint32_t row;
    std::uint32_t next;
  };
  std::vector<std::uint32_t> head;
  std::vector<Entry> entries;
  float largest = 0;  ///< radius
  bool is_valid = false;

  void build(const Agents& agents);
  void add(const Agents& agents, std::uint32_t row);
};

/// Whether a viewpoint is finite and looks somewhere.
bool sees_anything(const Viewpoint& viewpoint);  // levels.cpp

/// How far people differ in where they aim within what they see of their way.
inline constexpr std::uint32_t kNoIndex = 0xffffffffu;  ///< of a flow, a field, a place in a list
inline constexpr float kSideSpread = 0.8f;

struct World::State {
  State(const Navigation& navigation, std::optional<NavigationGraph> graph, const WorldSettings& settings);

  struct GoalArea {
    Polygon shape;
    std::uint32_t layer;
    Vec2 low, high;  ///< of its box
    static GoalArea of(const Polygon& shape, std::uint32_t layer);
    bool holds(Vec2 p) const;
    /// Tiles whose place is in it; that of its middle if it is smaller than a tile.
    void add_tiles(const Grid& tiles, std::vector<TileIndex>& list) const;
  };

  // world.cpp
  std::uint32_t add(const AgentDef& definition);
  void remove(std::uint32_t row);
  std::uint32_t detach(std::uint32_t row);
  void drop_row(std::uint32_t row);
  bool place(std::uint32_t row, Vec2 position, std::uint32_t layer);
  Vec2 position(std::uint32_t row) const { return {agents.now.x[row], agents.now.y[row]}; }
  const NavigationData& data() const { return navigation.data(); }

  // step.cpp: the phases, in order
  void step();
  void begin_waits_and_plans();  ///< plans.cpp
  void find_routes();            ///< routes.cpp
  [[gnu::always_inline]] inline void expect_row(std::uint32_t row) const;
  PathStatus find_way(PathRequest request, PathFinder& finder, Path& path, bool by_rules = false) const;
  void sort_rows();
  void share_out_work();  ///< levels.cpp
  void make_images();     ///< periodic.cpp
  void see_neighbours();
  Aim follow_route(std::uint32_t row, Vec2f place, Vec2f goal);
  void guide(std::uint32_t row);
  /// Routes lie by slot, all over memory, and a look at one waits for three loads that depend on each other: asks for what those
  /// at k + 4, k + 8 and k + 12 of a list need next. Half of the time of guidance in a city goes without it.
  /// Inlined by force: g++ takes a function that only prefetches for one without effect, and drops the call.
  template <class RowAt>
  [[gnu::always_inline]] inline void fetch_routes(std::size_t k, std::size_t end, RowAt row_at) const {
    const auto route_of = [&](std::size_t at) -> const Route& { return routes[agents.slot[row_at(at)]]; };
    if (k + 12 < end) __builtin_prefetch(&route_of(k + 12));
    if (k + 8 < end) {
      const Route& route = route_of(k + 8);
      __builtin_prefetch(route.cells.data() + route.next);
      __builtin_prefetch(route.portals.data() + route.next);
    }
    if (k + 4 < end)
      if (const Route& route = route_of(k + 4); route.next < route.portals.size())
        __builtin_prefetch(&data().cells.portals[route.portals[route.next]]);
  }
  void guide();  ///< routes.cpp
  Frozen frozen() const;
  void explain_watched(const Frozen& world);
  void finish_explanation();
  void move();
  std::span<const std::uint8_t> who_stands_out();
  void coast();  ///< levels.cpp
  void settle();
  void finish();  ///< plans.cpp

  // plans.cpp
  void start_plan_entry(std::uint32_t row);
  void set_goal(std::uint32_t row, Vec2 goal, std::uint32_t layer, bool stops);
  void tell(EventKind kind, std::uint32_t row);
  bool has_arrived(std::uint32_t row) const;
  void go_on(std::uint32_t row);  ///< after a goal was reached
  struct News {
    std::uint32_t row;
    EventKind kind;
  };
  /// What a chunk of rows adds to the report, and what happened in it.
  struct Outcome {
    double speed = 0, progress = 0;
    std::uint32_t walkers = 0;
    std::vector<News> news;
  };
  void look_back(std::uint32_t row, Outcome& outcome);
  void watch_progress(std::uint32_t row, std::vector<News>& news);

  // levels.cpp
  void wake(std::uint32_t row) {
    if (agents.has_levels) agents.due[row] = 0;
  }
  void begin_leg(std::uint32_t row);
  void find_due();
  bool bound_turn(std::uint32_t row, Vec2f& velocity) const;
  void look_at(std::uint32_t row);
  std::uint32_t next_look(std::uint32_t row) const;
  bool levels_go_by_discs() const { return agents.has_levels && settings.detail.patch == Patch::kDisc; }
  void rate_patches();
  PatchIndex patch_of(std::uint32_t row) const {
    if (has_interest()) return tile_of(row);
    return levels_go_by_discs() ? agents.disc[row] : agents.cell[row];
  }
  void find_disc(std::uint32_t row);
  void keep_disc(std::uint32_t row);
  void set_level(std::uint32_t row, std::uint8_t level);
  void wake_patches();
  bool look_from(const std::optional<Viewpoint>& viewpoint);

  // regions.cpp
  struct LiveRegion {
    Region region;
    bool is_alive = false;
    AgentId leader{};                     ///< with whom it goes, or null
    std::uint32_t vehicle = 0xffffffffu;  ///< or with which
  };
  bool has_interest() const { return settings.interest.enabled; }
  void make_interest();
  void lay_interest_tiles();
  std::optional<std::uint32_t> add_region(const Region& region);
  bool set_region(std::uint32_t number, const Region& value);
  void spend_budget();
  void rate_interest();
  void apply_interest(bool wakes = true);
  /// Where no tile is, the first one stands for all.
  TileIndex tile_of(std::uint32_t row) const {
    const TileIndex tile = grid.tile_near(agents.now.x[row], agents.now.y[row], layer_of(row));
    return tile == kNoTile ? 0 : tile;
  }

  // region_fields.cpp
  struct RegionFields {
    /// A disc of a path of the flow whose crowd counts at a sub-goal.
    struct Share {
      std::uint32_t path, disc;  ///< the disc as an index into the path
      float weight;              ///< of all that count there together 1
    };
    struct SubGoal {
      TileIndex tile;
      std::uint32_t first, count;  ///< shares; none at the goal itself
    };
    /// Of a set, over the whole scene with nobody in it.
    struct Far {
      std::vector<TileIndex> goal;
      std::vector<float> value;                                  ///< potential, by tile
      std::vector<TileIndex> next;                               ///< the way to the goal, by tile
      std::vector<std::vector<float>> empty_path, crowded_path;  ///< potentials of eq. 1 by path and disc
    };
    struct Worker {
      FieldSolver solver;
      std::vector<FieldSeed> seeds;
      std::vector<std::int32_t> expected;
      FaceValues cost;
    };
    std::vector<Far> far;                         ///< by set
    std::vector<TileIndex> tiles;                 ///< that fields are solved on
    std::vector<std::uint8_t> is_listed;          ///< among them, by tile
    std::vector<std::uint32_t> part;              ///< which connected part of the tiles that ask for fields, by tile
    std::vector<std::vector<SubGoal>> sub_goals;  ///< by set: twice the flow, and the direction
    std::vector<Share> shares;                    ///< of all sub-goals
    TileDomain domain;
    CrowdField crowd;
    std::vector<float> x, y, vx, vy;  ///< of the people in it
    std::vector<CellIndex> cell;
    std::vector<std::vector<std::uint32_t>> rows_of_set;  ///< of these
    std::vector<std::uint32_t> active;                    ///< sets that somebody follows
    std::vector<Potential> potential;                     ///< by set
    std::vector<Worker> workers;
  };
  bool has_field(TileIndex tile) const;
  bool follows_field(std::uint32_t row) const { return row < set_of_row.size() && set_of_row[row] != 0xffffffffu; }
  void goal_tiles(std::uint32_t set, std::vector<TileIndex>& out) const;
  void find_far_fields();
  void find_parts();
  RegionFields::SubGoal sub_goal_at(std::uint32_t set, TileIndex tile);
  void weigh_paths();
  void find_sub_goals();
  void solve_fields();
  Vec2f down_the_field(std::uint32_t row, Vec2f by_corridor) const;

  // continuum.cpp
  void lay_continuum_tiles();
  ContinuumGoal continuum_goal(std::uint32_t row, const Grid& tiles) const;
  void continuum_tiles(std::uint32_t number, const Grid& tiles, std::vector<TileIndex>& list) const;
  void prepare_continuum();
  FieldInfo describe_set(std::uint32_t model, const ContinuumFields& of, const ContinuumFields::Set& set) const;

  // rules.cpp
  std::vector<std::uint8_t> are_factors_plain;  ///< by profile: all cells cost the same
  void lay_rules_tiles();
  void prepare_rules();

  // field_views.cpp
  /// A field of the last step, wherever it is kept.
  struct FieldView {
    FieldInfo info;
    const TileDomain* domain;
    const CrowdField* crowd;
    const Potential* potential;
  };
  std::vector<FieldView> field_views() const;

  // vehicles.cpp
  struct Vehicle {
    VehicleDef definition;
    std::vector<double> until;  ///< m driven at the end of each leg of its path
    double driven = 0, speed = 0;
    bool is_there = false, is_gone = false;
    GroundBox box;  ///< while it is there
  };
  Result<std::uint32_t> add_vehicle(const VehicleDef& definition);
  GroundBox box_of(const Vehicle& vehicle, double driven) const;
  double room_ahead(const GroundBox& box, double reach) const;
  bool is_clear(const GroundBox& box, const Vehicle& self) const;
  void drive_vehicles();
  DangerZone danger_of(const Vehicle& vehicle) const;
  void add_vehicles(CrowdField& crowd) const;
  Vec2f round_vehicle(std::uint32_t row, const GroundBox& box, Vec2f wanted) const;
  Vec2f out_of_the_way(std::uint32_t row, Vec2f wanted) const;
  Walk keep_beside_vehicles(std::uint32_t row, const Walk& to) const;

  // groups.cpp
  /// What the others need to know of a leader.
  struct LeaderView {
    std::uint32_t row = 0;
    Vec2f place{}, velocity{}, ahead{};
    float speed = 0;  ///< that it wants
    float common_speed = 0;
    bool stands = false;
    Walk way_point{};
  };
  Result<std::uint32_t> add_group(std::span<const AgentId> list);
  void leave_group(Agents& store, std::uint32_t row);
  const Group* find_group(std::uint32_t number) const;
  std::uint32_t row_of_slot(std::uint32_t slot) const { return slots.entries()[slot].row; }
  GroupMember* member_of(std::uint32_t row) {
    return agents.is_in_group(row) ? &groups[agents.band[row]].members[agents.member[row]] : nullptr;
  }
  bool is_follower(std::uint32_t row) const;
  bool leaves_at_goal(std::uint32_t row) const;
  Vec2f between(Vec2f from, Vec2f to) const;
  void share_intent(GroupMember& member, std::uint32_t row, std::uint32_t leader);
  void agree(Group& group);
  float room_beside(const Walk& from, Vec2f left, float aside, float radius) const;
  void walk_beside(const Group& group, std::uint32_t k, const LeaderView& leader, GroupMember& member);
  void walk_together(Group& group);
  void join_flow(std::uint32_t row, std::uint32_t leader);
  void lead_groups();
  void watch_groups();
  Vec2f beside_leader(std::uint32_t row, const GroupMember& member) const;

  // edits.cpp
  Result<EditReport> edit(const Edit& wanted);
  void adopt(const Navigation& version);
  static GraphChange edit_graph(const NavigationEditor& cells, const EditReport& done, std::optional<GraphEditor>& discs,
                                NavigationGraph& now);
  void carry_people_over(const NavigationData& before, const EditReport& done);
  static bool carry_route_over(Route& route, CellIndex cell, const VersionLink* link);
  void take_replans();
  bool has_edits() const { return editor && !editor->edits().empty(); }

  // places.cpp
  bool fits(Vec2 place, std::uint32_t layer, double radius) const;
  bool is_free_of_people(Vec2 place, std::uint32_t layer, double radius);
  std::optional<Vec2> place_in(const GoalArea& area, double radius, std::uint32_t number, std::uint64_t draw) const;
  std::optional<Vec2> free_place_in(const GoalArea& area, double radius, std::uint64_t draw);

  // flows.cpp
  /// A path of a flow as people walk it, in one direction: through the narrow places of the path, by cells between them.
  struct FlowWay {
    struct Stop {
      Vec2 point;
      std::uint32_t layer = 0;
      std::uint32_t disc = 0;          ///< index into the path, behind it
      std::uint32_t first_portal = 0;  ///< of the corridor to the next stop
    };
    std::vector<Stop> stops;
    std::vector<PortalIndex> portals;  ///< from the first stop to the last
    double length = 0;                 ///< m, from the middle of one area to that of the other
  };
  struct WorldFlow {
    std::array<std::uint32_t, 2> area{};
    FlowSettings paths{};
    PathCriterion choice{};
    std::array<Flow, 2> flow;                  ///< from area[0] to area[1], and back
    std::array<std::vector<FlowWay>, 2> ways;  ///< of each of its paths
    std::vector<double> lengths;               ///< of the ways
    std::vector<std::uint64_t> trips;          ///< begun, by path
    std::uint32_t first_path = 0;              ///< paths of all flows are numbered through, for Agents::path
    bool has(std::uint32_t path) const { return path >= first_path && path - first_path < trips.size(); }
  };
  struct FlowLeg {
    std::uint32_t flow = 0xffffffffu;  ///< none
    std::uint32_t direction = 0;       ///< away from area[direction]
  };
  Vec3 place_in_space(Vec2 place, std::uint32_t layer) const;
  Result<std::uint32_t> add_flow(const FlowDef& definition);
  std::array<Vec3, 2> ends_of_flow(std::uint32_t from, std::uint32_t to) const;
  bool find_paths(WorldFlow& flow, PathFinder& search) const;
  void lay_flows_again(const GraphChange* change);
  void take_other_path(Agents& store, std::uint32_t row, const std::vector<WorldFlow>& before,
                       const std::vector<std::vector<std::uint32_t>>& same_path);
  std::uint32_t path_nearest(const WorldFlow& flow, std::uint32_t direction, Vec2 place) const;
  std::optional<FlowWay> way_along(const FlowPath& path, const std::array<Vec3, 2>& ends, PathFinder& finder) const;
  FlowLeg flow_of(const Agents& columns, std::uint32_t row) const;
  FlowLeg flow_of(std::uint32_t row) const { return flow_of(agents, row); }
  DiscIndex disc_of(std::uint32_t row) const;
  void count_crowd();
  void count_crowd_now();
  std::uint32_t path_at(const WorldFlow& flow, std::uint32_t direction, std::uint32_t own, Vec2 place) const;
  std::uint32_t place_on_path(const FlowPath& path, Vec2 place) const;
  struct FlowScratch {
    std::vector<double> lengths;
    std::vector<PullGate> gates;
    std::vector<Vec2> crossings;
    PullScratch pull;
  };
  std::span<const double> own_lengths(const WorldFlow& flow, std::uint32_t direction, Vec2 from, Vec2 to,
                                      FlowScratch& scratch) const;
  bool find_flow_route(std::uint32_t row, PathRequest request, unsigned worker);
  void count_trips();
  void count_trip(std::uint32_t row);
  void leave_flow(std::uint32_t row) {
    if (agents.has_graph) agents.on_flow[row] = 0;
  }
  FlowLoad load(std::uint32_t flow) const;

  // links.cpp
  /// How a link is used.
  struct LinkState {
    GoalArea entry, exit;
    std::uint32_t riders = 0;
    bool is_busy = false;  ///< somebody waits in front of it
  };
  void make_links();
  void ride();
  void alight();
  void board();
  std::uint32_t aboard_row_of(AgentId agent) const;
  void count_riders();
  bool find_link_route(std::uint32_t row, const PathRequest& request, bool is_walkable, unsigned worker);
  bool is_at_link(std::uint32_t row) const;
  bool is_bound_for_link(std::uint32_t row) const { return agents.has_links && agents.link[row] != kNoRide; }
  void forget_link(std::uint32_t row) {
    if (agents.has_links) agents.link[row] = agents.queued_at[row] = kNoRide;
  }

  // snapshot.cpp
  std::string snapshot() const;
  Result<bool> restore(std::string_view bytes);
  Result<bool> restore_people(std::string_view bytes);
  std::uint64_t hash() const;

  // contacts.cpp
  bool are_on_one_ground(std::uint32_t i, std::uint32_t j) const;
  ClosePairs::Counts count_overlaps(const std::vector<float>& x, const std::vector<float>& y);
  bool is_on_ground(Vec2 place, CellIndex cell) const;
  bool penetrates(std::uint32_t row) const;
  double room_at(Vec2 place, std::uint32_t layer, double up_to) const;
  void find_joints();
  std::uint32_t count_wall_penetrations();

  std::uint64_t draw(std::uint32_t row, Draw purpose) {
    return random_bits(settings.seed, agents.number[row], agents.draws[row]++, static_cast<std::uint32_t>(purpose));
  }

  Navigation base;  ///< before all edits
  Navigation navigation;
  std::optional<NavigationGraph> base_graph;  ///< before all edits
  std::optional<NavigationGraph> graph;
  WorldSettings settings;
  Ground ground;
  std::vector<Grade> grades;          ///< by layer; empty on flat ground
  std::optional<ClimbSpeeds> climbs;  ///< where some ground is uneven
  Vec2f on_its_slope(std::uint32_t row, Vec2f wanted) const;
  std::unique_ptr<TaskRunner> tasks;
  std::vector<PathFinder> finders;  ///< one a worker
  std::vector<Path> paths;
  std::vector<std::vector<PortalIndex>> corridors;  ///< of flows, put together

  Agents agents;
  Slots slots;
  LargeTable<Route> routes;  ///< by slot: rows move, slots do not
  std::vector<GoalArea> areas;
  std::vector<Plan> plans;
  std::vector<WorldFlow> flows;
  std::vector<std::uint32_t> people_in_disc;  ///< as of the last full second
  bool are_paths_weighed = false;             ///< by them, for fields
  std::vector<std::uint32_t> bound_for_gate;  ///< as of then, those on flows
  std::vector<std::uint32_t> gate_trips;      ///< of flows, by gate
  std::vector<Vehicle> vehicles;
  std::vector<Group> groups;  ///< by Agents::band
  std::vector<std::uint32_t> free_groups;
  std::uint32_t groups_made = 0;
  std::optional<GroupFinder> group_finder;  ///< once somebody has asked
  std::vector<LinkState> links;
  std::optional<LinkRoutes> link_routes;
  std::vector<LinkRoutes::Scratch> link_scratch;  ///< one a worker
  std::vector<FlowScratch> flow_scratch;          ///< one a worker
  Agents aboard;                                  ///< those who ride: out of the crowd, with all they know
  std::uint64_t steps = 0;
  std::uint32_t next_number = 1;
  std::vector<Event> events;
  std::optional<NavigationEditor> editor;   ///< from the first edit on
  std::optional<GraphEditor> graph_editor;  ///< the same, with a graph
  std::vector<Navigation> retired;          ///< versions that went since the last step
  std::vector<AgentId> replans;             ///< whose corridors an edit has cut, in the order in which they get new ones
  std::uint32_t replans_per_step = 0;
  std::vector<Event> early_events;  ///< of edits since the last step
  StepReport report;
  std::vector<Phase> phases;

  NeighbourGraph neighbours;
  MotionModels models;
  AgentId watched;  ///< null: nobody
  std::optional<Explanation> explanation;
  Separation separation;
  PatchLevels patches;

  // Regions of interest.
  Grid grid;
  std::vector<std::uint64_t> tile_blocks;  ///< which block each tile is in, sorted
  InterestMap interest;
  std::vector<LiveRegion> regions;
  std::vector<Region> paid_regions;              ///< by the budget, as of the last full second
  std::array<std::uint8_t, 3> model_of_level{};  ///< index of a model, or kOwnModel
  RegionFields fields;
  bool are_fields_stale = true;
  std::vector<std::uint32_t> due;  ///< coasting rows that are looked at in this step

  // Memory that steps reuse.
  std::vector<std::uint32_t> rows, order, ids, layers;
  std::vector<std::uint64_t> keys;
  std::vector<Agents::Image> images;
  std::vector<Outcome> outcomes;         ///< by chunk
  std::vector<std::uint8_t> stands_out;  ///< rows whom nobody pushes
  std::vector<Region> region_list;
  std::vector<std::uint8_t> is_high;      ///< by tile
  std::vector<std::uint32_t> set_of_row;  ///< of active rows that follow a field
  std::vector<std::uint8_t> serving;      ///< with levels: the model by which each active row walks in this step
  // What counting contacts keeps from step to step.
  ClosePairs close_pairs;
  WallWatch wall_watch;
  std::vector<std::array<Vec2, 2>> joints;
  PeopleIndex people;

  /// Of the present time, as steps × dt: no rounding adds up.
  double time() const { return static_cast<double>(steps) * settings.dt; }
  std::uint32_t layer_of(std::uint32_t row) const { return data().cells.layer[agents.cell[row]]; }
  bool is_periodic() const { return settings.period_size.x > 0 || settings.period_size.y > 0; }
};

}  // namespace throng
