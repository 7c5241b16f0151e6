// What a page that embeds the element sees of it: properties, methods, events. Types alone; docs/embedding.md explains.

/** A number, a text or a switch, as `tessera help` lists the options. */
export type PlaygroundOption = string | number | boolean;

/** The report as docs/report.md describes it, each layout in the place of its number. */
export type ReportJson = Readonly<Record<string, unknown>>;

/** What is looked at, and under which settings it ran. All of it can be set again. */
export interface PlaygroundState {
  readonly policy: string; // '': the one of the report, or the engine's own
  readonly device: string; // the same
  readonly options: Readonly<Record<string, PlaygroundOption>>; // more options
  readonly view: string; // schedule, map, why, steps, graph, compare
  readonly select: string; // name of the selected op, or its row; '': none
  readonly step: number; // of the view `steps`; -1: that of the selected op, or the first
  readonly compare: readonly string[]; // policies beside the present one
}

export interface SelectDetail {
  readonly row: number; // -1: none
  readonly name: string;
  readonly label: string; // of the op in the model
}

export interface RunDetail {
  readonly report: ReportJson;
  readonly made: boolean; // ahead of time: no engine ran
  readonly ms: number; // of the engine; 0 when it was made ahead of time
}

export interface ErrorDetail {
  readonly message: string;
}

export interface ExportedText {
  readonly name: string; // of a file
  readonly content: string;
}

export interface TesseraPlaygroundElement extends HTMLElement {
  src: string;
  report: string;
  name: string;
  text: string;
  policy: string;
  device: string;
  options: Readonly<Record<string, PlaygroundOption>>;
  view: string;
  select: string;
  step: number;
  compare: string;
  hide: string;
  theme: 'system' | 'light' | 'dark';
  height: string;
  page: string;
  state: PlaygroundState;
  readonly result: ReportJson | null;
  run(): Promise<ReportJson>;
  exportAs(what: string): Promise<ExportedText>;
}

export interface TesseraPlaygroundEvents {
  'tessera-ready': CustomEvent<RunDetail>;
  'tessera-run': CustomEvent<RunDetail>;
  'tessera-select': CustomEvent<SelectDetail>;
  'tessera-look': CustomEvent<object>;
  'tessera-error': CustomEvent<ErrorDetail>;
}

declare global {
  interface HTMLElementEventMap extends TesseraPlaygroundEvents {}
  interface HTMLElementTagNameMap {
    'tessera-playground': TesseraPlaygroundElement;
  }
}
