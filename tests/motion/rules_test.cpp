// SPDX-License-Identifier: MIT
// People who walk by priority rules in a world: what always holds, checked from places and tiles alone, and how they behave
// beside a control.
#include "motion/rules/rules.hpp"

#include <gtest/gtest.h>

#include <throng/world.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "navigation/navigation_data.hpp"
#include "support/built_cells.hpp"
#include "support/random_scene.hpp"

namespace throng {
namespace {

using namespace throng::testing;

constexpr double kTile = 0.5;

/// A floor drawn tile by tile: '.' is free, '#' is not; the first line is the north end.
struct Plan2D {
  int columns = 0, rows = 0;
  std::vector<std::uint8_t> free;  ///< by row from the south
  bool at(int x, int y) const {
    return x >= 0 && y >= 0 && x < columns && y < rows && free[static_cast<std::size_t>(y * columns + x)] != 0;
  }
  Vec2 middle(int x, int y) const { return {(x + 0.5) * kTile, (y + 0.5) * kTile}; }
};
Plan2D empty_plan(int columns, int rows) {
  return {columns, rows, std::vector<std::uint8_t>(static_cast<std::size_t>(columns * rows), 1)};
}

Navigation baked(const Plan2D& plan) {
  Layer layer;
  layer.walkable = {box(0, 0, plan.columns * kTile, plan.rows * kTile)};
  for (int y = 0; y < plan.rows; ++y)
    for (int x = 0; x < plan.columns; ++x) {
      if (plan.at(x, y)) continue;
      int end = x;
      while (end < plan.columns && !plan.at(end, y)) ++end;
      layer.obstacles.push_back(box(x * kTile, y * kTile, end * kTile, (y + 1) * kTile));
      x = end;
    }
  Result<Navigation> navigation = Navigation::bake(scene_of(layer), BakeSettings{});
  if (!navigation) throw std::runtime_error(to_string(navigation.problems()[0]));
  return std::move(*navigation);
}

/// Random blocks such that every free tile is in a free 2 × 2 block, and all are connected.
Plan2D random_plan(std::mt19937_64& random, int columns, int rows, double share) {
  for (;;) {
    Plan2D plan = empty_plan(columns, rows);
    const auto blocks = static_cast<int>(share * columns * rows / 5);
    for (int k = 0; k < blocks; ++k) {
      const int w = 1 + static_cast<int>(random() % 4), h = 1 + static_cast<int>(random() % 3);
      const int x = static_cast<int>(random() % static_cast<unsigned>(columns)),
                y = static_cast<int>(random() % static_cast<unsigned>(rows));
      for (int j = y; j < std::min(rows, y + h); ++j)
        for (int i = x; i < std::min(columns, x + w); ++i) plan.free[static_cast<std::size_t>(j * columns + i)] = 0;
    }
    // Tiles in no free block are filled up, until nothing changes.
    for (bool changes = true; changes;) {
      changes = false;
      for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) {
          if (!plan.at(x, y)) continue;
          bool is_in_block = false;
          for (const int dx : {-1, 1})
            for (const int dy : {-1, 1}) is_in_block |= plan.at(x + dx, y) && plan.at(x, y + dy) && plan.at(x + dx, y + dy);
          if (!is_in_block) plan.free[static_cast<std::size_t>(y * columns + x)] = 0, changes = true;
        }
    }
    std::vector<int> queue;
    std::vector<std::uint8_t> seen(plan.free.size(), 0);
    const auto free = std::count(plan.free.begin(), plan.free.end(), 1);
    if (free < columns * rows / 3) continue;
    queue.push_back(static_cast<int>(std::find(plan.free.begin(), plan.free.end(), 1) - plan.free.begin()));
    seen[static_cast<std::size_t>(queue[0])] = 1;
    for (std::size_t k = 0; k < queue.size(); ++k)
      for (const auto& [dx, dy] : {std::pair{1, 0}, std::pair{-1, 0}, std::pair{0, 1}, std::pair{0, -1}}) {
        const int x = queue[k] % columns + dx, y = queue[k] / columns + dy;
        if (!plan.at(x, y) || seen[static_cast<std::size_t>(y * columns + x)] != 0) continue;
        seen[static_cast<std::size_t>(y * columns + x)] = 1;
        queue.push_back(y * columns + x);
      }
    if (static_cast<std::ptrdiff_t>(queue.size()) == free) return plan;
  }
}

std::vector<std::array<int, 2>> random_tiles(const Plan2D& plan, std::mt19937_64& random, std::size_t count) {
  std::vector<std::array<int, 2>> list;
  for (int y = 0; y < plan.rows; ++y)
    for (int x = 0; x < plan.columns; ++x)
      if (plan.at(x, y)) list.push_back({x, y});
  std::shuffle(list.begin(), list.end(), random);
  list.resize(std::min(count, list.size()));
  return list;
}

WorldSettings settings_of(const RulesSettings& rules, unsigned threads = 1) {
  WorldSettings settings;
  settings.models = {rules};
  settings.threads = threads;
  return settings;
}

/// Watches a world from its places and tiles alone, and counts what must never be.
class Watch {
 public:
  explicit Watch(const Plan2D& plan) : plan_(plan), held_(plan.free.size(), 0), held_before_(plan.free.size(), 0) {}
  void look(const World& world) {
    const World::Columns rows = world.columns();
    std::fill(held_.begin(), held_.end(), 0);
    for (std::uint32_t row = 0; row < world.agent_count(); ++row) {
      const auto place = world.rules_place(world.id_at(row));
      if (!place) {
        ++lost;
        continue;
      }
      const int x = place->square[0], y = place->square[1], from_x = place->from_square[0], from_y = place->from_square[1];
      if (!plan_.at(x, y)) {
        ++walls;
        continue;
      }
      std::uint32_t& holder = held_[static_cast<std::size_t>(y * plan_.columns + x)];
      shared += holder != 0;
      holder = rows.number[row];
      jumps += std::abs(x - from_x) > 1 || std::abs(y - from_y) > 1;
      if (x != from_x && y != from_y) cuts += !plan_.at(x, from_y) || !plan_.at(from_x, y);
      const Vec2 at = {static_cast<double>(rows.x[row]), static_cast<double>(rows.y[row])};
      outside += !plan_.at(static_cast<int>(std::floor(at.x / kTile)), static_cast<int>(std::floor(at.y / kTile)));
      for (const Vec2 other : places_) nearest_squared_ = std::min(nearest_squared_, dot(other - at, other - at));
      places_.push_back(at);
    }
    // Two who change places between two frames: each is where the other was.
    where_.assign(rows.number.size() == 0 ? 1 : 1 + *std::max_element(rows.number.begin(), rows.number.end()), 0xffffffffu);
    for (std::uint32_t t = 0; t < held_before_.size(); ++t)
      if (held_before_[t] != 0 && held_before_[t] < where_.size()) where_[held_before_[t]] = t;
    for (std::uint32_t t = 0; t < held_.size(); ++t) {
      const std::uint32_t me = held_[t], other = held_before_[t];
      if (me == 0 || other == 0 || me == other || where_[me] == 0xffffffffu) continue;
      swaps += held_[where_[me]] == other;
    }
    held_before_.swap(held_);
    places_.clear();
    ++frames;
  }
  double nearest() const { return std::sqrt(nearest_squared_); }
  std::uint64_t bad() const { return lost + shared + walls + jumps + cuts + swaps + outside; }
  std::uint64_t frames = 0, lost = 0, shared = 0, walls = 0, jumps = 0, cuts = 0, swaps = 0, outside = 0;

