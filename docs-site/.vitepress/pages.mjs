// The pages of docs/guide in their order.
export const pages = [
  { text: 'Start', link: '/index' },
  { text: 'Tiles and shards', link: '/tiles-and-shards' },
  { text: 'Memory configurations', link: '/memory-configurations' },
  { text: 'Circular buffers', link: '/circular-buffers' },
  { text: 'L1 chains', link: '/chains' },
  { text: 'Greedy and beam', link: '/greedy-and-beam' },
  { text: 'Spilling', link: '/spilling' },
  { text: 'The proven optimum', link: '/proven-optimum' },
  { text: 'Reading the L1 map', link: '/l1-map' },
  { text: 'A dump out of your compiler', link: '/getting-a-dump' },
  { text: 'Hosting', link: '/hosting' },
];
