// SPDX-License-Identifier: MIT
// Real sockets on this machine: who is let in, and what becomes of those who misbehave.
#include "http_server.hpp"

#include <gtest/gtest.h>

#include "server/site.hpp"

namespace throng::server {
namespace {

TEST(StudioServer, ThePageIsServedToAnybodyHereAndTheRestToWhoHasTheToken) {
  Site site;
  const auto page = site.get("/");
  EXPECT_EQ(page.result_int(), 200u);
  EXPECT_NE(page.body().find("the page"), std::string::npos);
  const auto policy = page["Content-Security-Policy"];
  EXPECT_NE(policy.find("default-src 'none'"), beast::string_view::npos);
  EXPECT_NE(policy.find("frame-ancestors 'none'"), beast::string_view::npos);
  EXPECT_EQ(site.get("/assets/studio.js").body(), "let x = 1");
  EXPECT_EQ(site.get("/api/scenes").result_int(), 401u);
  EXPECT_EQ(site.get("/api/scenes?token=wrong").result_int(), 401u);
  EXPECT_EQ(site.get("/api/scenes?token=" + site.server->token()).result_int(), 200u);
  EXPECT_EQ(site.get("/api/schema", {{"X-Throng-Token", site.server->token()}}).result_int(), 200u);
  EXPECT_EQ(site.get("/api/nothing?token=" + site.server->token()).result_int(), 404u);
  EXPECT_EQ(site.get("/ws?token=" + site.server->token()).result_int(), 426u);
  EXPECT_EQ(site.server->token().size(), 32u);
  EXPECT_NE(make_token(), make_token());
  EXPECT_NE(site.server->url().find("/#token="), std::string::npos);
}

TEST(StudioServer, PicturesOfScenesAreDrawn) {
  Site site;
  const auto picture = site.get("/api/picture/bottleneck.png?token=" + site.server->token());
  EXPECT_EQ(picture.result_int(), 200u);
  EXPECT_EQ(picture.body().substr(1, 3), "PNG");
  EXPECT_EQ(site.get("/api/picture/nothing.png?token=" + site.server->token()).result_int(), 404u);
  EXPECT_EQ(site.get("/api/picture/..%2fREADME.png?token=" + site.server->token()).result_int(), 404u);
}

TEST(StudioServer, AnotherHostOrOriginIsRefusedWhateverItsToken) {
  Site site;
  const std::string token = site.server->token();
  EXPECT_EQ(site.get("/", {{"Host", "evil.example"}}).result_int(), 421u);
  EXPECT_EQ(site.get("/", {{"Host", "127.0.0.1:1"}}).result_int(), 421u);
  EXPECT_EQ(
      site.get("/api/scenes?token=" + token, {{"Host", "evil.example:" + std::to_string(site.server->port())}}).result_int(),
      421u);
  EXPECT_EQ(site.get("/api/scenes?token=" + token, {{"Origin", "http://evil.example"}}).result_int(), 403u);
  EXPECT_EQ(site.get("/api/scenes?token=" + token, {{"Origin", "null"}}).result_int(), 403u);
  EXPECT_EQ(site.get("/api/scenes?token=" + token, {{"Origin", "http://localhost:" + std::to_string(site.server->port())}})
                .result_int(),
            200u);
  EXPECT_EQ(viewer(site, token, "http://evil.example"), nullptr);
  EXPECT_EQ(viewer(site, "0123456789abcdef0123456789abcdef"), nullptr);
  EXPECT_EQ(viewer(site, ""), nullptr);
  EXPECT_NE(viewer(site, token, "http://" + site.host()), nullptr);
  EXPECT_NE(viewer(site, token), nullptr);
}

TEST(StudioServer, NoAddressLeadsOutOfThePage) {
  Site site;
  std::filesystem::create_symlink("/etc/passwd", site.page.path() / "assets/link.txt");
  const std::string secret = site.page.path().filename().string() + ".secret";
  for (const std::string& target :
       std::vector<std::string>{"/../" + secret, "/..%2f" + secret, "/%2e%2e/" + secret, "/assets/../../" + secret,
                                "/assets/link.txt", std::string("/etc/passwd"), std::string("//etc/passwd"), std::string("/%00"),
                                "/..\\" + secret, std::string("/assets"), std::string("/.")}) {
    const auto answer = site.get(target);
    EXPECT_GE(answer.result_int(), 400u) << target;
    EXPECT_EQ(answer.body().find("root:"), std::string::npos) << target;
    EXPECT_NE(answer.body(), "secret") << target;
  }
}

TEST(StudioServer, WhatIsNoHttpOrTooMuchOfItIsAnsweredAndForgotten) {
  Site site;
  const std::string host = "Host: " + site.host() + "\r\n";
  for (const std::string& bytes : std::vector<std::string>{
           std::string("nonsense\r\n\r\n"), std::string(100000, 'a'),
           "GET / HTTP/1.1\r\n" + host + "X: " + std::string(40000, 'b') + "\r\n\r\n", std::string("\0\0\0\0", 4),
           "GET " + std::string(20000, '/') + " HTTP/1.1\r\n" + host + "\r\n",
           "POST /api/upload HTTP/1.1\r\n" + host + "Content-Length: 99999999999999999999\r\n\r\n",
           "GET / HTTP/1.1\r\n" + host + "Content-Length: 1000000\r\n\r\n", "GET / HTTP/9.9\r\n" + host + "\r\n",
           std::string("\x16\x03\x01\x02", 4), "GET / HTTP/1.1\r\n\r\n", "DELETE / HTTP/1.1\r\n" + host + "\r\n",
           "GET %zz HTTP/1.1\r\n" + host + "\r\n"}) {
    const std::string answer = site.raw(bytes);
    EXPECT_EQ(answer.find("200 OK"), std::string::npos) << bytes.substr(0, 60);
  }
  EXPECT_EQ(site.get("/").result_int(), 200u);
  const auto upload = site.get("/api/upload?name=x.wkt&token=" + site.server->token(), {}, http::verb::post,
                               "POLYGON ((0 0, 5 0, 5 5, 0 5, 0 0))");
  EXPECT_EQ(upload.result_int(), 200u);
  EXPECT_EQ(site.get("/api/upload?name=x.wkt", {}, http::verb::post, "POLYGON ((0 0, 5 0, 5 5))").result_int(), 401u);
}

TEST(StudioServer, MalformedMessagesAreAnsweredByProblemsAndTheRunGoesOn) {
  Site site;
  auto socket = viewer(site, site.server->token());
  ASSERT_NE(socket, nullptr);
  EXPECT_TRUE(ask(*socket, {{"id", 1}, {"do", "open"}, {"scene", "bottleneck"}})["ok"].get<bool>());
  EXPECT_TRUE(ask(*socket, {{"id", 2}, {"do", "compute"}, {"branch", 0}, {"to", 100}})["ok"].get<bool>());
  beast::error_code error;
  for (const std::string& text :
       {std::string("{"), std::string("[]"), std::string("\xff\xff"), std::string(200000, '['),
        std::string("{\"do\": \"view\", \"time\": 1e400}"), std::string("{\"id\": 3, \"do\": \"overlay\", \"name\": []}"),
        std::string("{\"id\": 3, \"do\": \"run\", \"scenario\": {\"throng_scenario\": 7}}"),
        std::string("{\"id\": 3, \"do\": \"branch\", \"time\": 1, \"events\": [[], 3, null]}"),
        std::string("{\"id\": 3, \"do\": \"inspect\", \"agent\": 4294967295}")}) {
    // Text that is no UTF-8 ends the connection: the protocol of WebSockets wants it so.
    const bool is_text = text[0] != '\xff';
    if (!is_text) continue;
    socket->text(true);
    socket->write(asio::buffer(text), error);
    ASSERT_FALSE(error);
    for (;;) {
      const Json answer = Json::parse(read_text(*socket, error));
      ASSERT_FALSE(error);
      if (answer.contains("push")) continue;
      EXPECT_FALSE(answer["ok"].get<bool>()) << text.substr(0, 60);
      EXPECT_FALSE(answer["problems"].empty());
      break;
    }
  }
  socket->binary(true);
  socket->write(asio::buffer(std::string(100, 'x')), error);
  EXPECT_TRUE(ask(*socket, {{"id", 9}, {"do", "hello"}})["ok"].get<bool>());
  const auto branch = site.server->studio().document()->branch(0);
  for (int i = 0; i < 3000 && branch->has_work(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_GE(branch->end_step(), 500u);
  // Too large: closed with 1009, and nobody else minds.
  socket->text(true);
  socket->write(asio::buffer(std::string(kLargestMessage + 1000, ' ')), error);
  beast::error_code closed;
  while (!closed) read_text(*socket, closed);
  EXPECT_EQ(closed, websocket::error::closed);
  EXPECT_EQ(socket->reason().code, websocket::close_code::too_big);
  auto next = viewer(site, site.server->token());
  ASSERT_NE(next, nullptr);
  EXPECT_TRUE(ask(*next, {{"id", 1}, {"do", "hello"}})["ok"].get<bool>());
}

TEST(StudioServer, FramesComeOverTheSocketAndAreThoseOfTheMoment) {
  Site site;
  auto socket = viewer(site, site.server->token());
  ASSERT_NE(socket, nullptr);
  ask(*socket, {{"id", 1}, {"do", "open"}, {"scene", "bottleneck"}});
  beast::error_code error;
  socket->write(asio::buffer(std::string(R"({"id": 2, "do": "view", "branch": 0, "time": 0, "playing": true, "speed": 5})")),
                error);
  test::Decoder decoder;
  std::size_t frames = 0;
  while (decoder.time < 2) {
    beast::flat_buffer buffer;
    socket->read(buffer, error);
    ASSERT_FALSE(error);
    if (socket->got_text()) continue;
    ASSERT_NO_THROW(decoder.apply(beast::buffers_to_string(buffer.data())));
    ++frames;
  }
  EXPECT_GT(frames, 3u);
  EXPECT_NEAR(static_cast<double>(decoder.people.size()), 150, 10);  // the first are through the door
}

TEST(StudioServer, AViewerWhoStopsReadingHoldsUpNeitherTheRunNorOthers) {
  Site site;
  auto stalled = viewer(site, site.server->token());
  auto other = viewer(site, site.server->token());
  ASSERT_TRUE(stalled && other);
  ask(*other, {{"id", 1}, {"do", "open"}, {"scene", "bottleneck"}});
  beast::error_code error;
  // Many whole frames that nobody reads: the socket's buffers fill up.
  for (int i = 0; i < 60; ++i)
    stalled->write(asio::buffer(std::string(R"({"do": "view", "branch": 0, "time": 0, "playing": true, "speed": 50})")), error);
  ask(*other, {{"id", 2}, {"do", "compute"}, {"branch", 0}, {"to", 60}});
  const auto branch = site.server->studio().document()->branch(0);
  for (int i = 0; i < 6000 && branch->has_work(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_GE(branch->end_step(), 600u);
  EXPECT_TRUE(ask(*other, {{"id", 3}, {"do", "hello"}})["ok"].get<bool>());
}

TEST(StudioServer, TwoHundredConnectionsAndMoreAreHandled) {
  Site site;
  const auto wait_for = [&](std::size_t count) {
    for (int i = 0; i < 1000 && site.server->connection_count() != count; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(site.server->connection_count(), count);
  };
  std::vector<tcp::socket> idle;
  for (int i = 0; i < 199; ++i) idle.push_back(site.connect());
  wait_for(199);
  EXPECT_EQ(site.get("/").result_int(), 200u);
  wait_for(199);  // that one has left
  idle.push_back(site.connect());
  wait_for(200);
  EXPECT_EQ(site.get("/").result_int(), 503u);
  idle.clear();
  wait_for(0);
  EXPECT_EQ(site.get("/").result_int(), 200u);
}

TEST(StudioServer, ViewersBeyondTheLimitAreToldAndClosed) {
  Site site(200, 2);
  auto one = viewer(site, site.server->token()), two = viewer(site, site.server->token()),
       three = viewer(site, site.server->token());
  ASSERT_TRUE(one && two && three);
  // Whoever came last may be any of them only if the others were not let in first: ask both.
  EXPECT_TRUE(ask(*one, {{"id", 1}, {"do", "hello"}})["ok"].get<bool>());
  EXPECT_TRUE(ask(*two, {{"id", 1}, {"do", "hello"}})["ok"].get<bool>());
  beast::error_code error;
  const std::string words = read_text(*three, error);
  EXPECT_NE(words.find("too many viewers"), std::string::npos);
  read_text(*three, error);
  EXPECT_EQ(error, websocket::error::closed);
}

TEST(StudioServer, ComparingTokensFindsEveryDifference) {
  EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
  for (const char* wrong : {"", "ab", "abcd", "abd", "Abc"}) EXPECT_FALSE(equal_in_constant_time(wrong, "abc")) << wrong;
}

}  // namespace
}  // namespace throng::server
