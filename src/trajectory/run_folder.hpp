// SPDX-License-Identifier: MIT
// The folder that a run writes into: recording.throng and summary.json of one run, never parts of two.
//
// A run locks its folder, so that a second one is refused. What the folder held before is moved to previous/ first and deleted
// when the run ends: whenever a run is killed, the last whole run and what there is of the new one both lie there, apart.
//
//   auto folder = RunFolder::open("out/evening");
//   auto writer = RecordingWriter::create(folder->recording(), header);
//   …
//   folder->finish(summary_json);
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <throng/result.hpp>

namespace throng {

class RunFolder {
 public:
  /// Makes the folder where there is none, locks it and moves an older run aside. Problem: the folder cannot be written, or
  /// another process writes a run into it.
  static Result<RunFolder> open(const std::string& path);
  RunFolder(RunFolder&&) noexcept;
  RunFolder& operator=(RunFolder&&) noexcept;
  /// Unlocks. An older run comes back if the new one has written nothing.
  ~RunFolder();

  /// Where the recording goes.
  std::string recording() const;
  /// Writes the summary, all of it or nothing, and deletes the older run. Call it once the recording is whole.
  [[nodiscard]] std::optional<Problem> finish(std::string_view summary_json);

 private:
  struct State;
  explicit RunFolder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng
