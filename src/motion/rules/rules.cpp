// SPDX-License-Identifier: MIT
#include "motion/rules/rules.hpp"

#include <algorithm>
#include <cmath>

#include "agents/vec2f.hpp"

namespace throng {
namespace {

constexpr std::size_t kRulesGrain = 512, kPlanGrain = 32;
constexpr int kTileReach = 8;            // tiles in which somebody without a tile looks for one
constexpr float kDisplaced = 0.6f;   // tiles from where it should be: it was put elsewhere
constexpr float kLeastGoalSpeed = 0.2f;  // share of the preferred speed, in front of a goal
constexpr std::uint32_t kProgress = 6,
                        kAsideCounts = 4;  // steps of waiting that a step forward makes good, and one aside counts as
constexpr std::size_t kAhead = 8;          // people: so far ahead tiles are fetched, as memory is what a large crowd waits for
constexpr std::size_t kWantAhead = 3;      // of those who step
constexpr float kElbow = 0.1f;             // m that others' bodies may reach into the way of who stands in a tile

bool ring_holds(const Ring& ring, Vec2 p) {
  bool inside = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
    const Vec2 a = ring[i], b = ring[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) inside = !inside;
  }
  return inside;
}
bool holds(const Polygon& shape, Vec2 p) {
  return shape.outer.size() >= 3 && ring_holds(shape.outer, p) &&
         std::none_of(shape.holes.begin(), shape.holes.end(), [p](const Ring& hole) { return ring_holds(hole, p); });
}

Vec2 place_of(const BodyTiles::Stand& stand) { return {static_cast<double>(stand.x), static_cast<double>(stand.y)}; }

}  // namespace

RulesMotion::RulesMotion(std::span<const MotionModel> models) {
  for (const MotionModel& model : models) {
    const auto* mine = std::get_if<RulesSettings>(&model);
    ground_of_model_.push_back(mine == nullptr ? kOther : static_cast<std::uint8_t>(grounds_.size()));
    if (mine == nullptr) continue;
    grounds_.emplace_back();
    grounds_.back().settings = *mine;
  }
}

void RulesMotion::lay_tiles(const Cells& cells, Vec2 period_low, Vec2 period_size,
                            FunctionRef<double(Vec2 place, std::uint32_t layer)> elevation) {
  for (RulesGround& ground : grounds_) {
    ground.tiles = BodyTiles(
        cells, {.size = static_cast<double>(ground.settings.tile), .period_low = period_low, .period_size = period_size},
        elevation);
    ground.rooms = Rooms(cells, ground.tiles, static_cast<double>(ground.settings.doorway_width));
    ground.board = {};
    lay_yields(ground);
  }
  goal_tiles_.assign(goal_tiles_.size(), {});
}

void RulesMotion::lay_yields(RulesGround& ground) {
  const std::uint32_t count = ground.settings.yields.empty() ? 0 : ground.tiles.tile_count();
  ground.inside.assign(count, 0), ground.clear.assign(count, 0), ground.clear_distance.assign(count, 0);
  for (TileIndex t = 0; t < count; ++t)
    for (std::size_t y = 0; y < ground.settings.yields.size(); ++y) {
      const RulesYield& yield = ground.settings.yields[y];
      if (ground.tiles.layer(t) != yield.layer) continue;
      const Vec2 at = place_of(ground.tiles.stand(t));
      const auto bit = static_cast<std::uint8_t>(1u << y);
      if (holds(yield.inside, at)) ground.inside[t] |= bit;
      if (holds(yield.clear, at)) ground.clear[t] |= bit;
    }
  // How far it is out of what is kept clear, breadth first.
  std::vector<TileIndex> ring, next;
  for (TileIndex t = 0; t < count; ++t)
    if (ground.clear[t] == 0 && ground.inside[t] == 0) ring.push_back(t);
  for (std::uint8_t distance = 1; !ring.empty() && distance < 255; ++distance, ring.swap(next)) {
    next.clear();
    for (const TileIndex t : ring)
      for (int heading = 0; heading < kHeadings; ++heading)
        if (const TileIndex to = ground.tiles.next(t, heading, 0);
            to != kNoTile && ground.clear[to] != 0 && ground.clear_distance[to] == 0)
          ground.clear_distance[to] = distance, next.push_back(to);
  }
}

