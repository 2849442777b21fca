// SPDX-License-Identifier: MIT
// A navigation graph after edits: whatever a fresh bake of the scene as it is promises is true of it, too. Walls are measured to
// by brute force, reach is compared with the cells, and both with what a fresh bake comes to.
#include <gtest/gtest.h>

#include <set>

#include "geometry/polygon.hpp"
#include "graph_fixture.hpp"
#include "navgraph/graph_editor.hpp"
#include "navigation/graph_ground.hpp"
#include "scene/city.hpp"
#include "scene/layer_mesh.hpp"
#include "scene/office.hpp"
#include "support/built_cells.hpp"
#include "support/layered_scenes.hpp"
#include "support/random_edits.hpp"

namespace throng {
namespace {

using namespace throng::testing;

const GraphSettings kGraph{.threads = 1};

/// A scene, its cells and its discs, edited together as a world does it.
struct Edited {
  explicit Edited(const Scene& scene, const GraphSettings& settings = {.editable = true, .threads = 1})
      : editor(std::move(*NavigationEditor::create(*Navigation::bake(scene, {.threads = 1, .editable = true})))),
        graph(*NavigationGraph::bake(scene, settings)),
        discs(graph) {}

  bool apply(const Edit& edit) {
    const void* before = &editor.navigation().data();
    report = EditReport{};
    const Result<EditReport> done = editor.apply(edit);
    if (!done) return false;
    report = *done;
    if (&editor.navigation().data() == before) return true;
    const std::vector<double> radius = graph.data().radius;
    const std::vector<Vec3> centre = graph.data().centre;
    const std::vector<Gate> gates = graph.data().gates;
    const bool has_sight = graph.data().sight.range > 0;
    const Mesh mesh = has_sight ? *mesh_of_layers(editor.scene()) : Mesh{};
    change = discs.apply(graph, report.boxes, GraphGround(editor.navigation().data()), has_sight ? &mesh : nullptr);
    // Who stays is what it was, under its number.
    const NavGraph& g = graph.data();
    for (DiscIndex d = 0; d < radius.size(); ++d) {
      if (change.is_dropped[d] != 0 || radius[d] < 0) continue;
      EXPECT_EQ(g.radius[d], radius[d]);
      EXPECT_EQ(g.centre[d].x, centre[d].x);
      EXPECT_EQ(g.centre[d].y, centre[d].y);
    }
    for (GateIndex i = 0; i < gates.size(); ++i) {
      const bool stays = change.is_dropped[gates[i].disc[0]] == 0 && change.is_dropped[gates[i].disc[1]] == 0;
      EXPECT_EQ(change.new_gate[i] != kNoGate, stays);
      if (stays) EXPECT_EQ(g.gates[change.new_gate[i]].disc, gates[i].disc);
    }
    return true;
  }

