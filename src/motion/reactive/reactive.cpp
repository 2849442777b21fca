// SPDX-License-Identifier: MIT
#include "motion/reactive/reactive.hpp"

#include <algorithm>
#include <cmath>

#include "motion/group_manners.hpp"
#include "motion/reactive/collision.hpp"
#include "motion/reactive/dense.hpp"
#include "motion/reactive/optimise.hpp"
#include "motion/reactive/personal_space.hpp"

namespace throng {
namespace {

using namespace reactive_rules;

constexpr std::uint64_t kLookEvery = 4;         // steps, staggered by agent
constexpr float kWallSlideTime = 0.3f;          // s
constexpr float kCrowdedDensity = 3;            // per m²: nobody has personal space
constexpr float kYieldGap = 0.2f;               // m
constexpr std::uint64_t kYieldEpochSteps = 50;  // five seconds at dt 0.1
constexpr double kPatience = 40;                // s without progress after which one goes first and slips in from the side

/// The nearest of a long list, in its order.
std::span<const std::uint32_t> take_nearest(const Agents::Motion& now, std::uint32_t me, std::span<const std::uint32_t> list,
                                            std::uint32_t* taken) {
  std::vector<std::pair<float, std::uint32_t>> by_distance;
  for (const std::uint32_t other : list) {
    const float dx = now.x[other] - now.x[me], dy = now.y[other] - now.y[me];
    by_distance.push_back({dx * dx + dy * dy, other});
  }
  std::sort(by_distance.begin(), by_distance.end());
  for (int i = 0; i < Surroundings::kMaxPeople; ++i) taken[i] = by_distance[static_cast<std::size_t>(i)].second;
  std::sort(taken, taken + Surroundings::kMaxPeople);
  return {taken, Surroundings::kMaxPeople};
}

THRONG_INLINE void gather_people(const Frozen& world, std::uint32_t me, Surroundings& around) {
  const auto& now = world.agents.now;
  std::span<const std::uint32_t> list = world.neighbours.of(me);
  const float x = now.x[me], y = now.y[me], body = now.body[me];
  std::uint32_t nearest[Surroundings::kMaxPeople];
  if (list.size() > Surroundings::kMaxPeople) list = take_nearest(now, me, list, nearest);
  around.people = static_cast<int>(list.size());
  around.padded = (around.people + kLanes - 1) / kLanes * kLanes;
  if (around.padded > 0) {
    // The last vector is made of pads, which people then replace: how many are left would be a guess.
    const int last = around.padded - kLanes;
    store(lanes(1e6f), around.dx + last), store(lanes(1e6f), around.dy + last);
    store(lanes(0), around.vx + last), store(lanes(0), around.vy + last), store(lanes(0), around.contact + last);
  }
  int count = 0;
  for (const std::uint32_t other : list) {
    around.dx[count] = now.x[other] - x;
    around.dy[count] = now.y[other] - y;
    around.vx[count] = now.vx[other];
    around.vy[count] = now.vy[other];
    around.contact[count] = body + now.body[other];
    around.row[count++] = other;
  }
  for (int at = 0; at < around.padded; at += kLanes) {
    const Lanes dx = load(around.dx + at), dy = load(around.dy + at);
    store(root(dx * dx + dy * dy), around.distance + at);
  }
}

THRONG_INLINE void gather_walls(const Frozen& world, std::uint32_t me, float reach, Surroundings& around) {
  around.walls = 0;
  const float x = world.agents.now.x[me], y = world.agents.now.y[me], radius = world.agents.radius[me];
  for (const Ground::Wall& wall : world.ground.walls_near(world.agents.cell[me])) {
    const WallFoot foot = foot_on(wall, x, y);
    if (foot.distance_squared >= reach * reach || foot.distance_squared <= 0) continue;
    if (around.walls == Surroundings::kMaxWalls) break;
    const float d = std::sqrt(foot.distance_squared);
    const Vec2f normal = {foot.dx / d, foot.dy / d};
    // Two walls that share the nearest corner are felt once.
    bool known = false;
    for (int k = 0; k < around.walls; ++k)
      known |= dot(around.wall[k].normal, normal) > 0.9999f && std::abs(around.wall[k].gap - (d - radius)) < 0.001f;
    if (!known) around.wall[around.walls++] = {normal, d - radius};
  }
}

/// Those who walk with me are far away, for what one does about strangers; gives back where they really are.
struct MatesAside {
  MatesAside(const Agents& agents, std::uint32_t me, Surroundings& seen) : around(seen) {
    if (!agents.is_in_group(me)) return;
    for (int j = 0; j < around.people; ++j)
      if (agents.are_mates(me, around.row[j])) mates |= 1u << j, distance[j] = around.distance[j], around.distance[j] = kFar;
  }
  ~MatesAside() {
    for (std::uint32_t left = mates; left != 0; left &= left - 1) {
      const int j = std::countr_zero(left);
      around.distance[j] = distance[j];
    }
  }
  MatesAside(const MatesAside&) = delete;
  MatesAside& operator=(const MatesAside&) = delete;

  static constexpr float kFar = 1e6f;
  Surroundings& around;
  std::uint32_t mates = 0;
  float distance[Surroundings::kMaxPeople];
};
static_assert(Surroundings::kMaxPeople <= 32);

/// For predictions, the middle between two of a group is somebody as well. Takes them away again.
struct MiddlesOfGroups {
  MiddlesOfGroups(const Frozen& world, std::uint32_t me, float margin, Surroundings& seen)
      : around(seen), people(seen.people), padded(seen.padded) {
    const auto& now = world.agents.now;
    const Vec2f place = {now.x[me], now.y[me]};
    const float body = now.body[me];
    visit_middles(world.agents, me, {around.row, static_cast<std::size_t>(people)}, [&](const Middle& middle) {
      const Vec2f to = middle.place - place;
      const float reach = body + middle.body + margin;
      // Who is between them already walks on.
      if (around.people == Surroundings::kMaxPeople || dot(to, to) < reach * reach) return;
      const int j = around.people++;
      if (j == around.padded) put_pads(j);
      around.dx[j] = to.x, around.dy[j] = to.y, around.vx[j] = middle.velocity.x, around.vy[j] = middle.velocity.y;
      around.contact[j] = body + middle.body;
    });
  }
  ~MiddlesOfGroups() {
    if (around.people == people) return;
    around.people = people, around.padded = padded;
    for (int j = people; j < padded; ++j) put_pad(j);
  }
  MiddlesOfGroups(const MiddlesOfGroups&) = delete;
  MiddlesOfGroups& operator=(const MiddlesOfGroups&) = delete;

