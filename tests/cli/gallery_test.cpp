// SPDX-License-Identifier: MIT
// docs/gallery.md, which `throng demo --gallery docs` makes, against the scenarios that there are.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "support/tree.hpp"

namespace throng {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Gallery, shows_every_named_scenario_with_its_description_and_a_small_picture_and_no_other) {
  const fs::path root = test::source_dir();
  const std::string page = text_of(root / "docs/gallery.md");
  std::set<std::string> names;
  for (const char* folder : {"scenes", "scenes/large"})
    for (const auto& entry : fs::directory_iterator(root / folder)) {
      if (entry.path().extension() != ".json") continue;
      const std::string name = entry.path().stem().string();
      names.insert(name);
      EXPECT_NE(page.find("\n## " + name + "\n\n![" + name + "](images/gallery/" + name + ".jpg)\n"), std::string::npos)
          << name << ": make the page again with ./throng demo --gallery docs";
      const auto scenario = nlohmann::json::parse(text_of(entry.path()));
      EXPECT_NE(page.find("\n" + scenario["description"].get<std::string>() + "\n"), std::string::npos) << name;
      const fs::path picture = root / "docs/images/gallery" / (name + ".jpg");
      ASSERT_TRUE(fs::exists(picture)) << name;
      EXPECT_LT(fs::file_size(picture), 30000u) << name;
    }
  std::size_t headings = 0;
  for (std::size_t at = page.find("\n## "); at != std::string::npos; at = page.find("\n## ", at + 1)) ++headings;
  EXPECT_EQ(headings, names.size());
  for (const auto& entry : fs::directory_iterator(root / "docs/images/gallery"))
    EXPECT_TRUE(names.contains(entry.path().stem().string())) << entry.path();
}

}  // namespace
}  // namespace throng
