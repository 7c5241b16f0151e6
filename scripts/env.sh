# Sourced by the other scripts, never run by itself:  source "$(dirname "$0")/env.sh"
# Sets  TESSERA_ROOT      the repository
#       TESSERA_JOBS      parallel build jobs (default: one per core)
#       TESSERA_CHROMIUM  the browser of the browser tests, when one is found; TESSERA_FOUND_CHROMIUM: found here
#       TESSERA_FIREFOX   the browser of the smoke test in Firefox, when one is found
# and puts on the PATH the project's own Node (.tools/, see scripts/setup) when the machine's is too old,
# and an Emscripten SDK when $EMSDK points to one.

TESSERA_ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
export TESSERA_ROOT
TESSERA_JOBS="${TESSERA_JOBS:-$(nproc 2>/dev/null || echo 2)}"
export TESSERA_JOBS

# Vite 8 runs on Node ^20.19 or >= 22.12.
# tessera_node_ok [program]: succeeds when that Node is new enough.
tessera_node_ok() {
  local version major minor rest
  version="$("${1:-node}" --version 2>/dev/null)" || return 1
  version="${version#v}"
  major="${version%%.*}"
  rest="${version#*.}"
  minor="${rest%%.*}"
  [[ "$major" =~ ^[0-9]+$ && "$minor" =~ ^[0-9]+$ ]] || return 1
  ((major == 20 && minor >= 19 || major == 22 && minor >= 12 || major >= 23))
}

# The machine's own Node is never replaced: .tools/ comes first only when the one on the PATH is missing or too old.
tessera_use_own_node() {
  [[ -x "$TESSERA_ROOT/.tools/bin/node" ]] || return 0
  tessera_node_ok && command -v npm >/dev/null && return 0
  export PATH="$TESSERA_ROOT/.tools/bin:$PATH"
}
tessera_use_own_node

# $EMSDK is what `source emsdk_env.sh` sets; accept it also when the PATH was not extended.
if [[ -n "${EMSDK:-}" && -x "$EMSDK/upstream/emscripten/em++" ]]; then
  export PATH="$EMSDK/upstream/emscripten:$PATH"
fi

# Debian's headless shell first: the same engine without the windows around it, in which the browser tests take a fifth
# less processor time. What was found is looked for again, since the set-up may have installed a better one.
TESSERA_FOUND_CHROMIUM="${TESSERA_FOUND_CHROMIUM:-}"
if [[ -z "${TESSERA_CHROMIUM:-}" || "$TESSERA_CHROMIUM" == "$TESSERA_FOUND_CHROMIUM" ]]; then
  for tessera_browser in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
    if TESSERA_CHROMIUM="$(command -v "$tessera_browser")"; then break; fi
  done
  unset tessera_browser
  TESSERA_FOUND_CHROMIUM="$TESSERA_CHROMIUM"
fi
export TESSERA_CHROMIUM TESSERA_FOUND_CHROMIUM
if [[ -z "${TESSERA_FIREFOX:-}" ]]; then
  TESSERA_FIREFOX="$(command -v firefox-esr || command -v firefox || true)"
fi
export TESSERA_FIREFOX
