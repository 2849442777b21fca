// SPDX-License-Identifier: MIT
// A studio with a viewer that is no socket: sends messages, waits for answers, decodes frames.
#pragma once
#include <gtest/gtest.h>
#include <stdlib.h>

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <vector>

#include "server/decoder.hpp"
#include "studio.hpp"
#include "support/tree.hpp"

namespace throng::test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "throng-test-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = std::filesystem::canonical(name);
  }
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

class FakeLink : public server::ViewerLink {
 public:
  void send_text(std::shared_ptr<const std::string> text) override {
    const std::lock_guard lock(mutex_);
    texts_.push_back(server::Json::parse(*text));
    changed_.notify_all();
  }
  void send_frame(std::string bytes) override {
    const std::lock_guard lock(mutex_);
    frame_bytes += bytes.size();
    ++frame_count;
    decoder_.apply(bytes);
    changed_.notify_all();
  }
  bool is_busy() const override { return busy; }
  std::size_t waiting() const override { return 0; }
  void close(unsigned code, const std::string&) override {
    const std::lock_guard lock(mutex_);
    close_code = code;
    changed_.notify_all();
  }

  /// Waits until `holds` is true of what has come; fails after a minute.
  template <class F>
  bool wait(F holds) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60), holds);
  }
  server::Json answer(std::int64_t id) {
    server::Json found;
    EXPECT_TRUE(wait([&] {
      for (const server::Json& t : texts_)
        if (t.contains("id") && t["id"] == id) return found = t, true;
      return false;
    })) << "no answer to message "
        << id;
    return found;
  }
  Decoder frame() {
    const std::lock_guard lock(mutex_);
    return decoder_;
  }
  std::vector<server::Json> pushes(const std::string& kind) {
    const std::lock_guard lock(mutex_);
    std::vector<server::Json> list;
    for (const server::Json& t : texts_)
      if (t.contains("push") && t["push"] == kind) list.push_back(t);
    return list;
  }
  /// Within `wait` alone.
  const std::vector<server::Json>& texts_unlocked() const { return texts_; }
  const Decoder& decoder_unlocked() const { return decoder_; }

  std::atomic<bool> busy{false};
  std::atomic<unsigned> close_code{0};
  std::atomic<std::size_t> frame_count{0}, frame_bytes{0};

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<server::Json> texts_;
  Decoder decoder_;
};

struct Rig {
  TemporaryFolder folder;
  std::unique_ptr<server::Studio> studio;
  std::shared_ptr<FakeLink> link = std::make_shared<FakeLink>();
  std::uint64_t viewer = 0;
  std::int64_t next = 1;

  explicit Rig(std::function<void(server::StudioSettings&)> change = {}) {
    server::StudioSettings settings;
    settings.folder = folder.path();
    settings.scenes = test::source_dir() / "scenes";
    settings.threads = 1;
    if (change) change(settings);
    auto made = server::Studio::create(settings);
    EXPECT_TRUE(made);
    studio = std::move(*made);
    viewer = studio->add_viewer(link).value();
  }
  std::int64_t send(server::Json message) {
    message["id"] = next;
    studio->receive(viewer, message.dump());
    return next++;
  }
  server::Json ask(server::Json message) { return link->answer(send(std::move(message))); }
  /// The same, and it must succeed.
  server::Json get(server::Json message) {
    server::Json answer = ask(message);
    EXPECT_TRUE(answer.value("ok", false)) << message.dump() << "\n" << answer.dump();
    return answer;
  }
  /// Computes a branch until a time and waits for it, or for its end.
  void compute(unsigned branch, double to) {
    get({{"do", "compute"}, {"branch", branch}, {"to", to}});
    wait_for_rest(branch);
  }
  /// Until nothing that was wanted of a branch is left to compute.
  void wait_for_rest(unsigned branch) {
    const auto b = studio->document()->branch(branch);
    for (int i = 0; i < 6000 && b->has_work(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(b->has_work());
  }
  /// What an HTTP request is answered.
  server::HttpAnswer fetch(const server::HttpQuestion& question) {
    server::HttpAnswer got;
    std::mutex mutex;
    std::condition_variable done;
    bool has_come = false;
    studio->ask(question, [&](server::HttpAnswer answer) {
      const std::lock_guard lock(mutex);
      got = std::move(answer);
      has_come = true;
      done.notify_all();
    });
    std::unique_lock lock(mutex);
    EXPECT_TRUE(done.wait_for(lock, std::chrono::seconds(60), [&] { return has_come; }));
    return got;
  }
  /// The frame that a paused viewer is shown.
  Decoder look(unsigned branch, double time) {
    const std::size_t before = link->frame_count;
    get({{"do", "view"}, {"branch", branch}, {"time", time}, {"playing", false}});
    EXPECT_TRUE(link->wait([&] { return link->frame_count > before; }));
    return link->frame();
  }
};

}  // namespace throng::test
