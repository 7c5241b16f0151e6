// The charts of a study, by Observable Plot. Colours are variables of the theme, so that no chart is drawn again when
// it changes; a policy has a shape as well as a colour.

import { axisX, axisY, barX, dot, gridX, gridY, plot, ruleX, text } from '@observablehq/plot';

import { formatInteger } from '../model/format';
import { at, causesOf, costText, kCauses, percentText, ratioText, summarize, type Slice } from './study_model';

export type Drawing = (width: number) => Element;

const kSymbols = ['circle', 'square2', 'triangle2', 'diamond2', 'cross', 'star', 'wye', 'hexagon', 'times'] as const;
const kColors = 9; // --s0 to --s8
const kRow = 17; // height of a graph's line, CSS pixels
const kNarrow = 520;

export const colorOf = (index: number): string => `var(--s${index % kColors})`;
const symbolOf = (index: number): (typeof kSymbols)[number] => kSymbols[index % kSymbols.length]!;

// The page's Content-Security-Policy takes no style element: its rules are in study_styles.ts.
function finished(chart: Element): Element {
  for (const style of [...chart.querySelectorAll('style')]) style.remove();
  for (const part of [...chart.querySelectorAll('[aria-label]')]) part.removeAttribute('aria-label');
  return chart;
}

const shortName = (name: string, most: number): string =>
  name.length <= most ? name : `…${name.slice(name.length - most + 1)}`;

interface Scales {
  readonly color: { readonly domain: readonly string[]; readonly range: string[] };
  readonly symbol: { readonly domain: readonly string[]; readonly range: string[] };
}
const policyScales = (policies: readonly string[]): Scales => ({
  color: { domain: policies, range: policies.map((_, index) => colorOf(index)) },
  symbol: { domain: policies, range: policies.map((_, index) => symbolOf(index)) },
});

// What stands for a policy in a legend.
export function policyMark(policies: readonly string[], policy: string): Element {
  const mark = dot([policy], { x: 8, y: 8, fill: String, symbol: String, r: 4.5 });
  const scales = { x: { type: 'identity' }, y: { type: 'identity' } } as const;
  return finished(
    plot({ width: 16, height: 16, margin: 0, axis: null, ...scales, ...policyScales(policies), marks: [mark] }),
  );
}

interface Point {
  readonly graph: string;
  readonly policy: string;
  readonly value: number;
  readonly title: string;
}

// A line per graph, a mark per policy.
function marksByGraph(slice: Slice, points: readonly Point[], label: string, from: number | null): Drawing {
  return (width) => {
    const narrow = width < kNarrow;
    const values = points.map(({ value }) => value);
    const least = from ?? Math.min(0, ...values);
    return finished(
      plot({
        width,
        height: 46 + kRow * slice.graphs.length,
        marginLeft: narrow ? 112 : 206,
        marginRight: 18,
        marginTop: 34,
        marginBottom: 10,
        x: { domain: [least, Math.max(least + 0.1, ...values)], nice: true, label, labelAnchor: 'right' },
        y: { domain: slice.graphs, label: null, type: 'point' },
        ...policyScales(slice.policies),
        marks: [
          gridX({ stroke: 'var(--line)', strokeOpacity: 1 }),
          gridY({ stroke: 'var(--line)', strokeOpacity: 0.6 }),
          from === null ? null : ruleX([from], { stroke: 'var(--edge)' }),
          axisX({ anchor: 'top', ticks: narrow ? 4 : 7, color: 'var(--dim)', label, labelAnchor: 'right' }),
          axisY({
            tickSize: 0,
            color: 'var(--ink)',
            label: null,
            tickFormat: (name: string) => shortName(name, narrow ? 16 : 30),
          }),
          dot(points, {
            x: 'value',
            y: 'graph',
            fill: 'policy',
            symbol: 'policy',
            r: 4.2,
            fillOpacity: 0.85,
            stroke: 'var(--panel)',
            strokeWidth: 0.6,
            title: 'title',
          }),
        ],
      }),
    );
  };
}

export function ratioChart(slice: Slice): Drawing {
  const points = slice.runs.flatMap(({ run }) =>
    run.ratio === null
      ? []
      : [
          {
            graph: run.graph,
            policy: run.policy,
            value: run.ratio,
            title: `${run.graph}, ${run.policy}: ${ratioText(run.ratio)} × the bound`,
          },
        ],
  );
  return marksByGraph(slice, points, 'Time over the proven bound →', 1);
}

export function headroomChart(slice: Slice): Drawing {
  const points = slice.runs.flatMap(({ run }) =>
    run.row === null
      ? []
      : [
          {
            graph: run.graph,
            policy: run.policy,
            value: run.row.headroom * 100,
            title: `${run.graph}, ${run.policy}: ${percentText(run.row.headroom * 1000)} never taken`,
          },
        ],
  );
  return marksByGraph(slice, points, 'L1 that is never taken, % of the budget →', null);
}

