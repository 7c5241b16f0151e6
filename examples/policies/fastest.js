// The fastest candidate of every op, one op after the other: its time, the conversions of what it reads, and for a
// result that stays in L1 nothing in advance. What does not fit goes to DRAM.
//
//     tessera run graph.mlir --policy-command "node examples/policies/fastest.js"
//
// Problem on standard input, plan on standard output: docs/schema/problem.schema.json, docs/schema/plan.schema.json.
'use strict';

function decide(problem) {
  const { ops, values, types, classes } = problem;
  const budget = problem.budget * 0.5; // holes and circular buffers take what a sum of bytes does not see
  const plan = {
    schema: 1,
    policy: 'fastest (JavaScript)',
    graph: problem.graph,
    options: problem.options,
    layouts: problem.layouts,
    values: {},
    configs: [],
    reshards: [],
    spills: [],
  };
  const typeOf = (value) => types[values[value].type];
  const bytesOf = (value, layout) => typeOf(value).bytes[typeOf(value).layouts.indexOf(layout)];
  const conversion = (value, from, to) => {
    const type = typeOf(value);
    const time = type.conversions[type.layouts.indexOf(from)][type.layouts.indexOf(to)];
    return time < 0 ? Infinity : time;
  };

  const where = new Map(); // layout by value
  const taken = new Map(); // bytes of L1 by value
  const put = (value, layout) => {
    where.set(value, layout);
    taken.set(value, bytesOf(value, layout));
  };
  values.forEach((value, number) => {
    if (value.from < 0 && value.type >= 0) put(number, value.pinned);
  });

  // What a candidate costs now; Infinity when it cannot run.
  function cost(op, candidate) {
    let time = candidate.time;
    let bytes = candidate.peak;
    for (const used of taken.values()) bytes += used;
    candidate.operands.forEach((layout, operand) => {
      const value = op.operands[operand];
      if (layout < 0 || layout === where.get(value)) return;
      time += conversion(value, where.get(value), layout);
      bytes += bytesOf(value, layout);
    });
    const dram = candidate.result < 0 || problem.layouts[candidate.result].buffer !== 'l1';
    return bytes <= budget || (dram && bytes <= problem.budget) ? time : Infinity;
  }

  ops.slice(0, -1).forEach((op, step) => {
    let best;
    let least = Infinity;
    for (const candidate of classes[op.class]) {
      const time = cost(op, candidate);
      if (time < least) [best, least] = [candidate, time];
    }
    best?.operands.forEach((layout, operand) => {
      const from = where.get(op.operands[operand]);
      if (layout >= 0 && layout !== from) plan.reshards.push({ op: step, operand, to: layout });
    });
    if (best && best.settings >= 0) plan.configs.push({ op: step, ...problem.settings[best.settings] });
    op.results.forEach((value, index) => {
      if (values[value].type < 0) return;
      if (values[value].pinned >= 0) return put(value, values[value].pinned);
      put(value, best && index === 0 ? best.result : typeOf(value).dram);
      plan.values[values[value].name] = where.get(value);
    });
    for (const value of [...op.operands, ...op.results]) {
      if (values[value].from >= 0 && values[value].to <= step) taken.delete(value);
    }
  });

  const last = ops.length - 1;
  for (const value of new Set(ops[last].operands)) {
    if (values[value].type < 0 || !(taken.get(value) > 0)) continue;
    plan.spills.push({ value: values[value].name, before: last, to: typeOf(value).dram, cause: 'return' });
  }
  return plan;
}

let text = '';
process.stdin.on('data', (part) => (text += part));
process.stdin.on('end', () => process.stdout.write(JSON.stringify(decide(JSON.parse(text)))));
