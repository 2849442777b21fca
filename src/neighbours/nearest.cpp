// SPDX-License-Identifier: MIT
#include "neighbours/nearest.hpp"

#include <algorithm>
#include <cmath>

#include "neighbours/sight.hpp"

namespace throng {
namespace {

constexpr double kPerSquare = 3;  // agents on average: the square and the eight round it then mostly hold the 8 nearest

}  // namespace

std::size_t NearestGrid::square_of(Point p) const {
  return static_cast<std::size_t>((std::int64_t{p.y} - low_.y) / side_ * columns_ + (std::int64_t{p.x} - low_.x) / side_);
}

void NearestGrid::sort(std::span<const Point> points) {
  const std::size_t count = points.size() - 1;
  low_ = high_ = points[1];
  for (const Point p : points.subspan(1)) {
    low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
    high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
  }
  const std::int64_t width = std::int64_t{high_.x} - low_.x + 1, height = std::int64_t{high_.y} - low_.y + 1;
  side_ =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(std::sqrt(kPerSquare * static_cast<double>(width) *
                                                                    static_cast<double>(height) / static_cast<double>(count))));
  // A long thin box has more squares than its area says.
  side_ = std::max(side_, std::max(width, height) / static_cast<std::int64_t>(2 * count + 16));
  columns_ = (width - 1) / side_ + 1, rows_ = (height - 1) / side_ + 1;
  start_.assign(static_cast<std::size_t>(columns_ * rows_) + 1, 0);
  residents_.resize(count);
  for (std::size_t i = 1; i <= count; ++i) ++start_[square_of(points[i]) + 1];
  for (std::size_t s = 1; s < start_.size(); ++s) start_[s] += start_[s - 1];
  // Filling slides each start to its square's end; they are slid back afterwards.
  for (std::size_t i = 1; i <= count; ++i)
    residents_[start_[square_of(points[i])]++] = {points[i], static_cast<std::uint32_t>(i - 1)};
  for (std::size_t s = start_.size() - 1; s > 0; --s) start_[s] = start_[s - 1];
  start_[0] = 0;
}

std::uint32_t NearestGrid::link(const NeighbourInput& input, std::span<const Point> points, const NeighbourSettings& settings,
                                TaskRunner& tasks, NeighbourLists& lists) {
  lists.resize(input.size());
  if (input.size() == 0) return 0;
  sort(points);
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
      const auto look_at = [&](const Resident& other) {
        const std::int64_t distance = distance_squared(p, other.point);
        if (distance > farthest || other.row == i || (!input.layer.empty() && input.layer[other.row] != input.layer[i])) return;
        const Found candidate{distance, input.id[other.row], other.row};
        if (found == kCount && !(candidate < best[kCount - 1])) return;
        std::uint32_t place = found < kCount ? found++ : kCount - 1;
        for (; place > 0 && candidate < best[place - 1]; --place) best[place] = best[place - 1];
        best[place] = candidate;
        if (found == kCount) farthest = best[kCount - 1].distance;
      };
      const std::int64_t column = (std::int64_t{p.x} - low_.x) / side_, row = (std::int64_t{p.y} - low_.y) / side_;
      const std::int64_t in_x = std::int64_t{p.x} - low_.x - column * side_, in_y = std::int64_t{p.y} - low_.y - row * side_;
      const std::int64_t to_border = std::min({in_x, in_y, side_ - in_x, side_ - in_y});
      const std::int64_t last_ring = std::max({column, columns_ - 1 - column, row, rows_ - 1 - row});
      for (std::int64_t ring = 0; ring <= last_ring; ++ring) {
        // What lies in this ring is at least as far as the border of the rings before.
        const auto gap = static_cast<double>(ring == 0 ? 0 : (ring - 1) * side_ + to_border);
        if (gap * gap > static_cast<double>(farthest)) break;
        for (std::int64_t r = std::max<std::int64_t>(row - ring, 0); r <= std::min(row + ring, rows_ - 1); ++r) {
          const bool whole = r == row - ring || r == row + ring;
          for (std::int64_t c = column - ring; c <= column + ring; c += whole || ring == 0 ? 1 : 2 * ring) {
            if (c < 0 || c >= columns_) continue;
            const auto square = static_cast<std::size_t>(r * columns_ + c);
            for (std::uint32_t k = start_[square]; k < start_[square + 1]; ++k) look_at(residents_[k]);
          }
        }
      }
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
