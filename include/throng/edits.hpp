// SPDX-License-Identifier: MIT
// Change a baked scene: obstacles come, move and go, doors close and open. What an edit concerns is baked again, the rest is
// kept.
//
//   auto navigation = throng::Navigation::bake(scene, {.editable = true});
//   auto editor = throng::NavigationEditor::create(*navigation);
//   auto done = editor->apply({.kind = throng::EditKind::kCloseDoor, .door = "main entrance"});
//   if (!done) std::puts(to_string(done.problems()[0]).c_str());
//   throng::PathFinder finder(editor->navigation());   // plans in the scene as it is now
//
// A Navigation never changes: an edit makes a new one, and whoever still reads the one before is not disturbed. Paths in the new
// one are as long as those of a fresh bake of the edited scene, and all planners on the roadmap agree on the cost, bit for bit.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <throng/navigation.hpp>

namespace throng {

enum class EditKind : std::uint8_t {
  kAddObstacle,
  kMoveObstacle,  ///< it gets another outline, on its layer
  kRemoveObstacle,
  kCloseDoor,  ///< an area of the scene becomes an obstacle
  kOpenDoor,
};
const char* name_of(EditKind kind);

struct Edit {
  EditKind kind = EditKind::kAddObstacle;
  std::uint32_t layer = 0;  ///< of a new obstacle
  Polygon shape;            ///< of a new obstacle or of one that moves, from now on
  std::uint32_t obstacle =
      0;             ///< which one moves or goes: EditReport::obstacle, or the place in the scene, counted over all layers
  std::string door;  ///< name of the area that closes or opens; all areas of this name do
};

/// Where walls have come or gone.
struct EditBox {
  std::uint32_t layer = 0;
  Vec2 low, high;
};

/// What an edit did.
struct EditReport {
  std::uint32_t obstacle = 0;            ///< its number; of a door that of the obstacle that closes it
  bool is_local = true;                  ///< false: the whole scene was baked again (joints or seeds are concerned)
  std::uint32_t freed = 0;               ///< cells that are gone
  std::uint32_t made = 0;                ///< cells that are new
  Vec2 low{1e9, 1e9}, high{-1e9, -1e9};  ///< the box of all walls that have come or gone; empty if nothing changed
  std::vector<EditBox> boxes;            ///< the same, one for each outline that came or went
  std::vector<BakeStage> stages;
};

class NavigationEditor {
 public:
  /// A Problem if the navigation was not baked with BakeSettings::editable (one that was loaded or edited was not).
  static Result<NavigationEditor> create(const Navigation& navigation);
  ~NavigationEditor();
  NavigationEditor(NavigationEditor&&) noexcept;
  NavigationEditor& operator=(NavigationEditor&&) noexcept;

  /// All or nothing. A Problem for an outline that is degenerate, crosses itself or lies outside the layer, for an unknown
  /// obstacle or door, and where no ground would be left.
  Result<EditReport> apply(const Edit& edit);

  /// The scene as it is now, baked.
  const Navigation& navigation() const;
  /// The scene as it is now. Layers without walkable polygons have the frame that the bake put round them.
  Scene scene() const;
  /// All edits so far that succeeded, in order.
  const std::vector<Edit>& edits() const;

 private:
  struct State;
  explicit NavigationEditor(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng
