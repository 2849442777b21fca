// SPDX-License-Identifier: MIT
// The closed forms of reactive navigation, held against time stepping and against what they promise.
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "motion/reactive/collision.hpp"
#include "motion/reactive/dense.hpp"
#include "motion/reactive/optimise.hpp"
#include "motion/reactive/personal_space.hpp"
#include "motion/reactive/reactions.hpp"

namespace throng {
namespace {

using namespace reactive_rules;

Vec2f random_vector(RandomStream& random, double size) {
  return {static_cast<float>(random.between(-size, size)), static_cast<float>(random.between(-size, size))};
}

/// One person ahead, or several: offsets and velocities.
struct Other {
  Vec2f offset, velocity;
  float radius = 0.25f;
};
Surroundings surroundings(std::initializer_list<Other> others, float mine = 0.25f) {
  Surroundings around;
  for (const Other& other : others) {
    const int j = around.people++;
    around.dx[j] = other.offset.x, around.dy[j] = other.offset.y;
    around.vx[j] = other.velocity.x, around.vy[j] = other.velocity.y;
    around.contact[j] = mine + other.radius;
    around.distance[j] = length(other.offset);
    around.row[j] = static_cast<std::uint32_t>(j);
  }
  around.padded = (around.people + kLanes - 1) / kLanes * kLanes;
  for (int j = around.people; j < around.padded; ++j) {
    around.dx[j] = around.dy[j] = around.distance[j] = 1e6f;
    around.vx[j] = around.vy[j] = around.contact[j] = 0;
  }
  return around;
}

TEST(Collision, TimeIsThatOfSteppingBothAlong) {
  RandomStream random(1, 0, 1);
  int hits = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec2f offset = random_vector(random, 6), approach = random_vector(random, 2);
    const auto reach = static_cast<float>(random.between(0.3, 1));
    if (length(offset) < reach + 0.01f) continue;
    const float t = time_to_collision(offset, approach, reach);
    double stepped = -1, closest = 1e9;
    constexpr double kStep = 1e-3;
    for (double s = 0; s < 10; s += kStep) {
      const double dx = offset.x - s * approach.x, dy = offset.y - s * approach.y, d = std::sqrt(dx * dx + dy * dy);
      closest = std::min(closest, d);
      if (d < reach && stepped < 0) stepped = s;
    }
    if (std::abs(closest - reach) < 0.002) continue;  // stepping cannot tell a touch from a miss
    if (stepped < 0) {
      EXPECT_GT(t, 9.9f) << i;
    } else {
      EXPECT_NEAR(t, stepped, 1.5 * kStep + 1e-3) << i;
      ++hits;
    }
  }
  EXPECT_GT(hits, 100);
}

TEST(Collision, IsTheSameForBothAndInAnyMovingFrame) {
  RandomStream random(2, 0, 1);
  for (int i = 0; i < 500; ++i) {
    const Vec2f offset = random_vector(random, 5), mine = random_vector(random, 2), others = random_vector(random, 2);
    EXPECT_EQ(time_to_collision(offset, mine - others, 0.5f), time_to_collision(-offset, others - mine, 0.5f));
  }
}

TEST(Collision, OfThoseTooCloseIsNowIfTheyApproachAndNeverIfTheyPart) {
  EXPECT_EQ(time_to_collision({0.3f, 0}, {1, 0}, 0.5f), 0);
  EXPECT_EQ(time_to_collision({0.3f, 0}, {-1, 0}, 0.5f), kNever);
  EXPECT_EQ(time_to_collision({0, 0}, {1, 0}, 0.5f), kNever);
}

TEST(Collision, TypesOfTheFourCanonicalScenes) {
  // Somebody who stands, who runs into me from behind, who comes towards me, whom I catch up with.
  EXPECT_EQ(classify({3, 0}, {1, 0}, {0, 0}, 2.5f), CollisionType::kStatic);
  EXPECT_EQ(classify({-2, 0}, {1, 0}, {2, 0}, 1.5f), CollisionType::kRear);
  EXPECT_EQ(classify({4, 0}, {1, 0}, {-1, 0}, 1.75f), CollisionType::kFront);
  EXPECT_EQ(classify({2, 0}, {1.5f, 0}, {0.5f, 0}, 1.5f), CollisionType::kBack);
  // At right angles counts as catching up (L-3).
  EXPECT_EQ(classify({2, -2}, {1, 0}, {0, 1}, 1.5f), CollisionType::kBack);
}

TEST(Collision, TheFirstOfManyIsTheEarliest) {
  const Surroundings around = surroundings({{{6, 0}, {-1, 0}}, {{3, 0}, {-1, 0}}, {{-3, 0}, {0, 0}}});
  const Collision first = first_collision(around, {1, 0}, 0.1f, 10);
  EXPECT_EQ(first.other, 1);
  EXPECT_NEAR(first.time, (3 - 0.6) / 2, 1e-5);
  EXPECT_EQ(first_collision(around, {1, 0}, 0.1f, 0.5f).other, -1);
}

TEST(Reactions, TurningKeepsTheSpeedAndJustMisses) {
  RandomStream random(3, 0, 1);
  int solved = 0, predicted = 0;
  for (int i = 0; i < 20000; ++i) {
    const Vec2f offset = random_vector(random, 5), mine = random_vector(random, 1.5), others = random_vector(random, 1.5);
    const float reach = 0.6f;
    if (length(offset) < reach + 0.1f || time_to_collision(offset, mine - others, reach) > 10) continue;
    ++predicted;
    const Tangents tangents = tangents_round(offset, reach);
    // ALGORITHMS §1.12: the left tangent lies left of the relative velocity, the right one right of it.
    EXPECT_GT(cross(mine - others, tangents.left), 0);
    EXPECT_LT(cross(mine - others, tangents.right), 0);
    for (const Vec2f d : {tangents.left, tangents.right}) {
      Vec2f turned;
      if (!turn_along(mine, others, d, turned)) continue;
      ++solved;
      EXPECT_NEAR(length(turned), length(mine), 2e-3f * std::max(1.0f, length(mine)));
      EXPECT_GT(time_to_collision(offset, turned - others, reach - 2e-3f), 20) << i;
    }
  }
  EXPECT_GT(predicted, 1000);
  EXPECT_GT(solved, 1500);
}

TEST(Reactions, ChangingSpeedKeepsTheDirectionAndJustMisses) {
  RandomStream random(4, 0, 1);
  int slower = 0, faster = 0;
  for (int i = 0; i < 20000; ++i) {
    const Vec2f offset = random_vector(random, 5), mine = random_vector(random, 1.5), others = random_vector(random, 1.5);
    const float reach = 0.6f;
    if (length(offset) < reach + 0.1f || time_to_collision(offset, mine - others, reach) > 10) continue;
    const Tangents tangents = tangents_round(offset, reach);
    float factor = 0;
    if (change_speed(mine, others, tangents, true, 1, factor)) {
      EXPECT_GE(factor, 0);
      EXPECT_LT(factor, 1);
      if (std::abs(cross(mine, tangents.left)) > 0.05f && std::abs(cross(mine, tangents.right)) > 0.05f) {
        EXPECT_GT(time_to_collision(offset, factor * mine - others, reach - 2e-3f), 20) << i;
      }
      ++slower;
    }
    if (change_speed(mine, others, tangents, false, 1.5f, factor)) {
      EXPECT_GT(factor, 1);
      EXPECT_LE(factor, 1.5f);
      ++faster;
    }
  }
  EXPECT_GT(slower, 200);
  EXPECT_GT(faster, 50);
}

TEST(Reactions, FollowingIsASolution) {
  // The printed α > 0 forbids it (L-11).
  float factor = 0;
  ASSERT_TRUE(change_speed({1.5f, 0}, {0.6f, 0}, tangents_round({3, 0}, 0.6f), true, 1, factor));
  EXPECT_NEAR(factor, 0.4f, 1e-5);
}

TEST(Reactions, QualityIsOneForTheSameAndFallsWithTurnAndSpeed) {
  const Vec2f wanted = {1, 0};
  EXPECT_FLOAT_EQ(quality(wanted, wanted, 1, 1), 1);
  EXPECT_FLOAT_EQ(quality({0.5f, 0}, wanted, 1, 1), 0.5f);
  EXPECT_FLOAT_EQ(quality({2, 0}, wanted, 1, 1), 0.5f);
  EXPECT_FLOAT_EQ(quality({0.5f, 0}, wanted, 1, 5), 0.03125f);
  EXPECT_NEAR(quality({std::cos(1.0f), std::sin(1.0f)}, wanted, 1, 1), std::cos(1.0f), 1e-6);
  EXPECT_EQ(quality({-1, 0}, wanted, 1, 1), 0);
  EXPECT_EQ(quality({0, 1.0f}, wanted, 1, 1), 0);
  EXPECT_EQ(quality({0, 0}, wanted, 1, 1), 0);
  EXPECT_EQ(quality({0, 0}, {0, 0}, 1, 1), 1);
}

TEST(Reactions, FourSideBySideAreThePlainRulesBitForBit) {
  RandomStream random(7, 0, 1);
  ReactionTable steep = keep_right();
  for (auto& row : steep.rows)
    for (Reaction& reaction : row) {
      reaction.direction_power = static_cast<std::uint8_t>(random.integer(0, 5));
      reaction.norm_power = static_cast<std::uint8_t>(random.integer(0, 5));
    }
  int answers[kReactionModules] = {}, none[kReactionModules] = {};
  for (const ReactionTable& table : {driving_rule(), minimal_adjustment(), keep_right(), steep})
    for (int i = 0; i < 5000; ++i) {
      const Vec2f mine = i % 50 == 0 ? Vec2f{} : random_vector(random, 2), others = random_vector(random, i % 3 == 0 ? 0.1 : 2);
      const Tangents tangents = tangents_round(random_vector(random, 3), static_cast<float>(random.between(0.3, 0.8)));
      const auto mines = static_cast<float>(random.between(0.1, 1));
      const auto& row = table.rows[static_cast<std::size_t>(i % kCollisionTypes)];
      const float speed = length(mine), max_speed = 2;
      const Proposals made = propose(row, mines, mine, others, tangents, max_speed);
      for (int m = 0; m < kReactionModules; ++m) {
        Vec2f v{};
        float factor = 0;
        bool has_answer = row[static_cast<std::size_t>(m)].is_used;
        if (m == 0 || m == 1) {
          has_answer &= turn_along(mine, others, m == 0 ? tangents.right : tangents.left, v);
        } else {
          has_answer &= m == 2 || speed > 0;
          has_answer = has_answer && change_speed(mine, others, tangents, m == 2, m == 2 ? 1 : max_speed / speed, factor);
          v = factor * mine;
        }
        const Reaction& reaction = row[static_cast<std::size_t>(m)];
        const float worth =
            has_answer ? mines * reaction.factor * quality(v, mine, reaction.direction_power, reaction.norm_power) : 0;
        ASSERT_EQ(made.quality[m], worth) << i << ' ' << m;
        ++(worth > 0 ? answers : none)[m];
        if (worth > 0) {
          ASSERT_EQ((Vec2f{made.x[m], made.y[m]}), v) << i << ' ' << m;
        }
      }
    }
  for (int m = 0; m < kReactionModules; ++m) {
    EXPECT_GT(answers[m], 300) << m;
    EXPECT_GT(none[m], 300) << m;
  }
}

TEST(Optimise, AloneKeepsTheWantedVelocityBitForBit) {
  const Vec2f wanted = {1.2345f, -0.6789f};
  const Optimised result = optimise(reactive(), surroundings({}), wanted, 2, 0.8f);
  EXPECT_EQ(result.velocity, wanted);
  EXPECT_EQ(result.pops, 1);
}

TEST(Optimise, UnderTheDrivingRulePeopleMeetingPassOnTheRight) {
  ReactiveSettings settings = reactive();
  settings.table = driving_rule();
  const Vec2f v = optimise(settings, surroundings({{{5, 0}, {-1.3f, 0}}}), {1.3f, 0}, 2, 0.8f).velocity;
  EXPECT_LT(v.y, -0.05f);  // to my right
  EXPECT_NEAR(length(v), 1.3f, 1e-3);
  // Under minimal adjustment the mirrored scene gives the mirrored answer.
  settings.table = minimal_adjustment();
  const Vec2f up = optimise(settings, surroundings({{{5, -0.1f}, {-1.3f, 0}}}), {1.3f, 0}, 2, 0.8f).velocity;
  const Vec2f down = optimise(settings, surroundings({{{5, 0.1f}, {-1.3f, 0}}}), {1.3f, 0}, 2, 0.8f).velocity;
  EXPECT_NEAR(up.x, down.x, 1e-5);
  EXPECT_NEAR(up.y, -down.y, 1e-5);
  EXPECT_GT(up.y, 0.01f);
}

TEST(Optimise, OvertakesOnTheLeftUnderTheDrivingRule) {
  ReactiveSettings settings = reactive();
  settings.table = driving_rule();
  const Vec2f v = optimise(settings, surroundings({{{3, 0}, {0.4f, 0}}}), {1.4f, 0}, 2, 0.8f).velocity;
  EXPECT_GT(v.y, 0.05f);
}

TEST(Optimise, FindsAWayThatMeetsNobodySoonerThanBefore) {
  RandomStream random(5, 0, 1);
  const ReactiveSettings settings = reactive();
  int better = 0, cases = 0;
  for (int i = 0; i < 3000; ++i) {
    const Surroundings around = surroundings({{random_vector(random, 4), random_vector(random, 1.4)},
                                              {random_vector(random, 4), random_vector(random, 1.4)},
                                              {random_vector(random, 4), random_vector(random, 1.4)},
                                              {random_vector(random, 4), random_vector(random, 1.4)}});
    const Vec2f wanted = {1.3f, 0};
    const Collision before = first_collision(around, wanted, settings.margin, settings.horizon);
    if (before.other < 0 || before.time < 0.3f) continue;
    const Vec2f v = optimise(settings, around, wanted, 2, 0.8f).velocity;
    EXPECT_LE(length(v), 2.0f * 1.001f);
    ++cases;
    better += first_collision(around, v, settings.margin, settings.horizon).time > before.time ||
              classify(around.offset(before.other), wanted, around.velocity(before.other), before.time) == CollisionType::kRear;
  }
  EXPECT_GT(cases, 500);
  EXPECT_GT(better, cases * 8 / 10);
}

TEST(PersonalSpace, KeepsTheSpeedAndEndsAtItsDistance) {
  const Vec2f wanted = {1.3f, 0};
  const Vec2f v = keep_distance(surroundings({{{0.5f, 0.3f}, {0, 0}}}), wanted, 1, 1, 0.5f, 0.25f);
  EXPECT_NEAR(length(v), 1.3f, 1e-5);
  EXPECT_LT(v.y, 0);
  EXPECT_EQ(keep_distance(surroundings({{{1.01f, 0}, {0, 0}}}), wanted, 1, 1, 0.5f, 0.25f), wanted);
  // Mirror images cancel.
  const Vec2f between = keep_distance(surroundings({{{0, 0.6f}, {0, 0}}, {{0, -0.6f}, {0, 0}}}), wanted, 1, 1, 0.5f, 0.25f);
  EXPECT_NEAR(between.y, 0, 1e-6);
}

TEST(PersonalSpace, DrivesTwoWhoApproachApart) {
  const Vec2f a = keep_distance(surroundings({{{0.8f, 0.1f}, {-1, 0}}}), {1, 0}, 1, 1, 0.5f, 0.25f);
  const Vec2f b = keep_distance(surroundings({{{-0.8f, -0.1f}, {1, 0}}}), {-1, 0}, 1, 1, 0.5f, 0.25f);
  EXPECT_GT(dot(b - a, Vec2f{0.8f, 0.1f}), dot(Vec2f{-2, 0}, Vec2f{0.8f, 0.1f}));
}

TEST(Collision, EightAtOnceAreTheSameBitsAsOneByOne) {
  RandomStream random(8, 0, 1);
  for (int i = 0; i < 500; ++i) {
    Surroundings around;
    around.people = around.padded = kLanes;
    for (int j = 0; j < kLanes; ++j) {
      const Vec2f offset = random_vector(random, 3), velocity = random_vector(random, 2);
      around.dx[j] = offset.x, around.dy[j] = offset.y, around.vx[j] = velocity.x, around.vy[j] = velocity.y;
      around.contact[j] = static_cast<float>(random.between(0.3, 1));
    }
    const Vec2f mine = random_vector(random, 2);
    const Lanes times = times_to_collision(around, 0, mine, 0.05f);
    for (int j = 0; j < kLanes; ++j)
      EXPECT_EQ(times[j], time_to_collision(around.offset(j), mine - around.velocity(j), around.contact[j] + 0.05f));
  }
}

TEST(Dense, DensityOfATriangularLatticeIsItsOwn) {
  for (const float spacing : {0.6f, 1.0f, 1.5f}) {
    const float h = 0.8660254f * spacing;
    const Surroundings around = surroundings({{{spacing, 0}, {}},
                                              {{-spacing, 0}, {}},
                                              {{spacing / 2, h}, {}},
                                              {{-spacing / 2, h}, {}},
                                              {{spacing / 2, -h}, {}},
                                              {{-spacing / 2, -h}, {}}});
    EXPECT_NEAR(local_density(around), 2 / (std::sqrt(3.0f) * spacing * spacing), 0.002f / (spacing * spacing));
  }
}

TEST(Dense, HeadwayLeavesTimeToTheOneAheadOnly) {
  const auto most = [](Vec2f offset, Vec2f velocity, float density, float waited = 0) {
    return headway_speed(surroundings({{offset, velocity, 0.2f}}, 0.2f), {1, 0}, density, waited, 1.1f,
                         [](std::uint32_t) { return false; });
  };
  EXPECT_NEAR(most({1.5f, 0}, {1, 0}, 2), (1.5 - 0.4) / 1.1, 1e-5);
  EXPECT_GT(most({1.5f, 0}, {1, 0}, 0.5f), 1e9f);  // sparse
  EXPECT_GT(most({-1.5f, 0}, {1, 0}, 2), 1e9f);    // behind
  EXPECT_GT(most({1.5f, 0.5f}, {1, 0}, 2), 1e9f);  // beside
  EXPECT_GT(most({1.5f, 0}, {-1, 0}, 2), 1e9f);    // comes towards me
  EXPECT_EQ(most({0.3f, 0}, {1, 0}, 2), 0);
  // Ways that converge at 40° are one way for somebody who has waited in a jam; at 50° they are not.
  const Vec2f converging = {std::cos(0.698f), std::sin(0.698f)}, crossing = {std::cos(0.873f), std::sin(0.873f)};
  EXPECT_GT(most({1.5f, 0}, converging, 2), 1e9f);
  EXPECT_NEAR(most({1.5f, 0}, converging, 2, 1), (1.5 - 0.4) / 1.1, 1e-5);
  EXPECT_GT(most({1.5f, 0}, crossing, 2, 1), 1e9f);
  // Somebody who wants nothing is no queue: the next one counts.
  const Surroundings two = surroundings({{{1, 0}, {0, 0}, 0.2f}, {{1.5f, 0}, {0, 0}, 0.2f}}, 0.2f);
  EXPECT_NEAR(headway_speed(two, {1, 0}, 2, 0, 1.1f, [](std::uint32_t row) { return row == 0; }), (1.5 - 0.4) / 1.1, 1e-5);
}

TEST(Dense, SecurityNeverClosesMoreThanItsHalfOfAGap) {
  RandomStream random(6, 0, 1);
  for (int i = 0; i < 5000; ++i) {
    const Surroundings around = surroundings(
        {{random_vector(random, 0.8), {0, 0}}, {random_vector(random, 0.8), {0, 0}}, {random_vector(random, 0.8), {0, 0}}});
    const Vec2f v = secure(around, random_vector(random, 1.5), 0.1f);
    for (int j = 0; j < around.people; ++j) {
      const float most = std::max(0.0f, around.gap(j)) * 5;
      EXPECT_LE(dot(v, around.normal(j)), most + 1e-4f) << i;
    }
  }
}

TEST(Dense, WaitingNarrowsTheBodyByATenthAndNoMore) {
  float wait = 0, body = 0.2f;
  for (int i = 0; i < 100; ++i) {
    wait = wait_after(wait, 0, 1.34f, 0.1f);
    body = body_after(body, 0.2f, wait, 0.1f);
  }
  EXPECT_NEAR(body, 0.18f, 1e-4);
  for (int i = 0; i < 300; ++i) {
    wait = wait_after(wait, 1.3f, 1.34f, 0.1f);
    body = body_after(body, 0.2f, wait, 0.1f);
  }
  EXPECT_NEAR(body, 0.2f, 1e-4);
}

TEST(Tables, SayWhatThePaperPrints) {
  const auto used = [](const ReactionTable& table, CollisionType type, ReactionModule module) {
    return table.rows[static_cast<int>(type)][static_cast<int>(module)].is_used;
  };
  const ReactionTable rule = driving_rule();
  EXPECT_TRUE(used(rule, CollisionType::kFront, ReactionModule::kRight));
  EXPECT_FALSE(used(rule, CollisionType::kFront, ReactionModule::kLeft));
  EXPECT_TRUE(used(rule, CollisionType::kBack, ReactionModule::kLeft));
  EXPECT_FALSE(used(rule, CollisionType::kBack, ReactionModule::kRight));
  EXPECT_TRUE(used(rule, CollisionType::kStatic, ReactionModule::kLeft) &&
              used(rule, CollisionType::kStatic, ReactionModule::kRight));
  EXPECT_FALSE(used(rule, CollisionType::kStatic, ReactionModule::kDecelerate));
  EXPECT_TRUE(rule.accepts[static_cast<int>(CollisionType::kRear)]);
  for (const auto type : {CollisionType::kFront, CollisionType::kBack, CollisionType::kStatic})
    for (const auto side : {ReactionModule::kLeft, ReactionModule::kRight}) EXPECT_TRUE(used(minimal_adjustment(), type, side));
}

}  // namespace
}  // namespace throng
