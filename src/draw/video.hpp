// SPDX-License-Identifier: MIT
// A video, picture by picture, through ffmpeg as a child process: raw pixels go down a pipe, H.264 in MP4 comes out. Never
// linked.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
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

  [[nodiscard]] std::optional<Problem> add(const PngCanvas& picture) { return add(picture.pixels()); }
  /// Rows from the top, four bytes a pixel: blue, green, red, nothing.
  [[nodiscard]] std::optional<Problem> add(std::span<const std::byte> pixels);
  [[nodiscard]] std::optional<Problem> finish();

 private:
  friend std::optional<Problem> write_jpeg(const std::string& path, std::span<const std::byte> pixels, int width, int height);
  struct State;
  /// `output` are ffmpeg's words about what to make of the pixels.
  static Result<VideoWriter> start(const std::string& path, int width, int height, double frames_per_second,
                                   std::span<const char* const> output);
  explicit VideoWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// One picture as JPEG, also by ffmpeg: a tenth of the size of PNG where every pixel is shaded. Pixels as VideoWriter takes them.
[[nodiscard]] std::optional<Problem> write_jpeg(const std::string& path, std::span<const std::byte> pixels, int width, int height);

}  // namespace throng
