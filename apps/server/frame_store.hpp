// SPDX-License-Identifier: MIT
// Any frame of a run, from the recording it is kept in, while it is written or afterwards.
//
// The recording is the only store: a run that goes on appends to it, and what has not reached the file yet (at most one chunk)
// is kept here. Who looks at one frame of a chunk gets it as soon as it is decoded; with the second look all of the chunk is, and
// the chunks shown last stay in a cache of bounded size that all runs of a document share. So scrubbing costs half a chunk on the
// average (some ten milliseconds), and playing on or stepping back nothing but now and then a chunk.
//
// What recordings do not hold (level, model, goal, vehicles) is logged beside them for live runs: a few bytes whenever somebody's
// changes. Of files it is found by running them again (Studio::make_marks).
#pragma once
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <throng/vec.hpp>

#include "frame.hpp"
#include "trajectory/recording.hpp"

namespace throng::server {

/// Turns metres of the scene into rows of frames.
struct FrameScale {
  Vec2 low;                            ///< the document's lower corner, in the coordinates of the positions
  std::vector<std::uint8_t> is_child;  ///< by kind
  void place(FrameRow& row, float x, float y, float z, float heading_x, float heading_y) const;
  /// What is fixed for somebody.
  void describe(FrameRow& row, const AgentFacts& facts) const;
};

/// Decoded chunks, the least recently shown go first. Thread-safe.
class ChunkCache {
 public:
  explicit ChunkCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}
  using Chunk = std::shared_ptr<const std::vector<FramePointer>>;
  using Key = std::pair<const void*, std::uint64_t>;
  Chunk find(const Key& key);
  void add(const Key& key, Chunk chunk);
  /// The same chunk, with more in it.
  void replace(const Key& key, Chunk chunk);
  void forget(const void* store);
  std::size_t bytes() const;

 private:
  struct Entry {
    Key key;
    Chunk chunk;
    std::size_t bytes;
  };
  mutable std::mutex mutex_;
  std::size_t most_bytes_, bytes_ = 0;
  std::list<Entry> entries_;  ///< the last shown first
  std::map<Key, std::list<Entry>::iterator> place_;
};

/// Thread-safe: one thread appends, any read.
class FrameStore {
 public:
  /// `file` is that of a recording being written, or finished.
  FrameStore(std::string file, const RecordingHeader& header, FrameScale scale, std::shared_ptr<ChunkCache> cache);
  ~FrameStore();
  FrameStore(const FrameStore&) = delete;
  FrameStore& operator=(const FrameStore&) = delete;

  /// Reads a file that nobody writes any more.
  std::optional<Problem> adopt();

  /// The next frame of a live run; its rows' level, model and goal are remembered.
  void append(FramePointer frame);
  /// Everything appended so far is in the file.
  void seal();

  std::uint64_t first_step() const { return first_step_; }
  double step_seconds() const { return step_seconds_; }
  std::uint32_t steps_per_frame() const { return steps_per_frame_; }
  std::uint64_t frame_count() const;
  /// Step of the last frame.
  std::uint64_t last_step() const;
  const FrameScale& scale() const { return scale_; }
  const std::string& file() const { return file_; }

  /// The last frame at or before a step. A Problem where the file is damaged.
  Result<FramePointer> at_step(std::uint64_t step);
  Result<FramePointer> at(std::uint64_t number);
  /// All frames of the chunk in which a step is, and the number of the first.
  struct Piece {
    std::uint64_t first = 0;
    ChunkCache::Chunk frames;
  };
  Result<Piece> piece_at_step(std::uint64_t step);
  /// The frames from a number to the end of its chunk, for who looks at all of them once: the cache keeps what it has.
  Result<std::vector<FramePointer>> following(std::uint64_t number);
  /// In place of those frames, until the cache forgets them.
  void show_instead(std::uint64_t first, ChunkCache::Chunk frames) { cache_->replace({this, first}, std::move(frames)); }
  /// The recording as far as it is in the file; reopened when it has grown.
  Result<std::shared_ptr<const Recording>> recording();

 private:
  struct Marks {
    std::uint32_t step = 0;
    std::uint16_t goal = kNoGoal;
    std::uint8_t level = 0, model = 0;
    bool is_set = false;
  };
  Result<Piece> piece_of(std::uint64_t number, bool is_kept = true);
  /// The chunk that holds a frame; null if none does.
  const ChunkPlace* chunk_of(const Recording& recording, std::uint64_t number) const;
  Problem no_frame(std::uint64_t number) const;
  /// Frames `first` to `last` of a chunk, counted from its first. The speeds of the first one are those of the chunk's first only
  /// where it is that one: else they are not known.
  Result<ChunkCache::Chunk> decode(const Recording& recording, const ChunkHeader& chunk, std::uint32_t first, std::uint32_t last);
  void log(const Frame& frame);
  void apply_log(Frame& frame) const;

  const std::string file_;
  const std::uint64_t first_step_;
  const double step_seconds_;
  const std::uint32_t steps_per_frame_;
  const FrameScale scale_;
  const std::shared_ptr<ChunkCache> cache_;

  mutable std::mutex mutex_;
  std::uint64_t sealed_ = 0;  ///< frames in the file
  std::vector<FramePointer> tail_;
  std::shared_ptr<const Recording> recording_;
  std::optional<std::uint64_t> glimpsed_;  ///< first frame of the chunk that was last looked at without being decoded as a whole
  std::vector<std::vector<Marks>> marks_;  ///< by number
  bool has_log_ = false;
  std::vector<Marks> last_;                                                             ///< of each
  std::map<std::uint64_t, std::shared_ptr<const std::vector<FrameVehicle>>> vehicles_;  ///< by step
};

}  // namespace throng::server
