// SPDX-License-Identifier: MIT
// Short-term avoidance (Yersin et al. 2008, Algorithm 1, as reconstructed in ALGORITHMS §4.5).
//
// Everybody is registered in a square tile. Every other step a walker looks into the tiles ahead of it, row by row: f straight
// on, l and r one tile to the left and right. Somebody in f makes it step aside, to the middle of the tile beside the one before,
// on the side where the other is not (erratum Y-1: the paper's text says the opposite of what avoids), never back (condition 1),
// and more slowly. Somebody closer than contact and a margin is an emergency: no stepping aside then, the common phase that
// pushes people apart has the word.
//
// As printed (`as_printed`), that makes people meet more often than without: they step aside for those who would pass, to the
// same few middles of tiles, where others may be. So by default somebody is in the way only if the two would come too close at
// their present velocities, and the place aside is a tile's width to the side, if nobody comes from there.
//
// The paper lets all look in every odd frame; here each step half of the crowd looks, which costs the same, evenly, and nobody
// sees positions of the frame before. Registration is a counting sort. Work per walker is bounded by the people in at most 18
// tiles.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <throng/models.hpp>

#include "agents/vec2f.hpp"
#include "base/tasks.hpp"
#include "motion/frozen.hpp"
#include "motion/witness.hpp"

namespace throng {

/// A square of the plane; never the same for two layers.
struct TileName {
  std::int32_t column, row;
  std::uint32_t layer;
  friend bool operator==(TileName, TileName) = default;
};

/// People by tile. Tiles share buckets of a hash table: who is in another tile of the bucket is passed over.
class TileRegister {
 public:
  void build(const Agents& agents, std::span<const std::uint32_t> layer_of_cell, float tile, TaskRunner& tasks);

  TileName tile_at(Vec2f place, std::uint32_t layer) const;
  Vec2f middle_of(TileName tile) const {
    return {(static_cast<float>(tile.column) + 0.5f) * tile_, (static_cast<float>(tile.row) + 0.5f) * tile_};
  }
  template <class LookAt>
  void visit(TileName tile, LookAt&& look_at) const {
    const std::size_t bucket = bucket_of(tile);
    for (std::uint32_t k = start_[bucket]; k < start_[bucket + 1]; ++k)
      if (entries_[k].tile == tile) look_at(entries_[k].row);
  }

 private:
  struct Entry {
    TileName tile;
    std::uint32_t row;
  };
  std::size_t bucket_of(TileName tile) const;

  float tile_ = 1, inverse_ = 1;
  std::uint32_t mask_ = 0;
  std::vector<TileName> names_;  ///< by row
  std::vector<std::uint32_t> start_, next_;
  std::vector<Entry> entries_;
};

class ShortTermMotion {
 public:
  /// One entry a model of the world; those of other kinds are never asked for.
  explicit ShortTermMotion(std::span<const MotionModel> models);

  /// Registers everybody, for each model that somebody walks by in this step.
  void prepare(const Frozen& world, const Cells& cells, TaskRunner& tasks);
  /// Writes velocity, intent, body and urge of the next generation of agents [begin, end), and the place it steps aside to.
  void move(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end) const;
  /// The same for one agent, whose decision is written down. Leaves behind what `move` would.
  void explain(const Frozen& world, Agents& agents, std::uint32_t row, Explanation& said) const;

 private:
  template <class Witness>
  void move_rows(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end, Witness& witness) const;
  template <class Witness>
  std::optional<Vec2f> find_aside(const Frozen& world, const Agents& agents, std::uint32_t me, bool& is_emergency,
                                  Witness& witness) const;

  std::vector<ShortTermSettings> models_;
  std::vector<TileRegister> registers_;  ///< by model
  std::vector<std::uint8_t> is_walked_by_;
  std::span<const std::uint32_t> layer_of_cell_;
};

namespace short_term_rules {

enum class AsideTo : std::uint8_t { kNone, kLeft, kRight };

/// Where to step aside for somebody ahead. All vectors are relative to the walker: `wanted` is where guidance leads, `other` is
/// who is in the way, `left` and `right` are the places offered, if there is ground.
inline AsideTo choose_side(Vec2f wanted, Vec2f forward, Vec2f other, std::optional<Vec2f> left, std::optional<Vec2f> right) {
  constexpr float kStraightAhead = 0.02f;  // of a sine
  const bool left_serves = left && dot(wanted, *left) > 0, right_serves = right && dot(wanted, *right) > 0;
  if (!left_serves || !right_serves) return left_serves ? AsideTo::kLeft : right_serves ? AsideTo::kRight : AsideTo::kNone;
  // Straight ahead, to the right: two who meet do not mirror each other.
  return cross(forward, unit(other)) < -kStraightAhead ? AsideTo::kLeft : AsideTo::kRight;
}

/// How many rows of tiles are looked at: further for those who walk faster.
inline int rows_ahead(float speed, float horizon, float tile) {
  const float reach = speed * horizon / tile;
  int rows = static_cast<int>(reach) + (reach > static_cast<float>(static_cast<int>(reach)) ? 2 : 1);
  return rows < 2 ? 2 : rows > 6 ? 6 : rows;
}

}  // namespace short_term_rules
}  // namespace throng
