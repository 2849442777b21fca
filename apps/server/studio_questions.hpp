// SPDX-License-Identifier: MIT
// Questions about a document and its runs: what is at a moment, at a place, of a person, over time.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include <throng/result.hpp>

#include "document.hpp"
#include "message.hpp"

namespace throng::server {

/// {"problems": […]}: what the scenario's reader, the geometry doctor and the placing of people find.
Json check_scenario(const std::string& text, const std::string& name, const SceneOpener& open_scene);

Json compare_branch(Branch& branch, const Document& document);
/// At most so many points of each curve.
inline constexpr std::uint32_t kMostPoints = 2000;
Json series_of(Branch& branch, const Document& document, std::uint32_t points = kMostPoints);

/// What came of a run: times, arrivals at each goal, who is lost, where it was densest.
Result<Json> results_of(Document& document, const std::shared_ptr<Branch>& branch, Moments& moments);

Result<Json> inspect(Document& document, const std::shared_ptr<Branch>& branch, Moments& moments, double time,
                     std::uint32_t agent);
/// place.cpp: how wide the way is there, and who has been and gone.
Result<Json> look_at_place(Document& document, const std::shared_ptr<Branch>& branch, Moments& moments, double time, Vec2 place,
                           std::uint32_t layer);

struct OverlayQuestion {
  std::string name;
  std::uint32_t layer = 0, branch = 0;
  double time = 0;
  std::optional<std::uint32_t> agent;
  std::optional<Vec2> at;
  std::optional<std::uint32_t> set;
  std::uint32_t depth = 4;
};
/// What `throng draw` would draw, as primitives.
Result<Json> overlay(Document& document, const std::shared_ptr<Branch>& branch, Moments& moments,
                     const OverlayQuestion& question);

}  // namespace throng::server
