// SPDX-License-Identifier: MIT
#include "neighbours/nearest.hpp"

#include <algorithm>
#include <numeric>

#include "neighbours/sight.hpp"

namespace throng {

std::uint32_t NearestGrid::link(const NeighbourInput& input, std::span<const Point> points, const NeighbourSettings& settings,
                                TaskRunner& tasks, NeighbourLists& lists) {
  lists.resize(input.size());
  if (input.size() == 0) return 0;
  if (rows_.size() != input.size()) {
    rows_.resize(input.size());
    std::iota(rows_.begin(), rows_.end(), 0u);
  }
  grid_.build(points, rows_);
  const double reach_units = static_cast<double>(settings.reach) * kUnitsPerMetre;
  const auto reach_squared = static_cast<std::int64_t>(std::min(reach_units * reach_units, 0x1p62));
  const bool walls = input.cells != nullptr && !input.cell.empty();
  std::vector<std::uint32_t> cut(lists.blocks.size(), 0);
  tasks.parallel_for(input.size(), NeighbourLists::kBlock, [&](std::size_t begin, std::size_t end, unsigned) {
    struct Found {
      std::int64_t distance;
      std::uint32_t id, row;
      bool operator<(const Found& other) const { return distance != other.distance ? distance < other.distance : id < other.id; }
    };
    const std::size_t block = begin / NeighbourLists::kBlock;
    auto& items = lists.blocks[block];
    items.clear();
    for (std::size_t i = begin; i < end; ++i) {
      const Point p = points[i + 1];
      Found best[kCount];
      std::uint32_t found = 0;
      std::int64_t farthest = reach_squared;
      grid_.visit(p, farthest, [&](const RowGrid::Resident& other) {
        const std::int64_t distance = distance_squared(p, other.point);
        if (distance > farthest || other.row == i || (!input.layer.empty() && input.layer[other.row] != input.layer[i])) return;
        const Found candidate{distance, input.id[other.row], other.row};
        if (found == kCount && !(candidate < best[kCount - 1])) return;
        std::uint32_t place = found < kCount ? found++ : kCount - 1;
        for (; place > 0 && candidate < best[place - 1]; --place) best[place] = best[place - 1];
        best[place] = candidate;
        if (found == kCount) farthest = best[kCount - 1].distance;
      });
      const auto first = static_cast<std::uint32_t>(items.size());
      for (std::uint32_t k = 0; k < found; ++k) {
        const std::uint32_t j = best[k].row;
        if (walls) {
          const std::size_t low = input.id[i] < input.id[j] ? i : j, high = low == i ? j : i;
          if (!can_see(*input.cells, points[low + 1], input.cell[low], points[high + 1], input.cell[high])) {
            ++cut[block];
            continue;
          }
        }
        items.push_back(j);
      }
      std::sort(items.begin() + first, items.end());
      lists.ranges[i] = {first, static_cast<std::uint32_t>(items.size())};
    }
  });
  std::uint32_t total = 0;
  for (const std::uint32_t c : cut) total += c;
  return total;
}

}  // namespace throng
