// SPDX-License-Identifier: MIT
#include "fixtures.hpp"
#include "import/limits.hpp"

namespace throng {
namespace {

Result<Scene> read(const std::string& text) { return read_scene_json(text, "plaza.json"); }

const char* const kFull = R"({
  "throng_scene": 1, "name": "Plaza",
  "layers": [
    {"name": "ground", "elevation": 0.5, "simplify": 0.02,
     "walkable": [{"outer": [[0,0],[20,0],[20,10],[0,10]], "holes": [[[2,2],[4,2],[4,4],[2,4]]]}],
     "obstacles": [[[10,1],[12,1],[12,3],[10,3]]],
     "walls": [[[14,0],[14,4]], [[15,0],[15,4],[16,4]]], "seeds": [[1,1]]},
    {"name": "upper", "elevation": 4, "walkable": [[[0,0],[0,5],[5,5],[5,0]]]}
  ],
  "areas": [{"name": "grass", "layer": "upper", "polygon": [[1,1],[2,1],[2,2],[1,2]], "cost": 2.5, "forbidden_to": ["cart"]},
            {"name": "stage", "polygon": [[5,5],[8,5],[8,8]]}],
  "profiles": [{"name": "person", "radius": 0.2, "other_radii": [0.3, 0.4]}, {"name": "cart", "radius": 0.6}]
})";

TEST(SceneJson, reads_every_part_of_a_scene) {
  const auto scene = read(kFull);
  ASSERT_TRUE(scene) << problems_of(scene);
  EXPECT_EQ(scene->name, "Plaza");
  ASSERT_EQ(scene->layers.size(), 2u);
  const Layer& ground = scene->layers[0];
  EXPECT_EQ(ground.name, "ground");
  EXPECT_EQ(ground.elevation, 0.5);
  EXPECT_EQ(ground.simplify, 0.02);
  EXPECT_DOUBLE_EQ(total_area(ground.walkable), 200 - 4);
  EXPECT_DOUBLE_EQ(total_area(ground.obstacles), 4);
  ASSERT_EQ(ground.walls.size(), 3u);
  EXPECT_EQ(ground.walls[2].b, (Vec2{16, 4}));
  ASSERT_EQ(ground.seeds.size(), 1u);
  ASSERT_EQ(scene->areas.size(), 2u);
  EXPECT_EQ(scene->areas[0].layer, 1u);
  EXPECT_EQ(scene->areas[0].cost, 2.5);
  EXPECT_EQ(scene->areas[0].forbidden_to, std::vector<std::string>{"cart"});
  EXPECT_EQ(scene->areas[1].cost, 1);
  ASSERT_EQ(scene->profiles.size(), 2u);
  EXPECT_EQ(scene->profiles[0].other_radii, (std::vector<double>{0.3, 0.4}));
}

TEST(SceneJson, turns_outlines_counter_clockwise_and_holes_clockwise) {
  const auto scene = read(R"({"throng_scene": 1, "walkable": [
    {"outer": [[0,0],[0,9],[9,9],[9,0],[0,0]], "holes": [[[1,1],[2,1],[2,2],[1,2]]]}]})");
  ASSERT_TRUE(scene) << problems_of(scene);
  const Polygon& polygon = scene->layers[0].walkable[0];
  EXPECT_EQ(polygon.outer.size(), 4u) << "the repeated last point goes";
  EXPECT_DOUBLE_EQ(signed_area(polygon.outer), 81);
  EXPECT_DOUBLE_EQ(signed_area(polygon.holes[0]), -1);
}

