// SPDX-License-Identifier: MIT
// Ctrl-C as a request: a run ends in good order, with what it has done so far.
#pragma once

namespace throng::cli {

/// While it lives, SIGINT and SIGTERM ask for an end instead of making one. A second signal ends the program as it always would:
/// a run that hangs can still be stopped. One at a time.
class StopRequest {
 public:
  StopRequest();
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;
  /// The signal that asks for the end; 0: none. From any thread.
  int signal() const;
};

}  // namespace throng::cli
