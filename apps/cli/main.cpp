// SPDX-License-Identifier: MIT
// The command line: parses words, runs one verb.
#include <CLI/CLI.hpp>
#include <exception>

#include "common.hpp"
#include "usage.hpp"

int main(int argc, char** argv) {
  using namespace throng::cli;
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
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    return explain_usage(app, error, words);
  } catch (const std::exception& error) {
    std::cerr << "throng: " << error.what() << '\n';
    return kBadInput;
  }
  return outcome.status;
}
