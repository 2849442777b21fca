// SPDX-License-Identifier: MIT
#include "base/tasks.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace throng {
namespace {

unsigned usable_cores() { return std::max(1u, std::thread::hardware_concurrency()); }

void run_in_order(std::size_t count, std::size_t grain, TaskRunner::Body body, unsigned worker) {
  for (std::size_t begin = 0; begin < count;) {
    const std::size_t end = count - begin > grain ? begin + grain : count;
    body(begin, end, worker);
    begin = end;
  }
}

/// The pool whose body this thread is running, so that a nested loop stays on its worker instead of waiting for itself.
struct Running {
  const void* pool = nullptr;
  unsigned worker = 0;
};
thread_local Running running;

/// More threads than any machine of today has cores: each takes address space, and a typing error asks for millions.
constexpr unsigned kMostWorkers = 1024;

/// How often a thread looks for work before it sleeps: some 50 µs, longer than what a step does between two loops.
constexpr int kLooks = 2000;

/// Between two looks: leaves the core's other thread its resources.
void rest_a_moment() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

void InlineTasks::parallel_for(std::size_t count, std::size_t grain, Body body) {
  assert(grain > 0);
  run_in_order(count, grain, body, 0);
}

// No lock is on the way of a loop: a step of ten thousand people has twenty loops of some 100 µs each, and waking a sleeper
// takes as long as a whole short one. So both sides look for a while before they sleep.
//
// A worker counts itself in, then looks which loop is open; the caller closes the loop, then looks who is in. In the one order
// of these four that all threads agree on, either the worker finds the loop closed or the caller waits for it: a loop, which
// lives on the caller's stack, is never touched after its end.
struct TaskPool::State {
  struct Loop {
    std::size_t count;
    std::size_t grain;
    std::size_t chunk_count;
    Body body;
  };

  std::mutex turn;  // held by the thread whose loop runs
  int looks = 0;    // before going to sleep

  std::atomic<std::uint32_t> generation = 0;  // of loops; workers wait for the next one
  std::atomic<const Loop*> open = nullptr;    // the loop that workers may join; null once all its chunks are taken
  std::atomic<std::uint32_t> inside = 0;      // workers that may have joined and have not left
  std::atomic<bool> stopping = false;

  // Each worker begins with its own share of the chunks, then helps the others with theirs: in loops over the same rows it
  // finds what it wrote in the loop before in its own cache.
  struct alignas(64) Share {
    std::atomic<std::size_t> next = 0;
  };
  std::vector<Share> shares;
  std::vector<std::jthread> threads;

  std::mutex failure_mutex;
  std::exception_ptr failure;  ///< of the loop that runs

  std::size_t share_begin(const Loop& loop, std::size_t worker) const {
    return loop.chunk_count / shares.size() * worker + loop.chunk_count % shares.size() * worker / shares.size();
  }

  void take_chunks(const Loop& loop, unsigned worker) {
    const Running outer = std::exchange(running, {this, worker});
    try {
      for (std::size_t k = 0; k < shares.size(); ++k) {
        const std::size_t owner = (worker + k) % shares.size(), share_end = share_begin(loop, owner + 1);
        for (;;) {
          const std::size_t chunk = shares[owner].next.fetch_add(1, std::memory_order_relaxed);
          if (chunk >= share_end) break;
          const std::size_t begin = chunk * loop.grain;
          loop.body(begin, loop.count - begin > loop.grain ? begin + loop.grain : loop.count, worker);
        }
      }
    } catch (...) {
      note_failure();
    }
    running = outer;
  }

  /// Keeps the first exception of a loop for its caller: thrown out of a worker's thread it would end the program.
  void note_failure() {
    const std::scoped_lock lock(failure_mutex);
    if (!failure) failure = std::current_exception();
  }

  /// Throws what a body of the loop that has just ended has thrown.
  void throw_failure() {
    std::exception_ptr thrown;
    {
      const std::scoped_lock lock(failure_mutex);
      thrown = std::exchange(failure, nullptr);
    }
    if (thrown) std::rethrow_exception(thrown);
  }

  /// Returns once `value` is no longer `old`.
  void await_change(const std::atomic<std::uint32_t>& value, std::uint32_t old) const {
    for (int look = 0; look < looks; ++look) {
      if (value.load(std::memory_order_acquire) != old) return;
      rest_a_moment();
    }
    value.wait(old, std::memory_order_acquire);
  }

  void serve(unsigned worker) {
    for (std::uint32_t seen = 0;;) {
      await_change(generation, seen);
      seen = generation.load(std::memory_order_acquire);
      if (stopping.load(std::memory_order_acquire)) return;
      inside.fetch_add(1);
      if (const Loop* loop = open.load()) take_chunks(*loop, worker);
      if (inside.fetch_sub(1) == 1) inside.notify_all();
    }
  }

  void announce() {
    generation.fetch_add(1);
    generation.notify_all();
  }

  void run(const Loop& loop) {
    const std::scoped_lock my_turn(turn);
    for (std::size_t worker = 0; worker < shares.size(); ++worker)
      shares[worker].next.store(share_begin(loop, worker), std::memory_order_relaxed);
    if (loop.chunk_count == 1) {
      take_chunks(loop, 0);
      return throw_failure();
    }
    open.store(&loop);
    announce();
    take_chunks(loop, 0);
    // All chunks are taken. Workers that wake only now find the loop closed and go back to sleep: nobody waits for them.
    open.store(nullptr);
    while (const std::uint32_t left = inside.load()) await_change(inside, left);
    throw_failure();
  }
};

TaskPool::TaskPool(unsigned workers) : state_(std::make_unique<State>()) {
  if (workers == 0) workers = usable_cores();
  workers = std::min(workers, kMostWorkers);
  // Where threads outnumber cores, one that looks keeps one that works from its core.
  state_->looks = workers <= usable_cores() ? kLooks : 0;
  state_->shares = std::vector<State::Share>(workers);
  state_->threads.reserve(workers - 1);
  // Where the system gives no more threads or memory, the pool goes on with those it has: thrown from here, an exception would
  // leave threads behind that nothing tells to stop.
  try {
    for (unsigned worker = 1; worker < workers; ++worker) {
      state_->threads.emplace_back([state = state_.get(), worker] { state->serve(worker); });
    }
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
  // No loop has been announced: no thread looks at these yet.
  while (state_->shares.size() > worker_count()) state_->shares.pop_back();
}

TaskPool::~TaskPool() {
  state_->stopping.store(true);
  state_->announce();
  state_->threads.clear();  // joins, while the rest still lives
}

unsigned TaskPool::worker_count() const { return static_cast<unsigned>(state_->threads.size()) + 1; }

void TaskPool::parallel_for(std::size_t count, std::size_t grain, Body body) {
  assert(grain > 0);
  if (running.pool == state_.get()) {
    run_in_order(count, grain, body, running.worker);
    return;
  }
  const std::size_t chunk_count = count / grain + (count % grain != 0);
  if (chunk_count == 0) return;
  state_->run({count, grain, chunk_count, body});
}

std::unique_ptr<TaskRunner> make_task_runner(unsigned threads) {
  if (threads == 0) threads = usable_cores();
  if (threads == 1) return std::make_unique<InlineTasks>();
  return std::make_unique<TaskPool>(threads);
}

}  // namespace throng
