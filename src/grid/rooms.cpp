// SPDX-License-Identifier: MIT
#include "grid/rooms.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "grid/tile_search.hpp"

namespace throng {
namespace {

constexpr std::uint32_t kLeastRoom = 36;         // tiles: less is no room of its own
constexpr std::uint32_t kMostFlooded = 20'000;   // tiles: in larger rooms ways to doorways are straight lines
constexpr float kReturnCost = 3;                 // m
constexpr std::uint64_t kMostWork = 20'000'000;  // tiles looked at for distances between doorways

}  // namespace

Rooms::Rooms(const Cells& cells, const BodyTiles& tiles, double widest) {
  find_rooms(cells, tiles, widest);
  find_distances(tiles);
}

void Rooms::find_rooms(const Cells& cells, const BodyTiles& tiles, double widest) {
  struct Candidate {
    PortalIndex portal;
    double length;
    std::vector<Doorway::Step> steps;
  };
  const std::uint32_t count = tiles.tile_count();
  // A link of two tiles is shut by at most one doorway: the first that it leads over.
  std::vector<std::uint8_t> shut(count, 0);  // by heading, those to the east and north only and south-east
  std::vector<Candidate> candidates;
  const auto size = static_cast<double>(tiles.size());
  const auto square_of = [&](double v) { return static_cast<std::int32_t>(std::floor(v / size)); };
  for (PortalIndex p = 0; p < cells.portal_count(); ++p) {
    const Portal& portal = cells.portals[p];
    if (portal.bottleneck == 0) continue;
    const Vec2 a = to_metres(portal.position[0]), b = to_metres(portal.position[1]), along = b - a;
    if (length(along) > widest) continue;
    Candidate candidate{p, length(along), {}};
    const std::uint32_t layer = cells.layer[portal.cell[0]];
    for (std::int32_t row = square_of(std::min(a.y, b.y)) - 1; row <= square_of(std::max(a.y, b.y)) + 1; ++row)
      for (std::int32_t column = square_of(std::min(a.x, b.x)) - 1; column <= square_of(std::max(a.x, b.x)) + 1; ++column) {
        const TileIndex t = tiles.grid().tile_of_square(column, row, layer);
        if (t == kNoTile || tiles.stand(t).room <= 0) continue;
        for (const int heading : {0, 1, 2, 7}) {
          const TileIndex to = tiles.next(t, heading, 0);
          if (to == kNoTile || (shut[t] >> heading & 1) != 0) continue;
          const Vec2 from_place = {static_cast<double>(tiles.stand(t).x), static_cast<double>(tiles.stand(t).y)};
          const Vec2 to_place = {static_cast<double>(tiles.stand(to).x), static_cast<double>(tiles.stand(to).y)};
          const double from_side = cross(along, from_place - a), to_side = cross(along, to_place - a);
          if ((from_side > 0) == (to_side > 0)) continue;
          const double share = from_side / (from_side - to_side);
          const Vec2 at = from_place + share * (to_place - from_place);
          const double place = dot(at - a, along) / dot(along, along);
          if (place < 0 || place > 1) continue;
          shut[t] = static_cast<std::uint8_t>(shut[t] | 1u << heading);
          candidate.steps.push_back({t, to});
        }
      }
    if (!candidate.steps.empty()) candidates.push_back(std::move(candidate));
  }
  // What is connected with all of them shut; then the widest are opened again whose rooms are too small.
  std::vector<std::uint32_t> leader(count), tiles_in(count, 1);
  std::iota(leader.begin(), leader.end(), 0u);
  const auto root = [&](std::uint32_t t) {
    while (leader[t] != t) t = leader[t] = leader[leader[t]];
    return t;
  };
  const auto join = [&](TileIndex a, TileIndex b) {
    const std::uint32_t x = root(a), y = root(b);
    if (x == y) return;
    leader[std::max(x, y)] = std::min(x, y);
    tiles_in[std::min(x, y)] += tiles_in[std::max(x, y)];
  };
  for (TileIndex t = 0; t < count; ++t)
    for (const int heading : {0, 1, 2, 7})
      if (const TileIndex to = tiles.next(t, heading, 0); to != kNoTile && (shut[t] >> heading & 1) == 0) join(t, to);
  std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) { return a.length > b.length; });
  for (const Candidate& candidate : candidates)
    for (const Doorway::Step& step : candidate.steps)
      if (std::min(tiles_in[root(step.from)], tiles_in[root(step.to)]) < kLeastRoom) join(step.from, step.to);
  room_.assign(count, 0);
  std::vector<RoomIndex> number(count, 0xffffffffu);
  for (TileIndex t = 0; t < count; ++t) {
    RoomIndex& n = number[root(t)];
    if (n == 0xffffffffu) n = room_count_++;
    room_[t] = n;
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) { return a.portal < b.portal; });
  std::vector<std::pair<RoomIndex, std::uint32_t>> by_room;
  for (const Candidate& candidate : candidates) {
    const Portal& portal = cells.portals[candidate.portal];
    Doorway doorway;
    doorway.centre = 0.5 * (to_metres(portal.position[0]) + to_metres(portal.position[1]));
    doorway.width = static_cast<float>(candidate.length);
    doorway.first = static_cast<std::uint32_t>(steps_.size());
    doorway.room[0] = doorway.room[1] = 0xffffffffu;
    for (Doorway::Step step : candidate.steps) {
      RoomIndex a = room_[step.from], b = room_[step.to];
      if (a == b) continue;
      if (a > b) std::swap(a, b), std::swap(step.from, step.to);
      if (doorway.steps == 0) doorway.room[0] = a, doorway.room[1] = b;
      if (doorway.room[0] != a || doorway.room[1] != b) continue;  // a corner where three rooms meet
      steps_.push_back(step);
      ++doorway.steps;
    }
    if (doorway.steps == 0) continue;
    const auto index = static_cast<std::uint32_t>(doorways_.size());
    by_room.emplace_back(doorway.room[0], index), by_room.emplace_back(doorway.room[1], index);
    doorways_.push_back(doorway);
  }
  std::sort(by_room.begin(), by_room.end());
  of_room_start_.assign(room_count_ + 1, 0);
  for (const auto& [room, doorway] : by_room) ++of_room_start_[room + 1], of_room_.push_back(doorway);
  std::partial_sum(of_room_start_.begin(), of_room_start_.end(), of_room_start_.begin());
}

