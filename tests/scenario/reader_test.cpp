// SPDX-License-Identifier: MIT
// Every key of a scenario file reaches the struct, and the documentation says what the reader does.
#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "fixtures.hpp"
#include "scenario/keys.hpp"
#include "support/tree.hpp"

#if __has_include(<valijson/validator.hpp>)
#define THRONG_HAVE_VALIJSON
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#endif

namespace throng {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

/// Uses every key once, with values that are not the defaults.
const char* const kEveryKey = R"({
  "throng_scenario": 1, "$schema": "x", "name": "all", "description": "every key", "comment": "ignored",
  "scene": {"throng_scene": 1, "layers": [{"name": "ground", "walkable": [[[0,0],[60,0],[60,40],[0,40]]]},
                                          {"name": "upper", "elevation": 4, "walkable": [[[0,0],[60,0],[60,40],[0,40]]]}],
            "areas": [{"name": "platform", "layer": "upper", "polygon": [[1,1],[5,1],[5,5]]},
                      {"name": "platform", "layer": "ground", "polygon": [[10,1],[15,1],[15,5]]}],
            "profiles": [{"name": "person"}, {"name": "cart", "radius": 0.4}]},
  "areas": {
    "west": {"box": [0, 0, 10, 40], "layer": "upper", "comment": 1},
    "ring": {"polygon": {"outer": [[20,20],[40,20],[40,40],[20,40]], "holes": [[[25,25],[30,25],[30,30]]]}},
    "east": [[50,0],[60,0],[60,40],[50,40]]
  },
  "kinds": {
    "tall": {"base": "fast", "radius": 0.3},
    "fast": {"base": "elderly", "preferred_speed": {"normal": {"mean": 2, "deviation": 0.5, "low": 1, "high": 3}},
             "max_speed": {"uniform": [3, 4]}, "cone_angle": {"choices": [0.1, 0.3], "weights": [1, 2]},
             "personal_distance": {"list": [1.1, 1.2]}, "wall_distance": 0.7, "reaction_time": 1.5}
  },
  "models": {
    "paper": {"base": "reactive_2004", "table": "minimal_adjustment", "margin": 0.2},
    "right": {"table": "keep_right", "wrong_side": 0.5},
    "straight": {"base": "linear", "comment": "through everybody"},
    "steered": {"base": "reynolds", "steer_time": 0.5, "max_acceleration": 2, "horizon": 4, "margin": 0.1, "avoidance": 0.7,
                "separation_distance": 1.5, "separation_strength": 0.3},
    "streams": {"base": "continuum", "tile": 1, "max_goals": 7, "steer_time": 0, "max_acceleration": 3,
                "field": {"length_weight": 2, "time_weight": 3, "discomfort_weight": 4, "density_exponent": 1.5, "bilinear_density": true,
                          "low_density": 0.5, "high_density": 3, "jam_density": 5, "free_density": 0.8, "max_speed": 1.5,
                          "min_speed": 0.2, "floor_speed": 0.03, "low_slope": 0.1, "high_slope": 0.6, "prediction_time": 3,
                          "prediction_step": 0.25, "prediction_discomfort": 2, "comment": "all of them"}},
    "tiled": {"base": "short_term_2008", "tile": 2, "horizon": 2.5, "slow_down": 0.6, "patience": 1.5, "as_printed": false, "steer_time": 0.3},
    "own": {"table": {"front": {"right": {"direction_power": 2, "norm_power": 3, "factor": 0.25}, "accelerate": {}},
                      "static": {"left": {}}, "rear": {"decelerate": {}}, "back": {"decelerate": {}}, "accepts": ["rear", "back"]},
            "personal_space": false, "personal_strength": 2, "prediction": false, "margin": 0.3, "horizon": 5, "max_pops": 7,
            "printed_security": true, "max_acceleration": 3, "look_ahead": false, "right_bias": 0.1, "headway": false,
            "headway_time": 2, "wall_slide": false, "directional_security": false, "yielding": false, "squeeze": false}
  },
  "graph": {"grid_step": 0.5, "min_radius": 0.9, "slope": 30, "step_height": 0.3, "head_room": 2, "sight_range": 40},
  "flows": {"across": {"between": ["ring", "east"], "choice": "width", "max_paths": 5, "max_ratio": 1.25}},
  "plans": {
    "with flow": {"goals": [{"area": "east", "flow": "across"}]},
    "tour": {"goals": ["east", {"area": ["west", "platform"], "wait": {"uniform": [5, 6]}}, {"point": [3, 4], "layer": "upper", "wait": 2}], "end": "loop"},
    "wander": {"end": "wander"}, "leave": {"goals": ["east"], "end": "leave"}, "stay": {"goals": ["east"], "end": "stay"}
  },
  "populations": [
    {"count": 12, "area": "ring", "placement": "grid", "kinds": {"tall": 3, "child": 1}, "plan": {"tour": 1, "leave": 2}, "model": "own",
     "profile": "cart", "pre_movement": {"list": [1, 2, 3]}},
    {"density": 0.25, "area": "west", "heading": [0, -2]},
    {"positions": [[1, 2], [3, 4]], "goals": [[5, 6], [7, 8]], "layer": 1},
    {"count": 3, "heading": "random", "heading_time": 25},
    {"count": 7, "flow": "across", "kinds": "child"},
    {"count": 9, "kinds": {"adult": 2, "child": 1}, "groups": {"1": 3, "2": 1}}
  ],
  "sources": [
    {"area": "east", "rate": 2, "arrivals": "regular", "from": 10, "until": 20, "limit": 15, "kinds": "wheelchair", "plan": "stay",
     "model": "paper", "profile": "cart", "pre_movement": 4},
    {"area": "east", "timetable": [{"at": 30, "count": 4}, {"at": 5}], "kinds": {"adult": 2, "child": 1}, "groups": {"1": 3, "2": 1}}
  ],
  "measurements": {"lines": {"gate": {"from": [1, 2], "to": [3, 4], "layer": "upper"}}, "areas": ["ring"]},
  "settings": {"dt": 0.05, "seed": 99, "duration": 12.5, "stop_when_done": false, "neighbours": "nearest",
               "period": {"low": [1, 2], "size": [30, 0]}, "arrival_distance": 0.3, "separate_sweeps": 4, "sort_every": 32, "count_contacts": false,
               "detail": {"high_score": 0.5, "most_frequency": 12, "least_frequency": 6, "unseen_frequency": 2, "patch": "disc",
                          "viewpoint": {"position": [3, 4], "direction": [0, 2], "field_of_view": 1.5, "distance": 70}}},
  "outputs": {"recording": false, "frame_every": 7, "snapshot_every": 70}
})";

