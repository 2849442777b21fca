// SPDX-License-Identifier: MIT
// Repair of the agents' triangulation after a step: flips, and what to do with triangles that turned over (ALGORITHMS §7.3).
//
// The total unsigned area of the triangles equals the hull's only when none is turned over, so flips that lower it
// untangle; where none does, vertices are taken out until the rest is valid, and put back only then (at once would cycle).
// Coincident points always show as flat triangles that no flip removes: putting one of them back finds the other, so it becomes
// an alias without a rule of its own.
#include <algorithm>
#include <cstdlib>

#include "neighbours/edge_check.hpp"
#include "neighbours/moving_delaunay.hpp"

namespace throng {
namespace {

constexpr std::size_t kEdgesPerChunk = 2048;  // about 5 µs
constexpr int kRegionBits[] = {9, 12, 15};    // regions of 512, 4096 and 32768 vertices
constexpr std::size_t kFewEdges = 32;         // not worth waking anybody
constexpr std::size_t kAhead = 4;             // edges: so far ahead they are fetched from memory

}  // namespace

void MovingDelaunay::find_trouble(TaskRunner& tasks) {
  const std::size_t edges = edge_slots(), chunks = (edges + kEdgesPerChunk - 1) / kEdgesPerChunk;
  if (chunks_.size() < chunks) chunks_.resize(chunks);
  tasks.parallel_for(edges, kEdgesPerChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    EdgeChunk& chunk = chunks_[begin / kEdgesPerChunk];
    chunk.doubtful.clear(), chunk.illegal.clear(), chunk.tangled.clear();
    find_doubtful_edges(corners_, columns_->point, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
                        chunk.doubtful);
    for (const std::uint32_t e : chunk.doubtful) {
      if (is_dead(e)) continue;
      if (is_tangled(e))
        chunk.tangled.push_back(e);
      else if (is_illegal(e))
        chunk.illegal.push_back(e);
    }
  });
  stack_.clear(), tangled_.clear();
  for (std::size_t i = 0; i < chunks; ++i) {
    stack_.insert(stack_.end(), chunks_[i].illegal.begin(), chunks_[i].illegal.end());
    tangled_.insert(tangled_.end(), chunks_[i].tangled.begin(), chunks_[i].tangled.end());
  }
}

bool MovingDelaunay::repair(TaskRunner& tasks, RepairReport& report) {
  if (flat_) return false;
  find_trouble(tasks);
  if (!stack_.empty()) report.stage = RepairStage::kFlipped;
  taken_out_.clear();
  if (!tangled_.empty() && !untangle(report)) return false;
  report.taken_out = static_cast<std::uint32_t>(taken_out_.size());
  return settle(tasks, report.flips) && hull_turns_once();
}

/// Lawson flips from the edges on the stack. Each lowers the lifted surface, so they end; the limit is for triangulations that
/// overlap themselves, which the certificate then refuses.
///
/// A flip touches two triangles and the `first` of their four vertices. Vertices are cut into regions by their number, which are
/// regions of the plane where storage is in spatial order; flips whose four vertices lie in one region touch nothing that those
/// of another region read or write, so regions run side by side. What crosses a border is left to larger regions, and at last to
/// one thread. The order of flips does not matter: the triangulation they lead to is unique.
bool MovingDelaunay::settle(TaskRunner& tasks, std::uint32_t& flips) {
  for (const int bits : kRegionBits) {
    if (columns_->point.size() >> bits == 0 || stack_.size() <= kFewEdges) break;
    if (!settle_regions(bits, tasks, flips)) return false;
  }
  return settle(stack_, flips, [](std::uint32_t) { return true; });
}

/// Leaves on the stack what crosses borders.
bool MovingDelaunay::settle_regions(int bits, TaskRunner& tasks, std::uint32_t& flips) {
  const std::size_t regions = (columns_->point.size() >> bits) + 1;
  if (regions_.size() < regions) regions_.resize(regions);
  const auto is_within = [this, bits](std::uint32_t edge, std::size_t region) {
    const Vertex* corner = &corners_[4 * std::size_t{edge}];
    return ((corner[0] ^ corner[1]) | (corner[0] ^ corner[2]) | (corner[0] ^ corner[3])) >> bits == 0 &&
           corner[0] >> bits == region;
  };
  across_.clear();
  for (const std::uint32_t e : stack_) {
    const Vertex region = corners_[4 * std::size_t{e}] >> bits;
    (is_within(e, region) ? regions_[region].stack : across_).push_back(e);
  }
  tasks.parallel_for(regions, 1, [&](std::size_t at, std::size_t, unsigned) {
    Region& region = regions_[at];
    region.flips = 0;
    region.across.clear();
    region.is_good = settle(region.stack, region.flips, [&](std::uint32_t e) {
      if (is_within(e, at)) return true;
      region.across.push_back(e);
      return false;
    });
  });
  stack_.swap(across_);
  bool is_good = true;
  for (std::size_t i = 0; i < regions; ++i) {
    is_good &= regions_[i].is_good;
    flips += regions_[i].flips;
    stack_.insert(stack_.end(), regions_[i].across.begin(), regions_[i].across.end());
  }
  return is_good;
}

