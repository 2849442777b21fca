// SPDX-License-Identifier: MIT
// The scenario's part of the doctor: what the scene's cannot know, because it asks about people and where they want to go.
#pragma once
#include <vector>

#include <throng/navigation.hpp>

#include "scenario/scenario.hpp"
#include "scene/doctor.hpp"

namespace throng {

/// Codes:
/// - no-plan: a population or source that has neither plan nor heading, and that no event gives a plan;
/// - too-wide: people of a kind do not fit through the way from their start to a goal, or from goal to goal; with the widest body
///   that does. An error if it holds for all of the kind, a warning if for the widest of them;
/// - no-way: nothing leads there, however thin;
/// - line-off-ground: a measuring line with no ground under it, and the layer that has some there;
/// - area-off-ground: the same for an area that nothing uses yet (Simulation::create refuses the others).
/// Ways over links, and those that events open, are taken to exist. O(populations × kinds × goals) paths, plus areas × cells.
std::vector<Finding> examine_people(const Scenario& scenario, const Navigation& navigation);

/// The other layer with ground in an area's outline, if one has any; the one with the most.
std::optional<std::uint32_t> layer_with_ground(const Navigation& navigation, const ScenarioArea::Part& part);

/// `layer 2 "upper"`, as messages name layers.
std::string layer_words(const Scene& scene, std::uint32_t layer);

}  // namespace throng
