// SPDX-License-Identifier: MIT
#include "groups/cohesion.hpp"

#include <algorithm>
#include <cmath>

#include <throng/vec.hpp>

namespace throng {
namespace {

constexpr double kWalks = 0.3;    // m/s: who is slower has no direction
constexpr double kAbreast = 0.5;  // m

}  // namespace

void CohesionMeter::add(const GroupColumns& now, Cohesion& sums) {
  order_.clear();
  for (std::size_t row = 0; row < now.group.size(); ++row)
    if (now.group[row] != 0) order_.push_back((std::uint64_t{now.group[row]} << 32) | row);
  // By group, and in a group by id, so that sums do not depend on the order of storage.
  const auto row_of = [](std::uint64_t entry) { return static_cast<std::uint32_t>(entry); };
  std::sort(order_.begin(), order_.end(),
            [&](std::uint64_t a, std::uint64_t b) { return a >> 32 != b >> 32 ? a < b : now.id[row_of(a)] < now.id[row_of(b)]; });
  sums.people += now.group.size();
  const auto place = [&](std::uint32_t row) { return Vec2{now.x[row], now.y[row]}; };
  for (std::size_t begin = 0, end = 0; begin < order_.size(); begin = end) {
    while (end < order_.size() && order_[end] >> 32 == order_[begin] >> 32) ++end;
    const std::size_t members = end - begin;
    if (members < 2) continue;
    sums.in_groups += members;
    Vec2 middle;
    for (std::size_t k = begin; k < end; ++k) middle = middle + (1.0 / static_cast<double>(members)) * place(row_of(order_[k]));
    for (std::size_t k = begin; k < end; ++k) sums.to_middle += distance(place(row_of(order_[k])), middle);
    const std::uint32_t leader = row_of(order_[begin]);
    if (members == 2) {
      sums.pair_distance += distance(place(leader), place(row_of(order_[begin + 1])));
      ++sums.pairs;
    }
    const Vec2 velocity = {now.vx[leader], now.vy[leader]};
    const double speed = length(velocity);
    if (speed < kWalks) continue;
    for (std::size_t k = begin + 1; k < end; ++k) {
      ++sums.followers;
      const double behind = dot(place(leader) - place(row_of(order_[k])), (1 / speed) * velocity);
      sums.abreast += std::abs(behind) < kAbreast;
    }
  }
}

}  // namespace throng
