// Where the page's documents say more: addresses beside the page, made by scripts/doc_pages.mjs.

import type { Run } from './report';

// The anchor of a heading, as the documents' own links have it.
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/`/g, '')
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replace(/ /g, '-');
}

// Of a rule of the op model, "Convolution: height sharded": all variants have one section.
export function ruleDoc(rule: string): string {
  return `docs/rules/op-model.html#${slugOf(rule.split(':')[0]!)}`;
}

// Of a constraint that refuses a layout, "OutOfL1".
export function refusalDoc(reason: string): string {
  return `docs/rules/op-model.html#${slugOf(reason)}`;
}

// The compiler's passes: what ours cover, what they leave out, how many of the compiler's tests hold.
export const kPassesDoc = 'docs/compiler-compatibility.html';
export const kExecutionDoc = 'docs/execution.html';

export const kSpillDoc = 'docs/rules/pass-generation.html#spill-management';

// How the policy of a run decides.
export function policyDoc(run: Run): string {
  if (run.chainSummary !== undefined) return 'docs/chains.html';
  if (run.exact !== undefined) return 'docs/optimality.html';
  return 'docs/rules/pass-generation.html#layout-propagation';
}
