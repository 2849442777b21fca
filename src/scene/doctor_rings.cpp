// SPDX-License-Identifier: MIT
#include "scene/doctor_rings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "geometry/point.hpp"
#include "scene/edge_grid.hpp"

namespace throng {
namespace {

constexpr double kSliver = 0.02;           ///< metres; polygons thinner than this on average are artefacts
constexpr double kNeedleTangent = 0.0524;  ///< of 3 degrees
constexpr double kNeedleArm = 0.1;         ///< metres; shorter spikes are noise
constexpr double kGap = 0.05;              ///< metres; wall ends nearer than this were meant to meet
constexpr double kTouch = 1.5 * kUnit;     ///< metres; what the grid cannot tell apart
constexpr std::size_t kMaxPairTests = 50'000'000;

bool is_number(Vec2 p) { return fits_grid(p); }

/// Corners on the grid, without repetitions.
std::vector<Point> snapped(const Ring& ring) {
  std::vector<Point> out;
  for (const Vec2 v : ring)
    if (const Point p = snap(v); out.empty() || out.back() != p) out.push_back(p);
  while (out.size() > 1 && out.front() == out.back()) out.pop_back();
  return out;
}

/// Signed area in square metres, from exact triangles round the first corner.
double area_of(const std::vector<Point>& ring) {
  double twice = 0;
  for (std::size_t i = 1; i + 1 < ring.size(); ++i) twice += static_cast<double>(orient(ring[0], ring[i], ring[i + 1]));
  return twice / 2 * kUnit * kUnit;
}

double perimeter_of(const std::vector<Point>& ring) {
  double sum = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) sum += distance(to_metres(ring[i]), to_metres(ring[(i + 1) % ring.size()]));
  return sum;
}

std::vector<Vec2> closed_outline(const Ring& ring) {
  std::vector<Vec2> out(ring.begin(), ring.end());
  if (!out.empty()) out.push_back(out.front());
  return out;
}

int sign(std::int64_t v) { return (v > 0) - (v < 0); }

bool on_segment(Point p, Point a, Point b) {
  return orient(a, b, p) == 0 && std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= p.y &&
         p.y <= std::max(a.y, b.y);
}

/// Where two segments that share no end meet, if they do; touching counts.
std::optional<Vec2> meeting(Point a, Point b, Point c, Point d) {
  const int c_side = sign(orient(a, b, c)), d_side = sign(orient(a, b, d)), a_side = sign(orient(c, d, a)),
            b_side = sign(orient(c, d, b));
  if (c_side * d_side < 0 && a_side * b_side < 0) {
    const Vec2 p = to_metres(a), r = to_metres(b) - p, q = to_metres(c), s = to_metres(d) - q;
    return p + (cross(q - p, s) / cross(r, s)) * r;
  }
  if (c_side == 0 && on_segment(c, a, b)) return to_metres(c);
  if (d_side == 0 && on_segment(d, a, b)) return to_metres(d);
  if (a_side == 0 && on_segment(a, c, d)) return to_metres(a);
  if (b_side == 0 && on_segment(b, c, d)) return to_metres(b);
  return std::nullopt;
}

/// The edges of all rings of one polygon, to be tested against each other.
struct PolygonEdges {
  struct Edge {
    Point a, b;
    std::uint32_t ring, index, ring_size;
  };
  std::vector<Edge> edges;

  explicit PolygonEdges(const Polygon& polygon) {
    std::uint32_t number = 0;
    const auto add = [&](const Ring& ring) {
      const auto points = snapped(ring);
      const auto n = static_cast<std::uint32_t>(points.size());
      for (std::uint32_t i = 0; i < n; ++i) edges.push_back({points[i], points[(i + 1) % n], number, i, n});
      ++number;
    };
    add(polygon.outer);
    for (const Ring& hole : polygon.holes) add(hole);
  }

  static bool are_neighbours(const Edge& e, const Edge& f) {
    return e.ring == f.ring && ((e.index + 1) % e.ring_size == f.index || (f.index + 1) % f.ring_size == e.index);
  }

