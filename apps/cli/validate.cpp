// SPDX-License-Identifier: MIT
// throng validate: the simulation held against guidelines and measurements of real people. One table.
#include <fmt/format.h>

#include <algorithm>

#include "base/nearest_name.hpp"
#include "case.hpp"
#include "common.hpp"

namespace throng::cli {
namespace {

struct ValidateArguments {
  std::vector<std::string> names;
  std::string model = "reactive";
  std::uint32_t seeds = ValidationSettings{}.seeds;
  unsigned threads = 1;
  bool quiet = false;
  bool json = false;
};

struct ValidateRow {
  const ValidationCase* of = nullptr;
  ValidationOutcome outcome;
};

bool is_reactive(const std::string& model) { return model.starts_with("reactive"); }

/// Cases of behaviour switch modules of the reactive pipe off to have a control: they say nothing of other models.
std::vector<const ValidationCase*> cases_for(const std::string& model) {
  std::vector<const ValidationCase*> cases;
  for (const ValidationCase& one : rimea_cases()) cases.push_back(&one);
  if (is_reactive(model))
    for (const ValidationCase& one : behaviour_cases()) cases.push_back(&one);
  return cases;
}

Result<std::vector<const ValidationCase*>> choose_cases(const std::vector<std::string>& names, const std::string& model) {
  const std::vector<const ValidationCase*> all = cases_for(model);
  if (names.empty()) return all;
  std::vector<const ValidationCase*> chosen;
  for (const std::string& name : names) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto* one) { return one->name == name; });
    if (found != all.end()) {
      chosen.push_back(*found);
      continue;
    }
    std::vector<std::string_view> known;
    for (const ValidationCase* one : all) known.push_back(one->name);
    const auto meant = nearest_name(name, known);
    return Problem{name, "there is no such case for " + model + "; there are " + listed(known, 30),
                   meant ? fmt::format("did you mean {}?", *meant) : "name some of those, or none for all"};
  }
  return chosen;
}

/// Columns as wide as their longest word, counted in characters rather than bytes.
class Table {
 public:
  void add(std::vector<std::string> cells) {
    widths_.resize(std::max(widths_.size(), cells.size()));
    for (std::size_t i = 0; i < cells.size(); ++i) widths_[i] = std::max(widths_[i], width_of(cells[i]));
    rows_.push_back(std::move(cells));
  }
  void print() const {
    for (const auto& cells : rows_) {
      std::string line;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        line += cells[i];
        if (i + 1 < cells.size()) line += std::string(widths_[i] - width_of(cells[i]) + 2, ' ');
      }
      fmt::print("{}\n", line);
    }
  }

 private:
  static std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
  }
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> widths_;
};

int run_validate(const ValidateArguments& a) {
  const auto cases = choose_cases(a.names, a.model);
  if (!cases) return report_problems(cases.problems(), a.json);
  ValidationSettings settings;
  settings.model = a.model == "reactive_2004" ? reactive_2004() : reactive();
  if (a.model == "reynolds") settings.instead = ReynoldsSettings{};
  if (a.model == "linear") settings.instead = LinearSettings{};
  if (a.model == "short_term") settings.instead = ShortTermSettings{};
  if (a.model == "continuum") settings.instead = ContinuumSettings{};
  settings.seeds = a.seeds;
  settings.threads = a.threads;
  std::vector<ValidateRow> rows;
  {
    Progress progress("validating " + a.model, a.quiet);
    for (std::size_t i = 0; i < cases->size(); ++i) {
      progress.step(fmt::format("{} ({} of {})", (*cases)[i]->name, i + 1, cases->size()));
      auto outcome = (*cases)[i]->run(settings);
      if (!outcome) return report_problems(outcome.problems(), a.json);
      rows.push_back({(*cases)[i], std::move(*outcome)});
    }
  }
  const auto passed =
      static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [](const ValidateRow& row) { return row.outcome.passed; }));
  if (a.json) {
    nlohmann::json list = nlohmann::json::array();
    for (const ValidateRow& row : rows)
      list.push_back({{"case", row.of->name},
                      {"situation", row.of->what},
                      {"asked", row.of->reference},
                      {"measured", row.outcome.measured},
                      {"control", row.outcome.control},
                      {"passed", row.outcome.passed},
                      {"figures", row.outcome.figures}});
    print_json({{"model", a.model}, {"seeds", a.seeds}, {"rows", list}, {"passed", passed}, {"failed", rows.size() - passed}});
  } else {
    Table table;
    table.add({"case", "situation", "asked", "measured", "control", ""});
    for (const ValidateRow& row : rows)
      table.add({row.of->name, row.of->what, row.of->reference, row.outcome.measured, row.outcome.control,
                 row.outcome.passed ? "pass" : "FAIL"});
    table.print();
    fmt::print("{}, {} seeds: {} of {} pass\n", a.model, a.seeds, passed, rows.size());
  }
  return passed == rows.size() ? kSuccess : kBadInput;
}

}  // namespace

void add_validate(CLI::App& app, Outcome& outcome) {
  auto a = std::make_shared<ValidateArguments>();
  CLI::App* verb =
      app.add_subcommand("validate", "hold the simulation against guidelines and measurements; fails if a case does");
  verb->add_option("CASE", a->names, "cases to run, such as rimea_1 (default: all)");
  verb->add_option("--model", a->model, "motion model of everybody")
      ->check(CLI::IsMember({"reactive", "reactive_2004", "reynolds", "linear", "short_term", "continuum"}))
      ->capture_default_str();
  verb->add_option("--seeds", a->seeds, "runs of each case that is a matter of chance")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  verb->add_option("--threads", a->threads, "0: one per core; results do not depend on it")->capture_default_str();
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->add_flag("--json", a->json, "one JSON document on stdout, with the figures of every seed");
  verb->footer("Example: throng validate rimea_9 rimea_12 --seeds 3");
  verb->callback([a, &outcome] { outcome.status = run_validate(*a); });
}

}  // namespace throng::cli
