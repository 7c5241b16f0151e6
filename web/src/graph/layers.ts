// A layered layout in time linear in nodes and edges per sweep: layers by the longest path, places that long edges pass
// through, order by the mean of neighbours, coordinates by least squares with room between neighbours. Pure; it runs in
// a worker. General layout libraries take seconds for a thousand nodes; a schedule already has an order to start from.

export interface LayoutInput {
  readonly nodes: number; // in the order of the schedule
  readonly edges: Int32Array; // pairs of nodes
}

export interface LayoutOutput {
  readonly x: Float32Array; // of each node's middle, in columns
  readonly layer: Int32Array;
  readonly layers: number;
  readonly width: number; // columns
  // What each edge passes: its points from `starts[edge]` on, x alone, one per layer from the upper end to the lower.
  readonly points: Float32Array;
  readonly starts: Int32Array; // one more than edges
}

const kOrderSweeps = 8;
const kPlaceSweeps = 12;
const kLongest = 60; // layers; longer edges go straight, and get no places of their own
const kThin = 0.25; // columns that such a place takes; a node takes one

// Nodes, then the places that edges pass through.
interface Level {
  readonly layerOf: number[];
  readonly above: number[][]; // neighbours one layer up
  readonly below: number[][];
  readonly layers: number[][]; // in order
  readonly passing: Map<number, number[]>; // source -> its places, from the layer below it on
}

export function layOut({ nodes, edges }: LayoutInput): LayoutOutput {
  const { from, to } = downwards(edges);
  const layer = layersOf(nodes, from, to);
  const level = makeLevel(layer, from, to);
  orderLayers(level);
  const x = placeNodes(level, nodes);
  return { ...drawn(level, from, to, x), layer: Int32Array.from(layer), layers: level.layers.length };
}

// An edge against the order of the schedule (two chains may feed each other) is laid out as if it went down.
function downwards(edges: Int32Array): { from: Int32Array; to: Int32Array } {
  const count = edges.length / 2;
  const [from, to] = [new Int32Array(count), new Int32Array(count)];
  for (let edge = 0; edge < count; edge++) {
    const [a, b] = [edges[2 * edge]!, edges[2 * edge + 1]!];
    [from[edge], to[edge]] = a < b ? [a, b] : [b, a];
  }
  return { from, to };
}

function layersOf(nodes: number, from: Int32Array, to: Int32Array): number[] {
  const layer = new Array<number>(nodes).fill(0);
  const byTarget = [...from.keys()].sort((a, b) => to[a]! - to[b]!);
  for (const edge of byTarget) layer[to[edge]!] = Math.max(layer[to[edge]!]!, layer[from[edge]!]! + 1);
  // What nothing leads to stands right above its first reader.
  const fed = new Uint8Array(nodes);
  for (const node of to) fed[node] = 1;
  const first = new Array<number>(nodes).fill(Infinity);
  for (let edge = 0; edge < from.length; edge++) first[from[edge]!] = Math.min(first[from[edge]!]!, layer[to[edge]!]!);
  return layer.map((own, node) =>
    fed[node] === 0 && Number.isFinite(first[node]) ? Math.max(own, first[node]! - 1) : own,
  );
}

function makeLevel(layer: readonly number[], from: Int32Array, to: Int32Array): Level {
  const layerOf = [...layer];
  const above: number[][] = layer.map(() => []);
  const below: number[][] = layer.map(() => []);
  const link = (upper: number, lower: number): void => {
    below[upper]!.push(lower);
    above[lower]!.push(upper);
  };
  const passing = new Map<number, number[]>();
  for (let edge = 0; edge < from.length; edge++) {
    const [source, target] = [from[edge]!, to[edge]!];
    const span = layer[target]! - layer[source]!;
    if (span < 1 || span > kLongest) continue;
    if (span === 1) {
      link(source, target);
      continue;
    }
    // Edges of one source share their places.
    const places = passing.get(source) ?? [];
    passing.set(source, places);
    while (places.length < span - 1) {
      const place = layerOf.push(layer[source]! + places.length + 1) - 1;
      above.push([]);
      below.push([]);
      link(places.at(-1) ?? source, place);
      places.push(place);
    }
    link(places[span - 2]!, target);
  }
  const layers: number[][] = Array.from({ length: Math.max(0, ...distinct(layerOf)) + 1 }, () => []);
  layerOf.forEach((at, node) => layers[at]!.push(node));
  return { layerOf, above, below, layers: layerOf.length === 0 ? [] : layers, passing };
}

// Arguments of Math.max are limited.
const distinct = (values: readonly number[]): number[] => [values.reduce((most, value) => Math.max(most, value), -1)];

