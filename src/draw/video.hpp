// SPDX-License-Identifier: MIT
// A video, picture by picture, through ffmpeg as a child process: raw pixels go down a pipe, H.264 in MP4 comes out. Never
// linked.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include <throng/result.hpp>

#include "draw/png_canvas.hpp"

namespace throng {

class VideoWriter {
 public:
  /// All pictures must have this size in pixels; odd ones lose a line, as H.264 wants even sizes.
  static Result<VideoWriter> create(const std::string& path, int width, int height, double frames_per_second);
  VideoWriter(VideoWriter&&) noexcept;
  VideoWriter& operator=(VideoWriter&&) noexcept;
  /// Ends ffmpeg without a word if `finish` was not called.
  ~VideoWriter();

  [[nodiscard]] std::optional<Problem> add(const PngCanvas& picture);
  [[nodiscard]] std::optional<Problem> finish();

 private:
  struct State;
  explicit VideoWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng
