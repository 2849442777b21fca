// SPDX-License-Identifier: MIT
#include "geometry/polygon.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "geometry/hilbert.hpp"

namespace throng {
namespace {

/// Sign of the doubled area of abc, 0 where rounding could have changed it (Shewchuk 1997, first filter; ALGORITHMS §7.1).
int certain_side(Vec2 a, Vec2 b, Vec2 c) {
  const double one = (a.x - c.x) * (b.y - c.y), two = (a.y - c.y) * (b.x - c.x);
  constexpr double kRounding = 0x1p-53;
  const double bound = (3 + 16 * kRounding) * kRounding * (std::abs(one) + std::abs(two));
  const double difference = one - two;
  return difference > bound ? 1 : difference < -bound ? -1 : 0;
}

std::optional<Vec2> crossing_of(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  if (a == b || c == d) return std::nullopt;
  const int c_side = certain_side(a, b, c), d_side = certain_side(a, b, d);
  const int a_side = certain_side(c, d, a), b_side = certain_side(c, d, b);
  if (c_side * d_side < 0 && a_side * b_side < 0) {
    const double t = cross(c - a, d - c) / cross(b - a, d - c);
    return a + std::clamp(t, 0.0, 1.0) * (b - a);
  }
  if (c_side != 0 || d_side != 0 || a_side != 0 || b_side != 0) return std::nullopt;
  // On one line: compare along the axis in which it extends more.
  const bool along_x = std::abs(b.x - a.x) >= std::abs(b.y - a.y);
  const auto along = [&](Vec2 p) { return along_x ? p.x : p.y; };
  const auto before = [&](Vec2 p, Vec2 q) { return along(p) < along(q); };
  const Vec2 start = std::max(std::min(a, b, before), std::min(c, d, before), before);
  const Vec2 end = std::min(std::max(a, b, before), std::max(c, d, before), before);
  if (!before(start, end)) return std::nullopt;
  return 0.5 * (start + end);
}

struct Box {
  Vec2 low{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  Vec2 high{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  void cover(const Box& b) {
    low = {std::min(low.x, b.low.x), std::min(low.y, b.low.y)};
    high = {std::max(high.x, b.high.x), std::max(high.y, b.high.y)};
  }
  bool meets(const Box& b) const { return low.x <= b.high.x && b.low.x <= high.x && low.y <= b.high.y && b.low.y <= high.y; }
};

Box box_of(const Segment& s) {
  return {{std::min(s.a.x, s.b.x), std::min(s.a.y, s.b.y)}, {std::max(s.a.x, s.b.x), std::max(s.a.y, s.b.y)}};
}

/// Boxes over edges sorted along a Hilbert curve, in an implicit binary tree: node i has children 2i and 2i + 1, leaves
/// start at `leaf_count`, a power of two.
class BoxTree {
 public:
  explicit BoxTree(std::span<const Segment> edges) : edges_(edges) {
    Box all;
    for (const Segment& e : edges) all.cover(box_of(e));
    const double extent = std::max({all.high.x - all.low.x, all.high.y - all.low.y, std::numeric_limits<double>::min()});
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order(edges.size());
    for (std::uint32_t i = 0; i < edges.size(); ++i) {
      const Vec2 middle = 0.5 * edges[i].a + 0.5 * edges[i].b - all.low;
      order[i] = {hilbert_key(static_cast<std::uint32_t>(middle.x / extent * 65535),
                              static_cast<std::uint32_t>(middle.y / extent * 65535)),
                  i};
    }
    std::sort(order.begin(), order.end());
    while (leaf_count_ < edges.size()) leaf_count_ *= 2;
    nodes_.resize(2 * leaf_count_);
    for (std::size_t i = 0; i < order.size(); ++i) nodes_[leaf_count_ + i] = {box_of(edges[order[i].second]), order[i].second};
    for (std::size_t i = leaf_count_ - 1; i > 0; --i) {
      nodes_[i].box = nodes_[2 * i].box;
      nodes_[i].box.cover(nodes_[2 * i + 1].box);
      nodes_[i].last_edge = std::max(nodes_[2 * i].last_edge, nodes_[2 * i + 1].last_edge);
    }
  }

  /// The first edge after `edge` that crosses it.
  std::optional<Crossing> first_crossing_after(std::size_t edge) {
    const Segment& s = edges_[edge];
    const Box box = box_of(s);
    std::optional<Crossing> best;
    open_.assign(1, 1);
    while (!open_.empty()) {
      const std::size_t i = open_.back();
      open_.pop_back();
      const Node& node = nodes_[i];
      if (node.last_edge <= edge || !node.box.meets(box)) continue;
      if (i < leaf_count_) {
        open_.push_back(2 * i);
        open_.push_back(2 * i + 1);
      } else if (!best || node.last_edge < best->edge_b) {
        const Segment& other = edges_[node.last_edge];
        if (const auto at = crossing_of(s.a, s.b, other.a, other.b)) best = Crossing{edge, node.last_edge, *at};
      }
    }
    return best;
  }

 private:
  struct Node {
    Box box;
    std::size_t last_edge = 0;  ///< the greatest edge below; at a leaf, its edge
  };
  std::span<const Segment> edges_;
  std::size_t leaf_count_ = 1;
  std::vector<Node> nodes_;
  std::vector<std::size_t> open_;
};

}  // namespace

std::int64_t doubled_area(std::span<const Point> ring) {
  std::int64_t sum = 0;
  for (std::size_t i = 2; i < ring.size(); ++i) {
    // Unsigned, because partial sums may wrap around: only the total has to fit.
    sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) +
                                    static_cast<std::uint64_t>(orient(ring[0], ring[i - 1], ring[i])));
  }
  return sum;
}

double signed_area(std::span<const Vec2> ring) {
  double sum = 0;
  for (std::size_t i = 2; i < ring.size(); ++i) sum += cross(ring[i - 1] - ring[0], ring[i] - ring[0]);
  return 0.5 * sum;
}

void make_counter_clockwise(Ring& ring) {
  if (signed_area(ring) < 0) std::reverse(ring.begin(), ring.end());
}

void make_clockwise(Ring& ring) {
  if (signed_area(ring) > 0) std::reverse(ring.begin(), ring.end());
}

void normalise_direction(Polygon& polygon) {
  make_counter_clockwise(polygon.outer);
  for (Ring& hole : polygon.holes) make_clockwise(hole);
}

Containment find_in_ring(std::span<const Point> ring, Point p) {
  bool inside = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
    const Point a = ring[j], b = ring[i];
    const std::int64_t side = orient(a, b, p);
    if (side == 0 && std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= p.y &&
        p.y <= std::max(a.y, b.y)) {
      return Containment::kOn;
    }
    // Half-open in y, so that a ray through a corner counts its two edges as one or none.
    if ((a.y <= p.y) != (b.y <= p.y) && (side > 0) == (b.y > a.y)) inside = !inside;
  }
  return inside ? Containment::kInside : Containment::kOutside;
}

