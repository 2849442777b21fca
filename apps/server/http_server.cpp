// SPDX-License-Identifier: MIT
#include "http_server.hpp"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <cstring>
#include <deque>
#include <optional>

#include <fmt/format.h>

namespace throng::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
namespace fs = std::filesystem;
using asio::ip::tcp;
using Error = beast::error_code;
using HttpRequest = http::request<http::string_body>;

constexpr std::size_t kLargestHeader = 16u << 10;
constexpr std::uint64_t kLargestUpload = std::uint64_t{256} << 20;
constexpr std::uint64_t kLargestBody = 64u << 10;
constexpr auto kPatience = std::chrono::seconds(30);
constexpr auto kUploadPatience = std::chrono::seconds(300);

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const auto digit = [&](std::size_t at) -> int {
      if (at >= text.size()) return -1;
      const char c = text[at];
      return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    };
    const int high = digit(i + 1), low = digit(i + 2);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(16 * high + low);
    i += 2;
  }
  if (out.find('\0') != std::string::npos) return std::nullopt;
  return out;
}

struct Target {
  std::string path;
  std::map<std::string, std::string> query;
};
std::optional<Target> read_target(std::string_view text) {
  if (text.empty() || text[0] != '/' || text.size() > 8192) return std::nullopt;
  const std::size_t mark = text.find('?');
  const auto path = percent_decoded(text.substr(0, mark));
  if (!path) return std::nullopt;
  Target target{*path, {}};
  std::string_view rest = mark == std::string_view::npos ? std::string_view{} : text.substr(mark + 1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const auto key = percent_decoded(pair.substr(0, equals));
    const auto value = percent_decoded(equals < pair.size() ? pair.substr(equals + 1) : std::string_view{});
    if (!key || !value) return std::nullopt;
    target.query[*key] = *value;
  }
  return target;
}

const char* type_of(const fs::path& file) {
  const std::string end = file.extension().string();
  if (end == ".html") return "text/html; charset=utf-8";
  if (end == ".js" || end == ".mjs") return "text/javascript; charset=utf-8";
  if (end == ".css") return "text/css; charset=utf-8";
  if (end == ".svg") return "image/svg+xml";
  if (end == ".png") return "image/png";
  if (end == ".json" || end == ".map") return "application/json";
  if (end == ".woff2") return "font/woff2";
  if (end == ".wasm") return "application/wasm";
  if (end == ".ico") return "image/x-icon";
  return "application/octet-stream";
}

constexpr const char* kNotBuilt =
    "<!doctype html><meta charset=utf-8><title>Throng studio</title><body style='font:16px sans-serif;margin:3em'>"
    "<h1>The page is not built</h1><p>The program is running, but the studio's page is missing. Start it with "
    "<code>./throng studio</code>, which builds both; or build the page by hand in <code>apps/studio</code>: "
    "<code>npm ci &amp;&amp; npm run build</code>.";

std::string problem_body(const std::string& where, const std::string& what, const std::string& fix) {
  const Problem problem{where, what, fix};
  return dump({{"ok", false}, {"problems", json_of({&problem, 1})}});
}

}  // namespace

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  // Compares as many bytes as the secret (b) has, whatever was guessed.
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < b.size(); ++i)
    difference |= static_cast<unsigned char>(b[i]) ^ static_cast<unsigned char>(i < a.size() ? a[i] : 0);
  return difference == 0;
}

