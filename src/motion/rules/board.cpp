// SPDX-License-Identifier: MIT
#include "motion/rules/board.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/random.hpp"

namespace throng {
namespace {

enum class Purpose : std::uint32_t { kOrder = 0x52300001u, kPair, kRank, kStumble };
constexpr int kLongestChain = 64;
constexpr std::size_t kWidestSearch = 400;  // tiles
constexpr std::uint32_t kInsists = 2;       // times as long as who backs off
constexpr std::uint32_t kQueuePatience = 4;      // times as long as others, in a queue
constexpr std::uint8_t kOvertakeSteps = 2;
constexpr std::size_t kAhead = 8;  // actors: so far ahead tiles are fetched from memory

/// Toward before glancing before away (ALGORITHMS §3.5).
std::uint8_t order_of(RulesClass c) { return c == RulesClass::kToward ? 0 : c == RulesClass::kGlancing ? 1 : 2; }

RulesBehaviour behaviour_of(RulesMove move, const RulesActor& actor) {
  switch (move) {
    case RulesMove::kForward:
      return actor.intention;
    case RulesMove::kRight:
      return actor.mirrored ? RulesBehaviour::kLeft : RulesBehaviour::kRight;
    case RulesMove::kLeft:
      return actor.mirrored ? RulesBehaviour::kRight : RulesBehaviour::kLeft;
    case RulesMove::kWait:
      return RulesBehaviour::kWait;
    case RulesMove::kSlow:
      return RulesBehaviour::kSlow;
    default:
      return RulesBehaviour::kOvertake;
  }
}

}  // namespace

bool is_ahead(int heading, std::array<std::int32_t, 2> to) {
  const HeadingStep step = kHeadingSteps[heading];
  const std::int32_t along = step.column * to[0] + step.row * to[1];
  if (along <= 0) return false;
  const std::int32_t mine = step.column * step.column + step.row * step.row, far = to[0] * to[0] + to[1] * to[1];
  return 2 * along * along >= mine * far;
}

RulesClass class_of(int heading, int other, std::array<std::int32_t, 2> to) {
  const int apart = eighths_between(heading, other);
  if (apart >= 3) return RulesClass::kToward;
  if (apart <= 1 && (is_ahead(heading, to) || is_ahead(other, {-to[0], -to[1]}))) return RulesClass::kAway;
  return RulesClass::kGlancing;
}

void RulesBoard::begin(const BodyTiles& tiles) {
  if (&tiles != tiles_ || places_.size() != tiles.tile_count()) {
    tiles_ = &tiles;
    places_.assign(tiles.tile_count(), {});
    blocked_.assign(tiles.tile_count(), kFree);
    touched_.clear(), blocked_tiles_.clear();
  }
  for (const TileIndex tile : blocked_tiles_) blocked_[tile] = kFree;
  blocked_tiles_.clear();
  for (std::size_t k = 0; k < touched_.size(); ++k) {
    if (k + 2 * kAhead < touched_.size()) expect(touched_[k + 2 * kAhead]);
    places_[touched_[k]] = {};
  }
  touched_.clear();
  actors_.clear();
}

RulesActor& RulesBoard::add(TileIndex tile) {
  touch(tile).holder = static_cast<std::uint32_t>(actors_.size());
  RulesActor& actor = actors_.emplace_back();
  actor.tile = tile;
  return actor;
}

std::uint32_t RulesBoard::add(const RulesActor& actor) {
  add(actor.tile) = actor;
  return static_cast<std::uint32_t>(actors_.size() - 1);
}

void RulesBoard::block(TileIndex tile, std::uint32_t number) {
  blocked_[tile] = number;
  blocked_tiles_.push_back(tile);
}

void RulesBoard::Wanted::clear(std::size_t people) {
  const int bits = std::bit_width(2 * people + 1);
  shift_ = 64 - bits;
  entries_.assign(std::size_t{1} << bits, {});
}

std::uint32_t RulesBoard::Wanted::exchange(TileIndex tile, std::uint32_t actor) {
  std::size_t at = (tile * 0x9e3779b97f4a7c15ull) >> shift_;
  while (entries_[at].tile != tile && entries_[at].tile != kNoTile) at = (at + 1) & (entries_.size() - 1);
  entries_[at].tile = tile;
  return std::exchange(entries_[at].actor, actor);
}

std::uint64_t RulesBoard::chance(const Rule& rule, const RulesActor& actor) const {
  return random_bits(rule.seed, actor.number, rule.step, static_cast<std::uint32_t>(Purpose::kOrder));
}

/// Agent 1 of two: by social priority, then who is nearer to the middle of the doorway that both want through, then by chance.
bool RulesBoard::is_first(const Rule& rule, std::uint32_t a, std::uint32_t b) const {
  const RulesActor &one = actors_[a], &other = actors_[b];
  if (one.priority != other.priority) return one.priority > other.priority;
  if (rule.settings.doorway_precedence && one.doorway == other.doorway && one.doorway != 0xffffffffu &&
      one.nearness != other.nearness)
    return one.nearness < other.nearness;
  const std::uint32_t low = std::min(one.number, other.number), high = std::max(one.number, other.number);
  const std::uint64_t bits =
      random_bits(rule.seed ^ (std::uint64_t{high} << 32), low, rule.step, static_cast<std::uint32_t>(Purpose::kPair));
  return ((bits & 1) != 0) == (one.number == low);
}

/// The tiles that a move may lead to, in the order of preference.
RulesBoard::Goals RulesBoard::goals_of(const RulesActor& actor, RulesMove move) const {
  Goals goals;
  const auto add = [&](int to_the_left) {
    const int heading = turned(actor.heading, actor.mirrored ? -to_the_left : to_the_left);
    goals.goal[static_cast<std::size_t>(goals.count++)] = {tiles_->next(actor.tile, heading, actor.radius),
                                                           static_cast<std::uint8_t>(heading)};
  };
  switch (move) {
    case RulesMove::kForward:
      goals.goal[0] = {actor.want, actor.heading};
      goals.count = 1;
      break;
    case RulesMove::kRight:
    case RulesMove::kOvertakeRight:
      add(-1);
      if (move == RulesMove::kRight) add(-2);
      break;
    case RulesMove::kLeft:
    case RulesMove::kOvertakeLeft:
      add(1);
      if (move == RulesMove::kLeft) add(2);
      break;
    case RulesMove::kWait:
    case RulesMove::kSlow:
      goals.goal[0] = {actor.tile, actor.heading};
      goals.count = 1;
      break;
  }
  return goals;
}

/// Whether a diagonal step would cross another one between the tiles (erratum F-3).
bool RulesBoard::crosses(std::uint32_t me, Goal goal, std::uint32_t other, TileIndex other_goal) const {
  if ((goal.heading & 1) == 0) return false;
  const RulesActor& actor = actors_[me];
  const TileIndex one = tiles_->next(actor.tile, turned(goal.heading, -1), 0),
                  two = tiles_->next(actor.tile, turned(goal.heading, 1), 0);
  if (one == kNoTile || two == kNoTile) return false;
  for (const auto& [here, there] : {std::pair{one, two}, std::pair{two, one}}) {
    if (other != kNobody && actors_[other].tile == here && other_goal == there) return true;
    const std::uint32_t who = places_[there].holder;
    if (who != kNobody && who != me && actors_[who].from == here && actors_[who].phase < 1) return true;
  }
  return false;
}

RulesReason RulesBoard::fits(const Rule& rule, std::uint32_t me, Goal goal, std::uint32_t other, TileIndex other_goal) const {
  const RulesActor& actor = actors_[me];
  if (goal.tile == kNoTile) return RulesReason::kWall;
  if (goal.tile == actor.tile) return RulesReason::kTaken;
  const bool is_wanted = goal.tile == actor.want && goal.heading == actor.heading;  // then a link leads there
  if (!is_wanted && tiles_->next(actor.tile, goal.heading, actor.radius) != goal.tile) return RulesReason::kWall;
  if (const RulesReason reason = rule.allows(actor, goal.tile); reason != RulesReason::kTaken) return reason;
  if (is_blocked(goal.tile)) return RulesReason::kOccupied;
  if (other != kNobody && goal.tile == other_goal) return RulesReason::kOccupied;
  if (const std::uint32_t holder = places_[goal.tile].holder; holder != kNobody) {
    if (holder != other || other_goal == actors_[other].tile) return RulesReason::kOccupied;
    if (other_goal == actor.tile) return RulesReason::kSwap;
  } else if (const std::uint32_t leaver = places_[goal.tile].leaver; leaver != kNobody && actors_[leaver].is_held) {
    return RulesReason::kOccupied;
  }
  return crosses(me, goal, other, other_goal) ? RulesReason::kCrossing : RulesReason::kTaken;
}

void RulesBoard::commit(const Rule& rule, std::uint32_t me, Goal goal, RulesBehaviour behaviour) {
  RulesActor& actor = actors_[me];
  if (goal.tile == actor.tile)
    return stay(me, behaviour, behaviour == RulesBehaviour::kWait || behaviour == RulesBehaviour::kSlow);
  Place& left = touch(actor.tile);
  if (left.holder == me) left.holder = kNobody;
  left.leaver = me;
  touch(goal.tile).holder = me;
  actor.from = actor.tile, actor.tile = goal.tile, actor.heading = goal.heading, actor.phase = 0;
  actor.is_done = actor.has_moved = true;
  actor.is_blocked = false;
  // Whoever is still half in the tile is waited for. The other of a pair may not have left yet: it does in this step.
  const std::uint32_t leaver = places_[goal.tile].leaver;
  actor.is_held = leaver != kNobody && leaver != me;
  actor.decision.behaviour = behaviour;
  if (behaviour == RulesBehaviour::kOvertake) {
    actor.pace = rule.settings.speed_up;
    actor.along = kOvertakeSteps;
  }
}

void RulesBoard::stay(std::uint32_t me, RulesBehaviour behaviour, bool is_blocked) {
  RulesActor& actor = actors_[me];
  actor.is_done = true;
  actor.is_blocked = is_blocked;
  actor.decision.behaviour = behaviour;
}

std::span<const std::uint32_t> RulesBoard::list_stepping() {
  stepping_.clear();
  for (std::uint32_t i = 0; i < actors_.size(); ++i)
    if (actors_[i].steps) stepping_.push_back(i);
  return stepping_;
}

/// Somebody will be asked soon whether it may step.
void RulesBoard::expect_step(std::size_t k) const {
  if (k + kAhead < stepping_.size()) {
    const RulesActor* later = &actors_[stepping_[k + kAhead]];
    __builtin_prefetch(later), __builtin_prefetch(&later->pace);
  }
  if (k >= stepping_.size()) return;
  const RulesActor& actor = actors_[stepping_[k]];
  if (actor.want != kNoTile) expect(actor.want);
  if ((actor.heading & 1) != 0) tiles_->expect_links(actor.tile);
}

void RulesBoard::find_pairs(const Rule& rule) {
  pairs_.clear();
  std::erase_if(stepping_, [&](std::uint32_t i) { return !actors_[i].steps; });
  wanted_.clear(stepping_.size());
  for (const std::uint32_t i : stepping_) {
    RulesActor& actor = actors_[i];
    actor.is_tried = actor.is_in_pair = false;
    actor.next_wanting = actor.want == kNoTile ? kNobody : wanted_.exchange(actor.want, i);
  }
  const auto add = [&](std::uint32_t a, std::uint32_t b, RulesType type) {
    const RulesActor &one = actors_[a], &other = actors_[b];
    const RulesClass collision = class_of(one.heading, other.heading, tiles_->squares_between(one.tile, other.tile));
    const std::uint32_t low = std::min(one.number, other.number), high = std::max(one.number, other.number);
    pairs_.push_back(
        {std::max(one.priority, other.priority), order_of(collision),
         random_bits(rule.seed ^ (std::uint64_t{high} << 32), low, rule.step, static_cast<std::uint32_t>(Purpose::kRank)),
         low == one.number ? a : b, low == one.number ? b : a, type});
  };
  for (std::size_t k = 0; k < stepping_.size(); ++k) {
    expect_step(k + kAhead);
    const std::uint32_t i = stepping_[k];
    const RulesActor& actor = actors_[i];
    if (actor.want == kNoTile) continue;
    // Collision 1: the same tile. Each pair is found by the one that comes first in the list.
    for (std::uint32_t j = actor.next_wanting; j != kNobody; j = actors_[j].next_wanting) add(i, j, RulesType::kSameTile);
    // Collision 2: each other's tile. Found by the lower number.
    if (const std::uint32_t j = places_[actor.want].holder;
        j != kNobody && actors_[j].steps && actors_[j].want == actor.tile && actor.number < actors_[j].number)
      add(i, j, RulesType::kEachOther);
    // Collision 2'': crossing between the tiles.
    if ((actor.heading & 1) == 0) continue;
    const TileIndex one = tiles_->next(actor.tile, turned(actor.heading, -1), 0),
                    two = tiles_->next(actor.tile, turned(actor.heading, 1), 0);
    if (one == kNoTile || two == kNoTile) continue;
    for (const auto& [here, there] : {std::pair{one, two}, std::pair{two, one}})
      if (const std::uint32_t j = places_[here].holder;
          j != kNobody && actors_[j].steps && actors_[j].want == there && actor.number < actors_[j].number)
        add(i, j, RulesType::kEachOther);
  }
  std::sort(pairs_.begin(), pairs_.end(), [&](const Pair& p, const Pair& q) {
    if (p.priority != q.priority) return p.priority > q.priority;
    if (p.order != q.order) return p.order < q.order;
    if (p.hash != q.hash) return p.hash < q.hash;
    return std::pair(actors_[p.a].number, actors_[p.b].number) < std::pair(actors_[q.a].number, actors_[q.b].number);
  });
}

/// Lets two who would meet take the first possible row of the table.
void RulesBoard::meet(const Rule& rule, Pair& pair) {
  if (actors_[pair.a].is_done || actors_[pair.b].is_done) return;  // whoever is left comes later
  // Who has got nowhere for very long does not step aside any more, but makes those whom it outranks back off: later.
  const auto insists = [&](std::uint32_t me, std::uint32_t other) {
    return actors_[me].blocked >= kInsists * rule.settings.back_off_after && outranks(rule, actors_[me], actors_[other]);
  };
  if (insists(pair.a, pair.b) || insists(pair.b, pair.a)) return;
  // Whoever holds the tile that both want leaves it first, if it can. In a pair of its own it had or will have its turn.
  if (const std::uint32_t holder = places_[actors_[pair.a].want].holder; pair.type == RulesType::kSameTile && holder != kNobody &&
                                                                         actors_[holder].steps && !actors_[holder].is_done &&
                                                                         !actors_[holder].is_in_pair)
    go_forward(rule, holder, 0);
  const auto to_b = tiles_->squares_between(actors_[pair.a].tile, actors_[pair.b].tile);
  const RulesClass collision = class_of(actors_[pair.a].heading, actors_[pair.b].heading, to_b);
  bool a_leads = is_first(rule, pair.a, pair.b);
  if (collision == RulesClass::kAway) {
    // Agent 2 is the one behind, whatever its priority.
    const bool a_is_behind = is_ahead(actors_[pair.a].heading, to_b),
               b_is_behind = is_ahead(actors_[pair.b].heading, {-to_b[0], -to_b[1]});
    if (a_is_behind != b_is_behind) a_leads = b_is_behind;
  }
  const std::uint32_t first = a_leads ? pair.a : pair.b, second = a_leads ? pair.b : pair.a;
  const RulesTable::Rows& rows = rule.settings.table.of(collision, pair.type);
  RulesOutcome said;
  said.met = true, said.collision = collision, said.type = pair.type, said.rows = rows.count;
  said.reasons.fill(RulesReason::kNotTried);
  for (std::uint8_t k = 0; k < rows.count && said.row < 0; ++k) {
    const Goals one = goals_of(actors_[first], rows.row[k].first), two = goals_of(actors_[second], rows.row[k].second);
    for (int i = 0; i < one.count && said.row < 0; ++i)
      for (int j = 0; j < two.count && said.row < 0; ++j) {
        const Goal mine = one.goal[static_cast<std::size_t>(i)], its = two.goal[static_cast<std::size_t>(j)];
        RulesReason reason = fits(rule, first, mine, second, its.tile);
        std::uint8_t whose = 1;
        if (reason == RulesReason::kTaken) reason = fits(rule, second, its, first, mine.tile), whose = 2;
        const auto has_lane = [&](const RulesActor& actor, RulesMove move, Goal goal) {
          if (move != RulesMove::kOvertakeRight && move != RulesMove::kOvertakeLeft) return true;
          const TileIndex beyond = tiles_->next(goal.tile, actor.heading, actor.radius);
          return beyond != kNoTile && is_free(beyond);
        };
        if (reason == RulesReason::kTaken && !has_lane(actors_[first], rows.row[k].first, mine))
          reason = RulesReason::kOccupied, whose = 1;
        if (reason == RulesReason::kTaken && !has_lane(actors_[second], rows.row[k].second, its))
          reason = RulesReason::kOccupied, whose = 2;
        if (said.reasons[k] == RulesReason::kNotTried) said.reasons[k] = reason, said.whose[k] = whose;
        if (reason != RulesReason::kTaken) continue;
        said.reasons[k] = RulesReason::kTaken, said.whose[k] = 0;
        said.row = static_cast<std::int8_t>(k);
        const RulesMove first_move = rows.row[k].first, second_move = rows.row[k].second;
        // Whoever leaves goes first, so that the other finds the tile being left.
        const bool second_leaves = mine.tile == actors_[second].tile;
        for (const std::uint32_t who : {second_leaves ? second : first, second_leaves ? first : second}) {
          const bool is_one = who == first;
          RulesActor& actor = actors_[who];
          const auto kept = actor.decision;
          actor.decision = said;
          actor.decision.replanned = kept.replanned;
          actor.decision.is_first = is_one;
          actor.decision.opponent = actors_[is_one ? second : first].number;
          commit(rule, who, is_one ? mine : its, behaviour_of(is_one ? first_move : second_move, actor));
        }
        // Crossing in front of somebody who waits for it: faster (ALGORITHMS §3.1).
        if (collision == RulesClass::kGlancing && actors_[first].has_moved && second_move == RulesMove::kWait)
          actors_[first].pace = rule.settings.speed_up;
        if (second_move == RulesMove::kSlow && actors_[second].speed > actors_[first].speed && actors_[first].speed > 0)
          actors_[second].pace = actors_[first].speed / actors_[second].speed;
      }
  }
  if (said.row >= 0) return;
  // Somebody else holds the tile that both want: each deals with that one, later.
  if (pair.type == RulesType::kSameTile && places_[actors_[pair.a].want].holder != kNobody) return;
  for (const std::uint32_t who : {first, second}) {
    RulesActor& actor = actors_[who];
    const RulesOutcome kept = actor.decision;
    actor.decision = said;
    actor.decision.replanned = kept.replanned;
    actor.decision.is_first = who == first;
    actor.decision.opponent = actors_[who == first ? second : first].number;
    stay(who, RulesBehaviour::kWait, true);
  }
}

/// Steps to the wanted tile if nobody is there, or whoever is leaves now.
bool RulesBoard::go_forward(const Rule& rule, std::uint32_t me, int depth) {
  RulesActor& actor = actors_[me];
  if (actor.is_tried) return actor.has_moved;
  actor.is_tried = true;
  if (actor.want == kNoTile) return false;
  if (const std::uint32_t ahead = places_[actor.want].holder; ahead != kNobody && depth < kLongestChain) {
    const RulesActor& other = actors_[ahead];
    if (other.steps && !other.is_done && !actors_[ahead].is_in_pair) go_forward(rule, ahead, depth + 1);
  }
  const Goal goal{actor.want, actor.heading};
  if (fits(rule, me, goal, kNobody, kNoTile) == RulesReason::kTaken) {
    commit(rule, me, goal, actor.intention);
    return true;
  }
  return false;
}

/// Who or what is in the way of somebody whose wanted tile is not free.
std::uint32_t RulesBoard::opponent_of(std::uint32_t me, RulesType& type) const {
  const RulesActor& actor = actors_[me];
  type = RulesType::kEachOther;
  if (actor.want == kNoTile) return kNobody;
  if (const std::uint32_t holder = places_[actor.want].holder; holder != kNobody) {
    // It got the tile in this very step: both wanted it.
    if (actors_[holder].has_moved) type = RulesType::kSameTile;
    return holder;
  }
  if (const std::uint32_t leaver = places_[actor.want].leaver; leaver != kNobody) return leaver;
  if ((actor.heading & 1) != 0)
    for (const int side : {-1, 1}) {
      const TileIndex there = tiles_->next(actor.tile, turned(actor.heading, side), 0);
      if (there != kNoTile && places_[there].holder != kNobody && actors_[places_[there].holder].from != kNoTile)
        return places_[there].holder;
    }
  return kNobody;
}

/// Somebody whose way is taken by one who does not step now, or has its move already: rows in which that one goes on as it does.
void RulesBoard::go_alone(const Rule& rule, std::uint32_t me) {
  RulesActor& actor = actors_[me];
  RulesOutcome& said = actor.decision;
  if (actor.want != kNoTile && rule.allows(actor, actor.want) == RulesReason::kYielding)
    return stay(me, RulesBehaviour::kYield, false);
  const bool insists = actor.blocked >= kInsists * rule.settings.back_off_after && actor.want != kNoTile;
  if (insists && places_[actor.want].holder != kNobody && clear_way(rule, me)) return;
  RulesType type;
  const std::uint32_t other = opponent_of(me, type);
  // It leaves: nothing to avoid.
  if (other != kNobody && places_[actor.want].leaver == other && places_[actor.want].holder == kNobody)
    return stay(me, RulesBehaviour::kFollow, false);
  RulesClass collision = RulesClass::kAway;
  bool leads = false;
  std::array<std::int32_t, 2> to_other{};
  if (other != kNobody && (actors_[other].walks || actors_[other].from != kNoTile)) {
    to_other = tiles_->squares_between(actor.tile, actors_[other].tile);
    collision = class_of(actor.heading, actors_[other].heading, to_other);
    leads = collision != RulesClass::kAway && is_first(rule, me, other);
  }
  const RulesTable::Rows& rows = rule.settings.table.of(collision, type);
  said.met = true, said.collision = collision, said.type = type, said.rows = rows.count, said.row = -1;
  said.is_first = leads;
  said.opponent =
      other != kNobody ? actors_[other].number : (actor.want != kNoTile && is_blocked(actor.want) ? blocked_[actor.want] : 0);
  said.reasons.fill(RulesReason::kNotTried);
  for (std::uint8_t k = 0; k < rows.count; ++k) {
    const RulesMove mine = leads ? rows.row[k].first : rows.row[k].second, its = leads ? rows.row[k].second : rows.row[k].first;
    if (its != RulesMove::kForward && its != RulesMove::kWait && its != RulesMove::kSlow) {
      said.reasons[k] = RulesReason::kCannotAct, said.whose[k] = leads ? 2 : 1;
      continue;
    }
    const Goals goals = goals_of(actor, mine);
    for (int i = 0; i < goals.count; ++i) {
      const Goal goal = goals.goal[static_cast<std::size_t>(i)];
      RulesReason reason = fits(rule, me, goal, kNobody, kNoTile);
      if (reason == RulesReason::kTaken && (mine == RulesMove::kOvertakeRight || mine == RulesMove::kOvertakeLeft)) {
        const TileIndex beyond = tiles_->next(goal.tile, actor.heading, actor.radius);
        if (beyond == kNoTile)
          reason = RulesReason::kWall;
        else if (!is_free(beyond))
          reason = RulesReason::kOccupied;
      }
      if (said.reasons[k] == RulesReason::kNotTried) said.reasons[k] = reason, said.whose[k] = leads ? 1 : 2;
      if (reason != RulesReason::kTaken) continue;
      said.reasons[k] = RulesReason::kTaken, said.whose[k] = 0;
      said.row = static_cast<std::int8_t>(k);
      if (mine == RulesMove::kSlow && other != kNobody && actors_[other].walks && actors_[other].speed > 0 &&
          actor.speed > actors_[other].speed)
        actor.pace = actors_[other].speed / actor.speed;
      return commit(rule, me, goal, behaviour_of(mine, actor));
    }
  }
  stay(me, RulesBehaviour::kWait, true);
}

/// The control: forward if it is free, right, left or wait, each as likely, without order or priority (ALGORITHMS §3.7).
void RulesBoard::stumble(const Rule& rule, std::uint32_t me) {
  RulesActor& actor = actors_[me];
  RulesType type;
  const std::uint32_t other = opponent_of(me, type);
  actor.decision.met = true, actor.decision.type = type;
  actor.decision.opponent = other == kNobody ? 0 : actors_[other].number;
  constexpr RulesMove kMoves[] = {RulesMove::kForward, RulesMove::kRight, RulesMove::kLeft, RulesMove::kWait};
  const std::uint64_t bits = random_bits(rule.seed, actor.number, rule.step, static_cast<std::uint32_t>(Purpose::kStumble));
  const RulesMove move = kMoves[bits & 3];
  const Goals goals = goals_of(actor, move);
  for (int i = 0; i < goals.count; ++i)
    if (const Goal goal = goals.goal[static_cast<std::size_t>(i)]; fits(rule, me, goal, kNobody, kNoTile) == RulesReason::kTaken)
      return commit(rule, me, goal, behaviour_of(move, actor));
  stay(me, RulesBehaviour::kWait, true);
}

/// Back, in a heading away from where somebody else wants to go, or beside that.
bool RulesBoard::go_back(const Rule& rule, std::uint32_t me, int away) {
  RulesActor& actor = actors_[me];
  if (actor.has_moved || (!actor.steps && actor.from != kNoTile)) return false;
  for (const int aside : {0, 1, -1}) {
    const int heading = turned(away, aside);
    const Goal goal{tiles_->next(actor.tile, heading, actor.radius), static_cast<std::uint8_t>(heading)};
    if (fits(rule, me, goal, kNobody, kNoTile) != RulesReason::kTaken) continue;
    commit(rule, me, goal, RulesBehaviour::kBack);
    return true;
  }
  return false;
}

/// Who of all comes first in a deadlock, for good: who has it always gets on, so everybody does in the end.
bool RulesBoard::outranks(const Rule& rule, const RulesActor& one, const RulesActor& other) const {
  if (one.priority != other.priority) return one.priority > other.priority;
  const auto rank = [&](const RulesActor& actor) {
    return random_bits(rule.seed, actor.number, 0, static_cast<std::uint32_t>(Purpose::kRank));
  };
  const std::uint64_t mine = rank(one), its = rank(other);
  return mine != its ? mine > its : one.number < other.number;
}

/// A deadlock of long standing: whoever holds the wanted tile backs off, and whoever is behind that one first, along the shortest
/// way to a free tile that does not lead past `me`. Nobody swaps. False if somebody of a higher rank, or a wall, is all round.
bool RulesBoard::clear_way(const Rule& rule, std::uint32_t me) {
  const RulesActor& actor = actors_[me];
  search_.clear();
  const auto can_go = [&](const RulesActor& who) {
    // Who stands and has nowhere to go loses nothing by a step aside.
    const bool gives_in = outranks(rule, actor, who) || (!who.walks && who.priority <= actor.priority);
    return gives_in && !who.has_moved && (who.steps || who.from == kNoTile);
  };
  if (!can_go(actors_[places_[actor.want].holder])) return false;
  search_.push_back({actor.want, kNobody, 0});
  for (std::size_t k = 0; k < search_.size() && k < kWidestSearch; ++k) {
    const TileIndex tile = search_[k].tile;
    const std::uint32_t who = places_[tile].holder;
    for (int turn = 0; turn < kHeadings; ++turn) {
      const int heading = turned(actor.heading, turn);  // straight on first
      const TileIndex next = tiles_->next(tile, heading, actors_[who].radius);
      if (next == kNoTile || next == actor.tile || is_blocked(next)) continue;
      if (std::any_of(search_.begin(), search_.end(), [&](const Found& f) { return f.tile == next; })) continue;
      const Goal goal{next, static_cast<std::uint8_t>(heading)};
      if (places_[next].holder != kNobody) {
        if (can_go(actors_[places_[next].holder]) && !crosses(who, goal, kNobody, kNoTile) &&
            rule.allows(actors_[who], next) == RulesReason::kTaken)
          search_.push_back({next, static_cast<std::uint32_t>(k), goal.heading});
        continue;
      }
      if (fits(rule, who, goal, kNobody, kNoTile) != RulesReason::kTaken) continue;
      // Found: from the free tile back to the wanted one, everybody on it steps on.
      TileIndex to = next;
      std::uint8_t along = goal.heading;
      for (std::uint32_t at = static_cast<std::uint32_t>(k); at != kNobody; at = search_[at].before) {
        const std::uint32_t walker = places_[search_[at].tile].holder;
        const TileIndex here = search_[at].tile;
        // A way that has come to cross another one in the meantime ends here.
        if (crosses(walker, {to, along}, kNobody, kNoTile)) return true;
        actors_[walker].decision.met = true;
        actors_[walker].decision.opponent = actor.number;
        commit(rule, walker, {to, along}, RulesBehaviour::kBackOff);
        to = here, along = search_[at].heading;
      }
      if (!crosses(me, {actor.want, actor.heading}, kNobody, kNoTile))
        commit(rule, me, {actor.want, actor.heading}, actors_[me].intention);
      return true;
    }
  }
  return false;
}

/// Out of the way of somebody of higher priority, who comes from behind `to`'s heading: to the sides first.
void RulesBoard::give_way(const Rule& rule, std::uint32_t me, std::uint32_t to) {
  RulesActor& actor = actors_[me];
  const int heading = actors_[to].heading;
  for (const int aside : {-2, 2, -1, 1, 0, -3, 3}) {
    const int way = turned(heading, aside);
    const Goal goal{tiles_->next(actor.tile, way, actor.radius), static_cast<std::uint8_t>(way)};
    if (fits(rule, me, goal, kNobody, kNoTile) != RulesReason::kTaken) continue;
    actor.decision.met = true;
    actor.decision.opponent = actors_[to].number;
    return commit(rule, me, goal, RulesBehaviour::kGiveWay);
  }
}

/// Somebody has waited against its will: it goes back, or whoever stands in its way makes room.
void RulesBoard::make_room(const Rule& rule, std::uint32_t me) {
  const RulesActor& actor = actors_[me];
  if (actor.has_moved || !actor.is_blocked || actor.blocked + 1 < rule.settings.back_after || actor.want == kNoTile) return;
  const std::uint32_t other = places_[actor.want].holder;
  if (other == kNobody || other == me) return;
  const RulesActor& there = actors_[other];
  // In a queue nobody pushes, unless it has not moved for very long.
  const bool is_queue = there.walks && eighths_between(actor.heading, there.heading) < 2;
  if (actor.blocked + 1 >= (is_queue ? kQueuePatience : 1) * rule.settings.back_off_after && clear_way(rule, me)) return;
  if (there.priority < actor.priority) {
    if (!there.has_moved && (there.steps || there.from == kNoTile)) give_way(rule, other, me);
    if (!there.has_moved && actor.blocked + 1 >= 2 * rule.settings.back_after) clear_way(rule, me);
    return;
  }
  // Only where the other comes towards it: in a queue nobody goes back.
  if (!there.walks || eighths_between(actor.heading, there.heading) < 3) return;
  const std::uint32_t low = std::min(actor.number, there.number), high = std::max(actor.number, there.number);
  const bool low_yields =
      (random_bits(rule.seed ^ (std::uint64_t{high} << 32), low, 0, static_cast<std::uint32_t>(Purpose::kPair)) & 1) != 0;
  const bool yields = there.priority > actor.priority || low_yields == (actor.number == low);
  if (yields) go_back(rule, me, turned(actor.heading, 4));
}

void RulesBoard::resolve(const Rule& rule) {
  find_pairs(rule);
  for (const Pair& pair : pairs_) actors_[pair.a].is_in_pair = actors_[pair.b].is_in_pair = true;
  const bool by_rules = rule.settings.priority_rules;
  if (by_rules)
    for (Pair& pair : pairs_) meet(rule, pair);
  for (std::size_t k = 0; k < stepping_.size(); ++k) {
    expect_step(k + kAhead);
    if (const RulesActor& actor = actors_[stepping_[k]]; !actor.is_done && !actor.is_in_pair) go_forward(rule, stepping_[k], 0);
  }
  // Whoever found its way taken, by priority and chance.
  late_.clear();
  for (const std::uint32_t i : stepping_) {
    if (actors_[i].is_done) continue;
    // Those who insist first, by their lasting rank.
    if (by_rules && actors_[i].blocked >= kInsists * rule.settings.back_off_after) {
      late_.emplace_back(~random_bits(rule.seed, actors_[i].number, 0, static_cast<std::uint32_t>(Purpose::kRank)) >> 34, i);
      continue;
    }
    const std::uint64_t luck = chance(rule, actors_[i]) >> 32;
    const std::uint64_t rank = by_rules ? 0x7fffffffu - static_cast<std::uint64_t>(std::int64_t{actors_[i].priority}) : 0;
    late_.emplace_back(rank << 32 | luck, i);
  }
  const auto by_rank = [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : actors_[a.second].number < actors_[b.second].number;
  };
  std::sort(late_.begin(), late_.end(), by_rank);
  for (const auto& [rank, who] : late_) {
    if (actors_[who].is_done) continue;
    if (by_rules && actors_[who].is_in_pair && go_forward(rule, who, kLongestChain)) continue;
    if (by_rules)
      go_alone(rule, who);
    else
      stumble(rule, who);
  }
  if (!by_rules) return;
  late_.clear();
  for (const std::uint32_t i : stepping_)
    if (actors_[i].is_blocked && actors_[i].blocked + 1 >= rule.settings.back_after)
      late_.emplace_back(
          (0x7fffffffu - static_cast<std::uint64_t>(std::int64_t{actors_[i].priority})) << 32 | chance(rule, actors_[i]) >> 32,
          i);
  std::sort(late_.begin(), late_.end(), by_rank);
  for (const auto& [rank, who] : late_) make_room(rule, who);
}

}  // namespace throng
