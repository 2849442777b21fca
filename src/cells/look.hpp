// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <vector>

#include "geometry/polygon.hpp"
#include "scene/map.hpp"

namespace throng {

/// What a corner of the map sees through free edges, walls only, nearest first or not.
///
/// A view is an edge and the wedge (right, left: points that bound it) that is left of the view after all corners passed; it
/// narrows from triangle to triangle, so the walk is a tree of straight rays and ends even where the ground runs round an
/// obstacle in a ring.
class CornerView {
 public:
  struct View {
    EdgeRef edge;  ///< of a triangle on the corner's side
    Point right, left;
  };

  explicit CornerView(const Map& map) : map_(map) {}

  /// Calls on_wall(View) for each wall seen from `corner` through `first` whose edge is nearer than `reach` metres; on_wall may
  /// lower `reach`, and stops the walk by returning false.
  template <class F>
  void look(Point corner, EdgeRef first, double& reach, F&& on_wall) {
    const Triangulation& cdt = map_.triangulation;
    stack_.assign(1, {first, cdt.point(cdt.from(first)), cdt.point(cdt.to(first))});
    while (!stack_.empty()) {
      const View view = stack_.back();
      stack_.pop_back();
      if (distance_to_segment(to_metres(corner), to_metres(cdt.point(cdt.from(view.edge))),
                              to_metres(cdt.point(cdt.to(view.edge)))) >= reach)
        continue;
      if (map_.is_wall(view.edge)) {
        if (!on_wall(view)) return;
        continue;
      }
      const EdgeRef beyond = cdt.twin(view.edge);
      const Point apex = cdt.point(cdt.apex(beyond));
      if (orient(corner, view.right, apex) > 0)
        stack_.push_back(
            {{beyond.triangle, (beyond.edge + 1) % 3}, view.right, orient(corner, apex, view.left) > 0 ? apex : view.left});
      if (orient(corner, apex, view.left) > 0)
        stack_.push_back(
            {{beyond.triangle, (beyond.edge + 2) % 3}, orient(corner, view.right, apex) > 0 ? apex : view.right, view.left});
    }
  }

  /// Distance in metres from the corner to the part of the view's edge inside the wedge.
  double distance_in_view(Point corner, const View& view) const {
    const Vec2 a = to_metres(corner);
    const Vec2 from = to_metres(map_.triangulation.point(map_.triangulation.from(view.edge)));
    const Vec2 to = to_metres(map_.triangulation.point(map_.triangulation.to(view.edge)));
    const auto on_edge = [&](Point through) {
      const Vec2 ray = to_metres(through) - a, along = to - from;
      const double across = cross(ray, along);
      if (across == 0) return -1.0;
      return std::clamp(cross(ray, a - from) / across, 0.0, 1.0);
    };
    const double low = on_edge(view.right), high = on_edge(view.left);
    return distance_to_segment(a, low < 0 ? from : from + low * (to - from), high < 0 ? to : from + high * (to - from));
  }

 private:
  const Map& map_;
  std::vector<View> stack_;
};

}  // namespace throng
