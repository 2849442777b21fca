// SPDX-License-Identifier: MIT
#include "document.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "import/import.hpp"
#include "json_numbers.hpp"
#include "navigation/navigation_data.hpp"
#include "scenario/ground_outline.hpp"
#include "scenario/replay.hpp"
#include "scene/doctor.hpp"
#include "scene/heights.hpp"
#include "trajectory/files.hpp"

namespace throng::server {
namespace {

/// Centimetres are enough to look at, and half as long as doubles.

/// Heights of uneven ground on a lattice that is coarse enough to send; beyond the end of the ground those of its edge.
Json heights_json(const HeightGrid& grid, Vec2 shift) {
  constexpr double kMostPoints = 128;  // a side
  std::int32_t left = std::numeric_limits<std::int32_t>::max(), right = std::numeric_limits<std::int32_t>::min();
  for (std::size_t r = 0; r < grid.runs.size(); ++r) {
    const std::size_t end = r + 1 < grid.runs.size() ? grid.runs[r + 1].first : grid.heights.size();
    left = std::min(left, grid.runs[r].column);
    right = std::max(right, grid.runs[r].column + static_cast<std::int32_t>(end - grid.runs[r].first) - 1);
  }
  const double wide = grid.step * (right - left), deep = grid.step * (static_cast<double>(grid.row_start.size()) - 2);
  const double step = std::max({grid.step, wide / kMostPoints, deep / kMostPoints});
  const Vec2 low = grid.origin + Vec2{grid.step * left, grid.step * grid.first_row};
  const auto columns = static_cast<std::int32_t>(std::ceil(wide / step - 1e-9)) + 1;
  const auto rows = static_cast<std::int32_t>(std::ceil(deep / step - 1e-9)) + 1;
  std::vector<double> z(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), std::nan(""));
  std::vector<std::int32_t> edge;
  for (std::int32_t i = 0; i < columns * rows; ++i)
    if (const auto height = height_at(grid, low + Vec2{step * (i % columns), step * (i / columns)})) {
      z[static_cast<std::size_t>(i)] = *height;
      edge.push_back(i);
    }
  for (std::size_t k = 0; k < edge.size(); ++k) {
    const std::int32_t x = edge[k] % columns, y = edge[k] / columns;
    for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      const std::int32_t other = (y + dy) * columns + x + dx;
      if (x + dx < 0 || x + dx >= columns || y + dy < 0 || y + dy >= rows || !std::isnan(z[static_cast<std::size_t>(other)]))
        continue;
      z[static_cast<std::size_t>(other)] = z[static_cast<std::size_t>(edge[k])];
      edge.push_back(other);
    }
  }
  Json list = Json::array();
  for (const double height : z) list.push_back(std::isnan(height) ? 0.0 : rounded(height));
  return {{"origin", {rounded(low.x + shift.x), rounded(low.y + shift.y)}},
          {"step", step},
          {"columns", columns},
          {"z", std::move(list)}};
}

void widen(Vec2& low, Vec2& high, Vec2 p) {
  low = {std::min(low.x, p.x), std::min(low.y, p.y)};
  high = {std::max(high.x, p.x), std::max(high.y, p.y)};
}

}  // namespace

Json ring_json(const std::vector<Vec2>& ring, Vec2 shift) {
  Json list = Json::array();
  for (const Vec2& p : ring) list.push_back({rounded(p.x + shift.x), rounded(p.y + shift.y)});
  return list;
}

Json polygon_json(const Polygon& polygon, Vec2 shift) {
  Json rings = Json::array({ring_json(polygon.outer, shift)});
  for (const Ring& hole : polygon.holes) rings.push_back(ring_json(hole, shift));
  return rings;
}

