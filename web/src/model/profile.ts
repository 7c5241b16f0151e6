// Profiles of the device (ops_perf_results_*.csv), and the factors on predicted times that come of them.

import type { Row, Run } from './report';

export type { ProfileAnswer, ProfileComparison, ProfileMatch, Program } from './generated/profile';

export interface OpenedProfile {
  readonly name: string; // of the file
  readonly text: string;
}

export const kCalibration = 'calibration'; // id of the option

// Its first line names the columns.
export const looksLikeProfile = (text: string): boolean => /^(#.*\n)*[^\n{]*\bOP CODE,/.test(text.slice(0, 65536));

// What bounds a step takes this part of its time, nanoseconds.
export function boundPart({ time, bound }: Pick<Row, 'time' | 'bound'>): number {
  return bound === 'none' ? 0 : time[bound];
}

// The request of the engine's call (core/driver/api.h): the steps of the run that the profile is put beside.
export function profileRequest(run: Run | null, calibration: unknown): string {
  if (run === null) return '';
  const steps = run.rows.map((row, index) => {
    const value = run.values[row.results[0] ?? -1];
    const layout = value?.layout ?? null;
    return {
      row: index,
      op: row.op,
      shape: value?.shape ?? '',
      memory: layout === null ? '' : `${layout.buffer} ${layout.memory}`,
      bound: row.bound,
      time: row.time.total,
      boundPart: boundPart(row),
    };
  });
  return JSON.stringify({ calibration: typeof calibration === 'string' ? calibration : '', steps });
}

// "Matmul=1.250,Conv=0.9" -> [["Matmul", 1.25], ...]
export function readCalibration(text: unknown): readonly (readonly [family: string, factor: number])[] {
  if (typeof text !== 'string' || text === '') return [];
  return text.split(',').map((entry) => {
    const [family = '', factor = ''] = entry.split('=');
    return [family, Number(factor)] as const;
  });
}
