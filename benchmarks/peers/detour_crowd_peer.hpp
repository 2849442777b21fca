// SPDX-License-Identifier: MIT
// DetourCrowd on the plaza: the crowd that users of Recast would run instead.
//
// Settings of RecastDemo's crowd tool: anticipate turns, optimise visibility and topology, obstacle avoidance at its highest
// quality, no separation, acceleration 8 m/s², collision query range 12 radii. The mesh has 0.5 m cells: a plaza is a few
// polygons.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "peers/recast_peer.hpp"

namespace throng {

class DetourCrowdPeer {
 public:
  /// `next_goal` is asked for a goal at the start and on arrival (within half a metre).
  static Result<DetourCrowdPeer> create(const Scene& scene, std::span<const Vec2> starts, double radius, double speed,
                                        std::function<Vec2(std::uint32_t agent)> next_goal);
  DetourCrowdPeer(DetourCrowdPeer&&) noexcept;
  ~DetourCrowdPeer();

  /// One update, and new goals for those who arrived; only the update is what is timed: it returns its seconds.
  double step(double dt);

  struct Agent {
    Vec2 position, velocity, goal;
  };
  const std::vector<Agent>& agents() const;

 private:
  struct State;
  explicit DetourCrowdPeer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng
