// Every answer of the native program over the golden cases, the samples and (where they are) the graphs of real models
// is as docs/schema says, under every policy; and together they show every field and word of the schemas. Skipped where
// the program is not built.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

import { Coverage, explorerProblem, problemOf } from '../fixtures/schemas.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const program = join(root, 'build/dev/bin/tessera');
const shared = process.env.TESSERA_SHARED ?? join(root, '../shared');
const kMinutes = 60_000;

// Only a defect of ours, a chain that is not finished or a rare bound shows these.
const kRare = [
  'beam_trace.BeamEntry.pathTime',
  'chain_trace.ChainState=InBuild',
  'chain_trace.ChainState=Built',
  'chain_trace.ChainState=Resolved',
  'chain_trace.ChainEventKind=TakenBack',
  'common.BufferKind=l1_small',
  'common.BufferKind=trace',
  'common.MemoryKind=single_bank',
  'passes.PassCheck.verdict=different',
  'passes.PassCheck.verdict=not_compared',
  'passes.PlanExecution.verdict=different',
  'passes.PlanExecution.verdict=failed',
  'passes.PlanExecution.verdict=too_large',
  'plan.MatmulSettings.program=multi_cast_2d',
  'plan.MatmulSettings.program=multi_cast_1d_in0',
  'plan.MatmulSettings.program=multi_cast_1d_in1',
  'plan.MatmulSettings.program=dram_sharded',
  'plan.PlanSpill.cause=constraint',
  'plan.PlanSpill.cause=chain end',
  'problem.Settings.matmul',
  'report.Defect.checker=graph',
  'report.Defect.checker=run',
  'report.Defect.checker=placement',
  'report.Placement.method=search',
  'report.SimEvent.kind=clash',
  'row.MoveCause=constraint',
  'row.Row.verdict.kind=clash',
  'study.StudyStatus=time limit',
  'study.StudyStatus=memory limit',
  'study.StudyStatus=crashed',
  'study.StudyOutside.name', // the page's studies have them
  'study.StudyOutside.hash',
];

// A plan by hand that says everything a plan can say, and its graph.
const kSquare = 'tensor<256x256xbf16>';
const kGraph = `func.func @main(%a: ${kSquare}, %b: ${kSquare}) -> ${kSquare} {
  %0 = "ttir.matmul"(%a, %b) <{transpose_a = false, transpose_b = false}> : (${kSquare}, ${kSquare}) -> ${kSquare}
  %1 = "ttir.relu"(%a) : (${kSquare}) -> ${kSquare}
  %2 = "ttir.add"(%0, %1) : (${kSquare}, ${kSquare}) -> ${kSquare}
  return %2 : ${kSquare}
}
`;
const kPlan = {
  schema: 1,
  policy: 'by hand',
  options: { device: 'n150' },
  order: [1, 0, 2, 3],
  values: { '%0': 0, '%1': 1 },
  configs: [
    {
      op: '%0',
      output: 0,
      matmul: {
        program: 'reuse',
        ...{ per_core_m: 1, per_core_n: 1, in0_block_w: 1, out_subblock_h: 1, out_subblock_w: 1 },
        ...{ out_block_h: 1, out_block_w: 1 },
      },
    },
    { op: 1, conv2d: { act_block_h_override: 32, deallocate_activation: true, reshard_if_not_optimal: false } },
  ],
  reshards: [{ op: '%2', operand: 1, to: 3 }],
  spills: [
    { value: '%1', before: '%0', to: 0, cause: 'memory' },
    { value: '%1', before: 2, to: 1, cause: 'shared' },
  ],
  layouts: [
    { buffer: 'dram', memory: 'interleaved', page: 'tile', dtype: 'bf16', grid: [1, 1] },
    { buffer: 'l1' },
    { buffer: 'system_memory', memory: 'none', page: 'row_major' },
    { buffer: 'l1', memory: 'block_sharded', grid: [8, 8], shard: [1, 1] },
  ],
};
// Of the same ops, larger, a profile: one bound by data instead of compute, one the other way round, one far too short.
const kLarge = kGraph.replaceAll('256x256', '2048x2048');
const kColumns =
  'OP CODE,DEVICE ID,ATTRIBUTES,CORE COUNT,DEVICE KERNEL DURATION [ns],OUTPUT_0_Y,' +
  'OUTPUT_0_X,OUTPUT_0_MEMORY,DEVICE BRISC KERNEL DURATION [ns],DEVICE TRISC1 KERNEL DURATION [ns],' +
  'DEVICE COMPUTE CB WAIT FRONT [ns]';
