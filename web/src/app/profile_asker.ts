// Asks about profiles of the device, of a module and a worker of their own, which are loaded with the first profile.

import { EngineClient, type Outcome } from '../engine/client';
import { kCalibration, profileRequest, type ProfileAnswer } from '../model/profile';
import type { AppState } from '../model/state';
import type { WorkerLike } from '../engine/worker_pair';

let client: EngineClient | null = null;

export async function askProfile(state: AppState): Promise<Outcome<ProfileAnswer | null>> {
  const { openedProfile, report, options } = state;
  if (openedProfile === null) return { kind: 'done', value: null, ms: 0 };
  client ??= new EngineClient({
    engineUrl: new URL('engine/tessera_profile.js', document.baseURI).href,
    test: false,
    makeWorker: () =>
      new Worker(new URL('../engine/worker.ts', import.meta.url), {
        type: 'module',
        name: 'profile',
      }) as unknown as WorkerLike,
  });
  const run = state.source.text.trim() === '' ? null : (report?.run ?? null);
  return client.profile(openedProfile.text, profileRequest(run, options[kCalibration]));
}
