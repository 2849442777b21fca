// SPDX-License-Identifier: MIT
// The folder the studio was started in: the only one whose files it reads and writes on a viewer's word.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <throng/result.hpp>

namespace throng::server {

class Folder {
 public:
  /// A Problem if it is not there.
  static Result<Folder> open(const std::filesystem::path& path);
  const std::filesystem::path& path() const { return path_; }
  std::string name() const { return path_.filename().string(); }

  /// A file of the folder, there or not yet, with all links resolved. A Problem for absolute names, for `..`, for links that lead
  /// out, and for names with control characters.
  Result<std::filesystem::path> resolve(const std::string& name) const;

  struct Entry {
    std::string path;  ///< relative, with slashes
    std::string kind;  ///< "scenario", "recording", "scene", "run" (a folder with a recording in it) or "folder"
    std::uint64_t bytes = 0;
  };
  /// What a viewer can open, sorted by name; at most `most`.
  Result<std::vector<Entry>> list(const std::string& below, std::size_t most = 2000) const;

 private:
  explicit Folder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;  ///< canonical
};

/// By name and first bytes: "scenario", "recording", "scene", or empty.
std::string kind_of_file(const std::filesystem::path& file);
/// Writes beside the file and renames: whoever reads it sees the old or the new one.
std::optional<Problem> write_atomically(const std::filesystem::path& file, std::string_view bytes);

}  // namespace throng::server