const kProfile = `${kColumns}
MoveDeviceOperation,0,,64,50,2048,2048,DEV_0_DRAM_INTERLEAVED,50,,
Matmul,0,,64,900000,2048,2048,DEV_0_DRAM_INTERLEAVED,900000,900000,800000
UnaryDeviceOperation,0,UnaryOpType::RELU,64,900000,2048,2048,DEV_0_DRAM_INTERLEAVED,900000,900000,10
BinaryNgDeviceOperation,0,BinaryOpType::ADD,64,10,2048,2048,DEV_0_DRAM_INTERLEAVED,,,
TopKDeviceOperation,0,,64,10,2048,2048,DEV_0_DRAM_INTERLEAVED,,,
signpost,,,,,,,,,,
`;
const kModule = 'module {\n  func.func @main() {\n    return\n  }\n}\n';
const kLog = `2026-02-21 22:37:07.913 (2.0s) [1] module_builder.cc:1118 1| MLIR Module ttir:
${kModule}// -----// IR Dump Before CSE (cse) //----- //
${kModule}// -----// IR Dump After CSE Failed (cse) //----- //
${kModule}// -----// IR Dump After Inliner (inline) //----- //
${kModule}`;

// Of the layout lab: both kinds of layout, an element, padding and nothing at a byte, and what it refuses.
const kMetal = { shape: [53, 63], dtype: 'bf16', tiled: true, grid: [3, 2], detail: true };
const kRequests = [
  { ...kMetal, find: { position: 0, offset: 0 } },
  { ...kMetal, find: { position: 5, offset: 2040 } },
  { ...kMetal, find: { position: 99, offset: 0 } },
  { view: 'ttnn', shape: [64, 64], grid: [2, 1], memory: 'height_sharded', tiled: true, detail: true },
  { view: 'ttnn', shape: [64, 64], grid: [99, 1], memory: 'height_sharded', tiled: true },
  { shape: [2, 8, 32], dtype: 'f32', tiled: true, grid: [1, 2], strides: [32, 1, 1] },
  { shape: 'none' },
];

function run(...args) {
  return new Promise((resolve, reject) => {
    execFile(program, args, { maxBuffer: 1 << 30 }, (error, stdout, stderr) => {
      if (stdout === '') reject(new Error(`${args.join(' ')}: ${error?.message ?? stderr}`));
      else resolve(stdout);
    });
  });
}

function graphs(folder) {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true });
  return files
    .filter((file) => file.endsWith('.mlir'))
    .sort()
    .map((file) => join(folder, file));
}

const kStablehlo = `func.func @main(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = stablehlo.add %a, %a : tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
`;

