// SPDX-License-Identifier: MIT
// Edits of a baked scene: whatever sequence led there, paths are those of a fresh bake of the scene as it is, planners agree bit
// for bit, and all that was kept is what a computation from scratch gives.
#include <gtest/gtest.h>

#include <map>

#include <throng/edits.hpp>

#include "cells/facing.hpp"
#include "navigation/navigation_data.hpp"
#include "scene/office.hpp"
#include "support/built_cells.hpp"
#include "support/layered_scenes.hpp"
#include "support/random_edits.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

NavigationEditor editor_of(const Scene& scene, std::uint32_t key_points = 1) {
  Result<Navigation> navigation = Navigation::bake(scene, {.key_points = key_points, .threads = 1, .editable = true});
  EXPECT_TRUE(navigation) << to_string(navigation.problems()[0]);
  Result<NavigationEditor> editor = NavigationEditor::create(*navigation);
  EXPECT_TRUE(editor);
  return std::move(*editor);
}

Navigation fresh(const Scene& scene) {
  Result<Navigation> navigation = Navigation::bake(scene, {.threads = 1});
  EXPECT_TRUE(navigation) << to_string(navigation.problems()[0]);
  return *navigation;
}

/// What was kept or mended is what a computation from scratch on the same cells and zones gives.
void expect_whole(const Navigation& navigation) {
  const NavigationData& data = navigation.data();
  EXPECT_EQ(data.report.doubled_map_area, data.report.doubled_cell_area);
  Cells cells = data.cells;
  link_portals(cells);
  // Where ways can bend: elsewhere it depends on how walls are cut into pieces, and nobody asks.
  std::vector<double> ground(cells.vertices.size(), 0);
  for (const CellTriangle& t : cells.triangles)
    for (int i = 0; i < 3; ++i) {
      const Vec2 at = cells.position(t.vertex[i]);
      const Vec2 u = cells.position(t.vertex[(i + 1) % 3]) - at, w = cells.position(t.vertex[(i + 2) % 3]) - at;
      ground[t.vertex[i]] += std::atan2(cross(u, w), dot(u, w));
    }
  for (std::uint32_t v = 0; v < cells.facing.size(); ++v)
    if (ground[v] > 3.15) {
      EXPECT_EQ(cells.facing[v], data.cells.facing[v]) << cells.position(v).x << ", " << cells.position(v).y;
    }
  const Result<Navigation> loaded = Navigation::load(navigation.save(), "edited");
  ASSERT_TRUE(loaded) << to_string(loaded.problems()[0]);
  const auto tasks = make_task_runner(1);
  for (const ProfileRouting& p : data.profiles) {
    for (const Labels& labels : p.labels)
      EXPECT_EQ(labels.cost, build_labels(data.cells, data.tree, p.roadmap, labels.radius, *tasks).cost);
    const ZonePaths paths = build_zone_paths(data.cells, data.tree, p.roadmap, p.zone_paths.radius, *tasks);
    EXPECT_EQ(p.zone_paths.outer, paths.outer);
    EXPECT_EQ(p.zone_paths.cost, paths.cost);
  }
  const Locator locator(data.cells);
  RandomStream random(5, 0, 1);
  for (int i = 0; i < 200; ++i) {
    const WalkablePlace place = navigation.random_walkable(random.unit(), random.unit());
    const Vec2 near = place.point + Vec2{random.between(-1, 1), random.between(-1, 1)};
    EXPECT_EQ(data.locator.cell_at(near, place.layer), locator.cell_at(near, place.layer));
    EXPECT_EQ(data.locator.clearance(near, place.layer, 2), locator.clearance(near, place.layer, 2));
  }
}

