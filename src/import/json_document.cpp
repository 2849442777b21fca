// SPDX-License-Identifier: MIT
#include "import/json_document.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include <fmt/format.h>

namespace throng {
namespace {

/// Builds the tree from parser events, as nlohmann's own builder does, and stops where a cap is reached.
class TreeBuilder : public nlohmann::json_sax<Json> {
 public:
  TreeBuilder(Json& root, ProblemList& problems) : root_(root), problems_(problems) {}

  bool null() override { return value(nullptr), true; }
  bool boolean(bool v) override { return value(v), true; }
  bool number_integer(number_integer_t v) override { return value(v), true; }
  bool number_unsigned(number_unsigned_t v) override { return value(v), true; }
  bool number_float(number_float_t v, const string_t&) override { return value(v), true; }
  bool string(string_t& v) override { return value(std::move(v)), true; }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    Json& object = *stack_.back();
    if (object.contains(name)) {
      problems_.add(pointer() + pointer_step(name), "this key appears twice in one object; each may appear once",
                    "remove one of the two");
    }
    key_ = std::move(name);
    keys_.back() = key_;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 3, column 5: ..."
    std::string text = error.what();
    const std::size_t bracket = text.find("] ");
    if (bracket != std::string::npos) text.erase(0, bracket + 2);
    if (text.size() > 240) text.resize(240);
    problems_.add("", text, "the file must be one complete JSON document");
    return false;
  }

 private:
  template <class Value>
  Json& value(Value&& v) {
    if (stack_.empty()) return root_ = Json(std::forward<Value>(v));
    Json& parent = *stack_.back();
    if (parent.is_array()) return parent.emplace_back(std::forward<Value>(v));
    return parent[key_] = Json(std::forward<Value>(v));
  }

  bool open(Json container) {
    if (stack_.size() >= limits::kNesting) {
      problems_.add(pointer(), fmt::format("values are nested more than {} deep, the most that is allowed", limits::kNesting),
                    "no format read here needs such nesting; the file is damaged or not a scene");
      return false;
    }
    stack_.push_back(&value(std::move(container)));
    keys_.emplace_back();
    return true;
  }

  bool close() {
    stack_.pop_back();
    keys_.pop_back();
    return true;
  }

  std::string pointer() const {
    std::string text;
    for (std::size_t i = 0; i < stack_.size(); ++i) {
      if (stack_[i]->is_array()) {
        // The open child of an array is already its last element; the innermost one has yet to come.
        text += pointer_step(stack_[i]->size() - (i + 1 < stack_.size() ? 1 : 0));
      } else if (i + 1 < stack_.size()) {
        text += pointer_step(keys_[i]);
      }
    }
    return text;
  }

  Json& root_;
  ProblemList& problems_;
  std::vector<Json*> stack_;
  std::vector<std::string> keys_;
  std::string key_;
};

}  // namespace

Result<Json> parse_json(std::string_view bytes, const std::string& name) {
  ProblemList problems(name);
  // Before anything is built: every value but the first follows one of these. Those inside strings count as well, which only
  // makes the cap a little stricter.
  const auto values = std::count_if(bytes.begin(), bytes.end(), [](char c) { return c == ',' || c == '[' || c == '{'; }) + 1;
  if (static_cast<std::size_t>(values) > limits::kJsonValues) {
    problems.add("", fmt::format("the document has up to {} values; at most {} are allowed", values, limits::kJsonValues),
                 "split the file or leave out what the scene does not need");
    return problems.take();
  }
  Json root;
  try {
    TreeBuilder builder(root, problems);
    const bool complete = Json::sax_parse(bytes.begin(), bytes.end(), &builder);
    if (!complete && problems.empty()) problems.add("", "the file is not JSON", "the file must be one complete JSON document");
  } catch (const std::exception& error) {
    problems.add("", fmt::format("the JSON could not be read: {}", error.what()), "the file must be one complete JSON document");
  }
  if (!problems.empty()) return problems.take();
  return root;
}

