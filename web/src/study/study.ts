// The view Study: which graphs, policies and settings take part, how far it is, and what came of it.

import { html, nothing, type TemplateResult } from 'lit';

import { formatDuration, formatInteger, plural } from '../model/format';

import type { StudyRun } from '../model/generated/study';
import { asPlan } from '../model/plan';
import type { Catalog } from '../model/report';
import type { SampleInfo } from '../model/state';
import { hasTrait } from '../model/traits';
import { kStart } from '../policylab/starting_policy';
import { sharedStyles, TesseraElement } from '../view/element';
import { tableStyles } from '../view/table_styles';
import { givenFiles, graphFiles, sampleFiles, type GivenFile, type StudyFile } from './study_files';
import type { StudyData } from './study_model';
import './study_report';
import { StudyRunner, type ListedRun, type StudyAsked } from './study_runner';
import { viewStyles } from './study_view_styles';

const kLabName = 'Policy lab';
const kFiles = [
  ['runs.csv', 'Runs, CSV', 'A line per run with all figures', 'text/csv'],
  ['spills.csv', 'Losses, CSV', 'A line per value that is not in L1, with the figures that show why', 'text/csv'],
  ['study.json', 'JSON', 'The runs for programs, as “tessera study” writes them', 'application/json'],
  ['study.html', 'One HTML file', 'Tables and charts, to be opened from disk', 'text/html'],
] as const;

// What lasts while other views are looked at.
class Studies {
  readonly runner = new StudyRunner();
  files: readonly StudyFile[] = []; // none: the samples
  without = new Set<string>(); // policies that do not take part
  devices: readonly string[] = ['n150'];
  settings = ''; // "tensor-l1-usage-cap=0.8,1"
  withLab = false;
  waiting = false; // files have come that no study has been made of

  add(given: readonly GivenFile[]): void {
    const files = graphFiles(given);
    const paths = new Set(files.map(({ path }) => path));
    this.files = [...this.files.filter(({ path }) => !paths.has(path)), ...files];
    this.waiting = true;
    this.runner.dispatchEvent(new Event('change'));
  }
}
export const studies = new Studies();

// "option=value,value; option=value" as the axes of a study.
function axesOf(text: string): readonly { readonly option: string; readonly values: readonly string[] }[] {
  const parts = text.split(/[;\s]+/).filter((part) => part !== '');
  return parts.map((part) => {
    const [option = '', values = ''] = part.split('=', 2);
    return { option, values: values.split(',').filter((value) => value !== '') };
  });
}

export class TesseraStudy extends TesseraElement {
  static override properties = {
    samples: { attribute: false },
    catalog: { attribute: false },
    code: { attribute: false },
    saving_: { state: true },
    problem_: { state: true },
  };
  static override styles = [sharedStyles, tableStyles, viewStyles];

  declare samples: readonly SampleInfo[];
  declare catalog: Catalog | null;
  declare code: string | null; // of the policy lab; null: the policy that it begins with
  declare saving_: string; // name of a file
  declare problem_: string;
  private made_: Promise<void> | null = null; // the study of the samples that came with the page

  constructor() {
    super();
    this.samples = [];
    this.catalog = null;
    this.code = null;
    this.saving_ = '';
    this.problem_ = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    studies.runner.addEventListener('change', this.onChange);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    studies.runner.removeEventListener('change', this.onChange);
  }
  private readonly onChange = (): void => this.requestUpdate();

  protected override updated(): void {
    if (this.catalog === null || this.samples.length === 0) return;
    if (studies.waiting) {
      studies.waiting = false;
      void this.start();
    } else if (studies.runner.data === null && studies.runner.state.phase === 'idle') {
      this.made_ ??= this.showSamples();
    }
  }

  // As it was made with the page; where it was not, it is made now.
  private async showSamples(): Promise<void> {
    try {
      const response = await fetch(new URL('samples/study.json', document.baseURI));
      if (!response.ok) throw new Error(String(response.status));
      const made = (await response.json()) as StudyData & { readonly runs: readonly ListedRun[] };
      if (studies.runner.data === null) studies.runner.show(made, made.runs, sampleFiles(this.samples));
    } catch {
      await this.start();
    }
  }

