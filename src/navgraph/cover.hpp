// SPDX-License-Identifier: MIT
// Discs over a surface: the greedy cover of Pettré et al. 2007 §3.3, and what makes it connected (ALGORITHMS §2.4, §2.11).
//
// 1. Cover: the free node with the most room (clearance − body radius) becomes a disc and takes every node inside it, reached
// over
//    links; and so on, down to `min_radius`. Centres therefore lie outside all earlier discs.
// 2. Fringe: ground farther than 1 m from any disc (narrow platforms) gets discs of any size.
// 3. Fill: while less than `kCoverTarget` of the ground is covered, a disc of moderate size that covers most new nodes is added.
//    Cusps between the discs of a corridor are what is left; one disc between two of them covers four.
// 4. Watershed: every other node the body can stand on joins the basin it climbs to; a summit without one becomes a disc.
// 5. Connect: where two basins touch whose discs are not near each other in the graph, widest saddle first, small discs are set
//    along the way from centre to centre. They may be disjoint: two linked nodes are joined whatever their room is.
//
// Afterwards discs are connected exactly where the body's nodes are: components(graph) = components(feasible nodes).
//
// After an edit (navgraph/graph_editor.hpp) discs that no longer fit are dropped, and the same five steps run once more over the
// ground they leave and a rim round it. Discs that stay keep their numbers; new ones take those that are free.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "navgraph/nav_graph.hpp"

namespace throng {

inline constexpr double kCoverTarget = 0.962;

class Cover {
 public:
  Cover(const Surface& surface, const std::vector<float>& clearance, double body_radius, double min_radius);

  void cover();
  void fill_fringe();
  void fill_cusps();
  void label();
  void connect();

  struct Neighbour {
    DiscIndex disc;
    double cost;  ///< metres between centres in space
  };

  // Edits.
  /// The surface and its clearance lie elsewhere now, or have changed.
  void look_at(const Surface& surface, const std::vector<float>& clearance);
  /// Nodes have new numbers, `count` of them; all former ones have one.
  void renumber(std::span<const NodeIndex> new_node, std::uint32_t count);
  /// Takes a disc away; what it owned is loose.
  void drop(DiscIndex disc);
  /// Takes away all discs over a node.
  void drop_over(NodeIndex node);
  /// Nothing stands on a node any more, or its links have changed: what was labelled by way of it is loose.
  void cut(NodeIndex node);
  /// A node has come, or has room now.
  void add_loose(NodeIndex node) { loose_.push_back(node); }
  /// The disc whose centre a node is, or kNoDisc.
  DiscIndex disc_centred_on(NodeIndex node) const;
  /// Covers and connects what is loose. `component` is that of each disc before the edit.
  void mend(std::span<const std::uint32_t> component);
  bool is_dropped(DiscIndex disc) const { return disc < dropped_.size() && dropped_[disc] != 0; }
  /// Nodes whose owner may have changed since the last call, and pairs of discs that were joined: for who keeps copies.
  std::vector<NodeIndex> take_changed_nodes() { return std::exchange(changed_, {}); }
  std::vector<std::pair<DiscIndex, DiscIndex>> take_joins() { return std::exchange(joins_, {}); }
  /// Afterwards nothing is dropped: a new edit may begin.
  void finish_edit();

  std::vector<NodeIndex> centre_node;  ///< kNoNode: the disc was dropped, and its number is free
  std::vector<double> radius;
  std::vector<DiscIndex> owner;  ///< of each node
  std::vector<std::vector<Neighbour>> neighbours;
  std::uint64_t feasible = 0;  ///< nodes the body can stand on
  std::uint64_t covered = 0;   ///< of them inside a disc

 private:
  struct Saddle {
    float room;
    NodeIndex p, q;
  };
  static constexpr std::uint32_t kEnd = 0xffffffffu;  ///< ends a list of visits
  struct Visit {
    DiscIndex disc;
    std::uint32_t next;
  };

  float room(NodeIndex n) const { return (*clearance_)[n] - body_radius_; }
  bool is_feasible(NodeIndex n) const { return room(n) >= 0; }
  Vec3 place(NodeIndex n) const;
  /// A disc round a node that is no centre yet, with gates to all it shares nodes with; its new nodes are left in flooded_.
  DiscIndex add_disc(NodeIndex node);
  void join(DiscIndex a, DiscIndex b);
  bool are_joined(DiscIndex a, DiscIndex b) const;
  /// Metres from disc to disc through the graph, or `limit` if it is farther.
  double graph_distance(DiscIndex from, DiscIndex to, double limit);
  void build_chain(NodeIndex p, NodeIndex q);
  /// The node uphill from n whose disc reaches n and has the most room.
  NodeIndex best_cover_of(NodeIndex n) const;
  template <class OnNode, class OnReach>
  void flood_disc(NodeIndex centre, double r, OnNode&& on_node, OnReach&& on_reach);
  /// How many uncovered nodes a disc round a node would cover.
  std::uint32_t gain_of(NodeIndex node);
  std::vector<NodeIndex> by_room(float least, bool only_uncovered) const;
  bool is_inside(NodeIndex node, DiscIndex disc) const;
  /// All nodes of the columns under a disc: f(node).
  template <class F>
  void for_nodes_under(DiscIndex disc, F&& f) const;
  void disown(NodeIndex node);
  void disown_labelled(DiscIndex disc, std::vector<NodeIndex> open);
  /// Loose nodes that somebody can stand on, and those around them.
  void find_scope();
  void connect_parts(std::span<const std::uint32_t> component);

  const Surface* surface_;
  const std::vector<float>* clearance_;
  float body_radius_;
  float min_radius_;
  std::vector<NodeIndex> parent_;      ///< of each node, towards its owner's centre
  std::vector<float> chain_;           ///< metres from each node to that centre along parents
  std::vector<std::uint32_t> visits_;  ///< of each node: head of the list of discs over it
  std::vector<Visit> arena_;
  std::vector<std::uint32_t> stamp_;  ///< of each disc: the last one it was compared with
  std::uint32_t stamps_ = 0;
  std::vector<std::uint32_t> seen_;  ///< of each node: the last flood that reached it
  std::uint32_t floods_ = 0;
  std::vector<NodeIndex> flooded_;
  std::vector<ColumnPlace> places_;  ///< of flooded_
  std::vector<Vec2> centres_;        ///< of the discs
  std::vector<double> best_;         ///< of each disc in graph_distance, if best_stamp_ names this search
  std::vector<std::uint32_t> best_stamp_;
  std::uint32_t search_ = 0;

  // Edits only.
  bool is_local_ = false;                    ///< steps look at scope_ alone
  std::vector<NodeIndex> scope_;             ///< ascending
  std::vector<NodeIndex> loose_;             ///< nodes without owner
  std::vector<std::uint8_t> dropped_;        ///< of each disc, in this edit
  std::vector<DiscIndex> free_;              ///< numbers, descending
  std::map<NodeIndex, DiscIndex> former_;    ///< centres of dropped discs: one that comes again gets its number back
  std::uint32_t free_visits_ = kEnd;  ///< of arena_, as a list
  std::vector<float> away_;                  ///< of each node: memory of fill_fringe; −1 outside the scope
  std::vector<DiscIndex> nearest_;
  std::vector<NodeIndex> changed_;
  std::vector<std::pair<DiscIndex, DiscIndex>> joins_;
};

}  // namespace throng
