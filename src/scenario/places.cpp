// SPDX-License-Identifier: MIT
#include "scenario/places.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/polygon.hpp"
#include "navigation/navigation_data.hpp"

namespace throng {
namespace {

constexpr std::uint32_t kNoBody = 0xffffffffu;
constexpr double kAir = 0.001;  // m, between bodies that are put down: positions are rounded to floats

std::uint64_t square_of(std::int64_t column, std::int64_t row) {
  return static_cast<std::uint64_t>(column) << 32 | (static_cast<std::uint64_t>(row) & 0xffffffffu);
}

/// Area of a ring inside a convex cell, by Sutherland & Hodgman: of a ring that is not convex they leave zero-width bridges,
/// which have no area.
double clipped_area(Ring ring, const Cells& cells, CellIndex cell) {
  Ring next;
  const auto sides = cells.sides_of(cell);
  for (std::size_t s = 0; s < sides.size() && !ring.empty(); ++s) {
    const Vec2 a = cells.position(sides[s].vertex), b = cells.position(sides[(s + 1) % sides.size()].vertex);
    next.clear();
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Vec2 p = ring[i], q = ring[(i + 1) % ring.size()];
      const double from = cross(b - a, p - a), to = cross(b - a, q - a);
      if (from >= 0) next.push_back(p);
      if ((from > 0 && to < 0) || (from < 0 && to > 0)) next.push_back(p + (from / (from - to)) * (q - p));
    }
    ring.swap(next);
  }
  return ring.size() < 3 ? 0 : std::abs(signed_area(ring));
}

}  // namespace

double ground_in(const NavigationData& data, const ScenarioArea::Part& part) {
  double sum = 0;
  for (CellIndex cell = 0; cell < data.cells.cell_count(); ++cell) {
    if (data.cells.layer[cell] != part.layer) continue;
    sum += clipped_area(part.shape.outer, data.cells, cell);
    for (const Ring& hole : part.shape.holes) sum -= clipped_area(hole, data.cells, cell);
  }
  return std::max(0.0, sum);
}

bool fits_ground(const NavigationData& data, Vec2 place, std::uint32_t layer, double radius) {
  return data.locator.cell_at(place, layer) != kNoCell && data.locator.clearance(place, layer, radius) >= radius;
}

PlaceDrawer::PlaceDrawer(const NavigationData& data, const ScenarioArea& area) : area_(&area) {
  for (const ScenarioArea::Part& part : area.parts) ground_up_to_.push_back(ground_ += ground_in(data, part));
}

std::optional<WalkablePlace> PlaceDrawer::draw(RandomStream& random) const {
  const double at = random.unit() * ground_;
  const auto chosen =
      static_cast<std::size_t>(std::upper_bound(ground_up_to_.begin(), ground_up_to_.end(), at) - ground_up_to_.begin());
  const ScenarioArea::Part& part = area_->parts[std::min(chosen, area_->parts.size() - 1)];
  Vec2 low = part.shape.outer[0], high = low;
  for (const Vec2 p : part.shape.outer) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const double x = random.between(low.x, high.x), y = random.between(low.y, high.y);
  if (!contains(part.shape, Vec2{x, y})) return std::nullopt;
  return WalkablePlace{{x, y}, part.layer};
}

std::vector<WalkablePlace> PlaceDrawer::grid_of(const NavigationData& data, double spacing, double radius) const {
  std::vector<WalkablePlace> places;
  const double row_height = spacing * 0.8660254037844386;
  for (const ScenarioArea::Part& part : area_->parts) {
    Vec2 low = part.shape.outer[0], high = low;
    for (const Vec2 p : part.shape.outer) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    const double margin = radius + kAir;
    const auto rows = static_cast<std::int64_t>(std::floor((high.y - low.y - 2 * margin) / row_height));
    for (std::int64_t row = 0; row <= rows; ++row) {
      const double y = low.y + margin + static_cast<double>(row) * row_height;
      for (double x = low.x + margin + (row % 2 == 0 ? 0 : spacing / 2); x <= high.x - margin; x += spacing)
        if (contains(part.shape, Vec2{x, y}) && fits_ground(data, {x, y}, part.layer, radius))
          places.push_back({{x, y}, part.layer});
    }
  }
  return places;
}

std::vector<WalkablePlace> PlaceDrawer::grid(const NavigationData& data, std::size_t count, double radius) const {
  const double tightest = 2 * radius + 2 * kAir;
  if (count == 0 || ground_ <= 0) return {};
  // A triangular grid of spacing s has 2 / (√3 s²) points per square metre.
  double spacing = std::sqrt(ground_ / (0.8660254037844386 * static_cast<double>(count)));
  for (; spacing > tightest; spacing *= 0.97)
    if (auto places = grid_of(data, spacing, radius); places.size() >= count) return places;
  return grid_of(data, tightest, radius);
}

void Occupancy::clear() {
  bodies_.clear();
  first_.clear();
  largest_ = 0;
}

void Occupancy::add(Vec2 place, std::uint32_t layer, double radius) {
  const std::uint64_t square =
      square_of(static_cast<std::int64_t>(std::floor(place.x)), static_cast<std::int64_t>(std::floor(place.y)));
  const auto [entry, is_new] = first_.emplace(square, kNoBody);
  bodies_.push_back({place, radius, layer, entry->second});
  entry->second = static_cast<std::uint32_t>(bodies_.size() - 1);
  largest_ = std::max(largest_, radius);
}

bool Occupancy::is_free_of_images(Vec2 place, std::uint32_t layer, double radius) const {
  const double reach = radius + largest_ + kAir;
  const auto low_x = static_cast<std::int64_t>(std::floor(place.x - reach)),
             high_x = static_cast<std::int64_t>(std::floor(place.x + reach));
  const auto low_y = static_cast<std::int64_t>(std::floor(place.y - reach)),
             high_y = static_cast<std::int64_t>(std::floor(place.y + reach));
  for (std::int64_t row = low_y; row <= high_y; ++row)
    for (std::int64_t column = low_x; column <= high_x; ++column) {
      const auto square = first_.find(square_of(column, row));
      if (square == first_.end()) continue;
      for (std::uint32_t i = square->second; i != kNoBody; i = bodies_[i].next) {
        const Body& body = bodies_[i];
        const Vec2 d = body.place - place;
        const double contact = radius + body.radius + kAir;
        if (body.layer == layer && dot(d, d) < contact * contact) return false;
      }
    }
  return true;
}

bool Occupancy::is_free(Vec2 place, std::uint32_t layer, double radius) const {
  for (int column = period_.x > 0 ? -1 : 0; column <= (period_.x > 0 ? 1 : 0); ++column)
    for (int row = period_.y > 0 ? -1 : 0; row <= (period_.y > 0 ? 1 : 0); ++row)
      if (!is_free_of_images(place + Vec2{column * period_.x, row * period_.y}, layer, radius)) return false;
  return true;
}

Vec2 rounded_to_floats(Vec2 place) {
  // One at a time, through memory: see the header.
  const volatile float x = static_cast<float>(place.x), y = static_cast<float>(place.y);
  return {static_cast<double>(x), static_cast<double>(y)};
}

}  // namespace throng