  std::optional<Vec2> test(const Edge& e, const Edge& f) const {
    if (!are_neighbours(e, f)) return meeting(e.a, e.b, f.a, f.b);
    // Neighbours share a corner; they may only fold back onto each other.
    const Edge& first = (e.index + 1) % e.ring_size == f.index ? e : f;
    const Edge& second = &first == &e ? f : e;
    if (e.ring_size > 2 && orient(first.a, first.b, second.b) == 0 &&
        (on_segment(second.b, first.a, first.b) || on_segment(first.a, second.a, second.b)))
      return to_metres(first.b);
    return std::nullopt;
  }

  /// The first meeting in reading order, and how many pairs meet.
  std::pair<std::optional<Vec2>, std::size_t> crossings() const {
    std::set<std::pair<std::uint32_t, std::uint32_t>> found;
    std::optional<Vec2> place;
    std::pair<std::uint32_t, std::uint32_t> place_of{~0u, ~0u};
    std::size_t tests = 0;
    const auto try_pair = [&](std::uint32_t i, std::uint32_t j) {
      ++tests;
      if (i > j) std::swap(i, j);
      const auto at = test(edges[i], edges[j]);
      if (!at || !found.emplace(i, j).second) return;
      if (std::pair(i, j) < place_of) place = at, place_of = {i, j};
    };
    if (edges.size() <= 24) {
      for (std::uint32_t i = 0; i < edges.size(); ++i)
        for (std::uint32_t j = i + 1; j < edges.size(); ++j) try_pair(i, j);
    } else {
      std::vector<Segment> segments;
      for (const Edge& e : edges) segments.push_back({to_metres(e.a), to_metres(e.b)});
      const EdgeGrid grid(segments);
      for (std::uint32_t tile = 0; tile < grid.tile_count() && tests < kMaxPairTests; ++tile) {
        const auto here = grid.in_tile(tile);
        for (std::size_t i = 0; i < here.size() && tests < kMaxPairTests; ++i)
          for (std::size_t j = i + 1; j < here.size(); ++j) try_pair(here[i], here[j]);
      }
    }
    return {place, found.size()};
  }
};

void examine_needles(const std::vector<Point>& ring, const std::string& where, std::vector<Finding>& findings) {
  const std::size_t n = ring.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 before = to_metres(ring[(i + n - 1) % n]), at = to_metres(ring[i]), after = to_metres(ring[(i + 1) % n]);
    const Vec2 u = before - at, v = after - at;
    if (std::min(length(u), length(v)) < kNeedleArm || dot(u, v) <= 0 || std::abs(cross(u, v)) >= kNeedleTangent * dot(u, v))
      continue;
    findings.push_back({Finding::kWarning,
                        "needle",
                        at,
                        {before, at, after},
                        {where + " at " + place_words(at), "the outline makes a spike of less than 3 degrees",
                         "remove this corner or widen the spike"}});
  }
}

/// A ring that is the same whatever its first corner and direction.
std::vector<Point> canonical(std::vector<Point> ring) {
  if (area_of(ring) < 0) std::reverse(ring.begin(), ring.end());
  if (!ring.empty()) std::rotate(ring.begin(), std::min_element(ring.begin(), ring.end()), ring.end());
  return ring;
}

void examine_duplicates(const std::vector<Polygon>& polygons, const std::string& kind, std::vector<Finding>& findings) {
  std::map<std::vector<std::vector<Point>>, std::size_t> seen;
  for (std::size_t i = 0; i < polygons.size(); ++i) {
    const Polygon& p = polygons[i];
    if (p.outer.size() < 3 || !std::all_of(p.outer.begin(), p.outer.end(), is_number)) continue;
    std::vector<std::vector<Point>> key{canonical(snapped(p.outer))};
    for (const Ring& hole : p.holes)
      if (std::all_of(hole.begin(), hole.end(), is_number)) key.push_back(canonical(snapped(hole)));
    std::sort(key.begin() + 1, key.end());
    const auto [other, is_new] = seen.emplace(std::move(key), i);
    if (!is_new)
      findings.push_back({Finding::kWarning,
                          "duplicate",
                          p.outer[0],
                          closed_outline(p.outer),
                          {kind + " " + std::to_string(i) + " at " + place_words(p.outer[0]),
                           "it is the same as " + kind + " " + std::to_string(other->second), "delete one of the two"}});
  }
}

struct Box {
  Vec2 low{1e300, 1e300}, high{-1e300, -1e300};
  explicit Box(const Ring& ring) {
    for (const Vec2 v : ring) {
      low = {std::min(low.x, v.x), std::min(low.y, v.y)};
      high = {std::max(high.x, v.x), std::max(high.y, v.y)};
    }
  }
  bool meets(const Box& other) const {
    return low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y && other.low.y <= high.y;
  }
};

