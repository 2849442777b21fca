// SPDX-License-Identifier: MIT
// What the tests of scenarios share: short ways from text to a scenario and from a scenario to a running simulation.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "scenario/simulation.hpp"
#include "support/tree.hpp"

namespace throng {

inline std::string slurp_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

template <class T>
std::string listed_problems(const Result<T>& result) {
  std::string text;
  if (!result)
    for (const Problem& problem : result.problems()) text += to_string(problem) + "\n";
  return text;
}

/// A hall of 20 × 10 m, with areas west (x < 4) and east (x > 16), around whatever `rest` says.
inline std::string hall(const std::string& rest, const std::string& plans = R"("cross": {"goals": ["east"], "end": "leave"})") {
  return R"({"throng_scenario": 1, "scene": {"throng_scene": 1, "walkable": [[[0,0],[20,0],[20,10],[0,10]]],
    "areas": [{"name": "middle", "polygon": [[8,3],[12,3],[12,7],[8,7]]}], "profiles": [{"name": "person"}, {"name": "cart", "radius": 0.4}]},
    "areas": {"west": {"box": [0,0,4,10]}, "east": [[16,0],[20,0],[20,10],[16,10]]},
    "plans": {)" +
         plans + "}" + (rest.empty() ? "" : ", ") + rest + "}";
}

inline Result<Scenario> read(const std::string& text, const ScenarioOverrides& overrides = {}) {
  return read_scenario(text, "test.json", open_scenes_from(test::source_dir()), overrides);
}

inline Simulation start(const Scenario& scenario, unsigned threads = 1) {
  const auto navigation = Navigation::bake(scenario.scene);
  if (!navigation) throw std::runtime_error(listed_problems(navigation));
  auto simulation = Simulation::create(scenario, *navigation, threads);
  if (!simulation) throw std::runtime_error(listed_problems(simulation));
  return std::move(*simulation);
}

inline Simulation start(const std::string& text, unsigned threads = 1) {
  const auto scenario = read(text);
  if (!scenario) throw std::runtime_error(listed_problems(scenario));
  return start(*scenario, threads);
}

/// Pairs of people who touch, by looking at all of them.
inline int touching_pairs(const World& world) {
  const World::Columns rows = world.columns();
  int pairs = 0;
  for (std::size_t i = 0; i < rows.x.size(); ++i)
    for (std::size_t j = i + 1; j < rows.x.size(); ++j) {
      const double dx = double{rows.x[i]} - rows.x[j], dy = double{rows.y[i]} - rows.y[j],
                   contact = double{rows.radius[i]} + rows.radius[j];
      pairs += dx * dx + dy * dy < contact * contact;
    }
  return pairs;
}

}  // namespace throng
