// SPDX-License-Identifier: MIT
// Somebody who means harm, or has no idea: random requests, broken frames, mutated messages, connections that never end.
// Repeatable by its seed. THRONG_ABUSE_SECONDS makes it go on for so long (docs/studio.md).
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

#include "base/random.hpp"
#include "server/site.hpp"

namespace throng::server {
namespace {

constexpr const char* kSecret = "nobody-may-read-this-2718281828";

class Abuser {
 public:
  /// `may_open`: also what puts another document, or none, in the place of the one that runs.
  Abuser(Site& site, std::uint64_t seed, bool may_open) : site_(site), random_(seed, 1, 9), may_open_(may_open) {}
  ~Abuser() {
    for (const int socket : open_) ::close(socket);
  }

  void act() {
    switch (below(6)) {
      case 0:
        return request();
      case 1:
        return linger();
      case 2:
        return handshake();
      case 3:
        return frames();
      default:
        return messages();
    }
  }
  /// What was ever answered held the file outside.
  bool has_seen_secret() const { return has_seen_secret_; }
  std::size_t answers() const { return answers_; }
  std::size_t refusals() const { return refusals_; }

 private:
  std::uint32_t below(std::uint32_t n) { return std::min(n - 1, static_cast<std::uint32_t>(random_.unit() * n)); }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[below(static_cast<std::uint32_t>(list.size()))];
  }
  std::string bytes(std::size_t count) {
    std::string text(count, '\0');
    for (char& c : text) c = static_cast<char>(below(256));
    return text;
  }
  std::string mutated(std::string text) {
    for (std::uint32_t k = below(4); k > 0 && !text.empty(); --k) {
      const std::size_t at = below(static_cast<std::uint32_t>(text.size()));
      switch (below(5)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, 1 + below(20));
          break;
        case 2:
          text.insert(at, bytes(1 + below(8)));
          break;
        case 3:
          text.insert(at, text.substr(below(static_cast<std::uint32_t>(text.size())), below(40)));
          break;
        default:
          text.resize(at);
          break;
      }
    }
    return text;
  }