std::string make_token() {
  std::array<unsigned char, 16> bytes{};
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::getrandom(bytes.data() + done, bytes.size() - done, 0);
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

struct HttpServer::State {
  explicit State(ServerSettings given) : settings(std::move(given)), acceptor(io) {}
  ServerSettings settings;
  std::string token;
  std::uint16_t port = 0;
  std::string policy;
  std::atomic<std::size_t> connections{0};
  asio::io_context io{1};
  tcp::acceptor acceptor;
  std::unique_ptr<Studio> studio;
  std::thread thread;

  void accept();
  bool is_own_host(std::string_view host) const {
    const std::string end = ":" + std::to_string(port);
    return host == "127.0.0.1" + end || host == "localhost" + end || host == "[::1]" + end ||
           (settings.address != "127.0.0.1" && host == settings.address + end);
  }
  bool is_own_origin(std::string_view origin) const {
    constexpr std::string_view kScheme = "http://";
    return origin.starts_with(kScheme) && is_own_host(origin.substr(kScheme.size()));
  }
  bool has_token(const HttpRequest& request, const Target& target) const {
    const auto query = target.query.find("token");
    if (query != target.query.end() && equal_in_constant_time(query->second, token)) return true;
    const auto header = request["X-Throng-Token"];
    return equal_in_constant_time({header.data(), header.size()}, token);
  }
};

namespace {

using ServerState = HttpServer::State;

}  // namespace

namespace {

/// Counts a connection for as long as it lives.
struct Connection {
  explicit Connection(std::atomic<std::size_t>& count_in) : count(count_in) { ++count; }
  ~Connection() { --count; }
  std::atomic<std::size_t>& count;
};

class WebSocketSession : public std::enable_shared_from_this<WebSocketSession>, public ViewerLink {
 public:
  WebSocketSession(tcp::socket socket, asio::io_context& io, Studio& studio, std::shared_ptr<Connection> connection)
      : io_(io), studio_(studio), connection_(std::move(connection)), socket_(beast::tcp_stream(std::move(socket))) {}

  void run(const HttpRequest& request) {
    auto timeout = websocket::stream_base::timeout::suggested(beast::role_type::server);
    timeout.handshake_timeout = std::chrono::seconds(10);
    socket_.set_option(timeout);
    socket_.read_message_max(kLargestMessage);
    socket_.auto_fragment(false);
    socket_.async_accept(request, [self = shared_from_this()](Error error) { self->accepted(error); });
  }

  // From any thread.
  void send_text(std::shared_ptr<const std::string> text) override { send(std::move(text), false); }
  void send_frame(std::string bytes) override { send(std::make_shared<const std::string>(std::move(bytes)), true); }
  bool is_busy() const override { return waiting_count_.load() > 0; }
  std::size_t waiting() const override { return waiting_bytes_.load(); }
  void close(unsigned code, const std::string& reason) override {
    asio::post(io_, [self = shared_from_this(), code, reason] {
      self->closes_ = websocket::close_reason(static_cast<websocket::close_code>(code), reason);
      if (self->queue_.empty()) self->close_now();
    });
  }

 private:
  struct Message {
    std::shared_ptr<const std::string> bytes;
    bool is_binary;
  };

  void accepted(Error error) {
    if (error) return;
    viewer_ = studio_.add_viewer(shared_from_this());
    if (!viewer_) {
      send_text(
          std::make_shared<const std::string>(problem_push("there are too many viewers", "close another window of the studio")));
      close(1013, "too many viewers");
    }
    read();
  }
  static std::string problem_push(const std::string& what, const std::string& fix) {
    const Problem problem{"viewer", what, fix};
    return dump({{"push", "problem"}, {"ok", false}, {"problems", json_of({&problem, 1})}});
  }
  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](Error error, std::size_t) { self->got(error); });
  }
  void got(Error error) {
    if (error) return leave();
    if (viewer_ && !closes_) {
      if (socket_.got_text())
        studio_.receive(*viewer_, beast::buffers_to_string(buffer_.data()));
      else
        send_text(
            std::make_shared<const std::string>(problem_push("a binary message was found; viewers send text", "send JSON")));
    }
    buffer_.consume(buffer_.size());
    if (buffer_.capacity() > (1u << 20)) buffer_ = beast::flat_buffer();
    read();
  }
  void leave() {
    if (viewer_) studio_.remove_viewer(*viewer_);
    viewer_.reset();
    is_gone_ = true;
  }
  void send(std::shared_ptr<const std::string> bytes, bool is_binary) {
    ++waiting_count_;
    waiting_bytes_ += bytes->size();
    asio::post(io_, [self = shared_from_this(), bytes = std::move(bytes), is_binary]() mutable {
      self->queue_.push_back({std::move(bytes), is_binary});
      if (self->queue_.size() == 1) self->write();
    });
  }
  void write() {
    if (is_gone_) {
      for (const Message& m : queue_) sent(m);
      queue_.clear();
      return;
    }
    socket_.binary(queue_.front().is_binary);
    socket_.async_write(asio::buffer(*queue_.front().bytes), [self = shared_from_this()](Error error, std::size_t) {
      self->sent(self->queue_.front());
      self->queue_.pop_front();
      if (error) {
        self->is_gone_ = true;
        // Whoever waits for this viewer waits in vain: let the reader end, too.
        beast::get_lowest_layer(self->socket_).cancel();
      }
      if (!self->queue_.empty()) return self->write();
      if (self->closes_) self->close_now();
    });
  }
  void sent(const Message& message) {
    --waiting_count_;
    waiting_bytes_ -= message.bytes->size();
  }
  void close_now() {
    if (is_gone_ || is_closing_) return;
    is_closing_ = true;
    socket_.async_close(*closes_, [self = shared_from_this()](Error) { self->leave(); });
  }

  asio::io_context& io_;
  Studio& studio_;
  std::shared_ptr<Connection> connection_;
  websocket::stream<beast::tcp_stream> socket_;
  beast::flat_buffer buffer_;
  std::deque<Message> queue_;
  std::atomic<std::size_t> waiting_count_{0}, waiting_bytes_{0};
  std::optional<std::uint64_t> viewer_;
  std::optional<websocket::close_reason> closes_;
  bool is_gone_ = false, is_closing_ = false;
};

