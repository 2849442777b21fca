// SPDX-License-Identifier: MIT
#include <throng/graph.hpp>

#include <cstdio>

#include "navgraph/choice.hpp"
#include "navgraph/crowd_queries.hpp"

namespace throng {
namespace {

/// Those who stand on the graph, under the caller's numbers.
struct Standing {
  std::vector<Vec3> places;
  std::vector<DiscIndex> discs;
  std::vector<std::uint32_t> number;
};

Standing who_stands_on(const NavGraph& graph, std::span<const Vec3> places) {
  Standing standing;
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    const auto disc = disc_at(graph, places[i]);
    if (!disc) continue;
    standing.places.push_back(places[i]);
    standing.discs.push_back(*disc);
    standing.number.push_back(i);
  }
  return standing;
}

}  // namespace

struct PeopleOnGraph::Data {
  Data(const NavigationGraph& on, Standing standing)
      : graph(on), people(on.data(), standing.places, standing.discs), number(std::move(standing.number)) {
    for (DiscIndex d = 0; d < on.data().disc_count(); ++d)
      in_disc.push_back(static_cast<std::uint32_t>(people.in_disc(d).size()));
  }

  /// Numbers grow with indices, so what ascends goes on ascending.
  void give_numbers(std::vector<std::uint32_t>& found) const {
    for (std::uint32_t& i : found) i = number[i];
  }

  NavigationGraph graph;
  DiscRegister people;
  std::vector<std::uint32_t> number;
  std::vector<std::uint32_t> in_disc;
};

PeopleOnGraph::PeopleOnGraph(const NavigationGraph& graph, std::span<const Vec3> places)
    : data_(std::make_unique<Data>(graph, who_stands_on(graph.data(), places))) {}
PeopleOnGraph::~PeopleOnGraph() = default;
PeopleOnGraph::PeopleOnGraph(PeopleOnGraph&&) noexcept = default;
PeopleOnGraph& PeopleOnGraph::operator=(PeopleOnGraph&&) noexcept = default;

std::vector<std::uint32_t> PeopleOnGraph::near(Vec3 place, double radius) const {
  std::vector<std::uint32_t> found;
  const auto disc = data_->graph.disc_at(place);
  if (!disc) return found;
  CrowdScratch scratch;
  find_neighbours(data_->graph.data(), data_->people, place, *disc, radius, scratch, found);
  data_->give_numbers(found);
  return found;
}

Result<std::vector<std::uint32_t>> PeopleOnGraph::seen_from(Vec3 place, const View& view) const {
  const NavGraph& graph = data_->graph.data();
  if (!(view.range <= graph.sight.range)) {
    char what[120];
    std::snprintf(what, sizeof what, "a view of %g m on a graph whose discs see %g m", view.range, graph.sight.range);
    return Problem{"view", what, "bake the graph with a sight_range of at least the view's range"};
  }
  std::vector<std::uint32_t> found;
  const auto disc = data_->graph.disc_at(place);
  if (!disc) return found;
  find_visible(graph, data_->people, place, *disc, view, found);
  data_->give_numbers(found);
  return found;
}

std::uint32_t PeopleOnGraph::choose(const Flow& flow, PathCriterion criterion, std::optional<std::uint32_t> current) const {
  return choose_path(data_->graph.data(), flow, {.people = data_->in_disc},
                     {.criterion = criterion, .current = current, .whim = 0});
}

}  // namespace throng
