// SPDX-License-Identifier: MIT
#include "scene/map_edit.hpp"

#include <algorithm>
#include <map>

#include "scene/simplify.hpp"

namespace throng {
namespace {

void sort_unique(std::vector<TriangleIndex>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

template <class T>
T take(std::vector<T>& free, T next) {
  if (free.empty()) return next;
  const T slot = free.back();
  free.pop_back();
  return slot;
}

/// The same segment with its smaller end first.
MapSegment in_order(MapSegment s) {
  if (s.b < s.a) {
    std::swap(s.a, s.b);
    std::swap(s.left, s.right);
  }
  return s;
}

bool are_same(const MapSegment& s, const MapSegment& t) {
  return s.left == t.left && s.right == t.right && s.wall == t.wall && s.joint == t.joint;
}

}  // namespace

EditableMap::EditableMap(RawMap raw, std::span<const MapSegment> pieces, std::span<const EdgeRef> borders,
                         std::span<const std::uint32_t> run_of, std::span<const ConstraintId> obstacle_start,
                         double tolerance_units)
    : raw_(std::move(raw)), tolerance_(tolerance_units) {
  const Triangulation& cdt = raw_.triangulation;
  piece_on_.assign(3 * cdt.triangle_slot_count(), kNone);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto run = run_of[i];
    if (run >= pieces_of_.size()) pieces_of_.resize(run + 1);
    pieces_of_[run].push_back(static_cast<std::uint32_t>(i));
    pieces_.push_back({pieces[i], static_cast<ConstraintId>(run)});
    piece_on(borders[i]) = piece_on(cdt.twin(borders[i])) = static_cast<std::int32_t>(i);
  }
  for (std::size_t i = 0; i + 1 < obstacle_start.size(); ++i) {
    auto& lines = lines_of_.emplace_back();
    for (ConstraintId id = obstacle_start[i]; id < obstacle_start[i + 1]; ++id) lines.push_back(id);
  }
}

bool EditableMap::change_obstacle(std::uint32_t number, const Polygon& shape, std::span<const GridBox> boxes, AreaSets& sets,
                                  Map& map, RunChange& change) {
  if (number >= lines_of_.size()) lines_of_.resize(number + 1);
  Triangulation& cdt = raw_.triangulation;
  changed_.clear();
  cdt.watch(&changed_);
  std::vector<ConstraintId> gone = std::move(lines_of_[number]);
  for (const ConstraintId id : gone) {
    InputLine& line = raw_.lines[static_cast<std::size_t>(id)];
    const VertexIndex a = vertex_at(line.a), b = vertex_at(line.b);
    cdt.remove_constraint(id);
    cdt.release_point(a);
    cdt.release_point(b);
    line.b = line.a;
  }
  std::vector<InputLine> fresh;
  append_lines(shape, InputLine::kObstacle, 0, fresh);
  std::vector<ConstraintId> lines;
  for (const InputLine& line : fresh) {
    const auto id = take(free_lines_, static_cast<ConstraintId>(raw_.lines.size()));
    if (static_cast<std::size_t>(id) == raw_.lines.size()) raw_.lines.emplace_back();
    raw_.lines[static_cast<std::size_t>(id)] = line;
    const VertexIndex a = cdt.insert_point(line.a), b = cdt.insert_point(line.b);
    cdt.insert_constraint(a, b, id);
    lines.push_back(id);
  }
  cdt.watch(nullptr);
  free_lines_.insert(free_lines_.end(), gone.begin(), gone.end());
  lines_of_[number] = std::move(lines);
  sort_unique(changed_);
  return !cdt.is_flat() && cover_again(boxes, sets) && compare_pieces(change, map);
}

/// Floods from triangles that did not change and have a corner outside the boxes: no line runs through a triangle, so they lie
/// outside what has come or gone.
bool EditableMap::cover_again(std::span<const GridBox> boxes, AreaSets& sets) {
  const Triangulation& cdt = raw_.triangulation;
  const std::size_t slots = cdt.triangle_slot_count();
  raw_.cover.resize(slots);
  raw_.region.resize(slots, kSolid);
  enum : std::uint8_t { kKnown, kUnknown, kDone };
  std::vector<std::uint8_t> mark(slots, kKnown);
  for (const TriangleIndex t : changed_) mark[t] = kUnknown;
  const auto is_outside = [&](TriangleIndex t) {
    if (cdt.is_ghost(t)) return true;
    for (const VertexIndex v : cdt.triangle(t).vertex)
      if (std::none_of(boxes.begin(), boxes.end(), [&](const GridBox& box) { return box.holds(cdt.point(v)); })) return true;
    return false;
  };
  std::vector<TriangleIndex> queue;
  for (const TriangleIndex t : changed_) {
    if (!cdt.is_alive(t)) {
      raw_.region[t] = kSolid;
      continue;
    }
    if (cdt.is_ghost(t)) {
      raw_.cover[t] = {};
      mark[t] = kDone;
      queue.push_back(t);
      continue;
    }
    for (const TriangleIndex n : cdt.triangle(t).neighbour)
      if (mark[n] == kKnown && is_outside(n)) queue.push_back(n);
  }
  ChainSense sense(cdt, raw_.lines);
  const std::size_t before = changed_.size();
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const TriangleIndex t = queue[head];
    for (int i = 0; i < 3; ++i) {
      const TriangleIndex n = cdt.triangle(t).neighbour[i];
      if (mark[n] == kDone || cdt.is_ghost(n)) continue;
      const RawMap::Cover cover = cover_across(raw_, {t, i}, raw_.cover[t], sense, sets);
      if (mark[n] == kKnown) {
        if (raw_.cover[n] == cover) continue;
        changed_.push_back(n);
      }
      mark[n] = kDone;
      raw_.cover[n] = cover;
      queue.push_back(n);
    }
  }
  bool is_complete = true;
  for (std::size_t i = 0; i < before; ++i)
    is_complete = is_complete && (!cdt.is_alive(changed_[i]) || mark[changed_[i]] == kDone);
  sort_unique(changed_);
  for (const TriangleIndex t : changed_) raw_.region[t] = cdt.is_alive(t) && !cdt.is_ghost(t) ? raw_.cover[t].region() : kSolid;
  return is_complete;
}

