// SPDX-License-Identifier: MIT
// Recordings as files: what goes in comes out, from any frame on, and a run that was killed leaves all but its last chunk.
#include "trajectory/recording.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <thread>

#include "walkers.hpp"

namespace throng {
namespace {

constexpr std::uint32_t kPeople = 40;

class RecordingFile : public FilesTest {
 protected:
  RecordingHeader header() const {
    RecordingHeader h;
    h.engine_version = "0.1.0";
    h.scenario = R"({"scene": "hall"})";
    h.geometry_wkt = "POLYGON ((-20 0, 40 0, 40 6, -20 6, -20 0))";
    h.step_seconds = 0.05;
    h.steps_per_frame = 2;
    h.first_step = 100;
    h.seed = 0x123456789ABCDEF0u;
    h.kinds = {"adult", "child", "wheelchair"};
    return h;
  }
  /// `frames` of walkers with a snapshot and an event every 50.
  std::string record(std::uint32_t frames, bool finish = true) {
    auto writer = RecordingWriter::create(path("run.throng"), header());
    EXPECT_TRUE(writer);
    for (std::uint32_t k = 0; k < frames; ++k) {
      if (k % 50 == 0) {
        EXPECT_FALSE(writer->add_snapshot(100 + 2 * k, "state " + std::to_string(k)));
        EXPECT_FALSE(writer->add_event({0.1 * k, "arrival", k, "at the door"}));
      }
      EXPECT_FALSE(writer->add_frame(walkers_at(k, kPeople).columns()));
    }
    EXPECT_EQ(writer->frame_count(), frames);
    if (finish) {
      EXPECT_FALSE(writer->finish(R"({"hash": "42"})"));
      EXPECT_EQ(writer->byte_count(), std::filesystem::file_size(path("run.throng")));
    }
    return path("run.throng");
  }
};

void expect_frame(const FrameView& frame, std::uint32_t number) {
  const OwnedFrame expected = walkers_at(number, kPeople).sorted();
  ASSERT_EQ(frame.number, number);
  ASSERT_EQ(frame.size(), expected.id.size());
  for (std::size_t i = 0; i < frame.size(); ++i) {
    ASSERT_EQ(frame.facts(i), (AgentFacts{expected.id[i], expected.radius[i], expected.preferred_speed[i], expected.kind[i]}));
    ASSERT_EQ(frame.x[i], expected.x[i]);
    ASSERT_EQ(frame.y[i], expected.y[i]);
    ASSERT_EQ(frame.heading_x[i], expected.heading_x[i]);
    ASSERT_EQ(frame.heading_y[i], expected.heading_y[i]);
    ASSERT_EQ(frame.z[i], expected.z[i]);
    ASSERT_EQ(frame.layer[i], expected.layer[i]);
  }
}

TEST_F(RecordingFile, groups_come_back_and_make_it_version_two) {
  for (const bool has_groups : {false, true}) {
    RecordingHeader with = header();
    with.has_groups = has_groups;
    auto writer = RecordingWriter::create(path("groups.throng"), with);
    ASSERT_TRUE(writer);
    for (std::uint32_t k = 0; k < 100; ++k) {
      const OwnedFrame frame = walkers_at(k, kPeople);
      FrameColumns columns = frame.columns();
      std::vector<std::uint32_t> group;
      for (const std::uint32_t id : frame.id) group.push_back(id % 3 == 0 ? 0 : 70000 + id % 5);
      if (has_groups) columns.group = group;
      EXPECT_FALSE(writer->add_frame(columns));
    }
    EXPECT_FALSE(writer->finish("{}"));
    std::ifstream file(path("groups.throng"), std::ios::binary);
    file.seekg(8);
    EXPECT_EQ(file.get(), has_groups ? 2 : 1) << "programs that know of no groups read what has none";
    const auto recording = Recording::open(path("groups.throng"));
    ASSERT_TRUE(recording) << to_string(recording.problems()[0]);
    EXPECT_EQ(recording->header().has_groups, has_groups);
    const auto trajectory = recording->load();
    ASSERT_TRUE(trajectory);
    ASSERT_GT(trajectory->agents.size(), 20);
    for (const AgentFacts& facts : trajectory->agents)
      EXPECT_EQ(facts.group, !has_groups || facts.id % 3 == 0 ? 0 : 70000 + facts.id % 5);

    // Frame by frame into another file: the same bytes.
    auto copy = RecordingWriter::create(path("copy.throng"), with);
    ASSERT_TRUE(copy);
    for (std::size_t k = 0; k < trajectory->frame_count(); ++k) EXPECT_FALSE(copy->add_frame(trajectory->frame(k)));
    EXPECT_FALSE(copy->finish("{}"));
    std::ifstream first(path("groups.throng"), std::ios::binary), second(path("copy.throng"), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(first), {}};
    EXPECT_GT(bytes.size(), 5000u);
    EXPECT_EQ(bytes, (std::string{std::istreambuf_iterator<char>(second), {}}));
  }
}

TEST_F(RecordingFile, everything_comes_back) {
  const auto recording = Recording::open(record(200));
  ASSERT_TRUE(recording) << to_string(recording.problems()[0]);
  const RecordingHeader expected = header(), &got = recording->header();
  EXPECT_EQ(got.engine_version, expected.engine_version);
  EXPECT_EQ(got.scenario, expected.scenario);
  EXPECT_EQ(got.geometry_wkt, expected.geometry_wkt);
  EXPECT_EQ(got.step_seconds, expected.step_seconds);
  EXPECT_EQ(got.steps_per_frame, expected.steps_per_frame);
  EXPECT_EQ(got.first_step, expected.first_step);
  EXPECT_EQ(got.seed, expected.seed);
  EXPECT_EQ(got.kinds, expected.kinds);
  EXPECT_EQ(recording->frame_count(), 200u);
  EXPECT_EQ(recording->ended_early(), "");
  EXPECT_EQ(*recording->summary(), R"({"hash": "42"})");
  const auto events = recording->events();
  ASSERT_TRUE(events);
  ASSERT_EQ(events->size(), 4u);
  EXPECT_EQ((*events)[3].agent, 150u);
  EXPECT_EQ((*events)[3].time, 0.1 * 150);
  EXPECT_EQ((*events)[3].kind, "arrival");
  EXPECT_EQ((*events)[3].text, "at the door");

  FrameCursor frames(*recording);
  std::uint32_t number = 0;
  while (frames.next()) {
    EXPECT_DOUBLE_EQ(frames.frame().time, 0.1 * number);
    expect_frame(frames.frame(), number++);
  }
  EXPECT_FALSE(frames.problem());
  EXPECT_EQ(number, 200u);
}

TEST_F(RecordingFile, any_frame_can_be_asked_for_and_people_keep_their_index) {
  const auto recording = Recording::open(record(200));
  ASSERT_TRUE(recording);
  FrameCursor frames(*recording);
  std::map<std::uint32_t, std::uint32_t> index_of;
  for (const std::uint32_t number : {150u, 3u, 64u, 63u, 199u, 65u, 0u, 127u, 128u, 128u}) {
    frames.seek(number);
    ASSERT_TRUE(frames.next());
    expect_frame(frames.frame(), number);
    for (std::size_t i = 0; i < frames.frame().size(); ++i) {
      const std::uint32_t index = frames.frame().agent[i];
      EXPECT_EQ(index_of.try_emplace(frames.frame().facts(i).id, index).first->second, index);
    }
  }
  frames.seek(200);
  EXPECT_FALSE(frames.next());
  EXPECT_FALSE(frames.problem());
}

TEST_F(RecordingFile, the_snapshot_before_a_step_is_found) {
  const auto recording = Recording::open(record(200));
  ASSERT_TRUE(recording);
  EXPECT_FALSE(recording->snapshot_before(99));
  for (const auto& [step, expected] :
       std::map<std::uint64_t, std::string>{{100, "state 0"}, {199, "state 0"}, {200, "state 50"}, {9999, "state 150"}}) {
    const auto place = recording->snapshot_before(step);
    ASSERT_TRUE(place) << step;
    EXPECT_EQ(*recording->read(*place), expected);
  }
}

TEST_F(RecordingFile, a_file_cut_anywhere_gives_all_whole_chunks_and_says_what_was_lost) {
  const std::string whole = slurp(record(200));
  const auto complete = Recording::from_bytes(whole, "run");
  ASSERT_TRUE(complete);
  for (std::size_t size = 0; size < whole.size(); size += 1 + size % 13) {
    SCOPED_TRACE(size);
    const auto recording = Recording::from_bytes(whole.substr(0, size), "run");
    std::uint64_t frames_expected = 0, end = 12;
    for (const ChunkPlace& chunk : complete->chunks()) {
      const std::uint64_t chunk_end = chunk.offset + kChunkHeader + chunk.header.stored_size;
      if (chunk_end > size) break;
      end = chunk_end;
      if (chunk.header.kind == ChunkKind::kFrames) frames_expected += chunk.header.count;
    }
    if (end == 12) {  // not even the header
      EXPECT_FALSE(recording);
      continue;
    }
    ASSERT_TRUE(recording);
    EXPECT_EQ(recording->frame_count(), frames_expected);
    EXPECT_EQ(recording->ended_early(),
              size == end ? "ended early: there is no summary"
                          : "ended early: " + std::to_string(size - end) + " bytes of an unfinished chunk dropped");
    FrameCursor frames(*recording);
    std::uint64_t count = 0;
    while (frames.next()) ++count;
    EXPECT_FALSE(frames.problem());
    EXPECT_EQ(count, frames_expected);
  }
}

TEST_F(RecordingFile, a_process_that_is_killed_leaves_all_but_its_last_chunk) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto writer = RecordingWriter::create(path("killed.throng"), header());
    for (std::uint32_t k = 0; writer; ++k) {
      if (writer->add_frame(walkers_at(k % 60, kPeople).columns())) break;
    }
    ::_exit(1);
  }
  std::error_code error;
  while (std::filesystem::file_size(path("killed.throng"), error) < 100'000 || error)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ::kill(child, SIGKILL);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const auto recording = Recording::open(path("killed.throng"));
  ASSERT_TRUE(recording);
  EXPECT_GE(recording->frame_count(), 64u);
  EXPECT_EQ(recording->frame_count() % RecordingWriter::kFramesPerChunk, 0u);
  EXPECT_TRUE(recording->ended_early().starts_with("ended early: "));
  FrameCursor frames(*recording);
  std::uint64_t count = 0;
  for (; frames.next(); ++count) {
    const OwnedFrame expected = walkers_at(count % 60, kPeople).sorted();
    ASSERT_EQ(std::vector<float>(frames.frame().x.begin(), frames.frame().x.end()), expected.x);
  }
  EXPECT_EQ(count, recording->frame_count());
}

TEST_F(RecordingFile, a_writer_that_goes_without_finishing_writes_what_waits) {
  record(70, false);
  const auto recording = Recording::open(path("run.throng"));
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->frame_count(), 70u);
  EXPECT_EQ(recording->events()->size(), 2u);
  EXPECT_EQ(*recording->summary(), "");
  EXPECT_EQ(recording->ended_early(), "ended early: there is no summary");
}

