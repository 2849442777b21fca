// SPDX-License-Identifier: MIT
// The colours of all our pictures: quiet greys for what is built, viridis for quantities, Okabe & Ito's eight for kinds. The last
// two keep their order for colour-blind readers and in print.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "geometry/draw_stream.hpp"

namespace throng {

inline constexpr Color kPaper{255, 255, 255};
inline constexpr Color kInk{34, 34, 34};
inline constexpr Color kFaintInk{120, 120, 120};
inline constexpr Color kSolidGrey{205, 207, 210};  ///< built or outside
inline constexpr Color kObstacleGrey{176, 179, 184};
inline constexpr Color kWallGrey{70, 74, 80};

inline constexpr Color kBlack{0, 0, 0};
inline constexpr Color kOrange{230, 159, 0};
inline constexpr Color kSkyBlue{86, 180, 233};
inline constexpr Color kBluishGreen{0, 158, 115};
inline constexpr Color kYellow{240, 228, 66};
inline constexpr Color kBlue{0, 114, 178};
inline constexpr Color kVermillion{213, 94, 0};
inline constexpr Color kReddishPurple{204, 121, 167};

/// Okabe & Ito 2008, the yellow (too pale for lines on paper) last.
inline constexpr std::array<Color, 8> kKinds{kBlue,   kVermillion, kBluishGreen, kReddishPurple,
                                             kOrange, kSkyBlue,    kBlack,       kYellow};
constexpr Color kind_color(std::size_t kind) { return kKinds[kind % kKinds.size()]; }

/// a + share · (b - a).
constexpr Color mixed(Color a, Color b, double share) {
  const auto channel = [share](std::uint8_t from, std::uint8_t to) {
    return static_cast<std::uint8_t>(from + share * (to - from) + 0.5);
  };
  return {channel(a.r, b.r), channel(a.g, b.g), channel(a.b, b.b), channel(a.a, b.a)};
}

/// Towards white: 0 keeps the colour, 1 is paper.
constexpr Color pale(Color c, double share) { return mixed(c, {255, 255, 255, c.a}, share); }

/// matplotlib's viridis (CC0), interpolated between 11 of its entries; `value` is clamped to [0, 1].
constexpr Color viridis(double value) {
  constexpr std::array<Color, 11> kTable{{{68, 1, 84},
                                          {72, 36, 117},
                                          {65, 68, 135},
                                          {53, 95, 141},
                                          {42, 120, 142},
                                          {33, 145, 140},
                                          {34, 168, 132},
                                          {68, 191, 112},
                                          {122, 209, 81},
                                          {189, 223, 38},
                                          {253, 231, 37}}};
  const double place = (value > 0 ? std::min(value, 1.0) : 0.0) * (kTable.size() - 1);
  const std::size_t below = std::min<std::size_t>(static_cast<std::size_t>(place), kTable.size() - 2);
  return mixed(kTable[below], kTable[below + 1], place - static_cast<double>(below));
}

/// A light tint for the i-th of many things (cells, zones, components): the same for the same i everywhere, and unlike for i and
/// i + 1.
constexpr Color tint(std::uint32_t i) {
  // Golden-ratio steps through the hues of a fixed light, with three degrees of paleness.
  const std::uint32_t hash = (i + 1) * 0x9E3779B9u;
  const double hue = (hash >> 8) / 16777216.0 * 6;
  const double paleness = 0.62 + 0.07 * static_cast<double>((i * 7u) % 3u);
  const int sector = static_cast<int>(hue);
  const double rise = hue - sector;
  const auto level = [](double v) { return static_cast<std::uint8_t>(40 + 190 * v + 0.5); };
  Color c;
  switch (sector) {
    case 0:
      c = {level(1), level(rise), level(0)};
      break;
    case 1:
      c = {level(1 - rise), level(1), level(0)};
      break;
    case 2:
      c = {level(0), level(1), level(rise)};
      break;
    case 3:
      c = {level(0), level(1 - rise), level(1)};
      break;
    case 4:
      c = {level(rise), level(0), level(1)};
      break;
    default:
      c = {level(1), level(0), level(1 - rise)};
      break;
  }
  return pale(c, paleness);
}

}  // namespace throng
