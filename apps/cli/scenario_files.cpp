// SPDX-License-Identifier: MIT
#include "scenario_files.hpp"

#include <algorithm>
#include <vector>

namespace throng::cli {
namespace fs = std::filesystem;
namespace {

/// Folders that may hold named scenarios: in the source tree the program is in build/NAME/bin, installed in PREFIX/bin.
std::vector<fs::path> scene_folders() {
  std::vector<fs::path> folders{"scenes"};
  std::error_code error;
  fs::path at = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (int level = 0; level < 5 && !error && at.has_relative_path(); ++level, at = at.parent_path()) {
    folders.push_back(at / "scenes");
    folders.push_back(at / "share/throng/scenes");
  }
  return folders;
}

}  // namespace

Result<fs::path> find_scenario(const std::string& scenario) {
  std::error_code error;
  if (fs::is_regular_file(scenario, error)) return fs::path(scenario);
  std::vector<std::string> names;
  if (scenario.find('/') == std::string::npos) {
    for (const fs::path& folder : scene_folders()) {
      const fs::path file = folder / (scenario + ".json");
      if (fs::is_regular_file(file, error)) return file;
      for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return Problem{scenario, "there is no such file" + (list.empty() ? "" : "; scenarios that come with the program: " + list),
                 "name a scenario file or one of those"};
}

}  // namespace throng::cli
