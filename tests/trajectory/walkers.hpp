// SPDX-License-Identifier: MIT
// People for tests of recordings and metrics: some walk, some come and go, and the columns are in another order every few frames,
// as a world that sorts its agents leaves them. The same numbers give the same people.
#pragma once
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "trajectory/frame_codec.hpp"

namespace throng {

/// Columns that own their numbers.
struct OwnedFrame {
  std::vector<std::uint32_t> id;
  std::vector<float> x, y, heading_x, heading_y, z, radius, preferred_speed;
  std::vector<std::uint16_t> layer, kind;

  FrameColumns columns() const { return {id, x, y, heading_x, heading_y, z, layer, radius, preferred_speed, kind}; }

  /// The same people by ascending id: how recordings give them back.
  OwnedFrame sorted() const {
    std::vector<std::size_t> order(id.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return id[a] < id[b]; });
    OwnedFrame result;
    for (const std::size_t i : order) result.add(*this, i);
    return result;
  }
  void add(const OwnedFrame& other, std::size_t i) {
    id.push_back(other.id[i]);
    x.push_back(other.x[i]), y.push_back(other.y[i]), z.push_back(other.z[i]);
    heading_x.push_back(other.heading_x[i]), heading_y.push_back(other.heading_y[i]);
    radius.push_back(other.radius[i]), preferred_speed.push_back(other.preferred_speed[i]);
    layer.push_back(other.layer[i]), kind.push_back(other.kind[i]);
  }
};

/// Person `i` is there from frame 3 i % 40 on, for 30 to 89 frames, and walks to the right (even) or left (odd) in a 20 × 6 m
/// hall.
inline OwnedFrame walkers_at(std::uint32_t frame, std::uint32_t people, std::uint64_t seed = 7) {
  OwnedFrame result;
  for (std::uint32_t n = 0; n < people; ++n) {
    const std::uint32_t i = frame / 5 % 2 ? people - 1 - n : n;
    const auto draw = [&](std::uint32_t purpose) { return unit_from_bits(random_bits(seed, i, 0, purpose)); };
    const std::uint32_t appear = 3 * i % 40, stay = 30 + static_cast<std::uint32_t>(60 * draw(1));
    if (frame < appear || frame >= appear + stay) continue;
    const double t = 0.1 * (frame - appear), way = i % 2 ? -1 : 1, wiggle = 0.3 * std::sin(t + i);
    result.id.push_back(1000 + 17 * i);
    result.x.push_back(static_cast<float>(10 + way * (1.3 * t - 6 - 3 * draw(2))));
    result.y.push_back(static_cast<float>(0.5 + 5 * draw(3) + wiggle));
    const double turn = std::atan2(0.3 * std::cos(t + i), way * 1.3);
    result.heading_x.push_back(static_cast<float>(std::cos(turn)));
    result.heading_y.push_back(static_cast<float>(std::sin(turn)));
    result.z.push_back(frame > appear + 20 ? 3.5f : 0.0f);
    result.layer.push_back(frame > appear + 20);
    result.radius.push_back(static_cast<float>(0.2 + 0.1 * draw(4)));
    result.preferred_speed.push_back(1.3f);
    result.kind.push_back(static_cast<std::uint16_t>(i % 3));
  }
  return result;
}

/// `frames` of them as a Trajectory, all on one floor.
inline Trajectory walkers_trajectory(std::uint32_t frames, std::uint32_t people, std::uint64_t seed = 7) {
  Trajectory t;
  t.frame_seconds = 0.1;
  t.geometry_wkt = "POLYGON ((-20 0, 40 0, 40 6, -20 6, -20 0))";
  std::vector<std::uint32_t> ids;
  for (std::uint32_t k = 0; k < frames; ++k) {
    OwnedFrame f = walkers_at(k, people, seed).sorted();
    std::fill(f.z.begin(), f.z.end(), 0.0f);
    std::fill(f.layer.begin(), f.layer.end(), std::uint16_t{0});
    std::vector<std::uint32_t> agent;
    for (std::size_t i = 0; i < f.id.size(); ++i) {
      auto at = std::find(ids.begin(), ids.end(), f.id[i]);
      if (at == ids.end()) {
        t.agents.push_back({f.id[i], f.radius[i], f.preferred_speed[i], 0});
        at = ids.insert(ids.end(), f.id[i]);
      }
      agent.push_back(static_cast<std::uint32_t>(at - ids.begin()));
    }
    t.append({k, 0.1 * k, t.agents, agent, f.x, f.y, f.heading_x, f.heading_y, f.z, f.layer});
  }
  return t;
}

/// A folder of its own for every test, gone afterwards.
class FilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("throng_trajectory_" + std::to_string(::getpid()) + "_" +
                                                        ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string slurp(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static void write(const std::string& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

  std::filesystem::path folder_;
};

}  // namespace throng
