// SPDX-License-Identifier: MIT
// Work in parallel behind an interface that an embedding engine can replace by its own scheduler.
//
// The split is a promise: `parallel_for(count, grain, body)` cuts [0, count) into chunks [i·grain, (i+1)·grain), the last one
// shorter. Where a chunk ends depends on count and grain only, never on the number of workers; which worker takes which chunk is
// not promised. A body that writes only what belongs to its chunk, or reduces per chunk and combines in chunk order, therefore
// gives the same bits for any number of threads. That is the only way the core uses threads.
//
//   TaskPool pool;                                        // one worker per core; the calling thread is worker 0
//   pool.parallel_for(agents, 256, [&](std::size_t begin, std::size_t end, unsigned worker) {
//     for (std::size_t i = begin; i < end; ++i) move(i, scratch[worker]);
//   });
//
// Cost: no allocation per call. Workers look for the next loop for some 50 µs before they sleep, so a loop that follows another
// starts within a microsecond; waking sleepers takes some ten. A chunk should be worth a few microseconds.
#pragma once
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace throng {

template <class Signature>
class FunctionRef;

/// A callable that is called during one call and not kept: a pointer to it and how to call it. Never allocates.
template <class Returned, class... Arguments>
class FunctionRef<Returned(Arguments...)> {
 public:
  template <class Callable>
  requires(!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef> &&
           std::is_invocable_r_v<Returned, Callable&, Arguments...>)
      FunctionRef(Callable&& callable)  // implicit, so that a lambda can be passed
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* object, Arguments... arguments) -> Returned {
          return (*static_cast<std::remove_reference_t<Callable>*>(object))(std::forward<Arguments>(arguments)...);
        }) {}

  Returned operator()(Arguments... arguments) const { return call_(object_, std::forward<Arguments>(arguments)...); }

 private:
  void* object_;
  Returned (*call_)(void*, Arguments...);
};

/// Runs loops. Implementations: TaskPool, InlineTasks, or an embedding engine's own.
class TaskRunner {
 public:
  /// A chunk [begin, end) and the worker that runs it, below worker_count(): an index into per-worker scratch.
  using Body = FunctionRef<void(std::size_t begin, std::size_t end, unsigned worker)>;

  virtual ~TaskRunner() = default;
  /// Calls `body` once for each chunk, as above, and returns when all have returned; what they wrote is then visible to the
  /// caller. `grain` is at least 1. A call from inside a body runs on that body's worker alone. The caller gets what it throws.
  virtual void parallel_for(std::size_t count, std::size_t grain, Body body) = 0;
  virtual unsigned worker_count() const = 0;
};

/// Everything on the calling thread, chunk by chunk in order.
class InlineTasks final : public TaskRunner {
 public:
  void parallel_for(std::size_t count, std::size_t grain, Body body) override;
  unsigned worker_count() const override { return 1; }
};

/// The calling thread and `workers - 1` threads of its own. Several threads may call at once: they take turns.
class TaskPool final : public TaskRunner {
 public:
  /// 0 workers means one per core this process may use; 1024 are the most. There are fewer where the system gives no more.
  explicit TaskPool(unsigned workers = 0);
  ~TaskPool() override;
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  void parallel_for(std::size_t count, std::size_t grain, Body body) override;
  unsigned worker_count() const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What a `threads` setting means: 0 one worker per core, 1 no thread at all.
std::unique_ptr<TaskRunner> make_task_runner(unsigned threads);

}  // namespace throng
