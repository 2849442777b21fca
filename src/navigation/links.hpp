// SPDX-License-Identifier: MIT
// Links: lifts and escalators, rides from one area of the scene to another, and the cheapest way over them.
//
// A ride costs its time times the speed at which its rider would walk meanwhile, so that metres walked and seconds ridden
// compare. Links are few. What people walk between any two of them (from where one lets off to where another is boarded) is
// planned once for each profile; a query then plans the walks from its start to the links and from the links to its goal, and a
// Dijkstra search over the links, backwards from the goal, does the rest: 2 n walks and O(n²) additions for n links. Links that
// cannot be boarded for less than the limit are not looked at: a way on foot prunes all those that are farther than its goal.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <throng/navigation.hpp>

#include "navigation/locator.hpp"

namespace throng {

inline constexpr std::size_t kMostLinks = 256;
inline constexpr double kLongestRide = 3600;  ///< s

/// Where people board or get off.
struct LinkEnd {
  std::uint32_t layer = 0;
  Polygon shape;
  Vec2 place;  ///< inside, with room for a body
};

struct BakedLink {
  std::string name;
  double time = 0;             ///< s
  std::uint32_t capacity = 0;  ///< 0: no limit
  std::array<LinkEnd, 2> ends;
};

/// The links of a scene whose parts were checked. A Problem where an area has no room for a body.
Result<std::vector<BakedLink>> bake_links(const Scene& scene, const Locator& locator, double radius);

inline constexpr std::uint32_t kNoRide = 0xffffffffu;
inline constexpr double kNoWalk = std::numeric_limits<double>::infinity();

class LinkRoutes {
 public:
  explicit LinkRoutes(const Navigation& navigation);

  /// Memory of a query.
  struct Scratch {
    std::vector<double> rest;         ///< from the entry of each link to the goal
    std::vector<std::uint32_t> next;  ///< the link after each, or kNoRide
    std::vector<std::uint8_t> is_settled;
  };
  struct Way {
    double cost = kNoWalk;
    std::uint32_t first = kNoRide;  ///< Scratch::next has the others
  };
  /// The cheapest way over one link or more that costs less than `limit`. `walk(from, from_layer, to, to_layer)` is what a walk
  /// costs, kNoWalk if there is none.
  template <class Walk>
  Way find(const PathRequest& request, double speed, double limit, Walk&& walk, Scratch& scratch) const {
    const std::size_t count = links_.size();
    scratch.rest.assign(count, kNoWalk);
    scratch.next.assign(count, kNoRide);
    scratch.is_settled.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
      const LinkEnd& exit = links_[i].ends[1];
      const double ride = links_[i].time * speed;
      if (ride + distance(exit.place, request.to) < limit)
        scratch.rest[i] = ride + walk(exit.place, exit.layer, request.to, request.to_layer);
    }
    settle(request.profile, speed, scratch);
    Way best{limit, kNoRide};
    for (std::uint32_t i = 0; i < count; ++i) {
      const LinkEnd& entry = links_[i].ends[0];
      if (distance(request.from, entry.place) + scratch.rest[i] >= best.cost) continue;
      const double cost = walk(request.from, request.from_layer, entry.place, entry.layer) + scratch.rest[i];
      if (cost < best.cost) best = {cost, i};
    }
    return best.first == kNoRide ? Way{} : best;
  }

 private:
  void settle(std::uint32_t profile, double speed, Scratch& scratch) const;

  const std::vector<BakedLink>& links_;
  std::vector<std::vector<double>> between_;  ///< by profile: from the exit of one link (line) to the entry of another (column)
};

}  // namespace throng
