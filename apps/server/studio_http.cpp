// SPDX-License-Identifier: MIT
// What is asked for by HTTP: the start page's scenes and pictures, the schema, uploads and exports.
#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "exports.hpp"
#include "named_scenes.hpp"
#include "studio.hpp"

namespace throng::server {
namespace {

namespace fs = std::filesystem;

HttpAnswer refused(unsigned status, std::span<const Problem> problems) {
  HttpAnswer answer;
  answer.status = status;
  answer.body = dump({{"ok", false}, {"problems", json_of(problems)}});
  return answer;
}
HttpAnswer refused(unsigned status, const std::string& where, const std::string& what, const std::string& fix) {
  const Problem problem{where, what, fix};
  return refused(status, {&problem, 1});
}

/// Names of scenes come from addresses: letters, digits, `_` and `-` only.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name.size() <= 80 &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
}

double sum_of(const Json& list, const char* key) {
  double sum = 0;
  if (list.is_array())
    for (const Json& entry : list)
      if (entry.is_object() && entry.contains(key) && entry[key].is_number()) sum += entry[key].get<double>();
  return sum;
}

}  // namespace

Json Studio::scenes() const {
  Json list = Json::array();
  for (const fs::path& file : named_scenes(settings_.scenes)) {
    if (!is_plain_name(file.stem().string())) continue;
    std::ifstream in(file);
    const Json scenario = Json::parse(in, nullptr, false);
    if (!scenario.is_object() || !scenario.contains("throng_scenario")) continue;
    const std::string name = file.stem().string();
    const auto text = [&](const char* key) {
      return scenario.contains(key) && scenario[key].is_string() ? scenario[key].get<std::string>() : std::string();
    };
    std::string title = text("name").empty() ? name : text("name");
    std::replace(title.begin(), title.end(), '_', ' ');
    if (!title.empty()) title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    const Json settings = scenario.value("settings", Json::object());
    const double seconds = settings.is_object() && settings.contains("duration") && settings["duration"].is_number()
                               ? settings["duration"].get<double>()
                               : ScenarioSettings{}.duration;
    list.push_back({{"name", name},
                    {"title", title},
                    {"description", text("description")},
                    {"people", std::llround(sum_of(scenario.value("populations", Json()), "count"))},
                    {"seconds", seconds},
                    {"picture", "/api/picture/" + name + ".png"}});
  }
  Json files_json = Json::array();
  if (const auto entries = folder_.list(""))
    for (const Folder::Entry& e : *entries) files_json.push_back({{"path", e.path}, {"kind", e.kind}, {"bytes", e.bytes}});
  return {{"scenes", std::move(list)}, {"files", std::move(files_json)}, {"folder", folder_.name()}};
}