namespace {

constexpr std::string_view kWorkshopName = "throng-studio-";
constexpr const char* kWorkshopLock = ".lock";

/// Deletes the folders of studios that were killed: their locks went with them. Those of other users, and those whose studio has
/// not locked them yet, stay.
void remove_deserted_workshops(const std::filesystem::path& temporary) {
  std::error_code error;
  for (std::filesystem::directory_iterator at(temporary, error), end; !error && at != end; at.increment(error)) {
    if (!at->path().filename().string().starts_with(kWorkshopName)) continue;
    struct stat facts {};
    if (::lstat(at->path().c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode) || facts.st_uid != ::geteuid()) continue;
    const int lock = ::open((at->path() / kWorkshopLock).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (lock < 0) continue;
    std::error_code gone;
    if (::flock(lock, LOCK_EX | LOCK_NB) == 0) std::filesystem::remove_all(at->path(), gone);
    ::close(lock);
  }
}

}  // namespace

Result<std::shared_ptr<Workshop>> Workshop::open() {
  std::error_code error;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
  if (!error) remove_deserted_workshops(temporary);
  std::string name = (temporary / (std::string(kWorkshopName) + "XXXXXX")).string();
  if (error || ::mkdtemp(name.data()) == nullptr)
    return Problem{name, "no temporary folder can be made", "set TMPDIR to a folder with room for recordings"};
  // Without a lock (some file systems have none) the folder is only never tidied up after a kill.
  const std::string lock_name = (std::filesystem::path(name) / kWorkshopLock).string();
  int lock = ::open(lock_name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) != 0) {
    ::close(lock);
    ::unlink(lock_name.c_str());
    lock = -1;
  }
  return std::shared_ptr<Workshop>(new Workshop(name, lock));
}
Workshop::~Workshop() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
  if (lock_ >= 0) ::close(lock_);
}
std::uint64_t Workshop::bytes() const {
  std::uint64_t sum = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator at(path_, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;
    if (const auto size = at->file_size(gone); !gone) sum += size;
  }
  return sum;
}
std::string Workshop::new_file(const char* ending) { return (path_ / fmt::format("{}{}", count_++, ending)).string(); }

FrameScale Document::scale() const {
  FrameScale scale;
  scale.low = low_ - origin_;
  if (scenario_)
    for (const Kind& kind : scenario_->kinds) scale.is_child.push_back(kind.is_child ? 1 : 0);
  return scale;
}

Result<bool> Document::take(Scenario scenario) {
  name_ = scenario.name;
  origin_ = scenario.scene.origin;
  scenario_ = std::make_shared<const Scenario>(std::move(scenario));
  BakeSettings bake;
  bake.threads = settings_.threads;
  bake.editable = true;
  bake.progress = [&](std::string_view stage) { say("baking: " + std::string(stage)); };
  auto navigation = Navigation::bake(scenario_->scene, bake);
  if (!navigation) return navigation.problems();
  navigation_ = std::move(*navigation);
  return true;
}

Result<std::shared_ptr<Document>> Document::from_scenario(Scenario scenario, const DocumentSettings& settings) {
  std::shared_ptr<Document> document(new Document(settings));
  const auto say = [&](const std::string& words) { document->say(words); };
  if (auto taken = document->take(std::move(scenario)); !taken) return taken.problems();
  say("describing the scene");
  document->describe();
  say("placing people");
  auto simulation = Simulation::create(*document->scenario_, *document->navigation_, settings.threads);
  if (!simulation) return simulation.problems();
  say("recording");
  Branch::Start start;
  start.name = "A";
  start.scenario = document->scenario_;
  start.file = settings.workshop->new_file(".throng");
  start.scale = document->scale();
  start.cache = settings.cache;
  start.navigation = document->navigation_;
  start.threads = settings.threads;
  auto branch = Branch::live(std::move(start), std::move(*simulation));
  if (!branch) return branch.problems();
  document->branches_.push_back(std::move(*branch));
  return document;
}

