#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The root script, away from this checkout and with stand-ins for apt, cmake and ninja that write down how they were called.
# Usage: script_test.sh BUILD_DIRECTORY
set -euo pipefail
unset THRONG_SKIP_PACKAGES
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"

failures=0
expect() {  # expect SENTENCE COMMAND...
  local sentence=$1
  shift
  if ! "$@"; then
    echo "FAILED: $sentence"
    failures=$((failures + 1))
  fi
}
says() { grep -qF -- "$2" "$work/$1"; }
is_absent() { [[ ! -e $1 ]]; }
equals() { [[ $1 == "$2" ]]; }
calls() { wc -l <"$work/calls"; }

# A checkout of nothing but the script and a source.
checkout=$work/checkout
mkdir -p "$checkout"/{cmake,include,src,apps,benchmarks,tests}
cp "$root/throng" "$checkout/"
touch "$checkout"/{CMakeLists.txt,CMakePresets.json,src/a.cpp,src/b.cpp}

# run NAME WORDS...: stdout to NAME.out, stderr to NAME.err, exit code to $code; the stand-ins are found first.
code=0
run() {
  local name=$1
  shift
  code=0
  env PATH="$work/bin:$PATH" CALLS="$work/calls" "$checkout/throng" "$@" >"$work/$name.out" 2>"$work/$name.err" || code=$?
}
stand_in() {  # stand_in NAME: its script comes from stdin
  mkdir -p "$work/bin"
  { echo '#!/usr/bin/env bash'; cat; } >"$work/bin/$1"
  chmod 755 "$work/bin/$1"
}
: >"$work/calls"
chmod 666 "$work/calls"

stand_in cmake <<<'echo "cmake $*" >>"$CALLS"'
stand_in ninja <<'SH'
echo "ninja $*" >>"$CALLS"
echo "[1/2] Building CXX object a.cpp.o"
if [[ -n ${BREAK_BUILD:-} ]]; then echo "a.cpp:7: error: no such crowd"; exit 1; fi
echo "[2/2] Linking CXX executable bin/throng"
mkdir -p "$2/bin"
printf '#!/usr/bin/env bash\nprintf "<%%s>" "$@"\nexit 3\n' >"$2/bin/throng"
chmod 755 "$2/bin/throng"
SH
stand_in dpkg-query <<<'for word in "$@"; do [[ $word == -* ]] || printf "installed:%s " "$word"; done'
stand_in apt-get <<<'echo "apt-get $*" >>"$CALLS"; exit 1'

# Help needs nothing and builds nothing.
run help
expect "alone it exits 0" equals "$code" 0
expect "alone it prints help" says help.out "./throng demo"
expect "alone it builds nothing" is_absent "$checkout/build"

# The first start builds, hands the words over one by one and returns the program's exit code.
run first path "a b" --json
expect "the words arrive as they were" equals "$(cat "$work/first.out")" "<path><a b><--json>"
expect "the program's exit code is returned" equals "$code" 3
expect "the first start says how far it is" says first.err "building (release) 2 of 2"
expect "it configures the release preset" says calls "cmake --preset release"
before=$(calls)
expect "with all packages there, apt is not asked" equals "$(grep -c apt-get "$work/calls" || true)" 0

# The second start does not even ask the build tools; a changed, new or removed source does.
run second demo
expect "the second start builds nothing" equals "$(calls)" "$before"
sleep 0.02
touch "$checkout/src/a.cpp"
run touched demo
expect "a changed source is built" equals "$(calls)" $((before + 2))
sleep 0.02
rm "$checkout/src/b.cpp"
run removed demo
expect "a removed source is noticed" equals "$(calls)" $((before + 4))

# A broken build shows the error, and the next start tries again.
sleep 0.02
touch "$checkout/src/a.cpp"
export BREAK_BUILD=1
run broken demo
unset BREAK_BUILD
expect "a broken build exits 1" equals "$code" 1
expect "a broken build shows the error" says broken.err "a.cpp:7: error: no such crowd"
run mended demo
expect "the start after a broken build builds again" equals "$code" 3

# Off Debian: the exact command, exit 1. Only the tools the script needs before that are on the path.
mkdir "$work/elsewhere"
for tool in bash env dirname readlink nproc cat; do ln -s "$(command -v $tool)" "$work/elsewhere/$tool"; done
code=0
env -i PATH="$work/elsewhere" "$checkout/throng" demo >"$work/off.out" 2>"$work/off.err" || code=$?
expect "off Debian it exits 1" equals "$code" 1
expect "off Debian it prints the command" says off.err "apt-get install --no-install-recommends g++ cmake ninja-build"

