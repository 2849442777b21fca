// SPDX-License-Identifier: MIT
// What the verbs share: how a SCENE is named and opened, how results and problems are printed.
#pragma once
#include <CLI/App.hpp>
#include <chrono>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <throng/throng.hpp>

#include "import/import.hpp"
#include "scene/cut.hpp"

namespace throng::cli {

using Clock = std::chrono::steady_clock;
inline double seconds_since(Clock::time_point began) { return std::chrono::duration<double>(Clock::now() - began).count(); }
inline double milliseconds_since(Clock::time_point began) { return 1000 * seconds_since(began); }

inline constexpr int kSuccess = 0;
inline constexpr int kBadInput = 1;
inline constexpr int kWrongUsage = 2;

/// A verb's exit status, filled in when its subcommand runs.
struct Outcome {
  int status = kSuccess;
};

/// Adds one verb each.
void add_bake(CLI::App& app, Outcome& outcome);
void add_path(CLI::App& app, Outcome& outcome);
void add_draw(CLI::App& app, Outcome& outcome);
void add_run(CLI::App& app, Outcome& outcome);
void add_check(CLI::App& app, Outcome& outcome);
void add_export(CLI::App& app, Outcome& outcome);
void add_groups(CLI::App& app, Outcome& outcome);
void add_compare(CLI::App& app, Outcome& outcome);
void add_why(CLI::App& app, Outcome& outcome);
void add_validate(CLI::App& app, Outcome& outcome);
void add_bench(CLI::App& app, Outcome& outcome);
void add_demo(CLI::App& app, Outcome& outcome);
void add_studio(CLI::App& app, Outcome& outcome);

/// How the ground of a 3D mesh is sampled, for layers and for graphs.
struct GroundArguments {
  std::optional<double> grid_step;  ///< 0.1 m for layers, 0.25 m for graphs
  double slope = LayerSettings{}.slope;
  double step_height = LayerSettings{}.step_height;
  double head_room = LayerSettings{}.head_room;
  double min_island = LayerSettings{}.min_island;

  void add_to(CLI::App& verb);
};

/// A SCENE argument and what it takes to turn it into navigation data.
struct SceneArguments {
  std::string scene;
  std::string up;
  std::string units;
  std::optional<double> floor;
  double height = 1.8;
  double step = 0.2;
  std::string seed;
  bool layers = false;
  GroundArguments ground;
  std::uint32_t key_points = 1;
  unsigned threads = 0;
  bool quiet = false;
  bool json = false;

  void add_to(CLI::App& verb);
};

/// The scene as its file has it: triangles stay triangles.
Result<Scene> open_uncut_scene(const SceneArguments& arguments);
/// The scene, cut into layers if it came as a mesh: one at the floor, or all there are with --layers.
Result<Scene> open_scene(const SceneArguments& arguments, std::vector<BakeStage>* stages = nullptr);
/// The same baked; a baked file is read back.
Result<Navigation> open_navigation(const SceneArguments& arguments, std::vector<BakeStage>* stages = nullptr);
bool is_baked_file(const std::string& scene);

/// "X,Y" or "X,Y,Z".
struct Place {
  Vec2 point;
  std::optional<double> z;
};
Result<Place> parse_place(const std::string& text, const std::string& option);
/// The layer whose ground at a place of the file is nearest to z; the first without z.
std::uint32_t layer_at(const Navigation& navigation, const Place& place);

/// Prints the first five problems to stderr, each in three lines of a terminal at most, then how many more there are; all of them
/// as a JSON document to stdout if asked. Returns kBadInput.
int report_problems(std::span<const Problem> problems, bool json);
/// The same for words of the command line that do not go together: `verb` is "throng draw". Returns kWrongUsage.
int report_usage(std::string_view verb, std::span<const Problem> problems, bool json);
int report_usage(std::string_view verb, const std::string& what, const std::string& fix, bool json);
void print_json(const nlohmann::json& document);
nlohmann::json to_json(const BakeReport& report);
/// Names and milliseconds of stages, ours or a peer's.
nlohmann::json stages_json(const auto& stages) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& s : stages) list.push_back({{"name", s.name}, {"ms", s.ms}});
  return list;
}

/// A line on stderr that moves on, a line each time where it is no terminal. It appears after half a second: an answer that is
/// there at once needs no progress.
class Progress {
 public:
  static constexpr double kPatience = 0.5;  ///< s

  Progress(std::string title, bool quiet);
  ~Progress();
  void step(std::string_view words);
  void count(std::size_t done, std::size_t total);

 private:
  std::string title_;
  bool shown_ = false;
  bool terminal_;
  bool quiet_;
  int last_tenth_ = -1;
  std::chrono::steady_clock::time_point began_;
};

/// Writes a whole file or says why not.
std::optional<Problem> write_file(const std::string& path, std::string_view bytes);

/// Mean, median, 99th percentile and maximum.
struct Spread {
  double mean = 0, median = 0, p95 = 0, p99 = 0, worst = 0;
};
Spread spread_of(std::vector<double> values);

}  // namespace throng::cli