bool contains(const Ring& ring, Vec2 p) {
  bool in = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++)
    if ((ring[i].y > p.y) != (ring[j].y > p.y) &&
        p.x < ring[i].x + (p.y - ring[i].y) / (ring[j].y - ring[i].y) * (ring[j].x - ring[i].x))
      in = !in;
  return in;
}

/// Whether the insides or outlines of two rings have anything in common; `work` counts what it cost.
bool rings_meet(const Ring& a, const Ring& b, std::size_t& work) {
  work += a.size() + b.size();
  if (a.empty() || b.empty()) return false;
  if (contains(a, b[0]) || contains(b, a[0])) return true;
  work += a.size() * b.size();
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      if (meeting(snap(a[i]), snap(a[(i + 1) % a.size()]), snap(b[j]), snap(b[(j + 1) % b.size()]))) return true;
  return false;
}

double segment_distance(Vec2 p, const Segment& s, Vec2& nearest) {
  const double squared = dot(s.b - s.a, s.b - s.a);
  const double t = squared > 0 ? std::clamp(dot(p - s.a, s.b - s.a) / squared, 0.0, 1.0) : 0;
  nearest = s.a + t * (s.b - s.a);
  return distance(p, nearest);
}

/// Inside the outline or on it.
bool covers(const Ring& ring, Vec2 p) {
  if (contains(ring, p)) return true;
  Vec2 nearest;
  for (std::size_t i = 0; i < ring.size(); ++i)
    if (segment_distance(p, {ring[i], ring[(i + 1) % ring.size()]}, nearest) <= kTouch) return true;
  return false;
}

/// A polygon that has all other polygons and walls of a layer inside is the outline of the plan, read as one solid block, or as
/// one floor on which nothing else changes anything.
void examine_swallowing(const Layer& layer, const std::string& where, std::vector<Finding>& findings) {
  const auto finite = [](const Ring& ring) { return !ring.empty() && std::all_of(ring.begin(), ring.end(), is_number); };
  const auto size_of = [](const Box& box) { return (box.high.x - box.low.x) * (box.high.y - box.low.y); };
  for (const bool is_solid : {true, false}) {
    const std::vector<Polygon>& polygons = is_solid ? layer.obstacles : layer.walkable;
    std::size_t largest = polygons.size();
    for (std::size_t i = 0; i < polygons.size(); ++i)
      if (finite(polygons[i].outer) &&
          (largest == polygons.size() || size_of(Box(polygons[i].outer)) > size_of(Box(polygons[largest].outer))))
        largest = i;
    if (largest == polygons.size()) continue;
    const Polygon& outer = polygons[largest];
    const auto is_inside = [&](Vec2 p) {
      return covers(outer.outer, p) &&
             std::none_of(outer.holes.begin(), outer.holes.end(), [&](const Ring& hole) { return contains(hole, p); });
    };
    std::size_t count = 0, work = 0;
    bool swallows = true;
    const auto look_at = [&](const Ring& ring) {
      ++count;
      work += ring.size() * outer.outer.size();
      swallows = swallows && work < kMaxPairTests && finite(ring) && std::all_of(ring.begin(), ring.end(), is_inside);
      // The same outline twice is a duplicate, which has a finding of its own.
      swallows = swallows && size_of(Box(ring)) < 0.98 * size_of(Box(outer.outer));
    };
    for (std::size_t i = 0; i < polygons.size() && swallows; ++i)
      if (i != largest) look_at(polygons[i].outer);
    // A floor has obstacles and walls inside; a block has not.
    for (std::size_t i = 0; is_solid && i < layer.walkable.size() && swallows; ++i) look_at(layer.walkable[i].outer);
    for (std::size_t i = 0; is_solid && i < layer.walls.size() && swallows; ++i) look_at({layer.walls[i].a, layer.walls[i].b});
    if (!swallows || count == 0) continue;
    const std::string others = "it contains all other outlines of the layer (" + std::to_string(count) + ")";
    findings.push_back(
        {Finding::kWarning,
         "swallows-all",
         outer.outer[0],
         closed_outline(outer.outer),
         {where + (is_solid ? ", obstacle " : ", walkable ") + std::to_string(largest) + " at " + place_words(outer.outer[0]),
          others + (is_solid ? ", so the plan is one solid block" : ": what is walkable inside it changes nothing"),
          is_solid ? "if it is the outline of the floor, make it walkable (GeoJSON: \"throng\": \"walkable\"; WKT: walkable:)"
                   : "make walls and furniture obstacles (WKT: obstacle:), or delete them"}});
  }
}