TEST_F(RecordingFile, every_flipped_bit_is_found_and_other_chunks_are_still_read) {
  const std::string whole = slurp(record(200));
  const auto complete = Recording::from_bytes(whole, "run");
  ASSERT_TRUE(complete);
  for (const ChunkPlace& chunk : complete->chunks()) {
    if (chunk.header.kind != ChunkKind::kFrames || chunk.header.first == 0) continue;
    for (const std::uint64_t at : {std::uint64_t{0}, chunk.header.stored_size / 2, chunk.header.stored_size - 1}) {
      std::string damaged = whole;
      damaged[chunk.offset + kChunkHeader + at] ^= 0x10;
      const auto recording = Recording::from_bytes(damaged, "run");
      ASSERT_TRUE(recording);
      FrameCursor frames(*recording, chunk.header.first);
      EXPECT_FALSE(frames.next());
      ASSERT_TRUE(frames.problem());
      EXPECT_NE(frames.problem()->what.find("checksum"), std::string::npos);
      EXPECT_NE(frames.problem()->where.find("frames " + std::to_string(chunk.header.first)), std::string::npos);
      FrameCursor others(*recording, chunk.header.first - 1);
      ASSERT_TRUE(others.next());
      expect_frame(others.frame(), static_cast<std::uint32_t>(chunk.header.first - 1));
      EXPECT_FALSE(recording->load());
    }
  }
}

