import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

import { describe, expect, test } from 'vitest';

import { kShipped, pageOf, toHtml } from '../../scripts/doc_pages.mjs';
import { kExecutionDoc, kPassesDoc, kSpillDoc, policyDoc, refusalDoc, ruleDoc } from '../../src/model/doc_links';

const kCore = '../core/ops';
const anchors = (html) => [...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
const pages = new Map(kShipped.map((file) => [`docs/${file.replace(/\.md$/, '.html')}`, pageOf(file)]));

function reached(address) {
  const [file, anchor] = address.split('#');
  const page = pages.get(file);
  return page !== undefined && (anchor === undefined || anchors(page).includes(anchor));
}

describe('documents beside the page', () => {
  test('have a section for every rule of the op model and for every refusal', () => {
    const sources = readdirSync(`${kCore}/rules`).filter((name) => name.endsWith('.cpp'));
    const lines = sources.flatMap((name) => readFileSync(`${kCore}/rules/${name}`, 'utf8').split('\n'));
    const names = lines
      .filter((line) => /"(?:tt-metal|tt-mlir|docs\/)|return "Matmul: /.test(line))
      .flatMap((line) => [...line.matchAll(/"([A-Z][^"]+)"/g)].map((match) => match[1]));
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !reached(ruleDoc(name)))).toEqual([]);
    const table = readFileSync(`${kCore}/table/refusals.def`, 'utf8');
    const reasons = [...table.matchAll(/^TESSERA_REFUSAL\((\w+),/gm)]
      .map((match) => match[1])
      .filter((name) => name !== 'None');
    expect(reasons.length).toBeGreaterThan(30);
    expect(reasons.filter((name) => !reached(refusalDoc(name)))).toEqual([]);
  });

  test('say how each policy decides and what leaves L1', () => {
    for (const run of [{}, { chainSummary: {} }, { exact: {} }])
      expect(reached(policyDoc(run)), policyDoc(run)).toBe(true);
    expect(reached(kSpillDoc)).toBe(true);
    expect(reached(kPassesDoc)).toBe(true);
    expect(reached(kExecutionDoc)).toBe(true);
  });

  test('link to each other only where something is', () => {
    let seen = 0;
    for (const [file, html] of pages) {
      const main = html.slice(html.indexOf('<main>'));
      for (const [, target] of main.matchAll(/href="([^"]+)"/g)) {
        if (target.startsWith('https://github.com/tenstorrent/')) continue;
        const whole = target.startsWith('#') ? file + target : posix.join(posix.dirname(file), target);
        expect(reached(whole), `${file} -> ${target}`).toBe(true);
        seen++;
      }
    }
    expect(seen).toBeGreaterThan(3);
  });

  test('keep what is written, and nothing of it is markup', () => {
    const html = toHtml(
      '# A <b>\n\nText `a<b>` and **bold** [x](https://evil.example/) [g](glossary.md#l1).\n\n' +
        '- one\n  more\n- two\n\n| a | b |\n|---|---|\n| `1` | <i> |\n\n    code <x>\n',
      'chains.md',
    );
    expect(html).toContain('<h1 id="a-b">A &lt;b&gt;</h1>');
    expect(html).toContain('<code>a&lt;b&gt;</code> and <b>bold</b> x <a href="glossary.html#l1">g</a>.');
    expect(html).toContain('<ul><li>one more</li><li>two</li></ul>');
    expect(html).toContain('<td><code>1</code></td><td>&lt;i&gt;</td>');
    expect(html).toContain('<pre>code &lt;x&gt;</pre>');
    expect(html).not.toContain('evil.example');
    expect(html).not.toContain('<script');
  });
});