/// What excludes `detail` and `period`.
const std::string kEveryRegionKey = R"({
  "throng_scenario": 1,
  "scene": {"throng_scene": 1, "layers": [{"name": "lower", "walkable": [[[0,0],[60,0],[60,40],[0,40]]]}, {"name": "upper", "walkable": [[[0,0],[60,0],[60,40],[0,40]]]}]},
  "models": {"mine": {"base": "reynolds"}},
  "vehicles": {
    "bus": {"path": [[5, 5], [50, 5], [50, 30]], "layer": "upper", "length": 12, "width": 2.5, "speed": 4, "acceleration": 1, "deceleration": 3,
            "start_time": 7, "comes_back": true, "danger_time": 3, "danger_margin": 0.7, "discomfort": 20, "hurry": 1.5}
  },
  "settings": {"interest": {
    "tile": 4, "camera_near": 20, "slack": 2, "straight_frequency": 3, "budget": 500, "elsewhere": 2,
    "camera": {"position": [3, 4], "direction": [0, 2], "field_of_view": 1.5, "distance": 70},
    "levels": [{"guidance": "field", "model": "own"}, {"model": "mine"}, {"guidance": "corridor", "model": "straight"}],
    "regions": {
      "a": {"centre": [10, 20], "radius": 9, "level": 1, "is_limit": true, "layer": "upper"},
      "b": {"follow": "bus"}
    }}}
})";

TEST(ScenarioReader, every_key_of_regions_and_vehicles_reaches_the_struct) {
  const auto result = read(kEveryRegionKey);
  ASSERT_TRUE(result) << listed_problems(result);
  const Scenario& s = *result;
  ASSERT_EQ(s.vehicles.size(), 1u);
  EXPECT_EQ(s.vehicles[0].name, "bus");
  const VehicleDef& bus = s.vehicles[0].definition;
  EXPECT_EQ(bus.path, (std::vector<Vec2>{{5, 5}, {50, 5}, {50, 30}}));
  EXPECT_EQ(bus.layer, 1u);
  EXPECT_EQ((std::array{bus.length, bus.width, bus.speed, bus.acceleration, bus.deceleration, bus.start_time}),
            (std::array{12.0, 2.5, 4.0, 1.0, 3.0, 7.0}));
  EXPECT_EQ((std::array{bus.danger_time, bus.danger_margin, bus.discomfort, bus.hurry}), (std::array{3.0, 0.7, 20.0, 1.5}));
  EXPECT_TRUE(bus.comes_back);
  const InterestSettings& interest = s.settings.interest;
  EXPECT_TRUE(interest.enabled);
  EXPECT_EQ((std::array{interest.tile, interest.camera_near, interest.slack, interest.straight_frequency, interest.budget}),
            (std::array{4.0, 20.0, 2.0, 3.0, 500.0}));
  EXPECT_EQ(interest.elsewhere, 2);
  ASSERT_TRUE(interest.camera);
  EXPECT_EQ(interest.camera->distance, 70);
  EXPECT_EQ(interest.levels[0].guidance, Guidance::kField);
  EXPECT_EQ(interest.levels[0].model, kOwnModel);
  EXPECT_EQ(interest.levels[1].guidance, Guidance::kCorridor);
  EXPECT_EQ(name_of(s.models.at(interest.levels[1].model)), "mine");
  EXPECT_EQ(interest.levels[2].model, kStraightModel);
  ASSERT_EQ(s.regions.size(), 2u);
  EXPECT_EQ(s.regions[0].name, "a");
  EXPECT_EQ(s.regions[0].region, (Region{.centre = {10, 20}, .radius = 9, .level = 1, .is_limit = true, .layer = 1}));
  EXPECT_EQ(s.regions[1].region, (Region{.centre = {5, 5}, .radius = 15, .level = 0})) << "where the bus begins";
  EXPECT_EQ(s.regions[1].vehicle, 0u);

  const Simulation simulation = start(s);
  EXPECT_EQ(simulation.world().vehicle_count(), 1u);
  EXPECT_EQ(simulation.world().region(0), s.regions[0].region);
}

