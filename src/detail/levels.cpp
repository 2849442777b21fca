// SPDX-License-Identifier: MIT
#include "detail/levels.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/angle.hpp"
#include "geometry/polygon.hpp"

namespace throng {
namespace {

constexpr double kNearness = 0.6, kCentrality = 0.4;  // their weights in the score
constexpr double kSightReach = 6;                     // m beyond the border of the high patches
constexpr double kLongestPeriod = 60000;              // steps

/// The point of a cell that is nearest to a place: the place itself inside.
Vec2 nearest_in_cell(const Cells& cells, CellIndex cell, Vec2 place) {
  const auto sides = cells.sides_of(cell);
  bool is_inside = true;
  double best = 1e300;
  Vec2 nearest = place;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Vec2 a = cells.position(sides[i].vertex), b = cells.position(sides[i + 1 == sides.size() ? 0 : i + 1].vertex);
    if (cross(b - a, place - a) < 0) is_inside = false;
    const Vec2 foot = nearest_on_segment(place, a, b);
    if (const double d = distance(place, foot); d < best) best = d, nearest = foot;
  }
  return is_inside ? place : nearest;
}

double score_of_cell(const Cells& cells, CellIndex cell, const Viewpoint& viewpoint) {
  double best = score_of(viewpoint, nearest_in_cell(cells, cell, viewpoint.position));
  Vec2 middle;
  const auto sides = cells.sides_of(cell);
  for (const Side& side : sides) {
    const Vec2 corner = cells.position(side.vertex);
    best = std::max(best, score_of(viewpoint, corner));
    middle = middle + corner;
  }
  return std::max(best, score_of(viewpoint, (1.0 / static_cast<double>(sides.size())) * middle));
}

}  // namespace

double score_of(const Viewpoint& viewpoint, Vec2 place) {
  const Vec2 to = place - viewpoint.position, ahead = viewpoint.direction;
  const double sine = ahead.x * to.y - ahead.y * to.x;
  const double angle = std::abs(angle_of(sine, dot(ahead, to))), half = 0.5 * viewpoint.field_of_view;
  if (angle > half) return 0;
  return kNearness * std::max(0.0, 1 - length(to) / viewpoint.distance) + kCentrality * std::max(0.0, 1 - angle / half);
}

double frequency_of(const DetailSettings& settings, double score) {
  if (score <= 0) return settings.unseen_frequency;
  const double share = std::min(1.0, score / settings.high_score);
  return settings.least_frequency + share * (settings.most_frequency - settings.least_frequency);
}

void PatchLevels::update(const Cells& cells, const DetailSettings& settings, double dt) {
  const std::uint32_t count = cells.cell_count();
  level_.assign(count, PatchLevel::kLow);
  period_.resize(count);
  for (CellIndex c = 0; c < count; ++c) {
    const double score = settings.viewpoint ? score_of_cell(cells, c, *settings.viewpoint) : 0;
    if (settings.viewpoint && score >= settings.high_score) level_[c] = PatchLevel::kHigh;
    const double period = std::round(1 / (frequency_of(settings, score) * dt));
    period_[c] = static_cast<std::uint16_t>(std::clamp(period, 1.0, kLongestPeriod));
  }
  mark_seen(cells);
}

/// From every border of the high patches through portals, as long as they are within reach of where it was left.
void PatchLevels::mark_seen(const Cells& cells) {
  queue_.clear();
  const auto visit = [&](PortalIndex portal, CellIndex from, PortalIndex left_by) {
    const CellIndex next = cells.across(portal, from);
    if (level_[next] != PatchLevel::kLow) return;
    level_[next] = PatchLevel::kSeen;
    queue_.push_back({next, left_by});
  };
  for (CellIndex c = 0; c < cells.cell_count(); ++c)
    if (level_[c] == PatchLevel::kHigh)
      for (const PortalIndex portal : cells.portals_of(c)) visit(portal, c, portal);
  for (std::size_t k = 0; k < queue_.size(); ++k) {
    const Sighting at = queue_[k];
    const Portal& window = cells.portals[at.from];
    const Vec2 a = to_metres(window.position[0]), b = to_metres(window.position[1]);
    for (const PortalIndex portal : cells.portals_of(at.patch)) {
      const Vec2 c = to_metres(cells.portals[portal].position[0]), d = to_metres(cells.portals[portal].position[1]);
      if (segment_distance(a, b, c, d) < kSightReach) visit(portal, at.patch, at.from);
    }
  }
}

}  // namespace throng