void examine_outside(const Layer& layer, const std::string& where, std::vector<Finding>& findings) {
  if (layer.walkable.empty()) return;
  const auto finite = [](const Ring& ring) { return std::all_of(ring.begin(), ring.end(), is_number); };
  std::vector<Box> ground;
  for (const Polygon& p : layer.walkable) ground.emplace_back(p.outer);
  std::size_t work = 0;
  for (std::size_t i = 0; i < layer.obstacles.size() && work < kMaxPairTests; ++i) {
    const Ring& ring = layer.obstacles[i].outer;
    if (ring.size() < 3 || !finite(ring)) continue;
    const Box box(ring);
    bool useful = false;
    for (std::size_t k = 0; k < ground.size() && !useful; ++k) {
      ++work;
      useful = box.meets(ground[k]) && (!finite(layer.walkable[k].outer) || rings_meet(ring, layer.walkable[k].outer, work));
    }
    if (!useful)
      findings.push_back(
          {Finding::kNote,
           "outside-walkable",
           ring[0],
           closed_outline(ring),
           {where + ", obstacle " + std::to_string(i) + " at " + place_words(ring[0]),
            "it lies outside all walkable polygons, so it changes nothing", "delete it, or extend the walkable ground"}});
  }
}

struct PointHash {
  std::size_t operator()(Point p) const {
    return static_cast<std::size_t>((std::uint64_t(std::uint32_t(p.x)) << 32 | std::uint32_t(p.y)) * 0x9E3779B97F4A7C15ull);
  }
};

/// Wall ends that stop a few centimetres before another wall or outline: somebody meant to close them.
void examine_walls(const Layer& layer, const std::string& where, std::vector<Finding>& findings) {
  if (layer.walls.empty()) return;
  std::vector<Segment> lines;
  std::unordered_map<Point, int, PointHash> ends;
  for (std::size_t i = 0; i < layer.walls.size(); ++i) {
    const Segment& s = layer.walls[i];
    const std::string wall = where + ", wall " + std::to_string(i);
    if (!is_number(s.a) || !is_number(s.b)) {
      findings.push_back(
          {Finding::kError,
           "bad-number",
           {},
           {},
           {wall, "a coordinate is not a number or farther than 16 km from the origin", "check the file and its units"}});
      continue;
    }
    if (snap(s.a) == snap(s.b)) {
      findings.push_back({Finding::kNote,
                          "zero-length-wall",
                          s.a,
                          {s.a, s.b},
                          {wall + " at " + place_words(s.a), "it is shorter than a millimetre", "delete it"}});
      continue;
    }
    lines.push_back(s);
    ++ends[snap(s.a)], ++ends[snap(s.b)];
  }
  const std::size_t wall_count = lines.size();
  for (const auto* polygons : {&layer.walkable, &layer.obstacles})
    for (const Polygon& p : *polygons) {
      std::vector<const Ring*> rings{&p.outer};
      for (const Ring& hole : p.holes) rings.push_back(&hole);
      for (const Ring* ring : rings)
        for (std::size_t i = 0; i < ring->size(); ++i)
          if (const Segment s{(*ring)[i], (*ring)[(i + 1) % ring->size()]}; is_number(s.a) && is_number(s.b)) lines.push_back(s);
    }
  const EdgeGrid grid(lines);
  std::set<std::pair<Point, Point>> reported;
  for (std::size_t i = 0; i < wall_count; ++i)
    for (const Vec2 end : {lines[i].a, lines[i].b}) {
      if (ends[snap(end)] != 1) continue;
      double nearest = kGap;
      Vec2 target;
      bool touches = false;
      grid.near(end, kGap, [&](std::uint32_t other) {
        if (other == i || touches) return;
        Vec2 at;
        const double d = segment_distance(end, lines[other], at);
        // An end just beyond a wall it crosses is no gap.
        if (d <= kTouch || meeting(snap(lines[i].a), snap(lines[i].b), snap(lines[other].a), snap(lines[other].b)))
          touches = true;
        else if (d < nearest)
          nearest = d, target = at;
      });
      if (touches || nearest >= kGap) continue;
      const Point from = snap(end), to = snap(target);
      // Two ends that miss each other are one gap, not two.
      if (!reported.emplace(std::min(from, to), std::max(from, to)).second) continue;
      const auto other_end = ends.find(to);
      const bool both_open = other_end != ends.end() && other_end->second == 1;
      char gap[48];
      std::snprintf(gap, sizeof gap, "%.1f cm", nearest * 100);
      findings.push_back({Finding::kWarning,
                          both_open ? "open-wall" : "dangling-wall",
                          end,
                          {end, target},
                          {where + ", wall end at " + place_words(end),
                           std::string("a gap of ") + gap +
                               (both_open ? " to the next wall end leaves the outline open" : " to the wall it should meet"),
                           "move the end to " + place_words(target)}});
    }
}

}  // namespace

