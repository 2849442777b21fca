// SPDX-License-Identifier: MIT
// throng bench studio: what the studio's server costs a simulation, what it sends, how fast it seeks.
//
// Viewers are real sockets of this process, of a client that knows just enough of WebSockets; their work counts as the server's.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <thread>

#include "base/random.hpp"
#include "bench.hpp"
#include "exports.hpp"
#include "http_server.hpp"

namespace throng::cli {
namespace {

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}
double resident_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  return 0;
}

/// One WebSocket to the server.
class Client {
 public:
  Client(std::uint16_t port, const std::string& token) {
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return;
    const std::string hello = fmt::format(
        "GET /ws?token={} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
        token, port);
    if (::send(socket_, hello.data(), hello.size(), MSG_NOSIGNAL) < 0) return;
    while (buffer_.find("\r\n\r\n") == std::string::npos)
      if (!fill()) return;
    is_open_ = buffer_.starts_with("HTTP/1.1 101");
    buffer_.erase(0, buffer_.find("\r\n\r\n") + 4);
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  bool is_open() const { return is_open_; }
  void end() { ::shutdown(socket_, SHUT_RDWR); }

  void say(const std::string& text) {
    std::string frame = "\x81";
    if (text.size() < 126) {
      frame += static_cast<char>(0x80 | text.size());
    } else {
      frame += static_cast<char>(0x80 | 126);
      frame += static_cast<char>(text.size() >> 8);
      frame += static_cast<char>(text.size() & 255);
    }
    frame.append(4, '\0');  // a mask of zeros
    frame += text;
    (void)!::send(socket_, frame.data(), frame.size(), MSG_NOSIGNAL);
  }
  /// The next message; its kind: 1 text, 2 a frame, 0 the end.
  int next(std::string& payload) {
    for (;;) {
      while (buffer_.size() < at_ + 2)
        if (!fill()) return 0;
      const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(buffer_[at_ + i]); };
      const int kind = byte(0) & 15;
      std::uint64_t size = byte(1) & 127;
      std::size_t head = 2;
      if (size >= 126) {
        const std::size_t more = size == 126 ? 2 : 8;
        while (buffer_.size() < at_ + 2 + more)
          if (!fill()) return 0;
        size = 0;
        for (std::size_t i = 0; i < more; ++i) size = size << 8 | byte(2 + i);
        head += more;
      }
      while (buffer_.size() < at_ + head + size)
        if (!fill()) return 0;
      payload.assign(buffer_, at_ + head, size);
      at_ += head + size;
      if (at_ > (1u << 20)) buffer_.erase(0, at_), at_ = 0;
      if (kind == 1 || kind == 2) return kind;
      if (kind == 8) return 0;
    }
  }

 private:
  bool fill() {
    char bytes[65536];
    const ssize_t got = ::recv(socket_, bytes, sizeof bytes, 0);
    if (got <= 0) return false;
    buffer_.append(bytes, static_cast<std::size_t>(got));
    return true;
  }
  int socket_ = -1;
  bool is_open_ = false;
  std::string buffer_;
  std::size_t at_ = 0;
};

/// What a viewer got: differences apart from key frames.
struct Received {
  std::uint64_t frames = 0, people = 0, bytes = 0, keys = 0;
};

std::string crowd_text(std::uint32_t people, double seconds) {
  const nlohmann::json text = {
      {"throng_scenario", 1},
      {"name", "bench"},
      {"scene", "city:2600"},
      {"plans", {{"stroll", {{"goals", nlohmann::json::array({{{"point", {700, 700}}}})}, {"end", "wander"}}}}},
      {"populations", {{{"count", people}, {"plan", "stroll"}}}},
      {"settings", {{"duration", seconds}, {"stop_when_done", false}}}};
  return text.dump();
}

struct BenchStudioArguments {
  std::uint32_t people = 20000, replay_people = 5000;
  std::uint32_t steps = 300;
  double replay_seconds = 600, watch_seconds = 15;
  std::uint32_t seeks = 200;
  unsigned threads = 1;
  bool json = false;
};

