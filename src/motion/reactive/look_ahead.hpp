// SPDX-License-Identifier: MIT
// Seeing the crowd ahead as a whole and walking where it gives way (ALGORITHMS §1.14b, rule 1).
//
// A grid of square metres holds how many people stand in each and their momentum. A walker looks along seven directions at three
// distances; people who come towards it cost, people who walk its way do not, walls cost most. If straight on is cheap it stays;
// else the best direction wins, with a bias to the right: this is what makes lanes.
//
// Squares live in blocks of 8 × 8, found by a hash table, so the size of a scene costs nothing and what is looked at together
// lies together. A square is one word of three fixed-point sums: people are added to it by all threads at once, and the order
// does not matter. Layers have squares of their own; a square that a joint cuts counts the people of all its layers for each of
// them. Blocks stay from step to step, empty ones too, which changes no answer; from time to time all are forgotten.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "agents/agents.hpp"
#include "agents/vec2f.hpp"
#include "base/tasks.hpp"
#include "navigation/ground.hpp"

namespace throng {

class CrowdGrid {
 public:
  /// Counts everybody, images included.
  void build(const Agents& agents, const Cells& cells, TaskRunner& tasks);

  struct Square {
    float people;
    Vec2f momentum;
  };
  /// Where a look at the grid was: the next one is mostly in the same block.
  struct Cursor {
    std::uint64_t key = 0;
    std::uint32_t block = 0;
  };
  Square at(float x, float y, std::uint32_t layer, Cursor& cursor) const;

 private:
  /// People in the highest 16 bits, then 24 bits for each of the momentum's coordinates in 2⁻⁷ m/s: 50,000 people at 1.3 m/s.
  using Sums = std::uint64_t;
  static constexpr int kBlockSide = 8;
  struct Block {
    alignas(64) Sums square[kBlockSide * kBlockSide];
  };
  struct Entry {
    std::uint64_t key;  ///< 0: empty
    std::uint32_t block;
  };
  /// Somebody whose block is not there yet.
  struct Newcomer {
    std::uint64_t key;
    std::uint32_t square;
    Sums sums;
  };
  /// A square and one of the layers that a joint joins in it; sorted by square.
  struct JointSquare {
    std::uint64_t key;  ///< of the block on layer 0
    std::uint32_t square;
    std::uint32_t layer;
    auto operator<=>(const JointSquare&) const = default;
  };
  void find_joints(const Cells& cells);
  void add_up_at_joints();
  std::uint32_t find(std::uint64_t key) const;
  std::uint32_t get(std::uint64_t key);
  void resize_table(std::size_t size);
  void add(const Agents& agents, const std::vector<std::uint32_t>& layer_of_cell, std::size_t begin, std::size_t end,
           bool is_shared, std::vector<Newcomer>& newcomers);

  std::vector<Block> blocks_;
  std::size_t block_count_ = 0;
  std::vector<Entry> table_;
  std::uint64_t mask_ = 0;
  std::uint32_t builds_ = 0;
  std::vector<std::vector<Newcomer>> newcomers_;  ///< by chunk of rows
  const Cells* cells_ = nullptr;                  ///< of which the joints below are
  std::vector<JointSquare> joint_squares_;
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
int look_ahead(const CrowdGrid& grid, const Ground& ground, std::span<const std::uint32_t> layer_of_cell, Vec2f place,
               CellIndex cell, Vec2f direction, float preferred_speed, int previous, float right_bias);

}  // namespace reactive_rules
}  // namespace throng
