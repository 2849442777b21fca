// SPDX-License-Identifier: MIT
// One step of everybody on the tiles: who steps where (Foudil et al. 2009, sections 5.4 to 6; ALGORITHMS §3.4 to §3.6).
//
// Everybody holds one tile. Who is about to step says which tile it wants; `resolve` finds who would meet whom, lets each pair
// take the first possible row of the table, and gives out tiles. Plain data in, plain data out: no agents, no clock. What is
// decided depends on the actors, their numbers, the seed and the step, never on the order in which they were added.
//
// A tile that somebody has just left is held until that one is `headway` of the way out: the next may have it promised, and
// starts then. So bodies never come nearer than about 0.35 m, although a pair that meets gets both moves of its row at once.
//
// Order, as ALGORITHMS §3.5 has it: pairs by the higher of the two priorities, then class (toward, glancing, away), then a hash
// of the step; then everybody whose way is free, whoever is ahead first; then those who found it taken, by priority and hash.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <throng/rules.hpp>

#include "grid/body_tiles.hpp"

namespace throng {

/// What somebody did and why: RulesDecision without what the actor knows anyway. Small, because every step writes one a person.
struct RulesOutcome {
  RulesBehaviour behaviour = RulesBehaviour::kNone;
  bool met = false;
  RulesClass collision{};
  RulesType type{};
  bool is_first = false;
  std::int8_t row = -1;
  std::uint8_t rows = 0;
  bool replanned = false;
  std::uint32_t opponent = 0;
  std::array<RulesReason, kMostRulesRows> reasons{};
  std::array<std::uint8_t, kMostRulesRows> whose{};
};

/// Somebody on the board: what it is and wants, and what came of it. Two lines of the cache: with 64,000 of them, memory is what
/// a step waits for.
struct alignas(64) RulesActor {
  std::uint32_t number = 0;
  std::int32_t priority = 0;
  float radius = 0.2f;
  TileIndex tile = kNoTile;                             ///< it holds
  TileIndex from = kNoTile;                             ///< it came from and is still between the two; none: it stands
  float phase = 1;                                      ///< share of that step that it has done
  float stand_x = 0, stand_y = 0;                       ///< where it stands in its tile, before the step
  bool walks = false;                                   ///< wants to get somewhere
  bool steps = false;                                   ///< wants to step now, to `want`
  bool mirrored = false;                                ///< right and left of the table are exchanged for it
  bool is_held = false;                                 ///< promised its tile, and waits for who is still leaving it
  std::uint8_t heading = 0;                             ///< to `want`, or of its last step
  RulesBehaviour intention = RulesBehaviour::kForward;  ///< what stepping to `want` is called
  TileIndex want = kNoTile;
  float speed = 0;                      ///< m/s, on a free way
  std::uint32_t doorway = 0xffffffffu;  ///< it walks to
  float nearness = 0;                   ///< m to its middle
  float spare = 0;                      ///< m that it gets on in this step beyond its tile
  std::uint32_t blocked = 0;            ///< steps of unwanted waiting
  std::uint32_t tag = 0;                ///< the caller's
  std::uint32_t slot = 0;               ///< the caller's

  // What came of it.
  float pace = 1;  ///< factor on its speed for the step
  bool is_done = false;
  bool has_moved = false;   ///< `tile` is another one now, `from` the old
  bool is_blocked = false;  ///< waited although it wanted not to
  std::uint8_t along = 0;   ///< tiles to go along its heading before it returns to its itinerary
  RulesOutcome decision;

  // The board's, during a step.
  bool is_tried = false;                     ///< stepping forward was
  bool is_in_pair = false;                   ///< meets somebody
  std::uint32_t next_wanting = 0xffffffffu;  ///< another one who wants the same tile
};
static_assert(sizeof(RulesActor) == 128);

/// How two meet.
struct Encounter {
  RulesClass collision = RulesClass::kGlancing;
  RulesType type = RulesType::kSameTile;
};

/// The class of a meeting, by both headings and the squares from one to the other.
RulesClass class_of(int heading, int other_heading, std::array<std::int32_t, 2> to_other);
/// Whether the other is ahead, within 45° of a heading.
bool is_ahead(int heading, std::array<std::int32_t, 2> to_other);

class RulesBoard {
 public:
  static constexpr std::uint32_t kNobody = 0xffffffffu;

  /// Everything empty. The tiles must outlive the step.
  void begin(const BodyTiles& tiles);
  /// Adds somebody to a tile that nobody holds. Valid until the next one.
  RulesActor& add(TileIndex tile);
  /// The same. Returns its index.
  std::uint32_t add(const RulesActor& actor);
  /// Something or somebody that no rules move stands there.
  void block(TileIndex tile, std::uint32_t number = 0);

