// SPDX-License-Identifier: MIT
// Navigation meshes of the Polyanya authors (Cui, Harabor & Grastien 2017), version 2: convex polygons that know their
// neighbours.
//
// The ground is the union of the polygons, so only its outlines matter: edges without a neighbour, chained by walking around
// their end vertex from polygon to polygon. That walk never leaves an edge-connected part of the mesh; parts that meet only at
// a corner stay apart although they share the vertex. Two polygons that share an edge and do not name each other have a
// wall between them. O(n log n) for n edges.
#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "import/import.hpp"
#include "import/outline.hpp"
#include "import/scene_builder.hpp"
#include "import/text_scanner.hpp"
#include "import/walk_splitter.hpp"

namespace throng {
namespace {

constexpr std::uint32_t kNone = 0xffffffff;

/// A polygon's edges are half-edges first_edge[p] .. first_edge[p + 1] - 1, counter-clockwise; edge e starts at origin[e].
struct MeshFile {
  std::vector<Vec2> vertices;
  std::vector<std::uint32_t> first_edge, origin, polygon_of, twin;

  std::uint32_t next(std::uint32_t edge) const {
    const std::uint32_t p = polygon_of[edge];
    return edge + 1 == first_edge[p + 1] ? first_edge[p] : edge + 1;
  }
  std::uint32_t target(std::uint32_t edge) const { return origin[next(edge)]; }
};

class PolyanyaReader {
 public:
  PolyanyaReader(std::string_view bytes, const std::string& name)
      : builder_(name), problems_(builder_.problems()), scan_(bytes), bytes_(bytes.size()) {}

  Result<Scene> read() {
    if (!read_header() || !read_vertices() || !read_polygons() || !link()) return problems_.take();
    trace();
    return builder_.finish(SceneBuilder::Outlines::check_crossings);
  }

 private:
  bool fail(std::string what, std::string fix) {
    problems_.add(fmt::format("line {}", scan_.line()), std::move(what), std::move(fix));
    return false;
  }

  /// An integer in [low, high].
  bool read_integer(const char* meaning, std::int64_t low, std::int64_t high, std::int64_t& out) {
    scan_.skip_space();
    const std::string found = scan_.found();
    const auto value = scan_.integer();
    if (!value || *value < low || *value > high) {
      return fail(fmt::format("{} found where {} from {} to {} is needed", found, meaning, low, high),
                  "the file is damaged or cut short");
    }
    out = *value;
    return true;
  }

  bool read_header() {
    scan_.skip_space();
    std::string found = scan_.found();
    if (scan_.word() != "mesh")
      return fail(fmt::format("{} found; a navigation mesh starts with \"mesh\"", found), "this is another kind of file");
    scan_.skip_space();
    found = scan_.found();
    if (scan_.integer() != 2)
      return fail(fmt::format("version {} found; version 2 is the one that is read", found), "convert the mesh");
    // Each vertex and polygon takes some characters: a count the file cannot hold is refused before memory is.
    const auto most = static_cast<std::int64_t>(std::min<std::size_t>(limits::kVertices, bytes_ / 4));
    return read_integer("a number of vertices", 3, most, vertex_count_) &&
           read_integer("a number of polygons", 1, most, polygon_count_);
  }

  bool read_vertices() {
    mesh_.vertices.reserve(static_cast<std::size_t>(vertex_count_));
    for (std::int64_t i = 0; i < vertex_count_; ++i) {
      const auto x = scan_.number();
      const auto y = x ? scan_.number() : std::nullopt;
      if (!x || !y)
        return fail(fmt::format("{} found where x and y of vertex {} are needed", scan_.found(), i),
                    "the file is damaged or cut short");
      std::int64_t neighbours = 0, unused = 0;
      if (!read_integer("a number of neighbours", 0, polygon_count_ * 2 + 2, neighbours)) return false;
      for (std::int64_t k = 0; k < neighbours; ++k) {
        if (!read_integer("a polygon", -1, polygon_count_ - 1, unused)) return false;
      }
      mesh_.vertices.push_back({*x, *y});
      if (!(std::abs(*x) < limits::kCoordinateMetres && std::abs(*y) < limits::kCoordinateMetres)) {
        return fail(fmt::format("vertex {} at ({}, {}) found; finite numbers within ±1e8 m are allowed", i, *x, *y),
                    "correct the vertex");
      }
    }
    return true;
  }

