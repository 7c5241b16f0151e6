// What a run says about how it came about, as steps: its policy's trace, and where that ends, the plan.

import type { Catalog, Report } from '../model/report';
import { hasTrait } from '../model/traits';
import { BeamSteps } from './beam_steps';
import { ChainSteps } from './chain_steps';
import { DecisionSteps, forcedMoves } from './decision_steps';
import { ExactSteps } from './exact_steps';
import { oneAfterAnother, type StepSource } from './walk';

// Null when there is no run.
export function stepsOf(report: Report | null, catalog: Catalog | null): StepSource | null {
  const run = report?.run ?? null;
  if (report === null || run === null) return null;
  const { chainTrace, propagationTrace, exact } = run;
  if (chainTrace !== undefined && chainTrace.events.length > 0)
    return oneAfterAnother([new ChainSteps(run, chainTrace), forcedMoves(run)]);
  if (propagationTrace !== undefined && propagationTrace.ops.length > 0) {
    const steps = new BeamSteps(run, propagationTrace, scoreOf(report, catalog));
    return propagationTrace.spills === null ? oneAfterAnother([steps, forcedMoves(run)]) : steps;
  }
  if (exact !== undefined) return oneAfterAnother([new ExactSteps(exact, catalog), new DecisionSteps(run)]);
  return new DecisionSteps(run);
}

function scoreOf({ policy, options }: Report, catalog: Catalog | null): string {
  return hasTrait(catalog, policy?.id ?? null, 'beam-search') ? String(options['layout-score'] ?? '') : 'first';
}
