// SPDX-License-Identifier: MIT
#include "folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>

#include "scenario/scenario.hpp"

namespace throng::server {
namespace fs = std::filesystem;
namespace {

bool is_below(const fs::path& file, const fs::path& folder) {
  const auto [at, rest] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return at == folder.end();
}

Problem refused(const std::string& name, const char* why) {
  return {name, why, "name a file below the folder that the studio was started in"};
}

}  // namespace

Result<Folder> Folder::open(const fs::path& path) {
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  if (error || !fs::is_directory(real, error))
    return Problem{path.string(), "there is no such folder", "start the studio in a folder that exists"};
  return Folder(std::move(real));
}

Result<fs::path> Folder::resolve(const std::string& name) const {
  if (name.size() > 1024) return refused(name.substr(0, 40) + "…", "the name is too long");
  if (std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    return refused("the name", "it holds control characters");
  const fs::path relative(name);
  if (relative.is_absolute() || relative.has_root_path()) return refused(name, "it is an absolute path");
  for (const fs::path& part : relative)
    if (part == "..") return refused(name, "it leads out of the folder");
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path_ / relative, error);
  if (error) return refused(name, "it cannot be resolved");
  if (!is_below(real, path_)) return refused(name, "a link leads out of the folder");
  // What is resolved weakly may still hold a dangling link, which opening would follow.
  fs::path at = path_;
  for (const fs::path& part : real.lexically_relative(path_)) {
    at /= part;
    if (fs::is_symlink(fs::symlink_status(at, error))) return refused(name, "a link leads nowhere");
  }
  return real;
}

std::string kind_of_file(const fs::path& file) {
  std::string end = file.extension().string();
  std::transform(end.begin(), end.end(), end.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (end == ".throng" || end == ".sqlite") return "recording";
  if (end == ".json" || end == ".txt") {
    std::ifstream in(file, std::ios::binary);
    std::string head(4096, '\0');
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(in.gcount()));
    if (end == ".txt") {
      // Jülich's trajectories: comments, then rows of numbers.
      std::size_t at = 0;
      while (at < head.size() && head[at] == '#') at = std::min(head.find('\n', at), head.size() - 1) + 1;
      const std::string row = head.substr(at, head.find('\n', at) - at);
      if (at > 0 && row.size() > 4 && row.find_first_not_of("0123456789.,;+-eE \t\r") == std::string::npos) return "recording";
      return head.find("POLYGON") != std::string::npos ? "scene" : "";
    }
    if (looks_like_scenario(head)) return "scenario";
    // The studio saves keys in order of their names: the one that tells comes after a scene and its people.
    std::string tail(4096, '\0');
    in.clear();
    in.seekg(0, std::ios::end);
    in.seekg(std::max<std::streamoff>(0, static_cast<std::streamoff>(in.tellg()) - static_cast<std::streamoff>(tail.size())));
    in.read(tail.data(), static_cast<std::streamsize>(tail.size()));
    tail.resize(static_cast<std::size_t>(in.gcount()));
    if (looks_like_scenario(tail)) return "scenario";
    for (const char* word : {"\"throng_scene\"", "\"Feature", "Polygon\"", "\"CityJSON\""})
      if (head.find(word) != std::string::npos) return "scene";
    return "";
  }
  static const std::set<std::string> kScenes = {".geojson", ".wkt", ".map", ".mesh", ".osm", ".xml", ".obj",
                                                ".gltf",    ".glb", ".fbx", ".dae",  ".ply", ".stl", ".nav"};
  return kScenes.contains(end) && end != ".nav" ? "scene" : "";
}

Result<std::vector<Folder::Entry>> Folder::list(const std::string& below, std::size_t most) const {
  const auto folder = resolve(below);
  if (!folder) return folder.problems();
  std::error_code error;
  std::vector<Entry> entries;
  fs::directory_iterator it(*folder, fs::directory_options::skip_permission_denied, error);
  if (error) return Problem{below, "the folder cannot be read: " + error.message(), "name another"};
  for (std::size_t seen = 0; it != fs::directory_iterator() && entries.size() < most && seen < 20 * most;
       it.increment(error), ++seen) {
    if (error) break;
    const std::string name = it->path().filename().string();
    if (name.starts_with('.')) continue;
    const std::string relative = below.empty() ? name : (fs::path(below) / name).generic_string();
    if (!resolve(relative)) continue;  // a link that leads out
    if (it->is_directory(error)) {
      const fs::path recording = it->path() / "recording.throng";
      const bool is_run = fs::is_regular_file(recording, error) && resolve(relative + "/recording.throng");
      entries.push_back({relative, is_run ? "run" : "folder", is_run ? fs::file_size(recording, error) : 0});
    } else if (it->is_regular_file(error)) {
      std::string kind = kind_of_file(it->path());
      if (!kind.empty()) entries.push_back({relative, std::move(kind), it->file_size(error)});
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.path < b.path; });
  return entries;
}

std::optional<Problem> write_atomically(const fs::path& file, std::string_view bytes) {
  const auto fail = [&](const char* what) {
    return Problem{file.filename().string(), std::string(what) + ": " + std::strerror(errno), "check the folder and the disk"};
  };
  std::string name = (file.parent_path() / ".throng-save-XXXXXX").string();
  const int out = ::mkstemp(name.data());
  if (out < 0) return fail("it cannot be written");
  ::fchmod(out, 0644);
  while (!bytes.empty()) {
    const ssize_t written = ::write(out, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const auto problem = fail("it cannot be written");
      ::close(out);
      ::unlink(name.c_str());
      return problem;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(out) != 0 || ::close(out) != 0 || ::rename(name.c_str(), file.c_str()) != 0) {
    const auto problem = fail("it cannot be written");
    ::unlink(name.c_str());
    return problem;
  }
  return std::nullopt;
}

}  // namespace throng::server
