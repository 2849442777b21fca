// SPDX-License-Identifier: MIT
// 3D meshes. assimp reads some fifty formats and was not written for hostile files, so it runs in a child process,
// `throng-mesh-import`, with limits on processor time, wall time and memory, and hands over plain numbers (mesh_wire.hpp) of
// which none is trusted. A crash, an endless loop or a file that unfolds to gigabytes ends as a Problem of this process.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "import/import.hpp"
#include "import/mesh_wire.hpp"
#include "import/scene_builder.hpp"

namespace throng {
namespace {

constexpr const char* kProgram = "throng-mesh-import";

/// Beside the running program, where an installation puts helpers, or where $THRONG_MESH_IMPORT says.
std::filesystem::path find_program() {
  if (const char* said = std::getenv("THRONG_MESH_IMPORT"); said && *said) return said;
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return {};
  for (const auto& candidate : {self.parent_path() / kProgram, self.parent_path().parent_path() / "libexec" / "throng" / kProgram,
                                self.parent_path().parent_path() / "bin" / kProgram}) {
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

struct Outcome {
  std::string output;
  std::string trouble;  ///< empty if the child ended by itself with status 0
};

class Pipe {
 public:
  Pipe() { open_ = ::pipe2(ends_, O_CLOEXEC) == 0; }
  ~Pipe() { close_end(0), close_end(1); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  explicit operator bool() const { return open_; }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_end(int which) {
    if (open_ && ends_[which] >= 0) ::close(std::exchange(ends_[which], -1));
  }

 private:
  int ends_[2] = {-1, -1};
  bool open_ = false;
};

/// Runs the child and reads at most `most_bytes` of its output for at most `seconds`.
Outcome run_child(const std::filesystem::path& program, const std::vector<std::string>& words, std::size_t most_bytes,
                  double seconds) {
  Outcome outcome;
  Pipe pipe;
  if (!pipe) return {{}, fmt::format("no pipe could be made: {}", std::strerror(errno))};

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe.write_end(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments{const_cast<char*>(program.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return {{}, fmt::format("{} could not be started: {}", program.string(), std::strerror(failed))};
  pipe.close_end(1);

  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::vector<char> buffer(1 << 16);
  while (outcome.trouble.empty()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0) {
      outcome.trouble = fmt::format("reading it takes longer than {:g} s", seconds);
      break;
    }
    pollfd wait{pipe.read_end(), POLLIN, 0};
    if (::poll(&wait, 1, static_cast<int>(std::min<long long>(left, 1000))) <= 0) continue;
    const ssize_t got = ::read(pipe.read_end(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    outcome.output.append(buffer.data(), static_cast<std::size_t>(got));
    if (outcome.output.size() > most_bytes) outcome.trouble = "it unfolds to more vertices and triangles than are allowed";
  }
  // A child that closed its output may still be running: it gets no more than the time that was left, either.
  int status = 0;
  if (!outcome.trouble.empty()) ::kill(child, SIGKILL);
  while (true) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended != 0 && !(ended < 0 && errno == EINTR)) break;
    if (std::chrono::steady_clock::now() > deadline) ::kill(child, SIGKILL);
    ::poll(nullptr, 0, 2);
  }
  if (outcome.trouble.empty() && WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    outcome.trouble = signal == SIGXCPU || signal == SIGKILL ? std::string("reading it took more time or memory than is allowed")
                                                             : fmt::format("the mesh library crashed on it (signal {})", signal);
  } else if (outcome.trouble.empty() && WEXITSTATUS(status) != 0) {
    outcome.trouble = fmt::format("the mesh library gave up on it (status {})", WEXITSTATUS(status));
  }
  return outcome;
}

bool z_is_up(const std::filesystem::path& file, char up) {
  if (up) return up == 'z';
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".stl" || extension == ".ply" || extension == ".dxf" || extension == ".ifc" || extension == ".3mf";
}

/// Turns z up and moves the mesh near zero.
bool settle(Mesh& mesh, bool z_up, ProblemList& problems, Vec2& origin) {
  Vec2 low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
  for (Vec3& v : mesh.vertices) {
    if (!z_up) v = {v.x, -v.z, v.y};  // a quarter turn about x: right-handed stays right-handed
    low = {std::min(low.x, v.x), std::min(low.y, v.y)};
    high = {std::max(high.x, v.x), std::max(high.y, v.y)};
  }
  const auto place = origin_for(low, high);
  if (!place) {
    problems.add("",
                 fmt::format("the mesh is {:.6g} × {:.6g} m large; at most {:g} m each way is allowed", high.x - low.x,
                             high.y - low.y, limits::kExtentMetres),
                 "scale it to metres or cut it");
    return false;
  }
  origin = *place;
  for (Vec3& v : mesh.vertices) v.x -= origin.x, v.y -= origin.y;
  return true;
}

}  // namespace

Result<Scene> read_mesh(const std::filesystem::path& file, const ImportSettings& settings) {
  const std::string name = file.string();
  if (settings.up != 0 && settings.up != 'y' && settings.up != 'z') {
    return Problem{name, fmt::format("up axis '{}' found; y or z is allowed", settings.up), "choose --up y or --up z"};
  }
  // Missing, empty and oversized files are told apart here, in our own words.
  if (auto bytes = read_file(file); !bytes) return bytes.problems();
  const std::filesystem::path program = find_program();
  if (program.empty()) {
    return Problem{name, fmt::format("the program {} that reads meshes was not found beside this one", kProgram),
                   "install or build it, or set THRONG_MESH_IMPORT to its path"};
  }
  std::error_code error;
  const std::string absolute = std::filesystem::absolute(file, error).string();
  const std::size_t most =
      mesh_wire::kHeaderBytes + limits::kVertices * mesh_wire::kVertexBytes + limits::kTriangles * mesh_wire::kTriangleBytes;
  const Outcome outcome = run_child(
      program, {absolute, fmt::format("{:.0f}", std::ceil(settings.mesh_seconds)), fmt::format("{}", settings.mesh_bytes)}, most,
      settings.mesh_seconds);

  SceneBuilder builder(name);
  if (!outcome.trouble.empty()) {
    builder.problems().add("", outcome.trouble,
                           "the file is damaged or far too large; check that it opens in a 3D program, or export it again");
    return builder.problems().take();
  }
  Scene& scene = builder.scene();
  auto mesh = mesh_wire::read_answer(outcome.output, name);
  if (!mesh) return mesh.problems();
  scene.mesh = std::move(*mesh);
  if (!settle(scene.mesh, z_is_up(file, settings.up), builder.problems(), scene.origin)) return builder.problems().take();
  return builder.finish(SceneBuilder::Outlines::trusted, true);
}

}  // namespace throng
