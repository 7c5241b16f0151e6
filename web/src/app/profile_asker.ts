// Asks about profiles of the device, of a module and a worker of their own, which are loaded with the first profile.

import type { Outcome } from '../engine/client';
import { moduleClient } from '../engine/module_client';
import { kCalibration, profileRequest, type ProfileAnswer } from '../model/profile';
import type { AppState } from '../model/state';

export async function askProfile(state: AppState): Promise<Outcome<ProfileAnswer | null>> {
  const { openedProfile, report, options } = state;
  if (openedProfile === null) return { kind: 'done', value: null, ms: 0 };
  const run = state.source.text.trim() === '' ? null : (report?.run ?? null);
  return moduleClient('tessera_profile').profile(openedProfile.text, profileRequest(run, options[kCalibration]));
}
