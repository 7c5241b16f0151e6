import { describe, expect, it } from 'vitest';

import { differing } from '../../scripts/generate.mjs';
import { toWire } from '../fixtures/fabricate.mjs';
import { Coverage, problemOf, schemas } from '../fixtures/schemas.mjs';
import { report } from './fixtures';

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly unit?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

// What is missing in a schema and all that stands in it.
function gaps(schema: Schema, at: string): string[] {
  const found: string[] = [];
  if (schema.properties !== undefined && schema.additionalProperties !== false) found.push(`${at} is open`);
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  if (isNumber && schema.unit === undefined) found.push(`${at} has no unit`);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (!field.description) found.push(`${at}.${name} has no description`);
    found.push(...gaps(field, `${at}.${name}`));
  }
  for (const inner of [schema.items, ...(schema.prefixItems ?? []), ...(schema.anyOf ?? [])])
    if (inner) found.push(...gaps(inner, at));
  return found;
}

describe('the schemas', () => {
  it('describe every field with its unit and let no other pass', () => {
    const all = [...schemas].flatMap(([file, schema]) =>
      Object.entries((schema as Schema).$defs!).flatMap(([name, definition]) => [
        ...(definition.description ? [] : [`${file}.${name} has no description`]),
        ...gaps(definition, `${file}.${name}`),
      ]),
    );
    expect(all).toEqual([]);
  });

  it('are what the types and the documentation were made from', async () => {
    expect(await differing()).toEqual([]);
  });

  it('refuse a field too many, a field too few and an unknown word', () => {
    const lint = { schema: 2, diagnostics: [], droppedDiagnostics: 0 };
    const row = { line: 1, column: 1, endLine: 1, endColumn: 2, kind: 'X', message: '', notes: [] };
    expect(problemOf('common#Lint', lint)).toBe('');
    expect(problemOf('common#Lint', { ...lint, more: 1 })).toContain('additional');
    expect(problemOf('common#Lint', { schema: 2, diagnostics: [] })).toContain('droppedDiagnostics');
    expect(problemOf('common#Lint', { ...lint, diagnostics: [{ ...row, severity: 'fatal' }] })).toContain('/severity');
  });

  it('describe the reports that the tests of the page are made of', () => {
    expect(problemOf('report', toWire(report({ blocks: 6, cap: 0.3 })))).toBe('');
    expect(problemOf('report', toWire(report({ blocks: 2, policy: 'DRAM' })))).toBe('');
  });

  it('know which fields and words a set of answers has shown', () => {
    const coverage = new Coverage();
    const before = coverage.unseen.size;
    coverage.see('catalog#Version', { tessera: '1', schema: 2 });
    expect(before - coverage.unseen.size).toBe(2);
    coverage.see('common#Lint', { diagnostics: [{ severity: 'note' }] });
    expect(coverage.unseen.has('common.Severity=note')).toBe(false);
    expect(coverage.unseen.has('common.Severity=error')).toBe(true);
  });
});
