// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <vector>

#include "cells/joints.hpp"
#include "geometry/polygon.hpp"
#include "scene/map.hpp"

namespace throng {

/// What a corner of the map sees through free edges, walls only, nearest first or not.
///
/// A view is an edge and the wedge (right, left: points that bound it) that is left of the view after all corners passed; it
/// narrows from triangle to triangle, so the walk is a tree of straight rays and ends even where the ground runs round an
/// obstacle in a ring.
///
/// Joints are looked through where it is known what lies behind (`joints`); without that they are neither wall nor opening.
class CornerView {
 public:
  struct View {
    std::uint32_t map;
    EdgeRef edge;  ///< of a triangle on the corner's side
    Point right, left;
  };

  explicit CornerView(std::span<const Map> maps, const JointEdges* joints = nullptr) : maps_(maps), joints_(joints) {}

  /// Calls on_wall(View) for each wall seen from `corner` through `first` whose edge is nearer than `reach` metres; on_wall may
  /// lower `reach`, and stops the walk by returning false.
  template <class F>
  void look(Point corner, std::uint32_t map, EdgeRef first, double& reach, F&& on_wall) {
    const Triangulation& start = maps_[map].triangulation;
    stack_.assign(1, {map, first, start.point(start.from(first)), start.point(start.to(first))});
    while (!stack_.empty()) {
      const View view = stack_.back();
      stack_.pop_back();
      const Triangulation& cdt = maps_[view.map].triangulation;
      if (distance_to_segment(to_metres(corner), to_metres(cdt.point(cdt.from(view.edge))),
                              to_metres(cdt.point(cdt.to(view.edge)))) >= reach)
        continue;
      if (maps_[view.map].is_wall(view.edge)) {
        if (!on_wall(view)) return;
        continue;
      }
      MapEdge beyond{view.map, cdt.twin(view.edge)};
      if (maps_[view.map].is_joint(view.edge)) {
        if (joints_ == nullptr) continue;
        beyond = joints_->across(view.map, view.edge);
      }
      const auto [there, edge] = beyond;
      const Triangulation& next = maps_[there].triangulation;
      const Point apex = next.point(next.apex(edge));
      if (orient(corner, view.right, apex) > 0)
        stack_.push_back(
            {there, {edge.triangle, (edge.edge + 1) % 3}, view.right, orient(corner, apex, view.left) > 0 ? apex : view.left});
      if (orient(corner, apex, view.left) > 0)
        stack_.push_back(
            {there, {edge.triangle, (edge.edge + 2) % 3}, orient(corner, view.right, apex) > 0 ? apex : view.right, view.left});
    }
  }

  /// Distance in metres from the corner to the part of the view's edge inside the wedge.
  double distance_in_view(Point corner, const View& view) const {
    const Vec2 a = to_metres(corner);
    const Triangulation& cdt = maps_[view.map].triangulation;
    const Vec2 from = to_metres(cdt.point(cdt.from(view.edge))), to = to_metres(cdt.point(cdt.to(view.edge)));
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
  std::span<const Map> maps_;
  const JointEdges* joints_;
  std::vector<View> stack_;
};

}  // namespace throng
