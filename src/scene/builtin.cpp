// SPDX-License-Identifier: MIT
#include "scene/builtin.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>

#include "scene/city.hpp"
#include "scene/office.hpp"

namespace throng {
namespace {

struct Kind {
  std::string_view prefix;
  std::string_view unit;
  std::string_view example;
  std::uint32_t most;
  Scene (*make)(std::uint32_t, std::uint64_t);
};

constexpr Kind kKinds[] = {
    {"city:", "buildings", "city:2600", kMaxBuildings, make_city},
    {"office:", "rooms", "office:40", kMaxRooms, make_office},
};

/// A whole decimal number and nothing else.
std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Result<Scene> make(const Kind& kind, std::string_view spec) {
  const std::string_view arguments = spec.substr(kind.prefix.size());
  const std::size_t comma = arguments.find(',');
  const auto count = whole_number(arguments.substr(0, comma));
  if (!count || *count < 1 || *count > kind.most)
    return Problem{std::string(spec),
                   "the number of " + std::string(kind.unit) + " must be a whole number from 1 to " + std::to_string(kind.most),
                   "write for example " + std::string(kind.example)};
  std::uint64_t seed = 1;
  if (comma != std::string_view::npos) {
    constexpr std::string_view kSeed = "seed=";
    const std::string_view option = arguments.substr(comma + 1);
    const auto given = option.starts_with(kSeed) ? whole_number(option.substr(kSeed.size())) : std::nullopt;
    if (!given)
      return Problem{std::string(spec),
                     "after the comma stands \"" + std::string(option) + "\"; allowed is seed=N with N from 0 to 2^64-1",
                     "write for example " + std::string(kind.example) + ",seed=7"};
    seed = *given;
  }
  return kind.make(static_cast<std::uint32_t>(*count), seed);
}

}  // namespace

std::optional<Result<Scene>> make_builtin(std::string_view spec) {
  for (const Kind& kind : kKinds)
    if (spec.starts_with(kind.prefix)) return make(kind, spec);
  return std::nullopt;
}

bool is_builtin(std::string_view spec) {
  return std::any_of(std::begin(kKinds), std::end(kKinds), [&](const Kind& kind) { return spec.starts_with(kind.prefix); });
}

}  // namespace throng
