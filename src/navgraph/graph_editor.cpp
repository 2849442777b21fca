// SPDX-License-Identifier: MIT
#include "navgraph/graph_editor.hpp"

#include <algorithm>

#include "base/profile.hpp"
#include "navgraph/build.hpp"
#include "navgraph/clearance.hpp"
#include "navgraph/graph_data.hpp"
#include "navgraph/visibility.hpp"

namespace throng {
namespace {

// A disc stays while its centre has about the room it had: more than this, and a larger one is worth it.
constexpr double kMoreRoom = 1.1, kMoreRoomMetres = 0.05;

template <class T>
void renumber(std::vector<T>& of_node, std::span<const NodeIndex> new_node, std::size_t count, T nothing) {
  std::vector<T> moved(count, nothing);
  for (std::size_t n = 0; n < of_node.size(); ++n) moved[new_node[n]] = of_node[n];
  of_node = std::move(moved);
}

}  // namespace

std::unique_ptr<GraphBasis> make_basis(const NavGraph& graph) {
  std::vector<std::uint32_t> nearest;
  // The same clearance again: it is the pieces that are wanted.
  static_cast<void>(measure_clearance(graph.surface, &nearest));
  auto basis = std::make_unique<GraphBasis>(Cover(graph.surface, graph.clearance, graph.body_radius, graph.min_radius),
                                            std::move(nearest));
  run_cover(basis->cover);
  return basis;
}

GraphEditor::GraphEditor(const NavigationGraph& graph)
    : basis_(graph.data_->basis != nullptr ? std::make_unique<GraphBasis>(*graph.data_->basis) : make_basis(graph.data())),
      pieces_(graph.data().surface),
      mark_(graph.data().surface.node_count(), 0) {}

void GraphEditor::add_nodes(NavGraph& graph, SurfacePatch& patch) {
  const std::vector<NodeIndex> new_node = patch.add_nodes(graph.surface);
  const std::uint32_t count = graph.surface.node_count();
  renumber(graph.clearance, new_node, count, -1.0f);
  renumber(graph.owner, new_node, count, kNoDisc);
  renumber(basis_->nearest, new_node, count, kNoPiece);
  mark_.assign(count, 0);
  pieces_.renumber(new_node, count);
  basis_->cover.renumber(new_node, count);
  for (NodeIndex& n : graph.centre_node)
    if (n != kNoNode) n = new_node[n];
}

/// Which discs go, and what comes in their place.
void GraphEditor::find_discs(NavGraph& graph, const SurfacePatch& patch) {
  Cover& cover = basis_->cover;
  const auto body = static_cast<float>(graph.body_radius);
  const auto fits = [&](float clearance) { return clearance - body >= 0; };
  for (const NodeIndex n : patch.changed()) cover.drop_over(n), cover.cut(n);
  patch.apply(graph.surface, pieces_);
  for (const NodeIndex n : patch.gone()) {
    cover.feasible -= fits(graph.clearance[n]);
    graph.clearance[n] = -1;
    basis_->nearest[n] = kNoPiece;
  }
  update_clearance(
      graph.surface, pieces_, patch.there(), [&](Vec2 place) { return patch.distance_to_change(place); }, mark_, graph.clearance,
      basis_->nearest, region_);
  samples_come_ = 0;
  for (const auto& [n, before] : region_) {
    samples_come_ += before < 0;
    const bool fitted = fits(before), does_fit = fits(graph.clearance[n]);
    cover.feasible += does_fit;
    cover.feasible -= fitted;
    if (fitted && !does_fit) cover.drop_over(n), cover.cut(n);
    if (does_fit && !fitted) cover.add_loose(n);
    const DiscIndex disc = cover.disc_centred_on(n);
    if (disc == kNoDisc) continue;
    const double room = std::max(0.0f, graph.clearance[n] - body);
    if (room < cover.radius[disc] || room > kMoreRoom * cover.radius[disc] + kMoreRoomMetres) cover.drop(disc);
  }
  cover.mend(graph.component);
  for (const NodeIndex n : cover.take_changed_nodes()) graph.owner[n] = cover.owner[n];
}

/// The discs of the cover, gates between those that stay, and new ones.
void GraphEditor::find_gates(NavGraph& graph, GraphChange& change) {
  Cover& cover = basis_->cover;
  const std::uint32_t before = graph.disc_count(), now = static_cast<std::uint32_t>(cover.centre_node.size());
  change.is_dropped.assign(before, 0);
  graph.centre.resize(now);
  graph.radius.resize(now);
  graph.centre_node.resize(now);
  for (DiscIndex d = 0; d < now; ++d) {
    if (d < before && !cover.is_dropped(d) && graph.centre_node[d] == cover.centre_node[d]) continue;
    if (d < before && cover.is_dropped(d)) change.is_dropped[d] = 1, ++change.dropped;
    graph.radius[d] = cover.radius[d];
    const NodeIndex n = graph.centre_node[d] = cover.centre_node[d];
    if (n == kNoNode) continue;
    ++change.made;
    const Vec2 p = graph.surface.position(n);
    graph.centre[d] = {p.x, p.y, graph.surface.z[n]};
  }
  auto joins = cover.take_joins();
  std::sort(joins.begin(), joins.end());
  joins.erase(std::unique(joins.begin(), joins.end()), joins.end());
  change.new_gate.assign(graph.gates.size(), kNoGate);
  std::vector<Gate> gates;
  gates.reserve(graph.gates.size() + joins.size());
  std::vector<GateIndex> fresh;
  auto next = joins.begin();
  const auto add_joins_before = [&](const std::array<DiscIndex, 2>* end) {
    for (; next != joins.end() && (end == nullptr || std::pair((*end)[0], (*end)[1]) > *next); ++next) {
      const Vec3 a = graph.centre[next->first], b = graph.centre[next->second];
      fresh.push_back(static_cast<GateIndex>(gates.size()));
      gates.push_back(chord_of(graph, next->first, next->second, distance(a, b)));
    }
  };
  for (GateIndex g = 0; g < graph.gates.size(); ++g) {
    const Gate& gate = graph.gates[g];
    if (cover.is_dropped(gate.disc[0]) || cover.is_dropped(gate.disc[1])) continue;
    add_joins_before(&gate.disc);
    change.new_gate[g] = static_cast<GateIndex>(gates.size());
    gates.push_back(gate);
  }
  add_joins_before(nullptr);
  graph.gates = std::move(gates);
  list_gates(graph);
  for (const GateIndex g : fresh) raise_gate(graph, graph.gates[g]);
  find_components(graph);
  cover.finish_edit();
}

GraphChange GraphEditor::apply(NavigationGraph& held, std::span<const EditBox> boxes, const GroundSource& source,
                               const Mesh* mesh) {
  GraphChange change;
  // Whoever else reads this graph is not disturbed.
  std::shared_ptr<NavigationGraph::Data> data = std::const_pointer_cast<NavigationGraph::Data>(held.data_);
  held.data_.reset();
  if (data.use_count() > 1) data = std::make_shared<NavigationGraph::Data>(*data);
  NavGraph& graph = data->graph;
  // Pieces are the editor's from now on.
  graph.surface.border.clear(), graph.surface.piece_start.clear(), graph.surface.pieces.clear();
  data->basis = nullptr;
  basis_->cover.look_at(graph.surface, graph.clearance);
  StageTimer timer;
  timer.begin("sample");
  SurfacePatch patch(graph.surface, graph.clearance, boxes, source);
  if (patch.needs_nodes()) add_nodes(graph, patch);
  patch.find_links(graph.surface, graph.clearance);
  timer.begin("cover");
  find_discs(graph, patch);
  timer.begin("gates");
  find_gates(graph, change);
  if (graph.sight.range > 0 && mesh != nullptr) {
    timer.begin("visibility");
    const double range = graph.sight.range;
    graph.sight = {};
    graph.sight.triangles = SightGrid(*mesh);
    const std::unique_ptr<TaskRunner> tasks = make_task_runner(1);
    find_sight(range, graph, *tasks);
  }
  timer.end();
  for (const StageTime& s : timer.stages()) change.stages.push_back({s.name, s.ms});
  data->count(data->report.samples + samples_come_ - patch.gone().size(), basis_->cover.feasible, basis_->cover.covered);
  held.data_ = std::move(data);
  return change;
}

}  // namespace throng
