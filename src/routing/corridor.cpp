// SPDX-License-Identifier: MIT
#include "routing/corridor.hpp"

#include <algorithm>
#include <cmath>

namespace throng {

void sample(const PulledPath& path, std::span<const Point> vertices, double sagitta, std::vector<Vec2>& points) {
  points.clear();
  points.push_back(path.start);
  for (const Bend& bend : path.bends) {
    points.push_back(bend.arrive);
    const Vec2 centre = to_metres(vertices[bend.vertex]);
    const Vec2 from = bend.arrive - centre, to = bend.leave - centre;
    const double radius = length(from);
    if (radius <= 0) continue;
    double angle = std::atan2(cross(from, to), dot(from, to));
    if (bend.turns_left && angle < -1e-6) angle += 2 * M_PI;
    if (!bend.turns_left && angle > 1e-6) angle -= 2 * M_PI;
    // A chord over the angle a misses its arc by radius·(1 - cos(a/2)).
    const double step = 2 * std::acos(std::clamp(1 - std::max(sagitta, 1e-9) / radius, 0.0, 1.0));
    const int pieces = static_cast<int>(std::ceil(std::abs(angle) / step));
    for (int i = 1; i < pieces; ++i) {
      const double c = std::cos(angle * i / pieces), s = std::sin(angle * i / pieces);
      points.push_back(centre + Vec2{c * from.x - s * from.y, s * from.x + c * from.y});
    }
    if (bend.leave != bend.arrive) points.push_back(bend.leave);
  }
  points.push_back(path.goal);
}

}  // namespace throng
