// A long answer in pieces, so that the page reads each in a task of its own: long arrays leave the text, which keeps
// them empty, and travel as parts. The text is scanned, not parsed: it comes from the engine's own writer.

export interface Part {
  readonly path: readonly (string | number)[]; // of the array, from the root
  readonly json: string; // an array of its next elements
}

interface Open {
  readonly array: boolean;
  key: string | number; // of the member that is being read
  cut: number; // of an array: where the elements begin that have not left yet
  left: boolean; // some have left
  inner: boolean; // an array within it has been cut: it stays whole
}

const kDeepest = 6; // arrays below are left alone

export const kPartLength = 256 * 1024; // characters

// The text without its long arrays; `give` gets their elements in order.
export function splitAnswer(json: string, give: (part: Part) => void, partLength = kPartLength): string {
  if (json.length <= 2 * partLength) return json;
  const frame: string[] = [];
  const stack: Open[] = [];
  let copied = 0;
  let word = ''; // the last string: the key, when a colon follows
  let top: Open | undefined;

  const cut = (open: Open, to: number): void => {
    if (!open.left) {
      frame.push(json.slice(copied, open.cut));
      for (const outer of stack) if (outer !== open) outer.inner = true;
    }
    open.left = true;
    if (to > open.cut) give({ path: stack.slice(0, -1).map(({ key }) => key), json: `[${json.slice(open.cut, to)}]` });
    open.cut = to + 1;
  };
  const mayCut = (at: number): boolean =>
    top!.array &&
    at - top!.cut >= partLength &&
    !top!.inner &&
    stack.length <= kDeepest &&
    !stack.some((outer) => outer !== top && outer.left);

  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case 0x22: {
        const end = endOfString(json, at);
        if (top !== undefined && !top.array && stack.length <= kDeepest) word = json.slice(at + 1, end);
        at = end;
        break;
      }
      case 0x3a: // colon
        top!.key = word.includes('\\') ? (JSON.parse(`"${word}"`) as string) : word;
        break;
      case 0x2c: // comma
        if (mayCut(at)) cut(top!, at);
        if (top!.array) top!.key = (top!.key as number) + 1;
        break;
      case 0x5b: // [
      case 0x7b: {
        const array = json.charCodeAt(at) === 0x5b;
        top = { array, key: array ? 0 : '', cut: at + 1, left: false, inner: false };
        stack.push(top);
        break;
      }
      case 0x5d: // ]
      case 0x7d:
        if (top!.left) {
          cut(top!, at);
          copied = at;
        }
        stack.pop();
        top = stack.at(-1);
        break;
    }
  }
  frame.push(json.slice(copied));
  return frame.join('');
}

function endOfString(json: string, begin: number): number {
  for (let at = begin; ;) {
    at = json.indexOf('"', at + 1);
    if (at < 0) return json.length;
    let back = at - 1;
    while (json.charCodeAt(back) === 0x5c) back--;
    if ((at - back) % 2 === 1) return at;
  }
}

const kDeferred = 'decisions'; // most of a long answer, of which one op is looked at

// Takes the parts as they come and puts them where they belong in the end.
export class Joiner {
  private broken_: unknown = null;
  private readonly lists_ = new Map<string, { path: Part['path']; elements: unknown[]; texts: string[] }>();

  get used(): boolean {
    return this.lists_.size > 0;
  }

  add({ path, json }: Part): void {
    const id = JSON.stringify(path);
    let list = this.lists_.get(id);
    if (list === undefined) this.lists_.set(id, (list = { path, elements: [], texts: [] }));
    if (path.at(-1) === kDeferred) list.texts.push(json);
    else this.read(json, list.elements);
  }

  private read(json: string, elements: unknown[]): void {
    try {
      for (const element of JSON.parse(json) as unknown[]) elements.push(element);
    } catch (error) {
      this.broken_ = error; // told when the answer is put together
    }
  }

  join(frame: string): unknown {
    if (this.broken_ !== null) throw this.broken_;
    const root = JSON.parse(frame) as Record<string | number, unknown>;
    for (const { path, elements, texts } of this.lists_.values()) {
      let at = root;
      for (const key of path.slice(0, -1)) at = at[key] as typeof root;
      at[path.at(-1)!] = texts.length > 0 ? { deferred: texts } : elements;
    }
    return root;
  }
}
