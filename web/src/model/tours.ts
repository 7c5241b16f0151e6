// Guided tours: each a list of states of the page over the samples, with a sentence about what is seen there.

import type { Options } from './option_values';
import type { ViewSettings } from './state';
import type { TourPlace } from './tour_place';
import type { SharedState } from './url';

export interface TourStop {
  readonly sample: string; // id
  readonly options?: Options; // the policy among them; those that are not named have their defaults
  readonly select: string; // name of the row, as in the graph; '': none
  readonly view?: Partial<ViewSettings>;
  readonly text: string;
}

export interface Tour {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly stops: readonly TourStop[];
}

const kWhy: Partial<ViewSettings> = { whyOpen: true, tab: 'why' };
const kMap: Partial<ViewSettings> = { whyOpen: false, tab: 'map' };

const kTiles: Tour = {
  id: 'tiles',
  title: 'Tiles and shards',
  about: 'How one tensor is cut over the cores of the chip',
  stops: [
    {
      sample: 'mlp',
      select: '',
      text:
        'Every line is an op, in the order in which the chip runs them. The badge says where its result ' +
        'lives: in DRAM, or in L1, the small fast memory that each core has.',
    },
    {
      sample: 'mlp',
      select: '%1',
      view: kWhy,
      text:
        'This result has 256 × 300 elements. A tensor is stored in tiles of 32 × 32, so 300 columns are ' +
        'padded to ten tiles; block sharded means that the tiles are dealt to a rectangle of cores, a shard ' +
        'to each.',
    },
    {
      sample: 'mlp',
      select: '%3',
      view: kWhy,
      text:
        'Interleaved in L1 is another way: the tiles go round over all cores, one after another. It fits any ' +
        'shape, but an op that wants a shard on its own core must fetch its tiles from the others.',
    },
    {
      sample: 'conv-relu',
      select: '%1',
      view: kWhy,
      text:
        'A convolution likes height sharding: each core has some rows of the image with all channels. The ' +
        'Layout lab, linked at the top, shows for any tensor where every element lies.',
    },
  ],
};

const kChain: Tour = {
  id: 'chain',
  title: 'A chain',
  about: 'Why results that stay in L1 make a net faster',
  stops: [
    {
      sample: 'mlp',
      options: { policy: 'DRAM' },
      select: '%1',
      view: { whyOpen: false },
      text:
        'The floor: under the policy “DRAM only” each op reads from DRAM and writes back to it. Note the time ' +
        'above.',
    },
    {
      sample: 'mlp',
      options: {},
      select: '%1',
      view: kMap,
      text:
        'Greedy keeps each result in L1 where the first layout that works lets it. In the L1 map a bar spans ' +
        'the steps during which a tensor occupies L1: each bar ends where the next op has read it.',
    },
    {
      sample: 'mlp',
      options: {},
      select: '%v4_return',
      view: kWhy,
      text:
        'What leaves the function is expected in DRAM, so the chain ends with a return. It is no lack of ' + 'memory.',
    },
    {
      sample: 'mlp',
      options: { policy: 'Beam' },
      select: '%3',
      view: kWhy,
      text:
        'Not every chain pays: here beam search shards more and must reshard in between. Compare the time ' +
        'with that of Greedy; the Compare view has all policies side by side.',
    },
  ],
};

const kFork: Tour = {
  id: 'fork',
  title: 'A fork',
  about: 'What a result with two readers means for L1',
  stops: [
    {
      sample: 'fork-join',
      select: '%1',
      view: kMap,
      text:
        'This result has two readers, a matmul and a gelu. It stays in L1 until the last of them has read it: ' +
        'its bar is longer than those of a chain.',
    },
    {
      sample: 'fork-join',
      select: '%4',
      view: kWhy,
      text:
        'The join: both branches arrive in the same layout, block sharded over the same cores, so nothing is ' +
        'moved.',
    },
    {
      sample: 'fork-join',
      options: { policy: 'DFSharding' },
      select: '%1',
      view: kWhy,
      text:
        'The chains of the first sharding policy could not fork: at the fork a chain ends, and its result ' +
        'goes to DRAM. Compare the time above.',
    },
    {
      sample: 'residual-block',
      options: {},
      select: '%0',
      view: kMap,
      text:
        'A real fork: the shortcut of a residual block lives from the first op to the add, beside the whole ' +
        'chain of convolutions. Such tensors are the first to leave when L1 is short.',
    },
  ],
};

const kSpill: Tour = {
  id: 'spill',
  title: 'A spill',
  about: 'What happens when L1 is full',
  stops: [
    {
      sample: 'l1-pressure',
      select: '',
      view: { whyOpen: false, tab: 'map' },
      text:
        'Eight encoder results wait for the decoder. Together they are more than a core’s L1 holds: the bars ' +
        'pile up towards the line of the budget.',
    },
    {
      sample: 'l1-pressure',
      select: '%v1_spill',
      view: kWhy,
      text:
        'So one of them leaves: a spill to DRAM. “Why” says for which op room was made. The key n goes to the ' +
        'next move, p to the one before.',
    },
    {
      sample: 'l1-pressure',
      select: '%1',
      view: kWhy,
      text:
        'The value that left. “What would keep it in L1” tries single changes in the background and says what ' +
        'each brings, for this value and for the whole net; a change can be applied, and undone.',
    },
    {
      sample: 'l1-pressure',
      options: { policy: 'Exact' },
      select: '%1',
      view: kWhy,
      text:
        'The proven best plan spills less, and pays for it with reloads and reshards elsewhere. See the ' +
        'figures above.',
    },
  ],
};

const kPolicies: Tour = {
  id: 'policies',
  title: 'Greedy, beam and the optimum',
  about: 'Three ways to decide, and how far each is from the best',
  stops: [
    {
      sample: 'residual-block',
      select: '%9',
      view: { whyOpen: false },
      text:
        'Greedy goes through the ops once and takes the first layout that works. The figure “From optimum” ' +
        'above says how much time that loses here.',
    },
    {
      sample: 'residual-block',
      options: { policy: 'Beam' },
      select: '%9',
      view: { whyOpen: false },
      text:
        'Beam search keeps several candidates per op and traces the best path back from the results: the time ' +
        'falls.',
    },
    {
      sample: 'residual-block',
      options: { policy: 'Beam' },
      select: '%9',
      view: { main: 'beam', whyOpen: false },
      text: 'Its candidates, op by op: where each comes from, which was taken, and which were dropped.',
    },
    {
      sample: 'residual-block',
      options: { policy: 'Exact' },
      select: '%9',
      view: { whyOpen: false },
      text:
        'Exact proves that no plan is faster under the same model of time, or says how far from it this one ' +
        'can be.',
    },
    {
      sample: 'residual-block',
      options: {},
      select: '%9',
      view: { main: 'optimum', whyOpen: false },
      text:
        'Back to Greedy, held against the optimum: which ops are laid out otherwise there, and what each ' +
        'costs the net.',
    },
  ],
};

export const kTours: readonly Tour[] = [kTiles, kChain, kFork, kSpill, kPolicies];

export const tourAt = (place: TourPlace | null): Tour | undefined => kTours.find(({ id }) => id === place?.id);

// The stop as what a link to it would hold.
export function stateOfStop({ sample, options, select, view }: TourStop): SharedState {
  return {
    source: { kind: 'sample', id: sample },
    options: options ?? {},
    selected: select === '' ? null : { name: select, label: '', row: 0 },
    view: view ?? {},
    compareRuns: null,
    plan: null,
    policyCode: null,
  };
}
