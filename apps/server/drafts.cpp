// SPDX-License-Identifier: MIT
#include "drafts.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <fstream>

#include "import/import.hpp"
#include "import/json_document.hpp"

namespace throng::server {
namespace {

namespace fs = std::filesystem;

/// More are not listed: reading them takes time.
constexpr std::size_t kMostListed = 100;

Problem unreadable(const std::string& id) {
  return {"draft " + id, "the file is no draft of the studio", "discard it, or look at it in the folder .throng-drafts"};
}

std::string text_of(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

bool Drafts::is_id(const std::string& id) {
  return id.size() >= 8 && id.size() <= 40 &&
         std::all_of(id.begin(), id.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; });
}

Result<fs::path> Drafts::file(const std::string& id) const {
  if (!is_id(id)) return Problem{"message /draft", "this is no id of a draft", "use 8 to 40 letters, digits and \"-\""};
  return folder_.resolve(std::string(kFolder) + "/" + id + ".json");
}

Result<std::int64_t> Drafts::write(const std::string& id, const DraftOrigin& of, const Json& scenario) {
  const std::lock_guard lock(mutex_);
  const auto to = file(id);
  if (!to) return to.problems();
  std::error_code error;
  if (fs::create_directory(to->parent_path(), error)) {
    // Not for a repository that the folder may belong to.
    std::ofstream(to->parent_path() / ".gitignore") << "*\n";
  }
  const std::int64_t at =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  const Json draft = {{"throng_draft", 1}, {"name", of.name}, {"path", of.path},
                      {"scene", of.scene}, {"at", at},        {"scenario", scenario}};
  if (auto problem = write_atomically(*to, dump(draft))) {
    problem->where = "draft";
    problem->fix = "save to a place that can be written, or start the studio in a folder where files can be made";
    return *problem;
  }
  return at;
}

Result<Draft> Drafts::read(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto from = file(id);
  if (!from) return from.problems();
  std::error_code error;
  if (!fs::is_regular_file(*from, error))
    return Problem{"draft " + id, "there is no such draft any more", "open another one, or a scene"};
  const auto bytes = read_file(*from);
  if (!bytes) return unreadable(id);
  auto json = parse_json(*bytes, "draft");
  if (!json || !json->is_object() || !json->contains("throng_draft") || !json->contains("scenario") ||
      !(*json)["scenario"].is_object())
    return unreadable(id);
  Draft draft;
  draft.id = id;
  draft.of = {text_of(*json, "name"), text_of(*json, "path"), text_of(*json, "scene")};
  if (const auto at = json->find("at"); at != json->end() && at->is_number_integer()) draft.at = at->get<std::int64_t>();
  draft.scenario = std::move((*json)["scenario"]);
  return draft;
}

Result<bool> Drafts::remove(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto gone = file(id);
  if (!gone) return gone.problems();
  std::error_code error;
  const bool was_there = fs::remove(*gone, error);
  if (error) return Problem{"draft " + id, "it cannot be removed: " + error.message(), "remove the file by hand"};
  return was_there;
}

std::vector<Draft> Drafts::list() const {
  std::vector<Draft> all;
  const auto folder = folder_.resolve(kFolder);
  if (!folder) return all;
  std::error_code error;
  std::vector<std::string> ids;
  for (fs::directory_iterator at(*folder, error), end; !error && at != end && ids.size() < kMostListed; at.increment(error))
    if (at->path().extension() == ".json" && is_id(at->path().stem().string())) ids.push_back(at->path().stem().string());
  for (const std::string& id : ids)
    if (auto draft = read(id)) {
      draft->scenario = Json();
      all.push_back(std::move(*draft));
    }
  std::sort(all.begin(), all.end(), [](const Draft& a, const Draft& b) { return a.at > b.at; });
  return all;
}

Json Drafts::json(const Draft& draft) {
  Json out = {{"id", draft.id}, {"name", draft.of.name}, {"at", draft.at}};
  if (!draft.of.path.empty()) out["path"] = draft.of.path;
  if (!draft.of.scene.empty()) out["scene"] = draft.of.scene;
  return out;
}

}  // namespace throng::server
