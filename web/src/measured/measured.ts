// Measured: a profile of the device, alone or with its programs beside the rows of the run that they carried out.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import { formatInteger, formatShape, formatTime, plural, shortOp } from '../model/format';
import {
  kCalibration,
  type OpenedProfile,
  type ProfileAnswer,
  type ProfileComparison,
  type ProfileMatch,
  type Program,
} from '../model/profile';
import type { Catalog, Row, Run } from '../model/report';
import { sharedStyles, TesseraElement } from '../view/element';
import { icons } from '../view/icons';
import { tableStyles } from '../view/table_styles';
import { errorChart } from './error_chart';
import { measuredStyles } from './measured_styles';

const kPage = 100; // rows shown before "show more"

const kMisjudged = {
  '': '',
  data: 'it waited for data',
  compute: 'it computed',
  shorter: 'it took less than this part alone',
} as const;
const kBounds = { compute: 'compute', dram: 'DRAM', noc: 'NoC', fixed: 'start', none: '–' } as const;

const ratioText = (measured: number, predicted: number): string =>
  predicted <= 0 ? '–' : `${(measured / predicted).toFixed(2)} ×`;
const kCalibrateTip =
  'Multiplies every predicted time by its family’s factor, also those that policies decide by. It travels in the link.';
const wouldTake = (found: ProfileComparison): string =>
  `the run would take ${formatTime(found.calibratedTime)} instead of ${formatTime(found.time)}`;
const percent = (ratio: number): string => `${Math.round(ratio * 100)} %`;

export class TesseraMeasured extends TesseraElement {
  static override properties = {
    profile: { attribute: false },
    answer: { attribute: false },
    busy: { type: Boolean },
    run: { attribute: false },
    calibration: { attribute: false },
    catalog: { attribute: false },
    alone_: { state: true },
    shown_: { state: true },
  };
  static override styles = [sharedStyles, tableStyles, measuredStyles];

  declare profile: OpenedProfile | null;
  declare answer: ProfileAnswer | null;
  declare busy: boolean;
  declare run: Run | null;
  declare calibration: string; // in use
  declare catalog: Catalog | null;
  declare alone_: boolean; // the programs, without the run
  declare shown_: number;

