// SPDX-License-Identifier: MIT
// What viewers ask for, verb by verb (docs/formats/studio.md).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "import/import.hpp"
#include "named_scenes.hpp"
#include "scene/builtin.hpp"
#include "studio.hpp"
#include "studio_questions.hpp"

namespace throng::server {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string where, std::string what, std::string fix) {
  throw Refusal{{Problem{std::move(where), std::move(what), std::move(fix)}}};
}

std::shared_ptr<Document> need(const std::shared_ptr<Document>& document) {
  if (!document) refuse("document", "nothing is open", "open a scene first");
  return document;
}

std::shared_ptr<Branch> need_branch(const Document& document, std::uint32_t number) {
  auto branch = document.branch(number);
  if (!branch) {
    const std::size_t count = document.branches().size();
    refuse("message /branch", fmt::format("{} found; there are branches 0 to {}", number, count - 1), "use one of them");
  }
  return branch;
}

}  // namespace

/// Runs a job that gives an answer, a refusal, or has been cancelled.
void Studio::on_worker(Worker& worker, std::int64_t id, const Answer& answer, std::function<Json()> job) {
  const bool is_taken = worker.add([id, answer, job = std::move(job)] {
    try {
      answer(success(id, job()));
    } catch (const Refusal& refusal) {
      answer(failure(id, refusal.problems));
    } catch (const Cancelled&) {
      const Problem problem{"", "cancelled", ""};
      answer(failure(id, {&problem, 1}));
    } catch (const std::exception& error) {  // memory, above all
      const Problem problem{"", std::string("it could not be done: ") + error.what(), "try something smaller"};
      answer(failure(id, {&problem, 1}));
    }
  });
  if (is_taken) return;
  const Problem problem{"", "too much waits to be done already", "wait for the answers to come"};
  answer(failure(id, {&problem, 1}));
}

