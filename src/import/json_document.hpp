// SPDX-License-Identifier: MIT
// JSON as the readers of this folder want it: parsed once, with caps on nesting and number of values, duplicate keys noticed,
// and small functions that describe what was found where something else was expected.
//
// nlohmann::json alone would keep the last of two equal keys silently and build a tree of any size and depth.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>
#include <throng/result.hpp>
#include <throng/scene.hpp>

#include "base/nearest_name.hpp"
#include "import/import.hpp"
#include "import/problem_list.hpp"

namespace throng {

using Json = nlohmann::json;

/// The document, or the first syntax error with line and column (a parser cannot go on after one) or every repeated key.
Result<Json> parse_json(std::string_view bytes, const std::string& name);

/// "the string \"north\"", "an array of 3", "the number 4.5": short, for messages.
std::string describe(const Json& value);
/// `key` as a step of a JSON pointer: "/layers".
std::string pointer_step(std::string_view key);
inline std::string pointer_step(std::size_t index) { return "/" + std::to_string(index); }

/// A problem for every key that is not allowed: a key nobody reads is a setting somebody believes in.
void check_keys(const Json& object, const std::string& where, std::span<const std::string_view> allowed, ProblemList& problems);

/// Whether the value is what it should be; a problem otherwise. `meaning` is the subject of "… is an object"; `whole` is what to
/// split if there are too many entries, and whose format is documented: "scene", "scenario".
bool check_object(const Json& value, const std::string& where, std::string_view meaning, std::string_view whole,
                  ProblemList& problems);
bool check_array(const Json& value, const std::string& where, std::string_view meaning, std::size_t most, std::string_view whole,
                 ProblemList& problems);

/// A finite number, or nothing and a problem.
bool read_number(const Json& value, const std::string& where, const char* meaning, ProblemList& problems, double& out);
/// A position [x, y, ...]; numbers after the second are ignored where `more_allowed`.
bool read_position(const Json& value, const std::string& where, bool more_allowed, ProblemList& problems, Vec2& out);
/// An array of positions.
bool read_positions(const Json& value, const std::string& where, bool more_allowed, ProblemList& problems,
                    std::vector<Vec2>& out);

// The readers behind read_scene_json, read_geojson and read_cityjson, on a parsed document.
Result<Scene> scene_from_json(const Json& document, const std::string& name);
Result<Scene> scene_from_geojson(const Json& document, const std::string& name, const ImportSettings& settings);
Result<Scene> scene_from_cityjson(const Json& document, const std::string& name);

}  // namespace throng
