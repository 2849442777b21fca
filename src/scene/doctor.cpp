// SPDX-License-Identifier: MIT
#include "scene/doctor.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "geometry/point.hpp"
#include "scene/doctor_rings.hpp"
#include "scene/heights.hpp"

namespace throng {
namespace {

constexpr double kSmallestScene = 2;     ///< metres; a smaller plan is probably in another unit
constexpr double kLargestScene = 16000;  ///< metres; the grid ends there
constexpr double kTypicalEdge =
    150;  ///< metres; if a quarter of the edges is longer, the plan is probably in millimetres or centimetres
constexpr std::size_t kEnoughEdges = 12;  ///< fewer say nothing about what is typical
constexpr double kUpAxisFactor = 3;       ///< level area seen along y against z

struct Extent {
  Vec2 low{1e300, 1e300};
  Vec2 high{-1e300, -1e300};
  void grow(Vec2 p) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) return;
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  bool empty() const { return low.x > high.x; }
  double size() const { return std::max(high.x - low.x, high.y - low.y); }
  Vec2 middle() const { return 0.5 * (low + high); }
  std::vector<Vec2> outline() const { return {low, {high.x, low.y}, high, {low.x, high.y}, low}; }
};

std::string number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", v);
  return text;
}

void examine_units(const Scene& scene, std::vector<Finding>& findings) {
  Extent extent;
  std::vector<double> edges;
  const auto add_edge = [&](Vec2 a, Vec2 b) {
    extent.grow(a), extent.grow(b);
    if (const double d = distance(a, b); std::isfinite(d)) edges.push_back(d);
  };
  const auto add_ring = [&](const Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) add_edge(ring[i], ring[(i + 1) % ring.size()]);
  };
  for (const Layer& layer : scene.layers) {
    for (const auto* polygons : {&layer.walkable, &layer.obstacles})
      for (const Polygon& p : *polygons) {
        add_ring(p.outer);
        for (const Ring& hole : p.holes) add_ring(hole);
      }
    for (const Segment& s : layer.walls) add_edge(s.a, s.b);
  }
  for (const Vec3& v : scene.mesh.vertices) extent.grow({v.x, v.y});
  if (extent.empty()) return;

  const std::string where = "scene";
  if (extent.size() < kSmallestScene) {
    findings.push_back({Finding::kWarning,
                        "units",
                        extent.middle(),
                        extent.outline(),
                        {where, "the whole scene is " + number(extent.size()) + " m across: too small for a person to walk in",
                         "the file is probably in another unit (a plan in kilometres or inches, a model in its own units): scale "
                         "it to metres"}});
  } else if (extent.size() > kLargestScene) {
    findings.push_back({Finding::kError,
                        "units",
                        extent.middle(),
                        extent.outline(),
                        {where, "the whole scene is " + number(extent.size()) + " m across; at most 16 km can be baked",
                         "if the file is in millimetres or centimetres, scale it to metres; else cut it into parts"}});
  } else if (edges.size() >= kEnoughEdges) {
    // The upper quartile: thin walls have as many short ends as long sides.
    const std::size_t rank = edges.size() * 3 / 4;
    std::nth_element(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(rank), edges.end());
    if (const double typical = edges[rank]; typical > kTypicalEdge)
      findings.push_back({Finding::kWarning,
                          "units",
                          extent.middle(),
                          extent.outline(),
                          {where, "one edge in four is longer than " + number(typical) + " m",
                           "if the file is in millimetres or centimetres, scale it to metres"}});
  }
}

/// Upward-facing area per axis: floors face up, so the axis along which most area is level is probably the one that points up.
void examine_up_axis(const Mesh& mesh, std::vector<Finding>& findings) {
  double level_z = 0, level_y = 0;
  Extent extent;
  for (const auto& t : mesh.triangles) {
    if (std::any_of(t.begin(), t.end(), [&](std::uint32_t v) { return v >= mesh.vertices.size(); })) continue;
    const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    const Vec3 u{b.x - a.x, b.y - a.y, b.z - a.z}, v{c.x - a.x, c.y - a.y, c.z - a.z};
    const Vec3 n{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    const double size = std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
    if (!(size > 0) || !std::isfinite(size)) continue;
    if (n.z > 0.9 * size) level_z += size / 2;
    if (n.y > 0.9 * size) level_y += size / 2;
    extent.grow({a.x, a.y});
  }
  if (level_y > kUpAxisFactor * level_z && !extent.empty())
    findings.push_back({Finding::kWarning,
                        "up-axis",
                        extent.middle(),
                        extent.outline(),
                        {"mesh", number(level_y) + " m² face along y, only " + number(level_z) + " m² face up along z",
                         "the file probably has y up: read it with --up y"}});
}

void examine_areas(const Scene& scene, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < scene.areas.size(); ++i) {
    const Area& area = scene.areas[i];
    const std::string where = "area " + std::to_string(i) + (area.name.empty() ? "" : " \"" + area.name + "\"");
    const Vec2 place = area.shape.outer.empty() ? Vec2{} : area.shape.outer[0];
    const auto report = [&](std::string what, std::string fix) {
      findings.push_back({Finding::kError, "bad-area", place, {}, {where, std::move(what), std::move(fix)}});
    };
    if (area.layer >= scene.layers.size() && !scene.layers.empty())
      report("it lies on layer " + std::to_string(area.layer) + " of " + std::to_string(scene.layers.size()),
             "count layers from 0");
    if (!(area.cost >= 1) || !std::isfinite(area.cost))
      report("its cost is " + number(area.cost), "costs are factors on length, at least 1");
    if (area.name.empty()) report("it has no name", "name it, so that plans and profiles can refer to it");
  }
}

