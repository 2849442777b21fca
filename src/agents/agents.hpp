// SPDX-License-Identifier: MIT
// Everybody as columns: one array a property, one row an agent, hot and cold apart.
//
// What others read during a step (Motion) exists twice: a step reads `now`, writes `next`, and swaps, so no agent sees half a
// step of another, whatever the order or the number of threads. The rest is read and written by its own agent only, or between
// steps. Rows move: the world sorts them along a Hilbert curve from time to time so that neighbours in space are neighbours in
// memory. An AgentId (slot and generation) survives that, and tells a dead agent from its successor in the same slot.
//
// In a periodic world the rows behind `count` are images: copies of agents near one border, shifted behind the opposite one.
// They are seen like anybody and never moved themselves (world/periodic.cpp).
//
// With levels of simulation the agents whom a step looks at one by one come first, rows [0, active_count()); those behind them
// coast: they keep their velocity until `due` (world/levels.cpp). Without levels all are active and the columns of legs are
// empty.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <throng/world.hpp>

#include "cells/cells.hpp"

namespace throng {

inline constexpr std::uint32_t kNoRow = 0xffffffffu;

struct Agents {
  /// Read by neighbours during a step: two generations.
  struct Motion {
    std::vector<float> x, y, vx, vy;
    std::vector<float> intent_x, intent_y;  ///< the velocity wanted before limits of acceleration and safety
    std::vector<std::uint32_t> urge;        ///< who goes first in a jam: its own number's draw, or that of whom it makes way for
    std::vector<float> body;                ///< radius for meeting people: shoulders turn in a squeeze; at walls `radius` counts
  };
  Motion now, next;

  // Body and manners.
  std::vector<float> radius, preferred_speed, max_speed;
  std::vector<float> cone_tangent;  ///< of the cone angle of the corridor guidance
  std::vector<float> side;          ///< where in the cone it aims, 0 right to 1 left
  std::vector<float> personal_distance, wall_distance, reaction_time;
  std::vector<std::uint16_t> kind;
  std::vector<std::uint8_t> model;
  std::vector<std::uint8_t> profile;

  // Where, and who.
  std::vector<CellIndex> cell;
  std::vector<std::uint32_t> number;  ///< counts up over the whole run, never reused: keys random draws and recordings
  std::vector<std::uint32_t> slot;    ///< of its AgentId

  // What it wants.
  std::vector<Activity> activity;
  std::vector<float> desired_x, desired_y;  ///< velocity that guidance asks for, this step
  std::vector<float> goal_x, goal_y;        ///< a place; a unit heading where `has_heading`
  std::vector<std::uint8_t> has_heading;
  std::vector<std::uint8_t> stops_at_goal;  ///< slows down in front of it
  std::vector<std::uint8_t> needs_route;    ///< before the next step
  std::vector<std::uint32_t> goal_layer;
  std::vector<std::uint32_t> plan;  ///< index into the world's plans, or kNoRow
  std::vector<std::uint32_t> plan_entry;
  std::vector<std::uint32_t> draws;  ///< how many random numbers its plan has used
  std::vector<double> until;         ///< end of a waiting time, world time
  std::vector<double> born;

  // Flows: empty columns where the world has no graph.
  std::vector<std::uint32_t> path;    ///< of the flow it takes, or took last
  std::vector<std::uint8_t> on_flow;  ///< 0: no, or not yet; 1: yes; 2: sets out in this step
  bool has_graph = false;             ///< fixed before the first row

  // Links: empty columns where the scene has none. On the way to one, `goal` is a place to board at, and the goal behind it is
  // kept.
  std::vector<std::uint32_t> link;         ///< it goes to or rides, or kNoRow
  std::vector<std::uint32_t> queued_at;    ///< step in which it came to the link, kNoRow before
  std::vector<float> final_x, final_y;     ///< the goal
  std::vector<std::uint32_t> final_layer;  ///< of it
  std::vector<std::uint8_t> final_stops;   ///< `stops_at_goal` there
  bool has_links = false;                  ///< fixed before the first row

