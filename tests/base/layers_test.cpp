// SPDX-License-Identifier: MIT
// The dependency order of docs/architecture.md, held against the #include lines of the real files.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/tree.hpp"

namespace throng {
namespace {

namespace fs = std::filesystem;

/// The core, top to bottom: a folder may include itself and the folders before it.
constexpr std::array<std::string_view, 16> kCore = {"base",    "geometry",   "scene",  "cells",      "navgraph", "grid",
                                                    "routing", "navigation", "agents", "neighbours", "fields",   "guidance",
                                                    "groups",  "motion",     "detail", "world"};

/// Libraries around the core: what each may include besides itself. "core" stands for all of kCore.
const std::map<std::string_view, std::set<std::string_view>> kAround = {
    {"import", {"core"}},
    {"scenario", {"core", "import", "trajectory"}},
    {"trajectory", {"base", "agents"}},
    {"analysis", {"base", "geometry", "trajectory"}},
    {"draw", {"core", "trajectory"}},
};

/// What the core may include beyond the standard library and our own files. Everything else that a package brings (JSON, CLI11,
/// assimp, Boost, CGAL, Clipper, cairo …) would become a dependency of whoever embeds us.
constexpr std::array<std::string_view, 6> kCoreThirdParty = {"hwy/", "fmt/", "zstd.h", "sys/", "unistd.h", "fcntl.h"};
constexpr std::array<std::string_view, 3> kCStandard = {"stddef.h", "stdint.h", "stdbool.h"};

std::optional<std::size_t> core_index(std::string_view folder) {
  const auto at = std::find(kCore.begin(), kCore.end(), folder);
  if (at == kCore.end()) return std::nullopt;
  return static_cast<std::size_t>(at - kCore.begin());
}

std::string_view part(std::string_view path, int index) {
  for (; index > 0; --index) path = path.substr(std::min(path.size(), path.find('/') + 1));
  return path.substr(0, path.find('/'));
}

struct Include {
  int line = 0;
  bool quoted = false;
  std::string path;
};

std::vector<Include> includes_of(std::string_view text) {
  std::vector<Include> found;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::erase_if(line, [](char c) { return c == ' ' || c == '\t'; });
    constexpr std::string_view kInclude = "#include";
    if (!line.starts_with(kInclude) || line.size() < kInclude.size() + 2) continue;
    const char open = line[kInclude.size()];
    if (open != '"' && open != '<') continue;  // a macro, as Highway's target file uses
    const std::size_t begin = kInclude.size() + 1;
    found.push_back({number, open == '"', line.substr(begin, line.find(open == '"' ? '"' : '>', begin) - begin)});
  }
  return found;
}

bool is_standard(std::string_view path) {
  return path.find_first_of("./") == std::string_view::npos ||
         std::find(kCStandard.begin(), kCStandard.end(), path) != kCStandard.end();
}

bool may_include(std::string_view folder, std::string_view other) {
  if (folder == other) return true;
  if (const auto mine = core_index(folder)) {
    const auto theirs = core_index(other);
    return theirs && *theirs < *mine;
  }
  const auto around = kAround.find(folder);
  if (around == kAround.end()) return false;
  return around->second.contains(other) || (around->second.contains("core") && core_index(other));
}

/// Everything in the file `path` ("src/cells/cells.hpp", "include/throng/vec.hpp") that breaks the order.
std::vector<std::string> include_violations(std::string_view path, std::string_view text) {
  std::vector<std::string> violations;
  const bool is_public = path.starts_with("include/");
  const std::string_view folder = is_public ? "include" : part(path, 1);
  const bool is_core = core_index(folder).has_value();
  if (!is_public && !is_core && !kAround.contains(folder)) {
    violations.push_back(std::string(path) + ": the folder is not in the layer order");
    return violations;
  }
  for (const Include& include : includes_of(text)) {
    const auto complain = [&](const std::string& why) {
      violations.push_back(std::string(path) + ":" + std::to_string(include.line) + ": includes " + include.path + ", " + why);
    };
    if (include.path.starts_with("throng/")) continue;
    if (include.quoted) {
      const std::string_view other = part(include.path, 0);
      if (is_public) {
        complain("but a public header sees public headers only, as <throng/…>");
      } else if (!may_include(folder, other)) {
        complain("which is not above " + std::string(folder));
      } else if (folder == "motion" && other == "motion" && path.find('/', 11) != std::string_view::npos &&
                 part(include.path, 1) != part(path, 2) && include.path.find('/', 7) != std::string_view::npos) {
        complain("but models never include each other");
      }
    } else if (!is_standard(include.path)) {
      const bool allowed = std::any_of(kCoreThirdParty.begin(), kCoreThirdParty.end(),
                                       [&](std::string_view prefix) { return include.path.starts_with(prefix); });
      if (is_public) complain("but public headers need the standard library only");
      if (is_core && !allowed) complain("which the core must not depend on");
    }
  }
  return violations;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Paths relative to the root of the sources, of all files below `folders` that have one of the endings.
std::vector<std::string> files_below(std::initializer_list<const char*> folders, const std::set<std::string>& endings) {
  const fs::path root = test::source_dir();
  std::vector<std::string> found;
  for (const char* folder : folders) {
    if (!fs::exists(root / folder)) continue;
    for (auto entry = fs::recursive_directory_iterator(root / folder); entry != fs::recursive_directory_iterator(); ++entry) {
      if (entry->path().filename() == "node_modules") entry.disable_recursion_pending();
      if (!entry->is_regular_file() || !endings.contains(entry->path().extension().string())) continue;
      found.push_back(fs::relative(entry->path(), root).generic_string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST(Layers, EveryFolderIncludesOnlyFoldersAboveIt) {
  const std::vector<std::string> files = files_below({"src", "include"}, {".hpp", ".cpp", ".h"});
  ASSERT_GT(files.size(), 10u);
  for (const std::string& file : files) {
    for (const std::string& violation : include_violations(file, read(test::source_dir() / file))) {
      ADD_FAILURE() << violation;
    }
  }
}

TEST(Layers, EverySourceFileNamesItsLicence) {
  const auto files = files_below({"src", "include", "apps", "tests", "benchmarks", "examples", "cmake", "bindings", "scenes"},
                                 {".hpp", ".cpp", ".h", ".cmake", ".sh", ".py", ".ts", ".tsx"});
  ASSERT_GT(files.size(), 10u);
  for (const std::string& file : files) {
    const std::string text = read(test::source_dir() / file);
    const std::size_t at = text.find("SPDX-License-Identifier: MIT");
    const auto lines_before = at == std::string::npos ? 99 : std::count(text.begin(), text.begin() + static_cast<long>(at), '\n');
    EXPECT_LE(lines_before, 1) << file << ": the first line (the second under #!) is SPDX-License-Identifier: MIT";
  }
}

TEST(Layers, TheBuildCompilesTheCoreInTheSameOrder) {
  const std::string cmake = read(test::source_dir() / "CMakeLists.txt");
  const std::size_t begin = cmake.find("set(core ") + 9;
  ASSERT_NE(begin, std::string::npos + 9);
  std::istringstream names(cmake.substr(begin, cmake.find(')', begin) - begin));
  std::vector<std::size_t> order;
  for (std::string name; names >> name;) {
    ASSERT_TRUE(core_index(name)) << name;
    order.push_back(*core_index(name));
  }
  EXPECT_GE(order.size(), 6u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

// The checker itself: planted includes that it must refuse, each beside one that it must let pass.
struct Planted {
  const char* file;
  const char* include;
  bool allowed;
};

class PlantedInclude : public testing::TestWithParam<Planted> {};

TEST_P(PlantedInclude, IsJudged) {
  const auto& [file, include, allowed] = GetParam();
  const std::string text = std::string("// SPDX-License-Identifier: MIT\n#pragma once\n") + include + "\n";
  EXPECT_EQ(include_violations(file, text).empty(), allowed) << file << " with " << include;
}

INSTANTIATE_TEST_SUITE_P(Layers, PlantedInclude,
                         testing::Values(Planted{"src/cells/cells.hpp", "#include \"geometry/point.hpp\"", true},
                                         Planted{"src/geometry/point.hpp", "#include \"cells/cells.hpp\"", false},
                                         Planted{"src/geometry/point.hpp", "  #  include \"cells/cells.hpp\"", false},
                                         Planted{"src/cells/cells.cpp", "#include \"cells/cells.hpp\"", true},
                                         Planted{"src/cells/cells.cpp", "#include \"import/reader.hpp\"", false},
                                         Planted{"src/cells/cells.cpp", "#include \"cells.hpp\"", false},
                                         Planted{"src/import/reader.cpp", "#include \"world/step.hpp\"", true},
                                         Planted{"src/draw/svg.cpp", "#include \"import/reader.hpp\"", false},
                                         Planted{"src/trajectory/write.cpp", "#include \"agents/columns.hpp\"", true},
                                         Planted{"src/trajectory/write.cpp", "#include \"world/step.hpp\"", false},
                                         Planted{"src/analysis/flow.cpp", "#include \"trajectory/read.hpp\"", true},
                                         Planted{"src/analysis/flow.cpp", "#include \"cells/cells.hpp\"", false},
                                         Planted{"src/motion/linear/linear.cpp", "#include \"motion/linear/linear.hpp\"", true},
                                         Planted{"src/motion/linear/linear.cpp", "#include \"motion/rules/rules.hpp\"", false},
                                         Planted{"src/motion/registry.cpp", "#include \"motion/rules/rules.hpp\"", true},
                                         Planted{"src/misc/things.cpp", "#include <vector>", false},
                                         Planted{"include/throng/scene.hpp", "#include <throng/vec.hpp>", true},
                                         Planted{"include/throng/scene.hpp", "#include <cstdint>", true},
                                         Planted{"include/throng/scene.hpp", "#include \"geometry/point.hpp\"", false},
                                         Planted{"include/throng/scene.hpp", "#include <nlohmann/json.hpp>", false},
                                         Planted{"include/throng/scene.hpp", "#include <fmt/format.h>", false},
                                         Planted{"src/routing/labels.cpp", "#include <hwy/highway.h>", true},
                                         Planted{"src/routing/labels.cpp", "#include <nlohmann/json.hpp>", false},
                                         Planted{"src/routing/labels.cpp", "#include <CLI/CLI.hpp>", false},
                                         Planted{"src/scene/cut.cpp", "#include <assimp/scene.h>", false},
                                         Planted{"src/scene/union.cpp", "#include <polyclipping/clipper.hpp>", false},
                                         Planted{"src/geometry/cdt.cpp", "#include <CGAL/Constrained_Delaunay_triangulation_2.h>",
                                                 false},
                                         Planted{"src/geometry/cdt.cpp", "#include <boost/geometry.hpp>", false},
                                         Planted{"src/import/scene_json.cpp", "#include <nlohmann/json.hpp>", true}));

}  // namespace
}  // namespace throng