void RulesMotion::forget(Agents& agents, std::uint32_t row) {
  agents.rules_tile[row] = agents.rules_from[row] = agents.rules_goal[row] = kNoTile;
  agents.rules_doorway[row] = kNoDoorway;
  agents.rules_phase[row] = agents.rules_pace[row] = 1;
  agents.rules_at[row] = 0;
  agents.rules_blocked[row] = 0;
  agents.rules_along[row] = agents.rules_replan[row] = 0;
}

/// Everybody onto the board: people of this model as actors, all others as what blocks tiles.
void RulesMotion::set_up(RulesGround& ground, std::uint8_t model, const Frozen& world, Agents& agents,
                         const RulesDirectory& directory) {
  const BodyTiles& tiles = ground.tiles;
  RulesBoard& board = ground.board;
  board.begin(tiles);
  ground.homeless.clear();
  const auto size = static_cast<double>(tiles.size());
  for (std::uint32_t row = 0; row < agents.active_count(); ++row) {
    if (row + 2 * kAhead < agents.active_count())
      if (const TileIndex later = agents.rules_tile[row + 2 * kAhead]; later != kNoTile) {
        tiles.expect(later), board.expect(later);
        if (const TileIndex from = agents.rules_from[row + 2 * kAhead]; from != kNoTile) board.expect(from);
      }
    const Vec2 at = {static_cast<double>(agents.now.x[row]), static_cast<double>(agents.now.y[row])};
    const bool is_mine = world.model[row] == model && agents.activity[row] != Activity::kDriven;
    Vec2 stand{};
    if (is_mine && agents.rules_tile[row] != kNoTile) {
      const Vec2 start = {static_cast<double>(agents.rules_start_x[row]), static_cast<double>(agents.rules_start_y[row])};
      stand = place_of(tiles.stand(agents.rules_tile[row]));
      const Vec2 expected = agents.rules_from[row] == kNoTile
                                ? stand
                                : start + static_cast<double>(agents.rules_phase[row]) * tiles.way(start, stand);
      const Vec2 off = tiles.way(expected, at);
      if (dot(off, off) > static_cast<double>(kDisplaced * kDisplaced) * size * size) forget(agents, row);
    }
    if (is_mine && agents.rules_tile[row] != kNoTile && board.holder(agents.rules_tile[row]) == RulesBoard::kNobody) {
      RulesActor& actor = board.add(agents.rules_tile[row]);
      actor.number = agents.number[row];
      actor.priority = agents.priority[row];
      actor.radius = agents.radius[row];
      actor.from = agents.rules_from[row], actor.phase = agents.rules_phase[row];
      actor.heading = agents.rules_heading[row];
      actor.blocked = agents.rules_blocked[row];
      actor.doorway = agents.rules_doorway[row];
      actor.stand_x = static_cast<float>(stand.x), actor.stand_y = static_cast<float>(stand.y);
      actor.tag = row, actor.slot = agents.slot[row];
      if (actor.from != kNoTile && actor.phase < ground.settings.headway) board.hold_left_tile();
      continue;
    }
    if (is_mine) {
      forget(agents, row);
      ground.homeless.push_back(row);
    } else if (ground_of_model_[std::min<std::size_t>(agents.model[row], ground_of_model_.size() - 1)] != kOther &&
               (world.model[row] >= ground_of_model_.size() || ground_of_model_[world.model[row]] == kOther)) {
      forget(agents, row);  // another model has it in this step
    }
    // A body that rules do not move: it blocks the tiles in which one could not stand beside it.
    const std::uint32_t layer = layer_of_cell_[agents.cell[row]];
    const auto column = static_cast<std::int32_t>(std::floor(at.x / size)),
               line = static_cast<std::int32_t>(std::floor(at.y / size));
    const double near = static_cast<double>(agents.radius[row]) + 0.2 - static_cast<double>(kElbow);
    for (std::int32_t dy = -1; dy <= 1; ++dy)
      for (std::int32_t dx = -1; dx <= 1; ++dx) {
        const TileIndex t = tiles.inside(tiles.grid().tile_of_square(column + dx, line + dy, layer));
        if (t == kNoTile) continue;
        const Vec2 way = tiles.way(at, place_of(tiles.stand(t)));
        if ((dx == 0 && dy == 0) || dot(way, way) < near * near) board.block(t, agents.number[row]);
      }
  }
  directory.block_vehicles(tiles, [&](TileIndex t) { board.block(t, 0); });
}

