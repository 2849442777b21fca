// SPDX-License-Identifier: MIT
// Who overlaps whom, counted by a grid of its own: it does not trust the neighbourhood graph that avoided it.
#include <algorithm>
#include <cmath>

#include "neighbours/sight.hpp"
#include "world/state.hpp"

namespace throng {

/// Whether two who are near in plan are so on the ground: on one layer, or across a joint in sight, from where their cells say
/// that they stand.
bool World::State::are_on_one_ground(std::uint32_t i, std::uint32_t j) const {
  if (layer_of(i) == layer_of(j)) return true;
  return can_see(data().cells, snap(position(i)), agents.cell[i], snap(position(j)), agents.cell[j]);
}

std::uint32_t World::State::count_overlaps(const std::vector<float>& x, const std::vector<float>& y, std::uint32_t* deep) const {
  if (deep != nullptr) *deep = 0;
  const std::uint32_t count = agents.count;
  if (count < 2) return 0;
  float largest = 0.01f, low_x = x[0], low_y = y[0], high_x = x[0], high_y = y[0];
  for (std::uint32_t i = 0; i < count; ++i) {
    largest = std::max(largest, agents.radius[i]);
    low_x = std::min(low_x, x[i]), high_x = std::max(high_x, x[i]);
    low_y = std::min(low_y, y[i]), high_y = std::max(high_y, y[i]);
  }
  // Squares of one largest contact distance, coarser where they would outnumber the agents.
  float side = 2 * largest;
  side = std::max(side, std::sqrt((high_x - low_x) * (high_y - low_y) / static_cast<float>(4 * count)));
  const auto columns = static_cast<std::uint32_t>((high_x - low_x) / side) + 1;
  const auto lines = static_cast<std::uint32_t>((high_y - low_y) / side) + 1;
  const auto column_of = [&](std::uint32_t i) { return static_cast<std::uint32_t>((x[i] - low_x) / side); };
  const auto line_of = [&](std::uint32_t i) { return static_cast<std::uint32_t>((y[i] - low_y) / side); };
  bucket_start.assign(std::size_t{columns} * lines + 1, 0);
  for (std::uint32_t i = 0; i < count; ++i) ++bucket_start[line_of(i) * columns + column_of(i) + 1];
  for (std::size_t b = 1; b < bucket_start.size(); ++b) bucket_start[b] += bucket_start[b - 1];
  bucket_rows.resize(count);
  for (std::uint32_t i = count; i-- > 0;) bucket_rows[--bucket_start[line_of(i) * columns + column_of(i) + 1]] = i;
  // Now bucket_start[b + 1] is where bucket b begins; its end is where the next begins.
  const auto begin_of = [&](std::size_t b) { return bucket_start[b + 1]; };
  const auto end_of = [&](std::size_t b) { return b + 2 < bucket_start.size() ? bucket_start[b + 2] : count; };
  const Vec2 size = settings.period_size;
  std::uint32_t overlaps = 0;
  const auto meet = [&](std::uint32_t i, std::uint32_t j, float shift_x, float shift_y) {
    const float dx = x[j] + shift_x - x[i], dy = y[j] + shift_y - y[i], contact = agents.radius[i] + agents.radius[j];
    const float squared = dx * dx + dy * dy;
    if (squared >= contact * contact || !are_on_one_ground(i, j)) return;
    ++overlaps;
    if (deep != nullptr && squared < 0.64f * contact * contact) ++*deep;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t c = column_of(i), l = line_of(i);
    for (std::uint32_t line = l == 0 ? 0 : l - 1; line <= std::min(l + 1, lines - 1); ++line)
      for (std::uint32_t column = c == 0 ? 0 : c - 1; column <= std::min(c + 1, columns - 1); ++column) {
        const std::size_t b = std::size_t{line} * columns + column;
        for (std::uint32_t k = begin_of(b); k < end_of(b); ++k)
          if (bucket_rows[k] > i) meet(i, bucket_rows[k], 0, 0);
      }
  }
  if (!is_periodic()) return overlaps;
  // Pairs across the borders: few, so everybody near a border is held against everybody near the opposite one.
  for (std::uint32_t i = 0; i < count; ++i)
    for (int column = 0; column <= 1; ++column)
      for (int line = column == 0 ? 1 : -1; line <= 1; ++line) {
        if ((column != 0 && size.x <= 0) || (line != 0 && size.y <= 0)) continue;
        const auto shift_x = static_cast<float>(column * size.x), shift_y = static_cast<float>(line * size.y);
        // j + shift next to i
        const float at_x = x[i] - shift_x, at_y = y[i] - shift_y;
        if (at_x < low_x - side || at_y < low_y - side || at_x > high_x + side || at_y > high_y + side) continue;
        const auto clamp_to = [](float v, std::uint32_t n) {
          return v < 0 ? 0u : std::min(static_cast<std::uint32_t>(v), n - 1);
        };
        const std::uint32_t c0 = clamp_to((at_x - low_x) / side - 1, columns), c1 = clamp_to((at_x - low_x) / side + 1, columns);
        const std::uint32_t l0 = clamp_to((at_y - low_y) / side - 1, lines), l1 = clamp_to((at_y - low_y) / side + 1, lines);
        for (std::uint32_t b_line = l0; b_line <= l1; ++b_line)
          for (std::uint32_t b_column = c0; b_column <= c1; ++b_column) {
            const std::size_t b = std::size_t{b_line} * columns + b_column;
            for (std::uint32_t k = begin_of(b); k < end_of(b); ++k) meet(i, bucket_rows[k], shift_x, shift_y);
          }
      }
  return overlaps;
}

/// Somebody on a joint may stand a hair beyond it, on the other layer's ground.
bool World::State::is_on_ground(Vec2 place, CellIndex cell) const {
  const Cells& cells = data().cells;
  if (data().locator.cell_at(place, cells.layer[cell]) != kNoCell) return true;
  const auto portals = cells.portals_of(cell);
  return std::any_of(portals.begin(), portals.end(), [&](PortalIndex portal) {
    return data().locator.cell_at(place, cells.layer[cells.across(portal, cell)]) != kNoCell;
  });
}

std::uint32_t World::State::count_wall_penetrations() const {
  constexpr double kTolerance = 0.001;
  std::uint32_t found = 0;
  for (std::uint32_t i = 0; i < agents.count; ++i) {
    const double radius = agents.radius[i];
    const Vec2 at = position(i);
    found += data().locator.clearance(at, layer_of(i), radius) < radius - kTolerance || !is_on_ground(at, agents.cell[i]);
  }
  return found;
}

}  // namespace throng