class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(tcp::socket socket, ServerState& server)
      : server_(server), stream_(std::move(socket)), connection_(std::make_shared<Connection>(server.connections)) {}

  void run() { read(); }
  /// One answer, and good-bye.
  void turn_away() {
    keeps_alive_ = false;
    HttpAnswer answer;
    answer.status = 503;
    answer.body = problem_body("server", "there are too many connections", "close some windows of the studio");
    respond(std::move(answer));
  }

 private:
  void read() {
    parser_.emplace();
    parser_->header_limit(kLargestHeader);
    parser_->body_limit(kLargestUpload);
    stream_.expires_after(kPatience);
    http::async_read_header(stream_, buffer_, *parser_, [self = shared_from_this()](Error error, std::size_t) {
      if (error) return self->fail(error);
      self->got_header();
    });
  }
  void fail(Error error) {
    if (error == http::error::end_of_stream || error == asio::error::operation_aborted || error == beast::error::timeout)
      return end();
    if (error.category() != http::make_error_code(http::error::bad_method).category()) return end();
    keeps_alive_ = false;
    HttpAnswer answer;
    answer.status = error == http::error::body_limit ? 413 : error == http::error::header_limit ? 431 : 400;
    answer.body = problem_body("request", "it is not HTTP, or too large: " + error.message(), "");
    respond(std::move(answer));
  }
  void end() {
    Error ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
  }
  void refuse(unsigned status, const std::string& what, const std::string& fix) {
    HttpAnswer answer;
    answer.status = status;
    answer.body = problem_body("request", what, fix);
    respond(std::move(answer));
  }

  void got_header() {
    const HttpRequest& head = parser_->get();
    is_head_ = head.method() == http::verb::head;
    keeps_alive_ = head.keep_alive();
    const auto host = head[http::field::host];
    const auto origin = head[http::field::origin];
    // Before anything is read of a body, and whatever the path: who is it?
    const auto turn_down = [&](unsigned status, const std::string& what, const std::string& fix) {
      keeps_alive_ = false;
      refuse(status, what, fix);
    };
    if (head.count(http::field::host) > 1 || head.count(http::field::origin) > 1)
      return turn_down(400, "a header that says who asks is there twice", "send one Host and at most one Origin");
    if (!server_.is_own_host({host.data(), host.size()}))
      return turn_down(421, "the Host header is not this server's", "use the address that the program printed");
    if (head.find(http::field::origin) != head.end() && !server_.is_own_origin({origin.data(), origin.size()}))
      return turn_down(403, "a page of another origin asks", "open the studio itself");
    const auto text = head.target();
    target_ = read_target({text.data(), text.size()}).value_or(Target{});
    if (target_.path.empty()) return turn_down(400, "the address is not one", "");
    const bool is_api = target_.path.starts_with("/api/") || target_.path == "/ws";
    if (is_api && !server_.has_token(head, target_))
      return turn_down(401, "the token is missing or wrong",
                       "use the address that the program printed: it changes at each start");
    const bool uploads = head.method() == http::verb::post && target_.path == "/api/upload";
    const auto length = parser_->content_length();
    if (!uploads && (parser_->chunked() || (length && *length > kLargestBody)))
      return turn_down(413, fmt::format("at most {} bytes are allowed here", kLargestBody), "send less");
    if (uploads) stream_.expires_after(kUploadPatience);
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](Error error, std::size_t) {
      if (error) return self->fail(error);
      self->got_request();
    });
  }

  void got_request() {
    HttpRequest request = parser_->release();
    if (target_.path == "/ws") {
      if (!websocket::is_upgrade(request)) return refuse(426, "this address is a WebSocket's", "connect with one");
      stream_.expires_never();
      std::make_shared<WebSocketSession>(stream_.release_socket(), server_.io, *server_.studio, connection_)->run(request);
      return;
    }
    const bool gets = request.method() == http::verb::get || is_head_;
    if (target_.path.starts_with("/api/")) {
      if (!gets && request.method() != http::verb::post) return refuse(405, "this method is not known here", "use GET");
      HttpQuestion question{std::string(request.method_string()), target_.path, target_.query, std::move(request.body())};
      if (is_head_) question.method = "GET";
      stream_.expires_never();  // a bake may take its time
      server_.studio->ask(std::move(question), [self = shared_from_this()](HttpAnswer answer) {
        asio::post(self->server_.io, [self, answer = std::move(answer)]() mutable { self->respond(std::move(answer)); });
      });
      return;
    }
    if (!gets) return refuse(405, "this method is not known here", "use GET");
    serve_page();
  }

  void serve_page() {
    const fs::path& page = server_.settings.page;
    const std::string name = target_.path == "/" ? "index.html" : target_.path.substr(1);
    std::error_code error;
    if (page.empty() || !fs::is_regular_file(page / "index.html", error)) {
      HttpAnswer answer;
      answer.status = name == "index.html" ? 200 : 404;
      answer.type = "text/html; charset=utf-8";
      answer.body = kNotBuilt;
      return respond(std::move(answer));
    }
    const auto folder = Folder::open(page);
    const auto file = folder ? folder->resolve(name) : Result<fs::path>(Problem{});
    if (!file || !fs::is_regular_file(*file, error)) return refuse(404, "there is nothing of this name", "");
    HttpAnswer answer;
    answer.type = type_of(*file);
    answer.file = *file;
    respond(std::move(answer));
  }

  template <class Body>
  void fill(http::response<Body>& response, const HttpAnswer& answer) {
    response.version(11);
    response.result(answer.status);
    response.keep_alive(keeps_alive_);
    response.set(http::field::content_type, answer.type);
    response.set("X-Content-Type-Options", "nosniff");
    response.set("X-Frame-Options", "DENY");
    response.set("Referrer-Policy", "no-referrer");
    response.set("Cross-Origin-Opener-Policy", "same-origin");
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    response.set(http::field::cache_control, target_.path.starts_with("/api/") ? "no-store" : "no-cache");
    response.set("Content-Security-Policy", server_.policy);
    if (!answer.download_name.empty())
      response.set(http::field::content_disposition, "attachment; filename=\"" + answer.download_name + "\"");
  }

  template <class Response>
  void write(std::shared_ptr<Response> response) {
    stream_.expires_after(kUploadPatience);
    const auto done = [self = shared_from_this(), response](Error error, std::size_t) { self->sent(error); };
    if (is_head_) {
      auto serializer = std::make_shared<http::response_serializer<typename Response::body_type>>(*response);
      http::async_write_header(stream_, *serializer, [done, serializer](Error error, std::size_t n) { done(error, n); });
    } else {
      http::async_write(stream_, *response, done);
    }
  }

  void respond(HttpAnswer answer) {
    file_to_remove_ = answer.removes_file ? answer.file : fs::path();
    if (!answer.file.empty()) {
      auto response = std::make_shared<http::response<http::file_body>>();
      Error error;
      response->body().open(answer.file.c_str(), beast::file_mode::scan, error);
      if (!error) {
        fill(*response, answer);
        response->content_length(response->body().size());
        return write(std::move(response));
      }
      answer = {};
      answer.status = 404;
      answer.body = problem_body("request", "the file is gone", "");
    }
    auto response = std::make_shared<http::response<http::string_body>>();
    fill(*response, answer);
    response->body() = std::move(answer.body);
    response->prepare_payload();
    write(std::move(response));
  }

  void sent(Error error) {
    if (!file_to_remove_.empty()) {
      std::error_code ignored;
      fs::remove(file_to_remove_, ignored);
      file_to_remove_.clear();
    }
    if (error || !keeps_alive_) return end();
    target_ = {};
    read();
  }

  ServerState& server_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{64u << 10};
  std::shared_ptr<Connection> connection_;
  std::optional<http::request_parser<http::string_body>> parser_;
  Target target_;
  fs::path file_to_remove_;
  bool keeps_alive_ = true, is_head_ = false;
};

}  // namespace