  private get policies(): readonly string[] {
    const all = this.catalog?.policies ?? [];
    return all.filter(({ id }) => !hasTrait(this.catalog, id, 'as-it-stands')).map(({ id }) => id);
  }

  private start(): Promise<void> {
    const policies = this.policies.filter((id) => !studies.without.has(id));
    const files = studies.files.length > 0 ? studies.files : sampleFiles(this.samples);
    const asked: StudyAsked = {
      arguments: { policies, devices: studies.devices, axes: axesOf(studies.settings) },
      lab: studies.withLab ? { name: kLabName, code: this.code ?? kStart } : null,
    };
    return studies.runner.start(files, asked);
  }

  protected override render(): TemplateResult {
    const { runner } = studies;
    const { data, state } = runner;
    const busy = state.phase === 'running' || state.phase === 'reading';
    return html`${this.renderBar(busy)}
      <div class="body" @study-open=${(event: CustomEvent<StudyRun>) => void this.open(event.detail)}>
        ${this.renderSettings()} ${this.renderProblems()}
        ${
          data === null
            ? html`<p class="dim" aria-busy=${busy}>${busy ? 'The first runs are under way…' : 'No run yet.'}</p>`
            : html`<tessera-study-report .data=${data} openable></tessera-study-report>`
        }
      </div>`;
  }

  private renderBar(busy: boolean): TemplateResult {
    const { state } = studies.runner;
    return html`<div class="bar">
      ${
        busy
          ? html`<button class="btn" @click=${() => studies.runner.stop()}>Stop</button>`
          : html`<button class="btn primary" @click=${() => void this.start()}>Run</button>`
      }
      ${
        state.phase === 'stopped'
          ? html`<button class="btn" @click=${() => void studies.runner.resume()}>Go on</button>`
          : nothing
      }
      ${this.pick('Add files…', false)} ${this.pick('Add a folder…', true)}
      <span class="files">${this.filesText()}</span>
      ${
        studies.files.length > 0 && !busy
          ? html`<button class="btn quiet" @click=${this.backToSamples}>Samples instead</button>`
          : nothing
      }
      <span class="status" role="status">${this.statusText()}</span>
      ${
        busy && state.total > 0
          ? html`<progress aria-label="Progress" max=${state.total} .value=${state.done}></progress>`
          : nothing
      }
    </div>`;
  }

  private readonly backToSamples = (): void => {
    studies.files = [];
    void this.start();
  };

  private filesText(): string {
    const { files } = studies;
    if (files.length === 0) return `${plural(this.samples.length, 'sample')} of the page; drop files or a folder here`;
    return `${plural(files.length, 'file')}: ${files
      .slice(0, 3)
      .map(({ path }) => path.split('/').at(-1))
      .join(', ')}${files.length > 3 ? ', …' : ''}`;
  }

  private statusText(): string {
    const { phase, done, total, leftMs } = studies.runner.state;
    if (phase === 'reading') return `reading ${formatInteger(done + 1)} of ${plural(total, 'file')}`;
    if (phase === 'idle') return '';
    const runs = `${formatInteger(done)} of ${plural(total, 'run')}`;
    if (phase === 'running') return leftMs < 0 ? runs : `${runs}, about ${formatDuration(leftMs)} left`;
    return phase === 'stopped' ? `stopped after ${runs}` : total === 0 ? '' : `${plural(total, 'run')} done`;
  }

  private pick(title: string, folder: boolean): TemplateResult {
    const open = (): void => {
      const input = document.createElement('input');
      input.type = 'file';
      input.multiple = true;
      input.webkitdirectory = folder;
      input.onchange = () => studies.add(givenFiles(input.files));
      input.click();
    };
    return html`<button class="btn" @click=${open}>${title}</button>`;
  }

