// SPDX-License-Identifier: MIT
// A decoder of the studio's binary frames, written from docs/formats/studio.md and nothing else.
#pragma once
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace throng::test {

struct Person {
  std::uint32_t number;
  std::int32_t x, y;
  std::int16_t z;
  std::uint8_t heading, layer, level, model;
  std::uint16_t kind;
  std::uint32_t group;
  std::uint16_t goal;
  std::uint8_t radius, figure;
  std::uint16_t preferred, speed;
  std::int32_t before_x, before_y;
};
struct Car {
  float x, y, z, heading, length, width;
};

class Decoder {
 public:
  bool is_key = false;
  std::uint16_t branch = 0;
  std::uint32_t step = 0;
  double time = 0;
  std::vector<Person> people;
  std::vector<Car> cars;

  void apply(std::string_view bytes) {
    rest_ = bytes;
    if (take<std::uint8_t>() != 1) throw std::runtime_error("not a frame");
    const auto flags = take<std::uint8_t>();
    is_key = (flags & 1) != 0;
    branch = take<std::uint16_t>();
    step = take<std::uint32_t>();
    time = take<double>();
    const auto n = take<std::uint32_t>(), r = take<std::uint32_t>(), a = take<std::uint32_t>(), c = take<std::uint32_t>();
    const auto v = take<std::uint16_t>();
    take<std::uint16_t>();
    if (is_key) people.clear();
    std::vector<std::uint32_t> removed;
    for (std::uint32_t i = 0; i < r; ++i) removed.push_back(take<std::uint32_t>());
    for (std::size_t i = removed.size(); i-- > 0;) people.erase(people.begin() + removed[i]);
    const std::size_t old = people.size();
    for (std::uint32_t i = 0; i < a; ++i) people.push_back(record());
    for (std::uint32_t i = 0; i < c; ++i) {
      const auto index = take<std::uint32_t>();
      people.at(index) = record();
    }
    if (people.size() != n) throw std::runtime_error("the count is wrong");
    if (!is_key) {
      std::vector<std::uint8_t> codes;
      for (std::size_t i = 0; i < old; ++i) codes.push_back(take<std::uint8_t>());
      for (std::size_t i = 0; i < old; ++i) {
        std::int32_t dx = (codes[i] >> 4) - 8, dy = (codes[i] & 15) - 8;
        if (codes[i] == 0) {
          dx = take<std::int16_t>();
          dy = take<std::int16_t>();
        }
        Person& p = people[i];
        const std::int32_t x = p.x + (p.x - p.before_x) + dx, y = p.y + (p.y - p.before_y) + dy;
        p.before_x = p.x, p.before_y = p.y;
        p.x = x, p.y = y;
      }
      for (std::size_t i = 0; i < old; ++i) people[i].heading = take<std::uint8_t>();
      if ((flags & 2) != 0)
        for (std::size_t i = 0; i < old; ++i) people[i].z = static_cast<std::int16_t>(people[i].z + take<std::int8_t>());
    }
    cars.clear();
    for (std::uint16_t i = 0; i < v; ++i) {
      Car car{};
      car.x = take<float>(), car.y = take<float>(), car.z = take<float>(), car.heading = take<float>(),
      car.length = take<float>(), car.width = take<float>();
      cars.push_back(car);
    }
    if (!rest_.empty()) throw std::runtime_error("bytes are left over");
  }

 private:
  template <class T>
  T take() {
    if (rest_.size() < sizeof(T)) throw std::runtime_error("it ends too early");
    T value;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  Person record() {
    Person p{};
    p.number = take<std::uint32_t>();
    p.x = take<std::int32_t>(), p.y = take<std::int32_t>();
    p.z = take<std::int16_t>();
    p.heading = take<std::uint8_t>(), p.layer = take<std::uint8_t>(), p.level = take<std::uint8_t>(),
    p.model = take<std::uint8_t>();
    p.kind = take<std::uint16_t>();
    p.group = take<std::uint32_t>();
    p.goal = take<std::uint16_t>();
    p.radius = take<std::uint8_t>(), p.figure = take<std::uint8_t>();
    p.preferred = take<std::uint16_t>(), p.speed = take<std::uint16_t>();
    p.before_x = p.x, p.before_y = p.y;
    return p;
  }
  std::string_view rest_;
};

}  // namespace throng::test
