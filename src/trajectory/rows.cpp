// SPDX-License-Identifier: MIT
#include "trajectory/rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace throng {
namespace {

/// Frames that a file of so many rows may span: keeps two far frame numbers from costing gigabytes of empty frames. Eight million
/// are above three days at 25 a second.
std::uint64_t most_frames(std::size_t rows) { return std::min<std::uint64_t>(100'000 + 1000 * std::uint64_t{rows}, 8'000'000); }

constexpr double kSlowestRate = 1e-3, kFastestRate = 1e5;  // frames a second
/// Shorter moves, in metres, say nothing about where somebody looks.
constexpr double kSmallestMove = 0.01;

/// The direction from the row before to the row after of the same agent; who stands keeps the last one.
void fill_headings(Trajectory& t) {
  constexpr std::uint64_t kNoRow = ~std::uint64_t{0};
  std::vector<std::uint64_t> next(t.row_count(), kNoRow), last(t.agents.size(), kNoRow);
  for (std::uint64_t row = t.row_count(); row-- > 0;) {
    next[row] = last[t.agent[row]];
    last[t.agent[row]] = row;
  }
  std::fill(last.begin(), last.end(), kNoRow);
  for (std::uint64_t row = 0; row < t.row_count(); ++row) {
    const std::uint64_t before = last[t.agent[row]];
    last[t.agent[row]] = row;
    if (t.heading_x[row] != 0 || t.heading_y[row] != 0) continue;
    const std::uint64_t from = before == kNoRow ? row : before, to = next[row] == kNoRow ? row : next[row];
    const double dx = double{t.x[to]} - t.x[from], dy = double{t.y[to]} - t.y[from], distance = std::sqrt(dx * dx + dy * dy);
    if (distance >= kSmallestMove) {
      t.heading_x[row] = static_cast<float>(dx / distance);
      t.heading_y[row] = static_cast<float>(dy / distance);
    } else {
      t.heading_x[row] = before == kNoRow ? 1 : t.heading_x[before];
      t.heading_y[row] = before == kNoRow ? 0 : t.heading_y[before];
    }
  }
}

std::string place_of(const TrajectoryRow& row) {
  return "agent " + std::to_string(row.id) + " in frame " + std::to_string(row.frame);
}

}  // namespace

std::vector<Problem> check_frame_rate(double frames_per_second, const std::string& where) {
  if (frames_per_second >= kSlowestRate && frames_per_second <= kFastestRate) return {};
  return {{where, "a frame rate of " + std::to_string(frames_per_second) + " a second; 0.001 to 100000 are allowed",
           "give the rate at which the frames were taken"}};
}

Result<Trajectory> trajectory_from_rows(std::vector<TrajectoryRow> rows, double frames_per_second, const std::string& name) {
  if (auto problems = check_frame_rate(frames_per_second, name); !problems.empty()) return problems;
  if (rows.empty()) return Problem{name, "there is nobody in it", "give a file with at least one row of positions"};
  for (const TrajectoryRow& row : rows) {
    if (is_near(row.x) && is_near(row.y) && is_near(row.z) && std::isfinite(row.heading_x) && std::isfinite(row.heading_y))
      continue;
    return Problem{name + ", " + place_of(row),
                   "a place that is not within " + std::to_string(static_cast<int>(kFarthest)) + " m of the origin",
                   "subtract a common offset from all coordinates, and check the unit"};
  }
  std::sort(rows.begin(), rows.end(),
            [](const TrajectoryRow& a, const TrajectoryRow& b) { return a.frame != b.frame ? a.frame < b.frame : a.id < b.id; });
  std::uint64_t stride = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].frame == rows[i - 1].frame && rows[i].id == rows[i - 1].id)
      return Problem{name + ", " + place_of(rows[i]), "there are two rows for it", "remove one of them"};
    stride = std::gcd(stride, static_cast<std::uint64_t>(rows[i].frame) - static_cast<std::uint64_t>(rows[0].frame));
  }
  // Two lonely frames far apart are no frame rate.
  if (stride == 0 || frames_per_second / static_cast<double>(stride) < 2 * kSlowestRate) stride = 1;
  const auto number_of = [&](std::int64_t frame) {
    return (static_cast<std::uint64_t>(frame) - static_cast<std::uint64_t>(rows[0].frame)) / stride;
  };
  if (number_of(rows.back().frame) >= most_frames(rows.size()))
    return Problem{name,
                   "frames " + std::to_string(rows.front().frame) + " to " + std::to_string(rows.back().frame) + " for " +
                       std::to_string(rows.size()) + " rows; at most " + std::to_string(most_frames(rows.size())) +
                       " are allowed",
                   "check the frame numbers, or cut the file into parts"};

  Trajectory t;
  t.frame_seconds = static_cast<double>(stride) / frames_per_second;
  std::unordered_map<std::uint32_t, std::uint32_t> index_of_id;
  t.frame_start.assign(number_of(rows.back().frame) + 2, 0);
  for (auto* column : {&t.x, &t.y, &t.z, &t.heading_x, &t.heading_y}) column->reserve(rows.size());
  t.agent.reserve(rows.size());
  for (const TrajectoryRow& row : rows) {
    const auto number = static_cast<std::uint32_t>(number_of(row.frame));
    const auto [place, is_new] = index_of_id.try_emplace(row.id, static_cast<std::uint32_t>(t.agents.size()));
    if (is_new) {
      t.agents.push_back({.id = row.id});
      t.presence.push_back({number, number + 1});
    }
    t.presence[place->second].end = number + 1;
    t.agent.push_back(place->second);
    t.x.push_back(row.x), t.y.push_back(row.y), t.z.push_back(row.z);
    t.heading_x.push_back(row.heading_x), t.heading_y.push_back(row.heading_y);
    ++t.frame_start[number + 1];
  }
  t.layer.assign(rows.size(), 0);
  for (std::size_t k = 1; k < t.frame_start.size(); ++k) t.frame_start[k] += t.frame_start[k - 1];
  fill_headings(t);
  return t;
}

}  // namespace throng