  void put_pad(int j) {
    around.dx[j] = around.dy[j] = 1e6f;
    around.vx[j] = around.vy[j] = around.contact[j] = 0;
  }
  void put_pads(int from) {
    around.padded += kLanes;
    for (int j = from; j < around.padded; ++j) put_pad(j);
  }
  Surroundings& around;
  int people, padded;
};

/// Aside and back from whoever wants to come through here, away from the line it walks on.
THRONG_INLINE Vec2f make_way(const Agents::Motion& now, const Surroundings& around) {
  Vec2f way{};
  for (int j = 0; j < around.people; ++j) {
    const float gap = around.gap(j);
    if (gap >= kYieldGap) continue;
    const std::uint32_t other = around.row[j];
    const Vec2f n = around.normal(j), intent = {now.intent_x[other], now.intent_y[other]};
    const float push = -dot(intent, n);
    if (push <= 0.05f) continue;
    // Left of the walker's line I go left, right of it right; n points to the walker.
    const float side = cross(intent, n) < 0 ? 1.0f : -1.0f;
    const Vec2f aside = unit(Vec2f{-side * intent.y, side * intent.x});
    way = way + yield_speed(push, gap) * unit(aside - n);
  }
  return way;
}

/// As printed: the present velocity's time to collision with people and walls scales the wanted one (§1.14).
THRONG_INLINE Vec2f brake(const Surroundings& around, Vec2f wanted, Vec2f present, float reaction_time) {
  if (present == Vec2f{}) return wanted;
  float time = first_collision(around, present, 0, reaction_time).time;
  for (int k = 0; k < around.walls; ++k) {
    const float into = dot(present, around.wall[k].normal);
    if (into > 0) time = std::min(time, std::max(0.0f, around.wall[k].gap) / into);
  }
  return time < reaction_time ? (time / reaction_time) * wanted : wanted;
}

}  // namespace

void ReactiveMotion::prepare(const Frozen& world, const Cells& cells, TaskRunner& tasks) {
  layer_of_cell_ = cells.layer;
  if (std::any_of(models_.begin(), models_.end(), [](const ReactiveSettings& m) { return m.look_ahead; }))
    grid_.build(world.agents, cells, tasks);
}

template <class Witness>
THRONG_INLINE void ReactiveMotion::move_rows(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end,
                                             Witness& witness) const {
  const auto& now = world.agents.now;
  const UrgeEpoch epoch(world.step / kYieldEpochSteps);
  const double time = static_cast<double>(world.step) * world.dt;
  Surroundings around;
  for (std::size_t row = begin; row < end; ++row) {
    const auto me = static_cast<std::uint32_t>(row);
    if (agents.activity[me] == Activity::kDriven) {
      agents.next.vx[me] = agents.next.intent_x[me] = now.vx[me];
      agents.next.vy[me] = agents.next.intent_y[me] = now.vy[me];
      agents.next.body[me] = now.body[me];
      agents.next.urge[me] = 0xffffffffu;
      continue;
    }
    const ReactiveSettings& settings = models_[world.model[me]];
    const Vec2f present = {now.vx[me], now.vy[me]};
    const float radius = agents.radius[me], preferred = agents.preferred_speed[me];
    Vec2f wanted = {agents.desired_x[me], agents.desired_y[me]};
    const bool is_walking = wanted != Vec2f{};
    const bool presses = is_walking && agents.has_heading[me] == 0 && time - agents.best_time[me] > kPatience;
    agents.next.urge[me] = epoch.urge_of(agents.number[me], wanted, presses);
    const float speed = length(wanted);
    Vec2f velocity{};
    if (is_walking) {
      if constexpr (Witness::kWatches) witness.changed(Influence::kGuidance, wanted);
      gather_people(world, me, around);
      gather_walls(world, me, radius + std::max(kWallSlideTime * agents.max_speed[me], agents.wall_distance[me]), around);

      if (settings.look_ahead) {
        if ((world.step + agents.number[me]) % kLookEvery == 0)
          agents.turn[me] =
              static_cast<std::int8_t>(look_ahead(grid_, world.ground, layer_of_cell_, {now.x[me], now.y[me]}, agents.cell[me],
                                                  (1 / speed) * wanted, preferred, agents.turn[me], settings.right_bias));
        wanted = turned(wanted, agents.turn[me]);
        if constexpr (Witness::kWatches) witness.changed(Influence::kLookAhead, wanted);
      }
      float density = 0;
      {
        const MatesAside among_strangers(agents, me, around);
        density = settings.headway || settings.personal_space ? local_density(around) : 0;
        if (settings.personal_space && density < kCrowdedDensity)
          wanted = keep_distance(around, wanted, settings.personal_strength, agents.personal_distance[me],
                                 agents.wall_distance[me], radius);
        if constexpr (Witness::kWatches) witness.changed(Influence::kPersonalSpace, wanted);
      }
      if (settings.headway) {
        const float most =
            headway_speed(around, (1 / speed) * wanted, density, presses ? 0 : agents.wait[me], settings.headway_time,
                          [&](std::uint32_t other) { return agents.activity[other] != Activity::kWalking; });
        if (most < speed) wanted = (most / speed) * wanted;
        if constexpr (Witness::kWatches) witness.changed(Influence::kHeadway, wanted);
      }
      if (settings.wall_slide) wanted = slide_along_walls(around, wanted, kWallSlideTime);
      if constexpr (Witness::kWatches) witness.changed(Influence::kWalls, wanted);
      velocity = wanted;
      if (settings.prediction && wanted != Vec2f{}) {
        const MiddlesOfGroups round_groups(world, me, settings.margin, around);
        velocity = optimise(settings, around, wanted, agents.max_speed[me], agents.reaction_time[me], witness).velocity;
        if constexpr (Witness::kWatches) witness.changed(Influence::kPrediction, velocity);
        const float fast = length(velocity);
        if (fast > agents.max_speed[me]) velocity = (agents.max_speed[me] / fast) * velocity;
        if (settings.wall_slide) velocity = slide_along_walls(around, velocity, kWallSlideTime);
        if constexpr (Witness::kWatches) witness.changed(Influence::kWalls, velocity);
      }
      agents.next.intent_x[me] = velocity.x;
      agents.next.intent_y[me] = velocity.y;
    } else {
      agents.next.intent_x[me] = agents.next.intent_y[me] = 0;
      around.people = around.padded = around.walls = 0;
      // Who stands about lets others through; who has not set out yet does not.
      const bool stands =
          agents.activity[me] == Activity::kStaying || (agents.activity[me] == Activity::kWaiting && agents.plan_entry[me] > 0);
      if (settings.yielding && stands) {
        gather_people(world, me, around);
        gather_walls(world, me, radius + kWallSlideTime * agents.max_speed[me], around);
        velocity = make_way(now, around);
        if constexpr (Witness::kWatches) witness.changed(Influence::kMakeWay, velocity);
      }
    }

    if (settings.printed_security) velocity = brake(around, velocity, present, agents.reaction_time[me]);
    if constexpr (Witness::kWatches) witness.changed(Influence::kBrake, velocity);
    const Vec2f change = velocity - present;
    const float most = settings.max_acceleration * world.dt, much = length(change);
    if (much > most) velocity = present + (most / much) * change;
    if constexpr (Witness::kWatches) witness.changed(Influence::kInertia, velocity);
    if (around.people + around.walls > 0) {
      if (settings.directional_security)
        velocity = secure(around, velocity, world.dt);
      else
        velocity = slide_along_walls(around, velocity, world.dt);  // L-13
      if constexpr (Witness::kWatches) witness.changed(Influence::kSecurity, velocity);

      if (settings.yielding && is_walking && agents.wait[me] > 0.5f) {
        // Who makes way does so with the urge of whom it makes way for, so that those behind it make way as well.
        const std::uint32_t mine = agents.next.urge[me];
        for (int j = 0; j < around.people; ++j) {
          const float gap = around.gap(j);
          if (gap >= kYieldGap) continue;
          const std::uint32_t other = around.row[j];
          if (now.urge[other] <= mine) continue;
          const Vec2f n = around.normal(j);
          const float push = -(now.intent_x[other] * n.x + now.intent_y[other] * n.y);
          if (push <= 0.05f) continue;
          const float back = yield_speed(push, gap), into = dot(velocity, n);
          if (into <= -back) continue;
          velocity = velocity - (into + back) * n;
          agents.next.urge[me] = std::max(agents.next.urge[me], now.urge[other]);
          agents.next.intent_x[me] = velocity.x;
          agents.next.intent_y[me] = velocity.y;
        }
        velocity = slide_along_walls(around, velocity, 2 * world.dt);
        if constexpr (Witness::kWatches) witness.changed(Influence::kYield, velocity);
      }
    }
    agents.next.vx[me] = velocity.x;
    agents.next.vy[me] = velocity.y;
    agents.wait[me] = is_walking ? wait_after(agents.wait[me], length(velocity), preferred, world.dt) : 0;
    agents.next.body[me] = settings.squeeze ? body_after(now.body[me], radius, agents.wait[me], world.dt) : radius;
  }
}

namespace {

/// Hears of meetings and proposals as `optimise` comes upon them.
struct WatchedReaction : Watched {
  const Surroundings* around = nullptr;
  struct Made {
    float x, y;
    int index;  ///< in said.tried
  };
  std::vector<Made> made = {};

