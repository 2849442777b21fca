// SPDX-License-Identifier: MIT
#include "draw/video.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <span>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace throng {

struct VideoWriter::State {
  std::string path;
  int pipe = -1;
  pid_t child = -1;
  ~State() { close_and_wait(); }

  /// ffmpeg's exit status; -1 if it did not end by itself.
  int close_and_wait() {
    if (pipe >= 0) ::close(pipe);
    pipe = -1;
    if (child < 0) return -1;
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    child = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  Problem problem_of(int status) const {
    if (status == 127)
      return {path, "a video needs ffmpeg, which is not installed", "apt-get install ffmpeg, or draw .png pictures"};
    return {path, "ffmpeg could not write the video (exit status " + std::to_string(status) + ")",
            "check that the folder exists, may be written and has room"};
  }
};

VideoWriter::VideoWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
VideoWriter::VideoWriter(VideoWriter&&) noexcept = default;
VideoWriter& VideoWriter::operator=(VideoWriter&&) noexcept = default;
VideoWriter::~VideoWriter() = default;

Result<VideoWriter> VideoWriter::create(const std::string& path, int width, int height, double frames_per_second) {
  const char* const output[] = {"-vf",       "crop=trunc(iw/2)*2:trunc(ih/2)*2",
                                "-c:v",      "libx264",
                                "-preset",   "veryfast",
                                "-crf",      "20",
                                "-pix_fmt",  "yuv420p",
                                "-movflags", "+faststart"};
  return start(path, width, height, frames_per_second, output);
}

std::optional<Problem> write_jpeg(const std::string& path, std::span<const std::byte> pixels, int width, int height) {
  const char* const output[] = {"-frames:v", "1", "-update", "1", "-q:v", "6", "-pix_fmt", "yuvj420p"};
  Result<VideoWriter> picture = VideoWriter::start(path, width, height, 1, output);
  if (!picture) return picture.problems()[0];
  if (auto problem = picture->add(pixels)) return problem;
  return picture->finish();
}

Result<VideoWriter> VideoWriter::start(const std::string& path, int width, int height, double frames_per_second,
                                       std::span<const char* const> output) {
  auto state = std::make_unique<State>();
  state->path = path;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Problem{path, std::string("no pipe to ffmpeg: ") + std::strerror(errno), ""};
  const std::string size = std::to_string(width) + "x" + std::to_string(height), rate = std::to_string(frames_per_second);
  std::vector<const char*> words = {"ffmpeg", "-hide_banner", "-loglevel",  "error", "-y",         "-f", "rawvideo", "-pix_fmt",
                                    "bgr0",   "-s",           size.c_str(), "-r",    rate.c_str(), "-i", "-"};
  words.insert(words.end(), output.begin(), output.end());
  words.push_back(path.c_str());
  words.push_back(nullptr);
  state->child = ::fork();
  if (state->child == 0) {
    ::dup2(ends[0], STDIN_FILENO);
    const int nothing = ::open("/dev/null", O_WRONLY);
    if (nothing >= 0) ::dup2(nothing, STDOUT_FILENO);
    ::execvp("ffmpeg", const_cast<char* const*>(words.data()));
    ::_exit(127);
  }
  ::close(ends[0]);
  state->pipe = ends[1];
  if (state->child < 0) return Problem{path, std::string("ffmpeg cannot be started: ") + std::strerror(errno), ""};
  // A child that dies must not end us by a signal: writing then fails, which says why.
  std::signal(SIGPIPE, SIG_IGN);
  return VideoWriter(std::move(state));
}

std::optional<Problem> VideoWriter::add(std::span<const std::byte> pixels) {
  if (!state_ || state_->pipe < 0) return Problem{"video", "it has ended", ""};
  std::span<const std::byte> left = pixels;
  while (!left.empty()) {
    const ssize_t written = ::write(state_->pipe, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return state_->problem_of(state_->close_and_wait());
    left = left.subspan(static_cast<std::size_t>(written));
  }
  return std::nullopt;
}

std::optional<Problem> VideoWriter::finish() {
  const int status = state_->close_and_wait();
  if (status == 0) return std::nullopt;
  return state_->problem_of(status);
}

}  // namespace throng