  LargeTable<RulesActor>& actors() { return actors_; }
  std::span<const RulesActor> actors() const { return actors_; }
  /// Who holds a tile.
  std::uint32_t holder(TileIndex tile) const { return places_[tile].holder; }
  /// Who has left a tile and is still half in it.
  std::uint32_t leaver(TileIndex tile) const { return places_[tile].leaver; }
  bool is_blocked(TileIndex tile) const { return !blocked_tiles_.empty() && blocked_[tile] != kFree; }
  bool is_free(TileIndex tile) const { return places_[tile] == Place{} && !is_blocked(tile); }
  /// A tile will be asked for soon.
  void expect(TileIndex tile) const { __builtin_prefetch(&places_[tile]); }
  /// The tile that the one who was added last comes from is held until it has left.
  void hold_left_tile() { touch(actors_.back().from).leaver = static_cast<std::uint32_t>(actors_.size() - 1); }

  /// Those who step now. After all have said whether they do.
  std::span<const std::uint32_t> list_stepping();

  struct Rule {
    const RulesSettings& settings;
    std::uint64_t seed = 0, step = 0;
    /// Whether somebody may enter a tile at all: kTaken for yes, or the reason.
    FunctionRef<RulesReason(const RulesActor&, TileIndex)> allows;
  };
  /// Decides for everybody who is listed and still wants to step.
  void resolve(const Rule& rule);

 private:
  static constexpr std::uint32_t kFree = 0xfffffffeu;
  /// Who is in a tile: eight of them in a line of the cache.
  struct alignas(8) Place {
    std::uint32_t holder = kNobody, leaver = kNobody;
    friend bool operator==(const Place&, const Place&) = default;
  };
  /// Who wants which tile, the last of them; the others follow by `next_wanting`. As large as those who step are many: an entry
  /// for every tile would be a cold line of memory for each of them.
  class Wanted {
   public:
    void clear(std::size_t people);
    /// Who wanted a tile before.
    std::uint32_t exchange(TileIndex tile, std::uint32_t actor);

   private:
    struct Entry {
      TileIndex tile = kNoTile;
      std::uint32_t actor = kNobody;
    };
    std::vector<Entry> entries_;
    int shift_ = 64;
  };
  struct Pair {
    std::int32_t priority;
    std::uint8_t order;  ///< of the class
    std::uint64_t hash;
    std::uint32_t a, b;
    RulesType type;
  };
  struct Goal {
    TileIndex tile;
    std::uint8_t heading;
  };
  struct Goals {
    std::array<Goal, 2> goal;
    int count = 0;
  };

  [[gnu::always_inline]] inline void expect_step(std::size_t k) const;
  void find_pairs(const Rule& rule);
  void meet(const Rule& rule, Pair& pair);
  bool go_forward(const Rule& rule, std::uint32_t me, int depth);
  void go_alone(const Rule& rule, std::uint32_t me);
  void stumble(const Rule& rule, std::uint32_t me);
  void make_room(const Rule& rule, std::uint32_t me);
  bool go_back(const Rule& rule, std::uint32_t me, int away);
  bool outranks(const Rule& rule, const RulesActor& one, const RulesActor& other) const;
  bool clear_way(const Rule& rule, std::uint32_t me);
  void give_way(const Rule& rule, std::uint32_t me, std::uint32_t to);

  bool is_first(const Rule& rule, std::uint32_t a, std::uint32_t b) const;
  Goals goals_of(const RulesActor& actor, RulesMove move) const;
  /// Whether somebody can step to a tile while the other of its pair goes to `other_goal`.
  RulesReason fits(const Rule& rule, std::uint32_t me, Goal goal, std::uint32_t other, TileIndex other_goal) const;
  bool crosses(std::uint32_t me, Goal goal, std::uint32_t other, TileIndex other_goal) const;
  void commit(const Rule& rule, std::uint32_t me, Goal goal, RulesBehaviour behaviour);
  void stay(std::uint32_t me, RulesBehaviour behaviour, bool is_blocked);
  std::uint32_t opponent_of(std::uint32_t me, RulesType& type) const;
  /// Before a place is written: what is not as at the beginning is on the list, some of it twice.
  Place& touch(TileIndex tile) {
    if (places_[tile] == Place{}) touched_.push_back(tile);
    return places_[tile];
  }
  std::uint64_t chance(const Rule& rule, const RulesActor& actor) const;

  const BodyTiles* tiles_ = nullptr;
  LargeTable<RulesActor> actors_;
  LargeTable<Place> places_;           ///< by tile
  LargeTable<std::uint32_t> blocked_;  ///< by tile: the number of who or what stands there, or kFree
  std::vector<TileIndex> blocked_tiles_;
  Wanted wanted_;
  std::vector<std::uint32_t> stepping_;  ///< actors who step now
  std::vector<TileIndex> touched_;
  struct Found {
    TileIndex tile;
    std::uint32_t before;  ///< in the list
    std::uint8_t heading;  ///< from there
  };
  std::vector<Found> search_;
  std::vector<Pair> pairs_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> late_;
};

}  // namespace throng
