// SPDX-License-Identifier: MIT
#include "fields/wheel_queue.hpp"

#include <queue>
#include <random>
#include <utility>

#include <gtest/gtest.h>

namespace throng {
namespace {

TEST(WheelQueue, gives_entries_in_exactly_the_order_of_a_heap) {
  // Steps from far below the width of a slice to far beyond the wheel, many of them equal; seeds all over; the queue is used
  // again.
  WheelQueue queue;
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    std::mt19937 random(seed);
    const float width = seed % 3 == 0 ? 0.01f : seed % 3 == 1 ? 1.0f : 300.0f;
    queue.clear(width);
    std::priority_queue<std::pair<float, std::uint32_t>, std::vector<std::pair<float, std::uint32_t>>, std::greater<>> heap;
    const auto push = [&](float key) {
      const auto number = static_cast<std::uint32_t>(random() % 1000);
      queue.push(key, number), heap.emplace(key, number);
    };
    for (int i = 0; i < 20; ++i) push(static_cast<float>(random() % 100000) / 10);
    for (int i = 0; i < 5000 && !heap.empty(); ++i) {
      WheelQueue::Entry least;
      ASSERT_TRUE(queue.pop(least, [](std::uint32_t) { return false; }));
      ASSERT_EQ(std::make_pair(least.key, least.number), heap.top()) << seed << " " << i;
      heap.pop();
      for (std::uint32_t k = random() % (i < 2000 ? 4 : 2); k > 0; --k) {
        constexpr float kSteps[] = {0, 0.001f, 0.5f, 1, 7, 90, 260, 1000, 40000};
        push(least.key + kSteps[random() % 9]);
      }
    }
    while (!heap.empty()) {
      WheelQueue::Entry least;
      ASSERT_TRUE(queue.pop(least, [](std::uint32_t) { return false; }));
      ASSERT_EQ(std::make_pair(least.key, least.number), heap.top());
      heap.pop();
    }
    WheelQueue::Entry least;
    EXPECT_FALSE(queue.pop(least, [](std::uint32_t) { return false; }));
  }
}

}  // namespace
}  // namespace throng
