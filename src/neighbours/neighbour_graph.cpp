// SPDX-License-Identifier: MIT
#include "neighbours/neighbour_graph.hpp"

#include <algorithm>

#include "neighbours/across_joints.hpp"
#include "neighbours/linker.hpp"
#include "neighbours/nearest.hpp"
#include "neighbours/predicates.hpp"
#include "neighbours/roll_call.hpp"

namespace throng {
namespace {

constexpr std::size_t kRowsPerChunk = 1024;

/// Who moved further since the last update is taken out and put back: dragged along, it would turn over every triangle on its
/// way. A walker makes 0.13 m in a step of 0.1 s; putting back costs about a microsecond.
constexpr std::int64_t kJump = 1 * kUnitsPerMetre;

/// The same grid point as snap() for positions on the grid; never undefined.
std::int32_t to_grid(float metres) {
  constexpr double kLimit = kAgentCoordinateLimit;
  double units = static_cast<double>(metres) * kUnitsPerMetre;
  units += units < 0 ? -0.5 : 0.5;
  units = units < kLimit ? units : kLimit;  // also for NaN
  return static_cast<std::int32_t>(units > -kLimit ? units : -kLimit);
}

}  // namespace

void NeighbourLists::add(std::span<const Link> links, TaskRunner& tasks) {
  if (links.empty()) return;
  if (merged_.size() < tasks.worker_count()) merged_.resize(tasks.worker_count());
  const std::size_t block_count = (ranges.size() + kBlock - 1) / kBlock;
  tasks.parallel_for(block_count, 1, [&](std::size_t block, std::size_t, unsigned worker) {
    const auto begin_row = static_cast<std::uint32_t>(block * kBlock);
    const auto end_row = std::min(begin_row + kBlock, static_cast<std::uint32_t>(ranges.size()));
    auto link = std::lower_bound(links.begin(), links.end(), Link{begin_row, 0});
    if (link == links.end() || link->first >= end_row) return;
    std::vector<std::uint32_t>& merged = merged_[worker];
    merged.clear();
    for (std::uint32_t row = begin_row; row < end_row; ++row) {
      const auto first = static_cast<std::uint32_t>(merged.size());
      const auto old = of(row);
      merged.insert(merged.end(), old.begin(), old.end());
      for (; link != links.end() && link->first == row; ++link) merged.push_back(link->second);
      std::inplace_merge(merged.begin() + first, merged.begin() + first + static_cast<std::ptrdiff_t>(old.size()), merged.end());
      ranges[row] = {first, static_cast<std::uint32_t>(merged.size())};
    }
    blocks[block].swap(merged);
  });
}

struct NeighbourGraph::State {
  struct Chunk {
    std::vector<std::uint32_t> changed;  // rows with another id than before, or new
    std::vector<std::uint32_t> jumped;   // rows with the same id that jumped or changed layer
  };

  void snap_rows(const NeighbourInput& input, bool compare, TaskRunner& tasks);
  void follow_rows(const NeighbourInput& input);
  void take_out(std::uint32_t old_row);
  bool has_jumped(std::uint32_t old_row, std::uint32_t new_row, const NeighbourInput& input) const;
  void bring_up(std::uint32_t layer, const NeighbourInput& input, TaskRunner& tasks, NeighbourReport& report);
  static std::uint32_t layer_of(std::span<const std::uint32_t> layers, std::uint32_t row) {
    return layers.empty() ? 0 : layers[row];
  }