void examine_polygon(const Polygon& polygon, const std::string& where, bool alone, std::vector<Finding>& findings) {
  std::vector<const Ring*> rings{&polygon.outer};
  for (const Ring& hole : polygon.holes) rings.push_back(&hole);
  bool sound = true;
  for (const Ring* ring : rings) {
    const std::string which = ring == &polygon.outer ? where : where + ", a hole";
    if (!std::all_of(ring->begin(), ring->end(), is_number)) {
      findings.push_back(
          {Finding::kError,
           "bad-number",
           {},
           {},
           {which, "a coordinate is not a number or farther than 16 km from the origin", "check the file and its units"}});
      sound = false;
      continue;
    }
    const Vec2 place = ring->empty() ? Vec2{} : ring->front();
    const std::string at = which + " at " + place_words(place);
    const auto points = snapped(*ring);
    if (points.size() < 3) {
      findings.push_back({Finding::kError,
                          "too-few-points",
                          place,
                          closed_outline(*ring),
                          {at, "it has " + std::to_string(points.size()) + " different corners; an outline needs three",
                           "complete it or delete it"}});
      sound = false;
      continue;
    }
    const double area = std::abs(area_of(points)), perimeter = perimeter_of(points);
    if (area < 1e-6 * perimeter) {  // also true of a figure eight of equal halves, which the crossing explains
      findings.push_back({Finding::kWarning,
                          "zero-area",
                          place,
                          closed_outline(*ring),
                          {at, "it encloses nothing", "delete it, or draw it as a wall"}});
    } else if (alone && 2 * area / perimeter < kSliver) {
      char width[48];
      std::snprintf(width, sizeof width, "%.1f cm", 200 * area / perimeter);
      findings.push_back({Finding::kWarning,
                          "sliver",
                          place,
                          closed_outline(*ring),
                          {at, std::string("it is only about ") + width + " wide", "delete it, or draw it as a wall"}});
    } else if (alone) {
      examine_needles(points, which, findings);
    }
  }
  if (!sound) return;
  if (const auto [place, count] = PolygonEdges(polygon).crossings(); place)
    findings.push_back({Finding::kError,
                        "self-crossing",
                        *place,
                        closed_outline(polygon.outer),
                        {where + " at " + place_words(*place),
                         count == 1 ? "the outline crosses or touches itself"
                                    : "the outline crosses or touches itself, " + std::to_string(count) + " times",
                         "split it into simple outlines, or check the order of its corners"}});
}

void examine_layer(const Layer& layer, std::uint32_t index, std::vector<Finding>& findings) {
  const std::string where = "layer " + std::to_string(index);
  for (std::size_t i = 0; i < layer.walkable.size(); ++i)
    examine_polygon(layer.walkable[i], where + ", walkable " + std::to_string(i), layer.walkable.size() == 1, findings);
  for (std::size_t i = 0; i < layer.obstacles.size(); ++i)
    examine_polygon(layer.obstacles[i], where + ", obstacle " + std::to_string(i), true, findings);
  examine_duplicates(layer.walkable, where + ", walkable", findings);
  examine_duplicates(layer.obstacles, where + ", obstacle", findings);
  examine_swallowing(layer, where, findings);
  examine_outside(layer, where, findings);
  examine_walls(layer, where, findings);
}

}  // namespace throng
