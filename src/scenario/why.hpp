// SPDX-License-Identifier: MIT
// "Why?": the decision of one person in one step of a recording, found by computing that step again, and said in words.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include <throng/explain.hpp>
#include <throng/result.hpp>

#include "scenario/replay.hpp"

namespace throng {

/// What somebody decides in the next step, which is taken; nothing if it is not looked at in it.
std::optional<Explanation> explain_step(Simulation& simulation, AgentId agent);

/// The step that begins at `time`, or the last that begins before it. A Problem if nobody of this number is there, or it was not
/// looked at in this step.
Result<Explanation> why_at(Replay& replay, std::uint32_t number, double time);

/// A sentence a line.
std::vector<std::string> lines_of(const Explanation& why);
nlohmann::ordered_json json_of(const Explanation& why);

}  // namespace throng
