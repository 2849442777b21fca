// SPDX-License-Identifier: MIT
#include "base/profile.hpp"

#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace throng {
namespace {

std::vector<std::string> names(const StageTimer& timer) {
  std::vector<std::string> result;
  for (const StageTime& stage : timer.stages()) result.push_back(stage.name);
  return result;
}

TEST(StageTimer, KeepsStagesInTheOrderTheyFirstBegan) {
  StageTimer timer;
  timer.begin("read");
  timer.begin("triangulate");
  timer.begin("read");
  timer.end();
  EXPECT_EQ(names(timer), (std::vector<std::string>{"read", "triangulate"}));
}

TEST(StageTimer, MeasuresAtLeastTheTimeThatPassed) {
  StageTimer timer;
  for (int i = 0; i < 2; ++i) {
    timer.begin("sleep");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    timer.begin("nothing");
  }
  timer.end();
  EXPECT_GE(timer.stages()[0].ms, 10.0);
  EXPECT_DOUBLE_EQ(timer.total_ms(), timer.stages()[0].ms + timer.stages()[1].ms);
}

TEST(StageTimer, TimeBetweenStagesBelongsToNone) {
  StageTimer timer;
  timer.begin("first");
  timer.end();
  const double before = timer.total_ms();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  timer.end();
  EXPECT_EQ(timer.total_ms(), before);
}

TEST(PeakMemory, GrowsByWhatIsTouchedAndFallsAfterAReset) {
  constexpr std::size_t kSize = 64u << 20;
  const std::uint64_t before = peak_memory_bytes();
  ASSERT_GT(before, 1u << 20);
  // Straight from the system: an allocator (or ASan's quarantine) may keep what is freed.
  void* const block = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(block, MAP_FAILED);
  std::memset(block, 1, kSize);
  // The peak may have been above what is held now, which hides part of the growth.
  EXPECT_GE(peak_memory_bytes(), before + kSize / 2);
  const std::uint64_t held = resident_memory_bytes();
  EXPECT_GE(held, kSize);
  EXPECT_LE(held, peak_memory_bytes() + kSize / 8) << "the kernel counts in batches";
  munmap(block, kSize);
  EXPECT_LE(resident_memory_bytes() + kSize / 2, held);
  const std::uint64_t high = peak_memory_bytes();
  if (!reset_peak_memory()) GTEST_SKIP() << "skipped: this system cannot reset the peak";
  EXPECT_LT(peak_memory_bytes(), high);
}

}  // namespace
}  // namespace throng