  constructor() {
    super();
    this.profile = null;
    this.answer = null;
    this.busy = false;
    this.run = null;
    this.calibration = '';
    this.catalog = null;
    this.alone_ = false;
    this.shown_ = kPage;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('profile')) this.shown_ = kPage;
  }

  protected override render(): TemplateResult {
    const { profile, answer } = this;
    if (profile === null)
      return html`<p class="note dim">
          Drop an ops_perf_results_*.csv of the device profiler here: its programs are put beside the rows of the run,
          and factors on the predicted times can be taken from it. Without a graph it is shown alone.
        </p>
        <p class="note">
          <button class="btn" @click=${() => this.ask({ type: 'open-file' })}>${icons.file}Open a profile</button>
        </p>`;
    if (answer === null) return html`<p class="note dim" aria-busy="true">Reading ${profile.name}…</p>`;
    if (answer.problem !== '')
      return html`<p class="note" role="alert">${profile.name} is no profile: ${answer.problem}.</p>`;
    const beside = this.run !== null && answer.comparison !== null && !this.alone_;
    return html`${this.renderBar(profile, answer, beside)}
      <div class="body" aria-busy=${this.busy}>
        ${beside ? this.renderComparison(answer, answer.comparison, this.run!) : this.renderAlone(answer)}
      </div>`;
  }

  private renderBar({ name }: OpenedProfile, answer: ProfileAnswer, beside: boolean): TemplateResult {
    const both = this.run !== null && answer.comparison !== null;
    const choice = (title: string, alone: boolean): TemplateResult =>
      html`<button class="btn" aria-pressed=${beside !== alone} @click=${() => (this.alone_ = alone)}>
        ${title}
      </button>`;
    return html`<div class="bar">
      <b class="name">${name}</b>
      <span class="dim"
        >${plural(answer.programs.length, 'program')}, ${formatTime(answer.time)};
        ${plural(answer.otherRows, 'other row')}</span
      >
      ${both ? html`${choice('Beside the run', false)}${choice('The profile alone', true)}` : nothing}
      <button class="btn quiet" @click=${() => this.send({ type: 'profile', profile: null })}>Close</button>
    </div>`;
  }

  private more(count: number): TemplateResult | typeof nothing {
    return count > this.shown_
      ? html`<button class="btn" @click=${() => (this.shown_ += 10 * kPage)}>
          Show more of ${formatInteger(count)}
        </button>`
      : nothing;
  }

  // --- beside the run

  private renderComparison(answer: ProfileAnswer, found: ProfileComparison, run: Run): TemplateResult {
    if (found.problem !== '') return html`<p class="warn">Nothing was matched: ${found.problem}.</p>`;
    const programs = found.matches.reduce((sum, match) => sum + match.programs.length, 0);
    const alike = found.matches.filter(({ sameShape }) => sameShape);
    const timed = found.matches.length + found.unmatchedRows.length;
    const misjudged = found.matches.filter((match) => match.misjudged !== '');
    return html`<p>
        ${formatInteger(programs)} of ${plural(answer.programs.length - found.skippedPrograms, 'program')} belong to
        ${formatInteger(found.matches.length)} of ${plural(timed, 'row')} that take time: measured
        ${formatTime(found.measured)}, predicted
        ${formatTime(found.predicted)}${this.calibration === '' ? '' : ' (calibrated)'}.
        ${
          alike.length === 0
            ? nothing
            : html`Of the ${plural(alike.length, 'row')} of the same shape half are within
              ${percent(found.medianError)}, nine of ten within ${percent(found.p90Error)} of the measured time.`
        }
        ${
          found.repeats > 1
            ? html`The profile has the same programs ${formatInteger(found.repeats)} times in a row; the last ones
              count.`
            : nothing
        }
      </p>
      ${
        2 * alike.length < timed
          ? html`<p class="warn">
              Less than half of the rows have a program of the same shape: is this a profile of another graph, or
              another policy’s plan?
            </p>`
          : nothing
      }
      ${errorChart(found.errors)} ${this.renderFactors(found)}
      ${
        misjudged.length === 0
          ? html`<p>No row’s bound was misjudged, as far as the profile tells.</p>`
          : this.renderMisjudged(misjudged, run)
      }
      ${this.renderMatches(answer, found, run)} ${this.renderUnmatched(answer, found, run)}`;
  }

  private familyTitle(id: string): string {
    return this.catalog?.families.find((family) => family.id === id)?.title ?? id;
  }

  private renderFactors(found: ProfileComparison): TemplateResult | typeof nothing {
    if (found.families.length === 0) return nothing;
    const used = this.calibration === found.calibration && this.calibration !== '';
    return html`<section>
      <div class="scroll">
        <table>
          <caption>
            Measured over predicted, by family of ops
          </caption>
          <thead>
            <tr>
              <th scope="col">Family</th>
              <th scope="col" class="number">Ops</th>
              <th scope="col" class="number">Measured</th>
              <th scope="col" class="number">Predicted</th>
              <th scope="col" class="number" data-tip="Median over the ops; of what the model predicts by itself">
                Factor
              </th>
            </tr>
          </thead>
          <tbody>
            ${found.families.map(
              (one) =>
                html`<tr>
                  <th scope="row">${this.familyTitle(one.family)}</th>
                  <td class="number">${formatInteger(one.ops)}</td>
                  <td class="number">${formatTime(one.measured)}</td>
                  <td class="number">${formatTime(one.predicted)}</td>
                  <td class="number">${one.factor.toFixed(2)} ×</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p>
        <button
          class="btn primary"
          ?disabled=${used || found.calibration === ''}
          data-tip=${kCalibrateTip}
          @click=${() => this.send({ type: 'option', id: kCalibration, value: found.calibration })}
        >
          Calibrate with this profile
        </button>
        ${used ? 'in use' : wouldTake(found)}
      </p>
    </section>`;
  }

  private find(row: Row): void {
    this.send({ type: 'find', key: { name: row.name, label: row.label, row: this.run!.rows.indexOf(row) } });
  }

  private op(row: Row | undefined): TemplateResult {
    if (row === undefined) return html`–`;
    return html`<button class="link name" @click=${() => this.find(row)}>${row.label || row.name || row.op}</button>
      <span class="dim">${shortOp(row.op)}</span>`;
  }

  private renderMisjudged(matches: readonly ProfileMatch[], run: Run): TemplateResult {
    return html`<section class="scroll">
      <table class="misjudged">
        <caption>
          ${plural(matches.length, 'row')} whose bound was misjudged
        </caption>
        <thead>
          <tr>
            <th scope="col">Op</th>
            <th scope="col">Predicted bound</th>
            <th scope="col">In the profile</th>
            <th scope="col" class="number">Measured</th>
            <th scope="col" class="number">Predicted</th>
          </tr>
        </thead>
        <tbody>
          ${matches.slice(0, this.shown_).map(
            (match) =>
              html`<tr>
                <th scope="row">${this.op(run.rows[match.row])}</th>
                <td>${kBounds[run.rows[match.row]?.bound ?? 'none']}</td>
                <td>${kMisjudged[match.misjudged]}</td>
                <td class="number">${formatTime(match.measured)}</td>
                <td class="number">${formatTime(match.predicted)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>`;
  }

  private renderMatches(answer: ProfileAnswer, found: ProfileComparison, run: Run): TemplateResult | typeof nothing {
    if (found.matches.length === 0) return nothing;
    return html`<section class="scroll">
      <table class="matches">
        <caption>
          Measured beside predicted
        </caption>
        <thead>
          <tr>
            <th scope="col">Op</th>
            <th scope="col">Program</th>
            <th scope="col" class="number">Measured</th>
            <th scope="col" class="number">Predicted</th>
            <th scope="col" class="number">Ratio</th>
            <th scope="col">Differs in</th>
          </tr>
        </thead>
        <tbody>
          ${found.matches.slice(0, this.shown_).map((match) => this.renderMatch(match, answer.programs, run))}
        </tbody>
      </table>
      ${this.more(found.matches.length)}
    </section>`;
  }

  private renderMatch(match: ProfileMatch, programs: readonly Program[], run: Run): TemplateResult {
    const own = programs[match.programs.at(-1) ?? -1];
    const parts = match.programs.length - 1;
    const differs = [match.sameShape ? '' : 'shape', match.sameMemory ? '' : 'memory'].filter((word) => word !== '');
    return html`<tr>
      <th scope="row">${this.op(run.rows[match.row])}</th>
      <td data-tip=${own === undefined ? nothing : `Line ${own.line}: ${formatShape(own.shape)}, ${own.memory}`}>
        ${own?.name ?? '–'}${parts > 0 ? html` <span class="dim">and ${parts} before it</span>` : nothing}
      </td>
      <td class="number">${formatTime(match.measured)}</td>
      <td class="number">${formatTime(match.predicted)}</td>
      <td class="number">${ratioText(match.measured, match.predicted)}</td>
      <td class="dim">${differs.join(', ')}</td>
    </tr>`;
  }

  private renderUnmatched(answer: ProfileAnswer, found: ProfileComparison, run: Run): TemplateResult {
    const { unmatchedPrograms, unmatchedRows } = found;
    return html`${
      unmatchedRows.length === 0
        ? nothing
        : html`<details class="unmatched-rows">
            <summary>${plural(unmatchedRows.length, 'row')} of the run without a program</summary>
            <ul>
              ${unmatchedRows.slice(0, this.shown_).map((row) => html`<li>${this.op(run.rows[row])}</li>`)}
            </ul>
            ${this.more(unmatchedRows.length)}
          </details>`
    }${
      unmatchedPrograms.length === 0
        ? nothing
        : html`<details class="unmatched-programs">
            <summary>${plural(unmatchedPrograms.length, 'program')} that belong to no row of the run</summary>
            ${this.renderPrograms(
              unmatchedPrograms.map((at) => answer.programs[at]!),
              answer.time,
            )}
          </details>`
    }`;
  }

  // --- the profile alone

  private renderAlone(answer: ProfileAnswer): TemplateResult {
    const sums = new Map<string, { count: number; time: number }>();
    for (const { name, time } of answer.programs) {
      const sum = sums.get(name) ?? { count: 0, time: 0 };
      sums.set(name, { count: sum.count + 1, time: sum.time + time });
    }
    const sorted = [...sums].sort(([, a], [, b]) => b.time - a.time);
    return html`<section class="scroll">
        <table class="sums">
          <caption>
            What takes the time
          </caption>
          <thead>
            <tr>
              <th scope="col">Program</th>
              <th scope="col" class="number">Runs</th>
              <th scope="col" class="number">Time</th>
              <th scope="col" class="number">Share</th>
            </tr>
          </thead>
          <tbody>
            ${sorted.slice(0, kPage).map(
              ([name, { count, time }]) =>
                html`<tr>
                  <th scope="row" class="name">${name}</th>
                  <td class="number">${formatInteger(count)}</td>
                  <td class="number">${formatTime(time)}</td>
                  <td class="number">${answer.time > 0 ? percent(time / answer.time) : '–'}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </section>
      <section>
        <h3>Schedule</h3>
        ${this.renderPrograms(answer.programs, answer.time)}
      </section>`;
  }

  private renderPrograms(programs: readonly Program[], whole: number): TemplateResult {
    return html`<div class="scroll">
      <table class="programs">
        <thead>
          <tr>
            <th scope="col" class="number">Line</th>
            <th scope="col">Program</th>
            <th scope="col">Op</th>
            <th scope="col">Result</th>
            <th scope="col">Memory</th>
            <th scope="col" class="number">Cores</th>
            <th scope="col" class="number">Time</th>
            <th scope="col" class="number">Share</th>
            <th scope="col" data-tip="What took its time, as far as its row tells">Bound</th>
          </tr>
        </thead>
        <tbody>
          ${programs.slice(0, this.shown_).map(
            (one) =>
              html`<tr>
                <td class="number dim">${one.line}</td>
                <th scope="row" class="name">${one.name}</th>
                <td>${one.op === '' ? html`<span class="dim">not known</span>` : shortOp(one.op)}</td>
                <td>${formatShape(one.shape)}</td>
                <td>${one.memory.replace('_', ' ')}</td>
                <td class="number">${formatInteger(one.cores)}</td>
                <td class="number">${formatTime(one.time)}</td>
                <td class="number">${whole > 0 ? `${((one.time / whole) * 100).toFixed(1)} %` : '–'}</td>
                <td>${one.evidence}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      ${this.more(programs.length)}
    </div>`;
  }
}

customElements.define('tessera-measured', TesseraMeasured);