void Studio::handle(const ViewerPointer& viewer, Request request) {
  const std::shared_ptr<ViewerLink> link = viewer->link;
  const Answer answer = [link](std::string words) { link->send_text(std::make_shared<const std::string>(std::move(words))); };
  const std::int64_t id = request.id;
  const std::uint64_t by = viewer->number;
  const auto shared = std::make_shared<const Request>(std::move(request));
  const auto arguments = std::make_shared<Arguments>(shared->body);
  Arguments& a = *arguments;
  const auto wrong = [&] {
    if (!a.ok()) answer(failure(id, a.problems()));
    return !a.ok();
  };
  // Questions about a moment: the document as it is when the question is asked.
  const auto question = [&](std::function<Json(Document&, Moments&)> ask) {
    const std::shared_ptr<Document> document = this->document();
    on_worker(*quick_, id, answer, [this, document, shared, ask = std::move(ask)] {
      need(document);
      if (moments_document_ != document.get()) {
        moments_.forget();
        moments_document_ = document.get();
      }
      return ask(*document, moments_);
    });
  };

  switch (shared->verb) {
    case Verb::kHello:
      return answer(success(id, hello()));
    case Verb::kView:
      return view(viewer, *shared, answer);
    case Verb::kCompute:
    case Verb::kStop: {
      const std::uint32_t number = a.whole("branch", 0, 0xffff);
      const double to = a.number("to", 1e7, 0, 1e7);
      if (wrong()) return;
      const auto document = this->document();
      const auto branch = document ? document->branch(number) : nullptr;
      if (!branch) {
        const Problem problem{"message /branch", fmt::format("there is no branch {}", number), "open a scene, name a branch"};
        return answer(failure(id, {&problem, 1}));
      }
      if (shared->verb == Verb::kStop)
        branch->stop();
      else
        branch->want(static_cast<std::uint64_t>(to / branch->dt()));
      work_changed_.notify_one();
      return answer(success(id, {{"branch", branch->json()}}));
    }
    case Verb::kCancel:
      ++cancels_;
      return answer(success(id, {}));
    case Verb::kFiles: {
      const std::string path = a.text("path");
      if (wrong()) return;
      return on_worker(*quick_, id, answer, [this, path] {
        Json list = Json::array();
        for (const Folder::Entry& e : take(folder_.list(path)))
          list.push_back({{"path", e.path}, {"kind", e.kind}, {"bytes", e.bytes}});
        return Json{{"path", path}, {"files", std::move(list)}};
      });
    }
    case Verb::kOpen: {
      const std::string scene = a.text("scene"), path = a.text("path"), draft = a.text("draft", {}, 40);
      if (!scene.empty() + !path.empty() + !draft.empty() != 1)
        a.add({"message", "name either \"scene\", \"path\" or \"draft\"", "add one of them"});
      if (wrong()) return;
      const std::uint64_t asked = cancels_;
      return on_worker(*slow_, id, answer, [this, scene, path, draft, by, asked] {
        if (!draft.empty()) {
          const Draft kept = take(drafts_.read(draft));
          return open_document(
              "opening the draft", [&](const ProgressFunction& progress) { return load_draft(kept, progress); }, by, asked);
        }
        return open_document(
            "opening " + (scene.empty() ? path : scene),
            [&](const ProgressFunction& progress) { return load(scene, path, progress); }, by, asked);
      });
    }
    case Verb::kRun: {
      if (a.object("scenario") == nullptr && wrong()) return;
      const std::uint64_t asked = cancels_;
      const auto before = document();
      return on_worker(*slow_, id, answer, [this, shared, before, by, asked] {
        return open_document(
            "running",
            [&](const ProgressFunction& progress) -> Result<std::shared_ptr<Document>> {
              const std::string path = before ? before->path() : std::string();
              auto scenario = read_scenario(dump(shared->body["scenario"]), before ? before->name() : "scenario",
                                            scene_opener(path.empty() ? fs::path() : fs::path(path).parent_path()));
              if (!scenario) return scenario.problems();
              auto made = Document::from_scenario(std::move(*scenario), document_settings(progress));
              if (made && before) (*made)->take_notes(*before);
              return made;
            },
            by, asked);
      });
    }
    case Verb::kCheck: {
      if (a.object("scenario") == nullptr && wrong()) return;
      const auto before = document();
      return on_worker(*slow_, id, answer, [this, shared, before] {
        const std::string path = before ? before->path() : std::string();
        return check_scenario(dump(shared->body["scenario"]), before ? before->name() : "scenario",
                              scene_opener(path.empty() ? fs::path() : fs::path(path).parent_path()));
      });
    }
    case Verb::kBranch: {
      const std::uint32_t number = a.whole("branch", 0, 0xffff);
      const double time = a.number("time", 0, 0, 1e7);
      const std::string name = a.text("name", {}, 80);
      a.require("time");
      if (a.has("events") && !shared->body["events"].is_array())
        a.add({"message /events", "a list of actions is needed", "write [{\"close_door\": name}]"});
      if (wrong()) return;
      const auto document = this->document();
      return on_worker(*slow_, id, answer, [this, shared, document, number, time, name] {
        need(document);
        const auto parent = need_branch(*document, number);
        if (disk_full_)
          throw Refusal{{{"branch", "temporary recordings have taken all the room they may",
                          "open or run something else, or start the studio with a larger --disk"}}};
        const auto made = take(
            document->add_branch(parent, time, name, shared->body.contains("events") ? shared->body["events"] : Json::array()));
        const Json branch = made->json();
        push({{"push", "branch"}, {"branch", branch}});
        return Json{{"branch", branch}};
      });
    }
    case Verb::kSave: {
      const std::string path = a.text("path");
      const bool may_replace = a.flag("overwrite", false);
      const Json* scenario = a.object("scenario");
      a.require("path");
      if (path.empty()) a.add({"message /path", "a file name is needed", "name a file"});
      if (wrong() || scenario == nullptr) return;
      return on_worker(*files_, id, answer, [this, shared, path, may_replace] {
        const std::string name = fs::path(path).extension() == ".json" ? path : path + ".json";
        const fs::path file = take(folder_.resolve(name));
        std::error_code error;
        if (!fs::is_directory(file.parent_path(), error)) refuse(name, "its folder does not exist", "save into one that does");
        // Somebody else's file is not lost by a name that was taken.
        if (!may_replace && fs::exists(file, error)) return Json{{"path", name}, {"saved", false}};
        if (const auto problem =
                write_atomically(file, shared->body["scenario"].dump(2, ' ', false, Json::error_handler_t::replace) + "\n"))
          throw Refusal{{*problem}};
        if (const auto document = this->document()) document->note_saved(name, shared->body["scenario"]);
        return Json{{"path", name}, {"saved", true}};
      });
    }
    case Verb::kDraft: {
      const std::string key = a.text("draft", {}, 40);
      const DraftOrigin of{a.text("name", {}, 400), a.text("path"), a.text("scene", {}, 400)};
      const Json* scenario = a.object("scenario");
      a.require("draft");
      if (wrong() || scenario == nullptr) return;
      // In the order in which they come, and before the file that they may become.
      return on_worker(*files_, id, answer, [this, shared, key, of] {
        const Json& kept = shared->body["scenario"];
        const std::int64_t at = take(drafts_.write(key, of, kept));
        if (const auto document = this->document(); document && document->draft_origin() == of)
          document->note_draft(key, at, kept);
        return Json{{"draft", {{"id", key}, {"at", at}}}};
      });
    }
    case Verb::kDrafts:
      return on_worker(*files_, id, answer, [this] {
        Json list = Json::array();
        for (const Draft& draft : drafts_.list()) list.push_back(Drafts::json(draft));
        return Json{{"drafts", std::move(list)}};
      });
    case Verb::kDiscard: {
      const std::string key = a.text("draft", {}, 40);
      a.require("draft");
      if (wrong()) return;
      return on_worker(*files_, id, answer, [this, key] {
        const bool was_there = take(drafts_.remove(key));
        if (const auto document = this->document()) document->note_discarded(key);
        return Json{{"discarded", was_there}};
      });
    }
    case Verb::kResults: {
      const std::uint32_t number = a.whole("branch", 0, 0xffff);
      if (wrong()) return;
      return question([=](Document& document, Moments& moments) {
        return take(results_of(document, need_branch(document, number), moments));
      });
    }
    case Verb::kCompare: {
      std::vector<std::uint32_t> numbers;
      if (shared->body.contains("branches") && shared->body["branches"].is_array())
        for (const Json& n : shared->body["branches"])
          if (n.is_number_unsigned() && numbers.size() < Document::kMostBranches) numbers.push_back(n.get<std::uint32_t>());
      if (numbers.empty()) a.add({"message /branches", "a list of numbers of branches is needed", "write [0, 1]"});
      if (wrong()) return;
      return question([numbers](Document& document, Moments&) {
        Json list = Json::array();
        for (const std::uint32_t n : numbers) list.push_back(compare_branch(*need_branch(document, n), document));
        return Json{{"branches", std::move(list)}};
      });
    }
    case Verb::kSeries: {
      const std::uint32_t number = a.whole("branch", 0, 0xffff), points = a.whole("points", kMostPoints, kMostPoints);
      if (wrong()) return;
      return question([=](Document& document, Moments&) {
        return series_of(*need_branch(document, number), document, std::max(points, 2u));
      });
    }
    case Verb::kOverlay: {
      OverlayQuestion q;
      q.name = a.text("name", {}, 40);
      q.layer = a.whole("layer", 0, 0xffff);
      q.branch = a.whole("branch", 0, 0xffff);
      q.time = a.number("time", 0, 0, 1e7);
      if (a.has("agent")) q.agent = a.whole("agent", 0, 0xffffffffu);
      q.at = a.point("at");
      if (a.has("set")) q.set = a.whole("set", 0, 0xffff);
      q.depth = a.whole("depth", 4, 64);
      if (wrong()) return;
      return question([q](Document& document, Moments& moments) {
        return take(overlay(document, need_branch(document, q.branch), moments, q));
      });
    }
    case Verb::kInspect: {
      const std::uint32_t number = a.whole("branch", 0, 0xffff), agent = a.whole("agent", 0, 0xffffffffu);
      const double time = a.number("time", 0, 0, 1e7);
      a.require("agent");
      if (wrong()) return;
      return question([=](Document& document, Moments& moments) {
        return take(inspect(document, need_branch(document, number), moments, time, agent));
      });
    }
    case Verb::kPlace: {
      const std::uint32_t number = a.whole("branch", 0, 0xffff), layer = a.whole("layer", 0, 0xffff);
      const double time = a.number("time", 0, 0, 1e7), x = a.number("x", 0, -1e8, 1e8), y = a.number("y", 0, -1e8, 1e8);
      a.require("x"), a.require("y");
      if (wrong()) return;
      return question([=](Document& document, Moments& moments) {
        return take(look_at_place(document, need_branch(document, number), moments, time, {x, y}, layer));
      });
    }
    case Verb::kWalk: {
      const std::uint32_t number = a.whole("branch", 0, 0xffff), layer = a.whole("layer", 0, 0xffff);
      Branch::Visit visit;
      visit.place = {a.number("x", 0, -1e8, 1e8), a.number("y", 0, -1e8, 1e8)};
      visit.velocity = {a.number("vx", 0, -100, 100), a.number("vy", 0, -100, 100)};
      visit.layer = layer;
      const bool leaves = a.flag("leave", false);
      if (wrong()) return;
      const auto document = this->document();
      const auto branch = document ? document->branch(number) : nullptr;
      if (!branch || !branch->is_live() || !document->scenario() || layer >= document->scenario()->scene.layers.size()) {
        const Problem problem{"message", "there is no live run of this number and layer to walk in", "run a scenario first"};
        return answer(failure(id, {&problem, 1}));
      }
      visit.place = visit.place - document->origin();
      if (leaves)
        branch->leave(by);
      else
        branch->visit(by, visit);
      return answer(success(id, {{"agent", branch->visitor_number(by)}}));
    }
  }
}