void expect_same(const Scene& a, const Scene& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.origin, b.origin);
  const auto same = [](const std::vector<Polygon>& p, const std::vector<Polygon>& q) {
    return std::equal(p.begin(), p.end(), q.begin(), q.end(),
                      [](const Polygon& x, const Polygon& y) { return x.outer == y.outer && x.holes == y.holes; });
  };
  ASSERT_EQ(a.layers.size(), b.layers.size());
  for (std::size_t i = 0; i < a.layers.size(); ++i) {
    const Layer &x = a.layers[i], &y = b.layers[i];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.elevation, y.elevation);
    EXPECT_EQ(x.simplify, y.simplify);
    EXPECT_TRUE(same(x.walkable, y.walkable));
    EXPECT_TRUE(same(x.obstacles, y.obstacles));
    EXPECT_EQ(x.seeds, y.seeds);
    ASSERT_EQ(x.walls.size(), y.walls.size());
    for (std::size_t k = 0; k < x.walls.size(); ++k) EXPECT_TRUE(x.walls[k].a == y.walls[k].a && x.walls[k].b == y.walls[k].b);
  }
  ASSERT_EQ(a.areas.size(), b.areas.size());
  for (std::size_t i = 0; i < a.areas.size(); ++i) {
    EXPECT_EQ(a.areas[i].name, b.areas[i].name);
    EXPECT_EQ(a.areas[i].layer, b.areas[i].layer);
    EXPECT_EQ(a.areas[i].cost, b.areas[i].cost);
    EXPECT_EQ(a.areas[i].forbidden_to, b.areas[i].forbidden_to);
    EXPECT_EQ(a.areas[i].shape.outer, b.areas[i].shape.outer);
  }
  ASSERT_EQ(a.links.size(), b.links.size());
  for (std::size_t i = 0; i < a.links.size(); ++i) {
    EXPECT_EQ(a.links[i].name, b.links[i].name);
    EXPECT_EQ(a.links[i].from, b.links[i].from);
    EXPECT_EQ(a.links[i].to, b.links[i].to);
    EXPECT_EQ(a.links[i].time, b.links[i].time);
    EXPECT_EQ(a.links[i].capacity, b.links[i].capacity);
  }
  ASSERT_EQ(a.profiles.size(), b.profiles.size());
  for (std::size_t i = 0; i < a.profiles.size(); ++i) {
    EXPECT_EQ(a.profiles[i].name, b.profiles[i].name);
    EXPECT_EQ(a.profiles[i].radius, b.profiles[i].radius);
    EXPECT_EQ(a.profiles[i].other_radii, b.profiles[i].other_radii);
  }
}

TEST(SceneJson, what_is_written_reads_back_as_the_same_scene) {
  const auto scene = read(kFull);
  ASSERT_TRUE(scene);
  const auto again = read(write_scene_json(*scene));
  ASSERT_TRUE(again) << problems_of(again);
  expect_same(*scene, *again);
}

TEST(SceneJson, awkward_numbers_and_names_survive_the_round_trip) {
  Scene scene;
  scene.name = "quote \" and \\ and \n and ümlaut";
  scene.origin = {84900, 447600};
  scene.layers.resize(1);
  scene.layers[0].walkable.push_back({{{0.1, 1.0 / 3}, {1e3 + 1e-9, -0.0}, {7, 2.0 / 7 + 100}}, {}});
  const auto again = read(write_scene_json(scene));
  ASSERT_TRUE(again) << problems_of(again);
  expect_same(scene, *again);
}

TEST(SceneJson, real_maps_survive_the_round_trip) {
  for (const char* file : {"paths/arena.mesh", "paths/Berlin_0_256.map", "scenes/delft.city.json", "scenes/small-town.osm"}) {
    THRONG_EXTERNAL(path, file);
    const auto scene = load_scene(path);
    ASSERT_TRUE(scene) << problems_of(scene);
    const auto again = read(write_scene_json(*scene));
    ASSERT_TRUE(again) << file << problems_of(again);
    expect_same(*scene, *again);
  }
}