  void met(const Surroundings& seen_around, const Collision& collision, CollisionType type, Vec2f taken) {
    around = &seen_around;
    if (!made.empty()) reject(taken, "meets somebody else sooner");
    said.meetings.push_back({number_at(collision.other), type, collision.time, seen(taken)});
  }
  void accepted() { said.accepts_meeting = true; }
  void gave_up() { said.is_best_of_bad = true; }
  void proposed(const Proposals& proposals) {
    for (int m = 0; m < kReactionModules; ++m) {
      const float quality = proposals.quality[m];
      TriedReaction tried;
      tried.module = static_cast<ReactionModule>(m);
      tried.against = said.meetings.back().other, tried.type = said.meetings.back().type;
      tried.quality = quality;
      if (quality >= kWorstQuality) {
        tried.velocity = {proposals.x[m], proposals.y[m]};
        made.push_back({proposals.x[m], proposals.y[m], static_cast<int>(said.tried.size())});
      } else {
        tried.not_because = "has no answer";
      }
      said.tried.push_back(tried);
    }
  }
  /// The velocity that came out is one of the proposals, or none.
  void finish() {
    const auto prediction = std::find_if(said.steps.begin(), said.steps.end(),
                                         [](const InfluenceStep& s) { return s.influence == Influence::kPrediction; });
    for (const Made& m : made) {
      TriedReaction& tried = said.tried[static_cast<std::size_t>(m.index)];
      tried.is_taken = tried.not_because.empty() && !said.is_best_of_bad && prediction != said.steps.end() &&
                       prediction->velocity == tried.velocity;
      if (!tried.is_taken && tried.not_because.empty())
        tried.not_because = said.is_best_of_bad ? "does not avoid everything" : "another one is better";
    }
  }

 private:
  std::uint32_t number_at(int other) const {
    // Middles of groups are appended behind the people.
    const bool is_person = other < around->people && around->distance[other] < MatesAside::kFar && !is_middle(other);
    return is_person ? number_of(around->row[other]) : 0;
  }
  bool is_middle(int other) const { return other >= people_seen; }
  void reject(Vec2f taken, const char* why) {
    for (const Made& m : made)
      if (m.x == taken.x && m.y == taken.y) said.tried[static_cast<std::size_t>(m.index)].not_because = why;
  }

 public:
  int people_seen = 0;  ///< without middles of groups
};

}  // namespace

THRONG_WIDE void ReactiveMotion::move(const Frozen& world, Agents& agents, std::size_t begin, std::size_t end) const {
  Unwatched nobody;
  move_rows(world, agents, begin, end, nobody);
}

THRONG_WIDE void ReactiveMotion::explain(const Frozen& world, Agents& agents, std::uint32_t row, Explanation& said) const {
  WatchedReaction witness{{agents, said}};
  witness.people_seen = static_cast<int>(std::min<std::size_t>(world.neighbours.of(row).size(), Surroundings::kMaxPeople));
  move_rows(world, agents, row, row + 1, witness);
  witness.finish();
}

}  // namespace throng
