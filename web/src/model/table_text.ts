// A run as a table of text, one line per step.

import { kindInfo, kindOf } from './layout_kind';
import type { Run } from './report';

const kColumns = [
  'step',
  'kind',
  'op',
  'name',
  'label',
  'shape',
  'dtype',
  'place',
  'layout',
  'bytes_per_core',
  'cores',
  'time_ns',
  'compute_ns',
  'dram_ns',
  'noc_ns',
  'fixed_ns',
  'dram_bytes',
  'l1_peak_bytes',
  'bound',
];

// RFC 4180. A field that a spreadsheet would take for a formula begins with an apostrophe.
export function runCsv(run: Run): string {
  const lines = run.rows.map((row, step) => {
    const value = run.values[row.results[0] ?? -1];
    const { time } = row;
    return [
      step,
      row.kind,
      row.op,
      row.name,
      row.label,
      value?.shape ?? '',
      value?.dtype ?? '',
      value === undefined ? '' : kindInfo(kindOf(value.layout)).title,
      value?.layout?.text ?? '',
      value?.layout?.bytesPerCore ?? '',
      row.cores,
      time.total,
      time.compute,
      time.dram,
      time.noc,
      time.fixed,
      row.dramBytes,
      row.l1.peak,
      row.bound,
    ];
  });
  return [kColumns, ...lines].map((line) => line.map(csvField).join(',')).join('\r\n') + '\r\n';
}

function csvField(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}
