// The graph of a run with its L1 chains as nodes. It is laid out in a worker; keys go along its edges, and a table says
// the same.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import { formatInteger, formatPercent, formatTime, plural } from '../model/format';
import type { Run } from '../model/report';
import { badgeStyles, kindBadge } from '../view/badge';
import { pixelRatio, readyCanvas } from '../view/canvas';
import { sharedStyles } from '../view/element';
import { readPalette, type Palette } from '../view/palette';
import { fitted, opening, showing, zoomedAt, type Size } from './camera';
import { drawGraph, kColumn, kLayer, kNodeHigh, kNodeWide, nodeX, nodeY, type Camera } from './graph_draw';
import { buildGraph, movesText, nodeText, type ChainGraph } from './graph_model';
import { graphStyles } from './graph_styles';
import type { LayoutOutput } from './layers';
import { SizedElement } from '../view/sized_element';

const kMostListed = 200; // nodes in the table before somebody asks for more
const kClick = 4; // CSS pixels that a pointer may move in a click
const kHelp =
  'A node is an L1 chain, a line of ops that hand on to one another alone, or a single op. Its lower edge: its part ' +
  'of the time. Solid edges stay in L1, dashed ones go through DRAM; triangles leave L1 or come back, diamonds are ' +
  'reshards.';

interface Laid {
  readonly graph: ChainGraph;
  readonly laid: LayoutOutput;
  readonly byLayer: readonly (readonly number[])[];
  readonly edgesByLayer: readonly (readonly number[])[];
}

// Null where the page may have none: from a file, or under a policy that forbids workers.
function layoutWorker(): Worker | null {
  try {
    return new Worker(new URL('./layout_worker.ts', import.meta.url), { type: 'module', name: 'layout' });
  } catch {
    return null;
  }
}

export class TesseraGraph extends SizedElement {
  static override properties = {
    run: { attribute: false },
    selected: { type: Number },
    themeKey: { type: String },
    laid_: { state: true },
    focused_: { state: true },
    listed_: { state: true },
    every_: { state: true },
    busy_: { state: true },
  };
  static override styles = [sharedStyles, badgeStyles, graphStyles];

  declare run: Run | null;
  declare selected: number; // row
  declare themeKey: string;
  declare laid_: Laid | null; // null: it is being laid out
  declare focused_: number; // node that the keys are at
  declare listed_: number; // nodes in the table
  declare every_: boolean; // each op is a node of its own
  declare busy_: boolean; // it is being laid out

  private camera_: Camera = { x: 0, y: 0, scale: 1 };
  private palette_: Palette | null = null;
  private worker_: Worker | null = null;
  private asked_ = 0;
  private frame_ = 0;
  private drag_: { readonly x: number; readonly y: number; readonly camera: Camera; moved: boolean } | null = null;

  constructor() {
    super();
    this.run = null;
    this.selected = -1;
    this.themeKey = '';
    this.laid_ = null;
    this.focused_ = -1;
    this.listed_ = 0;
    this.every_ = false;
    this.busy_ = true;
  }