/// A tile for those who have none: the nearest free one, by number.
void RulesMotion::find_homes(RulesGround& ground, Agents& agents) {
  if (ground.homeless.empty()) return;
  const BodyTiles& tiles = ground.tiles;
  std::sort(ground.homeless.begin(), ground.homeless.end(),
            [&](std::uint32_t a, std::uint32_t b) { return agents.number[a] < agents.number[b]; });
  for (const std::uint32_t row : ground.homeless) {
    const Vec2 at = {static_cast<double>(agents.now.x[row]), static_cast<double>(agents.now.y[row])};
    const Vec2 goal = {static_cast<double>(agents.goal_x[row]), static_cast<double>(agents.goal_y[row])};
    constexpr std::uint32_t kAnyPart = 0xffffffffu;
    std::uint32_t part = kAnyPart;
    if (agents.activity[row] == Activity::kWalking && agents.has_heading[row] == 0)
      if (const TileIndex t = tiles.tile_for(goal, agents.goal_layer[row], 0, kTileReach, [](TileIndex) { return true; });
          t != kNoTile)
        part = tiles.part(t);
    const auto home = [&](bool in_any_part) {
      return tiles.tile_for(at, layer_of_cell_[agents.cell[row]], agents.radius[row], kTileReach, [&](TileIndex t) {
        const bool is_own = ground.board.is_blocked(t);  // its own body blocks the tile that it stands in
        const Vec2 off = tiles.way(at, place_of(tiles.stand(t)));
        return ground.board.holder(t) == RulesBoard::kNobody && ground.board.leaver(t) == RulesBoard::kNobody &&
               (in_any_part || tiles.part(t) == part) && (!is_own || dot(off, off) < 0.2);
      });
    };
    TileIndex tile = home(part == kAnyPart);
    // Its goal may be in a corner that no tile beside it leads to: then it goes as near as it gets.
    if (tile == kNoTile && part != kAnyPart) tile = home(true);
    if (tile == kNoTile) {
      const std::uint32_t slot = agents.slot[row];
      seats_[slot] = {kOffTiles, 0};
      off_tiles_.push_back(slot);
      continue;
    }
    agents.rules_tile[row] = agents.rules_from[row] = tile;
    agents.rules_start_x[row] = agents.now.x[row], agents.rules_start_y[row] = agents.now.y[row];
    agents.rules_phase[row] = 0;
    RulesActor actor;
    actor.number = agents.number[row], actor.priority = agents.priority[row], actor.radius = agents.radius[row];
    actor.tile = actor.from = tile, actor.phase = 0, actor.tag = row, actor.heading = agents.rules_heading[row];
    actor.stand_x = tiles.stand(tile).x, actor.stand_y = tiles.stand(tile).y;
    actor.slot = agents.slot[row];
    ground.board.add(actor);
  }
}

