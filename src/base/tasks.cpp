// SPDX-License-Identifier: MIT
#include "base/tasks.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdint>
#include <mutex>
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

}  // namespace

void InlineTasks::parallel_for(std::size_t count, std::size_t grain, Body body) {
  assert(grain > 0);
  run_in_order(count, grain, body, 0);
}

struct TaskPool::State {
  struct Loop {
    std::size_t count;
    std::size_t grain;
    std::size_t chunk_count;
    Body body;
  };

  std::mutex turn;  // held by the thread whose loop runs

  std::mutex mutex;  // guards the four below
  std::condition_variable wake;
  std::condition_variable left;
  const Loop* open = nullptr;  // the loop that workers may join; null once all its chunks are taken
  std::uint64_t generation = 0;
  unsigned inside = 0;  // pool threads that joined and have not left
  bool stopping = false;

  std::atomic<std::size_t> next_chunk = 0;
  std::vector<std::jthread> threads;

  void take_chunks(const Loop& loop, unsigned worker) {
    const Running outer = std::exchange(running, {this, worker});
    for (;;) {
      const std::size_t chunk = next_chunk.fetch_add(1, std::memory_order_relaxed);
      if (chunk >= loop.chunk_count) break;
      const std::size_t begin = chunk * loop.grain;
      loop.body(begin, loop.count - begin > loop.grain ? begin + loop.grain : loop.count, worker);
    }
    running = outer;
  }

  void serve(unsigned worker) {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex);
    for (;;) {
      wake.wait(lock, [&] { return stopping || (open != nullptr && generation != seen); });
      if (stopping) return;
      seen = generation;
      const Loop& loop = *open;
      ++inside;
      lock.unlock();
      take_chunks(loop, worker);
      lock.lock();
      if (--inside == 0) left.notify_one();
    }
  }

  void run(const Loop& loop) {
    const std::scoped_lock my_turn(turn);
    {
      const std::scoped_lock lock(mutex);
      next_chunk.store(0, std::memory_order_relaxed);
      open = &loop;
      ++generation;
    }
    wake.notify_all();
    take_chunks(loop, 0);
    // All chunks are taken. Workers that wake only now find the loop closed and go back to sleep: nobody waits for them.
    std::unique_lock lock(mutex);
    open = nullptr;
    left.wait(lock, [&] { return inside == 0; });
  }
};

TaskPool::TaskPool(unsigned workers) : state_(std::make_unique<State>()) {
  if (workers == 0) workers = usable_cores();
  state_->threads.reserve(workers - 1);
  for (unsigned worker = 1; worker < workers; ++worker) {
    state_->threads.emplace_back([state = state_.get(), worker] { state->serve(worker); });
  }
}

TaskPool::~TaskPool() {
  {
    const std::scoped_lock lock(state_->mutex);
    state_->stopping = true;
  }
  state_->wake.notify_all();
  state_->threads.clear();  // joins, while the mutex still lives
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