Result<std::shared_ptr<Document>> Document::from_recording(const std::filesystem::path& file, const DocumentSettings& settings) {
  const auto say = [&](const std::string& words) {
    if (settings.progress) settings.progress(words);
  };
  std::shared_ptr<Document> document(new Document(settings));
  document->name_ = file.stem().string();
  std::string source = file.string();
  bool is_temporary = false;
  auto recording = Recording::open(source);
  if (!recording) {
    // Another tool's: written out as one of ours, so that the rest of the studio knows one kind only.
    say("reading " + file.filename().string());
    auto read = read_trajectory(source);
    if (!read) return read.problems();
    source = settings.workshop->new_file(".throng");
    is_temporary = true;
    const Trajectory& all = read->trajectory;
    RecordingHeader header;
    header.engine_version = THRONG_VERSION;
    header.geometry_wkt = all.geometry_wkt;
    header.step_seconds = all.frame_seconds;
    header.kinds = all.kinds;
    auto writer = RecordingWriter::create(source, header);
    if (!writer) return writer.problems();
    for (std::size_t f = 0; f < all.frame_count(); ++f) {
      if (auto problem = writer->add_frame(all.frame(f))) return *problem;
      if (f % 500 == 0) say(fmt::format("reading: frame {} of {}", f, all.frame_count()));
    }
    if (auto problem = writer->finish("{}")) return *problem;
    recording = Recording::open(source);
    if (!recording) return recording.problems();
  }
  const RecordingHeader header = recording->header();
  if (!header.scenario.empty()) {
    auto scenario = scenario_of(*recording);
    if (!scenario) return scenario.problems();
    if (auto taken = document->take(std::move(*scenario)); !taken) return taken.problems();
  } else {
    // Ground as the file has it, or the box of all places.
    auto bare = std::make_shared<Scenario>();
    bare->name = document->name_;
    bare->settings.dt = header.step_seconds;
    for (const std::string& kind : header.kinds) bare->kinds.push_back({.name = kind});
    if (!header.geometry_wkt.empty()) {
      auto scene = read_wkt(header.geometry_wkt, "its geometry");
      if (scene) {
        for (Layer& layer : scene->layers)
          for (Polygon& polygon : layer.walkable) {
            for (Vec2& p : polygon.outer) p = p + scene->origin;
            for (Ring& hole : polygon.holes)
              for (Vec2& p : hole) p = p + scene->origin;
          }
        scene->origin = {};
        bare->scene = std::move(*scene);
      }
    }
    if (bare->scene.layers.empty()) {
      Vec2 low{1e9, 1e9}, high{-1e9, -1e9};
      FrameCursor frames(*recording);
      while (frames.next())
        for (std::size_t r = 0; r < frames.frame().size(); ++r) widen(low, high, frames.frame().position(r));
      if (low.x > high.x) low = {0, 0}, high = {10, 10};
      bare->scene.layers.emplace_back();
      bare->scene.layers[0].walkable.push_back(
          {{{low.x - 2, low.y - 2}, {high.x + 2, low.y - 2}, {high.x + 2, high.y + 2}, {low.x - 2, high.y + 2}}, {}});
    }
    if (bare->scene.layers[0].name.empty()) bare->scene.layers[0].name = "ground";
    bare->scene.name = document->name_;
    bare->text = dump({{"throng_scenario", 1}, {"name", document->name_}, {"scene", Json::parse(write_scene_json(bare->scene))}});
    BakeSettings bake;
    bake.threads = settings.threads;
    auto navigation = Navigation::bake(bare->scene, bake);
    document->scenario_ = std::move(bare);
    if (navigation) document->navigation_ = std::move(*navigation);
  }
  say("describing the scene");
  document->describe();
  Branch::Start start;
  start.name = "A";
  start.scenario = document->scenario_;
  start.file = source;
  start.is_temporary = is_temporary;
  start.scale = document->scale();
  start.cache = settings.cache;
  start.navigation = document->navigation_;
  auto branch = Branch::recorded(std::move(start), header);
  if (!branch) return branch.problems();
  document->branches_.push_back(std::move(*branch));
  return document;
}

