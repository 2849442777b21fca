// SPDX-License-Identifier: MIT
// Where the tests find the checkout and what was built from it. Two functions instead of two definitions on every command line:
// a test compiles to the same object in every checkout, so ccache serves all of them.
#pragma once
#include <filesystem>
#include <string>

namespace throng::test {

/// Returns the root of the checkout.
const std::filesystem::path& source_dir();
/// Returns the build folder of the tree under test; its programs are in bin/.
const std::filesystem::path& binary_dir();
/// Returns the compiler that built the tests.
const std::string& compiler();

}  // namespace throng::test