RulesReason RulesMotion::allows(const RulesGround& ground, const RulesActor& actor, TileIndex tile) const {
  if (ground.active == 0) return RulesReason::kTaken;
  for (std::size_t y = 0; y < ground.settings.yields.size(); ++y) {
    const auto bit = static_cast<std::uint8_t>(1u << y);
    if ((ground.active & bit) == 0 || actor.priority >= ground.settings.yields[y].priority) continue;
    if ((ground.inside[tile] & bit) != 0 && (ground.inside[actor.tile] & bit) == 0) return RulesReason::kYielding;
    if ((ground.clear[tile] & bit) != 0 &&
        ((ground.clear[actor.tile] & bit) == 0 || ground.clear_distance[tile] >= ground.clear_distance[actor.tile]))
      return RulesReason::kYielding;
  }
  return RulesReason::kTaken;
}

/// Lets the time of this step pass for one who is between two tiles.
void RulesMotion::advance(RulesGround& ground, RulesActor& actor, Agents& agents, float dt) const {
  const std::uint32_t row = actor.tag;
  const float wanted = length(Vec2f{agents.desired_x[row], agents.desired_y[row]});
  actor.walks = agents.activity[row] == Activity::kWalking && wanted > 0;
  actor.decision.behaviour = actor.walks ? RulesBehaviour::kWalk : RulesBehaviour::kStand;
  const float least = kLeastGoalSpeed * agents.preferred_speed[row];
  actor.speed = std::min(std::max(wanted, least), agents.max_speed[row]);
  const float speed = std::min(actor.speed * agents.rules_pace[row], agents.max_speed[row]);
  float spare = speed * dt;  // m that it gets on
  if (actor.from != kNoTile) {
    if (const std::uint32_t leaver = ground.board.leaver(actor.tile);
        leaver != RulesBoard::kNobody && ground.board.actors()[leaver].tag != row) {
      actor.is_held = true;
      return;
    }
    const Vec2 way =
        ground.tiles.way({static_cast<double>(agents.rules_start_x[row]), static_cast<double>(agents.rules_start_y[row])},
                         {static_cast<double>(actor.stand_x), static_cast<double>(actor.stand_y)});
    const auto far = static_cast<float>(length(way));
    const float rest = far * (1 - agents.rules_phase[row]);
    if (rest > spare) {
      actor.phase = agents.rules_phase[row] + spare / far;
      return;
    }
    spare -= rest;
    actor.phase = 1;
  }
  actor.spare = spare;
  actor.steps = actor.walks;
}

