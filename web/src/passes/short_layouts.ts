// A printed graph with its layout aliases written out in short, so that a change of one layout is one changed word and
// not a new number on every later line.

// "#layout3 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x8>, memref<1x3x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>,
// <width_sharded>...>"
const kAlias =
  /^(#[A-Za-z_]\w*) = #ttnn\.ttnn_layout<.*?, <(\d+x\d+)\b.*?>, memref<((?:\d+x)*)(.*), #ttnn\.buffer_type<(\w+)>>(?:, <(\w+)>)?/; // eslint-disable-line max-len
const kTile = /^!ttcore\.tile<\d+x\d+, (\w+)>$/;

function shortOf(line: string): [alias: string, text: string] | null {
  const match = kAlias.exec(line);
  if (match === null) return null;
  const [, alias, grid, shape, element, buffer, memory] = match;
  const tile = kTile.exec(element!);
  const where = memory === undefined ? buffer! : `${buffer} ${memory}${memory === 'interleaved' ? '' : ` ${grid}`}`;
  return [alias!, `${where} ${shape!.slice(0, -1)} ${tile === null ? `rows ${element}` : `tiles ${tile[1]}`}`];
}

// Lines that are not such aliases stay as they are; so do references to aliases of another kind.
export function withShortLayouts(text: string): string {
  const names = new Map<string, string>();
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    const alias = line.startsWith('#') ? shortOf(line) : null;
    if (alias === null) kept.push(line);
    else names.set(alias[0], `‹${alias[1]}›`);
  }
  return kept.map((line) => line.replace(/#[A-Za-z_]\w*/g, (name) => names.get(name) ?? name)).join('\n');
}
