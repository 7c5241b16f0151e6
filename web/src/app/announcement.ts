// What a screen reader is told when another run is shown.

import { kMoves, moveCount } from '../model/moves';
import type { AppState } from '../model/state';
import { isAboutForced } from '../model/trials';

export function announcement(state: AppState): string {
  const run = state.report?.run;
  if (state.stale && state.diagnostics.some(isAboutForced)) return 'A forced layout cannot be honoured.';
  if (state.stale) return 'The text has errors; the last good schedule is shown.';
  return run == null
    ? ''
    : `${run.rows.length} steps. ${kMoves
        .map(({ kind, word }) => `${moveCount(run, kind)} ${word}, `)
        .join('')}${run.totals.failures} failures.`;
}
