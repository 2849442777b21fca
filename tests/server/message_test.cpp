// SPDX-License-Identifier: MIT
#include "message.hpp"

#include <gtest/gtest.h>

namespace throng::server {
namespace {

TEST(StudioMessage, AVerbWithItsKeysIsReadAndNothingElseIs) {
  const auto request = read_message(R"({"id": 7, "do": "view", "time": 1.5, "playing": true})");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->id, 7);
  EXPECT_EQ(request->verb, Verb::kView);
  for (const char* wrong : {"", "null", "[]", "{}", "{\"do\": 3}", "{\"do\": \"fly\"}", "{\"do\": \"view\", \"tim\": 1}",
                            "{\"id\": \"x\", \"do\": \"view\"}", "{\"do\": \"view\"", "{\"do\": \"view\", \"do\": \"view\"}",
                            "{\"id\": 1e99, \"do\": \"view\"}", "\xff\xfe", "{\"do\": \"view\", \"\": 1}"})
    EXPECT_FALSE(read_message(wrong)) << wrong;
  EXPECT_FALSE(read_message(std::string(kLargestMessage + 1, ' ')));
  EXPECT_FALSE(read_message(std::string(100000, '[')));
}

TEST(StudioMessage, TheIdOfAWrongMessageIsKnownSoThatItsAnswerIs) {
  EXPECT_EQ(id_of(R"({"id": 9, "do": "fly"})"), 9);
  EXPECT_EQ(id_of("nonsense"), 0);
}

TEST(StudioMessage, ArgumentsOutsideTheirRangeAreProblemsThatNameThem) {
  const Json body = Json::parse(R"({"time": -1, "speed": "fast", "branch": 1.5, "at": [1], "playing": 1, "name": 3})");
  Arguments a(body);
  EXPECT_EQ(a.number("time", 4, 0, 10), 4);
  EXPECT_EQ(a.number("speed", 1, 0, 10), 1);
  EXPECT_EQ(a.whole("branch", 2, 10), 2u);
  EXPECT_FALSE(a.point("at"));
  EXPECT_FALSE(a.flag("playing", false));
  EXPECT_EQ(a.text("name", "x"), "x");
  EXPECT_EQ(a.number("absent", 3, 0, 1), 3);
  ASSERT_EQ(a.problems().size(), 6u);
  const Json list = json_of(a.problems());
  EXPECT_EQ(list[0]["pointer"], "/time");
  EXPECT_NE(list[0]["what"].get<std::string>().find("0 to 10"), std::string::npos);
}

TEST(StudioMessage, BrokenTextIsReplacedInAnswersInsteadOfThrown) {
  const Problem problem{"\xff", "\xc3", ""};
  EXPECT_NO_THROW(failure(1, {&problem, 1}));
}

}  // namespace
}  // namespace throng::server