  int connect() {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval patience{0, 30'000};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(site_.server->port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    (void)::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    return socket;
  }
  static void send(int socket, const std::string& text) { (void)!::send(socket, text.data(), text.size(), MSG_NOSIGNAL); }
  std::string receive(int socket, std::size_t most = 1u << 20) {
    std::string text(65536, '\0'), all;
    for (ssize_t got = 1; all.size() < most && (got = ::recv(socket, text.data(), text.size(), 0)) > 0;)
      all.append(text, 0, static_cast<std::size_t>(got));
    has_seen_secret_ = has_seen_secret_ || all.find(kSecret) != std::string::npos;
    return all;
  }

  std::string head(const std::string& method, const std::string& target, bool is_upgrade) {
    std::string text = method + " " + target + " HTTP/1.1\r\n";
    const std::string own = site_.host();
    text +=
        "Host: " + one_of<std::string>({own, own, own, own, "evil.example", "", "127.0.0.1:1", own + "\r\nHost: evil.example"}) +
        "\r\n";
    if (below(3) == 0)
      text +=
          "Origin: " + one_of<std::string>({"http://" + own, "https://evil.example", "null", "http://" + own + ".evil.example"}) +
          "\r\n";
    if (below(6) == 0) text += "X-Filler: " + std::string(below(40000), 'x') + "\r\n";
    if (below(8) == 0)
      text += one_of<std::string>({"Content-Length: 99999999999999999999\r\n", "Content-Length: -1\r\n",
                                   "Transfer-Encoding: chunked\r\n", "Expect: 100-continue\r\n",
                                   "Content-Length: 5\r\nContent-Length: 6\r\n"});
    if (is_upgrade)
      text +=
          "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: " +
          one_of<std::string>({"13", "13", "13", "8", "x"}) + "\r\n";
    return text + "\r\n";
  }
  std::string token() {
    return below(4) != 0 ? site_.server->token()
                         : one_of<std::string>({"", "x", std::string(5000, 'a'), "%00%ff", mutated(site_.server->token())});
  }

  /// Any request, some of them for files that nobody may have.
  void request() {
    const std::string up =
        one_of<std::string>({"../", "..%2f", "%2e%2e/", "..\\", "....//", "%252e%252e%252f", "/./../", "..;/", "..%c0%af"});
    std::string way = "/";
    for (std::uint32_t k = below(7); k > 0; --k) way += up;
    const std::string target = one_of<std::string>(
        {way + "secret.json", way + "etc/passwd", "/assets" + way + "secret.json", "/assets/%00", "/api/scenes", "/api/schema",
         "/api/picture/" + way + "x.png", "/api/picture/bottleneck.png", "/api/export/recording?branch=0",
         "/api/export/html?branch=0&from=1&to=2", "/api/export/html?branch=-1", "/api/export/nothing",
         "/api/upload?name=" + way + "x.json", "/api/upload?name=x.wkt", "*", "http://evil.example/", ""});
    const std::string asked = target + (target.find('?') == std::string::npos ? "?" : "&") + "token=" + token();
    std::string text =
        head(one_of<std::string>({"GET", "GET", "GET", "POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "get", "X"}), asked, false);
    if (below(3) == 0)
      text += one_of<std::string>({"POLYGON ((0 0, 5 0, 5 5))", bytes(3000), "5\r\nhello\r\n0\r\n\r\n", "fffffffffffffffff\r\n"});
    if (!may_open_ && target.find("upload") != std::string::npos) return;
    const int socket = connect();
    send(socket, below(2) == 0 ? mutated(text) : text);
    if (below(2) == 0) ::shutdown(socket, SHUT_WR);
    if (receive(socket).starts_with("HTTP/1.1 4")) ++refusals_;
    ::close(socket);
  }
  /// Comes and stays, with or without half a request.
  void linger() {
    if (open_.size() >= 220) {
      for (const int socket : open_) ::close(socket);
      open_.clear();
    }
    for (std::uint32_t k = below(30); k > 0; --k) {
      open_.push_back(connect());
      const std::string text = head("GET", "/ws?token=" + token(), true);
      if (below(2) == 0) send(open_.back(), text.substr(0, below(static_cast<std::uint32_t>(text.size()))));
    }
    for (std::uint32_t k = below(20); k > 0 && !open_.empty(); --k) {
      const std::uint32_t at = below(static_cast<std::uint32_t>(open_.size()));
      ::close(open_[at]);
      open_[at] = open_.back();
      open_.pop_back();
    }
  }
  void handshake() {
    const int socket = connect();
    send(socket, mutated(head("GET", "/ws?token=" + token(), true)));
    if (receive(socket).starts_with("HTTP/1.1 4")) ++refusals_;
    ::close(socket);
  }
  /// A socket that is let in, or -1.
  int let_in() {
    const int socket = connect();
    send(socket, "GET /ws?token=" + site_.server->token() + " HTTP/1.1\r\nHost: " + site_.host() +
                     "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: "
                     "AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n");
    char answer[1024];
    const ssize_t got = ::recv(socket, answer, sizeof answer, 0);
    if (got > 12 && std::string_view(answer, 12) == "HTTP/1.1 101") return socket;
    ::close(socket);
    return -1;
  }
  std::string frame(unsigned first, const std::string& payload, bool is_masked, std::optional<std::uint64_t> said_size = {}) {
    std::string text(1, static_cast<char>(first));
    const std::uint64_t size = said_size.value_or(payload.size());
    const unsigned mask = is_masked ? 0x80 : 0;
    if (size < 126) {
      text += static_cast<char>(mask | size);
    } else {
      const int more = size < 65536 ? 2 : 8;
      text += static_cast<char>(mask | (more == 2 ? 126 : 127));
      for (int k = more - 1; k >= 0; --k) text += static_cast<char>(size >> (8 * k));
    }
    if (is_masked) text.append(4, '\0');
    return text + payload;
  }
  /// Frames that the protocol of WebSockets forbids, or that nobody sends.
  void frames() {
    const int socket = let_in();
    if (socket < 0) return;
    for (std::uint32_t k = 1 + below(5); k > 0; --k) {
      switch (below(7)) {
        case 0:
          send(socket, frame(0x81, "{\"id\":1,\"do\":\"hello\"}", false));
          break;  // not masked
        case 1:
          send(socket, frame(below(256), bytes(below(200)), true));
          break;  // any kind
        case 2:
          send(socket, frame(0x81, "{}", true, std::uint64_t{1} << (20 + below(44))));
          break;  // longer than it is
        case 3:
          send(socket, frame(0x89, bytes(126 + below(400)), true));
          break;  // a long ping
        case 4:
          send(socket, frame(0x01, "{\"id\":", true) + frame(0x81, "1}", true));
          break;  // a message within another
        case 5:
          send(socket, frame(0x82, bytes(below(70000)), true));
          break;  // no text
        default:
          for (int i = 0; i < 300; ++i) send(socket, frame(0x89, "x", true));
          break;  // pings
      }
    }
    if (below(2) == 0) receive(socket);
    ::close(socket);
  }

  Json any_value(int depth = 0) {
    switch (below(depth > 3 ? 10 : 13)) {
      case 0:
        return nullptr;
      case 1:
        return -1;
      case 2:
        return one_of<double>({0, 0.5, 1e308, -1e308, 1e-320, 4294967296.0, 65536, 1e7});
      case 3:
        return one_of<std::uint64_t>({0, 1, 255, 256, 65535, 65536, 4294967295u, ~std::uint64_t{0}});
      case 4:
        return one_of<std::string>({"", "../../secret.json", "../secret.json", "/etc/passwd", "bottleneck", "\xff\xfe",
                                    std::string(3000, 'x'), "B", "density", "reactive", "\n"});
      case 5:
        return below(2) == 0;
      case 6:
        return static_cast<int>(below(100));
      case 7:
        return random_.unit() * 60;
      case 8:
        return Json::array();
      case 9:
        return Json::object();
      case 10:
        return Json::array({any_value(depth + 1), any_value(depth + 1)});
      case 11:
        return Json{{"close_door", any_value(depth + 1)}};
      default:
        return Json{{one_of<std::string>({"name", "box", "remove", "polygon", "throng_scenario"}), any_value(depth + 1)}};
    }
  }
  /// Any value within, replaced, taken out or added to.
  void mutate(Json& json) {
    if (json.is_structured() && !json.empty() && below(3) != 0) {
      auto at = json.begin();
      std::advance(at, below(static_cast<std::uint32_t>(json.size())));
      if (below(8) != 0) return mutate(*at);
      json.erase(at);
    } else if (json.is_object() && below(3) == 0) {
      json[one_of<std::string>({"name", "time", "extra", "", "branch"})] = any_value();
    } else {
      json = any_value();
    }
  }
  Json message() {
    const double time = random_.unit() * 30;
    const std::uint32_t branch = below(3) == 0 ? below(40) : 0;
    const Json scenario = {{"throng_scenario", 1},
                           {"scene", {{"throng_scene", 1}, {"walkable", {{{0, 0}, {20, 0}, {20, 10}, {0, 10}}}}}},
                           {"areas", {{{"name", "out"}, {"box", {16, 2, 19, 8}}}}},
                           {"plans", {{"go", {{"goals", {"out"}}}}}},
                           {"populations", {{{"count", 12}, {"box", {1, 1, 8, 9}}, {"plan", "go"}}}}};
    static const std::vector<std::string> overlays = {
        "cells",       "portals",        "topology",   "zones",          "roadmap", "walls",  "discs",
        "visibility",  "flows",          "load",       "potential",      "density", "trails", "density_field",
        "speed_field", "velocity_field", "neighbours", "personal_space", "regions", "nothing"};
    switch (below(may_open_ ? 15 : 13)) {
      case 0:
        return {{"do", "view"}, {"branch", branch}, {"time", time}, {"playing", below(2) == 0}, {"speed", 50 * random_.unit()}};
      case 1:
        return {{"do", "compute"}, {"branch", branch}, {"to", time}};
      case 2:
        return {{"do", "branch"}, {"branch", branch}, {"time", 0.3 * time}, {"events", Json::array({{{"close_door", "exit"}}})}};
      case 3:
        return {{"do", "branch"}, {"branch", branch}, {"time", 0.3 * time}, {"name", "x"}, {"events", Json::array()}};
      case 4:
        return {{"do", "compare"}, {"branches", {0, branch}}};
      case 5:
        return {{"do", "series"}, {"branch", branch}};
      case 6:
        return {{"do", "inspect"}, {"branch", branch}, {"time", time}, {"agent", below(200)}};
      case 7:
        return {{"do", "place"}, {"branch", branch}, {"time", time}, {"x", 20 * random_.unit()}, {"y", 20 * random_.unit()},
                {"layer", 0}};
      case 8:
        return {{"do", "overlay"}, {"name", one_of(overlays)}, {"layer", 0},   {"branch", branch},
                {"time", time},    {"agent", below(200)},      {"at", {5, 5}}, {"depth", below(6)}};
      case 9:
        return {{"do", "walk"}, {"branch", branch}, {"x", 20 * random_.unit()}, {"y", 20 * random_.unit()}, {"layer", 0},
                {"vx", 1},      {"vy", 0}};
      case 10:
        return {{"do", "check"}, {"scenario", scenario}};
      case 11:
        return {{"do", "save"},
                {"path", one_of<std::string>({"a", "b/c", "../out", "/tmp/out", "..", ".hidden"})},
                {"scenario", scenario}};
      case 12:
        return {{"do", "files"}, {"path", one_of<std::string>({"", ".", "..", "../..", "/"})}};
      case 13:
        return below(4) == 0 ? Json{{"do", "run"}, {"scenario", scenario}} : Json{{"do", "stop"}, {"branch", branch}};
      default:
        return below(3) == 0 ? Json{{"do", "open"}, {"path", one_of<std::string>({"../secret.json", "nothing.json", "a.json"})}}
                             : Json{{"do", "open"}, {"scene", one_of<std::string>({"bottleneck", "closing_door", "nothing"})}};
    }
  }
  void messages() {
    const int socket = let_in();
    if (socket < 0) return;
    for (std::uint32_t k = 1 + below(40); k > 0; --k) {
      Json json = message();
      json["id"] = k;
      if (below(2) == 0) mutate(json);
      std::string text = dump(json);
      if (below(8) == 0) text = mutated(text);
      send(socket, frame(0x81, text, true));
    }
    if (below(12) == 0) send(socket, frame(0x81, std::string(kLargestMessage + 10, ' '), true));
    if (below(4) != 0) answers_ += receive(socket).size() > 0;
    ::close(socket);
  }

  Site& site_;
  RandomStream random_;
  bool may_open_;
  std::vector<int> open_;
  bool has_seen_secret_ = false;
  std::size_t answers_ = 0, refusals_ = 0;
};

std::size_t open_files() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

TEST(StudioServer, WhateverSomebodySendsTheRunGoesOnAndNothingOutsideIsReadOrWritten) {
  const std::size_t files_before = open_files();
  const char* asked = std::getenv("THRONG_ABUSE_SECONDS");
  const double seconds = asked != nullptr ? std::strtod(asked, nullptr) : 0;
  test::TemporaryFolder outside;
  std::ofstream(outside.path() / "secret.json") << "{\"" << kSecret << "\": 1}";
  std::filesystem::create_directory(outside.path() / "inside");
  {
    Site site(200, 16, outside.path() / "inside");
    const auto began = std::chrono::steady_clock::now();
    const auto spent = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); };
    std::size_t rounds = 0, answers = 0, refusals = 0;
    // Each time somebody honest runs a scene while three others misbehave. Every second time they may also open something else.
    for (std::uint64_t seed = 1; seed <= 2 || spent() < seconds; ++seed) {
      auto honest = viewer(site, site.server->token());
      ASSERT_NE(honest, nullptr) << "seed " << seed;
      Json opened = Json::object();
      // What they asked for before may still be opening.
      for (int i = 0; i < 100 && !opened.value("ok", false); ++i)
        opened = ask(*honest, {{"id", 1}, {"do", "open"}, {"scene", "bottleneck"}});
      ASSERT_TRUE(opened.value("ok", false)) << "seed " << seed << " " << opened.dump();
      const auto branch = site.server->studio().document()->branch(0);
      const std::uint64_t wanted = seed % 2 == 0 ? 50 : 400;
      ASSERT_TRUE(ask(*honest, {{"id", 2}, {"do", "compute"}, {"branch", 0}, {"to", 0.1 * wanted}})["ok"].get<bool>());
      if (seed % 2 == 0)
        for (int i = 0; i < 6000 && branch->end_step() < wanted; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      std::vector<std::thread> threads;
      std::atomic<std::size_t> all_answers{0}, all_refusals{0};
      std::atomic<bool> has_seen_secret{false};
      for (std::uint64_t who = 0; who < 3; ++who)
        threads.emplace_back([&, who] {
          Abuser abuser(site, 10 * seed + who, seed % 2 == 0);
          for (int k = 0; k < 40; ++k) abuser.act();
          all_answers += abuser.answers();
          all_refusals += abuser.refusals();
          if (abuser.has_seen_secret()) has_seen_secret = true;
        });
      for (std::thread& thread : threads) thread.join();
      EXPECT_FALSE(has_seen_secret) << "seed " << seed;
      answers += all_answers, refusals += all_refusals;
      rounds += 120;
      // The run went on beside them, and goes on.
      if (seed % 2 != 0) {
        EXPECT_EQ(site.server->studio().document()->branch(0), branch) << "seed " << seed;
        for (int i = 0; i < 6000 && branch->end_step() < wanted; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
      EXPECT_GE(branch->end_step(), wanted) << "seed " << seed;
      honest.reset();
      // A request that waits for its answer holds its connection until then, whoever asked has left or not.
      for (int i = 0; i < 12000 && site.server->connection_count() > 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      EXPECT_EQ(site.server->connection_count(), 0u) << "seed " << seed;
      if (::testing::Test::HasFailure()) break;
    }
    EXPECT_GT(answers, 0u);
    EXPECT_GT(refusals, 0u);
    if (asked != nullptr)
      std::printf("%zu acts in %.0f s, %zu conversations answered, %zu requests refused\n", rounds, spent(), answers, refusals);
  }
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(outside.path())) names.insert(entry.path().filename().string());
  EXPECT_EQ(names, (std::set<std::string>{"inside", "secret.json"}));
  EXPECT_EQ(open_files(), files_before);
}

}  // namespace
}  // namespace throng::server
