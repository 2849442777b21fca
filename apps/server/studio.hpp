// SPDX-License-Identifier: MIT
// The studio without its sockets: viewers, what they look at, and what they ask for.
//
//   viewer ──text──▶ receive ──▶ answered at once (view, hello …), or by one of the workers (bake, branch, overlay …)
//                                      │
//   simulation thread: one step of each branch that somebody wants further ──▶ recording
//   show thread: moves the cursors on, takes frames from recordings, sends each viewer what it has not got yet
//
// Nobody waits for a viewer: one whose socket is still busy with the last frame gets none, and the next one it gets is the
// difference to the last it was sent. Nobody waits for the simulation either: all locks are held for the length of a look.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "document.hpp"
#include "drafts.hpp"
#include "folder.hpp"
#include "frame_codec.hpp"
#include "message.hpp"

namespace throng::server {

/// The way to one viewer. Functions return at once and may be called from any thread.
class ViewerLink {
 public:
  virtual ~ViewerLink() = default;
  virtual void send_text(std::shared_ptr<const std::string> text) = 0;
  virtual void send_frame(std::string bytes) = 0;
  /// Something waits to be sent: frames are not worth queueing behind it.
  virtual bool is_busy() const = 0;
  /// Bytes that wait.
  virtual std::size_t waiting() const = 0;
  /// After what waits.
  virtual void close(unsigned code, const std::string& reason) = 0;
};

struct StudioSettings {
  std::filesystem::path folder = ".";    ///< whose files viewers may open and save
  std::filesystem::path scenes;          ///< named scenarios, NAME.json
  std::filesystem::path page;            ///< the built page, for exports
  unsigned threads = 0;                  ///< of simulations; 0: one per core
  std::size_t cache_bytes = 192u << 20;  ///< of decoded frames
  std::size_t most_viewers = 16;
  std::size_t most_simulations = 4;                        ///< of branches, in memory; others rest in their recordings
  std::uint64_t most_disk_bytes = std::uint64_t{4} << 30;  ///< of temporary recordings: nothing is computed beyond it
  double messages_per_second = 100, message_burst = 200;
};

struct HttpQuestion {
  std::string method;  ///< "GET", "POST"
  std::string path;    ///< "/api/scenes", decoded
  std::map<std::string, std::string> query;
  std::string body;
};
struct HttpAnswer {
  unsigned status = 200;
  std::string type = "application/json";
  std::string body;
  std::filesystem::path file;  ///< instead of the body, if it is not empty
  bool removes_file = false;   ///< once it is sent
  std::string download_name;   ///< offered to be saved under this name
};

class Studio {
 public:
  static Result<std::unique_ptr<Studio>> create(const StudioSettings& settings);
  ~Studio();

  /// Its number, or nothing if there are too many.
  std::optional<std::uint64_t> add_viewer(std::shared_ptr<ViewerLink> link);
  void remove_viewer(std::uint64_t viewer);
  void receive(std::uint64_t viewer, std::string text);
  /// Answers on any thread, perhaps at once. Paths below /api only.
  void ask(HttpQuestion question, std::function<void(HttpAnswer)> answer);

  /// A file below the folder or the name of a scene, as at the start; answers when it is open.
  Result<bool> open(const std::string& what);

  std::shared_ptr<Document> document() const;
  std::size_t viewer_count() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Viewer {
    std::uint64_t number = 0;
    std::shared_ptr<ViewerLink> link;
    // Rate limit.
    double allowance = 0;
    Clock::time_point last_message;
    bool is_closing = false;
    // Cursor.
    std::uint32_t branch = 0;
    double time = 0, speed = 1;
    bool is_playing = false;
    bool wants_frame = false, wants_key = true;
    Clock::time_point moved, sent;
    std::uint64_t sent_step = ~std::uint64_t{0};
    std::shared_ptr<FrameCoder> coder = std::make_shared<FrameCoder>();  ///< of the show thread alone
  };
  using ViewerPointer = std::shared_ptr<Viewer>;

  /// A queue of things to do, one after the other, on a thread of its own.
  class Worker {
   public:
    Worker();
    ~Worker();
    /// False if too much waits already.
    bool add(std::function<void()> job);

   private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> jobs_;
    bool ends_ = false;
    std::thread thread_;
  };