/// Everything of DOC that does not change.
void Document::describe() {
  const Scenario& scenario = *scenario_;
  const Scene& scene = scenario.scene;
  Json layers = Json::array();
  Vec2 low{1e9, 1e9}, high{-1e9, -1e9};
  for (std::uint32_t l = 0; l < scene.layers.size(); ++l) {
    const Layer& layer = scene.layers[l];
    Json walkable = Json::array(), walls = Json::array();
    const std::vector<Polygon> ground = navigation_ ? ground_outline(*navigation_, l) : layer.walkable;
    for (const Polygon& polygon : ground) {
      walkable.push_back(polygon_json(polygon, origin_));
      for (const Vec2& p : polygon.outer) widen(low, high, p);
    }
    for (const Polygon& polygon : layer.obstacles) walls.push_back(polygon_json(polygon, origin_));
    Json lines = Json::array();
    for (const Segment& wall : layer.walls)
      lines.push_back({rounded(wall.a.x + origin_.x), rounded(wall.a.y + origin_.y), rounded(wall.b.x + origin_.x),
                       rounded(wall.b.y + origin_.y)});
    layers.push_back({{"name", layer.name},
                      {"elevation", layer.elevation},
                      {"slope", {layer.slope.x, layer.slope.y}},
                      {"height", 3},
                      {"walkable", std::move(walkable)},
                      {"walls", std::move(walls)},
                      {"lines", std::move(lines)}});
    if (!layer.heights.empty()) layers.back()["heights"] = heights_json(layer.heights, origin_);
  }
  if (low.x > high.x) low = {0, 0}, high = {10, 10};
  low_ = {std::floor(low.x + origin_.x) - 1, std::floor(low.y + origin_.y) - 1};
  high_ = {std::ceil(high.x + origin_.x) + 1, std::ceil(high.y + origin_.y) + 1};

  std::set<std::uint32_t> goals, sources, measured(scenario.density_areas.begin(), scenario.density_areas.end());
  std::set<std::string> doors;
  for (const ScenarioPlan& plan : scenario.plans)
    for (const ScenarioGoal& goal : plan.goals) goals.insert(goal.areas.begin(), goal.areas.end());
  for (const Source& source : scenario.sources)
    if (source.area) sources.insert(*source.area);
  for (const ScenarioEvent& event : scenario.events)
    for (const ScenarioAction& action : event.actions) doors.insert(action.door);
  Json areas = Json::array(), names = Json::array();
  for (std::uint32_t a = 0; a < scenario.areas.size(); ++a) {
    const ScenarioArea& area = scenario.areas[a];
    names.push_back(area.name);
    const char* kind = doors.contains(area.name) || area.name.find("door") != std::string::npos ? "door"
                       : sources.contains(a)                                                    ? "source"
                       : goals.contains(a)                                                      ? "goal"
                       : measured.contains(a)                                                   ? "measure"
                                                                                                : "area";
    for (const ScenarioArea::Part& part : area.parts)
      areas.push_back({{"name", area.name},
                       {"index", a},
                       {"layer", part.layer},
                       {"shape", polygon_json(part.shape, origin_)},
                       {"kind", kind}});
  }
  Json models = Json::array(), kinds = Json::array(), lines = Json::array();
  for (const MotionModel& model : scenario.models) models.push_back(throng::name_of(model));
  for (const Kind& kind : scenario.kinds) kinds.push_back(kind.name);
  for (const ScenarioLine& line : scenario.lines)
    lines.push_back({{"name", line.name},
                     {"layer", line.layer},
                     {"from", {line.from.x + origin_.x, line.from.y + origin_.y}},
                     {"to", {line.to.x + origin_.x, line.to.y + origin_.y}}});

  Json text = Json::parse(scenario.text, nullptr, false);
  if (text.is_object() && text.contains("scene") && text["scene"].is_string())
    text["scene"] = Json::parse(write_scene_json(scene), nullptr, false);
  Json problems = Json::array();
  for (const Finding& finding : examine(scene)) {
    if (finding.severity == Finding::kNote) continue;
    Json entry = json_of({&finding.problem, 1})[0];
    entry["place"] = {finding.place.x + origin_.x, finding.place.y + origin_.y};
    entry["severity"] = finding.severity == Finding::kError ? "error" : "warning";
    problems.push_back(std::move(entry));
  }
  fixed_ = {{"name", name_},
            {"kind", settings_.kind},
            {"scenario", std::move(text)},
            {"bounds", {low_.x, low_.y, high_.x, high_.y}},
            {"layers", std::move(layers)},
            {"areas", std::move(areas)},
            {"lines", std::move(lines)},
            {"models", std::move(models)},
            {"kinds", std::move(kinds)},
            {"goals", std::move(names)},
            {"problems", std::move(problems)},
            {"dt", scenario.settings.dt},
            {"duration", scenario.settings.duration}};
  notes_.path = settings_.path;
  notes_.scene = settings_.scene;
  notes_.clean = std::make_shared<const Json>(fixed_["scenario"]);
}

std::vector<std::shared_ptr<Branch>> Document::branches() const {
  const std::lock_guard lock(mutex_);
  return branches_;
}

