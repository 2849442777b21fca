// SPDX-License-Identifier: MIT
// Grid maps of the MovingAI benchmarks (Sturtevant 2012): `type octile`, height, width, `map`, then one character a cell.
// '.', 'G' and 'S' are ground, '@', 'O', 'T' and 'W' are not.
//
// A cell is 1 × 1 m. The first row is the northernmost: row j covers y from height-j-1 to height-j, so that the picture of the
// file and the scene look alike. The frame is walkable and each edge-connected region of blocked cells becomes one obstacle with
// exact outlines and holes, vertices only where the outline turns. Regions that meet at a corner share that vertex: nobody
// passes between them. Linear in the cells.
#include <array>
#include <vector>

#include <fmt/format.h>

#include "import/import.hpp"
#include "import/outline.hpp"
#include "import/scene_builder.hpp"
#include "import/text_scanner.hpp"
#include "import/walk_splitter.hpp"

namespace throng {
namespace {

constexpr std::int64_t kLargestSide = static_cast<std::int64_t>(limits::kExtentMetres);

struct Grid {
  std::int64_t width = 0, height = 0;
  std::vector<char> blocked;  // row by row from the south, so that (x, y) is the cell's lower left corner

  bool is_blocked(std::int64_t x, std::int64_t y) const {
    return x >= 0 && y >= 0 && x < width && y < height && blocked[static_cast<std::size_t>(y * width + x)];
  }
};

bool parse(std::string_view bytes, ProblemList& problems, Grid& grid) {
  TextScanner scan(bytes);
  const auto fail = [&](std::string what, std::string fix) {
    problems.add(fmt::format("line {}", scan.line()), std::move(what), std::move(fix));
    return false;
  };
  bool started = false;
  while (!started) {
    scan.skip_space();
    const std::string found = scan.found();
    const std::string_view key = scan.word();
    if (key == "map") {
      started = true;
    } else if (key == "type") {
      const std::string type = scan.found();
      if (scan.word() != "octile")
        return fail(fmt::format("type{} found; \"octile\" is the one that is read", type), "write \"type octile\"");
    } else if (key == "height" || key == "width") {
      const auto value = scan.integer();
      if (!value || *value < 1 || *value > kLargestSide) {
        return fail(fmt::format("{} {} found; 1 to {} cells are allowed", key, value ? std::to_string(*value) : scan.found(),
                                kLargestSide),
                    "correct the number");
      }
      (key == "height" ? grid.height : grid.width) = *value;
    } else {
      return fail(fmt::format("{} found; \"type octile\", \"height N\", \"width N\" and \"map\" are the header", found),
                  "correct the header");
    }
  }
  if (grid.width == 0 || grid.height == 0) return fail("height or width is missing before \"map\"", "add both");
  const auto cells = static_cast<std::size_t>(grid.width * grid.height);
  if (cells > limits::kGridCells)
    return fail(fmt::format("{} cells found; at most {} are allowed", cells, limits::kGridCells), "cut the map");
  if (cells > bytes.size()) {
    return fail(fmt::format("{} × {} cells are announced and the file has only {} bytes", grid.width, grid.height, bytes.size()),
                "the file is cut short, or height and width are wrong");
  }
  grid.blocked.assign(cells, 0);
  scan.rest_of_line();
  for (std::int64_t row = 0; row < grid.height; ++row) {
    if (scan.at_end()) {
      return fail(fmt::format("the file ends after {} of {} rows", row, grid.height),
                  "the file is cut short, or the height is wrong");
    }
    const std::size_t line_number = scan.line();
    const std::string_view line = scan.rest_of_line();
    const std::string where = fmt::format("line {}", line_number);
    if (line.size() != static_cast<std::size_t>(grid.width)) {
      problems.add(where, fmt::format("row {} has {} cells; the width is {}", row, line.size(), grid.width),
                   "correct the row or the width");
      if (problems.full()) return false;
      continue;
    }
    char* target = &grid.blocked[static_cast<std::size_t>((grid.height - 1 - row) * grid.width)];
    for (std::size_t column = 0; column < line.size(); ++column) {
      const char c = line[column];
      if (c == '@' || c == 'O' || c == 'T' || c == 'W') {
        target[column] = 1;
      } else if (c != '.' && c != 'G' && c != 'S') {
        problems.add(
            where,
            fmt::format("character {} in column {} found; . G S are ground and @ O T W are blocked",
                        c > ' ' && c <= '~' ? fmt::format("'{}'", c) : fmt::format("0x{:02x}", static_cast<unsigned char>(c)),
                        column + 1),
            "use one of these");
        if (problems.full()) return false;
        break;
      }
    }
  }
  return problems.empty();
}

/// Numbers the edge-connected regions of blocked cells from 1; 0 is ground.
std::vector<std::uint32_t> label_regions(const Grid& grid, std::uint32_t& count) {
  std::vector<std::uint32_t> label(grid.blocked.size(), 0);
  std::vector<std::size_t> open;
  count = 0;
  const auto width = static_cast<std::size_t>(grid.width);
  for (std::size_t start = 0; start < label.size(); ++start) {
    if (!grid.blocked[start] || label[start]) continue;
    label[start] = ++count;
    open.push_back(start);
    while (!open.empty()) {
      const std::size_t cell = open.back();
      open.pop_back();
      const auto visit = [&](std::size_t next) {
        if (grid.blocked[next] && !label[next]) label[next] = count, open.push_back(next);
      };
      const std::size_t x = cell % width;
      if (x > 0) visit(cell - 1);
      if (x + 1 < width) visit(cell + 1);
      if (cell >= width) visit(cell - width);
      if (cell + width < label.size()) visit(cell + width);
    }
  }
  return label;
}

class Tracer {
 public:
  explicit Tracer(const Grid& grid) : grid_(grid), seen_(grid.blocked.size(), false) {}

