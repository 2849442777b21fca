// SPDX-License-Identifier: MIT
#include "scene/sheets.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>

#include "scene/least_cut.hpp"

namespace throng {
namespace {

constexpr double kBlockSide = 1;   ///< metres, about: stairs are a few blocks long
constexpr std::int32_t kMost = 8;  ///< columns along a side of a block
constexpr int kRounds = 2;         ///< of shorter joints and further merges
constexpr int kReach = 12;         ///< atoms from a joint that may change sides

/// Calls visit(node) for every node that cannot be on a sheet with n, until one answer is true: others of its column, and those
/// of the eight columns round it a head room or more away.
template <class Visit>
bool any_overlapping(const Surface& s, NodeIndex n, Visit visit) {
  for (int d = -1; d < 8; ++d) {
    const std::uint32_t column = d < 0 ? s.column[n] : s.neighbour_column(s.column[n], d);
    if (column == kNoColumn) continue;
    for (NodeIndex m = s.column_start[column]; m < s.column_start[column + 1]; ++m)
      if (m != n && (d < 0 || std::abs(s.z[m] - s.z[n]) >= s.head_room) && visit(m)) return true;
  }
  return false;
}

class SheetMaker {
 public:
  explicit SheetMaker(const Surface& surface)
      : s_(surface), block_(std::clamp(static_cast<std::int32_t>(kBlockSide / surface.step), 2, kMost)) {}

  Sheets run() {
    find_atoms();
    merge();
    for (int round = 0; round < kRounds; ++round) {
      shorten_joints();
      merge();
    }
    return pack();
  }

 private:
  /// What is linked inside a block and does not overlap.
  void find_atoms() {
    atom_.assign(s_.node_count(), kNoNode);
    std::vector<NodeIndex> open;
    for (NodeIndex seed = 0; seed < s_.node_count(); ++seed) {
      if (atom_[seed] != kNoNode) continue;
      const auto id = static_cast<std::uint32_t>(atom_crowded_.size());
      atom_crowded_.emplace_back();
      const ColumnPlace at = s_.place_of(seed);
      const std::int32_t block_i = at.i / block_, block_j = at.j / block_;
      atom_[seed] = id;
      open.assign(1, seed);
      for (std::size_t head = 0; head < open.size(); ++head)
        for (int d = 0; d < 8; d += 2) {
          const NodeIndex other = s_.neighbour(open[head], d);
          if (other == kNoNode || atom_[other] != kNoNode) continue;
          const ColumnPlace p = s_.place_of(other);
          if (p.i / block_ != block_i || p.j / block_ != block_j) continue;
          if (any_overlapping(s_, other, [&](NodeIndex m) { return atom_[m] == id; })) continue;
          atom_[other] = id;
          open.push_back(other);
        }
      for (const NodeIndex n : open)
        if (any_overlapping(s_, n, [](NodeIndex) { return true; })) atom_crowded_[id].push_back(n);
    }
    std::vector<std::map<std::uint32_t, std::int64_t>> width(atom_crowded_.size());
    for (NodeIndex n = 0; n < s_.node_count(); ++n)
      for (const int d : {0, 2})
        if (const NodeIndex m = s_.neighbour(n, d); m != kNoNode && atom_[m] != atom_[n])
          ++width[atom_[n]][atom_[m]], ++width[atom_[m]][atom_[n]];
    for (const auto& of_atom : width) beside_.emplace_back(of_atom.begin(), of_atom.end());
    parent_.resize(atom_crowded_.size());
    std::iota(parent_.begin(), parent_.end(), 0);
    crowded_ = atom_crowded_;
  }

  std::uint32_t root(std::uint32_t a) {
    while (parent_[a] != a) a = parent_[a] = parent_[parent_[a]];
    return a;
  }

  bool overlap(std::uint32_t a, std::uint32_t b) {
    if (crowded_[a].size() > crowded_[b].size()) std::swap(a, b);
    if (crowded_[b].empty()) return false;
    return std::any_of(crowded_[a].begin(), crowded_[a].end(),
                       [&](NodeIndex n) { return any_overlapping(s_, n, [&](NodeIndex m) { return root(atom_[m]) == b; }); });
  }

