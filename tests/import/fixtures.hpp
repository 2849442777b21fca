// SPDX-License-Identifier: MIT
// What the tests of the readers share: measuring scenes, temporary files.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <throng/scene.hpp>

#include "geometry/polygon.hpp"
#include "import/import.hpp"
#include "import/outline.hpp"
#include "support/external_data.hpp"

namespace throng {

inline double total_area(const std::vector<Polygon>& polygons) {
  double sum = 0;
  for (const Polygon& polygon : polygons) sum += outline::area(polygon);
  return sum;
}

inline std::size_t hole_count(const std::vector<Polygon>& polygons) {
  std::size_t count = 0;
  for (const Polygon& polygon : polygons) count += polygon.holes.size();
  return count;
}

inline bool inside_any(const std::vector<Polygon>& polygons, Vec2 p) {
  for (const Polygon& polygon : polygons) {
    if (contains(polygon, p)) return true;
  }
  return false;
}

/// All problems, for a message when a scene was expected.
template <class T>
std::string problems_of(const Result<T>& result) {
  std::string text;
  if (!result) {
    for (const Problem& problem : result.problems()) text += to_string(problem) + "\n";
  }
  return text;
}

/// Whether some problem is at `where` (a part of it) and says `what` (a part of it).
template <class T>
bool has_problem(const Result<T>& result, const std::string& where, const std::string& what) {
  if (result) return false;
  for (const Problem& problem : result.problems()) {
    if (problem.where.find(where) != std::string::npos && problem.what.find(what) != std::string::npos && !problem.fix.empty())
      return true;
  }
  return false;
}

inline std::string slurp(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A file with this content that goes away with the object.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& content)
      : folder_(std::filesystem::temp_directory_path() / ("throng_import_" + std::to_string(::getpid()))), path_(folder_ / name) {
    std::filesystem::create_directories(folder_);
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() {
    std::error_code error;
    std::filesystem::remove(path_, error);
    std::filesystem::remove(folder_, error);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path folder_, path_;
};

}  // namespace throng
