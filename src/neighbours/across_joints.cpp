// SPDX-License-Identifier: MIT
#include "neighbours/across_joints.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "neighbours/sight.hpp"

namespace throng {
namespace {

constexpr double kSnapSlack = 16;  // grid units: two people, each rounded to the grid and perhaps past its joint

struct Box {
  std::int64_t low_x = std::numeric_limits<std::int32_t>::max(), low_y = low_x, high_x = -low_x, high_y = -low_x;
  void hold(Point p) {
    low_x = std::min<std::int64_t>(low_x, p.x), high_x = std::max<std::int64_t>(high_x, p.x);
    low_y = std::min<std::int64_t>(low_y, p.y), high_y = std::max<std::int64_t>(high_y, p.y);
  }
  double distance_to(const Box& other) const {
    const auto dx = static_cast<double>(std::max<std::int64_t>({0, other.low_x - high_x, low_x - other.high_x}));
    const auto dy = static_cast<double>(std::max<std::int64_t>({0, other.low_y - high_y, low_y - other.high_y}));
    return std::sqrt(dx * dx + dy * dy);
  }
};

double distance_to_segment(Point p, Point a, Point b) {
  const double dx = static_cast<double>(b.x) - a.x, dy = static_cast<double>(b.y) - a.y;
  const double px = static_cast<double>(p.x) - a.x, py = static_cast<double>(p.y) - a.y;
  const double t = std::clamp((px * dx + py * dy) / (dx * dx + dy * dy), 0.0, 1.0);
  return std::sqrt((px - t * dx) * (px - t * dx) + (py - t * dy) * (py - t * dy));
}

}  // namespace

struct AcrossJoints::Job {
  const NeighbourInput& input;
  std::span<const Point> points;
  const NeighbourLists& lists;
  std::int64_t reach_squared;
  float net_seconds;

