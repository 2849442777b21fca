// SPDX-License-Identifier: MIT
#include "cells/joints.hpp"

#include <map>
#include <tuple>

namespace throng {

JointEdges::JointEdges(std::span<const Map> maps) {
  std::map<std::tuple<std::int32_t, Point, Point>, MapEdge> waiting;
  for (std::uint32_t m = 0; m < maps.size(); ++m) {
    const Triangulation& cdt = maps[m].triangulation;
    for (std::size_t slot = 0; slot < cdt.triangle_slot_count(); ++slot) {
      const auto t = static_cast<TriangleIndex>(slot);
      if (!cdt.is_alive(t) || cdt.is_ghost(t) || !maps[m].is_free(t)) continue;
      for (int i = 0; i < 3; ++i) {
        const EdgeRef e{t, i};
        if (!maps[m].is_joint(e)) continue;
        const Point a = cdt.point(cdt.from(e)), b = cdt.point(cdt.to(e));
        const auto [at, is_first] =
            waiting.try_emplace({maps[m].segment_on(e)->joint, std::min(a, b), std::max(a, b)}, MapEdge{m, e});
        if (is_first) continue;
        const auto pair = static_cast<std::uint32_t>(pairs_.size());
        place_[key(at->second.map, at->second.edge)] = {pair, 1};
        place_[key(m, e)] = {pair, 0};
        pairs_.push_back({at->second, MapEdge{m, e}});
      }
    }
  }
}

}  // namespace throng
