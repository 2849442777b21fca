// SPDX-License-Identifier: MIT
#include "inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string_view>

#include "base/nearest_name.hpp"
#include "draw_recording.hpp"
#include "scenario/scenario.hpp"
#include "scene/builtin.hpp"
#include "trajectory/recording_format.hpp"

namespace throng::cli {
namespace fs = std::filesystem;
namespace {

/// Bytes of a file that are looked at: the key that tells a scenario stands near the beginning.
constexpr std::size_t kHead = std::size_t{1} << 20;

/// Folders that may hold named scenarios: in the source tree the program is in build/NAME/bin, installed in PREFIX/bin.
std::vector<fs::path> scene_folders() {
  std::vector<fs::path> folders{"scenes", "scenes/large"};
  std::error_code error;
  fs::path at = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (int level = 0; level < 5 && !error && at.has_relative_path(); ++level, at = at.parent_path()) {
    for (const char* folder : {"scenes", "scenes/large", "share/throng/scenes", "share/throng/scenes/large"})
      folders.push_back(at / folder);
  }
  return folders;
}

/// The file of a scenario that comes with the program, or an empty path.
fs::path named_scenario(const std::string& name) {
  std::error_code error;
  if (name.empty() || name.find('/') != std::string::npos) return {};
  for (const fs::path& folder : scene_folders())
    if (fs::path file = folder / (name + ".json"); fs::is_regular_file(file, error)) return file;
  return {};
}

std::string file_head(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string bytes(kHead, '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, stream.gcount())));
  return bytes;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether the first line that is no comment has an id, a frame, x and y, as numbers.
bool has_trajectory_rows(std::string_view text) {
  bool has_comment = false;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (line.front() == '#') {
      has_comment = true;
      continue;
    }
    std::size_t numbers = 0;
    while (!line.empty()) {
      line.remove_prefix(std::min(line.size(), line.find_first_not_of(" \t\r,;")));
      const std::string_view word = line.substr(0, line.find_first_of(" \t\r,;"));
      if (word.empty()) break;
      if (word.find_first_not_of("0123456789.+-eE") != std::string_view::npos) return false;
      ++numbers;
      line.remove_prefix(word.size());
    }
    return numbers >= 4;
  }
  return has_comment;
}

InputKind kind_of_file(const fs::path& file) {
  const std::string head = file_head(file), ending = file.extension().string();
  const std::string_view bytes = head;
  if (bytes.starts_with(std::string_view(kRecordingMagic, sizeof kRecordingMagic)) || ending == ".throng")
    return InputKind::kRecording;
  if (bytes.starts_with("THRONGNV") || ending == ".nav") return InputKind::kBaked;
  if (bytes.starts_with("SQLite format 3") || ending == ".sqlite") return InputKind::kTrajectory;
  if (is_one_of(ending, {".map", ".mesh", ".wkt", ".osm", ".obj", ".gltf", ".glb", ".fbx", ".dae", ".ply", ".stl", ".dxf", ".ifc",
                         ".3mf", ".geojson", ".cityjson"}))
    return InputKind::kScene;
  if (bytes.substr(0, bytes.find_first_not_of(" \t\r\n") + 1).ends_with('{')) {
    if (looks_like_scenario(bytes)) return InputKind::kScenario;
    const auto has = [&](std::string_view word) { return bytes.find(word) != std::string_view::npos; };
    if (has("\"throng_scene\"") || has("\"FeatureCollection\"") || has("\"CityJSON\"") || has("\"coordinates\""))
      return InputKind::kScene;
    return InputKind::kUnknown;
  }
  if (is_one_of(ending, {".txt", ".csv", ""}) && has_trajectory_rows(bytes)) return InputKind::kTrajectory;
  return InputKind::kUnknown;
}

std::string kind_words(InputKind kind) {
  switch (kind) {
    case InputKind::kScenario:
      return "a scenario";
    case InputKind::kScene:
      return "a scene without people";
    case InputKind::kBaked:
      return "a baked scene";
    case InputKind::kRecording:
      return "a recording";
    case InputKind::kTrajectory:
      return "a trajectory file";
    default:
      return "a file of another kind";
  }
}

std::string kind_words(InputKinds taken) {
  std::vector<std::string> words;
  for (const InputKind kind :
       {InputKind::kScenario, InputKind::kScene, InputKind::kBaked, InputKind::kRecording, InputKind::kTrajectory})
    if ((taken & only(kind)) != 0) words.push_back(kind == InputKind::kScene ? "a scene" : kind_words(kind));
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

/// What to do with a thing that the verb does not take.
std::string advice_for(InputKind kind, const std::string& word, InputKinds taken) {
  const bool wants_motion = (taken & (InputKind::kRecording | InputKind::kTrajectory)) != 0;
  switch (kind) {
    case InputKind::kScenario:
      return wants_motion ? fmt::format("run it first: throng run {} -o out/run; then name out/run", word)
                          : fmt::format("throng run {} simulates it", word);
    case InputKind::kScene:
      return (taken & only(InputKind::kScenario)) != 0
                 ? fmt::format(
                       "write a scenario with \"scene\": \"{}\" and people in it (docs/formats/scenario.md), or throng draw {} "
                       "-o scene.png",
                       word, word)
                 : fmt::format("throng draw {} -o scene.png shows it, throng check {} examines it", word, word);
    case InputKind::kBaked:
      return fmt::format("throng draw and throng path take it; here name the file that it was baked from");
    case InputKind::kRecording:
      return fmt::format("throng draw, check, why, groups, export and run take it, for example throng draw {} -o picture.png",
                         word);
    case InputKind::kTrajectory:
      return fmt::format("throng draw, groups and export take it, for example throng draw {} -o picture.png", word);
    default:
      return "check the name";
  }
}

/// Nothing has this name: what comes near.
Problem nothing_named(const std::string& word, InputKinds taken) {
  const bool is_path = word.find_first_of("/.") != std::string::npos;
  const bool takes_names = (taken & (InputKind::kScenario | InputKind::kScene)) != 0;
  if (is_path || !takes_names)
    return {word.empty() ? "\"\"" : word, "there is no such file", "check the name; " + kind_words(taken) + " is needed"};
  const std::vector<std::string> names = scenario_names();
  std::vector<std::string_view> known(names.begin(), names.end());
  known.insert(known.end(), {"city", "office"});
  const std::string_view stem = std::string_view(word).substr(0, word.find(':'));
  const auto meant = nearest_name(stem, known);
  std::string fix;
  if (!meant)
    fix = "name a file, or one of " + listed({known.data(), names.size()}, 8);
  else if (*meant == "city" || *meant == "office")
    fix = fmt::format("did you mean {}:{}?", *meant, *meant == "city" ? 200 : 40);
  else
    fix = fmt::format("did you mean {}?", *meant);
  return {word.empty() ? "\"\"" : word, "there is no such file, and no scenario of this name comes with the program", fix};
}

}  // namespace

std::vector<std::string> scenario_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::path& folder : scene_folders())
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Result<Input> find_input(const std::string& word, InputKinds taken) {
  std::error_code error;
  Input found;
  if (is_builtin(word)) {
    found.kind = InputKind::kScene;
  } else if (fs::is_directory(word, error) && fs::exists(recording_file(word), error)) {
    found = {InputKind::kRecording, recording_file(word)};
  } else if (fs::is_regular_file(word, error)) {
    found = {kind_of_file(word), word};
  } else if (const fs::path named = named_scenario(word); !named.empty()) {
    found = {InputKind::kScenario, named};
  } else if (fs::is_directory(word, error)) {
    return Problem{word, "this folder holds no recording", "name a file, or the folder of throng run -o"};
  } else if (fs::exists(word, error)) {
    // A pipe or a device may never end.
    return Problem{word, "this is not a regular file", "copy it to a file first"};
  } else {
    return nothing_named(word, taken);
  }
  const bool is_text_expected = (taken & (InputKind::kScenario | InputKind::kScene)) != 0;
  if ((taken & only(found.kind)) != 0 || (found.kind == InputKind::kUnknown && is_text_expected)) return found;
  if (found.kind == InputKind::kUnknown && file_head(found.file).starts_with("\x89HDF"))
    return Problem{word, "this is an HDF5 file, which is not read", "convert it to Jülich text or JuPedSim's SQLite first"};
  return Problem{word, fmt::format("this is {}; {} is needed here", kind_words(found.kind), kind_words(taken)),
                 advice_for(found.kind, word, taken)};
}

Result<fs::path> find_scenario(const std::string& word) {
  auto input = find_input(word, only(InputKind::kScenario));
  if (!input) return input.problems();
  return std::move(input->file);
}

}  // namespace throng::cli
