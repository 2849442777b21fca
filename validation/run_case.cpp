// SPDX-License-Identifier: MIT
#include "run_case.hpp"

#include <filesystem>

namespace throng {

Result<Scenario> open_case(const std::string& name, const ValidationSettings& settings, std::uint64_t seed) {
  ScenarioOverrides overrides;
  overrides.seed = seed;
  auto scenario = load_scenario(std::filesystem::path(THRONG_VALIDATION_DIR) / "scenarios" / (name + ".json"), overrides);
  if (!scenario) return scenario;
  scenario->models = {settings.instead.value_or(settings.model)};
  for (Population& population : scenario->populations) population.model = 0;
  for (Source& source : scenario->sources) source.model = 0;
  return scenario;
}

Result<Tally> run_case(const Scenario& scenario, const ValidationSettings& settings, const CaseWatch& watch) {
  const auto navigation = Navigation::bake(scenario.scene);
  if (!navigation) return navigation.problems();
  auto simulation = Simulation::create(scenario, *navigation, settings.threads);
  if (!simulation) return simulation.problems();
  if (!simulation->notices().empty()) return simulation->notices();
  if (watch) watch(*simulation);
  while (!simulation->is_done()) {
    simulation->step();
    if (watch) watch(*simulation);
  }
  return simulation->tally();
}

Result<Tally> run_case(const std::string& name, const ValidationSettings& settings, std::uint64_t seed) {
  const auto scenario = open_case(name, settings, seed);
  if (!scenario) return scenario.problems();
  return run_case(*scenario, settings);
}

}  // namespace throng