TEST(ScenarioReader, a_region_goes_with_the_vehicle_it_follows) {
  Simulation simulation = start(hall(R"("vehicles": {"cart": {"path": [[2, 5], [18, 5]], "length": 1, "width": 1, "speed": 2}},
      "settings": {"interest": {"tile": 1, "elsewhere": 2, "regions": {"with it": {"follow": "cart", "radius": 3}}}})"));
  const World& world = simulation.world();
  EXPECT_EQ(world.level_at({2, 5}), 0);
  EXPECT_EQ(world.level_at({14, 5}), 2);
  for (int i = 0; i < 60; ++i) simulation.step();
  EXPECT_GT(world.vehicle(0).position.x, 10);
  EXPECT_EQ(world.level_at({2, 5}), 2);
  EXPECT_EQ(world.level_at(world.vehicle(0).position), 0);
  EXPECT_EQ(world.level_tiles().size(), 200u) << "20 x 10 m of ground in tiles of 1 m";
}

TEST(ScenarioReader, every_key_reaches_the_struct) {
  const auto result = read(kEveryKey);
  ASSERT_TRUE(result) << listed_problems(result);
  const Scenario& s = *result;
  EXPECT_EQ(s.name, "all");
  EXPECT_EQ(s.description, "every key");

  ASSERT_EQ(s.areas.size(), 4u);  // the scene's, then the file's by name
  EXPECT_EQ(s.areas[0].name, "platform");
  ASSERT_EQ(s.areas[0].parts.size(), 2u);
  EXPECT_EQ(s.areas[0].parts[0].layer, 1u);
  EXPECT_EQ(s.areas[1].name, "east");
  EXPECT_EQ(s.areas[2].parts[0].shape.holes.size(), 1u);
  EXPECT_EQ(s.areas[3].name, "west");
  EXPECT_EQ(s.areas[3].parts[0].layer, 1u);
  EXPECT_EQ(s.areas[3].parts[0].shape.outer[2], (Vec2{10, 40}));

  ASSERT_EQ(s.kinds.size(), 6u);
  EXPECT_EQ(s.kinds[3].name, "wheelchair");
  const Kind& fast = s.kinds[4];
  EXPECT_EQ(fast.name, "fast");
  EXPECT_EQ(fast.preferred_speed, Quantity::normal(2, 0.5, 1, 3));
  EXPECT_EQ(fast.max_speed, Quantity::uniform(3, 4));
  EXPECT_EQ(fast.cone_angle, (Quantity{.form = Quantity::Form::kChoices, .values = {0.1, 0.3}, .weights = {1, 2}}));
  EXPECT_EQ(fast.personal_distance, (Quantity{.form = Quantity::Form::kList, .values = {1.1, 1.2}}));
  EXPECT_EQ(fast.wall_distance, Quantity::fixed(0.7));
  EXPECT_EQ(fast.reaction_time, Quantity::fixed(1.5));
  EXPECT_EQ(fast.radius, Quantity::fixed(0.2));
  EXPECT_EQ(s.kinds[5].name, "tall");
  EXPECT_EQ(s.kinds[5].radius, Quantity::fixed(0.3));
  EXPECT_EQ(s.kinds[5].wall_distance, Quantity::fixed(0.7)) << "from its base, which stands later in the file";

  ASSERT_EQ(s.models.size(), 11u);
  const ReactiveSettings &own = std::get<ReactiveSettings>(s.models[4]), &paper = std::get<ReactiveSettings>(s.models[5]),
                         &right = std::get<ReactiveSettings>(s.models[6]);
  EXPECT_EQ(std::get<LinearSettings>(s.models[8]).name, "straight");
  const auto& steered = std::get<ReynoldsSettings>(s.models[7]);
  EXPECT_EQ(steered.name, "steered");
  EXPECT_EQ((std::array{steered.steer_time, steered.max_acceleration, steered.horizon, steered.margin, steered.avoidance,
                        steered.separation_distance, steered.separation_strength}),
            (std::array{0.5f, 2.0f, 4.0f, 0.1f, 0.7f, 1.5f, 0.3f}));
  const auto& streams = std::get<ContinuumSettings>(s.models[9]);
  EXPECT_EQ(streams.name, "streams");
  EXPECT_EQ(streams.max_goals, 7u);
  EXPECT_EQ((std::array{streams.tile, streams.steer_time, streams.max_acceleration}), (std::array{1.0f, 0.0f, 3.0f}));
  const FieldSettings& field = streams.field;
  EXPECT_TRUE(field.bilinear_density);
  EXPECT_EQ((std::array{field.length_weight, field.time_weight, field.discomfort_weight, field.density_exponent,
                        field.low_density, field.high_density, field.jam_density, field.free_density}),
            (std::array{2.0f, 3.0f, 4.0f, 1.5f, 0.5f, 3.0f, 5.0f, 0.8f}));
  EXPECT_EQ((std::array{field.max_speed, field.min_speed, field.floor_speed, field.low_slope, field.high_slope,
                        field.prediction_time, field.prediction_step, field.prediction_discomfort}),
            (std::array{1.5f, 0.2f, 0.03f, 0.1f, 0.6f, 3.0f, 0.25f, 2.0f}));
  const auto& tiled = std::get<ShortTermSettings>(s.models[10]);
  EXPECT_EQ(tiled.name, "tiled");
  EXPECT_FALSE(tiled.as_printed) << "as the file says, and not as the base";
  EXPECT_EQ((std::array{tiled.tile, tiled.horizon, tiled.margin, tiled.slow_down, tiled.patience, tiled.steer_time}),
            (std::array{2.0f, 2.5f, 0.1f, 0.6f, 1.5f, 0.3f}));
  EXPECT_EQ(own.name, "own");
  EXPECT_FALSE(own.personal_space || own.prediction || own.look_ahead || own.headway || own.wall_slide ||
               own.directional_security || own.yielding || own.squeeze);
  EXPECT_TRUE(own.printed_security);
  EXPECT_FLOAT_EQ(own.personal_strength, 2);
  EXPECT_FLOAT_EQ(own.margin, 0.3f);
  EXPECT_FLOAT_EQ(own.horizon, 5);
  EXPECT_EQ(own.max_pops, 7);
  EXPECT_FLOAT_EQ(own.max_acceleration, 3);
  EXPECT_FLOAT_EQ(own.right_bias, 0.1f);
  EXPECT_FLOAT_EQ(own.headway_time, 2);
  const auto& front = own.table.rows[static_cast<int>(CollisionType::kFront)];
  const Reaction& to_right = front[static_cast<int>(ReactionModule::kRight)];
  EXPECT_TRUE(to_right.is_used && to_right.direction_power == 2 && to_right.norm_power == 3 && to_right.factor == 0.25f);
  EXPECT_TRUE(front[static_cast<int>(ReactionModule::kAccelerate)].is_used);
  EXPECT_FALSE(front[static_cast<int>(ReactionModule::kLeft)].is_used);
  EXPECT_TRUE(own.table.rows[static_cast<int>(CollisionType::kStatic)][static_cast<int>(ReactionModule::kLeft)].is_used);
  EXPECT_EQ(own.table.accepts, (std::array<bool, 4>{false, true, false, true}));
  EXPECT_EQ(paper.table.name, "minimal_adjustment");
  EXPECT_FALSE(paper.look_ahead);
  EXPECT_FLOAT_EQ(paper.margin, 0.2f);
  EXPECT_EQ(right.table.rows[static_cast<int>(CollisionType::kFront)][static_cast<int>(ReactionModule::kLeft)].factor, 0.5f);
  EXPECT_TRUE(right.look_ahead);

  ASSERT_EQ(s.plans.size(), 7u) << "two of them of who walks a flow";
  const ScenarioPlan& tour = s.plans[2];
  EXPECT_EQ(tour.name, "tour");
  EXPECT_EQ(tour.end, PlanEnd::kLoop);
  ASSERT_EQ(tour.goals.size(), 3u);
  EXPECT_EQ(tour.goals[0].areas, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(tour.goals[1].areas, (std::vector<std::uint32_t>{3, 0}));
  EXPECT_EQ(tour.goals[1].wait_low, 5);
  EXPECT_EQ(tour.goals[1].wait_high, 6);
  EXPECT_EQ(tour.goals[2].point, (Vec2{3, 4}));
  EXPECT_EQ(tour.goals[2].layer, 1u);
  EXPECT_EQ(tour.goals[2].wait_low, 2);
  EXPECT_EQ(s.plans[0].end, PlanEnd::kLeave);
  EXPECT_EQ(s.plans[1].end, PlanEnd::kStay);
  EXPECT_EQ(s.plans[3].end, PlanEnd::kWander);
  EXPECT_EQ(s.plans[4].goals[0].flow, 0u);
  EXPECT_FALSE(tour.goals[0].flow);

  ASSERT_EQ(s.populations.size(), 7u);
  const Population& first = s.populations[0];
  EXPECT_EQ(first.count, 12u);
  EXPECT_EQ(first.area, 2u);
  EXPECT_EQ(first.placement, Placement::kGrid);
  EXPECT_EQ(first.kinds, (std::vector<Share>{{1, 1}, {5, 3}}));
  EXPECT_EQ(first.plans, (std::vector<Share>{{0, 2}, {2, 1}}));
  EXPECT_EQ(first.model, 4u);
  EXPECT_EQ(first.profile, 1u);
  EXPECT_EQ(first.pre_movement.values.size(), 3u);
  EXPECT_EQ(s.populations[1].density, 0.25);
  EXPECT_EQ(s.populations[1].heading, (Vec2{0, -2}));
  EXPECT_EQ(s.populations[2].positions[1], (Vec2{3, 4}));
  EXPECT_EQ(s.populations[2].goals[0], (Vec2{5, 6}));
  EXPECT_EQ(s.populations[2].layer, 1u);
  EXPECT_TRUE(s.populations[3].random_heading);
  EXPECT_EQ(s.populations[3].heading_time, 25);
  ASSERT_EQ(s.populations[6].groups.size(), 2u);
  EXPECT_EQ(s.populations[6].groups[0], (Share{1, 3}));
  EXPECT_EQ(s.populations[6].groups[1], (Share{2, 1}));
  // Who walks a flow makes a population at each end.
  for (const auto& [index, area, count] : {std::array{4u, 2u, 4u}, std::array{5u, 1u, 3u}}) {
    const Population& half = s.populations[index];
    EXPECT_EQ(half.entry, 4u);
    EXPECT_EQ(half.area, area);
    EXPECT_EQ(half.count, count);
    EXPECT_EQ(half.kinds, (std::vector<Share>{{1, 1}}));
    ASSERT_EQ(half.plans.size(), 1u);
    const ScenarioPlan& plan = s.plans[half.plans[0].index];
    EXPECT_EQ(plan.end, PlanEnd::kLoop);
    ASSERT_EQ(plan.goals.size(), 2u);
    EXPECT_EQ(plan.goals[0].areas, (std::vector<std::uint32_t>{3 - area}));
    EXPECT_EQ(plan.goals[1].areas, (std::vector<std::uint32_t>{area}));
    EXPECT_EQ(plan.goals[0].flow, 0u);
    EXPECT_EQ(plan.goals[1].flow, 0u);
  }

  EXPECT_EQ((std::array{s.graph.grid_step, s.graph.min_radius, s.graph.slope, s.graph.step_height, s.graph.head_room,
                        s.graph.sight_range}),
            (std::array{0.5, 0.9, 30.0, 0.3, 2.0, 40.0}));
  ASSERT_EQ(s.flows.size(), 1u);
  EXPECT_EQ(s.flows[0].name, "across");
  EXPECT_EQ(s.flows[0].areas, (std::array{2u, 1u}));
  EXPECT_EQ(s.flows[0].choice, PathCriterion::kWidth);
  EXPECT_EQ(s.flows[0].paths.max_paths, 5u);
  EXPECT_EQ(s.flows[0].paths.max_ratio, 1.25);
  EXPECT_EQ(s.settings.detail.patch, Patch::kDisc);

  ASSERT_EQ(s.sources.size(), 2u);
  const Source& source = s.sources[0];
  EXPECT_EQ(source.area, 1u);
  EXPECT_EQ(source.rate, 2);
  EXPECT_EQ(source.arrivals, Arrivals::kRegular);
  EXPECT_EQ(source.from, 10);
  EXPECT_EQ(source.until, 20);
  EXPECT_EQ(source.limit, 15u);
  EXPECT_EQ(source.kinds, (std::vector<Share>{{3, 1}}));
  EXPECT_EQ(source.plans, (std::vector<Share>{{1, 1}}));
  EXPECT_EQ(source.model, 5u);
  EXPECT_EQ(source.profile, 1u);
  EXPECT_EQ(source.pre_movement, Quantity::fixed(4));
  ASSERT_EQ(s.sources[1].timetable.size(), 2u);
  EXPECT_EQ(s.sources[1].timetable[0].at, 5) << "sorted by time";
  EXPECT_EQ(s.sources[1].timetable[1].count, 4u);
  EXPECT_EQ(s.sources[1].groups, (std::vector<Share>{{1, 3}, {2, 1}}));
  EXPECT_TRUE(source.groups.empty());

  ASSERT_EQ(s.lines.size(), 1u);
  EXPECT_EQ(s.lines[0].name, "gate");
  EXPECT_EQ(s.lines[0].to, (Vec2{3, 4}));
  EXPECT_EQ(s.lines[0].layer, 1u);
  EXPECT_EQ(s.density_areas, (std::vector<std::uint32_t>{2}));

  EXPECT_EQ(s.settings.dt, 0.05);
  EXPECT_EQ(s.settings.seed, 99u);
  EXPECT_EQ(s.settings.duration, 12.5);
  EXPECT_FALSE(s.settings.stop_when_done);
  EXPECT_EQ(s.settings.neighbours, NeighbourMode::kNearest);
  EXPECT_EQ(s.settings.period_low, (Vec2{1, 2}));
  EXPECT_EQ(s.settings.period_size, (Vec2{30, 0}));
  EXPECT_EQ(s.settings.arrival_distance, 0.3);
  EXPECT_EQ(s.settings.separate_sweeps, 4u);
  EXPECT_EQ(s.settings.sort_every, 32u);
  EXPECT_FALSE(s.settings.count_contacts);
  const DetailSettings& detail = s.settings.detail;
  EXPECT_TRUE(detail.enabled);
  EXPECT_EQ((std::array{detail.high_score, detail.most_frequency, detail.least_frequency, detail.unseen_frequency}),
            (std::array{0.5, 12.0, 6.0, 2.0}));
  ASSERT_TRUE(detail.viewpoint);
  EXPECT_EQ(detail.viewpoint->position, (Vec2{3, 4}));
  EXPECT_EQ(detail.viewpoint->direction, (Vec2{0, 2}));
  EXPECT_EQ((std::array{detail.viewpoint->field_of_view, detail.viewpoint->distance}), (std::array{1.5, 70.0}));
  EXPECT_FALSE(s.outputs.recording);
  EXPECT_EQ(s.outputs.frame_every, 7u);
  EXPECT_EQ(s.outputs.snapshot_every, 70u);
}

/// Every key of an object or of what it holds.
void collect_keys(const Json& value, std::vector<std::string>& keys) {
  for (const auto& [key, inner] : value.items()) {
    if (value.is_object()) keys.push_back(key);
    if (inner.is_structured()) collect_keys(inner, keys);
  }
}

/// The keys of events; what they do is in events_test.cpp.
const std::string kEveryEventKey = R"({
  "throng_scenario": 1,
  "scene": {"throng_scene": 1, "walkable": [[[0,0],[20,0],[20,10],[0,10]]], "obstacles": [[[9,1],[10,1],[10,2]]],
            "areas": [{"name": "door", "polygon": [[9,4],[10,4],[10,6],[9,6]]}]},
  "areas": {"hall": {"box": [1, 1, 8, 8]}},
  "plans": {"wait": {"goals": ["hall"]}},
  "populations": [{"count": 1, "area": "hall"}],
  "settings": {"interest": {"regions": {"stage": {"centre": [5, 5]}}}},
  "vehicles": {"bus": {"path": [[12, 5], [18, 5]]}},
  "events": [
    {"time": 2.5, "actions": [
      {"close_door": "door"}, {"open_door": "door"},
      {"add_obstacle": "crate", "polygon": [[1,1],[2,1],[2,2]], "layer": 0},
      {"move_obstacle": 0, "polygon": [[3,1],[4,1],[4,2]]}, {"remove_obstacle": "crate"},
      {"set_speed": 0.7, "population": 0}, {"scale_speed": 1.5}, {"set_plan": "wait"},
      {"set_region": "stage", "centre": [7, 6], "radius": 4, "level": 2}, {"remove_region": "stage"},
      {"add_region": "lobby", "centre": [3, 4], "radius": 5, "level": 1, "layer": 0, "is_limit": true},
      {"add_region": "beside the bus", "follow": "bus"}, {"set_region": "lobby", "radius": 6}]},
    {"when": {"area": "hall", "over": 3}, "actions": []},
    {"when": {"area": "hall", "under": 2}, "actions": []},
    {"when": {"arrived": 0.25}, "actions": []}
  ]
})";

