// SPDX-License-Identifier: MIT
// Jülich's text files: as PeTrack, the data archive and JuPedSim's older tools wrote them, and as they should not be.
#include "trajectory/juelich_text.hpp"

#include "trajectory/files.hpp"
#include "walkers.hpp"

namespace throng {
namespace {

TEST(JuelichText, a_petrack_file_in_metres_is_read) {
  const auto t = read_juelich_text(
      "# PeTrack project: hall.pet\n# raw trajectory file\n# framerate: 25 fps\n# id frame x/m y/m z/m\n"
      "1 98 3.30 3.33 1.76\n1 99 3.35 3.33 1.76\n2 99 4.5 -1 1.80\n",
      "hall.txt");
  ASSERT_TRUE(t) << to_string(t.problems()[0]);
  EXPECT_DOUBLE_EQ(t->frame_seconds, 0.04);
  EXPECT_EQ(t->frame_start, (std::vector<std::uint64_t>{0, 1, 3}));
  EXPECT_EQ(t->agents[1].id, 2u);
  EXPECT_EQ(t->y, (std::vector<float>{3.33f, 3.33f, -1.0f}));
  EXPECT_EQ(t->z, (std::vector<float>{1.76f, 1.76f, 1.8f}));
  EXPECT_EQ(t->heading_x[0], 1);  // the direction of motion
}

TEST(JuelichText, centimetres_other_columns_and_rows_sorted_by_person_are_read) {
  const auto t = read_juelich_text(
      "#framerate: "
      "16.00\r\n#ID\tFR\tX/cm\tY/cm\tZ/"
      "cm\tA\tB\r\n1\t0\t330\t100\t0\t0.2\t0.2\r\n1\t1\t330\t90\t0\t.2\t.2\r\n2\t0\t+50\t1e2\t0\t.2\t.2",
      "cm.txt");
  ASSERT_TRUE(t) << to_string(t.problems()[0]);
  EXPECT_EQ(t->frame_start, (std::vector<std::uint64_t>{0, 2, 3}));
  EXPECT_EQ(t->x, (std::vector<float>{3.3f, 0.5f, 3.3f}));
  EXPECT_EQ(t->y, (std::vector<float>{1.0f, 1.0f, 0.9f}));
  EXPECT_EQ(t->heading_y[2], -1);
}

TEST(JuelichText, columns_may_be_in_another_order_and_z_may_be_absent) {
  const auto t = read_juelich_text("# framerate: 10\n# frame x/m y/m id\n0 1 2 7\n", "order.txt");
  ASSERT_TRUE(t);
  EXPECT_EQ(t->agents[0].id, 7u);
  EXPECT_EQ(t->x[0], 1);
  EXPECT_EQ(t->z[0], 0);
}

TEST(JuelichText, the_units_words_of_jpscore_are_understood) {
  const auto t = read_juelich_text(
      "#framerate: 8.00\n#geometry: corridor.xml\n#X,Y,Z: the agents coordinates (in metres)\n#ID\tFR\tX\tY\tZ\n1 0 1.5 2 0\n",
      "jps.txt");
  ASSERT_TRUE(t);
  EXPECT_EQ(t->x[0], 1.5f);
  EXPECT_EQ(t->geometry_wkt, "");  // a file name is no geometry
}

TEST(JuelichText, what_an_old_file_leaves_out_the_caller_says) {
  const std::string text = "1 0 100 200 0\n1 1 110 200 0\n";
  EXPECT_FALSE(read_juelich_text(text, "old.txt"));
  EXPECT_FALSE(read_juelich_text(text, "old.txt", {.unit_metres = 0.01}));
  const auto t = read_juelich_text(text, "old.txt", {.frames_per_second = 16, .unit_metres = 0.01});
  ASSERT_TRUE(t);
  EXPECT_EQ(t->x[1], 1.1f);
  EXPECT_DOUBLE_EQ(t->frame_seconds, 1.0 / 16);
}

TEST(JuelichText, frames_with_nobody_are_empty_and_not_absent) {
  const auto t = read_juelich_text("# framerate: 1\n# id frame x/m y/m z/m\n1 0 0 0 0\n1 1 0 0 0\n2 5 0 0 0\n", "gap.txt");
  ASSERT_TRUE(t);
  EXPECT_EQ(t->frame_count(), 6u);
  EXPECT_EQ(t->frame(3).size(), 0u);
  EXPECT_EQ(t->presence[1].first, 5u);
}

TEST(JuelichText, what_is_written_is_read_again_bit_for_bit) {
  const Trajectory t = walkers_trajectory(100, 30);
  const auto again = read_juelich_text(write_juelich_text(t), "again.txt");
  ASSERT_TRUE(again) << to_string(again.problems()[0]);
  EXPECT_EQ(again->frame_seconds, t.frame_seconds);
  EXPECT_EQ(again->frame_start, t.frame_start);
  EXPECT_EQ(again->agent, t.agent);
  EXPECT_EQ(again->x, t.x);
  EXPECT_EQ(again->y, t.y);
  EXPECT_EQ(again->geometry_wkt, t.geometry_wkt);
  EXPECT_EQ(write_juelich_text(*again), write_juelich_text(t));
}

struct Mistake {
  std::string text, where, what;
};

TEST(JuelichText, mistakes_are_reported_with_their_line) {
  const std::string head = "# framerate: 25 fps\n# id frame x/m y/m z/m\n";
  const std::vector<Mistake> mistakes = {
      {"", "f.txt", "frame rate"},
      {head, "f.txt", "nobody"},
      {"# framerate: fast\n", "line 1", "without a number"},
      {"# framerate: 0 fps\n", "line 1", "0.001"},
      {"# framerate: 1e9\n", "line 1", "100000"},
      {"# framerate: 25\n1 0 0 0 0\n", "line 2", "centimetres"},
      {"# id frame x/m y/m z/m\n1 0 0 0 0\n", "f.txt", "frame rate"},
      {head + "1 0 0 0 0\n1 1 0\n", "line 4", "\"y\" is missing"},
      {head + "1\n", "line 3", "\"frame\" is missing"},
      {head + "one 0 0 0 0\n", "line 3", "\"one\""},
      {head + "-1 0 0 0 0\n", "line 3", "\"-1\""},
      {head + "4294967296 0 0 0 0\n", "line 3", "4294967295"},
      {head + "1 0.5 0 0 0\n", "line 3", "\"0.5\""},
      {head + "1 99999999999999999999 0 0 0\n", "line 3", "\"frame\""},
      {head + "1 0 nan 0 0\n", "line 3", "\"nan\""},
      {head + "1 0 0 inf 0\n", "line 3", "\"inf\""},
      {head + "1 0 1,5 0 0\n", "line 3", "\"1,5\""},
      {head + "1 0 0 1e9 0\n", "line 3", "16384"},
      {head + "1 0 0 0 0x5\n", "line 3", "\"0x5\""},
      {head + "1 0 0 0 0\n1 0 1 1 0\n", "agent 1 in frame 0", "two rows"},
      {head + "1 0 0 0 0\n1 1 0 0 0\n1 9000000 0 0 0\n", "f.txt", "are allowed"},
      {head + "1 0 0 0 0\n# id frame x/cm y/cm\n", "line 4", "after the first row"},
      {head + std::string("1 0 \0 0 0\n", 10), "line 3", "\"x\""},
      {head + std::string(100000, 'a') + "\n", "line 3", "aaa…"},
  };
  for (const Mistake& m : mistakes) {
    SCOPED_TRACE(m.text.substr(0, 200));
    const auto result = read_juelich_text(m.text, "f.txt");
    ASSERT_FALSE(result);
    const Problem& problem = result.problems().front();
    EXPECT_NE(problem.where.find(m.where), std::string::npos) << to_string(problem);
    EXPECT_NE(problem.what.find(m.what), std::string::npos) << to_string(problem);
    EXPECT_FALSE(problem.fix.empty());
    EXPECT_LT(to_string(problem).size(), 400u);
  }
}

TEST(JuelichText, all_mistakes_are_reported_up_to_a_limit) {
  std::string text = "# framerate: 25 fps\n# id frame x/m y/m z/m\n1 0 a 0 0\n1 1 0 0 0\n1 2 b 0 0\n";
  EXPECT_EQ(read_juelich_text(text, "f.txt").problems().size(), 2u);
  for (int i = 0; i < 1000; ++i) text += "wrong\n";
  EXPECT_EQ(read_juelich_text(text, "f.txt").problems().size(), 20u);
}

class AnyFormat : public FilesTest {};

TEST_F(AnyFormat, the_content_says_what_a_file_is_and_the_ending_what_it_becomes) {
  const Trajectory t = walkers_trajectory(50, 10);
  ASSERT_FALSE(write_trajectory(t, path("a.sqlite")));
  ASSERT_FALSE(write_trajectory(t, path("a.txt")));
  std::filesystem::rename(path("a.sqlite"), path("b"));
  std::filesystem::rename(path("a.txt"), path("c"));
  const auto b = read_trajectory(path("b")), c = read_trajectory(path("c"));
  ASSERT_TRUE(b);
  ASSERT_TRUE(c);
  EXPECT_EQ(b->format, "jupedsim sqlite");
  EXPECT_EQ(c->format, "juelich text");
  EXPECT_EQ(b->trajectory.x, t.x);
  EXPECT_EQ(c->trajectory.x, t.x);
  const auto problem = write_trajectory(t, path("a.csv"));
  ASSERT_TRUE(problem);
  EXPECT_NE(problem->what.find(".csv"), std::string::npos);
}

}  // namespace
}  // namespace throng
