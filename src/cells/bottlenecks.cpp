// SPDX-License-Identifier: MIT
#include "cells/bottlenecks.hpp"

#include <unordered_set>

#include "cells/look.hpp"

namespace throng {
namespace {

constexpr std::int64_t kFootMargin = 2;  // grid units between a foot and an end of the wall piece

std::int64_t dot_units(Point from, Point a, Point b) {
  return (std::int64_t{a.x} - from.x) * (std::int64_t{b.x} - from.x) +
         (std::int64_t{a.y} - from.y) * (std::int64_t{b.y} - from.y);
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
  explicit Inserter(Map& map) : map_(map), cdt_(map.triangulation), view_({&map, 1}) {
    report_.kind.assign(cdt_.vertex_slot_count(), VertexKind::kOpen);
    for (std::size_t slot = 0; slot < cdt_.triangle_slot_count(); ++slot) {
      const auto t = static_cast<TriangleIndex>(slot);
      if (!is_candidate(t)) continue;
      for (int i = 0; i < 3; ++i)
        if (map_.is_wall({t, i})) report_.kind[cdt_.from({t, i})] = report_.kind[cdt_.to({t, i})] = VertexKind::kCorner;
    }
  }

  BottleneckReport run(double narrow_gap) {
    for (std::size_t slot = 0; slot < cdt_.triangle_slot_count(); ++slot) queue_.push_back(static_cast<TriangleIndex>(slot));
    apply_rule();
    const std::size_t corners = cdt_.vertex_slot_count();
    for (std::size_t v = 0; v < corners; ++v)
      if (report_.kind[v] == VertexKind::kCorner)
        while (project_across_gaps(static_cast<VertexIndex>(v), narrow_gap)) apply_rule();
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

  /// The paper's rule for one edge of a triangle.
  Verdict judge(EdgeRef e) const {
    if (map_.is_wall({e.triangle, (e.edge + 1) % 3}) && map_.is_wall({e.triangle, (e.edge + 2) % 3})) return {};
    return judge(e, cdt_.apex(e));
  }

  Verdict judge(EdgeRef e, VertexIndex corner) const {
    if (!map_.is_wall(e) || report_.kind[corner] != VertexKind::kCorner) return {};
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

  bool split(EdgeRef e, const Verdict& verdict) {
    const std::uint64_t pair = pair_of(verdict.corner, verdict.segment);
    touched_.clear();
    const VertexIndex foot = cdt_.split_edge(e, verdict.foot, &touched_);
    if (foot == kNone) {
      inverting_.insert(pair);
      return false;
    }
    fired_.insert(pair);
    ++report_.inserted;
    report_.kind.resize(cdt_.vertex_slot_count(), VertexKind::kOpen);
    report_.kind[foot] = VertexKind::kFoot;
    restore_regions(touched_);
    queue_.insert(queue_.end(), touched_.begin(), touched_.end());
    return true;
  }

  /// Works off the queue; a split queues every triangle it makes.
  void apply_rule() {
    for (; head_ < queue_.size(); ++head_) {
      const TriangleIndex t = queue_[head_];
      if (!is_candidate(t)) continue;
      for (int i = 0; i < 3; ++i) {
        const Verdict verdict = judge({t, i});
        if (verdict.kind == Verdict::kSplit && split({t, i}, verdict)) break;  // the triangle is another one now, and queued
      }
    }
  }

  /// One foot on a wall nearer than `narrow_gap` that the corner sees through free edges. False if there is none to insert.
  bool project_across_gaps(VertexIndex corner, double narrow_gap) {
    const Point a = cdt_.point(corner);
    bool inserted = false;
    spokes_.clear();
    cdt_.for_each_edge_around(corner, [&](EdgeRef spoke) {
      if (is_candidate(spoke.triangle))
        spokes_.push_back({spoke.triangle, (spoke.edge + 1) % 3});  // the edge opposite the corner
    });
    for (std::size_t i = 0; i < spokes_.size() && !inserted; ++i)
      view_.look(a, 0, spokes_[i], narrow_gap, [&](const CornerView::View& wall) {
        const Verdict verdict = judge(wall.edge, corner);
        const bool seen = verdict.kind == Verdict::kSplit && orient(a, wall.right, verdict.foot) >= 0 &&
                          orient(a, verdict.foot, wall.left) >= 0;
        inserted = seen && split(wall.edge, verdict);
        return !inserted;
      });
    return inserted;
  }

  /// Split and flips keep constraints, so each new triangle takes its region from a constraint it touches or from a neighbour.
  void restore_regions(const std::vector<TriangleIndex>& touched) {
    constexpr AreaSetIndex kUnknown = -2;
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
          case Verdict::kNothing:
            break;
          case Verdict::kSplit:
            ++report_.unguarded;
            break;
          case Verdict::kNearEnd:
            ++report_.refused_near_end;
            break;
          case Verdict::kTwice:
            ++report_.refused_twice;
            break;
          case Verdict::kInverting:
            ++report_.refused_inverting;
            break;
        }
    }
  }

  Map& map_;
  Triangulation& cdt_;
  BottleneckReport report_;
  std::unordered_set<std::uint64_t> fired_;
  std::unordered_set<std::uint64_t> inverting_;
  std::vector<TriangleIndex> queue_, touched_;
  std::size_t head_ = 0;
  std::vector<EdgeRef> spokes_;
  CornerView view_;
};

}  // namespace

BottleneckReport insert_bottlenecks(Map& map, double narrow_gap) { return Inserter(map).run(narrow_gap); }

}  // namespace throng