  Point point(std::uint32_t row) const { return points[row + 1]; }
  /// Asked from the lower id, so that both get one answer.
  bool sees(std::uint32_t i, std::uint32_t j) const {
    if (input.id[j] < input.id[i]) std::swap(i, j);
    return can_see(*input.cells, point(i), input.cell[i], point(j), input.cell[j]);
  }
  /// How far it may reach in the next steps, metres.
  double reach_of(std::uint32_t i) const {
    return input.radius[i] + std::max(0.0f, net_seconds) * std::sqrt(input.vx[i] * input.vx[i] + input.vy[i] * input.vy[i]);
  }
  bool may_touch(std::uint32_t i, std::uint32_t j) const {
    if (net_seconds < 0) return false;
    const float dx = input.x[j] - input.x[i], dy = input.y[j] - input.y[i];
    const float dvx = input.vx[j] - input.vx[i], dvy = input.vy[j] - input.vy[i];
    const float limit = input.radius[i] + input.radius[j] + net_seconds * std::sqrt(dvx * dvx + dvy * dvy);
    return dx * dx + dy * dy < limit * limit;
  }
};

/// Once a scene: which joints somebody in a cell may see past.
void AcrossJoints::find_joints(const Cells& cells, float reach) {
  if (cells_ == &cells && reach_ == reach && near_start_.size() == std::size_t{cells.cell_count()} + 1) return;
  cells_ = &cells, reach_ = reach;
  std::vector<PortalIndex> joints;
  for (PortalIndex p = 0; p < cells.portal_count(); ++p)
    if (cells.layer[cells.portals[p].cell[0]] != cells.layer[cells.portals[p].cell[1]]) joints.push_back(p);
  near_start_.assign(1, 0);
  near_.clear();
  const double most = static_cast<double>(reach) * kUnitsPerMetre;
  for (CellIndex cell = 0; cell < cells.cell_count(); ++cell) {
    Box box;
    for (const Side& side : cells.sides_of(cell)) box.hold(cells.vertices[side.vertex]);
    for (const PortalIndex joint : joints) {
      const Portal& portal = cells.portals[joint];
      if (cells.layer[portal.cell[0]] != cells.layer[cell] && cells.layer[portal.cell[1]] != cells.layer[cell]) continue;
      Box line;
      for (const Point p : portal.position) line.hold(p);
      if (box.distance_to(line) <= most) near_.push_back(joint);
    }
    near_start_.push_back(static_cast<std::uint32_t>(near_.size()));
  }
}

/// Whether people of its own layer stand before the whole of a joint. With k before it, a point q of the joint is hidden if k is
/// in the disc whose diameter is half the way to q, (k - i)·(q - i) > 2 (k - i)²: linear in q, so k hides a piece of the line,
/// and what lies beyond it too.
bool AcrossJoints::is_shut_off(const Job& job, std::uint32_t row, PortalIndex joint) const {
  const auto [a, b] = job.input.cells->portals[joint].position;
  const Point here = job.point(row);
  const double ax = static_cast<double>(a.x) - here.x, ay = static_cast<double>(a.y) - here.y;
  const double bx = static_cast<double>(b.x) - here.x, by = static_cast<double>(b.y) - here.y;
  double hidden = 0;  // of the line from a to b, so much from a on
  for (bool goes_on = true; goes_on && hidden < 1;) {
    goes_on = false;
    for (const std::uint32_t k : job.lists.of(row)) {
      const double kx = static_cast<double>(job.point(k).x) - here.x, ky = static_cast<double>(job.point(k).y) - here.y;
      const double at_a = kx * ax + ky * ay - 2 * (kx * kx + ky * ky), at_b = kx * bx + ky * by - 2 * (kx * kx + ky * ky);
      if ((1 - hidden) * at_a + hidden * at_b <= 0) continue;
      const double end = at_b > 0 ? 1 : at_a / (at_a - at_b);
      if (end > hidden) hidden = end, goes_on = true;
    }
  }
  return hidden >= 1;
}

void AcrossJoints::gather(const Job& job, TaskRunner& tasks) {
  const std::uint32_t count = job.input.size();
  constexpr std::size_t kRowsPerChunk = 1024;
  const std::size_t chunks = (count + kRowsPerChunk - 1) / kRowsPerChunk;
  if (gathered_.size() < chunks) gathered_.resize(chunks);
  const double most = std::sqrt(static_cast<double>(job.reach_squared));
  tasks.parallel_for(count, kRowsPerChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    auto& gathered = gathered_[begin / kRowsPerChunk];
    gathered.clear();
    for (auto row = static_cast<std::uint32_t>(begin); row < end; ++row) {
      const CellIndex cell = job.input.cell[row];
      if (cell == kNoCell || near_start_[cell] == near_start_[cell + 1]) continue;
      Member member{.row = row, .gap = std::numeric_limits<double>::infinity()};
      for (std::uint32_t k = near_start_[cell]; k < near_start_[cell + 1]; ++k) {
        const auto [a, b] = job.input.cells->portals[near_[k]].position;
        const double gap = distance_to_segment(job.point(row), a, b);
        member.gap = std::min(member.gap, gap);
        member.looks |= gap <= most && !is_shut_off(job, row, near_[k]);
      }
      if (member.gap <= most) gathered.push_back(member);
    }
  });
  greatest_ = 0;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    for (const Member& member : gathered_[chunk]) greatest_ = std::max(greatest_, job.reach_of(member.row));
  members_.clear();
  rows_.clear();
  number_.resize(count);
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    for (const Member& member : gathered_[chunk]) {
      if (!member.looks && member.gap > contact_of(job, member.row)) continue;
      number_[member.row] = static_cast<std::uint32_t>(members_.size());
      members_.push_back(member);
      rows_.push_back(member.row);
    }
}

/// How far one and whomever it may touch in the next steps are apart at most, grid units.
double AcrossJoints::contact_of(const Job& job, std::uint32_t row) const {
  return (job.reach_of(row) + greatest_) * kUnitsPerMetre + kSnapSlack;
}

/// Whether the line from somebody to `to` meets a joint of its layer: cheaper than the walk, which decides. On a joint one may
/// stand a hair beyond it.
bool AcrossJoints::crosses_joint(const Job& job, const Member& member, Point to) const {
  if (member.gap <= kSnapSlack) return true;
  const Point from = job.point(member.row);
  const CellIndex cell = job.input.cell[member.row];
  for (std::uint32_t k = near_start_[cell]; k < near_start_[cell + 1]; ++k) {
    const auto [a, b] = job.input.cells->portals[near_[k]].position;
    const std::int64_t at_a = orient(from, to, a), at_b = orient(from, to, b);
    if ((at_a > 0 && at_b > 0) || (at_a < 0 && at_b < 0)) continue;
    const std::int64_t at_from = orient(a, b, from), at_to = orient(a, b, to);
    if ((at_from > 0 && at_to > 0) || (at_from < 0 && at_to < 0)) continue;
    return true;
  }
  return false;
}

