// SPDX-License-Identifier: MIT
#include "peers/detour_crowd_peer.hpp"

#include <chrono>

#include <recastnavigation/DetourCrowd.h>
#include <recastnavigation/DetourNavMeshQuery.h>

namespace throng {
namespace {

constexpr double kCellSize = 0.5;
constexpr double kArrival = 0.5;

}  // namespace

struct DetourCrowdPeer::State {
  explicit State(DetourPeer made) : mesh(std::move(made)) {}
  ~State() { dtFreeCrowd(crowd); }

  void send(std::uint32_t i) {
    const Vec2 goal = agents[i].goal = next_goal(i);
    const float at[3] = {static_cast<float>(goal.x), 0, static_cast<float>(goal.y)};
    const float reach[3] = {2, 4, 2};
    dtPolyRef polygon = 0;
    float nearest[3] = {at[0], at[1], at[2]};
    crowd->getNavMeshQuery()->findNearestPoly(at, reach, crowd->getFilter(0), &polygon, nearest);
    if (polygon != 0) crowd->requestMoveTarget(indices[i], polygon, nearest);
  }
  void read(std::uint32_t i) {
    const dtCrowdAgent* agent = crowd->getAgent(indices[i]);
    agents[i].position = {agent->npos[0], agent->npos[2]};
    agents[i].velocity = {agent->vel[0], agent->vel[2]};
  }

  DetourPeer mesh;
  dtCrowd* crowd = dtAllocCrowd();
  std::vector<int> indices;
  std::vector<Agent> agents;
  std::function<Vec2(std::uint32_t)> next_goal;
};

DetourCrowdPeer::DetourCrowdPeer(std::unique_ptr<State> state) : state_(std::move(state)) {}
DetourCrowdPeer::DetourCrowdPeer(DetourCrowdPeer&&) noexcept = default;
DetourCrowdPeer::~DetourCrowdPeer() = default;

Result<DetourCrowdPeer> DetourCrowdPeer::create(const Scene& scene, std::span<const Vec2> starts, double radius, double speed,
                                                std::function<Vec2(std::uint32_t)> next_goal) {
  Result<DetourPeer> mesh = DetourPeer::build(scene, kCellSize, radius);
  if (!mesh) return mesh.problems();
  auto state = std::make_unique<State>(std::move(*mesh));
  const auto refuse = [](const char* what) { return Problem{"DetourCrowd", what, "take fewer agents"}; };
  if (!state->crowd->init(static_cast<int>(starts.size()), static_cast<float>(radius), state->mesh.mesh()))
    return refuse("the crowd could not be made");
  state->crowd->getEditableFilter(0)->setIncludeFlags(0xffff);
  dtCrowdAgentParams params{};
  params.radius = static_cast<float>(radius);
  params.height = 1.8f;
  params.maxAcceleration = 8;
  params.maxSpeed = static_cast<float>(speed);
  params.collisionQueryRange = params.radius * 12;
  params.pathOptimizationRange = params.radius * 30;
  params.separationWeight = 2;
  params.updateFlags = DT_CROWD_ANTICIPATE_TURNS | DT_CROWD_OPTIMIZE_VIS | DT_CROWD_OPTIMIZE_TOPO | DT_CROWD_OBSTACLE_AVOIDANCE;
  params.obstacleAvoidanceType = 3;
  state->next_goal = std::move(next_goal);
  state->agents.resize(starts.size());
  for (std::uint32_t i = 0; i < starts.size(); ++i) {
    const float at[3] = {static_cast<float>(starts[i].x), 0, static_cast<float>(starts[i].y)};
    const int index = state->crowd->addAgent(at, &params);
    if (index < 0) return refuse("an agent was refused");
    state->indices.push_back(index);
    state->read(i);
    state->send(i);
  }
  return DetourCrowdPeer(std::move(state));
}

double DetourCrowdPeer::step(double dt) {
  const auto began = std::chrono::steady_clock::now();
  state_->crowd->update(static_cast<float>(dt), nullptr);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  for (std::uint32_t i = 0; i < state_->agents.size(); ++i) {
    state_->read(i);
    if (distance(state_->agents[i].position, state_->agents[i].goal) < kArrival) state_->send(i);
  }
  return seconds;
}

const std::vector<DetourCrowdPeer::Agent>& DetourCrowdPeer::agents() const { return state_->agents; }

}  // namespace throng
