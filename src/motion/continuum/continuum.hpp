// SPDX-License-Identifier: MIT
// Continuum crowds (Treuille, Cooper & Popović 2006; ALGORITHMS §5): people with one goal form a set, and each step every set
// gets a potential field over all tiles of the scene, by which its people walk.
//
// Density, mean velocity and what people are expected to do are those of everybody, whatever model they walk by. A field tells
// the direction; the speed is that of the person, less where the crowd ahead is slow. Guidance along the corridor leads those who
// have no field: who is in the area it walks to, whose goal is that of too few, who has no goal at all.
//
// Nothing lasts from step to step: fields are functions of the columns, so snapshots need not hold them. Everything is added up
// in whole numbers or decided by number, and sets are solved side by side: the same bits at any number of threads.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <throng/models.hpp>

#include "fields/crowd_field.hpp"
#include "fields/potential.hpp"
#include "motion/frozen.hpp"

namespace throng {

/// What a set walks to: a place of the world, by a number that the world gives it, or the tile of a point. With the profile,
/// whose costs and bans the field knows.
struct ContinuumGoal {
  std::uint32_t number = 0xffffffffu;  ///< none
  bool is_tile = false;
  std::uint8_t profile = 0;
  bool is_there() const { return number != 0xffffffffu; }
  friend auto operator<=>(const ContinuumGoal&, const ContinuumGoal&) = default;
};

/// What only the world knows.
struct ContinuumDirectory {
  FunctionRef<ContinuumGoal(std::uint32_t row, const Grid& grid)> goal_of;
  /// Of a place; asked once for each.
  FunctionRef<void(std::uint32_t number, const Grid& grid, std::vector<TileIndex>& tiles)> tiles_of;
  /// By tile, 0 where a profile may not go; nothing if all are 1. Asked once for each.
  FunctionRef<void(std::uint8_t profile, const Grid& grid, std::vector<float>& factors)> factors_of;
  FunctionRef<void(CrowdField& crowd)> add_vehicles;
};

/// The fields of one model.
struct ContinuumFields {
  struct Set {
    ContinuumGoal goal;
    std::uint32_t first = 0, rows = 0;  ///< of `rows`: its people, then their images
    std::uint32_t people = 0;
  };
  struct Member {
    ContinuumGoal goal;
    std::uint32_t row;
    friend auto operator<=>(const Member&, const Member&) = default;
  };
  struct Worker {
    FieldSolver solver;
    std::vector<FieldSeed> seeds;
    std::vector<DomainTile> needed;
    std::vector<std::int32_t> expected;
    FaceValues cost;
  };

  ContinuumSettings settings;
  Grid grid;
  TileDomain domain;
  CrowdField crowd;
  bool is_used = false;  ///< in this step: the crowd is known
  std::vector<Set> sets;
  std::vector<Potential> potential;  ///< by set; those beyond are memory
  std::vector<std::uint32_t> set_of_row;
  std::vector<std::uint32_t> rows;
  std::vector<Member> members;
  std::vector<std::pair<std::uint32_t, std::vector<TileIndex>>> goal_tiles;  ///< by number of the place
  std::vector<std::pair<std::uint8_t, std::vector<float>>> factors;          ///< by profile
  std::vector<Worker> workers;
};

class ContinuumMotion {
 public:
  static constexpr std::uint32_t kNoSet = 0xffffffffu;

  /// One entry a model of the world; those of other kinds are never asked for.
  explicit ContinuumMotion(std::span<const MotionModel> models);

  bool is_there() const { return !fields_.empty(); }
  /// Makes the tiles of all models: before the first step, and when the ground has changed.
  void lay_tiles(const Cells& cells, FunctionRef<double(Vec2 place, std::uint32_t layer)> elevation);
  /// Forgets the tiles of places that are no longer what they were.
  void forget_places();

  /// Sets and fields of this step, for each model that somebody walks by.
  void prepare(const Frozen& world, const Cells& cells, const ContinuumDirectory& directory, TaskRunner& tasks);
  /// Writes velocity, intent, body and urge of the next generation of agents [begin, end).
  void move(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end) const;

  /// Of a model, as of the last step; null if it is of another kind.
  const ContinuumFields* fields_of(std::size_t model) const;

 private:
  void find_sets(ContinuumFields& fields, std::uint8_t model, const Frozen& world, const ContinuumDirectory& directory);
  Vec2f kept_out(const ContinuumFields& fields, const Agents& agents, std::size_t me, Vec2f velocity) const;
  void solve(ContinuumFields& fields, const ContinuumFields::Set& set, const FieldPeople& people, ContinuumFields::Worker& worker,
             Potential& potential) const;

  std::vector<std::uint8_t> field_of_model_;  ///< kOther: of another kind
  std::vector<ContinuumFields> fields_;
  std::span<const std::uint32_t> layer_of_cell_;
};

}  // namespace throng