void Studio::ask(HttpQuestion question, std::function<void(HttpAnswer)> answer) {
  const auto job = [&](Worker& worker, std::function<HttpAnswer()> work) {
    const bool is_taken = worker.add([answer, work = std::move(work)] {
      try {
        answer(work());
      } catch (const Refusal& refusal) {
        answer(refused(400, refusal.problems));
      } catch (const Cancelled&) {
        answer(refused(409, "", "cancelled", ""));
      } catch (const std::exception& error) {
        answer(refused(500, "", std::string("it could not be done: ") + error.what(), "try something smaller"));
      }
    });
    if (!is_taken) answer(refused(503, "", "too much waits to be done already", "try again later"));
  };
  const std::string& path = question.path;
  if (question.method == "POST") {
    if (path != "/api/upload") return answer(refused(404, path, "there is nothing of this name", ""));
    const std::string name = question.query.contains("name") ? question.query["name"] : std::string();
    const std::string end = fs::path(name).extension().string();
    if (name.empty() || end.empty() || end.size() > 12 ||
        !std::all_of(end.begin() + 1, end.end(), [](unsigned char c) { return std::isalnum(c) != 0; }))
      return answer(refused(400, "name", "the name has no ending that tells what the file is", "add ?name=plan.geojson"));
    const std::uint64_t asked = cancels_;
    auto body = std::make_shared<std::string>(std::move(question.body));
    return job(*slow_, [this, name, end, body, asked] {
      // Under a name of our own, in a folder of its own: readers name the scene after the file.
      std::string stem = fs::path(name).stem().string();
      stem.erase(std::remove_if(stem.begin(), stem.end(),
                                [](unsigned char c) { return std::isalnum(c) == 0 && c != '_' && c != '-' && c != ' '; }),
                 stem.end());
      if (stem.empty()) stem = "dropped";
      const fs::path folder = workshop_->new_file("");
      fs::create_directory(folder);
      const fs::path file = folder / (stem.substr(0, 80) + end);
      if (const auto problem = write_atomically(file, *body)) throw Refusal{{*problem}};
      body->clear(), body->shrink_to_fit();
      HttpAnswer done;
      Json doc = open_document(
          "opening " + name, [&](const ProgressFunction& progress) { return load_file(file, name, progress, From::kUpload); }, 0,
          asked);
      doc["ok"] = true;
      done.body = dump(doc);
      return done;
    });
  }
  if (path == "/api/scenes")
    return job(*quick_, [this] {
      HttpAnswer done;
      done.body = dump(scenes());
      return done;
    });
  if (path == "/api/schema")
    return job(*quick_, [] {
      HttpAnswer done;
      done.body = scenario_schema();
      return done;
    });
  if (path.starts_with("/api/picture/") && path.ends_with(".png")) {
    constexpr std::size_t kPrefix = 13;
    const std::string name = path.substr(kPrefix, path.size() - kPrefix - 4);
    if (!is_plain_name(name)) return answer(refused(404, path, "there is no scene of this name", "see /api/scenes"));
    const auto theme = question.query.find("theme");
    const bool dark = theme != question.query.end() && theme->second == "dark";
    return job(*pictures_, [this, name, dark] { return picture(name, dark); });
  }
  if (path.starts_with("/api/export/")) {
    const std::string what = path.substr(12);
    if (what != "recording" && what != "html" && what != "video")
      return answer(refused(404, path, "there is no such export", "recording, html or video"));
    return job(*pictures_, [this, what, query = question.query] { return export_run(what, query); });
  }
  answer(refused(404, path, "there is nothing of this name", ""));
}

HttpAnswer Studio::picture(const std::string& name, bool dark) {
  const fs::path file = named_scene(settings_.scenes, name);
  std::error_code error;
  if (settings_.scenes.empty() || !fs::is_regular_file(file, error))
    return refused(404, name, "there is no scene of this name", "see /api/scenes");
  HttpAnswer answer;
  answer.type = "image/png";
  answer.file = take(scene_picture(file, workshop_->path(), dark));
  return answer;
}

HttpAnswer Studio::export_run(const std::string& what, const std::map<std::string, std::string>& query) {
  const auto document = this->document();
  const auto number_of = [&](const char* key, double otherwise) {
    const auto found = query.find(key);
    if (found == query.end()) return otherwise;
    char* end = nullptr;
    const double value = std::strtod(found->second.c_str(), &end);
    return end != nullptr && *end == '\0' && std::isfinite(value) && std::abs(value) < 1e9 ? value : otherwise;
  };
  const double number = number_of("branch", 0);
  const auto branch = document && number >= 0 && number < 65536 ? document->branch(static_cast<std::uint32_t>(number)) : nullptr;
  if (!branch) return refused(404, "branch", "there is no such branch", "open a scene, name a branch");
  ExportSettings settings;
  settings.from = number_of("from", 0);
  settings.to = number_of("to", 1e9);
  settings.speed = std::clamp(number_of("speed", 1), 0.1, 100.0);
  settings.pixel_width = std::clamp(number_of("width", 1280), 320.0, 3840.0);
  settings.layer = static_cast<std::uint32_t>(std::clamp(number_of("layer", 0), 0.0, 255.0));
  settings.page = settings_.page;
  const std::string stem = printable_name(document->name());
  HttpAnswer answer;
  answer.removes_file = true;
  if (what == "recording") {
    answer.type = "application/octet-stream";
    answer.download_name = stem + ".throng";
    answer.file = take(export_recording(*document, *branch));
  } else if (what == "html") {
    answer.type = "text/html; charset=utf-8";
    answer.download_name = stem + ".html";
    answer.file = take(export_html(*document, branch, settings));
  } else {
    answer.type = "video/mp4";
    answer.download_name = stem + ".mp4";
    answer.file = take(export_video(*document, *branch, settings));
  }
  return answer;
}

}  // namespace throng::server
