// Keeps the address bar equal to the state, and reads links.

import { formatBytes, formatInteger } from '../model/format';
import { keyOfRow, type Action, type AppState } from '../model/state';
import { shownName } from '../view/names';
import { decodeFragment, kLinkWarningLength, kMaxLinkText, type SharedState } from '../model/url';
import { keepLastMoment, takeLastMoment } from './last_moment';
import { LinkWriter } from './link_writer';

const kPauseMs = 300;
const kMaxAddress = 1024 * 1024; // characters; browsers cut or refuse addresses beyond about two million

export class AddressBar {
  saysNoGraph = false; // the link was made for a graph that was too large for it
  pending = false; // the address is about to be written
  private readonly links_ = new LinkWriter();
  private readonly id_ = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`; // of this page, for what it keeps
  private kept_: { readonly text: string; readonly name: string } | null = null; // under that number
  private toldUnkept_ = false;
  private timer_ = 0;
  private writing_ = 0;
  private written_ = ''; // our own fragment: a hashchange to it is no news
  private looked_ = ''; // at what, when it was written

  constructor(
    private readonly state: () => AppState,
    private readonly dispatch: (action: Action) => void,
  ) {}

  follow(before: AppState, after: AppState): void {
    const same =
      before.source === after.source &&
      before.options === after.options &&
      before.selected === after.selected &&
      before.view === after.view &&
      before.compareRuns === after.compareRuns &&
      before.plan === after.plan &&
      before.policyLab.code === after.policyLab.code;
    if (after.linkFrozen) return;
    // What the run adds to the title may come after the address was written.
    if (before.report !== after.report) document.title = pageTitle(after);
    if (same) return;
    window.clearTimeout(this.timer_);
    this.pending = true;
    this.timer_ = window.setTimeout(() => void this.write(), kPauseMs);
  }

  // The state of the link in the address bar; null when there is none or it cannot be read (the user is told).
  async read(): Promise<SharedState | null> {
    const typed = takeLastMoment();
    if (typed !== null) {
      this.written_ = location.hash;
      return this.found(typed);
    }
    if (location.hash === this.written_ || location.hash === '') return null;
    this.written_ = location.hash;
    window.clearTimeout(this.timer_); // of what the link replaces
    this.pending = false;
    const decoded = await decodeFragment(location.hash);
    if (decoded.kind === 'none') return null;
    if (decoded.kind === 'problem') {
      this.dispatch({ type: 'freeze-link' });
      this.dispatch({
        type: 'notice',
        severity: 'error',
        text: `${decoded.text} The link stays in the address bar until you change something.`,
      });
      return null;
    }
    return this.found(decoded.state);
  }

  private async found(shared: SharedState): Promise<SharedState> {
    const state = await withKept(shared);
    this.saysNoGraph = state.source.kind === 'too-large';
    return state;
  }

  // Before the page goes away, once `flush` has passed on what was typed last, what the address does not hold yet is
  // kept for its return; the browser asks where that cannot be.
  watchLeaving(flush: () => void): void {
    window.addEventListener('beforeunload', (event) => {
      flush();
      if (!this.beforeLeaving()) event.preventDefault();
    });
  }

  // False: something would be lost. When another link has just taken the address, the page returns to that link.
  private beforeLeaving(): boolean {
    if (location.hash !== this.written_) return true;
    return !this.pending || this.state().linkFrozen || keepLastMoment(toShared(this.state(), true));
  }

  async copy(): Promise<boolean> {
    window.clearTimeout(this.timer_);
    if (!this.state().linkFrozen) await this.write();
    const length = location.href.length;
    const told = this.tell(length);
    try {
      await navigator.clipboard.writeText(location.href);
      return true;
    } catch {
      if (!told)
        this.dispatch({
          type: 'notice',
          severity: 'warning',
          text: 'The browser did not allow copying. The link is in the address bar.',
        });
      return false;
    }
  }

  // A graph that no address holds, in this browser; where that is not possible the user is told, once.
  private async keep({ text, origin }: AppState['source']): Promise<SharedState['source']> {
    const name = nameOf(origin);
    try {
      if (this.kept_?.text !== text || this.kept_.name !== name) {
        const { keepGraph } = await import('./kept_graphs');
        await keepGraph({ id: this.id_, text, name, at: Date.now() });
        this.kept_ = { text, name };
      }
      return { kind: 'too-large', kept: this.id_ };
    } catch (error) {
      if (!this.toldUnkept_) {
        this.toldUnkept_ = true;
        const why = error instanceof Error ? error.name : String(error);
        this.dispatch({
          type: 'notice',
          severity: 'warning',
          text:
            `The graph (${formatBytes(text.length)}) is too large for the page’s address, and the browser keeps ` +
            `nothing for this page (${why}): a reload loses it. “State of the page” in the Export menu saves it.`,
        });
      }
      return { kind: 'too-large' };
    }
  }

  // Says what a person who sends the link should know.
  private tell(length: number): boolean {
    const { source } = this.state();
    if (sharedSource(this.state()).kind === 'too-large') {
      this.dispatch({
        type: 'notice',
        severity: 'warning',
        text:
          `The graph (${formatBytes(source.text.length)}) is too large for a link: the link holds the ` +
          'settings alone. “State of the page” in the Export menu is one file that holds both.',
      });
      return true;
    }
    if (length > kLinkWarningLength) {
      this.dispatch({
        type: 'notice',
        severity: 'warning',
        text:
          `The link has ${formatInteger(length)} characters. Some mail and chat programs cut links beyond ` +
          `${formatInteger(kLinkWarningLength)}.`,
      });
      return true;
    }
    return false;
  }

  private async write(): Promise<void> {
    const mine = ++this.writing_;
    const shared = toShared(this.state());
    const small = shared.source.kind !== 'too-large';
    let fragment = small ? await this.links_.write(shared) : '';
    if (!small || fragment.length > kMaxAddress)
      fragment = await this.links_.write({ ...shared, source: await this.keep(this.state().source) });
    if (mine !== this.writing_) return;
    this.pending = false;
    if (this.state().linkFrozen) return;
    const fragmentBefore = this.written_;
    this.written_ = `#${fragment}`;
    document.title = pageTitle(this.state());
    const looked = lookedAt(this.state());
    if (this.written_ === location.hash) {
      this.looked_ = looked;
      return;
    }
    const address = `${location.pathname}${searchWithoutUrl()}#${fragment}`;
    // Back and forward go from one thing that was looked at to the next, not through every letter of a search.
    const isNew = this.looked_ !== '' && looked !== this.looked_ && fragmentBefore === location.hash;
    this.looked_ = looked;
    if (isNew) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  }
}

