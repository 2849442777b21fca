// SPDX-License-Identifier: MIT
// One moment of a run as the studio shows it: everybody quantised to centimetres, and the vehicles.
//
// Rows are in ascending order of numbers, as in recordings. A frame never changes once it is made, so any number of viewers
// share it.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

namespace throng::server {

inline constexpr std::uint16_t kNoGoal = 0xffff;

inline constexpr std::uint32_t kAlone = 0xffffffffu;

struct FrameRow {
  std::uint32_t number = 0;
  std::int32_t x = 0, y = 0;  ///< cm from the document's lower corner
  std::uint32_t group = kAlone;
  std::int16_t z = 0;  ///< cm
  std::uint16_t kind = 0;
  std::uint16_t goal = kNoGoal;  ///< index of an area of the scenario
  std::uint16_t preferred = 0;   ///< cm/s
  std::uint16_t speed = 0;       ///< cm/s
  std::uint8_t heading = 0;      ///< 256 are a full turn, 0 is east, counter-clockwise
  std::uint8_t layer = 0;
  std::uint8_t level = 0;
  std::uint8_t model = 0;
  std::uint8_t radius = 0;  ///< cm
  std::uint8_t figure = 0;  ///< 0 to 5 adults, 6 and 7 children

  bool has_attributes_of(const FrameRow& o) const {
    return group == o.group && kind == o.kind && goal == o.goal && preferred == o.preferred && layer == o.layer &&
           level == o.level && model == o.model && radius == o.radius && figure == o.figure;
  }
  friend bool operator==(const FrameRow&, const FrameRow&) = default;
};

struct FrameVehicle {
  float x = 0, y = 0, z = 0, heading = 0, length = 0, width = 0;  ///< metres from the document's lower corner, radians
  friend bool operator==(const FrameVehicle&, const FrameVehicle&) = default;
};

struct Frame {
  std::uint32_t step = 0;
  double time = 0;
  std::vector<FrameRow> rows;
  std::vector<FrameVehicle> vehicles;
  bool has_marks = false;  ///< levels, models, goals and vehicles are those of the run; recordings alone do not hold them
};
using FramePointer = std::shared_ptr<const Frame>;

}  // namespace throng::server
