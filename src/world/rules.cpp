// SPDX-License-Identifier: MIT
// What priority rules (motion/rules) have to know of a world.
#include <algorithm>
#include <cmath>

#include "world/state.hpp"

namespace throng {

void World::State::lay_rules_tiles() {
  if (!models.rules().is_there()) return;
  are_factors_plain.clear();
  for (const auto& profile : data().profiles) {
    const std::vector<float>& of_cell = profile.roadmap.factor;
    are_factors_plain.push_back(std::all_of(of_cell.begin(), of_cell.end(), [](float factor) { return factor == 1; }) ? 1 : 0);
  }
  models.rules().lay_tiles(data().cells, settings.period_low, settings.period_size,
                           [&](Vec2 place, std::uint32_t layer) { return data().elevation(place, layer); });
}

/// Who steps where, of those who walk by the model `rules` in this step.
void World::State::prepare_rules() {
  if (!models.rules().is_there()) return;
  const auto is_led = [&](std::uint32_t row) {
    return agents.is_in_group(row) && groups[agents.band[row]].members[agents.member[row]].follows == Follows::kLeader;
  };
  const auto factors_of = [&](std::uint8_t profile) {
    return are_factors_plain[profile] != 0 ? std::span<const float>()
                                           : std::span<const float>(data().profiles[profile].roadmap.factor);
  };
  const auto block_vehicles = [&](const BodyTiles& tiles, FunctionRef<void(TileIndex)> block) {
    const auto size = static_cast<double>(tiles.size());
    for (const Vehicle& vehicle : vehicles) {
      if (!vehicle.is_there) continue;
      const VehicleDef& d = vehicle.definition;
      const double reach = 0.5 * std::sqrt(d.length * d.length + d.width * d.width) + size;
      const auto square_of = [&](double v) { return static_cast<std::int32_t>(std::floor(v / size)); };
      const auto x = static_cast<double>(vehicle.box.middle.x), y = static_cast<double>(vehicle.box.middle.y);
      for (std::int32_t row = square_of(y - reach); row <= square_of(y + reach); ++row)
        for (std::int32_t column = square_of(x - reach); column <= square_of(x + reach); ++column) {
          const TileIndex t = tiles.grid().tile_of_square(column, row, d.layer);
          if (t == kNoTile) continue;
          const BodyTiles::Stand& stand = tiles.stand(t);
          const Vec2f to = {stand.x - vehicle.box.middle.x, stand.y - vehicle.box.middle.y};
          const Vec2f ahead = vehicle.box.ahead;
          const float along = std::abs(dot(to, ahead)), aside = std::abs(to.x * -ahead.y + to.y * ahead.x);
          if (along < static_cast<float>(0.5 * d.length + 0.2) && aside < static_cast<float>(0.5 * d.width + 0.2)) block(t);
        }
    }
  };
  models.rules().prepare(frozen(), agents, data().cells,
                         {settings.seed, settings.arrival_distance, is_led, factors_of, block_vehicles}, *tasks);
}

}  // namespace throng
