// SPDX-License-Identifier: MIT
#include "scene/sight_grid.hpp"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

constexpr double kLeastCell = 1;  ///< metres
constexpr double kMostCells = 4e6;
constexpr std::uint64_t kEntriesPerTriangle = 12;  ///< more, and the cells are too small for these triangles

}  // namespace

SightGrid::SightGrid(const Mesh& mesh) {
  Vec2 low{1e300, 1e300}, high{-1e300, -1e300};
  triangles_.reserve(mesh.triangles.size());
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    for (const Vec3& v : {a, b, c}) {
      low = {std::min(low.x, v.x), std::min(low.y, v.y)};
      high = {std::max(high.x, v.x), std::max(high.y, v.y)};
    }
    const auto f = [](double v) { return static_cast<float>(v); };
    triangles_.push_back(
        {{f(a.x), f(a.y), f(a.z), f(b.x - a.x), f(b.y - a.y), f(b.z - a.z), f(c.x - a.x), f(c.y - a.y), f(c.z - a.z)},
         f(std::min({a.z, b.z, c.z})),
         f(std::max({a.z, b.z, c.z}))});
  }
  if (triangles_.empty()) return;
  origin_ = low;
  const double width = high.x - low.x + 1e-3, depth = high.y - low.y + 1e-3;
  cell_ = std::max({kLeastCell, std::sqrt(width * depth / kMostCells), std::max(width, depth) / 1e5});

  struct Range {
    std::int32_t x0, y0, x1, y1;
  };
  const auto range = [&](std::size_t i) {
    const auto& t = mesh.triangles[i];
    const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    const auto cell = [&](double v, double from, std::int32_t count) {
      return std::clamp(static_cast<std::int32_t>(std::floor((v - from) / cell_)), 0, count - 1);
    };
    // A little wider than the triangle: storing corners as floats moves them by up to a millimetre.
    constexpr double kSlack = 2e-3;
    return Range{
        cell(std::min({a.x, b.x, c.x}) - kSlack, low.x, cells_x_), cell(std::min({a.y, b.y, c.y}) - kSlack, low.y, cells_y_),
        cell(std::max({a.x, b.x, c.x}) + kSlack, low.x, cells_x_), cell(std::max({a.y, b.y, c.y}) + kSlack, low.y, cells_y_)};
  };
  for (;; cell_ *= 2) {
    cells_x_ = static_cast<std::int32_t>(width / cell_) + 1;
    cells_y_ = static_cast<std::int32_t>(depth / cell_) + 1;
    std::uint64_t entries = 0;
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
      const Range r = range(i);
      entries += static_cast<std::uint64_t>(r.x1 - r.x0 + 1) * static_cast<std::uint64_t>(r.y1 - r.y0 + 1);
    }
    if (entries <= kEntriesPerTriangle * triangles_.size() + 1'000'000 || (cells_x_ == 1 && cells_y_ == 1)) break;
  }
  start_.assign(static_cast<std::size_t>(cells_x_) * cells_y_ + 1, 0);
  const auto visit = [&](auto&& f) {
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
      const Range r = range(i);
      for (std::int32_t y = r.y0; y <= r.y1; ++y)
        for (std::int32_t x = r.x0; x <= r.x1; ++x) f(static_cast<std::size_t>(y) * cells_x_ + x, static_cast<std::uint32_t>(i));
    }
  };
  visit([&](std::size_t cell, std::uint32_t) { ++start_[cell + 1]; });
  for (std::size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
  entries_.resize(start_.back());
  std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
  visit([&](std::size_t cell, std::uint32_t i) { entries_[next[cell]++] = i; });
}

