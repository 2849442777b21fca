// SPDX-License-Identifier: MIT
// Columns of agents to test neighbours with, and a mixed crowd that does everything a triangulation dislikes.
#pragma once
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "neighbours/neighbour_graph.hpp"

namespace throng::testing {

struct Crowd {
  std::vector<float> x, y, radius, vx, vy;
  std::vector<CellIndex> cell;
  std::vector<std::uint32_t> layer, id, kind;
  std::uint32_t next_id = 0;

  std::uint32_t size() const { return static_cast<std::uint32_t>(x.size()); }
  void add(double px, double py, double r = 0.25, std::uint32_t agent_kind = 0) {
    x.push_back(static_cast<float>(px)), y.push_back(static_cast<float>(py)), radius.push_back(static_cast<float>(r));
    vx.push_back(0), vy.push_back(0), cell.push_back(kNoCell), layer.push_back(0), kind.push_back(agent_kind);
    id.push_back(next_id++);
  }
  void swap_remove(std::uint32_t row) {
    const auto drop = [&](auto& column) { column[row] = column.back(), column.pop_back(); };
    drop(x), drop(y), drop(radius), drop(vx), drop(vy), drop(cell), drop(layer), drop(id), drop(kind);
  }
  template <class Less>
  void sort_rows(Less less) {
    std::vector<std::uint32_t> order(size());
    for (std::uint32_t i = 0; i < size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), less);
    const auto apply = [&](auto& column) {
      auto old = column;
      for (std::uint32_t i = 0; i < size(); ++i) column[i] = old[order[i]];
    };
    apply(x), apply(y), apply(radius), apply(vx), apply(vy), apply(cell), apply(layer), apply(id), apply(kind);
  }
  NeighbourInput input(const Cells* cells = nullptr, bool layers = false) const {
    NeighbourInput in;
    in.x = x, in.y = y, in.radius = radius, in.vx = vx, in.vy = vy, in.id = id;
    if (cells != nullptr) in.cell = cell, in.cells = cells;
    if (layers) in.layer = layer;
    return in;
  }
  Point point(std::uint32_t row) const { return snap({static_cast<double>(x[row]), static_cast<double>(y[row])}); }
};

/// Kinds of a mixed crowd.
enum Kind : std::uint32_t { kWalker, kJitter, kLine, kGroup };

/// Walkers, a dense jittering knot, people in lines exactly on the grid, groups on one point that now and then part; some
/// teleport, leave and arrive, and now and then the storage is sorted.
class MixedCrowd {
 public:
  Crowd crowd;

  MixedCrowd(std::uint64_t seed, std::uint32_t count, double side) : random_(seed, 1, 1), side_(side) {
    for (std::uint32_t i = 0; i < count; ++i) arrive(i % 8 < 4 ? kWalker : i % 8 < 6 ? kJitter : i % 8 == 6 ? kLine : kGroup);
  }

  void step(std::uint32_t number) {
    Crowd& c = crowd;
    for (std::uint32_t i = 0; i < c.size(); ++i) {
      if (c.kind[i] == kJitter) {
        c.vx[i] = static_cast<float>(random_.between(-0.4, 0.4)), c.vy[i] = static_cast<float>(random_.between(-0.4, 0.4));
        // Towards the middle, so that the knot stays one.
        c.vx[i] += static_cast<float>(0.2 * (0.5 * side_ - static_cast<double>(c.x[i])));
        c.vy[i] += static_cast<float>(0.2 * (0.5 * side_ - static_cast<double>(c.y[i])));
      } else if (random_.chance(0.01)) {
        turn(i);
      }
      c.x[i] += 0.1f * c.vx[i], c.y[i] += 0.1f * c.vy[i];
      if (c.x[i] < 0 || c.x[i] > static_cast<float>(side_)) c.vx[i] = -c.vx[i];
      if (c.y[i] < 0 || c.y[i] > static_cast<float>(side_)) c.vy[i] = -c.vy[i];
    }
    if (random_.chance(0.3)) place(static_cast<std::uint32_t>(random_.integer(0, c.size() - 1)));  // a teleport
    if (random_.chance(0.1)) c.swap_remove(static_cast<std::uint32_t>(random_.integer(0, c.size() - 1))), arrive(kWalker);
    if (random_.chance(0.05)) arrive(kGroup);
    if (random_.chance(0.05)) c.swap_remove(static_cast<std::uint32_t>(random_.integer(0, c.size() - 1)));
    if (number % 97 == 50)
      c.sort_rows([&](std::uint32_t a, std::uint32_t b) { return std::pair(c.x[a], c.id[a]) < std::pair(c.x[b], c.id[b]); });
    if (number % 1000 == 500)
      for (std::uint32_t i = 0; i < c.size(); ++i) place(i);  // everybody teleports
    if (number % 1000 == 700)
      for (std::uint32_t i = 0; i < c.size(); ++i) c.y[i] = 3, c.vy[i] = 0;  // everybody on one line, and walks out of it again
    if (number % 1000 == 900)
      for (std::uint32_t i = 0; i < c.size(); ++i) c.x[i] = 4, c.y[i] = 5;  // everybody on one point
  }

 private:
  void arrive(Kind kind) {
    crowd.add(0, 0, 0.25, kind);
    place(crowd.size() - 1);
  }
  void place(std::uint32_t i) {
    Crowd& c = crowd;
    c.x[i] = static_cast<float>(random_.between(0, side_)), c.y[i] = static_cast<float>(random_.between(0, side_));
    if (c.kind[i] == kJitter)
      c.x[i] = static_cast<float>(side_ * random_.between(0.45, 0.55)),
      c.y[i] = static_cast<float>(side_ * random_.between(0.45, 0.55));
    if (c.kind[i] == kLine) c.y[i] = static_cast<float>(0.25 * side_ * static_cast<double>(random_.integer(0, 2)));
    if (c.kind[i] == kGroup)
      c.x[i] = static_cast<float>(0.2 * side_ * static_cast<double>(random_.integer(1, 3))),
      c.y[i] = 0.75f * static_cast<float>(side_);
    turn(i);
  }
  void turn(std::uint32_t i) {
    Crowd& c = crowd;
    const double angle = random_.between(0, 6.2831853), speed = random_.between(0.5, 1.5);
    c.vx[i] = static_cast<float>(speed * std::cos(angle)), c.vy[i] = static_cast<float>(speed * std::sin(angle));
    if (c.kind[i] == kLine) c.vy[i] = 0;
    if (c.kind[i] == kGroup) c.vx[i] = random_.chance(0.9) ? 0.f : 1.f, c.vy[i] = 0;
  }

  RandomStream random_;
  double side_;
};

using Links = std::set<std::pair<std::uint32_t, std::uint32_t>>;

/// All links, in both directions.
inline Links links_of(const NeighbourGraph& graph) {
  Links links;
  for (std::uint32_t row = 0; row < graph.size(); ++row)
    for (const std::uint32_t other : graph.of(row)) links.insert({row, other});
  return links;
}

inline bool same_lists(const NeighbourGraph& a, const NeighbourGraph& b) {
  if (a.size() != b.size()) return false;
  for (std::uint32_t row = 0; row < a.size(); ++row)
    if (!std::ranges::equal(a.of(row), b.of(row))) return false;
  return true;
}

/// The triangulation alone: no limit of length, no net.
inline NeighbourSettings bare_settings() { return {.reach = 1e9f, .net_steps = -1}; }

}  // namespace throng::testing
