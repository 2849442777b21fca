// SPDX-License-Identifier: MIT
#include "trajectory/files.hpp"

#include <filesystem>
#include <fstream>

#include "trajectory/jupedsim_sqlite.hpp"
#include "trajectory/recording.hpp"
#include "trajectory/recording_format.hpp"

namespace throng {
namespace {

constexpr std::string_view kSqliteMagic{"SQLite format 3\0", 16};
constexpr std::uintmax_t kLargestText = std::uintmax_t{4} << 30;

}  // namespace

Result<TrajectoryFile> read_trajectory(const std::string& path, const JuelichTextSettings& text) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return Problem{path, "there is no such file", "check the name; give a recording, a JuPedSim .sqlite or a Jülich .txt file"};
  std::ifstream file(path, std::ios::binary);
  std::string start(kSqliteMagic.size(), '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  TrajectoryFile result;
  if (start.starts_with(std::string_view(kRecordingMagic, sizeof kRecordingMagic))) {
    const Result<Recording> recording = Recording::open(path);
    if (!recording) return recording.problems();
    Result<Trajectory> trajectory = recording->load();
    if (!trajectory) return trajectory.problems();
    return TrajectoryFile{std::move(*trajectory), "recording", recording->ended_early()};
  }
  if (start == kSqliteMagic) {
    Result<Trajectory> trajectory = read_jupedsim_sqlite(path);
    if (!trajectory) return trajectory.problems();
    return TrajectoryFile{std::move(*trajectory), "jupedsim sqlite", ""};
  }
  if (std::filesystem::file_size(path, error) > kLargestText)
    return Problem{path, "the text is larger than 4 GB", "cut it into parts, or give a recording or SQLite file"};
  file.clear();
  file.seekg(0);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  Result<Trajectory> trajectory = read_juelich_text(bytes, path, text);
  if (!trajectory) return trajectory.problems();
  return TrajectoryFile{std::move(*trajectory), "juelich text", ""};
}

std::optional<Problem> write_trajectory(const Trajectory& trajectory, const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".sqlite") return write_jupedsim_sqlite(trajectory, path);
  if (ending != ".txt")
    return Problem{path, "the ending \"" + ending + "\" is not known",
                   "end the name in .sqlite (JuPedSim) or .txt (Jülich text)"};
  const std::string part = path + ".part";
  std::error_code error;
  {
    std::ofstream file(part, std::ios::binary);
    const std::string text = write_juelich_text(trajectory);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) error = std::make_error_code(std::errc::io_error);
  }
  if (!error) std::filesystem::rename(part, path, error);
  if (!error) return std::nullopt;
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  return Problem{path, "the file cannot be written", "check that the folder exists, is writable and has room"};
}

}  // namespace throng
