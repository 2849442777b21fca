// SPDX-License-Identifier: MIT
// A priority queue for searches whose keys never fall below the last one taken: entries come out in exactly the order of a heap,
// at half its cost.
//
// Keys are cut into slices of equal width. Entries of slices ahead wait in unsorted lists, 256 of them in a wheel, those farther
// on in one more list that is shared out when the wheel has come round. Only the slice at the front is kept sorted, and it is
// short: a step of the search costs at least about a slice, so hardly anything is put into it once it is at the front. The width
// changes the speed, never the order. Equal keys come out by number.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace throng {

class WheelQueue {
 public:
  /// Empties it. `width` is positive.
  void clear(float width) {
    per_width_ = 1 / width;
    pool_.clear();
    front_.clear();
    lists_.fill(kEnd);
    filled_.fill(0);
    beyond_ = least_beyond_ = kEnd;
    slice_ = 0;
  }

  /// `key` is not negative and not below the last one taken.
  void push(float key, std::uint32_t number) {
    const std::uint64_t entry = (std::uint64_t{std::bit_cast<std::uint32_t>(key)} << 32) | number;
    const std::uint32_t slice = slice_of(entry);
    if (slice <= slice_) {
      front_.insert(std::upper_bound(front_.begin(), front_.end(), entry, std::greater<>()), entry);
    } else {
      pool_.push_back({entry, kEnd});
      keep(static_cast<std::uint32_t>(pool_.size() - 1), slice);
    }
  }

  struct Entry {
    float key;
    std::uint32_t number;
  };
  /// Takes the least entry; false if there is none. Entries for which is_old(number) holds may be dropped unseen.
  template <class IsOld>
  bool pop(Entry& least, IsOld&& is_old) {
    while (front_.empty())
      if (!advance(is_old)) return false;
    const std::uint64_t entry = front_.back();
    front_.pop_back();
    least = {std::bit_cast<float>(static_cast<std::uint32_t>(entry >> 32)), static_cast<std::uint32_t>(entry)};
    return true;
  }

 private:
  static constexpr std::uint32_t kLists = 256, kEnd = 0xffffffffu;
  static constexpr float kLastSlice = 1e9f;
  struct Link {
    std::uint64_t entry;
    std::uint32_t next;
  };

  /// Monotone in the key, whatever rounding does.
  std::uint32_t slice_of(std::uint64_t entry) const {
    const float key = std::bit_cast<float>(static_cast<std::uint32_t>(entry >> 32));
    return static_cast<std::uint32_t>(std::min(kLastSlice, key * per_width_));
  }

  void keep(std::uint32_t link, std::uint32_t slice) {
    const bool is_far = slice - slice_ >= kLists;
    const std::uint32_t list = slice % kLists;
    std::uint32_t& head = is_far ? beyond_ : lists_[list];
    pool_[link].next = head;
    head = link;
    if (is_far)
      least_beyond_ = std::min(least_beyond_, slice);
    else
      filled_[list / 64] |= std::uint64_t{1} << (list % 64);
  }

  /// How many slices ahead the wheel has its next entries; kLists if it has none.
  std::uint32_t next_in_wheel() const {
    for (std::uint32_t ahead = 1; ahead < kLists;) {
      const std::uint32_t list = (slice_ + ahead) % kLists;
      const std::uint64_t rest = filled_[list / 64] >> (list % 64);
      if (rest != 0) return std::min(kLists, ahead + static_cast<std::uint32_t>(std::countr_zero(rest)));
      ahead += 64 - list % 64;
    }
    return kLists;
  }

  /// Brings the next slice with entries to the front.
  template <class IsOld>
  bool advance(IsOld&& is_old) {
    std::uint32_t ahead = next_in_wheel();
    if (beyond_ != kEnd && (ahead == kLists || least_beyond_ <= slice_ + ahead)) {
      // The wheel has come to what was beyond it; with nothing else in it, it can jump there.
      if (ahead == kLists) slice_ = std::max(slice_, least_beyond_ - 1);
      const std::uint32_t first = std::exchange(beyond_, kEnd);
      least_beyond_ = kEnd;
      for (std::uint32_t link = first; link != kEnd;) {
        const std::uint32_t next = pool_[link].next;
        keep(link, slice_of(pool_[link].entry));
        link = next;
      }
      ahead = next_in_wheel();
    }
    if (ahead == kLists) return false;
    slice_ += ahead;
    const std::uint32_t list = slice_ % kLists;
    filled_[list / 64] &= ~(std::uint64_t{1} << (list % 64));
    for (std::uint32_t link = std::exchange(lists_[list], kEnd); link != kEnd; link = pool_[link].next)
      if (!is_old(static_cast<std::uint32_t>(pool_[link].entry))) front_.push_back(pool_[link].entry);
    std::sort(front_.begin(), front_.end(), std::greater<>());
    return true;
  }

  float per_width_ = 1;
  std::uint32_t slice_ = 0;           ///< at the front
  std::vector<std::uint64_t> front_;  ///< the key's bits, which order like numbers, above the number; the least one last
  std::vector<Link> pool_;
  std::array<std::uint32_t, kLists> lists_{};
  std::array<std::uint64_t, kLists / 64> filled_{};
  std::uint32_t beyond_ = kEnd, least_beyond_ = kEnd;
};

}  // namespace throng
