// SPDX-License-Identifier: MIT
#include "analysis/density_map.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace throng {
namespace {

constexpr double kMostSquares = 4e6;

}  // namespace

DensityMapper::DensityMapper(Vec2 low, Vec2 high, double square, std::uint16_t layer) : layer_(layer) {
  const Vec2 size{std::max(high.x - low.x, square), std::max(high.y - low.y, square)};
  square = std::max(square, std::sqrt(size.x * size.y / kMostSquares));
  counts_.low = low;
  counts_.square = square;
  counts_.columns = static_cast<std::uint32_t>(std::ceil(size.x / square));
  counts_.rows = static_cast<std::uint32_t>(std::ceil(size.y / square));
  counts_.density.assign(std::size_t{counts_.columns} * counts_.rows, 0);
}

void DensityMapper::add(const FrameView& frame) {
  ++frames_;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    if (frame.layer[i] != layer_) continue;
    const double column = std::floor((frame.x[i] - counts_.low.x) / counts_.square);
    const double row = std::floor((frame.y[i] - counts_.low.y) / counts_.square);
    // The upper border belongs to the last square.
    const double c = column == counts_.columns ? column - 1 : column, r = row == counts_.rows ? row - 1 : row;
    if (c < 0 || r < 0 || c >= counts_.columns || r >= counts_.rows) continue;
    ++counts_.density[static_cast<std::size_t>(r) * counts_.columns + static_cast<std::size_t>(c)];
  }
}

DensityMap DensityMapper::map() const {
  DensityMap result = counts_;
  const double scale = frames_ > 0 ? 1 / (static_cast<double>(frames_) * counts_.square * counts_.square) : 0;
  for (double& d : result.density) d *= scale;
  return result;
}

DensityMap smooth_density(std::span<const Vec2> people, double reach, double square) {
  Vec2 low{0, 0}, high{0, 0};
  for (std::size_t i = 0; i < people.size(); ++i) {
    low = i == 0 ? people[i] : Vec2{std::min(low.x, people[i].x), std::min(low.y, people[i].y)};
    high = i == 0 ? people[i] : Vec2{std::max(high.x, people[i].x), std::max(high.y, people[i].y)};
  }
  // On a lattice that does not move with them: pictures of one moment after the other hold still.
  const auto on_lattice = [&](double value) { return square * std::floor(value / square); };
  DensityMap map = DensityMapper({on_lattice(low.x - reach), on_lattice(low.y - reach)},
                                 {on_lattice(high.x + reach) + square, on_lattice(high.y + reach) + square}, square)
                       .map();
  square = map.square;
  std::vector<std::pair<std::size_t, double>> shares;
  for (const Vec2& p : people) {
    shares.clear();
    double sum = 0;
    const auto first = [&](double value) { return static_cast<std::int64_t>(std::floor((value - reach) / square)); };
    const auto last = [&](double value) { return static_cast<std::int64_t>(std::floor((value + reach) / square)); };
    const Vec2 at = p - map.low;
    for (std::int64_t row = first(at.y); row <= last(at.y); ++row)
      for (std::int64_t column = first(at.x); column <= last(at.x); ++column) {
        if (row < 0 || column < 0 || row >= map.rows || column >= map.columns) continue;
        const Vec2 middle{(static_cast<double>(column) + 0.5) * square, (static_cast<double>(row) + 0.5) * square};
        const double away = distance(middle, at) / reach;
        if (away >= 1) continue;
        shares.emplace_back(static_cast<std::size_t>(row) * map.columns + static_cast<std::size_t>(column), 1 - away * away);
        sum += 1 - away * away;
      }
    if (shares.empty()) {  // squares larger than the reach
      const auto column = std::min<std::size_t>(static_cast<std::size_t>(at.x / square), map.columns - 1);
      const auto row = std::min<std::size_t>(static_cast<std::size_t>(at.y / square), map.rows - 1);
      shares.emplace_back(row * map.columns + column, 1);
      sum = 1;
    }
    for (const auto& [index, share] : shares) map.density[index] += share / (sum * square * square);
  }
  return map;
}

DensityMap density_map_of(const Trajectory& trajectory, double square, std::uint16_t layer) {
  Vec2 low{0, 0}, high{0, 0};
  bool any = false;
  for (std::size_t row = 0; row < trajectory.row_count(); ++row) {
    if (trajectory.layer[row] != layer) continue;
    const Vec2 p{trajectory.x[row], trajectory.y[row]};
    low = any ? Vec2{std::min(low.x, p.x), std::min(low.y, p.y)} : p;
    high = any ? Vec2{std::max(high.x, p.x), std::max(high.y, p.y)} : p;
    any = true;
  }
  DensityMapper mapper(low, high, square, layer);
  for (std::size_t k = 0; k < trajectory.frame_count(); ++k) mapper.add(trajectory.frame(k));
  return mapper.map();
}

