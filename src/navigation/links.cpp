// SPDX-License-Identifier: MIT
#include "navigation/links.hpp"

#include <algorithm>
#include <optional>

#include "geometry/polygon.hpp"
#include "navigation/navigation_data.hpp"

namespace throng {
namespace {

/// A place of an area with room for a body, as near to the middle of its box as a grid of 32 × 32 points tells.
std::optional<Vec2> place_in(const Area& area, const Locator& locator, double radius) {
  Vec2 low = area.shape.outer[0], high = low;
  for (const Vec2 p : area.shape.outer) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const auto is_good = [&](Vec2 p) {
    return contains(area.shape, p) && locator.cell_at(p, area.layer) != kNoCell &&
           locator.clearance(p, area.layer, radius) >= radius;
  };
  const Vec2 middle = 0.5 * (low + high);
  std::optional<Vec2> best;
  constexpr int kLines = 32;
  for (int line = 0; line <= kLines; ++line)
    for (int column = 0; column <= kLines; ++column) {
      const Vec2 p = {low.x + (high.x - low.x) * column / kLines, low.y + (high.y - low.y) * line / kLines};
      if ((!best || distance(p, middle) < distance(*best, middle)) && is_good(p)) best = p;
    }
  return best;
}

}  // namespace

Result<std::vector<BakedLink>> bake_links(const Scene& scene, const Locator& locator, double radius) {
  std::vector<BakedLink> links;
  std::vector<Problem> problems;
  for (const Link& link : scene.links) {
    BakedLink baked{link.name, link.time, link.capacity, {}};
    for (int end = 0; end < 2; ++end) {
      const Area& area = scene.areas[end == 0 ? link.from : link.to];
      const auto place = place_in(area, locator, radius);
      if (!place)
        problems.push_back({"area \"" + area.name + "\"", "a link needs room for a body in it, and there is none",
                            "put it on walkable ground, and make it wider than a body"});
      baked.ends[end] = {area.layer, area.shape, place.value_or(Vec2{})};
    }
    links.push_back(std::move(baked));
  }
  if (!problems.empty()) return problems;
  return links;
}

LinkRoutes::LinkRoutes(const Navigation& navigation) : links_(navigation.data().links) {
  PathFinder finder(navigation);
  Path path;
  for (std::uint32_t profile = 0; profile < navigation.data().profiles.size(); ++profile) {
    std::vector<double>& between = between_.emplace_back();
    for (const BakedLink& from : links_)
      for (const BakedLink& to : links_) {
        PathRequest request;
        request.from = from.ends[1].place, request.from_layer = from.ends[1].layer;
        request.to = to.ends[0].place, request.to_layer = to.ends[0].layer;
        request.profile = profile;
        request.radius = navigation.data().profiles[profile].zone_paths.radius;
        between.push_back(finder.find_pulled(request, path) == PathStatus::kFound ? path.cost : kNoWalk);
      }
  }
}

/// Dijkstra over the links, backwards: the cheapest rest is final, and is offered to all links from whose exit it can be walked
/// to.
void LinkRoutes::settle(std::uint32_t profile, double speed, Scratch& scratch) const {
  const std::size_t count = links_.size();
  for (std::size_t round = 0; round < count; ++round) {
    std::size_t least = count;
    for (std::size_t i = 0; i < count; ++i)
      if (scratch.is_settled[i] == 0 && (least == count || scratch.rest[i] < scratch.rest[least])) least = i;
    if (scratch.rest[least] == kNoWalk) return;
    scratch.is_settled[least] = 1;
    for (std::size_t i = 0; i < count; ++i) {
      const double rest = links_[i].time * speed + between_[profile][i * count + least] + scratch.rest[least];
      if (rest < scratch.rest[i]) scratch.rest[i] = rest, scratch.next[i] = static_cast<std::uint32_t>(least);
    }
  }
}

}  // namespace throng
