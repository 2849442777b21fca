// SPDX-License-Identifier: MIT
// A world without ends: whoever is near one border is seen behind the opposite one as an image.
#include <cmath>

#include "world/state.hpp"

namespace throng {

void World::State::make_images() {
  if (!is_periodic()) return;
  const Vec2 low = settings.period_low, size = settings.period_size;
  // Those who left come back on the other side first: their rows jump.
  const auto wrapped = [](float at, double from, double span) {
    if (span <= 0) return at;
    const double turns = std::floor((static_cast<double>(at) - from) / span);
    return static_cast<float>(static_cast<double>(at) - turns * span);
  };
  for (std::uint32_t i = 0; i < agents.count; ++i) {
    const float x = wrapped(agents.now.x[i], low.x, size.x), y = wrapped(agents.now.y[i], low.y, size.y);
    if (x == agents.now.x[i] && y == agents.now.y[i]) continue;
    const CellIndex cell = data().locator.cell_at({x, y}, layer_of(i));
    if (cell == kNoCell) continue;  // the scene has no ground there: it stays outside, and is seen there
    agents.shown_x[i] += x - agents.now.x[i];
    agents.shown_y[i] += y - agents.now.y[i];
    agents.now.x[i] = x;
    agents.now.y[i] = y;
    agents.cell[i] = cell;
  }
  images.clear();
  constexpr auto kMargin = static_cast<float>(kPeriodMargin / 2);
  for (std::uint32_t i = 0; i < agents.count; ++i) {
    for (int column = -1; column <= 1; ++column)
      for (int row = -1; row <= 1; ++row) {
        if ((column == 0 && row == 0) || (column != 0 && size.x <= 0) || (row != 0 && size.y <= 0)) continue;
        const auto shift_x = static_cast<float>(column * size.x), shift_y = static_cast<float>(row * size.y);
        const float x = agents.now.x[i] + shift_x, y = agents.now.y[i] + shift_y;
        if (size.x > 0 && (x < low.x - kMargin || x >= low.x + size.x + kMargin)) continue;
        if (size.y > 0 && (y < low.y - kMargin || y >= low.y + size.y + kMargin)) continue;
        images.push_back({i, shift_x, shift_y});
      }
  }
  agents.set_images(images);
  for (std::uint32_t i = agents.count; i < agents.count + agents.images; ++i) {
    const CellIndex cell = data().locator.cell_at({agents.now.x[i], agents.now.y[i]}, layer_of(i));
    if (cell != kNoCell) agents.cell[i] = cell;
  }
}

}  // namespace throng
