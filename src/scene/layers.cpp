// SPDX-License-Identifier: MIT
// A mesh as layers: sample, split, trace (throng/layers.hpp).
#include <throng/layers.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "base/profile.hpp"
#include "scene/sheet_outlines.hpp"
#include "scene/surface.hpp"

namespace throng {
namespace {

SurfaceSettings surface_settings(const LayerSettings& s) {
  SurfaceSettings settings;
  settings.step = s.grid_step;
  settings.slope = s.slope;
  settings.step_height = s.step_height;
  settings.head_room = s.head_room;
  settings.min_island = s.min_island;
  settings.seeds = s.seeds;
  settings.max_samples = s.max_samples;
  return settings;
}

double doubled_area(const Ring& ring) {
  double sum = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) sum += cross(ring[i], ring[(i + 1) % ring.size()]);
  return sum;
}

/// Without what leads to a vertex and straight back: a thin wall that has become a line.
Ring without_spikes(const Ring& ring) {
  Ring out;
  for (const Vec2 p : ring) {
    if (out.size() >= 2 && out[out.size() - 2] == p)
      out.pop_back();
    else
      out.push_back(p);
  }
  while (out.size() >= 3 && (out.front() == out[out.size() - 2] || out[1] == out.back())) {
    if (out[1] == out.back()) std::rotate(out.begin(), out.begin() + 1, out.end());
    out.resize(out.size() - 2);
  }
  return out;
}

/// Polygons and walls of all layers, and joints between them.
void add_outlines(const Sheets& sheets, const SheetOutlines& outlines, Scene& scene) {
  const auto at = [&](std::uint32_t v) { return to_metres(outlines.vertices[v]); };
  std::vector<Polygon> ground(sheets.layer_of_sheet.size());
  for (std::size_t r = 0; r < outlines.ring_count(); ++r) {
    const std::uint32_t begin = outlines.ring_start[r], end = outlines.ring_start[r + 1];
    Ring ring;
    for (std::uint32_t e = begin; e < end; ++e) ring.push_back(at(outlines.edges[e].from));
    ring = without_spikes(ring);
    if (ring.size() < 3) continue;
    Polygon& polygon = ground[outlines.edges[begin].sheet];
    // A sheet is connected: of its rings one runs round it, counter-clockwise.
    if (polygon.outer.empty() && doubled_area(ring) > 0)
      polygon.outer = std::move(ring);
    else
      polygon.holes.push_back(std::move(ring));
  }
  for (std::size_t sheet = 0; sheet < ground.size(); ++sheet)
    if (!ground[sheet].outer.empty()) scene.layers[sheets.layer_of_sheet[sheet]].walkable.push_back(std::move(ground[sheet]));

  // Lines with ground on both sides bound nothing, and yet nobody crosses them.
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> walls;
  for (const OutlineEdge& e : outlines.edges) {
    const std::uint32_t layer = sheets.layer_of_sheet[e.sheet];
    if (e.beyond != kNoSheet) {
      if (e.sheet < e.beyond) scene.joints.push_back({{layer, sheets.layer_of_sheet[e.beyond]}, {at(e.from), at(e.to)}});
    } else if (walls.contains({layer, e.to, e.from})) {
      scene.layers[layer].walls.push_back({at(e.from), at(e.to)});
    } else {
      walls.insert({layer, e.from, e.to});
    }
  }
}

/// The heights of each layer's nodes, and of those beyond its joints: outlines lie between nodes, and joints are moved.
void add_heights(const Surface& surface, const Sheets& sheets, double rise, Scene& scene) {
  struct Sample {
    std::int32_t row, column;
    float z;
    int ring;  ///< links beyond the layer
  };
  std::vector<std::vector<Sample>> samples(sheets.layer_count);
  std::vector<std::vector<NodeIndex>> beyond(sheets.layer_count);  // nodes of other layers, nearest first
  const auto add = [&](std::uint32_t layer, NodeIndex n, int ring) {
    const ColumnPlace p = surface.place_of(n);
    samples[layer].push_back({p.j, p.i, surface.z[n], ring});
  };
  for (NodeIndex n = 0; n < surface.node_count(); ++n) {
    add(sheets.layer(n), n, 0);
    for (int d = 0; d < 8; ++d)
      if (const NodeIndex other = surface.neighbour(n, d); other != kNoNode && sheets.layer(other) != sheets.layer(n))
        beyond[sheets.layer(n)].push_back(other);
  }
  std::vector<std::uint32_t> reached(surface.node_count(), kNoSheet);  // by which layer last
  for (std::uint32_t l = 0; l < sheets.layer_count; ++l) {
    std::vector<NodeIndex> ring = std::move(beyond[l]), next;
    for (int k = 1; k <= kJointSteps + 1 && !ring.empty(); ++k) {
      next.clear();
      for (const NodeIndex n : ring) {
        if (reached[n] == l) continue;
        reached[n] = l;
        add(l, n, k);
        for (int d = 0; d < 8; ++d)
          if (const NodeIndex other = surface.neighbour(n, d);
              other != kNoNode && sheets.layer(other) != l && reached[other] != l)
            next.push_back(other);
      }
      ring.swap(next);
    }
  }
  for (std::uint32_t l = 0; l < sheets.layer_count; ++l) {
    auto& list = samples[l];
    std::sort(list.begin(), list.end(), [](const Sample& a, const Sample& b) {
      return std::tie(a.row, a.column, a.ring, a.z) < std::tie(b.row, b.column, b.ring, b.z);
    });
    list.erase(std::unique(list.begin(), list.end(),
                           [](const Sample& a, const Sample& b) { return a.row == b.row && a.column == b.column; }),
               list.end());
    HeightGrid& grid = scene.layers[l].heights;
    grid.origin = surface.origin;
    grid.step = surface.step;
    grid.rise = rise;
    grid.first_row = list.front().row;
    double sum = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const bool new_row = i == 0 || list[i].row != list[i - 1].row;
      while (static_cast<std::int32_t>(grid.row_start.size()) <= list[i].row - grid.first_row)
        grid.row_start.push_back(static_cast<std::uint32_t>(grid.runs.size()));
      if (new_row || list[i].column != list[i - 1].column + 1)
        grid.runs.push_back({list[i].column, static_cast<std::uint32_t>(i)});
      grid.heights.push_back(list[i].z);
      sum += list[i].z;
    }
    grid.row_start.push_back(static_cast<std::uint32_t>(grid.runs.size()));
    scene.layers[l].elevation = sum / static_cast<double>(list.size());
  }
}

}  // namespace

