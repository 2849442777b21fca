// SPDX-License-Identifier: MIT
// Maps and meshes that nobody on this project made. They lie beside the checkout and are never part of it; where they are absent,
// tests of them are skipped.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include <throng/vec.hpp>

#include "support/tree.hpp"

namespace throng {

/// The file, or an empty path where it is absent.
inline std::filesystem::path external(const std::string& file) {
  const char* said = std::getenv("THRONG_EXTERNAL_DATA");
  const auto path =
      (said ? std::filesystem::path(said) : test::source_dir() / ".." / "shared" / "data") / file;
  return std::filesystem::exists(path) ? path : std::filesystem::path();
}

#define THRONG_EXTERNAL(variable, file)           \
  const auto variable = ::throng::external(file); \
  if (variable.empty()) GTEST_SKIP() << "skipped: no external data"

/// A game level of several storeys.
struct GameLevel {
  const char* file;
  double step;
  Vec3 low, high;  ///< two places on different storeys, joined by stairs or ramps
};
inline const auto kGameLevels = ::testing::Values(GameLevel{"scenes/nav_test.obj", 0.25, {58.1, 7.9, -3.8}, {39.1, -25.1, 7.8}},
                                                  GameLevel{"scenes/dungeon.obj", 0.25, {-21.9, 16.7, 6.4}, {22.4, 78.2, 16.3}});
inline std::string name_of_level(const ::testing::TestParamInfo<GameLevel>& tested) {
  return std::filesystem::path(tested.param.file).stem().string();
}

}  // namespace throng