TEST(SceneJson, coordinates_far_from_zero_are_moved_to_a_rounded_origin) {
  const auto scene =
      read(R"({"throng_scene": 1, "walkable": [[[500010,5400020],[500110,5400020],[500110,5400070],[500010,5400070]]]})");
  ASSERT_TRUE(scene) << problems_of(scene);
  EXPECT_EQ(scene->origin, (Vec2{500100, 5400000}));
  EXPECT_EQ(scene->layers[0].walkable[0].outer[0] + scene->origin, (Vec2{500010, 5400020}));
  EXPECT_DOUBLE_EQ(total_area(scene->layers[0].walkable), 5000);
}

TEST(SceneJson, reports_all_mistakes_with_their_places) {
  const auto scene = read(
      R"({"throng_scene": 2, "walkabel": [], "walkable": [[[0,0],[1,"x"],[1,1]], [[0,0],[4,4],[4,0],[0,4.5]], [[0,0],[1,1]], 7],
    "obstacles": [{"holes": []}, {"outer": [[0,0],[9,0],[9,9]], "hole": 1}], "walls": [[[1,1]], 5], "seeds": [[1,2,3]],
    "areas": [{"polygon": [[0,0],[1,0],[1,1]], "cost": 0.5, "layer": 3}, {"name": "b", "forbidden_to": ["ghost"]}],
    "profiles": [{"name": "p", "radius": -1}, {"name": "p"}]})");
  ASSERT_FALSE(scene);
  const std::string all = problems_of(scene);
  EXPECT_TRUE(has_problem(scene, "plaza.json /throng_scene", "version 1")) << all;
  EXPECT_TRUE(has_problem(scene, "/walkabel", "unknown key")) << all;
  EXPECT_NE(all.find("write \"walkable\""), std::string::npos) << all;
  EXPECT_TRUE(has_problem(scene, "/walkable/0/1/1", "the string \"x\"")) << all;
  EXPECT_TRUE(has_problem(scene, "/walkable/1", "crosses itself at (")) << all;
  EXPECT_TRUE(has_problem(scene, "/walkable/2", "2 distinct point(s)")) << all;
  EXPECT_TRUE(has_problem(scene, "/walkable/3", "the number 7")) << all;
  EXPECT_TRUE(has_problem(scene, "/obstacles/0/outer", "missing")) << all;
  EXPECT_TRUE(has_problem(scene, "/obstacles/1/hole", "unknown key")) << all;
  EXPECT_TRUE(has_problem(scene, "/walls/0", "1 point(s)")) << all;
  EXPECT_TRUE(has_problem(scene, "/walls/1", "the number 5")) << all;
  EXPECT_TRUE(has_problem(scene, "/seeds/0", "an array of 3")) << all;
  EXPECT_TRUE(has_problem(scene, "/areas/0/name", "missing")) << all;
  EXPECT_TRUE(has_problem(scene, "/areas/0/cost", "the number 0.5")) << all;
  EXPECT_TRUE(has_problem(scene, "/areas/0/layer", "the number 3")) << all;
  EXPECT_TRUE(has_problem(scene, "/areas/1/forbidden_to/0", "no profile \"ghost\"")) << all;
  EXPECT_TRUE(has_problem(scene, "/areas/1/polygon", "missing")) << all;
  EXPECT_TRUE(has_problem(scene, "/profiles/0/radius", "-1")) << all;
  EXPECT_TRUE(has_problem(scene, "/profiles/1/name", "taken")) << all;
}

constexpr const char* kTwoAreas = R"({"throng_scene": 1, "walkable": [[[0,0],[9,0],[9,9],[0,9]]], "areas": [
    {"name": "a", "polygon": [[0,0],[2,0],[2,2]]}, {"name": "b", "polygon": [[5,5],[7,5],[7,7]]},
    {"name": "parts", "polygon": [[5,0],[7,0],[7,2]]}, {"name": "parts", "polygon": [[0,5],[2,5],[2,7]]}], "links": )";

