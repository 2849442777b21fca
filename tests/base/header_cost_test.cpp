// SPDX-License-Identifier: MIT
// What each public header costs whoever includes it: lines that are left after the preprocessor, standard library and all. A header
// that drags in more than it did fails here. If the new cost is worth it, write the new figure into the table and the reason into
// the commit.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

#include "support/tree.hpp"

namespace throng {
namespace {

namespace fs = std::filesystem;

/// Lines with g++ 12 and its standard library.
const std::map<std::string, int> kLines{
    {"detail.hpp", 17589},
    {"edits.hpp", 57582},
    {"explain.hpp", 30644},
    {"fields.hpp", 15870},
    {"graph.hpp", 58177},
    {"groups.hpp", 163},
    {"layers.hpp", 57557},
    {"models.hpp", 32294},
    {"navigation.hpp", 57536},
    {"reactive.hpp", 19284},
    {"regions.hpp", 23525},
    {"result.hpp", 24519},
    {"rules.hpp", 30546},
    {"scene.hpp", 30431},
    {"throng.hpp", 58871},
    {"vec.hpp", 15767},
    {"vehicles.hpp", 21630},
    {"world.hpp", 58850}};
constexpr double kSlack = 1.02;  // comments and small declarations are free

struct Answer {
  int status = 0;
  std::string text;
};
Answer ask(const std::string& command) {
  Answer answer;
  FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 65536> buffer;
  for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) answer.text.append(buffer.data(), n);
  answer.status = pclose(pipe);
  return answer;
}

int lines_of(const std::string& header) {
  const Answer answer = ask("printf '#include <throng/%s>\\n' '" + header + "' | '" + test::compiler() + "' -std=c++20 -I'" +
                            (test::source_dir() / "include").string() + "' -E -P -x c++ -");
  EXPECT_EQ(answer.status, 0) << header;
  int lines = 0;
  std::size_t begin = 0;
  while (begin < answer.text.size()) {
    const std::size_t end = std::min(answer.text.find('\n', begin), answer.text.size());
    lines += answer.text.find_first_not_of(" \t", begin) < end ? 1 : 0;
    begin = end + 1;
  }
  return lines;
}

TEST(PublicHeaders, drag_in_no_more_than_they_did) {
  const std::string version = ask("'" + test::compiler() + "' -dumpversion").text;
  if (version.rfind("12", 0) != 0) GTEST_SKIP() << "skipped: the figures are those of g++ 12";
  for (const auto& entry : fs::directory_iterator(test::source_dir() / "include/throng")) {
    const std::string header = entry.path().filename().string();
    if (entry.path().extension() != ".hpp") continue;
    const auto row = kLines.find(header);
    const int lines = lines_of(header);
    if (row == kLines.end()) {
      ADD_FAILURE() << "throng/" << header << " has " << lines << " lines: write it into the table of tests/base/header_cost_test.cpp";
      continue;
    }
    EXPECT_LE(lines, static_cast<int>(kSlack * row->second)) << "throng/" << header << " had " << row->second << " lines";
  }
}

TEST(PublicHeaders, a_heavier_include_is_noticed) {
  const std::string version = ask("'" + test::compiler() + "' -dumpversion").text;
  if (version.rfind("12", 0) != 0) GTEST_SKIP() << "skipped: the figures are those of g++ 12";
  const Answer heavy = ask("printf '#include <throng/vec.hpp>\\n#include <string>\\n' | '" + test::compiler() + "' -std=c++20 -I'" +
                           (test::source_dir() / "include").string() + "' -E -P -x c++ - | wc -l");
  EXPECT_GT(std::stoi(heavy.text), kSlack * kLines.at("vec.hpp"));
}

}  // namespace
}  // namespace throng
