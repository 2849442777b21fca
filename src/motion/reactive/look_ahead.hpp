// SPDX-License-Identifier: MIT
// Seeing the crowd ahead as a whole and walking where it gives way (ALGORITHMS §1.14b, rule 1).
//
// A grid of square metres holds how many people stand in each and their momentum. A walker looks along seven directions at three
// distances; people who come towards it cost, people who walk its way do not, walls cost most. If straight on is cheap it stays;
// else the best direction wins, with a bias to the right: this is what makes lanes.
//
// Squares live in blocks of 8 × 8, found by a hash table, so the size of a scene costs nothing and what is looked at together
// lies together. Sums are fixed-point integers, so the order of adding does not matter.
#pragma once
#include <cstdint>
#include <vector>

#include "agents/agents.hpp"
#include "agents/vec2f.hpp"
#include "base/tasks.hpp"
#include "navigation/ground.hpp"

namespace throng {

class CrowdGrid {
 public:
  /// Counts everybody, images included.
  void build(const Agents& agents, const std::vector<std::uint32_t>& layer_of_cell);

  struct Square {
    float people;
    Vec2f momentum;
  };
  Square at(float x, float y, std::uint32_t layer) const;

 private:
  struct Sums {
    std::int16_t people, momentum_x, momentum_y;  ///< momentum in 2⁻⁷ m/s: 256 people at 1 m/s fit
  };
  static constexpr int kBlockSide = 8;
  struct Block {
    Sums square[kBlockSide * kBlockSide];
  };
  struct Entry {
    std::uint64_t key;  ///< 0: empty
    std::uint32_t block;
  };
  std::uint32_t find(std::uint64_t key) const;
  Block& get(std::uint64_t key);
  void resize_table(std::size_t size);

  std::vector<Block> blocks_;
  std::size_t block_count_ = 0;
  std::vector<Entry> table_;
  std::uint64_t mask_ = 0;
};

namespace reactive_rules {

inline constexpr int kTurns = 7;  ///< -60° … 60° in steps of 20°
/// Cosine and sine of the turns, left positive.
inline constexpr float kTurnCosine[kTurns] = {0.5f, 0.76604444f, 0.93969262f, 1, 0.93969262f, 0.76604444f, 0.5f};
inline constexpr float kTurnSine[kTurns] = {-0.86602540f, -0.64278761f, -0.34202014f, 0, 0.34202014f, 0.64278761f, 0.86602540f};

inline Vec2f turned(Vec2f v, int turn) {
  const float c = kTurnCosine[turn + 3], s = kTurnSine[turn + 3];
  return {c * v.x - s * v.y, s * v.x + c * v.y};
}

/// The turn (-3 … 3) to walk in. `direction` is a unit vector.
int look_ahead(const CrowdGrid& grid, const Ground& ground, Vec2f place, CellIndex cell, std::uint32_t layer, Vec2f direction,
               float preferred_speed, int previous, float right_bias);

}  // namespace reactive_rules
}  // namespace throng