void Studio::view(const ViewerPointer& viewer, const Request& request, const Answer& answer) {
  Arguments a(request.body);
  std::vector<Problem> problems;
  {
    const std::lock_guard lock(mutex_);
    const std::uint32_t number = a.whole("branch", viewer->branch, 0xffff);
    const double time = a.number("time", viewer->time, 0, 1e7);
    const bool is_playing = a.flag("playing", viewer->is_playing);
    const double speed = a.number("speed", viewer->speed, 0.01, 1000);
    const auto branch = document_ ? document_->branch(number) : nullptr;
    if (!branch) a.add({"message /branch", fmt::format("there is no branch {}", number), "open a scene, name a branch"});
    problems = a.problems();
    if (problems.empty()) {
      const bool seeks = a.has("time") || number != viewer->branch;
      viewer->branch = number;
      viewer->time = time;
      viewer->is_playing = is_playing;
      viewer->speed = speed;
      viewer->moved = Clock::now();
      if (seeks) viewer->wants_frame = viewer->wants_key = true;
      is_asked_to_show_ = true;
    }
  }
  if (!problems.empty()) return answer(failure(request.id, problems));
  shown_changed_.notify_one();
  answer(success(request.id, {}));
}

Json Studio::hello() const {
  const auto document = this->document();
  return {{"version", 1},
          {"program", THRONG_VERSION},
          {"folder", folder_.name()},
          {"document", document ? document->json() : Json()}};
}

