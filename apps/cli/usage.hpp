// SPDX-License-Identifier: MIT
// What is wrong with a command line, in words: the parser's errors say neither what was meant nor what to do.
#pragma once
#include <CLI/App.hpp>
#include <span>
#include <string>

namespace throng::cli {

/// Explains why `words` (without the program's name) could not be parsed: an unknown verb, an unknown option, a value that is not
/// allowed, something missing. Returns kWrongUsage.
int explain_usage(const CLI::App& app, const CLI::ParseError& error, std::span<const std::string> words);

}  // namespace throng::cli
