// Finds the spans (edges, buffer lifetimes) that touch a window of rows, in time proportional to the answer.

const kBucketRows = 64;

export class SpanIndex {
  private readonly buckets_: number[][];

  // `span(item)` gives the first and the last row, both included; it must not change afterwards.
  constructor(
    rows: number,
    items: number,
    private readonly span: (item: number) => readonly [number, number],
  ) {
    this.buckets_ = Array.from({ length: Math.max(1, Math.ceil(rows / kBucketRows)) }, () => []);
    for (let item = 0; item < items; item++) {
      const [from, to] = span(item);
      for (let bucket = this.bucketOf(from); bucket <= this.bucketOf(to); bucket++) this.buckets_[bucket]!.push(item);
    }
  }

  // Every item that touches rows first..last once, in ascending order.
  touching(first: number, last: number): number[] {
    const found = new Set<number>();
    for (let bucket = this.bucketOf(first); bucket <= this.bucketOf(last); bucket++) {
      for (const item of this.buckets_[bucket]!) {
        const [from, to] = this.span(item);
        if (from <= last && to >= first) found.add(item);
      }
    }
    return [...found].sort((a, b) => a - b);
  }

  private bucketOf(row: number): number {
    return Math.min(this.buckets_.length - 1, Math.max(0, Math.floor(row / kBucketRows)));
  }
}
