// SPDX-License-Identifier: MIT
#include "studio.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace throng::server {
namespace {

using Seconds = std::chrono::duration<double>;

/// So much is computed ahead of who watches: a step that takes long is not seen.
constexpr double kAhead = 0.6;
/// At most so many frames a second to a viewer.
constexpr double kMostFrames = 30;
/// Steps of one branch before another gets its turn, the rest of the queue of a viewer that does not read.
constexpr std::size_t kMostWaiting = std::size_t{64} << 20;
constexpr std::size_t kMostJobs = 64;
/// Somebody who has looked at a moment for so long stays there.
constexpr std::chrono::milliseconds kRest{300};

}  // namespace

Studio::Worker::Worker() {
  thread_ = std::thread([this] {
    for (;;) {
      std::function<void()> job;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return ends_ || !jobs_.empty(); });
        if (ends_) return;
        job = std::move(jobs_.front());
        jobs_.pop_front();
      }
      try {
        job();
      } catch (const std::exception&) {  // memory, where even the answer found none
      }
    }
  });
}
Studio::Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}
bool Studio::Worker::add(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    if (jobs_.size() >= kMostJobs) return false;
    jobs_.push_back(std::move(job));
  }
  changed_.notify_one();
  return true;
}

Result<std::unique_ptr<Studio>> Studio::create(const StudioSettings& settings) {
  auto folder = Folder::open(settings.folder);
  if (!folder) return folder.problems();
  auto workshop = Workshop::open();
  if (!workshop) return workshop.problems();
  std::unique_ptr<Studio> studio(new Studio(settings, std::move(*folder), std::move(*workshop)));
  studio->start();
  return studio;
}

Studio::Studio(StudioSettings settings, Folder folder, std::shared_ptr<Workshop> workshop)
    : settings_(std::move(settings)),
      folder_(std::move(folder)),
      workshop_(std::move(workshop)),
      cache_(std::make_shared<ChunkCache>(settings_.cache_bytes)) {}

void Studio::start() {
  simulation_thread_ = std::thread([this] { simulate(); });
  show_thread_ = std::thread([this] { show(); });
  slow_ = std::make_unique<Worker>();
  quick_ = std::make_unique<Worker>();
  pictures_ = std::make_unique<Worker>();
  marks_ = std::make_unique<Worker>();
  files_ = std::make_unique<Worker>();
}

Studio::~Studio() {
  ++cancels_;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  slow_.reset();
  quick_.reset();
  pictures_.reset();
  files_.reset();
  shown_changed_.notify_all();
  work_changed_.notify_all();
  marks_changed_.notify_all();
  if (simulation_thread_.joinable()) simulation_thread_.join();
  if (show_thread_.joinable()) show_thread_.join();
  marks_.reset();  // the show thread asks it
}

std::shared_ptr<Document> Studio::document() const {
  const std::lock_guard lock(mutex_);
  return document_;
}

std::size_t Studio::viewer_count() const {
  const std::lock_guard lock(mutex_);
  return viewers_.size();
}

std::optional<std::uint64_t> Studio::add_viewer(std::shared_ptr<ViewerLink> link) {
  const std::lock_guard lock(mutex_);
  if (viewers_.size() >= settings_.most_viewers || ends_) return std::nullopt;
  auto viewer = std::make_shared<Viewer>();
  viewer->number = next_viewer_++;
  viewer->link = std::move(link);
  viewer->allowance = settings_.message_burst;
  viewer->last_message = viewer->moved = Clock::now();
  viewers_.push_back(viewer);
  return viewer->number;
}

void Studio::remove_viewer(std::uint64_t number) {
  std::shared_ptr<Document> document;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(viewers_, [&](const ViewerPointer& v) { return v->number == number; });
    document = document_;
  }
  if (document)
    for (const auto& branch : document->branches()) branch->leave(number);
}

