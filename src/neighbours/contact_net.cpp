// SPDX-License-Identifier: MIT
#include "neighbours/contact_net.hpp"

namespace throng {
namespace {

/// Columns and the grid differ by less than a millimetre an agent: a search must not stop short of that.
constexpr float kContactSlack = 0.004f;

}  // namespace

void ContactNet::measure(const LinkJob& job, TaskRunner& tasks) {
  const NeighbourInput& in = job.input;
  reach_.resize(in.size());
  block_greatest_.assign(found_.size(), 0);
  tasks.parallel_for(in.size(), NeighbourLists::kBlock, [&](std::size_t begin, std::size_t end, unsigned) {
    float greatest = 0;
    for (std::size_t row = begin; row < end; ++row) {
      reach_[row] = in.radius[row] + job.net_seconds * std::sqrt(in.vx[row] * in.vx[row] + in.vy[row] * in.vy[row]);
      greatest = std::max(greatest, reach_[row] <= kOrdinaryReach ? reach_[row] : 0.0f);
    }
    block_greatest_[begin / NeighbourLists::kBlock] = greatest;
  });
  greatest_ordinary_ = *std::max_element(block_greatest_.begin(), block_greatest_.end());
}

ContactNet::Disc ContactNet::disc_of(const LinkJob& job, std::uint32_t row) const {
  const bool ordinary = is_ordinary(row);
  const float reach = reach_[row] + (ordinary ? greatest_ordinary_ : reach_[row]);
  const float disc = (reach + kContactSlack) * static_cast<float>(kUnitsPerMetre), squared = disc * disc;
  const float first = nearest[job.groups.leader(row + 1)].first;
  return {squared, (ordinary ? 2 * first : first) < squared};
}

bool ContactNet::looks_for(const LinkJob& job, std::uint32_t row, std::uint32_t other) const {
  const bool lower_id = job.input.id[row] < job.input.id[other];
  if (is_ordinary(row) && is_ordinary(other)) {
    const float mine = nearest[job.groups.leader(row + 1)].first, its = nearest[job.groups.leader(other + 1)].first;
    return mine != its ? mine < its : lower_id;
  }
  return reach_[row] != reach_[other] ? reach_[row] > reach_[other] : lower_id;
}

std::uint32_t ContactNet::add(const LinkJob& job, TaskRunner& tasks, NeighbourLists& lists) {
  const std::uint32_t count = job.input.size();
  const std::size_t blocks = (count + std::size_t{NeighbourLists::kBlock} - 1) / NeighbourLists::kBlock;
  if (count == 0) return 0;
  if (found_.size() < blocks) found_.resize(blocks);
  if (searches_.size() < tasks.worker_count()) searches_.resize(tasks.worker_count());
  measure(job, tasks);
  tasks.parallel_for(count, NeighbourLists::kBlock, [&](std::size_t begin, std::size_t end, unsigned worker) {
    auto& found = found_[begin / NeighbourLists::kBlock];
    found.clear();
    for (auto row = static_cast<std::uint32_t>(begin); row < end; ++row)
      if (const Disc disc = disc_of(job, row); disc.needed) search(job, row, disc.squared, searches_[worker], found);
  });
  links_.clear();
  for (std::size_t block = 0; block < blocks; ++block)
    for (const auto& [i, j] : found_[block]) {
      links_.push_back({i, j});
      links_.push_back({j, i});
    }
  std::sort(links_.begin(), links_.end());
  lists.add(links_, tasks);
  return static_cast<std::uint32_t>(links_.size() / 2);
}

void ContactNet::search(const LinkJob& job, std::uint32_t row, float disc_squared, Search& search,
                        std::vector<Pair>& found) const {
  const NeighbourInput& in = job.input;
  const MovingDelaunay& mesh = *job.meshes[job.layer_of(row)];
  const Vertex centre = job.groups.leader(row + 1);
  const auto leads_on = [&](Vertex w, float distance) { return distance + nearest[w].besides(distance) < disc_squared; };

  // Marks are needed only once the search goes beyond the centre's own neighbours.
  const HalfEdge own = mesh.first(centre);
  bool goes_on = false;
  HalfEdge h = own;
  do {
    const Vertex w = mesh.target(h);
    goes_on |= w != kInfinity && leads_on(w, static_cast<float>(job.distance(centre, w)));
  } while ((h = mesh.turn(h)) != own);
  if (!goes_on) return;

  if (search.seen.size() < job.columns.point.size()) search.seen.resize(job.columns.point.size(), 0);
  if (++search.number == 0) {
    std::fill(search.seen.begin(), search.seen.end(), 0u);
    search.number = 1;
  }
  const auto try_pair = [&](Vertex other) {
    const std::uint32_t j = other - 1;
    if (!looks_for(job, row, j)) return;
    const float dx = in.x[j] - in.x[row], dy = in.y[j] - in.y[row];
    const float dvx = in.vx[j] - in.vx[row], dvy = in.vy[j] - in.vy[row];
    const float limit = in.radius[row] + in.radius[j] + job.net_seconds * std::sqrt(dvx * dvx + dvy * dvy);
    if (dx * dx + dy * dy < limit * limit && job.sees(row, j)) found.push_back({row, j});
  };
  search.queue.assign(1, centre);
  search.seen[centre] = search.number;
  for (std::size_t k = 0; k < search.queue.size(); ++k) {
    const HalfEdge start = mesh.first(search.queue[k]);
    h = start;
    do {
      const Vertex w = mesh.target(h);
      if (w == kInfinity || search.seen[w] == search.number) continue;
      search.seen[w] = search.number;
      const auto distance = static_cast<float>(job.distance(centre, w));
      if (distance >= disc_squared) continue;
      if (leads_on(w, distance)) search.queue.push_back(w);
      if (k == 0) continue;  // joined to the centre: in its list, or behind a wall
      try_pair(w);
      for (const Alias& alias : job.groups.aliases(w)) try_pair(alias.vertex);
    } while ((h = mesh.turn(h)) != start);
  }
}

}  // namespace throng
