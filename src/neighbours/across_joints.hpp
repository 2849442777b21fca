// SPDX-License-Identifier: MIT
// Who sees whom from layer to layer (ALGORITHMS §1.19): the triangulations know one layer each, so that at a joint, the foot of a
// stair or a cut through a hall, people of its two sides would walk into each other.
//
// The line between two who see each other from different layers crosses a joint of each one's own layer. So with g the distance
// to the nearest joint of one's own layer, g_i + g_j ≤ d(i, j): this leaves out nearly all who only stand above or below each
// other. Of those left and in sight (sight.hpp: the line must end on the other's layer) everybody takes the kMost nearest, by a
// grid. Such a pair is linked as the Delaunay triangulation of all would: the angles under which it is seen from the neighbours
// of either on both sides of its line add up to less than 180°. Pairs that may touch in the next steps are linked always, as in
// contact_net.hpp.
//
// Who has neighbours of its own layer all along the way to a joint looks for nobody beyond it, nor is looked for: a crowd in a
// hall costs little but for its first rows at the stairs. Without joints nothing is done. The links are a function of the
// columns, in any order of work.
#pragma once
#include "neighbours/neighbour_graph.hpp"
#include "neighbours/row_grid.hpp"

namespace throng {

class AcrossJoints {
 public:
  /// Adds links between layers to lists of links within them; `points[i + 1]` is agent i on the grid. Returns how many pairs.
  std::uint32_t add(const NeighbourInput& input, std::span<const Point> points, const NeighbourSettings& settings,
                    TaskRunner& tasks, NeighbourLists& lists);

 private:
  static constexpr std::uint32_t kMost = 12;  ///< of other layers that one looks at: a person has six neighbours in all
  static constexpr std::size_t kGrain = 64;
  using Link = NeighbourLists::Link;

  /// Somebody near a joint of its own layer.
  struct Member {
    std::uint32_t row;
    std::uint32_t count = 0;          ///< of `other`
    double gap = 0;                   ///< to the joint, grid units
    bool looks = false;               ///< a joint is in sight past those of its own layer
    std::uint32_t other[kMost] = {};  ///< rows of other layers
  };
  struct Job;

  void find_joints(const Cells& cells, float reach);
  void gather(const Job& job, TaskRunner& tasks);
  bool is_shut_off(const Job& job, std::uint32_t row, PortalIndex joint) const;
  double contact_of(const Job& job, std::uint32_t row) const;
  bool crosses_joint(const Job& job, const Member& member, Point to) const;
  void look(const Job& job, Member& member, std::vector<Link>& found) const;
  bool is_joined(const Job& job, const Member& one, const Member& other) const;

  const Cells* cells_ = nullptr;  // of which the joints below are
  float reach_ = 0;
  std::vector<std::uint32_t> near_start_;  // cell → joints of its layer within reach of it
  std::vector<PortalIndex> near_;
  std::vector<Member> members_;                // by row
  std::vector<std::uint32_t> number_;          // row → member, of members
  double greatest_ = 0;                        // how far one of them may reach in the next steps, metres
  std::vector<std::vector<Member>> gathered_;  // by chunk of rows
  std::vector<std::uint32_t> rows_;
  RowGrid grid_;
  std::vector<std::vector<Link>> found_;  // by chunk of members
  std::vector<Link> links_;
};

}  // namespace throng
