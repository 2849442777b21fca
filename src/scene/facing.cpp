// SPDX-License-Identifier: MIT
#include "scene/facing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <tuple>

namespace throng {
namespace {

constexpr std::uint32_t kTrust = 100;  ///< of so many shared edges one may be wrong
constexpr double kLeastFloor = 0.1;    ///< of a piece's level area: how much has to face up

struct Edge {
  std::uint32_t low, high;  ///< places
  std::uint32_t triangle;
  bool forward;
};

/// Of each vertex: the first of those at its place.
std::vector<std::uint32_t> weld(const std::vector<Vec3>& vertices) {
  std::vector<std::uint32_t> order(vertices.size()), place(vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto key = [&](std::uint32_t v) { return std::tuple(vertices[v].x, vertices[v].y, vertices[v].z); };
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return std::tuple(key(a), a) < std::tuple(key(b), b); });
  for (std::size_t i = 0; i < order.size(); ++i)
    place[order[i]] = i > 0 && key(order[i]) == key(order[i - 1]) ? place[order[i - 1]] : order[i];
  return place;
}

std::vector<Edge> edges_of(const Mesh& mesh) {
  const std::vector<std::uint32_t> place = weld(mesh.vertices);
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t a = place[mesh.triangles[t][k]], b = place[mesh.triangles[t][(k + 1) % 3]];
      if (a != b) edges.push_back({std::min(a, b), std::max(a, b), t, a < b});
    }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tuple(a.low, a.high, a.triangle) < std::tuple(b.low, b.high, b.triangle);
  });
  return edges;
}

struct FacePiece {
  std::uint32_t shared = 0, wrong = 0;  ///< edges
  double up = 0, level = 0;             ///< m² in plan

  bool is_trusted() const { return shared > 0 && kTrust * wrong <= shared && up > kLeastFloor * level; }
};

}  // namespace

std::vector<std::uint8_t> find_ceilings(const Mesh& mesh, double least_up) {
  std::vector<std::uint32_t> parent(mesh.triangles.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t t) {
    while (parent[t] != t) t = parent[t] = parent[parent[t]];
    return t;
  };
  const std::vector<Edge> edges = edges_of(mesh);
  const auto for_each_shared = [&](auto&& act) {
    for (std::size_t first = 0, last; first < edges.size(); first = last) {
      for (last = first; last < edges.size() && edges[last].low == edges[first].low && edges[last].high == edges[first].high;)
        ++last;
      if (last - first > 1) act(first, last);
    }
  };
  for_each_shared([&](std::size_t first, std::size_t last) {
    for (std::size_t i = first + 1; i < last; ++i) parent[root(edges[i].triangle)] = root(edges[first].triangle);
  });

  std::vector<FacePiece> pieces(mesh.triangles.size());  // of each root
  for_each_shared([&](std::size_t first, std::size_t last) {
    std::ptrdiff_t balance = 0;
    for (std::size_t i = first; i < last; ++i) balance += edges[i].forward ? 1 : -1;
    FacePiece& piece = pieces[root(edges[first].triangle)];
    ++piece.shared;
    piece.wrong += std::abs(balance) > static_cast<std::ptrdiff_t>((last - first) % 2);
  });
  std::vector<std::uint8_t> faces_down(mesh.triangles.size(), 0);
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 &a = mesh.vertices[mesh.triangles[t][0]], &b = mesh.vertices[mesh.triangles[t][1]],
               &c = mesh.vertices[mesh.triangles[t][2]];
    const double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
    const double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    faces_down[t] = nz < 0;
    if (std::abs(nz) < least_up * std::sqrt(nx * nx + ny * ny + nz * nz)) continue;
    FacePiece& piece = pieces[root(t)];
    piece.level += std::abs(nz) / 2;
    piece.up += std::max(nz, 0.0) / 2;
  }
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    if (!pieces[root(t)].is_trusted()) faces_down[t] = 0;
  return faces_down;
}

}  // namespace throng
