// SPDX-License-Identifier: MIT
#include "run_status.hpp"

#include <fmt/format.h>

#include "common.hpp"

namespace throng::cli {
namespace {

std::string agents(std::uint64_t count) { return fmt::format("{} agent{}", count, count == 1 ? "" : "s"); }

}  // namespace

std::vector<std::string> failures_of(const RunOutcome& outcome) {
  std::vector<std::string> failures;
  if (outcome.lost > 0)
    failures.push_back(fmt::format("{} {} lost at the end: no way leads to where {} to go", agents(outcome.lost),
                                   outcome.lost == 1 ? "is" : "are", outcome.lost == 1 ? "it wants" : "they want"));
  if (outcome.dropped > 0)
    failures.push_back(fmt::format("{} found no room at the start and {} never there", agents(outcome.dropped),
                                   outcome.dropped == 1 ? "was" : "were"));
  if (outcome.ending > 0 && outcome.arrived == 0)
    failures.push_back(
        fmt::format("no agent arrived: the plans of {} end, and none of them reached its last goal", agents(outcome.ending)));
  return failures;
}

int status_of_run(const std::vector<std::string>& failures, int signal, bool allow_lost) {
  if (signal != 0) return 128 + signal;
  return failures.empty() || allow_lost ? kSuccess : kBadInput;
}

}  // namespace throng::cli
