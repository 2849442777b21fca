// SPDX-License-Identifier: MIT
// Populations that walk in groups: sizes drawn, figures chosen, members placed side by side.
//
// The sizes of groups are drawn one after the other until everybody has one; the last is cut to what is left. A group has no two
// of one figure (which is what kinds are to whoever looks at it), and no child is without an adult: who leads, or walks alone, is
// none. All members have the leader's plan and start with it.
#include <algorithm>
#include <cmath>

#include "base/math.hpp"
#include "scenario/simulation_state.hpp"

namespace throng {
namespace {

constexpr int kPlacesForGroup = 40;         // of a leader, tried before a group is said to find no room
constexpr int kPlacesBeside = 60;           // of each other member
constexpr double kNear = 0.55, kFar = 1.1;  // m from somebody of the group who stands there already

/// One of several by its weight; the index in the list, or its size if no weight is left.
std::size_t draw_from(const std::vector<Share>& shares, double unit) {
  double sum = 0;
  for (const Share& share : shares) sum += share.weight;
  double rest = unit * sum;
  std::size_t last = shares.size();
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i].weight <= 0) continue;
    last = i;
    if (rest < shares[i].weight) return i;
    rest -= shares[i].weight;
  }
  return last;
}

}  // namespace

std::vector<std::uint32_t> draw_figures(const std::vector<Kind>& kinds, const std::vector<Share>& mix, std::uint32_t size,
                                        RandomStream& bits) {
  std::vector<std::uint32_t> figures;
  std::vector<Share> left = mix, adults;
  for (const Share& share : mix)
    if (!kinds[share.index].is_child) adults.push_back(share);
  while (figures.size() < size) {
    const std::vector<Share>& from = figures.empty() ? adults : left;
    const std::size_t drawn = draw_from(from, bits.unit());
    if (drawn >= from.size()) break;
    const std::uint32_t figure = from[drawn].index;
    figures.push_back(figure);
    std::erase_if(left, [&](const Share& share) { return share.index == figure; });
  }
  return figures;
}

/// Places for the members of a group whose bodies are known: the leader's anywhere, the others' near it and in its sight.
std::vector<WalkablePlace> Simulation::State::find_places(const PeopleDef& people_def, const std::vector<Body>& bodies,
                                                          RandomStream& bits, int tries) {
  std::vector<WalkablePlace> places;
  for (int attempt = 0; attempt < kPlacesForGroup; ++attempt) {
    places.clear();
    const auto first = find_place(people_def, bodies[0], bits, tries);
    if (!first) return {};
    places.push_back(*first);
    for (std::size_t k = 1; k < bodies.size(); ++k) {
      const double radius = bodies[k].person.radius;
      for (int look = 0; look < kPlacesBeside && places.size() == k; ++look) {
        const WalkablePlace& beside = places[static_cast<std::size_t>(bits.integer(0, static_cast<std::int64_t>(k) - 1))];
        const double away = bits.between(kNear, kFar) + radius - 0.2;
        const Vec2 point = beside.point + away * random_direction(bits);
        const WalkablePlace place{rounded_to_floats(point), beside.layer};
        const auto is_clear = [&](const WalkablePlace& other, std::size_t index) {
          return distance(other.point, place.point) > radius + static_cast<double>(bodies[index].person.radius);
        };
        bool fits = fits_ground(data(), place.point, place.layer, radius) &&
                    occupancy.is_free(place.point, place.layer, radius) &&
                    !navigation.ray_cast(places[0].point, place.point, place.layer);
        for (std::size_t i = 0; fits && i < places.size(); ++i) fits = is_clear(places[i], i);
        if (fits) places.push_back(place);
      }
      if (places.size() == k) break;
    }
    if (places.size() == bodies.size()) return places;
  }
  return {};
}

/// How many of so many people came in.
std::uint32_t Simulation::State::place_groups(std::uint32_t index, std::uint32_t count, int tries, std::uint32_t most_failures) {
  const Population& population = scenario.populations[index];
  std::uint32_t inside = 0, failures = 0;
  for (std::uint32_t person = 0, size = 0; person < count && failures < most_failures; person += size) {
    RandomStream sizes = random(index, person, Purpose::kGroup);
    const std::size_t drawn = draw_from(population.groups, sizes.unit());
    size = std::min(population.groups[drawn].index, count - person);
    const std::vector<std::uint32_t> figures = draw_figures(scenario.kinds, population.kinds, size, sizes);
    size = static_cast<std::uint32_t>(figures.size());
    if (size == 0) break;
    std::vector<Body> bodies;
    for (std::uint32_t k = 0; k < size; ++k) {
      bodies.push_back(draw_body(population, index, person + k, figures[k]));
      if (k > 0) bodies[k].plan = bodies[0].plan, bodies[k].pre_movement = bodies[0].pre_movement;
    }
    RandomStream bits = random(index, person, Purpose::kPlace);
    const std::vector<WalkablePlace> places = find_places(population, bodies, bits, tries);
    std::vector<AgentId> members;
    for (std::size_t k = 0; k < places.size(); ++k)
      if (put(bodies[k], places[k], index)) members.push_back(people.back().id);
    inside += static_cast<std::uint32_t>(members.size());
    failures += members.size() < size;
    if (members.size() > 1) (void)world.add_group(members);
  }
  return inside;
}

}  // namespace throng
