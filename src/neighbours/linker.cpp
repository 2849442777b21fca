// SPDX-License-Identifier: MIT
#include "neighbours/linker.hpp"

#include <limits>

#include "base/lanes.hpp"

namespace throng {
namespace {

constexpr std::size_t kEdgesPerChunk = 2048;
/// How many lanes are set.
THRONG_INLINE std::uint32_t number_of(LaneMask mask) {
  std::int32_t sum = 0;
  for (int k = 0; k < kLanes; ++k) sum -= mask[k];
  return static_cast<std::uint32_t>(sum);
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

/// Round a vertex each step waits for the one before, and where it ends cannot be foretold: so four vertices are walked round
/// together, for a fixed number of steps. Whoever stands with others on one place, or alone, is left to `collect`.
THRONG_INLINE void Linker::walk_round(const LinkJob& job, std::uint32_t row, std::uint32_t count, Star (&stars)[kTogether]) {
  HalfEdge start[kTogether], at[kTogether];
  const MovingDelaunay* mesh[kTogether];
  for (Star& star : stars) star.is_whole = false;
  if (count < kTogether || job.groups.shared() != nullptr) return;
  for (std::uint32_t i = 0; i < kTogether; ++i) {
    mesh[i] = job.meshes[job.layer_of(row + i)].get();
    start[i] = at[i] = mesh[i]->first(row + i + 1);
    if (start[i] == kNoHalfEdge) return;
  }
  std::int32_t degree[kTogether] = {}, goes_on[kTogether] = {1, 1, 1, 1};
  for (int round = 0; round < kLanes; ++round)
    for (std::uint32_t i = 0; i < kTogether; ++i) {
      degree[i] += goes_on[i];
      stars[i].around[round] = static_cast<std::int32_t>(mesh[i]->target(at[i]));
      stars[i].edges[round] = at[i] / 2;
      at[i] = mesh[i]->turn(at[i]);
      goes_on[i] &= at[i] != start[i];
    }
  for (std::uint32_t i = 0; i < kTogether; ++i) {
    stars[i].degree = degree[i];
    stars[i].is_whole = goes_on[i] == 0;
  }
}

/// Writes the list of somebody with a whole star, ascending, and returns its length; writes over eight places. Without branches,
/// which degrees and distances would make unforeseeable.
THRONG_INLINE std::uint32_t Linker::write_star(const LinkJob& job, std::uint32_t row, const Star& star, std::uint32_t* out,
                                               std::uint32_t& cut) {
  typedef double Wide __attribute__((vector_size(8 * kLanes)));
  const Point* points = job.columns.point.data();
  const Point here = points[row + 1];
  alignas(32) std::int32_t x[kLanes], y[kLanes], is_visible[kLanes] = {};
  for (int k = 0; k < kLanes; ++k) x[k] = points[star.around[k]].x, y[k] = points[star.around[k]].y;
  const Wide dx = __builtin_convertvector(load(x), Wide) - static_cast<double>(here.x);
  const Wide dy = __builtin_convertvector(load(y), Wide) - static_cast<double>(here.y);
  const Wide distance = dx * dx + dy * dy;  // exact up to 90 km
  constexpr LaneMask kNumber = {0, 1, 2, 3, 4, 5, 6, 7};
  const LaneMask around = load(star.around), counts = (kNumber < star.degree) & (around != 0);
  LaneMask is_seen = counts;
  if (job.walls) {
    const std::uint8_t* visible = visible_[job.layer_of(row)].data();
    for (int k = 0; k < kLanes; ++k) is_visible[k] = visible[star.edges[k]];
    is_seen &= load(is_visible) != 0;
  } else {
    is_seen &= __builtin_convertvector(distance <= static_cast<double>(job.reach_squared), LaneMask);
  }

  // The two nearest: pairs of a smaller and a greater, joined until all lanes hold the same.
  const Lanes never = lanes(std::numeric_limits<float>::infinity());
  Lanes first = select(counts, __builtin_convertvector(distance, Lanes), never), second = never;
  const auto join = [&](Lanes others_first, Lanes others_second) {
    second = lower(higher(first, others_first), lower(second, others_second));
    first = lower(first, others_first);
  };
  join(halves(first), halves(second));
  join(pairs(first), pairs(second));
  join(ones(first), ones(second));
  net_.nearest[row + 1] = {first[0], second[0]};

  // Sorting by counting who is smaller: what is not seen comes last.
  const LaneMask value = is_seen ? around - 1 : LaneMask{} + std::numeric_limits<std::int32_t>::max();
  LaneMask rank{};
  for (int k = 0; k < kLanes; ++k) rank -= value[k] < value;
  for (int k = 0; k < kLanes; ++k) out[rank[k]] = static_cast<std::uint32_t>(value[k]);
  const std::uint32_t count = number_of(is_seen);
  cut += number_of(counts) - count;
  return count;
}

THRONG_WIDE void Linker::write_block(const LinkJob& job, std::uint32_t begin, std::uint32_t end, NeighbourLists& lists,
                                     std::uint32_t& cut) {
  auto& items = lists.blocks[begin / NeighbourLists::kBlock];
  std::uint32_t used = 0, cut_here = 0;
  Found found;
  Star stars[kTogether];
  for (std::uint32_t row = begin; row < end; ++row) {
    const std::uint32_t at = (row - begin) % kTogether;
    if (at == 0) walk_round(job, row, std::min(kTogether, end - row), stars);
    const Star& star = stars[at];
    if (!star.is_whole) collect(job, row, found, cut_here);
    const std::uint32_t most = std::max<std::uint32_t>(kLanes, star.is_whole ? 0 : found.count);
    if (items.size() < std::size_t{used} + most) items.resize(2 * items.size() + most + 8 * NeighbourLists::kBlock);
    std::uint32_t count = found.count;
    if (star.is_whole) {
      count = write_star(job, row, star, &items[used], cut_here);
    } else {
      std::copy_n(found.many.empty() ? found.rows : found.many.data(), count, &items[used]);
      std::sort(&items[used], &items[used] + count);
    }
    lists.ranges[row] = {used, used + count};
    used += count;
  }
  cut = cut_here;
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
