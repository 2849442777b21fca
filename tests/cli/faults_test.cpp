// SPDX-License-Identifier: MIT
// What goes wrong around a run: killed and colliding processes, full disks, damaged files, no memory, no threads.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "support/tree.hpp"
#include "trajectory/chunk.hpp"
#include "trajectory/recording.hpp"

extern char** environ;

namespace throng {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A run that takes minutes: it is there to be killed, or to be in the way.
constexpr const char* kLongRun = "run open_plaza --duration 100000 --quiet --threads 1";

class CliFaults : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("throng_faults_" + std::to_string(::getpid()) + "_" +
                                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override {
    std::error_code error;
    fs::remove_all(folder_, error);
  }
  static std::string program() { return test::binary_dir().string() + "/bin/throng"; }
  /// The program's exit status; 128 and its number for a signal. Its words are in stdout and stderr of the folder.
  int run(const std::string& words, const std::string& before = "timeout 100", const std::string& output = "stdout") {
    const std::string command =
        "cd '" + folder_.string() + "' && " + before + " '" + program() + "' " + words + " >" + output + " 2>stderr";
    const int status = std::system(command.c_str());
    if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
  }
  /// Starts the long run into a folder, and returns once its recording has whole chunks.
  pid_t start_long_run(const std::string& output) {
    const std::string command = "cd '" + folder_.string() + "' && exec '" + program() + "' " + kLongRun + " -o " + output;
    const char* words[] = {"sh", "-c", command.c_str(), nullptr};
    pid_t child = 0;
    if (::posix_spawn(&child, "/bin/sh", nullptr, nullptr, const_cast<char**>(words), environ) != 0) return 0;
    for (int wait = 0; wait < 3000; ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (read(output + "/.running") != std::to_string(child) + "\n") continue;
      if (!fs::exists(path(output + "/recording.throng"))) continue;
      const auto recording = Recording::open(path(output + "/recording.throng").string());
      // An older one that was finished may still lie there.
      if (recording && recording->frame_count() > 0 && !recording->ended_early().empty()) break;
    }
    return child;
  }
  static void kill_now(pid_t child) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  std::string read(const std::string& name) const {
    std::ifstream stream(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  json document(const std::string& name) const { return json::parse(read(name), nullptr, false); }
  void write(const std::string& name, const std::string& content) { std::ofstream(folder_ / name, std::ios::binary) << content; }
  fs::path path(const std::string& name) const { return folder_ / name; }

 private:
  fs::path folder_;
};

TEST_F(CliFaults, a_second_run_into_a_folder_is_refused_and_names_the_first) {
  const pid_t first = start_long_run("out");
  ASSERT_GT(first, 0);
  EXPECT_EQ(run("run bottleneck -o out --duration 5 --quiet"), 1);
  EXPECT_NE(read("stderr").find("process " + std::to_string(first) + " writes a run into this folder"), std::string::npos)
      << read("stderr");
  // The first goes on undisturbed, and once it is gone the folder is free.
  EXPECT_EQ(::kill(first, 0), 0);
  EXPECT_EQ(run("run bottleneck -o other --duration 5 --quiet"), 0) << read("stderr");
  kill_now(first);
  EXPECT_EQ(run("run bottleneck -o out --duration 5 --quiet"), 0) << read("stderr");
  EXPECT_EQ(run("check out"), 0) << read("stderr");
  EXPECT_FALSE(fs::exists(path("out/.running")));
  EXPECT_FALSE(fs::exists(path("out/previous")));
}

TEST_F(CliFaults, a_killed_run_leaves_whole_chunks_and_the_run_before_beside_it) {
  ASSERT_EQ(run("run bottleneck -o out --duration 5 --quiet"), 0) << read("stderr");
  const std::string summary = read("out/summary.json"), recording = read("out/recording.throng");
  const pid_t child = start_long_run("out");
  ASSERT_GT(child, 0);
  // An old summary never stands beside a new recording.
  EXPECT_FALSE(fs::exists(path("out/summary.json")));
  kill_now(child);
  EXPECT_EQ(run("check out"), 0) << read("stderr");
  EXPECT_NE(read("stderr").find("ended early"), std::string::npos) << read("stderr");
  EXPECT_TRUE(read("out/previous/summary.json") == summary);
  EXPECT_TRUE(read("out/previous/recording.throng") == recording);
  // Another killed one does not drive it out; one that ends does.
  const pid_t again = start_long_run("out");
  ASSERT_GT(again, 0);
  kill_now(again);
  EXPECT_TRUE(read("out/previous/recording.throng") == recording);
  EXPECT_EQ(run("run bottleneck -o out --duration 6 --quiet"), 0) << read("stderr");
  EXPECT_FALSE(fs::exists(path("out/previous")));
  EXPECT_EQ(document("out/summary.json")["simulated_s"], 6);
}

TEST_F(CliFaults, a_run_that_cannot_begin_leaves_the_run_before_where_it_was) {
  ASSERT_EQ(run("run bottleneck -o out --duration 5 --quiet"), 0) << read("stderr");
  const std::string summary = read("out/summary.json"), recording = read("out/recording.throng");
  EXPECT_EQ(run("run bottleneck -o out --model no_such_model"), 1);
  // No room for a single block.
  EXPECT_EQ(run("run bottleneck -o out --duration 5 --quiet", "ulimit -f 0;"), 1);
  EXPECT_TRUE(read("out/summary.json") == summary);
  EXPECT_TRUE(read("out/recording.throng") == recording);
  EXPECT_FALSE(fs::exists(path("out/previous")));
}

TEST_F(CliFaults, check_finds_a_flipped_bit_in_every_chunk_of_a_recording) {
  ASSERT_EQ(run("run four_way_crossing -o out --duration 75 --quiet"), 0) << read("stderr");
  ASSERT_EQ(run("check out --json"), 0) << read("stderr");
  const json whole = document("stdout");
  const auto recording = Recording::open(path("out/recording.throng").string());
  ASSERT_TRUE(recording);
  EXPECT_EQ(whole["frames_compared"], recording->frame_count());
  EXPECT_EQ(whole["events_compared"], recording->events()->size());
  EXPECT_GT(whole["events_compared"], 0);
  const std::string bytes = read("out/recording.throng");
  int damaged = 0;
  for (const ChunkPlace& chunk : recording->chunks()) {
    if (chunk.header.kind == ChunkKind::kSummary) continue;  // the last: a chunk that a power cut has torn, and told as such
    std::string flipped = bytes;
    flipped[chunk.offset + kChunkHeader + chunk.header.stored_size / 2] ^= 1;
    write("flipped.throng", flipped);
    EXPECT_EQ(run("check flipped.throng"), 1) << "chunk at " << chunk.offset << read("stdout");
    EXPECT_NE(read("stderr").find("damaged"), std::string::npos) << read("stderr");
    ++damaged;
  }
  EXPECT_GT(damaged, 5);
}

TEST_F(CliFaults, check_sees_frames_and_events_that_the_run_did_not_have) {
  ASSERT_EQ(run("run four_way_crossing -o out --duration 50 --quiet"), 0) << read("stderr");
  const auto honest = Recording::open(path("out/recording.throng").string());
  ASSERT_TRUE(honest);
  enum Forgery { kNone, kFrame, kEvent, kMissingEvent };
  for (const Forgery forgery : {kNone, kFrame, kEvent, kMissingEvent}) {
    auto writer = RecordingWriter::create(path("forged.throng").string(), honest->header());
    ASSERT_TRUE(writer);
    const auto events = honest->events();
    ASSERT_GT(events->size(), 2u);
    for (std::size_t i = 0; i < events->size(); ++i) {
      RecordedEvent event = (*events)[i];
      if (forgery == kEvent && i == 1) event.agent += 1;
      if (forgery == kMissingEvent && i == 1) continue;
      ASSERT_FALSE(writer->add_event(event));
    }
    FrameCursor frames(*honest);
    while (frames.next()) {
      const FrameView frame = frames.frame();
      std::vector<float> x(frame.x.begin(), frame.x.end());
      if (forgery == kFrame && frame.number == 100) x[3] += 0.01f;
      FrameView changed = frame;
      changed.x = x;
      ASSERT_FALSE(writer->add_frame(changed));
      if (frame.number == 0) {
        const auto snapshot = honest->snapshot_before(0);
        ASSERT_TRUE(snapshot);
        ASSERT_FALSE(writer->add_snapshot(0, *honest->read(*snapshot)));
      }
    }
    ASSERT_FALSE(writer->finish(*honest->summary()));
    EXPECT_EQ(run("check forged.throng --json"), forgery == kNone ? 0 : 1) << forgery << read("stderr");
    const json found = document("stdout");
    EXPECT_EQ(found["mismatches"], 0);
    EXPECT_EQ(found["frame_mismatches"], forgery == kFrame ? 1 : 0) << forgery;
    EXPECT_EQ(found["event_mismatches"].get<int>() > 0, forgery == kEvent || forgery == kMissingEvent) << forgery;
  }
}

TEST_F(CliFaults, a_snapshot_whose_frames_were_lost_by_a_kill_is_left_out) {
  ASSERT_EQ(run("run four_way_crossing -o out --duration 65 --quiet"), 0) << read("stderr");
  const auto recording = Recording::open(path("out/recording.throng").string());
  ASSERT_TRUE(recording);
  // The file as a kill just behind the second snapshot leaves it: frames wait for their chunk to fill.
  const std::string bytes = read("out/recording.throng");
  std::uint64_t end = 0;
  for (const ChunkPlace& chunk : recording->chunks())
    if (chunk.header.kind == ChunkKind::kSnapshot && chunk.header.first == 600)
      end = chunk.offset + kChunkHeader + chunk.header.stored_size;
  ASSERT_GT(end, 0u);
  write("killed.throng", bytes.substr(0, end));
  const auto killed = Recording::open(path("killed.throng").string());
  ASSERT_TRUE(killed);
  ASSERT_LT(killed->frame_count() * 2, 600u) << "the snapshot lies beyond the last frame";
  EXPECT_EQ(run("check killed.throng --json"), 0) << read("stderr");
  EXPECT_EQ(document("stdout")["snapshots"], 1);
  EXPECT_EQ(document("stdout")["frames_compared"], killed->frame_count());
  EXPECT_EQ(run("run killed.throng --from 20 --duration 65 --quiet --json"), 0) << read("stderr");
  EXPECT_EQ(document("stdout")["hash"], document("out/summary.json")["hash"]);
  EXPECT_EQ(run("run killed.throng --from 62"), 1);
  EXPECT_NE(read("stderr").find("beyond its last frame"), std::string::npos) << read("stderr");
}

TEST_F(CliFaults, a_run_can_be_prolonged_and_is_then_the_longer_run) {
  ASSERT_EQ(run("run four_way_crossing -o short --duration 20 --allow-lost --quiet"), 0) << read("stderr");
  ASSERT_EQ(run("run four_way_crossing -o long --duration 40 --quiet"), 0) << read("stderr");
  ASSERT_EQ(run("run short --from 20 --duration 40 -o on --quiet"), 0) << read("stderr");
  EXPECT_EQ(document("on/summary.json")["hash"], document("long/summary.json")["hash"]);
  EXPECT_NE(document("short/summary.json")["hash"], document("long/summary.json")["hash"]);
  EXPECT_EQ(run("check on"), 0) << read("stderr");
  // Shorter, too; but not another seed's.
  ASSERT_EQ(run("run long --from 5 --duration 20 --allow-lost --quiet --json"), 0) << read("stderr");
  EXPECT_EQ(document("stdout")["hash"], document("short/summary.json")["hash"]);
  EXPECT_EQ(run("run short --seed 9"), 1);
}

TEST_F(CliFaults, what_cannot_be_printed_is_no_success) {
  for (const std::string words : {"check bottleneck --json", "run bottleneck --duration 1 --allow-lost --quiet --json", "bake office:3 --json",
                                  "--version", "run --help"}) {
    EXPECT_EQ(run(words, "timeout 100", "/dev/full"), 1) << words;
    EXPECT_NE(read("stderr").find("could not be written"), std::string::npos) << words << read("stderr");
    EXPECT_EQ(run(words), 0) << words;
  }
}

TEST_F(CliFaults, a_limit_on_file_sizes_ends_a_run_with_words_and_what_fits_can_be_read) {
  EXPECT_EQ(run("run four_way_crossing -o out --duration 75 --quiet", "ulimit -f 100;"), 1);
  EXPECT_NE(read("stderr").find("the recording cannot be written"), std::string::npos) << read("stderr");
  EXPECT_EQ(run("export out/recording.throng -o all.txt"), 0) << read("stderr");
  EXPECT_EQ(run("bake city:50 -o big.nav --quiet", "ulimit -f 1;"), 1);
  EXPECT_NE(read("stderr").find("the file cannot be written"), std::string::npos) << read("stderr");
}

TEST_F(CliFaults, a_bake_that_does_not_end_leaves_the_file_before_and_no_part) {
  ASSERT_EQ(run("bake office:3 -o place.nav --quiet"), 0) << read("stderr");
  const std::string before = read("place.nav");
  EXPECT_EQ(run("bake city:50 -o place.nav --quiet", "ulimit -f 1;"), 1) << "it does not fit";
  EXPECT_TRUE(read("place.nav") == before);
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(path("."))) files += entry.path().string().find(".nav") != std::string::npos;
  EXPECT_EQ(files, 1u);
  // A link stays a link, and what is no file is written as it is.
  fs::create_symlink("place.nav", path("link.nav"));
  ASSERT_EQ(run("bake office:4 -o link.nav --quiet"), 0) << read("stderr");
  EXPECT_TRUE(fs::is_symlink(path("link.nav")));
  EXPECT_FALSE(read("place.nav") == before);
  EXPECT_EQ(run("bake office:3 -o /dev/null --quiet"), 0) << read("stderr");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(CliFaults, export_takes_the_folder_of_a_run) {
  ASSERT_EQ(run("run bottleneck -o out --duration 5 --quiet"), 0) << read("stderr");
  EXPECT_EQ(run("export out -o folder.txt"), 0) << read("stderr");
  EXPECT_EQ(run("export out/recording.throng -o file.txt"), 0) << read("stderr");
  EXPECT_TRUE(read("folder.txt") == read("file.txt"));
  fs::create_directory(path("empty"));
  EXPECT_EQ(run("export empty -o empty.txt"), 1);
  EXPECT_NE(read("stderr").find("this folder holds no recording"), std::string::npos) << read("stderr");
}

TEST_F(CliFaults, a_scenario_without_agents_says_so) {
  write("empty.json", R"({"throng_scenario": 1, "scene": "office:3"})");
  EXPECT_EQ(run("run empty.json --quiet"), 0) << read("stderr");
  EXPECT_NE(read("stderr").find("no agent is in it and none comes"), std::string::npos) << read("stderr");
  EXPECT_EQ(run("run bottleneck --duration 1 --allow-lost --quiet"), 0);
  EXPECT_EQ(read("stderr").find("no agent is in it"), std::string::npos);
}

TEST_F(CliFaults, no_message_repeats_bytes_of_a_file_that_are_not_text) {
  write("broken.json",
        "{\"throng_scenario\": 1, \"scene\": \"office:3\", \"na\x1b[31mme\xff\": 1, \"kinds\": {\"\x1b]0;x\x07\": 5}}");
  EXPECT_EQ(run("check broken.json"), 1);
  for (const unsigned char c : read("stderr")) EXPECT_TRUE(c == '\n' || c >= 0x20) << int{c};
  EXPECT_EQ(read("stderr").find('\xff'), std::string::npos);
  write("escape.json", "{\"throng_scenario\": 1, \"scene\": \"office:3\", \"na\\u001b[31mme\": 1, \"kinds\": {\"\\u0007\": 5}}");
  EXPECT_EQ(run("check escape.json"), 1);
  for (const unsigned char c : read("stderr")) EXPECT_TRUE(c == '\n' || c >= 0x20) << int{c};
}

TEST_F(CliFaults, the_token_of_the_studio_is_on_no_command_line) {
  // What the system would open a browser with notes what it was given, and what that file is.
  fs::create_directory(path("bin"));
  write("bin/xdg-open",
        "#!/bin/sh\nprintf '%s\\n' \"$@\" >words\nstat -c %a \"$1\" >mode\ncp \"$1\" page.tmp\nmv page.tmp page\n");
  fs::permissions(path("bin/xdg-open"), fs::perms::owner_all);
  const std::string command = "cd '" + path(".").string() +
                              "' && DISPLAY=:9 PATH=\"$PWD/bin:$PATH\" TMPDIR=\"$PWD\" XDG_RUNTIME_DIR= exec '" + program() +
                              "' studio --port 0 --dir . >address 2>stderr";
  const char* words[] = {"sh", "-c", command.c_str(), nullptr};
  pid_t child = 0;
  ASSERT_EQ(::posix_spawn(&child, "/bin/sh", nullptr, nullptr, const_cast<char**>(words), environ), 0);
  for (int wait = 0; wait < 2000 && !fs::exists(path("page")); ++wait) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const std::string address = read("address");
  const std::size_t at = address.find("token=");
  EXPECT_NE(at, std::string::npos) << read("stderr");
  const std::string token = at == std::string::npos ? "none" : address.substr(at + 6, 32);
  EXPECT_FALSE(read("words").empty());
  EXPECT_EQ(read("words").find(token), std::string::npos) << read("words");
  EXPECT_EQ(read("mode"), "600\n");
  EXPECT_NE(read("page").find(token), std::string::npos) << "the page leads there";
  ::kill(child, SIGTERM);
  ::waitpid(child, nullptr, 0);
  std::string opened = read("words");
  opened.resize(opened.size() - std::min<std::size_t>(opened.size(), 1));
  EXPECT_FALSE(fs::exists(opened)) << "it goes with the studio";
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // their shadows take more address space than any limit
TEST_F(CliFaults, little_memory_and_few_threads_end_in_words_or_in_success) {
  int said = 0;
  for (const int kilobytes : {40'000, 60'000, 80'000, 120'000, 200'000, 400'000}) {
    const std::string limit = "ulimit -v " + std::to_string(kilobytes) + "; timeout 60";
    for (const std::string words :
         {"run city_rush_hour --duration 1 --quiet --threads 8", "bake city:2600 --quiet --threads 8"}) {
      const int status = run(words, limit);
      EXPECT_TRUE(status == 0 || status == 1) << status << " at " << limit << " " << words << "\n" << read("stderr");
      EXPECT_TRUE(status == 0 || read("stderr").find("memory") != std::string::npos) << limit << words << read("stderr");
      EXPECT_EQ(read("stderr").find("bad_alloc"), std::string::npos) << read("stderr");
      said += status == 1;
    }
  }
  EXPECT_GT(said, 0) << "limits that never bind test nothing";
  EXPECT_EQ(run("run bottleneck --duration 1 --allow-lost --quiet --threads 100000"), 0) << read("stderr");
}
#endif

}  // namespace
}  // namespace throng
