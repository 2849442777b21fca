// SPDX-License-Identifier: MIT
// What a crowd makes of the ground: density, mean velocity, the speed that is possible in each direction, and what a step costs
// (ALGORITHMS §5.3–5.5, §5.9). Shared by all sets of people: made once a step, whoever goes where.
//
//   CrowdField crowd;
//   crowd.begin(domain, settings);
//   crowd.add_people(people, tasks);      // and add_zone, block: in any order
//   crowd.finish(tasks);
//   const auto& cost = crowd.common_costs();                              // for sets that fear nobody
//   crowd.costs(people, rows_of_the_set, excess, worker_scratch, cost);   // or for one that does not fear its own people
//
// People are added up in whole numbers (2^-20 of a person, 2^-12 m/s), so the sums do not depend on the order of rows or on
// threads, and a set's own share of the predicted discomfort can be taken out again exactly.
//
// Cost: some 20 ns a person (60 more with prediction), some 20 ns a tile. Nothing is allocated once the domain has had its size.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <throng/fields.hpp>

#include "agents/vec2f.hpp"
#include "base/tasks.hpp"
#include "fields/tile_domain.hpp"

namespace throng {

inline constexpr float kNoPotential = std::numeric_limits<float>::infinity();

/// Columns of people, of any models.
struct FieldPeople {
  std::span<const float> x, y, vx, vy;
  std::span<const CellIndex> cell;
  std::span<const std::uint32_t> layer_of_cell;
};

/// A rectangle on the ground of a layer.
struct GroundBox {
  Vec2f middle{};
  Vec2f ahead{1, 0};  ///< unit
  float length = 0, width = 0;
  std::uint32_t layer = 0;
};

/// Where it is good not to be: in front of a vehicle. Discomfort fades linearly from the rear end of the box to its front, and
/// people walk faster inside (ALGORITHMS §4.9).
struct DangerZone {
  GroundBox box;
  float near_discomfort = 10, far_discomfort = 1;
  float speed_factor = 2;
};

/// By Direction, of each tile.
using FaceValues = std::vector<std::array<float, 4>>;

class CrowdField {
 public:
  /// Nobody there, no discomfort. The domain must outlive what follows.
  void begin(const TileDomain& domain, const FieldSettings& settings);
  /// Adds everybody; those outside the domain do not count.
  void add_people(const FieldPeople& people, TaskRunner& tasks);
  /// Of tiles whose square the box touches along its sides; the greatest discomfort and speed count.
  void add_zone(const DangerZone& zone);
  /// Nobody can enter tiles with their centre in the box, or the one its middle is in.
  void block(const GroundBox& box);
  /// Adds to the discomfort of one tile, for roads, lawns and whatever else a map says.
  void add_discomfort(DomainTile t, float amount) { discomfort_[t] += amount; }
  void finish(TaskRunner& tasks);

  const TileDomain& domain() const { return *domain_; }
  const FieldSettings& settings() const { return settings_; }
  float density(DomainTile t) const { return density_[t]; }
  /// The same in people per m², for one who stands anywhere in the tile.
  float density_per_area(DomainTile t) const { return per_area() * density_[t]; }
  Vec2f velocity(DomainTile t) const { return velocity_[t]; }  ///< mean, of those who make up the density
  bool is_blocked(DomainTile t) const { return blocked_[t] != 0; }
  /// Without what people are expected to bring.
  float discomfort(DomainTile t) const { return discomfort_[t]; }
  /// Of everybody's next seconds.
  float predicted_discomfort(DomainTile t) const { return static_cast<float>(predicted_[t]) * kPerCount; }
  float speed_factor(DomainTile t) const { return speed_factor_[t]; }
  /// Speed from a tile towards its neighbours.
  const std::array<float, 4>& speed(DomainTile t) const { return speed_[t]; }
  const FaceValues& speeds() const { return speed_; }
  /// Speed from a tile in any direction, a unit vector; where a wall or the domain's end is ahead, that along it.
  float speed_towards(DomainTile t, Vec2f direction) const;
  /// Speed of somebody who walks at `free` where nobody is, from between the tiles of a stencil: people differ, and fields are
  /// made for all of a set. 0 outside; walls do not count.
  float speed_of(const Stencil& stencil, Vec2f direction, float free) const;
  /// People per m² around a tile; 0 where settings ask for no jam density.
  float crowding(DomainTile t) const { return crowding_.empty() ? 0 : crowding_[t]; }

  /// Cost of a step from each tile to its neighbours, kNoPotential where there is none: that of fields without prediction.
  const FaceValues& common_costs() const { return cost_; }
  /// The same for a set that fears everybody but its own people (`own`: rows of `people`), and for whom tiles cost `factor` times
  /// as much, 0: it may not enter (empty: 1 everywhere). `expected` is memory of the caller.
  void costs(const FieldPeople& people, std::span<const std::uint32_t> own, std::span<const float> factor,
             std::vector<std::int32_t>& expected, FaceValues& cost) const;

 private:
  static constexpr float kCounts = 1 << 20;  ///< of one person
  static constexpr float kPerCount = 1 / kCounts;
  static constexpr float kVelocityUnits = 1 << 12;  ///< of 1 m/s
  struct Sums {
    std::int64_t people = 0, momentum_x = 0, momentum_y = 0;
  };

  std::array<float, 4> weights(const Stencil& stencil) const;
  template <bool kShared>
  void add(const FieldPeople& people, std::uint32_t row);
  template <class Add>
  void expect(const FieldPeople& people, std::uint32_t row, Add&& add) const;
  template <class Visit>
  void tiles_of(const GroundBox& box, float margin, Visit&& visit) const;
  float per_area() const;
  void find_crowding(TaskRunner& tasks);
  void find_speed(DomainTile t);
  float face_speed(DomainTile other, int direction, float uncrowded) const;
  float step_cost(DomainTile t, int direction, float discomfort) const;

  const TileDomain* domain_ = nullptr;
  FieldSettings settings_;
  int half_powers_ = 4;  ///< twice λ
  float scale_ = 1;      ///< on weights: large tiles count per m²
  std::vector<Sums> sums_;
  std::vector<std::int32_t> predicted_;
  std::vector<float> density_, discomfort_, speed_factor_;
  std::vector<float> crowding_, spread_;  ///< empty where they are not asked for
  std::vector<Vec2f> velocity_;
  std::vector<std::uint8_t> blocked_;
  FaceValues speed_, cost_;
};

}  // namespace throng
