// SPDX-License-Identifier: MIT
#include "navigation/doctor_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "draw/cells_fixture.hpp"

namespace throng {
namespace {

std::vector<Finding> of_code(const std::vector<Finding>& all, const std::string& code) {
  std::vector<Finding> out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out), [&](const Finding& f) { return f.code == code; });
  return out;
}

/// Two rooms of 4 × 4 m, joined by a passage 1 m long from x = 4 to 5 and `width` wide; a shed of 2 × 2 m apart from both.
Cells two_rooms(double width) {
  const double low = 2 - width / 2, high = 2 + width / 2;
  return make_cells({{0, 0},
                     {4, 0},
                     {4, low},
                     {4, high},
                     {4, 4},
                     {0, 4},
                     {5, 0},
                     {9, 0},
                     {9, 4},
                     {5, 4},
                     {5, high},
                     {5, low},
                     {20, 0},
                     {22, 0},
                     {22, 2},
                     {20, 2}},
                    {{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}, {2, 11, 10, 3}, {12, 13, 14, 15}});
}

TEST(DoctorCells, FindsGroundThatCannotBeReachedWithItsPlaceAndArea) {
  const auto found = of_code(examine_cells({}, two_rooms(1), 0.2), "unreachable");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].place.x, 21, 1e-9);
  EXPECT_NEAR(found[0].place.y, 1, 1e-9);
  EXPECT_NE(found[0].problem.what.find("4.00 m²"), std::string::npos) << found[0].problem.what;
}

TEST(DoctorCells, FindsAPassageNarrowerThanAPersonOnceAndSaysWhatLiesBehindIt) {
  const auto found = of_code(examine_cells({}, two_rooms(0.35), 0.2), "narrow-passage");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].place.x, 4.5, 0.51);
  EXPECT_NEAR(found[0].place.y, 2, 1e-3);
  EXPECT_NE(found[0].problem.what.find("0.35 m wide"), std::string::npos) << found[0].problem.what;
  EXPECT_NE(found[0].problem.what.find("16 m²"), std::string::npos) << found[0].problem.what;
}

TEST(DoctorCells, IsContentWithTheSamePassageForASmallerPersonOrWider) {
  EXPECT_TRUE(of_code(examine_cells({}, two_rooms(0.35), 0.15), "narrow-passage").empty());
  EXPECT_TRUE(of_code(examine_cells({}, two_rooms(0.5), 0.2), "narrow-passage").empty());
}

TEST(DoctorCells, ANarrowGapWithAWayRoundIsOnlyANote) {
  // Two rooms with a narrow passage in the south and a wide one in the north.
  const Cells cells = make_cells(
      {{0, 0}, {4, 0}, {4, 1}, {4, 1.3}, {4, 2}, {4, 4}, {0, 4}, {5, 0}, {9, 0}, {9, 4}, {5, 4}, {5, 2}, {5, 1.3}, {5, 1}},
      {{0, 1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12, 13}, {2, 13, 12, 3}, {4, 11, 10, 5}});
  const auto all = examine_cells({}, cells, 0.2);
  EXPECT_TRUE(of_code(all, "narrow-passage").empty());
  const auto gaps = of_code(all, "narrow-gap");
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].severity, Finding::kNote);
  EXPECT_NEAR(gaps[0].place.y, 1.15, 1e-3);
}

TEST(DoctorCells, FindsACellThatIsNarrowInsideThoughItsPortalsAreWide) {
  Cells cells = two_rooms(1);
  const CellIndex passage = 2;
  for (std::uint32_t i = cells.width_start[passage]; i < cells.width_start[passage + 1]; ++i) cells.widths[i] = 0.3f;
  const auto found = of_code(examine_cells({}, cells, 0.2), "narrow-passage");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].place.x, 4.5, 1e-3);
}

TEST(DoctorCells, FindsNamedAreasThatLieOnNoGround) {
  Scene scene;
  const auto area = [&](const char* name, double x, double y) {
    Area a;
    a.name = name;
    a.shape.outer = {{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}};
    scene.areas.push_back(a);
  };
  area("inside", 1, 1);
  area("across the wall", 3.5, 3.5);
  area("in the shed", 20.5, 0.5);
  area("nowhere", 50, 50);
  area("beside the wall", 9, 1);
  const auto found = of_code(examine_cells(scene, two_rooms(1), 0.2), "area-off-ground");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_NE(found[0].problem.where.find("shed"), std::string::npos);
  EXPECT_NE(found[1].problem.where.find("nowhere"), std::string::npos);
  EXPECT_NE(found[2].problem.where.find("beside"), std::string::npos);
  // An area that says what an obstacle is.
  scene.layers.emplace_back().obstacles = {{{{20, 0}, {22, 0}, {22, 2}, {20, 2}}, {}}};
  EXPECT_EQ(of_code(examine_cells(scene, two_rooms(1), 0.2), "area-off-ground").size(), 2u) << "the shed is an obstacle now";
}

}  // namespace
}  // namespace throng
