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

/// Steps between two looks.
std::uint16_t period_of(double frequency, double dt) {
  return static_cast<std::uint16_t>(std::clamp(std::round(1 / (frequency * dt)), 1.0, kLongestPeriod));
}

/// What levels need to know of cells and portals.
struct CellPatches {
  const Cells& cells;

  std::uint32_t count() const { return cells.cell_count(); }
  double score(PatchIndex cell, const Viewpoint& viewpoint) const {
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
  std::span<const PortalIndex> crossings_of(PatchIndex cell) const { return cells.portals_of(cell); }
  PatchIndex across(PortalIndex portal, PatchIndex cell) const { return cells.across(portal, cell); }
  Segment line(PortalIndex portal) const {
    return {to_metres(cells.portals[portal].position[0]), to_metres(cells.portals[portal].position[1])};
  }
};

/// The same of discs and gates.
struct DiscPatches {
  const NavGraph& graph;

  std::uint32_t count() const { return graph.disc_count(); }
  double score(PatchIndex disc, const Viewpoint& viewpoint) const {
    constexpr double kDiagonal = 0.70710678118654752;
    constexpr Vec2 kRim[] = {{1, 0},
                             {0, 1},
                             {-1, 0},
                             {0, -1},
                             {kDiagonal, kDiagonal},
                             {-kDiagonal, kDiagonal},
                             {-kDiagonal, -kDiagonal},
                             {kDiagonal, -kDiagonal}};
    const Vec2 centre = plan_of(graph.centre[disc]), to = viewpoint.position - centre;
    const double radius = graph.radius[disc], away = length(to);
    double best = std::max(score_of(viewpoint, centre),
                           score_of(viewpoint, away > radius ? centre + (radius / away) * to : viewpoint.position));
    for (const Vec2 direction : kRim) best = std::max(best, score_of(viewpoint, centre + radius * direction));
    return best;
  }
  std::span<const GateIndex> crossings_of(PatchIndex disc) const { return graph.gates_of(disc); }
  PatchIndex across(GateIndex gate, PatchIndex disc) const { return graph.gates[gate].other(disc); }
  Segment line(GateIndex gate) const { return {plan_of(graph.gates[gate].end[0]), plan_of(graph.gates[gate].end[1])}; }
};

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
  update_all(CellPatches{cells}, settings, dt);
}

void PatchLevels::update(const NavGraph& graph, const DetailSettings& settings, double dt) {
  update_all(DiscPatches{graph}, settings, dt);
}

void PatchLevels::update(const Grid& grid, std::span<const std::uint8_t> is_high, double frequency, double dt) {
  const std::uint32_t count = grid.tile_count();
  level_.assign(count, PatchLevel::kLow);
  period_.assign(count, period_of(frequency, dt));
  queue_.clear();
  for (TileIndex t = 0; t < count; ++t)
    if (is_high[t] != 0) level_[t] = PatchLevel::kHigh, queue_.push_back({t, 0});
  // Ring by ring, as far as people see.
  const auto rings = static_cast<std::uint32_t>(std::ceil(kSightReach / static_cast<double>(grid.size())));
  for (std::size_t k = 0; k < queue_.size(); ++k) {
    const Sighting at = queue_[k];
    if (at.from == rings) break;
    for (const TileIndex next : grid.next(at.patch)) {
      if (next == kNoTile || level_[next] != PatchLevel::kLow) continue;
      level_[next] = PatchLevel::kSeen;
      queue_.push_back({next, at.from + 1});
    }
  }
}

template <class Patches>
void PatchLevels::update_all(const Patches& patches, const DetailSettings& settings, double dt) {
  const std::uint32_t count = patches.count();
  level_.assign(count, PatchLevel::kLow);
  period_.resize(count);
  for (PatchIndex p = 0; p < count; ++p) {
    const double score = settings.viewpoint ? patches.score(p, *settings.viewpoint) : 0;
    if (settings.viewpoint && score >= settings.high_score) level_[p] = PatchLevel::kHigh;
    period_[p] = period_of(frequency_of(settings, score), dt);
  }
  mark_seen(patches);
}

/// From every border of the high patches through portals or gates, as long as they are within reach of where it was left.
template <class Patches>
void PatchLevels::mark_seen(const Patches& patches) {
  queue_.clear();
  const auto visit = [&](std::uint32_t crossing, PatchIndex from, std::uint32_t left_by) {
    const PatchIndex next = patches.across(crossing, from);
    if (level_[next] != PatchLevel::kLow) return;
    level_[next] = PatchLevel::kSeen;
    queue_.push_back({next, left_by});
  };
  for (PatchIndex p = 0; p < patches.count(); ++p)
    if (level_[p] == PatchLevel::kHigh)
      for (const std::uint32_t crossing : patches.crossings_of(p)) visit(crossing, p, crossing);
  for (std::size_t k = 0; k < queue_.size(); ++k) {
    const Sighting at = queue_[k];
    const Segment window = patches.line(at.from);
    for (const std::uint32_t crossing : patches.crossings_of(at.patch)) {
      const Segment line = patches.line(crossing);
      if (segment_distance(window.a, window.b, line.a, line.b) < kSightReach) visit(crossing, at.patch, at.from);
    }
  }
}

}  // namespace throng