Result<LayeredScene> split_into_layers(const Scene& scene, const LayerSettings& settings) {
  const std::unique_ptr<TaskRunner> tasks = make_task_runner(settings.threads);
  StageTimer timer;
  const auto begin = [&](const char* stage) {
    if (settings.progress) settings.progress(stage);
    timer.begin(stage);
  };
  begin("sample");
  const Result<Surface> surface = sample_surface(scene.mesh, surface_settings(settings), *tasks);
  if (!surface) return surface.problems();
  begin("sheets");
  const Sheets sheets = split_into_sheets(*surface);
  begin("outlines");
  const SheetOutlines outlines = trace_outlines(*surface, sheets);

  LayeredScene result;
  result.samples = surface->node_count();
  result.area = surface->node_count() * surface->step * surface->step;
  result.sheets = static_cast<std::uint32_t>(sheets.layer_of_sheet.size());
  result.scene.name = scene.name;
  result.scene.origin = scene.origin;
  result.scene.profiles = scene.profiles;
  result.scene.layers.resize(sheets.layer_count);
  for (std::uint32_t l = 0; l < sheets.layer_count; ++l) result.scene.layers[l].name = "layer " + std::to_string(l);
  add_outlines(sheets, outlines, result.scene);
  begin("heights");
  const double slope_rise = std::tan(settings.slope * 3.14159265358979323846 / 180) * 1.5 * surface->step;
  add_heights(*surface, sheets, std::max(settings.step_height, slope_rise), result.scene);
  timer.end();
  for (const StageTime& s : timer.stages()) result.stages.push_back({s.name, s.ms});
  return result;
}

}  // namespace throng
