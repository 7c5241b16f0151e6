// A log of the compiler's passes, as far as it has been read.

import type { PassLogAnswer } from './generated/pass_log';

export interface FollowedStep {
  readonly pass: number; // index in answer.passes
  readonly ops: readonly string[]; // that carry the location after it
}

export interface OpenedLog {
  readonly name: string; // of the file
  readonly bytes: number;
  readonly read: number; // bytes
  readonly answer: PassLogAnswer | null; // null while it is read
  readonly chosen: number; // index in answer.passes
  readonly texts: { readonly before: string; readonly after: string } | null; // of the chosen pass, once they are there
  readonly followed: { readonly location: string; readonly steps: readonly FollowedStep[] } | null;
}
