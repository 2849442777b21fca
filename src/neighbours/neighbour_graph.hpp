// SPDX-License-Identifier: MIT
// The neighbourhood graph (Lamarche & Donikian 2004, section 4.1; ALGORITHMS §1.8): who sees whom.
//
// Two agents are neighbours if an edge of the Delaunay triangulation of all positions joins them, the line between them stays on
// walkable ground, and they are no further apart than `reach`. To this the contact net adds pairs that the triangulation
// does not guarantee (erratum L-10): those nearer than the sum of their radii and of what they approach each other within
// `net_steps` steps. Agents on one point of the 2^-10 m grid are neighbours of each other and share their neighbours.
//
//   NeighbourGraph graph;                       // keep it: an update repairs the triangulation of the one before
//   graph.update({.x = x, .y = y, …}, tasks);
//   for (std::uint32_t other : graph.of(agent)) …
//
// *Nothing has to be announced.* An update compares the `id` column with the last one: agents that appeared, vanished, or moved
// to another row (re-sorting, swap-remove) are found, those that jumped further than a walker can are taken out and put back. The
// lists are a function of the columns alone, never of earlier updates (predicates.hpp), so a restored snapshot goes on with the
// same bits, and so does any number of threads.
//
// Where layers meet at joints, across_joints.hpp adds who sees whom from layer to layer; nobody sees through a floor.
//
// Mode kNearest instead links each agent to the 8 nearest (by distance, then id) within `reach`, by a uniform grid, before the
// same sight filter; its relation is not symmetric and has no contact net. It is here for comparison.
//
// Cost: docs/benchmarks.md. No allocation in a steady state. One caller at a time; `of` from any thread between updates.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/tasks.hpp"
#include "cells/cells.hpp"
#include "neighbours/moving_delaunay.hpp"

namespace throng {

/// Columns of the same length n in the world's storage order; the nearer in space two agents are stored, the faster.
struct NeighbourInput {
  std::span<const float> x, y;           ///< metres from the scene's origin; NaN and beyond 1000 km are moved to the border
  std::span<const float> radius;         ///< metres
  std::span<const float> vx, vy;         ///< m/s, for the contact net
  std::span<const CellIndex> cell;       ///< that holds the agent; empty: no walls
  std::span<const std::uint32_t> layer;  ///< empty: one layer. Agents see other layers across joints of the cells only.
  std::span<const std::uint32_t> id;     ///< stable number of the agent, unique
  const Cells* cells = nullptr;          ///< null: no walls
  float dt = 0.1f;                       ///< seconds

  std::uint32_t size() const { return static_cast<std::uint32_t>(x.size()); }
};

struct NeighbourSettings {
  enum class Mode : std::uint8_t {
    kDelaunay,  ///< the paper's graph
    kNearest,   ///< the 8 nearest
  };
  Mode mode = Mode::kDelaunay;
  float reach = 20;     ///< metres; longer links are dropped (an agent alone in a hall would see the far corners)
  float net_steps = 1;  ///< steps of approach that the contact net looks ahead; below 0: no net
};

/// What the last update did.
struct NeighbourReport {
  RepairStage stage = RepairStage::kUnchanged;  ///< the farthest that any layer needed
  std::uint32_t flips = 0;
  std::uint32_t inverted = 0;     ///< triangles the movement turned over
  std::uint32_t reinserted = 0;   ///< vertices put back: out of tangles, jumped, appeared, or coincident the step before
  std::uint32_t edges = 0;        ///< of the triangulation
  std::uint32_t cut_edges = 0;    ///< of these: behind walls or too long
  std::uint32_t net_links = 0;    ///< pairs that the contact net added
  std::uint32_t joint_links = 0;  ///< pairs of two layers
};

/// One list of rows per row, written in parallel: a block of rows has a store of its own.
class NeighbourLists {
 public:
  static constexpr std::uint32_t kBlock = 512;

  struct Range {
    std::uint32_t begin, end;
  };
  std::vector<std::vector<std::uint32_t>> blocks;
  std::vector<Range> ranges;

  void resize(std::uint32_t count) {
    ranges.resize(count);
    if (const std::size_t needed = (std::size_t{count} + kBlock - 1) / kBlock; blocks.size() < needed) blocks.resize(needed);
  }
  std::span<const std::uint32_t> of(std::uint32_t row) const {
    const Range range = ranges[row];
    return {blocks[row / kBlock].data() + range.begin, range.end - range.begin};
  }
  /// From a row to another.
  using Link = std::pair<std::uint32_t, std::uint32_t>;
  /// Merges sorted links into the lists; none of them is there yet. Blocks without one are not touched.
  void add(std::span<const Link> links, TaskRunner& tasks);

 private:
  std::vector<std::vector<std::uint32_t>> merged_;  // by worker: a block with the links added
};

class NeighbourGraph {
 public:
  explicit NeighbourGraph(const NeighbourSettings& settings = {});
  ~NeighbourGraph();
  NeighbourGraph(NeighbourGraph&&) noexcept;
  NeighbourGraph& operator=(NeighbourGraph&&) noexcept;

  /// Brings the graph up to the columns.
  void update(const NeighbourInput& input, TaskRunner& tasks);
  /// Forgets the triangulation: the next update builds anew. Changes no result.
  void reset();

  /// Rows of the agents that `row` sees, ascending.
  std::span<const std::uint32_t> of(std::uint32_t row) const { return lists_.of(row); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(lists_.ranges.size()); }
  const NeighbourReport& report() const { return report_; }
  const NeighbourSettings& settings() const { return settings_; }

 private:
  struct State;
  NeighbourSettings settings_;
  NeighbourLists lists_;
  NeighbourReport report_;
  std::unique_ptr<State> state_;
};

}  // namespace throng
