# SPDX-License-Identifier: MIT
# Warnings, floating-point rules, sanitizers, and the tools that only make a build faster.
include_guard()

# The same bits on every machine: no fused multiply-add, no fast-math, no -march (docs/architecture.md, "Numbers").
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers -ffp-contract=off)
# Nobody reads errno or floating-point exceptions: roots and selections become vector instructions, with the same bits.
add_compile_options(-fno-math-errno -fno-trapping-math -Wno-psabi)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # A class with a member of an anonymous namespace is meant for its own source; in a unit of several sources g++ cannot tell.
  add_compile_options(-Wno-subobject-linkage)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)  # g++ 12 sees an overlap in every `"text" + std::string` (its bug 105651)
endif()

if(THRONG_SANITIZE)
  # A report must end the program: a test that goes on after one would pass.
  add_compile_options(-fsanitize=${THRONG_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${THRONG_SANITIZE})
endif()
if(THRONG_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)  # coverage, which guides the fuzzer, in everything it calls
endif()

# ccache and mold are used where they are, and never needed.
find_program(THRONG_CCACHE ccache)
if(THRONG_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${THRONG_CCACHE})
endif()
find_program(THRONG_MOLD mold)
if(THRONG_MOLD)
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=mold THRONG_COMPILER_TAKES_MOLD)
  if(THRONG_COMPILER_TAKES_MOLD)
    add_link_options(-fuse-ld=mold)
  endif()
endif()
