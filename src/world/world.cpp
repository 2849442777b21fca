// SPDX-License-Identifier: MIT
#include <throng/world.hpp>

#include <algorithm>
#include <cmath>

#include "motion/reactive/optimise.hpp"
#include "world/state.hpp"

namespace throng {
namespace {

bool is_finite(Vec2 v) { return std::isfinite(v.x) && std::isfinite(v.y); }

}  // namespace

const char* name_of(EventKind kind) {
  switch (kind) {
    case EventKind::kArrived:
      return "arrived";
    case EventKind::kLeft:
      return "left";
    case EventKind::kStuck:
      return "stuck";
    case EventKind::kFreed:
      return "freed";
    case EventKind::kNoWay:
      return "no way";
    case EventKind::kMoved:
      return "moved";
  }
  return "";
}

World::State::State(const Navigation& navigation_in, std::optional<NavigationGraph> graph_in, const WorldSettings& settings_in)
    : base(navigation_in),
      navigation(navigation_in),
      base_graph(graph_in),
      graph(std::move(graph_in)),
      settings(settings_in),
      ground(navigation_in.data().cells),
      grades(grades_of(navigation_in.data())),
      tasks(make_task_runner(settings_in.threads)),
      neighbours(NeighbourSettings{.mode = settings_in.neighbours == NeighbourMode::kNearest
                                               ? NeighbourSettings::Mode::kNearest
                                               : NeighbourSettings::Mode::kDelaunay}),
      models(settings.models) {
  for (const HeightGrid& heights : data().layer_heights)
    if (!heights.empty() && !climbs) climbs.emplace();
  agents.has_levels = settings.detail.enabled || settings.interest.enabled;
  agents.has_graph = graph.has_value();
  agents.has_short_term = std::any_of(settings.models.begin(), settings.models.end(),
                                      [](const MotionModel& model) { return std::holds_alternative<ShortTermSettings>(model); });
  agents.has_rules = models.rules().is_there();
  if (graph) gate_trips.resize(graph->data().gates.size());
  find_joints();
  make_links();
  make_interest();
  lay_continuum_tiles();
  lay_rules_tiles();
  if (settings.detail.enabled) rate_patches();
}

namespace {

template <class Wrong>
void complete_interest(WorldSettings& settings, Wrong&& wrong) {
  InterestSettings& interest = settings.interest;
  if (settings.detail.enabled)
    wrong("interest", "regions of interest and levels of simulation at once", "switch one of them off");
  if (settings.period_size.x > 0 || settings.period_size.y > 0)
    wrong("interest", "regions of interest in a periodic world", "switch one of them off");
  if (!(interest.tile >= 0.5 && interest.tile <= 100)) wrong("interest", "tiles must be from 0.5 to 100 m", "3 m is usual");
  if (!(interest.straight_frequency >= 0.01 && interest.slack >= 0 && interest.camera_near >= 0 && interest.budget >= 0))
    wrong("interest", "frequency, slack, nearness and budget must not be negative", "1 per second, 1 m, 15 m and 0 are usual");
  if (interest.elsewhere > 2) wrong("interest", "a level above 2", "take 0, 1 or 2");
  for (const Region& region : interest.regions)
    if (!is_finite(region.centre) || !(region.radius > 0 && std::isfinite(region.radius)) || region.level > 2)
      wrong("interest", "a region without a place, a size or a level from 0 to 2", "give it a centre, a radius and a level");
  if (interest.camera && !sees_anything(*interest.camera))
    wrong("interest", "the camera sees nothing", "give it a direction, a field of view and a distance");
  std::size_t short_term = 0;
  while (short_term < settings.models.size() && !std::holds_alternative<ShortTermSettings>(settings.models[short_term]))
    ++short_term;
  for (LevelService& service : interest.levels) {
    if (service.model == kShortTermModel) {
      if (short_term == settings.models.size()) settings.models.push_back(ShortTermSettings{});
      service.model = static_cast<std::uint8_t>(short_term);
    }
    if (service.model < kShortTermModel && service.model >= settings.models.size())
      wrong("interest", "a level is served by a model that the world has not", "give an index into its models");
  }
  if (settings.models.size() >= kShortTermModel)
    wrong("models", "more than 252, with regions of interest", "agents can share models");
}

/// Squares of a size over the boxes of all layers.
double squares_of(const Cells& ground, double size) {
  std::vector<std::array<double, 4>> boxes;  // low x, low y, high x, high y
  for (CellIndex cell = 0; cell < ground.cell_count(); ++cell) {
    if (boxes.size() <= ground.layer[cell]) boxes.resize(ground.layer[cell] + 1, {1e30, 1e30, -1e30, -1e30});
    auto& box = boxes[ground.layer[cell]];
    for (const Side& side : ground.sides_of(cell)) {
      const Vec2 p = to_metres(ground.vertices[side.vertex]);
      box = {std::min(box[0], p.x), std::min(box[1], p.y), std::max(box[2], p.x), std::max(box[3], p.y)};
    }
  }
  double squares = 0;
  for (const auto& box : boxes)
    if (box[0] <= box[2]) squares += ((box[2] - box[0]) / size + 2) * ((box[3] - box[1]) / size + 2);
  return squares;
}

template <class Wrong>
void complete_continuum(const ContinuumSettings& model, const Cells& ground, Wrong&& wrong) {
  constexpr double kMostSquares = 1 << 24;
  const FieldSettings& field = model.field;
  const auto within = [](float value, float low, float high) { return value >= low && value <= high; };
  if (!within(model.tile, 0.25f, 10))
    return wrong("models", model.name + " needs tiles from 0.25 to 10 m", "0.5 to 1 m are usual");
  if (const double squares = squares_of(ground, static_cast<double>(model.tile)); squares > kMostSquares)
    wrong("models", model.name + " would have " + std::to_string(squares / 1e6) + " million tiles; 16 million are the most",
          "take larger tiles");
  if (!(within(model.steer_time, 0, 60) && within(model.max_acceleration, 0.01f, 1000)))
    wrong("models", model.name + " needs a time of steering from 0 to 60 s and an acceleration above 0",
          "0.25 s and 4 m/s² are usual");
  const bool has_costs = within(field.length_weight, 0, 1e3f) && within(field.time_weight, 0, 1e3f) &&
                         within(field.discomfort_weight, 0, 1e3f) && field.length_weight + field.time_weight > 0.001f;
  const bool has_speeds = within(field.max_speed, 0.05f, 20) && within(field.min_speed, 0.001f, field.max_speed) &&
                          within(field.floor_speed, 0.001f, field.max_speed) && field.high_slope > field.low_slope;
  const bool has_densities = within(field.density_exponent, 0.5f, 8) && within(field.low_density, 0, 1e6f) &&
                             within(field.high_density, field.low_density + 0.001f, 2e6f) &&
                             (field.jam_density == 0 || within(field.jam_density, field.free_density + 0.001f, 1e6f));
  const bool has_prediction = within(field.prediction_time, 0, 60) && within(field.prediction_step, 0.05f, 60) &&
                              within(field.prediction_discomfort, 0, 100);
  if (!has_costs || !has_speeds || !has_densities || !has_prediction)
    wrong("models", model.name + " has weights, speeds, densities or predictions out of range",
          "take positive ones, the higher density and slope above the lower, and compare with the defaults");
}

template <class Wrong>
void complete_rules(const RulesSettings& model, const WorldSettings& world, const Cells& ground, Wrong&& wrong) {
  constexpr double kMostSquares = 1 << 24;
  const auto size = static_cast<double>(model.tile);
  if (!(size >= 0.4 && size <= 2))
    return wrong("models", model.name + " needs tiles from 0.4 to 2 m", "0.5 m is usual: a person fits");
  if (const double squares = squares_of(ground, size); squares > kMostSquares)
    wrong("models", model.name + " would have " + std::to_string(squares / 1e6) + " million tiles; 16 million are the most",
          "take larger tiles");
  const auto is_multiple = [&](double v) { return std::abs(v / size - std::floor(v / size + 0.5)) < 1e-6; };
  const double tile = 2 * std::max(1.0, std::floor(size * kUnitsPerMetre / 2 + 0.5)) * kUnit;
  for (const double v : {world.period_size.x, world.period_size.y, world.period_size.x > 0 ? world.period_low.x : 0,
                         world.period_size.y > 0 ? world.period_low.y : 0})
    if (!is_multiple(v) || std::abs(tile - size) > 1e-9)
      return wrong("models", model.name + " in a periodic world needs a period and a lower corner of whole tiles",
                   "make them multiples of the tile, and the tile a multiple of 1/512 m");
  if (!(model.headway >= 0.5f && model.headway <= 1 && model.speed_up >= 1 && model.speed_up <= 3 && model.doorway_width >= 0 &&
        model.doorway_width <= 100))
    wrong("models", model.name + " has a headway, a factor on speeds or a width of doorways out of range",
          "0.5 to 1, 1 to 3 and 0 to 100 m are allowed");
  if (model.back_after < 1 || model.replan_after < 1 || model.back_off_after < model.back_after)
    wrong("models", model.name + " has patience of no steps, or backs off before it goes back", "5, 10 and 30 steps are usual");
  if (model.yields.size() > 8)
    wrong("models", model.name + " has more than 8 places where people let others through", "take fewer");
  for (const auto& by_class : model.table.rows)
    for (const RulesTable::Rows& rows : by_class)
      if (rows.count > kMostRulesRows)
        wrong("models", model.name + " has a table with too many rows", "8 for a collision are the most");
}

/// Puts right what is left open, and says what is wrong.
std::vector<Problem> complete(WorldSettings& settings, const Cells& ground, bool has_graph) {
  std::vector<Problem> problems;
  const auto wrong = [&](const char* where, const std::string& what, const char* fix) { problems.push_back({where, what, fix}); };
  if (!(settings.dt > 0 && settings.dt <= 1))
    wrong("dt", "a step of " + std::to_string(settings.dt) + " s", "take more than 0 and at most 1; 0.1 is usual");
  if (!(settings.arrival_distance > 0)) wrong("arrival_distance", "must be positive", "0.5 m is usual");
  if (!is_finite(settings.period_low) || !is_finite(settings.period_size) || settings.period_size.x < 0 ||
      settings.period_size.y < 0)
    wrong("period", "must be finite and not negative", "0 means no period");
  if (settings.models.empty()) settings.models.push_back(throng::reactive());
  if (settings.models.size() > 255) wrong("models", "more than 255", "agents can share models");
  for (const MotionModel& model : settings.models) {
    const auto* pipe = std::get_if<ReactiveSettings>(&model);
    if (pipe != nullptr && (pipe->max_pops < 1 || pipe->max_pops > reactive_rules::kMostPops))
      wrong("models", "max_pops of " + pipe->name + " is " + std::to_string(pipe->max_pops), "take 1 to 32");
    const auto* steering = std::get_if<ReynoldsSettings>(&model);
    if (steering != nullptr && !(steering->steer_time > 0 && steering->max_acceleration > 0 && steering->horizon > 0))
      wrong("models", steering->name + " needs times and an acceleration above 0", "0.25 s, 4 m/s² and 3 s are usual");
    const auto* aside = std::get_if<ShortTermSettings>(&model);
    if (aside != nullptr && !(aside->tile >= 0.25f && aside->horizon > 0 && aside->margin >= 0 && aside->patience > 0 &&
                              aside->steer_time > 0 && aside->max_acceleration > 0))
      wrong("models", aside->name + " needs tiles of 0.25 m or more, times and an acceleration above 0",
            "1 m, 3 s, 2 s, 0.25 s and 4 m/s² are usual");
    if (const auto* crowd = std::get_if<ContinuumSettings>(&model)) complete_continuum(*crowd, ground, wrong);
    if (const auto* rules = std::get_if<RulesSettings>(&model)) complete_rules(*rules, settings, ground, wrong);
  }
  if (settings.detail.enabled) {
    const DetailSettings& detail = settings.detail;
    if (settings.period_size.x > 0 || settings.period_size.y > 0)
      wrong("detail", "levels of simulation in a periodic world", "switch one of them off");
    if (!(detail.unseen_frequency >= 0.01 && detail.least_frequency >= 0.01 && detail.most_frequency >= detail.least_frequency))
      wrong("detail", "frequencies must be at least 0.01, and most at least the least", "1, 5 and 15 per second are usual");
    if (!(detail.high_score > 0)) wrong("detail", "the high score must be positive", "0.6 is usual");
    if (detail.viewpoint && !sees_anything(*detail.viewpoint))
      wrong("detail", "the viewpoint sees nothing", "give it a direction, a field of view and a distance");
    if (detail.patch == Patch::kDisc && !has_graph)
      wrong("detail", "levels of simulation by discs without a navigation graph", "create the world with one, or take cells");
  }
  if (settings.interest.enabled) complete_interest(settings, wrong);
  return problems;
}

}  // namespace

Result<World> World::create(const Navigation& navigation, const WorldSettings& given) {
  WorldSettings settings = given;
  if (auto problems = complete(settings, navigation.data().cells, false); !problems.empty()) return problems;
  return World(std::make_unique<State>(navigation, std::nullopt, settings));
}

Result<World> World::create(const Navigation& navigation, const NavigationGraph& graph, const WorldSettings& given) {
  WorldSettings settings = given;
  if (auto problems = complete(settings, navigation.data().cells, true); !problems.empty()) return problems;
  return World(std::make_unique<State>(navigation, graph, settings));
}

World::World(std::unique_ptr<State> state) : state_(std::move(state)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

std::uint32_t World::add_area(const Polygon& shape, std::uint32_t layer) {
  state_->areas.push_back(State::GoalArea::of(shape, layer));
  return static_cast<std::uint32_t>(state_->areas.size() - 1);
}

std::uint32_t World::add_plan(Plan plan) {
  state_->plans.push_back(std::move(plan));
  return static_cast<std::uint32_t>(state_->plans.size() - 1);
}

Result<EditReport> World::edit(const Edit& edit) { return state_->edit(edit); }

std::span<const Edit> World::edits() const {
  return state_->editor ? std::span<const Edit>(state_->editor->edits()) : std::span<const Edit>();
}

std::uint32_t World::replanning() const { return static_cast<std::uint32_t>(state_->replans.size()); }

Result<std::uint32_t> World::add_flow(const FlowDef& definition) { return state_->add_flow(definition); }

std::uint32_t World::State::add(const AgentDef& definition) {
  const Person& person = definition.person;
  const bool is_sound = is_finite(definition.position) && is_finite(definition.velocity) && person.radius > 0 &&
                        person.radius <= 5 && person.preferred_speed > 0 && person.preferred_speed <= 20 &&
                        person.model < settings.models.size() && person.profile < data().profiles.size() &&
                        definition.layer < data().locator.grids.size() &&
                        (definition.plan == kNoPlan || definition.plan < plans.size());
  if (!is_sound || !fits(definition.position, definition.layer, person.radius)) return kNoRow;
  agents.set_images({});
  const std::uint32_t row = agents.add_row();
  agents.now.x[row] = static_cast<float>(definition.position.x);
  agents.now.y[row] = static_cast<float>(definition.position.y);
  agents.now.vx[row] = static_cast<float>(definition.velocity.x);
  agents.now.vy[row] = static_cast<float>(definition.velocity.y);
  agents.now.body[row] = agents.radius[row] = person.radius;
  agents.preferred_speed[row] = person.preferred_speed;
  agents.max_speed[row] = person.max_speed > 0 ? person.max_speed : 1.5f * person.preferred_speed;
  agents.cone_tangent[row] = std::tan(std::clamp(person.cone_angle, 0.0f, 1.5f));
  agents.side[row] =
      0.5f + kSideSpread *
                 static_cast<float>(
                     unit_from_bits(random_bits(settings.seed, next_number, 0, static_cast<std::uint32_t>(Draw::kSide))) - 0.5);
  agents.personal_distance[row] = person.personal_distance;
  agents.wall_distance[row] = person.wall_distance;
  agents.reaction_time[row] = person.reaction_time;
  agents.kind[row] = person.kind;
  agents.model[row] = person.model;
  agents.profile[row] = person.profile;
  if (agents.has_rules) {
    agents.priority[row] = person.priority;
    RulesMotion::forget(agents, row);
  }
  agents.cell[row] = data().locator.cell_at(definition.position, definition.layer);
  agents.number[row] = next_number++;
  agents.plan[row] = definition.plan;
  agents.until[row] = definition.start_time;
  agents.born[row] = time();
  agents.activity[row] = definition.plan == kNoPlan ? Activity::kStaying : Activity::kWaiting;
  agents.shown_x[row] = agents.now.x[row];
  agents.shown_y[row] = agents.now.y[row];
  if (agents.has_levels) {
    agents.level[row] = has_interest() ? interest.level(tile_of(row)) : 1;
    begin_leg(row);
    wake(row);
  }
  agents.heading_x[row] = 1;
  const Vec2f velocity = {agents.now.vx[row], agents.now.vy[row]};
  if (velocity != Vec2f{}) {
    const Vec2f heading = unit(velocity);
    agents.heading_x[row] = heading.x, agents.heading_y[row] = heading.y;
  }
  const AgentId id = slots.add(row);
  agents.slot[row] = id.slot;
  if (routes.size() < slots.size()) routes.resize(slots.size());
  find_disc(row);
  if (graph) agents.path[row] = kNoRow;
  forget_link(row);
  if (people.is_valid) people.add(agents, row);
  return row;
}

/// Makes a row ready to be dropped: the row it is in then.
std::uint32_t World::State::detach(std::uint32_t row) {
  people.is_valid = false;
  agents.set_images({});
  if (agents.has_levels && row < agents.active) {
    // The last active row takes its place, so that the coasting ones stay together.
    agents.swap_rows(row, --agents.active);
    slots.move(agents.slot[row], row);
    row = agents.active;
  }
  Route& route = routes[agents.slot[row]];
  route.cells.clear();
  route.portals.clear();
  route.next = 0;
  return row;
}

void World::State::drop_row(std::uint32_t row) {
  const std::uint32_t last = agents.count - 1;
  agents.remove_row(row);
  if (row != last) slots.move(agents.slot[row], row);
}

void World::State::remove(std::uint32_t row) {
  leave_group(agents, row);
  row = detach(row);
  slots.remove(slots.id_of(agents.slot[row]));
  drop_row(row);
}

bool World::State::place(std::uint32_t row, Vec2 at, std::uint32_t layer) {
  if (!is_finite(at) || layer >= data().locator.grids.size()) return false;
  const CellIndex cell = data().locator.cell_at(at, layer);
  if (cell == kNoCell) return false;
  people.is_valid = false;
  agents.now.x[row] = static_cast<float>(at.x);
  agents.now.y[row] = static_cast<float>(at.y);
  agents.cell[row] = cell;
  if (agents.has_links) agents.queued_at[row] = kNoRide;
  if (agents.has_levels) begin_leg(row);
  wake(row);
  if (agents.activity[row] == Activity::kWalking && agents.has_heading[row] == 0) agents.needs_route[row] = 1;
  find_disc(row);
  return true;
}

AgentId World::add(const AgentDef& definition) {
  const std::uint32_t row = state_->add(definition);
  return row == kNoRow ? AgentId{} : id_at(row);
}

bool World::is_free(Vec2 place, std::uint32_t layer, double radius) const {
  return is_finite(place) && layer < state_->data().locator.grids.size() && state_->fits(place, layer, radius) &&
         state_->is_free_of_people(place, layer, radius);
}

std::optional<Vec2> World::free_place(std::uint32_t area, double radius, std::uint64_t draw) const {
  if (area >= state_->areas.size()) return std::nullopt;
  return state_->free_place_in(state_->areas[area], radius, draw);
}

bool World::remove(AgentId agent) {
  const std::uint32_t row = state_->slots.row_of(agent);
  if (row != kNoRow) {
    state_->remove(row);
    return true;
  }
  const std::uint32_t aboard = state_->aboard_row_of(agent);
  if (aboard == kNoRow) return false;
  state_->leave_group(state_->aboard, aboard);
  state_->slots.remove(agent);
  state_->aboard.remove_row(aboard);
  state_->count_riders();
  return true;
}

bool World::teleport(AgentId agent, Vec2 place, std::uint32_t layer) {
  const std::uint32_t row = state_->slots.row_of(agent);
  if (row == kNoRow || !is_finite(place) || layer >= state_->data().locator.grids.size() ||
      !state_->fits(place, layer, state_->agents.radius[row]) || !state_->place(row, place, layer))
    return false;
  state_->agents.shown_x[row] = state_->agents.now.x[row];
  state_->agents.shown_y[row] = state_->agents.now.y[row];
  return true;
}

bool World::set_goal(AgentId agent, Vec2 goal, std::uint32_t layer) {
  const std::uint32_t row = state_->slots.row_of(agent);
  if (row == kNoRow || !is_finite(goal) || layer >= state_->data().locator.grids.size()) return false;
  state_->agents.plan[row] = kNoPlan;
  state_->set_goal(row, goal, layer, true);
  return true;
}

bool World::set_heading(AgentId agent, Vec2 heading) {
  const std::uint32_t row = state_->slots.row_of(agent);
  if (row == kNoRow || !is_finite(heading)) return false;
  Agents& agents = state_->agents;
  const double l = length(heading);
  agents.plan[row] = kNoPlan;
  state_->leave_flow(row);
  agents.has_heading[row] = 1;
  agents.needs_route[row] = 0;
  agents.activity[row] = l > 0 ? Activity::kWalking : Activity::kStaying;
  state_->wake(row);
  agents.goal_x[row] = static_cast<float>(l > 0 ? heading.x / l : 0);
  agents.goal_y[row] = static_cast<float>(l > 0 ? heading.y / l : 0);
  return true;
}

bool World::set_plan(AgentId agent, std::uint32_t plan) {
  const std::uint32_t row = state_->slots.row_of(agent);
  if (row == kNoRow || plan >= state_->plans.size()) return false;
  state_->agents.plan[row] = plan;
  state_->agents.plan_entry[row] = 0;
  state_->leave_flow(row);
  state_->agents.until[row] = state_->time();
  state_->wake(row);
  state_->agents.activity[row] = Activity::kWaiting;
  return true;
}

bool World::set_preferred_speed(AgentId agent, double speed) {
  const std::uint32_t row = state_->slots.row_of(agent);
  if (row == kNoRow || !(speed > 0 && speed <= 20)) return false;
  state_->agents.preferred_speed[row] = static_cast<float>(speed);
  state_->agents.max_speed[row] = static_cast<float>(1.5 * speed);
  state_->wake(row);
  return true;
}

bool World::drive(AgentId agent, Vec2 place, Vec2 velocity) {
  const std::uint32_t row = state_->slots.row_of(agent);
  if (row == kNoRow || !is_finite(velocity) || !state_->place(row, place, state_->layer_of(row))) return false;
  Agents& agents = state_->agents;
  agents.activity[row] = Activity::kDriven;
  agents.needs_route[row] = 0;
  agents.now.vx[row] = static_cast<float>(velocity.x);
  agents.now.vy[row] = static_cast<float>(velocity.y);
  return true;
}

Result<std::uint32_t> World::add_group(std::span<const AgentId> members) { return state_->add_group(members); }
bool World::leave_group(AgentId agent) {
  if (group_of(agent) == 0) return false;
  const std::uint32_t row = state_->slots.row_of(agent);
  if (row == kNoRow) {
    state_->leave_group(state_->aboard, state_->aboard_row_of(agent));
    return true;
  }
  const bool walked_by_leader = state_->agents.activity[row] == Activity::kWalking && state_->agents.has_heading[row] == 0;
  if (walked_by_leader) state_->agents.needs_route[row] = 1;
  state_->leave_group(state_->agents, row);
  state_->wake(row);
  return true;
}
std::uint32_t World::group_of(AgentId agent) const {
  if (!state_->agents.has_groups || !is_alive(agent)) return 0;
  if (const std::uint32_t row = state_->slots.row_of(agent); row != kNoRow) return state_->agents.group[row];
  return state_->aboard.group[state_->aboard_row_of(agent)];
}
std::vector<AgentId> World::group_members(std::uint32_t number) const {
  std::vector<AgentId> list;
  const Group* group = state_->find_group(number);
  if (group == nullptr) return list;
  for (std::uint32_t k = 0; k < group->count; ++k) {
    const AgentId id = state_->slots.id_of(group->members[k].slot);
    list.insert(k == group->leader ? list.begin() : list.end(), id);
  }
  return list;
}
GroupState World::group_state(std::uint32_t number) const {
  const Group* group = state_->find_group(number);
  if (group == nullptr) return {};
  GroupState state{.number = number, .members = group->count, .is_waiting = group->is_waiting};
  for (std::uint32_t k = 0; k < group->count; ++k) state.is_split |= group->members[k].is_split;
  return state;
}

std::vector<std::vector<std::uint32_t>> World::found_groups() {
  if (!state_->group_finder) state_->group_finder.emplace();
  return state_->group_finder->found();
}

const StepReport& World::step() {
  state_->step();
  return state_->report;
}

std::optional<std::uint32_t> World::add_region(const Region& region) { return state_->add_region(region); }
bool World::set_region(std::uint32_t region, const Region& value) { return state_->set_region(region, value); }
bool World::remove_region(std::uint32_t region) {
  if (!this->region(region)) return false;
  state_->regions[region] = {};
  return true;
}
bool World::follow(std::uint32_t region, AgentId agent) {
  if (!this->region(region) || (agent && !is_alive(agent))) return false;
  state_->regions[region].leader = agent;
  state_->regions[region].vehicle = 0xffffffffu;
  return true;
}
bool World::follow_vehicle(std::uint32_t region, std::uint32_t vehicle) {
  if (!this->region(region) || vehicle >= vehicle_count()) return false;
  state_->regions[region].vehicle = vehicle;
  return true;
}
Result<std::uint32_t> World::add_vehicle(const VehicleDef& definition) { return state_->add_vehicle(definition); }
std::uint32_t World::vehicle_count() const { return static_cast<std::uint32_t>(state_->vehicles.size()); }
VehicleState World::vehicle(std::uint32_t vehicle) const {
  const State::Vehicle& v = state_->vehicles[vehicle];
  const VehicleDef& d = v.definition;
  return {{v.box.middle.x, v.box.middle.y},
          {v.box.ahead.x, v.box.ahead.y},
          v.is_there ? v.speed : 0,
          v.is_there,
          d.layer,
          d.length,
          d.width};
}
std::optional<Region> World::region(std::uint32_t region) const {
  if (region >= state_->regions.size() || !state_->regions[region].is_alive) return {};
  return state_->regions[region].region;
}
std::uint32_t World::region_count() const { return static_cast<std::uint32_t>(state_->regions.size()); }
std::vector<LevelTile> World::level_tiles() const {
  std::vector<LevelTile> tiles;
  if (!state_->has_interest()) return tiles;
  const Grid& grid = state_->grid;
  for (TileIndex t = 0; t < grid.tile_count(); ++t) tiles.push_back({grid.centre(t), grid.layer(t), state_->interest.level(t)});
  return tiles;
}
std::uint8_t World::level_at(Vec2 place, std::uint32_t layer) const {
  if (!state_->has_interest()) return 0;
  const TileIndex tile = state_->grid.tile_near(static_cast<float>(place.x), static_cast<float>(place.y), layer);
  return tile == kNoTile ? state_->settings.interest.elsewhere : state_->interest.level(tile);
}

bool World::set_viewpoint(const std::optional<Viewpoint>& viewpoint) { return state_->look_from(viewpoint); }

double World::time() const { return state_->time(); }
std::uint64_t World::steps() const { return state_->steps; }
std::uint32_t World::agent_count() const { return state_->agents.count; }
std::span<const std::uint32_t> World::riders() const { return state_->aboard.number; }
std::span<const Event> World::events() const { return state_->events; }
const std::vector<Phase>& World::phases() const { return state_->phases; }
const WorldSettings& World::settings() const { return state_->settings; }
const Navigation& World::navigation() const { return state_->navigation; }
const NavigationGraph* World::graph() const { return state_->graph ? &*state_->graph : nullptr; }
const Flow& World::flow(std::uint32_t flow) const { return state_->flows[flow].flow[0]; }
FlowLoad World::load(std::uint32_t flow) const { return state_->load(flow); }
std::span<const std::uint32_t> World::gate_trips() const { return state_->gate_trips; }

bool World::is_alive(AgentId agent) const { return state_->slots.is_alive(agent); }
Vec2 World::position(AgentId agent) const {
  const std::uint32_t row = state_->slots.row_of(agent);
  if (row != kNoRow) return state_->position(row);
  const std::uint32_t aboard = state_->aboard_row_of(agent);
  return aboard == kNoRow ? Vec2{} : Vec2{state_->aboard.now.x[aboard], state_->aboard.now.y[aboard]};
}
std::uint32_t World::layer(AgentId agent) const {
  const std::uint32_t row = state_->slots.row_of(agent);
  if (row != kNoRow) return state_->layer_of(row);
  const std::uint32_t aboard = state_->aboard_row_of(agent);
  return aboard == kNoRow ? 0 : state_->data().cells.layer[state_->aboard.cell[aboard]];
}

double World::elevation(AgentId agent) const {
  return is_alive(agent) ? state_->data().elevation(position(agent), layer(agent)) : 0;
}

Vec2 World::velocity(AgentId agent) const {
  const std::uint32_t row = state_->slots.row_of(agent);
  return row == kNoRow ? Vec2{} : Vec2{state_->agents.now.vx[row], state_->agents.now.vy[row]};
}
Activity World::activity(AgentId agent) const {
  const std::uint32_t row = state_->slots.row_of(agent);
  if (row == kNoRow) return is_alive(agent) ? Activity::kRiding : Activity::kStaying;
  return state_->agents.activity[row];
}
std::uint32_t World::number(AgentId agent) const {
  const std::uint32_t row = state_->slots.row_of(agent);
  if (row != kNoRow) return state_->agents.number[row];
  const std::uint32_t aboard = state_->aboard_row_of(agent);
  return aboard == kNoRow ? 0 : state_->aboard.number[aboard];
}

World::Columns World::columns() const {
  const Agents& a = state_->agents;
  const std::size_t n = a.count;
  return {{a.now.x.data(), n},
          {a.now.y.data(), n},
          {a.now.vx.data(), n},
          {a.now.vy.data(), n},
          {a.shown_x.data(), n},
          {a.shown_y.data(), n},
          {a.heading_x.data(), n},
          {a.heading_y.data(), n},
          {a.radius.data(), n},
          {a.preferred_speed.data(), n},
          {a.number.data(), n},
          {a.cell.data(), n},
          {a.kind.data(), n},
          {a.activity.data(), n},
          a.level,
          a.has_groups ? std::span(a.group).first(n) : std::span<const std::uint32_t>{},
          {a.model.data(), n},
          {a.plan.data(), n},
          {a.plan_entry.data(), n}};
}
const Plan& World::plan(std::uint32_t plan) const { return state_->plans[plan]; }
World::Way World::way_of(AgentId agent) const {
  Way way;
  const State& s = *state_;
  const std::uint32_t row = s.slots.row_of(agent);
  if (row == kNoRow) return way;
  way.born = s.agents.born[row];
  way.has_heading = s.agents.has_heading[row] != 0;
  const Activity activity = s.agents.activity[row];
  way.has_goal = !way.has_heading && (activity == Activity::kWalking || activity == Activity::kLost);
  way.goal = {s.agents.goal_x[row], s.agents.goal_y[row]};
  way.goal_layer = s.agents.goal_layer[row];
  const Route& route = s.routes[s.agents.slot[row]];
  if (way.has_goal && route.next <= route.portals.size())
    way.portals.assign(route.portals.begin() + route.next, route.portals.end());
  return way;
}
void World::footing(std::span<std::uint16_t> layer, std::span<float> elevation) const {
  for (std::uint32_t row = 0; row < state_->agents.count; ++row) {
    layer[row] = static_cast<std::uint16_t>(state_->layer_of(row));
    elevation[row] = static_cast<float>(state_->data().elevation(state_->position(row), layer[row]));
  }
}

AgentId World::id_at(std::uint32_t row) const { return state_->slots.id_of(state_->agents.slot[row]); }
std::span<const std::uint32_t> World::neighbours_of(std::uint32_t row) const {
  return row < state_->neighbours.size() ? state_->neighbours.of(row) : std::span<const std::uint32_t>{};
}

void World::watch(AgentId agent) {
  state_->watched = agent;
  state_->explanation.reset();
}
const std::optional<Explanation>& World::explanation() const { return state_->explanation; }
std::optional<RulesDecision> World::rules_decision(AgentId agent) const {
  const std::uint32_t row = state_->slots.row_of(agent);
  const auto decisions = state_->models.rules().decisions();
  if (row == kNoRow || state_->steps == 0 || agent.slot >= decisions.size()) return {};
  const RulesDecision& said = decisions[agent.slot];
  if (said.behaviour == RulesBehaviour::kNone || said.step + 1 != state_->steps) return {};
  return said;
}
std::optional<World::RulesPlace> World::rules_place(AgentId agent) const {
  const std::uint32_t row = state_->slots.row_of(agent);
  if (row == kNoRow || !state_->agents.has_rules) return {};
  const RulesGround* ground = state_->models.rules().ground_of(state_->agents.model[row]);
  const TileIndex tile = state_->agents.rules_tile[row];
  if (ground == nullptr || tile == kNoTile) return {};
  const TileIndex from = state_->agents.rules_from[row] == kNoTile ? tile : state_->agents.rules_from[row];
  const Grid& grid = ground->tiles.grid();
  return RulesPlace{grid.centre(tile), grid.centre(from), grid.square(tile), grid.square(from), grid.layer(tile)};
}

std::string World::snapshot() const { return state_->snapshot(); }
Result<bool> World::restore(std::string_view bytes) { return state_->restore(bytes); }
std::uint64_t World::hash() const { return state_->hash(); }

}  // namespace throng
