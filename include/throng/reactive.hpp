// SPDX-License-Identifier: MIT
// Settings of the reactive model (Lamarche & Donikian 2004, section 4): which modules of the pipe run, and their numbers.
#pragma once
#include <array>
#include <cstdint>
#include <string>

namespace throng {

/// How a predicted collision comes about, seen from the one who reacts.
enum class CollisionType : std::uint8_t { kStatic, kRear, kFront, kBack };
inline constexpr int kCollisionTypes = 4;

/// What can be done about one.
enum class ReactionModule : std::uint8_t { kRight, kLeft, kDecelerate, kAccelerate };
inline constexpr int kReactionModules = 4;

/// One entry of the table: whether the module answers this type, and how its proposals are valued.
struct Reaction {
  bool is_used = false;
  std::uint8_t direction_power = 1;  ///< βd: how much a change of direction costs
  std::uint8_t norm_power = 1;       ///< βn: how much a change of speed costs
  float factor = 1;                  ///< on the quality: below 1 for the wrong side
};

/// Collision type → modules, as data. A type that accepts lets the collision be.
struct ReactionTable {
  std::string name;
  std::array<std::array<Reaction, kReactionModules>, kCollisionTypes> rows;
  std::array<bool, kCollisionTypes> accepts{};
};
ReactionTable driving_rule();                       ///< keep right when meeting, overtake on the left (the paper's)
ReactionTable minimal_adjustment();                 ///< either side (the paper's)
ReactionTable keep_right(float wrong_side = 0.9f);  ///< either side, the wrong one at a discount

struct ReactiveSettings {
  std::string name = "reactive";
  ReactionTable table = keep_right();

  // The paper's modules.
  bool personal_space = true;
  float personal_strength = 1;
  bool prediction = true;
  float margin = 0.05f;           ///< m, kept beyond contact when predicting
  float horizon = 10;             ///< s, of prediction
  int max_pops = 4;               ///< proposals looked at before the best is taken
  bool printed_security = false;  ///< brake in proportion to the time to collision of the current velocity
  float max_acceleration = 5;     ///< m/s²

  // What dense crowds need (ALGORITHMS §1.14b).
  bool look_ahead = true;
  float right_bias = 0.5f;  ///< per radian turned left in density
  bool headway = true;
  float headway_time = 0.95f;  ///< s
  bool wall_slide = true;
  bool directional_security = true;
  bool yielding = true;
  bool squeeze = true;
};

/// The best set of modules found: the default.
ReactiveSettings reactive();
/// The paper's pipe alone, with its errors corrected.
ReactiveSettings reactive_2004();

}  // namespace throng