/// Lengths of a fresh bake within a centimetre, and one cost for all planners on the roadmap. Returns how many were found.
int expect_same_paths(const Navigation& edited, const Navigation& baked, std::uint64_t seed, int queries, double radius) {
  PathFinder finder(edited), other(baked);
  RandomStream random(seed, 0, 7);
  Path path, reference;
  int found = 0;
  for (int i = 0; i < queries; ++i) {
    const WalkablePlace from = baked.random_walkable(random.unit(), random.unit());
    const WalkablePlace to = baked.random_walkable(random.unit(), random.unit());
    PathRequest request{.from = from.point, .to = to.point, .radius = radius};
    request.from_layer = from.layer;
    request.to_layer = to.layer;
    request.planner = Planner::kShortest;
    const PathStatus status = finder.find_pulled(request, path), expected = other.find_pulled(request, reference);
    // Walls are rounded to the grid, perhaps otherwise: at a place as wide as the body either answer is right.
    if (status != expected) {
      request.radius = radius - 0.002;
      const PathStatus thin = other.find_pulled(request, reference);
      request.radius = radius + 0.002;
      EXPECT_NE(thin, other.find_pulled(request, reference)) << "query " << i << " of seed " << seed;
      continue;
    }
    if (status != PathStatus::kFound) continue;
    ++found;
    EXPECT_NEAR(path.length, reference.length, 0.01) << "query " << i << " of seed " << seed;
    request.planner = Planner::kRoadmap;
    const PathStatus roadmap = finder.find_pulled(request, reference);
    for (const Planner planner : {Planner::kHierarchy, Planner::kZones}) {
      request.planner = planner;
      EXPECT_EQ(finder.find_pulled(request, path), roadmap);
      EXPECT_EQ(path.cost, reference.cost) << name_of(planner) << ", query " << i << " of seed " << seed;
    }
  }
  return found;
}

TEST(Edits, any_sequence_leads_to_the_paths_of_a_fresh_bake) {
  int found = 0, local = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Scene scene = random_scene(seed, 20 + 5 * static_cast<double>(seed % 4), 4 + static_cast<int>(seed));
    NavigationEditor editor = editor_of(scene, seed % 3 == 0 ? 3 : 1);
    RandomEdits edits(seed, 20 + 5 * static_cast<double>(seed % 4), scene.layers[0].obstacles.size());
    for (int i = 0; i < 15; ++i) {
      const Edit edit = edits.next();
      const Result<EditReport> report = editor.apply(edit);
      ASSERT_TRUE(report) << to_string(report.problems()[0]);
      edits.done(edit, *report);
      local += report->is_local;
      SCOPED_TRACE("seed " + std::to_string(seed) + ", edit " + std::to_string(i) + ", " + name_of(edit.kind));
      expect_whole(editor.navigation());
      const Navigation baked = fresh(editor.scene());
      EXPECT_NEAR(editor.navigation().report().area, baked.report().area, 0.05);
      EXPECT_EQ(editor.navigation().report().components, baked.report().components);
      EXPECT_EQ(editor.navigation().report().holes, baked.report().holes);
      found +=
          expect_same_paths(editor.navigation(), baked, seed * 100 + static_cast<std::uint64_t>(i), 12, i % 2 == 0 ? 0.2 : 0);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(found, 1000);
  EXPECT_EQ(local, 12 * 15);
}

TEST(Edits, what_goes_beyond_a_border_takes_no_piece_of_the_border_with_it) {
  // The wall ends exactly at the border, so the border is the hull of everything but for the crate that sticks out.
  Layer layer;
  layer.walkable = {box(0, 0, 20, 10)};
  layer.obstacles = {box(8, 0, 8.2, 5)};
  NavigationEditor editor = editor_of(scene_of(std::move(layer)));
  const double area = editor.navigation().report().area;
  const Result<EditReport> crate = editor.apply({.shape = box(2, -1, 3, 2)});
  ASSERT_TRUE(crate);
  expect_whole(editor.navigation());
  ASSERT_TRUE(editor.apply({.kind = EditKind::kRemoveObstacle, .obstacle = crate->obstacle}));
  expect_whole(editor.navigation());
  EXPECT_EQ(editor.navigation().report().area, area);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    NavigationEditor office = editor_of(make_office(12, seed));
    RandomEdits edits(seed, 25, 0);
    for (int i = 0; i < 12; ++i) {
      const Edit edit = edits.next();
      const Result<EditReport> report = office.apply(edit);
      if (!report) continue;  // it may lie outside of this office
      edits.done(edit, *report);
      expect_whole(office.navigation());
    }
    expect_same_paths(office.navigation(), fresh(office.scene()), seed, 40, 0.2);
  }
}