  NavigationEditor editor;
  NavigationGraph graph;
  GraphEditor discs;
  EditReport report;
  GraphChange change;
};

/// The outlines of a flat scene.
struct Outlines {
  explicit Outlines(const Scene& scene) : layer(scene.layers[0]) {
    const auto add = [&](const Polygon& p) {
      for (std::size_t i = 0; i < p.outer.size(); ++i) lines.push_back({p.outer[i], p.outer[(i + 1) % p.outer.size()]});
      for (const Ring& hole : p.holes)
        for (std::size_t i = 0; i < hole.size(); ++i) lines.push_back({hole[i], hole[(i + 1) % hole.size()]});
    };
    for (const Polygon& p : layer.walkable) add(p);
    for (const Polygon& p : layer.obstacles) add(p);
    for (const Segment& wall : layer.walls) lines.push_back(wall);
  }
  double clearance(Vec2 p) const {
    double least = 1e300;
    for (const Segment& l : lines) {
      const Vec2 along = l.b - l.a;
      const double t = std::clamp(dot(p - l.a, along) / dot(along, along), 0.0, 1.0);
      least = std::min(least, distance(p, l.a + t * along));
    }
    return least;
  }
  bool is_free(Vec2 p) const {
    const auto inside = [&](const Polygon& polygon) { return throng::contains(polygon.outer, p); };
    return std::any_of(layer.walkable.begin(), layer.walkable.end(), inside) &&
           std::none_of(layer.obstacles.begin(), layer.obstacles.end(), inside);
  }
  Layer layer;
  std::vector<Segment> lines;
};

/// The worst disc: by how much a body in it would reach into a wall.
double deepest(const NavGraph& g, const Outlines& walls) {
  double worst = 0;
  for (DiscIndex d = 0; d < g.disc_count(); ++d) {
    if (!g.is_there(d)) continue;
    EXPECT_TRUE(walls.is_free(plan_of(g.centre[d]))) << g.centre[d].x << ", " << g.centre[d].y;
    worst = std::max(worst, g.radius[d] + g.body_radius - walls.clearance(plan_of(g.centre[d])));
  }
  return worst;
}

/// What must be true of the arrays of any graph, whatever the ground.
void expect_whole(const NavGraph& g) {
  const Surface& s = g.surface;
  const auto feasible = [&](NodeIndex n) { return g.is_feasible(n); };
  for (NodeIndex n = 0; n < s.node_count(); ++n) {
    EXPECT_GE(n, s.column_start[s.column[n]]);
    EXPECT_LT(n, s.column_start[s.column[n] + 1]);
    EXPECT_EQ(g.owner[n] != kNoDisc, feasible(n)) << n;
    if (g.owner[n] != kNoDisc) EXPECT_TRUE(g.is_there(g.owner[n]));
    for (int d = 0; d < 8; ++d)
      if (const NodeIndex other = s.neighbour(n, d); other != kNoNode) {
        EXPECT_GE(g.clearance[other], 0) << "a link to ground that is gone";
        EXPECT_EQ(s.neighbour(other, d ^ 4), n) << "links are mutual";
      }
  }
  const auto [component, count] = node_components(s, feasible);
  EXPECT_EQ(count, g.component_count);
  std::vector<std::uint32_t> of_graph(g.component_count, kNoNode);
  for (DiscIndex d = 0; d < g.disc_count(); ++d) {
    if (!g.is_there(d)) {
      EXPECT_TRUE(g.gates_of(d).empty());
      continue;
    }
    ASSERT_LT(g.component[d], g.component_count);
    std::uint32_t& expected = of_graph[g.component[d]];
    if (expected == kNoNode) expected = component[g.centre_node[d]];
    EXPECT_EQ(component[g.centre_node[d]], expected);
    EXPECT_EQ(s.position(g.centre_node[d]).x, g.centre[d].x);
  }
  for (NodeIndex n = 0; n < s.node_count(); ++n)
    if (feasible(n)) EXPECT_EQ(component[g.centre_node[g.owner[n]]], component[n]);
  for (GateIndex i = 0; i < g.gates.size(); ++i) {
    const Gate& gate = g.gates[i];
    ASSERT_TRUE(g.is_there(gate.disc[0]) && g.is_there(gate.disc[1]));
    EXPECT_LT(gate.disc[0], gate.disc[1]);
    EXPECT_EQ(g.gate_between(gate.disc[0], gate.disc[1]), i);
    EXPECT_EQ(g.gate_between(gate.disc[1], gate.disc[0]), i);
    EXPECT_NEAR(gate.cost, distance(g.centre[gate.disc[0]], g.centre[gate.disc[1]]), 1e-6);
    // Ends lie in both discs, but for those of chains, whose discs may be apart.
    const double apart = distance(plan_of(g.centre[gate.disc[0]]), plan_of(g.centre[gate.disc[1]]));
    if (apart < g.radius[gate.disc[0]] + g.radius[gate.disc[1]] && gate.width() > 0.05)
      for (const Vec3& end : gate.end)
        for (const DiscIndex d : gate.disc) EXPECT_GE(g.depth(d, plan_of(end)), -1e-6);
  }
}

struct Reach {
  int same = 0, apart = 0;
};
/// Random pairs: are they joined by discs where they are by cells?
Reach compare_reach(const NavigationGraph& graph, const Navigation& cells, std::uint64_t seed, int pairs) {
  Reach reach;
  RandomStream random(seed, 5, 5);
  PathFinder finder(cells);
  Path path;
  const double body = graph.data().body_radius;
  for (int i = 0; i < pairs; ++i) {
    PathRequest request{.radius = body};
    WalkablePlace ends[2];
    std::optional<DiscIndex> disc[2];
    bool fits = true;
    for (int e = 0; e < 2; ++e) {
      ends[e] = cells.random_walkable(random.unit(), random.unit());
      fits = fits && cells.data().locator.clearance(ends[e].point, ends[e].layer, 1) > body + 0.1;
      const Vec3 at{ends[e].point.x, ends[e].point.y, cells.elevation(ends[e].point, ends[e].layer)};
      disc[e] = graph.disc_at(at);
    }
    if (!fits) continue;
    if (!disc[0] || !disc[1]) {
      ++reach.apart;
      continue;
    }
    request.from = ends[0].point, request.from_layer = ends[0].layer;
    request.to = ends[1].point, request.to_layer = ends[1].layer;
    const bool by_cells = finder.find_pulled(request, path) == PathStatus::kFound;
    const bool by_discs = graph.data().component[*disc[0]] == graph.data().component[*disc[1]];
    ++(by_cells == by_discs ? reach.same : reach.apart);
  }
  return reach;
}

/// The share of free places, drawn at random, that are inside a disc.
double share_covered(const NavGraph& g, const Navigation& cells, std::uint64_t seed, int places) {
  RandomStream random(seed, 6, 6);
  int asked = 0, inside = 0;
  for (int i = 0; i < places; ++i) {
    const WalkablePlace at = cells.random_walkable(random.unit(), random.unit());
    if (cells.data().locator.clearance(at.point, at.layer, 1) < g.body_radius) continue;
    ++asked;
    const double z = cells.elevation(at.point, at.layer);
    for (DiscIndex d = 0; d < g.disc_count(); ++d)
      if (g.is_there(d) && g.depth(d, at.point) > 0 && std::abs(g.centre[d].z - z) < 1.5) {
        ++inside;
        break;
      }
  }
  return asked == 0 ? 1 : static_cast<double>(inside) / asked;
}

/// All of it, beside a fresh bake of the scene as it is.
void expect_like_fresh(Edited& edited, std::uint64_t seed, Reach& ours, Reach& theirs) {
  const Scene now = edited.editor.scene();
  const Result<NavigationGraph> fresh = NavigationGraph::bake(now, kGraph);
  ASSERT_TRUE(fresh);
  const NavGraph &g = edited.graph.data(), &f = fresh->data();
  expect_whole(g);
  if (now.layers.size() == 1) {
    const Outlines walls(now);
    EXPECT_LE(deepest(g, walls), std::max(0.03, deepest(f, walls)));
    // Samples are where those of the bake are: nobody has more room than there really is, or much less.
    for (NodeIndex n = 0; n < g.surface.node_count(); ++n)
      if (g.clearance[n] >= 0) EXPECT_NEAR(g.clearance[n], walls.clearance(g.surface.position(n)), 0.06);
  }
  const GraphReport &mine = edited.graph.report(), &its = fresh->report();
  EXPECT_GE(mine.covered, its.covered - 0.01);
  EXPECT_NEAR(mine.feasible_area, its.feasible_area, 0.01 * its.feasible_area + 2.5);
  EXPECT_LT(mine.discs, 1.5 * its.discs + 10) << "discs pile up";
  EXPECT_GE(share_covered(g, edited.editor.navigation(), seed, 400),
            share_covered(f, edited.editor.navigation(), seed, 400) - 0.03);
  const Reach a = compare_reach(edited.graph, edited.editor.navigation(), seed, 60),
              b = compare_reach(*fresh, edited.editor.navigation(), seed, 60);
  ours.same += a.same, ours.apart += a.apart;
  theirs.same += b.same, theirs.apart += b.apart;
}

void run_edits(const Scene& scene, RandomEdits edits, int count, std::uint64_t seed, int* done = nullptr) {
  Edited edited(scene);
  Reach ours, theirs;
  std::uint32_t dropped = 0, made = 0;
  int applied = 0;
  for (int i = 0; i < count && !::testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("edit " + std::to_string(i));
    const Edit edit = edits.next();
    const std::uint64_t before = hash_of(edited.graph.data());
    if (!edited.apply(edit)) {
      EXPECT_EQ(hash_of(edited.graph.data()), before);
      continue;
    }
    ++applied;
    edits.done(edit, edited.report);
    dropped += edited.change.dropped, made += edited.change.made;
    expect_like_fresh(edited, seed + static_cast<std::uint64_t>(i), ours, theirs);
  }
  EXPECT_GT(dropped, 0u);
  EXPECT_GT(made, 0u);
  EXPECT_LE(ours.apart, theirs.apart + 2 + (ours.same + ours.apart) / 500);
  EXPECT_GT(ours.same, 0);
  if (done != nullptr) *done = applied;
}

TEST(GraphEdits, discs_on_a_square_are_as_good_as_those_of_a_fresh_bake_after_any_edit) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Scene scene = random_scene(seed, 30, 6);
    int done = 0;
    run_edits(scene, RandomEdits(seed, 30, scene.layers[0].obstacles.size()), 40, seed, &done);
    EXPECT_GT(done, 30);
  }
}

