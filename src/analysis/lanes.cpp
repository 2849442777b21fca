// SPDX-License-Identifier: MIT
#include "analysis/lanes.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.hpp"

namespace throng {
namespace {

constexpr std::uint32_t kShufflePurpose = 0x6C616E65;  // "lane"
constexpr double kSmallestWay = 0.01;                  // metres

struct Walker {
  double across = 0;
  Vec2 at;
  std::int8_t direction = 0;
};

/// Pairs that see each other, as a list: shuffles change directions only.
struct Pair {
  std::uint32_t a, b;
};

double mean_order(std::span<const Pair> pairs, std::span<const std::int8_t> direction, std::vector<std::int32_t>& same,
                  std::vector<std::int32_t>& seen) {
  same.assign(direction.size(), 0);
  seen.assign(direction.size(), 0);
  for (const Pair& p : pairs) {
    const std::int32_t agree = direction[p.a] * direction[p.b];  // 1 or -1
    same[p.a] += agree, same[p.b] += agree;
    ++seen[p.a], ++seen[p.b];
  }
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < direction.size(); ++i) {
    if (seen[i] == 0) continue;
    const double share = static_cast<double>(same[i]) / seen[i];
    sum += share * share;
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

std::uint32_t count_lanes(std::span<const Walker> walkers, double strip) {
  std::map<std::int64_t, std::int64_t> balance;  // by strips across the corridor
  for (const Walker& w : walkers) balance[static_cast<std::int64_t>(std::floor(w.across / strip))] += w.direction;
  std::uint32_t lanes = 0;
  int last = 0;
  for (const auto& [index, sum] : balance) {
    const int sign = (sum > 0) - (sum < 0);
    if (sign == 0 || sign == last) continue;
    last = sign;
    ++lanes;
  }
  return lanes;
}

}  // namespace

std::vector<std::int8_t> directions_of(const Trajectory& t, Vec2 along, const Period& period) {
  std::vector<double> way(t.agents.size(), 0);
  std::vector<std::uint64_t> last(t.agents.size(), 0);
  std::vector<bool> seen(t.agents.size(), false);
  for (std::uint64_t row = 0; row < t.row_count(); ++row) {
    const std::uint32_t agent = t.agent[row];
    if (seen[agent]) {
      const std::uint64_t from = last[agent];
      way[agent] += dot(along, period.shortest({double{t.x[row]} - t.x[from], double{t.y[row]} - t.y[from]}));
    }
    seen[agent] = true;
    last[agent] = row;
  }
  std::vector<std::int8_t> direction(way.size());
  for (std::size_t i = 0; i < way.size(); ++i)
    direction[i] = static_cast<std::int8_t>((way[i] > kSmallestWay) - (way[i] < -kSmallestWay));
  return direction;
}

LaneOrder lane_order(const FrameView& frame, std::span<const std::int8_t> direction, const LaneSettings& settings) {
  std::vector<Walker> walkers;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const std::int8_t d = direction[frame.agent[i]];
    if (d != 0) walkers.push_back({cross(settings.along, frame.position(i)), frame.position(i), d});
  }
  // By place across, so that a strip is a run; ties by place along keep shuffles the same for any order of rows.
  std::sort(walkers.begin(), walkers.end(), [&](const Walker& a, const Walker& b) {
    return a.across != b.across ? a.across < b.across : dot(settings.along, a.at) < dot(settings.along, b.at);
  });
  std::vector<Pair> pairs;
  for (std::uint32_t a = 0; a < walkers.size(); ++a) {
    for (std::uint32_t b = a + 1; b < walkers.size() && walkers[b].across - walkers[a].across < settings.strip; ++b) {
      const Vec2 offset = settings.period.shortest(walkers[b].at - walkers[a].at);
      if (std::abs(dot(settings.along, offset)) < settings.reach) pairs.push_back({a, b});
    }
  }

  LaneOrder result;
  result.time = frame.time;
  result.lanes = count_lanes(walkers, settings.strip);
  std::vector<std::int8_t> labels;
  for (const Walker& w : walkers) labels.push_back(w.direction);
  std::vector<std::int32_t> same, seen;
  result.order = mean_order(pairs, labels, same, seen);
  RandomStream random(settings.seed, static_cast<std::uint32_t>(frame.number), kShufflePurpose);
  for (std::uint32_t round = 0; round < settings.shuffles; ++round) {
    for (std::size_t i = labels.size(); i > 1; --i)
      std::swap(labels[i - 1], labels[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(i) - 1))]);
    result.chance += mean_order(pairs, labels, same, seen);
  }
  if (settings.shuffles > 0) result.chance /= settings.shuffles;
  result.corrected = result.chance < 1 ? (result.order - result.chance) / (1 - result.chance) : 0;
  return result;
}

LaneSummary lanes_of(const Trajectory& trajectory, const LaneSettings& settings) {
  const std::vector<std::int8_t> direction = directions_of(trajectory, settings.along, settings.period);
  LaneSummary result;
  const auto stride = static_cast<std::size_t>(std::max(1.0, std::round(settings.every / trajectory.frame_seconds)));
  for (std::size_t k = 0; k < trajectory.frame_count(); k += stride)
    result.series.push_back(lane_order(trajectory.frame(k), direction, settings));

  double count = 0;
  std::optional<double> above_since;
  for (const LaneOrder& o : result.series) {
    if (o.corrected > settings.formed) {
      if (!above_since) above_since = o.time;
      if (!result.formation_time && o.time - *above_since >= settings.formed_seconds - 1e-9) result.formation_time = above_since;
    } else {
      above_since.reset();
    }
    if (o.time < settings.from) continue;
    result.order += o.order, result.chance += o.chance, result.corrected += o.corrected, result.lanes += o.lanes;
    ++count;
  }
  if (count > 0) result.order /= count, result.chance /= count, result.corrected /= count, result.lanes /= count;
  return result;
}

}  // namespace throng