  bool read_polygons() {
    mesh_.first_edge.push_back(0);
    std::vector<std::uint32_t> corners;
    for (std::int64_t p = 0; p < polygon_count_; ++p) {
      std::int64_t count = 0, value = 0;
      if (!read_integer("a number of corners", 3, vertex_count_, count)) return false;
      if (mesh_.origin.size() + static_cast<std::size_t>(count) > 4 * limits::kVertices) {
        return fail("the polygons have too many corners together", fmt::format("at most {} are allowed", 4 * limits::kVertices));
      }
      corners.clear();
      Ring ring;
      for (std::int64_t k = 0; k < count; ++k) {
        if (!read_integer("a vertex", 0, vertex_count_ - 1, value)) return false;
        corners.push_back(static_cast<std::uint32_t>(value));
        ring.push_back(mesh_.vertices[static_cast<std::size_t>(value)]);
      }
      if (signed_area(ring) <= 0) {
        problems_.add(fmt::format("line {}", scan_.line()),
                      fmt::format("polygon {} is clockwise or has no area; polygons are counter-clockwise", p),
                      "reverse its vertices or remove it");
      }
      // The file names the neighbour across v[i-1] v[i]: rotating the vertices by one makes edge i start at v[i-1].
      mesh_.origin.push_back(corners.back());
      mesh_.origin.insert(mesh_.origin.end(), corners.begin(), corners.end() - 1);
      for (std::int64_t k = 0; k < count; ++k) {
        if (!read_integer("a polygon", -1, polygon_count_ - 1, value)) return false;
        neighbour_.push_back(value < 0 ? kNone : static_cast<std::uint32_t>(value));
        mesh_.polygon_of.push_back(static_cast<std::uint32_t>(p));
      }
      mesh_.first_edge.push_back(static_cast<std::uint32_t>(mesh_.origin.size()));
      if (problems_.full()) return false;
    }
    scan_.skip_space();
    if (!scan_.at_end())
      return fail(fmt::format("{} found after the last polygon", scan_.found()), "correct the number of polygons");
    return problems_.empty();
  }

  /// Finds the two sides of every edge and compares them with what the file says.
  bool link() {
    const auto edge_count = static_cast<std::uint32_t>(mesh_.origin.size());
    struct Side {
      std::uint32_t low, high, edge;
    };
    std::vector<Side> sides(edge_count);
    for (std::uint32_t e = 0; e < edge_count; ++e) {
      const std::uint32_t a = mesh_.origin[e], b = mesh_.target(e);
      sides[e] = {std::min(a, b), std::max(a, b), e};
    }
    const auto key = [](const Side& s) { return std::tuple(s.low, s.high, s.edge); };
    std::sort(sides.begin(), sides.end(), [&](const Side& a, const Side& b) { return key(a) < key(b); });
    mesh_.twin.assign(edge_count, kNone);
    for (std::size_t i = 0; i < sides.size();) {
      std::size_t end = i + 1;
      while (end < sides.size() && sides[end].low == sides[i].low && sides[end].high == sides[i].high) ++end;
      const bool opposite = end - i == 2 && mesh_.origin[sides[i].edge] != mesh_.origin[sides[i + 1].edge];
      if (sides[i].low == sides[i].high || (end - i > 1 && !opposite)) {
        problem_at(sides[i].edge, "lies on more than one polygon of the same side");
      } else if (end - i == 2) {
        link_pair(sides[i].edge, sides[i + 1].edge);
      } else if (neighbour_[sides[i].edge] != kNone) {
        problem_at(sides[i].edge, "names a neighbour that does not have this edge");
      }
      if (problems_.full()) return false;
      i = end;
    }
    return problems_.empty();
  }

