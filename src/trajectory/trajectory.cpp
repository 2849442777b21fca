// SPDX-License-Identifier: MIT
#include "trajectory/trajectory.hpp"

namespace throng {

FrameView Trajectory::frame(std::size_t number) const {
  const std::size_t first = frame_start[number], count = frame_start[number + 1] - first;
  const auto rows = [&](const auto& column) { return std::span(column).subspan(first, count); };
  return {number, time_of(number), agents, rows(agent), rows(x), rows(y), rows(heading_x), rows(heading_y), rows(z), rows(layer)};
}

void Trajectory::append(const FrameView& frame) {
  const auto number = static_cast<std::uint32_t>(frame_count());
  presence.resize(agents.size());
  for (const std::uint32_t index : frame.agent) {
    if (presence[index].end == 0) presence[index].first = number;
    presence[index].end = number + 1;
  }
  const auto add = [](auto& column, const auto& rows) { column.insert(column.end(), rows.begin(), rows.end()); };
  add(agent, frame.agent), add(x, frame.x), add(y, frame.y), add(z, frame.z), add(layer, frame.layer);
  add(heading_x, frame.heading_x), add(heading_y, frame.heading_y);
  frame_start.push_back(agent.size());
}

}  // namespace throng
