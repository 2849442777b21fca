// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "trajectory/recording.hpp"
#include "trajectory/recording_format.hpp"

namespace throng {

struct RecordingWriter::State {
  std::string path;
  int file = -1;
  std::uint64_t bytes = 0;
  std::optional<Problem> problem;

  ChunkPacker frames;
  FrameEncoder encoder;
  ByteWriter frame;  ///< the frame in the making
  std::uint64_t frame_count = 0;
  std::uint32_t frames_waiting = 0;

  // Columns of a frame that came as a view.
  bool has_groups = false;
  std::vector<std::uint32_t> id, group;
  std::vector<float> radius, preferred_speed;
  std::vector<std::uint16_t> kind;

  ByteWriter events;
  std::uint32_t events_waiting = 0;
  ChunkPacker others;

  ~State() {
    if (file >= 0) ::close(file);
  }

  std::optional<Problem> fail(const std::string& what, const std::string& fix) { return problem = Problem{path, what, fix}; }

  /// One write a chunk: a process that is killed leaves whole chunks and at most one part of one.
  std::optional<Problem> write(std::string_view chunk) {
    if (problem) return problem;
    while (!chunk.empty()) {
      const ssize_t written = ::write(file, chunk.data(), chunk.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0)
        return fail("the recording cannot be written: " + std::string(std::strerror(errno)),
                    "free some space or record elsewhere; what was written before can be read");
      bytes += static_cast<std::uint64_t>(written);
      chunk.remove_prefix(static_cast<std::size_t>(written));
    }
    return std::nullopt;
  }

  std::optional<Problem> write_chunk(ChunkKind of, std::uint64_t first, std::uint32_t count, std::string_view payload) {
    if (problem) return problem;
    if (payload.size() > kLargestChunk)
      return fail("one chunk of the recording would have " + std::to_string(payload.size()) + " bytes, " +
                      std::to_string(kLargestChunk) + " are the most",
                  "record fewer people, or a shorter scenario text");
    others.add(payload);
    return write(others.finish(of, count, first));
  }

  std::optional<Problem> flush() {
    if (frames_waiting > 0) {
      write(frames.finish(ChunkKind::kFrames, frames_waiting, frame_count - frames_waiting));
      frames_waiting = 0;
      encoder.restart();
    }
    if (events_waiting > 0) {
      write_chunk(ChunkKind::kEvents, 0, events_waiting, events.bytes());
      events_waiting = 0;
      events.clear();
    }
    return problem;
  }
};

RecordingWriter::RecordingWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
RecordingWriter::RecordingWriter(RecordingWriter&&) noexcept = default;
RecordingWriter& RecordingWriter::operator=(RecordingWriter&&) noexcept = default;
RecordingWriter::~RecordingWriter() {
  if (state_ && state_->file >= 0) state_->flush();
}

Result<RecordingWriter> RecordingWriter::create(const std::string& path, const RecordingHeader& header) {
  if (auto what = check_header(header))
    return Problem{path, *what, "start the recording with a header that says how long a step is"};
  auto state = std::make_unique<State>();
  state->path = path;
  state->has_groups = header.has_groups;
  state->file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (state->file < 0)
    return Problem{path, "the recording cannot be created: " + std::string(std::strerror(errno)),
                   "check that the folder exists and is writable"};
  ByteWriter prefix;
  for (const char letter : kRecordingMagic) prefix.add(letter);
  prefix.add(header.has_groups ? kVersionWithGroups : kRecordingVersion);
  if (auto problem = state->write(prefix.bytes())) return *problem;
  if (auto problem = state->write_chunk(ChunkKind::kHeader, 0, 1, write_header(header))) return *problem;
  return RecordingWriter(std::move(state));
}

std::optional<Problem> RecordingWriter::add_frame(const FrameColumns& frame) {
  State& s = *state_;
  if (s.problem) return s.problem;
  s.frame.clear();
  if (const std::ptrdiff_t row = s.encoder.encode(frame, s.frame); row >= 0) {
    if (auto problem = s.flush()) return problem;
    return s.fail("frame " + std::to_string(s.frame_count) + ": agent " + std::to_string(frame.id[row]) + " is not within " +
                      std::to_string(static_cast<int>(kFarthest)) + " m of the origin, or has no heading",
                  "a motion model gave a number that is not finite: see the step before with `throng why`");
  }
  if (s.frame.bytes().size() > kLargestChunk)
    return s.fail("one frame has " + std::to_string(s.frame.bytes().size()) + " bytes", "record fewer people");
  if (s.frames_waiting > 0 && s.frames.raw_size() + s.frame.bytes().size() > kLargestChunk) {
    // Crowds that grow tenfold from frame to frame: this one starts a chunk, and so must not build on the last.
    if (auto problem = s.flush()) return problem;
    s.frame.clear();
    s.encoder.encode(frame, s.frame);
  }
  s.frames.add(s.frame.bytes());
  ++s.frames_waiting;
  ++s.frame_count;
  if (s.frames_waiting == kFramesPerChunk || s.frames.raw_size() >= kBytesPerChunk) return s.flush();
  return std::nullopt;
}

std::optional<Problem> RecordingWriter::add_frame(const FrameView& frame) {
  State& s = *state_;
  s.id.clear(), s.group.clear(), s.radius.clear(), s.preferred_speed.clear(), s.kind.clear();
  for (std::size_t row = 0; row < frame.size(); ++row) {
    const AgentFacts& facts = frame.facts(row);
    s.id.push_back(facts.id), s.radius.push_back(facts.radius), s.preferred_speed.push_back(facts.preferred_speed);
    s.kind.push_back(facts.kind);
    if (s.has_groups) s.group.push_back(facts.group);
  }
  return add_frame({.id = s.id,
                    .x = frame.x,
                    .y = frame.y,
                    .heading_x = frame.heading_x,
                    .heading_y = frame.heading_y,
                    .z = frame.z,
                    .layer = frame.layer,
                    .radius = s.radius,
                    .preferred_speed = s.preferred_speed,
                    .kind = s.kind,
                    .group = s.group});
}

std::optional<Problem> RecordingWriter::add_event(const RecordedEvent& event) {
  State& s = *state_;
  if (s.problem) return s.problem;
  write_event(event, s.events);
  ++s.events_waiting;
  if (s.events.bytes().size() >= kBytesPerChunk) return s.flush();
  return std::nullopt;
}

std::optional<Problem> RecordingWriter::add_snapshot(std::uint64_t step, std::string_view bytes) {
  return state_->write_chunk(ChunkKind::kSnapshot, step, 1, bytes);
}

std::optional<Problem> RecordingWriter::flush() { return state_->flush(); }

std::optional<Problem> RecordingWriter::finish(std::string_view summary_json) {
  State& s = *state_;
  s.flush();
  s.write_chunk(ChunkKind::kSummary, 0, 1, summary_json);
  if (::close(s.file) != 0 && !s.problem)
    s.fail("the recording cannot be closed: " + std::string(std::strerror(errno)), "check the disk it is on");
  s.file = -1;
  const std::optional<Problem> result = s.problem;
  if (!s.problem) s.fail("the recording is finished", "start another one");
  return result;
}

std::uint64_t RecordingWriter::frame_count() const { return state_->frame_count; }
std::uint64_t RecordingWriter::byte_count() const { return state_->bytes; }

}  // namespace throng