  void link_pair(std::uint32_t a, std::uint32_t b) {
    const bool a_knows = neighbour_[a] == mesh_.polygon_of[b], b_knows = neighbour_[b] == mesh_.polygon_of[a];
    if (a_knows && b_knows) {
      mesh_.twin[a] = b;
      mesh_.twin[b] = a;
    } else if (neighbour_[a] == kNone && neighbour_[b] == kNone) {
      builder_.add_walls(0, {mesh_.vertices[mesh_.origin[a]], mesh_.vertices[mesh_.origin[b]]},
                         fmt::format("polygon {}", mesh_.polygon_of[a]));
    } else {
      problem_at(a_knows ? b : a, "and the polygon across it do not name each other");
    }
  }

  void problem_at(std::uint32_t edge, const char* what) {
    problems_.add(fmt::format("polygon {}", mesh_.polygon_of[edge]),
                  fmt::format("the edge from vertex {} to vertex {} {}", mesh_.origin[edge], mesh_.target(edge), what),
                  "export the mesh again; its polygons and neighbours disagree");
  }

  /// Numbers the edge-connected parts of the mesh.
  std::vector<std::uint32_t> label_parts(std::uint32_t& count) const {
    std::vector<std::uint32_t> part(static_cast<std::size_t>(polygon_count_), kNone);
    std::vector<std::uint32_t> open;
    count = 0;
    for (std::uint32_t start = 0; start < part.size(); ++start) {
      if (part[start] != kNone) continue;
      part[start] = count;
      open.push_back(start);
      while (!open.empty()) {
        const std::uint32_t p = open.back();
        open.pop_back();
        for (std::uint32_t e = mesh_.first_edge[p]; e < mesh_.first_edge[p + 1]; ++e) {
          if (mesh_.twin[e] == kNone) continue;
          const std::uint32_t q = mesh_.polygon_of[mesh_.twin[e]];
          if (part[q] == kNone) part[q] = count, open.push_back(q);
        }
      }
      ++count;
    }
    return part;
  }

  void trace() {
    std::uint32_t part_count = 0;
    const std::vector<std::uint32_t> part = label_parts(part_count);
    std::vector<Polygon> ground(part_count);
    std::vector<bool> seen(mesh_.origin.size(), false);
    std::vector<std::uint32_t> walk;
    WalkSplitter splitter;
    for (std::uint32_t start = 0; start < mesh_.origin.size(); ++start) {
      if (seen[start] || mesh_.twin[start] != kNone) continue;
      walk.clear();
      std::uint32_t edge = start;
      do {
        seen[edge] = true;
        walk.push_back(mesh_.origin[edge]);
        edge = mesh_.next(edge);
        // Around the end vertex, from polygon to polygon, to the next edge without a neighbour.
        while (mesh_.twin[edge] != kNone) edge = mesh_.next(mesh_.twin[edge]);
      } while (edge != start);
      Polygon& polygon = ground[part[mesh_.polygon_of[start]]];
      splitter.split(walk, [&](const std::vector<std::uint32_t>& corners) { add_ring(polygon, corners); });
    }
    for (std::uint32_t i = 0; i < part_count; ++i) {
      const std::string where = fmt::format("part {} of the mesh", i);
      if (ground[i].outer.empty()) {
        problems_.add(where, "its polygons overlap: no outline goes around it", "meshes of this format are flat; split storeys");
      } else {
        builder_.add_walkable(0, std::move(ground[i]), where);
      }
    }
  }

  void add_ring(Polygon& polygon, const std::vector<std::uint32_t>& corners) {
    Ring ring;
    ring.reserve(corners.size());
    for (const std::uint32_t corner : corners) ring.push_back(mesh_.vertices[corner]);
    if (ring.size() < 3) return;  // there and back along a wall that sticks into the ground: link_pair has made it a wall
    if (signed_area(ring) > 0 && polygon.outer.empty()) {
      polygon.outer = std::move(ring);
    } else {
      polygon.holes.push_back(std::move(ring));
    }
  }

  SceneBuilder builder_;
  ProblemList& problems_;
  TextScanner scan_;
  std::size_t bytes_;
  std::int64_t vertex_count_ = 0, polygon_count_ = 0;
  MeshFile mesh_;
  std::vector<std::uint32_t> neighbour_;
};

}  // namespace

Result<Scene> read_polyanya_mesh(std::string_view bytes, const std::string& name) { return PolyanyaReader(bytes, name).read(); }

}  // namespace throng
