// SPDX-License-Identifier: MIT
// The table of priority rules against a reference that was written from the paper's words, for every meeting of two.
#include "motion/rules/board.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "navigation/navigation_data.hpp"
#include "support/built_cells.hpp"

namespace throng {
namespace {

using namespace throng::testing;

// A floor of 11 × 11 tiles, and places on it as columns and rows.
constexpr int kSide = 11, kMiddle = 5;

struct Place {
  int x = 0, y = 0;
  friend bool operator==(Place, Place) = default;
  friend auto operator<=>(Place, Place) = default;
};
Place operator+(Place a, Place b) { return {a.x + b.x, a.y + b.y}; }
constexpr Place kSteps[8] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};

class Floor : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    Layer layer;
    layer.walkable = {box(0, 0, kSide * 0.5, kSide * 0.5)};
    Result<Navigation> navigation = Navigation::bake(scene_of(layer), BakeSettings{});
    ASSERT_TRUE(navigation);
    tiles_ = new BodyTiles(navigation->data().cells, {}, [](Vec2, std::uint32_t) { return 0.0; });
  }
  static void TearDownTestSuite() { delete tiles_; }
  static TileIndex tile(Place p) { return tiles_->grid().tile_of_square(p.x, p.y, 0); }
  static Place place(TileIndex t) { return {tiles_->square(t)[0], tiles_->square(t)[1]}; }

  static RulesActor walker(std::uint32_t number, Place at, int heading, std::int32_t priority = 0) {
    RulesActor actor;
    actor.number = number, actor.priority = priority;
    actor.tile = tile(at);
    actor.walks = actor.steps = true;
    actor.heading = static_cast<std::uint8_t>(heading);
    actor.want = tile(at + kSteps[heading]);
    actor.speed = 1.3f;
    return actor;
  }
  static RulesReason anything(const RulesActor&, TileIndex) { return RulesReason::kTaken; }

  static BodyTiles* tiles_;
};
BodyTiles* Floor::tiles_ = nullptr;

// ---- the reference ----------------------------------------------------------------------------------------------------------

/// The table as ALGORITHMS §3.5 prints it: agent 1 / agent 2.
const std::vector<std::pair<std::string, std::string>>& rows_of(const std::string& collision, bool same_tile) {
  using Rows = std::vector<std::pair<std::string, std::string>>;
  static const Rows toward1 = {{"F", "R"}, {"F", "L"}, {"R", "F"}, {"L", "F"}, {"F", "wait"}};
  static const Rows toward2 = {{"F", "R"}, {"F", "L"}, {"R", "F"}, {"L", "F"}, {"wait", "wait"}};
  static const Rows away2 = {{"F", "oR"}, {"F", "oL"}, {"F", "slow"}};
  if (collision == "away") return same_tile ? toward1 : away2;
  return same_tile ? toward1 : toward2;
}

double angle_between(Place u, Place v) {
  const double dot = u.x * v.x + u.y * v.y, both = std::sqrt((u.x * u.x + u.y * u.y) * (v.x * v.x + v.y * v.y));
  return std::acos(std::clamp(dot / both, -1.0, 1.0)) * 180 / 3.14159265358979;
}

struct Person {
  Place at;
  int heading = 0;
  bool acts = true;
  Place wanted() const { return at + kSteps[heading]; }
};

bool is_in_front(const Person& who, Place other) {
  return angle_between(kSteps[who.heading], {other.x - who.at.x, other.y - who.at.y}) <= 45.001;
}
std::string reference_class(const Person& a, const Person& b) {
  const double angle = angle_between(kSteps[a.heading], kSteps[b.heading]);
  if (angle >= 134.999) return "toward";
  if (angle <= 45.001 && (is_in_front(a, b.at) || is_in_front(b, a.at))) return "away";
  return "glancing";
}

std::vector<Place> targets(const Person& who, const std::string& move) {
  const auto turned_by = [&](int eighths) { return who.at + kSteps[(who.heading + eighths + 8) % 8]; };
  if (move == "F") return {who.wanted()};
  if (move == "R") return {turned_by(-1), turned_by(-2)};
  if (move == "L") return {turned_by(1), turned_by(2)};
  if (move == "oR") return {turned_by(-1)};
  if (move == "oL") return {turned_by(1)};
  return {who.at};
}

