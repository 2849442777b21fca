// SPDX-License-Identifier: MIT
// Constraints: sets of ids on edges, insertion of segments, crossings, splitting of edges.
//
// A segment is worked off as a stack of stretches between two vertices. A stretch runs along edges where vertices lie on
// it; elsewhere the triangles it crosses (the channel) are removed and both sides refilled with Delaunay triangles. Where it
// meets a constrained edge, that edge is split at the rounded crossing and both the stretch and the edge go on through the
// new vertex as straight pieces of their own: the rounded point lies on neither line in general.
#include <algorithm>
#include <cassert>

#include "geometry/triangulation.hpp"

namespace throng {
namespace {

/// Crossings that cannot be made by splitting one edge may move pieces onto each other again and again. Random walls need a
/// few; a hundred walls within 40 units of each other needed 10⁴, and ended. Beyond this many in one insertion the rest is
/// led along existing edges, which ends by construction and was no further off in those bundles.
constexpr int kDetourLimit = 1000;

std::int32_t rounded_part(std::int64_t length, std::int64_t numerator, std::int64_t denominator) {
  __extension__ using Wide = __int128;
  const Wide product = 2 * Wide{length} * numerator + denominator, divisor = 2 * Wide{denominator};
  Wide quotient = product / divisor;
  if (product % divisor < 0) --quotient;
  return static_cast<std::int32_t>(quotient);
}

bool properly_cross(Point a, Point b, Point c, Point d) {
  const auto sign = [](std::int64_t value) { return (value > 0) - (value < 0); };
  return sign(orient(a, b, c)) * sign(orient(a, b, d)) < 0 && sign(orient(c, d, a)) * sign(orient(c, d, b)) < 0;
}

/// The grid point nearest to where a–b properly crosses c–d.
Point rounded_crossing(Point a, Point b, Point c, Point d) {
  const std::int64_t at_a = orient(c, d, a), at_b = orient(c, d, b);
  const std::int64_t numerator = at_a > 0 ? at_a : -at_a, denominator = numerator + (at_b > 0 ? at_b : -at_b);
  return {a.x + rounded_part(std::int64_t{b.x} - a.x, numerator, denominator),
          a.y + rounded_part(std::int64_t{b.y} - a.y, numerator, denominator)};
}

}  // namespace

std::int32_t Triangulation::intern(std::vector<ConstraintId> sorted_ids) {
  if (sorted_ids.empty()) return kNone;
  if (sorted_ids.size() == 1) return sorted_ids.front();
  const auto [entry, is_new] = shared_set_handle_.try_emplace(sorted_ids, -2 - static_cast<std::int32_t>(shared_sets_.size()));
  if (is_new) shared_sets_.push_back(std::move(sorted_ids));
  return entry->second;
}

std::int32_t Triangulation::united(std::int32_t set, std::int32_t other) {
  if (set == kNone || set == other) return other;
  if (other == kNone) return set;
  const auto one = ids_of(set), two = ids_of(other);
  std::vector<ConstraintId> ids;
  std::set_union(one.begin(), one.end(), two.begin(), two.end(), std::back_inserter(ids));
  return intern(std::move(ids));
}

std::int32_t Triangulation::without(std::int32_t set, ConstraintId id) {
  if (set >= kNone) return set == id ? kNone : set;
  const auto all = ids_of(set);
  std::vector<ConstraintId> ids;
  std::remove_copy(all.begin(), all.end(), std::back_inserter(ids), id);
  return intern(std::move(ids));
}

void Triangulation::set_constraint(EdgeRef e, std::int32_t set) {
  const EdgeRef other = twin(e);
  triangles_[e.triangle].constraint_set[e.edge] = set;
  triangles_[other.triangle].constraint_set[other.edge] = set;
  note(e.triangle);
  note(other.triangle);
}

void Triangulation::insert_constraint(VertexIndex a, VertexIndex b, ConstraintId id) {
  assert(id >= 0 && is_vertex_alive(a) && is_vertex_alive(b));
  if (a == b) return;
  std::int32_t slot = static_cast<std::int32_t>(segments_.size());
  if (free_segments_.empty()) {
    segments_.emplace_back();
  } else {
    slot = free_segments_.back();
    free_segments_.pop_back();
  }
  const auto [first, is_new] = first_segment_.try_emplace(id, slot);
  segments_[slot] = {id, a, b, is_new ? kNone : first->second};
  first->second = slot;
  ++references_[a];
  ++references_[b];
  if (flat_) return;
  stretches_.push_back({a, b, id, points_[a], points_[b]});
  insert_stretches();
}

void Triangulation::insert_stretches() {
  detours_ = 0;
  while (!stretches_.empty()) {
    const Stretch next = stretches_.back();
    stretches_.pop_back();
    insert_stretch(next);
  }
}

void Triangulation::insert_stretch(Stretch stretch) {
  while (stretch.a != stretch.b) {
    EdgeRef crossed;
    if (const VertexIndex next = advance_along_edge(stretch, &crossed); next != kNone) {
      stretch.a = next;
      continue;
    }
    const bool direct = detours_ < kDetourLimit;
    const VertexIndex reached = walk_channel(stretch, crossed, direct);
    if (reached == kNone) {
      resolve_crossing(stretch);
      return;
    }
    if (direct) {
      fill_channel(stretch.set);
    } else {
      for (std::size_t i = 0; i + 1 < channel_.left.size(); ++i) {
        const EdgeRef e = *find_edge(channel_.left[i], channel_.left[i + 1]);
        set_constraint(e, united(triangles_[e.triangle].constraint_set[e.edge], stretch.set));
      }
    }
    stretch.a = reached;
  }
}

/// If the stretch starts along an edge, marks that edge and returns its end; otherwise kNone, and `crossed` is the edge
/// through which the stretch leaves the triangles around its start, seen from inside.
VertexIndex Triangulation::advance_along_edge(const Stretch& stretch, EdgeRef* crossed) {
  const Point a = points_[stretch.a], b = points_[stretch.b];
  const TriangleIndex first = vertex_triangle_[stretch.a];
  TriangleIndex t = first;
  do {
    const int corner = corner_of(t, stretch.a);
    const VertexIndex right = triangles_[t].vertex[kNext[corner]], left = triangles_[t].vertex[kPrevious[corner]];
    if (right != kGhost) {
      const Point p = points_[right];
      const std::int64_t side = orient(a, b, p);
      if (side == 0 &&
          (std::int64_t{b.x} - a.x) * (std::int64_t{p.x} - a.x) + (std::int64_t{b.y} - a.y) * (std::int64_t{p.y} - a.y) > 0) {
        set_constraint({t, kPrevious[corner]}, united(triangles_[t].constraint_set[kPrevious[corner]], stretch.set));
        return right;
      }
      if (side < 0 && left != kGhost && orient(a, b, points_[left]) > 0) *crossed = {t, corner};
    }
    t = triangles_[t].neighbour[kNext[corner]];
  } while (t != first);
  return kNone;
}

/// Collects the triangles between the start of the stretch and the next vertex on it, which is returned. Stops with kNone
/// at a constrained edge if so told.
VertexIndex Triangulation::walk_channel(const Stretch& stretch, EdgeRef crossed, bool stop_at_constraint) {
  const Point a = points_[stretch.a], b = points_[stretch.b];
  Channel& c = channel_;
  const int start = crossed.edge;
  c.triangles.assign(1, crossed.triangle);
  c.left.assign({stretch.a, to(crossed)});
  c.right.assign({stretch.a, from(crossed)});
  c.left_edges.assign(1, {crossed.triangle, kNext[start]});
  c.right_edges.assign(1, {crossed.triangle, kPrevious[start]});
  for (;;) {
    if (stop_at_constraint && is_constrained(crossed)) {
      c.blocked_by = crossed;
      return kNone;
    }
    const EdgeRef entry = twin(crossed);  // runs from the left to the right corner
    const VertexIndex corner = apex(entry);
    const EdgeRef left_side{entry.triangle, kPrevious[entry.edge]}, right_side{entry.triangle, kNext[entry.edge]};
    c.triangles.push_back(entry.triangle);
    const std::int64_t side = orient(a, b, points_[corner]);
    if (side >= 0) {
      c.left.push_back(corner);
      c.left_edges.push_back(left_side);
    }
    if (side <= 0) {
      c.right.push_back(corner);
      c.right_edges.push_back(right_side);
    }
    if (side == 0) return corner;
    crossed = side > 0 ? right_side : left_side;
  }
}

/// The stretch crosses a constrained edge. Usually the edge is split there. Where rounding leaves no room for that (an end
/// point or a third edge within a unit), edge and stretch are led through the vertex of the rounded point one by one.
void Triangulation::resolve_crossing(const Stretch& stretch) {
  const EdgeRef edge = channel_.blocked_by;
  const VertexIndex u = from(edge), w = to(edge);
  const auto crossing_with = [&](Point c, Point d) {
    const bool on_line = properly_cross(stretch.line_a, stretch.line_b, c, d);
    return on_line ? rounded_crossing(stretch.line_a, stretch.line_b, c, d)
                   : rounded_crossing(points_[stretch.a], points_[stretch.b], c, d);
  };
  VertexIndex via = kNone;
  // Where the crossed piece belongs to one segment only, that segment's line is better than the piece, which may be bent.
  const auto owner = first_segment_.find(triangles_[edge.triangle].constraint_set[edge.edge]);
  if (owner != first_segment_.end() && segments_[owner->second].next == kNone) {
    const Point c = points_[segments_[owner->second].a], d = points_[segments_[owner->second].b];
    if (properly_cross(stretch.line_a, stretch.line_b, c, d)) via = split_at(edge, crossing_with(c, d));
  }
  const Point x = crossing_with(points_[u], points_[w]);
  if (via == kNone) via = split_at(edge, x);
  if (via == kNone) {
    ++detours_;
    last_ = edge.triangle;
    via = place(x);
    if (via != u && via != w) {
      const EdgeRef freed = *find_edge(u, w);
      const std::int32_t set = triangles_[freed.triangle].constraint_set[freed.edge];
      set_constraint(freed, kNone);
      legalise_.assign({freed.triangle});
      legalise();
      stretches_.push_back({u, via, set, points_[u], points_[via]});
      stretches_.push_back({via, w, set, points_[via], points_[w]});
    }
  }
  if (via != stretch.b) stretches_.push_back({via, stretch.b, stretch.set, stretch.line_a, stretch.line_b});
  if (via != stretch.a) stretches_.push_back({stretch.a, via, stretch.set, stretch.line_a, stretch.line_b});
}

/// Refills the channel: a triangulation of each side (Anglada 1997), with the crossed stretch as a new edge between them.
void Triangulation::fill_channel(std::int32_t set) {
  Channel& c = channel_;
  for (const TriangleIndex t : c.triangles) triangles_[t].vertex[0] = kDead;  // freed below: their entries are still needed
  std::reverse(c.right.begin(), c.right.end());
  std::reverse(c.right_edges.begin(), c.right_edges.end());
  legalise_.clear();
  const EdgeRef left = fill_chain(c.left, c.left_edges);
  const EdgeRef right = fill_chain(c.right, c.right_edges);
  link(left, right);
  set_constraint(left, set);
  for (const TriangleIndex t : c.triangles) free_triangle(t);
  last_ = left.triangle;
  legalise();
}

/// Fills the polygon between the segment chain.front()–chain.back() and the chain, which lies left of it; returns the
/// segment's side. Every corner is visible from the segment, hence from any diagonal that cuts it off: so the corners of a part
/// always lie left of its base, and the one whose circle is empty of the others gives a Delaunay triangle.
EdgeRef Triangulation::fill_chain(const std::vector<VertexIndex>& chain, const std::vector<EdgeRef>& inner) {
  EdgeRef base;
  chain_parts_.assign(1, {0, static_cast<std::int32_t>(chain.size()) - 1, {kNone, 0}});
  while (!chain_parts_.empty()) {
    const ChainPart part = chain_parts_.back();
    chain_parts_.pop_back();
    if (part.high - part.low == 1) {
      attach(part.parent, inner[part.low]);
      continue;
    }
    const Point low = points_[chain[part.low]], high = points_[chain[part.high]];
    std::int32_t middle = part.low + 1;
    for (std::int32_t i = middle + 1; i < part.high; ++i) {
      if (in_circle(low, high, points_[chain[middle]], points_[chain[i]]) > 0) middle = i;
    }
    const TriangleIndex t = new_triangle(chain[part.low], chain[part.high], chain[middle]);
    own_corners(t);
    legalise_.push_back(t);
    if (part.parent.triangle == kNone) {
      base = {t, 2};
    } else {
      link({t, 2}, part.parent);
    }
    chain_parts_.push_back({middle, part.high, {t, 0}});
    chain_parts_.push_back({part.low, middle, {t, 1}});
  }
  return base;
}

/// Puts a fresh triangle's side where the removed triangle's side `inner` was. The triangle beyond may be a removed one too
/// (an edge that dangles into the channel): then it learns of the fresh side here, and passes it on when its own side is
/// attached.
void Triangulation::attach(EdgeRef fresh, EdgeRef inner) {
  triangles_[fresh.triangle].constraint_set[fresh.edge] = triangles_[inner.triangle].constraint_set[inner.edge];
  link(fresh, twin(inner));
}

VertexIndex Triangulation::split_edge(EdgeRef edge, Point p, std::vector<TriangleIndex>* touched) {
  const std::size_t before = touched == nullptr ? 0 : touched->size();
  touched_ = touched;
  const VertexIndex v = split_at(edge, p);
  touched_ = nullptr;
  if (v == kNone) return kNone;
  ++references_[v];
  if (touched != nullptr) {
    std::sort(touched->begin() + static_cast<std::ptrdiff_t>(before), touched->end());
    touched->erase(std::unique(touched->begin() + static_cast<std::ptrdiff_t>(before), touched->end()), touched->end());
  }
  return v;
}

/// split_edge without a reference to the new vertex.
VertexIndex Triangulation::split_at(EdgeRef e, Point p) {
  if (apex(e) == kGhost) e = twin(e);
  const VertexIndex a = apex(e), u = from(e), w = to(e), b = apex(twin(e));
  const auto left_of = [&](VertexIndex start, VertexIndex end) { return orient(points_[start], points_[end], p) > 0; };
  if (!left_of(w, a) || !left_of(a, u)) return kNone;
  if (b != kGhost && (!left_of(u, b) || !left_of(b, w))) return kNone;
  const VertexIndex v = new_vertex(p);
  legalise_.clear();
  split_pair(e, v);
  if (touched_ != nullptr) touched_->insert(touched_->end(), legalise_.begin(), legalise_.end());
  // Off the edge, even the edges at v can be wrong, so not only the star's rim is looked at. Inside a hull edge, v leaves a
  // pocket between two ghosts, which a flip fills with a triangle on the old hull edge.
  legalise();
  last_ = vertex_triangle_[v];
  return v;
}

}  // namespace throng