bool SightGrid::crosses(const Stored& t, Vec3 from, Vec3 d) {
  const auto& n = t.number;
  // Möller & Trumbore 1997.
  const double px = d.y * n[8] - d.z * n[7], py = d.z * n[6] - d.x * n[8], pz = d.x * n[7] - d.y * n[6];
  const double det = n[3] * px + n[4] * py + n[5] * pz;
  if (det == 0) return false;
  const double inverse = 1 / det, sx = from.x - n[0], sy = from.y - n[1], sz = from.z - n[2];
  const double u = (sx * px + sy * py + sz * pz) * inverse;
  if (u < 0 || u > 1) return false;
  const double qx = sy * n[5] - sz * n[4], qy = sz * n[3] - sx * n[5], qz = sx * n[4] - sy * n[3];
  const double v = (d.x * qx + d.y * qy + d.z * qz) * inverse;
  if (v < 0 || u + v > 1) return false;
  const double along = (n[6] * qx + n[7] * qy + n[8] * qz) * inverse;
  return along >= 0 && along <= 1;
}

bool SightGrid::is_free(Vec3 a, Vec3 b) const {
  if (triangles_.empty()) return true;
  const Vec3 d{b.x - a.x, b.y - a.y, b.z - a.z};
  // The part of the line over the grid.
  double t0 = 0, t1 = 1;
  const auto clip = [&](double from, double along, double least, double most) {
    if (along == 0) {
      if (from < least || from > most) t1 = -1;
      return;
    }
    const double u = (least - from) / along, v = (most - from) / along;
    t0 = std::max(t0, std::min(u, v));
    t1 = std::min(t1, std::max(u, v));
  };
  clip(a.x, d.x, origin_.x, origin_.x + cell_ * cells_x_);
  clip(a.y, d.y, origin_.y, origin_.y + cell_ * cells_y_);
  if (!(t0 <= t1)) return true;
  const auto cell_at = [&](double v, double from, std::int32_t count) {
    return std::clamp(static_cast<std::int32_t>(std::floor((v - from) / cell_)), 0, count - 1);
  };
  std::int32_t x = cell_at(a.x + t0 * d.x, origin_.x, cells_x_), y = cell_at(a.y + t0 * d.y, origin_.y, cells_y_);
  const std::int32_t last_x = cell_at(a.x + t1 * d.x, origin_.x, cells_x_), last_y = cell_at(a.y + t1 * d.y, origin_.y, cells_y_);
  const std::int32_t step_x = d.x > 0 ? 1 : -1, step_y = d.y > 0 ? 1 : -1;
  constexpr double kNever = 1e300;
  const auto border = [&](double from, double along, double origin, std::int32_t cell) {
    return along == 0 ? kNever : (origin + cell_ * (cell + (along > 0 ? 1 : 0)) - from) / along;
  };
  double next_x = border(a.x, d.x, origin_.x, x), next_y = border(a.y, d.y, origin_.y, y);
  double entered = t0;
  while (true) {
    const double left_at = std::min({next_x, next_y, t1});
    const double z0 = a.z + entered * d.z, z1 = a.z + left_at * d.z;
    const double slack = 1e-3 + 1e-6 * std::abs(d.z);
    const double low = std::min(z0, z1) - slack, high = std::max(z0, z1) + slack;
    const std::size_t cell = static_cast<std::size_t>(y) * cells_x_ + x;
    for (std::uint32_t k = start_[cell]; k < start_[cell + 1]; ++k) {
      const Stored& t = triangles_[entries_[k]];
      if (t.low <= high && t.high >= low && crosses(t, a, d)) return false;
    }
    if ((x == last_x && y == last_y) || left_at >= t1) return true;
    entered = left_at;
    if (next_x <= next_y) {
      x += step_x;
      if (x < 0 || x >= cells_x_) return true;
      next_x = border(a.x, d.x, origin_.x, x);
    } else {
      y += step_y;
      if (y < 0 || y >= cells_y_) return true;
      next_y = border(a.y, d.y, origin_.y, y);
    }
  }
}

std::uint64_t SightGrid::bytes() const {
  return start_.size() * sizeof(start_[0]) + entries_.size() * sizeof(entries_[0]) + triangles_.size() * sizeof(triangles_[0]);
}

}  // namespace throng
