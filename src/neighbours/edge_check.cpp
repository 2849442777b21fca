// SPDX-License-Identifier: MIT
#include "neighbours/edge_check.hpp"

#include "neighbours/predicates.hpp"

namespace throng {

void find_doubtful_edges_plain(std::span<const std::uint32_t> corners, std::span<const Point> points, std::uint32_t begin,
                               std::uint32_t end, std::vector<std::uint32_t>& doubtful) {
  for (std::uint32_t e = begin; e < end; ++e) {
    const std::uint32_t* corner = &corners[std::size_t{4} * e];
    const Point a = points[corner[0]], b = points[corner[1]], c = points[corner[2]], d = points[corner[3]];
    const double ax = static_cast<double>(a.x) - d.x, ay = static_cast<double>(a.y) - d.y;
    const double bx = static_cast<double>(b.x) - d.x, by = static_cast<double>(b.y) - d.y;
    const double cx = static_cast<double>(c.x) - d.x, cy = static_cast<double>(c.y) - d.y;
    const double aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
    // The three minors are the in-circle test's and, by themselves and summed, the doubled areas of both triangles.
    const double bc = bx * cy - by * cx, ca = cx * ay - cy * ax, ab = ax * by - ay * bx;
    const double determinant = aa * bc + bb * ca + cc * ab;
    const double sum = aa + bb + cc, area_error = kOrientError * sum;
    const bool finite = (corner[0] != 0) & (corner[1] != 0) & (corner[2] != 0) & (corner[3] != 0);
    const bool clear = (determinant < -kInCircleError * (sum * sum)) & (ab + bc + ca > area_error) & (ab < -area_error) & finite;
    if (!clear) doubtful.push_back(e);
  }
}

void find_doubtful_edges(std::span<const std::uint32_t> corners, std::span<const Point> points, std::uint32_t begin,
                         std::uint32_t end, std::vector<std::uint32_t>& doubtful) {
  find_doubtful_edges_plain(corners, points, begin, end, doubtful);
}

}  // namespace throng