std::shared_ptr<Branch> Document::branch(std::uint32_t number) const {
  const std::lock_guard lock(mutex_);
  return number < branches_.size() ? branches_[number] : nullptr;
}

Json Document::json() const {
  Json doc = fixed_;
  Json list = Json::array();
  for (const auto& branch : branches()) list.push_back(branch->json());
  if (const auto first = this->branch(0); first && kind() == "recording")
    doc["duration"] = static_cast<double>(first->end_step()) * first->dt();
  doc["branches"] = std::move(list);
  const std::lock_guard lock(mutex_);
  const Json& edited = notes_.edited ? *notes_.edited : fixed_["scenario"];
  const bool is_clean = notes_.clean && edited == *notes_.clean;
  doc["saved"] = is_clean && !notes_.path.empty();
  doc["changed"] = !is_clean;
  if (!notes_.path.empty()) doc["path"] = notes_.path;
  if (!notes_.scene.empty()) doc["scene"] = notes_.scene;
  if (notes_.edited && edited != fixed_["scenario"]) doc["edited"] = edited;
  if (!notes_.draft.empty()) doc["draft"] = {{"id", notes_.draft}, {"at", notes_.draft_at}};
  return doc;
}

std::string Document::path() const {
  const std::lock_guard lock(mutex_);
  return notes_.path;
}

DraftOrigin Document::draft_origin() const {
  const std::lock_guard lock(mutex_);
  return {name_, notes_.path, notes_.scene};
}

void Document::note_draft(const std::string& id, std::int64_t at, const Json& scenario) {
  auto kept = std::make_shared<const Json>(scenario);
  const std::lock_guard lock(mutex_);
  notes_.draft = id;
  notes_.draft_at = at;
  notes_.edited = std::move(kept);
}

void Document::note_opened(const Draft& draft) {
  auto kept = std::make_shared<const Json>(draft.scenario);
  const std::lock_guard lock(mutex_);
  notes_ = {draft.of.path, draft.of.scene, nullptr, std::move(kept), draft.id, draft.at};
}

void Document::note_discarded(const std::string& id) {
  const std::lock_guard lock(mutex_);
  if (notes_.draft != id) return;
  notes_.draft.clear();
  if (!notes_.clean) notes_.clean = std::make_shared<const Json>(fixed_["scenario"]);
  notes_.edited = notes_.clean;
}

void Document::note_saved(const std::string& path, const Json& scenario) {
  auto kept = std::make_shared<const Json>(scenario);
  const std::lock_guard lock(mutex_);
  notes_.path = path;
  notes_.scene.clear();
  notes_.clean = kept;
  notes_.edited = std::move(kept);
}

void Document::take_notes(const Document& before) {
  Notes notes;
  {
    const std::lock_guard lock(before.mutex_);
    notes = before.notes_;
  }
  const std::lock_guard lock(mutex_);
  // A recording is no file that the scenario could be saved to.
  if (before.kind() == "recording") notes.path.clear();
  // Another viewer may edit something else: its draft is not one of this run.
  if (!notes.edited || *notes.edited != fixed_["scenario"]) {
    notes.edited.reset();
    notes.draft.clear();
  }
  notes_ = std::move(notes);
}

