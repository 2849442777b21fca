// SPDX-License-Identifier: MIT
// The geometry doctor: what is suspicious about a scene before anything is baked from it, where, why, and what to do about it.
//
// The bake itself accepts all of this (it snaps, splits crossings and fills by winding), so nothing here stops anybody; but a gap
// of 2 cm in a wall, an outline that crosses itself or a plan in millimetres gives ground that nobody drew. What needs the baked
// cells (ground nobody can reach, passages narrower than a person) is in navigation/doctor_cells.hpp.
#pragma once
#include <string>
#include <vector>

#include <throng/result.hpp>
#include <throng/scene.hpp>

namespace throng {

struct Finding {
  enum Severity { kError, kWarning, kNote };
  Severity severity = kWarning;
  std::string code;           ///< what kind, for programs: "open-wall", "self-crossing", …
  Vec2 place;                 ///< metres in the scene's coordinates
  std::vector<Vec2> outline;  ///< what to mark in a picture; may be empty
  Problem problem;            ///< where ("layer 0, obstacle 3 at (12.5, 3)"), what, and how to mend it
};

/// Codes: bad-number, too-few-points, zero-area, self-crossing, sliver, needle, duplicate, outside-walkable, zero-length-wall,
/// open-wall, dangling-wall, swallows-all, joint-heights, no-ground, units, up-axis, bad-area. At most `kMaxFindingsPerCode` of
/// each are listed; a last note says how many there were. Sorted by severity. O(n log n) for n edges of usual, bounded local
/// density.
std::vector<Finding> examine(const Scene& scene);

inline constexpr std::size_t kMaxFindingsPerCode = 50;

/// Sorted by severity, the order of equals kept; no code more than kMaxFindingsPerCode times, and a note where there were more.
std::vector<Finding> shortened(std::vector<Finding> all);

/// "(12.5, 3)", metres, as findings name places.
std::string place_words(Vec2 p);

}  // namespace throng
