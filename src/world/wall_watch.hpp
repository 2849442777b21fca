// SPDX-License-Identifier: MIT
// Counts the bodies that reach into a wall or stand beside the ground, exactly, and looks only at the few that might.
//
// A place on the ground whose nearest wall and nearest joint of layers are `free` away vouches for all bodies near it: none whose
// centre is within free − radius of the place can touch a wall. Each row keeps such a place, found when its list of close pairs
// is made (ClosePairs) and kept over many lists: at walking speed a place in the open vouches for some tens of steps. Only rows
// without one are looked at in every count. The places vouch for ground, not for agents: rows may change their agents.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include <throng/vec.hpp>

#include "base/tasks.hpp"
#include "world/close_pairs.hpp"

namespace throng {

class WallWatch {
 public:
  /// What a row is held against: the ground as it is now.
  struct Looks {
    /// Distance to the nearest wall of a layer, at most so much; 0 beside the ground.
    FunctionRef<double(Vec2 place, std::uint32_t layer, double up_to)> room;
    /// Whether a row reaches into a wall or stands beside the ground: the exact question.
    FunctionRef<bool(std::uint32_t row)> penetrates;
    FunctionRef<std::uint32_t(std::uint32_t row)> layer_of;
    bool has_layers;
  };

  /// Rows that penetrate. `pairs` has just counted the same bodies.
  std::uint32_t count(const ClosePairs::Bodies& bodies, const ClosePairs& pairs, const Looks& looks, TaskRunner& tasks);
  /// The ground has changed: nothing that was known of it holds.
  void forget() { spots_.clear(); }

 private:
  struct Spot {
    float x = 0, y = 0;
    float free = 0;  ///< m; 0: vouches for nothing
    std::uint32_t layer = 0;
  };
  void renew(const ClosePairs& pairs, std::uint32_t present, const Looks& looks, TaskRunner& tasks);
  bool vouches(std::uint32_t row, const ClosePairs::Bodies& bodies, const Looks& looks) const;

  std::vector<Spot> spots_;            ///< by row
  std::vector<std::uint8_t> is_near_;  ///< rows that a move within the reach may bring to a wall
  std::vector<std::uint32_t> near_;    ///< those
  std::vector<std::uint32_t> found_;   ///< by chunk
  std::uint64_t version_ = 0;
};

}  // namespace throng
