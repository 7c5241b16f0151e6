import { describe, expect, test } from 'vitest';

import type { Diagnostic } from '../../src/model/report';
import { countFaults, faultsKind, faultsText } from '../../src/model/text_faults';

const found = (...severities: Diagnostic['severity'][]): Diagnostic[] =>
  severities.map((severity) => ({ severity, kind: 'X', message: '', line: 1, column: 1, notes: [] }) as never);

describe('what is said of the text', () => {
  test('is counted by its severity', () => {
    expect(countFaults([])).toEqual({ errors: 0, warnings: 0 });
    expect(countFaults(found('warning', 'error', 'warning'))).toEqual({ errors: 1, warnings: 2 });
  });

  test('is told in words, without notes', () => {
    expect(faultsText({ errors: 0, warnings: 0 })).toBe('');
    expect(faultsText({ errors: 1, warnings: 0 })).toBe('1 error');
    expect(faultsText({ errors: 0, warnings: 1234 })).toBe('1,234 warnings');
    expect(faultsText({ errors: 2, warnings: 1 })).toBe('2 errors, 1 warning');
  });

  test('has the kind of the worse', () => {
    expect(faultsKind({ errors: 1, warnings: 5 })).toBe('error');
    expect(faultsKind({ errors: 0, warnings: 5 })).toBe('warning');
  });
});
