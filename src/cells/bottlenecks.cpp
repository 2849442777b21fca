// SPDX-License-Identifier: MIT
#include "cells/bottlenecks.hpp"

#include <algorithm>

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

std::uint64_t pair_of(VertexIndex corner, ConstraintId segment) {
  return (static_cast<std::uint64_t>(corner) << 32) | static_cast<std::uint32_t>(segment);
}

class Inserter {
 public:
  Inserter(Map& map, Feet& feet) : map_(map), cdt_(map.triangulation), feet_(feet), view_({&map, 1}) {}

  /// Corners are where walls beside ground end.
  void find_corners() {
    feet_.kind.assign(cdt_.vertex_slot_count(), VertexKind::kOpen);
    for (std::size_t slot = 0; slot < cdt_.triangle_slot_count(); ++slot) {
      const auto t = static_cast<TriangleIndex>(slot);
      if (!is_candidate(t)) continue;
      for (int i = 0; i < 3; ++i)
        if (map_.is_wall({t, i})) feet_.kind[cdt_.from({t, i})] = feet_.kind[cdt_.to({t, i})] = VertexKind::kCorner;
    }
  }

  BottleneckReport run(double narrow_gap) {
    for (std::size_t slot = 0; slot < cdt_.triangle_slot_count(); ++slot) queue_.push_back(static_cast<TriangleIndex>(slot));
    apply_rule();
    const std::size_t corners = cdt_.vertex_slot_count();
    for (std::size_t v = 0; v < corners; ++v)
      if (feet_.kind[v] == VertexKind::kCorner)
        while (project_across_gaps(static_cast<VertexIndex>(v), narrow_gap)) apply_rule();
    count_at_rest();
    report_.kind = feet_.kind;
    return std::move(report_);
  }

  /// Triangles that changed, then corners near the walls that have.
  void run_again(std::span<const TriangleIndex> changed, std::span<const GridBox> boxes, double narrow_gap) {
    queue_.assign(changed.begin(), changed.end());
    apply_rule();
    const auto reach = static_cast<std::int32_t>(narrow_gap * kUnitsPerMetre) + 1;
    const auto is_near = [&](Point p) {
      return std::any_of(boxes.begin(), boxes.end(), [&](const GridBox& b) {
        return GridBox{{b.low.x - reach, b.low.y - reach}, {b.high.x + reach, b.high.y + reach}}.holds(p);
      });
    };
    const std::size_t corners = cdt_.vertex_slot_count();
    for (std::size_t slot = 0; slot < corners; ++slot) {
      const auto v = static_cast<VertexIndex>(slot);
      if (!cdt_.is_vertex_alive(v) || feet_.kind[slot] != VertexKind::kCorner || !is_near(cdt_.point(v))) continue;
      while (project_across_gaps(v, narrow_gap)) apply_rule();
    }
  }

 private:
  struct Verdict {
    enum Kind { kNothing, kSplit, kNearEnd, kTwice, kInverting } kind = kNothing;
    VertexIndex corner = kNone;
    ConstraintId segment = kNone;
    Point foot;
  };

  bool is_candidate(TriangleIndex t) const { return cdt_.is_alive(t) && !cdt_.is_ghost(t) && map_.is_free(t); }

  /// The paper's rule for one edge of a triangle.
  Verdict judge(EdgeRef e) const {
    if (map_.is_wall({e.triangle, (e.edge + 1) % 3}) && map_.is_wall({e.triangle, (e.edge + 2) % 3})) return {};
    return judge(e, cdt_.apex(e));
  }

