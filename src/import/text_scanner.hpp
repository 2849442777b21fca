// SPDX-License-Identifier: MIT
// A cursor over a text file that counts lines: the base of the readers of WKT, grids, navigation meshes and query tables.
// Numbers are read by std::from_chars, which knows no locale.
#pragma once
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace throng {

class TextScanner {
 public:
  explicit TextScanner(std::string_view text) : text_(text) {}

  bool at_end() const { return position_ >= text_.size(); }
  /// The next character, or 0 at the end.
  char peek() const { return at_end() ? '\0' : text_[position_]; }
  void advance() {
    if (!at_end() && text_[position_++] == '\n') ++line_, line_start_ = position_;
  }

  void skip_space() {
    while (is_space(peek())) advance();
  }
  /// Spaces and tabs only.
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\r') advance();
  }
  std::string_view rest_of_line() {
    const std::size_t start = position_;
    while (!at_end() && peek() != '\n') ++position_;
    std::string_view line = text_.substr(start, position_ - start);
    advance();
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
  }

  /// Up to the next white space; empty at the end.
  std::string_view word() {
    skip_space();
    const std::size_t start = position_;
    while (!at_end() && !is_space(peek())) ++position_;
    return text_.substr(start, position_ - start);
  }
  /// Letters, digits and underscores.
  std::string_view name() {
    const std::size_t start = position_;
    while (is_letter(peek()) || (peek() >= '0' && peek() <= '9')) ++position_;
    return text_.substr(start, position_ - start);
  }

  std::optional<double> number() { return from_chars<double>(); }
  std::optional<std::int64_t> integer() { return from_chars<std::int64_t>(); }

  std::size_t line() const { return line_; }
  std::size_t column() const { return position_ - line_start_ + 1; }
  std::string where() const { return "line " + std::to_string(line_) + ", column " + std::to_string(column()); }
  /// What stands here, shortened and quoted, for messages.
  std::string found() const {
    if (at_end()) return "the end of the file";
    std::string text = "\"";
    for (std::size_t i = position_; i < text_.size() && i < position_ + 16 && text_[i] != '\n' && text_[i] != '\r'; ++i) {
      const char c = text_[i];
      text += c >= ' ' && c <= '~' ? c : '?';
    }
    return text + "\"";
  }

  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

 private:
  template <class Number>
  std::optional<Number> from_chars() {
    skip_space();
    const char* begin = text_.data() + position_;
    const char* const end = text_.data() + text_.size();
    if (begin != end && *begin == '+') ++begin;
    Number value{};
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc()) return std::nullopt;
    position_ = static_cast<std::size_t>(stop - text_.data());
    return value;
  }

  std::string_view text_;
  std::size_t position_ = 0, line_ = 1, line_start_ = 0;
};

}  // namespace throng
