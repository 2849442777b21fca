// SPDX-License-Identifier: MIT
// What a word of the command line names: a scenario, a scene, a recording or a trajectory. A word that names another thing than
// its verb takes is told apart here, so that every verb can say which one to use.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <throng/result.hpp>

namespace throng::cli {

enum class InputKind : std::uint8_t {
  kUnknown = 0,     ///< a file that none of the below describes: its reader says why
  kScenario = 1,    ///< people in a scene, from a file or one that comes with the program
  kScene = 2,       ///< ground in any format that is read, or a built-in such as city:200
  kBaked = 4,       ///< a .nav file
  kRecording = 8,   ///< of `throng run`, or the folder it is in
  kTrajectory = 16  ///< of another tool: JuPedSim's SQLite, Jülich text
};
using InputKinds = unsigned;
constexpr InputKinds operator|(InputKind a, InputKind b) { return static_cast<InputKinds>(a) | static_cast<InputKinds>(b); }
constexpr InputKinds operator|(InputKinds a, InputKind b) { return a | static_cast<InputKinds>(b); }
constexpr InputKinds only(InputKind kind) { return static_cast<InputKinds>(kind); }

struct Input {
  InputKind kind = InputKind::kUnknown;
  std::filesystem::path file;  ///< of a run's folder its recording; empty for a built-in scene
};

/// Finds what `word` names and whether a verb takes it: a built-in scene, a file, the folder of a run, or a scenario that comes
/// with the program. The problem names the verbs that do take it, or the names that come near.
Result<Input> find_input(const std::string& word, InputKinds taken);

/// The file of a scenario.
Result<std::filesystem::path> find_scenario(const std::string& word);

/// Names of the scenarios that come with the program: scenes/NAME.json and scenes/large/NAME.json here, beside
/// the program or above it.
std::vector<std::string> scenario_names();

}  // namespace throng::cli
