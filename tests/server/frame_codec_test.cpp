// SPDX-License-Identifier: MIT
#include "frame_codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "server/decoder.hpp"

namespace throng::server {
namespace {

using test::Decoder;

void expect_same(const Decoder& seen, const Frame& frame) {
  ASSERT_EQ(seen.people.size(), frame.rows.size());
  EXPECT_EQ(seen.step, frame.step);
  EXPECT_EQ(seen.time, frame.time);
  std::map<std::uint32_t, const test::Person*> by_number;
  for (const test::Person& p : seen.people) by_number[p.number] = &p;
  for (const FrameRow& row : frame.rows) {
    ASSERT_TRUE(by_number.contains(row.number));
    const test::Person& p = *by_number[row.number];
    EXPECT_EQ(p.x, row.x);
    EXPECT_EQ(p.y, row.y);
    EXPECT_EQ(p.z, row.z);
    EXPECT_EQ(p.heading, row.heading);
    EXPECT_EQ(p.layer, row.layer);
    EXPECT_EQ(p.level, row.level);
    EXPECT_EQ(p.model, row.model);
    EXPECT_EQ(p.kind, row.kind);
    EXPECT_EQ(p.group, row.group);
    EXPECT_EQ(p.goal, row.goal);
    EXPECT_EQ(p.radius, row.radius);
    EXPECT_EQ(p.figure, row.figure);
    EXPECT_EQ(p.preferred, row.preferred);
  }
  ASSERT_EQ(seen.cars.size(), frame.vehicles.size());
  for (std::size_t i = 0; i < seen.cars.size(); ++i) {
    EXPECT_EQ(seen.cars[i].x, frame.vehicles[i].x);
    EXPECT_EQ(seen.cars[i].z, frame.vehicles[i].z);
    EXPECT_EQ(seen.cars[i].width, frame.vehicles[i].width);
  }
}

/// A crowd in which everything happens: people come, leave, come back, jump, climb, change what they are.
struct Crowd {
  explicit Crowd(unsigned seed) : random(seed) {}
  std::mt19937 random;
  Frame frame;
  std::vector<FrameRow> away;
  std::uint32_t next = 1;
  std::map<std::uint32_t, std::pair<double, double>> velocity;

  double unit() { return std::uniform_real_distribution<double>(0, 1)(random); }
  void step(double wildness) {
    ++frame.step;
    frame.time = 0.1 * frame.step;
    std::vector<FrameRow> rows;
    for (FrameRow row : frame.rows) {
      if (unit() < 0.02 * wildness) {
        away.push_back(row);
        continue;
      }
      auto& [vx, vy] = velocity[row.number];
      vx = 0.95 * vx + 2 * (unit() - 0.5), vy = 0.95 * vy + 2 * (unit() - 0.5);
      row.x += static_cast<std::int32_t>(std::lround(vx));
      row.y += static_cast<std::int32_t>(std::lround(vy));
      row.heading = static_cast<std::uint8_t>(row.heading + static_cast<int>(5 * unit()));
      if (unit() < 0.05 * wildness) row.x += static_cast<std::int32_t>(20000 * (unit() - 0.5));
      if (unit() < 0.01 * wildness) row.y += 5'000'000;
      if (unit() < 0.1 * wildness) row.z = static_cast<std::int16_t>(row.z + 400 * (unit() - 0.5));
      if (unit() < 0.03 * wildness) row.level = static_cast<std::uint8_t>(3 * unit());
      if (unit() < 0.03 * wildness) row.goal = static_cast<std::uint16_t>(5 * unit());
      if (unit() < 0.01 * wildness) row.layer = static_cast<std::uint8_t>(4 * unit());
      rows.push_back(row);
    }
    while (unit() < 0.7) {
      FrameRow row;
      row.number = next++;
      row.x = static_cast<std::int32_t>(10000 * unit()), row.y = static_cast<std::int32_t>(10000 * unit());
      row.radius = 20, row.preferred = 134, row.kind = static_cast<std::uint16_t>(3 * unit());
      rows.push_back(row);
    }
    if (!away.empty() && unit() < 0.3 * wildness) {  // from a ride: an old number behind younger ones
      rows.push_back(away.back());
      away.pop_back();
    }
    std::sort(rows.begin(), rows.end(), [](const FrameRow& a, const FrameRow& b) { return a.number < b.number; });
    frame.rows = rows;
    frame.vehicles.assign(static_cast<std::size_t>(3 * unit()), {1.5f, 2, 7, 3, 4, 5});
  }
};

TEST(FrameCodec, WhatAViewerDecodesIsTheFrameWhateverHappensInIt) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    Crowd crowd(seed);
    FrameCoder coder;
    Decoder viewer;
    for (int i = 0; i < 120; ++i) {
      crowd.step(seed % 3 == 0 ? 0 : 1);
      if (crowd.unit() < 0.3) continue;  // lost on the way: the next difference is to what was sent
      if (crowd.unit() < 0.02) coder.restart();
      ASSERT_NO_THROW(viewer.apply(coder.encode(crowd.frame, 0))) << "seed " << seed << " step " << i;
      expect_same(viewer, crowd.frame);
      if (HasFailure()) FAIL() << "seed " << seed << " step " << i;
    }
  }
}

TEST(FrameCodec, TheFirstFrameAndThoseAfterARestartOrOfAnotherBranchAreKeyFrames) {
  Crowd crowd(7);
  for (int i = 0; i < 20; ++i) crowd.step(0);
  FrameCoder coder;
  Decoder viewer;
  viewer.apply(coder.encode(crowd.frame, 0));
  EXPECT_TRUE(viewer.is_key);
  viewer.apply(coder.encode(crowd.frame, 0));
  EXPECT_FALSE(viewer.is_key);
  viewer.apply(coder.encode(crowd.frame, 1));
  EXPECT_TRUE(viewer.is_key);
  EXPECT_EQ(viewer.branch, 1);
  coder.restart();
  viewer.apply(coder.encode(crowd.frame, 1));
  EXPECT_TRUE(viewer.is_key);
  expect_same(viewer, crowd.frame);
}

TEST(FrameCodec, PeopleWhoWalkOnCostTwoBytesAndPeopleWhoJumpFourMore) {
  Frame frame;
  constexpr std::uint32_t kPeople = 1000;
  for (std::uint32_t i = 0; i < kPeople; ++i) {
    frame.rows.emplace_back();
    frame.rows.back().number = i + 1;
    frame.rows.back().x = static_cast<std::int32_t>(100 * i);
  }
  FrameCoder coder;
  coder.encode(frame, 0);
  for (FrameRow& row : frame.rows) row.x += 13;  // faster than half a byte says: an escape
  EXPECT_EQ(coder.encode(frame, 0).size(), 36 + 6 * kPeople);
  for (FrameRow& row : frame.rows) row.x += 13;  // as predicted
  EXPECT_EQ(coder.encode(frame, 0).size(), 36 + 2 * kPeople);
}

}  // namespace
}  // namespace throng::server