TEST(Edits, areas_that_cost_and_ban_stay_what_they_are) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Scene scene = random_scene(seed, 25, 6);
    scene.profiles = {{"default", 0.2, {0.3}}, {"cart", 0.3, {}}};
    scene.areas = {{"grass", 0, box(3, 3, 14, 12), 2, {}}, {"lawn", 0, box(10, 8, 22, 20), 1, {"cart"}}};
    NavigationEditor editor = editor_of(scene);
    RandomEdits edits(seed, 25, 6);
    for (int i = 0; i < 10; ++i) {
      const Edit edit = edits.next();
      const Result<EditReport> report = editor.apply(edit);
      ASSERT_TRUE(report) << to_string(report.problems()[0]);
      edits.done(edit, *report);
      SCOPED_TRACE("seed " + std::to_string(seed) + ", edit " + std::to_string(i));
      expect_whole(editor.navigation());
      const Navigation baked = fresh(editor.scene());
      EXPECT_NEAR(editor.navigation().report().area, baked.report().area, 0.05);
      expect_same_paths(editor.navigation(), baked, seed * 100 + static_cast<std::uint64_t>(i), 10, 0.2);
      if (HasFailure()) return;
    }
  }
}

TEST(Edits, layers_and_their_joints_stay_right) {
  // Inside a layer an edit is local; one that touches a joint bakes everything again, and is as right.
  NavigationEditor editor = editor_of(cut_hall());
  int local = 0;
  const std::vector<Edit> edits = {{.layer = 0, .shape = box(6, 1, 7, 2)},
                                   {.layer = 2, .shape = box(15, 4, 16, 5.5)},
                                   {.layer = 1, .shape = box(9, 4, 11, 5)},
                                   {.layer = 0, .shape = box(9, 4, 11, 5)},
                                   {.layer = 0, .shape = box(1, 1, 2, 3)}};
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const Result<EditReport> report = editor.apply(edits[i]);
    ASSERT_TRUE(report) << to_string(report.problems()[0]);
    local += report->is_local;
    expect_whole(editor.navigation());
    EXPECT_GT(expect_same_paths(editor.navigation(), fresh(editor.scene()), 300 + i, 40, 0.2), 20);
  }
  EXPECT_EQ(local, 3);
}

TEST(Edits, layers_with_seeds_are_baked_again) {
  Scene scene = random_scene(3, 20, 0);
  scene.layers[0].walls = {{{10, 0}, {10, 8}}, {{10, 10}, {10, 20}}};
  scene.layers[0].seeds = {{5, 5}};
  NavigationEditor editor = editor_of(scene);
  const double whole = editor.navigation().report().area;
  const Result<EditReport> report = editor.apply({.shape = box(9.5, 7, 10.5, 11)});
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->is_local);
  // Behind the closed gap nothing can be reached from the seed.
  EXPECT_NEAR(editor.navigation().report().area, 200 - 2, 0.1);
  ASSERT_TRUE(editor.apply({.kind = EditKind::kRemoveObstacle, .obstacle = report->obstacle}));
  EXPECT_NEAR(editor.navigation().report().area, whole, 1e-6);
}