  // Progress towards the goal, for reports of those who are stuck.
  std::vector<float> rest;            ///< distance to the next portal's middle, or to the goal behind the last
  std::vector<std::uint32_t> left;    ///< portals still to cross
  std::vector<CellIndex> route_cell;  ///< where the route has it
  std::vector<float> best_rest;       ///< smallest `rest` since `best_left` changed
  std::vector<std::uint32_t> best_left;
  std::vector<double> best_time;
  std::vector<std::uint8_t> is_stuck;

  // Reactive navigation's memory.
  std::vector<float> wait;        ///< seconds of standing in a jam
  std::vector<std::int8_t> turn;  ///< the look-ahead's last choice, times 20 degrees: -3 … 3

  // Short-term avoidance's memory: empty columns where no model of the world is one.
  std::vector<float> aside_x, aside_y;     ///< the place beside its way that it walks to
  std::vector<std::uint32_t> aside_until;  ///< step at which it is given up; 0: there is none
  bool has_short_term = false;             ///< fixed before the first row

  // Priority rules: empty columns where no model of the world is one.
  std::vector<std::int32_t> priority;               ///< social: who has more goes first
  std::vector<std::uint32_t> rules_tile;            ///< it holds; none: it walks freely until it finds one
  std::vector<std::uint32_t> rules_from;            ///< tile it is on the way from; none: it stands
  std::vector<float> rules_start_x, rules_start_y;  ///< where its step began
  std::vector<float> rules_phase;                   ///< share of the step that is done
  std::vector<float> rules_pace;                    ///< factor on its speed for the step
  std::vector<std::uint32_t> rules_at;              ///< place in its itinerary
  std::vector<std::uint32_t> rules_goal;            ///< tile that its itinerary leads to in the end
  std::vector<std::uint32_t> rules_doorway;         ///< that its itinerary ends in; none: in the goal
  std::vector<std::uint16_t> rules_blocked;         ///< steps of unwanted waiting
  std::vector<std::uint8_t> rules_heading;          ///< eighths of a turn from east
  std::vector<std::uint8_t> rules_along;            ///< tiles to go straight on before it returns to its itinerary
  std::vector<std::uint8_t> rules_replan;           ///< a way round others is to be looked for
  bool has_rules = false;                           ///< fixed before the first row

  // Groups: empty columns where there never was one.
  std::vector<std::uint32_t> group;  ///< its number, counting up over the run; 0: none
  std::vector<std::uint32_t> band;   ///< index into the world's groups
  std::vector<std::uint8_t> member;  ///< index into the members of that
  bool has_groups = false;
  /// From now on there are groups.
  void begin_groups() {
    has_groups = true;
    group.resize(count), band.resize(count), member.resize(count);
  }
  bool is_in_group(std::size_t row) const { return has_groups && group[row] != 0; }
  /// Whether two walk together.
  bool are_mates(std::size_t a, std::size_t b) const { return has_groups && group[a] != 0 && group[a] == group[b]; }

  // Levels of simulation: empty columns where there are none.
  std::vector<std::uint8_t> level;  ///< 0: walks by its own model; 1: straight
  std::vector<std::uint32_t> due;   ///< step at which a coasting agent is looked at again
  std::vector<float> leg_x, leg_y;  ///< where it was last looked at, in `cell`
  std::vector<std::uint32_t> disc;  ///< where it was last looked at; used if levels go by discs
  bool has_levels = false;          ///< fixed before the first row
  std::uint32_t active = 0;         ///< rows before the coasting ones

  // For display only: filtered place and heading.
  std::vector<float> shown_x, shown_y, heading_x, heading_y;

  std::uint32_t count = 0;  ///< rows of agents
  std::uint32_t active_count() const { return has_levels ? active : count; }
  std::uint32_t images = 0;  ///< rows behind them
  struct Image {
    std::uint32_t of;  ///< row it is an image of
    float shift_x, shift_y;
  };
  std::vector<Image> image;  ///< for each row behind `count`

  /// Calls f(column) for every column, in a fixed order: one place that knows them all.
  template <class F>
  void for_each_column(F&& f) {
    visit_columns(*this, f);
  }
  template <class F>
  void for_each_column(F&& f) const {
    visit_columns(*this, f);
  }

