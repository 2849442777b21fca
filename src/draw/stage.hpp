// SPDX-License-Identifier: MIT
// A place and its people as a stage for a Perspective: what is built from a scene's polygons, and figures from a trajectory.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include <throng/scene.hpp>

#include "draw/crowd_picture.hpp"
#include "draw/perspective.hpp"
#include "trajectory/trajectory.hpp"

namespace throng {

/// Where one looks from.
struct Standpoint {
  Vec3 eye, target;
};

/// A standpoint from which a rectangle fills the picture: `turn` degrees round from the south (90: from the east), `tilt` degrees
/// above the ground.
Standpoint standpoint_on(Vec2 low, Vec2 high, double ground, double turn, double tilt, const PerspectiveSettings& settings);

/// The heights between which a scene's ground lies.
struct HeightSpan {
  double low = 0, high = 0;
};
HeightSpan height_span(const Scene& scene);

/// Everything that stands still. Scenes do not say how high things are: obstacles with much ground are houses of 7 to 18 m,
/// smaller ones pillars and stalls, thin ones rails and parapets. Areas whose names begin with `house`, `roof`, `tree`,
/// `lawn` or `water` are shown as such; they need not be on walkable ground.
/// `outline` is the ground that is left of a scene of one layer: rooms get a parapet where it ends.
void add_scene(Perspective& view, const Scene& scene, std::span<const Polygon> outline);

/// Figures of a trajectory at any time: places between two frames, and steps as long as the ways they went.
class Figures {
 public:
  explicit Figures(const Trajectory& trajectory) : trajectory_(trajectory) {}
  /// Times must not go back by much: the phases of steps go on from call to call. Nobody's coat is coloured without a colour.
  std::span<const Figure> at(double time, std::optional<PeopleColor> color);

 private:
  struct Walk {
    double phase = 0;
    double time = -1;
    float x = 0, y = 0;
    double speed = 0;
    Vec2 heading{1, 0};
  };
  const Trajectory& trajectory_;
  std::vector<Walk> walks_;
  std::vector<Figure> figures_;
};

}  // namespace throng
