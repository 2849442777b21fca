// SPDX-License-Identifier: MIT
#include "base/nearest_name.hpp"

namespace throng {
namespace {

constexpr std::size_t kLongestName = 40;  ///< bytes that are compared

char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Optimal string alignment: Levenshtein's distance with exchanged neighbours as one mistake.
std::size_t typing_mistakes(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> before(width), last(width), row(width);
  for (std::size_t j = 0; j < width; ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      const char x = lower_letter(a[i - 1]), y = lower_letter(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y)});
      const bool is_exchanged = i > 1 && j > 1 && x == lower_letter(b[j - 2]) && y == lower_letter(a[i - 2]);
      if (is_exchanged) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

bool starts_alike(std::string_view name, std::string_view start) {
  return name.size() > start.size() && std::equal(start.begin(), start.end(), name.begin(),
                                                  [](char x, char y) { return lower_letter(x) == lower_letter(y); });
}

}  // namespace

std::optional<std::string_view> nearest_name(std::string_view name, std::span<const std::string_view> names) {
  name = name.substr(0, kLongestName);
  if (name.empty()) return std::nullopt;
  std::optional<std::string_view> nearest;
  std::size_t fewest = name.size() < 5 ? 2 : 3;
  for (const std::string_view candidate : names) {
    // Longer names than this one are further away than any mistake leads.
    if (candidate.size() > kLongestName + 2) continue;
    const std::size_t mistakes = typing_mistakes(name, candidate);
    if (mistakes >= fewest) continue;
    nearest = candidate;
    fewest = mistakes;
  }
  if (nearest || name.size() < 3) return nearest;
  for (const std::string_view candidate : names) {
    if (!starts_alike(candidate, name)) continue;
    if (nearest) return std::nullopt;
    nearest = candidate;
  }
  return nearest;
}

std::string listed(std::span<const std::string_view> names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) (text += i == 0 ? "" : ", ") += names[i];
  if (names.size() > most) text += ", …";
  return text;
}

}  // namespace throng
