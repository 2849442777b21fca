// SPDX-License-Identifier: MIT
#include "branch.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "document.hpp"
#include "navigation/navigation_data.hpp"
#include "scenario/record.hpp"

namespace throng::server {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point began) { return std::chrono::duration<double>(Clock::now() - began).count(); }

double seconds_now() { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }

/// Restoring a moment costs at most so many steps.
constexpr std::uint64_t kSnapshotEvery = 100;
constexpr std::uint32_t kFramesPerSeal = RecordingWriter::kFramesPerChunk;
constexpr std::size_t kBytesPerSeal = std::size_t{24} << 20;
/// Events that are ticks on the time line: more would hide it.
constexpr std::size_t kMostEvents = 400;

}  // namespace

/// A step as the keeper needs it: copies of columns, so that the simulation goes on meanwhile.
struct Branch::Moment {
  std::uint64_t step = 0;
  double time = 0;
  std::vector<std::uint32_t> number, group;
  std::vector<float> x, y, vx, vy, heading_x, heading_y, z, radius, preferred;
  std::vector<std::uint16_t> layer, kind, goal;
  std::vector<std::uint8_t> level, model;
  std::vector<FrameVehicle> vehicles;
  std::vector<Event> events;
  std::string snapshot;  ///< empty: none is due
};

Branch::Branch(Start start) : start_(std::move(start)) {}

Result<std::shared_ptr<Branch>> Branch::live(Start start, Simulation simulation) {
  const RecordingHeader header = recording_header(simulation, 1, THRONG_VERSION);
  auto writer = RecordingWriter::create(start.file, header);
  if (!writer) return writer.problems();

  std::shared_ptr<Branch> branch(new Branch(std::move(start)));
  branch->is_live_ = true;
  branch->frames_ = std::make_unique<FrameStore>(branch->start_.file, header, branch->start_.scale, branch->start_.cache);
  branch->writer_.emplace(std::move(*writer));
  branch->simulation_.emplace(std::move(simulation));
  branch->is_awake_ = true;
  branch->last_advance_ = seconds_now();
  branch->notices_seen_ = 0;
  branch->goals_.emplace(branch->scenario());
  branch->goal_places_.emplace(branch->scenario());
  branch->end_step_ = branch->want_step_ = branch->computed_step_ = header.first_step;
  Branch* keeper = branch.get();
  branch->keeper_ = std::thread([keeper] { keeper->keep_moments(); });
  if (auto problem = branch->hand_over()) return *problem;
  branch->wait_for_keeper();
  if (branch->keeper_problem_) return *branch->keeper_problem_;
  branch->is_done_ = branch->simulation_->is_done();
  return branch;
}

Result<std::shared_ptr<Branch>> Branch::recorded(Start start, const RecordingHeader& header) {
  std::shared_ptr<Branch> branch(new Branch(std::move(start)));
  branch->frames_ = std::make_unique<FrameStore>(branch->start_.file, header, branch->start_.scale, branch->start_.cache);
  if (auto problem = branch->frames_->adopt()) return *problem;
  if (branch->frames_->frame_count() == 0)
    return Problem{branch->start_.file, "the recording has no frames", "run the scenario for longer"};
  branch->end_step_ = branch->want_step_ = branch->computed_step_ = branch->frames_->last_step();
  branch->is_done_ = true;
  const auto recording = branch->frames_->recording();
  if (!recording) return recording.problems();
  branch->can_recompute_ = branch->start_.navigation && !branch->scenario().models.empty() &&
                           (*recording)->snapshot_before(branch->first_step()).has_value();
  if (const auto events = (*recording)->events()) {
    for (const RecordedEvent& event : *events) {
      if (event.kind == "arrived" || event.kind == "left") continue;
      if (branch->events_.size() >= kMostEvents) break;
      branch->events_.push_back({event.time, event.kind, event.text, event.agent == kNobody ? 0 : event.agent, {}});
    }
  }
  return branch;
}

Branch::~Branch() {
  if (keeper_.joinable()) {
    {
      const std::lock_guard lock(keeper_mutex_);
      keeper_ends_ = true;
    }
    keeper_changed_.notify_all();
    keeper_.join();
  }
  writer_.reset();
  frames_.reset();
  if (start_.is_temporary && !start_.file.empty()) ::unlink(start_.file.c_str());
}