void Rooms::find_distances(const BodyTiles& tiles) {
  tiles_in_.assign(room_count_, 0);
  for (const RoomIndex room : room_) ++tiles_in_[room];
  for (std::uint32_t d = 0; d < doorways_.size(); ++d) {
    middle_.push_back({kNoTile, kNoTile});
    double least = 1e30;
    for (const Doorway::Step& step : steps_of(d)) {
      const BodyTiles::Stand &a = tiles.stand(step.from), &b = tiles.stand(step.to);
      const Vec2 between = {0.5 * (static_cast<double>(a.x) + static_cast<double>(b.x)),
                            0.5 * (static_cast<double>(a.y) + static_cast<double>(b.y))};
      const Vec2 way = between - doorways_[d].centre;
      if (dot(way, way) < least) least = dot(way, way), middle_[d] = {step.from, step.to};
    }
  }
  std::uint64_t work = 0;
  distance_start_.push_back(0);
  for (RoomIndex room = 0; room < room_count_; ++room) {
    const std::size_t n = doorways_of(room).size();
    work += n > 1 ? n * tiles_in_[room] : 0;
    distance_start_.push_back(distance_start_.back() + n * n);
  }
  are_exact_ = work <= kMostWork;
  distance_.assign(distance_start_.back(), 0);
  TileSearch search;
  for (RoomIndex room = 0; room < room_count_; ++room) {
    const auto list = doorways_of(room);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const TileIndex from = tile_at(room, list[i]);
      if (are_exact_ && list.size() > 1) search.flood(tiles, *this, from, 0);
      for (std::size_t j = 0; j < list.size(); ++j) {
        const TileIndex to = tile_at(room, list[j]);
        if (i != j)
          distance_[distance_start_[room] + i * list.size() + j] =
              (are_exact_ ? search.cost_of(to) : octile(tiles, from, to)) * tiles.size();
      }
    }
  }
}

float Rooms::between(RoomIndex room, std::uint32_t a, std::uint32_t b) const {
  const auto list = doorways_of(room);
  const auto index = [&](std::uint32_t d) {
    return static_cast<std::size_t>(std::lower_bound(list.begin(), list.end(), d) - list.begin());
  };
  return distance_[distance_start_[room] + index(a) * list.size() + index(b)];
}

std::uint32_t DoorwaySearch::find(const BodyTiles& tiles, const Rooms& rooms, TileIndex from, TileIndex to, float radius,
                                  std::uint32_t passed, TileSearch& search) {
  const RoomIndex start = rooms.room(from), end = rooms.room(to);
  if (start == end) return kNoDoorway;
  const std::span<const Doorway> doorways = rooms.doorways();
  if (found_.size() < doorways.size() + 1) found_.resize(doorways.size() + 1);
  ++search_;
  heap_.clear();
  // Ways from and to the doorways of the first and the last room.
  const auto measure = [&](RoomIndex room, TileIndex at, std::vector<float>& list) {
    list.clear();
    // With one doorway there is nothing to choose.
    const bool is_small = rooms.tiles_in(room) <= kMostFlooded && rooms.doorways_of(room).size() > 1;
    if (is_small) search.flood(tiles, rooms, at, radius);
    for (const std::uint32_t d : rooms.doorways_of(room)) {
      const TileIndex there = rooms.tile_at(room, d);
      list.push_back((is_small ? search.cost_of(there) : octile(tiles, at, there)) * tiles.size());
    }
  };
  measure(start, from, from_start_);
  measure(end, to, to_goal_);
  const auto goal = static_cast<std::uint32_t>(doorways.size());
  const auto reach = [&](std::uint32_t node, float cost, std::uint32_t first) {
    if (cost > 1e29f || (found_[node].search == search_ && cost >= found_[node].cost)) return;
    found_[node] = {cost, first, search_};
    heap_.push_back({cost, node});
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  };
  const auto is_wide = [&](std::uint32_t d) { return 0.5f * doorways[d].width >= radius - BodyTiles::kSlide; };
  const auto of_start = rooms.doorways_of(start), of_end = rooms.doorways_of(end);
  for (std::size_t i = 0; i < of_start.size(); ++i)
    if (is_wide(of_start[i])) reach(of_start[i], from_start_[i] + (of_start[i] == passed ? kReturnCost : 0), of_start[i]);
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const Entry entry = heap_.back();
    heap_.pop_back();
    if (entry.cost > found_[entry.doorway].cost) continue;
    if (entry.doorway == goal) return found_[goal].first;
    for (const RoomIndex room : doorways[entry.doorway].room) {
      if (room == end) {
        const auto i = static_cast<std::size_t>(std::lower_bound(of_end.begin(), of_end.end(), entry.doorway) - of_end.begin());
        reach(goal, entry.cost + to_goal_[i], found_[entry.doorway].first);
      }
      for (const std::uint32_t d : rooms.doorways_of(room))
        if (d != entry.doorway && is_wide(d))
          reach(d, entry.cost + rooms.between(room, entry.doorway, d), found_[entry.doorway].first);
    }
  }
  return kNoDoorway;
}

}  // namespace throng
