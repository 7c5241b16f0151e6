// Figures as people read them. Bytes are binary kilobytes, written KB as the compiler's documents do.

const kGroup = new Intl.NumberFormat('en-US');

export function formatInteger(value: number): string {
  return kGroup.format(value);
}

// 940 B, 24 KB, 1,364 KB (KB up to ten megabytes, because L1 is spoken of in KB), 21.4 MB, 3.20 GB.
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${kGroup.format(Math.round(bytes))} B`;
  const kilo = bytes / 1024;
  if (kilo < 10) return `${trim(kilo.toFixed(1))} KB`;
  if (kilo < 10_000) return `${kGroup.format(Math.round(kilo))} KB`;
  const mega = kilo / 1024;
  if (mega < 1024) return `${mega < 100 ? trim(mega.toFixed(1)) : kGroup.format(Math.round(mega))} MB`;
  return `${(mega / 1024).toFixed(2)} GB`;
}

// 640 ns, 4.2 µs, 412 µs, 1.62 ms, 3.1 s.
export function formatTime(nanoseconds: number): string {
  if (nanoseconds < 1000) return `${Math.round(nanoseconds)} ns`;
  const micro = nanoseconds / 1000;
  if (micro < 9.95) return `${trim(micro.toFixed(1))} µs`;
  if (micro < 999.5) return `${Math.round(micro)} µs`;
  const milli = micro / 1000;
  if (milli < 9.995) return `${milli.toFixed(2)} ms`;
  if (milli < 999.5) return `${milli < 99.5 ? milli.toFixed(1) : Math.round(milli)} ms`;
  return `${(milli / 1000).toFixed(1)} s`;
}

// A text of the engine, which speaks of nanoseconds, with its times as people read them.
export function withTimes(text: string): string {
  return text.replace(/\b(\d+) ns\b/g, (_, nanoseconds) => formatTime(Number(nanoseconds)));
}

// In a column whose largest figure is `most`: one unit and as many digits behind the point in every row.
export function alignedTime(nanoseconds: number, most: number): string {
  if (most >= 10_000_000) return `${(nanoseconds / 1_000_000).toFixed(2)} ms`;
  return `${(nanoseconds / 1000).toFixed(1)} µs`;
}

// How long the page's own work took.
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1) return '<1 ms';
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

export function formatPercent(part: number, whole: number): string {
  if (whole <= 0) return '–';
  const percent = (part / whole) * 100;
  if (percent > 0 && percent < 1) return '<1 %';
  return `${Math.round(percent)} %`;
}

// "1x56x56x64" is written with the multiplication sign.
export function formatShape(shape: string): string {
  return shape.replace(/x/g, '×');
}

export function formatAddress(address: number): string {
  return `0x${address.toString(16).toUpperCase().padStart(5, '0')}`;
}

// "ttir.conv2d" -> "conv2d": the dialect says nothing that the row needs.
export function shortOp(op: string): string {
  const dot = op.indexOf('.');
  return dot < 0 ? op : op.slice(dot + 1);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${kGroup.format(count)} ${count === 1 ? one : many}`;
}

function trim(text: string): string {
  return text.endsWith('.0') ? text.slice(0, -2) : text;
}
