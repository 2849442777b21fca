// SPDX-License-Identifier: MIT
#include "motion/reactive/look_ahead.hpp"

#include <bit>
#include <cmath>

namespace throng {
namespace {

std::uint64_t key_of(float x, float y, std::uint32_t layer) {
  const auto column = static_cast<std::uint32_t>(static_cast<std::int32_t>(std::floor(x)) + (1 << 20));
  const auto row = static_cast<std::uint32_t>(static_cast<std::int32_t>(std::floor(y)) + (1 << 20));
  return (std::uint64_t{layer + 1} << 44) | (std::uint64_t{row} << 22) | column;
}
std::uint64_t spread(std::uint64_t key) { return (key * 0x9E3779B97F4A7C15u) >> 20; }

constexpr float kMomentumUnits = 1024;

}  // namespace

void CrowdGrid::build(const Agents& agents, const std::vector<std::uint32_t>& layer_of_cell) {
  const std::size_t rows = std::size_t{agents.count} + agents.images;
  const std::size_t size = std::bit_ceil(2 * rows + 2);
  table_.assign(size, {});
  mask_ = size - 1;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint64_t key = key_of(agents.now.x[i], agents.now.y[i], layer_of_cell[agents.cell[i]]);
    std::uint64_t at = spread(key) & mask_;
    while (table_[at].key != key && table_[at].key != 0) at = (at + 1) & mask_;
    Entry& entry = table_[at];
    entry.key = key;
    ++entry.people;
    entry.momentum_x += static_cast<std::int32_t>(kMomentumUnits * (0.7f * agents.now.vx[i] + 0.3f * agents.desired_x[i]));
    entry.momentum_y += static_cast<std::int32_t>(kMomentumUnits * (0.7f * agents.now.vy[i] + 0.3f * agents.desired_y[i]));
  }
}

CrowdGrid::Square CrowdGrid::at(float x, float y, std::uint32_t layer) const {
  const std::uint64_t key = key_of(x, y, layer);
  for (std::uint64_t at = spread(key) & mask_;; at = (at + 1) & mask_) {
    const Entry& entry = table_[at];
    if (entry.key == key)
      return {static_cast<float>(entry.people),
              {static_cast<float>(entry.momentum_x) / kMomentumUnits, static_cast<float>(entry.momentum_y) / kMomentumUnits}};
    if (entry.key == 0) return {0, {}};
  }
}

namespace reactive_rules {

int look_ahead(const CrowdGrid& grid, const Ground& ground, Vec2f place, CellIndex cell, std::uint32_t layer, Vec2f direction,
               float preferred_speed, int previous, float right_bias) {
  constexpr float kDistance[3] = {1.3f, 2.3f, 3.3f}, kWeight[3] = {1, 0.8f, 0.5f};
  constexpr float kStraightIsFine = 2, kRadiansPerTurn = 0.34906585f;
  const auto cost = [&](int turn) {
    const Vec2f d = turned(direction, turn);
    float sum = 0;
    Walk at{place.x, place.y, cell, false};
    for (int q = 0; q < 3; ++q) {
      const Vec2f sample = place + kDistance[q] * d;
      at = walk(ground, at.cell, at.x, at.y, sample.x, sample.y);
      if (at.is_blocked) return sum + static_cast<float>(3 - q);
      const CrowdGrid::Square square = grid.at(sample.x, sample.y, layer);
      const float against = square.people - dot(square.momentum, d) / preferred_speed;
      if (against > 0) sum += kWeight[q] * 0.5f * against;
    }
    return sum;
  };
  const float straight = cost(0);
  if (straight < kStraightIsFine) return 0;
  int best = 0;
  float best_worth = -1e30f;
  for (int turn = -3; turn <= 3; ++turn) {
    const float angle = kRadiansPerTurn * static_cast<float>(turn);
    const float change = kRadiansPerTurn * std::abs(static_cast<float>(turn - previous));
    const float worth = kTurnCosine[turn + 3] - 0.4f * (turn == 0 ? straight : cost(turn)) - 0.05f * change - right_bias * angle;
    if (worth > best_worth) best_worth = worth, best = turn;
  }
  return best;
}

}  // namespace reactive_rules
}  // namespace throng