  VertexColumns columns;
  std::vector<Point> fresh;        // where the agents are now; columns.point is where they were until the triangulation moves
  std::vector<std::uint32_t> ids;  // of the last update
  std::vector<std::uint32_t> layers;
  std::vector<std::unique_ptr<MovingDelaunay>> meshes;  // by layer
  std::vector<std::uint8_t> broken;                     // by layer: must be built anew
  bool waiting = false;                                 // some agents are in no triangulation
  std::vector<Chunk> chunks;
  RollCall roll;
  std::vector<std::uint32_t> changed;
  std::vector<Vertex> vertices;
  Linker linker;
  NearestGrid nearest;
  AcrossJoints across;
};

NeighbourGraph::NeighbourGraph(const NeighbourSettings& settings) : settings_(settings), state_(std::make_unique<State>()) {}
NeighbourGraph::~NeighbourGraph() = default;
NeighbourGraph::NeighbourGraph(NeighbourGraph&&) noexcept = default;
NeighbourGraph& NeighbourGraph::operator=(NeighbourGraph&&) noexcept = default;

void NeighbourGraph::reset() { state_ = std::make_unique<State>(); }

void NeighbourGraph::update(const NeighbourInput& input, TaskRunner& tasks) {
  State& state = *state_;
  report_ = {};
  const bool nearest = settings_.mode == NeighbourSettings::Mode::kNearest;
  state.snap_rows(input, !nearest, tasks);
  if (nearest) {
    report_.cut_edges = state.nearest.link(input, state.fresh, settings_, tasks, lists_);
    for (std::uint32_t row = 0; row < input.size(); ++row) report_.edges += static_cast<std::uint32_t>(lists_.of(row).size());
    report_.edges += report_.cut_edges;
  } else {
    state.follow_rows(input);
    state.columns.point.swap(state.fresh);
    for (std::uint32_t layer = 0; layer < state.meshes.size(); ++layer) state.bring_up(layer, input, tasks, report_);
    state.linker.link(input, state.columns, state.meshes, settings_, tasks, lists_, report_);
  }
  if (!input.layer.empty() && input.cells != nullptr && !input.cell.empty())
    report_.joint_links = state.across.add(input, nearest ? state.fresh : state.columns.point, settings_, tasks, lists_);
}

/// Positions onto the grid, and what differs from the last update.
void NeighbourGraph::State::snap_rows(const NeighbourInput& input, bool compare, TaskRunner& tasks) {
  const std::uint32_t count = input.size();
  fresh.resize(std::size_t{count} + 1);
  const std::size_t needed = (count + kRowsPerChunk - 1) / kRowsPerChunk;
  if (chunks.size() < needed) chunks.resize(needed);
  tasks.parallel_for(count, kRowsPerChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    Chunk& chunk = chunks[begin / kRowsPerChunk];
    chunk.changed.clear(), chunk.jumped.clear();
    for (std::size_t i = begin; i < end; ++i) fresh[i + 1] = {to_grid(input.x[i]), to_grid(input.y[i])};
    if (!compare) return;
    for (auto row = static_cast<std::uint32_t>(begin); row < end; ++row) {
      if (row >= ids.size() || ids[row] != input.id[row])
        chunk.changed.push_back(row);
      else if (has_jumped(row, row, input))
        chunk.jumped.push_back(row);
    }
  });
}

bool NeighbourGraph::State::has_jumped(std::uint32_t old_row, std::uint32_t new_row, const NeighbourInput& input) const {
  if (layer_of(layers, old_row) != layer_of(input.layer, new_row)) return true;
  return distance_squared(columns.point[old_row + 1], fresh[new_row + 1]) > kJump * kJump;
}

void NeighbourGraph::State::take_out(std::uint32_t old_row) {
  const std::uint32_t layer = layer_of(layers, old_row);
  const Vertex v = old_row + 1;
  if (columns.first[v] == kNoHalfEdge) return;
  if (!broken[layer] && !meshes[layer]->remove(v)) broken[layer] = 1;
  columns.first[v] = kNoHalfEdge;
}