TEST(Edits, taking_an_obstacle_out_again_restores_everything_that_can_be_asked) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Scene scene = random_scene(seed, 25, 8);
    NavigationEditor editor = editor_of(scene);
    const BakeReport before = editor.navigation().report();
    RandomEdits edits(seed + 50, 25, 0);
    for (int i = 0; i < 8; ++i) {
      const Result<EditReport> added = editor.apply({.shape = edits.shape()});
      ASSERT_TRUE(added);
      ASSERT_TRUE(editor.apply({.kind = EditKind::kRemoveObstacle, .obstacle = added->obstacle}));
      const BakeReport& after = editor.navigation().report();
      EXPECT_NEAR(after.area, before.area, 0.05);
      EXPECT_EQ(after.holes, before.holes);
      EXPECT_EQ(after.components, before.components);
      // What edits leave behind does not pile up.
      EXPECT_LT(after.cells, before.cells + before.cells / 4 + 4);
      expect_whole(editor.navigation());
    }
    expect_same_paths(editor.navigation(), fresh(scene), seed, 30, 0.2);
  }
}

TEST(Edits, a_door_is_an_area_that_closes_and_opens) {
  Scene scene = random_scene(1, 20, 0);
  scene.layers[0].obstacles = {box(9.8, 0, 10.2, 9), box(9.8, 11, 10.2, 16), box(9.8, 18, 10.2, 20)};
  scene.areas = {{"near door", 0, box(9.8, 9, 10.2, 11), 1, {}}, {"far door", 0, box(9.8, 16, 10.2, 18), 1, {}}};
  NavigationEditor editor = editor_of(scene);
  const PathRequest request{.from = {5, 10}, .to = {15, 10}};
  const auto length = [&] { return editor.navigation().plan(request)->found ? editor.navigation().plan(request)->length : -1; };
  EXPECT_NEAR(length(), 10, 1e-6);
  const Navigation before = editor.navigation();
  ASSERT_TRUE(editor.apply({.kind = EditKind::kCloseDoor, .door = "near door"}));
  EXPECT_GT(length(), 15);
  EXPECT_LT(length(), 20);
  EXPECT_NEAR(before.plan(request)->length, 10, 1e-6);  // whoever holds the scene as it was is not disturbed
  ASSERT_TRUE(editor.apply({.kind = EditKind::kCloseDoor, .door = "near door"}));  // closed as it is
  ASSERT_TRUE(editor.apply({.kind = EditKind::kCloseDoor, .door = "far door"}));
  EXPECT_EQ(length(), -1);
  EXPECT_EQ(editor.navigation().report().components, 2u);
  ASSERT_TRUE(editor.apply({.kind = EditKind::kOpenDoor, .door = "near door"}));
  EXPECT_NEAR(length(), 10, 1e-6);
  expect_whole(editor.navigation());
  EXPECT_EQ(editor.edits().size(), 4u);
}

TEST(Edits, ground_that_was_walled_in_joins_the_rest) {
  // Two components from the start, and a third one that an edit uncovers.
  Scene scene = random_scene(1, 30, 0);
  scene.layers[0].obstacles = {box(14, 0, 15, 30), box(20, 10, 28, 20)};
  NavigationEditor editor = editor_of(scene);
  EXPECT_EQ(editor.navigation().report().components, 2u);
  ASSERT_TRUE(editor.apply({.kind = EditKind::kMoveObstacle, .shape = box(14, 0, 15, 28), .obstacle = 0}));
  EXPECT_EQ(editor.navigation().report().components, 1u);
  expect_whole(editor.navigation());
  expect_same_paths(editor.navigation(), fresh(editor.scene()), 1, 40, 0.2);
  Edit ring{.kind = EditKind::kMoveObstacle, .shape = box(20, 10, 28, 20), .obstacle = 1};
  ring.shape.holes = {{{22, 12}, {26, 12}, {26, 18}, {22, 18}}};
  ASSERT_TRUE(editor.apply(ring));
  EXPECT_EQ(editor.navigation().report().components, 2u);
  expect_whole(editor.navigation());
  ASSERT_TRUE(editor.apply({.kind = EditKind::kRemoveObstacle, .obstacle = 1}));
  EXPECT_EQ(editor.navigation().report().components, 1u);
  expect_whole(editor.navigation());
  expect_same_paths(editor.navigation(), fresh(editor.scene()), 2, 40, 0.2);
}

