// SPDX-License-Identifier: MIT
#include "grid/tile_search.hpp"

#include <algorithm>

namespace throng {

bool TileSearch::find(const BodyTiles& tiles, const Rooms& rooms, const TileQuery& query, FunctionRef<bool(TileIndex)> is_blocked,
                      std::vector<TileIndex>& path) {
  path.clear();
  if (query.from == kNoTile || query.to == kNoTile) return false;
  if (nodes_.size() < tiles.tile_count()) nodes_.resize(tiles.tile_count());
  if (++visit_ == 0) {
    for (Node& node : nodes_) node.visit = 0;
    visit_ = 1;
  }
  heap_.clear();
  const RoomIndex room = rooms.room(query.from);
  const bool in_room = query.in_room && rooms.room_count() > 1;
  const auto estimate = [&](std::array<std::int32_t, 2> d) {
    if (!query.manhattan) return octile(d);
    return static_cast<float>((d[0] < 0 ? -d[0] : d[0]) + (d[1] < 0 ? -d[1] : d[1]));
  };
  nodes_[query.from] = {visit_, 0, kNoTile, false};
  heap_.push_back({estimate(tiles.squares_between(query.from, query.to)), 0, query.from});
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end());
    const Entry entry = heap_.back();
    heap_.pop_back();
    Node& node = nodes_[entry.tile];
    if (node.is_closed || entry.cost != node.cost) continue;
    node.is_closed = true;
    ++expanded_;
    if (entry.tile == query.to) {
      for (TileIndex t = query.to; t != kNoTile; t = nodes_[t].parent) path.push_back(t);
      std::reverse(path.begin(), path.end());
      return true;
    }
    const auto rest = tiles.squares_between(entry.tile, query.to);
    for (int heading = 0; heading < kHeadings; ++heading) {
      const TileIndex next = tiles.next(entry.tile, heading, query.radius);
      if (next == kNoTile) continue;
      float step = (heading & 1) != 0 ? kDiagonalCost : 1;
      if (!query.factor.empty()) {
        const float factor = query.factor[tiles.grid().cell(next)];
        if (factor <= 0) continue;
        step *= std::max(1.0f, factor);
      }
      const float cost = entry.cost + step;
      Node& there = nodes_[next];
      if (there.visit == visit_ && (there.is_closed || there.cost <= cost)) continue;
      if (next != query.to && ((in_room && rooms.room(next) != room) || is_blocked(next))) continue;
      there = {visit_, cost, entry.tile, false};
      tiles.expect_links(next);
      const auto left = tiles.nearer_way({rest[0] - kHeadingSteps[heading].column, rest[1] - kHeadingSteps[heading].row});
      heap_.push_back({cost + estimate(left), cost, next});
      std::push_heap(heap_.begin(), heap_.end());
    }
  }
  return false;
}

void TileSearch::flood(const BodyTiles& tiles, const Rooms& rooms, TileIndex from, float radius) {
  if (nodes_.size() < tiles.tile_count()) nodes_.resize(tiles.tile_count());
  if (++visit_ == 0) {
    for (Node& node : nodes_) node.visit = 0;
    visit_ = 1;
  }
  heap_.clear();
  const RoomIndex room = rooms.room(from);
  nodes_[from] = {visit_, 0, kNoTile, false};
  heap_.push_back({0, 0, from});
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end());
    const Entry entry = heap_.back();
    heap_.pop_back();
    Node& node = nodes_[entry.tile];
    if (node.is_closed || entry.cost != node.cost) continue;
    node.is_closed = true;
    ++expanded_;
    for (int heading = 0; heading < kHeadings; ++heading) {
      const TileIndex next = tiles.next(entry.tile, heading, radius);
      if (next == kNoTile || rooms.room(next) != room) continue;
      const float cost = entry.cost + ((heading & 1) != 0 ? kDiagonalCost : 1);
      Node& there = nodes_[next];
      if (there.visit == visit_ && (there.is_closed || there.cost <= cost)) continue;
      there = {visit_, cost, entry.tile, false};
      heap_.push_back({cost, cost, next});
      std::push_heap(heap_.begin(), heap_.end());
    }
  }
}

float TileSearch::distance(const BodyTiles& tiles, const Rooms& rooms, TileIndex from, TileIndex to) {
  std::vector<TileIndex> path;
  if (!find(
          tiles, rooms, {.from = from, .to = to, .radius = 0, .in_room = true}, [](TileIndex) { return false; }, path))
    return 1e30f;
  return nodes_[to].cost * tiles.size();
}

}  // namespace throng
