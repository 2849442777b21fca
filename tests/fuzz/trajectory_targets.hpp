// SPDX-License-Identifier: MIT
// Targets for the readers of trajectories, as targets.hpp has them for scenes. tests/trajectory/corpus_test.cpp replays the
// seeds.
#pragma once
#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include "base/hash.hpp"
#include "promises.hpp"
#include "trajectory/juelich_text.hpp"
#include "trajectory/recording.hpp"
#include "trajectory/recording_format.hpp"

namespace throng::fuzz {

inline void require_frame(const FrameView& frame) {
  for (std::size_t i = 0; i < frame.size(); ++i) {
    require(frame.agent[i] < frame.agents.size(), "rows have agents");
    require(i == 0 || frame.facts(i - 1).id < frame.facts(i).id, "agents are in order of their ids");
    require(is_near(frame.x[i]) && is_near(frame.y[i]) && is_near(frame.z[i]), "places are near");
    require(std::isfinite(frame.heading_x[i]) && std::isfinite(frame.heading_y[i]), "headings are finite");
  }
}

/// What is read can be written and read again.
inline void require_rewritable(const FrameView& frame) {
  std::vector<std::uint32_t> id;
  for (std::size_t i = 0; i < frame.size(); ++i) id.push_back(frame.facts(i).id);
  FrameEncoder encoder;
  ByteWriter bytes;
  require(encoder.encode({.id = id, .x = frame.x, .y = frame.y, .heading_x = frame.heading_x, .heading_y = frame.heading_y},
                         bytes) == -1,
          "a frame that was read can be written");
  FrameDecoder decoder(bytes.bytes());
  DecodedFrame again;
  require(decoder.decode(again) && again.x.size() == frame.size(), "what is written can be read");
  for (std::size_t i = 0; i < frame.size(); ++i)
    require(std::memcmp(&again.x[i], &frame.x[i], 4) == 0 && std::memcmp(&again.heading_y[i], &frame.heading_y[i], 4) == 0,
            "and is the same frame");
}

inline void check_recording(const Result<Recording>& recording) {
  if (!recording) return require_problems(recording);
  FrameCursor frames(*recording);
  std::uint64_t count = 0;
  while (frames.next()) {
    require_frame(frames.frame());
    if (count++ % 16 == 0) require_rewritable(frames.frame());
  }
  require(frames.problem() || count == recording->frame_count(), "all frames come, or a problem says why not");
  if (recording->frame_count() > 1) {
    frames.seek(recording->frame_count() / 2);
    frames.next();
  }
  if (const auto events = recording->events(); !events) require_problems(events);
  if (const auto summary = recording->summary(); !summary) require_problems(summary);
  if (const auto snapshot = recording->snapshot_before(~std::uint64_t{0})) {
    if (const auto bytes = recording->read(*snapshot); !bytes) require_problems(bytes);
  }
}

/// A whole file with its hashes made right; or, by the lowest bits of the first byte, the payload of a chunk of frames (how many,
/// says the second byte), of events or of the header, packed into a file: a fuzzer does not find its way through zstd.
inline void recording(std::string_view bytes) {
  if (bytes.size() < 2) return;
  const int mode = bytes[0] & 3;
  if (mode == 0) {
    std::string file(bytes);
    std::size_t at = kRecordingPrefix;
    while (at + kChunkHeader <= file.size()) {
      ByteReader size(std::string_view(file).substr(at + 24, 8));
      const std::uint64_t stored = size.take<std::uint64_t>();
      if (stored > file.size() - at - kChunkHeader) break;
      const std::string_view chunk = std::string_view(file).substr(at, kChunkHeader + stored);
      const std::uint64_t hash = Hash().add(chunk.substr(0, 32)).add(chunk.substr(kChunkHeader)).value();
      std::memcpy(file.data() + at + 32, &hash, 8);
      at += kChunkHeader + stored;
    }
    return check_recording(Recording::from_bytes(file, "input"));
  }
  ByteWriter file;
  for (const char letter : kRecordingMagic) file.add(letter);
  file.add(kRecordingVersion);
  std::string whole = file.bytes();
  ChunkPacker packer;
  const std::string_view payload = bytes.substr(2);
  packer.add(mode == 3 ? payload : std::string_view(write_header({})));
  whole += packer.finish(ChunkKind::kHeader, 1, 0);
  packer.add(payload);
  const std::uint32_t count = static_cast<unsigned char>(bytes[1]) + 1u;
  whole += packer.finish(mode == 1 ? ChunkKind::kFrames : ChunkKind::kEvents, count, 0);
  check_recording(Recording::from_bytes(whole, "input"));
}

inline void juelich_text(std::string_view bytes) {
  for (const JuelichTextSettings& settings : {JuelichTextSettings{}, JuelichTextSettings{25, 0.01}}) {
    const auto trajectory = read_juelich_text(bytes, "input", settings);
    if (!trajectory) {
      require_problems(trajectory);
      continue;
    }
    for (std::size_t k = 0; k < trajectory->frame_count(); ++k) require_frame(trajectory->frame(k));
    const auto again = read_juelich_text(write_juelich_text(*trajectory), "again");
    require(static_cast<bool>(again), "what is written can be read");
    require(again->x == trajectory->x && again->agent == trajectory->agent, "and is the same trajectory");
  }
}

struct TrajectoryTarget {
  const char* name;  ///< of the corpus folder and of NAME_fuzz.cpp
  void (*run)(std::string_view);
};

inline constexpr std::array<TrajectoryTarget, 2> kTrajectoryTargets{{{"recording", recording}, {"juelich_text", juelich_text}}};

}  // namespace throng::fuzz