void RulesMotion::prepare(const Frozen& world, Agents& agents, const Cells& cells, const RulesDirectory& directory,
                          TaskRunner& tasks) {
  layer_of_cell_ = cells.layer;
  if (workers_.size() < tasks.worker_count()) workers_.resize(tasks.worker_count());
  std::uint32_t slots = 0;
  for (std::uint32_t row = 0; row < agents.active_count(); ++row) slots = std::max(slots, agents.slot[row] + 1);
  if (itineraries_.size() < slots) itineraries_.resize(slots);
  if (seats_.size() < slots) seats_.resize(slots), goal_tiles_.resize(slots);
  stands_.resize(agents.active_count());
  for (const std::uint32_t slot : off_tiles_) seats_[slot] = {};
  off_tiles_.clear();
  decided_step_ = world.step;
  arrival_distance_ = directory.arrival_distance;
  for (std::size_t model = 0; model < ground_of_model_.size(); ++model) {
    if (ground_of_model_[model] == kOther) continue;
    RulesGround& ground = grounds_[ground_of_model_[model]];
    set_up(ground, static_cast<std::uint8_t>(model), world, agents, directory);
    RulesBoard& board = ground.board;
    if (board.actors().empty() && ground.homeless.empty()) continue;
    find_homes(ground, agents);
    auto& actors = board.actors();
    tasks.parallel_for(actors.size(), kRulesGrain, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t i = begin; i < end; ++i) {
        if (i + kAhead < end) board.expect(actors[i + kAhead].tile);
        advance(ground, actors[i], agents, world.dt);
      }
    });
    ground.active = 0;
    if (ground.settings.priority_rules)
      for (std::size_t y = 0; y < ground.settings.yields.size(); ++y)
        for (const RulesActor& actor : actors)
          if (actor.walks && actor.priority >= ground.settings.yields[y].priority && (ground.inside[actor.tile] >> y & 1) != 0)
            ground.active |= static_cast<std::uint8_t>(1u << y);
    ground.bound.assign(ground.rooms.doorways().size(), {RulesGround::kNobodyBound, RulesGround::kNobodyBound});
    if (!ground.bound.empty())
      for (const RulesActor& actor : actors) {
        if (!actor.walks || actor.doorway == kNoDoorway) continue;
        auto& bound = ground.bound[actor.doorway];
        const std::size_t side = ground.rooms.doorways()[actor.doorway].room[0] == ground.rooms.room(actor.tile) ? 0 : 1;
        bound[side] = std::max(bound[side], actor.priority);
      }
    const std::span<const std::uint32_t> stepping = board.list_stepping();
    tasks.parallel_for(stepping.size(), kPlanGrain, [&](std::size_t begin, std::size_t end, unsigned worker) {
      for (std::size_t k = begin; k < end; ++k) {
        if (k + 3 * kWantAhead < end) {
          const RulesActor* later = &actors[stepping[k + 3 * kWantAhead]];
          __builtin_prefetch(later), __builtin_prefetch(&later->pace);
        }
        if (k + 2 * kWantAhead < end) {
          const RulesActor& later = actors[stepping[k + 2 * kWantAhead]];
          ground.tiles.expect(later.tile), ground.tiles.expect_links(later.tile), ground.tiles.expect_square(later.tile);
          __builtin_prefetch(&itineraries_[later.slot]), __builtin_prefetch(&goal_tiles_[later.slot]);
        }
        if (k + kWantAhead < end) {
          const RulesActor& later = actors[stepping[k + kWantAhead]];
          if (const auto& way = itineraries_[later.slot]; !way.empty())
            __builtin_prefetch(way.data() + agents.rules_at[later.tag]);
        }
        if (k + 1 < end) {
          const RulesActor& later = actors[stepping[k + 1]];
          if (const auto& way = itineraries_[later.slot]; agents.rules_at[later.tag] < way.size())
            ground.tiles.expect_square(way[agents.rules_at[later.tag]]);
        }
        want(ground, actors[stepping[k]], agents, directory, world, workers_[worker]);
      }
    });
    const auto allowed = [&](const RulesActor& actor, TileIndex tile) { return allows(ground, actor, tile); };
    board.resolve({ground.settings, directory.seed, world.step, allowed});
    tasks.parallel_for(actors.size(), kRulesGrain,
                       [&](std::size_t begin, std::size_t end, unsigned) { write_back(ground, agents, begin, end); });
  }
}