bool contains(std::span<const Vec2> ring, Vec2 p) {
  bool inside = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
    const Vec2 a = ring[j], b = ring[i];
    if ((a.y <= p.y) != (b.y <= p.y) && (cross(b - a, p - a) > 0) == (b.y > a.y)) inside = !inside;
  }
  return inside;
}

bool contains(const Polygon& polygon, Vec2 p) {
  return contains(polygon.outer, p) &&
         std::none_of(polygon.holes.begin(), polygon.holes.end(), [&](const Ring& hole) { return contains(hole, p); });
}

Vec2 nearest_on_segment(Vec2 p, Vec2 a, Vec2 b) {
  const Vec2 along = b - a;
  const double length_squared = dot(along, along), t = dot(p - a, along);
  if (t <= 0 || length_squared == 0) return a;
  if (t >= length_squared) return b;
  return a + (t / length_squared) * along;
}

double distance_to_segment(Vec2 p, Vec2 a, Vec2 b) { return distance(p, nearest_on_segment(p, a, b)); }

double segment_distance(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  if (certain_side(a, b, c) * certain_side(a, b, d) < 0 && certain_side(c, d, a) * certain_side(c, d, b) < 0) return 0;
  return std::min(
      {distance_to_segment(a, c, d), distance_to_segment(b, c, d), distance_to_segment(c, a, b), distance_to_segment(d, a, b)});
}

std::optional<Crossing> find_crossing(std::span<const Ring> rings) {
  std::vector<Segment> edges;
  for (const Ring& ring : rings) {
    for (std::size_t i = 0; i < ring.size(); ++i) edges.push_back({ring[i], ring[i + 1 == ring.size() ? 0 : i + 1]});
  }
  if (edges.empty()) return std::nullopt;
  BoxTree tree(edges);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (const auto found = tree.first_crossing_after(i)) return found;
  }
  return std::nullopt;
}

}  // namespace throng
