// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace throng {

/// One thing that is wrong with data somebody gave us: where it is, what was found there, how to mend it.
struct Problem {
  std::string where;  ///< file, line or JSON pointer, stage, or a place such as "(12.5, 3.0)"
  std::string what;   ///< what was found and what is allowed
  std::string fix;    ///< what the user can do about it
};

/// "where: what (fix)", one line.
inline std::string to_string(const Problem& p) {
  std::string text = p.where.empty() ? p.what : p.where + ": " + p.what;
  if (!p.fix.empty()) text += " (" + p.fix + ")";
  return text;
}

/// A value, or everything that stands in its way. Bad data never throws.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Problem problem) : state_(std::vector<Problem>{std::move(problem)}) {}
  Result(std::vector<Problem> problems) : state_(std::move(problems)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const std::vector<Problem>& problems() const { return std::get<1>(state_); }

 private:
  std::variant<T, std::vector<Problem>> state_;
};

}  // namespace throng
