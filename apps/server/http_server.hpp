// SPDX-License-Identifier: MIT
// The studio's sockets: HTTP for the page, pictures and exports, one WebSocket a viewer.
//
// It listens on this machine only. A page of another site cannot use it: the Host and Origin headers must be the server's own
// (against DNS rebinding and cross-site sockets), and everything but the page itself needs the token, which is made anew at each
// start and never written to a log. Sizes, rates and numbers of connections are limited; all input is answered, whatever it is.
//
// One thread serves all sockets; it never waits for the simulation (studio.hpp).
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include <throng/result.hpp>

#include "studio.hpp"

namespace throng::server {

struct ServerSettings {
  std::string address = "127.0.0.1";  ///< loopback
  std::uint16_t port = 8471;          ///< 0: any that is free
  std::filesystem::path page;         ///< the built page: index.html, assets/…
  std::string token;                  ///< empty: a random one
  std::size_t most_connections = 200;
};

class HttpServer {
 public:
  /// Listens and serves from now on, on a thread of its own.
  static Result<std::unique_ptr<HttpServer>> start(std::unique_ptr<Studio> studio, const ServerSettings& settings);
  ~HttpServer();

  std::uint16_t port() const;
  const std::string& token() const;
  /// Where a browser finds the page: the token is in the fragment, which no server or log sees.
  std::string url() const;
  Studio& studio();
  std::size_t connection_count() const;

  struct State;

 private:
  explicit HttpServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Same length and bytes, in a time that does not tell how many are right.
bool equal_in_constant_time(std::string_view a, std::string_view b);
/// 128 random bits as 32 letters.
std::string make_token();

}  // namespace throng::server
