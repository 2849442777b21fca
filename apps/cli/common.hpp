// SPDX-License-Identifier: MIT
// What the verbs share: how a SCENE is named and opened, how results and problems are printed.
#pragma once
#include <CLI/App.hpp>
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
void add_validate(CLI::App& app, Outcome& outcome);
void add_bench(CLI::App& app, Outcome& outcome);
void add_demo(CLI::App& app, Outcome& outcome);

/// A SCENE argument and what it takes to turn it into navigation data.
struct SceneArguments {
  std::string scene;
  std::string up;
  std::string units;
  std::optional<double> floor;
  double height = 1.8;
  double step = 0.2;
  std::string seed;
  std::uint32_t key_points = 1;
  unsigned threads = 0;
  bool quiet = false;
  bool json = false;

  void add_to(CLI::App& verb);
};

/// The scene as its file has it: triangles stay triangles.
Result<Scene> open_uncut_scene(const SceneArguments& arguments);
/// The scene, cut into layers if it came as a mesh.
Result<Scene> open_scene(const SceneArguments& arguments);
/// The same baked; a baked file is read back.
Result<Navigation> open_navigation(const SceneArguments& arguments);
bool is_baked_file(const std::string& scene);

/// "X,Y" or "X,Y,Z".
struct Place {
  Vec2 point;
  std::optional<double> z;
};
Result<Place> parse_place(const std::string& text, const std::string& option);
/// The layer whose ground at the place is nearest to z; the first without z.
std::uint32_t layer_at(const Navigation& navigation, const Place& place);

/// Prints problems to stderr, and as a JSON document to stdout if asked. Returns kBadInput.
int report_problems(std::span<const Problem> problems, bool json);
void print_json(const nlohmann::json& document);
nlohmann::json to_json(const BakeReport& report);

/// A line on stderr that moves on; silent where nobody watches.
class Progress {
 public:
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
};

/// Writes a whole file or says why not.
std::optional<Problem> write_file(const std::string& path, std::string_view bytes);

/// Mean, median, 99th percentile and maximum.
struct Spread {
  double mean = 0, median = 0, p95 = 0, p99 = 0, worst = 0;
};
Spread spread_of(std::vector<double> values);

}  // namespace throng::cli
