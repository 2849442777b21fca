// SPDX-License-Identifier: MIT
#include "scene/builtin.hpp"

#include <gtest/gtest.h>

namespace throng {
namespace {

TEST(Builtin, NamesACityOrAnOfficeWithItsSizeAndSeed) {
  const auto city = make_builtin("city:20");
  ASSERT_TRUE(city && *city);
  EXPECT_EQ((*city)->layers[0].obstacles.size(), 20u);
  EXPECT_EQ((*city)->name, "city:20");
  const auto seeded = make_builtin("city:20,seed=7");
  ASSERT_TRUE(seeded && *seeded);
  EXPECT_EQ((*seeded)->name, "city:20,seed=7");
  EXPECT_NE((*seeded)->layers[0].obstacles[0].outer, (*city)->layers[0].obstacles[0].outer);
  const auto office = make_builtin("office:3");
  ASSERT_TRUE(office && *office);
  EXPECT_EQ((*office)->areas.size(), 3u);
}

TEST(Builtin, LeavesFilesToTheReaders) {
  for (const char* name : {"", "city", "city.json", "./city:3", "town:5"}) EXPECT_FALSE(make_builtin(name).has_value()) << name;
}

TEST(Builtin, SaysTheAllowedRangeWhenANumberIsBad) {
  for (const char* spec : {"city:", "city:0", "city:-3", "city:1e3", "city:100001", "city:99999999999999999999999", "city: 5",
                           "city:5x", "office:0"}) {
    const auto scene = make_builtin(spec);
    ASSERT_TRUE(scene.has_value()) << spec;
    ASSERT_FALSE(static_cast<bool>(*scene)) << spec;
    EXPECT_NE(to_string(scene->problems()[0]).find("from 1 to"), std::string::npos);
    EXPECT_EQ(scene->problems()[0].where, spec);
  }
  for (const char* spec : {"city:5,", "city:5,seed=", "city:5,seed=x", "city:5,sed=1", "city:5,seed=1,seed=2"}) {
    const auto scene = make_builtin(spec);
    ASSERT_TRUE(scene && !*scene) << spec;
    EXPECT_NE(scene->problems()[0].what.find("seed=N"), std::string::npos);
  }
}

}  // namespace
}  // namespace throng
