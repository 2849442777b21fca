// SPDX-License-Identifier: MIT
#include "trajectory/run_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace throng {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRecordingName = "recording.throng";
constexpr const char* kSummaryName = "summary.json";
constexpr const char* kPreviousName = "previous";
constexpr const char* kLockName = ".running";

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(fs::symlink_status(file, error));
}

/// The process that a lock file names; empty if it has not got that far.
std::string holder_of(int file) {
  char text[24] = {};
  const ssize_t got = ::pread(file, text, sizeof text - 1, 0);
  const long process = got > 0 ? std::strtol(text, nullptr, 10) : 0;
  return process > 0 ? "process " + std::to_string(process) : "another process";
}

}  // namespace

struct RunFolder::State {
  fs::path path;
  int lock = -1;
  bool has_previous = false;  ///< moved aside by this run

  ~State() {
    std::error_code error;
    // A recording that could not even be begun has no bytes.
    const auto size = fs::file_size(path / kRecordingName, error);
    if (has_previous && (error || size == 0) && !is_there(path / kSummaryName)) bring_back();
    if (lock < 0) return;
    // While it is locked: a run that waits for this file sees that its name is gone, and makes another.
    fs::remove(path / kLockName, error);
    ::close(lock);
  }

  /// Takes the lock, or says why not.
  std::optional<Problem> take_lock() {
    const std::string file = (path / kLockName).string();
    for (;;) {
      lock = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
      if (lock < 0)
        return Problem{path.string(), "nothing can be written into this folder: " + std::string(std::strerror(errno)),
                       "check that it is writable, or name another with -o"};
      // File systems without locks: runs are not kept apart there.
      const bool is_locked = ::flock(lock, LOCK_EX | LOCK_NB) == 0;
      if (!is_locked && errno == EWOULDBLOCK) {
        const std::string holder = holder_of(lock);
        ::close(lock);
        lock = -1;
        return Problem{path.string(), holder + " writes a run into this folder",
                       "name another folder with -o, or wait for that run to end"};
      }
      // The run before may have deleted the file between our opening and locking it.
      struct stat opened {
      }, named{};
      if (::fstat(lock, &opened) == 0 && ::stat(file.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
          opened.st_dev == named.st_dev)
        break;
      ::close(lock);
      lock = -1;
    }
    const std::string process = std::to_string(::getpid()) + "\n";
    if (::ftruncate(lock, 0) == 0) (void)!::pwrite(lock, process.data(), process.size(), 0);
    return std::nullopt;
  }

  /// Moves the run that lies here to previous/. One that was cut off does not drive out a whole one that lies there already.
  std::optional<Problem> move_aside() {
    const fs::path recording = path / kRecordingName, summary = path / kSummaryName, previous = path / kPreviousName;
    if (!is_there(recording) && !is_there(summary)) return std::nullopt;
    std::error_code error;
    if (is_there(previous / kSummaryName) && !is_there(summary)) {
      fs::remove(recording, error);
    } else {
      fs::create_directory(previous, error);
      if (!error) fs::remove(previous / kRecordingName, error);
      if (!error) fs::remove(previous / kSummaryName, error);
      // The summary first: what remains if this is cut off is a recording without one, not a summary of another.
      if (!error && is_there(summary)) fs::rename(summary, previous / kSummaryName, error);
      if (!error && is_there(recording)) fs::rename(recording, previous / kRecordingName, error);
      has_previous = !error;
    }
    if (!error) return std::nullopt;
    return Problem{path.string(), "the run that lies in this folder cannot be moved aside: " + error.message(),
                   "check that the folder is writable, or name another with -o"};
  }

  void bring_back() {
    std::error_code error;
    for (const char* name : {kRecordingName, kSummaryName})
      if (is_there(path / kPreviousName / name)) fs::rename(path / kPreviousName / name, path / name, error);
    fs::remove(path / kPreviousName, error);
  }
};

RunFolder::RunFolder(std::unique_ptr<State> state) : state_(std::move(state)) {}
RunFolder::RunFolder(RunFolder&&) noexcept = default;
RunFolder& RunFolder::operator=(RunFolder&&) noexcept = default;
RunFolder::~RunFolder() = default;

Result<RunFolder> RunFolder::open(const std::string& path) {
  auto state = std::make_unique<State>();
  state->path = path;
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return Problem{path, "the folder cannot be made: " + error.message(), "name another with -o"};
  if (const auto problem = state->take_lock()) return *problem;
  if (const auto problem = state->move_aside()) return *problem;
  return RunFolder(std::move(state));
}

std::string RunFolder::recording() const { return (state_->path / kRecordingName).string(); }

std::optional<Problem> RunFolder::finish(std::string_view summary_json) {
  const fs::path file = state_->path / kSummaryName, part = state_->path / (std::string(kSummaryName) + ".part");
  std::error_code error;
  {
    std::ofstream out(part, std::ios::binary);
    out.write(summary_json.data(), static_cast<std::streamsize>(summary_json.size()));
    out.close();
    if (!out) error = std::make_error_code(std::errc::io_error);
  }
  if (!error) fs::rename(part, file, error);
  if (error) {
    std::error_code ignored;
    fs::remove(part, ignored);
    return Problem{file.string(), "the file cannot be written", "check that the folder is writable and has room"};
  }
  // Two known files, and the folder if nothing else lies in it.
  for (const char* name : {kRecordingName, kSummaryName}) fs::remove(state_->path / kPreviousName / name, error);
  fs::remove(state_->path / kPreviousName, error);
  state_->has_previous = false;
  return std::nullopt;
}

}  // namespace throng