void Studio::receive(std::uint64_t number, std::string text) {
  ViewerPointer viewer;
  bool is_too_much = false;
  {
    const std::lock_guard lock(mutex_);
    for (const ViewerPointer& v : viewers_)
      if (v->number == number) viewer = v;
    if (!viewer || viewer->is_closing) return;
    const auto now = Clock::now();
    viewer->allowance = std::min(settings_.message_burst,
                                 viewer->allowance + settings_.messages_per_second * Seconds(now - viewer->last_message).count());
    viewer->last_message = now;
    viewer->allowance -= 1;
    is_too_much = viewer->allowance < 0 || viewer->link->waiting() > kMostWaiting;
    viewer->is_closing = is_too_much;
  }
  const auto answer = [&](std::string words) { viewer->link->send_text(std::make_shared<const std::string>(std::move(words))); };
  if (is_too_much) {
    const Problem problem{
        "viewer",
        fmt::format("too many messages; {:g} a second are allowed, and answers must be read", settings_.messages_per_second),
        "connect again and ask less"};
    answer(failure(0, {&problem, 1}));
    viewer->link->close(1008, "too many messages");
    return;
  }
  auto request = read_message(text);
  if (!request) return answer(failure(id_of(text), request.problems()));
  handle(viewer, std::move(*request));
}

void Studio::push(const Json& message, std::uint64_t but) {
  const auto text = std::make_shared<const std::string>(dump(message));
  const std::lock_guard lock(mutex_);
  for (const ViewerPointer& viewer : viewers_) {
    // News that a viewer does not read are no news: it gets the next ones.
    if (viewer->number == but || viewer->link->waiting() > kMostWaiting / 16) continue;
    viewer->link->send_text(text);
  }
}

/// Tells viewers that memory has run out and what becomes of that. Once a second at most; not at all where there is not even
/// memory for that.
void Studio::say_no_memory(const std::string& consequence) {
  try {
    const auto now = Clock::now().time_since_epoch().count();
    const auto second = Clock::duration(std::chrono::seconds(1)).count();
    auto last = memory_told_.load();
    if (now - last < second || !memory_told_.compare_exchange_strong(last, now)) return;
    const Problem problem{"memory", "there is not enough of it; " + consequence,
                          "save what matters, close other programs or open something smaller"};
    push({{"push", "problem"}, {"problems", json_of({&problem, 1})}});
  } catch (const std::exception&) {
  }
}

void Studio::simulate() {
  for (;;) {
    std::shared_ptr<Document> document;
    {
      std::unique_lock lock(mutex_);
      if (ends_) return;
      document = document_;
    }
    bool has_worked = false;
    if (document) {
      const bool is_full = is_disk_full();
      for (const auto& branch : document->branches()) {
        if (!branch->has_steps()) continue;
        if (is_full) {
          branch->stop();
          continue;
        }
        has_worked = true;
        try {
          if (const auto problem = branch->advance())
            push({{"push", "problem"}, {"branch", branch->number()}, {"problems", json_of({&*problem, 1})}});
        } catch (const std::exception&) {
          branch->give_up();
          say_no_memory(fmt::format("run {} ends here", branch->number()));
        }
      }
    }
    if (document) {
      try {
        rest_branches(*document);
      } catch (const std::exception&) {  // memory: they stay awake
        say_no_memory("runs that rest stay in memory");
      }
    }
    if (has_worked) continue;
    document.reset();  // a document that is closed goes now, not when the next one has work
    std::unique_lock lock(mutex_);
    if (ends_) return;
    work_changed_.wait_for(lock, std::chrono::milliseconds(10));
  }
}

void Studio::rest_branches(const Document& document) {
  auto branches = document.branches();
  std::erase_if(branches, [](const auto& branch) { return !branch->is_awake(); });
  // Those that have ended need no simulation any more.
  std::erase_if(branches, [](const auto& branch) { return branch->is_done() && branch->rest(); });
  if (branches.size() <= settings_.most_simulations) return;
  std::sort(branches.begin(), branches.end(), [](const auto& a, const auto& b) { return a->last_advance() < b->last_advance(); });
  std::size_t awake = branches.size();
  for (const auto& branch : branches) {
    if (awake <= settings_.most_simulations) return;
    if (!branch->is_running() && branch->rest()) --awake;
  }
}

