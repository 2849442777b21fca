// SPDX-License-Identifier: MIT
// Pushing people apart who would overlap: the last phase of a step, common to all motion models.
//
// Jacobi: in each sweep everybody reads the positions of the sweep before and takes its own half of every overlap it is in, so
// the result depends on no order. People keep 1 % more than contact, so that the last bits of an overlap do not take for ever.
// Those who touch nobody within reach, nearly everybody on an open place, are left out after a first look; a sweep leaves out
// who was at rest, with all it may touch, in the sweep before: it would stay there to the bit.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/tasks.hpp"
#include "motion/frozen.hpp"

namespace throng {

/// People keep so many times the sum of their radii.
inline constexpr float kBeyondContact = 1.01f;

/// What pushing apart does to somebody.
enum class PushedApart : std::uint8_t {
  kMoves,       ///< takes its half of each overlap
  kLeftOut,     ///< neither pushed nor pushes
  kStandsFast,  ///< is not pushed; others give way, half of what is left in each sweep
};

class Separation {
 public:
  /// Corrects agents.next.x and y. `stands_out` says who is pushed how (PushedApart); empty: all move.
  void run(const Frozen& world, Agents& agents, unsigned sweeps, std::span<const std::uint8_t> stands_out, TaskRunner& tasks);

 private:
  static constexpr std::size_t kGrain = 256;
  static constexpr std::uint32_t kMostContacts = 12;
  /// Somebody who touches, or nearly, and whom.
  struct Row {
    std::uint32_t self;
    std::uint32_t contacts;
    std::uint32_t other[kMostContacts];
  };

  /// One generation of places, and who came there in the last sweep.
  struct Places {
    float* x;
    float* y;
    std::uint8_t* moved;
  };

  void look(const Frozen& world, Places at, std::span<const std::uint8_t> stands_out, std::size_t begin, std::size_t end);
  static bool push(const Frozen& world, const Row& row, Places from, Places to);

  std::vector<Row> rows_;            ///< those of agents [k·kGrain, (k+1)·kGrain) from k·kGrain on,
  std::vector<std::uint32_t> used_;  ///< so many of them
  std::vector<float> x_, y_;         ///< every other sweep writes here
  std::vector<std::uint8_t> moved_[2];
};

}  // namespace throng
