// SPDX-License-Identifier: MIT
#include <throng/rules.hpp>

namespace throng {

RulesTable rules_table_2009() {
  using M = RulesMove;
  const auto rows = [](std::initializer_list<RulesRow> list) {
    RulesTable::Rows out;
    for (const RulesRow& row : list) out.row[out.count++] = row;
    return out;
  };
  const RulesTable::Rows to_one_tile = rows({{M::kForward, M::kRight},
                                             {M::kForward, M::kLeft},
                                             {M::kRight, M::kForward},
                                             {M::kLeft, M::kForward},
                                             {M::kForward, M::kWait}});
  const RulesTable::Rows to_each_other = rows({{M::kForward, M::kRight},
                                               {M::kForward, M::kLeft},
                                               {M::kRight, M::kForward},
                                               {M::kLeft, M::kForward},
                                               {M::kWait, M::kWait}});
  RulesTable table;
  table.of(RulesClass::kToward, RulesType::kSameTile) = to_one_tile;
  table.of(RulesClass::kToward, RulesType::kEachOther) = to_each_other;
  table.of(RulesClass::kAway, RulesType::kEachOther) =
      rows({{M::kForward, M::kOvertakeRight}, {M::kForward, M::kOvertakeLeft}, {M::kForward, M::kSlow}});
  table.of(RulesClass::kGlancing, RulesType::kSameTile) = to_one_tile;
  table.of(RulesClass::kGlancing, RulesType::kEachOther) = to_each_other;  // erratum F-2: the paper has none
  table.of(RulesClass::kAway, RulesType::kSameTile) = to_one_tile;         // the same
  return table;
}

const char* name_of(RulesBehaviour behaviour) {
  constexpr const char* kNames[] = {"none",
                                    "stands",
                                    "walks",
                                    "forward",
                                    "rejoins",
                                    "right",
                                    "left",
                                    "waits",
                                    "slow",
                                    "overtakes",
                                    "follows",
                                    "back",
                                    "backs off",
                                    "gives way",
                                    "yields",
                                    "off tiles",
                                    "waits beside its place, which is taken"};
  return kNames[static_cast<std::size_t>(behaviour)];
}
const char* name_of(RulesClass collision) {
  constexpr const char* kNames[] = {"toward", "away", "glancing"};
  return kNames[static_cast<std::size_t>(collision)];
}
const char* name_of(RulesType type) {
  constexpr const char* kNames[] = {"same_tile", "each_other"};
  return kNames[static_cast<std::size_t>(type)];
}
const char* name_of(RulesMove move) {
  constexpr const char* kNames[] = {"forward", "right", "left", "wait", "slow", "overtake_right", "overtake_left"};
  return kNames[static_cast<std::size_t>(move)];
}
const char* name_of(RulesReason reason) {
  constexpr const char* kNames[] = {"taken",      "not tried",  "no room there",   "somebody is there", "they would swap",
                                    "ways cross", "cannot act", "lets others out", "not allowed"};
  return kNames[static_cast<std::size_t>(reason)];
}

}  // namespace throng
