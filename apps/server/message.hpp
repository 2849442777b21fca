// SPDX-License-Identifier: MIT
// What a viewer says: one JSON object a message, {"id": 7, "do": "view", …}, read strictly and within limits.
//
//   auto request = read_message(text);
//   if (!request) answer(problem_json(0, request.problems()));
//   Arguments a(*request); const double time = a.number("time", 0, 0, 1e7); if (!a.ok()) answer(…);
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>
#include <throng/result.hpp>
#include <throng/vec.hpp>

namespace throng::server {

using Json = nlohmann::json;

inline constexpr std::size_t kLargestMessage = std::size_t{8} << 20;

enum class Verb : std::uint8_t {
  kHello,
  kOpen,
  kCheck,
  kRun,
  kBranch,
  kCompare,
  kView,
  kCompute,
  kStop,
  kCancel,
  kSave,
  kOverlay,
  kInspect,
  kPlace,
  kSeries,
  kWalk,
  kFiles,
  kDraft,
  kDrafts,
  kDiscard,
  kResults,
};
const char* name_of(Verb verb);

struct Request {
  std::int64_t id = 0;
  Verb verb = Verb::kHello;
  Json body;  ///< the whole object
};

/// Problems: not JSON (nesting and number of values are limited), no object, no verb, an unknown one, a key that the verb does
/// not have. The id is in the problem's answer if it could be read (`id_of`).
Result<Request> read_message(std::string_view text);
/// The id of a message however wrong it is otherwise; 0 if there is none.
std::int64_t id_of(std::string_view text);

/// Takes arguments out of a request; collects what is wrong with them.
class Arguments {
 public:
  explicit Arguments(const Json& body) : body_(body) {}
  bool has(const char* key) const { return body_.contains(key); }
  /// The number, or `otherwise` where it is absent.
  double number(const char* key, double otherwise, double least, double most);
  std::uint32_t whole(const char* key, std::uint32_t otherwise, std::uint32_t most);
  bool flag(const char* key, bool otherwise);
  std::string text(const char* key, const std::string& otherwise = {}, std::size_t most = 4096);
  std::optional<Vec2> point(const char* key);
  /// An object, or null and a problem.
  const Json* object(const char* key);
  void require(const char* key);
  void add(Problem problem) { problems_.push_back(std::move(problem)); }
  bool ok() const { return problems_.empty(); }
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  const Json& body_;
  std::vector<Problem> problems_;
};

/// {"where", "what", "allowed", "fix"} of each, with "pointer" where `where` ends in one.
Json json_of(std::span<const Problem> problems);
/// {"id": …, "ok": false, "problems": […]}
std::string failure(std::int64_t id, std::span<const Problem> problems);
/// {"id": …, "ok": true, …}
std::string success(std::int64_t id, Json body);
/// Text that is always sent: broken UTF-8 is replaced.
std::string dump(const Json& json);

}  // namespace throng::server