function orderLayers({ layers, above, below }: Level): void {
  const at: number[] = [];
  const number = (layer: readonly number[]): void => layer.forEach((node, place) => (at[node] = place));
  layers.forEach(number);
  const sweep = (layer: number[], near: readonly number[][]): void => {
    const wish = new Map(layer.map((node) => [node, meanOf(near[node]!, at, at[node]!)]));
    layer.sort((a, b) => wish.get(a)! - wish.get(b)! || at[a]! - at[b]!);
    number(layer);
  };
  for (let turn = 0; turn < kOrderSweeps; turn++) {
    if (turn % 2 === 0) for (const layer of layers) sweep(layer, above);
    else for (let index = layers.length - 1; index >= 0; index--) sweep(layers[index]!, below);
  }
}

function meanOf(near: readonly number[], at: readonly number[], otherwise: number): number {
  if (near.length === 0) return otherwise;
  return near.reduce((sum, node) => sum + at[node]!, 0) / near.length;
}

function placeNodes({ layers, above, below }: Level, nodes: number): number[] {
  const x: number[] = [];
  const wide = (node: number): number => (node < nodes ? 1 : kThin);
  for (const layer of layers) {
    const all = layer.reduce((sum, node) => sum + wide(node), 0);
    let left = -all / 2;
    for (const node of layer) {
      x[node] = left + wide(node) / 2;
      left += wide(node);
    }
  }
  const settle = (layer: readonly number[], near: readonly number[][]): void => {
    if (layer.length === 1) {
      x[layer[0]!] = meanOf(near[layer[0]!]!, x, x[layer[0]!]!);
      return;
    }
    // Places of long edges hold on to their neighbours more than nodes do: edges become straight.
    const wishes = layer.map((node) => meanOf(near[node]!, x, x[node]!));
    const weights = layer.map((node) => (near[node]!.length === 0 ? 0.1 : node < nodes ? 1 : 3));
    const fitted = spread(wishes, weights, layer.map(wide));
    layer.forEach((node, place) => (x[node] = fitted[place]!));
  };
  for (let turn = 0; turn < kPlaceSweeps; turn++) {
    if (turn % 2 === 0) for (const layer of layers) settle(layer, above);
    else for (let index = layers.length - 1; index >= 0; index--) settle(layers[index]!, below);
  }
  return x;
}

// The places nearest to the wishes (least squares) that keep the order and overlap nowhere: neighbours that would are
// pooled.
export function spread(wishes: readonly number[], weights: readonly number[], widths: readonly number[]): number[] {
  const shifts: number[] = []; // of each item against the first, when all touch
  widths.forEach((width, at) => shifts.push(at === 0 ? 0 : shifts[at - 1]! + (widths[at - 1]! + width) / 2));
  const pools: { sum: number; weight: number; count: number }[] = [];
  wishes.forEach((wish, at) => {
    let pool = { sum: (wish - shifts[at]!) * weights[at]!, weight: weights[at]!, count: 1 };
    for (let last = pools.at(-1); last !== undefined && last.sum / last.weight >= pool.sum / pool.weight;) {
      pool = { sum: last.sum + pool.sum, weight: last.weight + pool.weight, count: last.count + pool.count };
      pools.pop();
      last = pools.at(-1);
    }
    pools.push(pool);
  });
  const places: number[] = [];
  for (const { sum, weight, count } of pools)
    for (let item = 0; item < count; item++) places.push(sum / weight + shifts[places.length]!);
  return places;
}

function drawn(
  level: Level,
  from: Int32Array,
  to: Int32Array,
  x: readonly number[],
): Pick<LayoutOutput, 'x' | 'width' | 'points' | 'starts'> {
  const nodes = level.layerOf.length - [...level.passing.values()].reduce((sum, places) => sum + places.length, 0);
  const least = x.reduce((a, b) => Math.min(a, b), 0) - 0.5;
  const most = x.reduce((a, b) => Math.max(a, b), 0) + 0.5;
  const points: number[] = [];
  const starts = new Int32Array(from.length + 1);
  for (let edge = 0; edge < from.length; edge++) {
    const [source, target] = [from[edge]!, to[edge]!];
    const span = level.layerOf[target]! - level.layerOf[source]!;
    points.push(x[source]! - least);
    if (span > 1 && span <= kLongest)
      for (const place of level.passing.get(source)!.slice(0, span - 1)) points.push(x[place]! - least);
    points.push(x[target]! - least);
    starts[edge + 1] = points.length;
  }
  return {
    x: Float32Array.from(x.slice(0, nodes), (at) => at - least),
    width: most - least,
    points: Float32Array.from(points),
    starts,
  };
}
