// SPDX-License-Identifier: MIT
#include "detail/interest.hpp"

#include <algorithm>

#include "base/math.hpp"

namespace throng {
namespace {

constexpr double kSlackTurn = 0.9986;  // cosine of 3 degrees
constexpr double kWholeTurn = 6.283185307179586;

bool has_moved(const Region& from, const Region& to, double slack) {
  Region here = to;
  here.centre = from.centre;
  return !(here == from) || distance(from.centre, to.centre) > slack;
}

bool has_moved(const std::optional<Viewpoint>& from, const std::optional<Viewpoint>& to, double slack) {
  if (from.has_value() != to.has_value()) return true;
  if (!from) return false;
  const double turn = dot(from->direction, to->direction) / (length(from->direction) * length(to->direction));
  return from->field_of_view != to->field_of_view || from->distance != to->distance || turn < kSlackTurn ||
         distance(from->position, to->position) > slack;
}

/// From the camera alone; `cosine` is of half the field of view.
std::uint8_t level_in_view(const Viewpoint& camera, double cosine, double near, Vec2 place) {
  const Vec2 to = place - camera.position;
  const double away = length(to);
  if (away > camera.distance || dot(to, camera.direction) < cosine * away * length(camera.direction)) return 2;
  return away <= near ? 0 : 1;
}

}  // namespace

bool InterestMap::update(const Grid& grid, const InterestSettings& settings, std::span<const Region> regions) {
  bool is_same = level_.size() == grid.tile_count() && rated_.regions.size() == regions.size() &&
                 !has_moved(rated_.camera, settings.camera, settings.slack);
  for (std::size_t i = 0; is_same && i < regions.size(); ++i) is_same = !has_moved(rated_.regions[i], regions[i], settings.slack);
  if (is_same) return false;
  rate_by(grid, settings, {{regions.begin(), regions.end()}, settings.camera});
  return true;
}

void InterestMap::rate_by(const Grid& grid, const InterestSettings& settings, Rated rated) {
  rated_ = std::move(rated);
  level_.assign(grid.tile_count(), settings.elsewhere);
  if (const auto& camera = rated_.camera) {
    const double cosine = sine_cosine(0.5 * std::min(camera->field_of_view, kWholeTurn)).cosine;
    for (TileIndex t = 0; t < grid.tile_count(); ++t)
      level_[t] = level_in_view(*camera, cosine, settings.camera_near, grid.centre(t));
  }
  // Limits last, so that the order of regions does not matter.
  for (const bool limits : {false, true})
    for (const Region& region : rated_.regions) {
      if (region.is_limit != limits) continue;
      const double squared = region.radius * region.radius;
      for (TileIndex t = 0; t < grid.tile_count(); ++t) {
        if (region.layer != kAllLayers && region.layer != grid.layer(t)) continue;
        const Vec2 to = grid.centre(t) - region.centre;
        if (dot(to, to) > squared) continue;
        level_[t] = limits ? std::max(level_[t], region.level) : std::min(level_[t], region.level);
      }
    }
}

}  // namespace throng
