// SPDX-License-Identifier: MIT
// A message of a viewer, read and asked for every argument that any verb has: a request or problems, never anything else.
#pragma once
#include <cstdlib>
#include <string_view>

#include "../../apps/server/message.hpp"

namespace throng::fuzz {

inline void studio_message(std::string_view bytes) {
  using namespace throng::server;
  const auto request = read_message(bytes);
  if (!request) {
    if (request.problems().empty()) std::abort();
    (void)failure(id_of(bytes), request.problems());
    return;
  }
  if (std::string_view(name_of(request->verb)).empty()) std::abort();
  Arguments a(request->body);
  for (const char* key : {"time", "to", "speed", "x", "y", "vx", "vy"}) {
    const double value = a.number(key, 0, -1e8, 1e8);
    if (!(value >= -1e8 && value <= 1e8)) std::abort();
  }
  for (const char* key : {"branch", "layer", "agent", "set", "depth"})
    if (a.whole(key, 0, 0xffff) > 0xffff) std::abort();
  for (const char* key : {"playing", "leave", "overwrite"}) (void)a.flag(key, false);
  for (const char* key : {"scene", "path", "name"})
    if (a.text(key, {}, 80).size() > 80) std::abort();
  (void)a.point("at");
  (void)a.object("scenario");
  a.require("events");
  const std::string answer = failure(request->id, a.problems());
  if (!Json::accept(answer)) std::abort();
}

}  // namespace throng::fuzz
