import { describe, expect, test } from 'vitest';

import { asPlan } from '../../src/model/plan';
import {
  decodeFragment,
  encodeState,
  fromBase64Url,
  kMaxDecodedBytes,
  toBase64Url,
  type SharedState,
} from '../../src/model/url';

const kEmpty: SharedState = {
  source: { kind: 'none' },
  options: {},
  selected: null,
  view: {},
  compareRuns: null,
  plan: null,
  policyCode: null,
};

async function roundTrip(state: SharedState): Promise<SharedState> {
  const decoded = await decodeFragment(`#${await encodeState(state)}`);
  if (decoded.kind !== 'state') throw new Error(JSON.stringify(decoded));
  return decoded.state;
}

async function deflate(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return `v1:${toBase64Url(new Uint8Array(await new Response(stream).arrayBuffer()))}`;
}

describe('links', () => {
  test('hold the step, and those to the former view of steps open the stepper', async () => {
    const read = await roundTrip({ ...kEmpty, view: { main: 'schedule', step: 12 } });
    expect(read.view).toMatchObject({ step: 12 });
    expect((await roundTrip({ ...kEmpty, view: { main: 'schedule', step: null } })).view.step).toBeUndefined();
    const old = await decodeFragment(await deflate('{"v":{"m":"steps"}}'));
    expect(old).toMatchObject({ kind: 'state', state: { view: { step: -1 } } });
    if (old.kind === 'state') expect(old.state.view.main).toBeUndefined();
    const bad = await decodeFragment(await deflate('{"v":{"e":-1e9}}'));
    expect(bad).toMatchObject({ kind: 'state', state: { view: { step: -1 } } });
  });

  test('hold source, options, selection and view', async () => {
    const state: SharedState = {
      source: { kind: 'text', name: 'ö.mlir', text: 'func.func @f() // ünïcode 🙂\n' },
      options: { policy: 'Greedy', 'max-legal-layouts': 64, 'tensor-l1-usage-cap': 0.95, 'row-major-enabled': true },
      selected: { name: '%12', label: 'layer1.0.conv1', row: 12 },
      compareRuns: [{ policy: 'DRAM' }, { policy: 'Greedy', device: 'p150' }],
      plan: asPlan({ schema: 1, policy: 'mine', values: { '%1': 0 }, layouts: [{ buffer: 'l1' }] }),
      policyCode: 'function decide() {}',
      view: { whyOpen: false, split: 0.55, whole: true, tab: 'map', main: 'compare' },
    };
    expect(await roundTrip(state)).toEqual(state);
    for (const source of [
      { kind: 'sample', id: 'resnet50' },
      { kind: 'url', url: 'https://a.example/x.mlir' },
      { kind: 'too-large' },
    ] as const) {
      expect((await roundTrip({ ...kEmpty, source })).source).toEqual(source);
    }
  });

  test('are short for samples', async () => {
    expect((await encodeState({ ...kEmpty, source: { kind: 'sample', id: 'resnet50' } })).length).toBeLessThan(40);
  });

  test('an old link still opens', async () => {
    // Made when format 1 was new; it must stay readable for ever.
    const decoded = await decodeFragment(
      '#v1:q1YqUbJSys1PKc1JVaiujclT0lHKV7KqVirIz8lMrgTKuQQ5-irV6igVKVlFK6kaA-WT8_PKDJV0jGN1lMrASpWsDHXA5pRnVCrV1gIA',
    );
    expect(decoded).toEqual({
      kind: 'state',
      state: {
        source: { kind: 'text', name: '', text: 'module {}\n' },
        options: { policy: 'DRAM' },
        selected: { name: '%3', label: 'conv1', row: 3 },
        view: { sourceOpen: true, tab: 'why' },
        compareRuns: null,
        plan: null,
        policyCode: null,
      },
    });
  });

  test('that are damaged give a problem, never an exception', async () => {
    const good = await encodeState({ ...kEmpty, source: { kind: 'text', name: '', text: 'x'.repeat(500) + Math.PI } });
    for (const fragment of [
      '#hello',
      '#v1:',
      '#v1:!!!',
      '#v1:AAAA',
      `#${good.slice(0, -6)}`,
      '#v1:=',
      '#v9999999:x',
      '#v2:abc',
    ]) {
      expect((await decodeFragment(fragment)).kind, fragment).toBe('problem');
    }
    expect((await decodeFragment('')).kind).toBe('none');
    expect((await decodeFragment('#')).kind).toBe('none');
  });

  test('of a newer version say so', async () => {
    const decoded = await decodeFragment('#v2:abc');
    expect(decoded.kind === 'problem' && decoded.text).toContain('newer version');
  });

  test('with fields of wrong types keep what can be kept', async () => {
    const wire = {
      s: 'mlp',
      o: { policy: 'DRAM', bad: { x: 1 }, list: [1] },
      r: ['%1', 2, 'x'],
      v: { p: 'yes', w: 99, t: 'nowhere' },
      z: 1,
    };
    const decoded = await decodeFragment(await deflate(JSON.stringify(wire)));
    expect(decoded).toEqual({
      kind: 'state',
      state: {
        source: { kind: 'sample', id: 'mlp' },
        options: { policy: 'DRAM' },
        selected: null,
        compareRuns: null,
        plan: null,
        policyCode: null,
        view: { split: 0.9 },
      },
    });
    for (const json of ['[]', '3', 'null', '"x"', '{"s"'])
      expect((await decodeFragment(await deflate(json))).kind).toBe('problem');
  });

  test('that unpack to far too much are refused', async () => {
    const bomb = await deflate('"' + 'a'.repeat(kMaxDecodedBytes + 10) + '"');
    expect(bomb.length).toBeLessThan(120_000);
    expect((await decodeFragment(bomb)).kind).toBe('problem');
  });
});

test('base64url keeps all bytes', () => {
  for (let length = 0; length < 70; length++) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 37 + length * 11) & 255);
    expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes);
  }
  expect(toBase64Url(new Uint8Array(200_000)).length).toBe(Math.ceil((200_000 * 4) / 3));
  expect(fromBase64Url('a')).toBeNull();
});
