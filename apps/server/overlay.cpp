// SPDX-License-Identifier: MIT
#include "studio_questions.hpp"

namespace throng::server {

Result<Json> overlay(Document&, const std::shared_ptr<Branch>&, Moments&, const OverlayQuestion& question) {
  return Problem{"message /name", "\"" + question.name + "\" is not there yet", ""};
}

}  // namespace throng::server