TEST(ScenarioReader, reads_every_key_of_events) {
  const auto scenario = read(kEveryEventKey);
  ASSERT_TRUE(scenario) << listed_problems(scenario);
  ASSERT_EQ(scenario->events.size(), 4u);
  EXPECT_EQ(scenario->events[0].time, 2.5);
  const auto& actions = scenario->events[0].actions;
  ASSERT_EQ(actions.size(), 13u);
  EXPECT_EQ(actions[0].door, "door");
  EXPECT_EQ(actions[2].shape.outer.size(), 3u);
  EXPECT_TRUE(actions[2].is_named && actions[4].is_named && !actions[3].is_named);
  EXPECT_EQ(scenario->obstacle_names, std::vector<std::string>{"crate"});
  EXPECT_EQ(actions[5].value, 0.7);
  EXPECT_EQ(actions[5].population, 0u);
  EXPECT_FALSE(actions[6].population);
  EXPECT_EQ(actions[8].region_value.centre, (Vec2{7, 6}));
  EXPECT_EQ(actions[8].region_value.radius, 4);
  EXPECT_EQ(actions[8].region_value.level, 2);
  ASSERT_EQ(scenario->regions.size(), 3u);
  EXPECT_EQ(scenario->settings.interest.regions.size(), 1u) << "the others are not there at the start";
  EXPECT_EQ(actions[10].region, 1u);
  EXPECT_EQ(actions[10].region_value, (Region{.centre = {3, 4}, .radius = 5, .level = 1, .is_limit = true, .layer = 0}));
  EXPECT_EQ(actions[11].vehicle, 0u);
  EXPECT_EQ(actions[11].region_value.layer, kAllLayers);
  EXPECT_EQ(actions[12].region, 1u);
  EXPECT_TRUE(actions[12].sets_radius && !actions[12].sets_centre && !actions[12].sets_level);
  EXPECT_EQ(scenario->events[1].when.count, 3u);
  EXPECT_TRUE(scenario->events[1].when.is_over && !scenario->events[2].when.is_over);
  EXPECT_EQ(scenario->events[3].when.share_arrived, 0.25);
  EXPECT_TRUE(edits_scene(*scenario));
}

