// SPDX-License-Identifier: MIT
// Which tile somebody wants next: along its itinerary, back to it, beside it, or in a heading (ALGORITHMS §3.2, §3.3, §3.6).
#include <algorithm>
#include <bit>
#include <cmath>

#include "agents/vec2f.hpp"
#include "base/math.hpp"
#include "base/random.hpp"
#include "motion/rules/rules.hpp"

namespace throng {
namespace {

constexpr int kGoalReach = 6;      // tiles around a goal in which somebody may stand instead
constexpr int kSeen = 5;           // tiles within which others are taken for obstacles when a way round is looked for
constexpr int kOffLimit = 2;       // tiles beside the itinerary; farther off a new one is made
constexpr std::uint32_t kAim = 3;  // tiles ahead, to return to the itinerary
constexpr float kTakenCost = 3;    // tiles: what a doorway's step that somebody stands in counts as longer
constexpr float kWrongSide = 4;    // tiles: what the wrong half of a doorway counts as longer
constexpr float kLongest = 2;      // times the present itinerary, and
constexpr float kLongerBy = 10;    // tiles more: the longest way round that is taken
constexpr std::uint32_t kDither = 0x52300010u;

int far_of(std::array<std::int32_t, 2> d) { return std::max(std::abs(d[0]), std::abs(d[1])); }

/// The heading of a step to a neighbour; −1 if it is none.
int heading_to(const BodyTiles& tiles, TileIndex from, TileIndex to) {
  if (const int heading = tiles.heading_to(from, to); heading >= 0) return heading;
  const auto d = tiles.squares_between(from, to);
  for (int h = 0; h < kHeadings; ++h)
    if (kHeadingSteps[h].column == d[0] && kHeadingSteps[h].row == d[1]) return h;
  return -1;
}

}  // namespace

/// A new itinerary from where somebody stands: to its goal, or to the doorway through which the way leads. False if there is
/// none, or none that is worth it: then the old one stays.
bool RulesMotion::plan(RulesGround& ground, const RulesActor& actor, Agents& agents, const RulesDirectory& directory, bool avoids,
                       Worker& worker) {
  const std::uint32_t row = actor.tag;
  const BodyTiles& tiles = ground.tiles;
  const TileIndex goal = agents.rules_goal[row];
  std::vector<TileIndex>& itinerary = itineraries_[agents.slot[row]];
  if (goal == kNoTile) return false;
  TileQuery query{
      .from = actor.tile, .to = goal, .radius = actor.radius, .in_room = true, .manhattan = ground.settings.manhattan};
  query.factor = directory.factors_of(agents.profile[row]);
  // Round others it goes to the same doorway; otherwise to the next one on the shortest way.
  std::uint32_t doorway = agents.rules_doorway[row];
  const auto is_of_room = [&](std::uint32_t d) {
    const RoomIndex here = ground.rooms.room(actor.tile);
    return d != kNoDoorway && (ground.rooms.doorways()[d].room[0] == here || ground.rooms.doorways()[d].room[1] == here);
  };
  if (!avoids || !is_of_room(doorway) || ground.rooms.room(actor.tile) == ground.rooms.room(goal))
    doorway = worker.doorways.find(tiles, ground.rooms, actor.tile, goal, actor.radius, doorway, worker.search);
  if (doorway != kNoDoorway) {
    // The step through it that lies on the straight way on, and is free.
    const bool is_forward = ground.rooms.doorways()[doorway].room[0] == ground.rooms.room(actor.tile);
    // Where others come the other way who need not wait, everybody keeps to its side.
    const bool is_two_way = ground.settings.priority_rules && ground.settings.side != RulesSide::kNone &&
                            ground.bound[doorway][is_forward ? 1 : 0] >= actor.priority;
    const Vec2 middle = ground.rooms.doorways()[doorway].centre;
    float least = 1e30f;
    for (const Doorway::Step& step : ground.rooms.steps_of(doorway)) {
      const TileIndex near = is_forward ? step.from : step.to, beyond = is_forward ? step.to : step.from;
      const int heading = heading_to(tiles, near, beyond);
      if (heading < 0 || tiles.next(near, heading, actor.radius) != beyond) continue;
      float cost = octile(tiles, actor.tile, near) + octile(tiles, beyond, goal) + ((heading & 1) != 0 ? 0.5f : 0);
      for (const TileIndex t : {near, beyond})
        if (const std::uint32_t who = ground.board.holder(t);
            ground.board.is_blocked(t) || (who != RulesBoard::kNobody && !ground.board.actors()[who].walks))
          cost += kTakenCost;
      if (is_two_way) {
        const BodyTiles::Stand &here = tiles.stand(near), &there = tiles.stand(beyond);
        const Vec2 through = {static_cast<double>(there.x - here.x), static_cast<double>(there.y - here.y)};
        const Vec2 off = Vec2{0.5 * static_cast<double>(here.x + there.x), 0.5 * static_cast<double>(here.y + there.y)} - middle;
        const double left = cross(through, off) * (ground.settings.side == RulesSide::kRight ? 1 : -1);
        if (left > 0.01) cost += kWrongSide;
      }
      if (cost < least) least = cost, query.to = beyond;
    }
  } else {
    query.in_room = ground.rooms.room(actor.tile) == ground.rooms.room(goal);
  }
  const auto is_taken = [&](TileIndex t) {
    if (ground.board.is_blocked(t)) return far_of(tiles.squares_between(actor.tile, t)) <= kSeen;
    return avoids && ground.board.holder(t) != RulesBoard::kNobody && far_of(tiles.squares_between(actor.tile, t)) <= kSeen;
  };
  bool is_found = worker.search.find(tiles, ground.rooms, query, is_taken, worker.path);
  if (avoids) {
    if (!is_found) return false;
    const std::size_t rest = itinerary.size() > agents.rules_at[row] ? itinerary.size() - agents.rules_at[row] : 0;
    if (static_cast<float>(worker.path.size()) > kLongest * static_cast<float>(rest) + kLongerBy) return false;
  }
  if (!is_found) {
    // Somebody in a gap, or a room that is in two parts for this body: through all of the scene.
    query.to = goal, query.in_room = false;
    is_found = worker.search.find(
        tiles, ground.rooms, query, [](TileIndex) { return false; }, worker.path);
    if (!is_found) return false;
    agents.rules_doorway[row] = kNoDoorway;
  } else {
    agents.rules_doorway[row] = doorway;
  }
  // Grown by much at a time: a way that is longer than ever by one tile allocates nothing.
  if (worker.path.size() > itinerary.capacity()) itinerary.reserve(std::bit_ceil(std::max<std::size_t>(64, worker.path.size())));
  itinerary.assign(worker.path.begin(), worker.path.end());
  agents.rules_at[row] = 0;
  return true;
}

/// Whether something stands in a tile that has no reason to leave it, and that somebody has no right to send away.
bool RulesMotion::is_taken_for_good(const RulesGround& ground, const RulesActor& actor, TileIndex tile) {
  if (ground.board.is_blocked(tile)) return true;
  const std::uint32_t who = ground.board.holder(tile);
  if (who == RulesBoard::kNobody) return false;
  const RulesActor& there = ground.board.actors()[who];
  return !there.walks && there.from == kNoTile && (!ground.settings.priority_rules || there.priority >= actor.priority);
}

void RulesMotion::want_by_heading(const RulesGround& ground, RulesActor& actor, const Agents& agents,
                                  const RulesDirectory& directory, std::uint64_t step) const {
  const std::uint32_t row = actor.tag;
  const Vec2f ahead = unit(Vec2f{agents.desired_x[row], agents.desired_y[row]});
  // The two headings beside the wanted direction, the nearer one more often.
  int best = 0;
  float most = -2;
  constexpr float kHalf = 0.70710678f;
  constexpr float kX[kHeadings] = {1, kHalf, 0, -kHalf, -1, -kHalf, 0, kHalf};
  const auto along = [&](int h) { return ahead.x * kX[h] + ahead.y * kX[turned(h, -2)]; };
  for (int h = 0; h < kHeadings; ++h)
    if (along(h) > most) most = along(h), best = h;
  const int beside = along(turned(best, 1)) > along(turned(best, -1)) ? 1 : -1;
  // Across: sine of the angle to the best, of 45° a share.
  const float across = std::sqrt(std::max(0.0f, 1 - most * most)), share = across / kHalf;
  const float luck = static_cast<float>(unit_from_bits(random_bits(directory.seed, actor.number, step, kDither)));
  const int first = share > 0.05f && luck < share ? turned(best, beside) : best;
  const int second = first == best ? turned(best, beside) : best;
  for (const int h : {first, second, turned(best, -beside)}) {
    const TileIndex t = ground.tiles.next(actor.tile, h, actor.radius);
    if (t == kNoTile) continue;
    actor.want = t, actor.heading = static_cast<std::uint8_t>(h);
    return;
  }
  actor.heading = static_cast<std::uint8_t>(best);
}

/// The tile in which somebody's goal is, or the nearest one where it can stand.
const RulesMotion::GoalTile& RulesMotion::goal_tile(const RulesGround& ground, const RulesActor& actor, const Agents& agents) {
  const std::uint32_t row = actor.tag, part = ground.tiles.part(actor.tile), layer = agents.goal_layer[row];
  const auto index = static_cast<std::uint32_t>(&ground - grounds_.data());
  const float x = agents.goal_x[row], y = agents.goal_y[row];
  GoalTile& known = goal_tiles_[actor.slot];
  if (known.x != x || known.y != y || known.radius != actor.radius || known.layer != layer || known.part != part ||
      known.ground != index) {
    const TileIndex tile = ground.tiles.tile_for({static_cast<double>(x), static_cast<double>(y)}, layer, actor.radius,
                                                 kGoalReach, [&](TileIndex t) { return ground.tiles.part(t) == part; });
    known.x = x, known.y = y, known.radius = actor.radius, known.part = part, known.tile = tile;
    known.layer = layer & 0xffffffu, known.ground = index & 0xffu;
    if (tile != kNoTile) known.stand_x = ground.tiles.stand(tile).x, known.stand_y = ground.tiles.stand(tile).y;
  }
  return known;
}

void RulesMotion::want(RulesGround& ground, RulesActor& actor, Agents& agents, const RulesDirectory& directory,
                       const Frozen& world, Worker& worker) {
  const BodyTiles& tiles = ground.tiles;
  const std::uint32_t row = actor.tag;
  actor.mirrored = ground.settings.side == RulesSide::kLeft;
  actor.want = kNoTile;
  actor.intention = RulesBehaviour::kForward;
  const auto go = [&](int heading, RulesBehaviour intention) {
    actor.want = tiles.next(actor.tile, heading, actor.radius);
    actor.heading = static_cast<std::uint8_t>(heading);
    actor.intention = intention;
  };
  if (actor.doorway != kNoDoorway) {
    const Vec2 to = tiles.way({static_cast<double>(tiles.stand(actor.tile).x), static_cast<double>(tiles.stand(actor.tile).y)},
                              ground.rooms.doorways()[actor.doorway].centre);
    actor.nearness = static_cast<float>(length(to));
  }
  if (agents.has_heading[row] != 0 || directory.is_led(row)) {
    if (agents.rules_along[row] > 0) {
      go(agents.rules_heading[row], RulesBehaviour::kForward);
      if (actor.want != kNoTile) return;
    }
    return want_by_heading(ground, actor, agents, directory, world.step);
  }
  // Where to, in the end.
  const GoalTile& end = goal_tile(ground, actor, agents);
  const TileIndex goal = end.tile;
  std::vector<TileIndex>& itinerary = itineraries_[agents.slot[row]];
  bool is_new = goal != agents.rules_goal[row] || itinerary.empty();
  if (goal != agents.rules_goal[row]) agents.rules_doorway[row] = kNoDoorway;
  agents.rules_goal[row] = goal;
  if (goal == kNoTile) {
    // No tile near the goal can be reached from here: the corridor knows a way.
    itinerary.clear();
    return want_by_heading(ground, actor, agents, directory, world.step);
  }
  if (actor.tile == goal) {
    actor.steps = false;
    actor.decision.behaviour = RulesBehaviour::kStand;
    return;
  }
  // Beside a place that is taken for good: it waits there, where it would otherwise walk round it for ever.
  const Vec2 rest = tiles.way({static_cast<double>(actor.stand_x), static_cast<double>(actor.stand_y)},
                              {static_cast<double>(end.stand_x), static_cast<double>(end.stand_y)});
  const double near = 2 * static_cast<double>(tiles.size());  // no two places of adjoining tiles are farther apart
  if (std::abs(rest.x) <= near && std::abs(rest.y) <= near && far_of(tiles.squares_between(actor.tile, goal)) <= 1 &&
      is_taken_for_good(ground, actor, goal)) {
    actor.steps = false;
    actor.decision.behaviour = RulesBehaviour::kBeside;
    return;
  }
  // Out of what is kept clear for others.
  if (ground.active != 0 && ground.clear[actor.tile] != 0 && (ground.clear[actor.tile] & ground.active) != 0)
    for (std::size_t y = 0; y < ground.settings.yields.size(); ++y)
      if ((ground.clear[actor.tile] & ground.active & (1u << y)) != 0 && actor.priority < ground.settings.yields[y].priority) {
        for (const int turn : {4, 3, 5, 2, 6, 1, 7, 0}) {
          const int h = turned(agents.rules_heading[row], turn);
          const TileIndex t = tiles.next(actor.tile, h, actor.radius);
          if (t == kNoTile || ground.clear_distance[t] >= ground.clear_distance[actor.tile] || !ground.board.is_free(t)) continue;
          return go(h, RulesBehaviour::kYield);
        }
      }
  if (!is_new && agents.rules_replan[row] != 0) {
    agents.rules_replan[row] = 0;
    actor.decision.replanned = plan(ground, actor, agents, directory, true, worker);
  }
  if (agents.rules_along[row] > 0) {
    go(agents.rules_heading[row], RulesBehaviour::kForward);
    if (actor.want != kNoTile) return;
    agents.rules_along[row] = 0;
  }
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (is_new && !plan(ground, actor, agents, directory, false, worker)) {
      itinerary.clear();
      return want_by_heading(ground, actor, agents, directory, world.step);
    }
    if (is_new) actor.doorway = agents.rules_doorway[row];
    is_new = true;
    // Where it is along the itinerary.
    std::uint32_t& at = agents.rules_at[row];
    at = std::min<std::uint32_t>(at, static_cast<std::uint32_t>(itinerary.size() - 1));
    if (itinerary[at] != actor.tile) {
      const std::uint32_t low = at < 4 ? 0 : at - 4,
                          high = std::min<std::uint32_t>(at + 8, static_cast<std::uint32_t>(itinerary.size() - 1));
      // On it, as nearly always: told by the numbers alone, without the tiles themselves, which may be far away in memory.
      const auto found = std::find(itinerary.begin() + low, itinerary.begin() + high + 1, actor.tile);
      int least = 1000;
      if (found != itinerary.begin() + high + 1)
        at = static_cast<std::uint32_t>(found - itinerary.begin());
      else
        for (std::uint32_t k = low; k <= high; ++k)
          if (const int off = far_of(tiles.squares_between(actor.tile, itinerary[k])); off <= least) least = off, at = k;
      if (itinerary[at] != actor.tile && least > kOffLimit) continue;
    }
    const auto last = static_cast<std::uint32_t>(itinerary.size() - 1);
    if (at == last && itinerary[at] == actor.tile) continue;  // through the doorway: the next room
    if (itinerary[at] == actor.tile) {
      const int heading = heading_to(tiles, actor.tile, itinerary[at + 1]);
      if (heading < 0) continue;
      go(heading, RulesBehaviour::kForward);
      if (ground.settings.side == RulesSide::kNone && at + 2 <= last) {
        // The side to which the itinerary turns next deviates least.
        const int later = heading_to(tiles, itinerary[at + 1], itinerary[at + 2]);
        actor.mirrored = later >= 0 && ((later - heading) & 7) != 0 && ((later - heading) & 7) < 4;
      }
      if (actor.want == itinerary[at + 1]) return;
      continue;
    }
    // Beside it. Whoever keeps to the side it stepped to goes on there as long as the itinerary leads straight on; the others
    // return, to where the itinerary is three tiles ahead: no sudden turn.
    if (at + kAim + 1 <= last) {
      const int heading = heading_to(tiles, itinerary[at], itinerary[at + 1]);
      bool is_straight = heading >= 0;
      for (std::uint32_t k = 1; k < kAim && is_straight; ++k)
        is_straight = heading_to(tiles, itinerary[at + k], itinerary[at + k + 1]) == heading;
      const auto off = tiles.squares_between(itinerary[at], actor.tile);
      const int left = heading < 0 ? 0 : kHeadingSteps[heading].column * off[1] - kHeadingSteps[heading].row * off[0];
      const bool keeps =
          (ground.settings.side == RulesSide::kRight && left < 0) || (ground.settings.side == RulesSide::kLeft && left > 0);
      if (is_straight && keeps) {
        go(heading, RulesBehaviour::kForward);
        if (actor.want != kNoTile) return;
      }
    }
    const TileIndex aim = itinerary[std::min(at + kAim, last)];
    const auto nearer = [&](TileIndex from, int straight) {
      float least = octile(tiles, from, aim) - 0.01f;
      int best = -1;
      for (const int turn : {0, -1, 1, -2, 2, -3, 3, 4}) {
        const int h = turned(straight, turn);
        const TileIndex t = tiles.next(from, h, actor.radius);
        if (t != kNoTile && octile(tiles, t, aim) < least) least = octile(tiles, t, aim) - 0.01f, best = h;
      }
      return best;
    };
    const int best = nearer(actor.tile, agents.rules_heading[row]);
    // Only if that leads there: a wall may be in between.
    TileIndex ahead = actor.tile;
    for (int heading = best, k = 0; heading >= 0 && k < 2 * static_cast<int>(kAim) && ahead != aim; ++k) {
      ahead = tiles.next(ahead, heading, actor.radius);
      heading = nearer(ahead, heading);
    }
    if (best < 0 || ahead != aim) continue;
    return go(best, RulesBehaviour::kRejoin);
  }
  want_by_heading(ground, actor, agents, directory, world.step);
}

}  // namespace throng
