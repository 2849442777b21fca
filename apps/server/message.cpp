// SPDX-License-Identifier: MIT
#include "message.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "import/json_document.hpp"

namespace throng::server {
namespace {

struct VerbKeys {
  std::string_view name;
  Verb verb;
  std::array<std::string_view, 8> keys;
};
constexpr VerbKeys kVerbs[] = {
    {"hello", Verb::kHello, {}},
    {"open", Verb::kOpen, {"scene", "path", "draft"}},
    {"check", Verb::kCheck, {"scenario"}},
    {"run", Verb::kRun, {"scenario"}},
    {"branch", Verb::kBranch, {"branch", "time", "name", "events"}},
    {"compare", Verb::kCompare, {"branches"}},
    {"view", Verb::kView, {"branch", "time", "playing", "speed"}},
    {"compute", Verb::kCompute, {"branch", "to"}},
    {"stop", Verb::kStop, {"branch"}},
    {"cancel", Verb::kCancel, {}},
    {"save", Verb::kSave, {"path", "scenario", "overwrite"}},
    {"overlay", Verb::kOverlay, {"name", "layer", "branch", "time", "agent", "at", "set", "depth"}},
    {"inspect", Verb::kInspect, {"branch", "time", "agent"}},
    {"place", Verb::kPlace, {"branch", "time", "x", "y", "layer"}},
    {"series", Verb::kSeries, {"branch", "points"}},
    {"walk", Verb::kWalk, {"branch", "x", "y", "layer", "vx", "vy", "leave"}},
    {"files", Verb::kFiles, {"path"}},
    {"draft", Verb::kDraft, {"draft", "scenario", "name", "path", "scene"}},
    {"drafts", Verb::kDrafts, {}},
    {"discard", Verb::kDiscard, {"draft"}},
    {"results", Verb::kResults, {"branch"}},
};

const VerbKeys* find(std::string_view name) {
  const auto* found = std::find_if(std::begin(kVerbs), std::end(kVerbs), [&](const VerbKeys& v) { return v.name == name; });
  return found == std::end(kVerbs) ? nullptr : found;
}

std::int64_t id_in(const Json& document) {
  if (!document.is_object()) return 0;
  const auto id = document.find("id");
  return id != document.end() && id->is_number_integer() ? id->get<std::int64_t>() : 0;
}

}  // namespace

const char* name_of(Verb verb) {
  for (const VerbKeys& v : kVerbs)
    if (v.verb == verb) return v.name.data();
  return "";
}

std::int64_t id_of(std::string_view text) {
  if (text.size() > kLargestMessage) return 0;
  const auto document = parse_json(text, "message");
  return document ? id_in(*document) : 0;
}

Result<Request> read_message(std::string_view text) {
  if (text.size() > kLargestMessage)
    return Problem{"message", fmt::format("{} bytes found; at most {} are allowed", text.size(), kLargestMessage), "send less"};
  auto document = parse_json(text, "message");
  if (!document) return document.problems();
  if (!document->is_object())
    return Problem{"message", describe(*document) + " found; a message is an object {\"id\": …, \"do\": …}", "send an object"};
  const auto id = document->find("id");
  if (id != document->end() && !id->is_number_integer())
    return Problem{"message /id", describe(*id) + " found; a whole number is allowed", "count up from 1"};
  const auto verb = document->find("do");
  if (verb == document->end() || !verb->is_string())
    return Problem{"message /do", "the verb is missing; a message names one", "add \"do\": \"hello\""};
  const VerbKeys* known = find(verb->get_ref<const std::string&>());
  if (known == nullptr) {
    std::string names;
    for (const VerbKeys& v : kVerbs) names += (names.empty() ? "" : ", ") + std::string(v.name);
    return Problem{"message /do", describe(*verb) + " found; allowed are " + names, "use one of them"};
  }
  std::vector<Problem> problems;
  for (const auto& [key, value] : document->items()) {
    if (key == "id" || key == "do") continue;
    if (key.empty() || std::find(known->keys.begin(), known->keys.end(), key) == known->keys.end())
      problems.push_back({"message " + pointer_step(key), fmt::format("\"{}\" has no such key", known->name), "leave it out"});
    if (problems.size() >= 20) break;
  }
  if (!problems.empty()) return problems;
  Request request{id_in(*document), known->verb, {}};
  request.body = std::move(*document);
  return request;
}

double Arguments::number(const char* key, double otherwise, double least, double most) {
  const auto found = body_.find(key);
  if (found == body_.end() || found->is_null()) return otherwise;
  const double value = found->is_number() ? found->get<double>() : std::nan("");
  if (value >= least && value <= most) return value;
  problems_.push_back({"message " + pointer_step(key),
                       fmt::format("{} found; a number from {:g} to {:g} is allowed", describe(*found), least, most), ""});
  return otherwise;
}

std::uint32_t Arguments::whole(const char* key, std::uint32_t otherwise, std::uint32_t most) {
  const auto found = body_.find(key);
  if (found == body_.end() || found->is_null()) return otherwise;
  if (found->is_number_unsigned() && found->get<std::uint64_t>() <= most) return found->get<std::uint32_t>();
  problems_.push_back({"message " + pointer_step(key),
                       fmt::format("{} found; a whole number from 0 to {} is allowed", describe(*found), most), ""});
  return otherwise;
}

bool Arguments::flag(const char* key, bool otherwise) {
  const auto found = body_.find(key);
  if (found == body_.end() || found->is_null()) return otherwise;
  if (found->is_boolean()) return found->get<bool>();
  problems_.push_back({"message " + pointer_step(key), describe(*found) + " found; true or false is allowed", ""});
  return otherwise;
}

std::string Arguments::text(const char* key, const std::string& otherwise, std::size_t most) {
  const auto found = body_.find(key);
  if (found == body_.end() || found->is_null()) return otherwise;
  if (found->is_string() && found->get_ref<const std::string&>().size() <= most) return found->get<std::string>();
  problems_.push_back(
      {"message " + pointer_step(key), fmt::format("{} found; a text of up to {} bytes is allowed", describe(*found), most), ""});
  return otherwise;
}

std::optional<Vec2> Arguments::point(const char* key) {
  const auto found = body_.find(key);
  if (found == body_.end() || found->is_null()) return std::nullopt;
  if (found->is_array() && found->size() == 2 && (*found)[0].is_number() && (*found)[1].is_number()) {
    const Vec2 p{(*found)[0].get<double>(), (*found)[1].get<double>()};
    constexpr double kFar = 1e8;
    if (std::abs(p.x) <= kFar && std::abs(p.y) <= kFar) return p;
  }
  problems_.push_back({"message " + pointer_step(key), describe(*found) + " found; a place is [x, y]", ""});
  return std::nullopt;
}

const Json* Arguments::object(const char* key) {
  const auto found = body_.find(key);
  if (found != body_.end() && found->is_object()) return &*found;
  problems_.push_back({"message " + pointer_step(key),
                       (found == body_.end() ? std::string("nothing") : describe(*found)) + " found; an object is needed", ""});
  return nullptr;
}

void Arguments::require(const char* key) {
  if (!body_.contains(key)) problems_.push_back({"message " + pointer_step(key), "the key is missing", "add it"});
}

Json json_of(std::span<const Problem> problems) {
  Json list = Json::array();
  for (const Problem& p : problems) {
    Json entry = {{"where", p.where}, {"what", p.what}, {"allowed", ""}, {"fix", p.fix}};
    // "file /a/b", or the pointer alone.
    const std::size_t space = p.where.rfind(" /");
    if (p.where.starts_with('/'))
      entry["pointer"] = p.where;
    else if (space != std::string::npos)
      entry["pointer"] = p.where.substr(space + 1);
    list.push_back(std::move(entry));
  }
  return list;
}

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string failure(std::int64_t id, std::span<const Problem> problems) {
  return dump({{"id", id}, {"ok", false}, {"problems", json_of(problems)}});
}

std::string success(std::int64_t id, Json body) {
  body["id"] = id;
  body["ok"] = true;
  return dump(body);
}

}  // namespace throng::server