void Branch::want(std::uint64_t step) {
  std::uint64_t now = want_step_.load();
  while (now < step && !want_step_.compare_exchange_weak(now, step)) {
  }
}

bool Branch::is_running() const {
  constexpr double kMoment = 0.5;
  return is_live_ && !is_done() && (has_work() || seconds_now() - last_advance_ < kMoment);
}

std::optional<Problem> Branch::advance() {
  const std::lock_guard lock(simulation_mutex_);
  if (!is_live_ || is_done_) return std::nullopt;
  if (!simulation_)
    if (auto problem = wake()) {
      is_done_ = true;
      return problem;
    }
  const auto began = Clock::now();
  move_visitors();
  simulation_->step();
  const double step_seconds = seconds_since(began);
  const auto kept = Clock::now();
  const auto problem = hand_over();
  last_advance_ = seconds_now();
  {
    const std::lock_guard log_lock(log_mutex_);
    cost_.step += step_seconds;
    cost_.keep += seconds_since(kept);
    log_.step_ms.back() = static_cast<float>(1000 * step_seconds);
  }
  if (simulation_->is_done() || problem) {
    wait_for_keeper();
    const std::lock_guard writer_lock(writer_mutex_);
    std::optional<Problem> unwritten = problem ? problem : writer_->flush();
    if (!unwritten) frames_->seal();
    is_done_ = true;
    return unwritten;
  }
  return std::nullopt;
}

bool Branch::rest() {
  const std::lock_guard lock(simulation_mutex_);
  if (!simulation_ || has_steps() || is_visited_) return false;
  wait_for_keeper();
  {
    const std::lock_guard writer_lock(writer_mutex_);
    const std::uint64_t step = simulation_->world().steps();
    std::optional<Problem> problem;
    if ((step - first_step()) % kSnapshotEvery != 0 && !is_done_) problem = writer_->add_snapshot(step, simulation_->snapshot());
    if (!problem) problem = writer_->flush();
    if (problem) return false;
    frames_->seal();
    unsealed_frames_ = 0;
    unsealed_bytes_ = 0;
  }
  simulation_.reset();
  {
    const std::lock_guard keeper_lock(keeper_mutex_);
    spare_.clear();
  }
  is_awake_ = false;
  return true;
}

/// The simulation as it was, from the snapshot that `rest` has left in the recording.
std::optional<Problem> Branch::wake() {
  const auto failed = [&](Problem problem) {
    problem.where = "branch " + start_.name + ": " + problem.where;
    return problem;
  };
  auto recording = frames_->recording();
  if (!recording) return failed(recording.problems()[0]);
  const auto place = (*recording)->snapshot_before(computed_step_);
  if (!place) return failed({start_.file, "the recording has lost its last snapshot", "run the scenario anew"});
  const auto bytes = (*recording)->read(*place);
  if (!bytes) return failed(bytes.problems()[0]);
  auto made = Simulation::create(scenario(), *start_.navigation, start_.threads);
  if (!made) return failed(made.problems()[0]);
  if (auto restored = made->restore(*bytes); !restored) return failed(restored.problems()[0]);
  if (made->world().steps() != computed_step_)
    return failed({start_.file, "the snapshot is not that of the last moment", "run the scenario anew"});
  simulation_.emplace(std::move(*made));
  goals_->forget_plans();
  // The time of each phase is counted from now on.
  phases_before_.assign(phases_before_.size(), 0);
  is_awake_ = true;
  return std::nullopt;
}