bool ways_cross(Place from, Place to, Place other_from, Place other_to) {
  // Two diagonals of one square have their middles in one point.
  return from != to && other_from != other_to && from.x + to.x == other_from.x + other_to.x &&
         from.y + to.y == other_from.y + other_to.y && from != other_to;
}

bool is_possible(const Person& who, Place to, const std::string& move, const Person& other, Place other_to,
                 const std::set<Place>& blocked) {
  if (to == who.at) return other_to != who.at;
  if (blocked.contains(to) || to == other_to) return false;
  if (to == other.at && (other_to == other.at || other_to == who.at)) return false;
  if (ways_cross(who.at, to, other.at, other_to)) return false;
  if (move == "oR" || move == "oL") {
    const Place beyond = to + kSteps[who.heading];
    if (blocked.contains(beyond) || beyond == other.at) return false;
  }
  return true;
}

struct Answer {
  int row = -1;
  Place first, second;
};
/// The first row whose moves are both possible. Who does not act keeps what it does: it stays where it is for this step.
Answer reference(const Person& first, const Person& second, const std::string& collision, bool same_tile,
                 const std::set<Place>& blocked) {
  const auto& rows = rows_of(collision, same_tile);
  const auto goes_on = [](const std::string& move) { return move == "F" || move == "wait" || move == "slow"; };
  for (int k = 0; k < static_cast<int>(rows.size()); ++k) {
    const auto& [one, two] = rows[static_cast<std::size_t>(k)];
    if ((!first.acts && !goes_on(one)) || (!second.acts && !goes_on(two))) continue;
    const std::vector<Place> ones = first.acts ? targets(first, one) : std::vector<Place>{first.at};
    const std::vector<Place> twos = second.acts ? targets(second, two) : std::vector<Place>{second.at};
    for (const Place a : ones)
      for (const Place b : twos)
        if (is_possible(first, a, one, second, b, blocked) && is_possible(second, b, two, first, a, blocked)) return {k, a, b};
  }
  return {-1, first.at, second.at};
}