bool EditableMap::compare_pieces(RunChange& change, Map& map) {
  const Triangulation& cdt = raw_.triangulation;
  piece_on_.resize(3 * cdt.triangle_slot_count(), kNone);
  // Where only what is beyond the hull has changed, the pieces on the hull are noted there, too: its triangles are compared as
  // well.
  for (std::size_t i = changed_.size(); i-- > 0;)
    if (const TriangleIndex t = changed_[i]; cdt.is_alive(t) && cdt.is_ghost(t))
      for (const TriangleIndex n : cdt.triangle(t).neighbour)
        if (!cdt.is_ghost(n)) changed_.push_back(n);
  sort_unique(changed_);
  using Ends = std::pair<Point, Point>;
  std::map<Ends, std::uint32_t> old;
  for (const TriangleIndex t : changed_)
    for (int i = 0; i < 3; ++i)
      if (std::int32_t& piece = piece_on({t, i}); piece != kNone) {
        const MapSegment& s = pieces_[static_cast<std::size_t>(piece)].segment;
        old[std::minmax(s.a, s.b)] = static_cast<std::uint32_t>(piece);
        piece = kNone;
      }
  std::vector<std::uint8_t> is_changed(cdt.triangle_slot_count(), 0);
  for (const TriangleIndex t : changed_) is_changed[t] = 1;
  struct Fresh {
    MapSegment segment;
    EdgeRef edge;
  };
  std::vector<Fresh> fresh;
  const auto put = [&](EdgeRef e, std::int32_t piece) { piece_on(e) = piece_on(cdt.twin(e)) = piece; };
  for (const TriangleIndex t : changed_) {
    if (!cdt.is_alive(t) || cdt.is_ghost(t)) continue;
    for (int i = 0; i < 3; ++i) {
      const EdgeRef e{t, i};
      const TriangleIndex other = cdt.triangle(t).neighbour[i];
      if (is_changed[other] && !cdt.is_ghost(other) && other < t) continue;
      put(e, kNone);
      const auto border = raw_.border_on(e);
      if (!border) continue;
      const auto found = old.find(std::minmax(border->a, border->b));
      if (found != old.end() && are_same(in_order(pieces_[found->second].segment), in_order(*border))) {
        put(e, static_cast<std::int32_t>(found->second));
        old.erase(found);
      } else {
        fresh.push_back({*border, e});
      }
    }
  }
  for (const auto& [ends, piece] : old)
    if (pieces_[piece].segment.joint >= 0) return false;
  for (const Fresh& f : fresh)
    if (f.segment.joint >= 0) return false;

  // Take the runs of what is gone apart.
  for (const auto& [ends, piece] : old) {
    change.removed.push_back(pieces_[piece].run);
    pieces_[piece].run = kNone;
    free_pieces_.push_back(piece);
  }
  std::sort(change.removed.begin(), change.removed.end());
  change.removed.erase(std::unique(change.removed.begin(), change.removed.end()), change.removed.end());
  std::vector<std::uint32_t> loose;
  for (const ConstraintId run : change.removed) {
    for (const std::uint32_t piece : pieces_of_[static_cast<std::size_t>(run)])
      if (pieces_[piece].run == run) {
        if (pieces_[piece].segment.joint >= 0) return false;
        loose.push_back(piece);
      }
    pieces_of_[static_cast<std::size_t>(run)].clear();
  }
  for (const Fresh& f : fresh) {
    const std::uint32_t piece = take(free_pieces_, static_cast<std::uint32_t>(pieces_.size()));
    if (piece == pieces_.size()) pieces_.emplace_back();
    pieces_[piece].segment = f.segment;
    put(f.edge, static_cast<std::int32_t>(piece));
    loose.push_back(piece);
  }

  std::vector<MapSegment> segments;
  for (const std::uint32_t piece : loose) segments.push_back(pieces_[piece].segment);
  std::vector<std::uint8_t> is_removed(map.segments.size(), 0);
  for (const ConstraintId run : change.removed) is_removed[static_cast<std::size_t>(run)] = 1;
  GridBox box{{kCoordinateLimit, kCoordinateLimit}, {-kCoordinateLimit, -kCoordinateLimit}};
  for (const MapSegment& s : segments)
    for (const Point p : {s.a, s.b}) {
      box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y)};
      box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y)};
    }
  std::vector<Point> others;
  for (std::size_t i = 0; i < map.segments.size(); ++i)
    if (!is_removed[i])
      for (const Point p : {map.segments[i].a, map.segments[i].b})
        if (box.holds(p)) others.push_back(p);
  std::vector<std::uint32_t> run_of;
  merge_collinear_runs(segments, tolerance_, &run_of, others);
  for (const MapSegment& s : segments) {
    const auto run = take(free_runs_, static_cast<ConstraintId>(map.segments.size()));
    if (static_cast<std::size_t>(run) == map.segments.size()) map.segments.emplace_back();
    if (static_cast<std::size_t>(run) >= pieces_of_.size()) pieces_of_.resize(static_cast<std::size_t>(run) + 1);
    map.segments[static_cast<std::size_t>(run)] = s;
    change.added.push_back(run);
  }
  for (std::size_t i = 0; i < loose.size(); ++i) {
    pieces_[loose[i]].run = change.added[run_of[i]];
    pieces_of_[static_cast<std::size_t>(pieces_[loose[i]].run)].push_back(loose[i]);
  }
  free_runs_.insert(free_runs_.end(), change.removed.begin(), change.removed.end());
  // Without any outline there is no ground, and no triangulation of it.
  return std::any_of(pieces_.begin(), pieces_.end(), [](const Piece& piece) { return piece.run != kNone; });
}