DocumentSettings Studio::document_settings(const ProgressFunction& progress) const {
  DocumentSettings settings;
  settings.threads = settings_.threads;
  settings.workshop = workshop_;
  settings.cache = cache_;
  settings.progress = progress;
  return settings;
}

/// What a scenario may name as its scene: built-in ones, and files below the folder.
SceneOpener Studio::scene_opener(fs::path beside) const {
  return [this, beside = std::move(beside)](const std::string& name) -> Result<Scene> {
    if (auto built_in = make_builtin(name)) return std::move(*built_in);
    auto file = folder_.resolve((beside / name).generic_string());
    if (!file) return file.problems();
    return load_scene(*file);
  };
}

/// Makes a document, tells everybody, and answers with it.
Json Studio::open_document(const std::string& words,
                           const std::function<Result<std::shared_ptr<Document>>(const ProgressFunction&)>& make,
                           std::uint64_t by, std::uint64_t asked) {
  auto last = Clock::now() - std::chrono::seconds(1);
  const ProgressFunction progress = [&](const std::string& stage) {
    if (cancels_ != asked) throw Cancelled{};
    if (Clock::now() - last < std::chrono::milliseconds(100)) return;
    last = Clock::now();
    push({{"push", "progress"}, {"words", words + ": " + stage}, {"done", false}});
  };
  struct Done {
    Studio& studio;
    ~Done() { studio.push({{"push", "progress"}, {"words", ""}, {"done", true}}); }
  } done{*this};
  auto document = take(make(progress));
  const Json doc = document->json();
  std::shared_ptr<Document> before;
  {
    const std::lock_guard lock(mutex_);
    before = std::move(document_);
    document_ = document;
    for (const ViewerPointer& viewer : viewers_) {
      viewer->branch = 0;
      viewer->time = 0;
      viewer->is_playing = false;
      viewer->wants_frame = false;  // until it has seen the document and says what it looks at
      viewer->wants_key = true;
    }
    is_asked_to_show_ = true;
  }
  before.reset();
  push({{"push", "document"}, {"document", doc}}, by);
  shown_changed_.notify_one();
  return {{"document", doc}};
}

