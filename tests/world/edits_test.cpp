// SPDX-License-Identifier: MIT
// The scene changes while people walk in it: who is concerned gets another way within a second, who stands where an obstacle
// comes is put beside it, and all of it goes into snapshots.
#include <gtest/gtest.h>

#include <cmath>

#include <throng/world.hpp>

#include "base/hash.hpp"
#include "navgraph/nav_graph.hpp"
#include "support/built_cells.hpp"

namespace throng {
namespace {

using namespace throng::testing;

/// Two halls of 20 × 30 m with a wall between, and two doors in it: a near one and one at the far end.
Scene two_halls() {
  Layer layer;
  layer.walkable = {box(0, 0, 40, 30)};
  layer.obstacles = {box(19.8, 3, 20.2, 14), box(19.8, 16, 20.2, 30)};
  Scene scene = scene_of(std::move(layer));
  scene.areas = {{"door", 0, box(19.8, 14, 20.2, 16), 1, {}}, {"far door", 0, box(19.8, 0, 20.2, 3), 1, {}}};
  return scene;
}

Navigation editable(const Scene& scene) {
  Result<Navigation> navigation = Navigation::bake(scene, {.threads = 1, .editable = true});
  EXPECT_TRUE(navigation);
  return *navigation;
}

const Edit kClose{.kind = EditKind::kCloseDoor, .layer = 0, .shape = {}, .obstacle = 0, .door = "door"};
const Edit kOpen{.kind = EditKind::kOpenDoor, .layer = 0, .shape = {}, .obstacle = 0, .door = "door"};

struct HallRun {
  explicit HallRun(const Navigation& navigation, WorldSettings settings = {}, int columns = 10, int rows = 12) {
    settings.count_contacts = true;
    Result<World> made = World::create(navigation, settings);
    EXPECT_TRUE(made);
    world.emplace(std::move(*made));
    const std::uint32_t goal = world->add_area(box(36, 12, 39, 20));
    const std::uint32_t plan = world->add_plan({{{.area = goal}}, PlanEnd::kStay});
    for (int i = 0; i < columns; ++i)
      for (int j = 0; j < rows; ++j) world->add({.position = {2 + 0.7 * i, 9 + 1.0 * j}, .person = {}, .plan = plan});
    before.assign(world->agent_count() + 1, {});
  }
  /// Steps once and counts who crossed the wall's line at either door.
  void step() {
    const auto at = world->columns();
    for (std::uint32_t row = 0; row < world->agent_count(); ++row) before[at.number[row]] = {at.x[row], at.y[row]};
    penetrations += world->step().wall_penetrations;
    const auto now = world->columns();
    for (std::uint32_t row = 0; row < world->agent_count(); ++row) {
      const Vec2 was = before[now.number[row]];
      if ((was.x < 20) == (now.x[row] < 20)) continue;
      ++(was.y > 10 ? near : far);
    }
    for (const Event& e : world->events()) moved += e.kind == EventKind::kMoved;
  }
  void run(double seconds) {
    for (const double until = world->time() + seconds - 1e-9; world->time() < until;) step();
  }
  std::uint32_t beyond() const {
    std::uint32_t count = 0;
    for (const float x : world->columns().x) count += x > 20;
    return count;
  }
  std::optional<World> world;
  std::vector<Vec2> before;
  int near = 0, far = 0, moved = 0;
  std::uint32_t penetrations = 0;
};

TEST(WorldEdits, a_door_that_closes_turns_everybody_round_within_a_second) {
  const Navigation navigation = editable(two_halls());
  HallRun control(navigation), run(navigation);
  for (HallRun* r : {&control, &run}) r->run(12);
  EXPECT_GT(run.near, 5);  // some have come through
  EXPECT_EQ(run.near, control.near);
  EXPECT_EQ(run.far, 0);
  const int through = run.near;
  ASSERT_TRUE(run.world->edit(kClose));
  EXPECT_GT(run.world->replanning(), 50u);
  run.run(1);
  EXPECT_EQ(run.world->replanning(), 0u);
  run.run(89), control.run(90);
  EXPECT_EQ(run.near, through) << "nobody walks through a closed door";
  EXPECT_GT(run.far, 50);
  EXPECT_EQ(run.beyond(), run.world->agent_count());
  // Without the edit everybody takes the near door.
  EXPECT_EQ(control.far, 0);
  EXPECT_EQ(control.near, static_cast<int>(control.world->agent_count()));
  EXPECT_EQ(run.penetrations, 0u);
  EXPECT_EQ(run.world->navigation().report().components, 1u);
}

TEST(WorldEdits, who_walks_by_rules_turns_round_at_a_door_that_closes_too) {
  const Navigation navigation = editable(two_halls());
  WorldSettings settings;
  settings.models = {RulesSettings{}};
  HallRun control(navigation, settings), run(navigation, settings);
  for (HallRun* r : {&control, &run}) r->run(15);
  EXPECT_GT(run.near, 5);
  const int through = run.near;
  ASSERT_TRUE(run.world->edit(kClose));
  run.run(150), control.run(150);
  EXPECT_EQ(run.near, through) << "nobody walks through a closed door";
  EXPECT_EQ(run.far, static_cast<int>(run.world->agent_count()) - through);
  EXPECT_EQ(run.beyond(), run.world->agent_count());
  // Without the edit most go on by the near door; some who are blocked there plan a way round.
  EXPECT_GT(control.near, 3 * control.far);
  EXPECT_EQ(control.beyond(), control.world->agent_count());
  EXPECT_EQ(run.penetrations, 0u);
}

TEST(WorldEdits, a_door_that_opens_again_is_used_again) {
  const Navigation navigation = editable(two_halls());
  HallRun run(navigation), control(navigation);
  for (HallRun* r : {&control, &run}) {
    ASSERT_TRUE(r->world->edit(kClose));
    ASSERT_TRUE(r->world->edit({.kind = EditKind::kCloseDoor, .door = "far door"}));
    r->run(5);
    // Nothing leads there: everybody says so and waits.
    for (const Activity a : r->world->columns().activity) ASSERT_EQ(a, Activity::kLost);
  }
  ASSERT_TRUE(run.world->edit(kOpen));
  run.run(90), control.run(90);
  EXPECT_EQ(run.near, static_cast<int>(run.world->agent_count()));
  EXPECT_EQ(run.far, 0);
  EXPECT_EQ(control.near + control.far, 0);
}

TEST(WorldEdits, others_keep_their_ways) {
  Scene scene = two_halls();
  scene.layers[0].walkable.push_back(box(0, 32, 40, 40));
  const Navigation navigation = editable(scene);
  HallRun run(navigation), control(navigation);
  for (HallRun* r : {&control, &run}) r->run(4);
  // A crate in a room where nobody's way leads.
  ASSERT_TRUE(run.world->edit({.shape = box(10, 35, 12, 36)}));
  EXPECT_EQ(run.world->replanning(), 0u);
  for (HallRun* r : {&control, &run}) r->run(60);
  for (std::uint32_t row = 0; row < run.world->agent_count(); ++row) {
    EXPECT_EQ(run.world->columns().x[row], control.world->columns().x[row]);
    EXPECT_EQ(run.world->columns().y[row], control.world->columns().y[row]);
  }
  EXPECT_EQ(run.far, 0);
}

TEST(WorldEdits, whoever_stands_where_an_obstacle_comes_is_put_beside_it_and_reported) {
  const Navigation navigation = editable(two_halls());
  HallRun run(navigation);
  run.run(1);
  const auto columns = run.world->columns();
  const Polygon crate = box(4, 12, 7, 15);
  int concerned = 0;
  for (std::uint32_t row = 0; row < run.world->agent_count(); ++row)
    concerned += columns.x[row] > 3.8 && columns.x[row] < 7.2 && columns.y[row] > 11.8 && columns.y[row] < 15.2;
  ASSERT_GT(concerned, 5);
  ASSERT_TRUE(run.world->edit({.shape = crate}));
  for (std::uint32_t row = 0; row < run.world->agent_count(); ++row) {
    const Vec2 at{run.world->columns().x[row], run.world->columns().y[row]};
    const double beside = std::max({4 - at.x, at.x - 7, 12 - at.y, at.y - 15});
    EXPECT_GT(beside, 0.19) << at.x << ", " << at.y;
  }
  run.step();
  EXPECT_GE(run.moved, concerned - 4);  // those at the corners' rims may have had room
  EXPECT_LE(run.moved, concerned);
  run.run(90);
  EXPECT_EQ(run.beyond(), run.world->agent_count());
}

TEST(WorldEdits, a_goal_under_a_new_obstacle_moves_to_its_rim) {
  const Navigation navigation = editable(two_halls());
  Result<World> world = World::create(navigation);
  const AgentId anna = world->add({.position = {30, 20}});
  ASSERT_TRUE(world->set_goal(anna, {35, 20}));
  for (int i = 0; i < 10; ++i) world->step();
  ASSERT_TRUE(world->edit({.shape = box(34, 18, 36, 22)}));
  for (int i = 0; i < 100; ++i) world->step();
  EXPECT_EQ(world->activity(anna), Activity::kStaying);
  EXPECT_NEAR(world->position(anna).x, 33.7, 0.6);
}

TEST(WorldEdits, a_bad_edit_changes_nothing) {
  const Navigation navigation = editable(two_halls());
  HallRun run(navigation);
  run.run(2);
  const std::uint64_t before = run.world->hash();
  const std::string bytes = run.world->snapshot();
  EXPECT_FALSE(run.world->edit({.shape = box(100, 100, 101, 101)}));
  EXPECT_FALSE(run.world->edit({.kind = EditKind::kRemoveObstacle, .obstacle = 77}));
  EXPECT_EQ(run.world->hash(), before);
  EXPECT_EQ(run.world->snapshot(), bytes);
  EXPECT_TRUE(run.world->edits().empty());
  const Result<Navigation> plain = Navigation::bake(two_halls(), {.threads = 1});
  HallRun other(*plain);
  const Result<EditReport> refused = other.world->edit(kClose);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.problems()[0].fix.find("editable"), std::string::npos);
}

/// Some edits in the course of a run.
void run_with_edits(HallRun& run, int from, int to) {
  for (int i = from; i < to; ++i) {
    if (i == 40) ASSERT_TRUE(run.world->edit(kClose));
    if (i == 60) ASSERT_TRUE(run.world->edit({.shape = box(10, 5, 12, 9)}));
    if (i == 90) ASSERT_TRUE(run.world->edit(kOpen));
    if (i == 120) ASSERT_TRUE(run.world->edit({.kind = EditKind::kRemoveObstacle, .obstacle = 0}));
    run.step();
  }
}

TEST(WorldEdits, the_same_bits_at_any_number_of_threads_and_after_any_restore) {
  const Navigation navigation = editable(two_halls());
  std::uint64_t expected = 0;
  for (const unsigned threads : {1u, 2u, 4u, 8u}) {
    WorldSettings settings;
    settings.threads = threads;
    HallRun run(navigation, settings);
    run_with_edits(run, 0, 160);
    if (expected == 0) expected = run.world->hash();
    EXPECT_EQ(run.world->hash(), expected) << threads;
  }
  HallRun plain(navigation);
  for (int i = 0; i < 160; ++i) plain.step();
  EXPECT_NE(plain.world->hash(), expected);
  // Between any two edits, and in the second after one, into a new world and into one that has gone on.
  for (const int at : {20, 41, 43, 70, 91, 130}) {
    HallRun run(navigation);
    run_with_edits(run, 0, at);
    const std::string bytes = run.world->snapshot();
    run_with_edits(run, at, 160);
    ASSERT_TRUE(run.world->restore(bytes));
    EXPECT_EQ(run.world->snapshot(), bytes);
    run_with_edits(run, at, 160);
    EXPECT_EQ(run.world->hash(), expected) << at;
    HallRun other(navigation);
    ASSERT_TRUE(other.world->restore(bytes)) << at;
    run_with_edits(other, at, 160);
    EXPECT_EQ(other.world->hash(), expected) << at;
  }
}

TEST(WorldEdits, a_damaged_snapshot_of_an_edited_world_leaves_it_as_it_was) {
  const Navigation navigation = editable(two_halls());
  HallRun run(navigation);
  run_with_edits(run, 0, 70);
  const std::string bytes = run.world->snapshot();
  HallRun other(navigation);
  other.run(1);
  const std::string before = other.world->snapshot();
  for (std::size_t cut = 8; cut < bytes.size(); cut += bytes.size() / 60) {
    std::string broken = bytes.substr(0, cut);
    EXPECT_FALSE(other.world->restore(broken));
    broken = bytes;
    broken[cut] = static_cast<char>(broken[cut] ^ 0x5a);
    EXPECT_FALSE(other.world->restore(broken));
  }
  EXPECT_EQ(other.world->snapshot(), before);
}

TEST(WorldEdits, levels_of_simulation_and_regions_of_interest_go_on) {
  const Navigation navigation = editable(two_halls());
  for (const bool by_regions : {false, true}) {
    WorldSettings settings;
    if (by_regions) {
      settings.interest.enabled = true;
      settings.interest.regions = {{.centre = {5, 15}, .radius = 6, .level = 0}, {.centre = {30, 15}, .radius = 6, .level = 1}};
    } else {
      settings.detail.enabled = true;
      settings.detail.viewpoint = Viewpoint{.position = {2, 15}, .direction = {1, 0}, .field_of_view = 1, .distance = 12};
    }
    std::uint64_t expected = 0;
    for (const unsigned threads : {1u, 4u}) {
      settings.threads = threads;
      HallRun run(navigation, settings);
      run.run(12);
      EXPECT_GT(run.near, 0);
      const int through = run.near;
      ASSERT_TRUE(run.world->edit(kClose));
      run.run(100);
      EXPECT_EQ(run.near, through) << by_regions;
      EXPECT_EQ(run.beyond(), run.world->agent_count()) << by_regions;
      if (expected == 0) expected = run.world->hash();
      EXPECT_EQ(run.world->hash(), expected);
    }
  }
}

/// People to and fro between the halls, spread over the paths of a flow.
struct FlowRun {
  explicit FlowRun(const Scene& scene, const Navigation& navigation, const NavigationGraph& graph, WorldSettings settings = {}) {
    settings.dt = 0.05;
    Result<World> made = World::create(navigation, graph, settings);
    EXPECT_TRUE(made);
    world.emplace(std::move(*made));
    const std::uint32_t west = world->add_area(box(1, 12, 3, 18)), east = world->add_area(box(37, 12, 39, 18));
    const auto added = world->add_flow({.from = west, .to = east, .paths = {}, .choice = PathCriterion::kTravelTime});
    EXPECT_TRUE(added);
    const std::uint32_t plan =
        world->add_plan({{{.area = east, .flow = *added}, {.area = west, .flow = *added}}, PlanEnd::kLoop});
    for (int i = 0; i < 40; ++i) world->add({.position = {2 + 0.5 * (i % 8), 12 + 1.0 * (i / 8)}, .person = {}, .plan = plan});
    before.assign(world->agent_count() + 1, {});
    door = scene.areas[0].shape;
  }
  void run(double seconds) {
    near = far = 0;
    for (const double until = world->time() + seconds - 1e-9; world->time() < until;) {
      const auto at = world->columns();
      for (std::uint32_t row = 0; row < world->agent_count(); ++row) before[at.number[row]] = {at.x[row], at.y[row]};
      penetrations += world->step().wall_penetrations;
      const auto now = world->columns();
      for (std::uint32_t row = 0; row < world->agent_count(); ++row) {
        const Vec2 was = before[now.number[row]];
        if ((was.x < 20) != (now.x[row] < 20)) ++(was.y > 10 ? near : far);
      }
    }
  }
  /// How many paths lead through the near door.
  int paths_through_door() const {
    int count = 0;
    for (const FlowPath& path : world->flow(0).paths) {
      bool is_through = false;
      for (std::size_t i = 0; i + 1 < path.discs.size(); ++i) {
        const Vec3 a = world->graph()->data().centre[path.discs[i]], b = world->graph()->data().centre[path.discs[i + 1]];
        is_through = is_through || ((a.x < 20) != (b.x < 20) && a.y > 10);
      }
      count += is_through;
    }
    return count;
  }
  /// All ids that the flow names are there, and so are the paths that people are on.
  void expect_sound() const {
    const NavGraph& discs = world->graph()->data();
    for (const FlowPath& path : world->flow(0).paths) {
      ASSERT_EQ(path.gates.size() + 1, path.discs.size());
      for (const DiscIndex d : path.discs) EXPECT_TRUE(d < discs.disc_count() && discs.is_there(d));
      for (std::size_t i = 0; i < path.gates.size(); ++i) {
        ASSERT_LT(path.gates[i], discs.gates.size());
        EXPECT_EQ(discs.gates[path.gates[i]].other(path.discs[i]), path.discs[i + 1]);
      }
    }
    EXPECT_EQ(world->gate_trips().size(), discs.gates.size());
    const FlowLoad load = world->load(0);
    EXPECT_EQ(load.trips.size(), world->flow(0).paths.size());
    std::uint32_t walkers = 0;
    for (const std::uint32_t on : load.walkers) walkers += on;
    EXPECT_LE(walkers, world->agent_count());
  }
  std::optional<World> world;
  std::vector<Vec2> before;
  Polygon door;
  int near = 0, far = 0;
  std::uint32_t penetrations = 0;
};

NavigationGraph graph_of(const Scene& scene) {
  Result<NavigationGraph> graph = NavigationGraph::bake(scene, {.editable = true, .threads = 1});
  EXPECT_TRUE(graph);
  return *graph;
}

TEST(WorldEdits, flows_leave_a_door_that_closes_and_use_it_again_when_it_opens) {
  const Scene scene = two_halls();
  const Navigation navigation = editable(scene);
  const NavigationGraph graph = graph_of(scene);
  FlowRun run(scene, navigation, graph), control(scene, navigation, graph);
  for (FlowRun* r : {&run, &control}) {
    r->run(15);
    EXPECT_GT(r->near, 10);
    EXPECT_GT(r->paths_through_door(), 0);
  }
  ASSERT_TRUE(run.world->edit(kClose));
  run.expect_sound();
  EXPECT_EQ(run.paths_through_door(), 0);
  EXPECT_GT(run.world->flow(0).paths.size(), 0u);
  EXPECT_GT(run.world->replanning(), 5u);
  run.run(1);
  EXPECT_EQ(run.world->replanning(), 0u);
  EXPECT_EQ(run.near, 0);
  std::uint32_t on_paths = 0;
  for (const std::uint32_t on : run.world->load(0).walkers) on_paths += on;
  EXPECT_GT(on_paths, 25u) << "whose path is gone is on another, not on none";
  run.run(59), control.run(60);
  EXPECT_EQ(run.near, 0) << "nobody walks through a closed door";
  EXPECT_GT(run.far, 30);
  EXPECT_GT(control.near, control.far);
  ASSERT_TRUE(run.world->edit(kOpen));
  run.expect_sound();
  EXPECT_GT(run.paths_through_door(), 0);
  run.run(60), control.run(60);
  EXPECT_GT(run.near, 30);
  EXPECT_GT(2 * run.near, control.near);
  EXPECT_EQ(run.penetrations + control.penetrations, 0u);
}

TEST(WorldEdits, a_flow_that_no_path_is_left_for_finds_one_again) {
  const Scene scene = two_halls();
  const Navigation navigation = editable(scene);
  FlowRun run(scene, navigation, graph_of(scene));
  run.run(10);
  ASSERT_TRUE(run.world->edit(kClose));
  ASSERT_TRUE(run.world->edit({.kind = EditKind::kCloseDoor, .door = "far door"}));
  EXPECT_TRUE(run.world->flow(0).paths.empty());
  run.expect_sound();
  run.run(20);
  EXPECT_EQ(run.near + run.far, 0);
  ASSERT_TRUE(run.world->edit(kOpen));
  run.expect_sound();
  run.run(60);
  EXPECT_GT(run.near, 30);
}

TEST(WorldEdits, an_edit_far_from_a_path_leaves_it_and_who_is_on_it_alone) {
  Scene scene = two_halls();
  scene.layers[0].walkable.push_back(box(0, 32, 40, 40));
  const Navigation navigation = editable(scene);
  const NavigationGraph graph = graph_of(scene);
  FlowRun run(scene, navigation, graph), control(scene, navigation, graph);
  for (FlowRun* r : {&run, &control}) r->run(20);
  const auto discs = [](const FlowRun& r) {
    std::vector<std::vector<DiscIndex>> all;
    for (const FlowPath& path : r.world->flow(0).paths) all.push_back(path.discs);
    return all;
  };
  const auto trips = run.world->load(0).trips;
  const auto walkers = run.world->load(0).walkers;
  ASSERT_TRUE(run.world->edit({.shape = box(10, 35, 12, 36)}));
  EXPECT_EQ(discs(run), discs(control));
  EXPECT_EQ(run.world->load(0).trips, trips);
  EXPECT_EQ(run.world->load(0).walkers, walkers);
  for (FlowRun* r : {&run, &control}) r->run(20);
  for (std::uint32_t row = 0; row < run.world->agent_count(); ++row)
    EXPECT_EQ(run.world->columns().x[row], control.world->columns().x[row]);
}

TEST(WorldEdits, flows_and_discs_have_the_same_bits_at_any_number_of_threads_and_after_any_restore) {
  const Scene scene = two_halls();
  const Navigation navigation = editable(scene);
  const NavigationGraph graph = graph_of(scene);
  const std::vector<std::pair<int, Edit>> edits = {
      {40, kClose},
      {90, {.shape = box(28, 10, 31, 19)}},
      {150, kOpen},
      {190, {.kind = EditKind::kMoveObstacle, .shape = box(8, 13, 10, 16), .obstacle = 3}},
      {240, {.kind = EditKind::kRemoveObstacle, .obstacle = 3}}};
  const auto go = [&](FlowRun& run, int from, int to) {
    for (int step = from; step < to; ++step) {
      for (const auto& [at, edit] : edits)
        if (at == step) ASSERT_TRUE(run.world->edit(edit)) << at;
      run.world->step();
      if (step % 25 == 0) run.expect_sound();
    }
  };
  for (const bool by_discs : {false, true}) {
    const auto settings = [&](unsigned threads) {
      WorldSettings s;
      s.threads = threads;
      s.detail.enabled = by_discs;
      s.detail.patch = Patch::kDisc;
      s.detail.viewpoint = Viewpoint{.position = {30, 15}, .direction = {1, 0}, .field_of_view = 1.5, .distance = 30};
      return s;
    };
    constexpr int kSteps = 320;
    std::uint64_t expected = 0;
    std::vector<std::uint64_t> trips;
    for (const unsigned threads : {1u, 2u, 4u}) {
      FlowRun run(scene, navigation, graph, settings(threads));
      go(run, 0, kSteps);
      if (expected == 0) expected = run.world->hash(), trips = run.world->load(0).trips;
      EXPECT_EQ(run.world->hash(), expected) << threads;
    }
    for (const int at : {30, 41, 100, 160, 230, 260}) {
      FlowRun run(scene, navigation, graph, settings(1));
      go(run, 0, at);
      const std::string bytes = run.world->snapshot();
      go(run, at, kSteps);
      ASSERT_TRUE(run.world->restore(bytes));
      EXPECT_EQ(run.world->snapshot(), bytes);
      FlowRun other(scene, navigation, graph, settings(2));
      ASSERT_TRUE(other.world->restore(bytes)) << at;
      for (FlowRun* r : {&run, &other}) {
        go(*r, at, kSteps);
        EXPECT_EQ(r->world->hash(), expected) << at;
        EXPECT_EQ(r->world->load(0).trips, trips);
      }
      // A snapshot that fails at its end leaves discs and flows as they were.
      std::string broken = bytes.substr(0, bytes.size() - 8);
      broken.pop_back();
      const std::string before = run.world->snapshot();
      const std::uint64_t sum = hash_of(std::string_view(broken));
      broken.append(reinterpret_cast<const char*>(&sum), sizeof sum);
      EXPECT_FALSE(run.world->restore(broken));
      EXPECT_EQ(run.world->snapshot(), before);
      run.expect_sound();
    }
  }
}

TEST(WorldEdits, a_bad_edit_leaves_discs_and_flows_alone) {
  const Scene scene = two_halls();
  const Navigation navigation = editable(scene);
  FlowRun run(scene, navigation, graph_of(scene));
  run.run(3);
  const NavGraph* discs = &run.world->graph()->data();
  const std::string before = run.world->snapshot();
  EXPECT_FALSE(run.world->edit({.kind = EditKind::kCloseDoor, .door = "no such door"}));
  EXPECT_FALSE(run.world->edit({.shape = {{{1, 1}, {2, 2}}, {}}}));
  EXPECT_FALSE(run.world->edit({.shape = box(-1, -1, 41, 31)})) << "no ground would be left";
  EXPECT_EQ(&run.world->graph()->data(), discs);
  EXPECT_EQ(run.world->snapshot(), before);
}

}  // namespace
}  // namespace throng
