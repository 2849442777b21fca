// SPDX-License-Identifier: MIT
// Drafts: what is edited in the studio and not saved yet, kept on disk so that neither the page nor the program can lose it.
//
// A draft is a file below the folder of the studio, FOLDER/.throng-drafts/ID.json, written in one go after each edit and removed
// once the scenario is saved or the viewer discards it. The id comes from the page: each start of editing makes a new one, so
// that no draft replaces another.
#pragma once
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "folder.hpp"
#include "message.hpp"

namespace throng::server {

/// What a draft belongs to: a file below the folder, a named scene, or neither (a dropped file).
struct DraftOrigin {
  std::string name, path, scene;
  friend bool operator==(const DraftOrigin&, const DraftOrigin&) = default;
};

struct Draft {
  std::string id;
  DraftOrigin of;
  std::int64_t at = 0;  ///< ms since 1970
  Json scenario;
};

/// Thread-safe.
class Drafts {
 public:
  static constexpr const char* kFolder = ".throng-drafts";

  explicit Drafts(const Folder& folder) : folder_(folder) {}

  /// On disk, whole, when it returns. The time it was written.
  Result<std::int64_t> write(const std::string& id, const DraftOrigin& of, const Json& scenario);
  Result<Draft> read(const std::string& id) const;
  /// True if there was one.
  Result<bool> remove(const std::string& id);
  /// Of all that can be read, without scenarios, the newest first.
  std::vector<Draft> list() const;

  /// Letters, digits and `-`, 8 to 40 of them: an id is part of a file name.
  static bool is_id(const std::string& id);
  /// {"id", "name", "path"?, "scene"?, "at"}
  static Json json(const Draft& draft);

 private:
  Result<std::filesystem::path> file(const std::string& id) const;
  const Folder& folder_;
  mutable std::mutex mutex_;
};

}  // namespace throng::server
