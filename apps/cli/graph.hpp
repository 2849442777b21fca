// SPDX-License-Identifier: MIT
// What `bake`, `path` and `draw` do with navigation graphs.
#pragma once
#include <string>
#include <vector>

#include "common.hpp"
#include "pictures.hpp"

namespace throng::cli {

/// How a graph is baked.
struct GraphArguments {
  GraphSettings settings;
  double min_radius = 0;  ///< 0: 0.375 m, or 1.5 grid steps if that is more
  double radius = 0.2;

  /// Everything but --radius, which some verbs have anyway.
  void add_to(CLI::App& verb);
};

Result<NavigationGraph> open_graph(const SceneArguments& scene, const GraphArguments& arguments);

/// One path or a flow between two places.
struct GraphQuestion {
  std::string from, to;
  bool flow = false;
  FlowSettings settings;
  std::string choice;  ///< a criterion, or none

  void add_to(CLI::App& verb);
};

int bake_graph(const SceneArguments& scene, const GraphArguments& arguments);
int ask_graph(const SceneArguments& scene, const GraphArguments& arguments, const GraphQuestion& question);

struct GraphDrawing {
  SceneArguments scene;
  GraphArguments graph;
  PictureArguments picture;
  GraphQuestion flow;
  std::vector<std::string> from, to;
  std::string seen_from;
  std::string output;
};
int draw_graph(const GraphDrawing& drawing);

}  // namespace throng::cli
