// SPDX-License-Identifier: MIT
// Pictures and videos of recordings in perspective, with people as figures.
#pragma once
#include <optional>
#include <span>

#include <throng/result.hpp>
#include <throng/scene.hpp>

#include "draw_recording.hpp"
#include "trajectory/trajectory.hpp"

namespace throng::cli {

struct DrawnSize {
  double width = 0, height = 0;
  std::size_t pictures = 1;
};

/// Draws a moment, or a video, of people on a scene's ground between two corners. `outline`: as add_scene takes it.
Result<DrawnSize> draw_figures(const RecordingPicture& picture, const Trajectory& trajectory, const Scene& scene,
                               std::span<const Polygon> outline, Vec2 low,
                               Vec2 high);

}  // namespace throng::cli