/// What the board decided, into the columns.
void RulesMotion::write_back(RulesGround& ground, Agents& agents, std::size_t begin, std::size_t end) {
  const BodyTiles& tiles = ground.tiles;
  const auto index = static_cast<std::uint32_t>(&ground - grounds_.data());
  for (std::size_t i = begin; i < end; ++i) {
    RulesActor& actor = ground.board.actors()[i];
    if (i + kAhead < end) {
      const RulesActor& later = ground.board.actors()[i + kAhead];
      if (later.has_moved) tiles.expect(later.tile);
      __builtin_prefetch(&seats_[later.slot], 1);
    }
    const std::uint32_t row = actor.tag;
    const bool has_arrived = actor.phase >= 1 && !actor.has_moved;
    if (actor.has_moved) {
      // From where it is, or from where its last step ended, on with the time that is left.
      Vec2 start = {static_cast<double>(actor.stand_x), static_cast<double>(actor.stand_y)};
      actor.stand_x = tiles.stand(actor.tile).x, actor.stand_y = tiles.stand(actor.tile).y;
      if (agents.rules_from[row] == kNoTile)
        start = {static_cast<double>(agents.now.x[row]), static_cast<double>(agents.now.y[row])};
      agents.rules_start_x[row] = static_cast<float>(start.x), agents.rules_start_y[row] = static_cast<float>(start.y);
      const auto far =
          static_cast<float>(length(tiles.way(start, {static_cast<double>(actor.stand_x), static_cast<double>(actor.stand_y)})));
      agents.rules_pace[row] = actor.pace;
      agents.rules_phase[row] = actor.is_held || far <= 0 ? 0 : std::min(0.95f, actor.spare / far);
      agents.rules_from[row] = actor.from;
      agents.rules_tile[row] = actor.tile;
      agents.rules_heading[row] = actor.heading;
      // Who has cleared its way through a deadlock does not wait as long for the next one.
      const bool clears = actor.blocked + 1 >= ground.settings.back_off_after && actor.decision.behaviour == actor.intention;
      // Steps aside and back are no progress: people who dance round each other are blocked too.
      const RulesBehaviour did = actor.decision.behaviour;
      const bool is_aside = did == RulesBehaviour::kRight || did == RulesBehaviour::kLeft || did == RulesBehaviour::kBack ||
                            did == RulesBehaviour::kGiveWay;
      const std::uint32_t limit = 2 * ground.settings.back_off_after;
      std::uint32_t blocked = std::min(actor.blocked, limit);
      if (did == RulesBehaviour::kForward) blocked = blocked > kProgress ? blocked - kProgress : 0;
      if (is_aside) blocked = std::min(limit, blocked + kAsideCounts);
      if (clears) blocked = std::max(blocked, ground.settings.back_off_after - 3);
      agents.rules_blocked[row] = static_cast<std::uint16_t>(blocked);
      if (actor.along > 0)
        agents.rules_along[row] = actor.along;
      else if (agents.rules_along[row] > 0)
        --agents.rules_along[row];
    } else if (has_arrived) {
      agents.rules_from[row] = kNoTile;
      agents.rules_phase[row] = 1;
      agents.rules_start_x[row] = actor.stand_x, agents.rules_start_y[row] = actor.stand_y;
      agents.rules_heading[row] = actor.heading;
      agents.rules_pace[row] = actor.pace;
      if (actor.is_blocked) {
        const std::uint32_t blocked = std::min(65000u, actor.blocked + 1);
        agents.rules_blocked[row] = static_cast<std::uint16_t>(blocked);
        agents.rules_along[row] = 0;
        // A way round: at first after ten steps, then after twenty, forty …
        for (std::uint32_t at = ground.settings.replan_after; at > 0 && at <= blocked; at *= 2)
          if (at == blocked) agents.rules_replan[row] = 1;
      } else if (!actor.steps) {
        agents.rules_blocked[row] = 0;
      }
    } else {
      agents.rules_phase[row] = actor.phase;
    }
    // For who asks later: as they are after the step.
    actor.blocked = agents.rules_blocked[row], actor.pace = agents.rules_pace[row];
    seats_[actor.slot] = {static_cast<std::uint32_t>(i), index};
    stands_[row] = {actor.stand_x, actor.stand_y};
  }
}

