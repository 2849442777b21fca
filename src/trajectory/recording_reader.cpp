// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "trajectory/recording.hpp"
#include "trajectory/recording_format.hpp"

namespace throng {
namespace {

constexpr std::uint32_t kMostFramesInChunk = 1 << 16;

const char* word(ChunkKind kind) {
  switch (kind) {
    case ChunkKind::kHeader:
      return "header";
    case ChunkKind::kFrames:
      return "frames";
    case ChunkKind::kEvents:
      return "events";
    case ChunkKind::kSnapshot:
      return "snapshot";
    case ChunkKind::kSummary:
      return "summary";
  }
  return "";
}

}  // namespace

struct Recording::State {
  std::string name;
  std::string bytes;  ///< of a recording in memory
  int file = -1;
  std::uint64_t size = 0;

  RecordingHeader header;
  std::vector<ChunkPlace> chunks;
  std::uint64_t frame_count = 0;
  std::string ended_early;

  ~State() {
    if (file >= 0) ::close(file);
  }

  /// Up to `count` bytes from `offset` on: fewer at the end of the file, or if the disk fails.
  std::string read(std::uint64_t offset, std::uint64_t count) const {
    if (file < 0) return offset < bytes.size() ? bytes.substr(offset, count) : std::string();
    count = std::min(count, size - std::min(offset, size));
    std::string result(count, '\0');
    std::uint64_t done = 0;
    while (done < count) {
      const ssize_t got = ::pread(file, result.data() + done, count - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      done += static_cast<std::uint64_t>(got);
    }
    result.resize(done);
    return result;
  }

  Problem broken(const ChunkPlace& chunk, const std::string& what) const {
    std::string where = name + ", byte " + std::to_string(chunk.offset) + " (" + word(chunk.header.kind);
    if (chunk.header.kind == ChunkKind::kFrames)
      where += " " + std::to_string(chunk.header.first) + " to " + std::to_string(chunk.header.first + chunk.header.count - 1);
    return {where + ")", what, "take another copy of the file or record again; its other chunks can be read"};
  }

  /// The list of chunks, up to the first that is not whole.
  void list_chunks() {
    std::uint64_t offset = kRecordingPrefix;
    const auto stop = [&](const char* why) {
      ended_early = "ended early: " + std::to_string(size - offset) + " bytes of " + why + " dropped";
    };
    while (offset < size) {
      if (!chunks.empty() && chunks.back().header.kind == ChunkKind::kSummary) return stop("something behind the summary");
      const std::string bytes_of_header = read(offset, kChunkHeader);
      if (bytes_of_header.size() < kChunkHeader) return stop("an unfinished chunk");
      const auto found = read_chunk_header(bytes_of_header);
      const bool in_order = found && (found->kind == ChunkKind::kHeader) == chunks.empty() &&
                            (found->kind != ChunkKind::kFrames ||
                             (found->first == frame_count && found->count > 0 && found->count <= kMostFramesInChunk));
      if (!in_order) return stop("a damaged chunk and what follows it");
      if (found->stored_size > size - offset - kChunkHeader) return stop("an unfinished chunk");
      chunks.push_back({*found, offset});
      if (found->kind == ChunkKind::kFrames) frame_count += found->count;
      offset += kChunkHeader + found->stored_size;
    }
    if (chunks.empty() || chunks.back().header.kind != ChunkKind::kSummary) ended_early = "ended early: there is no summary";
  }

  /// A power cut can leave a last chunk of the right length with zeros in it.
  void drop_torn_chunk() {
    if (chunks.size() < 2) return;
    const ChunkPlace last = chunks.back();
    if (has_right_hash(read(last.offset, kChunkHeader + last.header.stored_size))) return;
    chunks.pop_back();
    if (last.header.kind == ChunkKind::kFrames) frame_count -= last.header.count;
    ended_early = "ended early: " + std::to_string(size - last.offset) + " bytes of an unfinished chunk dropped";
  }
};

Recording::Recording(std::unique_ptr<State> state) : state_(std::move(state)) {}
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;
Recording::~Recording() = default;

const std::string& Recording::name() const { return state_->name; }
const RecordingHeader& Recording::header() const { return state_->header; }
const std::vector<ChunkPlace>& Recording::chunks() const { return state_->chunks; }
std::uint64_t Recording::frame_count() const { return state_->frame_count; }
const std::string& Recording::ended_early() const { return state_->ended_early; }

Result<Recording> Recording::open(const std::string& path) {
  auto state = std::make_unique<State>();
  state->name = path;
  state->file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat facts {};
  if (state->file < 0 || ::fstat(state->file, &facts) != 0)
    return Problem{path, "the file cannot be opened: " + std::string(std::strerror(errno)),
                   "check its name and that it can be read"};
  if (!S_ISREG(facts.st_mode)) return Problem{path, "this is not a file", "give a recording, as `throng run` writes it"};
  state->size = static_cast<std::uint64_t>(facts.st_size);
  return scan(std::move(state));
}

Result<Recording> Recording::from_bytes(std::string bytes, const std::string& name) {
  auto state = std::make_unique<State>();
  state->name = name;
  state->size = bytes.size();
  state->bytes = std::move(bytes);
  return scan(std::move(state));
}

Result<Recording> Recording::scan(std::unique_ptr<State> state) {
  const std::string prefix = state->read(0, kRecordingPrefix);
  if (prefix.size() < kRecordingPrefix || prefix.compare(0, sizeof kRecordingMagic, kRecordingMagic, sizeof kRecordingMagic) != 0)
    return Problem{state->name, "this is not a recording of Throng", "give a file that `throng run` wrote"};
  ByteReader version(std::string_view(prefix).substr(sizeof kRecordingMagic));
  const auto number = version.take<std::uint32_t>();
  if (number != kRecordingVersion && number != kVersionWithGroups)
    return Problem{
        state->name,
        "it has version " + std::to_string(number) + ", this program reads versions 1 and " + std::to_string(kVersionWithGroups),
        "read it with the version of Throng that wrote it, and export it from there"};
  state->list_chunks();
  if (state->chunks.empty())
    return Problem{state->name, "the recording ends before its header does", "record again: nothing in it can be read"};
  state->drop_torn_chunk();
  Recording recording(std::move(state));
  const Result<std::string> payload = recording.read(recording.chunks().front());
  if (!payload) return payload.problems();
  auto header = read_header(*payload);
  if (!header) return recording.state_->broken(recording.chunks().front(), "its fields are not those of a header");
  recording.state_->header = std::move(*header);
  recording.state_->header.has_groups = number == kVersionWithGroups;
  return recording;
}

Result<std::string> Recording::read(const ChunkPlace& chunk) const {
  const std::string bytes = state_->read(chunk.offset, kChunkHeader + chunk.header.stored_size);
  if (bytes.size() != kChunkHeader + chunk.header.stored_size) return state_->broken(chunk, "it cannot be read to its end");
  if (!has_right_hash(bytes)) return state_->broken(chunk, "its checksum does not match: it was damaged");
  auto payload = unpack(std::string_view(bytes).substr(kChunkHeader), chunk.header.raw_size);
  if (!payload)
    return state_->broken(chunk, "it does not unpack to the " + std::to_string(chunk.header.raw_size) + " bytes it names");
  return std::move(*payload);
}

Result<std::string> Recording::summary() const {
  if (chunks().back().header.kind != ChunkKind::kSummary) return std::string();
  return read(chunks().back());
}

Result<std::vector<RecordedEvent>> Recording::events() const {
  std::vector<RecordedEvent> events;
  for (const ChunkPlace& chunk : chunks()) {
    if (chunk.header.kind != ChunkKind::kEvents) continue;
    const Result<std::string> payload = read(chunk);
    if (!payload) return payload.problems();
    ByteReader in(*payload);
    if (chunk.header.count > payload->size() / kSmallestEvent) return state_->broken(chunk, "it names more events than it has");
    for (std::uint32_t i = 0; i < chunk.header.count; ++i) events.push_back(read_event(in));
    if (in.failed() || !in.at_end()) return state_->broken(chunk, "its bytes are not events");
  }
  return events;
}

std::optional<ChunkPlace> Recording::snapshot_before(std::uint64_t step) const {
  std::optional<ChunkPlace> best;
  for (const ChunkPlace& chunk : chunks()) {
    const ChunkHeader& header = chunk.header;
    if (header.kind != ChunkKind::kSnapshot || header.first > step) continue;
    if (!best || header.first >= best->header.first) best = chunk;
  }
  return best;
}

Result<Trajectory> Recording::load() const {
  Trajectory trajectory;
  trajectory.frame_seconds = frame_seconds();
  trajectory.kinds = header().kinds;
  trajectory.geometry_wkt = header().geometry_wkt;
  trajectory.metadata["engine_version"] = header().engine_version;
  FrameCursor frames(*this);
  while (frames.next()) {
    const auto& agents = frames.agents();
    trajectory.agents.insert(trajectory.agents.end(), agents.begin() + static_cast<std::ptrdiff_t>(trajectory.agents.size()),
                             agents.end());
    trajectory.append(frames.frame());
  }
  if (frames.problem()) return *frames.problem();
  return trajectory;
}

bool FrameCursor::fail(const std::string& what) {
  problem_ = Problem{recording_.name() + ", frame " + std::to_string(decoded_), what,
                     "take another copy of the file or record again; frames of other chunks can be read"};
  return false;
}

bool FrameCursor::enter_chunk() {
  const auto& chunks = recording_.chunks();
  if (next_ < decoded_ || chunk_ >= chunks.size()) chunk_ = 0;
  const auto holds = [&](const ChunkHeader& header) {
    return header.kind == ChunkKind::kFrames && next_ >= header.first && next_ - header.first < header.count;
  };
  while (chunk_ < chunks.size() && !holds(chunks[chunk_].header)) ++chunk_;
  if (chunk_ == chunks.size()) return false;
  const ChunkHeader& header = chunks[chunk_].header;
  decoder_.reset();
  Result<std::string> payload = recording_.read(chunks[chunk_]);
  if (!payload) {
    problem_ = payload.problems().front();
    return false;
  }
  payload_ = std::move(*payload);
  decoder_.emplace(payload_);
  decoded_ = header.first;
  chunk_end_ = header.first + header.count;
  return true;
}

bool FrameCursor::decode() {
  if (!decoder_->decode(frame_)) return fail("its bytes are not a frame");
  if (decoded_ + 1 == chunk_end_ && !decoder_->at_end()) return fail("there are bytes behind the last frame of its chunk");
  ++decoded_;
  if (frame_.same_agents && agent_.size() == frame_.facts.size()) return true;
  agent_.resize(frame_.facts.size());
  for (std::size_t row = 0; row < agent_.size(); ++row) {
    const auto [place, is_new] = index_of_id_.try_emplace(frame_.facts[row].id, static_cast<std::uint32_t>(agents_.size()));
    if (is_new) agents_.push_back(frame_.facts[row]);
    agent_[row] = place->second;
  }
  return true;
}

bool FrameCursor::next() {
  if (problem_ || next_ >= recording_.frame_count()) return false;
  if (!decoder_ || next_ < decoded_ || next_ >= chunk_end_) {
    if (!enter_chunk()) return false;
  }
  while (decoded_ <= next_) {
    if (!decode()) return false;
  }
  ++next_;
  return true;
}

FrameView FrameCursor::frame() const {
  const std::uint64_t number = next_ - 1;
  return {number,           static_cast<double>(number) * recording_.frame_seconds(),
          agents_,          agent_,
          frame_.x,         frame_.y,
          frame_.heading_x, frame_.heading_y,
          frame_.z,         frame_.layer};
}

}  // namespace throng