// `?url=` says where the first text came from; the fragment says it better.
function searchWithoutUrl(): string {
  const search = new URLSearchParams(location.search);
  search.delete('url');
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

// With the graph that this browser kept of it.
async function withKept(state: SharedState): Promise<SharedState> {
  const { source } = state;
  if (source.kind !== 'too-large' || source.kept === undefined) return state;
  const { keptGraph } = await import('./kept_graphs');
  const graph = await keptGraph(source.kept);
  return graph === null ? state : { ...state, source: { kind: 'text', text: graph.text, name: graph.name } };
}

// What a step back returns from: the graph, the view, the op, the options.
function lookedAt(state: AppState): string {
  const { source, options, view, compareRuns } = state;
  const key = state.wanted ?? keyOfRow(state.report, state.selected);
  return JSON.stringify([source.loads, view.main, view.tab, key, options, compareRuns]);
}

// What the graph is called.
export function sourceTitle({ source, samples }: AppState): string {
  const { origin } = source;
  switch (origin.kind) {
    case 'sample':
      return samples.find(({ id }) => id === origin.id)?.title ?? origin.id;
    case 'file':
      return origin.name;
    case 'link':
      return origin.name === '' ? 'graph of a link' : origin.name;
    case 'url':
      return origin.url.split('/').at(-1) || origin.url;
    case 'typed':
      return 'edited graph';
    case 'empty':
      return '';
  }
}

export function runTitle(state: AppState): string {
  const { report } = state;
  const parts = [shownName(sourceTitle(state)), report?.policy?.title ?? '', report?.device?.title ?? ''];
  return parts.filter((part) => part !== '').join(' · ');
}

function pageTitle(state: AppState): string {
  const title = state.source.text === '' ? '' : runTitle(state);
  return title === '' ? 'Tessera' : `${title} · Tessera`;
}

function nameOf(origin: AppState['source']['origin']): string {
  return origin.kind === 'file' || origin.kind === 'link' ? origin.name : '';
}

function sharedSource(state: AppState, all = false): SharedState['source'] {
  const { text, origin } = state.source;
  if (origin.kind === 'sample') return { kind: 'sample', id: origin.id };
  if (origin.kind === 'url') return { kind: 'url', url: origin.url };
  if (text === '') return { kind: 'none' };
  return text.length > kMaxLinkText && !all ? { kind: 'too-large' } : { kind: 'text', text, name: nameOf(origin) };
}

// `all`: however large the graph is.
export function toShared(state: AppState, all = false): SharedState {
  const { sourceOpen, whyOpen, split, whole, planned, memory, dram, filters, regret, tab, main, step } = state.view;
  return {
    source: sharedSource(state, all),
    options: state.options,
    selected: state.wanted ?? keyOfRow(state.report, state.selected),
    view: { sourceOpen, whyOpen, split, whole, planned, memory, dram, filters, regret, tab, main, step },
    compareRuns: state.compareRuns,
    plan: state.plan,
    policyCode: state.policyLab.code,
  };
}
