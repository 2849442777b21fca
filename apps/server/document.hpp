// SPDX-License-Identifier: MIT
// What is open in the studio: a scenario with its baked scene, and the runs of it.
//
// One document a server; all viewers see the same. Everything but the list of branches is fixed once it is made.
#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <throng/navigation.hpp>

#include "branch.hpp"
#include "drafts.hpp"
#include "message.hpp"

namespace throng::server {

/// Thrown out of a bake by whoever does not want it any more; never leaves this library.
struct Cancelled {};

/// How far something is. May throw Cancelled.
using ProgressFunction = std::function<void(const std::string& words)>;

/// A folder of our own for recordings of live runs, gone with everything in it when the program ends. What a killed program left
/// behind goes when the next one starts.
class Workshop {
 public:
  static Result<std::shared_ptr<Workshop>> open();
  ~Workshop();
  /// A name nobody has yet.
  std::string new_file(const char* ending);
  const std::filesystem::path& path() const { return path_; }
  /// What is in it now.
  std::uint64_t bytes() const;

 private:
  Workshop(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}
  std::filesystem::path path_;
  int lock_ = -1;  ///< held as long as the program lives: a free lock says that the folder may be deleted
  std::atomic<unsigned> count_{0};
};

struct DocumentSettings {
  std::string path;               ///< below the folder, if it has one
  std::string scene;              ///< name of a named scene, if it is one
  std::string kind = "scenario";  ///< or "recording", "scene"
  unsigned threads = 0;
  std::shared_ptr<Workshop> workshop;
  std::shared_ptr<ChunkCache> cache;
  ProgressFunction progress;
};

class Document : public std::enable_shared_from_this<Document> {
 public:
  static constexpr std::size_t kMostBranches = 32;

  /// Bakes the scene, puts people in place and records the first frame.
  static Result<std::shared_ptr<Document>> from_scenario(Scenario scenario, const DocumentSettings& settings);
  /// A recording, ours or another tool's. Without a scenario in it there is only what it shows.
  static Result<std::shared_ptr<Document>> from_recording(const std::filesystem::path& file, const DocumentSettings& settings);

  const std::string& name() const { return name_; }
  /// Of the file below the folder; empty where there is none yet.
  std::string path() const;
  /// What a draft of it belongs to.
  DraftOrigin draft_origin() const;
  const std::string& kind() const { return settings_.kind; }
  Vec2 origin() const { return origin_; }  ///< of the scene: added to its coordinates in everything that is sent
  Vec2 low() const { return low_; }        ///< lower corner, origin added
  Vec2 high() const { return high_; }
  const std::optional<Navigation>& navigation() const { return navigation_; }
  const Scenario* scenario() const { return scenario_.get(); }
  unsigned threads() const { return settings_.threads; }
  const std::shared_ptr<Workshop>& workshop() const { return settings_.workshop; }

  std::vector<std::shared_ptr<Branch>> branches() const;
  std::shared_ptr<Branch> branch(std::uint32_t number) const;
  /// Goes on from a moment of a branch with these actions (of scenario events) done first.
  Result<std::shared_ptr<Branch>> add_branch(const std::shared_ptr<Branch>& parent, double time, const std::string& name,
                                             const Json& events);

  /// The whole DOC (docs/formats/studio.md).
  Json json() const;

  /// Viewers edit beside what was run: what of it is on disk, as a draft or as a file, so that a page that comes back shows it.
  void note_draft(const std::string& id, std::int64_t at, const Json& scenario);
  /// It was opened from a draft: what lies on disk besides is not known.
  void note_opened(const Draft& draft);
  void note_discarded(const std::string& id);
  void note_saved(const std::string& path, const Json& scenario);
  /// Takes over from the document that was open before, of which this is a run.
  void take_notes(const Document& before);

 private:
  explicit Document(const DocumentSettings& settings) : settings_(settings) {}
  /// The scenario becomes the document's, and its scene is baked.
  Result<bool> take(Scenario scenario);
  void say(const std::string& words) const {
    if (settings_.progress) settings_.progress(words);
  }
  void describe();
  FrameScale scale() const;

  DocumentSettings settings_;
  std::string name_;
  std::shared_ptr<const Scenario> scenario_;
  std::optional<Navigation> navigation_;
  Vec2 origin_, low_, high_;
  Json fixed_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<Branch>> branches_;
  struct Notes {
    std::string path, scene;
    std::shared_ptr<const Json> clean;   ///< what lies on disk; null: nothing does, or nobody knows
    std::shared_ptr<const Json> edited;  ///< the newest that was kept; null: what was run
    std::string draft;                   ///< id; empty: none
    std::int64_t draft_at = 0;
  } notes_;
};

/// A simulation that is brought to any moment of any branch, for questions about it. One thread.
class Moments {
 public:
  /// The state before a step, recomputed from the snapshot before it.
  Result<Simulation*> at(Document& document, const std::shared_ptr<Branch>& branch, std::uint64_t step);
  /// One step further than that: what a step derives (neighbours, fields) is there.
  Result<Simulation*> after(Document& document, const std::shared_ptr<Branch>& branch, std::uint64_t step);
  /// The navigation graph: the run's own if it has one, or one that is baked when it is first asked for (overlay.cpp).
  Result<const NavigationGraph*> graph(Document& document, const std::shared_ptr<Branch>& branch, bool with_sight);
  /// Before another document.
  void forget() {
    simulation_.reset();
    branch_.reset();
    graph_.reset();
    graph_with_sight_.reset();
  }

 private:
  std::optional<NavigationGraph> graph_, graph_with_sight_;
  std::shared_ptr<Branch> branch_;
  std::optional<Simulation> simulation_;
};

/// Fills in what frames of recordings lack (world_marks.hpp) by running them again. Cheap for one frame after the other.
class MarkMaker {
 public:
  /// The frame with its marks; null where it cannot be run again. `branch`: one in which it is seen.
  FramePointer marked(Document& document, const std::shared_ptr<Branch>& branch, const FramePointer& frame);

 private:
  Moments moments_;
  std::shared_ptr<Branch> of_;
  std::optional<GoalTable> goals_;
};

Json ring_json(const std::vector<Vec2>& ring, Vec2 shift);
Json polygon_json(const Polygon& polygon, Vec2 shift);

}  // namespace throng::server
