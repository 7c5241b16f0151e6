// Verifies a certificate of the exact solvers (the format is described in core/solve/selection/certificate.h) with
// nothing but sums and minima. Shares no code and no idea of search with what wrote it. Pure: no DOM, no engine.

// What a certificate turned out to prove. `cost` and `lowerBound` were recomputed; null stands for 'not allowed'
// (infinite).
export interface Verdict {
  valid: boolean;
  /** Why it is not valid; empty when it is. */
  reason: string;
  cost: bigint | null;
  lowerBound: bigint | null;
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
/** A cost; null is infinite. */
type Cost = bigint | null;

/** A certificate that breaks a rule; everything read from it may do so. */
class Refusal extends Error {}

function demand(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new Refusal(reason);
}

function field(json: Json, name: string): Json {
  demand(typeof json === 'object' && json !== null && !Array.isArray(json), `expected an object with \`${name}\``);
  const value = json[name];
  demand(value !== undefined, `\`${name}\` is missing`);
  return value;
}

function list(json: Json, what: string): Json[] {
  demand(Array.isArray(json), `\`${what}\` is not a list`);
  return json;
}

function big(json: Json, what: string): bigint {
  if (typeof json === 'string' && /^-?\d{1,30}$/.test(json)) return BigInt(json);
  demand(typeof json === 'number' && Number.isSafeInteger(json), `\`${what}\` is not an integer`);
  return BigInt(json);
}

function index(json: Json, what: string, end: number): number {
  demand(
    typeof json === 'number' && Number.isInteger(json) && json >= 0 && json < end,
    `\`${what}\` is not an integer from 0 to ${end - 1}`,
  );
  return json;
}

const cost = (json: Json, what: string): Cost => (json === null ? null : big(json, what));
const costs = (json: Json, what: string): Cost[] => list(json, what).map((item) => cost(item, what));
const bigs = (json: Json, what: string): bigint[] => list(json, what).map((item) => big(item, what));

const plus = (a: Cost, b: Cost): Cost => (a === null || b === null ? null : a + b);
const less = (a: Cost, b: Cost): boolean => a !== null && (b === null || a < b);
const least = (a: Cost, b: Cost): Cost => (less(b, a) ? b : a);
const atLeastZero = (a: bigint): bigint => (a > 0n ? a : 0n);
const atMostZero = (a: bigint): bigint => (a < 0n ? a : 0n);

interface Table {
  scope: number[];
  costs: Cost[];
}

interface Model {
  unary: Cost[][];
  factors: Table[];
}

const domain = (model: Model, variable: number): number => model.unary[variable]?.length ?? 0;

function readScope(model: Model, json: Json, what: string): number[] {
  const scope = list(json, what).map((item) => index(item, what, model.unary.length));
  demand(new Set(scope).size === scope.length, `\`${what}\` names a variable twice`);
  return scope;
}

function readTable(model: Model, scopeJson: Json, costsJson: Json, what: string): Table {
  const table = { scope: readScope(model, scopeJson, what), costs: costs(costsJson, what) };
  const cells = table.scope.reduce((product, v) => product * domain(model, v), 1);
  demand(table.costs.length === cells, `a table of \`${what}\` has ${table.costs.length} entries instead of ${cells}`);
  return table;
}

function readModel(json: Json): Model {
  const model: Model = { unary: list(field(json, 'unary'), 'unary').map((row) => costs(row, 'unary')), factors: [] };
  demand(
    model.unary.every((row) => row.length > 0),
    'a variable has no value',
  );
  for (const factor of list(field(json, 'factors'), 'factors')) {
    model.factors.push(readTable(model, field(factor, 'scope'), field(factor, 'table'), 'factors'));
  }
  return model;
}

/** The entry of a table for values per variable; the last variable of the scope runs fastest. */
function entry(model: Model, table: Table, values: readonly number[]): Cost {
  const cell = table.scope.reduce((at, v) => at * domain(model, v) + (values[v] ?? 0), 0);
  return table.costs[cell] ?? null;
}

/** Calls `each` for every combination of the variables' values; the other entries of `values` stay as they are. */
function forAll(model: Model, variables: readonly number[], values: number[], each: () => void): void {
  const total = variables.reduce((product, v) => product * domain(model, v), 1);
  for (let n = 0; n < total; ++n) {
    let rest = n;
    for (let i = variables.length - 1; i >= 0; --i) {
      const v = variables[i] ?? 0;
      values[v] = rest % domain(model, v);
      rest = Math.floor(rest / domain(model, v));
    }
    each();
  }
}

function checkElimination(model: Model, proof: Json): Cost {
  const order = readScope(model, field(proof, 'order'), 'order');
  demand(order.length === model.unary.length, '`order` does not list every variable');
  const messages = list(field(proof, 'messages'), 'messages');
  demand(messages.length === order.length, 'there is not one message per variable');
  const position = new Map(order.map((v, i) => [v, i]));
  const firstOf = (scope: readonly number[]): number => {
    const open = scope.filter((v) => domain(model, v) > 1);
    const among = open.length > 0 ? open : scope.slice(0, 1);
    return Math.min(...among.map((v) => position.get(v) ?? 0));
  };
  const buckets: Table[][] = order.map(() => []);
  for (const factor of model.factors) buckets[firstOf(factor.scope)]?.push(factor);
  let bound: Cost = 0n;
  order.forEach((variable, i) => {
    const message = readTable(
      model,
      field(messages[i] ?? null, 'separator'),
      field(messages[i] ?? null, 'costs'),
      'separator',
    );
    const bucket = buckets[i] ?? [];
    const known = new Set([variable, ...message.scope]);
    for (const table of bucket) {
      demand(
        table.scope.every((v) => known.has(v) || domain(model, v) === 1),
        `the separator of variable ${variable} is not complete`,
      );
    }
    const values: number[] = model.unary.map(() => 0);
    forAll(model, message.scope, values, () => {
      const claimed = entry(model, message, values);
      (model.unary[variable] ?? []).forEach((own, x) => {
        values[variable] = x;
        const sum = bucket.reduce((total: Cost, table) => plus(total, entry(model, table, values)), own);
        demand(!less(sum, claimed), `the message of variable ${variable} is higher than what it stands for`);
      });
    });
    if (message.scope.length === 0) {
      bound = plus(bound, message.costs[0] ?? null);
      return;
    }
    demand(!message.scope.includes(variable), `the separator of variable ${variable} holds the variable itself`);
    const next = firstOf(message.scope);
    demand(next > i, `the separator of variable ${variable} holds one that was eliminated before`);
    buckets[next]?.push(message);
  });
  return bound;
}

function checkReparametrisation(model: Model, proof: Json): Cost {
  const dead = model.unary.map((row) => row.map((own) => own === null));
  const living = (table: Table, values: readonly number[]): boolean =>
    table.scope.every((v) => !(dead[v]?.[values[v] ?? 0] ?? true)) && entry(model, table, values) !== null;
  const values: number[] = model.unary.map(() => 0);
  for (const pair of list(field(proof, 'dead'), 'dead')) {
    const ends = list(pair, 'dead');
    const variable = index(ends[0] ?? null, 'dead', model.unary.length);
    const value = index(ends[1] ?? null, 'dead', domain(model, variable));
    const blocks = (table: Table): boolean => {
      let supported = !table.scope.includes(variable);
      forAll(
        model,
        table.scope.filter((v) => v !== variable),
        values,
        () => {
          values[variable] = value;
          supported ||= living(table, values);
        },
      );
      return !supported;
    };
    demand(
      dead[variable]?.[value] === true || model.factors.some(blocks),
      `value ${value} of variable ${variable} is not forbidden`,
    );
    (dead[variable] ?? [])[value] = true;
  }
  const held = model.unary.map((row) => [...row]);
  const messages = list(field(proof, 'messages'), 'messages');
  demand(messages.length === model.factors.length, 'there is not one list of messages per table');
  let bound: Cost = 0n;
  model.factors.forEach((factor, f) => {
    const rows = list(messages[f] ?? null, 'messages').map((row) => bigs(row, 'messages'));
    demand(
      rows.length === factor.scope.length && factor.scope.every((v, i) => rows[i]?.length === domain(model, v)),
      'a message has the wrong size',
    );
    const taken = (at: readonly number[]): bigint =>
      factor.scope.reduce((sum, v, i) => sum + (rows[i]?.[at[v] ?? 0] ?? 0n), 0n);
    let rest: Cost = null;
    forAll(model, factor.scope, values, () => {
      if (living(factor, values)) rest = least(rest, plus(entry(model, factor, values), -taken(values)));
    });
    bound = plus(bound, rest);
    factor.scope.forEach((v, i) => {
      held[v] = (held[v] ?? []).map((own, x) => plus(own, rows[i]?.[x] ?? 0n));
    });
  });
  held.forEach((row, v) => {
    bound = plus(
      bound,
      row.reduce((best: Cost, own, x) => (dead[v]?.[x] ? best : least(best, own)), null),
    );
  });
  return bound;
}

function checkP1(json: Json): [Cost, Cost] {
  const model = readModel(json);
  const proof = field(json, 'proof');
  const kind = field(proof, 'kind');
  demand(kind === 'elimination' || kind === 'reparametrisation', 'the kind of proof is not known');
  const bound = kind === 'elimination' ? checkElimination(model, proof) : checkReparametrisation(model, proof);
  const given = field(json, 'values');
  if (given === null) return [null, bound];
  const values = list(given, 'values');
  demand(values.length === model.unary.length, '`values` does not name every variable');
  const chosen = values.map((value, v) => index(value, 'values', domain(model, v)));
  const own = chosen.reduce((sum: Cost, x, v) => plus(sum, model.unary[v]?.[x] ?? null), 0n);
  return [model.factors.reduce((sum: Cost, factor) => plus(sum, entry(model, factor, chosen)), own), bound];
}

interface Segment {
  value: number;
  size: bigint;
  reload: bigint;
  kept: boolean;
  /** The steps strictly between the two events, half-open. */
  from: number;
  to: number;
}

function readSegments(json: Json, steps: number): { segments: Segment[]; stores: bigint[] } {
  const rows = list(field(json, 'keep'), 'keep');
  const values = list(field(json, 'values'), 'values');
  demand(rows.length === values.length, '`keep` does not name every value');
  const segments: Segment[] = [];
  const stores = values.map((value, v) => {
    const size = big(field(value, 'size'), 'size');
    const reloads = bigs(field(value, 'reloadCosts'), 'reloadCosts');
    const uses = list(field(value, 'uses'), 'uses').map((use) => index(use, 'uses', steps));
    const keep = list(rows[v] ?? null, 'keep');
    demand(
      size >= 0n && reloads.length === uses.length && keep.length === uses.length,
      `value ${v} is not described in full`,
    );
    let last = index(field(value, 'def'), 'def', Number.MAX_SAFE_INTEGER);
    uses.forEach((use, i) => {
      demand(use >= last, `the uses of value ${v} are not in order`);
      const reload = reloads[i] ?? 0n;
      demand(reload >= 0n && (keep[i] === 0 || keep[i] === 1), `segment ${i} of value ${v} is not described in full`);
      segments.push({ value: v, size, reload, kept: keep[i] === 1, from: last + 1, to: use });
      last = use;
    });
    const store = big(field(value, 'storeCost'), 'storeCost');
    demand(store >= 0n, `the store of value ${v} costs less than nothing`);
    return store;
  });
  return { segments, stores };
}

function loadOf(segments: readonly Segment[], step: number): bigint {
  return segments.reduce((sum, s) => (s.from <= step && step < s.to ? sum + s.size : sum), 0n);
}

function checkP2(json: Json): [Cost, Cost] {
  const capacity = bigs(field(json, 'capacity'), 'capacity').map(atLeastZero);
  const { segments, stores } = readSegments(json, capacity.length);
  const kept = segments.filter((s) => s.kept);
  capacity.forEach((limit, step) => demand(loadOf(kept, step) <= limit, `step ${step} holds more than its capacity`));
  const spilled = new Set(segments.filter((s) => !s.kept).map((s) => s.value));
  const reloads = segments.reduce((sum, s) => (s.kept ? sum : sum + s.reload), 0n);
  const total = stores.reduce((sum, store, v) => (spilled.has(v) ? sum + store : sum), reloads);

  const fits = (s: Segment): boolean => capacity.slice(s.from, s.to).every((limit) => s.size <= limit);
  const tooLarge = segments.filter((s) => !fits(s));
  const rest = segments.filter(fits);
  const paid = new Set(tooLarge.map((s) => s.value));
  const fixed =
    tooLarge.reduce((sum, s) => sum + s.reload, 0n) +
    stores.reduce((sum, store, v) => (paid.has(v) ? sum + store : sum), 0n);

  const proof = field(json, 'proof');
  const shift = BigInt(index(field(proof, 'shift'), 'shift', 63));
  const prices = list(field(proof, 'prices'), 'prices').map((pair) => {
    const [step, price] = list(pair, 'prices');
    const at = index(step ?? null, 'prices', capacity.length);
    const each = big(price ?? null, 'prices');
    demand(each >= 0n, 'a price is negative');
    return { at, each, excess: atLeastZero(loadOf(rest, at) - (capacity[at] ?? 0n)) };
  });
  let bound = prices.reduce((sum, p) => sum + p.each * p.excess, 0n);
  const sides = stores.map(() => 0n);
  for (const s of rest) {
    const earned = prices.reduce(
      (sum, p) => (s.from <= p.at && p.at < s.to ? sum + p.each * (s.size < p.excess ? s.size : p.excess) : sum),
      0n,
    );
    sides[s.value] = (sides[s.value] ?? 0n) + atMostZero((s.reload << shift) - earned);
  }
  stores.forEach((store, v) => {
    bound += atMostZero((paid.has(v) ? 0n : store << shift) + (sides[v] ?? 0n));
  });
  const scale = 1n << shift;
  return [total, fixed + (bound > 0n ? (bound + scale - 1n) / scale : 0n)];
}

function checkP3(json: Json): [Cost, Cost] {
  const buffers = list(field(json, 'buffers'), 'buffers').map((item) => {
    const [begin, end, size] = bigs(item, 'buffers');
    demand(
      begin !== undefined && end !== undefined && size !== undefined && size >= 0n,
      'a buffer is not [begin, end, size]',
    );
    return { begin, end, size };
  });
  const offsets = bigs(field(json, 'offsets'), 'offsets');
  demand(offsets.length === buffers.length, 'there is not one offset per buffer');
  const placed = buffers
    .map((buffer, i) => ({ ...buffer, low: offsets[i] ?? 0n, high: (offsets[i] ?? 0n) + buffer.size, i }))
    .filter((buffer) => buffer.begin < buffer.end && buffer.size > 0n);
  let height = 0n;
  for (const one of placed) {
    demand(one.low >= 0n, `buffer ${one.i} lies below 0`);
    if (one.high > height) height = one.high;
    for (const two of placed) {
      if (two.i <= one.i) continue;
      const apart = one.end <= two.begin || two.end <= one.begin || one.high <= two.low || two.high <= one.low;
      demand(apart, `buffers ${one.i} and ${two.i} overlap`);
    }
  }
  const time = big(field(json, 'time'), 'time');
  return [
    height,
    placed.reduce((sum, buffer) => (buffer.begin <= time && time < buffer.end ? sum + buffer.size : sum), 0n),
  ];
}

// A plan's bound: a layout model whose costs were scaled, and to which prices for L1 were added that the whole capacity
// is worth `total` of. What the plan itself costs is the simulator's word.
function checkLayouts(json: Json): [Cost, Cost] {
  const shift = big(field(json, 'shift'), 'shift');
  const total = big(field(json, 'total'), 'total');
  demand(shift >= 0n && shift <= 40n && total >= 0n, 'the prices are not sound');
  const model = field(json, 'model');
  demand(field(model, 'certificate') === 1 && field(model, 'problem') === 'p1', 'the layout model is missing');
  const [found, bound] = checkP1(model);
  const claimed = cost(field(model, 'cost'), 'cost');
  const claimedBound = cost(field(model, 'lowerBound'), 'lowerBound');
  demand(found === claimed && !less(bound, claimedBound), 'the layout model does not prove what it claims');
  const scale = 1n << shift;
  const rest = bound === null ? null : bound - total;
  return [cost(field(json, 'cost'), 'cost'), rest === null ? null : rest > 0n ? (rest + scale - 1n) / scale : 0n];
}

// Recomputes the cost of the solution and the bound that the proof gives, and compares them with what the
// certificate claims.
export function checkCertificate(text: string): Verdict {
  try {
    const json = JSON.parse(text) as Json;
    demand(field(json, 'certificate') === 1, 'this version of certificates is not known');
    const problem = field(json, 'problem');
    const check = { p1: checkP1, p2: checkP2, p3: checkP3, layouts: checkLayouts }[problem as string];
    demand(check !== undefined, 'this kind of problem is not known');
    const [found, bound] = check(json);
    const claimed = cost(field(json, 'cost'), 'cost');
    const claimedBound = cost(field(json, 'lowerBound'), 'lowerBound');
    demand(found === claimed, `the solution costs ${found ?? 'too much'}, not ${claimed ?? 'nothing that is allowed'}`);
    demand(
      !less(bound, claimedBound),
      `the proof gives ${bound ?? 'no solution'}, less than ${claimedBound ?? 'no solution'}`,
    );
    return { valid: true, reason: '', cost: found, lowerBound: bound };
  } catch (error) {
    const reason =
      error instanceof Refusal
        ? error.message
        : error instanceof SyntaxError
          ? `not JSON: ${error.message}`
          : 'damaged beyond reading';
    return { valid: false, reason, cost: null, lowerBound: null };
  }
}