TEST(Edits, the_same_edits_give_the_same_bytes_for_any_number_of_threads) {
  const Scene scene = make_office(30);
  std::string first;
  for (const unsigned threads : {1u, 2u, 4u}) {
    const Result<Navigation> navigation = Navigation::bake(scene, {.threads = threads, .editable = true});
    ASSERT_TRUE(navigation);
    Result<NavigationEditor> editor = NavigationEditor::create(*navigation);
    RandomEdits edits(4, 20, scene.layers[0].obstacles.size());
    for (int i = 0; i < 10; ++i) {
      const Edit edit = edits.next();
      const Result<EditReport> report = editor->apply(edit);
      if (report) edits.done(edit, *report);
    }
    if (first.empty()) first = editor->navigation().save();
    EXPECT_EQ(editor->navigation().save(), first);
  }
}

TEST(Edits, a_bad_edit_says_what_is_wrong_and_changes_nothing) {
  Scene scene = random_scene(2, 20, 5);
  scene.areas = {{"hall", 0, box(-1, -1, 21, 21), 1, {}}};
  NavigationEditor editor = editor_of(scene);
  const Result<EditReport> good = editor.apply({.shape = box(1, 1, 2, 2)});
  ASSERT_TRUE(good);
  const std::string before = editor.navigation().save();
  const double not_a_number = std::nan("");
  const std::vector<std::pair<Edit, const char*>> bad = {
      {{.shape = box(30, 30, 31, 31)}, "outside"},
      {{.shape = {{{1, 1}, {2, 2}}, {}}}, "2 points"},
      {{.shape = {{{1, 1}, {2, 2}, {3, 3}}, {}}}, "without area"},
      {{.shape = {{{1, 1}, {3, 3}, {3, 1}, {1, 4}}, {}}}, "crosses itself"},
      {{.shape = {{{1, 1}, {not_a_number, 3}, {3, 1}}, {}}}, "not a number"},
      {{.layer = 1, .shape = box(3, 3, 4, 4)}, "does not exist"},
      {{.kind = EditKind::kRemoveObstacle, .obstacle = 99}, "is not in the scene"},
      {{.kind = EditKind::kMoveObstacle, .shape = box(50, 50, 51, 51), .obstacle = 0}, "outside"},
      {{.kind = EditKind::kCloseDoor, .door = "gate"}, "no area"},
      {{.kind = EditKind::kCloseDoor, .door = "hall"}, "no walkable ground"},
  };
  for (const auto& [edit, words] : bad) {
    const Result<EditReport> report = editor.apply(edit);
    ASSERT_FALSE(report) << words;
    EXPECT_NE(to_string(report.problems()[0]).find(words), std::string::npos) << to_string(report.problems()[0]);
    EXPECT_FALSE(report.problems()[0].fix.empty());
    EXPECT_EQ(editor.navigation().save(), before) << words;
  }
  EXPECT_EQ(editor.edits().size(), 1u);
  ASSERT_TRUE(editor.apply({.kind = EditKind::kRemoveObstacle, .obstacle = good->obstacle}));
  EXPECT_FALSE(editor.apply({.kind = EditKind::kRemoveObstacle, .obstacle = good->obstacle}));
  EXPECT_NE(editor.navigation().save(), before);  // the control: a good edit does change it
  expect_same_paths(editor.navigation(), fresh(editor.scene()), 1, 20, 0.2);
}

TEST(Edits, a_scene_must_be_baked_for_them) {
  const Scene scene = random_scene(1, 10, 2);
  EXPECT_FALSE(NavigationEditor::create(fresh(scene)));
  const NavigationEditor editor = editor_of(scene);
  EXPECT_FALSE(NavigationEditor::create(*Navigation::load(editor.navigation().save(), "file")));
}

}  // namespace
}  // namespace throng
