// SPDX-License-Identifier: MIT
// Order along a Hilbert curve: what is near in the order is near in the plane.
#pragma once
#include <cstdint>
#include <utility>

namespace throng {

/// Position of square (x, y) along the curve over 65536 × 65536 squares; x and y below 65536.
constexpr std::uint32_t hilbert_key(std::uint32_t x, std::uint32_t y) {
  std::uint32_t key = 0;
  for (std::uint32_t side = 1u << 15; side != 0; side >>= 1) {
    const std::uint32_t right = (x & side) != 0, up = (y & side) != 0;
    key = (key << 2) | ((3 * right) ^ up);
    if (up == 0) {
      // The lower quadrants hold the curve turned over; bits above `side` have been used and may become anything.
      if (right != 0) {
        x = ~x;
        y = ~y;
      }
      std::swap(x, y);
    }
  }
  return key;
}

}  // namespace throng
