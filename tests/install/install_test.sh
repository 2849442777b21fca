#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the core into an empty prefix and builds examples/embed against it, outside the tree, with find_package(throng).
# The example holds its answer against a formula; here its words are compared too.
# Usage: install_test.sh BUILD_DIRECTORY
set -euo pipefail
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --component core --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cp -r "$root/examples/embed" "$work/embed"
{
  cmake -S "$work/embed" -B "$work/embed/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" &&
    cmake --build "$work/embed/build"
} >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

# The installed headers stand alone: none of them reaches into the checkout.
if grep -rn "$root" "$work/prefix" --include='*.hpp' --include='*.cmake'; then
  echo "FAILED: the installed files name the checkout"
  exit 1
fi

"$work/embed/build/embed" | tee "$work/said"
# How finely an arc is sampled is not promised; the length, and where the path begins and ends, are.
pattern='^\(2\.00, 10\.00\) (\([0-9.]+, [0-9.]+\) )+\(18\.00, 10\.00\) $'
if [[ $(sed -n 1p "$work/said") != "16.708 m, by hand 16.708 m" || ! $(sed -n 2p "$work/said") =~ $pattern ]]; then
  echo "FAILED: the example printed something else"
  exit 1
fi