  explicit Studio(StudioSettings settings, Folder folder, std::shared_ptr<Workshop> workshop);
  void start();
  void simulate();
  void say_no_memory(const std::string& consequence);
  /// Simulations that nobody uses are given up, those used longest ago first.
  void rest_branches(const Document& document);
  /// Whether temporary recordings have taken all that they may; says so when they have.
  bool is_disk_full();
  void show();
  bool show_to(Viewer& viewer, const std::shared_ptr<Document>& document, Clock::time_point now);
  void push_branches(Document& document);
  /// Recordings hold no levels, models, goals and vehicles: a chunk of them is run again beside everything else, and shown then.
  void want_marks(const std::shared_ptr<Document>& document, const std::shared_ptr<Branch>& branch, std::uint64_t step,
                  bool is_playing);
  void make_marks();
  void push(const Json& message, std::uint64_t but = 0);

  // studio_verbs.cpp
  using Answer = std::function<void(std::string)>;
  void handle(const ViewerPointer& viewer, Request request);
  void on_worker(Worker& worker, std::int64_t id, const Answer& answer, std::function<Json()> job);
  Json open_document(const std::string& words,
                     const std::function<Result<std::shared_ptr<Document>>(const ProgressFunction&)>& make, std::uint64_t by,
                     std::uint64_t asked);
  Result<std::shared_ptr<Document>> load(const std::string& scene, const std::string& path, const ProgressFunction& progress);
  enum class From : std::uint8_t { kFolder, kNamedScene, kUpload };
  Result<std::shared_ptr<Document>> load_draft(const Draft& draft, const ProgressFunction& progress);
  Result<std::shared_ptr<Document>> load_file(const std::filesystem::path& file, const std::string& shown,
                                              const ProgressFunction& progress, From source);
  DocumentSettings document_settings(const ProgressFunction& progress) const;
  SceneOpener scene_opener(std::filesystem::path beside) const;
  void view(const ViewerPointer& viewer, const Request& request, const Answer& answer);
  Json hello() const;
  Json scenes() const;

  // studio_http.cpp
  HttpAnswer picture(const std::string& name, bool dark);
  HttpAnswer export_run(const std::string& what, const std::map<std::string, std::string>& query);

  StudioSettings settings_;
  Folder folder_;
  Drafts drafts_{folder_};
  std::shared_ptr<Workshop> workshop_;
  std::shared_ptr<ChunkCache> cache_;

  mutable std::mutex mutex_;  ///< of what follows
  std::shared_ptr<Document> document_;
  std::vector<ViewerPointer> viewers_;
  std::uint64_t next_viewer_ = 1;
  bool ends_ = false;
  bool is_asked_to_show_ = false;  ///< since the show thread looked last: a cursor moved, or there are better frames
  std::condition_variable shown_changed_, work_changed_, marks_changed_;
  struct WantedMarks {
    std::shared_ptr<Document> document;
    std::shared_ptr<Branch> branch;
    std::uint64_t step = 0;
    bool is_playing = false;  ///< otherwise somebody looks there, and may look elsewhere at once
    Clock::time_point when{};
  };
  std::optional<WantedMarks> wanted_marks_;  ///< the last wish counts: where somebody looks now
  bool makes_marks_ = false;

  std::map<std::uint16_t, std::pair<std::string, Clock::time_point>> pushed_;  ///< of the show thread: what branches were last
  const Document* pushed_document_ = nullptr;
  std::atomic<std::uint64_t> cancels_{0};  ///< so often was it said: what was asked for before the last time ends
  Moments moments_;  ///< of the query worker
  const Document* moments_document_ = nullptr;

  // Of the simulation thread.
  Clock::time_point disk_checked_{};
  std::atomic<bool> disk_full_{false};

  std::atomic<Clock::rep> memory_told_{0};  ///< when viewers last heard of it
  std::thread simulation_thread_, show_thread_;
  // Last: they end first.
  std::unique_ptr<Worker> slow_, quick_, pictures_, marks_, files_;
};

/// Thrown by jobs; becomes the answer.
struct Refusal {
  std::vector<Problem> problems;
};
/// The value, or a Refusal.
template <class T>
T take(Result<T> result) {
  if (!result) throw Refusal{result.problems()};
  return std::move(*result);
}

}  // namespace throng::server
