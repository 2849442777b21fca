// SPDX-License-Identifier: MIT
// Pictures of navigation data, for `draw`, `demo` and `check`.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <throng/throng.hpp>

namespace throng::cli {

struct PictureArguments {
  std::string fill = "cells";
  std::uint32_t depth = 4;
  std::optional<std::uint32_t> layer;  ///< all of them without it
  bool portals = true;
  bool bottlenecks = true;
  bool roadmap = false;
  std::string crop;
  double pixel_width = 1600;
  std::string title;
};

/// X0,Y0,X1,Y1 as two corners, relative to the scene's origin.
Result<std::pair<Vec2, Vec2>> parse_crop(const std::string& text, Vec2 origin);

struct PictureSize {
  double width = 0, height = 0;
};

Result<PictureSize> draw_navigation(const Navigation& navigation, const PictureArguments& arguments,
                                    std::span<const std::vector<Vec2>> paths, const std::string& file);

/// The zone of each cell at a depth of the abstraction tree (or its leaf, where the tree ends earlier).
std::vector<std::uint32_t> zones_at_depth(const Navigation& navigation, std::uint32_t depth);

/// `count` random pairs of places, far enough from walls, with a way between them; `request` gives radius and planner.
std::vector<PathRequest> random_requests(const Navigation& navigation, std::size_t count, PathRequest request,
                                         std::uint64_t seed = 1);
std::vector<std::vector<Vec2>> random_paths(const Navigation& navigation, std::size_t count, const PathRequest& request);

}  // namespace throng::cli
