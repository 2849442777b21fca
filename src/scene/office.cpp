// SPDX-License-Identifier: MIT
#include "scene/office.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/random.hpp"

namespace throng {
namespace {

constexpr double kWall = 0.2;
constexpr double kPillar = 0.4;
constexpr double kDoorMargin = 0.3;     ///< from a door to the nearest corner of its room
constexpr double kCrossCorridor = 4.0;  ///< between wall centre lines
constexpr std::uint32_t kPurpose = 0x6f666663u;

struct Range {
  double low;
  double high;
};

class Floor {
 public:
  Floor(std::uint32_t rooms, std::uint64_t seed) : random_(seed, 0, kPurpose), rooms_left_(rooms) {
    half_length_ = std::clamp(3.7 * std::sqrt(static_cast<double>(rooms)), 9.0, 90.0);
    layer_.name = "floor";
  }

  Scene build() {
    const Range west{0, half_length_}, east{half_length_ + kCrossCorridor, 2 * half_length_ + kCrossCorridor};
    double y = 0;
    while (rooms_left_ > 0) {
      if (y > 0) {  // the wall at the back of this row and of the row behind it
        horizontal_wall(west, y, nullptr);
        horizontal_wall(east, y, nullptr);
      }
      const double south_front = y + random_.between(6, 8.5);
      const double north_front = south_front + random_.between(2.2, 3.2);
      const double north_back = north_front + random_.between(6, 8.5);
      for (const Range half : {west, east}) row(half, south_front, y);
      if (rooms_left_ == 0) {  // the corridor of the last row has rooms on one side only
        y = north_front;
        break;
      }
      for (const Range half : {west, east}) row(half, north_front, north_back);
      y = north_back;
    }
    for (double at = 4; at < y - 2; at += 7) pillar(half_length_ + kCrossCorridor / 2, at);

    Scene scene;
    layer_.walkable.push_back({box({0, east.high}, {0, y}), {}});
    scene.layers.push_back(std::move(layer_));
    scene.areas = std::move(areas_);
    return scene;
  }

 private:
  static Ring box(Range x, Range y) { return {{x.low, y.low}, {x.high, y.low}, {x.high, y.high}, {x.low, y.high}}; }

  void obstacle(Range x, Range y) { layer_.obstacles.push_back({box(x, y), {}}); }
  void pillar(double x, double y) { obstacle({x - kPillar / 2, x + kPillar / 2}, {y - kPillar / 2, y + kPillar / 2}); }

  /// A door somewhere between two wall centre lines.
  Range door_within(Range lines) {
    const double width = random_.between(0.8, 1.2);
    const double from = random_.between(lines.low + kWall / 2 + kDoorMargin, lines.high - kWall / 2 - kDoorMargin - width);
    return {from, from + width};
  }

  void horizontal_wall(Range x, double y, const Range* door) {
    const Range across{y - kWall / 2, y + kWall / 2}, along{x.low - kWall / 2, x.high + kWall / 2};
    if (door == nullptr) return obstacle(clipped(along), across);
    obstacle(clipped({along.low, door->low}), across);
    obstacle(clipped({door->high, along.high}), across);
  }

  void vertical_wall(double x, double y0, double y1, const Range* door) {
    const Range across{x - kWall / 2, x + kWall / 2}, along{std::min(y0, y1), std::max(y0, y1)};
    if (door == nullptr) return obstacle(across, along);
    obstacle(across, {along.low, door->low});
    obstacle(across, {door->high, along.high});
  }

  /// Walls end at the outer wall, which is the border of the walkable ground.
  Range clipped(Range x) const { return {std::max(0.0, x.low), std::min(2 * half_length_ + kCrossCorridor, x.high)}; }

  void room(Range x, double y0, double y1) {
    const double half = kWall / 2;
    const Range y{std::min(y0, y1) + half, std::max(y0, y1) - half};
    Area area;
    area.name = "room " + std::to_string(areas_.size() + 1);
    area.shape.outer = box({x.low + half, x.high - half}, y);
    areas_.push_back(std::move(area));
    --rooms_left_;
  }

  /// One row of rooms between the corridor's wall at `front` and the wall at `back`.
  void row(Range half, double front, double back) {
    double x = half.low;
    while (rooms_left_ > 0 && half.high - x >= 3) {
      double width = random_.between(3, 6.5);
      if (half.high - x - width < 3) width = std::min(half.high - x, 8.0);
      rooms({x, x + width}, front, back);
      if (x > 0) vertical_wall(x, front, back, nullptr);
      x += width;
    }
    if (x > half.low && x < 2 * half_length_ + kCrossCorridor) vertical_wall(x, front, back, nullptr);
    // What is left over is an open hall.
    for (double at = x + 3; at < half.high - 2; at += 5) pillar(at, (front + back) / 2);
  }

  /// One room, two one behind the other, or a chain of three, between side walls x.
  void rooms(Range x, double front, double back) {
    const Range entrance = door_within(x);
    horizontal_wall(x, front, &entrance);
    const double kind = random_.unit();
    const double middle = front + (back - front) * random_.between(0.45, 0.55);
    if (rooms_left_ >= 3 && kind < 0.2 && x.high - x.low > 4.6) {
      const double split = x.low + (x.high - x.low) * random_.between(0.45, 0.55);
      const Range second = door_within({x.low, split});
      const Range third = door_within({std::min(middle, back), std::max(middle, back)});
      room(x, front, middle);
      room({x.low, split}, middle, back);
      room({split, x.high}, middle, back);
      horizontal_wall(x, middle, &second);
      vertical_wall(split, middle, back, &third);
    } else if (rooms_left_ >= 2 && kind < 0.4) {
      const Range second = door_within(x);
      room(x, front, middle);
      room(x, middle, back);
      horizontal_wall(x, middle, &second);
    } else {
      room(x, front, back);
    }
  }

  RandomStream random_;
  std::uint32_t rooms_left_;
  double half_length_;
  Layer layer_;
  std::vector<Area> areas_;
};

}  // namespace

Scene make_office(std::uint32_t rooms, std::uint64_t seed) {
  rooms = std::clamp<std::uint32_t>(rooms, 1, kMaxRooms);
  Scene scene = Floor(rooms, seed).build();
  scene.name = "office:" + std::to_string(rooms) + (seed == 1 ? "" : ",seed=" + std::to_string(seed));
  return scene;
}

}  // namespace throng
