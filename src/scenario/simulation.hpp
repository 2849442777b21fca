// SPDX-License-Identifier: MIT
// A scenario that runs: the world with its people, the sources that bring more, and the tally of what happened.
//
//   auto navigation = Navigation::bake(scenario.scene);
//   auto simulation = Simulation::create(scenario, *navigation, threads);
//   while (!simulation->is_done()) simulation->step();
//   report(simulation->tally(), simulation->notices());
//
// Nobody is ever put down touching a wall or somebody else. What finds no room is not dropped silently: a population that does
// not fit is reported in `notices`, a source keeps its people waiting until there is room and says so.
//
// Every random number is a function of (seed, population or source, person, purpose), and every step of the world of the number
// of threads alone in its speed: equal scenarios give equal hashes on any machine, after any restore.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <throng/navigation.hpp>
#include <throng/world.hpp>

#include "scenario/outcome.hpp"
#include "scenario/places.hpp"
#include "scenario/scenario.hpp"
#include "scenario/tally.hpp"

namespace throng {

class Simulation {
 public:
  /// Puts the populations in place. Problems: areas without ground, positions inside walls.
  static Result<Simulation> create(const Scenario& scenario, const Navigation& navigation, unsigned threads = 1);
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  /// New people, new headings, one step of the world, and the tally of it.
  const StepReport& step();
  /// The duration is over, or nobody has anything left to do and nobody will come.
  bool is_done() const;

  const Scenario& scenario() const;
  World& world();
  const World& world() const;
  const Tally& tally() const;
  /// Degraded but running: who found no room, who has no way. One for each population and source.
  const std::vector<Problem>& notices() const;
  /// What has become of everybody so far.
  RunOutcome outcome() const;
  /// People of a source who wait for room, or for the rest of their group.
  std::uint64_t waiting_outside() const;
  /// Square metres of ground of a measured area.
  double measured_ground(std::size_t area) const;

  /// Everything that the rest of the run depends on, and back into a simulation made from the same scenario.
  std::string snapshot() const;
  Result<bool> restore(std::string_view bytes);
  /// Takes the state of another simulation, whose scenario is the same but for events that this one has besides, behind the
  /// others: a run that is continued with a change. Those that are due happen in the next step.
  Result<bool> continue_from(const Simulation& other);
  /// Somebody from outside the scenario, whom the caller moves (World::drive) or removes. Null if there is no room.
  AgentId add_visitor(const AgentDef& definition);
  /// Who has a number; null if nobody ever had.
  AgentId id_of(std::uint32_t number) const;
  std::uint64_t hash() const;

 private:
  struct State;
  explicit Simulation(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng
