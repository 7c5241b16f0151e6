// Keeps the fields, the cursor and the engine's last answers together: asks when something changes, takes answers in
// order.

import type { Outcome } from '../engine/client';
import { encodeLab, type LabLink } from './link';
import type { LabDrawn, LabAnswer, LabFields, LabProblem } from '../model/generated/layout';

export type TextKind = keyof NonNullable<LabAnswer['texts']>;

export interface LabState extends LabLink {
  readonly look: number; // position whose storage is shown; -1: the cursor's
  readonly answer: LabAnswer | null; // of the last fields that were fine: texts, legal layouts
  readonly drawn: LabDrawn | null;
  readonly drawnFields: LabFields; // what `drawn` was made of, also while newer fields are refused
  readonly problems: readonly LabProblem[]; // of the present fields; the picture is then an older one
  readonly textProblem: { readonly kind: TextKind; readonly rule: string; readonly text: string } | null;
  readonly failure: string | null; // the engine itself
  readonly busy: boolean;
}

export interface LabRequestExtras {
  readonly text?: string;
  readonly find?: { readonly position: number; readonly offset: number; readonly bit: number };
  readonly look?: number;
}

export type AskEngine = (request: string) => Promise<Outcome<LabAnswer>>;

export class LabStore {
  state: LabState;
  private asked_ = 0;

  constructor(
    link: LabLink,
    private readonly ask: AskEngine,
    private readonly changed: (state: LabState) => void,
    private readonly window: () => number,
  ) {
    this.state = {
      ...link,
      look: -1,
      answer: null,
      drawn: null,
      drawnFields: link.fields,
      problems: [],
      textProblem: null,
      failure: null,
      busy: false,
    };
  }

  private set(part: Partial<LabState>): void {
    this.state = { ...this.state, ...part };
    this.changed(this.state);
  }

  fragment(): string {
    return encodeLab(this.state);
  }

  // New fields; the cursor stays as near as the tensor allows.
  async setFields(fields: LabFields, cursor: readonly number[] = this.state.cursor): Promise<void> {
    this.set({ fields, cursor, look: -1, textProblem: null });
    await this.request({ detail: true });
  }

  async setCursor(cursor: readonly number[]): Promise<void> {
    this.set({ cursor, look: -1 });
    await this.request({ detail: false });
  }

  async look(position: number): Promise<void> {
    this.set({ look: position });
    await this.request({ detail: false });
  }

  async find(find: NonNullable<LabRequestExtras['find']>): Promise<void> {
    const answer = await this.request({ detail: false, extras: { find } });
    const index = answer?.drawn?.found?.index;
    if (index === undefined) return;
    const { found } = answer!.drawn!;
    await this.setCursor(index);
    if (this.state.drawn !== null && found !== undefined) this.set({ drawn: { ...this.state.drawn, found } });
  }

  // Reads an edited attribute. What cannot be read changes nothing but the message.
  async setText(kind: TextKind, text: string): Promise<void> {
    if (text.trim() === '') {
      this.set({ textProblem: null });
      return;
    }
    await this.request({ detail: true, extras: { text }, kind });
  }

  private async request({
    detail,
    extras = {},
    kind,
  }: {
    detail: boolean;
    extras?: LabRequestExtras;
    kind?: TextKind;
  }): Promise<LabAnswer | null> {
    const mine = ++this.asked_;
    const { fields, cursor, look } = this.state;
    this.set({ busy: true });
    // Cores and legal layouts are kept while only the cursor moves; after a failed or outdated answer they are asked
    // for again.
    const whole =
      detail || this.state.drawn?.cores === undefined || this.state.problems.length > 0 || this.staleDetail_;
    if (detail) this.staleDetail_ = true;
    const outcome = await this.ask(
      JSON.stringify({ ...fields, cursor, look, detail: whole, window: this.window(), ...extras }),
    );
    if (mine !== this.asked_ || outcome.kind === 'superseded' || outcome.kind === 'stopped') return null;
    if (outcome.kind === 'failed') {
      this.set({ busy: false, failure: outcome.reason });
      return null;
    }
    this.take(outcome.value, whole, kind);
    return outcome.value;
  }
  private staleDetail_ = true; // the cores and legal layouts at hand belong to other fields

  private take(answer: LabAnswer, whole: boolean, kind: TextKind | undefined): void {
    if (answer.request === undefined) {
      // The request was refused before anything was made of it.
      const first = answer.problems[0];
      if (kind !== undefined && first !== undefined)
        this.set({ busy: false, failure: null, textProblem: { kind, rule: first.rule, text: first.text } });
      else this.set({ busy: false, failure: null, problems: answer.problems });
      return;
    }
    const { state } = this;
    const old = state.drawn;
    let { drawn } = answer;
    if (drawn !== undefined && !whole && old?.cores !== undefined) drawn = { ...drawn, cores: old.cores };
    if (drawn !== undefined && whole) this.staleDetail_ = false;
    const kept = { ...answer, legal: answer.legal ?? state.answer?.legal ?? [] };
    this.set({
      busy: false,
      failure: null,
      answer: kept,
      problems: answer.problems,
      fields: answer.request,
      textProblem: null,
      ...(drawn === undefined ? {} : { drawn, drawnFields: answer.request }),
      cursor: drawn?.cursor.index ?? state.cursor,
    });
  }
}
