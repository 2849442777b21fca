// SPDX-License-Identifier: MIT
// One run of a document: a recording that may still grow, and the simulation that makes it grow.
//
// Rewinding is looking at earlier frames. Going on from an earlier moment with a change makes another branch, whose scenario is
// the parent's with one more event at that moment: so a branch is what a fresh run of its scenario would be, bit for bit, and
// can be saved, recomputed and branched again like any other.
#pragma once
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <throng/result.hpp>

#include "frame_store.hpp"
#include "gauges.hpp"
#include "message.hpp"
#include "scenario/simulation.hpp"
#include "world_marks.hpp"

namespace throng::server {

/// What happened in a step besides where people are: for charts.
struct StepLog {
  std::vector<std::uint32_t> present, arrived, walking;
  std::vector<float> mean_speed, step_ms;
  std::vector<std::string> phase_names;
  std::vector<std::vector<float>> phase_ms;  ///< by phase
  std::vector<double> travel_times;
  /// At goals of plans, one after the other: when, and at which area of the scenario (kNoGoal: at a point).
  struct Arrival {
    double time = 0;
    std::uint16_t goal = kNoGoal;
  };
  std::vector<Arrival> arrivals;
};

struct BranchEvent {
  double time = 0;
  std::string kind, words;
  std::uint32_t agent = 0;  ///< number; 0: nobody's
  Json edit;                ///< {"name", "layer", "polygon"} where the ground changed, null otherwise
};

struct PlaceCount;
struct Series;

class Branch {
 public:
  struct Start {
    std::uint16_t number = 0;
    std::string name;
    std::shared_ptr<Branch> parent;  ///< null: from the beginning
    std::shared_ptr<const Scenario> scenario;
    std::string file;  ///< of its recording; removed at the end if `is_temporary`
    bool is_temporary = true;
    FrameScale scale;
    std::shared_ptr<ChunkCache> cache;
    std::optional<Navigation> navigation;  ///< of a live run: what its simulation is made from, also after a rest
    unsigned threads = 0;
  };
  /// A run that goes on from the simulation as it is; its present is the first frame.
  static Result<std::shared_ptr<Branch>> live(Start start, Simulation simulation);
  /// A recording of the past: it never grows, but others can branch off it.
  static Result<std::shared_ptr<Branch>> recorded(Start start, const RecordingHeader& header);
  ~Branch();

  std::uint16_t number() const { return start_.number; }
  const std::shared_ptr<Branch>& parent() const { return start_.parent; }
  const Scenario& scenario() const { return *start_.scenario; }
  const std::shared_ptr<const Scenario>& shared_scenario() const { return start_.scenario; }
  FrameStore& frames() { return *frames_; }
  double dt() const { return frames_->step_seconds(); }
  std::uint64_t first_step() const { return frames_->first_step(); }
  /// Last step that can be shown.
  std::uint64_t end_step() const { return end_step_.load(std::memory_order_acquire); }
  /// The last step at or before a time that can be shown.
  std::uint64_t step_at(double time) const { return std::min(static_cast<std::uint64_t>(time / dt() + 1e-6), end_step()); }
  bool is_done() const { return is_done_.load(std::memory_order_acquire); }
  bool is_live() const { return is_live_; }
  /// A recording with its scenario and snapshots: what it does not hold can be found by running it again.
  bool can_recompute() const { return can_recompute_; }
  bool is_visited() const { return is_visited_.load(); }

  /// Steps are computed up to here, by whoever calls `advance`. Never backwards, but for `stop`.
  void want(std::uint64_t step);
  void stop() { want_step_.store(computed_step_.load()); }
  /// Ends a live run in mid-step: its memory ran out. What was kept before stays.
  void give_up() { is_done_ = true; }
  /// There are steps to compute.
  bool has_steps() const { return is_live_ && !is_done() && want_step_.load(std::memory_order_acquire) > computed_step_.load(); }
  /// There are, or some that are computed cannot be shown yet.
  bool has_work() const { return is_live_ && !is_done() && (has_steps() || end_step() < computed_step_.load()); }
  /// Somebody computes it: it has work, or had until a moment ago.
  bool is_running() const;
  /// One step, recorded. One thread at a time. Brings the simulation back if it was given up.
  std::optional<Problem> advance();

