// SPDX-License-Identifier: MIT
#include "fields/potential.hpp"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

// Of Potential::upwind: the direction the value came from last, and the one across it.
constexpr std::uint8_t kHasFirst = 0x10, kHasSecond = 0x20;

std::uint8_t from_one(int direction) { return static_cast<std::uint8_t>(kHasFirst | direction); }
std::uint8_t from_two(int direction, int other) {
  return static_cast<std::uint8_t>(kHasFirst | kHasSecond | direction | (other << 2));
}

/// The least cost of a step, judged by a few tiles: what the width of the queue's slices goes by.
float usual_cost(const FaceValues& cost) {
  float least = kNoPotential;
  for (std::size_t t = 0; t < cost.size(); t += 1 + cost.size() / 64)
    for (const float step : cost[t]) least = std::min(least, step);
  return least > 0 && least < kNoPotential ? least : 1;
}

}  // namespace

void FieldSolver::solve(const TileDomain& domain, const FaceValues& cost, std::span<const FieldSeed> seeds,
                        std::span<const DomainTile> needed, Potential& field) {
  const std::size_t count = std::size_t{domain.size()} + 1;
  field.value.assign(count, kNoPotential);
  field.upwind.assign(count, 0);
  candidate_.assign(count, kNoPotential);
  queue_.clear(usual_cost(cost) / 2);
  field.reached.clear();
  field.reached.reserve(domain.size());
  std::size_t missing = 0;
  if (!needed.empty()) {
    is_needed_.assign(count, 0);
    for (const DomainTile t : needed)
      if (t != domain.ghost() && is_needed_[t] == 0) is_needed_[t] = 1, ++missing;
  }
  for (const FieldSeed& seed : seeds) {
    if (seed.tile == domain.ghost() || seed.potential >= candidate_[seed.tile]) continue;
    candidate_[seed.tile] = seed.potential;
    queue_.push(seed.potential, seed.tile);
  }
  WheelQueue::Entry least;
  while (queue_.pop(least, [&](DomainTile t) { return field.value[t] != kNoPotential; })) {
    const DomainTile t = least.number;
    if (field.value[t] != kNoPotential) continue;  // an older, larger entry
    field.value[t] = least.key;
    field.reached.push_back(t);
    if (!needed.empty() && is_needed_[t] != 0 && --missing == 0) return;
    spread(domain, cost, t, field);
  }
}

/// What the acceptance of a tile means for its neighbours.
void FieldSolver::spread(const TileDomain& domain, const FaceValues& cost, DomainTile from, Potential& field) {
  const float here = field.value[from];
  for (int direction = 0; direction < 4; ++direction) {
    const DomainTile t = domain.next(from)[direction];
    if (field.value[t] != kNoPotential) continue;
    const int back = opposite(direction);
    const std::array<float, 4>& costs = cost[t];
    const float along = costs[back];
    if (along == kNoPotential) continue;  // blocked, or the ghost
    float best = here + along;
    std::uint8_t upwind = from_one(back);
    for (const int side : {(direction + 1) & 3, (direction + 3) & 3}) {
      const float beside = field.value[domain.next(t)[side]], aside = costs[side];
      // Not accepted; or so much nearer that it alone decides, and has done so before.
      if (beside == kNoPotential || beside + aside <= here) continue;
      const float difference = here - beside, sum = along * along + aside * aside;
      const float root = std::sqrt(sum - difference * difference);
      const float value = std::max(here, beside + aside * (aside * difference + along * root) / sum);
      if (value < best) best = value, upwind = from_two(back, side);
    }
    if (best < candidate_[t]) {
      candidate_[t] = best;
      field.upwind[t] = upwind;
      queue_.push(best, t);
    }
  }
}