TEST_F(RecordingFile, a_last_chunk_of_zeros_counts_as_unfinished) {
  std::string bytes = slurp(record(100, false));
  const auto complete = Recording::from_bytes(bytes, "run");
  const ChunkPlace last = complete->chunks().back();
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(last.offset + kChunkHeader), bytes.end(), '\0');
  const auto recording = Recording::from_bytes(bytes, "run");
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->chunks().size() + 1, complete->chunks().size());
  EXPECT_NE(recording->ended_early().find("unfinished chunk dropped"), std::string::npos);
}

TEST_F(RecordingFile, a_payload_that_unpacks_to_more_or_less_than_it_says_is_refused) {
  ChunkPacker packer;
  const std::string zeros(10'000'000, '\0');
  packer.add(zeros);
  const std::string chunk(packer.finish(ChunkKind::kSnapshot, 1, 0));
  ASSERT_LT(chunk.size(), 20'000u);
  const std::string_view payload = std::string_view(chunk).substr(kChunkHeader);
  EXPECT_EQ(unpack(payload, zeros.size()), zeros);
  for (const std::uint64_t wrong :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{9'999'999}, std::uint64_t{10'000'001}, kLargestChunk})
    EXPECT_FALSE(unpack(payload, wrong)) << wrong;
  EXPECT_FALSE(unpack(payload.substr(0, payload.size() - 1), zeros.size()));
  EXPECT_FALSE(unpack(std::string(payload) + "x", zeros.size()));
  EXPECT_FALSE(unpack("", 0));
}