/// Brings rows of the triangulations to the new numbering: takes out who vanished or jumped, renames who stands in another row.
void NeighbourGraph::State::follow_rows(const NeighbourInput& input) {
  const std::uint32_t count = input.size(), old_count = static_cast<std::uint32_t>(ids.size());
  changed.clear();
  std::size_t jumps = 0;
  const std::size_t used_chunks = (count + kRowsPerChunk - 1) / kRowsPerChunk;
  for (std::size_t i = 0; i < used_chunks; ++i) {
    changed.insert(changed.end(), chunks[i].changed.begin(), chunks[i].changed.end());
    jumps += chunks[i].jumped.size();
  }
  std::uint32_t layer_count = static_cast<std::uint32_t>(std::max<std::size_t>(meshes.size(), 1));
  for (const std::uint32_t layer : input.layer) layer_count = std::max(layer_count, layer + 1);
  while (meshes.size() < layer_count) meshes.push_back(std::make_unique<MovingDelaunay>(columns));
  broken.assign(layer_count, 0);
  for (std::uint32_t layer = 0; layer < layer_count; ++layer)
    if (meshes[layer]->is_flat()) broken[layer] = 1;
  roll.compare(ids, input.id, changed);
  // Many changes: building anew is cheaper than a microsecond each.
  if ((roll.vanished.size() + roll.appeared.size() + jumps) > count / 4 + 16) broken.assign(layer_count, 1);

  for (const std::uint32_t row : roll.vanished) take_out(row);
  for (std::size_t i = 0; i < used_chunks; ++i)
    for (const std::uint32_t row : chunks[i].jumped) take_out(row);
  for (const auto& [old_row, new_row] : roll.moved)
    if (has_jumped(old_row, new_row, input)) take_out(old_row);

  if (!roll.moved.empty()) {
    if (roll.moved.size() < old_count / 8) {
      std::vector<std::pair<Vertex, Vertex>> names;
      for (std::uint32_t layer = 0; layer < layer_count; ++layer) {
        if (broken[layer]) continue;
        names.clear();
        for (const auto& [old_row, new_row] : roll.moved)
          if (layer_of(layers, old_row) == layer) names.push_back({old_row + 1, new_row + 1});
        meshes[layer]->rename(names);
      }
      std::vector<HalfEdge> first;
      for (const auto& [old_row, new_row] : roll.moved) first.push_back(columns.first[old_row + 1]);
      columns.first.resize(std::max<std::size_t>(columns.first.size(), std::size_t{count} + 1), kNoHalfEdge);
      for (std::size_t i = 0; i < roll.moved.size(); ++i) columns.first[roll.moved[i].second + 1] = first[i];
    } else {
      std::vector<Vertex> new_of_old(std::size_t{old_count} + 1);
      for (Vertex v = 0; v <= old_count; ++v) new_of_old[v] = v;
      for (const auto& [old_row, new_row] : roll.moved) new_of_old[old_row + 1] = new_row + 1;
      std::vector<HalfEdge> first(std::max<std::size_t>(old_count, count) + 1, kNoHalfEdge);
      for (Vertex v = 1; v <= old_count; ++v)
        if (columns.first[v] != kNoHalfEdge) first[new_of_old[v]] = columns.first[v];
      columns.first.swap(first);
      for (std::uint32_t layer = 0; layer < layer_count; ++layer)
        if (!broken[layer]) meshes[layer]->rename_all(new_of_old), meshes[layer]->lay_out();
    }
  }
  columns.first.resize(std::size_t{count} + 1, kNoHalfEdge);
  for (const std::uint32_t row : roll.appeared) columns.first[row + 1] = kNoHalfEdge;
  waiting = !roll.appeared.empty() || jumps != 0 || !roll.moved.empty();
  for (const auto& mesh : meshes) {
    waiting |= !mesh->aliases().empty();
    mesh->aliases().clear();
  }
  if (!changed.empty() || old_count != count) ids.assign(input.id.begin(), input.id.end());
  layers.assign(input.layer.begin(), input.layer.end());
}

/// The triangulation of a layer, from where its agents were to where they are.
void NeighbourGraph::State::bring_up(std::uint32_t layer, const NeighbourInput& input, TaskRunner& tasks,
                                     NeighbourReport& report) {
  MovingDelaunay& mesh = *meshes[layer];
  RepairReport repair;
  bool good = !broken[layer] && mesh.repair(tasks, repair);
  if (good && (waiting || repair.taken_out != 0)) {
    // In no triangulation: new ones, those that jumped, those that stood on one point with another, and those out of tangles.
    vertices.clear();
    for (Vertex v = 1; v < columns.first.size(); ++v)
      if (columns.first[v] == kNoHalfEdge && layer_of(input.layer, v - 1) == layer) vertices.push_back(v);
    for (std::size_t i = 0; i < vertices.size() && good; ++i) good = mesh.insert(vertices[i]);
    report.reinserted += static_cast<std::uint32_t>(vertices.size());
    mesh.count_hull();
  }
  if (!good) {
    repair.stage = RepairStage::kRebuilt;
    vertices.clear();
    for (std::uint32_t row = 0; row < input.size(); ++row)
      if (layer_of(input.layer, row) == layer) vertices.push_back(row + 1);
    mesh.rebuild(vertices);
    mesh.lay_out();
  }
  report.stage = std::max(report.stage, repair.stage);
  report.flips += repair.flips;
  report.inverted += repair.inverted;
}

}  // namespace throng