constexpr const char* kEveryRulesKey = R"({
  "throng_scenario": 1,
  "scene": {"throng_scene": 1, "walkable": [[[0,0],[20,0],[20,10],[0,10]]]},
  "areas": {"car": {"box": [0, 0, 5, 10]}, "way": {"box": [5, 4, 8, 6]}},
  "models": {
    "doors": {"base": "rules", "tile": 0.6, "priority_rules": false, "headway": 0.9, "speed_up": 1.5, "back_after": 6,
      "replan_after": 12, "back_off_after": 40, "doorway_precedence": false, "doorway_width": 3, "manhattan": true, "side": "left",
      "table": {"toward": {"same_tile": [["right", "forward"], ["wait", "slow"]]}, "away": {"each_other": [["forward", "overtake_left"]]},
        "glancing": {"each_other": []}},
      "yields": [{"inside": "car", "clear": "way", "priority": 3}]}
  },
  "populations": [{"count": 3, "area": "car", "model": "doors", "priority": -5}, {"count": 1, "model": "rules"}],
  "sources": [{"area": "way", "rate": 1, "model": "doors", "priority": 7}]
})";

TEST(ScenarioReader, priority_rules_are_read_with_their_table_and_yields) {
  const auto scenario = read(kEveryRulesKey);
  ASSERT_TRUE(scenario) << listed_problems(scenario);
  const auto& doors = std::get<RulesSettings>(scenario->models[scenario->populations[0].model]);
  EXPECT_EQ(doors.name, "doors");
  EXPECT_EQ(doors.tile, 0.6f);
  EXPECT_FALSE(doors.priority_rules || doors.doorway_precedence);
  EXPECT_EQ(doors.headway, 0.9f);
  EXPECT_EQ(doors.speed_up, 1.5f);
  EXPECT_EQ(doors.back_after, 6u);
  EXPECT_EQ(doors.replan_after, 12u);
  EXPECT_EQ(doors.back_off_after, 40u);
  EXPECT_EQ(doors.doorway_width, 3);
  EXPECT_TRUE(doors.manhattan);
  EXPECT_EQ(doors.side, RulesSide::kLeft);
  const RulesTable own = rules_table_2009();
  const auto& rows = doors.table.of(RulesClass::kToward, RulesType::kSameTile);
  ASSERT_EQ(rows.count, 2);
  EXPECT_EQ(rows.row[0], (RulesRow{RulesMove::kRight, RulesMove::kForward}));
  EXPECT_EQ(rows.row[1], (RulesRow{RulesMove::kWait, RulesMove::kSlow}));
  EXPECT_EQ(doors.table.of(RulesClass::kToward, RulesType::kEachOther), own.of(RulesClass::kToward, RulesType::kEachOther))
      << "rows that are not given stay";
  EXPECT_EQ(doors.table.of(RulesClass::kAway, RulesType::kEachOther).count, 1);
  EXPECT_EQ(doors.table.of(RulesClass::kGlancing, RulesType::kEachOther).count, 0);
  ASSERT_EQ(doors.yields.size(), 1u);
  EXPECT_EQ(doors.yields[0].priority, 3);
  EXPECT_EQ(doors.yields[0].inside.outer.size(), 4u);
  EXPECT_EQ(doors.yields[0].clear.outer.size(), 4u);
  EXPECT_EQ(scenario->populations[0].priority, -5);
  EXPECT_EQ(scenario->sources[0].priority, 7);
  EXPECT_EQ(std::get<RulesSettings>(scenario->models[scenario->populations[1].model]).table, own);
}