  private renderSettings(): TemplateResult {
    const { state, data } = studies.runner;
    const change = (act: () => void) => (): void => {
      act();
      this.requestUpdate();
    };
    const box = (title: string, on: boolean, act: () => void): TemplateResult =>
      html`<label><input type="checkbox" .checked=${on} @change=${change(act)} /> ${title}</label>`;
    const toggled = (id: string): void => void (studies.without.delete(id) || studies.without.add(id));
    const device = (id: string): void => {
      const now = studies.devices.includes(id) ? studies.devices.filter((one) => one !== id) : [...studies.devices, id];
      if (now.length > 0) studies.devices = now;
    };
    const done = data !== null && state.phase !== 'running' && state.phase !== 'reading';
    return html`<details class="settings">
        <summary>Policies, devices and option values</summary>
        <fieldset>
          <legend>Policies</legend>
          ${this.policies.map((id) => box(id, !studies.without.has(id), () => toggled(id)))}
          ${box('the one in the policy lab', studies.withLab, () => (studies.withLab = !studies.withLab))}
        </fieldset>
        <fieldset>
          <legend>Devices</legend>
          ${(this.catalog?.devices ?? []).map(({ id }) => box(id, studies.devices.includes(id), () => device(id)))}
        </fieldset>
        <label class="values"
          >Option values, each combination is a run
          <input
            type="text"
            placeholder="tensor-l1-usage-cap=0.8,1"
            .value=${studies.settings}
            @change=${(event: Event) => (studies.settings = (event.target as HTMLInputElement).value)}
        /></label>
      </details>
      <p class="save">${done ? html`Save: ${kFiles.map((file) => this.renderSave(file))}` : nothing}</p>`;
  }

  private renderSave([name, title, help, type]: (typeof kFiles)[number]): TemplateResult {
    return html`<button
      class="btn"
      data-tip=${help}
      ?disabled=${this.saving_ !== ''}
      @click=${() => void this.save(name, type)}
    >
      ${this.saving_ === name ? 'Preparing…' : title}
    </button>`;
  }

  // The study that came with the page has no files: it is run for them.
  private async save(name: string, type: string): Promise<void> {
    this.saving_ = name;
    try {
      if (studies.runner.state.phase === 'idle') await this.start();
      const text = await studies.runner.file(name);
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([text], { type }));
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    } catch (error) {
      this.problem_ = `${name} could not be made: ${error instanceof Error ? error.message : String(error)}`;
    }
    this.saving_ = '';
  }

  private renderProblems(): TemplateResult | typeof nothing {
    const { mistake, skipped } = studies.runner.state;
    const told = [mistake, this.problem_].filter((text) => text !== '');
    if (told.length === 0 && skipped.length === 0) return nothing;
    return html`${told.map((text) => html`<p class="bad" role="alert">${text}</p>`)}
    ${
      skipped.length === 0
        ? nothing
        : html`<details>
            <summary>${plural(skipped.length, 'file')} left out</summary>
            <ul>
              ${skipped.slice(0, 200).map((text) => html`<li>${text}</li>`)}
            </ul>
          </details>`
    }`;
  }

  // The run becomes that of the page: its graph, its settings and, of the lab's policy, its plan.
  private async open(run: StudyRun): Promise<void> {
    const { runner } = studies;
    const listed = runner.runs.find(({ key }) => key === run.key);
    const file = listed === undefined ? undefined : runner.fileOf(listed.path);
    const text = await file?.load().catch(() => undefined);
    if (listed === undefined || file === undefined || text === undefined) {
      this.problem_ = `The graph ${run.graph} cannot be read any more.`;
      return;
    }
    this.problem_ = '';
    const plan = asPlan(runner.plans.get(run.key));
    this.send({ type: 'options', options: listed.options });
    this.send({
      type: 'load',
      text,
      origin: file.sample === '' ? { kind: 'file', name: file.path } : { kind: 'sample', id: file.sample },
    });
    if (plan !== null) this.send({ type: 'plan', plan });
    this.send({ type: 'view', view: { main: 'schedule' } });
  }
}

customElements.define('tessera-study', TesseraStudy);
