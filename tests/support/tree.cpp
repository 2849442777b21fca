// SPDX-License-Identifier: MIT
#include "support/tree.hpp"

namespace throng::test {

const std::filesystem::path& source_dir() {
  static const std::filesystem::path folder = THRONG_SOURCE_DIR;
  return folder;
}
const std::filesystem::path& binary_dir() {
  static const std::filesystem::path folder = THRONG_BINARY_DIR;
  return folder;
}
const std::string& compiler() {
  static const std::string program = THRONG_COMPILER;
  return program;
}

}  // namespace throng::test