TEST_F(RecordingFile, large_crowds_make_smaller_chunks) {
  OwnedFrame crowd;
  for (std::uint32_t i = 0; i < 120'000; ++i) {
    crowd.id.push_back(i);
    crowd.x.push_back(static_cast<float>(i % 400)), crowd.y.push_back(static_cast<float>(i / 400));
    crowd.heading_x.push_back(1), crowd.heading_y.push_back(0);
  }
  const FrameColumns columns{
      .id = crowd.id, .x = crowd.x, .y = crowd.y, .heading_x = crowd.heading_x, .heading_y = crowd.heading_y};
  auto writer = RecordingWriter::create(path("crowd.throng"), header());
  for (int k = 0; k < 20; ++k) ASSERT_FALSE(writer->add_frame(columns));
  ASSERT_FALSE(writer->finish("{}"));
  const auto recording = Recording::open(path("crowd.throng"));
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->frame_count(), 20u);
  for (const ChunkPlace& chunk : recording->chunks())
    EXPECT_LT(chunk.header.raw_size, RecordingWriter::kBytesPerChunk + 30 * crowd.id.size());
  EXPECT_GE(recording->chunks().size(), 4u);
}

TEST_F(RecordingFile, what_goes_wrong_while_writing_is_said) {
  EXPECT_FALSE(RecordingWriter::create(path("no/such/folder.throng"), header()));
  RecordingHeader bad = header();
  bad.step_seconds = 0;
  EXPECT_FALSE(RecordingWriter::create(path("bad.throng"), bad));

  auto writer = RecordingWriter::create(path("nan.throng"), header());
  OwnedFrame frame = walkers_at(30, kPeople);
  ASSERT_FALSE(writer->add_frame(frame.columns()));
  frame.x[2] = std::numeric_limits<float>::quiet_NaN();
  const auto problem = writer->add_frame(frame.columns());
  ASSERT_TRUE(problem);
  EXPECT_NE(problem->what.find("agent " + std::to_string(frame.id[2])), std::string::npos);
  EXPECT_TRUE(writer->finish("{}"));  // the same problem again …
  const auto recording = Recording::open(path("nan.throng"));
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->frame_count(), 1u);  // … and what was there before

  if (std::filesystem::exists("/dev/full")) {
    const auto full = RecordingWriter::create("/dev/full", header());
    ASSERT_FALSE(full);
    EXPECT_NE(full.problems()[0].what.find("cannot be written"), std::string::npos);
  }
}