TEST(SceneJson, links_survive_the_round_trip) {
  const auto scene =
      read(std::string(kTwoAreas) +
           R"([{"name": "lift", "from": "b", "to": "a", "time": 12.5, "capacity": 8}, {"from": "a", "to": "b", "time": 0}]})");
  ASSERT_TRUE(scene) << problems_of(scene);
  ASSERT_EQ(scene->links.size(), 2u);
  EXPECT_EQ(scene->links[0].from, 1u);
  EXPECT_EQ(scene->links[0].capacity, 8u);
  const auto again = read(write_scene_json(*scene));
  ASSERT_TRUE(again) << problems_of(again);
  expect_same(*scene, *again);
}

TEST(SceneJson, reports_the_mistakes_of_links) {
  const auto scene =
      read(std::string(kTwoAreas) + R"([{"from": "a", "to": "nowhere", "time": 1}, {"from": "a", "to": "a", "time": 1},
    {"from": "a", "to": "b", "time": -1, "capacity": 2.5}, {"from": "parts", "to": "b", "time": 1}, {"from": "a"}, 7]})");
  ASSERT_FALSE(scene);
  const std::string all = problems_of(scene);
  EXPECT_TRUE(has_problem(scene, "/links/0/to", "\"nowhere\"")) << all;
  EXPECT_TRUE(has_problem(scene, "/links/1/to", "leads back")) << all;
  EXPECT_TRUE(has_problem(scene, "/links/2/time", "-1")) << all;
  EXPECT_TRUE(has_problem(scene, "/links/2/capacity", "whole")) << all;
  EXPECT_TRUE(has_problem(scene, "/links/3/from", "2 areas")) << all;
  EXPECT_TRUE(has_problem(scene, "/links/4/to", "missing")) << all;
  EXPECT_TRUE(has_problem(scene, "/links/5", "the number 7")) << all;
}

TEST(SceneJson, a_key_written_twice_is_a_mistake) {
  EXPECT_TRUE(
      has_problem(read(R"({"throng_scene": 1, "walkable": [[[0,0],[1,0],[1,1]]], "walkable": []})"), "/walkable", "twice"));
}

TEST(SceneJson, names_the_outline_that_makes_the_scene_too_large) {
  const auto scene = read(R"({"throng_scene": 1, "walkable": [[[0,0],[9,0],[9,9]], [[0,0],[2000000,0],[1,1]]]})");
  EXPECT_TRUE(has_problem(scene, "/walkable/1", "16000 m")) << problems_of(scene);
}

TEST(SceneJson, a_hole_outside_its_outline_is_a_mistake_and_one_that_touches_it_is_not) {
  EXPECT_TRUE(
      has_problem(read(R"({"throng_scene": 1, "walkable": [{"outer": [[0,0],[9,0],[9,9]], "holes": [[[20,0],[21,0],[21,1]]]}]})"),
                  "/walkable/0", "outside"));
  EXPECT_TRUE(read(R"({"throng_scene": 1, "walkable": [{"outer": [[0,0],[9,0],[9,9],[0,9]], "holes": [[[0,5],[2,4],[2,6]]]}]})"));
}

TEST(SceneJson, thousands_of_mistakes_are_counted_and_not_all_listed) {
  std::string text = R"({"throng_scene": 1, "walkable": [)";
  for (int i = 0; i < 5000; ++i) text += i ? ",[]" : "[]";
  const auto scene = read(text + "]}");
  ASSERT_FALSE(scene);
  EXPECT_LE(scene.problems().size(), limits::kProblems + 1);
}

TEST(SceneJson, a_saw_of_long_slanting_teeth_is_refused_and_does_not_hang) {
  std::string text = R"({"throng_scene": 1, "walkable": [[)";
  const int teeth = 150'000;
  for (int i = 0; i < teeth; ++i) {
    text += std::to_string(i * 0.01).insert(0, "[") + ",0],";
    text += std::to_string(i * 0.01 + 5000).insert(0, "[") + ",1000],";
  }
  text += "[9000,0],[9000,-1],[0,-1]]]}";
  EXPECT_TRUE(has_problem(read(text), "/walkable/0", "minutes"));
}

}  // namespace
}  // namespace throng