void find_velocities(const CrowdField& crowd, Potential& field) {
  const TileDomain& domain = crowd.domain();
  field.velocity.assign(field.value.size(), Vec2f{});
  constexpr Vec2f kAhead[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  for (const DomainTile t : field.reached) {
    const std::uint8_t upwind = field.upwind[t];
    const float here = field.value[t];
    if ((upwind & kHasFirst) == 0) continue;
    const std::array<float, 4>& speed = crowd.speed(t);
    const int first = upwind & 3;
    if ((upwind & kHasSecond) == 0) {
      field.velocity[t] = speed[first] * kAhead[first];
      continue;
    }
    const int second = (upwind >> 2) & 3;
    const float down = here - field.value[domain.next(t)[first]], aside = here - field.value[domain.next(t)[second]];
    const float steep = std::sqrt(down * down + aside * aside);
    if (!(steep > 0)) continue;
    field.velocity[t] = (speed[first] * down / steep) * kAhead[first] + (speed[second] * aside / steep) * kAhead[second];
  }
}

FieldSample sample(const Potential& field, const Stencil& stencil) {
  const float across = stencil.across, up = stencil.up;
  const float weight[4] = {(1 - across) * (1 - up), across * (1 - up), (1 - across) * up, across * up};
  FieldSample found;
  float moving = 0;
  for (int i = 0; i < 4; ++i) {
    const DomainTile t = stencil.tile[i];
    if (field.value[t] == kNoPotential) continue;
    found.velocity = found.velocity + weight[i] * field.velocity[t];
    found.known += weight[i];
    if (const float speed = length(field.velocity[t]); speed > 0) found.speed += weight[i] * speed, moving += weight[i];
  }
  if (found.known > 0) found.velocity = (1 / found.known) * found.velocity;
  if (moving > 0) found.speed /= moving;
  return found;
}

TileIndex next_tile(const TileDomain& domain, const Potential& field, DomainTile t) {
  const Grid& grid = domain.grid();
  if (field.value[t] == kNoPotential || (field.upwind[t] & kHasFirst) == 0) return kNoTile;
  constexpr float kHalf = 0.70710678f;
  constexpr Vec2f kWay[8] = {{1, 0},         {0, 1},          {-1, 0},          {0, -1},
                             {kHalf, kHalf}, {-kHalf, kHalf}, {-kHalf, -kHalf}, {kHalf, -kHalf}};
  const Vec2f wanted = field.velocity[t];
  TileIndex most = kNoTile, lowest = kNoTile;
  float along = 0, least = field.value[t];
  for (int i = 0; i < 8; ++i) {
    const TileIndex tile = i < 4 ? grid.next(domain.tile(t))[i] : grid.diagonal(domain.tile(t))[i - 4];
    const DomainTile other = domain.number(tile);
    const float value = field.value[other];
    if (value >= field.value[t]) continue;
    if (value < least) least = value, lowest = tile;
    if (const float much = dot(wanted, kWay[i]); much > along) along = much, most = tile;
  }
  return most != kNoTile ? most : lowest;
}

void add_disc_seeds(const TileDomain& domain, Vec2f goal, std::uint32_t layer, float cost, std::vector<FieldSeed>& seeds) {
  const DomainTile own = domain.at(goal.x, goal.y, layer);
  if (own == domain.ghost()) return;
  const float size = domain.grid().size();
  constexpr int kReach = 3, kSide = 2 * kReach + 1;
  // Tiles by their offset from the goal's. One that differs by (c, r) is seen from the goal if both tiles one step nearer are:
  // then all of the rectangle between them is linked.
  DomainTile seen[kSide][kSide];
  for (auto& row : seen) std::fill(row, row + kSide, domain.ghost());
  seen[kReach][kReach] = own;
  for (int ring = 0; ring <= 2 * kReach; ++ring)
    for (int c = -kReach; c <= kReach; ++c)
      for (const int r : {ring - std::abs(c), std::abs(c) - ring}) {
        if (std::abs(c) > ring || std::abs(r) > kReach) continue;
        DomainTile& tile = seen[kReach + r][kReach + c];
        if (ring > 0) {
          const int back_c = c > 0 ? 1 : -1, back_r = r > 0 ? 1 : -1;
          const DomainTile over_column =
              c == 0 ? kNoTile : domain.next(seen[kReach + r][kReach + c - back_c])[c > 0 ? kEast : kWest];
          const DomainTile over_row =
              r == 0 ? kNoTile : domain.next(seen[kReach + r - back_r][kReach + c])[r > 0 ? kNorth : kSouth];
          if (c != 0 && r != 0 && over_column != over_row) continue;
          tile = c != 0 ? over_column : over_row;
        }
        if (tile == domain.ghost()) continue;
        const Vec2 centre = domain.grid().centre(domain.tile(tile));
        const Vec2f way = Vec2f{static_cast<float>(centre.x), static_cast<float>(centre.y)} - goal;
        const float far = length(way);
        if (far <= kReach * size) seeds.push_back({tile, cost * far});
      }
}

}  // namespace throng