Result<std::shared_ptr<Document>> Studio::load(const std::string& scene, const std::string& path,
                                               const ProgressFunction& progress) {
  if (!path.empty()) {
    auto file = folder_.resolve(path);
    if (!file) return file.problems();
    std::error_code error;
    if (fs::is_directory(*file, error)) {  // of a run
      if (!fs::exists(*file / "recording.throng", error))
        return Problem{path, "this folder holds no recording", "name a file, or the folder of a run"};
      return load_file(*file / "recording.throng", path, progress, From::kFolder);
    }
    return load_file(*file, path, progress, From::kFolder);
  }
  if (scene.find_first_of("/\\") != std::string::npos || scene.starts_with('.'))
    return Problem{scene, "this is no name of a scene", "see /api/scenes"};
  const fs::path file = named_scene(settings_.scenes, scene);
  std::error_code error;
  if (!settings_.scenes.empty() && fs::is_regular_file(file, error)) return load_file(file, scene, progress, From::kNamedScene);
  if (is_builtin(scene)) {
    auto built_in = make_builtin(scene);
    if (!*built_in) return built_in->problems();
    const Json text = {{"throng_scenario", 1}, {"name", scene}, {"scene", scene}};
    auto scenario = read_scenario(dump(text), scene, scene_opener({}));
    if (!scenario) return scenario.problems();
    DocumentSettings settings = document_settings(progress);
    settings.kind = "scene";
    settings.scene = scene;
    return Document::from_scenario(std::move(*scenario), settings);
  }
  return Problem{scene, "there is no scene of this name", "see /api/scenes"};
}