RulesDecision RulesMotion::decision_of(std::size_t slot) const {
  RulesDecision said;
  if (slot >= seats_.size() || seats_[slot].actor == RulesBoard::kNobody) return said;
  const Seat seat = seats_[slot];
  said.step = decided_step_;
  if (seat.actor == kOffTiles) {
    said.behaviour = RulesBehaviour::kOffTiles;
    return said;
  }
  const RulesGround& ground = grounds_[seat.ground];
  if (seat.actor >= ground.board.actors().size()) return {};
  const RulesActor& actor = ground.board.actors()[seat.actor];
  if (actor.slot != slot) return {};
  const RulesOutcome& outcome = actor.decision;
  const auto place = [&](TileIndex t) { return place_of(ground.tiles.stand(t)); };
  said.behaviour = outcome.behaviour;
  said.met = outcome.met, said.collision = outcome.collision, said.type = outcome.type, said.opponent = outcome.opponent;
  said.is_first = outcome.is_first, said.row = outcome.row, said.rows = outcome.rows;
  said.reasons = outcome.reasons, said.whose = outcome.whose;
  said.taken = place(actor.tile);
  const bool stayed = actor.steps && !actor.has_moved;
  said.from = stayed || actor.from == kNoTile ? said.taken : place(actor.from);
  said.wanted = actor.steps && actor.want != kNoTile ? place(actor.want) : said.taken;
  said.blocked = actor.blocked;
  said.replanned = outcome.replanned;
  said.priority = actor.priority;
  said.speed = actor.speed * actor.pace;
  return said;
}

bool RulesMotion::is_beside_its_place(std::size_t slot) const {
  return decision_of(slot).behaviour == RulesBehaviour::kBeside;
}

void RulesMotion::move(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end) const {
  const Agents::Motion& now = world.agents.now;
  for (std::size_t me = begin; me < end; ++me) {
    const RulesGround& ground = grounds_[ground_of_model_[world.model[me]]];
    const Vec2f wanted = {agents.desired_x[me], agents.desired_y[me]};
    Vec2f velocity = wanted;  // who has no tile walks by its corridor
    const bool is_walking = agents.activity[me] == Activity::kWalking;
    if (agents.rules_tile[me] != kNoTile) {
      const Vec2 at = {static_cast<double>(now.x[me]), static_cast<double>(now.y[me])};
      Vec2 to = {static_cast<double>(stands_[me].x), static_cast<double>(stands_[me].y)};
      if (agents.rules_from[me] != kNoTile) {
        const Vec2 start = {static_cast<double>(agents.rules_start_x[me]), static_cast<double>(agents.rules_start_y[me])};
        to = start + static_cast<double>(agents.rules_phase[me]) * ground.tiles.way(start, to);
      } else if (is_walking && agents.has_heading[me] == 0 && agents.rules_goal[me] == agents.rules_tile[me] &&
                 wanted != Vec2f{}) {
        // In the goal's tile, whose middle is too far from the goal to count as there: on towards it, as far as that is in the
        // tile. Not otherwise: who stands beside the middle is in the way of who passes from tile to tile.
        const Vec2 goal = {static_cast<double>(agents.goal_x[me]), static_cast<double>(agents.goal_y[me])};
        const Vec2 aside = ground.tiles.way(to, goal);
        const double most = 0.4 * static_cast<double>(ground.tiles.size()), far = length(aside);
        if (far >= arrival_distance_ && far < static_cast<double>(ground.tiles.size()))
          to = to + (far > most ? most / far : 1) * aside;  // not a newer goal
      }
      const Vec2 way = ground.tiles.way(at, to);
      const double most = 1.5 * static_cast<double>(agents.max_speed[me] * world.dt), far = length(way);
      const double share = far > most ? most / far : 1;
      velocity = {static_cast<float>(share * way.x) / world.dt, static_cast<float>(share * way.y) / world.dt};
      if (agents.rules_from[me] == kNoTile && far < 1e-4) velocity = {};
    }
    agents.next.vx[me] = velocity.x, agents.next.vy[me] = velocity.y;
    agents.next.intent_x[me] = wanted.x, agents.next.intent_y[me] = wanted.y;
    agents.next.body[me] = agents.radius[me];
    agents.next.urge[me] = 0;
    const float still = 0.1f * agents.preferred_speed[me];
    agents.wait[me] = is_walking && wanted != Vec2f{} && dot(velocity, velocity) < still * still ? agents.wait[me] + world.dt : 0;
  }
}

}  // namespace throng
