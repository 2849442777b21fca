// SPDX-License-Identifier: MIT
// Recordings (.throng): what a run wrote, complete enough to run it again. The scenario, the engine's version and the seed are in
// the header; frames, events and snapshots follow in chunks, and a summary at the end says that the run was not cut off.
//
// A chunk reaches the file with one write, so when the process dies (`kill -9`) all but the chunk being filled can be read; the
// reader says how much was lost. Everything read is verified: Problem, never a crash, whatever the bytes
// (docs/formats/recording.md; tests/fuzz/recording_fuzz.cpp).
//
//   auto writer = RecordingWriter::create("run.throng", header);
//   while (…) if (auto problem = writer->add_frame(columns)) …
//   writer->finish(summary_json);
//
//   auto recording = Recording::open("run.throng");
//   FrameCursor frames(*recording);
//   while (frames.next()) use(frames.frame());
//
// Cost for an agent and frame: 6 to 8 bytes, 55 ns to write, 45 ns to read on one thread (docs/formats/recording.md).
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <throng/result.hpp>

#include "trajectory/chunk.hpp"
#include "trajectory/frame_codec.hpp"
#include "trajectory/trajectory.hpp"

namespace throng {

struct RecordingHeader {
  std::string engine_version;
  std::string scenario;      ///< the scenario's text
  std::string geometry_wkt;  ///< walkable ground, for tools that know nothing of scenarios
  double step_seconds = 0.1;
  std::uint32_t steps_per_frame = 1;
  std::uint64_t first_step = 0;  ///< the step that frame 0 shows
  std::uint64_t seed = 0;
  std::vector<std::string> kinds;  ///< names for AgentFacts::kind
  bool has_groups = false;         ///< frames may name groups: version 2, which older programs do not read
};

inline constexpr std::uint32_t kNobody = 0xFFFFFFFFu;

struct RecordedEvent {
  double time = 0;  ///< simulated seconds
  std::string kind;
  std::uint32_t agent = kNobody;  ///< id
  std::string text;
};

/// Writes a recording. One thread. Functions return what went wrong, from then on always the same: the file is as good as it was
/// before. Memory: the chunk in the making, below 20 MB for up to 1 million people, and the last frame.
class RecordingWriter {
 public:
  /// Frames of one chunk, unless they are large.
  static constexpr std::uint32_t kFramesPerChunk = 64;
  static constexpr std::uint64_t kBytesPerChunk = std::uint64_t{16} << 20;

  static Result<RecordingWriter> create(const std::string& path, const RecordingHeader& header);
  RecordingWriter(RecordingWriter&&) noexcept;
  RecordingWriter& operator=(RecordingWriter&&) noexcept;
  /// Writes what is waiting, without a summary: a run that ends by an error.
  ~RecordingWriter();

  [[nodiscard]] std::optional<Problem> add_frame(const FrameColumns& frame);
  /// A frame of another recording or trajectory. Groups go along if the header says that frames may name them.
  [[nodiscard]] std::optional<Problem> add_frame(const FrameView& frame);
  /// Kept until the frames of its time are written.
  [[nodiscard]] std::optional<Problem> add_event(const RecordedEvent& event);
  /// `bytes` as World::snapshot gave them before step number `step`.
  [[nodiscard]] std::optional<Problem> add_snapshot(std::uint64_t step, std::string_view bytes);
  /// Writes everything that waits.
  [[nodiscard]] std::optional<Problem> flush();
  /// Flushes, adds the summary and closes the file. Nothing can be added afterwards.
  [[nodiscard]] std::optional<Problem> finish(std::string_view summary_json);

  std::uint64_t frame_count() const;
  std::uint64_t byte_count() const;

 private:
  struct State;
  explicit RecordingWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

struct ChunkPlace {
  ChunkHeader header;
  std::uint64_t offset = 0;  ///< of its header in the file
};

/// An open recording: the header and the list of chunks are in memory, payloads are read when asked for. Const functions may be
/// called from several threads.
class Recording {
 public:
  static Result<Recording> open(const std::string& path);
  static Result<Recording> from_bytes(std::string bytes, const std::string& name);
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;
  ~Recording();

  const std::string& name() const;
  const RecordingHeader& header() const;
  const std::vector<ChunkPlace>& chunks() const;
  std::uint64_t frame_count() const;
  double frame_seconds() const { return header().step_seconds * header().steps_per_frame; }
  /// "ended early: 1234 bytes of an unfinished chunk dropped", or empty for a recording that was finished.
  const std::string& ended_early() const;

  /// The summary, if the run finished; empty otherwise.
  Result<std::string> summary() const;
  Result<std::vector<RecordedEvent>> events() const;
  /// The last snapshot at or before `step`, if there is one.
  std::optional<ChunkPlace> snapshot_before(std::uint64_t step) const;
  /// A chunk's payload, its hash verified: for a snapshot, the bytes that add_snapshot got.
  Result<std::string> read(const ChunkPlace& chunk) const;
  /// Everything in memory.
  Result<Trajectory> load() const;

 private:
  struct State;
  explicit Recording(std::unique_ptr<State> state);
  static Result<Recording> scan(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Walks through the frames of a recording, holding one chunk and one frame. Dense agent indices stay the same for its whole
/// life.
class FrameCursor {
 public:
  explicit FrameCursor(const Recording& recording, std::uint64_t first_frame = 0) : recording_(recording), next_(first_frame) {}
  /// Makes frame() the next frame; false after the last one or when a chunk is damaged.
  bool next();
  /// The frame to continue with. Costs the frames of its chunk before it.
  void seek(std::uint64_t frame) { next_ = frame; }
  /// Valid until the next call of `next`.
  FrameView frame() const;
  const std::vector<AgentFacts>& agents() const { return agents_; }
  const std::optional<Problem>& problem() const { return problem_; }

 private:
  bool enter_chunk();
  bool decode();
  bool fail(const std::string& what);

  const Recording& recording_;
  std::uint64_t next_ = 0;     ///< frame that `next` will give
  std::uint64_t decoded_ = 0;  ///< frame that the decoder will give
  std::uint64_t chunk_end_ = 0;
  std::size_t chunk_ = 0;
  std::string payload_;
  std::optional<FrameDecoder> decoder_;
  DecodedFrame frame_;
  std::vector<AgentFacts> agents_;
  std::vector<std::uint32_t> agent_;
  std::unordered_map<std::uint32_t, std::uint32_t> index_of_id_;
  std::optional<Problem> problem_;
};

}  // namespace throng
