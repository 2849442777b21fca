// SPDX-License-Identifier: MIT
#include "scenario/simulation.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "scenario/simulation_state.hpp"

namespace throng {
namespace {

bool needs_graph(const Scenario& scenario) {
  return !scenario.flows.empty() || (scenario.settings.detail.enabled && scenario.settings.detail.patch == Patch::kDisc);
}

/// For the widest body of the scenario, so that everybody fits through every gate.
GraphSettings graph_settings_of(const Scenario& scenario, unsigned threads) {
  GraphSettings settings = scenario.graph;
  settings.threads = threads;
  settings.editable = edits_scene(scenario);
  const auto widen = [&](const PeopleDef& people) {
    for (const Share& share : people.kinds)
      settings.body_radius = std::max(settings.body_radius, scenario.kinds[share.index].radius.most());
  };
  for (const Population& population : scenario.populations) widen(population);
  for (const Source& source : scenario.sources) widen(source);
  return settings;
}

}  // namespace

bool edits_scene(const Scenario& scenario) {
  using Do = ScenarioAction::Do;
  for (const ScenarioEvent& event : scenario.events)
    for (const ScenarioAction& action : event.actions)
      for (const Do edit : {Do::kAddObstacle, Do::kMoveObstacle, Do::kRemoveObstacle, Do::kCloseDoor, Do::kOpenDoor})
        if (action.what == edit) return true;
  return false;
}

bool has_groups(const Scenario& scenario) {
  const auto walks_in_groups = [](const PeopleDef& people) { return !people.groups.empty(); };
  return std::any_of(scenario.populations.begin(), scenario.populations.end(), walks_in_groups) ||
         std::any_of(scenario.sources.begin(), scenario.sources.end(), walks_in_groups);
}

bool adds_regions(const Scenario& scenario) {
  for (const ScenarioEvent& event : scenario.events)
    for (const ScenarioAction& action : event.actions)
      if (action.what == ScenarioAction::Do::kAddRegion) return true;
  return false;
}

Result<Simulation> Simulation::create(const Scenario& scenario, const Navigation& given_navigation, unsigned threads) {
  // A bake that keeps nothing for edits has the same cells as one that does.
  std::optional<Navigation> editable;
  if (edits_scene(scenario) && !NavigationEditor::create(given_navigation)) {
    auto baked = Navigation::bake(scenario.scene, {.threads = threads, .editable = true});
    if (!baked) return baked.problems();
    editable = std::move(*baked);
  }
  const Navigation& navigation = editable ? *editable : given_navigation;
  const ScenarioSettings& given = scenario.settings;
  WorldSettings settings;
  settings.dt = given.dt;
  settings.seed = given.seed;
  settings.threads = threads;
  settings.models = scenario.models;
  settings.neighbours = given.neighbours;
  settings.arrival_distance = given.arrival_distance;
  settings.period_low = given.period_low;
  settings.period_size = given.period_size;
  settings.count_contacts = given.count_contacts;
  settings.separate_sweeps = given.separate_sweeps;
  settings.sort_every = given.sort_every;
  settings.detail = given.detail;
  settings.interest = given.interest;
  std::optional<NavigationGraph> graph;
  if (needs_graph(scenario)) {
    auto baked = NavigationGraph::bake(scenario.scene, graph_settings_of(scenario, threads));
    if (!baked) return baked.problems();
    graph = std::move(*baked);
  }
  auto world = graph ? World::create(navigation, *graph, settings) : World::create(navigation, settings);
  if (!world) return world.problems();
  auto state = std::make_unique<State>(scenario, navigation, std::move(*world));
  if (auto problems = state->add_vehicles(); !problems.empty()) return problems;
  state->tally.lines.resize(scenario.lines.size());
  state->tally.densities.resize(scenario.density_areas.size());
  std::vector<Problem> problems = state->make_plans();
  if (problems.empty()) problems = state->place_populations();
  if (!problems.empty()) return problems;
  state->start_sources();
  return Simulation(std::move(state));
}

std::vector<Problem> Simulation::State::add_vehicles() {
  for (const ScenarioVehicle& vehicle : scenario.vehicles) {
    const auto number = world.add_vehicle(vehicle.definition);
    if (number) continue;
    std::vector<Problem> problems = number.problems();
    for (Problem& p : problems) p.where = "/vehicles/" + vehicle.name;
    return problems;
  }
  for (std::uint32_t i = 0; i < scenario.regions.size(); ++i) {
    if (scenario.regions[i].is_added) continue;
    region_numbers[i] = i;
    if (scenario.regions[i].vehicle) world.follow_vehicle(i, *scenario.regions[i].vehicle);
  }
  return {};
}

Simulation::Simulation(std::unique_ptr<State> state) : state_(std::move(state)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

const StepReport& Simulation::step() {
  state_->let_happen();
  state_->bring_people();
  state_->turn_heads();
  state_->remember_places();
  const StepReport& report = state_->world.step();
  state_->count(report);
  return report;
}

bool Simulation::is_done() const {
  const ScenarioSettings& settings = state_->scenario.settings;
  if (state_->world.time() + 1e-9 >= settings.duration) return true;
  if (!settings.stop_when_done) return false;
  for (std::uint32_t index = 0; index < state_->sources.size(); ++index)
    if (!state_->is_exhausted(index)) return false;
  if (!state_->world.riders().empty()) return false;
  // What happens at a time may give people something to do again.
  for (std::size_t i = 0; i < state_->has_happened.size(); ++i)
    if (state_->has_happened[i] == 0 && state_->scenario.events[i].time) return false;
  const auto activity = state_->world.columns().activity;
  return std::none_of(activity.begin(), activity.end(),
                      [](Activity a) { return a == Activity::kWaiting || a == Activity::kWalking; });
}

const Scenario& Simulation::scenario() const { return state_->scenario; }
World& Simulation::world() { return state_->world; }
const World& Simulation::world() const { return state_->world; }
const Tally& Simulation::tally() const { return state_->tally; }
const std::vector<Problem>& Simulation::notices() const { return state_->notices; }
std::uint64_t Simulation::waiting_outside() const {
  std::uint64_t waiting = 0;
  for (const State::SourceState& source : state_->sources) waiting += source.due - source.inside;
  return waiting;
}
double Simulation::measured_ground(std::size_t area) const {
  return state_->drawers[state_->scenario.density_areas[area]].ground();
}

AgentId Simulation::add_visitor(const AgentDef& definition) {
  const AgentId id = state_->world.add(definition);
  if (!id) return id;
  State::Person person{.id = id, .start = state_->world.time(), .population = State::kFromSource};
  person.last_entry = 0xffffffffu;  // never counted as arrived
  person.x = static_cast<float>(definition.position.x);
  person.y = static_cast<float>(definition.position.y);
  state_->people.push_back(person);
  ++state_->tally.people;
  return id;
}
AgentId Simulation::id_of(std::uint32_t number) const {
  return number == 0 || number > state_->people.size() ? AgentId{} : state_->people[number - 1].id;
}

std::uint64_t Simulation::hash() const {
  Hash hash;
  hash.add(state_->world.hash()).add(state_->tally.people).add(state_->tally.goals_reached);
  for (const State::SourceState& source : state_->sources)
    hash.add(source.next_time).add(source.due).add(source.inside).add(source.tries);
  for (const std::uint8_t happened : state_->has_happened) hash.add(happened);
  return hash.value();
}

}  // namespace throng
