// SPDX-License-Identifier: MIT
#include "motion/linear/linear.hpp"

namespace throng {

void move_linear(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end) {
  for (std::size_t me = begin; me < end; ++me) {
    const Vec2f velocity = linear_velocity(agents, me, world.dt);
    agents.next.vx[me] = agents.next.intent_x[me] = velocity.x;
    agents.next.vy[me] = agents.next.intent_y[me] = velocity.y;
    agents.next.body[me] = agents.radius[me];
    agents.next.urge[me] = 0;
    agents.wait[me] = 0;
  }
}

}  // namespace throng
