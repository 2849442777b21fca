// SPDX-License-Identifier: MIT
// Tables of path queries, for `throng path --queries` and the tests.
//
// `.scen` (MovingAI): after "version 1" each row is bucket, map, width, height, start x, start y, goal x, goal y, octile length.
// Cell indices mean cell centres; y is flipped with the height as read_movingai_map does.
// `.csv`: sx,sy,gx,gy[,length] in metres, an optional header, `#` comments.
// Points are in the coordinates of the scene's file: subtract Scene::origin before planning.
#pragma once
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <throng/result.hpp>
#include <throng/vec.hpp>

namespace throng {

struct PathQueryRow {
  Vec2 from;
  Vec2 to;
  double expected = std::numeric_limits<double>::quiet_NaN();  ///< the file's length; NaN if it has none
};

Result<std::vector<PathQueryRow>> read_queries(const std::filesystem::path& file);
Result<std::vector<PathQueryRow>> read_movingai_scen(std::string_view bytes, const std::string& name);
Result<std::vector<PathQueryRow>> read_query_csv(std::string_view bytes, const std::string& name);

}  // namespace throng
