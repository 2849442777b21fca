// SPDX-License-Identifier: MIT
#include "trajectory/juelich_text.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "trajectory/rows.hpp"

namespace throng {
namespace {

constexpr std::size_t kMostProblems = 20;
constexpr std::size_t kUnused = ~std::size_t{0};
constexpr std::size_t kMostColumns = 64;

enum Column { kId, kFrame, kX, kY, kZ, kColumnCount };
constexpr std::array<const char*, kColumnCount> kColumnNames = {"id", "frame", "x", "y", "z"};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

std::string_view next_word(std::string_view& line) {
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  std::size_t end = 0;
  while (end < line.size() && !is_blank(line[end])) ++end;
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::optional<double> parse_number(std::string_view word) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

/// Also "12.0" and "1.2e1": some tools write every column as a float.
std::optional<std::int64_t> parse_integer(std::string_view word) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc() && end == word.data() + word.size()) return value;
  const auto number = parse_number(word);
  if (!number || !(std::abs(*number) < 1e15) || *number != std::floor(*number)) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

/// A word of the file for a message: short, printable, in quotes.
std::string quote(std::string_view word) {
  std::string text = "\"";
  for (const char c : word.substr(0, 24)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (word.size() > 24 ? "…\"" : "\"");
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

class TextReader {
 public:
  TextReader(const std::string& name, const JuelichTextSettings& settings) : name_(name), settings_(settings) {}

  Result<Trajectory> read(std::string_view text) {
    while (!text.empty() && problems_.size() < kMostProblems) {
      ++line_;
      const std::size_t end = text.find('\n');
      const std::string_view line = trimmed(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (line.empty()) continue;
      if (line.front() == '#')
        read_comment(line.substr(1));
      else
        read_row(line);
    }
    if (frames_per_second_ == 0) frames_per_second_ = settings_.frames_per_second;
    if (frames_per_second_ == 0 && text.empty())
      problems_.push_back({name_, "it does not say its frame rate",
                           "add a line \"# framerate: 25 fps\", or give --fps (of throng draw: --data-fps)"});
    if (!problems_.empty()) return problems_;
    Result<Trajectory> trajectory = trajectory_from_rows(std::move(rows_), frames_per_second_, name_);
    if (trajectory) trajectory->geometry_wkt = geometry_;
    return trajectory;
  }

 private:
  void complain(const std::string& what, const std::string& fix) {
    problems_.push_back({name_ + ", line " + std::to_string(line_), what, fix});
  }

  void read_comment(std::string_view line) {
    while (!line.empty() && line.front() == '#') line.remove_prefix(1);
    line = trimmed(line);
    const std::string words = lower(line.substr(0, 256));
    if (words.starts_with("framerate") || words.starts_with("frame rate")) return read_frame_rate(words);
    if (words.starts_with("geometry:")) {
      const std::string_view geometry = trimmed(line.substr(line.find(':') + 1));
      if (geometry.find('(') != std::string_view::npos) geometry_ = geometry;  // JuPedSim names a file here instead
      return;
    }
    if (words.find("(in metre") != std::string::npos || words.find("(in m)") != std::string::npos) unit_ = 1;
    if (words.find("(in cm)") != std::string::npos || words.find("(in centimetre") != std::string::npos) unit_ = 0.01;
    read_column_names(words);
  }

  void read_frame_rate(std::string_view words) {
    const std::size_t start = words.find_first_of("0123456789.");
    double rate = 0;
    const bool read = start != std::string_view::npos &&
                      std::from_chars(words.data() + start, words.data() + words.size(), rate).ec == std::errc();
    if (!read) return complain("a frame rate without a number: " + quote(words), "write it as \"# framerate: 25 fps\"");
    if (auto found = check_frame_rate(rate, name_ + ", line " + std::to_string(line_)); !found.empty())
      problems_.push_back(found.front());
    else
      frames_per_second_ = rate;
  }

  /// "id frame x/m y/m z/m", "PersID Frame X Y Z", "ID FR X Y Z A B …"; anything else is just a comment.
  void read_column_names(std::string_view words) {
    std::array<std::size_t, kColumnCount> found;
    found.fill(kUnused);
    double unit = 0;
    std::size_t index = 0;
    for (std::string_view word = next_word(words); !word.empty() && index < kMostColumns; word = next_word(words), ++index) {
      const std::string_view base = word.substr(0, word.find_first_of("/[("));
      const std::string_view suffix = trimmed(word.substr(base.size()));
      std::size_t column = kUnused;
      if (base == "id" || base == "persid" || base == "pers_id" || base == "ped_id") column = kId;
      if (base == "frame" || base == "fr") column = kFrame;
      if (base == "x") column = kX;
      if (base == "y") column = kY;
      if (base == "z") column = kZ;
      if (column == kUnused) continue;
      if (found[column] == kUnused) found[column] = index;
      if (column != kX && column != kY) continue;
      if (suffix == "/m" || suffix == "[m]" || suffix == "(m)") unit = 1;
      if (suffix == "/cm" || suffix == "[cm]" || suffix == "(cm)") unit = 0.01;
    }
    if (found[kId] == kUnused || found[kFrame] == kUnused || found[kX] == kUnused || found[kY] == kUnused) return;
    if (!rows_.empty()) return complain("the names of the columns come after the first row", "put them above the rows");
    columns_ = found;
    if (unit != 0) unit_ = unit;
  }

  void read_row(std::string_view line) {
    if (rows_.empty()) {
      if (unit_ == 0) unit_ = settings_.unit_metres;
      if (unit_ == 0) {
        complain("rows begin, but no line above says whether they are metres or centimetres",
                 "add a line \"# id frame x/m y/m z/m\", or x/cm, or give --unit m or --unit cm");
        unit_ = 1;  // once is enough: the rows are read for their other mistakes
      }
    }
    std::array<std::string_view, kColumnCount> words;
    std::size_t index = 0;
    std::string_view rest = line;
    for (std::string_view word = next_word(rest); !word.empty() && index < kMostColumns; word = next_word(rest), ++index) {
      for (std::size_t column = 0; column < kColumnCount; ++column) {
        if (columns_[column] == index) words[column] = word;
      }
    }
    TrajectoryRow row;
    for (const std::size_t column : {kId, kFrame}) {
      const auto value = parse_integer(words[column]);
      const bool fits = value && (column == kFrame || (*value >= 0 && *value <= 0xFFFFFFFF));
      if (!fits) return complain_about(column, words[column], column == kId ? "an integer from 0 to 4294967295" : "an integer");
      if (column == kId)
        row.id = static_cast<std::uint32_t>(*value);
      else
        row.frame = *value;
    }
    for (const std::size_t column : {kX, kY, kZ}) {
      if (column == kZ && words[kZ].empty()) continue;
      const auto value = parse_number(words[column]);
      const auto metres = static_cast<float>(value.value_or(0) * unit_);
      if (!value || !is_near(metres)) return complain_about(column, words[column], "a number below 16384 m");
      (column == kX ? row.x : column == kY ? row.y : row.z) = metres;
    }
    rows_.push_back(row);
  }

  void complain_about(std::size_t column, std::string_view word, const std::string& needed) {
    const std::string label = std::string("column \"") + kColumnNames[column] + "\"";
    complain(word.empty() ? label + " is missing; " + needed + " is needed"
                          : label + " is " + quote(word) + "; " + needed + " is needed",
             "correct or remove the row");
  }

  const std::string& name_;
  const JuelichTextSettings& settings_;
  std::size_t line_ = 0;
  std::array<std::size_t, kColumnCount> columns_{0, 1, 2, 3, 4};
  double unit_ = 0;
  double frames_per_second_ = 0;
  std::string geometry_;
  std::vector<TrajectoryRow> rows_;
  std::vector<Problem> problems_;
};

}  // namespace

Result<Trajectory> read_juelich_text(std::string_view text, const std::string& name, const JuelichTextSettings& settings) {
  return TextReader(name, settings).read(text);
}

std::string write_juelich_text(const Trajectory& trajectory) {
  fmt::memory_buffer out;
  const auto at = std::back_inserter(out);
  fmt::format_to(at, "# description: written by Throng\n# framerate: {} fps\n", 1 / trajectory.frame_seconds);
  if (!trajectory.geometry_wkt.empty()) {
    std::string geometry = trajectory.geometry_wkt;
    for (char& c : geometry) {
      if (c == '\n' || c == '\r') c = ' ';
    }
    fmt::format_to(at, "# geometry: {}\n", geometry);
  }
  fmt::format_to(at, "# id frame x/m y/m z/m\n");
  for (std::size_t k = 0; k < trajectory.frame_count(); ++k) {
    const FrameView frame = trajectory.frame(k);
    for (std::size_t row = 0; row < frame.size(); ++row)
      fmt::format_to(at, "{} {} {} {} {}\n", frame.facts(row).id, k, frame.x[row], frame.y[row], frame.z[row]);
  }
  return fmt::to_string(out);
}

}  // namespace throng
