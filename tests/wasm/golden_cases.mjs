// The golden cases (tests/golden/**/*.mlir) and the options that their `//! key: value` lines name.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export function mlirFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return mlirFiles(path);
      return entry.name.endsWith('.mlir') ? [path] : [];
    });
}

// "262144" -> 262144, "true" -> true, anything else stays text.
function directiveValue(text) {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

// Splits "A, beam(k=8, x=1), C" at the commas outside of parentheses.
function splitList(text) {
  return (
    text
      .match(/[^,(]+(\([^)]*\))?/g)
      ?.map((part) => part.trim())
      .filter(Boolean) ?? []
  );
}

// The option objects of a case, one per policy. Other lines (`//! opt:`) tell the native tests what to look at.
export function optionSets(text, allPolicies, known) {
  const options = {};
  let policies = allPolicies;
  for (const [, key, value] of text.matchAll(/^\/\/!\s*([\w.-]+)\s*:\s*(.*?)\s*$/gm)) {
    if (key === 'policy') policies = splitList(value);
    else if (known.has(key)) options[key] = directiveValue(value);
  }
  return policies.map((policy) => ({ ...options, policy }));
}
