// SPDX-License-Identifier: MIT
// Priority rules (Foudil et al. 2009; ALGORITHMS §3) as a motion model: people walk from tile to tile along itineraries that A*
// finds room by room, and a table says who gives way to whom.
//
// The tiles decide, bodies follow: somebody who steps holds its new tile at once and walks there in a straight line at its own
// speed, so positions, velocities and headings are as continuous as those of other models. Time left over from one step goes into
// the next: nobody is slower for the length of the world's steps.
//
// Beside other models: everybody else's body blocks the tiles it reaches. Who walks by rules is never pushed out of its tile;
// others are pushed off it (Separation). Somebody who is put elsewhere, or whose tile an edit takes away, walks to the nearest
// free tile.
//
// All that lasts from step to step is in the columns and in the itineraries, which snapshots hold.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <throng/models.hpp>

#include "grid/body_tiles.hpp"
#include "grid/rooms.hpp"
#include "grid/tile_search.hpp"
#include "motion/frozen.hpp"
#include "motion/rules/board.hpp"

namespace throng {

/// What only the world knows.
struct RulesDirectory {
  std::uint64_t seed = 0;
  double arrival_distance = 0.5;  ///< m: so near to a goal is there
  /// Whether somebody goes where its leader goes, by the velocity that guidance wants, and not to a goal of its own.
  FunctionRef<bool(std::uint32_t row)> is_led;
  /// Factors on the cost of cells; 0 where a profile may not go; empty if all are 1.
  FunctionRef<std::span<const float>(std::uint8_t profile)> factors_of;
  /// Tiles under vehicles.
  FunctionRef<void(const BodyTiles& tiles, FunctionRef<void(TileIndex)> block)> block_vehicles;
};

/// The tiles of one model, and the board of the present step.
struct RulesGround {
  RulesSettings settings;
  BodyTiles tiles;
  Rooms rooms;
  std::vector<std::uint8_t> inside, clear;   ///< by tile: bits of the yields
  std::vector<std::uint8_t> clear_distance;  ///< tiles to where nothing is kept clear
  std::uint8_t active = 0;                   ///< yields that hold in this step
  /// By doorway: the highest priority of those who are on their way to it from either room; kNobodyBound: nobody is.
  std::vector<std::array<std::int32_t, 2>> bound;
  static constexpr std::int32_t kNobodyBound = -0x7fffffff;
  RulesBoard board;
  std::vector<std::uint32_t> homeless;  ///< rows that came without a tile
};

class RulesMotion {
 public:
  /// One entry a model of the world; those of other kinds are never asked for.
  explicit RulesMotion(std::span<const MotionModel> models);

  bool is_there() const { return !grounds_.empty(); }
  /// Makes the tiles of all models: before the first step, and when the ground has changed.
  void lay_tiles(const Cells& cells, Vec2 period_low, Vec2 period_size,
                 FunctionRef<double(Vec2 place, std::uint32_t layer)> elevation);

  /// Decides for everybody who walks by rules. After guidance, which says how fast people want to walk.
  void prepare(const Frozen& world, Agents& agents, const Cells& cells, const RulesDirectory& directory, TaskRunner& tasks);
  /// Writes velocity, intent, body and urge of the next generation of agents [begin, end).
  void move(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end) const;

  const RulesGround* ground_of(std::size_t model) const {
    return model < ground_of_model_.size() && ground_of_model_[model] != kOther ? &grounds_[ground_of_model_[model]] : nullptr;
  }
  /// By slot; short for those who never planned.
  std::vector<std::vector<TileIndex>>& itineraries() { return itineraries_; }
  const std::vector<std::vector<TileIndex>>& itineraries() const { return itineraries_; }
  /// By slot, as of the last step; made when asked for, from what is left on the boards.
  class Decisions {
   public:
    explicit Decisions(const RulesMotion& motion) : motion_(motion) {}
    std::size_t size() const { return motion_.seats_.size(); }
    RulesDecision operator[](std::size_t slot) const { return motion_.decision_of(slot); }

   private:
    const RulesMotion& motion_;
  };
  Decisions decisions() const { return Decisions(*this); }
  /// Whether somebody waits beside the tile of its goal, where something stands for good. As of the last step.
  bool is_beside_its_place(std::size_t slot) const;
  /// Somebody has no tile and no itinerary (any more).
  static void forget(Agents& agents, std::uint32_t row);

 private:
  static constexpr std::uint8_t kOther = 0xff;
  /// The tile that was found for a goal, and what it was found for. A memo: a tile is looked for once a goal.
  struct alignas(32) GoalTile {
    float x = 0, y = 0, radius = -1;
    std::uint32_t part = 0;
    std::uint32_t layer : 24 = 0, ground : 8 = 0;
    TileIndex tile = kNoTile;
    float stand_x = 0, stand_y = 0;  ///< of the tile: who is far from it need not look at the tile itself
  };
  struct Worker {
    TileSearch search;
    DoorwaySearch doorways;
    std::vector<TileIndex> path;
  };

  void lay_yields(RulesGround& ground);
  void set_up(RulesGround& ground, std::uint8_t model, const Frozen& world, Agents& agents, const RulesDirectory& directory);
  void find_homes(RulesGround& ground, Agents& agents);
  void advance(RulesGround& ground, RulesActor& actor, Agents& agents, float dt) const;
  void want(RulesGround& ground, RulesActor& actor, Agents& agents, const RulesDirectory& directory, const Frozen& world,
            Worker& worker);
  void want_by_heading(const RulesGround& ground, RulesActor& actor, const Agents& agents, const RulesDirectory& directory,
                       std::uint64_t step) const;
  bool plan(RulesGround& ground, const RulesActor& actor, Agents& agents, const RulesDirectory& directory, bool avoids,
            Worker& worker);
  static bool is_taken_for_good(const RulesGround& ground, const RulesActor& actor, TileIndex tile);
  RulesReason allows(const RulesGround& ground, const RulesActor& actor, TileIndex tile) const;
  void write_back(RulesGround& ground, Agents& agents, std::size_t begin, std::size_t end);
  RulesDecision decision_of(std::size_t slot) const;
  const GoalTile& goal_tile(const RulesGround& ground, const RulesActor& actor, const Agents& agents);

  std::vector<std::uint8_t> ground_of_model_;
  std::vector<RulesGround> grounds_;
  std::vector<std::vector<TileIndex>> itineraries_;
  /// By slot: where somebody sits in the present step. Stale if the actor there is of another slot.
  struct Seat {
    std::uint32_t actor = RulesBoard::kNobody;
    std::uint32_t ground = 0;
  };
  static constexpr std::uint32_t kOffTiles = 0xfffffffeu;  ///< as an actor: has no tile
  std::vector<Seat> seats_;
  std::vector<std::uint32_t> off_tiles_;  ///< slots
  /// By row, for those who have a tile: the middle of it. From `prepare` to `move`, which would find the tiles out of the cache.
  struct Place {
    float x, y;
  };
  std::vector<Place> stands_;
  std::uint64_t decided_step_ = 0;
  double arrival_distance_ = 0.5;
  LargeTable<GoalTile> goal_tiles_;  ///< by slot
  std::vector<Worker> workers_;
  std::span<const std::uint32_t> layer_of_cell_;
};

}  // namespace throng
