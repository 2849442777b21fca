// SPDX-License-Identifier: MIT
// The look-ahead's grid against counting by hand, while people come, go and leave squares empty, on any number of threads.
#include <cmath>
#include <map>
#include <tuple>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "motion/reactive/look_ahead.hpp"

namespace throng {
namespace {

TEST(CrowdGrid, HoldsEverybodyAndTheirMomentumAfterAnyNumberOfBuilds) {
  Cells cells;
  cells.layer = {0, 1};
  constexpr int kBuilds = 140;  // it forgets every 64
  for (const unsigned threads : {1u, 2u, 8u}) {
    const auto tasks = make_task_runner(threads);
    RandomStream random(3, 0, 1);
    CrowdGrid grid;
    for (int build = 0; build < kBuilds; ++build) {
      Agents agents;
      const auto count = static_cast<int>(random.integer(0, 3000));
      // Somewhere else each time, in few squares and in many.
      const double low = random.between(-300, 300), side = random.between(2, 80);
      using Place = std::tuple<std::uint32_t, int, int>;
      std::map<Place, std::tuple<int, int, int>> expected;
      for (int i = 0; i < count; ++i) {
        const std::uint32_t row = agents.add_row();
        agents.now.x[row] = static_cast<float>(low + random.between(0, side));
        agents.now.y[row] = static_cast<float>(low + random.between(0, side));
        agents.now.vx[row] = static_cast<float>(random.between(-2, 2));
        agents.now.vy[row] = static_cast<float>(random.between(-2, 2));
        agents.desired_x[row] = static_cast<float>(random.between(-2, 2));
        agents.desired_y[row] = static_cast<float>(random.between(-2, 2));
        agents.cell[row] = static_cast<CellIndex>(i % 2);
        auto& [people, x, y] = expected[{agents.cell[row], static_cast<int>(std::floor(agents.now.x[row])),
                                         static_cast<int>(std::floor(agents.now.y[row]))}];
        ++people;
        x += static_cast<int>(128 * (0.7f * agents.now.vx[row] + 0.3f * agents.desired_x[row]));
        y += static_cast<int>(128 * (0.7f * agents.now.vy[row] + 0.3f * agents.desired_y[row]));
      }
      grid.build(agents, cells, *tasks);
      CrowdGrid::Cursor cursor;
      for (std::uint32_t layer = 0; layer < 2; ++layer)
        for (int x = static_cast<int>(low) - 12; x < low + side + 12; x += build % 5 == 0 ? 1 : 3)
          for (int y = static_cast<int>(low) - 12; y < low + side + 12; ++y) {
            const auto found = grid.at(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f, layer, cursor);
            const auto known = expected.find({layer, x, y});
            const auto [people, mx, my] = known != expected.end() ? known->second : std::tuple<int, int, int>{};
            ASSERT_EQ(found.people, static_cast<float>(people)) << build << ' ' << x << ' ' << y;
            ASSERT_EQ(found.momentum, (Vec2f{static_cast<float>(mx) / 128, static_cast<float>(my) / 128}));
          }
    }
  }
}

}  // namespace
}  // namespace throng
