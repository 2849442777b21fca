// SPDX-License-Identifier: MIT
// Cuts closed walks that touch themselves at corners into simple rings.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace throng {

/// A closed walk over vertex numbers that does not cross itself may pass a vertex several times: grid cells or mesh polygons
/// that meet only at a corner. Cutting it there gives rings that pass every vertex once and still do not cross: if the walk
/// keeps one edge-connected region on its left, the outer ring is counter-clockwise and the others are holes that touch it.
class WalkSplitter {
 public:
  /// Calls `emit(const std::vector<std::uint32_t>&)` for every ring. O(n log n), linear memory, both in the walk only.
  template <class Emit>
  void split(const std::vector<std::uint32_t>& walk, Emit&& emit) {
    sorted_ = walk;
    std::sort(sorted_.begin(), sorted_.end());
    if (std::adjacent_find(sorted_.begin(), sorted_.end()) == sorted_.end()) return emit(walk);  // nearly all walks

    stack_.clear();
    first_visit_.clear();
    for (const std::uint32_t vertex : walk) {
      const auto [seen, fresh] = first_visit_.try_emplace(vertex, stack_.size());
      if (fresh) {
        stack_.push_back(vertex);
        continue;
      }
      // What was walked since the first visit is a ring of its own; the walk goes on from that visit.
      const std::size_t start = seen->second;
      ring_.assign(stack_.begin() + static_cast<std::ptrdiff_t>(start), stack_.end());
      for (std::size_t i = start + 1; i < stack_.size(); ++i) first_visit_.erase(stack_[i]);
      stack_.resize(start + 1);
      emit(ring_);
    }
    if (!stack_.empty()) emit(stack_);
  }

 private:
  std::vector<std::uint32_t> sorted_, stack_, ring_;
  std::unordered_map<std::uint32_t, std::size_t> first_visit_;
};

}  // namespace throng
