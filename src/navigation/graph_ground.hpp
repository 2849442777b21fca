// SPDX-License-Identifier: MIT
// The ground of a baked scene as edits of a navigation graph ask for it.
#pragma once
#include <optional>

#include "navgraph/ground_source.hpp"
#include "navigation/ground.hpp"
#include "navigation/navigation_data.hpp"

namespace throng {

/// For one thread.
class GraphGround : public GroundSource {
 public:
  explicit GraphGround(const NavigationData& data) : data_(data) {}

  void find_footings(Vec2 place, std::vector<Footing>& found) const override;
  double elevation(Vec2 place, std::uint32_t layer) const override { return data_.elevation(place, layer); }
  bool leads(Vec2 from, const Footing& start, Vec2 to, const Footing& end) const override;
  void find_walls(std::uint32_t layer, Vec2 low, Vec2 high, std::vector<Segment>& found) const override;

 private:
  const NavigationData& data_;
  mutable std::optional<Ground> ground_;  ///< only ways between layers need it
};

}  // namespace throng