Result<std::shared_ptr<Branch>> Document::add_branch(const std::shared_ptr<Branch>& parent, double time, const std::string& name,
                                                     const Json& events) {
  const std::uint64_t step =
      std::min(static_cast<std::uint64_t>(std::llround(std::max(0.0, time) / parent->dt())), parent->end_step());
  if (branches().size() >= kMostBranches)
    return Problem{"branch", fmt::format("there are {} branches; no more are kept", kMostBranches), "run the scenario anew"};
  if (!navigation_ || parent->scenario().text.empty() || parent->scenario().models.empty())
    return Problem{"branch", "this recording holds no scenario", "only recordings of `throng run` can be continued"};
  const std::string& parent_text = parent->scenario().text;
  Json text = Json::parse(parent_text, nullptr, false);
  Json actions = Json::array();
  for (const Json& entry : events) {
    if (entry.is_object() && entry.contains("actions") && entry["actions"].is_array())
      for (const Json& action : entry["actions"]) actions.push_back(action);
    else
      actions.push_back(entry);
  }
  if (!actions.empty()) {
    if (!text.contains("events")) text["events"] = Json::array();
    text["events"].push_back({{"time", static_cast<double>(step) * parent->dt()}, {"actions", actions}});
  }
  // A run that has ended may go on if its duration was what ended it.
  auto scenario = read_scenario(dump(text), parent->scenario().name, open_embedded_scenes());
  if (!scenario) {
    std::vector<Problem> problems = scenario.problems();
    const std::string pointer = fmt::format("/events/{}/actions", text["events"].size() - 1);
    for (Problem& p : problems)
      if (const std::size_t at = p.where.find(pointer); at != std::string::npos)
        p.where = "/events" + p.where.substr(at + pointer.size());
    return problems;
  }
  Moments moments;
  auto before = moments.at(*this, parent, step);
  if (!before) return before.problems();
  auto simulation = Simulation::create(*scenario, *navigation_, settings_.threads);
  if (!simulation) return simulation.problems();
  if (auto taken = simulation->continue_from(**before); !taken) return taken.problems();

  const std::lock_guard lock(mutex_);
  Branch::Start start;
  start.number = static_cast<std::uint16_t>(branches_.size());
  start.name = !name.empty() ? name : std::string(1, static_cast<char>('A' + start.number % 26));
  start.parent = parent;
  start.scenario = std::make_shared<const Scenario>(std::move(*scenario));
  start.file = settings_.workshop->new_file(".throng");
  start.scale = scale();
  start.cache = settings_.cache;
  start.navigation = navigation_;
  start.threads = settings_.threads;
  auto branch = Branch::live(std::move(start), std::move(*simulation));
  if (!branch) return branch.problems();
  branches_.push_back(*branch);
  return *branch;
}

Result<Simulation*> Moments::at(Document& document, const std::shared_ptr<Branch>& wanted, std::uint64_t step) {
  const std::shared_ptr<Branch> branch = holder_of(wanted, step);
  if (!document.navigation() || branch->scenario().models.empty())
    return Problem{document.name(), "this recording holds no scenario", "only recordings of `throng run` can be recomputed"};
  step = std::clamp(step, branch->first_step(), branch->end_step());
  auto recording = branch->frames().recording();
  if (!recording) return recording.problems();
  const auto snapshot = (*recording)->snapshot_before(step);
  const bool is_near = simulation_ && branch_ == branch && simulation_->world().steps() <= step &&
                       (!snapshot || snapshot->header.first <= simulation_->world().steps());
  if (!is_near) {
    if (!snapshot)
      return Problem{document.name(), fmt::format("the recording holds no snapshot at or before step {}", step),
                     "record with outputs.snapshot_every above 0"};
    if (!simulation_ || branch_ != branch) {
      simulation_.reset();
      auto made = Simulation::create(branch->scenario(), *document.navigation(), document.threads());
      if (!made) return made.problems();
      simulation_.emplace(std::move(*made));
      branch_ = branch;
    }
    auto bytes = (*recording)->read(*snapshot);
    if (!bytes) return bytes.problems();
    if (auto restored = simulation_->restore(*bytes); !restored) {
      simulation_.reset();
      return restored.problems();
    }
  }
  while (simulation_->world().steps() < step) simulation_->step();
  return &*simulation_;
}

Result<Simulation*> Moments::after(Document& document, const std::shared_ptr<Branch>& branch, std::uint64_t step) {
  auto there = at(document, branch, step);
  if (there) (*there)->step();
  return there;
}

FramePointer MarkMaker::marked(Document& document, const std::shared_ptr<Branch>& branch, const FramePointer& frame) {
  if (frame->has_marks) return frame;
  const std::shared_ptr<Branch> holder = holder_of(branch, frame->step);
  if (!holder->can_recompute()) return nullptr;
  if (of_ != holder) {
    moments_.forget();
    of_ = holder;
    goals_.emplace(of_->scenario());
  }
  const auto there = moments_.at(document, of_, frame->step);
  if (!there) return nullptr;
  auto made = std::make_shared<Frame>(*frame);
  goals_->forget_plans();
  add_marks(*made, (*there)->world(), *goals_, of_->frames().scale().low);
  return made;
}

}  // namespace throng::server
