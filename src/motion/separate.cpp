// SPDX-License-Identifier: MIT
#include "motion/separate.hpp"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

// People this far apart cannot be pushed into each other by the sweeps of one step.
constexpr float kReach = 0.12f;
constexpr std::size_t kBlocksPerChunk = 4;
constexpr auto kMoves = static_cast<std::uint8_t>(PushedApart::kMoves),
               kLeftOut = static_cast<std::uint8_t>(PushedApart::kLeftOut);

}  // namespace

/// Who has somebody within reach, and whom. Those who overlap count as having moved, so that the first sweep looks at them.
void Separation::look(const Frozen& world, Places at, std::span<const std::uint8_t> stands_out, std::size_t begin,
                      std::size_t end) {
  const Activity* activity = world.agents.activity.data();
  const float* body = world.agents.now.body.data();
  std::copy(at.x + begin, at.x + end, x_.data() + begin);
  std::copy(at.y + begin, at.y + end, y_.data() + begin);
  std::fill(moved_[1].data() + begin, moved_[1].data() + end, std::uint8_t{0});
  Row* row = &rows_[begin];
  for (std::size_t i = begin; i < end; ++i) {
    row->self = static_cast<std::uint32_t>(i);
    const float x = at.x[i], y = at.y[i], mine = body[i];
    std::uint32_t contacts = 0;
    bool overlaps = false;
    for (const std::uint32_t j : world.neighbours.of(row->self)) {
      const float dx = at.x[j] - x, dy = at.y[j] - y, both = mine + body[j], reach = both + kReach;
      const float squared = dx * dx + dy * dy;
      if (squared >= reach * reach || contacts == kMostContacts) continue;
      if (!stands_out.empty() && (stands_out[i] != kMoves || stands_out[j] == kLeftOut)) continue;
      row->other[contacts++] = j;
      const float apart = kBeyondContact * both;
      overlaps |= squared < apart * apart;
    }
    at.moved[i] = overlaps;
    row->contacts = contacts;
    if (contacts > 0 && activity[i] != Activity::kDriven) ++row;
  }
  used_[begin / kGrain] = static_cast<std::uint32_t>(row - &rows_[begin]);
}

/// Moves somebody to where its contacts and the walls push it; false if that is where it is.
bool Separation::push(const Frozen& world, const Row& row, Places from, Places to) {
  const std::uint32_t i = row.self;
  const Agents& agents = world.agents;
  const auto& body = agents.now.body;
  const float at_x = from.x[i], at_y = from.y[i];
  float push_x = 0, push_y = 0;
  for (std::uint32_t c = 0; c < row.contacts; ++c) {
    const std::uint32_t j = row.other[c];
    const float dx = from.x[j] - at_x, dy = from.y[j] - at_y, apart = kBeyondContact * (body[i] + body[j]);
    const float squared = dx * dx + dy * dy;
    if (squared >= apart * apart) continue;
    if (squared < 1e-8f) {
      // On the same spot: opposite ways by number, on a direction of the pair.
      const std::uint32_t a = agents.number[i], b = agents.number[j];
      const float side = a < b ? -0.5f : 0.5f;
      (((a ^ b) & 1) != 0 ? push_x : push_y) += side * apart;
      continue;
    }
    const float d = std::sqrt(squared), half = 0.5f * (apart - d) / d;
    push_x -= half * dx;
    push_y -= half * dy;
  }
  float to_x = at_x + push_x, to_y = at_y + push_y;
  // Walls stand: who is pushed into one comes back at once, so that the other side of the pair gives way.
  if (push_x != 0 || push_y != 0) {
    const float radius = agents.radius[i];
    for (const Ground::Wall& wall : world.ground.walls_near(agents.cell[i])) {
      const WallFoot foot = foot_on(wall, to_x, to_y);
      if (foot.distance_squared >= radius * radius || foot.distance_squared < 1e-8f) continue;
      const float d = std::sqrt(foot.distance_squared), back = (radius - d) / d;
      to_x -= back * foot.dx;
      to_y -= back * foot.dy;
    }
  }
  to.x[i] = to_x;
  to.y[i] = to_y;
  return to_x != at_x || to_y != at_y;
}

void Separation::run(const Frozen& world, Agents& agents, unsigned sweeps, std::span<const std::uint8_t> stands_out,
                     TaskRunner& tasks) {
  const std::size_t count = agents.active_count(), all = count + agents.image.size();
  const auto refresh_images = [&](Places places) {
    for (std::size_t i = 0; i < agents.image.size(); ++i) {
      const Agents::Image& image = agents.image[i];
      places.x[count + i] = places.x[image.of] + image.shift_x;
      places.y[count + i] = places.y[image.of] + image.shift_y;
      places.moved[count + i] = places.moved[image.of];
    }
  };
  rows_.resize(count);
  used_.resize((count + kGrain - 1) / kGrain);
  x_.resize(all), y_.resize(all);
  for (auto& moved : moved_) moved.resize(all);
  Places from = {agents.next.x.data(), agents.next.y.data(), moved_[0].data()}, to = {x_.data(), y_.data(), moved_[1].data()};
  refresh_images(from);
  tasks.parallel_for(count, kGrain,
                     [&](std::size_t begin, std::size_t end, unsigned) { look(world, from, stands_out, begin, end); });
  refresh_images(from), refresh_images(to);

  const auto for_each_row = [&](auto&& body) {
    tasks.parallel_for(used_.size(), kBlocksPerChunk, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t block = begin; block < end; ++block)
        for (std::size_t k = block * kGrain; k < block * kGrain + used_[block]; ++k) body(rows_[k]);
    });
  };
  // Back and forth between two generations: who rests is at the same place in both.
  for (unsigned sweep = 0; sweep < sweeps; ++sweep) {
    for_each_row([&](const Row& row) {
      bool is_restless = from.moved[row.self] != 0;
      for (std::uint32_t c = 0; c < row.contacts; ++c) is_restless |= from.moved[row.other[c]] != 0;
      to.moved[row.self] = is_restless && push(world, row, from, to);
    });
    refresh_images(to);
    std::swap(from, to);
  }
  if (from.x == x_.data())
    for_each_row([&](const Row& row) { to.x[row.self] = from.x[row.self], to.y[row.self] = from.y[row.self]; });
}

}  // namespace throng
