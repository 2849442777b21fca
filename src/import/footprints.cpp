// SPDX-License-Identifier: MIT
#include "import/footprints.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <numeric>

#include <polyclipping/clipper.hpp>

#include "geometry/point.hpp"

namespace throng {
namespace {

using ClipperLib::cInt;
using ClipperLib::IntPoint;
using ClipperLib::Path;
using ClipperLib::Paths;

/// Box tests spent on finding clusters; beyond it all remaining footprints are one cluster, which is right, only slower.
constexpr std::uint64_t kClusterBudget = 300'000'000;
/// Visits of active edges Clipper may spend on a scene (about 10 ns each), and crossings it may report (about 100 bytes each).
constexpr std::uint64_t kSweepBudget = 500'000'000;
constexpr std::uint64_t kCrossingBudget = 2'000'000;

IntPoint to_grid(Vec2 p) { return {std::llround(p.x * kUnitsPerMetre), std::llround(p.y * kUnitsPerMetre)}; }

struct Box {
  cInt west = INT64_MAX, south = INT64_MAX, east = INT64_MIN, north = INT64_MIN;
  void add(const IntPoint& p) {
    west = std::min(west, p.X), east = std::max(east, p.X);
    south = std::min(south, p.Y), north = std::max(north, p.Y);
  }
};

struct Item {
  Paths rings;
  Box box;
};

/// Sets of footprints whose boxes touch, transitively: union-find over a sweep from west to east.
std::vector<std::vector<std::size_t>> find_clusters(const std::vector<Item>& items) {
  std::vector<std::size_t> parent(items.size()), order(items.size());
  std::iota(parent.begin(), parent.end(), 0);
  std::iota(order.begin(), order.end(), 0);
  const auto root = [&](std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return items[a].box.west < items[b].box.west; });
  std::vector<std::size_t> active;
  std::uint64_t work = 0;
  for (const std::size_t i : order) {
    const Box& box = items[i].box;
    if (work > kClusterBudget) {
      if (!active.empty()) parent[root(i)] = root(active.front());
      active.assign(1, i);
      continue;
    }
    work += active.size();
    std::size_t kept = 0;
    for (const std::size_t other : active) {
      const Box& with = items[other].box;
      if (with.east < box.west) continue;
      active[kept++] = other;
      if (with.south <= box.north && box.south <= with.north) parent[root(i)] = root(other);
    }
    active.resize(kept);
    active.push_back(i);
  }
  std::vector<std::vector<std::size_t>> clusters;
  std::vector<std::size_t> cluster_of(items.size(), SIZE_MAX);
  for (std::size_t i = 0; i < items.size(); ++i) {  // in file order, so that the result does not depend on the sort
    std::size_t& cluster = cluster_of[root(i)];
    if (cluster == SIZE_MAX) cluster = clusters.size(), clusters.emplace_back();
    clusters[cluster].push_back(i);
  }
  return clusters;
}

/// Counts what Clipper would do: active edges at every distinct height, and crossings.
class WorkCounter {
 public:
  bool within_budget(const std::vector<Item>& items, const std::vector<std::size_t>& cluster) {
    edges_.clear();
    heights_.clear();
    for (const std::size_t i : cluster) {
      for (const Path& ring : items[i].rings) {
        for (std::size_t k = 0; k < ring.size(); ++k) {
          const IntPoint &a = ring[k], &b = ring[(k + 1) % ring.size()];
          heights_.push_back(a.Y);
          if (a != b) edges_.push_back(a.Y < b.Y ? Edge{a, b} : Edge{b, a});
        }
      }
    }
    std::sort(heights_.begin(), heights_.end());
    heights_.erase(std::unique(heights_.begin(), heights_.end()), heights_.end());
    for (const Edge& edge : edges_) {
      const auto low = std::lower_bound(heights_.begin(), heights_.end(), edge.low.Y);
      const auto high = std::lower_bound(low, heights_.end(), edge.high.Y);
      sweep_ += static_cast<std::uint64_t>(high - low) + 1;
    }
    if (sweep_ > kSweepBudget) return false;
    count_crossings();
    return sweep_ <= kSweepBudget && crossings_ <= kCrossingBudget;
  }

 private:
  struct Edge {
    IntPoint low, high;
  };

