// SPDX-License-Identifier: MIT
// The navigation graph of Pettré, Grillon & Thalmann 2007: vertical cylinders that hold no obstacle, and the gates between those
// that overlap (ALGORITHMS §2.4, §2.5, §2.11).
//
// A *disc* is a cylinder seen from above. Its radius is the clearance of its centre less the radius of the body the graph is for,
// so that this body's centre may be anywhere in it (erratum P-3). A *gate* is the chord of two discs' overlap. Discs are convex:
// whoever walks straight from a point of one gate to a point of another of the same disc touches nothing.
//
// The nodes of the sampled surface stay with the graph. Each node that the body can stand on has an *owner*, the disc it belongs
// to; that is how a point of space finds its disc and its exact elevation, on any number of storeys.
//
// Immutable once built; any number of threads may read it. Edits are made on a copy (navgraph/graph_editor.hpp).
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scene/sight_grid.hpp"
#include "scene/surface.hpp"

namespace throng {

using DiscIndex = std::uint32_t;
using GateIndex = std::uint32_t;
inline constexpr DiscIndex kNoDisc = 0xffffffffu;
inline constexpr GateIndex kNoGate = 0xffffffffu;

constexpr Vec2 plan_of(Vec3 p) { return {p.x, p.y}; }
inline double distance(Vec3 a, Vec3 b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

struct Gate {
  std::array<DiscIndex, 2> disc;
  std::array<Vec3, 2> end;  ///< left and right as seen when walking from disc[0] to disc[1]
  double cost = 0;          ///< metres between the discs' centres, in space

  double width() const { return distance(plan_of(end[0]), plan_of(end[1])); }
  DiscIndex other(DiscIndex d) const { return disc[0] == d ? disc[1] : disc[0]; }
  Vec3 middle() const { return {(end[0].x + end[1].x) / 2, (end[0].y + end[1].y) / 2, (end[0].z + end[1].z) / 2}; }
};

/// What a disc sees, in four quarters of the compass (east, north, west, south), each ascending (navgraph/visibility.hpp).
struct SightLists {
  double range = 0;                  ///< metres; 0: not computed
  std::vector<std::uint32_t> start;  ///< four entries a disc and one more (CSR)
  std::vector<DiscIndex> discs;
  SightGrid triangles;  ///< what stands between people
};

struct NavGraph {
  Surface surface;
  std::vector<float> clearance;  ///< of each node: metres in plan to the nearest wall piece of its own storey
  std::vector<DiscIndex> owner;  ///< of each node; kNoDisc where the body does not fit
  double body_radius = 0;
  double min_radius = 0;  ///< of the discs of the cover

  std::vector<Vec3> centre;    ///< of each disc, on the ground
  std::vector<double> radius;  ///< negative: an edit has taken the disc away, and its number is free
  std::vector<NodeIndex> centre_node;
  std::vector<std::uint32_t> component;
  std::uint32_t component_count = 0;

  std::vector<Gate> gates;
  std::vector<std::uint32_t> gate_start;  ///< of each disc into gates_of (CSR)
  std::vector<GateIndex> disc_gates;      ///< ascending by the disc on the other side

  SightLists sight;

  std::uint32_t disc_count() const { return static_cast<std::uint32_t>(centre.size()); }
  bool is_there(DiscIndex d) const { return radius[d] >= 0; }
  std::span<const GateIndex> gates_of(DiscIndex d) const {
    return {disc_gates.data() + gate_start[d], gate_start[d + 1] - gate_start[d]};
  }
  /// The gate between two discs, or kNoGate.
  GateIndex gate_between(DiscIndex a, DiscIndex b) const;
  bool is_feasible(NodeIndex n) const { return clearance[n] >= body_radius; }
  /// How deep inside a disc a point lies in plan; negative outside.
  double depth(DiscIndex d, Vec2 p) const { return radius[d] - distance(plan_of(centre[d]), p); }
  std::uint64_t bytes() const;
};

/// The node nearest to p in space that the body can stand on, within `reach` metres; kNoNode if there is none.
NodeIndex nearest_feasible(const NavGraph& graph, Vec3 p, double reach);

/// The disc that holds p deepest (greatest radius − distance), of those on p's storey; the nearest one if none holds it. Nothing
/// if the body fits nowhere within a step and its radius.
std::optional<DiscIndex> disc_at(const NavGraph& graph, Vec3 p);

/// The disc that the sample nearest to p belongs to: one look at the grid, for those who ask for everybody all the time. Where no
/// body stands on that sample, as disc_at. kNoDisc: nowhere near.
DiscIndex disc_near(const NavGraph& graph, Vec3 p);

/// The ground's height at a point of a disc: bilinear between linked nodes.
double elevation_in(const NavGraph& graph, DiscIndex disc, Vec2 p);
/// The ground's height at a point in plan, on the storey nearest to p.z; nothing where no ground is within a step in plan.
std::optional<double> elevation_at(const NavGraph& graph, Vec3 p);

}  // namespace throng