# Missing packages.
stand_in dpkg-query <<<'for word in "$@"; do [[ $word == -* || $word == libhwy-dev ]] || printf "installed:%s " "$word"; done'
if ((EUID == 0)) && command -v setpriv >/dev/null; then
  code=0
  env PATH="$work/bin:$PATH" CALLS="$work/calls" setpriv --reuid=65534 --clear-groups "$checkout/throng" demo \
    >"$work/user.out" 2>"$work/user.err" || code=$?
  expect "without root it exits 1" equals "$code" 1
  expect "without root it prints the command" says user.err "sudo apt-get install --yes --no-install-recommends libhwy-dev"
  expect "without root apt is not asked" equals "$(grep -c apt-get "$work/calls" || true)" 0

  stand_in apt-get <<'SH'
echo "apt-get $*" >>"$CALLS"
if [[ $* == *--assume-no* ]]; then
  echo "Need to get 1234 kB of archives."
  echo "After this operation, 5678 kB of additional disk space will be used."
  exit 1
fi
SH
  run root demo
  expect "as root it names what is missing" says root.err "missing packages: libhwy-dev"
  expect "as root it says how large it is" says root.err "Need to get 1234 kB of archives. After this operation, 5678 kB"
  expect "as root it installs" says calls "apt-get install --yes --no-install-recommends libhwy-dev"
  expect "and goes on" equals "$code" 3
fi

# The page is built beside the program, with npm's lifecycle scripts off. A demo goes on without it; a studio does not.
mkdir -p "$checkout/apps/studio"
echo '{}' >"$checkout/apps/studio/package.json"
stand_in npm <<<'echo "npm $*" >>"$CALLS"; exit 1'
stand_in dpkg-query <<<'for word in "$@"; do [[ $word == -* ]] || printf "installed:%s " "$word"; done'
run pageless demo
expect "a demo goes on without its page" equals "$code" 3
expect "and says what it leaves out" says pageless.err "the studio's page is left out"
expect "npm runs no package's scripts" says calls "npm ci --no-audit --no-fund --ignore-scripts"
run no_studio studio
expect "a studio without its page exits 1" equals "$code" 1
rm -r "$checkout/apps/studio"

# Tests: three counts over all trees. What could not be run is a failure, not a skip; so is a ctest that fails without a report.
stand_in dpkg-query <<<'for word in "$@"; do [[ $word == -* ]] || printf "installed:%s " "$word"; done'
stand_in ctest <<'SH'
[[ -n ${BREAK_CTEST:-} ]] && exit 8
report=${!#}
cat >"$report" <<XML
<testsuite>
	<testcase name="A.one" classname="A.one" time="0.1" status="run">
	<testcase name="A.two" classname="A.two" time="0.1" status="run">
	<testcase name="A.fails" classname="A.fails" time="0.1" status="fail">
	<testcase name="A.skips" classname="A.skips" time="0.1" status="notrun">
		<skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
	<testcase name="A.off" classname="A.off" time="0" status="disabled">
	<testcase name="not_built" classname="not_built" time="0" status="notrun">
		<skipped message="Unable to find executable"/>
</testsuite>
XML
exit 8
SH
run counted test --sanitize
expect "failing tests exit 1" equals "$code" 1
expect "the counts are one line over both trees" equals "$(cat "$work/counted.out")" "4 passed, 4 failed, 4 skipped"
expect "a table says where the minutes went" grep -qE '^  asan +[0-9.]+ +[0-9.]+$' "$work/counted.err"
run plain test
expect "without sanitizers it is one tree" equals "$(cat "$work/plain.out")" "2 passed, 2 failed, 2 skipped"
run quick test --quick
expect "--quick runs one tree" equals "$(cat "$work/quick.out")" "2 passed, 2 failed, 2 skipped"
run both test --quick --sanitize
expect "both words together run two trees" equals "$(cat "$work/both.out")" "4 passed, 4 failed, 4 skipped"
export BREAK_CTEST=1
run dead test --quick
unset BREAK_CTEST
expect "tests that did not run are a failure" equals "$(cat "$work/dead.out")" "0 passed, 1 failed, 0 skipped"
expect "and exit 1" equals "$code" 1
sleep 0.02
touch "$checkout/src/a.cpp"
export BREAK_BUILD=1
run unbuilt test --sanitize
unset BREAK_BUILD
expect "a broken build is a failure of each tree" equals "$(cat "$work/unbuilt.out")" "0 passed, 2 failed, 0 skipped"
run tests test --nonsense
expect "wrong usage of test exits 2" equals "$code" 2

# Every verb the script names is one of the program's.
if [[ -x $build/bin/throng ]]; then
  for verb in $(grep -oE '^  \./throng [a-z]+ ' "$work/help.out" | awk '{print $2}' | grep -vxE 'test|fuzz'); do
    expect "the program knows the verb $verb" "$build/bin/throng" "$verb" --help >/dev/null
  done
fi

((failures == 0)) && echo "the root script does what it says"
