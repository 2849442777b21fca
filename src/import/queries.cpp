// SPDX-License-Identifier: MIT
#include "import/queries.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "import/import.hpp"
#include "import/problem_list.hpp"
#include "import/text_scanner.hpp"

namespace throng {
namespace {

constexpr std::size_t kMostRows = limits::kVertices;

std::string shortened(std::string_view line) { return TextScanner(line).found(); }

Result<std::vector<PathQueryRow>> finished(std::vector<PathQueryRow>&& rows, ProblemList& problems) {
  if (problems.empty() && rows.empty()) problems.add("", "there is no query in the file", "add rows");
  if (!problems.empty()) return problems.take();
  return std::move(rows);
}

}  // namespace

Result<std::vector<PathQueryRow>> read_movingai_scen(std::string_view bytes, const std::string& name) {
  ProblemList problems(name);
  std::vector<PathQueryRow> rows;
  TextScanner scan(bytes);
  const std::string_view header = scan.rest_of_line();
  if (!header.starts_with("version 1")) {
    problems.add("line 1", fmt::format("{} found; a query table starts with \"version 1\"", shortened(header)),
                 "this is another kind of file");
    return problems.take();
  }
  while (!scan.at_end() && !problems.full()) {
    const std::string where = fmt::format("line {}", scan.line());
    const std::string_view line = scan.rest_of_line();
    TextScanner fields(line);
    fields.skip_space();
    if (fields.at_end()) continue;
    bool good = fields.integer().has_value() && !fields.word().empty();
    std::array<std::int64_t, 6> cell{};  // width, height, start x, y, goal x, y
    for (std::int64_t& value : cell) {
      const auto number = good ? fields.integer() : std::nullopt;
      good = number.has_value();
      value = number.value_or(0);
    }
    const auto length = good ? fields.number() : std::nullopt;
    const auto [width, height, sx, sy, gx, gy] = cell;
    const auto within = [](std::int64_t value, std::int64_t size) { return value >= 0 && value < size; };
    if (!length || !std::isfinite(*length)) {
      problems.add(
          where,
          fmt::format("{} found; a row is bucket, map, width, height, start x and y, goal x and y, length", shortened(line)),
          "correct or remove the row");
    } else if (!within(sx, width) || !within(gx, width) || !within(sy, height) || !within(gy, height) || width > 1'000'000 ||
               height > 1'000'000) {
      problems.add(where,
                   fmt::format("cells ({}, {}) and ({}, {}) of a map of {} × {} found; indices count from 0 and stay inside", sx,
                               sy, gx, gy, width, height),
                   "correct or remove the row");
    } else if (rows.size() == kMostRows) {
      problems.add(where, fmt::format("more than {} rows found", kMostRows), "split the file");
      break;
    } else {
      const auto centre = [h = height](std::int64_t x, std::int64_t y) {
        return Vec2{static_cast<double>(x) + 0.5, static_cast<double>(h - y) - 0.5};
      };
      rows.push_back({centre(sx, sy), centre(gx, gy), *length});
    }
  }
  return finished(std::move(rows), problems);
}

Result<std::vector<PathQueryRow>> read_query_csv(std::string_view bytes, const std::string& name) {
  ProblemList problems(name);
  std::vector<PathQueryRow> rows;
  bool first = true;
  for (TextScanner scan(bytes); !scan.at_end() && !problems.full();) {
    const std::string where = fmt::format("line {}", scan.line());
    const std::string_view line = scan.rest_of_line();
    TextScanner fields(line);
    fields.skip_blanks();
    if (fields.at_end() || fields.peek() == '#') continue;
    // A header starts with a letter, and not with "nan" or "inf" that from_chars would take.
    const bool header = first && TextScanner::is_letter(fields.peek()) && !line.starts_with("nan") && !line.starts_with("inf");
    first = false;
    if (header) continue;
    std::array<double, 5> value{};
    std::size_t count = 0;
    bool good = true;
    while (good && count < value.size()) {
      const auto number = fields.number();
      good = number && std::isfinite(*number) && std::abs(*number) <= 1e9;
      if (!good) break;
      value[count++] = *number;
      fields.skip_blanks();
      if (fields.peek() != ',') break;
      fields.advance();
    }
    fields.skip_blanks();
    if (!good || count < 4 || !fields.at_end()) {
      problems.add(where, fmt::format("{} found; a row is sx,sy,gx,gy or sx,sy,gx,gy,length in finite numbers", shortened(line)),
                   "correct or remove the row");
      continue;
    }
    if (rows.size() == kMostRows) {
      problems.add(where, fmt::format("more than {} rows found", kMostRows), "split the file");
      break;
    }
    PathQueryRow row{{value[0], value[1]}, {value[2], value[3]}};
    if (count == 5) row.expected = value[4];
    rows.push_back(row);
  }
  return finished(std::move(rows), problems);
}

Result<std::vector<PathQueryRow>> read_queries(const std::filesystem::path& file) {
  auto bytes = read_file(file);
  if (!bytes) return bytes.problems();
  return file.extension() == ".scen" ? read_movingai_scen(*bytes, file.string()) : read_query_csv(*bytes, file.string());
}

}  // namespace throng