/// Copies the present for the keeper, and waits only if that is several steps behind.
std::optional<Problem> Branch::hand_over() {
  const World& world = simulation_->world();
  const World::Columns rows = world.columns();
  const std::size_t n = rows.x.size();
  std::unique_ptr<Moment> moment;
  {
    std::unique_lock lock(keeper_mutex_);
    keeper_changed_.wait(lock, [&] { return waiting_.size() < kMostWaiting; });
    if (keeper_problem_) return keeper_problem_;
    if (!spare_.empty()) {
      moment = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  if (!moment) moment = std::make_unique<Moment>();
  const auto copy = [](auto& to, const auto& from) { to.assign(from.begin(), from.end()); };
  moment->step = world.steps();
  moment->time = world.time();
  copy(moment->number, rows.number), copy(moment->group, rows.group), copy(moment->x, rows.x), copy(moment->y, rows.y);
  copy(moment->vx, rows.vx), copy(moment->vy, rows.vy), copy(moment->heading_x, rows.heading_x);
  copy(moment->heading_y, rows.heading_y), copy(moment->radius, rows.radius), copy(moment->preferred, rows.preferred_speed);
  copy(moment->kind, rows.kind), copy(moment->model, rows.model);
  copy(moment->level, rows.level.size() >= n ? rows.level.first(n) : rows.level);
  copy(moment->events, world.events());
  moment->layer.resize(n), moment->z.resize(n), moment->goal.resize(n);
  world.footing(moment->layer, moment->z);
  double speeds = 0;
  std::uint32_t walking = 0;
  for (std::size_t i = 0; i < n; ++i) {
    moment->goal[i] = goals_->of(world, rows.plan[i], rows.plan_entry[i]);
    if (rows.activity[i] != Activity::kWalking) continue;
    ++walking;
    speeds += std::sqrt(rows.vx[i] * rows.vx[i] + rows.vy[i] * rows.vy[i]);
  }
  moment->vehicles = vehicles_of(world, frames_->scale().low);
  moment->snapshot.clear();
  if ((world.steps() - first_step()) % kSnapshotEvery == 0) moment->snapshot = simulation_->snapshot();
  note_events();
  log_step(walking, walking > 0 ? speeds / walking : 0);
  {
    const std::lock_guard lock(keeper_mutex_);
    waiting_.push_back(std::move(moment));
  }
  computed_step_.store(world.steps(), std::memory_order_release);
  keeper_changed_.notify_all();
  return std::nullopt;
}

void Branch::log_step(std::uint32_t walking, double mean_speed) {
  const World& world = simulation_->world();
  const std::lock_guard lock(log_mutex_);
  log_.present.push_back(world.agent_count());
  log_.arrived.push_back(static_cast<std::uint32_t>(simulation_->tally().arrived));
  log_.walking.push_back(walking);
  log_.mean_speed.push_back(static_cast<float>(mean_speed));
  log_.step_ms.push_back(0);
  const std::vector<double>& times = simulation_->tally().travel_times;
  log_.travel_times.insert(log_.travel_times.end(), times.begin() + static_cast<std::ptrdiff_t>(log_.travel_times.size()),
                           times.end());
  const std::vector<Phase>& phases = world.phases();
  if (log_.phase_names.size() != phases.size()) {
    log_.phase_names.clear();
    for (const Phase& phase : phases) log_.phase_names.emplace_back(phase.name);
    log_.phase_ms.assign(phases.size(), std::vector<float>(log_.present.size() - 1, 0.0f));
    phases_before_.assign(phases.size(), 0);
  }
  for (std::size_t p = 0; p < phases.size(); ++p) {
    log_.phase_ms[p].push_back(static_cast<float>(1000 * (phases[p].seconds - phases_before_[p])));
    phases_before_[p] = phases[p].seconds;
  }
}

/// The keeper's thread: one moment after the other into the recording and the store.
void Branch::keep_moments() {
  for (;;) {
    Moment* moment = nullptr;
    {
      std::unique_lock lock(keeper_mutex_);
      keeper_changed_.wait(lock, [&] { return keeper_ends_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      moment = waiting_.front().get();  // stays in the list until it is kept: whoever waits for us waits for that
    }
    const auto began = Clock::now();
    std::optional<Problem> problem;
    try {
      problem = keep(*moment);
    } catch (const std::exception&) {
      problem = Problem{"memory", "there is not enough of it to keep the run", "save what matters, or open something smaller"};
    }
    {
      const std::lock_guard lock(log_mutex_);
      cost_.beside += seconds_since(began);
    }
    {
      const std::lock_guard lock(keeper_mutex_);
      if (problem) keeper_problem_ = problem;
      spare_.push_back(std::move(waiting_.front()));
      waiting_.pop_front();
    }
    keeper_changed_.notify_all();
  }
}

void Branch::wait_for_keeper() {
  std::unique_lock lock(keeper_mutex_);
  keeper_changed_.wait(lock, [&] { return waiting_.empty(); });
}

std::optional<Problem> Branch::keep(const Moment& moment) {
  const std::lock_guard lock(writer_mutex_);
  FramePointer frame = make_frame(moment);
  for (const Event& event : moment.events)
    if (auto problem = writer_->add_event(recorded_event(event))) return problem;
  if (!moment.snapshot.empty())
    if (auto problem = writer_->add_snapshot(moment.step, moment.snapshot)) return problem;
  if (auto problem = writer_->add_frame({.id = moment.number,
                                         .x = moment.x,
                                         .y = moment.y,
                                         .heading_x = moment.heading_x,
                                         .heading_y = moment.heading_y,
                                         .z = moment.z,
                                         .layer = moment.layer,
                                         .radius = moment.radius,
                                         .preferred_speed = moment.preferred,
                                         .kind = moment.kind,
                                         .group = moment.group}))
    return problem;
  unsealed_bytes_ += frame->rows.size() * sizeof(FrameRow);
  note_arrivals(moment);
  last_frame_ = frame;
  frames_->append(std::move(frame));
  if (++unsealed_frames_ >= kFramesPerSeal || unsealed_bytes_ >= kBytesPerSeal) {
    if (auto problem = writer_->flush()) return problem;
    frames_->seal();
    unsealed_frames_ = 0;
    unsealed_bytes_ = 0;
  }
  end_step_.store(moment.step, std::memory_order_release);
  return std::nullopt;
}

/// Who arrives may be gone with that step: where it was is in the frame before.
void Branch::note_arrivals(const Moment& moment) {
  std::vector<StepLog::Arrival> arrivals;
  for (const Event& event : moment.events) {
    if (event.kind != EventKind::kArrived) continue;
    std::uint16_t goal = kNoGoal;
    if (last_frame_) {
      const auto& rows = last_frame_->rows;
      const auto row = std::lower_bound(rows.begin(), rows.end(), event.number,
                                        [](const FrameRow& r, std::uint32_t number) { return r.number < number; });
      if (row != rows.end() && row->number == event.number)
        goal = goal_places_->at(place_of(*row, frames_->scale().low), row->layer, row->goal);
    }
    arrivals.push_back({event.time, goal});
  }
  if (arrivals.empty()) return;
  const std::lock_guard lock(log_mutex_);
  log_.arrivals.insert(log_.arrivals.end(), arrivals.begin(), arrivals.end());
}

FramePointer Branch::make_frame(const Moment& m) {
  const std::size_t n = m.number.size();
  // By number, as recordings have it. Rows change places every few dozen steps only: then the order of last time will do.
  if (m.number != ordered_numbers_) {
    std::vector<std::uint64_t> keys(n);
    for (std::size_t i = 0; i < n; ++i) keys[i] = std::uint64_t{m.number[i]} << 32 | i;
    std::sort(keys.begin(), keys.end());
    order_.resize(n);
    for (std::size_t i = 0; i < n; ++i) order_[i] = static_cast<std::uint32_t>(keys[i]);
    ordered_numbers_ = m.number;
  }
  auto frame = std::make_shared<Frame>();
  frame->step = static_cast<std::uint32_t>(m.step);
  frame->time = m.time;
  frame->rows.resize(n);
  frame->vehicles = m.vehicles;
  frame->has_marks = true;
  const FrameScale& scale = frames_->scale();
  for (std::size_t k = 0; k < n; ++k) {
    const std::uint32_t i = order_[k];
    FrameRow& row = frame->rows[k];
    scale.describe(row, {m.number[i], m.radius[i], m.preferred[i], m.kind[i], m.group.empty() ? 0 : m.group[i]});
    scale.place(row, m.x[i], m.y[i], m.z[i], m.heading_x[i], m.heading_y[i]);
    row.layer = static_cast<std::uint8_t>(std::min<std::uint16_t>(m.layer[i], 255));
    row.level = m.level.empty() ? 0 : m.level[i];
    row.model = m.model[i];
    row.goal = m.goal[i];
    row.speed = static_cast<std::uint16_t>(std::min(100 * std::sqrt(m.vx[i] * m.vx[i] + m.vy[i] * m.vy[i]) + 0.5f, 65535.0f));
  }
  return frame;
}

void Branch::add_event(BranchEvent event) {
  const std::lock_guard lock(log_mutex_);
  if (events_.size() < kMostEvents)
    events_.push_back(std::move(event));
  else
    ++events_left_out_;
}

void Branch::note_events() {
  const World& world = simulation_->world();
  for (const Event& event : world.events()) {
    if (event.kind == EventKind::kArrived || event.kind == EventKind::kLeft) continue;
    add_event({event.time, throng::name_of(event.kind), fmt::format("person {}", event.number), event.number, {}});
  }
  const std::vector<Problem>& notices = simulation_->notices();
  for (; notices_seen_ < notices.size(); ++notices_seen_)
    add_event({world.time(), "notice", to_string(notices[notices_seen_]), 0, {}});
  const auto edits = world.edits();
  for (; edits_seen_ < edits.size(); ++edits_seen_) note_edit(edits[edits_seen_]);
}

/// Obstacles are numbered as the editor does: those of the scene, then new ones and doors in the order in which they come.
void Branch::note_edit(const Edit& edit) {
  const Scene& scene = scenario().scene;
  if (edits_seen_ == 0)
    for (const Layer& layer : scene.layers) obstacles_seen_ += static_cast<std::uint32_t>(layer.obstacles.size());
  // It was done before the step that is being kept.
  const std::uint64_t steps = simulation_->world().steps();
  BranchEvent event{static_cast<double>(steps > 0 ? steps - 1 : 0) * dt(), throng::name_of(edit.kind), "", 0, {}};
  const auto add = [&](const Json& name, std::uint32_t layer, const Json& polygon) {
    event.edit = {{"name", name}, {"layer", layer}, {"polygon", polygon}};
    add_event(event);
  };
  switch (edit.kind) {
    case EditKind::kAddObstacle:
      event.words = "an obstacle comes";
      return add(obstacles_seen_++, edit.layer, polygon_json(edit.shape, scene.origin));
    case EditKind::kMoveObstacle:
      event.words = fmt::format("obstacle {} moves", edit.obstacle);
      return add(edit.obstacle, edit.layer, polygon_json(edit.shape, scene.origin));
    case EditKind::kRemoveObstacle:
      event.words = fmt::format("obstacle {} goes", edit.obstacle);
      return add(edit.obstacle, edit.layer, Json());
    case EditKind::kCloseDoor:
    case EditKind::kOpenDoor: {
      const bool closes = edit.kind == EditKind::kCloseDoor;
      event.words = fmt::format("{} {}", edit.door, closes ? "closes" : "opens");
      unsigned wing = 0;
      for (const Area& area : scene.areas) {
        if (area.name != edit.door) continue;
        if (closes && doors_seen_.insert(edit.door + "/" + std::to_string(wing)).second) ++obstacles_seen_;
        add(wing == 0 ? edit.door : fmt::format("{} ({})", edit.door, wing), area.layer,
            closes ? polygon_json(area.shape, scene.origin) : Json());
        ++wing;
      }
      return;
    }
  }
}

Result<FramePointer> Branch::frame(std::uint64_t step) {
  if (step < first_step() && parent()) return parent()->frame(step);
  return frames_->at_step(std::min(step, end_step()));
}

void Branch::visit(std::uint64_t viewer, const Visit& visit) {
  const std::lock_guard lock(visitor_mutex_);
  is_visited_ = true;
  for (Visitor& v : visitors_) {
    if (v.viewer != viewer) continue;
    v.wanted.velocity = visit.velocity;
    v.leaves = false;
    return;
  }
  visitors_.push_back({viewer, visit, {}, false});
}

void Branch::leave(std::uint64_t viewer) {
  const std::lock_guard lock(visitor_mutex_);
  for (Visitor& v : visitors_)
    if (v.viewer == viewer) v.leaves = true;
}

std::uint32_t Branch::visitor_number(std::uint64_t viewer) const {
  const std::lock_guard lock(visitor_mutex_);
  for (const Visitor& v : visitors_)
    if (v.viewer == viewer && v.agent && simulation_) return simulation_->world().number(v.agent);
  return 0;
}

void Branch::move_visitors() {
  const std::lock_guard lock(visitor_mutex_);
  World& world = simulation_->world();
  for (auto it = visitors_.begin(); it != visitors_.end();) {
    if (it->leaves || (it->agent && !world.is_alive(it->agent))) {
      if (it->agent) world.remove(it->agent);
      it = visitors_.erase(it);
      continue;
    }
    if (!it->agent) {
      AgentDef definition{.position = it->wanted.place, .layer = it->wanted.layer};
      if (const auto free =
              world.navigation().nearest_walkable(it->wanted.place, definition.person.radius + 0.01, it->wanted.layer))
        definition.position = *free;
      it->agent = simulation_->add_visitor(definition);
      if (!it->agent) {
        it = visitors_.erase(it);
        continue;
      }
    }
    Vec2 velocity = it->wanted.velocity;
    constexpr double kFastest = 3;
    if (const double speed = length(velocity); speed > kFastest) velocity = (kFastest / speed) * velocity;
    const Vec2 now = world.position(it->agent);
    const std::uint32_t layer = world.layer(it->agent);
    // World::drive keeps the middle of a body on the ground; we keep all of it. Beyond a joint is another layer: its business.
    const NavigationData& data = world.navigation().data();
    const auto go = [&](Vec2 to, Vec2 by) {
      constexpr double kRadius = 0.2;
      if (data.locator.cell_at(to, layer) != kNoCell && data.locator.clearance(to, layer, kRadius) < kRadius - 0.001)
        return false;
      return world.drive(it->agent, to, by);
    };
    const Vec2 next = now + dt() * velocity;
    // Into a wall: along it if one axis is free, or not at all.
    if (!go(next, velocity) && !go({next.x, now.y}, {velocity.x, 0}) && !go({now.x, next.y}, {0, velocity.y}))
      world.drive(it->agent, now, {0, 0});
    ++it;
  }
}

Json Branch::json() const {
  const std::uint64_t end = end_step();
  Json events = Json::array();
  {
    const std::lock_guard lock(log_mutex_);
    for (const BranchEvent& e : events_) {
      Json entry = {{"time", e.time}, {"kind", e.kind}, {"words", e.words}};
      if (e.agent != 0) entry["agent"] = e.agent;
      if (!e.edit.is_null()) entry["edit"] = e.edit;
      events.push_back(std::move(entry));
    }
  }
  const std::uint64_t from = parent() ? first_step() : 0;
  return {{"branch", number()},
          {"name", start_.name},
          {"parent", parent() ? Json(parent()->number()) : Json()},
          {"from", static_cast<double>(from) * dt()},
          {"start", parent() ? 0.0 : static_cast<double>(first_step()) * dt()},
          {"end", static_cast<double>(end) * dt()},
          {"running", is_running()},
          {"done", is_done()},
          {"visited", is_visited()},
          {"events", std::move(events)}};
}

StepLog Branch::log() const {
  const std::lock_guard lock(log_mutex_);
  return log_;
}

Branch::Cost Branch::cost() const {
  const std::lock_guard lock(log_mutex_);
  return cost_;
}

std::optional<Problem> Branch::flush() {
  if (!writer_) return std::nullopt;
  wait_for_keeper();
  const std::lock_guard lock(writer_mutex_);
  if (auto problem = writer_->flush()) return problem;
  frames_->seal();
  unsealed_frames_ = 0;
  unsealed_bytes_ = 0;
  return std::nullopt;
}

std::shared_ptr<Branch> holder_of(std::shared_ptr<Branch> branch, std::uint64_t step) {
  while (step < branch->first_step() && branch->parent()) branch = branch->parent();
  return branch;
}

std::vector<Stretch> stretches_of(Branch& branch) {
  std::vector<Stretch> list;
  std::uint64_t end = branch.end_step() + 1;
  for (Branch* b = &branch; b != nullptr; b = b->parent().get()) {
    list.insert(list.begin(), {b, end});
    end = std::min(end, b->first_step());
  }
  return list;
}

}  // namespace throng::server
