// SPDX-License-Identifier: MIT
// The first and last legs of a pulled path, where corners matter that no portal of the corridor has (see funnel.hpp). Internal to
// `pull`.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "routing/funnel.hpp"
#include "routing/near_sides.hpp"

namespace throng {

/// Looks for corners closer than the radius to the parts of the path where the funnel's own corners do not protect it: legs near
/// start and goal, as far as portals whose ends both lie ahead.
class EndLegs {
 public:
  EndLegs(const Cells& cells, const Corridor& corridor, const PulledPath& path, FunnelScratch& scratch)
      : cells_(cells), corridor_(corridor), path_(path), scratch_(scratch) {}

  /// Whether corners were added, so that the funnel must be run again.
  bool find() {
    const auto last = static_cast<std::uint32_t>(corridor_.portals.size());
    const std::size_t old_count = scratch_.extras.size();
    Vec2 from = path_.start;
    std::uint32_t from_stage = 0, from_vertex = FunnelScratch::kNoVertex;
    for (std::size_t i = 0; i < scratch_.path.size(); ++i) {
      const FunnelScratch::Corner& corner = scratch_.path[i];
      const bool is_goal = corner.vertex == FunnelScratch::kNoVertex;
      const Vec2 to = is_goal ? path_.goal : path_.bends[i].arrive;
      const bool first = from_stage == 0, final = corner.stage + 1 >= last;
      if (first || final || scratch_.open_ground)
        check(from, from_stage, from_vertex, to, corner.stage, corner.vertex, first, final);
      if (is_goal) break;
      from = path_.bends[i].leave;
      from_stage = corner.stage;
      from_vertex = corner.vertex;
    }
    if (scratch_.extras.size() == old_count) return false;
    std::sort(scratch_.extras.begin(), scratch_.extras.end(), [](const FunnelScratch::Extra& a, const FunnelScratch::Extra& b) {
      return a.stage != b.stage ? a.stage < b.stage : a.along != b.along ? a.along < b.along : a.vertex < b.vertex;
    });
    return true;
  }

 private:
  static constexpr std::size_t kMaxCells = 64;                // looked at round one leg
  static constexpr std::size_t kMaxCellsOnOpenGround = 1024;  // and where area borders cut the ground into small cells

  /// Where the leg's line crosses a portal, as a distance from its beginning.
  double crossing(std::uint32_t stage) const {
    const Portal& portal = cells_.portals[corridor_.portals[stage]];
    const Vec2 a = cells_.position(portal.vertex[0]), along = cells_.position(portal.vertex[1]) - a;
    return cross(a - from_, along) / cross(direction_, along);
  }
  bool both_ends_ahead(std::uint32_t stage) const {
    const Portal& portal = cells_.portals[corridor_.portals[stage]];
    for (std::uint32_t v : portal.vertex) {
      const double s = dot(cells_.position(v) - from_, direction_);
      if (s < 0 || s > whole_) return false;
    }
    return true;
  }
  bool lies_behind(std::uint32_t stage, Vec2 p) const {
    const Portal& portal = cells_.portals[corridor_.portals[stage]];
    const Vec2 a = cells_.position(portal.vertex[0]), b = cells_.position(portal.vertex[1]);
    const double side = cross(b - a, p - a);
    return portal.cell[0] == scratch_.cells[stage] ? side <= 0 : side >= 0;
  }
  /// Whether a place of the leg lies behind a portal. Portals of a fan round the corner where the leg begins or ends may be
  /// crossed on the arc there, and by the leg's line once more, where they are no more.
  bool has_passed(std::uint32_t stage, double along) const {
    const auto& vertex = cells_.portals[corridor_.portals[stage]].vertex;
    const auto ends_at = [&](std::uint32_t v) { return v == vertex[0] || v == vertex[1]; };
    if (ends_at(ends_[0]) && lies_behind(stage, from_)) return true;
    if (ends_at(ends_[1]) && !lies_behind(stage, from_ + whole_ * direction_)) return false;
    return lies_behind(stage, from_ + along * direction_);
  }

