// SPDX-License-Identifier: MIT
// Finding groups in a crowd that declares none: people who stay near each other with like velocities.
//
// Looked at are pairs that the neighbourhood graph joins (ALGORITHMS §1.8): in a line of five, each and the next. A pair gains a
// second for each second that it is near with like velocities and loses as much while it is not. It is *bound* once it has gained
// enough, and until it has lost half of that: who steps aside for others is still company. Groups are what bound pairs join.
// Strangers who overtake, meet or cross are near for moments; those who happen to walk alike keep more of a distance.
//
// Who stands says nothing: while both of a pair do, nothing changes. A pair is a function of what was seen, never of the order of
// rows, so a finder gives the same at any number of threads. Memory and time: some pairs for everybody who walks near somebody.
// Nothing is allocated once the lists have grown.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// Precision and recall of pairs in a mixed crowd after a minute: 0.96 and 0.97 (`throng bench groups`). With a window of 8 s and
/// a nearness of 1.4 m they are 0.89 and 0.95: people who walk the same way behind each other count as company.
struct FinderSettings {
  float near = 1.2f;   ///< m
  float like = 0.7f;   ///< m/s, difference of velocities
  float window = 12;   ///< s that a pair must gain
  float patience = 6;  ///< s that it can gain beyond
  float loss = 0.7f;   ///< s lost in a second apart
};

/// Everybody at one moment; columns of the same length.
struct FinderColumns {
  std::span<const std::uint32_t> id;
  std::span<const float> x, y, vx, vy;
};

class GroupFinder {
 public:
  explicit GroupFinder(const FinderSettings& settings = {}) : settings_(settings) {}

  /// A moment `dt` seconds after the last. `neighbours_of(row)` gives the rows somebody sees.
  template <class NeighboursOf>
  void look(const FinderColumns& now, float dt, NeighboursOf&& neighbours_of) {
    sights_.clear();
    for (std::uint32_t row = 0; row < now.id.size(); ++row)
      for (const std::uint32_t other : neighbours_of(row))
        if (other > row && other < now.id.size()) see(now, row, other);
    remember(dt);
  }

  /// Ids of the members of each group, ascending; groups by their lowest.
  std::vector<std::vector<std::uint32_t>> found() const;

  struct Pair {
    std::uint64_t ids = 0;  ///< the lower one in the upper half
    float gained = 0;       ///< s
    float bound = 0;        ///< s in all
    bool is_bound = false;
  };
  /// Those who are near now, or were not long ago; with `keeps_all` everybody who ever was.
  std::span<const Pair> pairs() const { return pairs_; }
  /// Nothing is forgotten: for those who ask at the end of a recording.
  void keep_all() { keeps_all_ = true; }

 private:
  struct Sight {
    std::uint64_t ids;
    bool is_near, stands;  ///< with like velocities; both do
  };
  void see(const FinderColumns& now, std::uint32_t row, std::uint32_t other);
  void remember(float dt);
  void gain(Pair& pair, float seconds, float dt) const;

  FinderSettings settings_;
  bool keeps_all_ = false;
  std::vector<Sight> sights_;
  std::vector<Pair> pairs_, merged_;  ///< by ids
};

/// What pairs of people join, as found() gives it.
std::vector<std::vector<std::uint32_t>> joined(std::span<const std::uint64_t> pairs);

/// How well groups were found: of pairs of people in one group.
struct PairScore {
  std::uint64_t right = 0, wrong = 0, missed = 0;
  double precision() const { return right + wrong == 0 ? 1 : static_cast<double>(right) / static_cast<double>(right + wrong); }
  double recall() const { return right + missed == 0 ? 1 : static_cast<double>(right) / static_cast<double>(right + missed); }
};
PairScore score_of(const std::vector<std::vector<std::uint32_t>>& found, const std::vector<std::vector<std::uint32_t>>& declared);

}  // namespace throng
