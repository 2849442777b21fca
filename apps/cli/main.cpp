// SPDX-License-Identifier: MIT
// The command line: parses words, runs one verb.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "common.hpp"
#include "usage.hpp"

namespace throng::cli {
namespace {

/// The exit status once all that was printed has left the program: a full disk behind stdout is no success.
int after_output(int status) {
  std::cout.flush();
  const bool is_written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
  if (is_written) return status;
  std::fputs("throng: standard output: what was printed could not be written to its end (free some space or print elsewhere)\n",
             stderr);
  return status == kSuccess ? kBadInput : status;
}

}  // namespace
}  // namespace throng::cli

int main(int argc, char** argv) {
  using namespace throng::cli;
  // Beyond a limit on the size of files, write() says so instead of ending the program.
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App app("Throng: an engine for real-time crowds.", "throng");
  app.set_version_flag("--version", THRONG_VERSION);
  app.require_subcommand(0, 1);
  Outcome outcome;
  add_demo(app, outcome);
  add_bake(app, outcome);
  add_path(app, outcome);
  add_draw(app, outcome);
  add_run(app, outcome);
  add_check(app, outcome);
  add_export(app, outcome);
  add_groups(app, outcome);
  add_compare(app, outcome);
  add_why(app, outcome);
  add_validate(app, outcome);
#ifdef THRONG_HAVE_STUDIO
  add_studio(app, outcome);
#endif
  add_bench(app, outcome);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) std::cout << app.help();
  } catch (const CLI::Success& request) {  // --help, --version
    return after_output(app.exit(request));
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    return explain_usage(app, error, words);
  } catch (const std::bad_alloc&) {
    std::fputs(
        "throng: memory: there is not enough of it for this (take a smaller scene, fewer agents or fewer threads, or "
        "raise the limit)\n",
        stderr);
    return kBadInput;
  } catch (const std::exception& error) {
    std::cerr << "throng: " << error.what() << '\n';
    return kBadInput;
  }
  return after_output(outcome.status);
}
