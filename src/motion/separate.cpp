// SPDX-License-Identifier: MIT
#include "motion/separate.hpp"

#include <cmath>

namespace throng {
namespace {

constexpr std::size_t kGrain = 256;
constexpr float kBeyondContact = 1.01f;
// People this far apart cannot be pushed into each other by the sweeps of one step.
constexpr float kReach = 0.12f;

}  // namespace

void Separation::run(const Frozen& world, Agents& agents, unsigned sweeps, TaskRunner& tasks) {
  const std::size_t count = agents.count;
  const auto& body = world.agents.now.body;
  float* x = agents.next.x.data();
  float* y = agents.next.y.data();
  const auto refresh_images = [&](const float* from_x, const float* from_y, float* to_x, float* to_y) {
    for (std::size_t i = 0; i < agents.image.size(); ++i) {
      to_x[count + i] = from_x[agents.image[i].of] + agents.image[i].shift_x;
      to_y[count + i] = from_y[agents.image[i].of] + agents.image[i].shift_y;
    }
  };
  refresh_images(x, y, x, y);

  is_touching_.resize(count);
  tasks.parallel_for(count, kGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      is_touching_[i] = 0;
      if (agents.activity[i] == Activity::kDriven) continue;
      for (const std::uint32_t j : world.neighbours.of(static_cast<std::uint32_t>(i))) {
        const float dx = x[j] - x[i], dy = y[j] - y[i], reach = body[i] + body[j] + kReach;
        if (dx * dx + dy * dy < reach * reach) {
          is_touching_[i] = 1;
          break;
        }
      }
    }
  });
  touching_.clear();
  for (std::size_t i = 0; i < count; ++i)
    if (is_touching_[i] != 0) touching_.push_back(static_cast<std::uint32_t>(i));
  if (touching_.empty()) return;

  rows_.resize(touching_.size());
  tasks.parallel_for(touching_.size(), kGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint32_t i = touching_[k];
      Row& row = rows_[k];
      row.contacts = 0;
      for (const std::uint32_t j : world.neighbours.of(i)) {
        const float dx = x[j] - x[i], dy = y[j] - y[i], reach = body[i] + body[j] + kReach;
        if (dx * dx + dy * dy < reach * reach && row.contacts < kMostContacts) row.other[row.contacts++] = j;
      }
    }
  });
  x_.assign(agents.next.x.begin(), agents.next.x.end());
  y_.assign(agents.next.y.begin(), agents.next.y.end());
  for (unsigned sweep = 0; sweep < sweeps; ++sweep) {
    tasks.parallel_for(touching_.size(), kGrain, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t k = begin; k < end; ++k) {
        const std::uint32_t i = touching_[k];
        const Row& row = rows_[k];
        const float at_x = x_[i], at_y = y_[i];
        float push_x = 0, push_y = 0;
        for (std::uint32_t c = 0; c < row.contacts; ++c) {
          const std::uint32_t j = row.other[c];
          const float dx = x_[j] - at_x, dy = y_[j] - at_y, apart = kBeyondContact * (body[i] + body[j]);
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
        x[i] = to_x;
        y[i] = to_y;
      }
    });
    if (sweep + 1 == sweeps) break;
    for (const std::uint32_t i : touching_) x_[i] = x[i], y_[i] = y[i];
    refresh_images(x_.data(), y_.data(), x_.data(), y_.data());
  }
}

}  // namespace throng
