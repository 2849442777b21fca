// SPDX-License-Identifier: MIT
// A heap of bounded things that keeps the best of the new ones in hand: in a search that goes on from what it has just found,
// that is mostly the next to be taken, and never sees the heap.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace throng {

class HandHeap {
 public:
  struct Entry {
    double bound;
    std::uint32_t index;
  };

  void clear() {
    heap_.clear();
    has_hand_ = false;
  }

  void offer(Entry entry) {
    if (has_hand_) {
      if (entry.bound < hand_.bound) std::swap(entry, hand_);
      put(entry);
    } else {
      hand_ = entry;
      has_hand_ = true;
    }
  }

  /// The entry with the least bound; false if there is none.
  bool take(Entry& entry) {
    if (has_hand_ && (heap_.empty() || hand_.bound <= heap_.front().bound)) {
      entry = hand_;
      has_hand_ = false;
      return true;
    }
    if (has_hand_) put(hand_);
    has_hand_ = false;
    if (heap_.empty()) return false;
    std::pop_heap(heap_.begin(), heap_.end(), IsLater());
    entry = heap_.back();
    heap_.pop_back();
    return true;
  }

 private:
  struct IsLater {
    bool operator()(const Entry& a, const Entry& b) const { return a.bound > b.bound; }
  };
  void put(Entry entry) {
    heap_.push_back(entry);
    std::push_heap(heap_.begin(), heap_.end(), IsLater());
  }

  std::vector<Entry> heap_;
  Entry hand_{};
  bool has_hand_ = false;
};

}  // namespace throng
