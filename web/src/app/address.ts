// Keeps the address bar equal to the state, and reads links.

import { formatBytes, formatInteger } from '../model/format';
import { keyOfRow, type Action, type AppState } from '../model/state';
import { decodeFragment, encodeState, kLinkWarningLength, kMaxLinkText, type SharedState } from '../model/url';

const kPauseMs = 300;
const kMaxAddress = 1024 * 1024; // characters; browsers cut or refuse addresses beyond about two million

export class AddressBar {
  saysNoGraph = false; // the link was made for a graph that was too large for it
  pending = false; // the address is about to be written
  private timer_ = 0;
  private writing_ = 0;
  private written_ = ''; // our own fragment: a hashchange to it is no news

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
    if (same || after.linkFrozen) return;
    window.clearTimeout(this.timer_);
    this.pending = true;
    this.timer_ = window.setTimeout(() => void this.write(), kPauseMs);
  }

  // The state of the link in the address bar; null when there is none or it cannot be read (the user is told).
  async read(): Promise<SharedState | null> {
    if (location.hash === this.written_ || location.hash === '') return null;
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
    this.saysNoGraph = decoded.state.source.kind === 'too-large';
    return decoded.state;
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

  // Says what a person who sends the link should know.
  private tell(length: number): boolean {
    const { source } = this.state();
    if (sharedSource(this.state()).kind === 'too-large') {
      this.dispatch({
        type: 'notice',
        severity: 'warning',
        text:
          `The graph (${formatBytes(source.text.length)}) is too large for a link: the link holds the ` +
          'settings alone. Send the file along.',
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
    let fragment = await encodeState(shared);
    if (fragment.length > kMaxAddress) fragment = await encodeState({ ...shared, source: { kind: 'too-large' } });
    if (mine !== this.writing_) return;
    this.pending = false;
    if (this.state().linkFrozen) return;
    this.written_ = `#${fragment}`;
    history.replaceState(null, '', `${location.pathname}${searchWithoutUrl()}#${fragment}`);
  }
}

// `?url=` says where the first text came from; the fragment says it better.
function searchWithoutUrl(): string {
  const search = new URLSearchParams(location.search);
  search.delete('url');
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

function sharedSource(state: AppState): SharedState['source'] {
  const { text, origin } = state.source;
  if (origin.kind === 'sample') return { kind: 'sample', id: origin.id };
  if (origin.kind === 'url') return { kind: 'url', url: origin.url };
  if (text === '') return { kind: 'none' };
  return text.length > kMaxLinkText ? { kind: 'too-large' } : { kind: 'text', text };
}

export function toShared(state: AppState): SharedState {
  const { sourceOpen, whyOpen, split, whole, planned, regret, tab, main } = state.view;
  return {
    source: sharedSource(state),
    options: state.options,
    selected: state.wanted ?? keyOfRow(state.report, state.selected),
    view: { sourceOpen, whyOpen, split, whole, planned, regret, tab, main },
    compareRuns: state.compareRuns,
    plan: state.plan,
    policyCode: state.policyLab.code,
  };
}
