// SPDX-License-Identifier: MIT
// throng_mutate_trees [MUTANTS] [EVERY] [FIRST]: mutates the shipped scenarios and scenes as JSON trees, reads and examines each,
// and bakes and steps every EVERY-th if it reads. Built in the sanitized tree: `./throng fuzz --trees`.
//
// Children do the work, so that a crash costs one mutant and is reported with its number; a mutant that takes more than ten
// seconds of processor time counts as a hang. Mutants that failed are written to build/mutants; one alone: MUTANTS 1, FIRST its
// number.
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>

#include "support/tree.hpp"
#include "tree_target.hpp"

namespace throng::fuzz {
namespace {

/// What the children tell: lies in memory that all of them share.
struct SharedCounts {
  std::atomic<std::uint64_t> next, current, read, stepped, tried;
  std::atomic<double> slowest;
  std::atomic<std::uint64_t> slowest_number;
};

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Ends the process by SIGPROF after so many seconds of its processor time.
void limit_time(int seconds) {
  const itimerval limit{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_PROF, &limit, nullptr);
}

void run_child(const TreeMutator& mutator, SharedCounts& counts, std::uint64_t end, std::uint64_t step_every) {
  constexpr int kMostSeconds = 10;
  while (counts.next < end) {
    const std::uint64_t number = counts.next++;
    counts.current = number;
    limit_time(kMostSeconds);
    const double began = processor_seconds();
    const TreeOutcome outcome = try_tree(mutator.mutant(number), number % step_every == 0);
    const double seconds = processor_seconds() - began;
    limit_time(0);
    if (seconds > counts.slowest) {
      counts.slowest = seconds;
      counts.slowest_number = number;
    }
    counts.read += outcome.is_read;
    counts.stepped += outcome.is_stepped;
    ++counts.tried;
  }
}

int run(std::uint64_t mutants, std::uint64_t step_every, std::uint64_t first) {
  const TreeMutator mutator(tree_seeds(test::source_dir()));
  void* memory = ::mmap(nullptr, sizeof(SharedCounts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 2;
  auto& counts = *new (memory) SharedCounts();
  counts.next = first;
  const std::uint64_t end = first + mutants;
  std::uint64_t failures = 0;
  while (counts.next < end) {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child < 0) return 2;
    if (child == 0) {
      run_child(mutator, counts, std::min(end, counts.next + 2000), step_every);
      std::fflush(nullptr);
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      if (::isatty(STDERR_FILENO) != 0) std::fprintf(stderr, "\r%llu mutants", static_cast<unsigned long long>(counts.tried));
      continue;
    }
    ++failures;
    const std::uint64_t number = counts.current;
    const bool is_hang = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
    const std::filesystem::path folder = test::binary_dir() / "mutants";
    std::filesystem::create_directories(folder);
    const std::filesystem::path file = folder / (std::to_string(number) + ".json");
    std::ofstream(file) << mutator.mutant(number).dump(1) << "\n";
    std::printf("mutant %llu %s: %s\n", static_cast<unsigned long long>(number),
                is_hang ? "takes more than 10 s" : "ends the program", file.c_str());
    std::fflush(stdout);
  }
  std::printf("%llu mutants: %llu read and examined, %llu of them stepped, %llu failed; slowest %.2f s (mutant %llu)\n",
              static_cast<unsigned long long>(mutants), static_cast<unsigned long long>(counts.read),
              static_cast<unsigned long long>(counts.stepped), static_cast<unsigned long long>(failures), counts.slowest.load(),
              static_cast<unsigned long long>(counts.slowest_number));
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace throng::fuzz

int main(int argument_count, char** arguments) {
  const auto number = [&](int index, unsigned long long otherwise) {
    return argument_count > index ? std::strtoull(arguments[index], nullptr, 10) : otherwise;
  };
  const unsigned long long step_every = number(2, 3);
  return throng::fuzz::run(number(1, 100'000), step_every == 0 ? 1 : step_every, number(3, 0));
}
