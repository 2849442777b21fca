// SPDX-License-Identifier: MIT
#include "usage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/nearest_name.hpp"
#include "common.hpp"
#include "inputs.hpp"

namespace throng::cli {
namespace {

std::vector<const CLI::App*> verbs_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* verb) { return !verb->get_name().empty(); });
}

/// The words of the command line that were understood as verbs: "throng", "throng run", "throng bench paths".
std::string path_of(const CLI::App& app, const CLI::App*& last) {
  std::string path = app.get_name();
  last = &app;
  while (!last->get_subcommands().empty()) {
    last = last->get_subcommands().front();
    path += " " + last->get_name();
  }
  return path;
}

bool is_option(std::string_view word) { return word.size() > 1 && word[0] == '-' && (word[1] < '0' || word[1] > '9'); }

/// "--seed=4" → "seed", "-seed" → "seed".
std::string_view bare(std::string_view word) {
  word.remove_prefix(std::min(word.size(), word.find_first_not_of('-')));
  return word.substr(0, word.find('='));
}

std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  return names;
}

bool has_option(const CLI::App& verb, std::string_view name) {
  const std::vector<std::string> names = option_names(verb);
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The verb's first example, as advice.
std::string example_of(const CLI::App& verb, const std::string& path) {
  const std::string footer = verb.get_footer();
  const std::size_t begin = footer.find("throng ");
  if (begin == std::string::npos) return "see " + path + " --help";
  return "for example: " + footer.substr(begin, footer.find('\n', begin) - begin);
}

Problem unknown_option(const CLI::App& app, const CLI::App& verb, const std::string& path, std::string_view word) {
  const std::string_view name = bare(word);
  const std::string what = fmt::format("there is no option {}", word.substr(0, word.find('=')));
  const std::vector<std::string> names = option_names(verb);
  if (has_option(verb, name)) return {"", what, fmt::format("write --{}, with two dashes", name)};
  const std::vector<std::string_view> known(names.begin(), names.end());
  if (const auto meant = nearest_name(name, known)) return {"", what, fmt::format("did you mean --{}?", *meant)};
  std::vector<std::string_view> others;
  std::vector<std::string> kept;
  for (const CLI::App* other : verbs_of(app))
    if (other != &verb && has_option(*other, name)) kept.push_back(other->get_name());
  others.assign(kept.begin(), kept.end());
  if (!others.empty()) return {"", what, fmt::format("throng {} has one; see {} --help", listed(others, 4), path)};
  return {"", what, fmt::format("see {} --help", path)};
}

/// A first word that is no verb: a mistyped one, or what a verb would take.
Problem unknown_verb(const CLI::App& app, const std::string& path, const std::string& word) {
  const std::vector<const CLI::App*> verbs = verbs_of(app);
  std::vector<std::string> kept;
  for (const CLI::App* verb : verbs) kept.push_back(verb->get_name());
  const std::vector<std::string_view> names(kept.begin(), kept.end());
  const bool is_top = app.get_parent() == nullptr;
  const std::string what =
      is_top ? fmt::format("there is no verb \"{}\"", word) : fmt::format("there is no {} \"{}\"", app.get_name(), word);
  if (is_top && (word == "help" || word == "version")) return {"", what, fmt::format("write throng --{}", word)};
  if (const auto meant = nearest_name(word, names)) return {"", what, fmt::format("did you mean {} {}?", path, *meant)};
  if (is_top) {
    struct Other {
      std::string_view word, verb;
    };
    constexpr Other kOthers[] = {{"simulate", "run"}, {"start", "run"},   {"plot", "draw"},       {"render", "draw"},
                                 {"image", "draw"},   {"video", "draw"},  {"view", "studio"},     {"gui", "studio"},
                                 {"open", "studio"},  {"edit", "studio"}, {"convert", "export"},  {"route", "path"},
                                 {"doctor", "check"}, {"lint", "check"},  {"benchmark", "bench"}, {"explain", "why"}};
    for (const Other& other : kOthers)
      if (other.word == word) return {"", what, fmt::format("did you mean throng {}?", other.verb)};
    const InputKinds all =
        InputKind::kScenario | InputKind::kScene | InputKind::kBaked | InputKind::kRecording | InputKind::kTrajectory;
    if (const auto input = find_input(word, all)) {
      const bool is_scenario = input->kind == InputKind::kScenario;
      return {"", fmt::format("a verb comes before \"{}\"", word),
              is_scenario ? fmt::format("did you mean throng run {}?", word)
                          : fmt::format("for example: throng draw {} -o picture.png", word)};
    }
  }
  return {"", what, fmt::format("there are {}", listed(names, names.size()))};
}

/// What an option takes, from the words its check describes itself with.
std::string allowed_by(const CLI::Option& option, std::string& list) {
  const std::string type = option.get_type_name();
  if (const std::size_t open = type.find('{'); open != std::string::npos) {
    list = type.substr(open + 1, type.rfind('}') - open - 1);
    std::string words;
    for (const char c : list) words += c == ',' ? std::string(", ") : std::string(1, c);
    return "allowed: " + words;
  }
  const std::string whole = type.starts_with("UINT") || type.starts_with("INT") ? "a whole number" : "a number";
  if (const std::size_t open = type.find('['); open != std::string::npos) {
    std::string range = type.substr(open + 1, type.rfind(']') - open - 1);
    if (const std::size_t dash = range.find(" - "); dash != std::string::npos) range.replace(dash, 3, " to ");
    return whole + " from " + range + " is needed";
  }
  if (type.starts_with("UINT") || type.find("NONNEGATIVE") != std::string::npos) return whole + ", 0 or more, is needed";
  if (type.starts_with("INT") || type.starts_with("FLOAT")) return whole + " is needed";
  return "a value is needed";
}

/// The option that an error's text begins with.
const CLI::Option* option_in(const CLI::App& verb, std::string_view text) {
  const CLI::Option* found = nullptr;
  for (const CLI::Option* option : verb.get_options()) {
    const std::string name = option->get_name();
    if (name.empty() || text.substr(0, name.size()) != name) continue;
    if (text.size() > name.size() && text[name.size()] != ':' && text[name.size()] != ' ') continue;
    found = option;
  }
  return found;
}

Problem wrong_value(const CLI::App& verb, const std::string& path, const CLI::ParseError& error) {
  constexpr std::string_view kConversion = "Could not convert: ";
  const std::string text = error.what();
  const std::string_view words = text.starts_with(kConversion) ? std::string_view(text).substr(kConversion.size()) : text;
  const CLI::Option* option = option_in(verb, words);
  if (option == nullptr) return {"", text, fmt::format("see {} --help", path)};
  const std::string name = option->get_name();
  if (option->get_items_expected_max() == 0) return {"", name + " takes no value", "write " + name + " alone"};
  std::string list;
  const std::string allowed = allowed_by(*option, list);
  if (option->results().empty() || text.find("missing") != std::string::npos)
    return {"", fmt::format("{} has no value", name), fmt::format("{}: {}", name, option->get_description())};
  if (option->results().size() > 1 && option->get_items_expected_max() == 1)
    return {"", fmt::format("{} is given {} times", name, option->results().size()), "give it once"};
  const std::string value = option->results().back();
  std::vector<std::string_view> choices;
  for (std::string_view rest = list; !rest.empty();) {
    choices.push_back(rest.substr(0, rest.find(',')));
    rest.remove_prefix(std::min(rest.size(), choices.back().size() + 1));
  }
  const auto meant = nearest_name(value, choices);
  return {"", fmt::format("{} {} found; {}", name, value, allowed),
          meant           ? fmt::format("did you mean {}?", *meant)
          : !list.empty() ? "choose one of them"
                          : fmt::format("{}: {}", name, option->get_description())};
}

std::vector<Problem> missing_parts(const CLI::App& verb, const std::string& path) {
  std::vector<Problem> problems;
  for (const CLI::Option* option : verb.get_options())
    if (option->get_required() && option->count() == 0)
      problems.push_back({"", fmt::format("{} is missing: {}", option->get_name(), option->get_description()), ""});
  if (!problems.empty()) problems.back().fix = example_of(verb, path);
  return problems;
}

}  // namespace