namespace {

/// Which squares have their middle on the ground: rows of crossings, even-odd over all parts (which do not overlap).
std::vector<bool> squares_on(const DensityMap& map, std::span<const Polygon> ground) {
  std::vector<bool> is_ground(map.density.size(), false);
  std::vector<std::vector<double>> crossings(map.rows);
  const auto add_ring = [&](const Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      Vec2 a = ring[i], b = ring[(i + 1) % ring.size()];
      if (a.y > b.y) std::swap(a, b);
      const double from = std::clamp(std::ceil((a.y - map.low.y) / map.square - 0.5), 0.0, static_cast<double>(map.rows));
      const double to = std::clamp(std::ceil((b.y - map.low.y) / map.square - 0.5), 0.0, static_cast<double>(map.rows));
      for (auto row = static_cast<std::size_t>(from); row < static_cast<std::size_t>(to); ++row) {
        const double y = map.low.y + (static_cast<double>(row) + 0.5) * map.square;
        crossings[row].push_back(a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y));
      }
    }
  };
  for (const Polygon& part : ground) {
    add_ring(part.outer);
    for (const Ring& hole : part.holes) add_ring(hole);
  }
  for (std::size_t row = 0; row < map.rows; ++row) {
    std::sort(crossings[row].begin(), crossings[row].end());
    for (std::size_t k = 0; k + 1 < crossings[row].size(); k += 2) {
      const auto column = [&](double x) {
        return static_cast<std::size_t>(
            std::clamp(std::ceil((x - map.low.x) / map.square - 0.5), 0.0, static_cast<double>(map.columns)));
      };
      for (std::size_t c = column(crossings[row][k]); c < column(crossings[row][k + 1]); ++c)
        is_ground[row * map.columns + c] = true;
    }
  }
  return is_ground;
}

}  // namespace

DensityMap mean_density_on(const Trajectory& trajectory, std::span<const Polygon> ground, double reach, double square,
                           std::uint16_t layer) {
  Vec2 low{1e300, 1e300}, high{-1e300, -1e300};
  const auto take = [&](Vec2 p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  };
  for (const Polygon& part : ground)
    for (const Vec2 p : part.outer) take(p);
  if (ground.empty())
    for (std::size_t row = 0; row < trajectory.row_count(); ++row)
      if (trajectory.layer[row] == layer) take(Vec2{trajectory.x[row], trajectory.y[row]});
  if (low.x > high.x) low = high = {0, 0};
  DensityMap map = DensityMapper(low, high, square).map();
  square = map.square;
  const std::vector<bool> is_ground = ground.empty() ? std::vector<bool>(map.density.size(), true) : squares_on(map, ground);
  constexpr std::size_t kMostFrames = 600;
  const std::size_t stride = trajectory.frame_count() / kMostFrames + 1;
  std::size_t frames = 0;
  // First how often each square is stood in, then one kernel a square: the cost does not grow with the number of frames.
  std::vector<std::uint32_t> count(map.density.size(), 0);
  for (std::size_t k = 0; k < trajectory.frame_count(); k += stride, ++frames) {
    const FrameView frame = trajectory.frame(k);
    for (std::size_t i = 0; i < frame.size(); ++i) {
      const double column = std::floor((frame.x[i] - low.x) / square), row = std::floor((frame.y[i] - low.y) / square);
      if (frame.layer[i] != layer || column < 0 || row < 0 || column >= map.columns || row >= map.rows) continue;
      ++count[static_cast<std::size_t>(row) * map.columns + static_cast<std::size_t>(column)];
    }
  }
  const auto squares = static_cast<std::int64_t>(std::ceil(reach / square));
  std::vector<std::pair<std::size_t, double>> shares;
  for (std::size_t at = 0; at < count.size(); ++at) {
    if (count[at] == 0) continue;
    shares.clear();
    double sum = 0;
    const auto row = static_cast<std::int64_t>(at / map.columns), column = static_cast<std::int64_t>(at % map.columns);
    for (std::int64_t r = row - squares; r <= row + squares; ++r)
      for (std::int64_t c = column - squares; c <= column + squares; ++c) {
        if (r < 0 || c < 0 || r >= map.rows || c >= map.columns) continue;
        const std::size_t other = static_cast<std::size_t>(r) * map.columns + static_cast<std::size_t>(c);
        const double away = square * std::hypot(static_cast<double>(r - row), static_cast<double>(c - column)) / reach;
        if (away >= 1 || (!is_ground[other] && other != at)) continue;
        // A wall between the two: no ground half way, or at a quarter.
        const auto is_open = [&](double share) {
          const auto rr = static_cast<std::size_t>(std::llround(static_cast<double>(row) + share * static_cast<double>(r - row)));
          const auto cc =
              static_cast<std::size_t>(std::llround(static_cast<double>(column) + share * static_cast<double>(c - column)));
          return is_ground[rr * map.columns + cc];
        };
        if (other != at && !(is_open(0.25) && is_open(0.5) && is_open(0.75))) continue;
        shares.emplace_back(other, 1 - away * away);
        sum += 1 - away * away;
      }
    for (const auto& [other, share] : shares)
      map.density[other] += count[at] * share / (sum * square * square * static_cast<double>(std::max<std::size_t>(frames, 1)));
  }
  for (std::size_t at = 0; at < count.size(); ++at)
    if (!is_ground[at]) map.density[at] = -1;
  return map;
}

}  // namespace throng
