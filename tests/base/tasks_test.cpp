// SPDX-License-Identifier: MIT
#include "base/tasks.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace throng {
namespace {

struct Chunk {
  std::size_t begin, end;
  auto operator<=>(const Chunk&) const = default;
};

std::vector<Chunk> chunks_of(TaskRunner& runner, std::size_t count, std::size_t grain) {
  std::mutex mutex;
  std::vector<Chunk> chunks;
  runner.parallel_for(count, grain, [&](std::size_t begin, std::size_t end, unsigned) {
    const std::scoped_lock lock(mutex);
    chunks.push_back({begin, end});
  });
  std::sort(chunks.begin(), chunks.end());
  return chunks;
}

/// The promise of tasks.hpp, written down a second time.
std::vector<Chunk> promised_chunks(std::size_t count, std::size_t grain) {
  std::vector<Chunk> chunks;
  for (std::size_t i = 0; i * grain < count; ++i) chunks.push_back({i * grain, std::min((i + 1) * grain, count)});
  return chunks;
}

TEST(Tasks, ChunksDependOnCountAndGrainOnly) {
  for (const unsigned workers : {1u, 2u, 3u, 8u}) {
    const std::unique_ptr<TaskRunner> runner = make_task_runner(workers);
    ASSERT_EQ(runner->worker_count(), workers);
    for (const std::size_t count : {0u, 1u, 7u, 64u, 65u, 1000u}) {
      for (const std::size_t grain : {1u, 7u, 64u, 1000u, 5000u}) {
        EXPECT_EQ(chunks_of(*runner, count, grain), promised_chunks(count, grain)) << workers << ' ' << count << ' ' << grain;
      }
    }
  }
}

TEST(Tasks, AHugeGrainDoesNotOverflow) {
  TaskPool pool(2);
  EXPECT_EQ(chunks_of(pool, 10, SIZE_MAX), (std::vector<Chunk>{{0, 10}}));
  InlineTasks inline_tasks;
  EXPECT_EQ(chunks_of(inline_tasks, 10, SIZE_MAX), (std::vector<Chunk>{{0, 10}}));
}

TEST(Tasks, EveryIndexIsVisitedOnceAndTheResultIsVisibleToTheCaller) {
  TaskPool pool(4);
  std::vector<int> visits(10'000, 0);
  for (int repeat = 1; repeat <= 200; ++repeat) {
    pool.parallel_for(visits.size(), 37, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
    ASSERT_TRUE(std::all_of(visits.begin(), visits.end(), [&](int n) { return n == repeat; })) << repeat;
  }
}

TEST(Tasks, AWorkerIndexIsNeverHeldByTwoBodiesAtOnce) {
  TaskPool pool(4);
  std::vector<std::atomic<int>> holders(pool.worker_count());
  std::atomic<bool> clash = false;
  pool.parallel_for(2000, 1, [&](std::size_t, std::size_t, unsigned worker) {
    if (worker >= holders.size() || holders[worker].fetch_add(1) != 0) clash = true;
    std::this_thread::yield();
    holders[worker].fetch_sub(1);
  });
  EXPECT_FALSE(clash);
}

TEST(Tasks, AllWorkersTakePart) {
  TaskPool pool(3);
  // Each chunk waits until all three have begun, which needs three workers inside at the same time.
  std::atomic<int> begun = 0;
  pool.parallel_for(3, 1, [&](std::size_t, std::size_t, unsigned) {
    ++begun;
    while (begun < 3) std::this_thread::yield();
  });
  EXPECT_EQ(begun, 3);
}

TEST(Tasks, ANestedLoopRunsOnItsOwnWorker) {
  TaskPool pool(3);
  std::atomic<int> inner_chunks = 0;
  std::atomic<bool> moved = false;
  pool.parallel_for(8, 1, [&](std::size_t, std::size_t, unsigned outer) {
    pool.parallel_for(10, 3, [&](std::size_t, std::size_t, unsigned inner) {
      if (inner != outer) moved = true;
      ++inner_chunks;
    });
  });
  EXPECT_EQ(inner_chunks, 8 * 4);
  EXPECT_FALSE(moved);
}

TEST(Tasks, SeveralThreadsMayUseOnePool) {
  TaskPool pool(3);
  std::atomic<std::uint64_t> total = 0;
  {
    std::vector<std::jthread> callers;
    for (int c = 0; c < 4; ++c) {
      callers.emplace_back([&] {
        for (int repeat = 0; repeat < 50; ++repeat) {
          pool.parallel_for(100, 9, [&](std::size_t begin, std::size_t end, unsigned) { total += end - begin; });
        }
      });
    }
  }
  EXPECT_EQ(total, 4u * 50u * 100u);
}

TEST(Tasks, SumsPerChunkHaveTheSameBitsForAnyNumberOfWorkers) {
  const auto sum = [](TaskRunner& runner) {
    constexpr std::size_t kGrain = 100;
    std::vector<double> parts(100, 0.0);
    runner.parallel_for(10'000, kGrain, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t i = begin; i < end; ++i) parts[begin / kGrain] += 1.0 / (1.0 + static_cast<double>(i));
    });
    return std::accumulate(parts.begin(), parts.end(), 0.0);
  };
  InlineTasks one;
  const double expected = sum(one);
  for (const unsigned workers : {2u, 4u, 8u}) {
    TaskPool pool(workers);
    EXPECT_EQ(sum(pool), expected) << workers;
  }
  // ln n + Euler's constant + 1/2n: the loop did compute the harmonic number.
  EXPECT_NEAR(expected, std::log(10'000.0) + 0.57721566490153286 + 0.5e-4, 1e-9);
}

TEST(Tasks, PoolsThatNeverRanAndPoolsThatDieAtOnceShutDown) {
  for (int i = 0; i < 50; ++i) {
    TaskPool idle(4);
    TaskPool used(2);
    used.parallel_for(1, 1, [](std::size_t, std::size_t, unsigned) {});
  }
}

TEST(Tasks, ZeroThreadsMeansOnePerCore) {
  EXPECT_EQ(make_task_runner(0)->worker_count(), std::max(1u, std::thread::hardware_concurrency()));
  EXPECT_EQ(TaskPool(0).worker_count(), std::max(1u, std::thread::hardware_concurrency()));
}

TEST(FunctionRef, CallsConstAndMutableCallablesAndFunctions) {
  int calls = 0;
  auto count = [&](int n) mutable { return calls += n; };
  const auto twice = [](int n) { return 2 * n; };
  const FunctionRef<int(int)> mutable_one = count;
  const FunctionRef<int(int)> const_one = twice;
  EXPECT_EQ(mutable_one(3) + mutable_one(4), 3 + 7);
  EXPECT_EQ(const_one(21), 42);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // their shadows take more address space than any limit
/// Ends a process of its own with status 0 if a pool of 64 workers works under a limit that has no room for 64 stacks.
[[noreturn]] void work_with_few_threads() {
  ::alarm(20);
  const rlimit limit{200u << 20, 200u << 20};
  ::setrlimit(RLIMIT_AS, &limit);
  std::size_t sum = 0;
  unsigned workers = 0;
  {
    TaskPool pool(64);
    workers = pool.worker_count();
    std::atomic<std::size_t> counted = 0;
    pool.parallel_for(10'000, 16, [&](std::size_t begin, std::size_t end, unsigned worker) {
      if (worker >= workers) std::_Exit(3);
      counted += end - begin;
    });
    sum = counted;
  }
  std::_Exit(workers < 1 || workers >= 64 ? 2 : sum == 10'000 ? 0 : 1);
}

TEST(TaskPoolDeathTest, works_with_fewer_threads_where_the_system_gives_no_more) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(work_with_few_threads(), testing::ExitedWithCode(0), "");
}
#endif

TEST(Tasks, what_a_body_throws_on_any_worker_reaches_the_caller_and_the_pool_goes_on) {
  for (const unsigned workers : {2u, 8u}) {
    TaskPool pool(workers);
    for (int round = 0; round < 20; ++round) {
      std::atomic<bool> has_thrown = false;
      const auto body = [&](std::size_t, std::size_t, unsigned worker) {
        if (worker != 0) {
          has_thrown = true;
          throw std::runtime_error("no memory");
        }
        while (!has_thrown) std::this_thread::yield();
      };
      EXPECT_THROW(pool.parallel_for(64, 1, body), std::runtime_error);
      EXPECT_EQ(chunks_of(pool, 100, 7), promised_chunks(100, 7));
    }
  }
  InlineTasks inline_tasks;
  EXPECT_THROW(inline_tasks.parallel_for(4, 1, [](std::size_t, std::size_t, unsigned) { throw std::runtime_error("here"); }),
               std::runtime_error);
}

}  // namespace
}  // namespace throng
