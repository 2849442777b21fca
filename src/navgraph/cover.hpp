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
#pragma once
#include <cstdint>
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

  std::vector<NodeIndex> centre_node;
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
  struct Visit {
    DiscIndex disc;
    std::uint32_t next;
  };

  float room(NodeIndex n) const { return clearance_[n] - body_radius_; }
  bool is_feasible(NodeIndex n) const { return room(n) >= 0; }
  Vec3 place(NodeIndex n) const;
  /// A disc round a node that is no centre yet, with gates to all it shares nodes with; its new nodes are left in flooded_.
  DiscIndex add_disc(NodeIndex node);
  DiscIndex disc_centred_on(NodeIndex node) const;
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

  const Surface& surface_;
  const std::vector<float>& clearance_;
  float body_radius_;
  float min_radius_;
  std::vector<NodeIndex> parent_;      ///< of each node, towards its owner's centre
  std::vector<float> chain_;           ///< metres from each node to that centre along parents
  std::vector<std::uint32_t> visits_;  ///< of each node: head of the list of discs over it
  std::vector<Visit> arena_;
  std::vector<DiscIndex> stamp_;     ///< of each disc: the last one it was compared with
  std::vector<std::uint32_t> seen_;  ///< of each node: the last flood that reached it
  std::uint32_t floods_ = 0;
  std::vector<NodeIndex> flooded_;
  std::vector<ColumnPlace> places_;  ///< of flooded_
  std::vector<Vec2> centres_;        ///< of the discs
  std::vector<double> best_;         ///< of each disc in graph_distance, if best_stamp_ names this search
  std::vector<std::uint32_t> best_stamp_;
  std::uint32_t search_ = 0;
};

}  // namespace throng
