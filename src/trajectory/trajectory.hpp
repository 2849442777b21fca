// SPDX-License-Identifier: MIT
// Where everybody was, frame by frame: the one model that recordings, JuPedSim's SQLite files and Jülich's text files are read
// into, and the only thing analysis and drawing know about a run.
//
// Idea: rows of all frames lie one after the other in columns, as the engine's agents do; frame k is the range
// frame_start[k] … frame_start[k + 1]. A row names its agent by a dense index into `agents`, so whoever needs something per
// person keeps a plain array. Frames are equally spaced in time; one in which nobody is there is empty, never absent.
//
// Metrics that need one pass take a FrameView at a time, so a recording too large for memory streams through them
// (recording.hpp, FrameCursor) exactly as a Trajectory does.
//
// Invariants (readers and `append` keep them): agents of a frame are in ascending order of their ids, each at most once;
// positions and heights are finite and within ±kFarthest; headings are finite.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <throng/vec.hpp>

namespace throng {

/// Metres: the engine's grid ends here, and a float still tells millimetres apart.
inline constexpr float kFarthest = 16384;

/// False for what is too far away, infinite or no number.
inline bool is_near(float metres) { return std::abs(metres) <= kFarthest; }

/// What does not change while somebody is in the scene.
struct AgentFacts {
  std::uint32_t id = 0;
  float radius = 0;           ///< metres; 0: unknown (other tools' files do not say)
  float preferred_speed = 0;  ///< m/s; 0: unknown
  std::uint16_t kind = 0;     ///< index into the names of kinds
  std::uint32_t group = 0;    ///< number of the group it walks in; 0: none, or unknown

  friend bool operator==(const AgentFacts&, const AgentFacts&) = default;
};

/// One frame, borrowed from whoever holds it. All columns but `agents` have size() entries.
struct FrameView {
  std::uint64_t number = 0;  ///< 0, 1, 2 …
  double time = 0;           ///< seconds since frame 0
  std::span<const AgentFacts> agents;
  std::span<const std::uint32_t> agent;  ///< index into `agents`; the same person has the same index in all frames
  std::span<const float> x, y;           ///< metres
  std::span<const float> heading_x, heading_y;
  std::span<const float> z;
  std::span<const std::uint16_t> layer;

  std::size_t size() const { return agent.size(); }
  Vec2 position(std::size_t row) const { return {x[row], y[row]}; }
  const AgentFacts& facts(std::size_t row) const { return agents[agent[row]]; }
};

/// The frames in which an agent was seen: first … end - 1, perhaps with gaps.
struct Presence {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
};

struct Trajectory {
  double frame_seconds = 0.1;
  std::vector<std::string> kinds;
  std::vector<AgentFacts> agents;  ///< in order of first appearance
  std::vector<Presence> presence;  ///< of each agent

  std::vector<std::uint64_t> frame_start{0};  ///< one more than frames
  std::vector<std::uint32_t> agent;
  std::vector<float> x, y, heading_x, heading_y, z;
  std::vector<std::uint16_t> layer;

  std::string geometry_wkt;                     ///< walkable ground; empty if unknown
  std::map<std::string, std::string> metadata;  ///< what else the file said

  std::size_t frame_count() const { return frame_start.size() - 1; }
  std::size_t row_count() const { return agent.size(); }
  double time_of(std::size_t frame) const { return static_cast<double>(frame) * frame_seconds; }
  FrameView frame(std::size_t number) const;
  /// Adds a frame whose `agent` are indices into `agents`, and updates their presence.
  void append(const FrameView& frame);
};

}  // namespace throng
