// SPDX-License-Identifier: MIT
#include "grid/tile_search.hpp"

#include <algorithm>
#include <bit>

namespace throng {
namespace {

constexpr std::size_t kFewest = 1024;  // entries
constexpr std::uint32_t kVisits = 0x7fffffffu;

}  // namespace

void TileSearch::Known::clear() {
  if (nodes_.empty()) grow();
  count_ = 0;
  if (++visit_ > kVisits) {
    for (Node& node : nodes_) node.visit = 0;
    visit_ = 1;
  }
}

void TileSearch::Known::grow() {
  std::vector<Node> old(std::max(kFewest, 2 * nodes_.size()));
  old.swap(nodes_);
  shift_ = 64 - std::countr_zero(nodes_.size());
  count_ = 0;
  for (const Node& node : old)
    if (node.visit == visit_ && node.tile != kNoTile) at(node.tile) = node;
}

TileSearch::Node& TileSearch::Known::at(TileIndex tile) {
  if (2 * count_ >= nodes_.size()) grow();
  std::size_t slot = slot_of(tile);
  while (nodes_[slot].visit == visit_ && nodes_[slot].tile != tile) slot = (slot + 1) & (nodes_.size() - 1);
  if (nodes_[slot].visit != visit_) {
    ++count_;
    nodes_[slot] = {.tile = tile, .visit = visit_ & kVisits, .is_closed = 0, .cost = 1e30f, .parent = kNoTile};
  }
  return nodes_[slot];
}

const TileSearch::Node* TileSearch::Known::find(TileIndex tile) const {
  if (nodes_.empty()) return nullptr;
  std::size_t slot = slot_of(tile);
  while (nodes_[slot].visit == visit_ && nodes_[slot].tile != tile) slot = (slot + 1) & (nodes_.size() - 1);
  return nodes_[slot].visit == visit_ ? &nodes_[slot] : nullptr;
}

void TileSearch::begin(TileIndex from, float estimate, std::array<std::int32_t, 2> rest) {
  known_.clear();
  heap_.clear();
  known_.at(from).cost = 0;
  heap_.push_back({estimate, 0, from, rest});
}

bool TileSearch::take(Entry& entry) {
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end());
    entry = heap_.back();
    heap_.pop_back();
    // A tile is in the queue once for each better way that was found to it: only the last counts.
    Node& node = known_.at(entry.tile);
    if (node.is_closed || entry.cost != node.cost) continue;
    node.is_closed = 1;
    ++expanded_;
    return true;
  }
  return false;
}

bool TileSearch::find(const BodyTiles& tiles, const Rooms& rooms, const TileQuery& query, FunctionRef<bool(TileIndex)> is_blocked,
                      std::vector<TileIndex>& path) {
  path.clear();
  if (query.from == kNoTile || query.to == kNoTile) return false;
  const RoomIndex room = rooms.room(query.from);
  const bool in_room = query.in_room && rooms.room_count() > 1;
  const auto estimate = [&](std::array<std::int32_t, 2> d) {
    if (!query.manhattan) return octile(d);
    return static_cast<float>((d[0] < 0 ? -d[0] : d[0]) + (d[1] < 0 ? -d[1] : d[1]));
  };
  const auto all = tiles.squares_between(query.from, query.to);
  begin(query.from, estimate(all), all);
  for (Entry entry; take(entry);) {
    if (entry.tile == query.to) {
      for (TileIndex t = query.to; t != kNoTile; t = known_.at(t).parent) path.push_back(t);
      std::reverse(path.begin(), path.end());
      return true;
    }
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
      Node& there = known_.at(next);
      if (there.is_closed || there.cost <= cost) continue;
      if (next != query.to && ((in_room && rooms.room(next) != room) || is_blocked(next))) continue;
      there.cost = cost, there.parent = entry.tile;
      tiles.expect_links(next);
      const auto left =
          tiles.nearer_way({entry.rest[0] - kHeadingSteps[heading].column, entry.rest[1] - kHeadingSteps[heading].row});
      heap_.push_back({cost + estimate(left), cost, next, left});
      std::push_heap(heap_.begin(), heap_.end());
    }
  }
  return false;
}

void TileSearch::flood(const BodyTiles& tiles, const Rooms& rooms, TileIndex from, float radius) {
  const RoomIndex room = rooms.room(from);
  begin(from, 0, {});
  for (Entry entry; take(entry);)
    for (int heading = 0; heading < kHeadings; ++heading) {
      const TileIndex next = tiles.next(entry.tile, heading, radius);
      if (next == kNoTile || rooms.room(next) != room) continue;
      const float cost = entry.cost + ((heading & 1) != 0 ? kDiagonalCost : 1);
      Node& there = known_.at(next);
      if (there.is_closed || there.cost <= cost) continue;
      there.cost = cost, there.parent = entry.tile;
      heap_.push_back({cost, cost, next, {}});
      std::push_heap(heap_.begin(), heap_.end());
    }
}

float TileSearch::distance(const BodyTiles& tiles, const Rooms& rooms, TileIndex from, TileIndex to) {
  std::vector<TileIndex> path;
  const TileQuery query{.from = from, .to = to, .radius = 0, .in_room = true};
  if (!find(
          tiles, rooms, query, [](TileIndex) { return false; }, path))
    return 1e30f;
  return known_.at(to).cost * tiles.size();
}

}  // namespace throng
