// SPDX-License-Identifier: MIT
// Collects everything that is wrong with a file, so that a user mends it in one go instead of one mistake a run.
#pragma once
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <throng/result.hpp>

#include "import/limits.hpp"

namespace throng {

class ProblemList {
 public:
  /// `file` is put before every place.
  explicit ProblemList(std::string file) : file_(std::move(file)) {}

  /// `place` is a JSON pointer, "line 3" or empty for the file as a whole.
  void add(std::string_view place, std::string what, std::string fix) {
    ++count_;
    if (list_.size() >= limits::kProblems) return;
    std::string where = file_;
    if (!place.empty()) (where += ' ') += shortened(place, 200);
    list_.push_back({std::move(where), shortened(what, 500), shortened(fix, 200)});
  }

  bool empty() const { return count_ == 0; }
  std::size_t count() const { return count_; }
  /// Whether more would only be counted: a reader may stop looking.
  bool full() const { return count_ >= limits::kProblems; }
  const std::string& file() const { return file_; }

  std::vector<Problem> take() {
    if (count_ > list_.size()) {
      list_.push_back(
          {file_, std::to_string(count_ - list_.size()) + std::string(kUnlisted), "mend the ones above and read the file again"});
    }
    count_ = 0;
    return std::move(list_);
  }

  /// How many problems the last entry of take() stands for; 0 for an entry that is a problem itself.
  static std::size_t unlisted_count(const Problem& problem) {
    return problem.what.ends_with(kUnlisted) ? static_cast<std::size_t>(std::strtoull(problem.what.c_str(), nullptr, 10)) : 0;
  }

 private:
  static constexpr std::string_view kUnlisted = " more problems were found and are not listed";

  /// The pointer into keys that are long and deeply nested has thousands of letters, and so has a file's long name in a message:
  /// as many bytes of each end tell enough.
  static std::string shortened(std::string_view place, std::size_t end_bytes) {
    if (place.size() <= 2 * end_bytes) return std::string(place);
    const auto is_inside_letter = [&](std::size_t at) { return (static_cast<unsigned char>(place[at]) & 0xC0) == 0x80; };
    std::size_t head = end_bytes, tail = place.size() - end_bytes;
    while (head > 0 && is_inside_letter(head)) --head;
    while (tail < place.size() && is_inside_letter(tail)) ++tail;
    return std::string(place.substr(0, head)) + " … " + std::string(place.substr(tail));
  }

  std::string file_;
  std::vector<Problem> list_;
  std::size_t count_ = 0;
};

}  // namespace throng