  void merge() {
    constexpr std::int64_t kRefused = -1;  // once two overlap, they always will
    std::vector<std::map<std::uint32_t, std::int64_t>> border(parent_.size());
    for (std::uint32_t a = 0; a < beside_.size(); ++a)
      for (const auto& [b, width] : beside_[a])
        if (root(a) != root(b)) border[root(a)][root(b)] += width;

    using Candidate = std::tuple<std::int64_t, std::uint32_t, std::uint32_t>;  // border, the larger and the smaller name
    std::priority_queue<Candidate> queue;
    const auto offer = [&](std::uint32_t a, std::uint32_t b, std::int64_t width) {
      queue.push({width, std::max(a, b), std::min(a, b)});
    };
    for (std::uint32_t a = 0; a < border.size(); ++a)
      for (const auto& [b, width] : border[a])
        if (a < b) offer(a, b, width);
    while (!queue.empty()) {
      auto [width, b, a] = queue.top();
      queue.pop();
      if (parent_[a] != a || parent_[b] != b || border[a][b] != width) continue;
      if (overlap(a, b)) {
        border[a][b] = border[b][a] = kRefused;
        continue;
      }
      if (border[a].size() < border[b].size()) std::swap(a, b);
      parent_[b] = a;
      border[a].erase(b);
      for (const auto& [c, more] : border[b]) {
        if (c == a) continue;
        std::int64_t& sum = border[a][c];
        sum = sum == kRefused || more == kRefused ? kRefused : sum + more;
        border[c].erase(b);
        border[c][a] = sum;
        if (sum != kRefused) offer(a, c, sum);
      }
      border[b].clear();
      if (crowded_[a].size() < crowded_[b].size()) crowded_[a].swap(crowded_[b]);
      crowded_[a].insert(crowded_[a].end(), crowded_[b].begin(), crowded_[b].end());
      crowded_[b] = {};
    }
  }

  /// Between every two sheets that meet, the shortest line that keeps apart what overlaps.
  void shorten_joints() {
    std::vector<std::uint32_t> sheet(parent_.size());
    std::vector<double> height(parent_.size(), 0), size(parent_.size(), 0);
    for (std::uint32_t a = 0; a < sheet.size(); ++a) sheet[a] = root(a);
    for (NodeIndex n = 0; n < s_.node_count(); ++n) height[sheet[atom_[n]]] += s_.z[n], size[sheet[atom_[n]]] += 1;
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t a = 0; a < sheet.size(); ++a)
      for (const auto& [b, width] : beside_[a])
        if (sheet[a] < sheet[b]) pairs.insert({sheet[a], sheet[b]});
    for (auto [upper, lower] : pairs) {
      if (height[upper] / size[upper] < height[lower] / size[lower]) std::swap(upper, lower);
      shorten_joint(sheet, upper, lower);
    }
    // A sheet that was cut through is several.
    std::fill(parent_.begin(), parent_.end(), kNoNode);
    std::vector<std::uint32_t> open;
    for (std::uint32_t first = 0; first < parent_.size(); ++first) {
      if (parent_[first] != kNoNode) continue;
      crowded_[first].clear();
      parent_[first] = first;
      open.assign(1, first);
      for (std::size_t head = 0; head < open.size(); ++head) {
        crowded_[first].insert(crowded_[first].end(), atom_crowded_[open[head]].begin(), atom_crowded_[open[head]].end());
        for (const auto& [b, width] : beside_[open[head]])
          if (parent_[b] == kNoNode && sheet[b] == sheet[first]) parent_[b] = first, open.push_back(b);
      }
    }
  }

