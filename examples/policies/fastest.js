// Your policy. The problem says what there is to decide, the plan is what you decide (docs/schema).
// This one takes for every op the fastest candidate that fits; what does not fit goes to DRAM.
// The Policy lab of the page begins with it, and it runs on the command line:
//
//     tessera run graph.mlir --policy-command "node examples/policies/fastest.js"

function decide(problem) {
  const { ops, values, types, classes, layouts } = problem;
  const typeOf = (value) => types[values[value].type];
  const bytesOf = (value, layout) => typeOf(value).bytes[typeOf(value).layouts.indexOf(layout)];
  const conversion = (value, from, to) => {
    const { conversions, layouts: known } = typeOf(value);
    const time = conversions[known.indexOf(from)][known.indexOf(to)];
    return time < 0 ? Infinity : time; // negative: impossible
  };
  const budget = problem.budget * 0.5; // holes and circular buffers take what a sum of bytes does not see
  const plan = { schema: 1, policy: 'mine', graph: problem.graph, options: problem.options, layouts };
  Object.assign(plan, { values: {}, configs: [], reshards: [], spills: [] });

  const where = []; // layout by value
  const taken = new Map(); // bytes of L1 by value
  const put = (value, layout) => {
    where[value] = layout;
    taken.set(value, bytesOf(value, layout));
  };
  values.forEach((value, number) => {
    if (value.from < 0 && value.type >= 0) put(number, value.pinned);
  });

  function cost(op, candidate) {
    let time = candidate.time;
    let bytes = candidate.peak;
    for (const used of taken.values()) bytes += used;
    candidate.operands.forEach((layout, operand) => {
      const value = op.operands[operand];
      if (layout < 0 || layout === where[value]) return;
      time += conversion(value, where[value], layout);
      bytes += bytesOf(value, layout);
    });
    const dram = candidate.result < 0 || layouts[candidate.result].buffer !== 'l1';
    return bytes <= budget || (dram && bytes <= problem.budget) ? time : Infinity;
  }

  const last = ops.length - 1; // the return
  for (let step = 0; step < last; step++) {
    const op = ops[step];
    let best;
    let least = Infinity;
    for (const candidate of classes[op.class]) {
      const time = cost(op, candidate);
      if (time < least) [best, least] = [candidate, time];
    }
    best?.operands.forEach((layout, operand) => {
      if (layout >= 0 && layout !== where[op.operands[operand]]) plan.reshards.push({ op: step, operand, to: layout });
    });
    if (best && best.settings >= 0) plan.configs.push({ op: step, ...problem.settings[best.settings] });
    op.results.forEach((value, index) => {
      if (values[value].type < 0) return;
      if (values[value].pinned >= 0) return put(value, values[value].pinned);
      put(value, best && index === 0 ? best.result : typeOf(value).dram);
      plan.values[values[value].name] = where[value];
    });
    for (const value of [...op.operands, ...op.results])
      if (values[value].from >= 0 && values[value].to <= step) taken.delete(value);
  }
  for (const value of new Set(ops[last].operands))
    if (values[value].type >= 0 && taken.get(value) > 0)
      plan.spills.push({ value: values[value].name, before: last, to: typeOf(value).dram, cause: 'return' });

  console.error(`${ops.length} ops, ${plan.reshards.length} conversions`);
  return plan;
}

// On the command line the problem comes on standard input, and the plan goes to standard output.
if (typeof process !== 'undefined') {
  let text = '';
  process.stdin.on('data', (part) => (text += part));
  process.stdin.on('end', () => process.stdout.write(JSON.stringify(decide(JSON.parse(text)))));
}
