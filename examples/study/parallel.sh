#!/usr/bin/env bash
# A study in parts under GNU parallel, on this machine or on others (-S host1,host2 with a shared folder).
#
#   examples/study/parallel.sh PARTS OUT PATH... [-- arguments of tessera study]
#
# $TESSERA is the program; without it the newest build/*/bin/tessera of this repository.
set -euo pipefail

parts=${1:?number of parts} out=${2:?output folder}
shift 2
paths=() more=()
while (($#)); do
  [[ "$1" == "--" ]] && { shift; more=("$@"); break; }
  paths+=("$1")
  shift
done
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
tessera=${TESSERA:-$(ls -t "$root"/build/*/bin/tessera | head -n 1)}

# One process per part: parallel spreads them over the processors.
seq "$parts" | parallel --will-cite --halt soon,fail=1 \
  "$tessera" study "${paths[@]@Q}" "${more[@]@Q}" -j1 --shard "{}/$parts" -o "${out@Q}/part-{}"
"$tessera" study merge $(seq -f "$out/part-%g" "$parts") -o "$out"
