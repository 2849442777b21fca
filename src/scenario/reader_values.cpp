// SPDX-License-Identifier: MIT
// Values of a scenario file: numbers in their ranges, quantities, words, names, points.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "import/limits.hpp"
#include "scenario/reader.hpp"

namespace throng {

bool ScenarioReader::is_object(const Json& value, const Where& where, std::string_view meaning) {
  return check_object(value, where, meaning, "scenario", problems_);
}

bool ScenarioReader::is_array(const Json& value, const Where& where, std::string_view meaning, std::size_t most) {
  return check_array(value, where, meaning, most, "scenario", problems_);
}

void ScenarioReader::check(const Json& object, const Where& where, std::span<const std::string_view> allowed) {
  check_keys(object, where, allowed, problems_);
}

void ScenarioReader::require(const Json& object, const Where& where, std::span<const Key> keys) {
  for (const Key& key : keys) {
    if (!key.is_required || object.contains(key.key)) continue;
    problems_.add(where + pointer_step(key.key), fmt::format("the key is missing. {}", key.meaning),
                  fmt::format("add \"{}\": …", key.key));
  }
}

void ScenarioReader::exclude(const Json& object, const Where& where, std::string_view one, std::string_view other) {
  if (!object.contains(one) || !object.contains(other)) return;
  problems_.add(where + pointer_step(other),
                fmt::format("\"{}\" and \"{}\" exclude each other; one of them is allowed", one, other), "remove one of the two");
}

bool ScenarioReader::read_text(const Json& value, const Where& where, std::string& out, bool may_be_empty) {
  if (!value.is_string() || (!may_be_empty && value.get_ref<const std::string&>().empty())) {
    problems_.add(where, fmt::format("{} found; a string{} is needed", describe(value), may_be_empty ? "" : " that is not empty"),
                  "write it in quotes");
    return false;
  }
  out = value.get<std::string>();
  return true;
}

bool ScenarioReader::read_switch(const Json& value, const Where& where, bool& out) {
  if (!value.is_boolean()) {
    problems_.add(where, fmt::format("{} found; true or false is allowed", describe(value)),
                  "write true or false, without quotes");
    return false;
  }
  out = value.get<bool>();
  return true;
}

bool ScenarioReader::read_bounded(const Json& value, const Where& where, std::string_view meaning, double low, double high,
                                  double& out) {
  double number = 0;
  if (!read_number(value, where, std::string(meaning).c_str(), problems_, number)) return false;
  if (number < low || number > high) {
    problems_.add(where, fmt::format("{} found; {} from {:g} to {:g} is allowed", describe(value), meaning, low, high),
                  "choose a number in that range");
    return false;
  }
  out = number;
  return true;
}

bool ScenarioReader::read_numbers(const Json& value, const Where& where, std::string_view meaning, double low, double high,
                                  std::size_t most, std::vector<double>& out) {
  if (!is_array(value, where, "a list of numbers", most)) return false;
  if (value.empty()) {
    problems_.add(where, "an empty list found; at least one number is needed", "add a number");
    return false;
  }
  bool is_good = true;
  for (std::size_t i = 0; i < value.size() && !problems_.full(); ++i) {
    double number = 0;
    is_good = read_bounded(value[i], where + pointer_step(i), meaning, low, high, number) && is_good;
    out.push_back(number);
  }
  return is_good;
}

bool ScenarioReader::read_normal(const Json& value, const Where& where, std::string_view meaning, double low, double high,
                                 Quantity& out) {
  if (!is_object(value, where, "a normal distribution")) return false;
  check(value, where, allowed_keys(keys::kNormal));
  require(value, where, keys::kNormal);
  Quantity read{.form = Quantity::Form::kNormal};
  bool is_good = value.contains("mean") && value.contains("deviation");
  if (value.contains("mean")) is_good = read_bounded(value["mean"], where + "/mean", meaning, low, high, read.mean) && is_good;
  if (value.contains("deviation"))
    is_good =
        read_bounded(value["deviation"], where + "/deviation", "a standard deviation", 0, high - low, read.deviation) && is_good;
  if (!is_good) return false;
  read.low = std::max(low, read.mean - 3 * read.deviation);
  read.high = std::min(high, read.mean + 3 * read.deviation);
  if (value.contains("low")) is_good = read_bounded(value["low"], where + "/low", meaning, low, high, read.low);
  if (value.contains("high")) is_good = read_bounded(value["high"], where + "/high", meaning, low, high, read.high) && is_good;
  if (is_good && read.low > read.high) {
    problems_.add(where, fmt::format("low {:g} lies above high {:g}; nothing is between them", read.low, read.high),
                  "exchange the two");
    return false;
  }
  if (is_good) out = std::move(read);
  return is_good;
}

bool ScenarioReader::read_quantity(const Json& value, const Where& where, std::string_view meaning, double low, double high,
                                   Quantity& out) {
  if (value.is_number()) {
    double number = 0;
    if (!read_bounded(value, where, meaning, low, high, number)) return false;
    out = Quantity::fixed(number);
    return true;
  }
  if (!value.is_object()) {
    problems_.add(
        where,
        fmt::format("{} found; {} is a number, or a distribution such as {{\"uniform\": [a, b]}}", describe(value), meaning),
        "write a number");
    return false;
  }
  check(value, where, allowed_keys(keys::kQuantity));
  constexpr std::string_view kForms[] = {"normal", "uniform", "choices", "list"};
  const auto forms = std::count_if(std::begin(kForms), std::end(kForms), [&](auto form) { return value.contains(form); });
  if (forms != 1) {
    problems_.add(where, fmt::format("{} forms of a distribution found; exactly one of {} is needed", forms, listed(kForms)),
                  "write for example {\"uniform\": [a, b]}");
    return false;
  }
  if (value.contains("weights") && !value.contains("choices"))
    problems_.add(where + "/weights", "weights without choices found; they belong to \"choices\"", "remove them");
  if (value.contains("normal")) return read_normal(value["normal"], where + "/normal", meaning, low, high, out);
  Quantity read;
  if (value.contains("uniform")) {
    std::vector<double> ends;
    if (!read_numbers(value["uniform"], where + "/uniform", meaning, low, high, 2, ends)) return false;
    if (ends.size() != 2 || ends[0] > ends[1]) {
      problems_.add(where + "/uniform",
                    fmt::format("{} found; two numbers, the smaller first, are needed", describe(value["uniform"])),
                    "write [smaller, larger]");
      return false;
    }
    out = Quantity::uniform(ends[0], ends[1]);
    return true;
  }
  const bool is_list = value.contains("list");
  const char* key = is_list ? "list" : "choices";
  read.form = is_list ? Quantity::Form::kList : Quantity::Form::kChoices;
  if (!read_numbers(value[key], where + "/" + key, meaning, low, high, is_list ? 1'000'000 : 10'000, read.values)) return false;
  if (!is_list && value.contains("weights")) {
    if (!read_numbers(value["weights"], where + "/weights", "a weight", 0, 1e9, 10'000, read.weights)) return false;
    if (read.weights.size() != read.values.size()) {
      problems_.add(where + "/weights",
                    fmt::format("{} weights found for {} choices; one each is needed", read.weights.size(), read.values.size()),
                    "add or remove weights");
      return false;
    }
    if (*std::max_element(read.weights.begin(), read.weights.end()) <= 0) {
      problems_.add(where + "/weights", "all weights are 0; at least one must be larger", "give one a weight");
      return false;
    }
  }
  out = std::move(read);
  return true;
}

std::optional<std::uint32_t> ScenarioReader::read_word(const Json& value, const Where& where,
                                                       std::span<const std::string_view> words) {
  if (value.is_string()) {
    const auto found = std::find(words.begin(), words.end(), value.get_ref<const std::string&>());
    if (found != words.end()) return static_cast<std::uint32_t>(found - words.begin());
  }
  const auto meant = value.is_string() ? nearest_name(value.get_ref<const std::string&>(), words) : std::nullopt;
  problems_.add(where, fmt::format("{} found; allowed: {}", describe(value), listed(words)),
                meant ? fmt::format("write \"{}\"", *meant) : "choose one of them");
  return std::nullopt;
}

std::optional<std::uint32_t> ScenarioReader::read_name(const Json& value, const Where& where, std::string_view meaning,
                                                       const Names& names) {
  if (!value.is_string()) {
    problems_.add(where, fmt::format("{} found; the name of {} is needed", describe(value), meaning), "write it in quotes");
    return std::nullopt;
  }
  const auto& name = value.get_ref<const std::string&>();
  if (const auto found = names.find(name); found != names.end()) return found->second;
  std::vector<std::string_view> known;
  for (const auto& entry : names) known.push_back(entry.first);
  const auto meant = nearest_name(name, known);
  std::string choice = known.empty() ? "there is none" : "there is " + listed(known);
  if (choice.size() > 200) choice.resize(choice.find_last_of(',', 200) == std::string::npos ? 0 : choice.find_last_of(',', 200));
  problems_.add(where, fmt::format("{} found; the name of {} is needed: {}", describe(value), meaning, choice),
                meant && meant->size() < 80 ? fmt::format("write \"{}\"", *meant) : "name one that exists, or define it");
  return std::nullopt;
}

std::optional<std::uint32_t> ScenarioReader::read_layer(const Json& value, const Where& where) {
  const std::size_t count = scenario_.scene.layers.size();
  if (value.is_string()) return read_name(value, where, "a layer", layers_);
  std::uint32_t index = 0;
  if (!read_whole(value, where, "the index of a layer", 0, count > 0 ? static_cast<double>(count - 1) : 0, index))
    return std::nullopt;
  return index;
}

bool ScenarioReader::read_point(const Json& value, const Where& where, Vec2& out) {
  Vec2 read;
  if (!read_position(value, where, false, problems_, read)) return false;
  read = read - scenario_.scene.origin;
  if (std::abs(read.x) > limits::kExtentMetres || std::abs(read.y) > limits::kExtentMetres) {
    problems_.add(where, fmt::format("({:g}, {:g}) found; a scene reaches {:g} m at most", read.x, read.y, limits::kExtentMetres),
                  "write metres, in the scene's coordinates");
    return false;
  }
  out = read;
  return true;
}

bool ScenarioReader::read_points(const Json& value, const Where& where, std::vector<Vec2>& out) {
  if (!is_array(value, where, "a list of points [[x, y], …]", 1'000'000)) return false;
  if (value.empty()) {
    problems_.add(where, "an empty list found; at least one point is needed", "add a point, or remove the key");
    return false;
  }
  bool is_good = true;
  for (std::size_t i = 0; i < value.size() && !problems_.full(); ++i) {
    out.emplace_back();
    is_good = read_point(value[i], where + pointer_step(i), out.back()) && is_good;
  }
  return is_good;
}

void ScenarioReader::add_name(Names& names, const std::string& name, std::size_t index, const Where& where,
                              std::string_view meaning) {
  if (name.empty()) problems_.add(where, fmt::format("an empty name found; every {} needs one", meaning), "name it");
  if (!names.emplace(name, static_cast<std::uint32_t>(index)).second)
    problems_.add(where, fmt::format("there is already {} of this name; names differ", meaning), "choose another name");
}

}  // namespace throng
