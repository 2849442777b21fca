// SPDX-License-Identifier: MIT
// What an edit of a navigation graph asks of the scene as it is now. Cells know it (navigation/graph_ground.hpp), but they lie
// above this folder.
#pragma once
#include <cstdint>
#include <vector>

#include <throng/scene.hpp>

namespace throng {

/// Where one can stand.
struct Footing {
  float z = 0;
  std::uint32_t layer = 0;
  std::uint32_t cell = 0;
};

class GroundSource {
 public:
  virtual ~GroundSource() = default;
  /// Everything one can stand on at a place, by layer; added to `found`.
  virtual void find_footings(Vec2 place, std::vector<Footing>& found) const = 0;
  /// The height of a layer at a place, whether it has ground there or not.
  virtual double elevation(Vec2 place, std::uint32_t layer) const = 0;
  /// Whether one walks straight from one layer to another.
  virtual bool leads(Vec2 from, const Footing& start, Vec2 to, const Footing& end) const = 0;
  /// The walls of a layer that touch a box, each once; added to `found`.
  virtual void find_walls(std::uint32_t layer, Vec2 low, Vec2 high, std::vector<Segment>& found) const = 0;
};

}  // namespace throng
