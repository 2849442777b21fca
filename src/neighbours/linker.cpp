// SPDX-License-Identifier: MIT
#include "neighbours/linker.hpp"

#include <limits>

namespace throng {
namespace {

constexpr std::size_t kEdgesPerChunk = 2048;
constexpr std::uint32_t kSortWidth = 8;

/// Writes rows[0 … count-1] ascending; count ≤ 8. Also writes over out[count … 7]. Counting who is smaller has no branches to
/// mispredict: insertion sort made lists three times slower.
void sort_few(const std::uint32_t* rows, std::uint32_t count, std::uint32_t* out) {
  std::int32_t value[kSortWidth], rank[kSortWidth] = {};
  for (std::uint32_t i = 0; i < kSortWidth; ++i)
    value[i] = i < count ? static_cast<std::int32_t>(rows[i]) : std::numeric_limits<std::int32_t>::max();
  for (std::uint32_t j = 0; j < kSortWidth; ++j)
    for (std::uint32_t i = 0; i < kSortWidth; ++i) rank[i] += value[j] < value[i];
  for (std::uint32_t i = 0; i < kSortWidth; ++i) out[rank[i]] = static_cast<std::uint32_t>(value[i]);
}

}  // namespace

void PlaceGroups::gather(std::span<const std::unique_ptr<MovingDelaunay>> meshes, std::size_t vertex_count) {
  aliases_.clear();
  for (const auto& mesh : meshes) aliases_.insert(aliases_.end(), mesh->aliases().begin(), mesh->aliases().end());
  if (aliases_.empty()) return;
  std::sort(aliases_.begin(), aliases_.end());
  leader_.resize(vertex_count);
  shared_.assign(vertex_count, 0);
  for (Vertex v = 0; v < vertex_count; ++v) leader_[v] = v;
  for (const Alias& alias : aliases_) {
    leader_[alias.vertex] = alias.leader;
    shared_[alias.vertex] = shared_[alias.leader] = 1;
  }
}

std::span<const Alias> PlaceGroups::aliases(Vertex leader) const {
  if (aliases_.empty()) return {};
  const auto [begin, end] = std::equal_range(aliases_.begin(), aliases_.end(), Alias{leader, 0},
                                             [](const Alias& a, const Alias& b) { return a.leader < b.leader; });
  return {begin, end};
}

void Linker::link(const NeighbourInput& input, const VertexColumns& columns,
                  std::span<const std::unique_ptr<MovingDelaunay>> meshes, const NeighbourSettings& settings, TaskRunner& tasks,
                  NeighbourLists& lists, NeighbourReport& report) {
  const double reach_units = static_cast<double>(settings.reach) * kUnitsPerMetre;
  groups_.gather(meshes, columns.point.size());
  const LinkJob job{.input = input,
                    .columns = columns,
                    .meshes = meshes,
                    .groups = groups_,
                    .reach_squared = static_cast<std::int64_t>(std::min(reach_units * reach_units, 0x1p62)),
                    .net_seconds = settings.net_steps < 0 ? -1.0f : settings.net_steps * input.dt,
                    // One convex cell hides nobody.
                    .walls = input.cells != nullptr && !input.cell.empty() && input.cells->cell_count() > 1};
  lists.resize(input.size());
  net_.nearest.resize(columns.point.size());
  cut_.resize(lists.blocks.size());
  if (job.walls) look(job, tasks);
  tasks.parallel_for(input.size(), NeighbourLists::kBlock, [&](std::size_t begin, std::size_t end, unsigned) {
    write_block(job, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), lists,
                cut_[begin / NeighbourLists::kBlock]);
  });
  std::uint32_t cut = 0;
  for (std::size_t block = 0; block * NeighbourLists::kBlock < input.size(); ++block) cut += cut_[block];
  report.cut_edges = cut / 2;
  for (const auto& mesh : meshes)
    if (const std::uint32_t vertices = mesh->vertex_count(); vertices > 1)
      report.edges += mesh->is_flat() ? vertices - 1 : 3 * vertices - 3 - mesh->hull_size();
  if (job.net_seconds >= 0) report.net_links = net_.add(job, tasks, lists);
}

/// Decides for every edge whether its ends see each other.
void Linker::look(const LinkJob& job, TaskRunner& tasks) {
  if (visible_.size() < job.meshes.size()) visible_.resize(job.meshes.size());
  for (std::size_t layer = 0; layer < job.meshes.size(); ++layer) {
    const MovingDelaunay& mesh = *job.meshes[layer];
    auto& visible = visible_[layer];
    visible.resize(mesh.edge_slots());
    tasks.parallel_for(mesh.edge_slots(), kEdgesPerChunk, [&](std::size_t begin, std::size_t end, unsigned) {
      for (auto e = static_cast<std::uint32_t>(begin); e < end; ++e) {
        const Vertex v = mesh.origin(2 * e), w = mesh.origin(2 * e + 1);
        visible[e] = v != kInfinity && w != kInfinity && job.distance(v, w) <= job.reach_squared && job.sees(v - 1, w - 1);
      }
    });
  }
}

