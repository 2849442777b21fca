// SPDX-License-Identifier: MIT
// Navigation graphs: free ground of any triangle mesh, on any number of storeys, as discs and the gates between them
// (Pettré, Grillon & Thalmann 2007). Made for many people on the way between the same places: a flow is a set of different paths
// that they spread over.
//
//   throng::Scene scene = …;                                   // a mesh, or polygons
//   auto graph = throng::NavigationGraph::bake(scene, {.step_height = 0.3});
//   if (!graph) for (auto& problem : graph.problems()) std::puts(to_string(problem).c_str());
//   auto path = graph->path({1, 1, 0}, {9, 4, 3.2});           // up the stairs
//   auto flow = graph->flow({1, 1, 0}, {9, 4, 3.2}, {.max_paths = 8});
#pragma once
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <throng/navigation.hpp>
#include <throng/result.hpp>
#include <throng/scene.hpp>

namespace throng {

struct NavGraph;

struct GraphSettings {
  double grid_step = 0.25;    ///< metres between samples, at most step_height / tan(slope)
  double slope = 35;          ///< degrees; the steepest ground one walks on
  double step_height = 0.2;   ///< metres; kerbs and stairs up to here are stepped over
  double head_room = 1.9;     ///< metres
  double min_island = 2;      ///< m²; smaller pieces of ground are dropped unless a seed or an area is on them
  std::vector<Vec3> seeds;    ///< further places whose ground is kept
  double body_radius = 0.20;  ///< metres; whom the graph is for
  double min_radius = 0.375;  ///< metres; the least disc of the cover, at least 1.5 grid steps; 0.75 halves the discs of a town
  double sight_range = 0;     ///< metres; discs within it know whether they see each other; 0: none does
  bool editable = false;      ///< keep what edits of a world need (edits.hpp); without it the first edit takes as long as a bake
  std::uint64_t max_samples = 50'000'000;  ///< a mesh that needs more is refused before memory is asked for
  unsigned threads = 0;                    ///< 0: one per core; the result does not depend on it
  /// Called at the start of each stage, on the calling thread.
  std::function<void(std::string_view stage)> progress;
};

struct GraphReport {
  std::uint32_t discs = 0, gates = 0, components = 0;
  std::uint32_t layers = 0;   ///< the most floors that lie over each other
  std::uint64_t samples = 0;  ///< places of the grid where one can stand
  double area = 0;            ///< m² of them
  double feasible_area = 0;   ///< m² where the body's centre may be
  double covered = 0;         ///< share of that inside discs
  std::uint64_t bytes = 0;    ///< of everything kept
  std::uint64_t peak_bytes = 0;
  std::vector<BakeStage> stages;
};

struct GraphPath {
  bool found = false;
  double length = 0;     ///< metres in space along `points`
  double cost = 0;       ///< metres from middle to middle of the gates
  double narrowest = 0;  ///< metres; the least gate, 0 without any
  std::vector<std::uint32_t> discs;
  std::vector<std::uint32_t> gates;  ///< one fewer than discs
  std::vector<Vec3> points;          ///< start, where each gate is crossed, goal; on the ground
};

struct FlowSettings {
  std::uint32_t max_paths = 8;  ///< 0: as many as there are
  double max_ratio = 1.5;       ///< the longest path allowed, relative to the shortest; at least 1
};

/// How somebody chooses among the paths of a flow.
enum class PathCriterion : std::uint8_t {
  kLength,      ///< the shortest
  kWidth,       ///< the one whose narrowest gate is widest
  kVisibility,  ///< the one of which most is seen from its start (needs sight lists)
  kTravelTime,  ///< the fastest, given the crowd
};

inline constexpr std::string_view kCriterionNames[] = {"length", "width", "visibility", "time"};
inline std::optional<PathCriterion> criterion_of(std::string_view name) {
  for (std::uint8_t i = 0; i < std::size(kCriterionNames); ++i)
    if (kCriterionNames[i] == name) return static_cast<PathCriterion>(i);
  return {};
}

struct FlowPath {
  std::vector<std::uint32_t> discs;
  std::vector<std::uint32_t> gates;                            ///< one fewer than discs
  double length = 0;                                           ///< metres from centre to centre
  double narrowest = std::numeric_limits<double>::infinity();  ///< metres; the least gate
};

struct Flow {
  std::vector<FlowPath> paths;  ///< the first is the shortest; none equal; none if there is no way
  std::uint32_t searches = 0;
};

/// Somebody's view: eyes at `height` above the ground.
struct View {
  double range = 50;            ///< metres
  double height = 1.7;          ///< metres
  std::optional<Vec2> towards;  ///< unit vector; without it all round
  double cosine = 0;            ///< of half the angle of sight
};

/// A baked graph: immutable, shared, safe to query from any number of threads.
class NavigationGraph {
 public:
  /// From the scene's mesh if it has one, from its layers otherwise.
  static Result<NavigationGraph> bake(const Scene& scene, const GraphSettings& settings = {});

  /// One path. A start or goal where the body does not fit is a Problem; no way between them is `found` = false.
  Result<GraphPath> path(Vec3 from, Vec3 to) const;
  /// Different paths between the discs of two places.
  Result<Flow> flow(Vec3 from, Vec3 to, const FlowSettings& settings = {}) const;
  /// The height of the ground on the storey nearest to p.z; nothing where there is none.
  std::optional<double> elevation_at(Vec3 p) const;
  /// The disc that holds a place; nothing if the body does not fit there.
  std::optional<std::uint32_t> disc_at(Vec3 p) const;

  const GraphReport& report() const;
  Vec2 origin() const;
  const NavGraph& data() const;

 private:
  friend class GraphEditor;
  struct Data;
  explicit NavigationGraph(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

/// People on a graph at one moment: who is near, who is seen, and which path of a flow the crowd leaves best (Algorithms 4, 5
/// and 3 of the paper).
///
///   throng::PeopleOnGraph people(graph, places);
///   for (std::uint32_t i : people.near(places[7], 3)) …        // nobody on the bridge above
///   for (std::uint32_t i : people.seen_from(places[7], {.range = 20})) …
///   const throng::FlowPath& mine = flow.paths[people.choose(flow, throng::PathCriterion::kTravelTime)];
///
/// Immutable; made in O(people + discs); safe to ask from any number of threads.
class PeopleOnGraph {
 public:
  /// Whoever stands where the graph has no ground is in no answer.
  PeopleOnGraph(const NavigationGraph& graph, std::span<const Vec3> places);
  ~PeopleOnGraph();
  PeopleOnGraph(PeopleOnGraph&&) noexcept;
  PeopleOnGraph& operator=(PeopleOnGraph&&) noexcept;

  /// Everybody within `radius` of a place in space, on ground that is reached from there inside the circle; ascending.
  std::vector<std::uint32_t> near(Vec3 place, double radius) const;
  /// Everybody whose head is seen from a place; ascending. A Problem where the graph was baked without sight lists, or with
  /// shorter ones than the view.
  Result<std::vector<std::uint32_t>> seen_from(Vec3 place, const View& view = {}) const;
  /// Index of the best path of a flow; it has at least one. Who has a path keeps it until another is 10 % better.
  std::uint32_t choose(const Flow& flow, PathCriterion criterion, std::optional<std::uint32_t> current = {}) const;

 private:
  struct Data;
  std::unique_ptr<const Data> data_;
};

}  // namespace throng
