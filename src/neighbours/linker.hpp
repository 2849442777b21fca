// SPDX-License-Identifier: MIT
// From triangulations to lists: sight, the contact net, and the rows each agent sees.
//
// *Sight* is decided once per edge, from the end with the lower id, in a pass over edges.
// *Contact net.* The triangulation contains every nearest neighbour, hence every first contact of equal discs, but neither
// contacts of unequal ones nor approaches from further away (erratum L-10). With own reach ρ = radius + net_steps·dt·speed, a
// pair that must be linked is nearer than ρ_i + ρ_j ≤ 2ρ of the one with the greater ρ, which looks for it. Inside any disc the
// Delaunay graph is connected, so all agents in the disc of 2ρ are found by walking the graph from the centre without leaving the
// disc; where no neighbour is inside, nobody is. That replaces a grid, costs nothing where people keep their distance, and a
// vehicle's wide search is its own only.
#pragma once
#include "neighbours/neighbour_graph.hpp"

namespace throng {

class Linker {
 public:
  /// Writes the lists of all agents. `meshes` has one triangulation a layer.
  void link(const NeighbourInput& input, const VertexColumns& columns, std::span<const std::unique_ptr<MovingDelaunay>> meshes,
            const NeighbourSettings& settings, TaskRunner& tasks, NeighbourLists& lists, NeighbourReport& report);

 private:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  struct Search {                     // of one worker
    std::vector<std::uint32_t> seen;  // by vertex: the number of the last search that met it
    std::vector<Vertex> queue;
    std::uint32_t number = 0;
  };
  struct Job;

  void look(const Job& job, TaskRunner& tasks, NeighbourReport& report);
  void gather_groups(const Job& job);
  std::span<const Alias> group_of(Vertex leader) const;
  void write_list(const Job& job, std::uint32_t row, std::vector<std::uint32_t>& items, Search& search, std::vector<Pair>& net);
  void search_net(const Job& job, std::uint32_t row, Vertex leader, Search& search, std::vector<Pair>& net) const;
  void add_net(TaskRunner& tasks, NeighbourLists& lists, NeighbourReport& report);

  std::vector<std::vector<std::uint8_t>> visible_;  // layer → edge; only with walls
  std::vector<Alias> aliases_;                      // of all layers, sorted
  std::vector<Vertex> leader_;                      // by vertex; empty without aliases
  std::vector<std::vector<Pair>> net_;              // by block of rows
  std::vector<Pair> net_links_;                     // both directions, sorted
  std::vector<Search> searches_;                    // by worker
};

}  // namespace throng