void Linker::write_block(const LinkJob& job, std::uint32_t begin, std::uint32_t end, NeighbourLists& lists, std::uint32_t& cut) {
  auto& items = lists.blocks[begin / NeighbourLists::kBlock];
  std::uint32_t used = 0;
  Found found;
  cut = 0;
  for (std::uint32_t row = begin; row < end; ++row) {
    collect(job, row, found, cut);
    if (items.size() < std::size_t{used} + found.count + kSortWidth)
      items.resize(2 * items.size() + found.count + 8 * NeighbourLists::kBlock);
    if (found.count <= kSortWidth) {
      sort_few(found.many.empty() ? found.rows : found.many.data(), found.count, &items[used]);
    } else {
      std::copy_n(found.many.empty() ? found.rows : found.many.data(), found.count, &items[used]);
      std::sort(&items[used], &items[used] + found.count);
    }
    lists.ranges[row] = {used, used + found.count};
    used += found.count;
  }
}

void Linker::collect(const LinkJob& job, std::uint32_t row, Found& found, std::uint32_t& cut) {
  const std::uint32_t layer = job.layer_of(row);
  const MovingDelaunay& mesh = *job.meshes[layer];
  const Vertex self = row + 1;
  found.count = 0;
  found.many.clear();
  const HalfEdge start = mesh.first(self);
  const std::uint8_t* shared = job.groups.shared();
  if (shared != nullptr && shared[self] != 0) return collect_groups(job, row, found, cut);
  if (start == kNoHalfEdge) {
    net_.nearest[self] = {};
    return;
  }
  // First round the vertex, where each step waits for the one before, then what can be done side by side.
  Vertex around[Found::kUsual];
  std::uint32_t edges[Found::kUsual];
  std::uint32_t degree = 0;
  HalfEdge h = start;
  do {
    if (degree == Found::kUsual) return collect_groups(job, row, found, cut);  // a star: the general way
    around[degree] = mesh.target(h);
    if (shared != nullptr && shared[around[degree]] != 0) return collect_groups(job, row, found, cut);
    edges[degree] = h / 2;
    ++degree;
  } while ((h = mesh.turn(h)) != start);

  const Point* points = job.columns.point.data();
  const Point here = points[self];
  const std::uint8_t* visible = job.walls ? visible_[layer].data() : nullptr;
  ContactNet::Nearest nearest;
  std::uint32_t count = 0, finite = 0;
  for (std::uint32_t k = 0; k < degree; ++k) {
    const Vertex w = around[k];
    if (w == kInfinity) continue;
    const std::int64_t distance = distance_squared(here, points[w]);
    nearest.meet(static_cast<float>(distance));
    found.rows[count] = w - 1;
    count += visible != nullptr ? visible[edges[k]] : distance <= job.reach_squared;
    ++finite;
  }
  found.count = count;
  cut += finite - count;
  net_.nearest[self] = nearest;
}

/// The same for any number of neighbours, and where agents share a place: they see each other and what the others see.
void Linker::collect_groups(const LinkJob& job, std::uint32_t row, Found& found, std::uint32_t& cut) {
  const MovingDelaunay& mesh = *job.meshes[job.layer_of(row)];
  const Vertex self = row + 1, leader = job.groups.leader(self);
  found.many.clear();
  // Cells of agents on one place may differ on a portal, so that each pair is asked for itself.
  const auto add = [&](Vertex other) {
    if (other != self && job.sees(row, other - 1)) found.many.push_back(other - 1);
  };
  add(leader);
  for (const Alias& alias : job.groups.aliases(leader)) add(alias.vertex);
  ContactNet::Nearest nearest;
  if (const HalfEdge start = mesh.first(leader); start != kNoHalfEdge) {
    HalfEdge h = start;
    do {
      const Vertex w = mesh.target(h);
      if (w == kInfinity) continue;
      const std::int64_t distance = job.distance(leader, w);
      nearest.meet(static_cast<float>(distance));
      const std::size_t before = found.many.size();
      if (distance <= job.reach_squared) {
        add(w);
        for (const Alias& alias : job.groups.aliases(w)) add(alias.vertex);
      }
      cut += self == leader && found.many.size() == before;
    } while ((h = mesh.turn(h)) != start);
  }
  found.count = static_cast<std::uint32_t>(found.many.size());
  if (self == leader) net_.nearest[self] = nearest;
}

}  // namespace throng