TEST_F(RecordingFile, nothing_can_be_added_behind_the_summary) {
  auto writer = RecordingWriter::create(path("run.throng"), header());
  ASSERT_FALSE(writer->finish("{}"));
  EXPECT_TRUE(writer->add_frame(walkers_at(30, kPeople).columns()));
  EXPECT_TRUE(writer->add_snapshot(1, "x"));
  EXPECT_TRUE(writer->finish("{}"));
  EXPECT_EQ(Recording::open(path("run.throng"))->ended_early(), "");
}

TEST_F(RecordingFile, other_files_are_refused_with_words) {
  write(path("noise"), "hello, this is not a recording");
  write(path("empty"), "");
  write(path("old"), std::string("THRONGRC\x63\0\0\0", 12));
  EXPECT_NE(Recording::open(path("noise")).problems()[0].what.find("not a recording"), std::string::npos);
  EXPECT_NE(Recording::open(path("empty")).problems()[0].what.find("not a recording"), std::string::npos);
  EXPECT_NE(Recording::open(path("old")).problems()[0].what.find("version 99"), std::string::npos);
  EXPECT_NE(Recording::open(path("absent")).problems()[0].what.find("cannot be opened"), std::string::npos);
  EXPECT_FALSE(Recording::open(folder_.string()));
}

TEST_F(RecordingFile, load_gives_the_same_people_and_when_they_were_there) {
  const auto recording = Recording::open(record(200));
  const auto trajectory = recording->load();
  ASSERT_TRUE(trajectory);
  EXPECT_EQ(trajectory->frame_count(), 200u);
  EXPECT_DOUBLE_EQ(trajectory->frame_seconds, 0.1);
  EXPECT_EQ(trajectory->agents.size(), kPeople);
  EXPECT_EQ(trajectory->kinds, header().kinds);
  for (std::uint32_t k = 0; k < 200; ++k) expect_frame(trajectory->frame(k), k);
  for (std::size_t a = 0; a < trajectory->agents.size(); ++a) {
    const std::uint32_t person = (trajectory->agents[a].id - 1000) / 17;
    EXPECT_EQ(trajectory->presence[a].first, 3 * person % 40);
    const auto last = walkers_at(trajectory->presence[a].end - 1, kPeople).id,
               gone = walkers_at(trajectory->presence[a].end, kPeople).id;
    EXPECT_TRUE(std::count(last.begin(), last.end(), trajectory->agents[a].id));
    EXPECT_FALSE(std::count(gone.begin(), gone.end(), trajectory->agents[a].id));
  }
}

}  // namespace
}  // namespace throng
