// What a view asks the engine for while it is shown.

import type { EngineClient, Outcome } from '../engine/client';
import type { AnswerName, Answers, AppState } from '../model/state';

export interface QuestionOf<K extends AnswerName> {
  readonly what: K; // where the answer goes: state.answers
  readonly failure: string; // said when there is none
  readonly forget?: boolean; // an outdated answer is not shown while the next is on its way
  readonly applies?: (state: AppState) => boolean; // else there is no answer
  readonly dependsOn?: (state: AppState) => unknown; // beside text and options; of a list, its elements
  readonly alone?: boolean; // also without a text
  readonly ask: (state: AppState, client: EngineClient) => Promise<Outcome<Answers[K] | null>>;
}

export type Question = { readonly [K in AnswerName]: QuestionOf<K> }[AnswerName];

export function question<K extends AnswerName>(asked: QuestionOf<K>): QuestionOf<K> {
  return asked;
}
