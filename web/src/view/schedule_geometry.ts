// Rows, columns and windows of the schedule: which rows are in the DOM, which columns fit. Pure.

// CSS pixels; the style sheet's --row must agree
const kFineRow = 26;
const kTouchRow = 44;
export let kRowHeight = kFineRow;

// Rows are as high as a finger needs them, or as low as a mouse allows; true when that changed.
export function setRowHeight(touch: boolean): boolean {
  const before = kRowHeight;
  kRowHeight = touch ? kTouchRow : kFineRow;
  return kRowHeight !== before;
}

const kStepRows = 8; // the window moves in steps, so that scrolling by a few rows changes nothing

// Lines of the schedule.
export interface RowWindow {
  readonly first: number;
  readonly end: number; // one past the last
}

// The lines to render for a scroll position: what is visible and a step or two to each side. Their number depends on
// the height alone: canvases of another size would have to be made anew.
export function windowFor(scrollTop: number, height: number, lines: number): RowWindow {
  const count = Math.min(lines, (Math.ceil(Math.max(0, height) / kRowHeight / kStepRows) + 3) * kStepRows);
  const step = Math.floor(Math.max(0, scrollTop) / kRowHeight / kStepRows);
  const first = Math.min(lines - count, Math.max(0, (step - 1) * kStepRows));
  return { first, end: first + count };
}

// Where to scroll so that `row` is in view with a little room; the same value when it already is.
export function scrollToShow(row: number, scrollTop: number, height: number): number {
  const margin = Math.min(2 * kRowHeight, Math.max(0, (height - kRowHeight) / 2));
  const top = row * kRowHeight;
  if (top - margin < scrollTop) return Math.max(0, top - margin);
  if (top + kRowHeight + margin > scrollTop + height) return top + kRowHeight + margin - height;
  return scrollTop;
}

// A plan begins with loads of what was computed once, when the model was loaded: they cost nothing and say little, so
// they are one row while the fold is closed.
export interface Fold {
  readonly rows: number; // of the plan's first, that are folded; 0: too few for a fold
  readonly values: number; // that they load
}

export const kNoFold: Fold = { rows: 0, values: 0 };
const kLeastFolded = 2;
export const kCachedLoad = 'ttcore.load_cached';

interface Foldable {
  readonly op: string;
  readonly results: readonly number[];
  readonly time: { readonly total: number };
}

export function foldOf(rows: readonly Foldable[]): Fold {
  const end = rows.findIndex(({ op, time }) => op !== kCachedLoad || time.total > 0);
  const count = end < 0 ? rows.length : end;
  if (count < kLeastFolded) return kNoFold;
  return { rows: count, values: rows.slice(0, count).reduce((sum, { results }) => sum + results.length, 0) };
}

// Rows that a closed fold hides: the last of its rows stands for all.
export function hiddenRows(fold: Fold, open: boolean): number {
  return open ? 0 : Math.max(0, fold.rows - 1);
}

// Where a new graph opens, in rows from the top of what can be scrolled: at its first op that costs time, when many
// that cost none stand before it.
export function openingRow(rows: readonly { readonly time: { readonly total: number } }[], hidden = 0): number {
  const first = rows.findIndex((row) => row.time.total > 0) - hidden;
  return first < 8 ? 0 : first - 1;
}

export type Column = 'step' | 'lanes' | 'op' | 'shape' | 'place' | 'cores' | 'time' | 'dram' | 'regret' | 'map';

// Columns on demand.
export interface MoreColumns {
  readonly heat: boolean; // regrets
  readonly dram: boolean; // traffic with DRAM
}

const kNoMore: MoreColumns = { heat: false, dram: false };

export interface ColumnPlan {
  readonly columns: readonly Column[];
  readonly template: string; // for grid-template-columns
  readonly lanesLeft: number;
  readonly lanesWidth: number;
  readonly mapLeft: number;
  readonly mapWidth: number; // 0: no map
  readonly nameRoom: number; // characters of a name; Infinity where few are cut
  readonly bars: boolean; // the time column has room for a bar beside the figure
}

// The least important columns go first when the table gets narrow.
export function planColumns(
  width: number,
  split: number,
  lanesWanted: number,
  show: 'both' | 'table' | 'map',
  { heat, dram }: MoreColumns = kNoMore,
): ColumnPlan {
  const mapWidth = show === 'table' ? 0 : show === 'map' ? mapFirstWidth(width) : Math.round(width * (1 - split));
  const table = width - mapWidth;
  const heatWidth = !heat || show === 'map' ? 0 : table < 480 ? 52 : 66;
  const dramWidth = !dram || show === 'map' ? 0 : 62;
  const room = table - heatWidth - dramWidth; // for the columns that are always there
  const narrow = room < 400;
  const stepWidth = narrow ? 30 : 36;
  const lanesWidth =
    show === 'map' ? 0 : Math.min(lanesWanted, Math.max(34, Math.round(table * (narrow ? 0.11 : 0.16))));
  const columns: Column[] = ['step'];
  const tracks = [`${stepWidth}px`];
  const add = (column: Column, track: string): void => {
    columns.push(column);
    tracks.push(track);
  };
  if (lanesWidth > 0) add('lanes', `${lanesWidth}px`);
  add('op', 'minmax(0, 1fr)');
  if (show !== 'map') {
    if (room >= 520) add('shape', room >= 620 ? '122px' : '98px');
    add('place', narrow ? '82px' : '88px');
    if (room >= 760) add('cores', '50px');
    add('time', room >= 720 ? '150px' : narrow ? '60px' : room >= 600 ? '120px' : '92px');
    if (dramWidth > 0) add('dram', `${dramWidth}px`);
    if (heatWidth > 0) add('regret', `${heatWidth}px`);
  } else if (table >= 280) add('place', '88px');
  if (mapWidth > 0) add('map', `${mapWidth}px`);
  return {
    columns,
    template: tracks.join(' '),
    lanesLeft: stepWidth,
    lanesWidth,
    mapLeft: table,
    mapWidth,
    nameRoom: nameRoom(width, tracks),
    bars: !narrow,
  };
}

// Beside the tracks whose width is fixed, in the 12 px font of names.
function nameRoom(width: number, tracks: readonly string[]): number {
  const fixed = tracks.reduce((sum, track) => sum + (track.endsWith('px') ? parseFloat(track) : 0), 0);
  const left = width - fixed;
  return left < 140 ? Math.max(4, Math.floor((left - 12) / 7.25)) : Infinity;
}

// With the map first the table keeps what names a row.
function mapFirstWidth(width: number): number {
  return width < 800 ? Math.round(width * 0.62) : width - 320;
}

// Share of the table when nobody dragged the splitter: what it needs, so that most of the room is the map's.
export function defaultSplit(width: number): number {
  return Math.min(640, Math.max(420, 0.41 * width)) / Math.max(1, width);
}

export function clampSplit(split: number, width: number): number {
  const least = Math.min(0.45, 330 / Math.max(1, width));
  const most = Math.max(0.55, 1 - 160 / Math.max(1, width));
  return Math.min(most, Math.max(least, split));
}