  void shorten_joint(std::vector<std::uint32_t>& sheet, std::uint32_t upper, std::uint32_t lower) const {
    std::map<std::uint32_t, std::uint32_t> number;  // of the atoms that may change sides
    std::vector<std::uint32_t> atoms;
    const auto add = [&](std::uint32_t a) {
      if (number.try_emplace(a, static_cast<std::uint32_t>(atoms.size())).second) atoms.push_back(a);
    };
    for (std::uint32_t a = 0; a < sheet.size(); ++a)
      if (sheet[a] == upper)
        for (const auto& [b, width] : beside_[a])
          if (sheet[b] == lower) add(a), add(b);
    std::size_t begin = 0;
    for (int ring = 0; ring < kReach; ++ring)
      for (const std::size_t end = atoms.size(); begin < end; ++begin)
        for (const auto& [b, width] : beside_[atoms[begin]])
          if (sheet[b] == upper || sheet[b] == lower) add(b);

    LeastCut cut(static_cast<std::uint32_t>(atoms.size()));
    for (std::uint32_t i = 0; i < atoms.size(); ++i) {
      const std::uint32_t a = atoms[i], own = sheet[a], other = own == upper ? lower : upper;
      bool is_fixed = i >= begin;  // the last ring
      for (std::size_t k = 0; k < atom_crowded_[a].size() && !is_fixed; ++k)
        is_fixed = any_overlapping(s_, atom_crowded_[a][k], [&](NodeIndex m) { return sheet[atom_[m]] == other; });
      if (is_fixed) own == upper ? cut.fix_to_source(i) : cut.fix_to_sink(i);
      for (const auto& [b, width] : beside_[a])
        if (const auto found = number.find(b); found != number.end() && a < b) cut.join(i, found->second, width);
    }
    const std::vector<bool> is_upper = cut.source_side();
    for (std::uint32_t i = 0; i < atoms.size(); ++i) sheet[atoms[i]] = is_upper[i] ? upper : lower;
  }

  /// Largest sheets first, each into the layer nearest in height that has room for it.
  Sheets pack() {
    Sheets sheets;
    sheets.of.resize(s_.node_count());
    std::vector<std::uint32_t> number(parent_.size(), kNoNode), root_of;
    std::vector<double> height;
    std::vector<std::uint32_t> size;
    for (NodeIndex n = 0; n < s_.node_count(); ++n) {
      const std::uint32_t r = root(atom_[n]);
      if (number[r] == kNoNode) {
        number[r] = static_cast<std::uint32_t>(root_of.size());
        root_of.push_back(r);
        height.push_back(0);
        size.push_back(0);
      }
      sheets.of[n] = number[r];
      height[number[r]] += s_.z[n];
      ++size[number[r]];
    }
    for (std::size_t i = 0; i < height.size(); ++i) height[i] /= size[i];
    std::vector<std::uint32_t> order(root_of.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return size[a] > size[b]; });

    std::vector<std::vector<std::uint32_t>> layers;  // the sheets of each, the largest first
    std::vector<std::uint32_t> layer(root_of.size(), kNoNode), taken;
    for (const std::uint32_t sheet : order) {
      taken.assign(layers.size(), 0);
      for (const NodeIndex n : crowded_[root_of[sheet]])
        any_overlapping(s_, n, [&](NodeIndex m) {
          if (const std::uint32_t l = layer[sheets.of[m]]; l != kNoNode) taken[l] = 1;
          return false;
        });
      std::uint32_t best = kNoNode;
      double least = s_.head_room / 2;
      for (std::uint32_t l = 0; l < layers.size(); ++l)
        if (const double away = std::abs(height[layers[l].front()] - height[sheet]); !taken[l] && away < least)
          best = l, least = away;
      if (best == kNoNode) best = static_cast<std::uint32_t>(layers.size()), layers.emplace_back();
      layers[best].push_back(sheet);
      layer[sheet] = best;
    }
    std::stable_sort(layers.begin(), layers.end(),
                     [&](const auto& a, const auto& b) { return height[a.front()] < height[b.front()]; });
    sheets.layer_count = static_cast<std::uint32_t>(layers.size());
    sheets.layer_of_sheet.resize(root_of.size());
    for (std::uint32_t l = 0; l < layers.size(); ++l)
      for (const std::uint32_t sheet : layers[l]) sheets.layer_of_sheet[sheet] = l;
    return sheets;
  }

  const Surface& s_;
  const std::int32_t block_;                          ///< columns along its side
  std::vector<std::uint32_t> atom_;                   ///< of each node
  std::vector<std::vector<NodeIndex>> atom_crowded_;  ///< of each atom: nodes that others lie above, below or steeply beside
  std::vector<std::vector<std::pair<std::uint32_t, std::int64_t>>>
      beside_;                                   ///< of each atom: those linked to it, by how many links
  std::vector<std::uint32_t> parent_;            ///< of each atom, towards the one its sheet is named after
  std::vector<std::vector<NodeIndex>> crowded_;  ///< the same of each sheet
};

}  // namespace

Sheets split_into_sheets(const Surface& surface) { return SheetMaker(surface).run(); }

}  // namespace throng
