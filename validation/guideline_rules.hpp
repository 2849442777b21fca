// SPDX-License-Identifier: MIT
// The rules of the guidelines' tests, one function each; cases_rimea.cpp lists them with what they ask.
#pragma once
#include "case.hpp"

namespace throng {

// rimea_walking.cpp: one person at a time, or nearly so
Result<ValidationOutcome> judge_rimea_1(const ValidationSettings& settings);
Result<ValidationOutcome> judge_rimea_2(const ValidationSettings& settings);
Result<ValidationOutcome> judge_rimea_3(const ValidationSettings& settings);
Result<ValidationOutcome> judge_rimea_5(const ValidationSettings& settings);
Result<ValidationOutcome> judge_rimea_6(const ValidationSettings& settings);
Result<ValidationOutcome> judge_rimea_7(const ValidationSettings& settings);
Result<ValidationOutcome> judge_imo_1(const ValidationSettings& settings);

// rimea_crowds.cpp
Result<ValidationOutcome> judge_rimea_9(const ValidationSettings& settings);
Result<ValidationOutcome> judge_rimea_10(const ValidationSettings& settings);
Result<ValidationOutcome> judge_rimea_12(const ValidationSettings& settings);
Result<ValidationOutcome> judge_rimea_15(const ValidationSettings& settings);

// nist.cpp
Result<ValidationOutcome> judge_nist_1_1(const ValidationSettings& settings);
Result<ValidationOutcome> judge_nist_2_3(const ValidationSettings& settings);

}  // namespace throng