 private:
  const Plan2D& plan_;
  std::vector<std::uint32_t> held_, held_before_, where_;
  std::vector<Vec2> places_;
  double nearest_squared_ = 1e9;
};

/// People who walk to and fro between random tiles for ever.
void populate(World& world, const Plan2D& plan, std::mt19937_64& random, std::size_t people, PlanEnd end = PlanEnd::kLoop) {
  const auto starts = random_tiles(plan, random, people), ends = random_tiles(plan, random, people);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    Plan way;
    way.goals.push_back({.point = plan.middle(ends[i][0], ends[i][1])});
    if (end == PlanEnd::kLoop) way.goals.push_back({.point = plan.middle(starts[i][0], starts[i][1])});
    way.end = end;
    AgentDef def;
    def.position = plan.middle(starts[i][0], starts[i][1]);
    def.person.preferred_speed = 0.9f + 0.1f * static_cast<float>(random() % 9);
    def.person.priority = static_cast<std::int32_t>(random() % 3);
    def.plan = world.add_plan(way);
    ASSERT_TRUE(world.add(def));
  }
}

TEST(Rules, one_person_a_tile_no_swap_no_corner_cut_and_nobody_lost_in_a_million_frames) {
  std::mt19937_64 random(1);
  std::uint64_t frames = 0;
  std::uint64_t arrivals = 0;
  for (int scene = 0; frames < 1'000'000; ++scene) {
    const Plan2D plan = random_plan(random, 7 + static_cast<int>(random() % 7), 7 + static_cast<int>(random() % 5),
                                    0.1 * static_cast<double>(random() % 3));
    const Navigation navigation = baked(plan);
    RulesSettings rules;
    rules.priority_rules = scene % 5 != 4;
    Result<World> world = World::create(navigation, settings_of(rules));
    ASSERT_TRUE(world);
    const auto free = static_cast<double>(std::count(plan.free.begin(), plan.free.end(), 1));
    const std::size_t people =
        std::min<std::size_t>(16, 3 + static_cast<std::size_t>(free * 0.04 * static_cast<double>(random() % 6)));
    populate(*world, plan, random, people);
    const std::uint32_t count = world->agent_count();
    Watch watch(plan);
    for (int i = 0; i < 10; ++i) world->step();  // everybody gets to the middle of its tile
    for (int i = 0; i < 8000; ++i) {
      world->step();
      for (const Event& e : world->events()) arrivals += e.kind == EventKind::kArrived;
      watch.look(*world);
    }
    frames += watch.frames;
    ASSERT_EQ(world->agent_count(), count);
    ASSERT_EQ(watch.bad(), 0u) << "scene " << scene << ": lost " << watch.lost << " shared " << watch.shared << " walls "
                               << watch.walls << " jumps " << watch.jumps << " cuts " << watch.cuts << " swaps " << watch.swaps
                               << " outside " << watch.outside;
    ASSERT_GT(watch.nearest(), 0.34) << "scene " << scene;
  }
  EXPECT_GT(arrivals, 10'000u) << "they do get somewhere";
}

TEST(Rules, nobody_comes_near_who_is_bound_for_a_place_beside_the_middle_of_its_tile) {
  std::mt19937_64 random(3);
  for (int scene = 0; scene < 10; ++scene) {
    const Plan2D plan = empty_plan(14, 14);
    const Navigation navigation = baked(plan);
    WorldSettings settings = settings_of({});
    settings.arrival_distance = 0.5;
    Result<World> world = World::create(navigation, settings);
    ASSERT_TRUE(world);
    const auto starts = random_tiles(plan, random, 40);
    const auto anywhere = [&] { return 0.3 + 0.01 * static_cast<double>(random() % 640); };
    for (const auto& start : starts) {
      Plan way;
      for (int k = 0; k < 4; ++k) way.goals.push_back({.point = {anywhere(), anywhere()}});
      way.end = PlanEnd::kLoop;
      AgentDef def;
      def.position = plan.middle(start[0], start[1]);
      def.plan = world->add_plan(way);
      ASSERT_TRUE(world->add(def));
    }
    Watch watch(plan);
    std::uint64_t arrivals = 0;
    for (int i = 0; i < 10; ++i) world->step();
    for (int i = 0; i < 1500; ++i) {
      world->step();
      for (const Event& e : world->events()) arrivals += e.kind == EventKind::kArrived;
      watch.look(*world);
    }
    ASSERT_EQ(watch.bad(), 0u) << "scene " << scene;
    ASSERT_GT(watch.nearest(), 0.34) << "scene " << scene;
    EXPECT_GT(arrivals, 100u);
  }
}

TEST(Rules, everybody_arrives_where_there_is_room_to_pass) {
  std::mt19937_64 random(2);
  int slowest = 0;
  for (int scene = 0; scene < 100; ++scene) {
    const Plan2D plan = random_plan(random, 16 + static_cast<int>(random() % 10), 14 + static_cast<int>(random() % 8), 0.25);
    const Navigation navigation = baked(plan);
    Result<World> world = World::create(navigation, settings_of({}));
    ASSERT_TRUE(world);
    const auto free = static_cast<std::size_t>(std::count(plan.free.begin(), plan.free.end(), 1));
    populate(*world, plan, random, free / 5, PlanEnd::kLeave);
    int frame = 0;
    while (world->agent_count() > 0 && frame < 10'000) world->step(), ++frame;
    slowest = std::max(slowest, frame);
    ASSERT_EQ(world->agent_count(), 0u) << "scene " << scene;
  }
  RecordProperty("slowest", slowest);
}

/// Places of everybody by number, as bits.
std::map<std::uint32_t, std::pair<float, float>> places_of(const World& world) {
  std::map<std::uint32_t, std::pair<float, float>> places;
  const World::Columns rows = world.columns();
  for (std::uint32_t row = 0; row < world.agent_count(); ++row) places[rows.number[row]] = {rows.x[row], rows.y[row]};
  return places;
}

TEST(Rules, a_run_is_the_same_at_any_number_of_threads_in_any_order_of_rows_and_after_a_restore) {
  std::mt19937_64 random(3);
  const Plan2D plan = random_plan(random, 40, 30, 0.15);
  const Navigation navigation = baked(plan);
  const auto start = [&](unsigned threads, unsigned sort_every) {
    WorldSettings settings = settings_of({}, threads);
    settings.sort_every = sort_every;
    Result<World> world = World::create(navigation, settings);
    std::mt19937_64 same(4);
    populate(*world, plan, same, 150);
    return std::move(*world);
  };
  World world = start(1, 64);
  std::string half;
  for (int i = 0; i < 400; ++i) {
    if (i == 200) half = world.snapshot();
    world.step();
  }
  for (const unsigned threads : {2u, 4u, 8u}) {
    World other = start(threads, 64);
    for (int i = 0; i < 400; ++i) other.step();
    EXPECT_EQ(other.hash(), world.hash()) << threads;
  }
  for (const unsigned sort_every : {0u, 1u, 7u}) {
    World other = start(2, sort_every);
    for (int i = 0; i < 400; ++i) other.step();
    EXPECT_EQ(places_of(other), places_of(world)) << "rows sorted every " << sort_every;
  }
  World other = start(2, 64);
  for (int i = 0; i < 13; ++i) other.step();
  const auto restored = other.restore(half);
  ASSERT_TRUE(restored) << to_string(restored.problems()[0]);
  EXPECT_EQ(other.snapshot(), half);
  for (int i = 0; i < 200; ++i) other.step();
  EXPECT_EQ(other.hash(), world.hash());
  EXPECT_EQ(other.snapshot(), world.snapshot());
  for (std::uint32_t row = 0; row < world.agent_count(); ++row) {
    const auto one = world.rules_decision(world.id_at(row)), two = other.rules_decision(other.id_at(row));
    ASSERT_TRUE(one && two);
    EXPECT_EQ(one->behaviour, two->behaviour);
    EXPECT_EQ(one->opponent, two->opponent);
    EXPECT_EQ(one->row, two->row);
  }
}

TEST(Rules, a_walk_is_as_fast_and_smooth_as_the_person_wants) {
  const Plan2D plan = empty_plan(60, 6);
  const Navigation navigation = baked(plan);
  for (const double dt : {0.05, 0.1, 0.2}) {
    WorldSettings settings = settings_of({});
    settings.dt = dt;
    Result<World> world = World::create(navigation, settings);
    ASSERT_TRUE(world);
    AgentDef def;
    def.position = plan.middle(1, 3);
    def.person.preferred_speed = 1.34f;
    const AgentId id = world->add(def);
    world->set_goal(id, plan.middle(57, 3));
    world->step();
    const double from = world->position(id).x, began = world->time();
    double fastest = 0;
    while (world->position(id).x < 25) {
      const Vec2 before = world->position(id);
      world->step();
      fastest = std::max(fastest, distance(before, world->position(id)) / dt);
      ASSERT_LT(world->time(), 60);
    }
    EXPECT_NEAR((world->position(id).x - from) / (world->time() - began), 1.34, 0.02) << dt;
    EXPECT_LT(fastest, 1.36) << "no jumps from tile to tile";
  }
}

TEST(Rules, people_of_other_models_are_gone_round_and_nobody_is_pushed_out_of_its_tile) {
  const Plan2D plan = empty_plan(40, 12);
  const Navigation navigation = baked(plan);
  WorldSettings settings;
  settings.models = {RulesSettings{}, reactive()};
  settings.count_contacts = true;
  Result<World> world = World::create(navigation, settings);
  ASSERT_TRUE(world);
  std::vector<AgentId> by_rules;
  for (int i = 0; i < 20; ++i) {
    AgentDef def;
    def.position = plan.middle(2 + i % 4, 1 + i / 2);
    def.person.model = 0;
    by_rules.push_back(world->add(def));
    world->set_goal(by_rules.back(), plan.middle(37, 1 + i / 2));
    def.position = plan.middle(37 - i % 4, 1 + i / 2);
    def.person.model = 1;
    ASSERT_TRUE(world->set_goal(world->add(def), plan.middle(2, 1 + i / 2)));
  }
  // And somebody who just stands in the way.
  AgentDef def;
  def.position = plan.middle(20, 6), def.person.model = 1;
  world->add(def);
  std::uint64_t deep = 0;
  double farthest = 0;
  for (int i = 0; i < 600; ++i) {
    deep += world->step().deep_overlaps;
    for (const AgentId id : by_rules) {
      const auto place = world->rules_place(id);
      ASSERT_TRUE(place) << i;
      const Vec2 at = world->position(id);
      // Between the two tiles.
      const Vec2 way = place->tile - place->from, off = at - place->from;
      const double share = dot(way, way) > 0 ? std::clamp(dot(off, way) / dot(way, way), 0.0, 1.0) : 0;
      farthest = std::max(farthest, distance(at, place->from + share * way));
    }
  }
  // In the first steps people go to the middle of their tile, and in front of a goal beside it.
  EXPECT_LT(farthest, 0.3);
  for (const AgentId id : by_rules) EXPECT_GT(world->position(id).x, 17) << "everybody came through";
  EXPECT_LT(static_cast<double>(deep) / 600, 0.5) << "pairs in a step";
}

TEST(Rules, who_is_bound_for_a_corner_that_no_tile_leads_to_walks_by_tiles_all_the_same) {
  // Walls that lie anywhere between the lines of the tiles leave tiles that hold no body and lead nowhere. Some goals are there.
  Layer layer;
  layer.walkable = {box(0, 0, 46, 46)};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      const double x = 46.0 / 6 * (i + 0.5), y = 46.0 / 6 * (j + 0.5);
      layer.obstacles.push_back(box(x - 0.75, y - 0.75, x + 0.75, y + 0.75));
    }
  const Result<Navigation> navigation = Navigation::bake(scene_of(layer), BakeSettings{});
  ASSERT_TRUE(navigation);
  Result<World> world = World::create(*navigation, settings_of({}));
  ASSERT_TRUE(world);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> anywhere(0.3, 45.7);
  for (int placed = 0; placed < 400;) {
    AgentDef def;
    def.position = {anywhere(random), anywhere(random)};
    if (!world->is_free(def.position, 0, 0.2)) continue;
    const auto goal = navigation->nearest_walkable({anywhere(random), anywhere(random)}, 0.3);
    ASSERT_TRUE(goal);
    def.plan = world->add_plan({.goals = {{.point = *goal}}});
    placed += world->add(def) ? 1 : 0;
  }
  for (int step = 0; step < 20; ++step) world->step();
  for (std::uint32_t row = 0; row < world->agent_count(); ++row) {
    const auto said = world->rules_decision(world->id_at(row));
    ASSERT_TRUE(said);
    EXPECT_NE(said->behaviour, RulesBehaviour::kOffTiles) << "person " << world->number(world->id_at(row));
  }
}

TEST(Rules, who_finds_its_place_taken_waits_beside_it_and_takes_it_when_it_is_free) {
  const Plan2D plan = empty_plan(20, 20);
  const Navigation navigation = baked(plan);
  Result<World> world = World::create(navigation, settings_of({}));
  ASSERT_TRUE(world);
  AgentDef holder;
  holder.position = plan.middle(10, 10);
  const auto held = world->add(holder);
  ASSERT_TRUE(held);
  AgentDef comes;
  comes.position = plan.middle(3, 10);
  comes.plan = world->add_plan({.goals = {{.point = plan.middle(10, 10)}}, .end = PlanEnd::kStay});
  const auto came = world->add(comes);
  ASSERT_TRUE(came);
  const auto run = [&](int steps) {
    double far = 0;
    Vec2 before = world->position(came);
    for (int k = 0; k < steps; ++k) {
      world->step();
      far += distance(before, world->position(came));
      before = world->position(came);
    }
    return far;
  };
  run(150);
  EXPECT_LT(distance(world->position(came), holder.position), 1.5 * kTile);
  EXPECT_LT(run(200), 0.01) << "it walks about";
  ASSERT_TRUE(world->rules_decision(came));
  EXPECT_EQ(world->rules_decision(came)->behaviour, RulesBehaviour::kBeside);
  ASSERT_TRUE(world->remove(held));
  run(60);
  EXPECT_LT(distance(world->position(came), holder.position), 0.1);
}

TEST(Rules, who_finds_the_only_place_of_an_area_taken_has_arrived_beside_it) {
  const Plan2D plan = empty_plan(20, 20);
  const Navigation navigation = baked(plan);
  for (const bool is_taken : {true, false}) {
    Result<World> world = World::create(navigation, settings_of({}));
    ASSERT_TRUE(world);
    AgentDef holder;
    holder.position = is_taken ? plan.middle(10, 10) : plan.middle(10, 15);
    ASSERT_TRUE(world->add(holder));
    const std::uint32_t seat = world->add_area(box(10 * kTile, 10 * kTile, 11 * kTile, 11 * kTile));
    AgentDef comes;
    comes.position = plan.middle(3, 10);
    comes.plan = world->add_plan({.goals = {{.area = seat, .wait_low = 1, .wait_high = 1}}, .end = PlanEnd::kStay});
    const AgentId came = world->add(comes);
    ASSERT_TRUE(came);
    bool has_arrived = false;
    for (int step = 0; step < 200; ++step) {
      world->step();
      for (const Event& event : world->events()) has_arrived |= event.kind == EventKind::kArrived;
    }
    EXPECT_TRUE(has_arrived);
    const double far = distance(world->position(came), plan.middle(10, 10));
    EXPECT_TRUE(is_taken ? far > 0.9 * kTile && far < 1.5 * kTile : far < 0.5 * kTile) << far;
  }
}

TEST(Rules, an_itinerary_leads_room_by_room_through_doorways) {
  // Three rooms in a row, doors of a metre at different ends.
  Plan2D plan = empty_plan(48, 16);
  for (int y = 0; y < 16; ++y) {
    if (y != 2 && y != 3) plan.free[static_cast<std::size_t>(y * 48 + 16)] = 0;
    if (y != 12 && y != 13) plan.free[static_cast<std::size_t>(y * 48 + 32)] = 0;
  }
  const Navigation navigation = baked(plan);
  const BodyTiles tiles(navigation.data().cells, {}, [](Vec2, std::uint32_t) { return 0.0; });
  const Rooms rooms(navigation.data().cells, tiles, 2.5);
  EXPECT_EQ(rooms.room_count(), 3u);
  EXPECT_EQ(rooms.doorways().size(), 2u);
  Result<World> world = World::create(navigation, settings_of({}));
  ASSERT_TRUE(world);
  AgentDef def;
  def.position = plan.middle(2, 13);
  const AgentId id = world->add(def);
  world->set_goal(id, plan.middle(45, 2));
  double length_walked = 0;
  for (int i = 0; i < 600 && world->activity(id) == Activity::kWalking; ++i) {
    const Vec2 before = world->position(id);
    world->step();
    length_walked += distance(before, world->position(id));
  }
  EXPECT_LT(distance(world->position(id), plan.middle(45, 2)), 0.6);
  // The shortest way by straight and diagonal steps, found by breadth first search in the test: 0.5 m a tile.
  std::vector<double> cost(plan.free.size(), 1e9);
  std::set<std::pair<double, int>> queue{{0, 13 * 48 + 2}};
  cost[13 * 48 + 2] = 0;
  while (!queue.empty()) {
    const auto [c, t] = *queue.begin();
    queue.erase(queue.begin());
    const int x = t % 48, y = t / 48;
    for (int dx = -1; dx <= 1; ++dx)
      for (int dy = -1; dy <= 1; ++dy) {
        if (!plan.at(x + dx, y + dy) || !plan.at(x + dx, y) || !plan.at(x, y + dy)) continue;
        const double to = c + 0.5 * std::sqrt(dx * dx + dy * dy);
        auto& known = cost[static_cast<std::size_t>((y + dy) * 48 + x + dx)];
        if (to >= known - 1e-9) continue;
        known = to;
        queue.insert({to, (y + dy) * 48 + x + dx});
      }
  }
  const double shortest = cost[2 * 48 + 45];
  EXPECT_LT(length_walked, shortest * 1.05 + 0.5) << "of " << shortest << " m";
  EXPECT_GT(length_walked, shortest - 1.2);
}

}  // namespace
}  // namespace throng