TEST(GraphEdits, discs_of_an_office_are_as_good_as_those_of_a_fresh_bake_after_any_edit) {
  // Furniture comes and goes, and moves from room to room.
  const Scene scene = make_office(12, 3);
  Edited edited(scene);
  Reach ours, theirs;
  RandomStream random(7, 7, 7);
  std::vector<std::uint32_t> there;
  for (int i = 0; i < 30 && !HasFailure(); ++i) {
    SCOPED_TRACE("edit " + std::to_string(i));
    const Vec2 at = edited.editor.navigation().random_walkable(random.unit(), random.unit()).point;
    Edit edit;
    edit.shape = {random_convex(random, at, random.between(0.2, 1.2)), {}};
    if (!there.empty() && random.chance(0.6)) {
      const auto which = static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(there.size()) - 1));
      edit.kind = random.chance(0.5) ? EditKind::kMoveObstacle : EditKind::kRemoveObstacle;
      edit.obstacle = there[which];
      if (edit.kind == EditKind::kRemoveObstacle) there.erase(there.begin() + static_cast<std::ptrdiff_t>(which));
    }
    ASSERT_TRUE(edited.apply(edit));
    if (edit.kind == EditKind::kAddObstacle) there.push_back(edited.report.obstacle);
    expect_like_fresh(edited, static_cast<std::uint64_t>(i), ours, theirs);
  }
  EXPECT_LE(ours.apart, theirs.apart + 3);
  EXPECT_GT(ours.same, 500);
}