bool Studio::is_disk_full() {
  const auto now = Clock::now();
  if (Seconds(now - disk_checked_).count() < 0.1) return disk_full_;
  disk_checked_ = now;
  const std::uint64_t bytes = workshop_->bytes();
  const bool was_full = disk_full_.exchange(bytes > settings_.most_disk_bytes);
  if (disk_full_ && !was_full) {
    const Problem problem{"temporary recordings",
                          fmt::format("they take {:.0f} MB, and {:.0f} MB are allowed: nothing more is computed",
                                      1e-6 * static_cast<double>(bytes), 1e-6 * static_cast<double>(settings_.most_disk_bytes)),
                          "open or run something else, which forgets them, or start the studio with a larger --disk"};
    push({{"push", "problem"}, {"problems", json_of({&problem, 1})}});
  }
  return disk_full_;
}

void Studio::show() {
  for (;;) {
    std::shared_ptr<Document> document;
    std::vector<ViewerPointer> viewers;
    {
      std::unique_lock lock(mutex_);
      if (ends_) return;
      document = document_;
      viewers = viewers_;
      is_asked_to_show_ = false;
    }
    bool has_more_soon = false;
    if (document) {
      try {
        for (const ViewerPointer& viewer : viewers) has_more_soon = show_to(*viewer, document, Clock::now()) || has_more_soon;
        push_branches(*document);
      } catch (const std::exception&) {
        say_no_memory("what is seen may be old");
      }
    }
    document.reset();
    std::unique_lock lock(mutex_);
    if (ends_) return;
    shown_changed_.wait_for(lock, std::chrono::milliseconds(has_more_soon ? 8 : 60), [&] { return is_asked_to_show_ || ends_; });
  }
}

/// Moves a cursor on and sends what it points at, unless the viewer still reads something else. Whether there will soon be more
/// to send: it plays, or waits.
bool Studio::show_to(Viewer& viewer, const std::shared_ptr<Document>& document, Clock::time_point now) {
  std::shared_ptr<Branch> branch;
  std::uint64_t step = 0;
  bool is_key = false, is_playing = false;
  std::uint32_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    if (document_ != document) return false;
    branch = document->branch(viewer.branch);
    if (!branch) return false;
    is_playing = viewer.is_playing;
    number = viewer.branch;
    const double dt = branch->dt();
    const double end = static_cast<double>(branch->end_step()) * dt;
    if (viewer.is_playing) {
      viewer.time += viewer.speed * Seconds(now - viewer.moved).count();
      const double ahead = branch->is_visited() ? dt : std::max(kAhead * viewer.speed, 2 * dt);
      branch->want(static_cast<std::uint64_t>(std::max(0.0, (viewer.time + ahead) / dt)));
      if (branch->has_steps()) work_changed_.notify_one();
    }
    viewer.moved = now;
    viewer.time = std::clamp(viewer.time, 0.0, end);
    step = static_cast<std::uint64_t>(viewer.time / dt + 1e-6);
    if (!viewer.wants_frame) {
      if (!viewer.is_playing || step == viewer.sent_step) return is_playing;
      if (Seconds(now - viewer.sent).count() < 1 / kMostFrames - 0.002) return is_playing;
    }
    if (viewer.link->is_busy()) return true;  // most often an answer that is on its way: soon again
    is_key = viewer.wants_key;
    viewer.wants_frame = viewer.wants_key = false;
    viewer.sent = now;
    viewer.sent_step = step;
  }
  const auto frame = branch->frame(step);
  if (!frame) {
    const auto text = dump({{"push", "problem"}, {"branch", number}, {"problems", json_of(frame.problems())}});
    viewer.link->send_text(std::make_shared<const std::string>(text));
    return is_playing;
  }
  if (is_key) viewer.coder->restart();
  viewer.link->send_frame(viewer.coder->encode(**frame, static_cast<std::uint16_t>(number)));
  // A second ahead of who plays, once the present is done.
  const auto ahead = static_cast<std::uint64_t>(1.5 / branch->dt());
  if (!(*frame)->has_marks)
    want_marks(document, branch, step, is_playing);
  else if (is_playing)
    want_marks(document, branch, step + ahead, true);
  return is_playing;
}

