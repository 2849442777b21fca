// SPDX-License-Identifier: MIT
#include "base/nearest_name.hpp"

#include <gtest/gtest.h>

#include <array>

namespace throng {
namespace {

constexpr std::array<std::string_view, 6> kVerbs{"run", "draw", "check", "path", "groups", "compare"};

std::string_view meant(std::string_view name) { return nearest_name(name, kVerbs).value_or("nothing"); }

TEST(NearestName, OneMistakeOfEachKindIsForgiven) {
  EXPECT_EQ(meant("rnu"), "run");      // exchanged
  EXPECT_EQ(meant("runn"), "run");     // too many
  EXPECT_EQ(meant("drw"), "draw");     // too few
  EXPECT_EQ(meant("dras"), "draw");    // wrong
  EXPECT_EQ(meant("CHECK"), "check");  // upper case
}

TEST(NearestName, TwoMistakesAreForgivenInLongWordsOnly) {
  EXPECT_EQ(meant("grousp"), "groups");
  EXPECT_EQ(meant("gorusp"), "groups");
  EXPECT_EQ(meant("fly"), "nothing");
  EXPECT_EQ(meant("puth"), "path");
  EXPECT_EQ(meant("putt"), "nothing");
  EXPECT_EQ(meant("explode"), "nothing");
}

TEST(NearestName, TheOnlyNameThatBeginsSoIsMeant) {
  EXPECT_EQ(meant("comp"), "compare");
  constexpr std::array<std::string_view, 2> kTwo{"rules_queue_left", "rules_queue_right"};
  EXPECT_FALSE(nearest_name("rules_queue", kTwo));
}

TEST(NearestName, NothingIsNearToNothing) {
  EXPECT_FALSE(nearest_name("", kVerbs));
  EXPECT_FALSE(nearest_name("run", {}));
  EXPECT_FALSE(nearest_name(std::string(100000, 'a'), kVerbs));
}

TEST(NearestName, OfEquallyNearNamesTheFirstIsMeant) {
  constexpr std::array<std::string_view, 2> kTwo{"gate a", "gate b"};
  EXPECT_EQ(nearest_name("gate c", kTwo), "gate a");
}

TEST(NearestName, ListsAreCut) {
  EXPECT_EQ(listed(kVerbs), "run, draw, check, path, groups, compare");
  EXPECT_EQ(listed(kVerbs, 2), "run, draw, …");
  EXPECT_EQ(listed({}), "");
}

}  // namespace
}  // namespace throng
