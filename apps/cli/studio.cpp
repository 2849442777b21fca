// SPDX-License-Identifier: MIT
// throng studio: the browser studio on localhost.
#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "common.hpp"
#include "http_server.hpp"
#include "inputs.hpp"
#include "studio_page.hpp"

extern char** environ;

namespace throng::cli {
namespace {

namespace fs = std::filesystem;

struct StudioArguments {
  std::string file;
  std::string folder;
  std::uint16_t port = 8471;
  unsigned threads = 0;
  double disk_gb = 4;
  bool no_open = false;
  bool json = false;
};

/// A page that leads to an address, readable by this user alone, for as long as it lives: words on a command line can be read by
/// every user of the machine, and the address holds the token.
class LeadingPage {
 public:
  explicit LeadingPage(const std::string& url) {
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    std::error_code error;
    const fs::path folder = runtime != nullptr && *runtime == '/' && fs::is_directory(runtime, error)
                                ? fs::path(runtime)
                                : fs::temp_directory_path(error);
    std::string name = (folder / "throng-open-XXXXXX.html").string();
    constexpr int kEndingLength = 5;
    const int file = ::mkstemps(name.data(), kEndingLength);  // with mode 0600
    if (file < 0) return;
    const std::string page = fmt::format(
        "<!doctype html><meta charset=utf-8><title>Throng studio</title><meta http-equiv=refresh content=\"0;url={0}\">"
        "<a href=\"{0}\">Open the studio</a>\n",
        url);
    const bool is_written = ::write(file, page.data(), page.size()) == static_cast<ssize_t>(page.size());
    ::close(file);
    path_ = name;
    if (!is_written) remove();
  }
  ~LeadingPage() { remove(); }
  LeadingPage(const LeadingPage&) = delete;
  LeadingPage& operator=(const LeadingPage&) = delete;
  const std::string& path() const { return path_; }

 private:
  void remove() {
    if (!path_.empty()) ::unlink(path_.c_str());
    path_.clear();
  }
  std::string path_;
};

/// Nothing where there is no screen; the address was printed.
std::unique_ptr<LeadingPage> open_browser(const std::string& url) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return nullptr;
  auto page = std::make_unique<LeadingPage>(url);
  if (page->path().empty()) return nullptr;
  pid_t child = 0;
  std::string program = "xdg-open", address = page->path();
  char* words[] = {program.data(), address.data(), nullptr};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", 1, 0);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", 1, 0);
  if (posix_spawnp(&child, program.c_str(), &quiet, nullptr, words, environ) == 0) waitpid(child, nullptr, WNOHANG);
  posix_spawn_file_actions_destroy(&quiet);
  return page;
}

int serve(const StudioArguments& a) {
  std::error_code error;
  server::StudioSettings studio_settings;
  studio_settings.folder = a.folder.empty() ? "." : a.folder;
  studio_settings.threads = a.threads;
  studio_settings.most_disk_bytes = static_cast<std::uint64_t>(1e9 * a.disk_gb);
  studio_settings.page = find_page();
  if (const auto scene = find_scenario("bottleneck")) studio_settings.scenes = fs::canonical(scene->parent_path(), error);
  // A file is opened by its name below the folder; without --dir one elsewhere takes its own folder along.
  std::string what = a.file;
  const fs::path in_folder = fs::path(studio_settings.folder) / what;
  if (!what.empty() && !fs::exists(in_folder, error)) {
    // Before anything is started: a name that leads nowhere.
    const InputKinds any = InputKind::kScenario | InputKind::kScene | InputKind::kRecording;
    if (const auto input = find_input(what, any); !input) return report_problems(input.problems(), a.json);
  }
  if (!what.empty() && fs::exists(what, error)) {
    const fs::path file = fs::canonical(what, error);
    fs::path folder = fs::canonical(studio_settings.folder, error);
    fs::path relative = file.lexically_relative(folder);
    if (a.folder.empty() && (relative.empty() || *relative.begin() == "..")) {
      studio_settings.folder = folder = file.parent_path();
      relative = file.filename();
    }
    what = relative.generic_string();
  }
  // Before any thread begins, so that all of them leave these to us.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  signal(SIGPIPE, SIG_IGN);

  auto studio = server::Studio::create(studio_settings);
  if (!studio) return report_problems(studio.problems(), a.json);
  if (!what.empty()) {
    if (!a.json) fmt::print(stderr, "throng studio: opening {}\n", what);
    if (const auto opened = (*studio)->open(what); !opened) return report_problems(opened.problems(), a.json);
  }
  server::ServerSettings settings;
  settings.port = a.port;
  settings.page = studio_settings.page;
  if (const char* token = std::getenv("THRONG_STUDIO_TOKEN"); token != nullptr && std::string_view(token).size() >= 16)
    settings.token = token;
  auto server = server::HttpServer::start(std::move(*studio), settings);
  if (!server) return report_problems(server.problems(), a.json);
  if (studio_settings.page.empty())
    fmt::print(stderr,
               "throng studio: the page is not built; `./throng studio` builds it, or by hand: cd apps/studio && npm ci && npm "
               "run build\n");
  if (a.json)
    print_json({{"url", (*server)->url()}, {"port", (*server)->port()}, {"token", (*server)->token()}});
  else
    fmt::print("{}\n", (*server)->url());
  std::fflush(stdout);
  if (!a.json) fmt::print(stderr, "throng studio: open this address in a browser; Ctrl-C ends it\n");
  std::unique_ptr<LeadingPage> page;
  if (!a.no_open) page = open_browser((*server)->url());
  int signal = 0;
  sigwait(&ends, &signal);
  return kSuccess;
}

}  // namespace

void add_studio(CLI::App& app, Outcome& outcome) {
  auto a = std::make_shared<StudioArguments>();
  CLI::App* verb = app.add_subcommand("studio", "see, edit, run and replay scenarios in the browser, on this machine only");
  verb->add_option("FILE", a->file, "a scenario, a recording, a folder with one, a scene, or the name of a scene to start with");
  verb->add_option("--port", a->port, "0: any that is free")->capture_default_str();
  verb->add_option("--dir", a->folder, "the only folder whose files are read and written (default: the present one)");
  verb->add_option("--threads", a->threads, "0: one per core; results do not depend on it")->capture_default_str();
  verb->add_option("--disk", a->disk_gb, "GB that temporary recordings of live runs may take")
      ->check(CLI::Range(0.001, 100000.0))
      ->capture_default_str();
  verb->add_flag("--no-open", a->no_open, "do not open a browser");
  verb->add_flag("--json", a->json, "address and token as one JSON document on stdout");
  verb->footer("Example: throng studio bottleneck");
  verb->callback([a, &outcome] { outcome.status = serve(*a); });
}

}  // namespace throng::cli