std::string describe(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object:
      return fmt::format("an object of {} keys", value.size());
    case Json::value_t::array:
      return fmt::format("an array of {}", value.size());
    case Json::value_t::string: {
      const auto& text = value.get_ref<const std::string&>();
      if (text.size() <= 40) return fmt::format("the string \"{}\"", text);
      std::size_t end = 40;  // never in the middle of a UTF-8 character
      while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
      return fmt::format("the string \"{}…\"", text.substr(0, end));
    }
    case Json::value_t::boolean:
      return value.get<bool>() ? "true" : "false";
    case Json::value_t::number_integer:
      return fmt::format("the number {}", value.get<std::int64_t>());
    case Json::value_t::number_unsigned:
      return fmt::format("the number {}", value.get<std::uint64_t>());
    case Json::value_t::number_float:
      return fmt::format("the number {}", value.get<double>());
    default:
      return "null";
  }
}

std::string pointer_step(std::string_view key) {
  std::string step = "/";
  for (const char c : key.substr(0, 80)) {
    if (c == '~') {
      step += "~0";
    } else if (c == '/') {
      step += "~1";
    } else {
      step += c;
    }
  }
  return step;
}

void check_keys(const Json& object, const std::string& where, std::span<const std::string_view> allowed, ProblemList& problems) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) continue;
    const auto meant = nearest_name(key, allowed);
    problems.add(where + pointer_step(key), fmt::format("unknown key; allowed here: {}", listed(allowed)),
                 meant ? fmt::format("write \"{}\"", *meant) : "remove the key");
  }
}

bool check_object(const Json& value, const std::string& where, std::string_view meaning, std::string_view whole,
                  ProblemList& problems) {
  if (value.is_object()) return true;
  problems.add(where, fmt::format("{} found; {} is an object {{…}}", describe(value), meaning),
               fmt::format("see docs/formats/{}.md", whole));
  return false;
}

bool check_array(const Json& value, const std::string& where, std::string_view meaning, std::size_t most, std::string_view whole,
                 ProblemList& problems) {
  if (!value.is_array()) {
    problems.add(where, fmt::format("{} found; {} is an array […]", describe(value), meaning), "put the entries in brackets");
    return false;
  }
  if (value.size() > most) {
    problems.add(where, fmt::format("{} entries found; at most {} are allowed", value.size(), most),
                 fmt::format("split the {}", whole));
    return false;
  }
  return true;
}

bool read_number(const Json& value, const std::string& where, const char* meaning, ProblemList& problems, double& out) {
  if (!value.is_number() || !std::isfinite(value.get<double>())) {
    problems.add(where, fmt::format("{} found; {} must be a finite number", describe(value), meaning), "write a number here");
    return false;
  }
  out = value.get<double>();
  return true;
}

bool read_position(const Json& value, const std::string& where, bool more_allowed, ProblemList& problems, Vec2& out) {
  const bool shape = value.is_array() && (more_allowed ? value.size() >= 2 : value.size() == 2);
  if (!shape) {
    problems.add(where, fmt::format("{} found; a point is [x, y]", describe(value)), "write two numbers in brackets");
    return false;
  }
  const bool has_x = read_number(value[0], where + "/0", "x", problems, out.x);
  return read_number(value[1], where + "/1", "y", problems, out.y) && has_x;
}

bool read_positions(const Json& value, const std::string& where, bool more_allowed, ProblemList& problems,
                    std::vector<Vec2>& out) {
  if (!value.is_array()) {
    problems.add(where, fmt::format("{} found; a list of points [[x, y], …] is needed", describe(value)),
                 "write the points in brackets");
    return false;
  }
  out.reserve(value.size());
  bool good = true;
  for (std::size_t i = 0; i < value.size() && !problems.full(); ++i) {
    const Json& item = value[i];
    // The plain case without building a pointer for every point.
    if (item.is_array() && item.size() == 2 && item[0].is_number() && item[1].is_number()) {
      out.push_back({item[0].get<double>(), item[1].get<double>()});
      continue;
    }
    Vec2 p;
    if (read_position(item, where + pointer_step(i), more_allowed, problems, p)) {
      out.push_back(p);
    } else {
      good = false;
    }
  }
  return good;
}

}  // namespace throng
