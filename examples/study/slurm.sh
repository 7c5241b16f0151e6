#!/usr/bin/env bash
# A study as a Slurm job array: one part per task, in a folder that all nodes see.
#
#   jobs=$(sbatch --parsable examples/study/slurm.sh GRAPHS OUT)
#   sbatch --dependency=afterok:$jobs --wrap "tessera study merge OUT/part-* -o OUT"
#
# A task that was ended by a limit may be submitted again (sbatch --array=17): it does only what is missing.
#SBATCH --job-name=tessera-study
#SBATCH --array=1-32
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=01:00:00
set -euo pipefail

graphs=${1:?folder of graphs} out=${2:?output folder}
srun tessera study "$graphs" --devices n150,p150 \
  -j "$SLURM_CPUS_PER_TASK" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
  -o "$out/part-$SLURM_ARRAY_TASK_ID"