  static int side(const IntPoint& a, const IntPoint& b, const IntPoint& c) {
    __extension__ using Wide = __int128;
    const Wide value = Wide{b.X - a.X} * (c.Y - a.Y) - Wide{b.Y - a.Y} * (c.X - a.X);
    return (value > 0) - (value < 0);
  }

  void count_crossings() {
    std::sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) { return a.low.Y < b.low.Y; });
    std::vector<Edge> active;
    for (const Edge& edge : edges_) {
      std::size_t kept = 0;
      for (const Edge& other : active) {
        if (other.high.Y <= edge.low.Y) continue;
        active[kept++] = other;
        if (std::min(other.low.X, other.high.X) > std::max(edge.low.X, edge.high.X) ||
            std::max(other.low.X, other.high.X) < std::min(edge.low.X, edge.high.X)) {
          continue;
        }
        crossings_ += side(edge.low, edge.high, other.low) * side(edge.low, edge.high, other.high) < 0 &&
                      side(other.low, other.high, edge.low) * side(other.low, other.high, edge.high) < 0;
      }
      sweep_ += active.size();
      if (sweep_ > kSweepBudget || crossings_ > kCrossingBudget) return;
      active.resize(kept);
      active.push_back(edge);
    }
  }

  std::vector<Edge> edges_;
  std::vector<cInt> heights_;
  std::uint64_t sweep_ = 0, crossings_ = 0;
};

Ring to_ring(const Path& path) {
  Ring ring;
  ring.reserve(path.size());
  for (const IntPoint& p : path) ring.push_back({static_cast<double>(p.X) * kUnit, static_cast<double>(p.Y) * kUnit});
  return ring;
}

void unite_cluster(const std::vector<Item>& items, const std::vector<std::size_t>& cluster, const Path& clip,
                   std::vector<Polygon>& out) {
  // Each footprint by the even-odd rule first: a loop of one that crosses itself must not cancel its neighbour.
  ClipperLib::Clipper all;
  for (const std::size_t i : cluster) {
    ClipperLib::Clipper one;
    one.AddPaths(items[i].rings, ClipperLib::ptSubject, true);
    Paths clean;
    one.Execute(ClipperLib::ctUnion, clean, ClipperLib::pftEvenOdd, ClipperLib::pftEvenOdd);
    all.AddPaths(clean, ClipperLib::ptSubject, true);
  }
  ClipperLib::PolyTree tree;
  if (clip.empty()) {
    all.Execute(ClipperLib::ctUnion, tree, ClipperLib::pftNonZero, ClipperLib::pftNonZero);
  } else {
    all.AddPath(clip, ClipperLib::ptClip, true);
    all.Execute(ClipperLib::ctIntersection, tree, ClipperLib::pftNonZero, ClipperLib::pftNonZero);
  }
  for (const ClipperLib::PolyNode* node = tree.GetFirst(); node; node = node->GetNext()) {
    if (node->IsHole()) continue;
    Polygon polygon{to_ring(node->Contour), {}};
    for (const ClipperLib::PolyNode* hole : node->Childs) polygon.holes.push_back(to_ring(hole->Contour));
    out.push_back(std::move(polygon));
  }
}

}  // namespace

std::optional<std::vector<Polygon>> unite(const std::vector<Footprint>& footprints, const Ring* clip) {
  std::vector<Item> items;
  items.reserve(footprints.size());
  for (const Footprint& footprint : footprints) {
    Item item;
    for (const Ring& ring : footprint) {
      Path path;
      for (const Vec2 p : ring) {
        const IntPoint q = to_grid(p);
        if (!path.empty() && path.back() == q) continue;
        path.push_back(q);
        item.box.add(q);
      }
      while (path.size() > 1 && path.front() == path.back()) path.pop_back();
      if (path.size() >= 3) item.rings.push_back(std::move(path));
    }
    if (!item.rings.empty()) items.push_back(std::move(item));
  }
  Path border;
  if (clip) {
    for (const Vec2 p : *clip) border.push_back(to_grid(p));
  }
  std::vector<Polygon> out;
  WorkCounter counter;
  try {
    for (const auto& cluster : find_clusters(items)) {
      if (!counter.within_budget(items, cluster)) return std::nullopt;
      unite_cluster(items, cluster, border, out);
    }
  } catch (const std::exception&) {  // clipperException: out of range; cannot happen within ±1000 km
    return std::nullopt;
  }
  return out;
}

}  // namespace throng