  protected override resized(): void {
    this.drawSoon();
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.worker_?.terminate();
    this.worker_ = null;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('themeKey')) this.palette_ = null;
    if ((changed.has('run') || changed.has('every_')) && this.run !== null) this.layOut(this.run);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('laid_') && this.laid_ !== null) this.openAt(this.laid_, changed.get('laid_') ?? null);
    else if (changed.has('selected') && this.chosen >= 0) this.reveal(this.chosen);
    this.drawSoon();
  }

  private layOut(run: Run): void {
    const graph = buildGraph(run, this.every_);
    const mine = ++this.asked_;
    this.busy_ = true;
    const take = (laid: LayoutOutput): void => {
      if (mine !== this.asked_) return;
      this.laid_ = { graph, laid, ...byLayer(graph, laid) };
      this.busy_ = false;
    };
    const edges = Int32Array.from(graph.edges.flatMap(({ from, to }) => [from, to]));
    const input = { nodes: graph.nodes.length, edges };
    const here = (): Promise<void> => import('./layers').then(({ layOut }) => take(layOut(input)));
    const worker = (this.worker_ ??= layoutWorker());
    if (worker === null) return void here();
    worker.onerror = () => void here();
    worker.onmessage = ({ data }: MessageEvent<LayoutOutput & { readonly id: number }>) => {
      if (data.id === mine) take(data);
    };
    worker.postMessage({ id: mine, ...input });
  }

  // Another run of the same graph is seen where the one before was.
  private openAt({ graph, laid }: Laid, before: Laid | null): void {
    this.focused_ = Math.min(this.focused_, graph.nodes.length - 1);
    if (before !== null && before.graph.nodes.length === graph.nodes.length) return;
    const top = graph.nodes.findIndex((_, node) => laid.layer[node] === 0);
    this.camera_ = opening(this.size, this.view, { x: top < 0 ? 0 : nodeX(laid, top) });
    if (this.chosen >= 0) this.reveal(this.chosen);
  }

  private get size(): Size {
    const laid = this.laid_?.laid;
    return { width: Math.max(1, (laid?.width ?? 0) * kColumn), height: Math.max(1, (laid?.layers ?? 0) * kLayer) };
  }
  private get view(): Size {
    const { clientWidth = 1, clientHeight = 1 } = this.renderRoot.querySelector<HTMLElement>('.view') ?? {};
    return { width: Math.max(1, clientWidth), height: Math.max(1, clientHeight) };
  }

  // The node of the selected op.
  private get chosen(): number {
    return this.laid_?.graph.nodeOf[this.selected] ?? -1;
  }

  private reveal(node: number): void {
    if (this.laid_ === null) return;
    const { laid } = this.laid_;
    this.camera_ = showing(this.camera_, this.view, nodeX(laid, node), nodeY(laid, node));
  }

  private drawSoon(): void {
    if (this.frame_ === 0) this.frame_ = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.frame_ = 0;
    const { width, height } = this.view;
    const context = readyCanvas(this.renderRoot, 'canvas', width, height);
    if (context === null || this.laid_ === null || this.run === null) return;
    drawGraph(context, {
      ...this.laid_,
      camera: this.camera_,
      width,
      height,
      focused: this.focused_,
      chosen: this.chosen,
      totalTime: this.run.totals.time,
      palette: (this.palette_ ??= readPalette(this)),
      dpr: pixelRatio(),
    });
  }

  private look(camera: Camera): void {
    this.camera_ = camera;
    this.drawSoon();
  }

  private zoom(factor: number, x = this.view.width / 2, y = this.view.height / 2): void {
    this.look(zoomedAt(this.camera_, factor, x, y));
  }

  private focusNode(node: number): void {
    this.focused_ = node;
    this.reveal(node);
  }

  // Selects its first op; nothing for an input.
  private choose(node: number): void {
    this.focusNode(node);
    const row = this.laid_?.graph.nodes[node]?.rows[0];
    if (row !== undefined) this.send({ type: 'select', row });
  }

  private openSchedule(): void {
    this.send({ type: 'view', view: { main: 'schedule', tab: 'schedule' } });
  }

  private nodeAt(event: MouseEvent): number {
    if (this.laid_ === null) return -1;
    const { laid, byLayer: layers } = this.laid_;
    const { left, top } = this.renderRoot.querySelector('canvas')!.getBoundingClientRect();
    const x = this.camera_.x + (event.clientX - left) / this.camera_.scale;
    const y = this.camera_.y + (event.clientY - top) / this.camera_.scale;
    const near = layers[Math.floor(y / kLayer)] ?? [];
    const hit = (node: number): boolean =>
      Math.abs(nodeX(laid, node) - x) <= kNodeWide / 2 && Math.abs(nodeY(laid, node) - y) <= kNodeHigh / 2 + 2;
    return near.find(hit) ?? -1;
  }

  private readonly onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    this.drag_ = { x: event.clientX, y: event.clientY, camera: this.camera_, moved: false };
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  };
  private readonly onMove = (event: PointerEvent): void => {
    if (this.drag_ === null) {
      const node = this.nodeAt(event);
      const tip = node < 0 || this.laid_ === null ? kHelp : nodeText(this.laid_.graph, node);
      (event.currentTarget as HTMLElement).dataset['tip'] = tip;
      return;
    }
    const { x, y, camera } = this.drag_;
    const [dx, dy] = [event.clientX - x, event.clientY - y];
    if (Math.abs(dx) + Math.abs(dy) > kClick) this.drag_.moved = true;
    if (this.drag_.moved) this.look({ ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale });
  };
  private readonly onUp = (event: PointerEvent): void => {
    const click = this.drag_ !== null && !this.drag_.moved;
    this.drag_ = null;
    const node = click ? this.nodeAt(event) : -1;
    if (node >= 0) this.choose(node);
  };
  private readonly onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    const { left, top } = this.renderRoot.querySelector('canvas')!.getBoundingClientRect();
    if (event.ctrlKey || event.metaKey)
      return this.zoom(event.deltaY > 0 ? 1 / 1.2 : 1.2, event.clientX - left, event.clientY - top);
    const { x, y, scale } = this.camera_;
    this.look({ scale, x: x + event.deltaX / scale, y: y + event.deltaY / scale });
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    const laid = this.laid_;
    if (laid === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const { graph } = laid;
    const at = this.focused_ >= 0 ? this.focused_ : this.chosen;
    const layer = laid.byLayer[laid.laid.layer[Math.max(0, at)]!] ?? [];
    const beside = (step: number): number => layer[layer.indexOf(at) + step] ?? at;
    const go = (node: number | undefined): void => this.focusNode(at < 0 ? 0 : (node ?? at));
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(graph.edges.find(({ from }) => from === at)?.to),
      ArrowUp: () => go(graph.edges.find(({ to }) => to === at)?.from),
      ArrowRight: () => go(beside(1)),
      ArrowLeft: () => go(beside(-1)),
      Home: () => this.focusNode(0),
      End: () => this.focusNode(graph.nodes.length - 1),
      Enter: () => at >= 0 && this.choose(at),
      ' ': () => at >= 0 && this.choose(at),
      '+': () => this.zoom(1.25),
      '=': () => this.zoom(1.25),
      '-': () => this.zoom(0.8),
      '0': () => this.look(fitted(this.size, this.view)),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };

  protected override render(): TemplateResult {
    const laid = this.laid_;
    return html`<div class="tools" role="toolbar" aria-label="Graph">
        <span class="count">${this.countText()}</span><span class="space"></span>
        <label data-tip="Each op as a node of its own, in place of whole L1 chains"
          ><input
            type="checkbox"
            .checked=${this.every_}
            @change=${(event: Event) => (this.every_ = (event.target as HTMLInputElement).checked)}
          />
          Every op</label
        >
        <button class="btn quiet" aria-label="Smaller" data-tip="Smaller (−)" @click=${() => this.zoom(0.8)}>−</button>
        <button class="btn quiet" aria-label="Larger" data-tip="Larger (+)" @click=${() => this.zoom(1.25)}>+</button>
        <button
          class="btn quiet"
          data-tip="The whole graph (0)"
          @click=${() => this.look(fitted(this.size, this.view))}
        >
          Fit
        </button>
        <button
          class="btn"
          ?disabled=${this.chosen < 0}
          data-tip="The selected op in the schedule"
          @click=${() => this.openSchedule()}
        >
          In the schedule
        </button>
      </div>
      <div
        class="view"
        role="application"
        tabindex="0"
        aria-label="Graph of the L1 chains"
        aria-roledescription="graph"
        aria-describedby="at"
        aria-busy=${this.busy_ ? 'true' : 'false'}
        data-tip=${kHelp}
        @pointerdown=${this.onDown}
        @pointermove=${this.onMove}
        @pointerup=${this.onUp}
        @pointercancel=${() => (this.drag_ = null)}
        @dblclick=${() => this.openSchedule()}
        @wheel=${this.onWheel}
        @keydown=${this.onKey}
      >
        <canvas aria-hidden="true"></canvas>
      </div>
      <p class="at" id="at" role="status">${this.atText()}</p>
      ${laid === null ? nothing : this.renderTable(laid.graph)}`;
  }

  private countText(): string {
    if (this.laid_ === null) return 'Laying the graph out…';
    const { nodes, edges } = this.laid_.graph;
    const chains = nodes.filter(({ kind }) => kind === 'chain').length;
    return `${plural(nodes.length, 'node')}, ${plural(chains, 'L1 chain')}, ${plural(edges.length, 'edge')}`;
  }

  private atText(): string {
    const at = this.focused_ >= 0 ? this.focused_ : this.chosen;
    if (this.laid_ === null || at < 0)
      return 'Arrow keys go along the edges, Enter selects, + and − zoom, 0 shows the whole graph.';
    return nodeText(this.laid_.graph, at);
  }

  private renderTable(graph: ChainGraph): TemplateResult {
    const shown = Math.min(graph.nodes.length, this.listed_);
    const open = (event: Event): void => {
      if ((event.target as HTMLDetailsElement).open && this.listed_ === 0) this.listed_ = kMostListed;
    };
    return html`<details @toggle=${open}>
      <summary>As a table</summary>
      <div class="rows" role="group" tabindex="0" aria-label="Nodes of the graph">
        <table>
          <thead>
            <tr>
              <th scope="col">Node</th>
              <th scope="col">Ops</th>
              <th scope="col">Time</th>
              <th scope="col">Result in</th>
              <th scope="col">Moved on the way to</th>
            </tr>
          </thead>
          <tbody>
            ${graph.nodes.slice(0, shown).map((_, node) => this.renderNode(graph, node))}
          </tbody>
        </table>
        ${
          shown < graph.nodes.length
            ? html`<button class="btn" @click=${() => (this.listed_ += kMostListed)}>
                ${formatInteger(graph.nodes.length - shown)} more
              </button>`
            : nothing
        }
      </div>
    </details>`;
  }

  private renderNode(graph: ChainGraph, at: number): TemplateResult {
    const node = graph.nodes[at]!;
    const moved = graph.edges.filter(({ from, moves }) => from === at && moves.length > 0);
    return html`<tr class=${at === this.chosen ? 'chosen' : ''}>
      <td><button class="link mono" @click=${() => this.choose(at)}>${node.title}</button></td>
      <td>${node.rows.length === 0 ? node.detail : formatInteger(node.rows.length)}</td>
      <td>
        ${node.time > 0 ? `${formatTime(node.time)} · ${formatPercent(node.time, this.run?.totals.time ?? 1)}` : ''}
      </td>
      <td>${kindBadge(node.place)}</td>
      <td>${moved.map(({ to, moves }) => `${graph.nodes[to]!.title} (${movesText(moves)})`).join(', ')}</td>
    </tr>`;
  }
}

// Nodes from left to right, and the edges that touch a layer.
function byLayer(graph: ChainGraph, laid: LayoutOutput): Pick<Laid, 'byLayer' | 'edgesByLayer'> {
  const nodes: number[][] = Array.from({ length: laid.layers }, () => []);
  const edges: number[][] = Array.from({ length: laid.layers }, () => []);
  graph.nodes.forEach((_, node) => nodes[laid.layer[node]!]!.push(node));
  for (const layer of nodes) layer.sort((a, b) => laid.x[a]! - laid.x[b]!);
  graph.edges.forEach(({ from, to }, edge) => {
    const ends = [laid.layer[from]!, laid.layer[to]!];
    for (let layer = Math.min(...ends); layer <= Math.max(...ends); layer++) edges[layer]!.push(edge);
  });
  return { byLayer: nodes, edgesByLayer: edges };
}

customElements.define('tessera-graph', TesseraGraph);
