// SPDX-License-Identifier: MIT
// People who walk in groups: sizes drawn, figures chosen, members placed side by side.
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

constexpr int kPlacesForGroup = 40;         // of a leader, tried before a group of a population is said to find no room
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
                                                          RandomStream& bits, int tries, int most_leaders) {
  std::vector<WalkablePlace> places;
  for (int attempt = 0; attempt < most_leaders; ++attempt) {
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

std::uint32_t Simulation::State::draw_group_size(const PeopleDef& people_def, std::uint32_t stream, std::uint32_t person) const {
  RandomStream sizes = random(stream, person, Purpose::kGroup);
  return people_def.groups[draw_from(people_def.groups, sizes.unit())].index;
}

/// The group that begins with a person, of `most` members at most.
std::vector<Simulation::State::Body> Simulation::State::draw_group(const PeopleDef& people_def, std::uint32_t stream,
                                                                   std::uint32_t person, std::uint32_t most) const {
  RandomStream sizes = random(stream, person, Purpose::kGroup);
  const std::uint32_t size = std::min(people_def.groups[draw_from(people_def.groups, sizes.unit())].index, most);
  const std::vector<std::uint32_t> figures = draw_figures(scenario.kinds, people_def.kinds, size, sizes);
  std::vector<Body> bodies;
  for (std::uint32_t k = 0; k < figures.size(); ++k) {
    bodies.push_back(draw_body(people_def, stream, person + k, figures[k]));
    if (k > 0) bodies[k].plan = bodies[0].plan, bodies[k].pre_movement = bodies[0].pre_movement;
  }
  return bodies;
}

/// How many came in; they are a group if it is more than one.
std::uint32_t Simulation::State::put_group(const std::vector<Body>& bodies, const std::vector<WalkablePlace>& places,
                                           std::uint32_t population) {
  std::vector<AgentId> members;
  for (std::size_t k = 0; k < places.size(); ++k)
    if (put(bodies[k], places[k], population)) members.push_back(people.back().id);
  if (members.size() > 1) (void)world.add_group(members);
  return static_cast<std::uint32_t>(members.size());
}

/// How many of so many people came in.
std::uint32_t Simulation::State::place_groups(std::uint32_t index, std::uint32_t count, int tries, std::uint32_t most_failures) {
  const Population& population = scenario.populations[index];
  std::uint32_t inside = 0, failures = 0;
  for (std::uint32_t person = 0, size = 0; person < count && failures < most_failures; person += size) {
    const std::vector<Body> bodies = draw_group(population, index, person, count - person);
    size = static_cast<std::uint32_t>(bodies.size());
    if (size == 0) break;
    RandomStream bits = random(index, person, Purpose::kPlace);
    const std::uint32_t came = put_group(bodies, find_places(population, bodies, bits, tries, kPlacesForGroup), index);
    inside += came;
    failures += came < size;
  }
  return inside;
}

}  // namespace throng
