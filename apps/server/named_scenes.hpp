// SPDX-License-Identifier: MIT
// The scenarios that come with the program: NAME.json in a folder, those of more than 5000 people in `large` below it.
#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace throng {

/// The file of a name; a path to nothing if there is none.
inline std::filesystem::path named_scene(const std::filesystem::path& scenes, const std::string& name) {
  std::error_code error;
  const std::filesystem::path large = scenes / "large" / (name + ".json");
  return std::filesystem::is_regular_file(large, error) ? large : scenes / (name + ".json");
}

/// All files, large ones last, each sorted by name.
inline std::vector<std::filesystem::path> named_scenes(const std::filesystem::path& scenes) {
  std::vector<std::filesystem::path> files;
  if (scenes.empty()) return files;
  for (const std::filesystem::path& folder : {scenes, scenes / "large"}) {
    const auto first = static_cast<std::ptrdiff_t>(files.size());
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    std::sort(files.begin() + first, files.end());
  }
  return files;
}

}  // namespace throng