void wait_until(server::Branch& branch, std::uint64_t step) {
  while (branch.end_step() < step && !branch.is_done()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

int run_bench_studio(const BenchStudioArguments& a) {
  const auto scenario = read_scenario(crowd_text(a.people, 1e6), "bench", open_scenes_from({}));
  if (!scenario) return report_problems(scenario.problems(), a.json);
  nlohmann::json out = {{"people", a.people}, {"threads", a.threads}, {"steps", a.steps}};
  constexpr std::uint32_t kWarmUp = 50;

  // Without a studio.
  const auto navigation = Navigation::bake(scenario->scene, {.threads = a.threads, .editable = true});
  if (!navigation) return report_problems(navigation.problems(), a.json);
  const auto plain = [&]() -> Result<nlohmann::json> {
    auto simulation = Simulation::create(*scenario, *navigation, a.threads);
    if (!simulation) return simulation.problems();
    for (std::uint32_t i = 0; i < kWarmUp; ++i) simulation->step();
    const auto began = Clock::now();
    const double cpu = cpu_seconds();
    for (std::uint32_t i = 0; i < a.steps; ++i) simulation->step();
    return nlohmann::json{{"ms_per_step", 1000 * seconds_since(began) / a.steps},
                          {"cpu_ms_per_step", 1000 * (cpu_seconds() - cpu) / a.steps}};
  };
  auto without = plain();
  if (!without) return report_problems(without.problems(), a.json);

  server::StudioSettings studio_settings;
  studio_settings.threads = a.threads;
  auto studio = server::Studio::create(studio_settings);
  if (!studio) return report_problems(studio.problems(), a.json);
  server::ServerSettings settings;
  settings.port = 0;
  auto started = server::HttpServer::start(std::move(*studio), settings);
  if (!started) return report_problems(started.problems(), a.json);
  server::HttpServer& host = **started;
  std::string payload;
  const auto answer = [&](Client& client, int id) {  // waits for the answer to a message
    const std::string mark = fmt::format("\"id\":{},", id);
    for (int kind = client.next(payload); kind != 0; kind = client.next(payload))
      if (kind == 1 && payload.find(mark) != std::string::npos) return;
  };

  /// A run of `steps` with some viewers: how long a step takes.
  const auto with = [&](bool watches, bool stalls) {
    Client main(host.port(), host.token());
    main.say(fmt::format("{{\"id\":1,\"do\":\"run\",\"scenario\":{}}}", crowd_text(a.people, 1e6)));
    answer(main, 1);
    const auto branch = host.studio().document()->branch(0);
    std::unique_ptr<Client> reader, stalled;
    std::thread reading;
    Received received;
    const char* view = "{\"id\":2,\"do\":\"view\",\"branch\":0,\"time\":0,\"playing\":true,\"speed\":1}";
    if (watches) {
      reader = std::make_unique<Client>(host.port(), host.token());
      reader->say(view);
      reading = std::thread([&] {
        std::string bytes;
        for (int kind = reader->next(bytes); kind != 0; kind = reader->next(bytes)) {
          if (kind != 2 || bytes.size() < 36) continue;
          std::uint32_t people = 0;
          std::memcpy(&people, bytes.data() + 16, sizeof people);
          if ((bytes[1] & 1) != 0) {
            ++received.keys;
            continue;
          }
          ++received.frames, received.people += people, received.bytes += bytes.size();
        }
      });
    }
    if (stalls) {
      stalled = std::make_unique<Client>(host.port(), host.token());
      // Whole frames until its buffers are full, then it plays on and never reads.
      for (int i = 0; i < 40; ++i) stalled->say("{\"do\":\"view\",\"branch\":0,\"time\":0,\"playing\":true,\"speed\":50}");
    }
    branch->want(kWarmUp);
    wait_until(*branch, kWarmUp);
    const std::uint64_t first = branch->end_step();
    const server::Branch::Cost before = branch->cost();
    const auto began = Clock::now();
    const double cpu = cpu_seconds();
    branch->want(first + a.steps);
    wait_until(*branch, first + a.steps);
    const double wall = seconds_since(began), used = cpu_seconds() - cpu;
    const auto steps = static_cast<double>(branch->end_step() - first);
    const server::Branch::Cost cost = branch->cost();
    nlohmann::json result = {{"ms_per_step", 1000 * wall / steps},
                             {"cpu_ms_per_step", 1000 * used / steps},
                             {"simulation_ms", 1000 * (cost.step - before.step) / steps},
                             {"hand_over_ms", 1000 * (cost.keep - before.keep) / steps},
                             {"keeper_ms", 1000 * (cost.beside - before.beside) / steps}};
    if (reader) {
      reader->end();
      reading.join();
      result["frames"] = received.frames;
    }
    if (stalled) stalled->end();
    return result;
  };
  const nlohmann::json alone = with(false, false), watched = with(true, false), beside_stalled = with(false, true);
  // Again, so that what the machine did meanwhile shows.
  auto again = plain();
  if (!again) return report_problems(again.problems(), a.json);
  for (const char* key : {"ms_per_step", "cpu_ms_per_step"})
    (*without)[key] = std::min((*without)[key].get<double>(), (*again)[key].get<double>());
  out["without"] = *without, out["studio"] = alone, out["watched"] = watched, out["stalled"] = beside_stalled;

  // At 10 Hz, as somebody watches.
  {
    Client client(host.port(), host.token());
    const auto branch = host.studio().document()->branch(0);
    client.say("{\"id\":3,\"do\":\"view\",\"branch\":0,\"time\":5,\"playing\":true,\"speed\":1}");
    Received received;
    const auto began = Clock::now();
    while (seconds_since(began) < a.watch_seconds) {
      const int kind = client.next(payload);
      if (kind == 0) break;
      if (kind != 2) continue;
      std::uint32_t people = 0;
      std::memcpy(&people, payload.data() + 16, sizeof people);
      if ((payload[1] & 1) != 0)
        ++received.keys;
      else
        ++received.frames, received.people += people, received.bytes += payload.size();
    }
    const double seconds = seconds_since(began);
    out["frames_per_second"] = static_cast<double>(received.frames) / seconds;
    out["bytes_per_person_and_frame"] =
        static_cast<double>(received.bytes) / static_cast<double>(std::max<std::uint64_t>(1, received.people));
  }

  // Seeking in a long recording that comes from a file.
  if (a.seeks > 0) {
    Client client(host.port(), host.token());
    client.say(fmt::format("{{\"id\":4,\"do\":\"run\",\"scenario\":{}}}", crowd_text(a.replay_people, a.replay_seconds)));
    answer(client, 4);
    auto document = host.studio().document();
    auto branch = document->branch(0);
    branch->want(1'000'000'000);
    wait_until(*branch, static_cast<std::uint64_t>(a.replay_seconds / branch->dt()));
    auto file = server::export_recording(*document, *branch);
    if (!file) return report_problems(file.problems(), a.json);
    const auto bytes = std::filesystem::file_size(*file);
    branch.reset();
    document.reset();
    server::StudioSettings folder;
    folder.folder = file->parent_path();
    folder.threads = a.threads;
    auto second = server::Studio::create(folder);
    if (!second) return report_problems(second.problems(), a.json);
    const auto opening = Clock::now();
    if (const auto opened = (*second)->open(file->filename().string()); !opened)
      return report_problems(opened.problems(), a.json);
    const double open_seconds = seconds_since(opening);
    auto other = server::HttpServer::start(std::move(*second), settings);
    if (!other) return report_problems(other.problems(), a.json);
    Client seeker((*other)->port(), (*other)->token());
    const double before = resident_mb();
    std::vector<double> times;
    RandomStream random(1, 0, 5);
    std::size_t wrong = 0;
    for (std::uint32_t i = 0; i < a.seeks; ++i) {
      const double time = 0.1 * std::floor(10 * a.replay_seconds * random.unit());
      const auto began = Clock::now();
      seeker.say(fmt::format("{{\"id\":{},\"do\":\"view\",\"branch\":0,\"time\":{},\"playing\":false}}", i + 10, time));
      while (seeker.next(payload) != 2) {
      }
      times.push_back(1000 * seconds_since(began));
      double shown = 0;
      std::memcpy(&shown, payload.data() + 8, sizeof shown);
      wrong += std::abs(shown - time) > 0.051;
    }
    const Spread spread = spread_of(times);
    out["seek"] = {{"people", a.replay_people},
                   {"seconds", a.replay_seconds},
                   {"file_mb", static_cast<double>(bytes) / 1e6},
                   {"open_s", open_seconds},
                   {"median_ms", spread.median},
                   {"p95_ms", spread.p95},
                   {"worst_ms", spread.worst},
                   {"wrong", wrong},
                   {"memory_mb", resident_mb() - before},
                   {"cache_mb", static_cast<double>(studio_settings.cache_bytes) / 1e6}};
    if (wrong > 0) {
      const Problem problem{"bench studio", fmt::format("{} seeks showed another moment", wrong),
                            "this is a fault of the server"};
      return report_problems({&problem, 1}, a.json);
    }
  }
  if (a.json) {
    print_json(out);
    return kSuccess;
  }
  const auto number = [](const nlohmann::json& j, const char* key) { return j[key].get<double>(); };
  fmt::print("{} people in city:2600, {} thread{} of simulation, {} steps\n", a.people, a.threads, a.threads == 1 ? "" : "s",
             a.steps);
  fmt::print("{:<28} {:>10} {:>14}\n", "", "ms a step", "CPU ms a step");
  for (const auto& [name, key] : {std::pair{"plain run", "without"},
                                  {"studio, nobody watches", "studio"},
                                  {"one viewer at 10 Hz", "watched"},
                                  {"one viewer that stalls", "stalled"}})
    fmt::print("{:<28} {:>10.2f} {:>14.2f}\n", name, number(out[key], "ms_per_step"), number(out[key], "cpu_ms_per_step"));
  fmt::print("of a step: simulation {:.2f} ms, handing over {:.2f} ms; beside it recording {:.2f} ms\n",
             number(watched, "simulation_ms"), number(watched, "hand_over_ms"), number(watched, "keeper_ms"));
  fmt::print("watching: {:.1f} frames a second, {:.2f} bytes a person and frame\n", number(out, "frames_per_second"),
             number(out, "bytes_per_person_and_frame"));
  if (out.contains("seek"))
    fmt::print(
        "{} seeks in {:g} s of {} people ({:.0f} MB, opened in {:.1f} s): median {:.0f} ms, 95 % {:.0f} ms, worst {:.0f} ms; "
        "{:.0f} MB more memory\n",
        a.seeks, a.replay_seconds, a.replay_people, number(out["seek"], "file_mb"), number(out["seek"], "open_s"),
        number(out["seek"], "median_ms"), number(out["seek"], "p95_ms"), number(out["seek"], "worst_ms"),
        number(out["seek"], "memory_mb"));
  return kSuccess;
}

}  // namespace

void add_bench_studio(CLI::App& bench, Outcome& outcome) {
  auto a = std::make_shared<BenchStudioArguments>();
  CLI::App* verb =
      bench.add_subcommand("studio", "what the studio's server costs a simulation, what it sends, how fast it seeks");
  verb->add_option("--people", a->people, "in the live run")->capture_default_str();
  verb->add_option("--steps", a->steps, "measured for each row")->capture_default_str();
  verb->add_option("--threads", a->threads, "of the simulation; the server has its own besides")->capture_default_str();
  verb->add_option("--replay-people", a->replay_people, "in the recording")->capture_default_str();
  verb->add_option("--replay-seconds", a->replay_seconds, "of the recording")->capture_default_str();
  verb->add_option("--watch", a->watch_seconds, "seconds of watching at 10 Hz")->capture_default_str();
  verb->add_option("--seeks", a->seeks, "in the recording; 0: none is made")->capture_default_str();
  verb->add_flag("--json", a->json, "one JSON document on stdout");
  verb->footer(
      "Example: throng bench studio --people 20000\n./throng bench studio --page measures the page instead: script a frame, in "
      "chromium.");
  verb->callback([a, &outcome] { outcome.status = run_bench_studio(*a); });
}

}  // namespace throng::cli
