// SPDX-License-Identifier: MIT
#include "neighbours/linker.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "neighbours/sight.hpp"

namespace throng {
namespace {

constexpr std::size_t kEdgesPerChunk = 2048;

/// Floats and snapped positions differ by less than a millimetre each: the search must not stop short of that.
constexpr float kSnapSlack = 0.004f;

}  // namespace

struct Linker::Job {
  const NeighbourInput& input;
  const VertexColumns& columns;
  std::span<const std::unique_ptr<MovingDelaunay>> meshes;
  std::int64_t reach_squared;  // grid units
  float net_seconds;           // below 0: no net
  bool walls;

  std::uint32_t layer_of(std::uint32_t row) const { return input.layer.empty() ? 0 : input.layer[row]; }
  std::int64_t distance(Vertex v, Vertex w) const { return distance_squared(columns.point[v], columns.point[w]); }
  bool sees(std::uint32_t i, std::uint32_t j) const {
    if (!walls) return true;
    if (input.id[j] < input.id[i]) std::swap(i, j);
    return can_see(*input.cells, columns.point[i + 1], input.cell[i], columns.point[j + 1], input.cell[j]);
  }
  float net_reach(std::uint32_t row) const {
    return input.radius[row] + net_seconds * std::sqrt(input.vx[row] * input.vx[row] + input.vy[row] * input.vy[row]);
  }
};

void Linker::link(const NeighbourInput& input, const VertexColumns& columns,
                  std::span<const std::unique_ptr<MovingDelaunay>> meshes, const NeighbourSettings& settings, TaskRunner& tasks,
                  NeighbourLists& lists, NeighbourReport& report) {
  const double reach_units = static_cast<double>(settings.reach) * kUnitsPerMetre;
  const Job job{.input = input,
                .columns = columns,
                .meshes = meshes,
                .reach_squared = static_cast<std::int64_t>(std::min(reach_units * reach_units, 0x1p62)),
                .net_seconds = settings.net_steps < 0 ? -1.0f : settings.net_steps * input.dt,
                .walls = input.cells != nullptr && !input.cell.empty()};
  lists.resize(input.size());
  if (net_.size() < lists.blocks.size()) net_.resize(lists.blocks.size());
  if (searches_.size() < tasks.worker_count()) searches_.resize(tasks.worker_count());
  look(job, tasks, report);
  gather_groups(job);
  tasks.parallel_for(input.size(), NeighbourLists::kBlock, [&](std::size_t begin, std::size_t end, unsigned worker) {
    const std::size_t block = begin / NeighbourLists::kBlock;
    auto& items = lists.blocks[block];
    items.clear();
    net_[block].clear();
    for (auto row = static_cast<std::uint32_t>(begin); row < end; ++row) {
      const auto first = static_cast<std::uint32_t>(items.size());
      write_list(job, row, items, searches_[worker], net_[block]);
      lists.ranges[row] = {first, static_cast<std::uint32_t>(items.size())};
    }
  });
  add_net(tasks, lists, report);
}

/// Edges that are cut by walls or too long; counts them.
void Linker::look(const Job& job, TaskRunner& tasks, NeighbourReport& report) {
  if (visible_.size() < job.meshes.size()) visible_.resize(job.meshes.size());
  for (std::size_t layer = 0; layer < job.meshes.size(); ++layer) {
    const MovingDelaunay& mesh = *job.meshes[layer];
    const std::uint32_t vertices = mesh.vertex_count();
    if (vertices > 1) report.edges += mesh.is_flat() ? vertices - 1 : 3 * vertices - 3 - mesh.hull_size();
    auto& visible = visible_[layer];
    visible.resize(mesh.edge_slots());
    std::atomic<std::uint32_t> cut = 0;
    tasks.parallel_for(mesh.edge_slots(), kEdgesPerChunk, [&](std::size_t begin, std::size_t end, unsigned) {
      std::uint32_t cut_here = 0;
      for (auto e = static_cast<std::uint32_t>(begin); e < end; ++e) {
        const Vertex v = mesh.origin(2 * e), w = mesh.origin(2 * e + 1);
        if (v == kInfinity || w == kInfinity) {
          visible[e] = 0;
          continue;
        }
        visible[e] = job.distance(v, w) <= job.reach_squared && job.sees(v - 1, w - 1);
        cut_here += !visible[e];
      }
      cut += cut_here;
    });
    report.cut_edges += cut;
  }
}

void Linker::gather_groups(const Job& job) {
  aliases_.clear();
  leader_.clear();
  for (const auto& mesh : job.meshes) aliases_.insert(aliases_.end(), mesh->aliases().begin(), mesh->aliases().end());
  if (aliases_.empty()) return;
  std::sort(aliases_.begin(), aliases_.end());
  leader_.resize(job.columns.point.size());
  for (Vertex v = 0; v < leader_.size(); ++v) leader_[v] = v;
  for (const Alias& alias : aliases_) leader_[alias.vertex] = alias.leader;
}

std::span<const Alias> Linker::group_of(Vertex leader) const {
  const auto [begin, end] = std::equal_range(aliases_.begin(), aliases_.end(), Alias{leader, 0},
                                             [](const Alias& a, const Alias& b) { return a.leader < b.leader; });
  return {begin, end};
}

void Linker::write_list(const Job& job, std::uint32_t row, std::vector<std::uint32_t>& items, Search& search,
                        std::vector<Pair>& net) {
  const std::size_t first_item = items.size();
  const MovingDelaunay& mesh = *job.meshes[job.layer_of(row)];
  const std::uint8_t* visible = visible_[job.layer_of(row)].data();
  const bool groups = !leader_.empty();
  const Vertex self = row + 1, leader = groups ? leader_[self] : self;
  const auto add_pair = [&](Vertex other) {
    if (other != self && job.sees(row, other - 1)) items.push_back(other - 1);
  };
  if (groups) {
    add_pair(leader);
    for (const Alias& alias : group_of(leader)) add_pair(alias.vertex);
  }
  std::int64_t nearest = INT64_MAX;
  if (const HalfEdge start = mesh.first(leader); start != kNoHalfEdge) {
    HalfEdge h = start;
    do {
      const Vertex w = mesh.target(h);
      if (w == kInfinity) continue;
      const std::int64_t distance = job.distance(leader, w);
      nearest = std::min(nearest, distance);
      if (groups) {
        // Cells of coincident agents may differ on a portal, so that each pair is asked for itself.
        if (distance > job.reach_squared) continue;
        add_pair(w);
        for (const Alias& alias : group_of(w)) add_pair(alias.vertex);
      } else if (visible[h / 2]) {
        items.push_back(w - 1);
      }
    } while ((h = mesh.turn(h)) != start);
  }
  if (groups) {
    std::sort(items.begin() + static_cast<std::ptrdiff_t>(first_item), items.end());  // a group may be the whole crowd
  } else {
    // Half a dozen entries: insertion is the fastest sort.
    for (std::size_t i = first_item + 1; i < items.size(); ++i) {
      const std::uint32_t item = items[i];
      std::size_t place = i;
      for (; place > first_item && items[place - 1] > item; --place) items[place] = items[place - 1];
      items[place] = item;
    }
  }
  if (job.net_seconds >= 0) {
    const double disc = static_cast<double>(2 * job.net_reach(row) + kSnapSlack) * kUnitsPerMetre;
    if (static_cast<double>(nearest) < disc * disc) search_net(job, row, leader, search, net);
  }
}

void Linker::search_net(const Job& job, std::uint32_t row, Vertex leader, Search& search, std::vector<Pair>& net) const {
  const NeighbourInput& in = job.input;
  const MovingDelaunay& mesh = *job.meshes[job.layer_of(row)];
  const float own = job.net_reach(row);
  const double disc = static_cast<double>(2 * own + kSnapSlack) * kUnitsPerMetre;
  const double disc_squared = disc * disc;
  if (search.seen.size() < job.columns.point.size()) search.seen.resize(job.columns.point.size(), 0);
  if (++search.number == 0) {
    std::fill(search.seen.begin(), search.seen.end(), 0u);
    search.number = 1;
  }
  search.queue.assign(1, leader);
  search.seen[leader] = search.number;
  const auto try_pair = [&](Vertex other) {
    const std::uint32_t j = other - 1;
    const float others = job.net_reach(j);
    // One of the two asks: the one that reaches further.
    if (others > own || (others == own && in.id[j] < in.id[row])) return;
    const float dx = in.x[j] - in.x[row], dy = in.y[j] - in.y[row];
    const float dvx = in.vx[j] - in.vx[row], dvy = in.vy[j] - in.vy[row];
    const float limit = in.radius[row] + in.radius[j] + job.net_seconds * std::sqrt(dvx * dvx + dvy * dvy);
    if (dx * dx + dy * dy < limit * limit && job.sees(row, j)) net.push_back({row, j});
  };
  for (std::size_t k = 0; k < search.queue.size(); ++k) {
    const HalfEdge start = mesh.first(search.queue[k]);
    HalfEdge h = start;
    do {
      const Vertex w = mesh.target(h);
      if (w == kInfinity || search.seen[w] == search.number) continue;
      search.seen[w] = search.number;
      if (static_cast<double>(job.distance(leader, w)) >= disc_squared) continue;
      search.queue.push_back(w);
      if (k == 0) continue;  // joined to the centre: in its list, or behind a wall
      try_pair(w);
      if (!leader_.empty())
        for (const Alias& alias : group_of(w)) try_pair(alias.vertex);
    } while ((h = mesh.turn(h)) != start);
  }
}

void Linker::add_net(TaskRunner& tasks, NeighbourLists& lists, NeighbourReport& report) {
  net_links_.clear();
  const std::size_t blocks = (lists.ranges.size() + NeighbourLists::kBlock - 1) / NeighbourLists::kBlock;
  for (std::size_t block = 0; block < blocks; ++block)
    for (const auto& [i, j] : net_[block]) {
      net_links_.push_back({i, j});
      net_links_.push_back({j, i});
    }
  if (net_links_.empty()) return;
  report.net_links = static_cast<std::uint32_t>(net_links_.size() / 2);
  std::sort(net_links_.begin(), net_links_.end());
  // A block with new links is written again, merged.
  tasks.parallel_for(blocks, 1, [&](std::size_t block, std::size_t, unsigned) {
    const auto begin_row = static_cast<std::uint32_t>(block * NeighbourLists::kBlock);
    const auto end_row = std::min(begin_row + NeighbourLists::kBlock, static_cast<std::uint32_t>(lists.ranges.size()));
    auto link = std::lower_bound(net_links_.begin(), net_links_.end(), Pair{begin_row, 0});
    if (link == net_links_.end() || link->first >= end_row) return;
    std::vector<std::uint32_t> merged;
    merged.reserve(lists.blocks[block].size() + NeighbourLists::kBlock);
    for (std::uint32_t row = begin_row; row < end_row; ++row) {
      const auto first = static_cast<std::uint32_t>(merged.size());
      const auto old = lists.of(row);
      merged.insert(merged.end(), old.begin(), old.end());
      for (; link != net_links_.end() && link->first == row; ++link) merged.push_back(link->second);
      std::inplace_merge(merged.begin() + first, merged.begin() + first + static_cast<std::ptrdiff_t>(old.size()), merged.end());
      lists.ranges[row] = {first, static_cast<std::uint32_t>(merged.size())};
    }
    lists.blocks[block].swap(merged);
  });
}

}  // namespace throng
