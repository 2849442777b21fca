// SPDX-License-Identifier: MIT
// Counts the pairs of bodies that overlap, exactly, in a fraction of the time that a search for all of them takes.
//
// A list of pairs that are near each other (Verlet, Phys. Rev. 159, 1967) lasts for several counts: a pair that is not on it was
// farther apart than `skin` beyond contact, and cannot touch before one of the two has moved by half of that. Rows that have
// moved farther (strays), and rows that came later, are searched for one by one; when strays are many, the list is made anew. It
// does not know the neighbourhood graph that keeps bodies apart, and trusts nothing but the places that it is given: rows may
// change their agents between two counts.
//
// The counts are those of a look at every pair, in the same arithmetic (tests/world/close_pairs_test.cpp), at any number of
// threads. Cost: docs/benchmarks.md, "What counting costs". One caller at a time.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/tasks.hpp"

namespace throng {

class ClosePairs {
 public:
  struct Bodies {
    std::span<const float> x, y, radius;
  };
  struct Period {
    float x = 0, y = 0;  ///< m; 0: none in this direction
  };
  struct Counts {
    std::uint32_t overlaps = 0;  ///< pairs closer than the sum of their radii
    std::uint32_t deep = 0;      ///< by more than 20 %
  };
  /// Whether two rows that overlap in plan do so on the ground. Called from any worker.
  using Meet = FunctionRef<bool(std::uint32_t, std::uint32_t)>;

  Counts count(const Bodies& bodies, Period period, Meet meet, TaskRunner& tasks);

  // As of the last count, for other lists that last as long as this one.
  /// Counts up with each new list.
  std::uint64_t version() const { return version_; }
  /// The rows as the list was made of them. Those that are still there and no strays are within reach() of these places, and not
  /// larger than these radii.
  Bodies listed() const { return {x_, y_, radius_}; }
  float reach() const { return 0.5f * skin_; }
  /// All others.
  std::span<const std::uint32_t> strays() const { return strays_; }

 private:
  struct Pair {
    std::uint32_t a, b;  ///< a < b
  };
  /// A row next to the image of another: that of `b`, moved by a period.
  struct PairAcross {
    std::uint32_t a, b;
    float shift_x, shift_y;
  };
  /// Pairs of a chunk of bodies: the first `pair_count` of a list that keeps its largest size.
  struct Chunk {
    std::vector<Pair> pairs;
    std::size_t pair_count = 0;
    std::uint32_t strays = 0;
    Counts counts;
  };
  struct Box {
    std::uint32_t column, line;
  };

  bool find_strays(const Bodies& bodies, TaskRunner& tasks);
  void make_list(const Bodies& bodies, Period period, TaskRunner& tasks);
  void find_pairs(std::size_t begin, std::size_t end, Chunk& chunk) const;
  void find_pairs_across(Period period);
  void count_strays(const Bodies& bodies, Period period, Meet meet, Counts& counts);
  Box box_of(float x, float y) const;
  template <class Visit>
  void for_boxes_round(float x, float y, Visit visit) const;

  float skin_ = 0;       ///< m beyond contact within which pairs are listed
  float next_skin_ = 0;  ///< of the next list
  float slack_ = 0;      ///< m, for what floats round off
  float largest_ = 0;
  std::uint64_t version_ = 0;
  std::vector<float> x_, y_, radius_;  ///< by row, when the list was made

  // Rows sorted into square boxes.
  float side_ = 1, low_x_ = 0, low_y_ = 0;
  std::uint32_t columns_ = 0, lines_ = 0;
  std::vector<std::uint32_t> box_start_, box_of_row_;
  std::vector<float> sorted_x_, sorted_y_, sorted_radius_;
  std::vector<std::uint32_t> sorted_row_;

  std::vector<Chunk> chunks_;
  std::vector<PairAcross> across_;
  std::vector<std::uint32_t> strays_;
  std::vector<std::uint8_t> is_stray_;          ///< by row
  std::vector<std::uint32_t> stray_in_, next_;  ///< the last stray of a box, and the one before it, as index into strays_, +1
};

}  // namespace throng