TEST(GraphEdits, discs_of_a_town_are_as_good_as_those_of_a_fresh_bake_after_any_edit) {
  const Scene scene = make_city(12);
  run_edits(scene, RandomEdits(9, 60, scene.layers[0].obstacles.size()), 12, 90);
}

TEST(GraphEdits, discs_of_joined_layers_are_as_good_as_those_of_a_fresh_bake_after_any_edit) {
  run_edits(cut_hall(), RandomEdits(3, 14, 0, 3), 25, 30);
  // Under a bridge and on it: the other storey is not concerned.
  Edited edited(bridge());
  Reach ours, theirs;
  const auto upstairs = [&] {
    std::set<std::pair<double, double>> discs;
    const NavGraph& g = edited.graph.data();
    for (DiscIndex d = 0; d < g.disc_count(); ++d)
      if (g.is_there(d) && g.centre[d].z > 3.5) discs.insert({g.centre[d].x, g.centre[d].y});
    return discs;
  };
  const auto before = upstairs();
  ASSERT_TRUE(edited.apply({.layer = 0, .shape = box(1, -1, 4, 1)}));
  EXPECT_GT(edited.change.dropped, 0u);
  EXPECT_EQ(upstairs(), before);
  expect_like_fresh(edited, 1, ours, theirs);
  ASSERT_TRUE(edited.apply({.layer = 1, .shape = box(1, -1, 4, 1)}));
  EXPECT_NE(upstairs(), before);
  expect_like_fresh(edited, 2, ours, theirs);
  ASSERT_TRUE(edited.apply({.kind = EditKind::kRemoveObstacle, .obstacle = edited.report.obstacle}));
  expect_like_fresh(edited, 3, ours, theirs);
  EXPECT_LE(ours.apart, theirs.apart);
}

TEST(GraphEdits, a_door_that_closes_and_opens_parts_the_discs_and_joins_them_again) {
  Layer layer;
  layer.walkable = {box(0, 0, 40, 30)};
  layer.obstacles = {box(19.8, 0, 20.2, 14), box(19.8, 16, 20.2, 30)};
  Scene scene = scene_of(std::move(layer));
  scene.areas = {{"door", 0, box(19.8, 14, 20.2, 16), 1, {}}};
  Edited edited(scene);
  const std::uint32_t discs = edited.graph.report().discs;
  EXPECT_EQ(edited.graph.report().components, 1u);
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(edited.apply({.kind = EditKind::kCloseDoor, .door = "door"}));
    EXPECT_EQ(edited.graph.report().components, 2u);
    EXPECT_FALSE(edited.graph.path({10, 15, 0}, {30, 15, 0})->found);
    ASSERT_TRUE(edited.apply({.kind = EditKind::kOpenDoor, .door = "door"}));
    EXPECT_EQ(edited.graph.report().components, 1u);
    EXPECT_TRUE(edited.graph.path({10, 15, 0}, {30, 15, 0})->found);
  }
  EXPECT_LE(edited.graph.report().discs, discs + 5) << "a door that has moved ten times leaves no rubbish";
}

