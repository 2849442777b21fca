// SPDX-License-Identifier: MIT
// What every reader promises, whatever it is given; the fuzzers' targets and the tests that replay their seeds check it.
#pragma once
#include <cstdio>
#include <cstdlib>

#include <throng/result.hpp>

namespace throng::fuzz {

inline void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

template <class T>
void require_problems(const Result<T>& result) {
  require(!result.problems().empty(), "a failure has problems");
  for (const Problem& problem : result.problems()) {
    require(!problem.where.empty() && !problem.what.empty() && !problem.fix.empty(),
            "a problem says where, what and how to mend it");
    require(to_string(problem).size() < 2000, "a problem is short");
  }
}

}  // namespace throng::fuzz