/// Flips those for which `may_flip` holds; false where the limit is reached, with the stack empty.
template <class MayFlip>
bool MovingDelaunay::settle(std::vector<std::uint32_t>& stack, std::uint32_t& flips, MayFlip may_flip) {
  std::uint64_t budget = 64 * std::uint64_t{edge_slots()} + 1024;
  while (!stack.empty()) {
    const std::uint32_t e = stack.back();
    stack.pop_back();
    if (stack.size() > kAhead) {
      const std::size_t later = stack[stack.size() - kAhead];
      __builtin_prefetch(&next_[2 * later]), __builtin_prefetch(&corners_[4 * later]);
    }
    if (is_dead(e) || !is_illegal(e) || !may_flip(e)) continue;
    if (budget-- == 0) {
      stack.clear();
      return false;
    }
    const HalfEdge h1 = next_[2 * e], h2 = next_[h1], t1 = next_[2 * e + 1], t2 = next_[t1];
    flip(e);
    ++flips;
    for (const HalfEdge outer : {h1, h2, t1, t2}) stack.push_back(outer / 2);
  }
  return true;
}

bool MovingDelaunay::untangle(RepairReport& report) {
  std::uint32_t sides = 0;
  for (const std::uint32_t e : tangled_) sides += (area(2 * e) <= 0) + (area(2 * e + 1) <= 0);
  report.inverted = sides / 3;
  report.stage = RepairStage::kUntangled;
  const std::size_t most = vertex_count_ / 8 + 32;
  queue_ = tangled_;
  for (;;) {
    stack_.insert(stack_.end(), queue_.begin(), queue_.end());
    if (!area_flips(report.flips)) return false;
    // Every edge that was tangled or has changed since is on the stack.
    tangled_.clear();
    for (const std::uint32_t e : stack_)
      if (!is_dead(e) && is_tangled(e)) tangled_.push_back(e);
    if (tangled_.empty()) return true;
    report.stage = RepairStage::kReinserted;
    const std::size_t known = stack_.size();
    for (const std::uint32_t e : tangled_) {
      if (is_dead(e)) continue;
      const HalfEdge h = area(2 * e) <= 0 ? 2 * e : 2 * e + 1;
      if (area(h) > 0) continue;  // went with a vertex taken out before
      Vertex best = kInfinity;
      std::uint32_t best_degree = 0;
      for (const Vertex v : {origin(h), target(h), apex(h)})
        if (const std::uint32_t d = degree(v); best == kInfinity || d < best_degree) best = v, best_degree = d;
      if (taken_out_.size() >= most || !remove(best)) return false;
      taken_out_.push_back(best);
    }
    queue_.assign(stack_.begin() + static_cast<std::ptrdiff_t>(known), stack_.end());
  }
}

/// Flips that lower the total unsigned area, or keep it and lower the number of triangles that are not positive: they end.
bool MovingDelaunay::area_flips(std::uint32_t& flips) {
  std::uint64_t budget = 64 * std::uint64_t{queue_.size()} + 1024;
  while (!queue_.empty()) {
    const std::uint32_t e = queue_.back();
    queue_.pop_back();
    if (is_dead(e) || !is_tangled(e) || !lowers_area(e)) continue;
    if (budget-- == 0) return false;
    const HalfEdge h1 = next_[2 * e], h2 = next_[h1], t1 = next_[2 * e + 1], t2 = next_[t1];
    flip(e);
    ++flips;
    for (const std::uint32_t changed : {e, h1 / 2, h2 / 2, t1 / 2, t2 / 2}) {
      stack_.push_back(changed);
      queue_.push_back(changed);
    }
  }
  return true;
}

bool MovingDelaunay::lowers_area(std::uint32_t edge) const {
  const HalfEdge h = 2 * edge;
  const Vertex a = origin(h), b = target(h), c = apex(h), d = apex(h + 1);
  // Beyond a hull edge lies no area: a vertex that went out through it takes the triangle with it.
  const bool lowers = [&] {
    if (c == kInfinity || d == kInfinity) return true;
    const std::int64_t before[2] = {orient(at(a), at(b), at(c)), orient(at(b), at(a), at(d))};
    const std::int64_t after[2] = {orient(at(c), at(d), at(b)), orient(at(d), at(c), at(a))};
    const auto total = [](const std::int64_t(&areas)[2]) {
      return static_cast<std::uint64_t>(std::abs(areas[0])) + static_cast<std::uint64_t>(std::abs(areas[1]));
    };
    if (total(after) != total(before)) return total(after) < total(before);
    return (after[0] <= 0) + (after[1] <= 0) < (before[0] <= 0) + (before[1] <= 0);
  }();
  return lowers && !are_joined(c, d);
}

/// The certificate's part on the hull: no right turn, no turn back, and one turn in all.
bool MovingDelaunay::hull_turns_once() {
  std::uint32_t turns = 0;
  hull_size_ = 0;
  const auto goes_up = [](std::int64_t x, std::int64_t y) { return y > 0 || (y == 0 && x > 0); };
  const HalfEdge start = first_infinity_;
  HalfEdge h = start;
  do {
    ++hull_size_;
    const Point before = at(apex(h)), here = at(target(h)), after = at(apex(h ^ 1));
    const std::int64_t x0 = std::int64_t{here.x} - before.x, y0 = std::int64_t{here.y} - before.y;
    const std::int64_t x1 = std::int64_t{after.x} - here.x, y1 = std::int64_t{after.y} - here.y;
    const std::int64_t turn_here = orient(before, here, after);
    if (turn_here < 0) return false;
    if (turn_here == 0 && (x0 > 0) - (x0 < 0) + 2 * ((y0 > 0) - (y0 < 0)) != (x1 > 0) - (x1 < 0) + 2 * ((y1 > 0) - (y1 < 0)))
      return false;
    turns += !goes_up(x0, y0) && goes_up(x1, y1);
  } while ((h = turn(h)) != start);
  return turns == 1;
}

}  // namespace throng
