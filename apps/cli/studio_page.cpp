// SPDX-License-Identifier: MIT
#include "studio_page.hpp"

#include <cstdlib>
#include <memory>
#include <vector>

#include "document.hpp"
#include "exports.hpp"

namespace throng::cli {
namespace fs = std::filesystem;

fs::path find_page() {
  std::error_code error;
  const auto whole = [&](const fs::path& place) {
    return fs::is_regular_file(place / "index.html", error) ? fs::canonical(place, error) : fs::path();
  };
  if (const char* given = std::getenv("THRONG_STUDIO_DIR"); given != nullptr && *given != '\0') return whole(given);
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  std::vector<fs::path> places{program / "../share/studio", program / "../share/throng/studio"};
  fs::path at = program;
  for (int level = 0; level < 5 && at.has_relative_path(); ++level, at = at.parent_path())
    places.push_back(at / "apps/studio/dist");
  for (const fs::path& place : places)
    if (fs::path page = whole(place); !page.empty()) return page;
  return {};
}

Result<bool> write_page(const std::string& recording, const std::string& output, double from, double to, bool with_goals) {
  auto workshop = server::Workshop::open();
  if (!workshop) return workshop.problems();
  server::DocumentSettings settings;
  settings.path = fs::path(recording).filename().string();
  settings.kind = "recording";
  settings.workshop = *workshop;
  settings.cache = std::make_shared<server::ChunkCache>(std::size_t{256} << 20);
  const auto document = server::Document::from_recording(recording, settings);
  if (!document) return document.problems();
  server::ExportSettings page;
  page.from = from;
  page.to = to;
  page.with_goals = with_goals;
  page.page = find_page();
  const auto file = server::export_html(**document, (*document)->branches().front(), page);
  if (!file) return file.problems();
  std::error_code error;
  fs::copy_file(*file, output, fs::copy_options::overwrite_existing, error);
  if (error)
    return Problem{output, "the page cannot be written: " + error.message(),
                   "check that the folder exists, may be written and has room"};
  return true;
}

}  // namespace throng::cli