  std::vector<Polygon> trace() {
    std::uint32_t count = 0;
    const std::vector<std::uint32_t> label = label_regions(grid_, count);
    std::vector<Polygon> obstacles(count);
    for (std::int64_t y = 0; y < grid_.height; ++y) {
      for (std::int64_t x = 0; x < grid_.width; ++x) {
        if (!starts_here(x, y)) continue;
        walk(x, y);
        Polygon& obstacle = obstacles[label[static_cast<std::size_t>(y * grid_.width + x)] - 1];
        splitter_.split(walk_, [&](const std::vector<std::uint32_t>& corners) {
          Ring ring;
          ring.reserve(corners.size());
          for (const std::uint32_t corner : corners) ring.push_back(position(corner));
          if (signed_area(ring) > 0) {
            obstacle.outer = std::move(ring);
          } else {
            obstacle.holes.push_back(std::move(ring));
          }
        });
      }
    }
    return obstacles;
  }

 private:
  /// An eastward edge below a blocked cell that no walk has passed. Every outline has one, so only these are remembered.
  bool starts_here(std::int64_t x, std::int64_t y) const {
    return grid_.is_blocked(x, y) && !grid_.is_blocked(x, y - 1) && !seen_[static_cast<std::size_t>(y * grid_.width + x)];
  }

  /// Around the region with its blocked cells on the left, noting the corners. Where two blocked cells meet at a corner the
  /// walk turns left, that is, it stays with its own edge-connected region.
  void walk(std::int64_t start_x, std::int64_t start_y) {
    static constexpr std::array<std::array<int, 2>, 4> kStep{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
    // The cell ahead on the left of a step in each direction, relative to the vertex; on the right it is that of the turn before.
    static constexpr std::array<std::array<int, 2>, 4> kLeftCell{{{0, 0}, {-1, 0}, {-1, -1}, {0, -1}}};
    walk_.clear();
    std::int64_t x = start_x, y = start_y;
    int direction = 0;
    // The walk ends when it is about to take its first edge again. A corner is noted when the next edge's direction is chosen.
    do {
      if (direction == 0) seen_[static_cast<std::size_t>(y * grid_.width + x)] = true;
      const auto d = static_cast<std::size_t>(direction);
      x += kStep[d][0], y += kStep[d][1];
      const auto& left = kLeftCell[d];
      const auto& right = kLeftCell[(d + 3) % 4];
      int turn = 0;
      if (!grid_.is_blocked(x + left[0], y + left[1])) {
        turn = 1;
      } else if (grid_.is_blocked(x + right[0], y + right[1])) {
        turn = 3;
      }
      if (turn != 0) walk_.push_back(static_cast<std::uint32_t>(y * (grid_.width + 1) + x));
      direction = (direction + turn) % 4;
    } while (x != start_x || y != start_y || direction != 0);
  }

  Vec2 position(std::uint32_t corner) const {
    const auto columns = static_cast<std::uint32_t>(grid_.width + 1);
    return {static_cast<double>(corner % columns), static_cast<double>(corner / columns)};
  }

  const Grid& grid_;
  std::vector<bool> seen_;
  std::vector<std::uint32_t> walk_;
  WalkSplitter splitter_;
};

}  // namespace

Result<Scene> read_movingai_map(std::string_view bytes, const std::string& name) {
  SceneBuilder builder(name);
  Grid grid;
  if (!parse(bytes, builder.problems(), grid)) return builder.problems().take();
  if (std::find(grid.blocked.begin(), grid.blocked.end(), 0) == grid.blocked.end()) {
    builder.problems().add("", "no cell of the map is ground", "a map needs at least one '.', 'G' or 'S'");
    return builder.problems().take();
  }
  const Vec2 corner{static_cast<double>(grid.width), static_cast<double>(grid.height)};
  builder.add_walkable(0, {outline::rectangle({0, 0}, corner), {}}, "the frame");
  for (Polygon& obstacle : Tracer(grid).trace()) {
    const std::string where = fmt::format("the blocked region at ({}, {})", obstacle.outer[0].x, obstacle.outer[0].y);
    builder.add_obstacle(0, std::move(obstacle), where);
  }
  return builder.finish(SceneBuilder::Outlines::trusted);
}

}  // namespace throng
