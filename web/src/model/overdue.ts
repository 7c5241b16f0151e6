// A call of the engine that goes on for longer than was to be expected.
export interface Overdue {
  readonly call: string; // as in engine/protocol.ts
  readonly ms: number; // for which it has gone on
}