TEST(ScenarioReader, mistakes_in_a_table_of_rules_are_named) {
  const auto wrong = read(R"({"throng_scenario": 1, "scene": {"throng_scene": 1, "walkable": [[[0,0],[9,0],[9,9]]]},
    "models": {"m": {"base": "rules", "table": {"toward": {"same_tile": [["forward"], ["forward", "jump"]], "swap": []}},
      "yields": [{"inside": "nowhere"}], "back_after": 9, "back_off_after": 3, "side": "up"}}, "populations": [{"count": 1, "priority": 1.5}]})");
  ASSERT_FALSE(wrong);
  const std::string all = listed_problems(wrong);
  for (const char* where :
       {"/models/m/table/toward/same_tile/0", "/models/m/table/toward/same_tile/1/1", "/models/m/table/toward/swap",
        "/models/m/yields/0/inside", "/models/m/back_off_after", "/models/m/side", "/populations/0/priority"})
    EXPECT_NE(all.find(where), std::string::npos) << where << " in\n" << all;
}

TEST(ScenarioReader, the_test_above_leaves_out_no_key_of_the_tables) {
  std::vector<std::string> used;
  collect_keys(Json::parse(kEveryEventKey), used);
  collect_keys(Json::parse(kEveryKey), used);
  collect_keys(Json::parse(kEveryRegionKey), used);
  collect_keys(Json::parse(kEveryRulesKey), used);
  std::vector<std::string_view> known;
  for (const auto table :
       {keys::kTop,        keys::kArea,      keys::kKind,      keys::kModel,        keys::kReynolds, keys::kLinear,
        keys::kShortTerm,  keys::kContinuum, keys::kTable,     keys::kReaction,     keys::kPlan,     keys::kGoal,
        keys::kPopulation, keys::kSource,    keys::kDeparture, keys::kMeasurements, keys::kLine,     keys::kSettings,
        keys::kPeriod,     keys::kDetail,    keys::kViewpoint, keys::kQuantity,     keys::kNormal,   keys::kFlow})
    for (const Key& key : table) known.push_back(key.key);
  for (const auto table :
       {keys::kInterest, keys::kRegion, keys::kLevel, keys::kVehicle, keys::kEvent, keys::kCondition, keys::kAction})
    for (const Key& key : table) known.push_back(key.key);
  for (const auto table : {keys::kRules, keys::kRulesTable, keys::kYield})
    for (const Key& key : table) known.push_back(key.key);
  for (const auto& setting : rules_settings()) known.push_back(setting.key);
  for (const auto& setting : kind_settings()) known.push_back(setting.key);
  for (const auto& setting : model_settings()) known.push_back(setting.key);
  for (const auto& setting : reynolds_settings()) known.push_back(setting.key);
  for (const auto& setting : short_term_settings()) known.push_back(setting.key);
  for (const auto& setting : continuum_settings()) known.push_back(setting.key);
  for (const auto& setting : continuum_field_settings()) known.push_back(setting.key);
  for (const auto& setting : run_settings()) known.push_back(setting.key);
  for (const auto& setting : detail_settings()) known.push_back(setting.key);
  for (const auto& setting : viewpoint_settings()) known.push_back(setting.key);
  for (const auto& setting : output_settings()) known.push_back(setting.key);
  for (const auto& setting : graph_settings()) known.push_back(setting.key);
  for (const auto& setting : flow_settings()) known.push_back(setting.key);
  for (const auto& setting : interest_settings()) known.push_back(setting.key);
  for (const auto& setting : region_settings()) known.push_back(setting.key);
  for (const auto& setting : vehicle_settings()) known.push_back(setting.key);
  for (const std::string_view key : known) EXPECT_TRUE(std::find(used.begin(), used.end(), key) != used.end()) << key;
}