describe.skipIf(!existsSync(program))('answers of the native program', () => {
  const coverage = new Coverage();
  const scratch = mkdtempSync(join(tmpdir(), 'tessera-'));
  let catalog;
  let count = 0;

  async function check(schema, ...args) {
    const answer = JSON.parse(await run(...args));
    const problem = problemOf(schema, answer);
    if (problem !== '') throw new Error(`${args.slice(0, 3).join(' ')}: ${problem}`);
    coverage.see(schema, answer);
    count++;
  }
  // Two at a time.
  async function each(items, work) {
    const rest = [...items];
    const worker = async () => {
      for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
    };
    await Promise.all([worker(), worker()]);
  }
  const allRuns = (options, more = []) =>
    JSON.stringify({ runs: [...catalog.policies.map(({ id }) => ({ policy: id, ...options })), ...more] });

  beforeAll(async () => {
    catalog = JSON.parse(await run('catalog'));
  });

  it('about golden cases and samples', { timeout: 10 * kMinutes }, async () => {
    const strategies = catalog.options.find(({ id }) => id === 'spill-strategy').choices;
    const runs = allRuns({ trace: true }, [
      ...strategies.map(({ id }) => ({ policy: 'Greedy', 'spill-strategy': id })),
      { policy: 'DFSharding2', 'tensor-l1-usage-cap': 0.2, trace: true },
      { policy: 'Beam', preset: 'upstream', 'l1-small-size': 32768, trace: true },
    ]);
    const files = [...graphs(join(root, 'tests/golden')), ...graphs(join(root, 'web/public/samples'))];
    await each(files, async (file) => {
      await check('compare', 'call', 'compare', file, runs);
      await check('passes', 'call', 'passes', file, '{"ir":true}');
      await check('regret', 'call', 'regret', file);
      await check('common#Lint', 'call', 'lint', file);
    });
    expect(count).toBe(4 * files.length);
  });

  it('about graphs of real models', { timeout: 10 * kMinutes }, async () => {
    await each(graphs(join(shared, 'corpus')), (file) => check('compare', 'call', 'compare', file, allRuns({})));
  });

  it('of the other calls', { timeout: kMinutes }, async () => {
    const sample = join(root, 'web/public/samples/residual-block.mlir');
    const file = (name, text) => {
      writeFileSync(join(scratch, name), text);
      return join(scratch, name);
    };
    await check('catalog', 'catalog');
    await check('report', 'call', 'run', file('graph.json', await run('run', sample, '--graph-json')));
    await check('report', 'call', 'run', sample, '{"policy":"nobody"}');
    await check('passes', 'call', 'passes', file('stablehlo.mlir', kStablehlo));
    await check('passes#PassChecks', 'call', 'check-passes', sample);
    await check('passes#PlanExecution', 'call', 'execute-plan', sample);
    await check('passes#PlanExecution', 'call', 'execute-plan', sample, '{"policy":"nobody"}');
    for (const what of ['trace-events', 'nothing']) await check('export', 'call', 'export', sample, what);
    await check('problem_answer', 'call', 'problem', sample);
    await check('problem_answer', 'call', 'problem', sample, '{"device":"none"}');
    for (const name of ['residual-block', 'conv-relu'])
      await check('problem', 'problem', join(root, `web/public/samples/${name}.mlir`));
    await check('plan', 'run', sample, '--policy', 'DFSharding', '--plan-out');
    expect(problemOf('plan', kPlan)).toBe('');
    coverage.see('plan', kPlan);
    const plan = file('plan.json', JSON.stringify(kPlan));
    await check('report', 'run', file('graph.mlir', kGraph), '--plan', plan, '--json');
    await check('plan', 'run', file('graph.mlir', kGraph), '--plan', plan, '--plan-out');
    const explorer = await run('run', sample, '--model-explorer');
    expect(explorerProblem(JSON.parse(explorer))).toBe('');
    const profile = file('profile.csv', kProfile);
    await check('profile', 'profile', profile, '--json');
    for (const text of [kLarge, kGraph])
      await check('profile', 'run', file('beside.mlir', text), '--policy', 'DRAM', '--profile', profile, '--json');
    await check('pass_log', 'log', file('passes.log', kLog), '--json');
    await check('pass_log#DumpText', 'call', 'log-dump', file('dump', kModule));
    const trace = file('trace.json', await run('run', sample, '--policy', 'Beam', '--decision-trace'));
    await check('decision_trace', 'call', 'decision-trace', trace);
    await check('decision_trace', 'call', 'decision-trace', sample);
    for (const request of kRequests) await check('layout', 'call', 'layout', file('request', JSON.stringify(request)));
  });

  it('of studies', { timeout: kMinutes }, async () => {
    const folder = join(scratch, 'graphs');
    mkdirSync(folder);
    writeFileSync(join(folder, 'good.mlir'), kGraph);
    writeFileSync(join(folder, 'broken.mlir'), 'func.func');
    const sample = join(root, 'web/public/samples/residual-block.mlir');
    for (const more of [[], ['--preset', 'upstream', '--shard', '1/2'], ['--no-optimum', '--policies', 'DRAM']]) {
      const out = join(scratch, `study${more.length}`);
      await run('study', folder, sample, '--set', 'tensor-l1-usage-cap=0.5,1', '-o', out, ...more);
      const study = JSON.parse(readFileSync(join(out, 'study.json'), 'utf8'));
      expect(problemOf('study', study)).toBe('');
      coverage.see('study', study);
    }
  });

  it('show every field and word of the schemas', () => {
    const byTheEngineAlone = /^catalog\.(LabCatalog|Version)\./;
    const unseen = [...coverage.unseen].filter((at) => !byTheEngineAlone.test(at) && !kRare.includes(at));
    expect(unseen).toEqual([]);
  });
});
