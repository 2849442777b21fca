// SPDX-License-Identifier: MIT
// `throng demo`, a small share of it: what it makes, and what it says where something is missing.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/tree.hpp"

namespace throng {
namespace {

namespace fs = std::filesystem;

class CliDemo : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::temp_directory_path() /
             ("throng_demo_" + std::to_string(getpid()) + "_" + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  /// Runs a shell line with `$throng` and `$folder` set; keeps what it printed.
  int run(const std::string& line) {
    const std::string program = test::binary_dir().string() + "/bin/throng";
    const std::string command = "cd " + test::source_dir().string() + " && throng=" + program + " folder=" + folder.string() +
                                " && (" + line + ") >" + (folder / "stdout").string() + " 2>" + (folder / "stderr").string();
    const int status = std::system(command.c_str());
    out = text_of("stdout");
    err = text_of("stderr");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string text_of(const std::string& name) const {
    std::ifstream file(folder / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  fs::path folder;
  std::string out, err;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST_F(CliDemo, names_the_first_picture_before_the_rest_and_ends_with_five_lines) {
  ASSERT_EQ(run("$throng demo --share 0.02 --no-video -o $folder/demo"), 0) << err;
  const auto lines = lines_of(out);
  ASSERT_EQ(lines.size(), 6u) << out;
  EXPECT_EQ(lines[0].rfind("The first picture: ", 0), 0u);
  const char* const beginnings[] = {"Made: ", "Where: ", "How fast: ", "Left out: ", "Next: "};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(lines[i + 1].rfind(beginnings[i], 0), 0u) << lines[i + 1];
  EXPECT_NE(lines[4].find("--no-video"), std::string::npos);
  for (const char* file : {"bottleneck.png", "square.png", "square_density.png", "city.png"})
    EXPECT_GT(fs::file_size(folder / "demo" / file), 5000u) << file;
  for (const char* scene : {"bottleneck", "great_square", "rush_hour"})
    EXPECT_TRUE(fs::exists(folder / "demo" / scene / "recording.throng")) << scene;
  // Progress says what is left, and goes to stderr.
  EXPECT_NE(err.find("1 of "), std::string::npos);
  EXPECT_NE(err.find(" left"), std::string::npos);
}

TEST_F(CliDemo, without_ffmpeg_and_page_it_ends_well_and_says_what_was_left_out) {
  ASSERT_EQ(run("mkdir $folder/bin && ln -s $(command -v sh) $folder/bin/sh && PATH=$folder/bin THRONG_STUDIO_DIR=/nowhere "
                "$throng demo --share 0.02 --json --quiet -o $folder/demo"),
            0)
      << err;
  const auto document = nlohmann::json::parse(out);
  std::string left_out;
  for (const auto& words : document["left_out"]) left_out += words.get<std::string>() + "\n";
  EXPECT_NE(left_out.find("ffmpeg"), std::string::npos) << left_out;
  EXPECT_NE(left_out.find("page"), std::string::npos) << left_out;
  for (const auto& file : document["files"]) {
    EXPECT_TRUE(fs::exists(file.get<std::string>())) << file;
    EXPECT_EQ(file.get<std::string>().find(".mp4"), std::string::npos);
  }
  EXPECT_EQ(document["scenes"].size(), 3u);
  EXPECT_GT(document["scenes"][1]["summary"]["agents"].get<int>(), 5000);
}

TEST_F(CliDemo, has_thousands_in_its_square_and_over_ten_thousand_in_its_city) {
  for (const auto& [name, least] : {std::pair("great_square", 5000), std::pair("rush_hour", 10000)}) {
    ASSERT_EQ(run("$throng run " + std::string(name) + " --duration 0.5 --allow-lost --json --quiet"), 0) << err;
    const auto summary = nlohmann::json::parse(out);
    EXPECT_GE(summary["agents"].get<int>(), least) << name;
    EXPECT_TRUE(summary["problems"].empty()) << summary["problems"].dump();
  }
}

}  // namespace
}  // namespace throng
