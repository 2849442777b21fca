// SPDX-License-Identifier: MIT
// throng export as its users meet it: from any of the three formats to the two that others read.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "support/tree.hpp"

namespace throng {
namespace {

namespace fs = std::filesystem;

class Export : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("throng_export_" + std::to_string(::getpid()) + "_" +
                                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    for (const char* name : {"run.throng", "killed.throng"})
      fs::copy_file(test::source_dir() / "tests/fuzz/corpus/recording" / name, folder_ / name);
  }
  void TearDown() override {
    std::error_code error;
    fs::remove_all(folder_, error);
  }
  int run(const std::string& words) {
    const int status = std::system(
        ("cd '" + folder_.string() + "' && timeout 60 '" + test::binary_dir().string() + "/bin/throng' export " + words + " >stdout 2>stderr")
            .c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
  }
  std::string slurp(const std::string& name) const {
    std::ifstream stream(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  nlohmann::json document() const { return nlohmann::json::parse(slurp("stdout"), nullptr, false); }

  fs::path folder_;
};

TEST_F(Export, goes_through_both_formats_and_back_without_losing_a_row) {
  ASSERT_EQ(run("run.throng -o a.txt --json"), 0) << slurp("stderr");
  const nlohmann::json first = document();
  EXPECT_EQ(first["from"], "recording");
  EXPECT_EQ(first["agents"], 4);
  EXPECT_EQ(first["frames"], 80);
  EXPECT_EQ(first["frames_per_second"], 10);
  ASSERT_EQ(run("a.txt -o b.sqlite --json"), 0) << slurp("stderr");
  EXPECT_EQ(document()["from"], "juelich text");
  EXPECT_EQ(document()["rows"], first["rows"]);
  ASSERT_EQ(run("b.sqlite -o c.txt --json"), 0) << slurp("stderr");
  EXPECT_EQ(document()["from"], "jupedsim sqlite");
  // All but the heights, which SQLite has no place for.
  const auto without_heights = [&](const char* name) {
    std::istringstream lines(slurp(name));
    std::string kept;
    for (std::string line; std::getline(lines, line);) kept += (line[0] == '#' ? line : line.substr(0, line.rfind(' '))) + "\n";
    return kept;
  };
  EXPECT_EQ(without_heights("c.txt"), without_heights("a.txt"));
}

TEST_F(Export, a_recording_that_ended_early_gives_what_is_there_and_says_so) {
  ASSERT_EQ(run("killed.throng -o a.txt --json"), 0);
  EXPECT_EQ(document()["frames"], 64);
  EXPECT_NE(document()["notice"].get<std::string>().find("ended early"), std::string::npos);
  EXPECT_NE(slurp("stderr").find("ended early"), std::string::npos);
}

TEST_F(Export, bad_input_is_1_with_a_reason_and_wrong_usage_is_2) {
  for (const char* words :
       {"absent.throng -o a.txt", "run.throng -o a.csv", "run.throng -o no/folder/a.sqlite", "stdout -o a.txt"}) {
    SCOPED_TRACE(words);
    EXPECT_EQ(run(std::string(words) + " --json"), 1);
    ASSERT_TRUE(document().contains("problems")) << slurp("stdout");
    for (const char* field : {"where", "what", "fix"}) EXPECT_FALSE(document()["problems"][0][field].get<std::string>().empty());
    EXPECT_FALSE(fs::exists(folder_ / "a.txt"));
  }
  EXPECT_EQ(run("run.throng"), 2);
  EXPECT_EQ(run("run.throng -o a.txt --unit feet"), 2);
}

TEST_F(Export, what_an_old_text_file_leaves_out_can_be_said) {
  std::ofstream(folder_ / "old.txt") << "1 0 100 200 0\n1 1 110 200 0\n";
  EXPECT_EQ(run("old.txt -o a.txt"), 1);
  ASSERT_EQ(run("old.txt -o a.txt --fps 16 --unit cm"), 0) << slurp("stderr");
  EXPECT_NE(slurp("a.txt").find("1 1 1.1 2 0"), std::string::npos) << slurp("a.txt");
}

/// The smallest page that has what a built page has.
void write_built_page(const fs::path& folder) {
  fs::create_directories(folder / "assets");
  std::ofstream(folder / "index.html") << R"(<html><head><link rel="icon" href="icon.svg"><link rel="stylesheet" href="assets/studio.css">)"
                                       << R"(<script type="module" src="assets/studio.js"></script></head><body></body></html>)";
  std::ofstream(folder / "assets/studio.js") << "start(window.THRONG_EMBEDDED)";
  std::ofstream(folder / "assets/studio.css") << "body { margin: 0 }";
}

TEST_F(Export, a_page_holds_the_run_and_asks_for_no_other_file) {
  write_built_page(folder_ / "page");
  ::setenv("THRONG_STUDIO_DIR", (folder_ / "page").c_str(), 1);
  const std::string simulate = "cd '" + folder_.string() + "' && '" + test::binary_dir().string() +
                               "/bin/throng' run bottleneck -o crowd --duration 6 --quiet >stdout 2>stderr";
  ASSERT_EQ(std::system(simulate.c_str()), 0) << slurp("stderr");
  const int status = run("crowd -o run.html --json");
  const int later = run("crowd -o later.html --json --span 4 5");
  ::setenv("THRONG_STUDIO_DIR", "/nowhere", 1);
  const int without_page = run("crowd -o none.html");
  ::unsetenv("THRONG_STUDIO_DIR");
  if (status == 1 && slurp("stderr").find("without the studio") != std::string::npos) GTEST_SKIP() << "skipped: built without the studio";
  ASSERT_EQ(status, 0) << slurp("stderr");
  ASSERT_EQ(later, 0);
  const std::string page = slurp("run.html");
  const std::size_t data = page.find("window.THRONG_EMBEDDED={");
  ASSERT_NE(data, std::string::npos);
  EXPECT_NE(page.find("\"frames\":\"", data), std::string::npos);
  EXPECT_NE(page.find("start(window.THRONG_EMBEDDED)"), std::string::npos);
  for (const char* other : {" src=", " href="}) EXPECT_EQ(page.find(other), std::string::npos) << other;
  EXPECT_LT(fs::file_size(folder_ / "later.html"), page.size());
  EXPECT_EQ(without_page, 1);
  EXPECT_FALSE(fs::exists(folder_ / "none.html"));
  EXPECT_NE(slurp("stderr").find("./throng studio"), std::string::npos) << slurp("stderr");
}

}  // namespace
}  // namespace throng
