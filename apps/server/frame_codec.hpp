// SPDX-License-Identifier: MIT
// Frames as messages to one viewer: the difference to the last one it was sent, about two bytes a person.
//
// Idea: people walk on as they did, so a place is predicted from the last two that were sent, and what the prediction missed is
// a few centimetres: half a byte for each axis. Headings are a byte. Whoever comes, or changes anything else, is sent whole.
// The layout byte by byte is in docs/formats/studio.md; the page's decoder and the test's are independent of this file.
//
// Differences are to what was *sent*: when a slow viewer loses frames, the next one it gets is still right.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "frame.hpp"

namespace throng::server {

class FrameCoder {
 public:
  /// The next message is a key frame: everybody whole.
  void restart() { is_fresh_ = true; }
  /// O(people), given rows by ascending number. The coder remembers what the viewer then knows.
  std::string encode(const Frame& frame, std::uint16_t branch);

 private:
  struct Known {
    FrameRow row;
    std::int32_t step_x = 0, step_y = 0;  ///< from the place before to this one
  };
  bool is_fresh_ = true;
  std::uint16_t branch_ = 0;
  std::vector<Known> known_;  ///< in the order of the viewer's list
  // Memory that messages reuse.
  std::vector<std::uint32_t> order_, row_of_, removed_, added_, changed_;
  std::string codes_, escapes_, headings_, heights_;
};

}  // namespace throng::server