void Studio::want_marks(const std::shared_ptr<Document>& document, const std::shared_ptr<Branch>& branch, std::uint64_t step,
                        bool is_playing) {
  const std::shared_ptr<Branch> owner = holder_of(branch, step);
  if (!owner->can_recompute() || step > owner->end_step()) return;
  const std::lock_guard lock(mutex_);
  if (ends_) return;
  wanted_marks_ = WantedMarks{document, owner, step, is_playing, Clock::now()};
  if (!makes_marks_) makes_marks_ = marks_->add([this] { make_marks(); });
  marks_changed_.notify_one();
}

void Studio::make_marks() {
  // What is shown comes first: of this thread alone, where the system knows priorities of threads.
  constexpr int kLow = 15;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kLow);
  MarkMaker maker;
  // Also where memory runs out: the next frame without marks starts this again.
  struct Ending {
    Studio& studio;
    ~Ending() {
      const std::lock_guard lock(studio.mutex_);
      studio.makes_marks_ = false;
    }
  } ending{*this};
  for (;;) {
    WantedMarks wanted;
    {
      // The next chunk is wanted soon, and the simulation is where it begins.
      std::unique_lock lock(mutex_);
      marks_changed_.wait_for(lock, std::chrono::seconds(3), [&] { return wanted_marks_ || ends_; });
      // Who drags the time bar looks elsewhere at once: running all those chunks again would take the processor from showing
      // them.
      while (wanted_marks_ && !wanted_marks_->is_playing && !ends_ && Clock::now() < wanted_marks_->when + kRest)
        marks_changed_.wait_until(lock, wanted_marks_->when + kRest);
      if (!wanted_marks_ || ends_) return;
      wanted = std::move(*wanted_marks_);
      wanted_marks_.reset();
    }
    const std::shared_ptr<Branch>& of = wanted.branch;
    const auto piece = of->frames().piece_at_step(wanted.step);
    if (!piece || piece->frames->front()->has_marks) continue;
    auto made = std::make_shared<std::vector<FramePointer>>();
    for (const FramePointer& old : *piece->frames) {
      const auto is_wanted = [&] {
        const std::lock_guard lock(mutex_);
        if (ends_ || document_ != wanted.document) return false;
        // Or who looked here looks elsewhere by now.
        return !wanted_marks_ || wanted_marks_->is_playing || wanted_marks_->branch != of ||
               (wanted_marks_->step >= piece->frames->front()->step && wanted_marks_->step <= piece->frames->back()->step);
      };
      if (!is_wanted()) break;
      FramePointer frame = maker.marked(*wanted.document, of, old);
      if (!frame) break;
      made->push_back(std::move(frame));
    }
    if (made->size() != piece->frames->size()) continue;
    of->frames().show_instead(piece->first, std::move(made));
    const std::lock_guard lock(mutex_);
    for (const ViewerPointer& viewer : viewers_)
      if (!viewer->is_playing) viewer->wants_frame = true;
    is_asked_to_show_ = true;
    shown_changed_.notify_all();
  }
}

void Studio::push_branches(Document& document) {
  if (pushed_document_ != &document) pushed_.clear();
  pushed_document_ = &document;
  const auto now = Clock::now();
  for (const auto& branch : document.branches()) {
    auto& [last, when] = pushed_[branch->number()];
    const std::string state = fmt::format("{} {} {}", branch->end_step(), branch->is_running(), branch->is_done());
    if (last == state) continue;
    // The last news of a branch must not wait.
    if (Seconds(now - when).count() < 0.25 && !branch->is_done()) continue;
    const bool is_first = last.empty();
    last = state;
    when = now;
    if (!is_first) push({{"push", "branch"}, {"branch", branch->json()}});
  }
}

}  // namespace throng::server
