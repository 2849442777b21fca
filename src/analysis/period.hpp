// SPDX-License-Identifier: MIT
// Scenes that go on where they began: a ring corridor as a rectangle whose ends are the same place, a torus.
#pragma once
#include <cmath>

#include <throng/vec.hpp>

namespace throng {

struct Period {
  double x = 0;  ///< metres after which everything repeats; 0: it does not
  double y = 0;

  /// The shortest of the vectors between the images of two places.
  Vec2 shortest(Vec2 difference) const {
    if (x > 0) difference.x -= x * std::round(difference.x / x);
    if (y > 0) difference.y -= y * std::round(difference.y / y);
    return difference;
  }
};

}  // namespace throng
