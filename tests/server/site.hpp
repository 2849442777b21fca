// SPDX-License-Identifier: MIT
// A studio behind real sockets of this machine, and viewers that connect to it.
#pragma once
#include <gtest/gtest.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <fstream>

#include "http_server.hpp"
#include "server/rig.hpp"
#include "support/tree.hpp"

namespace throng::server {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;

struct Site {
  test::TemporaryFolder folder, page;
  std::unique_ptr<HttpServer> server;
  asio::io_context io;

  explicit Site(std::size_t most_connections = 200, std::size_t most_viewers = 16, const std::filesystem::path& opens = {}) {
    std::filesystem::create_directory(page.path() / "assets");
    std::ofstream(page.path() / "index.html") << "<!doctype html>the page";
    std::ofstream(page.path() / "assets/studio.js") << "let x = 1";
    std::ofstream(page.path().parent_path() / (page.path().filename().string() + ".secret")) << "secret";
    StudioSettings studio;
    studio.folder = opens.empty() ? folder.path() : opens;
    studio.scenes = test::source_dir() / "scenes";
    studio.threads = 1;
    studio.most_viewers = most_viewers;
    ServerSettings settings;
    settings.port = 0;
    settings.page = page.path();
    settings.most_connections = most_connections;
    auto started = HttpServer::start(std::move(*Studio::create(studio)), settings);
    EXPECT_TRUE(started);
    server = std::move(*started);
  }
  ~Site() {
    std::error_code error;
    std::filesystem::remove(page.path().string() + ".secret", error);
  }
  std::string host() const { return "127.0.0.1:" + std::to_string(server->port()); }
  tcp::socket connect() {
    tcp::socket socket(io);
    socket.connect({asio::ip::make_address("127.0.0.1"), server->port()});
    return socket;
  }
  /// Sends bytes as they are; the answer until the other side closes, or `most` bytes of it.
  std::string raw(const std::string& bytes) {
    tcp::socket socket = connect();
    beast::error_code error;
    asio::write(socket, asio::buffer(bytes), error);
    socket.shutdown(tcp::socket::shutdown_send, error);
    std::string answer;
    asio::read(socket, asio::dynamic_buffer(answer), error);
    return answer;
  }
  http::response<http::string_body> get(const std::string& target, std::map<std::string, std::string> headers = {},
                                        http::verb verb = http::verb::get, const std::string& body = {}) {
    beast::tcp_stream stream(connect());
    http::request<http::string_body> request(verb, target, 11);
    request.set(http::field::host, host());
    for (const auto& [key, value] : headers) request.set(key, value);
    if (!body.empty()) {
      request.body() = body;
      request.prepare_payload();
    }
    beast::error_code error;
    http::write(stream, request, error);
    beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    parser.body_limit(64u << 20);
    http::read(stream, buffer, parser, error);
    return parser.release();
  }
};

using Socket = websocket::stream<beast::tcp_stream>;
/// A viewer by a real socket; null if it was not let in.
inline std::unique_ptr<Socket> viewer(Site& site, const std::string& token, const std::string& origin = {}) {
  auto socket = std::make_unique<Socket>(site.connect());
  if (!origin.empty())
    socket->set_option(websocket::stream_base::decorator(
        [origin](websocket::request_type& request) { request.set(http::field::origin, origin); }));
  beast::error_code error;
  socket->handshake(site.host(), "/ws?token=" + token, error);
  if (error) return nullptr;
  socket->read_message_max(64u << 20);
  return socket;
}
inline std::string read_text(Socket& socket, beast::error_code& error) {
  for (;;) {
    beast::flat_buffer buffer;
    socket.read(buffer, error);
    if (error) return {};
    if (socket.got_text()) return beast::buffers_to_string(buffer.data());
  }
}
inline Json ask(Socket& socket, const Json& message) {
  beast::error_code error;
  socket.text(true);
  socket.write(asio::buffer(message.dump()), error);
  for (;;) {
    const std::string text = read_text(socket, error);
    if (error) return Json{{"closed", true}};
    const Json answer = Json::parse(text);
    if (answer.value("id", 0) == message.value("id", 0)) return answer;
  }
}

}  // namespace throng::server