  /// There is a simulation in memory.
  bool is_awake() const { return is_awake_.load(std::memory_order_acquire); }
  /// Seconds of the steady clock at its last step.
  double last_advance() const { return last_advance_; }
  /// Gives the simulation up: what is needed to go on is in the recording. False where that cannot be now: there is work, or
  /// somebody walks in it.
  bool rest();

  /// The frame of a step, from this branch or from those it grew out of.
  Result<FramePointer> frame(std::uint64_t step);

  /// Somebody outside walks in the run: where it wants to be, from the next step on. Its number; nothing if there is no room.
  struct Visit {
    Vec2 place, velocity;
    std::uint32_t layer = 0;
  };
  void visit(std::uint64_t viewer, const Visit& visit);
  void leave(std::uint64_t viewer);
  std::uint32_t visitor_number(std::uint64_t viewer) const;

  Json json() const;
  StepLog log() const;
  /// What the recording of a live run holds; written out so that the file is complete.
  std::optional<Problem> flush();

  /// What series_of has counted so far (series.cpp), and look_at_place at the places it was asked about (place.cpp), the last one
  /// first. Of the query worker alone.
  std::shared_ptr<Series> series;
  std::deque<std::shared_ptr<PlaceCount>> place_counts;

  /// Seconds spent in steps and in keeping them, so far.
  struct Cost {
    double step = 0;    ///< of the simulation
    double keep = 0;    ///< between its steps
    double beside = 0;  ///< on the keeper's thread
  };
  Cost cost() const;

 private:
  explicit Branch(Start start);
  struct Moment;
  std::optional<Problem> wake();
  std::optional<Problem> hand_over();
  void log_step(std::uint32_t walking, double mean_speed);
  void keep_moments();
  void wait_for_keeper();
  std::optional<Problem> keep(const Moment& moment);
  FramePointer make_frame(const Moment& moment);
  void note_arrivals(const Moment& moment);
  void note_events();
  void note_edit(const Edit& edit);
  void add_event(BranchEvent event);
  void move_visitors();

  struct Visitor {
    std::uint64_t viewer = 0;
    Visit wanted;
    AgentId agent;
    bool leaves = false;
  };

  Start start_;
  bool is_live_ = false, can_recompute_ = false;
  std::unique_ptr<FrameStore> frames_;
  std::atomic<std::uint64_t> end_step_{0}, want_step_{0}, computed_step_{0};
  std::atomic<bool> is_done_{false}, is_visited_{false}, is_awake_{false};
  std::atomic<double> last_advance_{-1e9};  ///< s of the steady clock

  std::mutex simulation_mutex_;
  std::optional<Simulation> simulation_;
  std::optional<GoalTable> goals_;
  std::optional<GoalPlaces> goal_places_;
  std::size_t notices_seen_ = 0, edits_seen_ = 0;
  std::uint32_t obstacles_seen_ = 0;
  std::set<std::string> doors_seen_;
  std::vector<double> phases_before_;

  // Steps on their way into the recording: a thread of its own writes it, a few steps behind at most.
  static constexpr std::size_t kMostWaiting = 4;
  std::thread keeper_;
  std::mutex keeper_mutex_;
  std::condition_variable keeper_changed_;
  std::deque<std::unique_ptr<Moment>> waiting_;
  std::vector<std::unique_ptr<Moment>> spare_;
  std::optional<Problem> keeper_problem_;
  bool keeper_ends_ = false;
  std::mutex writer_mutex_;  ///< of what follows
  std::optional<RecordingWriter> writer_;
  std::vector<std::uint32_t> order_, ordered_numbers_;
  std::uint32_t unsealed_frames_ = 0;
  std::size_t unsealed_bytes_ = 0;
  FramePointer last_frame_;

  mutable std::mutex log_mutex_;
  StepLog log_;
  std::vector<BranchEvent> events_;
  std::size_t events_left_out_ = 0;
  Cost cost_;

  mutable std::mutex visitor_mutex_;
  std::vector<Visitor> visitors_;
};

/// The branch whose recording holds a step: this one, or one of those it grew out of.
std::shared_ptr<Branch> holder_of(std::shared_ptr<Branch> branch, std::uint64_t step);

/// A branch and those it grew out of, the oldest first, each with the step at which the next one left it.
struct Stretch {
  Branch* branch;
  std::uint64_t end;  ///< of steps that are taken from it
};
std::vector<Stretch> stretches_of(Branch& branch);

}  // namespace throng::server
