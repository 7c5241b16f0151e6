// How much is said of the text, counted for places that show no list of it.

import { plural } from './format';
import type { Diagnostic } from './report';

export interface TextFaults {
  readonly errors: number;
  readonly warnings: number;
}

export function countFaults(diagnostics: readonly Diagnostic[]): TextFaults {
  const count = (severity: string): number => diagnostics.filter((found) => found.severity === severity).length;
  return { errors: count('error'), warnings: count('warning') };
}

// "1 error, 2 warnings"; "" when there is neither.
export function faultsText({ errors, warnings }: TextFaults): string {
  const parts = [errors > 0 ? plural(errors, 'error') : '', warnings > 0 ? plural(warnings, 'warning') : ''];
  return parts.filter(Boolean).join(', ');
}

// The worse of what there is, as the class of an element.
export const faultsKind = ({ errors }: TextFaults): 'error' | 'warning' => (errors > 0 ? 'error' : 'warning');