  Verdict judge(EdgeRef e, VertexIndex corner) const {
    if (!map_.is_wall(e) || feet_.kind[corner] != VertexKind::kCorner) return {};
    const Point a = cdt_.point(corner), b = cdt_.point(cdt_.from(e)), c = cdt_.point(cdt_.to(e));
    const std::int64_t along = dot_units(b, a, c), length_squared = distance_squared(b, c);
    if (along <= 0 || along >= length_squared) return {};  // projects outside the piece
    Verdict verdict{Verdict::kSplit, corner, cdt_.constraints(e)[0], {}};
    verdict.foot = foot_on_line(a, map_.segments[verdict.segment]);
    const std::uint64_t pair = pair_of(corner, verdict.segment);
    if (feet_.fired.contains(pair)) {
      verdict.kind = Verdict::kTwice;
    } else if (feet_.inverting.contains(pair)) {
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
      feet_.inverting.insert(pair);
      return false;
    }
    feet_.fired.insert(pair);
    ++report_.inserted;
    feet_.kind.resize(cdt_.vertex_slot_count(), VertexKind::kOpen);
    feet_.kind[foot] = VertexKind::kFoot;
    feet_.list.push_back({foot, verdict.foot, verdict.corner, cdt_.point(verdict.corner), verdict.segment});
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
  Feet& feet_;
  BottleneckReport report_;
  std::vector<TriangleIndex> queue_, touched_;
  std::size_t head_ = 0;
  std::vector<EdgeRef> spokes_;
  CornerView view_;
};

/// What a vertex is, by the walls that end there. A foot splits one wall; where another one came to it, it is a corner.
VertexKind kind_at(const Map& map, VertexIndex v, bool is_foot, bool& is_on_joint) {
  const Triangulation& cdt = map.triangulation;
  int walls = 0;
  ConstraintId first = kNone;
  bool is_one_wall = true;
  is_on_joint = false;
  cdt.for_each_edge_around(v, [&](EdgeRef e) {
    if (cdt.to(e) == kGhost) return;
    is_on_joint |= map.is_joint(e);
    if (!map.is_wall(e)) return;
    const auto ids = cdt.constraints(e);
    is_one_wall = is_one_wall && ids.size() == 1 && (walls == 0 || ids[0] == first);
    first = ids[0];
    ++walls;
  });
  if (walls == 0) return VertexKind::kOpen;
  return is_foot && walls == 2 && is_one_wall ? VertexKind::kFoot : VertexKind::kCorner;
}

}  // namespace

BottleneckReport insert_bottlenecks(Map& map, double narrow_gap, Feet* keep) {
  Feet own;
  Inserter inserter(map, keep == nullptr ? own : *keep);
  inserter.find_corners();
  return inserter.run(narrow_gap);
}

void update_bottlenecks(Map& map, Feet& feet, const RunChange& change, std::span<const GridBox> boxes, double narrow_gap,
                        std::vector<TriangleIndex>& touched) {
  Triangulation& cdt = map.triangulation;
  const auto is_removed = [&](ConstraintId id) { return std::binary_search(change.removed.begin(), change.removed.end(), id); };
  const auto is_there = [&](VertexIndex v, Point place) { return cdt.is_vertex_alive(v) && cdt.point(v) == place; };
  bool is_on_joint = false;
  const auto has_reason = [&](const Feet::Foot& foot) {
    return !is_removed(foot.segment) && is_there(foot.corner, foot.corner_place) &&
           kind_at(map, foot.corner, false, is_on_joint) == VertexKind::kCorner;
  };
  // Judged before any is taken out: that changes no walls, but slots of vertices may be used again.
  std::vector<std::uint8_t> stays;
  for (const Feet::Foot& foot : feet.list) stays.push_back(foot.corner == kNone || has_reason(foot));
  std::erase_if(feet.inverting, [&](std::uint64_t pair) {
    const auto corner = static_cast<VertexIndex>(pair >> 32);
    return is_removed(static_cast<ConstraintId>(pair)) || !cdt.is_vertex_alive(corner);
  });
  cdt.watch(&touched);
  std::vector<Feet::Foot> kept;
  for (std::size_t i = 0; i < feet.list.size(); ++i) {
    Feet::Foot foot = feet.list[i];
    if (!stays[i]) {
      feet.fired.erase(pair_of(foot.corner, foot.segment));
      cdt.release_point(foot.vertex);
      foot.corner = foot.segment = kNone;
    }
    kept.push_back(foot);
  }
  std::erase_if(kept, [&](const Feet::Foot& foot) { return foot.corner == kNone && !is_there(foot.vertex, foot.place); });
  feet.list = std::move(kept);
  restore_regions(map, touched);

  feet.kind.resize(cdt.vertex_slot_count(), VertexKind::kOpen);
  std::vector<std::uint8_t> is_foot(cdt.vertex_slot_count(), 0), is_seen(cdt.vertex_slot_count(), 0);
  for (const Feet::Foot& foot : feet.list) is_foot[foot.vertex] = 1;
  for (const TriangleIndex t : touched) {
    if (!cdt.is_alive(t)) continue;
    for (const VertexIndex v : cdt.triangle(t).vertex) {
      if (v == kGhost || is_seen[v]) continue;
      is_seen[v] = 1;
      const VertexKind kind = kind_at(map, v, is_foot[v] != 0, is_on_joint);
      // The walls of the layer beyond a joint count as well, and no edit changes those.
      if (!is_on_joint) feet.kind[v] = kind;
    }
  }
  std::erase_if(feet.inverting, [&](std::uint64_t pair) { return is_seen[static_cast<std::size_t>(pair >> 32)] != 0; });
  Inserter(map, feet).run_again(touched, boxes, narrow_gap);
  cdt.watch(nullptr);
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
}

}  // namespace throng