TEST_F(Floor, every_meeting_of_two_takes_the_first_possible_row) {
  RulesBoard board;
  const RulesSettings settings;
  std::uint64_t meetings = 0, passive = 0, by_row[8] = {}, step = 0;
  for (int heading_a = 0; heading_a < 8; ++heading_a)
    for (int dx = -2; dx <= 2; ++dx)
      for (int dy = -2; dy <= 2; ++dy)
        for (int heading_b = 0; heading_b < 8; ++heading_b)
          for (const bool b_acts : {true, false}) {
            if (dx == 0 && dy == 0) continue;
            const Person a{{kMiddle, kMiddle}, heading_a}, b{{kMiddle + dx, kMiddle + dy}, heading_b, b_acts};
            const bool same_tile = b_acts && a.wanted() == b.wanted();
            const bool swap = b_acts && a.wanted() == b.at && b.wanted() == a.at;
            const bool crossing = b_acts && ways_cross(a.at, a.wanted(), b.at, b.wanted());
            const bool in_the_way = !b_acts && a.wanted() == b.at;
            if (!same_tile && !swap && !crossing && !in_the_way) continue;
            const std::string collision = reference_class(a, b);
            // What may be taken by others: all tiles that a move could lead to, but those of the two and those they want.
            std::set<Place> around;
            for (const Person& who : {a, b})
              for (const char* move : {"R", "L"})
                for (const Place p : targets(who, move)) around.insert(p), around.insert(p + kSteps[who.heading]);
            for (const Place p : {a.at, b.at, a.wanted(), b.wanted()}) around.erase(p);
            const std::vector<Place> list(around.begin(), around.end());
            const unsigned masks = 1u << std::min<std::size_t>(list.size(), 12);
            for (unsigned mask = 0; mask < masks; ++mask)
              for (const int lead : {-1, 0, 1}) {
                std::set<Place> blocked;
                for (std::size_t k = 0; k < list.size() && k < 12; ++k)
                  if ((mask >> k & 1) != 0) blocked.insert(list[k]);
                board.begin(*tiles_);
                RulesActor one = walker(1, a.at, a.heading, lead > 0), other = walker(2, b.at, b.heading, lead < 0);
                other.steps = b_acts;
                board.add(one), board.add(other);
                for (const Place p : blocked) board.block(tile(p), 99);
                const auto allows = [](const RulesActor&, TileIndex) { return RulesReason::kTaken; };
                board.list_stepping();
                board.resolve({settings, 7, ++step, allows});
                const RulesActor &got_a = board.actors()[0], &got_b = board.actors()[1];
                bool a_leads = lead > 0;
                if (lead == 0) a_leads = got_a.decision.is_first;
                if (collision == "away") {
                  const bool a_behind = is_in_front(a, b.at), b_behind = is_in_front(b, a.at);
                  if (a_behind != b_behind) a_leads = b_behind;
                }
                const Answer expected =
                    a_leads ? reference(a, b, collision, same_tile, blocked) : reference(b, a, collision, same_tile, blocked);
                const Place to_a = a_leads ? expected.first : expected.second, to_b = a_leads ? expected.second : expected.first;
                ASSERT_EQ(place(got_a.tile), to_a)
                    << heading_a << ' ' << dx << ' ' << dy << ' ' << heading_b << ' ' << mask << ' ' << lead << ' ' << collision
                    << " row " << int{got_a.decision.row} << " for " << expected.row;
                ASSERT_EQ(place(got_b.tile), to_b);
                ASSERT_EQ(int{got_a.decision.row}, expected.row);
                ASSERT_EQ(got_a.decision.is_first, a_leads);
                ASSERT_TRUE(got_a.decision.met);
                ASSERT_EQ(name_of(got_a.decision.collision), collision);
                for (int k = 0; k < expected.row; ++k)
                  ASSERT_NE(got_a.decision.reasons[static_cast<std::size_t>(k)], RulesReason::kTaken)
                      << "a row before was rejected for a reason";
                if (expected.row >= 0) ++by_row[expected.row];
                ++(b_acts ? meetings : passive);
              }
          }
  EXPECT_GT(meetings, 70'000u);
  EXPECT_GT(passive, 100'000u);
  for (int k = 0; k < 5; ++k) EXPECT_GT(by_row[k], 1000u) << "row " << k << " is taken somewhere";
}

TEST_F(Floor, two_who_do_not_meet_both_go_forward) {
  RulesBoard board;
  const RulesSettings settings;
  for (int heading_a = 0; heading_a < 8; ++heading_a)
    for (int dx = -3; dx <= 3; ++dx)
      for (int dy = -3; dy <= 3; ++dy)
        for (int heading_b = 0; heading_b < 8; ++heading_b) {
          if (dx == 0 && dy == 0) continue;
          const Person a{{kMiddle, kMiddle}, heading_a}, b{{kMiddle + dx, kMiddle + dy}, heading_b};
          const bool swap = a.wanted() == b.at && b.wanted() == a.at;
          if (a.wanted() == b.wanted() || swap || ways_cross(a.at, a.wanted(), b.at, b.wanted())) continue;
          board.begin(*tiles_);
          board.add(walker(1, a.at, heading_a)), board.add(walker(2, b.at, heading_b));
          const auto allows = [](const RulesActor&, TileIndex) { return RulesReason::kTaken; };
          board.list_stepping();
          board.resolve({settings, 1, 1, allows});
          EXPECT_EQ(place(board.actors()[0].tile), a.wanted());
          EXPECT_EQ(place(board.actors()[1].tile), b.wanted());
          EXPECT_FALSE(board.actors()[0].decision.met);
        }
}

TEST_F(Floor, an_obstacle_is_overtaken_on_the_right_then_the_left_then_waited_for) {
  RulesBoard board;
  const RulesSettings settings;
  const auto allows = [](const RulesActor&, TileIndex) { return RulesReason::kTaken; };
  const Place me{kMiddle, kMiddle};
  // Ahead, lane right, beyond it, lane left, beyond it.
  const Place spots[] = {{6, 5}, {6, 4}, {7, 4}, {6, 6}, {7, 6}};
  for (unsigned mask = 0; mask < 32; ++mask) {
    board.begin(*tiles_);
    board.add(walker(1, me, 0));
    for (int k = 0; k < 5; ++k)
      if ((mask >> k & 1) != 0) board.block(tile(spots[k]), 9);
    board.list_stepping();
    board.resolve({settings, 1, 1, allows});
    const bool is_free = (mask & 1) == 0, right = (mask & 6) == 0, left = (mask & 24) == 0;
    const Place expected = is_free ? spots[0] : right ? spots[1] : left ? spots[3] : me;
    EXPECT_EQ(place(board.actors()[0].tile), expected) << mask;
    EXPECT_EQ(board.actors()[0].decision.behaviour, is_free         ? RulesBehaviour::kForward
                                                    : right || left ? RulesBehaviour::kOvertake
                                                                    : RulesBehaviour::kSlow);
  }
}

TEST_F(Floor, equals_lead_as_often_as_each_other) {
  RulesBoard board;
  const RulesSettings settings;
  const auto allows = [](const RulesActor&, TileIndex) { return RulesReason::kTaken; };
  int first = 0;
  for (std::uint64_t step = 0; step < 4000; ++step) {
    board.begin(*tiles_);
    board.add(walker(1, {4, 5}, 0)), board.add(walker(2, {6, 5}, 4));
    board.list_stepping();
    board.resolve({settings, 3, step, allows});
    first += board.actors()[0].decision.is_first;
    EXPECT_NE(board.actors()[0].decision.is_first, board.actors()[1].decision.is_first);
  }
  EXPECT_NEAR(first, 2000, 200);
}

TEST_F(Floor, the_table_is_data) {
  RulesBoard board;
  RulesSettings settings;
  const auto allows = [](const RulesActor&, TileIndex) { return RulesReason::kTaken; };
  const auto first_ends_at = [&] {
    board.begin(*tiles_);
    board.add(walker(1, {4, 5}, 0, 1)), board.add(walker(2, {6, 5}, 4));
    board.list_stepping();
    board.resolve({settings, 3, 1, allows});
    return place(board.actors()[0].tile);
  };
  EXPECT_EQ(first_ends_at(), (Place{5, 5})) << "forward, and the other to its right";
  auto& rows = settings.table.of(RulesClass::kToward, RulesType::kSameTile);
  rows.row[0] = {RulesMove::kLeft, RulesMove::kForward};
  EXPECT_EQ(first_ends_at(), (Place{5, 6}));
  rows.count = 0;
  EXPECT_EQ(first_ends_at(), (Place{4, 5})) << "no rows: they wait";
}

/// A crowd at random: places, headings, priorities, some who stand or are between tiles, and obstacles.
std::vector<RulesActor> random_crowd(const BodyTiles& tiles, std::mt19937_64& random, std::vector<TileIndex>& blocked) {
  std::vector<TileIndex> list(tiles.tile_count());
  for (TileIndex t = 0; t < tiles.tile_count(); ++t) list[t] = t;
  std::shuffle(list.begin(), list.end(), random);
  std::vector<RulesActor> crowd;
  const std::size_t people = 10 + random() % 60;
  for (std::size_t i = 0; i < people; ++i) {
    RulesActor actor;
    actor.number = static_cast<std::uint32_t>(100 + i);
    actor.priority = static_cast<std::int32_t>(random() % 3);
    actor.tile = list[i];
    actor.heading = static_cast<std::uint8_t>(random() % 8);
    actor.walks = random() % 8 != 0;
    actor.steps = actor.walks && random() % 4 != 0;
    actor.blocked = static_cast<std::uint32_t>(random() % 40);
    actor.speed = 1 + 0.1f * static_cast<float>(random() % 9);
    if (actor.steps) actor.want = tiles.next(actor.tile, actor.heading, actor.radius);
    crowd.push_back(actor);
  }
  for (std::size_t i = people; i < people + 8; ++i) blocked.push_back(list[i]);
  return crowd;
}

TEST_F(Floor, the_order_of_storage_decides_nothing) {
  std::mt19937_64 random(1);
  RulesBoard board, other;
  const auto allows = [](const RulesActor&, TileIndex) { return RulesReason::kTaken; };
  std::uint64_t moved = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    RulesSettings settings;
    settings.priority_rules = trial % 4 != 0;
    std::vector<TileIndex> blocked;
    std::vector<RulesActor> crowd = random_crowd(*tiles_, random, blocked);
    const auto resolve = [&](RulesBoard& on) {
      on.begin(*tiles_);
      for (const RulesActor& actor : crowd) on.add(actor);
      for (const TileIndex t : blocked) on.block(t, 0);
      on.list_stepping();
      on.resolve({settings, 5, static_cast<std::uint64_t>(trial), allows});
      std::vector<RulesActor> out(on.actors().begin(), on.actors().end());
      std::sort(out.begin(), out.end(), [](const RulesActor& a, const RulesActor& b) { return a.number < b.number; });
      return out;
    };
    const std::vector<RulesActor> first = resolve(board);
    std::shuffle(crowd.begin(), crowd.end(), random);
    std::shuffle(blocked.begin(), blocked.end(), random);
    const std::vector<RulesActor> second = resolve(other);
    std::set<TileIndex> held;
    for (std::size_t i = 0; i < first.size(); ++i) {
      ASSERT_EQ(first[i].tile, second[i].tile) << "trial " << trial << " number " << first[i].number;
      ASSERT_EQ(first[i].decision.behaviour, second[i].decision.behaviour);
      ASSERT_TRUE(held.insert(first[i].tile).second) << "one person a tile";
      ASSERT_EQ(std::count(blocked.begin(), blocked.end(), first[i].tile), 0);
      moved += first[i].has_moved;
    }
    for (const RulesActor& a : first)
      for (const RulesActor& b : first) {
        if (a.number >= b.number || !a.has_moved || !b.has_moved) continue;
        ASSERT_FALSE(a.tile == b.from && b.tile == a.from) << "swap";
        ASSERT_FALSE(ways_cross(place(a.from), place(a.tile), place(b.from), place(b.tile))) << "crossing";
      }
  }
  EXPECT_GT(moved, 20'000u);
}

TEST_F(Floor, who_is_blocked_long_goes_back_and_a_chain_behind_it_first) {
  // One file: everything beside it is blocked. 2 has the lower priority and somebody behind it.
  RulesBoard board;
  const RulesSettings settings;
  const auto allows = [](const RulesActor&, TileIndex) { return RulesReason::kTaken; };
  const auto set_up = [&](std::uint32_t blocked, bool has_follower) {
    board.begin(*tiles_);
    board.add(walker(1, {4, 5}, 0, 1));
    RulesActor low = walker(2, {5, 5}, 4);
    low.blocked = blocked;
    board.add(low);
    if (has_follower) board.add(walker(3, {6, 5}, 4));
    for (int x = 0; x < kSide; ++x) board.block(tile({x, 4}), 9), board.block(tile({x, 6}), 9);
    board.list_stepping();
    board.resolve({settings, 1, 1, allows});
  };
  set_up(1, false);
  EXPECT_EQ(place(board.actors()[1].tile), (Place{5, 5})) << "waits at first";
  set_up(10, false);
  EXPECT_EQ(place(board.actors()[1].tile), (Place{6, 5})) << "then goes back";
  EXPECT_EQ(board.actors()[1].decision.behaviour, RulesBehaviour::kBack);
  set_up(10, true);
  EXPECT_EQ(place(board.actors()[2].tile), (Place{6, 5})) << "nobody behind is asked yet";
  // The one with the right of way has waited long: both make room, and it comes.
  board.begin(*tiles_);
  RulesActor high = walker(1, {4, 5}, 0, 1);
  high.blocked = 40;
  board.add(high), board.add(walker(2, {5, 5}, 4)), board.add(walker(3, {6, 5}, 4));
  for (int x = 0; x < kSide; ++x) board.block(tile({x, 4}), 9), board.block(tile({x, 6}), 9);
  board.list_stepping();
  board.resolve({settings, 1, 1, allows});
  EXPECT_EQ(place(board.actors()[2].tile), (Place{7, 5})) << "the one behind first";
  EXPECT_EQ(place(board.actors()[1].tile), (Place{6, 5}));
  EXPECT_EQ(place(board.actors()[0].tile), (Place{5, 5}));
  EXPECT_EQ(board.actors()[2].decision.behaviour, RulesBehaviour::kBackOff);
}

}  // namespace
}  // namespace throng
