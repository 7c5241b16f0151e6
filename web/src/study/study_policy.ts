// The policy that a person wrote in the policy lab, as one of a study: it decides in its sandbox.

import { Sandbox, type SandboxWorker } from '../policylab/sandbox';

export interface LabPolicy {
  readonly name: string;
  readonly code: string;
}

export const makeSandbox = (): Sandbox =>
  new Sandbox(
    () =>
      new Worker(new URL('../policylab/sandbox_worker.ts', import.meta.url), {
        type: 'module',
        name: 'policy',
      }) as unknown as SandboxWorker,
  );

// The plan, with what the problem says about itself; throws with the reason when there is none.
export async function planOf(sandbox: Sandbox, code: string, problem: { readonly options: unknown }): Promise<unknown> {
  const { plan, error } = await sandbox.run(code, JSON.stringify(problem));
  if (plan === null) throw new Error(error?.message ?? 'no plan');
  return { options: problem.options, ...(JSON.parse(plan) as object) };
}