TEST(ScenarioReader, the_text_of_a_scenario_reads_as_the_same_scenario_without_its_scene_file) {
  const fs::path folder = fs::temp_directory_path() / ("throng_scenario_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "room.json")
      << R"({"throng_scene": 1, "walkable": [[[0,0],[20,0],[20,10],[0,10]]], "areas": [{"name": "a", "polygon": [[1,1],[5,1],[5,5]]}]})";
  std::ofstream(folder / "run.json")
      << R"({"throng_scenario": 1, "scene": "room.json", "populations": [{"count": 5, "area": "a"}]})";
  const auto scenario = load_scenario(folder / "run.json", {.duration = 3, .seed = 77, .model = "reactive_2004"});
  fs::remove_all(folder);
  ASSERT_TRUE(scenario) << listed_problems(scenario);
  const auto again = read(scenario->text);
  ASSERT_TRUE(again) << listed_problems(again);
  EXPECT_EQ(again->text, scenario->text);
  EXPECT_EQ(again->settings.seed, 77u);
  EXPECT_EQ(again->settings.duration, 3);
  EXPECT_EQ(name_of(again->models[again->populations[0].model]), "reactive_2004");
  EXPECT_EQ(start(*again).hash(), start(*scenario).hash());
}

TEST(ScenarioReader, a_model_that_comes_when_it_is_named_changes_nothing_where_it_is_not) {
  const auto plain = read(hall(R"("populations": [{"count": 5, "area": "west", "plan": "cross"}])"));
  ASSERT_TRUE(plain) << listed_problems(plain);
  EXPECT_EQ(plain->models.size(), 4u);
  const auto named = read(hall(R"("populations": [{"count": 5, "area": "west", "plan": "cross", "model": "short_term_2008"},
                                                  {"count": 5, "area": "east", "model": "short_term"}],
                                  "sources": [{"area": "west", "rate": 1, "plan": "cross", "model": "short_term_2008"}])"));
  ASSERT_TRUE(named) << listed_problems(named);
  ASSERT_EQ(named->models.size(), 6u) << "each once";
  EXPECT_EQ(named->populations[0].model, named->sources[0].model);
  const auto& literal = std::get<ShortTermSettings>(named->models[named->populations[0].model]);
  EXPECT_EQ(literal.name, "short_term_2008");
  EXPECT_TRUE(literal.as_printed);
  EXPECT_FALSE(std::get<ShortTermSettings>(named->models[named->populations[1].model]).as_printed);
  Simulation simulation = start(*named);
  while (simulation.world().time() < 40) simulation.step();
  EXPECT_GT(simulation.tally().left, 5u) << "they walk";
}

TEST(ScenarioReader, names_that_come_from_the_file_are_kept_in_the_text) {
  const auto scenario = read(hall(R"("populations": [{"count": 5, "area": "west"}])"));
  ASSERT_TRUE(scenario) << listed_problems(scenario);
  const auto again = read_scenario(scenario->text, "the scenario in a recording", open_scenes_from({}));
  ASSERT_TRUE(again) << listed_problems(again);
  EXPECT_EQ(again->name, scenario->name);
  EXPECT_EQ(again->scene.name, scenario->scene.name);
  EXPECT_TRUE(start(*again).restore(start(*scenario).snapshot())) << "a recording's snapshots belong to its scenario";
}

std::string worked_example() {
  const std::string page = slurp_file(test::source_dir() / "docs/formats/scenario.md");
  const std::size_t begin = page.find("```json\n") + 8;
  return page.substr(begin, page.find("```", begin) - begin);
}

TEST(ScenarioDocumentation, the_worked_example_runs_and_everybody_arrives) {
  Simulation simulation = start(worked_example());
  EXPECT_EQ(simulation.tally().people, 40u);
  while (!simulation.is_done()) simulation.step();
  EXPECT_EQ(simulation.tally().left, simulation.tally().people);
  EXPECT_GT(simulation.tally().people, 60u) << "the source brought more";
}

/// "| `dt` | Length of a step. | s | 0.001 to 1 | 0.1 |"
template <class Owner>
std::string row_of(const Setting<Owner>& setting) {
  const Owner defaults;
  const auto [range, value] = std::visit(
      [&](auto member) -> std::pair<std::string, std::string> {
        const auto& value = defaults.*member;
        const std::string range = fmt::format("{:g} to {:g}", setting.low, setting.high);
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, bool>)
          return {"true or false", value ? "true" : "false"};
        else if constexpr (std::is_same_v<Value, Quantity>)
          return {range, value.form == Quantity::Form::kFixed ? fmt::format("{:g}", value.low) : "see adult"};
        else
          return {range, fmt::format("{:g}", static_cast<double>(value))};
      },
      setting.member);
  return fmt::format("| `{}` | {} | {} | {} | {} |", setting.key, setting.meaning, setting.unit, range, value);
}