int explain_usage(const CLI::App& app, const CLI::ParseError& error, std::span<const std::string> words) {
  const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
  const CLI::App* verb = nullptr;
  const std::string path = path_of(app, verb);
  std::vector<Problem> problems;
  // Before the verb there are no options but --help and --version.
  if (verb != &app)
    for (const std::string& word : app.remaining())
      problems.push_back({"", fmt::format("{} stands before the verb", word), fmt::format("write {} … {}", path, word)});
  const std::vector<std::string> left_over = verb->remaining();
  const bool has_verbs = !verbs_of(*verb).empty();
  // A verb that is not known has options that nothing is known of.
  if (problems.empty() && has_verbs && !left_over.empty() && !is_option(left_over.front()))
    problems.push_back(unknown_verb(*verb, path, left_over.front()));
  for (const std::string& word : problems.empty() ? left_over : std::vector<std::string>{})
    if (is_option(word)) problems.push_back(unknown_option(app, *verb, path, word));
  if (problems.empty() && has_verbs && verb != &app) {
    std::vector<std::string> kept;
    for (const CLI::App* below : verbs_of(*verb)) kept.push_back(below->get_name());
    const std::vector<std::string_view> names(kept.begin(), kept.end());
    problems.push_back({"", fmt::format("the name of a {} is missing: {}", verb->get_name(), listed(names, names.size())),
                        example_of(*verb, path)});
  }
  if (problems.empty() && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) problems = missing_parts(*verb, path);
  if (problems.empty() && !left_over.empty()) {
    for (const std::string& word : left_over) problems.push_back({"", fmt::format("\"{}\" is one word too many", word), ""});
    problems.back().fix = "put names with spaces in quotes; " + example_of(*verb, path);
  }
  if (problems.empty()) problems.push_back(wrong_value(*verb, path, error));
  return report_usage(path, problems, json);
}

}  // namespace throng::cli
