// SPDX-License-Identifier: MIT
// Frames through the codec: every bit comes back, whatever the numbers, the order of agents, and who comes and goes.
#include <bit>
#include <limits>

#include "walkers.hpp"

namespace throng {
namespace {

void expect_same_bits(const std::vector<float>& expected, const std::vector<float>& got) {
  ASSERT_EQ(expected.size(), got.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint32_t>(expected[i]), std::bit_cast<std::uint32_t>(got[i])) << expected[i] << " " << got[i];
}

void expect_round_trip(const std::vector<OwnedFrame>& frames) {
  FrameEncoder encoder;
  ByteWriter bytes;
  for (const OwnedFrame& f : frames) ASSERT_EQ(encoder.encode(f.columns(), bytes), -1);
  FrameDecoder decoder(bytes.bytes());
  DecodedFrame got;
  for (const OwnedFrame& f : frames) {
    ASSERT_FALSE(decoder.at_end() && !f.id.empty());
    ASSERT_TRUE(decoder.decode(got));
    const OwnedFrame expected = f.sorted();
    ASSERT_EQ(got.facts.size(), expected.id.size());
    for (std::size_t i = 0; i < got.facts.size(); ++i) ASSERT_EQ(got.facts[i].id, expected.id[i]);
    expect_same_bits(expected.x, got.x);
    expect_same_bits(expected.y, got.y);
    expect_same_bits(expected.z, got.z);
    expect_same_bits(expected.heading_x, got.heading_x);
    expect_same_bits(expected.heading_y, got.heading_y);
    ASSERT_EQ(expected.layer, got.layer);
  }
  EXPECT_TRUE(decoder.at_end());
}

TEST(FrameCodec, walkers_who_come_and_go_in_changing_order_come_back_bit_for_bit) {
  std::vector<OwnedFrame> frames;
  for (std::uint32_t k = 0; k < 140; ++k) frames.push_back(walkers_at(k, 60));
  EXPECT_TRUE(frames.back().id.empty());
  expect_round_trip(frames);
}

TEST(FrameCodec, arbitrary_bits_survive) {
  RandomStream random(1, 2, 3);
  const float odd[] = {0.0f, -0.0f, 1e-45f, -1e-45f, std::numeric_limits<float>::min(), kFarthest, -kFarthest, 1, -1, 0.5f};
  const auto any = [&](bool place) {
    if (random.chance(0.3)) return odd[random.integer(0, 9)];
    while (true) {
      const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random.bits()));
      if (place ? is_near(value) : std::isfinite(value)) return value;
    }
  };
  std::vector<OwnedFrame> frames(50);
  for (OwnedFrame& f : frames) {
    for (std::uint32_t i = 0; i < 200; ++i) {
      if (random.chance(0.1)) continue;
      f.id.push_back(i * 0x01234567u);  // large ids, in no order
      f.x.push_back(any(true)), f.y.push_back(any(true)), f.z.push_back(any(true));
      f.heading_x.push_back(any(false)), f.heading_y.push_back(any(false));
      f.layer.push_back(static_cast<std::uint16_t>(random.bits()));
      f.radius.push_back(0.25f), f.preferred_speed.push_back(1.5f), f.kind.push_back(65535);
    }
  }
  expect_round_trip(frames);
}

TEST(FrameCodec, facts_come_back_with_the_agents) {
  OwnedFrame frame = walkers_at(30, 20);
  FrameEncoder encoder;
  ByteWriter bytes;
  encoder.encode(frame.columns(), bytes);
  FrameDecoder decoder(bytes.bytes());
  DecodedFrame got;
  ASSERT_TRUE(decoder.decode(got));
  const OwnedFrame expected = frame.sorted();
  for (std::size_t i = 0; i < got.facts.size(); ++i)
    EXPECT_EQ(got.facts[i], (AgentFacts{expected.id[i], expected.radius[i], expected.preferred_speed[i], expected.kind[i]}));
}

TEST(FrameCodec, absent_columns_are_zero) {
  OwnedFrame frame = walkers_at(30, 20);
  FrameColumns columns{.id = frame.id, .x = frame.x, .y = frame.y, .heading_x = frame.heading_x, .heading_y = frame.heading_y};
  FrameEncoder encoder;
  ByteWriter bytes;
  ASSERT_EQ(encoder.encode(columns, bytes), -1);
  FrameDecoder decoder(bytes.bytes());
  DecodedFrame got;
  ASSERT_TRUE(decoder.decode(got));
  for (std::size_t i = 0; i < got.facts.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(got.z[i]), 0u);
    EXPECT_EQ(got.layer[i], 0);
    EXPECT_EQ(got.facts[i].radius, 0);
  }
}

TEST(FrameCodec, a_place_that_is_no_number_is_named_and_nothing_is_written) {
  const float bad[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -1e9f};
  for (const float value : bad) {
    OwnedFrame frame = walkers_at(30, 20);
    frame.y[3] = value;
    FrameEncoder encoder;
    ByteWriter bytes;
    EXPECT_EQ(encoder.encode(frame.columns(), bytes), 3);
    EXPECT_TRUE(bytes.bytes().empty());
  }
}

TEST(FrameCodec, steady_walkers_need_few_bits) {
  // The control: the same numbers shuffled over time do not follow from each other.
  const auto plane_zeros = [](bool shuffled) {
    FrameEncoder encoder;
    ByteWriter bytes;
    for (std::uint32_t k = 0; k < 32; ++k) encoder.encode(walkers_at(40 + (shuffled ? k * 13 % 32 : k), 60).columns(), bytes);
    const auto zeros = static_cast<double>(std::count(bytes.bytes().begin(), bytes.bytes().end(), '\0'));
    return zeros / static_cast<double>(bytes.bytes().size());
  };
  EXPECT_GT(plane_zeros(false), plane_zeros(true) + 0.2);
}

}  // namespace
}  // namespace throng