/// What it can be run as: as it is; else, where what is edited is not right yet, its place alone, with nobody in it.
Result<std::shared_ptr<Document>> Studio::load_draft(const Draft& draft, const ProgressFunction& progress) {
  const auto opener = scene_opener(fs::path(draft.of.path).parent_path());
  const Json place = draft.scenario.contains("scene") ? draft.scenario["scene"] : Json();
  const Json room = {{"throng_scene", 1}, {"walkable", {{{0, 0}, {20, 0}, {20, 10}, {0, 10}}}}};
  const auto bare = [&](const Json& scene) { return Json{{"throng_scenario", 1}, {"name", draft.of.name}, {"scene", scene}}; };
  Result<std::shared_ptr<Document>> made = Problem{"draft " + draft.id, "it cannot be opened", ""};
  for (const Json& text : {draft.scenario, bare(place), bare(room)}) {
    auto scenario = read_scenario(dump(text), draft.of.name, opener);
    if (!scenario) continue;
    made = Document::from_scenario(std::move(*scenario), document_settings(progress));
    if (made) break;
  }
  if (made) (*made)->note_opened(draft);
  return made;
}

Result<std::shared_ptr<Document>> Studio::load_file(const fs::path& file, const std::string& shown,
                                                    const ProgressFunction& progress, From source) {
  DocumentSettings settings = document_settings(progress);
  if (source == From::kFolder) settings.path = shown;
  if (source == From::kNamedScene) settings.scene = shown;
  if (progress) progress("reading");
  const std::string kind = kind_of_file(file);
  const auto rename = [&](std::vector<Problem> problems) {  // paths of this machine are nobody's business
    const std::string real = file.string(), folder = file.parent_path().string() + "/";
    for (Problem& p : problems)
      for (std::string* text : {&p.where, &p.what, &p.fix})
        for (const auto& [from, to] : {std::pair{real, shown}, std::pair{folder, std::string()}})
          for (std::size_t at = text->find(from); at != std::string::npos; at = text->find(from, at + to.size()))
            text->replace(at, from.size(), to);
    return problems;
  };
  if (kind == "recording") {
    settings.kind = "recording";
    auto document = Document::from_recording(file, settings);
    if (!document) return rename(document.problems());
    return document;
  }
  auto bytes = read_file(file);
  if (!bytes) return rename(bytes.problems());
  if (kind == "scenario" || looks_like_scenario(*bytes)) {
    // Scenes that come with the program lie beside their scenario. What was dropped here came from elsewhere.
    const SceneOpener opener = source == From::kNamedScene ? open_scenes_from(file.parent_path())
                               : source == From::kFolder   ? scene_opener(fs::path(shown).parent_path())
                                                           : scene_opener({});
    auto scenario = read_scenario(*bytes, file.string(), opener);
    if (!scenario) return rename(scenario.problems());
    auto document = Document::from_scenario(std::move(*scenario), settings);
    if (!document) return rename(document.problems());
    return document;
  }
  // A scene of any kind: a scenario with nobody in it.
  settings.kind = "scene";
  settings.path.clear();
  const Json text = {{"throng_scenario", 1}, {"name", file.stem().string()}, {"scene", file.filename().string()}};
  auto scenario = read_scenario(dump(text), shown, [&](const std::string&) { return load_scene(file); });
  if (!scenario) return rename(scenario.problems());
  auto document = Document::from_scenario(std::move(*scenario), settings);
  if (!document) return rename(document.problems());
  return document;
}

Result<bool> Studio::open(const std::string& what) {
  try {
    std::error_code error;
    const bool is_file = folder_.resolve(what) && fs::exists(folder_.path() / what, error);
    open_document(
        "opening " + what,
        [&](const ProgressFunction& progress) { return is_file ? load({}, what, progress) : load(what, {}, progress); }, 0,
        cancels_);
    return true;
  } catch (const Refusal& refusal) {
    return refusal.problems;
  } catch (const Cancelled&) {
    return Problem{what, "cancelled", ""};
  }
}

}  // namespace throng::server
