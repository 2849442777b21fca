// SPDX-License-Identifier: MIT
// Who is near, and who is seen: people registered in discs (Pettré et al. 2007, Algorithms 4 and 5; ALGORITHMS §2.8).
//
// Every person is registered in one disc. Neighbours are searched from disc to disc as long as discs touch the circle asked for,
// so the answer is complete at any radius, and never contains somebody on the bridge above: discs of another storey are not
// reached.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <throng/graph.hpp>

#include "navgraph/nav_graph.hpp"

namespace throng {

/// Points by disc. Rebuilt in O(points + discs).
class DiscRegister {
 public:
  /// `disc` of each point, as from disc_at. Points and discs are copied.
  DiscRegister(const NavGraph& graph, std::span<const Vec3> points, std::span<const DiscIndex> disc);

  std::span<const std::uint32_t> in_disc(DiscIndex d) const { return {people_.data() + start_[d], start_[d + 1] - start_[d]}; }
  Vec3 point(std::uint32_t person) const { return points_[person]; }
  DiscIndex disc(std::uint32_t person) const { return disc_[person]; }
  /// The disc's radius, or how far somebody registered in it is from its centre if that is more.
  double reach(DiscIndex d) const { return reach_[d]; }

 private:
  std::vector<Vec3> points_;
  std::vector<DiscIndex> disc_;
  std::vector<std::uint32_t> start_, people_;
  std::vector<double> reach_;
};

/// Memory of a thread that asks.
struct CrowdScratch {
  std::vector<std::uint32_t> stamp;
  std::uint32_t run = 0;
  std::vector<DiscIndex> open;
};

/// Everybody within `radius` of p in space, p being in `disc`, whose disc is reached over discs that touch the circle. Ascending.
void find_neighbours(const NavGraph& graph, const DiscRegister& people, Vec3 p, DiscIndex disc, double radius,
                     CrowdScratch& scratch, std::vector<std::uint32_t>& found);

/// Everybody whose head is seen from p: in a disc on the sight lists of `disc`, within range and angle, and no triangle between
/// the heads. Ascending. The graph must have sight lists at least as far as `range`.
void find_visible(const NavGraph& graph, const DiscRegister& people, Vec3 p, DiscIndex disc, const View& view,
                  std::vector<std::uint32_t>& found);

}  // namespace throng