TEST(GraphEdits, ground_under_an_obstacle_of_the_bake_gets_discs_when_it_goes) {
  // Also beyond the grid of the bake, to either side: the obstacle covers the border of the ground.
  for (const bool is_west : {false, true}) {
    Layer layer;
    layer.walkable = {box(0, 0, 60, 20)};
    layer.obstacles = {is_west ? box(-1, -1, 30, 21) : box(30, -1, 61, 21)};
    Edited edited(scene_of(std::move(layer)));
    EXPECT_FALSE(edited.graph.disc_at({is_west ? 10.0 : 50.0, 10, 0}));
    const double area = edited.graph.report().area;
    ASSERT_TRUE(edited.apply({.kind = EditKind::kRemoveObstacle, .obstacle = 0}));
    EXPECT_NEAR(edited.graph.report().area, 2 * area, 0.03 * area);
    EXPECT_TRUE(edited.graph.path({5, 10, 0}, {55, 10, 0})->found);
    Reach ours, theirs;
    expect_like_fresh(edited, 1, ours, theirs);
    EXPECT_EQ(ours.apart, theirs.apart);
    // And everything goes on from there.
    ASSERT_TRUE(edited.apply({.shape = box(28, 5, 33, 15)}));
    expect_like_fresh(edited, 2, ours, theirs);
  }
}

TEST(GraphEdits, a_wall_that_comes_hides_the_discs_behind_it_and_shows_them_again_when_it_goes) {
  Layer layer;
  layer.walkable = {box(0, 0, 60, 20)};
  layer.obstacles = {box(10, 3, 12, 5), box(48, 14, 50, 16)};
  Edited edited(scene_of(std::move(layer)), {.sight_range = 80, .editable = true, .threads = 1});
  // How many see each other, of the pairs of discs either side of x = 30 and of those on one side.
  const auto count = [&](bool across) {
    const NavGraph& g = edited.graph.data();
    int seen = 0;
    for (DiscIndex d = 0; d < g.disc_count(); ++d)
      for (std::uint32_t k = g.sight.start[4 * d]; k < g.sight.start[4 * d + 4]; ++k) {
        const double x = g.centre[d].x - 30, y = g.centre[g.sight.discs[k]].x - 30;
        if (std::abs(x) > 2 && std::abs(y) > 2) seen += (x < 0 != y < 0) == across;
      }
    return seen;
  };
  const int across = count(true), beside = count(false);
  EXPECT_GT(across, 5);
  EXPECT_GT(beside, 5);
  ASSERT_TRUE(edited.apply({.shape = box(29, -1, 31, 21)}));
  EXPECT_EQ(count(true), 0);
  EXPECT_GT(count(false), 5);
  ASSERT_TRUE(edited.apply({.kind = EditKind::kRemoveObstacle, .obstacle = edited.report.obstacle}));
  EXPECT_GT(count(true), 5);
}

TEST(GraphEdits, whoever_holds_the_graph_from_before_is_not_disturbed) {
  Edited edited(random_scene(4, 25, 4));
  const NavigationGraph before = edited.graph;
  const std::uint64_t hash = hash_of(before.data());
  ASSERT_TRUE(edited.apply({.shape = box(8, 8, 12, 12)}));
  EXPECT_EQ(hash_of(before.data()), hash);
  EXPECT_NE(hash_of(edited.graph.data()), hash);
}

TEST(GraphEdits, a_graph_that_was_not_baked_for_them_is_edited_to_the_same_bits) {
  const Scene scene = random_scene(5, 25, 5);
  Edited one(scene), other(scene, {.threads = 1});
  RandomEdits edits(5, 25, scene.layers[0].obstacles.size());
  for (int i = 0; i < 10; ++i) {
    const Edit edit = edits.next();
    const bool done = one.apply(edit);
    EXPECT_EQ(other.apply(edit), done);
    if (done) edits.done(edit, one.report);
    ASSERT_EQ(hash_of(one.graph.data()), hash_of(other.graph.data()));
  }
}

}  // namespace
}  // namespace throng
