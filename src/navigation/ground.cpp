// SPDX-License-Identifier: MIT
#include "navigation/ground.hpp"

#include <algorithm>
#include <array>

#include "geometry/polygon.hpp"

namespace throng {

Ground::Ground(const Cells& cells) {
  const std::uint32_t count = cells.cell_count();
  edge_start.reserve(count + 1);
  wall_start.reserve(count + 1);
  edge_start.push_back(0);
  wall_start.push_back(0);
  const auto side_at = [&](CellIndex c, std::size_t i) {
    const auto sides = cells.sides_of(c);
    return std::array{cells.position(sides[i].vertex), cells.position(sides[i + 1 == sides.size() ? 0 : i + 1].vertex)};
  };
  struct Reached {
    CellIndex cell;
    PortalIndex joint;  // the last one on the way there
  };
  std::vector<Reached> near, beyond;
  std::vector<std::uint32_t> seen(count, kNoCell);
  for (CellIndex c = 0; c < count; ++c) {
    const auto sides = cells.sides_of(c);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const auto [a, b] = side_at(c, i);
      const double l = distance(a, b);
      if (l == 0) continue;
      const CellIndex next = sides[i].portal == kNoPortal ? kNoCell : cells.across(sides[i].portal, c);
      edges.push_back({static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>((b.y - a.y) / l),
                       static_cast<float>((a.x - b.x) / l), static_cast<float>(l), next});
    }
    edge_start.push_back(static_cast<std::uint32_t>(edges.size()));

    // Beyond a joint only what is near the joint counts: a floor below goes on under the stairs that lead up from it.
    const auto is_near = [&](PortalIndex joint, Vec2 a, Vec2 b) {
      if (joint != kNoPortal) {
        const auto [p, q] = cells.portals[joint].position;
        if (segment_distance(to_metres(p), to_metres(q), a, b) >= kWallReach) return false;
      }
      for (std::size_t i = 0; i < sides.size(); ++i) {
        const auto [p, q] = side_at(c, i);
        if (segment_distance(p, q, a, b) < kWallReach) return true;
      }
      return false;
    };
    near.assign(1, {c, kNoPortal});
    seen[c] = c;
    beyond.clear();
    for (std::size_t k = 0; k < near.size(); ++k) {
      const auto [at, joint] = near[k];
      for (std::size_t i = 0; i < cells.sides_of(at).size(); ++i) {
        const auto [a, b] = side_at(at, i);
        const PortalIndex portal = cells.sides_of(at)[i].portal;
        if (portal != kNoPortal) {
          const CellIndex next = cells.across(portal, at);
          if (seen[next] == c || !is_near(joint, a, b)) continue;
          if (cells.layer[next] != cells.layer[at]) {
            beyond.push_back({next, portal});
            continue;
          }
          seen[next] = c;
          near.push_back({next, joint});
        } else if (a != b && (at == c || is_near(joint, a, b))) {
          const Vec2 d = b - a;
          walls.push_back({static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(d.x), static_cast<float>(d.y),
                           static_cast<float>(1 / dot(d, d))});
        }
      }
      // All of one's own layer first, then from joint to joint.
      for (; k + 1 == near.size() && !beyond.empty(); beyond.pop_back()) {
        if (seen[beyond.back().cell] == c) continue;
        seen[beyond.back().cell] = c;
        near.push_back(beyond.back());
      }
    }
    wall_start.push_back(static_cast<std::uint32_t>(walls.size()));
  }
}

Walk move_body(const Ground& ground, CellIndex cell, float x, float y, float to_x, float to_y, float radius) {
  constexpr int kRounds = 4;
  Walk at = walk(ground, cell, x, y, to_x, to_y);
  for (int round = 0; round <= kRounds; ++round) {
    // Out of the deepest wall first; the others may then be clear.
    const float limit = radius * radius;
    WallFoot deepest{0, 0, limit};
    for (const Ground::Wall& wall : ground.walls_near(at.cell)) {
      const WallFoot foot = foot_on(wall, at.x, at.y);
      if (foot.distance_squared < deepest.distance_squared) deepest = foot;
    }
    if (deepest.distance_squared == limit) return at;
    const float d = std::sqrt(deepest.distance_squared);
    if (radius - d < Ground::kTouch && round > 0) return at;
    // Right on the wall nothing says on which side: go back.
    if (round == kRounds || d < 1e-4f) break;
    const float push = (radius + 0.5f * Ground::kTouch - d) / d;
    at = walk(ground, at.cell, at.x, at.y, at.x - push * deepest.dx, at.y - push * deepest.dy);
  }
  return {x, y, cell, true};
}

}  // namespace throng