void change_segments(Map& map, const RunChange& change, std::vector<TriangleIndex>& touched) {
  Triangulation& cdt = map.triangulation;
  cdt.watch(&touched);
  for (const ConstraintId id : change.removed) {
    MapSegment& s = map.segments[static_cast<std::size_t>(id)];
    const VertexIndex a = cdt.locate(s.a).vertex, b = cdt.locate(s.b).vertex;
    cdt.remove_constraint(id);
    cdt.release_point(a);
    cdt.release_point(b);
    s.b = s.a;  // out of the way of those who look at all segments
  }
  for (const ConstraintId id : change.added) {
    const MapSegment& s = map.segments[static_cast<std::size_t>(id)];
    const VertexIndex a = cdt.insert_point(s.a), b = cdt.insert_point(s.b);
    cdt.insert_constraint(a, b, id);
  }
  cdt.watch(nullptr);
}

void restore_regions(Map& map, std::vector<TriangleIndex>& touched) {
  const Triangulation& cdt = map.triangulation;
  const std::size_t slots = cdt.triangle_slot_count();
  map.region.resize(slots, kSolid);
  sort_unique(touched);
  enum : std::uint8_t { kKnown, kUnknown, kDone };
  std::vector<std::uint8_t> mark(slots, kKnown);
  std::vector<TriangleIndex> queue;
  for (const TriangleIndex t : touched) {
    mark[t] = kUnknown;
    if (!cdt.is_alive(t) || cdt.is_ghost(t)) {
      map.region[t] = kSolid;
      mark[t] = kDone;
    }
  }
  for (const TriangleIndex t : touched)
    for (int i = 0; i < 3 && mark[t] == kUnknown; ++i)
      if (cdt.is_constrained({t, i})) {
        map.region[t] = map.region_beside({t, i});
        mark[t] = kDone;
        queue.push_back(t);
      }
  // A neighbour that has not changed itself follows if its region has.
  const auto spread = [&] {
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const TriangleIndex t = queue[head];
      for (int i = 0; i < 3; ++i) {
        const TriangleIndex n = cdt.triangle(t).neighbour[i];
        if (mark[n] == kDone || cdt.is_ghost(n) || cdt.is_constrained({t, i})) continue;
        if (mark[n] == kKnown) {
          if (map.region[n] == map.region[t]) continue;
          touched.push_back(n);
        }
        mark[n] = kDone;
        map.region[n] = map.region[t];
        queue.push_back(n);
      }
    }
    queue.clear();
  };
  spread();
  // What no segment is beside takes after ground that did not change.
  const std::vector<TriangleIndex> first = touched;
  for (const TriangleIndex t : first) {
    if (mark[t] != kUnknown) continue;
    for (int i = 0; i < 3 && mark[t] == kUnknown; ++i) {
      const TriangleIndex n = cdt.triangle(t).neighbour[i];
      if (mark[n] == kUnknown || cdt.is_ghost(n)) continue;
      map.region[t] = map.region[n];
      mark[t] = kDone;
      queue.push_back(t);
    }
    spread();
  }
  sort_unique(touched);
}

}  // namespace throng