void HttpServer::State::accept() {
  acceptor.async_accept([this](Error error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error) {
      // An answer and a frame behind it are two writes: without this the end of the second waits 40 ms for the other side's
      // receipt.
      Error ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      const bool is_full = connections.load() >= settings.most_connections;
      auto session = std::make_shared<HttpSession>(std::move(socket), *this);
      if (is_full)
        session->turn_away();
      else
        session->run();
    }
    accept();
  });
}

HttpServer::HttpServer(std::unique_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<HttpServer>> HttpServer::start(std::unique_ptr<Studio> studio, const ServerSettings& settings) {
  auto state = std::make_unique<State>(settings);
  Error error;
  const auto address = asio::ip::make_address(settings.address, error);
  if (error) return Problem{settings.address, "this is no address", "use 127.0.0.1"};
  const tcp::endpoint endpoint(address, settings.port);
  state->acceptor.open(endpoint.protocol(), error);
  if (!error) state->acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) state->acceptor.bind(endpoint, error);
  if (!error) state->acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    return Problem{fmt::format("{}:{}", settings.address, settings.port), "the port cannot be used: " + error.message(),
                   "name another with --port, or 0 for any that is free"};
  state->port = state->acceptor.local_endpoint().port();
  state->token = settings.token.empty() ? make_token() : settings.token;
  state->policy = fmt::format(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; "
      "connect-src 'self' ws://127.0.0.1:{0} ws://localhost:{0}; frame-ancestors 'none'; base-uri 'none'; "
      "form-action 'none'",
      state->port);
  state->studio = std::move(studio);
  state->accept();
  State* running = state.get();
  state->thread = std::thread([running] {
    for (;;) {
      try {
        running->io.run();
        return;
      } catch (const std::exception&) {  // memory: that connection is lost, the others go on
      }
    }
  });
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(state)));
}

HttpServer::~HttpServer() {
  state_->io.stop();
  state_->thread.join();
  // Its threads post answers to `io`, which nobody carries out any more; they go with it.
  state_->studio.reset();
}

std::uint16_t HttpServer::port() const { return state_->port; }
const std::string& HttpServer::token() const { return state_->token; }
std::string HttpServer::url() const { return fmt::format("http://127.0.0.1:{}/#token={}", state_->port, state_->token); }
Studio& HttpServer::studio() { return *state_->studio; }
std::size_t HttpServer::connection_count() const { return state_->connections.load(); }

}  // namespace throng::server