function causeParts(slice: Slice, policy: string, graph: string) {
  const row = at(slice, graph, policy)?.run.row ?? null;
  const counts = row === null ? [] : causesOf(row);
  const whole = counts.reduce((sum, one) => sum + one, 0);
  return counts.map((count, index) => {
    const cause: string = kCauses[index]![1];
    const title = `${graph}: ${formatInteger(count)} of ${formatInteger(whole)} for ${cause}`;
    return { graph, cause, count, whole, share: whole === 0 ? 0 : (100 * count) / whole, title };
  });
}

// A bar per graph, in parts of its losses; the number of losses stands at its end.
export function causesChart(slice: Slice, policy: string): Drawing {
  const parts = slice.graphs.flatMap((graph) => causeParts(slice, policy, graph));
  const totals = slice.graphs.map((graph) => ({
    graph,
    whole: parts.find((part) => part.graph === graph)?.whole ?? 0,
  }));
  return (width) => {
    const narrow = width < kNarrow;
    return finished(
      plot({
        width,
        height: 46 + kRow * slice.graphs.length,
        marginLeft: narrow ? 112 : 206,
        marginRight: 36,
        marginTop: 34,
        marginBottom: 10,
        x: { domain: [0, 100], label: null },
        y: { domain: slice.graphs, label: null, padding: 0.25 },
        color: { domain: kCauses.map(([, word]) => word), range: kCauses.map((_, index) => colorOf(index)) },
        marks: [
          axisX({ anchor: 'top', ticks: 5, color: 'var(--dim)', label: '% of the values that are not in L1 →' }),
          axisY({
            tickSize: 0,
            color: 'var(--ink)',
            label: null,
            tickFormat: (name: string) => shortName(name, narrow ? 16 : 30),
          }),
          barX(
            parts.filter(({ count }) => count > 0),
            {
              x: 'share',
              y: 'graph',
              fill: 'cause',
              insetRight: 1,
              title: 'title',
              order: kCauses.map(([, word]) => word),
            },
          ),
          text(totals, {
            x: 100,
            y: 'graph',
            text: ({ whole }: { whole: number }) => String(whole),
            dx: 6,
            textAnchor: 'start',
            fill: 'var(--dim)',
          }),
        ],
      }),
    );
  };
}

// Two figures against each other.
function scatter(
  slice: Slice,
  points: readonly (Point & { readonly x: number; readonly name: string })[],
  axes: { readonly x: string; readonly y: string; readonly logX: boolean; readonly logY: boolean },
): Drawing {
  return (width) =>
    finished(
      plot({
        width,
        height: Math.min(400, Math.max(280, width * 0.62)),
        marginLeft: 54,
        marginRight: 24,
        marginTop: 30,
        marginBottom: 42,
        x: { type: axes.logX ? 'log' : 'linear', label: axes.x, nice: true, inset: 8 },
        y: { type: axes.logY ? 'log' : 'linear', label: axes.y, nice: true, inset: 8 },
        ...policyScales(slice.policies),
        marks: [
          gridX({ stroke: 'var(--line)', strokeOpacity: 1, ticks: 5 }),
          gridY({ stroke: 'var(--line)', strokeOpacity: 1, ticks: 5 }),
          axisX({ color: 'var(--dim)', label: axes.x, ticks: width < kNarrow ? 3 : 6, tickFormat: plainNumber }),
          axisY({ color: 'var(--dim)', label: axes.y, ticks: 5, tickFormat: plainNumber }),
          dot(points, {
            x: 'x',
            y: 'value',
            fill: 'policy',
            symbol: 'policy',
            r: 4.5,
            fillOpacity: 0.8,
            stroke: 'var(--panel)',
            strokeWidth: 0.6,
            title: 'title',
          }),
          ...[-11, 13].map((dy, side) =>
            text(
              points.toSorted((a, b) => a.x - b.x).filter((_, index) => index % 2 === side),
              { x: 'x', y: 'value', text: 'name', dy, fill: 'var(--ink)' },
            ),
          ),
        ],
      }),
    );
}

const plainNumber = (value: number): string =>
  value >= 1 ? formatInteger(Math.round(value * 10) / 10) : String(Number(value.toPrecision(2)));

export function qualityChart(slice: Slice): Drawing {
  const points = slice.policies.flatMap((policy) => {
    const { cost, meanRatio } = summarize(policy, slice.runs);
    if (cost === null || meanRatio === null) return [];
    const title = `${policy}: ${costText(cost)} a graph, ${ratioText(meanRatio)} × the bound`;
    return [{ graph: '', policy, value: meanRatio, x: cost / 1000, name: policy, title }];
  });
  return scatter(slice, points, {
    x: 'Time to decide, ms a graph →',
    y: '↑ Time over the bound, mean',
    logX: true,
    logY: false,
  });
}

export function growthChart(slice: Slice): Drawing {
  const points = slice.runs.flatMap(({ run, cost }) =>
    run.row === null || cost <= 0 || run.row.ops <= 0
      ? []
      : [
          {
            graph: run.graph,
            policy: run.policy,
            value: cost / 1000,
            x: run.row.ops,
            name: '',
            title: `${run.graph}, ${run.policy}: ${formatInteger(run.row.ops)} ops, ${costText(cost)}`,
          },
        ],
  );
  return scatter(slice, points, { x: 'Ops of the graph →', y: '↑ Time to decide, ms', logX: true, logY: true });
}
