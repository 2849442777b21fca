// SPDX-License-Identifier: MIT
// Priority rules after Foudil et al. 2009: people on tiles, one a tile, and a table of what two do who would meet.
//
// Whoever is about to step from its tile to the next one of its itinerary looks whether somebody else would be in the way. If so,
// the two form a pair: agent 1 has the higher social priority (chance decides between equals), and the rows of the table for the
// class and the type of their collision are tried in order; the first whose moves are both possible is taken. The table is data.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <throng/scene.hpp>

namespace throng {

/// How two people meet, by the angle between their headings.
enum class RulesClass : std::uint8_t {
  kToward,    ///< face to face: 135° or more
  kAway,      ///< one behind the other: 45° or less, or the other stands, or is an obstacle
  kGlancing,  ///< from the side: anything else
};
/// What would happen if both went on.
enum class RulesType : std::uint8_t {
  kSameTile,   ///< both come to one tile (the paper's collision 1)
  kEachOther,  ///< one comes to the other's tile: they swap, cross, or the other does not leave (collision 2)
};
inline constexpr int kRulesClasses = 3, kRulesTypes = 2;

/// What a row of the table asks of somebody.
enum class RulesMove : std::uint8_t {
  kForward,
  kRight,  ///< ahead to the right; if that is not free, to the right
  kLeft,
  kWait,
  kSlow,           ///< waits, then walks no faster than the other
  kOvertakeRight,  ///< to the lane on the right and two tiles along it, faster
  kOvertakeLeft,
};
inline constexpr int kRulesMoves = 7;
struct RulesRow {
  RulesMove first = RulesMove::kForward, second = RulesMove::kWait;
  friend bool operator==(const RulesRow&, const RulesRow&) = default;
};
inline constexpr std::size_t kMostRulesRows = 8;

/// Rows by class and type, in the order in which they are tried. Where none can be taken, both wait.
struct RulesTable {
  struct Rows {
    std::array<RulesRow, kMostRulesRows> row{};
    std::uint8_t count = 0;
    friend bool operator==(const Rows&, const Rows&) = default;
  };
  std::array<std::array<Rows, kRulesTypes>, kRulesClasses> rows{};
  Rows& of(RulesClass c, RulesType t) { return rows[static_cast<std::size_t>(c)][static_cast<std::size_t>(t)]; }
  const Rows& of(RulesClass c, RulesType t) const { return rows[static_cast<std::size_t>(c)][static_cast<std::size_t>(t)]; }
  friend bool operator==(const RulesTable&, const RulesTable&) = default;
};
/// Table 1 of the paper, with the two parts that it leaves out (erratum F-2).
RulesTable rules_table_2009();

/// Which side is tried first where a row leaves it open, and on which side people stay once they have stepped aside.
enum class RulesSide : std::uint8_t { kRight, kLeft, kNone };

/// A place where some let others through first: the door of a train. As long as somebody of `priority` or more walks in `inside`,
/// nobody of less enters it, nor `clear`, and whoever of them is in `clear` steps out.
struct RulesYield {
  Polygon inside;
  Polygon clear;  ///< empty: nothing is kept free in front
  std::uint32_t layer = 0;
  std::int32_t priority = 1;
};

struct RulesSettings {
  std::string name = "rules";
  float tile = 0.5f;  ///< m
  /// False: the control of the paper's tables. Whoever would meet somebody goes on if it can, right, left or waits, by chance.
  bool priority_rules = true;
  /// How far, as a share of a step, somebody must be out of a tile before the next one walks in: at 0.5 its middle has left.
  /// People in a queue keep more than a tile's distance while they walk, so a full corridor carries less than a half full one.
  float headway = 0.75f;
  float speed_up = 1.25f;             ///< factor on the speed of who overtakes or crosses in front of somebody
  std::uint32_t back_after = 5;       ///< steps of unwanted waiting, then who has the lower priority goes back
  std::uint32_t replan_after = 10;    ///< then a way round is looked for
  std::uint32_t back_off_after = 30;  ///< then who has the lower priority walks back to where there is room to pass
  RulesSide side = RulesSide::kRight;
  bool doorway_precedence = true;  ///< of equals who want through one doorway, who is nearer to its middle is agent 1
  float doorway_width = 2.5f;      ///< m: the widest opening that parts two rooms
  bool manhattan = false;          ///< estimates of A* as the paper mentions them: faster, and not always the shortest way
  RulesTable table = rules_table_2009();
  std::vector<RulesYield> yields;
};

/// What somebody did in the last step, for those who ask why.
enum class RulesBehaviour : std::uint8_t {
  kNone,     ///< does not walk by rules
  kStand,    ///< has nowhere to go
  kWalk,     ///< was between two tiles, and walked on
  kForward,  ///< stepped to the next tile of its itinerary
  kRejoin,   ///< stepped back towards its itinerary
  kRight,
  kLeft,
  kWait,
  kSlow,
  kOvertake,
  kFollow,    ///< waits for somebody ahead who is leaving
  kBack,      ///< went back, having been blocked
  kBackOff,   ///< goes back to where there is room to pass, or waits there
  kGiveWay,   ///< stepped aside for somebody of higher priority who was blocked
  kYield,     ///< lets others out first
  kOffTiles,  ///< stands where no tile is, and walks to one
  kBeside,    ///< waits beside its place, where somebody stands for good
};
const char* name_of(RulesBehaviour behaviour);
const char* name_of(RulesClass collision);
const char* name_of(RulesType type);
const char* name_of(RulesMove move);

/// Why a row of the table was not taken.
enum class RulesReason : std::uint8_t {
  kTaken,       ///< the row was
  kNotTried,    ///< one before it was
  kWall,        ///< no room for the body there
  kOccupied,    ///< somebody else is there or has got it
  kSwap,        ///< the two would change places
  kCrossing,    ///< the ways would cross between the tiles
  kCannotAct,   ///< the other has its move already, or does not step now
  kYielding,    ///< the place is kept for others
  kNotAllowed,  ///< an area that it may not enter
};
const char* name_of(RulesReason reason);

struct RulesDecision {
  std::uint64_t step = 0;  ///< that was decided in
  RulesBehaviour behaviour = RulesBehaviour::kNone;
  bool met = false;  ///< somebody or something was in the way: the rest is about that
  RulesClass collision{};
  RulesType type{};
  std::uint32_t opponent = 0;  ///< number; 0: no person, an obstacle
  bool is_first = false;       ///< agent 1 of the pair
  std::int8_t row = -1;        ///< of the table that was taken; −1: none
  std::uint8_t rows = 0;       ///< there were
  std::array<RulesReason, kMostRulesRows> reasons{};
  std::array<std::uint8_t, kMostRulesRows> whose{};  ///< 1 or 2: which of the two could not
  Vec2 from, wanted, taken;                          ///< tiles: where it was, where it wanted to be next, and where it goes now
  std::uint32_t blocked = 0;                         ///< steps of unwanted waiting
  bool replanned = false;
  std::int32_t priority = 0;
  float speed = 0;  ///< m/s, of the step
};

}  // namespace throng