TEST(ScenarioDocumentation, the_page_has_every_setting_with_its_range_and_default) {
  const std::string page = slurp_file(test::source_dir() / "docs/formats/scenario.md");
  const auto check = [&](auto settings) {
    for (const auto& setting : settings) EXPECT_NE(page.find(row_of(setting)), std::string::npos) << "write\n" << row_of(setting);
  };
  check(kind_settings());
  check(model_settings());
  check(reynolds_settings());
  check(short_term_settings());
  check(continuum_settings());
  check(rules_settings());
  check(continuum_field_settings());
  check(run_settings());
  check(detail_settings());
  check(viewpoint_settings());
  check(output_settings());
  check(graph_settings());
  check(flow_settings());
  check(interest_settings());
  check(region_settings());
  check(vehicle_settings());
}

TEST(ScenarioSchema, the_published_file_is_the_one_the_tables_give) {
  const fs::path file = test::source_dir() / "docs/formats/scenario.schema.json";
  if (std::getenv("THRONG_WRITE_SCHEMA") != nullptr) std::ofstream(file) << scenario_schema();
  EXPECT_TRUE(slurp_file(file) == scenario_schema()) << "run this test with THRONG_WRITE_SCHEMA=1 to write it anew";
}

#ifdef THRONG_HAVE_VALIJSON
TEST(ScenarioSchema, accepts_and_refuses_what_the_reader_does) {
  const auto document = Json::parse(scenario_schema());
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(document), schema);
  const auto is_valid = [&](const std::string& text) {
    const auto value = Json::parse(text);
    return valijson::Validator().validate(schema, valijson::adapters::NlohmannJsonAdapter(value), nullptr);
  };
  std::vector<std::string> good{kEveryKey, kEveryRegionKey, kEveryEventKey, worked_example(), hall("")};
  for (const auto& entry : fs::directory_iterator(test::source_dir() / "scenes"))
    if (entry.path().extension() == ".json") good.push_back(slurp_file(entry.path()));
  for (const std::string& text : good) EXPECT_TRUE(is_valid(text)) << text;
  for (const char* rest : {R"("population": [])",
                           R"("populations": [{"count": -1}])",
                           R"("populations": [{"area": "west"}])",
                           R"("populations": [{"count": 1, "density": 1}])",
                           R"("populations": [{"count": 1.5}])",
                           R"("sources": [{"rate": 1}])",
                           R"("sources": [{"area": "west"}])",
                           R"("settings": {"dt": 0})",
                           R"("settings": {"dt": "0.1"})",
                           R"("settings": {"count_contacts": 1})",
                           R"("settings": {"neighbours": "all"})",
                           R"("kinds": {"a": {"radius": 9}})",
                           R"("kinds": {"a": {"radius": {"normal": {"mean": 1}}}})",
                           R"("kinds": {"a": {"radius": {"uniform": [1]}}})",
                           R"("models": {"a": {"base": "social"}})",
                           R"("models": {"a": {"table": {"side": {}}}})",
                           R"("measurements": {"lines": {"a": {"from": [0, 0]}}})",
                           R"("outputs": {"frame_every": 0})",
                           R"("outputs": {"frames": 1})",
                           R"("flows": {"f": {}})",
                           R"("flows": {"f": {"between": ["west"]}})",
                           R"("flows": {"f": {"between": ["west", "east"], "max_ratio": 0.5}})",
                           R"("graph": {"grid_step": 0})",
                           R"("settings": {"interest": {"regions": {"r": {}}}})",
                           R"("settings": {"interest": {"regions": {"r": {"centre": [1, 1], "level": 3}}}})",
                           R"("settings": {"interest": {"levels": [{}]}})",
                           R"("vehicles": {"v": {}})",
                           R"("vehicles": {"v": {"path": [[1, 1], [2, 2]], "speed": 0}})",
                           R"("settings": {"detail": {"patch": "room"}})"}) {
    EXPECT_FALSE(is_valid(hall(rest))) << rest;
    EXPECT_FALSE(read(hall(rest))) << rest;
  }
}
#endif

}  // namespace
}  // namespace throng
