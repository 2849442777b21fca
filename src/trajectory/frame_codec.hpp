// SPDX-License-Identifier: MIT
// Frames as bytes that compress well, bit for bit the same when they come back.
//
// Idea: people walk on as they did. A float's bits, read as an integer that grows with the number, are linear in the number as
// long as it stays between two powers of two, so `2 a - b` of the last two frames predicts the next position in integers: no
// rounding that another machine could do differently. Of the unit heading the smaller component is predicted to stay; the larger
// then follows from it, ±sqrt(1 - s²), to within a bit or two (sqrt is exact by IEEE 754). What the prediction missed is small;
// zigzag makes its sign the lowest bit, and writing first all lowest bytes, then all second ones … puts the zeros side by side
// for zstd. Any bits survive: a bad prediction costs bytes, never exactness.
//
// The first frame of a chunk predicts nothing, so a chunk needs no other. Layout byte by byte: docs/formats/recording.md.
// Memory: what is predicted from, about 110 bytes a person.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trajectory/bytes.hpp"
#include "trajectory/trajectory.hpp"

namespace throng {

/// A frame as a world holds it: parallel columns in any order of agents. `z`, `layer` and what follows may be empty: 0 for all.
/// What follows is looked at when an agent appears and at the start of each chunk.
struct FrameColumns {
  std::span<const std::uint32_t> id;
  std::span<const float> x, y;
  std::span<const float> heading_x, heading_y;
  std::span<const float> z;
  std::span<const std::uint16_t> layer;
  std::span<const float> radius, preferred_speed;
  std::span<const std::uint16_t> kind;
  std::span<const std::uint32_t> group;
};

/// What is known of somebody from the frames before, and predicts the next.
struct AgentHistory {
  AgentFacts facts;
  std::uint32_t x[2]{0x80000000u}, y[2]{0x80000000u};  ///< the last and the one before, as ordered integers; at first 0.0f
  float heading_x = 0, heading_y = 0;
  std::uint32_t z = 0x80000000u;
  std::uint16_t layer = 0;
  std::uint8_t age = 0;  ///< frames seen, up to 2
};

class FrameEncoder {
 public:
  /// Forgets everybody: the next frame is the first of a chunk.
  void restart() { history_.clear(); }
  /// Writes one frame. Ids must differ. Returns the row whose place is_near does not hold for, or whose heading is not finite, or
  /// -1; with such a row nothing is written.
  std::ptrdiff_t encode(const FrameColumns& frame, ByteWriter& out);

 private:
  void sort_by_id(std::span<const std::uint32_t> id);
  void write_changes(const FrameColumns& frame, ByteWriter& out);

  std::vector<AgentHistory> history_;  ///< of those in the last frame, by id
  std::vector<AgentHistory> merged_;
  std::vector<std::uint32_t> last_id_;  ///< the ids as they came in the last frame
  std::vector<std::uint64_t> order_;    ///< id and row, sorted
  std::vector<std::uint32_t> left_, appeared_;
};

/// A frame as it comes back, by ascending id.
struct DecodedFrame {
  std::vector<AgentFacts> facts;
  std::vector<float> x, y, heading_x, heading_y, z;
  std::vector<std::uint16_t> layer;
  bool same_agents = false;  ///< as in the frame before, in the same rows
};

class FrameDecoder {
 public:
  explicit FrameDecoder(std::string_view bytes) : in_(bytes) {}
  /// Reads the next frame. False if the bytes are not what an encoder writes, or break an invariant of Trajectory.
  bool decode(DecodedFrame& frame);
  bool at_end() const { return in_.at_end(); }

 private:
  bool read_changes();

  ByteReader in_;
  std::vector<AgentHistory> history_, merged_;
  std::vector<std::uint32_t> residual_;
};

}  // namespace throng
