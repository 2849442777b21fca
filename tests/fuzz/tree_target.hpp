// SPDX-License-Identifier: MIT
// What is done with a mutated tree: a scenario or scene is read and examined, and what reads is baked, filled with agents and
// stepped. The program throng_mutate_trees does it a hundred thousand times, a test a few thousand.
#pragma once
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "navigation/doctor_cells.hpp"
#include "navigation/navigation_data.hpp"
#include "promises.hpp"
#include "scenario/simulation.hpp"
#include "scenario_target.hpp"
#include "scene/builtin.hpp"
#include "scene/doctor.hpp"
#include "tree_mutations.hpp"

namespace throng::fuzz {

/// Shipped scenarios with the scenes inside them, and the seeds of both readers. Scenarios in scenes/large are left out.
inline std::vector<TreeMutator::Tree> tree_seeds(const std::filesystem::path& source) {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"scenes", "tests/fuzz/corpus/scenario", "tests/fuzz/corpus/scene_json"})
    for (const auto& entry : std::filesystem::directory_iterator(source / folder))
      if (entry.is_regular_file() && entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<TreeMutator::Tree> trees;
  for (const std::filesystem::path& file : files) {
    std::ifstream in(file);
    TreeMutator::Tree tree = TreeMutator::Tree::parse(in, nullptr, false);
    if (!tree.is_object()) continue;
    if (tree.contains("scene") && tree["scene"].is_object()) trees.push_back(tree["scene"]);
    trees.push_back(std::move(tree));
  }
  return trees;
}

/// Built-in scenes, made small. Files are other readers' business.
inline Result<Scene> open_small_scene(const std::string& name) {
  const std::size_t colon = name.find(':');
  std::string small = name;
  if (int size = 0; colon != std::string::npos) {
    const auto [end, error] = std::from_chars(name.data() + colon + 1, name.data() + name.size(), size);
    constexpr int kMost = 40;
    if (error == std::errc() && size > kMost)
      small = name.substr(0, colon + 1) + std::to_string(kMost) + std::string(end, name.data() + name.size());
  }
  if (auto built_in = make_builtin(small)) return std::move(*built_in);
  return Problem{name, "no such scene here", "write city:40"};
}

/// As few agents as show what goes wrong: numbers up to a million are allowed, and take their time.
inline void make_small(Scenario& scenario, double ground) {
  constexpr std::uint32_t kMost = 40;
  for (Population& population : scenario.populations) {
    population.count = std::min(population.count, kMost);
    population.density = std::min(population.density, kMost / std::max(ground, 1.0));
    if (population.positions.size() > kMost) population.positions.resize(kMost);
    if (population.goals.size() > kMost) population.goals.resize(kMost);
  }
  for (Source& source : scenario.sources) {
    source.rate = std::min(source.rate, 20.0);
    for (Source::Departure& departure : source.timetable) departure.count = std::min(departure.count, kMost);
  }
}

struct TreeOutcome {
  bool is_read = false;
  bool is_stepped = false;
};

/// Reads and examines a mutant; bakes it and takes 20 steps if `steps`.
inline TreeOutcome try_tree(const TreeMutator::Tree& tree, bool steps) {
  TreeMutator::Tree document = tree;
  if (tree.contains("throng_scene") && !tree.contains("throng_scenario"))
    document = {{"throng_scenario", 1},
                {"scene", tree},
                {"plans", {{"about", {{"end", "wander"}}}}},
                {"populations", {{{"count", 20}, {"plan", "about"}}}}};
  TreeOutcome outcome;
  const std::string text = document.dump();
  auto scenario = read_scenario(text, "mutant", open_small_scene);
  if (!scenario) {
    require_problems(scenario);
    return outcome;
  }
  require_sound(*scenario, open_small_scene);
  outcome.is_read = true;
  examine(scenario->scene);
  if (!steps) return outcome;
  BakeSettings bake;
  bake.threads = 1;
  bake.editable = edits_scene(*scenario);
  const auto navigation = Navigation::bake(scenario->scene, bake);
  if (!navigation) {
    require_problems(navigation);
    return outcome;
  }
  examine_cells(scenario->scene, navigation->data().cells, 0.2);
  make_small(*scenario, navigation->report().area);
  auto simulation = Simulation::create(*scenario, *navigation, 1);
  if (!simulation) {
    require_problems(simulation);
    return outcome;
  }
  constexpr int kSteps = 20;
  for (int step = 0; step < kSteps && !simulation->is_done(); ++step) simulation->step();
  outcome.is_stepped = true;
  return outcome;
}

}  // namespace throng::fuzz
