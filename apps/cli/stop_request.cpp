// SPDX-License-Identifier: MIT
#include "stop_request.hpp"

#include <csignal>

namespace throng::cli {
namespace {

volatile std::sig_atomic_t stop_signal = 0;

void note_signal(int signal) {
  stop_signal = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

StopRequest::StopRequest() {
  stop_signal = 0;
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
}

StopRequest::~StopRequest() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

int StopRequest::signal() const { return stop_signal; }

}  // namespace throng::cli
