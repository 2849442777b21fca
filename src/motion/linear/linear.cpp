// SPDX-License-Identifier: MIT
#include "motion/linear/linear.hpp"

#include "motion/steering.hpp"

namespace throng {

void move_linear(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end) {
  for (std::size_t me = begin; me < end; ++me) {
    const Vec2f velocity = linear_velocity(agents, me, world.dt);
    take_up(agents, me, velocity, velocity);
    agents.wait[me] = 0;
  }
}

}  // namespace throng
