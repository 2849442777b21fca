// SPDX-License-Identifier: MIT
// Whether a text is well-formed XML of the plain kind we write: elements, attributes, text, entities; no comments or
// declarations.
#pragma once
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace throng {

/// Nothing if it is well-formed, else what is wrong.
inline std::optional<std::string> xml_error(std::string_view text) {
  std::vector<std::string> open;
  bool had_root = false;
  std::size_t i = 0;
  const auto name = [&] {
    const std::size_t from = i;
    while (i < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '-' || text[i] == ':' || text[i] == '_'))
      ++i;
    return std::string(text.substr(from, i - from));
  };
  const auto entity = [&]() -> bool {
    for (const std::string_view e : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})
      if (text.substr(i).starts_with(e)) return true;
    return false;
  };
  while (i < text.size()) {
    const char c = text[i];
    if (c == '&' && !entity()) return "bare & at " + std::to_string(i);
    if (c == '>') return "bare > at " + std::to_string(i);
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') return "control character at " + std::to_string(i);
    if (c != '<') {
      if (open.empty() && c != '\n' && c != ' ') return "text outside the root at " + std::to_string(i);
      ++i;
      continue;
    }
    ++i;
    if (text.substr(i).starts_with("/")) {
      ++i;
      const std::string closed = name();
      if (open.empty() || open.back() != closed) return "</" + closed + "> does not match at " + std::to_string(i);
      open.pop_back();
      if (i >= text.size() || text[i++] != '>') return "unfinished end tag";
      continue;
    }
    const std::string element = name();
    if (element.empty()) return "no element name at " + std::to_string(i);
    if (open.empty() && had_root) return std::string("second root");
    had_root = true;
    std::vector<std::string> attributes;
    for (;;) {
      const bool space = i < text.size() && (text[i] == ' ' || text[i] == '\n');
      while (i < text.size() && (text[i] == ' ' || text[i] == '\n')) ++i;
      if (i >= text.size()) return std::string("unfinished tag");
      if (text[i] == '>' || text[i] == '/') break;
      if (!space) return "no space before an attribute at " + std::to_string(i);
      const std::string attribute = name();
      for (const std::string& other : attributes)
        if (other == attribute) return "attribute " + attribute + " twice";
      attributes.push_back(attribute);
      if (attribute.empty() || !text.substr(i).starts_with("=\"")) return "bad attribute at " + std::to_string(i);
      for (i += 2; i < text.size() && text[i] != '"'; ++i)
        if (text[i] == '<' || (text[i] == '&' && !entity())) return "bad attribute value at " + std::to_string(i);
      if (i >= text.size()) return std::string("unfinished attribute");
      ++i;
    }
    if (text[i] == '/') {
      if (i + 1 >= text.size() || text[i + 1] != '>') return "bad / at " + std::to_string(i);
      i += 2;
    } else {
      ++i;
      open.push_back(element);
    }
  }
  if (!open.empty()) return "<" + open.back() + "> is never closed";
  if (!had_root) return std::string("no root");
  return std::nullopt;
}

}  // namespace throng