  /// Whether a way along the leg comes past the portal's end on that side first, then past the corner.
  bool follows(std::uint32_t vertex, std::uint32_t stage, bool on_left) const {
    const Portal& portal = cells_.portals[corridor_.portals[stage]];
    const std::uint32_t end = portal.vertex[(portal.cell[0] == scratch_.cells[stage]) == on_left ? 1 : 0];
    return dot(cells_.position(vertex) - cells_.position(end), direction_) > 0;
  }

  void check(Vec2 from, std::uint32_t from_stage, std::uint32_t from_vertex, Vec2 to, std::uint32_t to_stage,
             std::uint32_t to_vertex, bool first, bool final) {
    whole_ = distance(from, to);
    if (whole_ <= 0) return;
    from_ = from;
    direction_ = (1 / whole_) * (to - from);
    ends_ = {from_vertex, to_vertex};
    stages_ = {from_stage, to_stage};
    if (scratch_.open_ground) return look(scratch_.cells[from_stage], 0, whole_);
    if (first) {
      double end = whole_;
      for (std::uint32_t m = from_stage; m < to_stage; ++m)
        if (both_ends_ahead(m) && !has_passed(m, 0)) {
          end = std::clamp(crossing(m) + path_.radius, 0.0, whole_);
          break;
        }
      look(scratch_.cells[from_stage], 0, end);
    }
    if (final) {
      double begin = 0;
      for (std::uint32_t m = to_stage; m > from_stage; --m)
        if (both_ends_ahead(m - 1) && has_passed(m - 1, whole_)) {
          begin = std::clamp(crossing(m - 1) - path_.radius, 0.0, whole_);
          break;
        }
      look(scratch_.cells[to_stage], begin, whole_);
    }
  }

  /// All corners near the leg between two distances, through free sides within reach, beginning with the cell `home`. Where the
  /// leg touches a circle, corners round the touching point count too: the arc continues there.
  void look(CellIndex home, double begin, double end) {
    const double radius = path_.radius, least = radius - 1e-9;
    const double before = ends_[0] == FunnelScratch::kNoVertex ? 0 : radius,
                 behind = ends_[1] == FunnelScratch::kNoVertex ? 0 : radius;
    scratch_.visited.assign(1, home);
    for_sides_near(cells_, {from_, direction_, begin, end}, radius, scratch_.open_ground ? kMaxCellsOnOpenGround : kMaxCells,
                   scratch_.visited, [&](const Side& side, std::uint32_t, Vec2 at, Vec2) {
                     if (std::abs(at.y) >= least || at.x <= begin - before || at.x >= end + behind) return;
                     const double off = at.x - std::clamp(at.x, begin, end);
                     if (at.y * at.y + off * off < least * least) note(side.vertex, at.x, at.y > 0);
                   });
  }

  void note(std::uint32_t vertex, double along, bool on_left) {
    if (vertex == ends_[0] || vertex == ends_[1] || cells_.vertex_kind[vertex] == VertexKind::kOpen) return;
    std::uint32_t stage = stages_[0];
    while (stage < stages_[1] && (has_passed(stage, along) || follows(vertex, stage, on_left))) ++stage;
    for (const FunnelScratch::Extra& e : scratch_.extras)
      if (e.vertex == vertex && e.on_left == on_left) return;
    scratch_.extras.push_back({stage, vertex, on_left, false, dot(cells_.position(vertex), direction_), direction_});
  }

  const Cells& cells_;
  const Corridor& corridor_;
  const PulledPath& path_;
  FunnelScratch& scratch_;
  Vec2 from_, direction_;
  double whole_ = 0;  // length of the leg
  std::array<std::uint32_t, 2> ends_{}, stages_{};
};

}  // namespace throng
