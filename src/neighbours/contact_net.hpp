// SPDX-License-Identifier: MIT
// The contact net: pairs that may touch within the next steps and that the triangulation does not join (erratum L-10).
//
// The triangulation contains every nearest neighbour, hence every first contact of equal discs, but neither all contacts of
// unequal ones nor approaches past a third agent. A pair must be linked if it is nearer than
//   R_ij = r_i + r_j + net_steps·dt·|v_i - v_j|  ≤  ρ_i + ρ_j,   ρ = r + net_steps·dt·|v|.
//
// No grid is needed. The points in any disc form a connected part of the Delaunay graph. Take the disc with diameter ij: a pair
// that is not joined has a path in it, and each vertex p of that path has d(i,p)² + d(p,j)² ≤ d(i,j)². Hence walking the graph
// from i finds j, and the walk may pass by every p with d(i,p)² + n(p)² ≥ R², where n is the distance to the nearest vertex but
// i. The same for p next to j and next to i gives n(i)² + n(j)² ≤ d(i,j)².
//
// So of two ordinary people (ρ up to half a metre) the one with the smaller n looks for the other, and need not look at all
// unless 2 n² < (ρ_i + ρ_max)²: in a crowd that keeps its distance nearly nobody does. A pair with someone larger or faster is
// found by the one with the greater ρ, within 2ρ: a lorry searches far, the people round it do not.
#pragma once
#include <limits>

#include "neighbours/link_job.hpp"

namespace throng {

class ContactNet {
 public:
  /// Squared distances of a vertex to the two vertices nearest it, in grid units.
  struct Nearest {
    float first = std::numeric_limits<float>::infinity(), second = std::numeric_limits<float>::infinity();
    void meet(float distance) {
      second = std::min(second, std::max(first, distance));
      first = std::min(first, distance);
    }
    /// The nearest but for a vertex at this distance.
    float besides(float distance) const { return distance == first ? second : first; }
  };
  std::vector<Nearest> nearest;  ///< by vertex, of leaders; written by the pass over the lists

  /// Finds the pairs and merges them into the lists. Returns how many.
  std::uint32_t add(const LinkJob& job, TaskRunner& tasks, NeighbourLists& lists);

 private:
  static constexpr float kOrdinaryReach = 0.5f;  // metres: a body of 0.3 m at 2 m/s and steps of 0.1 s

  using Pair = NeighbourLists::Link;
  struct Search {                     // of one worker
    std::vector<std::uint32_t> seen;  // by vertex: the number of the last search that met it
    std::vector<Vertex> queue;
    std::uint32_t number = 0;
  };
  /// How far one looks, and whether one does.
  struct Disc {
    float squared;  // grid units
    bool needed;
  };
  Disc disc_of(const LinkJob& job, std::uint32_t row) const;
  bool is_ordinary(std::uint32_t row) const { return reach_[row] <= kOrdinaryReach; }
  /// Which of the two looks for the other.
  bool looks_for(const LinkJob& job, std::uint32_t row, std::uint32_t other) const;
  void measure(const LinkJob& job, TaskRunner& tasks);
  void search(const LinkJob& job, std::uint32_t row, float disc_squared, Search& search, std::vector<Pair>& found) const;

  std::vector<float> reach_;           // by row: ρ in metres
  std::vector<float> block_greatest_;  // ρ among the ordinary of a block
  float greatest_ordinary_ = 0;
  std::vector<std::vector<Pair>> found_;  // by block of rows
  std::vector<Pair> links_;               // both directions, sorted
  std::vector<Search> searches_;          // by worker
};

}  // namespace throng