/// The nearest of other layers in sight; those it may touch are linked at once.
void AcrossJoints::look(const Job& job, Member& member, std::vector<Link>& found) const {
  struct Candidate {
    std::int64_t distance;
    std::uint32_t id;
    auto operator<=>(const Candidate&) const = default;
  };
  const std::uint32_t i = member.row;
  const double contact = contact_of(job, i);
  const auto contact_squared = std::min(job.reach_squared, static_cast<std::int64_t>(contact * contact));
  Candidate best[kMost];
  std::int64_t farthest = member.looks ? job.reach_squared : contact_squared;
  grid_.visit(job.point(i), farthest, [&](const RowGrid::Resident& resident) {
    const std::uint32_t j = resident.row;
    const std::int64_t distance = distance_squared(job.point(i), resident.point);
    if (distance > farthest || job.input.layer[j] == job.input.layer[i]) return;
    const double far = member.gap + members_[number_[j]].gap - kSnapSlack;
    if (far > 0 && far * far > static_cast<double>(distance)) return;
    const bool touches = distance <= contact_squared && job.may_touch(i, j);
    const Candidate candidate{distance, job.input.id[j]};
    const bool is_near = member.looks && (member.count < kMost || candidate < best[kMost - 1]);
    if ((!touches && !is_near) || (members_[number_[j]].gap > kSnapSlack && !crosses_joint(job, member, resident.point)) ||
        !job.sees(i, j))
      return;
    if (touches && job.input.id[i] < job.input.id[j]) found.push_back({i, j});
    if (!is_near) return;
    std::uint32_t place = member.count < kMost ? member.count++ : kMost - 1;
    for (; place > 0 && candidate < best[place - 1]; --place)
      best[place] = best[place - 1], member.other[place] = member.other[place - 1];
    best[place] = candidate, member.other[place] = j;
    if (member.count == kMost) farthest = std::max(best[kMost - 1].distance, contact_squared);
  });
}

/// Whether a circle through both holds none of their neighbours: the widest angles on both sides, as their cotangents.
bool AcrossJoints::is_joined(const Job& job, const Member& one, const Member& other) const {
  const Point a = job.point(one.row), b = job.point(other.row);
  double left = std::numeric_limits<double>::infinity(), right = left;
  const auto meet = [&](std::uint32_t k) {
    if (k == one.row || k == other.row) return;
    const Point p = job.point(k);
    const double ax = static_cast<double>(a.x) - p.x, ay = static_cast<double>(a.y) - p.y;
    const double bx = static_cast<double>(b.x) - p.x, by = static_cast<double>(b.y) - p.y;
    const double along = ax * bx + ay * by, across = ax * by - ay * bx;
    if (across == 0) {
      if (along < 0) left = right = -std::numeric_limits<double>::infinity();  // between them
      return;
    }
    double& side = across > 0 ? left : right;
    side = std::min(side, along / std::abs(across));
  };
  for (const Member* member : {&one, &other}) {
    for (const std::uint32_t k : job.lists.of(member->row)) meet(k);
    for (std::uint32_t k = 0; k < member->count && left + right > 0; ++k) meet(member->other[k]);
    if (!(left + right > 0)) return false;
  }
  return true;
}

std::uint32_t AcrossJoints::add(const NeighbourInput& input, std::span<const Point> points, const NeighbourSettings& settings,
                                TaskRunner& tasks, NeighbourLists& lists) {
  find_joints(*input.cells, settings.reach);
  if (near_.empty()) return 0;
  const double reach_units = static_cast<double>(settings.reach) * kUnitsPerMetre;
  const Job job{.input = input,
                .points = points,
                .lists = lists,
                .reach_squared = static_cast<std::int64_t>(std::min(reach_units * reach_units, 0x1p62)),
                .net_seconds = settings.net_steps < 0 ? -1.0f : settings.net_steps * input.dt};
  gather(job, tasks);
  if (members_.empty()) return 0;
  grid_.build(points, rows_);
  const std::size_t chunks = (members_.size() + kGrain - 1) / kGrain;
  if (found_.size() < chunks) found_.resize(chunks);
  tasks.parallel_for(members_.size(), kGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    found_[begin / kGrain].clear();
    for (std::size_t m = begin; m < end; ++m) look(job, members_[m], found_[begin / kGrain]);
  });
  tasks.parallel_for(members_.size(), kGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t m = begin; m < end; ++m) {
      const Member& one = members_[m];
      for (std::uint32_t k = 0; k < one.count; ++k) {
        const Member& other = members_[number_[one.other[k]]];
        // Whom both look at is decided by the lower row.
        const bool is_others =
            other.row < one.row && std::find(other.other, other.other + other.count, one.row) != other.other + other.count;
        if (!is_others && is_joined(job, one, other)) found_[begin / kGrain].push_back({one.row, other.row});
      }
    }
  });
  links_.clear();
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    for (const auto& [i, j] : found_[chunk]) {
      links_.push_back({i, j});
      links_.push_back({j, i});
    }
  std::sort(links_.begin(), links_.end());
  links_.erase(std::unique(links_.begin(), links_.end()), links_.end());
  lists.add(links_, tasks);
  return static_cast<std::uint32_t>(links_.size() / 2);
}

}  // namespace throng