double floor_of(const Layer& layer, Vec2 p) {
  if (!layer.heights.empty())
    if (const auto height = height_at(layer.heights, p)) return *height;
  return layer.elevation + dot(layer.slope, p);
}

/// Two layers meet at a joint at one height, within what a person steps up.
void examine_joints(const Scene& scene, std::vector<Finding>& findings) {
  constexpr double kStep = 0.5;  // m
  const auto words_of = [&](std::uint32_t layer) {
    const std::string& name = scene.layers[layer].name;
    return name.empty() ? "layer " + std::to_string(layer) : "\"" + name + "\"";
  };
  for (std::size_t i = 0; i < scene.joints.size(); ++i) {
    const Joint& joint = scene.joints[i];
    if (joint.layer[0] >= scene.layers.size() || joint.layer[1] >= scene.layers.size()) continue;
    double largest = 0, low = 0, high = 0;
    Vec2 place;
    for (const Vec2 p : {joint.line.a, joint.line.b}) {
      const double one = floor_of(scene.layers[joint.layer[0]], p), other = floor_of(scene.layers[joint.layer[1]], p);
      if (!(std::abs(one - other) > largest)) continue;
      largest = std::abs(one - other);
      low = one;
      high = other;
      place = p;
    }
    if (largest <= kStep) continue;
    findings.push_back({Finding::kError,
                        "joint-heights",
                        place,
                        {joint.line.a, joint.line.b},
                        {"joint " + std::to_string(i) + " at " + place_words(place),
                         words_of(joint.layer[0]) + " lies at " + number(low) + " m there and " + words_of(joint.layer[1]) +
                             " at " + number(high) + " m: they do not meet",
                         "mend \"elevation\" (the height at x = y = 0) or \"slope\" of one of them"}});
  }
}

void examine_ground(const Scene& scene, std::vector<Finding>& findings) {
  const auto no_ground = [&](std::string where, std::string what) {
    findings.push_back({Finding::kError,
                        "no-ground",
                        {},
                        {},
                        {std::move(where), std::move(what), "give a walkable polygon, obstacles, or walls with a seed point"}});
  };
  if (scene.layers.empty() && scene.mesh.empty()) no_ground("scene", "it has neither layers nor a mesh");
  for (std::size_t i = 0; i < scene.layers.size(); ++i) {
    const Layer& layer = scene.layers[i];
    if (layer.walkable.empty() && layer.obstacles.empty() && layer.walls.empty())
      no_ground("layer " + std::to_string(i), "it is empty");
  }
}

}  // namespace

std::string place_words(Vec2 p) {
  char text[64];
  std::snprintf(text, sizeof text, "(%.6g, %.6g)", p.x, p.y);
  return text;
}

std::vector<Finding> shortened(std::vector<Finding> all) {
  std::stable_sort(all.begin(), all.end(), [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
  std::map<std::string, std::size_t> count;
  for (const Finding& f : all) ++count[f.code];
  std::map<std::string, std::size_t> kept;
  std::vector<Finding> out;
  for (Finding& f : all)
    if (kept[f.code]++ < kMaxFindingsPerCode) out.push_back(std::move(f));
  for (const auto& [code, n] : count)
    if (n > kMaxFindingsPerCode)
      out.push_back(
          {Finding::kNote,
           code,
           {},
           {},
           {"scene",
            std::to_string(n) + " findings of this kind; the first " + std::to_string(kMaxFindingsPerCode) + " are listed",
            "mend these first"}});
  return out;
}

std::vector<Finding> examine(const Scene& scene) {
  std::vector<Finding> findings;
  examine_ground(scene, findings);
  for (std::uint32_t i = 0; i < scene.layers.size(); ++i) examine_layer(scene.layers[i], i, findings);
  for (std::size_t i = 0; i < scene.areas.size(); ++i)
    examine_polygon(scene.areas[i].shape, "area \"" + scene.areas[i].name + "\"", true, findings);
  examine_areas(scene, findings);
  examine_joints(scene, findings);
  examine_units(scene, findings);
  if (!scene.mesh.empty()) examine_up_axis(scene.mesh, findings);
  return shortened(std::move(findings));
}

}  // namespace throng
