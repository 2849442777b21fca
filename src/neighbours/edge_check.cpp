// SPDX-License-Identifier: MIT
#include "neighbours/edge_check.hpp"

#include <bit>
#include <cstring>

#include "neighbours/predicates.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neighbours/edge_check.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace throng {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Whole vectors from `begin` on; returns where they end. The same operations as the plain version, lane by lane.
std::uint32_t find_doubtful_vector(const std::uint32_t* corners, const Point* points, std::uint32_t begin, std::uint32_t end,
                                   std::vector<std::uint32_t>& doubtful) {
  constexpr std::size_t kMost = 8;
  const hn::CappedTag<double, kMost> d;
  const hn::Rebind<std::int32_t, decltype(d)> d32;
  const hn::Rebind<std::uint32_t, decltype(d)> du32;
  const auto lanes = static_cast<std::uint32_t>(hn::Lanes(d));
  alignas(64) std::int32_t places[4][2 * kMost];
  std::uint32_t e = begin;
  for (; e + lanes <= end; e += lanes) {
    const std::uint32_t* corner = corners + std::size_t{4} * e;
    // Plain loads: the gathers of the processors at hand are slower.
    for (std::uint32_t lane = 0; lane < lanes; ++lane)
      for (std::uint32_t c = 0; c < 4; ++c) std::memcpy(&places[c][2 * lane], &points[corner[4 * lane + c]], sizeof(Point));
    hn::Vec<decltype(d32)> x32, y32;
    hn::LoadInterleaved2(d32, places[3], x32, y32);
    const auto dx = hn::PromoteTo(d, x32), dy = hn::PromoteTo(d, y32);
    hn::LoadInterleaved2(d32, places[0], x32, y32);
    const auto ax = hn::Sub(hn::PromoteTo(d, x32), dx), ay = hn::Sub(hn::PromoteTo(d, y32), dy);
    hn::LoadInterleaved2(d32, places[1], x32, y32);
    const auto bx = hn::Sub(hn::PromoteTo(d, x32), dx), by = hn::Sub(hn::PromoteTo(d, y32), dy);
    hn::LoadInterleaved2(d32, places[2], x32, y32);
    const auto cx = hn::Sub(hn::PromoteTo(d, x32), dx), cy = hn::Sub(hn::PromoteTo(d, y32), dy);
    const auto aa = hn::Add(hn::Mul(ax, ax), hn::Mul(ay, ay)), bb = hn::Add(hn::Mul(bx, bx), hn::Mul(by, by)),
               cc = hn::Add(hn::Mul(cx, cx), hn::Mul(cy, cy));
    const auto bc = hn::Sub(hn::Mul(bx, cy), hn::Mul(by, cx)), ca = hn::Sub(hn::Mul(cx, ay), hn::Mul(cy, ax)),
               ab = hn::Sub(hn::Mul(ax, by), hn::Mul(ay, bx));
    const auto determinant = hn::Add(hn::Add(hn::Mul(aa, bc), hn::Mul(bb, ca)), hn::Mul(cc, ab));
    const auto sum = hn::Add(hn::Add(aa, bb), cc), area_error = hn::Mul(hn::Set(d, kOrientError), sum);
    const auto error = hn::Mul(hn::Set(d, -kInCircleError), hn::Mul(sum, sum));
    hn::Vec<decltype(du32)> v0, v1, v2, v3;
    hn::LoadInterleaved4(du32, corner, v0, v1, v2, v3);
    const auto least = hn::PromoteTo(d, hn::BitCast(d32, hn::Min(hn::Min(v0, v1), hn::Min(v2, v3))));
    const auto clear = hn::And(hn::And(hn::Lt(determinant, error), hn::Gt(hn::Add(hn::Add(ab, bc), ca), area_error)),
                               hn::And(hn::Lt(ab, hn::Neg(area_error)), hn::Gt(least, hn::Zero(d))));
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, clear, bits);
    for (std::uint32_t left = ~bits[0] & ((1u << lanes) - 1); left != 0; left &= left - 1)
      doubtful.push_back(e + static_cast<std::uint32_t>(std::countr_zero(left)));
  }
  return e;
}

}  // namespace HWY_NAMESPACE
}  // namespace throng
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace throng {

HWY_EXPORT(find_doubtful_vector);

void find_doubtful_edges(std::span<const std::uint32_t> corners, std::span<const Point> points, std::uint32_t begin,
                         std::uint32_t end, std::vector<std::uint32_t>& doubtful) {
  const std::uint32_t rest = HWY_DYNAMIC_DISPATCH(find_doubtful_vector)(corners.data(), points.data(), begin, end, doubtful);
  find_doubtful_edges_plain(corners, points, rest, end, doubtful);
}

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

}  // namespace throng
#endif
