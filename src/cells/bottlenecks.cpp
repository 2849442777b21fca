// SPDX-License-Identifier: MIT
#include "cells/bottlenecks.hpp"

#include <unordered_set>

namespace throng {
namespace {

constexpr std::int64_t kFootMargin = 2;  // grid units between a foot and an end of the wall piece

std::int64_t dot_units(Point from, Point a, Point b) {
  return (std::int64_t{a.x} - from.x) * (std::int64_t{b.x} - from.x) + (std::int64_t{a.y} - from.y) * (std::int64_t{b.y} - from.y);
}

/// round(numerator / denominator), halves away from zero; denominator > 0.
__extension__ using Wide = __int128;
std::int64_t divide_rounded(Wide numerator, std::int64_t denominator) {
  const Wide half = denominator / 2;
  return static_cast<std::int64_t>(numerator >= 0 ? (numerator + half) / denominator : (numerator - half) / denominator);
}

/// The foot of `corner` on the line of the original segment, rounded to the grid.
Point foot_on_line(Point corner, const MapSegment& s) {
  const std::int64_t along = dot_units(s.a, corner, s.b), length_squared = distance_squared(s.a, s.b);
  return {static_cast<std::int32_t>(s.a.x + divide_rounded(Wide{along} * (std::int64_t{s.b.x} - s.a.x), length_squared)),
          static_cast<std::int32_t>(s.a.y + divide_rounded(Wide{along} * (std::int64_t{s.b.y} - s.a.y), length_squared))};
}

class Inserter {
 public:
  explicit Inserter(Map& map) : map_(map), cdt_(map.triangulation) { report_.is_foot.assign(cdt_.vertex_slot_count(), 0); }

  BottleneckReport run() {
    std::vector<TriangleIndex> queue;
    for (std::size_t slot = 0; slot < cdt_.triangle_slot_count(); ++slot) queue.push_back(static_cast<TriangleIndex>(slot));
    std::vector<TriangleIndex> touched;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const TriangleIndex t = queue[head];
      if (!is_candidate(t)) continue;
      for (int i = 0; i < 3; ++i) {
        const Verdict verdict = judge({t, i});
        if (verdict.kind != Verdict::kSplit) continue;
        const std::uint64_t pair = pair_of(verdict.corner, verdict.segment);
        touched.clear();
        const VertexIndex foot = cdt_.split_edge({t, i}, verdict.foot, &touched);
        if (foot == kNone) {
          inverting_.insert(pair);
          continue;
        }
        fired_.insert(pair);
        ++report_.inserted;
        report_.is_foot.resize(cdt_.vertex_slot_count(), 0);
        report_.is_foot[foot] = 1;
        restore_regions(touched);
        queue.insert(queue.end(), touched.begin(), touched.end());
        break;  // the triangle is another one now, and queued again
      }
    }
    count_at_rest();
    return std::move(report_);
  }

 private:
  struct Verdict {
    enum Kind { kNothing, kSplit, kNearEnd, kTwice, kInverting } kind = kNothing;
    VertexIndex corner = kNone;
    ConstraintId segment = kNone;
    Point foot;
  };

  static std::uint64_t pair_of(VertexIndex corner, ConstraintId segment) {
    return (static_cast<std::uint64_t>(corner) << 32) | static_cast<std::uint32_t>(segment);
  }
  bool is_candidate(TriangleIndex t) const { return cdt_.is_alive(t) && !cdt_.is_ghost(t) && map_.is_free(t); }

  Verdict judge(EdgeRef e) const {
    if (!map_.is_wall(e)) return {};
    const VertexIndex corner = cdt_.apex(e);
    if (report_.is_foot[corner]) return {};
    if (map_.is_wall({e.triangle, (e.edge + 1) % 3}) && map_.is_wall({e.triangle, (e.edge + 2) % 3})) return {};
    const Point a = cdt_.point(corner), b = cdt_.point(cdt_.from(e)), c = cdt_.point(cdt_.to(e));
    const std::int64_t along = dot_units(b, a, c), length_squared = distance_squared(b, c);
    if (along <= 0 || along >= length_squared) return {};  // projects outside the piece
    Verdict verdict{Verdict::kSplit, corner, cdt_.constraints(e)[0], {}};
    verdict.foot = foot_on_line(a, map_.segments[verdict.segment]);
    const std::uint64_t pair = pair_of(corner, verdict.segment);
    if (fired_.contains(pair)) {
      verdict.kind = Verdict::kTwice;
    } else if (inverting_.contains(pair)) {
      verdict.kind = Verdict::kInverting;
    } else if (distance_squared(verdict.foot, b) < kFootMargin * kFootMargin ||
               distance_squared(verdict.foot, c) < kFootMargin * kFootMargin || dot_units(b, verdict.foot, c) <= 0 ||
               dot_units(c, verdict.foot, b) <= 0) {
      verdict.kind = Verdict::kNearEnd;
    }
    return verdict;
  }

  /// Split and flips keep constraints, so each new triangle takes its region from a constraint it touches or from a neighbour.
  void restore_regions(const std::vector<TriangleIndex>& touched) {
    constexpr Region kUnknown = -2;
    map_.region.resize(cdt_.triangle_slot_count(), kSolid);
    for (TriangleIndex t : touched) map_.region[t] = kUnknown;
    for (bool changed = true; changed;) {
      changed = false;
      for (TriangleIndex t : touched) {
        if (map_.region[t] != kUnknown) continue;
        for (int i = 0; i < 3 && map_.region[t] == kUnknown; ++i) {
          if (cdt_.is_ghost(t)) {
            map_.region[t] = kSolid;
          } else if (cdt_.is_constrained({t, i})) {
            map_.region[t] = map_.region_beside({t, i});
          } else if (const TriangleIndex next = cdt_.triangle(t).neighbour[i]; map_.region[next] != kUnknown) {
            map_.region[t] = map_.region[next];
          }
        }
        changed = changed || map_.region[t] != kUnknown;
      }
    }
  }

  void count_at_rest() {
    for (std::size_t slot = 0; slot < cdt_.triangle_slot_count(); ++slot) {
      const auto t = static_cast<TriangleIndex>(slot);
      if (!is_candidate(t)) continue;
      for (int i = 0; i < 3; ++i) switch (judge({t, i}).kind) {
          case Verdict::kNothing: break;
          case Verdict::kSplit: ++report_.unguarded; break;
          case Verdict::kNearEnd: ++report_.refused_near_end; break;
          case Verdict::kTwice: ++report_.refused_twice; break;
          case Verdict::kInverting: ++report_.refused_inverting; break;
        }
    }
  }

  Map& map_;
  Triangulation& cdt_;
  BottleneckReport report_;
  std::unordered_set<std::uint64_t> fired_;
  std::unordered_set<std::uint64_t> inverting_;
};

}  // namespace

BottleneckReport insert_bottlenecks(Map& map) { return Inserter(map).run(); }

}  // namespace throng