  /// Has the optional columns that another store has. Before the first row.
  void take_columns_of(const Agents& other) {
    has_graph = other.has_graph, has_links = other.has_links, has_levels = other.has_levels;
    has_short_term = other.has_short_term, has_groups = other.has_groups, has_rules = other.has_rules;
  }

  /// Appends a zeroed row (images must be gone) and returns it.
  std::uint32_t add_row();
  /// The last row takes the place of this one.
  void remove_row(std::uint32_t row);
  /// Appends a row of another store with the same columns, without its images. It stays there too.
  void copy_row(const Agents& from, std::uint32_t row);
  void swap_rows(std::uint32_t a, std::uint32_t b);
  /// Row i of the new order is row order[i] of the old one.
  void reorder(std::span<const std::uint32_t> order);
  /// Rows behind the agents that copy others, shifted; replaces those there were.
  void set_images(std::span<const Image> list);

 private:
  template <class Self, class F>
  static void visit_columns(Self& self, F& f) {
    for (auto* m : {&self.now, &self.next})
      f(m->x), f(m->y), f(m->vx), f(m->vy), f(m->intent_x), f(m->intent_y), f(m->urge), f(m->body);
    f(self.radius), f(self.preferred_speed), f(self.max_speed), f(self.cone_tangent), f(self.side), f(self.personal_distance),
        f(self.wall_distance), f(self.reaction_time);
    f(self.kind), f(self.model), f(self.profile), f(self.cell), f(self.number), f(self.slot), f(self.activity), f(self.desired_x),
        f(self.desired_y), f(self.goal_x), f(self.goal_y);
    f(self.has_heading), f(self.stops_at_goal), f(self.needs_route), f(self.goal_layer), f(self.plan), f(self.plan_entry),
        f(self.draws), f(self.until), f(self.born);
    f(self.rest), f(self.left), f(self.route_cell), f(self.best_rest), f(self.best_left), f(self.best_time), f(self.is_stuck),
        f(self.wait), f(self.turn), f(self.shown_x), f(self.shown_y), f(self.heading_x), f(self.heading_y);
    if (self.has_graph) f(self.path), f(self.on_flow);
    if (self.has_links)
      f(self.link), f(self.queued_at), f(self.final_x), f(self.final_y), f(self.final_layer), f(self.final_stops);
    if (self.has_short_term) f(self.aside_x), f(self.aside_y), f(self.aside_until);
    if (self.has_rules)
      f(self.priority), f(self.rules_tile), f(self.rules_from), f(self.rules_start_x), f(self.rules_start_y), f(self.rules_phase),
          f(self.rules_pace), f(self.rules_at), f(self.rules_goal), f(self.rules_doorway), f(self.rules_blocked),
          f(self.rules_heading), f(self.rules_along), f(self.rules_replan);
    if (self.has_groups) f(self.group), f(self.band), f(self.member);
    if (self.has_levels) f(self.level), f(self.due), f(self.leg_x), f(self.leg_y);
    if (self.has_levels && self.has_graph) f(self.disc);
  }

  std::vector<std::byte> scratch_;
};

/// From ids to rows.
class Slots {
 public:
  AgentId add(std::uint32_t row);
  void remove(AgentId id);
  void move(std::uint32_t slot, std::uint32_t row) { entries_[slot].row = row; }
  /// kNoRow for an id that is null, dead or never was, and for somebody aboard a link.
  std::uint32_t row_of(AgentId id) const;
  bool is_alive(AgentId id) const {
    return id.generation != 0 && id.slot < entries_.size() && entries_[id.slot].generation == id.generation;
  }
  AgentId id_of(std::uint32_t slot) const { return {slot, entries_[slot].generation}; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }

  struct Entry {
    std::uint32_t row = kNoRow;
    std::uint32_t generation = 0;
  };
  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<std::uint32_t>& free() const { return free_; }
  void assign(std::vector<Entry> entries, std::vector<std::uint32_t> free) {
    entries_ = std::move(entries);
    free_ = std::move(free);
  }

 private:
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_;
};

}  // namespace throng
